//! Positions known by computing: whole boxes of them, tabulated.
//!
//! * [`naive`]: the oracle, every value straight from its definition.
//! * [`search`]: one position, by looking at those reachable from it.
//! * [`PositionBox`], [`Table`]: all positions up to given heights, and one entry for each.
//!
//! This crate reads no clock, starts no thread and opens no file.

mod boxes;
mod error;
mod hash;
pub mod naive;
pub mod search;

pub use boxes::{PositionBox, Table};
pub use error::TableError;
