//! Small systems of integer linear constraints, solved exactly.
//!
//! "Is there a move from here into this set" is a system of linear equations and inequalities: at
//! most a dozen variables with small coefficients, but right-hand sides as tall as the stacks.
//! [`System`] decides such systems over the integers, with a solution as witness; the time depends on
//! the number of variables and constraints, not on the size of the numbers.
//!
//! The method is the Omega test (Pugh 1991): equations are substituted away by unimodular changes
//! of variables; variables are eliminated from the inequalities by Fourier and Motzkin's method,
//! which is exact over the integers when one of each pair of coefficients is 1; otherwise the
//! *dark shadow* gives solutions, the *real shadow* refutes, and in between finitely many
//! *splinters* are tried.

mod enumerate;
mod problem;
mod row;
mod system;
#[cfg(test)]
mod tests;

pub use system::{IntegerError, MAX_VARIABLES, Relation, System};
