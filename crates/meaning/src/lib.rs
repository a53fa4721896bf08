//! Which positions a formula describes: one by one, and all at once.
//!
//! * [`Evaluator`] decides positions, tens of millions a second; [`Lines`] whole lines of positions,
//!   some ten times faster. [`evidently_closed`] says whether a formula is the same under symmetries.
//! * [`Statement`] is what a formula without xor says in linear constraints, joined by "and" and "or";
//!   its [`Branch`]es are the normal form: linear systems whose union the formula describes.
//!
//! ```
//! use nimatron_formula::{Context, Formula};
//! use nimatron_meaning::{Evaluator, branches};
//!
//! // The P-positions of circular Nim CN(5,3) (DH13 Thm 3.1).
//! let context = Context::new(5);
//! let formula = Formula::parse("sym(a = 0, b = e = c+d)", &context)?;
//! let turns: Vec<Vec<usize>> =
//!     (0..5).map(|i| (0..5).map(|s| (s + i) % 5).collect()).collect();
//! let evaluator = Evaluator::new(&formula, &context, &turns)?;
//! assert!(evaluator.holds(&[3, 7, 0, 7, 4]));
//! assert!(!evaluator.holds(&[3, 9, 5, 7, 4]));
//! assert_eq!(branches(&formula, 5, &turns, 100)?.len(), 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod branches;
mod evaluate;
mod statement;

pub use branches::{Branch, branches};
pub use evaluate::{Asymmetric, CompileError, Evaluator, Lines, Symmetries, evidently_closed};
pub use statement::{BranchError, Clause, Statement};
