//! A language for sets of Nim positions.
#![forbid(unsafe_code)]

mod ast;
mod context;
mod error;
mod eval;
mod lexer;
mod parse;
mod print;

pub use ast::{Formula, Relation, Term};
pub use context::Context;
pub use error::{
    Expected, FormulaError, FormulaErrorKind, Found, MAX_DEPTH, MAX_GENERATORS, MAX_LENGTH,
};
pub use eval::{Asymmetric, CompileError, Evaluator, Symmetries};
