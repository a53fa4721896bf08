//! Nim games known by theorem.
//!
//! Each file of [`library`] holds one theorem on a family of games for all numbers of stacks,
//! and answers for positions of any height: who wins, by which move, why. See [`Theorem`] and
//! [`Solution`] for the shape they share.
//!
//! * [`library`]: the theorems, and [`library::find`] to ask all of them.
//! * [`complex`]: the simplicial complex of a set game, its faces and circuits.
//! * [`integer`]: small systems of integer constraints, which turn a formula for the P-set into
//!   winning moves.
//! * [`slow`]: play on reduced positions, the position grid, conjectures on slow games.
//! * [`partial`]: theorems that decide some positions of a game only.
//! * [`longest`]: the longest play of an Exact game.
//!
//! This crate reads no clock, starts no thread and opens no file.
#![forbid(unsafe_code)]

pub mod complex;
mod embedded;
pub mod integer;
pub mod invariance;
pub mod library;
pub mod linear;
pub mod longest;
mod partial;
mod plan;
mod reason;
mod recognise;
mod shape;
pub mod slow;
#[cfg(test)]
mod testing;
mod theorem;

pub use partial::{PartialTheorem, partial, partial_theorems};
pub use reason::Reason;
pub use recognise::{Recognition, recognise};
pub use theorem::{Citation, Solution, Statement, Theorem, WinningMove};
