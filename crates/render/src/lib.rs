//! How answers look: finished values as text, JSON, LaTeX, SVG and DOT.
//!
//! Pure functions from values to strings, shared by every front end. Nothing here decides
//! anything about a game.
#![forbid(unsafe_code)]

mod atlas;
pub mod bench;
mod cheatsheet;
mod check;
mod circuits;
mod columns;
mod diagnostic;
mod game;
mod graph;
mod grid;
mod invariants;
pub mod json;
mod latex;
mod palette;
mod proof;
mod reasons;
mod reduction;
mod subgame;
mod subgames;
mod svg;
pub mod table;
mod theorems;
mod verdict;
mod words;

pub use atlas::{
    AtlasAnswer, atlas, atlas_circular, atlas_entry, atlas_list, audited, circular_entries,
    circular_markdown,
};
pub use cheatsheet::{CheatSheetAnswer, cheatsheet, cheatsheet_latex};
pub use check::{CheckAnswer, check};
pub use circuits::{CircuitsAnswer, circuits};
pub use diagnostic::{Diagnostic, Place, Span};
pub use game::game;
pub use graph::{graph, graph_dot, graph_json, graph_svg};
pub use grid::{grid, grid_json, grid_latex, grid_stopped, grid_stopped_json, grid_svg};
pub use invariants::{InvariantsAnswer, invariants};
pub use palette::Palette;
pub use proof::{ProofAnswer, VerifyAnswer, Written, comparison, discovery, examination, proving};
pub use reasons::sentences;
pub use reduction::{Heights, reduction, step};
pub use subgames::{SubgamesAnswer, subgames};
pub use theorems::{Entry, TheoremsAnswer, theorem, theorems, theorems_latex};
pub use verdict::verdict;
pub use words::{Names, count, list, stack};
