//! A language for sets of Nim positions: read it and write it.
//!
//! Theorems and conjectures about P-positions are written in it, so that the same text can be
//! shown, evaluated at a position, compared with a table and proved. This crate knows the words;
//! which positions a formula describes is the subject of `nimatron-meaning`, and the checker of
//! certificates reads formulas by itself.
//!
//! ```
//! use nimatron_formula::{Context, Formula};
//!
//! // The P-positions of circular Nim CN(5,3) (DH13 Thm 3.1).
//! let formula = Formula::parse("sym(a = 0, b = e = c+d)", &Context::new(5))?;
//! assert_eq!(formula.to_string(), "sym(a = 0, b = e = c+d)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The language
//!
//! | written | meaning |
//! | --- | --- |
//! | `a`, `b`, .. or `x1`, `x2`, .. | heights of the stacks, in order |
//! | `a+b-c`, `2a`, `2*min(a,b)`, `-3` | sums and integer multiples |
//! | `(a+b) mod 4` | remainder, 0 to 3; binds like `*` |
//! | `min(a,b+c)`, `max(..)`, `sum(a..d)`, `xor(a,c,e)` | of their arguments; `a..d` is `a,b,c,d` |
//! | `min`, `max`, `total`, `odds` | of all stacks: least, greatest, sum, how many are odd |
//! | `a = b`, `!=`, `<`, `<=`, `>`, `>=` | comparisons; they chain, as in `c = g > 0` |
//! | `odd(t)`, `even(t)` | parity |
//! | `F, G`, `F and G`, `F or G`, `not F` | `,` binds weakest, then `or`, `and`, `then`, `not` |
//! | `let m = t, F` | `F` with a name for a term; the name is new, and not a stack |
//! | `sym(F)` | some image of the position under the game's symmetries satisfies `F` |
//! | `span(ad, be, cf)` | sums of these 0/1 vectors, each any number of times |
//! | `reduced(F)` | slow games: `F` holds without the unplayable tokens |
//! | `digits(F)` | `F` holds in every binary place, for the digits there as heights of 0 and 1 |
//! | `F then G` | the binary digits can be cut so that `F` holds for those before, `G` for those after |
//! | `true`, `false` | always, never |
//!
//! `not` may not stand over `span`. A name is not known inside a `sym`, `reduced`, `digits` or `then`
//! that its `let` stands outside of, for the stacks there are other ones. Terms are exact for all
//! heights; a term that could leave 120 bits is refused, as are texts longer than
//! [`MAX_LENGTH`] or nested deeper than [`MAX_DEPTH`].
//!
//! # What is where
//!
//! * [`Formula`] and [`Term`]: the formula itself. [`Formula::parse`] reads it and points at
//!   errors ([`FormulaError`]); `Display` writes text that reads back the same;
//!   [`Formula::to_latex`] is for papers, [`Formula::plain`] for provers.
//! * [`Context`]: the game that a formula speaks of.
//! * [`Witness`]: why a formula holds at a position, with the numbers that make it true.
#![forbid(unsafe_code)]

mod ast;
mod context;
mod error;
mod latex;
mod lexer;
mod parse;
mod plain;
mod print;
mod witness;

pub use ast::{Formula, Relation, Term};
pub use context::Context;
pub use error::{
    Expected, FormulaError, FormulaErrorKind, Found, MAX_DEPTH, MAX_GENERATORS, MAX_LENGTH,
};
pub use plain::TooManyTerms;
pub use witness::Witness;
