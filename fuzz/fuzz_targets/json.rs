//! Random questions, and the JSON of their answers: `cargo fuzz run json`.
#![no_main]

#[path = "../bodies/json.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|text: &str| body::check(text));
