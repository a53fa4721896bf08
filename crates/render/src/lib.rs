//! How answers look: finished values as text, JSON, LaTeX, SVG and DOT.
//!
//! Pure functions from values to strings, shared by every front end. Nothing here decides
//! anything about a game.
#![forbid(unsafe_code)]

mod diagnostic;
mod game;
mod graph;
mod grid;
pub mod json;
mod palette;
mod reasons;
mod reduction;
mod svg;
pub mod table;
mod verdict;
mod words;

pub use diagnostic::{Diagnostic, Place, Span};
pub use game::game;
pub use graph::{graph, graph_dot, graph_json, graph_svg};
pub use grid::{grid, grid_json, grid_latex, grid_stopped, grid_stopped_json, grid_svg};
pub use palette::Palette;
pub use reasons::sentences;
pub use reduction::{Heights, reduction, step};
pub use verdict::verdict;
pub use words::{Names, count, list, stack};
