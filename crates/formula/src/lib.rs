//! A language for sets of Nim positions.
#![forbid(unsafe_code)]

mod ast;
mod branches;
mod context;
mod error;
mod eval;
mod latex;
mod lexer;
mod parse;
mod plain;
mod print;

pub use ast::{Formula, Relation, Term};
pub use branches::{Branch, BranchError, Constraint, Extra, branches};
pub use context::Context;
pub use error::{
    Expected, FormulaError, FormulaErrorKind, Found, MAX_DEPTH, MAX_GENERATORS, MAX_LENGTH,
};
pub use eval::{Asymmetric, CompileError, Evaluator, Symmetries, evidently_closed};
pub use plain::TooManyTerms;
