//! Random bytes as certificates: `cargo fuzz run certificate`.
#![no_main]

#[path = "../bodies/certificate.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::check(bytes));
