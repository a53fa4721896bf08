//! Random texts as formulas: `cargo fuzz run formula`.
#![no_main]

#[path = "../bodies/formula.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|text: &str| body::check(text));
