//! How answers look: finished values as text and JSON.
//!
//! Pure functions from values to strings, shared by every front end. Nothing here decides
//! anything about a game.
#![forbid(unsafe_code)]

pub mod bench;
mod cheatsheet;
mod check;
mod circuits;
mod columns;
mod diagnostic;
mod game;
mod invariants;
pub mod json;
mod latex;
mod palette;
mod proof;
mod reasons;
mod reduction;
mod subgame;
mod subgames;
pub mod table;
mod theorems;
mod verdict;
mod words;

pub use cheatsheet::{CheatSheetAnswer, cheatsheet, cheatsheet_latex};
pub use check::{CheckAnswer, check};
pub use circuits::{CircuitsAnswer, circuits};
pub use diagnostic::{Diagnostic, Place, Span};
pub use game::game;
pub use invariants::{InvariantsAnswer, invariants};
pub use palette::Palette;
pub use proof::{ProofAnswer, VerifyAnswer, Written, discovery, examination, proving};
pub use reasons::sentences;
pub use reduction::{Heights, reduction, step};
pub use subgames::{SubgamesAnswer, subgames};
pub use theorems::{Entry, TheoremsAnswer, theorem, theorems, theorems_latex};
pub use verdict::verdict;
pub use words::{Names, count, list, stack};
