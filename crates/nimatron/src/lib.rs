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
//! smaller), [`formula`] (sets of positions), [`theory`] (known by theorem) and [`table`] (known by
//! computing), [`prove`] (finding proofs for all heights) and [`verify`] (checking them). A guess about
//! the P-positions is compared with a table by a [`Conjecture`]; proofs are found, kept and used by
//! [`proofs`].
#![forbid(unsafe_code)]

mod ask;
pub mod atlas;
mod boxes;
mod by_table;
mod cheatsheet;
mod check;
mod circuits;
mod evidence;
pub mod graph;
pub mod grid;
mod info;
mod invariants;
mod knowledge;
mod limits;
mod open;
mod process;
pub mod proofs;
mod shortcut;
mod solver;
mod subgames;
mod sum;
pub mod tables;
mod theorem_check;
mod verdict;

pub use ask::{AskError, Explain, Options, Prepared, WantedMoves, ask};
pub use boxes::{A_SECOND, affordable_box};
pub use cheatsheet::{Case, CheatSheet, Evidence};
pub use check::{Check, Conjecture, Counterexample, Kind, Witness};
pub use circuits::Circuits;
pub use evidence::{Difference, LongestPlay};
pub use info::{GameInfo, SummandInfo};
pub use invariants::{Invariants, Tested};
pub use knowledge::Knowledge;
pub use limits::{Deadline, Limits};
pub use nimatron_formula as formula;
pub use nimatron_game as game;
pub use nimatron_game::{Game, Height, Outcome, Play, Position, Stop, Take};
pub use nimatron_prove as prove;
pub use nimatron_reduce as reduce;
pub use nimatron_table as table;
pub use nimatron_theory as theory;
pub use nimatron_verify as verify;
pub use open::Open;
pub use process::{ProcessError, invariance_process};
pub use subgames::{Solved, Subgame, Subgames};
pub use tables::p_positions;
pub use theorem_check::{TheoremCheck, examples_of};
pub use verdict::{By, Reason, Unknown, Verdict, WinningMove};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
