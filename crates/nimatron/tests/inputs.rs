//! Whatever comes from outside, changed at random: see `fuzz/bodies`.
//!
//! A few hundred inputs of each kind run always; `cargo test --release -p nimatron --test inputs --
//! --ignored --nocapture` runs a million of each and prints figures.

#[path = "../../../fuzz/bodies/atlas.rs"]
mod atlas;
#[path = "../../../fuzz/bodies/certificate.rs"]
mod certificate;
#[path = "../../../fuzz/bodies/checkpoint.rs"]
mod checkpoint;
#[path = "../../../fuzz/bodies/inputs.rs"]
mod inputs;
#[path = "../../../fuzz/bodies/json.rs"]
mod json;

use inputs::{Random, changed};
use nimatron::atlas::{Atlas, Survey};
use nimatron::check::{Context, Formula};
use nimatron::proofs::{DiscoverMethod, Judgement, ProveMethod, discover, prove};
use nimatron::tables::{TableEngine, Tabulation, Threads, Wanted};
use nimatron::{Game, Limits, Unlimited};
use proptest::prelude::*;
use std::sync::LazyLock;

/// Inputs that are well-formed.
type Seeds = LazyLock<Vec<Vec<u8>>>;

fn game(text: &str) -> Game {
    text.parse().unwrap()
}

static CERTIFICATES: Seeds = LazyLock::new(|| {
    let limits = Limits::unlimited();
    let found = |text: &str, method| {
        let found = discover(&game(text), method, &limits).found;
        found.unwrap().proved.text()
    };
    let by_regions = |text: &str, formula: &str| {
        let game = game(text);
        let formula = Formula::parse(formula, &Context::of_game(&game)).unwrap();
        match prove(&game, &formula, ProveMethod::Regions, &limits).judgement {
            Judgement::Proved(found) => found.proved.text(),
            other => panic!("{other:?}"),
        }
    };
    vec![
        found("CN(4,2)", DiscoverMethod::Matryoshka),
        found("PN(4,2)", DiscoverMethod::Matryoshka),
        found("PN(3,2)", DiscoverMethod::Automata),
        found("Nim(2)", DiscoverMethod::Automata),
        by_regions("CN(3,2)", "a = b = c"),
        by_regions("PN(3,2)", "b = 0, a = c"),
        by_regions("CN(4,2)", "a = c, b = d"),
    ]
});

static CHECKPOINTS: Seeds = LazyLock::new(|| {
    let saved = [
        ("CN(4,2)", 3, 0, TableEngine::Line),
        ("CN(4,2)", 3, 2, TableEngine::Line),
        ("misere Nim(3)", 4, 1, TableEngine::Line),
        ("PN(3,2)", 9, 3, TableEngine::Line),
        ("CN(4,2)", 7, 0, TableEngine::Blocks),
        ("CN(4,2)", 7, 2, TableEngine::Blocks),
        ("misere PN(3,2)", 9, 1, TableEngine::Blocks),
    ];
    let saved = saved.into_iter().map(|(text, max, layers, engine)| {
        let (game, wanted) = (game(text), Wanted::Counts);
        let max = vec![max; game.stacks()];
        let mut run = Tabulation::new(&game, &max, wanted, Some(engine)).unwrap();
        run.step(layers, &Threads::new(1), &Unlimited, &mut |_| Ok(())).unwrap();
        let mut bytes = Vec::new();
        run.save(b"{}", &mut bytes).unwrap();
        bytes
    });
    saved.collect()
});

static ATLASES: Seeds = LazyLock::new(|| {
    let atlas = Atlas::shipped();
    let mut proved: Vec<_> = atlas.entries().iter().filter(|e| e.proof.is_some()).collect();
    proved.sort_by_key(|e| e.proof.as_ref().map(|p| p.place.length));
    let few = proved.iter().take(4).chain(&proved[..1]).copied();
    let others = atlas.entries().iter().filter(|e| e.proof.is_none()).take(40).step_by(8);
    let survey = |entry: &nimatron::atlas::Entry| {
        let mut survey = Survey::again(entry.clone());
        survey.certificate = atlas.certificate_text(entry).unwrap();
        survey
    };
    let single = few.chain(others).map(|entry| {
        let (lines, certificates) = Atlas::assemble(vec![survey(entry)]).unwrap();
        [lines.into_bytes(), vec![0], certificates].concat()
    });
    single.collect()
});

static QUESTIONS: Seeds = LazyLock::new(|| {
    let questions = [
        "CN(7,3)\n3,5,4,2,1,6,3",
        "Set(ad,abc,bcd)\n2,3,5,4",
        "misere CN(5,2)\n2,0,2,0,0",
        "PN(3,2) + Nim(1)\n1,2,1,3",
        "Slow(4,{1,2})\n1,2,3,4",
        "Exact(4,2)\n3,3,1,2",
        "CN(6,3) each>=2 total=4..5\n1,2,3,4,5,6",
        "NN(9,4,3)\n1,0,1,0,1,0,1,0,1",
        "Moore(6,3)\n1000000000000,2,3,4,5,6",
        "{\"game\":\"CN(5,2)\",\"position\":[1,2,3,4,5]}",
        "{\"game\":\"Nim(2)\",\"position\":[9223372036854775807,1]}",
    ];
    questions.iter().map(|text| text.as_bytes().to_vec()).collect()
});

const JSON: [&str; 9] = ["[", "]", "{", "}", ",", "\"", "null", "-1", "1e9"];
const NOTATION: [&str; 12] =
    ["CN(", "Set(", "misere ", " + ", "total=", "any=", ",0", ",7", "\n", "PN(4,2)", "ab", "{2,3}"];

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn certificates_are_refused_or_true(seed: u64) {
        certificate::check(&changed(&CERTIFICATES, &JSON, &mut Random(seed)));
    }

    #[test]
    fn checkpoints_are_refused_or_go_on(seed: u64) {
        checkpoint::check(&changed(&CHECKPOINTS, &["NIMLINE", "NIMBLOCK"], &mut Random(seed)));
    }

    #[test]
    fn atlases_are_refused_or_shown(seed: u64) {
        atlas::check(&changed(&ATLASES, &JSON, &mut Random(seed)));
    }

    #[test]
    fn questions_are_refused_or_answered(seed: u64) {
        json::check(&text(&changed(&QUESTIONS, &NOTATION, &mut Random(seed))));
    }
}

#[test]
fn seeds_are_well_formed() {
    CERTIFICATES.iter().for_each(|bytes| certificate::check(bytes));
    CHECKPOINTS.iter().for_each(|bytes| checkpoint::check(bytes));
    ATLASES.iter().for_each(|bytes| atlas::check(bytes));
    QUESTIONS.iter().for_each(|bytes| json::check(&text(bytes)));
    for bytes in CHECKPOINTS.iter() {
        assert!(Tabulation::load(&bytes[..]).is_ok());
        // The right checksums are put where checksums stand, or nothing behind them is ever tried.
        assert_eq!(checkpoint::sealed(bytes).as_ref(), Some(bytes));
    }
}

#[allow(clippy::print_stdout, reason = "the figures are what it is run for")]
fn a_million(name: &str, seeds: &[Vec<u8>], words: &[&str], body: impl Fn(&[u8])) {
    println!("{name}: {}", inputs::run(seeds, words, body));
}

#[test]
#[ignore = "minutes even when optimised"]
fn a_million_certificates() {
    a_million("certificate", &CERTIFICATES, &JSON, certificate::check);
}

#[test]
#[ignore = "minutes even when optimised"]
fn a_million_checkpoints() {
    a_million("checkpoint", &CHECKPOINTS, &["NIMLINE", "NIMBLOCK"], checkpoint::check);
}

#[test]
#[ignore = "minutes even when optimised"]
fn a_million_atlases() {
    a_million("atlas", &ATLASES, &JSON, atlas::check);
}

#[test]
#[ignore = "minutes even when optimised"]
fn a_million_questions() {
    a_million("json", &QUESTIONS, &NOTATION, |bytes| json::check(&text(bytes)));
}
