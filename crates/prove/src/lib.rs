//! Finds the P-positions of a game together with a proof that holds for all heights.
//!
//! * [`regions`]: a formula without xor is the P-set, by linear arithmetic.
//!
//! What is found comes as a certificate of [`nimatron_verify`], and counts only once the checker
//! in that crate has accepted it. This crate reads no clock, starts no thread and opens no file.
#![forbid(unsafe_code)]

pub mod lp;
pub mod regions;
