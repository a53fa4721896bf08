//! Automata for the P-positions: found, proved, certified.

mod certificates;
mod common;
mod found;
mod proofs;
