//! Random texts as games, variants, positions and takes: `cargo fuzz run notation`.
#![no_main]

#[path = "../bodies/notation.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|text: &str| body::check(text));
