//! Proofs for all heights: found, checked, kept, and used to answer.
//!
//! Whoever finds a proof does not check it: everything here ends in a certificate that the checker in
//! [`nimatron_verify`] has accepted ([`Proved`]), or in an honest account of why there is none.
//!
//! * [`discover`]: find the P-positions of a game and prove them, with no formula given.
//! * [`prove`]: prove that a formula describes the P-positions, or refute it.
//! * [`Examination`]: read a certificate and check it.
//! * [`Store`]: keep certificates in a directory, for later questions.
//!
//! ```
//! use nimatron::proofs::{DiscoverMethod, discover};
//! use nimatron::{Game, Limits, Outcome};
//!
//! let game: Game = "CN(6,3)".parse().unwrap();
//! let discovery = discover(&game, DiscoverMethod::Auto, &Limits::default());
//! let found = discovery.found.unwrap();
//! assert_eq!(found.proved.formula().as_deref(), Some("span(ad, be, ace, cf, bdf)"));
//! assert_eq!(found.proved.outcome(&[3, 2, 1, 3, 2, 1]), Outcome::P);
//! ```

mod compare;
mod discover;
mod examine;
mod key;
mod prove;
mod proved;
mod regions;
mod store;

pub use compare::Comparison;
pub use discover::{
    Attempt, DiscoverMethod, Discovery, Equations, Found, Size, discover, discover_with,
};
pub use examine::{Examination, Expected, Refusal};
pub use prove::{Counterexample, Judgement, ProveMethod, Proving, Undecided, prove};
pub use proved::{Kind, NotAccepted, Proved};
pub use store::{RECHECKED, Source, Store, StoreError, Stored};

pub(crate) use key::key;
