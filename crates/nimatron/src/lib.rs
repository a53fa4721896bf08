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
//! # What is where
//!
//! | to ... | use |
//! | --- | --- |
//! | ask about a position | [`ask`]; about many positions of one game, [`Prepared`] |
//! | see every move with what it leads to | [`Prepared::moves`] |
//! | say how long it may take | [`Limits`], in [`Options`] |
//! | list the P-positions of a box, or count them | [`tables`] |
//! | know what a game is like: symmetries, subgames, invariant vectors, cheat sheets | [`structure`] |
//! | compare a guess about the P-positions with a table | [`check`] |
//! | go through the games of a conjecture | [`sweeps`] |
//! | find proofs for all heights, check them, keep them | [`proofs`] |
//! | have certificates checked by the Coq kernel | [`kernel`] |
//! | look up what is known about small games | [`atlas`] |
//! | play: matches, opponents, hints, puzzles, lessons | [`play`] |
//! | draw games, positions, moves and answers | [`figures`] |
//! | write an article about a proof | [`paper`] |
//! | draw slow games | [`grid`], [`graph`] |
//! | write files that are there whole or not at all | [`files`] |
//! | show answers as text, JSON, LaTeX or DOT | [`render`] |
//! | use the parts the answers are made of | [`crates`] |
//!
//! # Features
//!
//! All but the last are on by default.
//!
//! | feature | gives |
//! | --- | --- |
//! | `serde` | `Serialize` for answers, in the JSON of the command line |
//! | `prove` | [`proofs`], and answers by stored proofs |
//! | `atlas` | [`atlas`], and answers by its proofs; needs the other two |
//! | `png` | figures as dots (not on by default) |
//!
//! Where the system has no clock, as on wasm32 in a browser, the host lends one ([`Clock`]); without it
//! time is not limited.
#![forbid(unsafe_code)]

mod ask;
#[cfg(feature = "atlas")]
pub mod atlas;
mod boxes;
mod by_table;
mod cheatsheet;
pub mod check;
mod circuits;
mod conjecture;
mod evidence;
pub mod figures;
pub mod files;
pub mod graph;
pub mod grid;
mod info;
mod invariants;
#[cfg(feature = "prove")]
mod investigate;
#[cfg(feature = "prove")]
pub mod kernel;
mod knowledge;
mod limits;
pub mod machine;
mod moves;
mod open;
mod open_games;
#[cfg(feature = "prove")]
pub mod paper;
pub mod play;
mod process;
#[cfg(feature = "prove")]
pub mod proofs;
#[cfg(not(feature = "prove"))]
#[path = "no_proofs.rs"]
mod proofs;
pub mod render;
mod replies;
mod shortcut;
mod solver;
mod subgames;
mod sum;
pub mod sweeps;
pub mod tables;
mod theorem_check;
mod verdict;

pub use ask::{AskError, Explain, Options, Prepared, WantedMoves, ask};
#[cfg(feature = "prove")]
pub use investigate::Investigation;
pub use knowledge::{Cover, Knowledge, ProofCover};
pub use limits::{Clock, Deadline, Limits, Stopwatch};
pub use moves::{Move, Moves, Page};
pub use nimatron_game::{
    Family, Game, Height, IllegalMove, Outcome, Play, Position, Rule, StackSet, Stop, Take,
    Unlimited, Watch,
};
pub use open::Open;
pub use open_games::{said_to_be_open, said_to_be_solved};
pub use replies::{After, AfterError, Try};
pub use verdict::{By, Conjecture, Reason, Unknown, Verdict, WinningMove};

/// What a game is like, and what theorems say about it.
pub mod structure {
    pub use crate::boxes::{A_SECOND, affordable_box};
    pub use crate::cheatsheet::{Case, CheatSheet, Evidence, PeelingRule};
    pub use crate::circuits::{Circuits, CircularCircuits};
    pub use crate::conjecture::conjecture_about;
    pub use crate::evidence::{Difference, LongestPlay};
    pub use crate::info::{GameInfo, SummandInfo};
    pub use crate::invariants::{Invariants, Tested};
    pub use crate::process::{ProcessError, invariance_process};
    pub use crate::subgames::{Solved, Subgame, Subgames};
    pub use crate::theorem_check::{TheoremCheck, examples_of};
}

/// The crates that the answers are made of, for whoever wants the parts. What most users need of
/// them is re-exported above, and changes less often.
///
/// Two pairs of names are easily taken for each other. [`tables`] asks for the table of a box
/// and chooses who computes it; `crates::table` has the engines. [`proofs`] finds,
/// checks and keeps proofs; `crates::prove` has the finders alone, which nobody believes.
pub mod crates {
    #[cfg(feature = "prove")]
    pub use nimatron_coq as coq;
    pub use nimatron_draw as draw;
    pub use nimatron_formula as formula;
    pub use nimatron_game as game;
    pub use nimatron_linear as linear;
    pub use nimatron_meaning as meaning;
    #[cfg(feature = "prove")]
    pub use nimatron_prove as prove;
    pub use nimatron_reduce as reduce;
    pub use nimatron_table as table;
    pub use nimatron_theory as theory;
    #[cfg(feature = "prove")]
    pub use nimatron_verify as verify;
}

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
