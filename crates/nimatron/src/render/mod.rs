//! How answers look: finished values as text, JSON, LaTeX and DOT. Pictures are in [`figures`](crate::figures).
//!
//! Pure functions from values to strings, shared by every front end. Nothing here decides
//! anything about a game. Most answers also implement `Display` (the text without styles) and, with
//! the feature `serde`, `Serialize` (the JSON of the command line, documented in docs/cli.md).

#![cfg_attr(not(feature = "serde"), allow(dead_code, reason = "what is written in JSON only"))]

mod answers;
#[cfg(feature = "atlas")]
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
#[cfg(feature = "prove")]
mod guess;
mod invariants;
pub mod json;
pub(crate) mod latex;
mod moves;
#[cfg(feature = "prove")]
mod one_sided;
mod palette;
#[cfg(feature = "prove")]
mod peeling;
mod play;
#[cfg(feature = "prove")]
mod proof;
mod reasons;
mod reduction;
#[cfg(feature = "prove")]
mod same;
mod steps;
mod subgame;
mod subgames;
mod sweep;
pub mod table;
mod theorems;
mod verdict;
pub(crate) mod words;

#[cfg(feature = "atlas")]
pub use atlas::{
    AtlasAnswer, atlas, atlas_circular, atlas_entry, atlas_formulas, atlas_list, audited,
    circular_entries, circular_markdown,
};
pub use cheatsheet::{CheatSheetAnswer, cheatsheet, peeling_rule};
pub use check::{CheckAnswer, check};
pub use circuits::{CircuitsAnswer, CircularCircuitsAnswer, circuits, circular_circuits};
pub use diagnostic::{Diagnostic, Place, Span};
pub use game::game;
#[cfg(feature = "serde")]
pub use graph::graph_json;
pub use graph::{graph, graph_dot};
pub use grid::{grid, grid_stopped};
#[cfg(feature = "serde")]
pub use grid::{grid_json, grid_stopped_json};
#[cfg(feature = "prove")]
pub use guess::{FamilyGuessAnswer, GuessAnswer, family_guess, guess};
pub use invariants::{InvariantsAnswer, invariants};
pub use latex::{after_latex, cheatsheet_latex, invariants_latex, theorems_latex, verdict_latex};
#[cfg(feature = "prove")]
pub use latex::{
    discovery_latex, examination_latex, investigation_latex, one_sided_latex, proving_latex,
};
pub use moves::{MovesAnswer, moves};
#[cfg(feature = "prove")]
pub use one_sided::{OneSidedAnswer, one_sided};
pub use palette::Palette;
#[cfg(feature = "prove")]
pub use peeling::{PeelingAnswer, peeling};
pub use play::{
    HintAnswer, PlayAnswer, PuzzleAnswer, ReviewAnswer, Seat, board, hint, judged, manner, review,
    rules, short_take,
};
#[cfg(feature = "prove")]
pub use proof::{
    ProofAnswer, VerifyAnswer, Written, comparison, comparison_stopped, discovery, examination,
    opinion, proving,
};
pub use reasons::sentences;
pub use reduction::{Heights, reduction, step};
#[cfg(feature = "prove")]
pub use same::{SamenessAnswer, sameness};
pub use subgames::{SubgamesAnswer, subgames};
pub use sweep::{OrderTypesAnswer, SweepAnswer, order_types, sweep};
pub use theorems::{Entry, TheoremsAnswer, bibliography, theorem, theorems};
#[cfg(feature = "prove")]
pub use verdict::investigation;
pub use verdict::{after, verdict};
pub use words::{Names, count, list, list_or, stack};
