//! How answers look: finished values as text and JSON.
//!
//! Pure functions from values to strings, shared by every front end. Nothing here decides
//! anything about a game.
#![forbid(unsafe_code)]

mod diagnostic;
mod game;
pub mod json;
mod palette;
mod reasons;
mod reduction;
pub mod table;
mod verdict;
mod words;

pub use diagnostic::{Diagnostic, Place, Span};
pub use game::game;
pub use palette::Palette;
pub use reasons::sentences;
pub use reduction::{Heights, reduction, step};
pub use verdict::verdict;
pub use words::{Names, count, list, stack};
