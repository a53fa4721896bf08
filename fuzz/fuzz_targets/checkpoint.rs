//! Random bytes as checkpoints: `cargo fuzz run checkpoint`.
#![no_main]

#[path = "../bodies/checkpoint.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::check(bytes));
