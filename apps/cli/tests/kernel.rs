//! The Coq kernel: `export`, `verify --coq`, and the theories. Where `coqc` is not installed the tests
//! that need it say so and end.
#![allow(clippy::print_stderr, reason = "a test that cannot run says so")]

#[path = "../../../fuzz/bodies/changes.rs"]
mod changes;
mod common;

use common::{json, nimatron};
use nimatron::atlas::Atlas;
use nimatron::crates::coq::{ExportError, THEORIES, write, write_all, write_questions};
use nimatron::crates::formula::{Context, Formula};
use nimatron::crates::theory::recognise;
use nimatron::crates::verify::{Certificate, verify};
use nimatron::kernel::{Kernel, KernelError};
use nimatron::proofs::{DiscoverMethod, Judgement, ProveMethod, discover, prove};
use nimatron::{Game, Limits, Unlimited};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

fn place(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// The kernel, or a word that there is none.
fn kernel() -> Option<Kernel> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    match Kernel::find(&path, &place("coq"), &Unlimited) {
        Ok(kernel) => Some(kernel),
        Err(KernelError::Missing) => {
            eprintln!("skipped: coqc is not installed");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// A certificate of the atlas, in a file.
fn certificate_of(game: &str, file: &std::path::Path) {
    let atlas = Atlas::shipped();
    let entry = atlas.entries().iter().find(|entry| entry.game.to_string() == game).unwrap();
    let mut text = Vec::new();
    atlas.certificate(entry).unwrap().unwrap().write(&mut text).unwrap();
    std::fs::write(file, text).unwrap();
}

#[test]
fn the_theories_assume_nothing() {
    let forbidden = [
        "Axiom",
        "Admitted",
        "admit",
        "Parameter ",
        "Conjecture",
        "Abort",
        "bypass_check",
        "Unset Guard",
        "Unset Positivity",
        "Unset Universe",
        "native_compute",
    ];
    for theory in THEORIES.iter() {
        for word in forbidden {
            assert!(!theory.text.contains(word), "{} has {word}", theory.name);
        }
    }
    let Some(kernel) = kernel() else { return };
    let text = "From Nimatron Require Solution Matryoshka Automaton Readable Regions.\n\
        Print Assumptions Solution.determined.\n\
        Print Assumptions Solution.solution_unique.\n\
        Print Assumptions Matryoshka.check_sound.\n\
        Print Assumptions Automaton.check_sound.\n\
        Print Assumptions Readable.describes_sound.\n\
        Print Assumptions Regions.check_sound.\n\
        Print Assumptions Regions.described_plain.\n";
    let said = kernel.compile_text(text, &Unlimited).unwrap().unwrap();
    assert_eq!(said, "Closed under the global context\n".repeat(7));
}

#[test]
fn no_coqc_is_a_status_of_its_own() {
    let file = place("no-coqc").join("nim.json");
    certificate_of("Nim(3)", &file);
    let run = Command::new(env!("CARGO_BIN_EXE_nimatron"))
        .args(["verify", file.to_str().unwrap(), "--coq", "--json"])
        .env("PATH", place("nothing"))
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(5));
    let answer: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(answer["error"]["kind"], "missing");
}

#[test]
fn a_certificate_is_exported_and_accepted_by_the_kernel() {
    let folder = place("exported");
    let (file, to) = (folder.join("nim.json"), folder.join("nim.v"));
    certificate_of("Nim(3)", &file);
    let arguments =
        ["export", file.to_str().unwrap(), "--coq", to.to_str().unwrap(), "--force", "--json"];
    let run = nimatron(&arguments);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert_eq!(json(&run)["theorem"], "p_positions");
    let text = std::fs::read_to_string(&to).unwrap();
    let theorem = "P (Nim 3) [a; b; c] <->\n  (Nat.lxor a (Nat.lxor b c) = 0)%nat.";
    assert!(text.contains(theorem), "{text}");
    // Without --force nothing is overwritten.
    assert_eq!(nimatron(&arguments[..4]).status, Some(4));
    if kernel().is_none() {
        return;
    }
    let run = nimatron(&["verify", file.to_str().unwrap(), "--coq", "--json"]);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert_eq!(json(&run)["kernel"]["accepted"], true);
}

/// The certificates of the SetNim games of the atlas, apart from these.
fn atlas(but: &[&str]) -> Vec<Certificate> {
    let atlas = Atlas::shipped();
    let set_nim = atlas.entries().iter().filter(|entry| !entry.is_slow());
    let read = set_nim.filter_map(|entry| atlas.certificate(entry).unwrap());
    // Their automata; formulas are asked about one by one, for they take the kernel longer.
    let bare = read.map(|certificate| certificate.with_formula(None));
    bare.filter(|certificate| !but.contains(&certificate.game.to_string().as_str())).collect()
}

/// Has the kernel check them, all in one file.
fn all_accepted(certificates: &[Certificate]) {
    let Some(kernel) = kernel() else { return };
    let mut text = Vec::new();
    write_all(certificates, &mut text).unwrap();
    let said = kernel.compile_text(&String::from_utf8(text).unwrap(), &Unlimited).unwrap();
    let expected = "Closed under the global context\n".repeat(certificates.len());
    assert_eq!(said.as_deref(), Ok(expected.as_str()));
}

#[test]
#[ignore = "about a minute; run by .ci/run"]
fn the_kernel_accepts_the_atlas() {
    let certificates = atlas(&["CN(11,4)"]);
    assert!(certificates.len() > 100);
    all_accepted(&certificates);
}

#[test]
#[ignore = "minutes; run by .ci/run --all"]
fn the_kernel_accepts_the_longest_certificate_of_the_atlas() {
    let mut certificates = atlas(&[]);
    certificates.retain(|certificate| certificate.game.to_string() == "CN(11,4)");
    assert_eq!(certificates.len(), 1);
    all_accepted(&certificates);
}

/// A formula that is proved, as a certificate by an automaton.
fn proved(game: &str, formula: &str) -> Certificate {
    let game: Game = game.parse().unwrap();
    let formula = Formula::parse(formula, &Context::of_game(&game)).unwrap();
    match prove(&game, &formula, ProveMethod::Automata, &Limits::unlimited()).judgement {
        Judgement::Proved(found) => found.proved.certificate().clone(),
        _ => panic!("{game}: {formula} is not proved"),
    }
}

fn exported(certificate: &Certificate) -> String {
    let mut text = Vec::new();
    write_all(std::slice::from_ref(certificate), &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// A formula that is proved by linear arithmetic.
fn by_regions(game: &str, formula: &str) -> Certificate {
    let game: Game = game.parse().unwrap();
    let formula = Formula::parse(formula, &Context::of_game(&game)).unwrap();
    match prove(&game, &formula, ProveMethod::Regions, &Limits::unlimited()).judgement {
        Judgement::Proved(found) => found.proved.certificate().clone(),
        _ => panic!("{game}: {formula} is not proved"),
    }
}

/// An automaton that is found, without a formula.
fn discovered(game: &str) -> Certificate {
    let game: Game = game.parse().unwrap();
    let found = discover(&game, DiscoverMethod::Automata, &Limits::unlimited()).found.unwrap();
    found.proved.certificate().clone().with_formula(None)
}

/// What the checker would not look at is not exported either.
#[test]
fn what_is_not_understood_is_not_exported() {
    let refuses = |certificate: &Certificate| {
        let text = &mut Vec::new();
        matches!(write(certificate, text), Err(ExportError::Broken(_)))
    };
    let certificate = proved("Nim(3)", "xor(a,b,c) = 0");
    assert!(!refuses(&certificate));
    let mut text = serde_json::to_value(&certificate).unwrap();
    text["version"] = 7.into();
    assert!(refuses(&serde_json::from_value(text).unwrap()));
    assert!(refuses(&certificate.with_formula(Some("xor(a,b,".into()))));
}

/// Regions under both conventions, with and without further integers; automata under misere play.
#[test]
#[ignore = "about half a minute; run by .ci/run"]
fn regions_and_misere_play_are_theorems() {
    let regions = [
        by_regions("CN(4,2)", "a = c, b = d"),
        by_regions("CN(5,3)", "sym(a = 0, b = e = c+d)"),
        by_regions("CN(6,3)", "span(ad, be, cf, ace, bdf)"),
        by_regions("Exact(2,2)", "min = 0"),
        by_regions("Slow(2,{2})", "min mod 2 = 0"),
        by_regions("misere Nim(1)", "a = 1"),
        by_regions("misere Slow(1,{1})", "a mod 2 = 1"),
    ];
    let text = exported(&regions[0]);
    assert!(text.contains("P (CN 4 2) [a; b; c; d] <->\n  (a = c /\\ b = d)%nat."), "{text}");
    let text = exported(&regions[1]);
    assert!(text.contains("  (a = 0 /\\ b = e /\\ e = c + d)%nat."), "{text}");
    assert!(text.contains("F a b c d e \\/\n"), "{text}");
    let text = exported(&regions[2]);
    assert!(text.contains("described 6 words [a; b; c; d; e; f]."), "{text}");
    let misere = [
        "misere Nim(3)",
        "misere PN(4,2)",
        "misere CN(5,2)",
        "misere Exact(3,2)",
        "misere Slow(3,{2})",
        "misere Nim(2)+Nim(1)",
        "Nim(1)+Nim(2)",
        "Slow(3,{1,2})",
    ];
    let automata = misere.map(discovered);
    let text = exported(&automata[0]);
    assert!(text.contains("P (Misere (Nim 3)) [a; b; c] <->"), "{text}");
    all_accepted(&[&regions[..], &automata[..]].concat());
}

/// The theorem about CN(7,4), in numbers.
#[test]
#[ignore = "about a minute; run by .ci/run"]
fn a_theorem_about_seven_stacks() {
    let game: Game = "CN(7,4)".parse().unwrap();
    let found = recognise(game.single().unwrap(), game.convention()).unwrap();
    let certificate = by_regions("CN(7,4)", &found.solution().formula().unwrap());
    assert!(exported(&certificate).contains("F a b c d e f g \\/\n"));
    all_accepted(&[certificate]);
}

/// Stars with their bases, n <= 6: one stack with each other one, and all the others.
#[test]
#[ignore = "about a minute; run by .ci/run"]
fn formulas_of_automata_are_theorems() {
    let theorems = [
        ("Nim(3)", "xor(a,b,c) = 0", "Nat.lxor a (Nat.lxor b c) = 0"),
        (
            "Set(ab,ac,ad,bcd)",
            "2a = b+c+d, xor(b,c,d) = 0",
            "2 * a = b + c + d /\\ Nat.lxor b (Nat.lxor c d) = 0",
        ),
        (
            "Set(ab,ac,ad,ae,bcde)",
            "2a = b+c+d+e, xor(b,c,d,e) = 0",
            "2 * a = b + c + d + e /\\ Nat.lxor b (Nat.lxor c (Nat.lxor d e)) = 0",
        ),
        (
            "Set(ab,ac,ad,ae,af,bcdef)",
            "2a = b+c+d+e+f, xor(b,c,d,e,f) = 0",
            "2 * a = b + c + d + e + f /\\ Nat.lxor b (Nat.lxor c (Nat.lxor d (Nat.lxor e f))) = 0",
        ),
        ("CN(4,2)", "a = c, b = d", "a = c /\\ b = d"),
        ("PN(3,2)", "a = c, b = 0", "a = c /\\ b = 0"),
    ];
    let certificates: Vec<Certificate> =
        theorems.iter().map(|(game, formula, _)| proved(game, formula)).collect();
    for (certificate, (game, _, statement)) in certificates.iter().zip(theorems) {
        let text = exported(certificate);
        assert!(text.contains(&format!("<->\n  ({statement})%nat.")), "{game}: {text}");
    }
    all_accepted(&certificates);
    // A symmetric one, with a minimum.
    let formula = "sym(a+b = d+e, b+c = e+f, xor(a,c,e) = 0, a = min)";
    all_accepted(&[proved("CN(6,4)", formula)]);
    // Another formula is no theorem.
    let wrong = certificates[1].clone().with_formula(Some("2a = b+c+d, xor(b,c,d) <= 2".into()));
    let Some(kernel) = kernel() else { return };
    let mut text = Vec::new();
    write_questions(&[certificates[1].clone(), wrong], &mut text).unwrap();
    let said = kernel.compile_text(&String::from_utf8(text).unwrap(), &Unlimited).unwrap().unwrap();
    assert_eq!(answers(&said), [true, false]);
}

/// What Coq printed: whether it accepts, one after the other.
fn answers(said: &str) -> Vec<bool> {
    let values = said.lines().filter_map(|line| line.trim().strip_prefix("= "));
    values.map(|value| value == "true").collect()
}

/// Certificates of all kinds and conventions, as text.
fn of_all_kinds() -> Vec<String> {
    let games =
        ["Nim(3)", "Set(a,b,cd)", "Set(ab,ac,ad)", "Set(ab,ac,ad,bcd)", "Moore(4,2)", "CN(5,2)"];
    let mut certificates = atlas(&[]);
    certificates.retain(|certificate| games.contains(&certificate.game.to_string().as_str()));
    assert!(certificates.len() >= 5);
    certificates.extend([
        by_regions("CN(4,2)", "a = c, b = d"),
        by_regions("CN(5,3)", "sym(a = 0, b = e = c+d)"),
        by_regions("Exact(2,2)", "min = 0"),
        by_regions("misere Nim(1)", "a = 1"),
        proved("Nim(2)", "a = b"),
        discovered("misere Nim(2)"),
    ]);
    certificates.iter().map(|certificate| serde_json::to_string(certificate).unwrap()).collect()
}

/// Certificates changed by structure: the checker and the theories agree about each.
#[test]
#[ignore = "about a minute; run by .ci/run"]
fn the_kernel_accepts_what_the_checker_accepts() {
    let Some(kernel) = kernel() else { return };
    let certificates = of_all_kinds();
    let (mut mutants, mut unwritten, mut seed) = (Vec::new(), 0, 1u64);
    let mut byte = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as u8
    };
    for number in (0..certificates.len()).cycle() {
        let bytes: Vec<u8> = (0..26).map(|_| byte()).collect();
        let text = changes::changed(&certificates[number], &bytes);
        let Ok(mutant) = Certificate::read(text.as_bytes()) else { continue };
        match write_questions(std::slice::from_ref(&mutant), &mut Vec::new()) {
            Ok(()) => mutants.push(mutant),
            // Numbers that would take Coq too long are not given to it.
            Err(ExportError::Unsupported(_)) => unwritten += 1,
            Err(error) => assert!(verify(&mutant).is_err(), "{error}: {text}"),
        }
        if mutants.len() == 600 {
            break;
        }
    }
    let mut text = Vec::new();
    write_questions(&mutants, &mut text).unwrap();
    let said = kernel.compile_text(&String::from_utf8(text).unwrap(), &Unlimited).unwrap().unwrap();
    let said = answers(&said);
    assert_eq!(said.len(), mutants.len());
    let accepted = said.iter().filter(|accepted| **accepted).count();
    eprintln!("{} mutants, {accepted} accepted; {unwritten} not for Coq", mutants.len());
    assert!((10..500).contains(&accepted), "{accepted}");
    // What the checker accepts, the kernel must. What only the kernel accepts is true, but has something in it that
    // the theories do not look at: entries twice, symmetries that are none, a formula that is no formula.
    let (mut strict, mut differ) = (0, Vec::new());
    for (mutant, kernel) in mutants.iter().zip(said) {
        let rejection = verify(mutant).err();
        let overlooked = rejection.as_ref().is_some_and(|rejection| {
            ["well-formed", "cells", "part", "symmetry", "vector", "terminal", "formula"]
                .contains(&rejection.obligation())
        });
        if kernel && overlooked {
            strict += 1;
        } else if rejection.is_none() != kernel {
            differ.push((serde_json::to_string(mutant).unwrap(), kernel, rejection));
        }
    }
    eprintln!("{strict} rejected by the checker alone");
    assert!(differ.is_empty(), "{}: {:?}", differ.len(), &differ[..differ.len().min(5)]);
    assert!(strict < accepted / 2, "{strict}");
}
