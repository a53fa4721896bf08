//! Automata for the P-positions: found, proved, certified.

mod certificates;
mod common;
mod formulas;
mod found;
mod mutants;
mod proofs;
