//! Certificates changed by structure, compared with tables if they are accepted: `cargo fuzz run
//! mutants`. The first byte says which certificate is changed.
#![no_main]

#[path = "../bodies/mutants.rs"]
mod body;

const CERTIFICATES: [&str; 4] = [
    include_str!("../../corpus/certificates/CN-5-2.json"),
    include_str!("../../corpus/certificates/CN-5-3.json"),
    include_str!("../../corpus/certificates/CN-5-3.regions.json"),
    include_str!("../../corpus/certificates/misere-Nim-3.json"),
];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some((&first, rest)) = bytes.split_first() {
        body::check(CERTIFICATES[usize::from(first) % CERTIFICATES.len()], rest);
    }
});
