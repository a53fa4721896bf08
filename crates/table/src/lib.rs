//! Positions known by computing: whole boxes of them, tabulated.
//!
//! * [`naive`]: the oracle, every value straight from its definition.
//! * [`outcomes`], [`grundy`], [`remoteness`]: the same values by following all moves at once.
//! * [`sorted`]: outcomes of games in which the order of the stacks does not matter.
//! * [`PositionBox`], [`Table`]: all positions up to given heights, and one entry for each.
//!
//! This crate reads no clock, starts no thread and opens no file.

mod boxes;
mod error;
mod generic;
pub mod grundy;
pub mod naive;
pub mod outcomes;
mod pick;
pub mod remoteness;
pub mod sorted;
mod traces;
mod values;

pub use boxes::{PositionBox, Table};
pub use error::TableError;
pub use values::{Summary, ValueLine};
