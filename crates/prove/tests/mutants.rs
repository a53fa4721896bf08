//! Certificates changed by structure: what is accepted is true. See `fuzz/bodies/mutants.rs`.
#![allow(clippy::print_stdout)]

#[path = "../../../fuzz/bodies/mutants.rs"]
mod body;

use body::{Fate, check};
use nimatron_game::{Game, Unlimited};
use nimatron_prove::matryoshka::{Discovery, discover};
use nimatron_verify::{Certificate, verify};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::BTreeMap;

/// Certificates of all kinds.
fn certificates() -> Vec<String> {
    let found = ["CN(5,2)", "CN(5,3)", "H"].map(|name| {
        let game: Game = name.parse().unwrap();
        let Discovery::Found(solution) = discover(&game, &Unlimited).unwrap() else { panic!() };
        let mut text = Vec::new();
        solution.certificate().write(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    });
    let kept = [
        include_str!("../../../corpus/certificates/CN-5-3.regions.json"),
        include_str!("../../../corpus/certificates/misere-Nim-3.json"),
        include_str!("../../../corpus/certificates/Moore-4-2.json"),
    ];
    found.into_iter().chain(kept.map(String::from)).collect()
}

#[test]
fn unchanged_they_are_accepted() {
    for text in certificates() {
        let certificate = Certificate::read(text.as_bytes()).unwrap();
        assert!(verify(&certificate).is_ok(), "{}", certificate.game);
    }
}

/// Most changes are rejected, each obligation catches some, and what is accepted agrees with the table.
#[test]
fn changed_they_are_rejected_or_true() {
    let mut fates: BTreeMap<String, usize> = BTreeMap::new();
    let mut runner = TestRunner::deterministic();
    let certificates = certificates();
    let changes = (0..certificates.len(), prop::collection::vec(any::<u8>(), 24));
    for _ in 0..3_000 {
        let (number, bytes) = changes.new_tree(&mut runner).unwrap().current();
        let fate = match check(&certificates[number], &bytes) {
            Fate::Rejected(obligation) => obligation,
            Fate::True => "(accepted)",
            Fate::Unreadable => "(unreadable)",
        };
        *fates.entry(fate.to_string()).or_default() += 1;
    }
    println!("{fates:#?}");
    for obligation in [
        "well-formed",
        "game",
        "tree",
        "cells",
        "move",
        "part",
        "symmetry",
        "weight",
        "stability",
        "closure",
        "acceptance",
        "branches",
        "coverage",
        "rule",
        "separation",
    ] {
        assert!(fates.contains_key(obligation), "{obligation}: {fates:?}");
    }
    assert!(fates["(accepted)"] < 1_000, "{fates:?}");
}

/// The same for long.
#[test]
#[ignore = "minutes"]
fn very_many_changes() {
    let certificates = certificates();
    let mut seed = 1u64;
    let mut fates = [0u64; 3];
    for _ in 0..1_000_000 {
        let bytes: Vec<u8> = (0..26)
            .map(|_| {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (seed >> 40) as u8
            })
            .collect();
        let which = usize::from(bytes[0]) % certificates.len();
        fates[match check(&certificates[which], &bytes[1..]) {
            Fate::Unreadable => 0,
            Fate::Rejected(_) => 1,
            Fate::True => 2,
        }] += 1;
    }
    println!("{} unreadable, {} rejected, {} accepted and true", fates[0], fates[1], fates[2]);
}
