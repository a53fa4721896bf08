//! Small systems of integer linear constraints, solved exactly.
//!
//! A formula without xor turns "is there a move from here into the P-set" into a few systems of
//! linear equations and inequalities in the new heights of a facet: at most a dozen variables
//! with small coefficients, but right-hand sides as tall as the stacks. [`System`] decides them
//! over the integers, with a solution as witness; the time depends on the number of variables and
//! constraints, not on the size of the numbers. [`Options`] sets them up for a position and a
//! facet.
//!
//! The method is the Omega test (Pugh 1991): equations are substituted away by unimodular changes
//! of variables; variables are eliminated from the inequalities by Fourier and Motzkin's method,
//! which is exact over the integers when one of each pair of coefficients is 1; otherwise the
//! *dark shadow* gives solutions, the *real shadow* refutes, and in between finitely many
//! *splinters* are tried.

mod enumerate;
mod omega;
mod options;
mod row;
mod system;
#[cfg(test)]
mod tests;

pub use enumerate::Count;
pub use options::Options;
pub use system::{IntegerError, MAX_VARIABLES, Relation, System};
