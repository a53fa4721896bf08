//! Nim games known by theorem.
//!
//! Each file of [`library`] holds one theorem on a family of games for all numbers of stacks,
//! and answers for positions of any height: who wins, by which move, why. See [`Theorem`] and
//! [`Solution`] for the shape they share.
//!
//! * [`library`]: the theorems, and [`library::find`] to ask all of them.
//! * [`complex`]: the simplicial complex of a set game, its faces and circuits.
//! * [`slow`]: play on reduced positions, the position grid, conjectures on slow games.
//! * [`peeling`]: one strategy for a class of circular-arc games.
//! * [`partial`]: theorems that decide some positions of a game only.
//! * [`publications`]: what the theorems cite.
//! * [`order_types`]: how the lemmas behind CN(8,6) share the orders of eight stacks among them.
//! * [`longest`]: the longest play of an Exact game.
//!
//! This crate reads no clock, starts no thread and opens no file.
#![forbid(unsafe_code)]

mod by_formula;
pub mod complex;
mod embedded;
pub mod invariance;
pub mod library;
pub mod longest;
mod options;
pub mod order_types;
mod partial;
pub mod peeling;
mod plan;
mod publication;
mod reason;
mod recognise;
mod shape;
pub mod slow;
#[cfg(test)]
mod testing;
mod theorem;

pub use partial::{PartialTheorem, partial, partial_theorems};
pub use publication::{Publication, publications};
pub use reason::{NewHeight, Reason};
pub use recognise::{Label, Recognition, Scope, recognise};
pub use theorem::{Citation, Solution, Statement, Theorem, WinningMove};
