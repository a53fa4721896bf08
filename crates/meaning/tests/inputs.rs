//! Random texts as formulas: see `fuzz/bodies/formula.rs`.

#[path = "../../../fuzz/bodies/formula.rs"]
mod formula;
#[path = "../../../fuzz/bodies/inputs.rs"]
#[allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "a test has a clock")]
mod inputs;

use inputs::{Random, changed, run};
use proptest::prelude::*;
use std::sync::LazyLock;

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let corpus = include_str!("../../../corpus/formula/theorems.txt");
    let formulas = corpus.lines().filter_map(|line| line.rsplit(';').next());
    let more = [
        "let x = a+b, x = c or not odd(x) and reduced(total = 2b)",
        "min(a,b,c) <= max <= 3a - 2 and a mod 4 != 1",
        "span(ad, be, cd)",
        "sym(xor(a,c) = 0, sum(a..d) > odds)",
    ];
    formulas.chain(more).map(|text| text.as_bytes().to_vec()).collect()
});

const WORDS: [&str; 22] = [
    "(",
    ")",
    ",",
    " or ",
    " and ",
    "not ",
    "sym(",
    "span(",
    "reduced(",
    "let x = ",
    "min(",
    "max",
    "xor(",
    " mod 4",
    "odd(",
    "total",
    "odds",
    "<=",
    "!=",
    "sum(a..c)",
    "2*",
    "true",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_text_is_a_formula_or_a_clear_error(seed: u64) {
        let input = changed(&SEEDS, &WORDS, &mut Random(seed));
        formula::check(&String::from_utf8_lossy(&input));
    }

    #[test]
    fn so_is_every_string(text in ".{0,80}") {
        formula::check(&text);
    }
}

#[test]
#[ignore = "minutes even when optimised"]
#[allow(clippy::print_stdout, reason = "the figures are what it is run for")]
fn a_million_formulas() {
    let body = |bytes: &[u8]| formula::check(&String::from_utf8_lossy(bytes));
    println!("formula: {}", run(&SEEDS, &WORDS, body));
}
