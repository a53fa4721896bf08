//! Exact linear arithmetic over the integers and the rationals.
//!
//! Formulas without xor are unions of linear systems, and so are the moves of a game. Whoever works
//! with them works with the types of this crate:
//!
//! * [`Form`] and [`Constraint`]: linear forms with integer coefficients, which are zero or at least
//!   zero; [`tidied`] brings a system of them to normal form.
//! * [`Solver`]: rational points of a system by the simplex method, or the multipliers that refute it
//!   (Farkas); constraints are added one at a time.
//! * [`eliminate`]: Fourier and Motzkin's step with real and dark shadows, for every kind of rows;
//!   [`project`] eliminates variables from a system and remembers how to find them again.
//! * [`omega`]: integer solutions by the Omega test: one, the least, all.
//! * [`echelon`]: linear relations and integer combinations of vectors.
//!
//! Numbers that leave their range are reported ([`Overflow`]), never wrapped. The checker of
//! certificates does not use this crate: it has arithmetic of its own.
//!
//! ```
//! use nimatron_linear::{Answer, Constraint, Form, Solver};
//! // x >= 0 and y >= 0 by number 0 and 1; x + y <= 3 and x - y >= 4 contradict.
//! let mut solver = Solver::new();
//! solver.add_height(0);
//! solver.add_height(1);
//! let added = solver.add(&Constraint::at_least_zero(Form::new(vec![-1, -1], 3)), 2);
//! assert_eq!(added, Ok(Answer::Feasible));
//! let added = solver.add(&Constraint::at_least_zero(Form::new(vec![1, -1], -4)), 3);
//! let multipliers = vec![(1, 2), (2, 1), (3, 1)];
//! assert_eq!(added, Ok(Answer::Infeasible(multipliers)));
//! ```
#![forbid(unsafe_code)]

mod constraint;
pub mod echelon;
pub mod eliminate;
mod form;
mod number;
pub mod omega;
mod project;
mod simplex;
mod substitution;

pub use constraint::{Constraint, inequalities, tidied};
pub use form::{Form, written};
pub use number::{Number, Overflow, gcd, lcm};
pub use project::{Projection, Step, project};
pub use simplex::{Answer, Entailed, Multipliers, Point, Solved, Solver, prune, solved};
pub use substitution::Substitution;
