//! Finds the P-positions of a game together with a proof that holds for all heights.
//!
//! * [`automata`]: the P-positions as a finite automaton that reads binary digits.
//! * [`regions`]: a formula without xor describes the P-positions, by linear arithmetic.
//! * [`matryoshka`]: the P-positions as sums of 0/1 vectors, by games within games.
//! * [`synthesis`]: from an automaton to a formula that a person can read.
//!
//! What is found comes as a [`nimatron_verify::Certificate`], and counts only once the checker
//! in that crate has accepted it. This crate reads no clock, starts no thread and opens no file.
#![forbid(unsafe_code)]

pub mod automata;
pub mod matryoshka;
pub mod regions;
pub mod synthesis;
