//! Proofs for all heights: found, checked, kept, and used to answer.
//!
//! Whoever finds a proof does not check it: everything here ends in a certificate that the checker in
//! [`nimatron_verify`] has accepted ([`Proved`]), or in an honest account of why there is none.
//!
//! * [`discover`]: find the P-positions of a game and prove them, with no formula given.
//! * [`prove`]: prove that a formula describes the P-positions, or refute it.
//! * [`prove_one_sided`]: the same for one direction, or for some positions only.
//! * [`Examination`]: read a certificate and check it.
//! * [`Store`]: keep certificates in a directory, for later questions.
//! * [`Guess`]: laws that a table suggests; evidence only.
//! * [`Sameness`]: whether two games have the same P-positions.
//! * [`PeelingCheck`]: what has to be computed for the theorem on peeling.
//!
//! ```
//! use nimatron::proofs::{DiscoverMethod, discover};
//! use nimatron::{Game, Limits, Outcome};
//!
//! let game: Game = "CN(6,3)".parse().unwrap();
//! let discovery = discover(&game, DiscoverMethod::Auto, &Limits::default());
//! let found = discovery.found.unwrap();
//! assert_eq!(found.proved.formula().as_deref(), Some("a+b = d+e, a+f = c+d"));
//! assert_eq!(found.proved.answer(&[3, 2, 1, 3, 2, 1]).unwrap().outcome, Outcome::P);
//! ```

mod compare;
mod differing;
mod discover;
mod examine;
mod guess;
mod key;
mod known_formula;
mod notes;
mod one_sided;
mod peeling;
mod prove;
mod proved;
mod regions;
mod same;
mod store;

pub use compare::Comparison;
pub use discover::{
    Attempt, DiscoverMethod, Discovery, Equations, Found, Search, Size, discover, discover_with,
};
pub use examine::{Examination, Expected, Refusal, read_certificate, read_certificate_within};
pub use guess::{FamilyGuess, Guess, member};
pub use nimatron_verify::{Certificate, ReadError};
pub use notes::Notes;
pub use one_sided::{OneSided, SidedJudgement, SidedProof, SidedUndecided, prove_one_sided};
pub use peeling::{PeelingCheck, PeelingFlaw, PeelingType};
pub(crate) use prove::proof_of_strategy;
pub use prove::{Judgement, ProveMethod, Proving, Refutation, Undecided, known_formula, prove};
pub use proved::{Answer, NotAccepted, ProofKind, Proved};
pub use same::{SameBy, Sameness};
pub use store::{RECHECKED, Source, Store, StoreError, Stored};

#[cfg(feature = "atlas")]
pub(crate) use key::key;
