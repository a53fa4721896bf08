//! Nim games known by theorem.
//!
//! Each file of [`library`] holds one theorem on a family of games for all numbers of stacks,
//! and answers for positions of any height: who wins, by which move, why. See [`Theorem`] and
//! [`Solution`] for the shape they share.
#![forbid(unsafe_code)]

pub mod integer;
pub mod library;
mod reason;
mod shape;
#[cfg(test)]
mod testing;
mod theorem;

pub use reason::Reason;
pub use theorem::{Citation, Solution, Statement, Theorem, WinningMove};
