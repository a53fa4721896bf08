//! How answers look: finished values as text and JSON.
//!
//! Pure functions from values to strings, shared by every front end. Nothing here decides
//! anything about a game.
#![forbid(unsafe_code)]

mod diagnostic;
mod game;
pub mod json;
mod reasons;
mod reduction;
mod verdict;
mod words;

pub use diagnostic::{Diagnostic, Span};
pub use game::game;
pub use reasons::reason;
pub use reduction::{chain, step};
pub use verdict::verdict;
pub use words::{count, list, stack, stacks};
