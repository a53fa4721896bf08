//! Positions known by computing: whole boxes of them, tabulated.
//!
//! * [`naive`]: the oracle, every value straight from its definition.
//! * [`grundy`]: Grundy values.
//! * [`PositionBox`], [`Table`]: all positions up to given heights, and one entry for each.
//!
//! This crate reads no clock, starts no thread and opens no file.

mod boxes;
mod error;
pub mod grundy;
pub mod naive;
mod pick;
mod traces;
mod values;

pub use boxes::{PositionBox, Table};
pub use error::TableError;
pub use values::{Summary, ValueLine};
