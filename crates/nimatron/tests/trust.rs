//! What is answered is what was checked: forged, foreign and damaged certificates.

use nimatron::crates::formula::{Context, Formula};
use nimatron::crates::verify::{Certificate, MAX_BYTES, verify};
use nimatron::proofs::{
    NotAccepted, Notes, Proved, RECHECKED, Store, StoreError, read_certificate,
};
use nimatron::{By, Game, Knowledge, Options, Outcome, Play, Position, Prepared};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// A certificate that was written by an earlier version.
fn stored(name: &str) -> Value {
    let path = format!("{}/../../corpus/certificates/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn read(certificate: &Value) -> Certificate {
    read_certificate(certificate.to_string().as_bytes()).unwrap()
}

/// `accepted`, the obligation that fails, or `unreadable` for what cannot even be converted.
fn refused(certificate: &Value) -> &'static str {
    match read_certificate(certificate.to_string().as_bytes()) {
        Ok(read) => verify(&read).map_or_else(|why| why.obligation(), |_| "accepted"),
        Err(_) => "unreadable",
    }
}

/// An empty directory.
fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("trust").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// A proof by nine moveless stacks is put before what is needed. The claim stays true, but who takes the
/// first child that fits takes nine stacks without moves for the game.
#[test]
fn further_children_are_refused() {
    let mut forged = stored("CN-9-4.v1");
    assert_eq!(refused(&forged), "accepted");
    let games = forged["proof"]["matryoshka"]["games"].as_array_mut().unwrap();
    let place = games.len() - 1;
    let ones: Vec<u32> = (0..9).map(|stack| 1 << stack).collect();
    let moveless = json!({
        "stacks": 9, "facets": [], "cells": [ones],
        "reason": {"vectors": {
            "vectors": ones, "symmetries": [], "weights": [],
            "children": [{"emptied": 511, "game": 0, "names": []}],
        }},
    });
    games.insert(place, moveless);
    let children = &mut games[place + 1]["reason"]["vectors"]["children"];
    let names: Vec<u32> = (0..9).collect();
    let first = json!({"emptied": 0, "game": place, "names": names});
    children.as_array_mut().unwrap().insert(0, first);
    forged["proof"]["matryoshka"]["outermost"]["game"] = json!(place + 1);
    assert_ne!(refused(&forged), "accepted");

    let library = directory("children");
    fs::write(library.join("CN-9-4.json"), forged.to_string()).unwrap();
    let game: Game = "CN(9,4)".parse().unwrap();
    let prepared =
        Prepared::knowing(game, Knowledge::with_store(Store::new(library)).preferring_proofs());
    let position: Position = "1,1,1,1,1,1,1,1,2".parse().unwrap();
    let verdict = prepared.ask(&position, &Options::default()).unwrap();
    assert_eq!(verdict.outcome, Some(Outcome::N));
    let problems = prepared.knowledge().problems();
    let refused = |problem: &StoreError| {
        matches!(problem, StoreError::NotAccepted { .. } | StoreError::Unreadable { .. })
    };
    assert!(problems.len() == 1 && refused(&problems[0]), "{problems:?}");
}

/// What a forced set is, a set that holds all stacks, is the same to the checker and to the player.
#[test]
fn forced_sets_have_one_meaning() {
    let mut certificate = stored("CN-5-3.v1");
    assert_eq!(refused(&certificate), "accepted");
    let forced =
        &mut certificate["proof"]["matryoshka"]["games"][2]["reason"]["vectors"]["forced"][0];
    for stacks in [1, 3, 15, 30] {
        forced["stacks"] = json!(stacks);
        let mut changed = stored("CN-5-3.v1");
        changed["proof"]["matryoshka"]["games"][2]["reason"]["vectors"]["forced"][0] =
            forced.clone();
        assert_eq!(refused(&changed), "unreadable", "{stacks}");
    }
}

/// A file of another machine, with a note of its own making beside it, and padded with blanks so that it
/// is long.
#[test]
fn notes_of_others_do_not_count() {
    let mut forged = stored("CN-5-2.v1");
    let games = forged["proof"]["matryoshka"]["games"].as_array_mut().unwrap();
    // The claim is false now.
    games.last_mut().unwrap()["facets"].as_array_mut().unwrap().pop();
    let padded = forged.to_string() + &" ".repeat(2 * RECHECKED);
    let (library, elsewhere) = (directory("notes"), directory("notes-elsewhere"));
    let path = library.join("CN-5-2.json");
    fs::write(&path, &padded).unwrap();
    let game: Game = "CN(5,2)".parse().unwrap();
    let rule = game.single().unwrap();
    let find = |store: &Store| store.find(rule, Play::Normal);
    let rejected = |found: Result<_, StoreError>| {
        use StoreError::{NotAccepted, Unreadable};
        matches!(found.map(|_: Option<_>| ()), Err(NotAccepted { .. } | Unreadable { .. }))
    };
    // What an earlier version took for a note.
    let start = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    let prime = 0x0000_0000_0100_0000_0000_0000_0000_013b_u128;
    let sum = padded.bytes().fold(start, |sum, b| (sum ^ u128::from(b)).wrapping_mul(prime));
    fs::write(path.with_extension("accepted"), format!("{sum:032x}")).unwrap();
    let notes = Notes::new(&elsewhere);
    let store = Store::new(&library).with_notes(notes.clone());
    assert!(rejected(find(&store)));
    assert!(!elsewhere.join("key").exists());

    // A true one is noted, and used without a check when it is used again.
    let text = stored("CN-5-2.v1").to_string() + &" ".repeat(2 * RECHECKED);
    fs::write(&path, &text).unwrap();
    assert!(find(&store).unwrap().is_some());
    let listed = || fs::read_dir(&elsewhere).unwrap().map(|entry| entry.unwrap().path());
    let noted: Vec<_> = listed().filter(|p| p.extension().is_some()).collect();
    assert_eq!(noted.len(), 1);
    assert!(elsewhere.join("key").exists());
    // The same note under the name that the forged file would have is no note for it.
    fs::write(&path, &padded).unwrap();
    let forged_note = sha256(padded.as_bytes());
    fs::copy(&noted[0], elsewhere.join(format!("{forged_note}.accepted"))).unwrap();
    assert!(rejected(find(&store)));
    // Nor does a library that brings its own key and notes get to use them.
    let inside = library.join("state");
    fs::create_dir_all(&inside).unwrap();
    for note in listed() {
        fs::copy(&note, inside.join(note.file_name().unwrap())).unwrap();
    }
    let within = Store::new(&library).with_notes(Notes::new(&inside));
    assert!(rejected(find(&within)));
    fs::write(&path, &text).unwrap();
    assert!(find(&within).unwrap().is_some());
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn files_that_are_too_long_are_not_read() {
    let library = directory("long");
    let path = library.join("CN-5-2.json");
    // No blocks are written: the file only claims its length.
    fs::File::create(&path).unwrap().set_len(MAX_BYTES + 1).unwrap();
    let game: Game = "CN(5,2)".parse().unwrap();
    let found = Store::new(&library).find(game.single().unwrap(), Play::Normal);
    assert!(matches!(found, Err(StoreError::Unreadable { .. })), "{found:?}");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let found = Store::new(&library).find(game.single().unwrap(), Play::Normal);
    assert!(matches!(found, Err(StoreError::File { .. })), "{found:?}");
}

/// Characters that a terminal does not show, or that move its cursor, are refused; and what is shown is
/// written from what was read.
#[test]
fn formulas_are_shown_as_they_were_read() {
    let game: Game = "Nim(2)".parse().unwrap();
    let context = Context::of_game(&game);
    for hidden in ['\r', '\u{b}', '\u{c}', '\u{85}', '\u{a0}', '\u{2003}', '\u{200b}', '\u{202e}'] {
        let text = format!("a = b{hidden}");
        let error = Formula::parse(&text, &context).unwrap_err();
        assert_eq!(error.span(), 5..5 + hidden.len_utf8());
        assert!(error.to_string().is_ascii(), "{error}");
    }
    // A letter of another alphabet.
    let error = Formula::parse("\u{430} = b", &context).unwrap_err();
    assert_eq!(error.to_string(), "`\u{430}` (U+0430) has no meaning in a formula");
    assert!("CN(5,\u{2003}2)".parse::<Game>().is_err());
    let blanks = Formula::parse("a\n=\r\n\tb", &context).unwrap();
    assert_eq!(blanks.to_string(), "a = b");

    let text = json!({
        "format": "nimatron-certificate", "version": 1, "game": "Nim(2)",
        "proof": {"automaton": {
            "formula": "a  =\n b\n\n",
            "dfa": {"initial": 0, "accepting": [true, false], "next": [[0, 1, 1, 0], [1, 1, 1, 1]]},
            "symmetries": [{"stacks": [0, 1], "states": [0, 1]}],
            "macrostates": [
                {"moves": [[0, 0]], "next": [[0, 0], [1, 0], [2, 0], [0, 0]]},
                {"moves": [[0, 1]], "next": [[1, 0], [1, 0], [1, 0], [1, 0]]},
                {"moves": [[0, 2]], "next": [[2, 0], [2, 0], [2, 0], [2, 0]]},
            ],
        }},
    });
    let accepted = verify(&read(&text)).unwrap();
    assert_eq!(accepted.formula.as_deref(), Some("a = b"));
    let proved = Proved::accept(read(&text)).unwrap();
    assert_eq!(proved.formula().as_deref(), Some("a = b"));
    let mut hidden = text;
    hidden["proof"]["automaton"]["formula"] = json!("a = b\r");
    assert!(matches!(Proved::accept(read(&hidden)), Err(NotAccepted::Rejected(_))));
}

/// Stack 27 has no letter.
#[test]
fn stacks_beyond_the_letters_are_named_as_formulas_name_them() {
    let text = json!({
        "format": "nimatron-certificate", "version": 1, "game": "PN(27,26)",
        "proof": {"matryoshka": {
            "games": [{"stacks": 2, "facets": [1, 2], "cells": [[3]], "reason": "pair"}],
            "outermost": {"emptied": 0, "game": 0, "names": [0, 1]},
        }},
    });
    let accepted = verify(&read(&text)).unwrap();
    assert_eq!(accepted.formula.as_deref(), Some("span(x1 x27)"));
    let context = Context::of_game(&accepted.game);
    let formula = Formula::parse(accepted.formula.as_ref().unwrap(), &context).unwrap();
    assert_eq!(formula.to_string(), "span(x1 x27)");
}

/// A proof that gives an answer which does not stand the test is not used any more.
#[test]
fn answers_are_tested_before_they_are_told() {
    let library = directory("tested");
    let game: Game = "CN(9,4)".parse().unwrap();
    fs::write(library.join("CN-9-4.json"), stored("CN-9-4.v1").to_string()).unwrap();
    let knowledge = Knowledge::with_store(Store::new(library)).preferring_proofs();
    let prepared = Prepared::knowing(game.clone(), knowledge);
    let mut seed = 1u64;
    for _ in 0..200 {
        let heights: Vec<u64> = (0..9)
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                seed >> 40
            })
            .collect();
        let position = Position::new(heights).unwrap();
        let verdict = prepared.ask(&position, &Options::default()).unwrap();
        assert!(matches!(verdict.by, Some(By::Proof { .. })));
        if let Some(told) = verdict.moves.first() {
            assert!(game.is_legal(&position, &told.take));
            let after = prepared.ask(&told.to, &Options::default()).unwrap();
            assert_eq!(after.outcome, Some(Outcome::P), "{position}");
        }
    }
    assert!(prepared.knowledge().problems().is_empty());
}
