//! Random bytes as the data of an atlas: `cargo fuzz run atlas`.
#![no_main]

#[path = "../bodies/atlas.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::check(bytes));
