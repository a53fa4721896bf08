//! Nim games on set systems: what a game is, and nothing about who wins.
//!
//! Stacks of tokens, a family of stack sets, and a rule that says how many tokens a move may
//! take from the stacks of one set. Circular, path and necklace Nim, Moore's Nim, simplicial
//! (set) Nim, Slow and Exact Nim and their variants are all of this kind; see [`Rule`].
//!
//! * [`Game`] and [`Position`]: what is written down, parsed and displayed (module
//!   [`notation`]).
//! * [`Rule`], [`SetFamily`], [`StackSet`]: what is played.
//! * [`symmetry`]: relabellings that leave the rule as it is.
//! * [`slow`]: what no play of a slow game can ever remove.
//! * [`Watch`] and [`Known`]: limits and knowledge, as arguments of the computations in other
//!   crates.
//!
//! This crate reads no clock, starts no thread and opens no file.
#![forbid(unsafe_code)]

mod family;
mod game;
mod known;
mod moves;
pub mod notation;
mod outcome;
mod position;
mod rule;
mod sets;
pub mod slow;
mod stacks;
pub mod symmetry;
mod watch;

pub use family::{CubePart, Family, FamilyError, MAX_SETS};
pub use game::{Game, IllegalMove, Summand, Variant};
pub use known::{Known, Nothing};
pub use moves::Moves;
pub use outcome::{Outcome, Play};
pub use position::{Height, MAX_HEIGHT, Position, PositionError, Take};
pub use rule::{Amounts, Choice, Rule, Violation};
pub use sets::{SetFamily, Sizes, maximal, subsets_of_size};
pub use stacks::{MAX_STACKS, StackSet, Stacks};
pub use watch::{Stop, Unlimited, Watch};
