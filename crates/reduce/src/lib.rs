//! The same game made smaller, with the way back.
//!
//! A [`State`] is a sum of rules, each at its heights, under a play convention. A [`Reduction`]
//! turns it into a smaller state with the same values, and the resulting [`Step`] carries moves
//! of the smaller game back to the larger one. A [`Chain`] of steps does both for many.
//!
//! | reduction | rules | what stays the same |
//! | --- | --- | --- |
//! | [`Zero`] | all | everything: the same moves |
//! | [`Idle`] | all | everything: the same moves |
//! | [`Components`] | all | everything: a game in two parts is their sum |
//! | [`Chop`] | slow games on all sets of certain sizes | everything: the same moves |
//! | [`Floor`] | exactly `a` from each played stack, or at least `a` from all of a set | outcome (normal and misere), Grundy value, remoteness |
//! | [`Merge`] | any positive amounts from the stacks of a set | outcome (normal and misere), Grundy value, remoteness |
//! | [`Naming`] | all | everything: stacks are renamed |
//! | [`Cone`] | SetNim, normal play, no other summand | outcome only |
//! | [`Invariance`] | games with known invariant vectors, normal play, no other summand | outcome only |
//!
//! ```
//! use nimatron_reduce::{Chain, State};
//! let game = "Set(ad,abc,bcd)".parse().unwrap();
//! let position = "2,3,5,4".parse().unwrap();
//! let chain = Chain::reduce(State::new(&game, &position).unwrap());
//! // b and c lie in the same facets, so they play as one stack of 8.
//! assert_eq!(chain.end().to_string(), "CN(3,2) at (2,8,4)");
//! ```
//!
//! The facts used are those of KDH26 section 2, Necklace26 section 3 and Slow26 section 3.
#![forbid(unsafe_code)]

mod chain;
mod chop;
mod components;
mod cone;
mod floor;
mod idle;
mod invariance;
pub mod members;
mod merge;
mod name;
mod state;
mod step;
mod zero;

pub use chain::Chain;
pub use chop::Chop;
pub use components::Components;
pub use cone::Cone;
pub use floor::Floor;
pub use idle::Idle;
pub use invariance::Invariance;
pub use merge::Merge;
pub use name::{Naming, first_name, name};
pub use state::{Part, State, StateError};
pub use step::{Change, Preserves, Reduction, Step};
pub use zero::Zero;
