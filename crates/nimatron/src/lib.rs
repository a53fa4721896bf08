//! Ask who wins a Nim game on any set system.
//!
//! One question takes one path, whoever asks: the game is made smaller, whoever knows it answers,
//! and the winning move is carried back. The [`Verdict`] says who answered and why, as data.
//!
//! ```
//! use nimatron::{Options, Outcome, ask};
//! let game = "CN(7,3)".parse().unwrap();
//! let position = "3,5,4,2,1,6,3".parse().unwrap();
//! let verdict = ask(&game, &position, &Options::default()).unwrap();
//! assert_eq!(verdict.outcome, Some(Outcome::N));
//! assert!(game.is_legal(&position, &verdict.moves[0].take));
//! ```
//!
//! For many positions of one game, prepare it once: [`Prepared`].
//!
//! The building blocks are re-exported: [`game`] (what is played), [`reduce`] (the same game made
//! smaller), [`theory`] (known by theorem) and [`table`] (known by computing).
#![forbid(unsafe_code)]

mod ask;
mod by_table;
pub mod conjecture;
mod evidence;
pub mod graph;
pub mod grid;
mod info;
mod knowledge;
mod limits;
mod solver;
mod sum;
pub mod tables;
mod verdict;

pub use ask::{AskError, Options, Prepared, WantedMoves, ask};
pub use evidence::{Difference, LongestPlay};
pub use info::{GameInfo, SummandInfo};
pub use knowledge::Knowledge;
pub use limits::{Deadline, Limits};
pub use nimatron_game as game;
pub use nimatron_game::{Game, Height, Outcome, Play, Position, Stop, Take};
pub use nimatron_reduce as reduce;
pub use nimatron_table as table;
pub use nimatron_theory as theory;
pub use verdict::{By, Reason, Unknown, Verdict, WinningMove};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
