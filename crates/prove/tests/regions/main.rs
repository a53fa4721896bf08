//! Proofs by regions: theorems are proved and checked, mutants refuted, tampering rejected.

mod common;
mod mutants;
mod rejected;
mod strategies;
mod theorems;
