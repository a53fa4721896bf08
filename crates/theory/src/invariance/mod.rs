//! Invariant vectors and the Invariance Reduction Process (KDH26 section 3).
//!
//! A set of stacks is an invariant vector of a game when adding one token to each of its stacks
//! never changes the outcome. [`known`] lists the vectors that theorems give; [`detect`] looks for
//! them in a table of P-positions, which is evidence only.

mod detect;
mod known;

pub use detect::{Evidence, Vector, detect, images};
pub use known::known;
