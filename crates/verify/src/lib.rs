//! Certificates for "this set is exactly the set of P-positions, for all heights", and their
//! checker.
//!
//! * [`regions`]: the set is given by a formula without xor.
//!
//! The checker trusts its own arithmetic, its own reading of the rules and its own expansion of
//! the formula. This crate never sees how a proof was found, opens no file and prints nothing.
#![forbid(unsafe_code)]

pub mod regions;
