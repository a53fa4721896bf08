//! Positions known by computing: one by one, or whole boxes of them.
//!
//! * [`naive`]: the oracle, every value straight from its definition.
//! * [`search`]: one position, by looking at those reachable from it.
//! * [`mod@line`]: the P-positions of a SetNim game in a box, at memory speed.
//! * [`blocks`]: the same, one block per orbit under the symmetries of the game.
//! * [`outcomes`], [`grundy`], [`remoteness`]: values of every rule by following all moves at
//!   once.
//! * [`sorted`]: outcomes of games in which the order of the stacks does not matter.
//! * [`PositionBox`], [`Table`]: all positions up to given heights, and one entry for each.
//!
//! This crate reads no clock, starts no thread and opens no file; threads are lent by a [`Crew`].

pub mod blocks;
mod boxes;
mod crew;
mod error;
mod generic;
pub mod grundy;
pub mod hash;
pub mod line;
pub mod naive;
mod order;
pub mod outcomes;
mod pick;
pub mod remoteness;
mod saved;
pub mod search;
pub mod sorted;
mod traces;
mod values;

pub use boxes::{PositionBox, Table};
pub use crew::{Alone, Crew};
pub use error::TableError;
pub use values::{Summary, ValueLine};
