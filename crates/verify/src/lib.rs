//! Certificates, and the checker that believes nothing but its own arithmetic.
//!
//! A [`Certificate`] claims: *for this game, the set S described here is exactly the set of
//! P-positions, for all heights*. [`verify`] checks what that takes:
//!
//! * normal play: (I) no move leads from S to S, (II) from every position outside S some move
//!   leads into S;
//! * misere play: no terminal position lies in S, (I), and (II) for the positions that are not
//!   terminal.
//!
//! Each kind of certificate has a module: what it holds, how S is read from it, and how the
//! obligations are checked. Nothing here knows how certificates are found; only the types of
//! the crates [`nimatron_game`] and [`nimatron_formula`] are shared with the programs that find them.
//!
//! ```
//! use nimatron_verify::{Certificate, verify};
//! // Nim with one stack: S holds the empty stack only. State 0 is "all digits so far were 0".
//! let text = r#"{"format":"nimatron-certificate","version":1,"game":"Nim(1)","proof":{"automaton":{
//!     "dfa":{"initial":0,"accepting":[true,false],"next":[[0,1],[1,1]]},
//!     "symmetries":[{"stacks":[0],"states":[0,1]}],
//!     "macrostates":[{"moves":[[0,0]],"next":[[0,0],[1,0]]},{"moves":[[0,1]],"next":[[1,0],[1,0]]}]}}}"#;
//! let certificate = Certificate::read(text.as_bytes()).unwrap();
//! assert_eq!(verify(&certificate).unwrap().game.to_string(), "Nim(1)");
//!
//! // The same automaton says nothing about misere play.
//! let misere = text.replace("Nim(1)", "misere Nim(1)");
//! let certificate = Certificate::read(misere.as_bytes()).unwrap();
//! assert_eq!(verify(&certificate).unwrap_err().obligation(), "terminal");
//! ```
#![forbid(unsafe_code)]

pub mod automaton;
mod certificate;
mod flaw;
pub mod matryoshka;
pub mod regions;
mod row;

pub use certificate::{
    Accepted, CHECKER, Certificate, MAX_BYTES, Proof, ReadError, verify, verify_within,
};
pub use flaw::{Budget, Rejection};
