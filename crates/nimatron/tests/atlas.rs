//! The atlas that comes with the program: complete, and true.

use nimatron::atlas::{Atlas, Cited, Entry, FILES, Flaw, Obstruction, Status, Survey, games};
use nimatron::crates::game::symmetry::{canonical_form, set_systems};
use nimatron::crates::game::{Family, SetFamily, Unlimited};
use nimatron::crates::table::naive;
use nimatron::proofs::{NotAccepted, Proved, Size};
use nimatron::{By, Game, Knowledge, Limits, Options, Outcome, Play, Prepared};
use std::collections::HashSet;

fn form(game: &Game) -> SetFamily {
    canonical_form(game.single().unwrap().sets(), None).0
}

fn entry(text: &str) -> &'static Entry {
    let game: Game = text.parse().unwrap();
    Atlas::shipped().find(game.single().unwrap(), game.convention()).unwrap()
}

fn small() -> impl Iterator<Item = &'static Entry> {
    (1..=4).flat_map(|n| Atlas::shipped().systems(n))
}

#[test]
fn every_small_set_system_is_there_once() {
    for (n, count) in (1..=5).zip([1, 2, 5, 20, 180]) {
        let found: Vec<SetFamily> = Atlas::shipped().systems(n).map(|e| form(&e.game)).collect();
        assert_eq!(found.len(), count);
        let found: HashSet<SetFamily> = found.into_iter().collect();
        let all: HashSet<SetFamily> = set_systems(n).into_iter().collect();
        assert_eq!(found, all, "{n} stacks");
    }
    for n in 1..=12 {
        for k in 1..=n {
            let entry = Atlas::shipped().circular(n, k).unwrap();
            let sets = Family::Circular { n, k }.sets();
            assert_eq!(entry.game.single().unwrap().sets().len(), sets.len(), "CN({n},{k})");
        }
    }
    let listed: Vec<&Game> = Atlas::shipped().entries().iter().map(|e| &e.game).collect();
    assert_eq!(listed, games().iter().collect::<Vec<_>>());
}

#[test]
fn enough_is_proved_and_the_rest_says_why_not() {
    let proved = |n| Atlas::shipped().systems(n).filter(|e| e.proof.is_some()).count();
    assert!(proved(4) >= 18 && proved(5) >= 95, "{} and {}", proved(4), proved(5));
    for entry in Atlas::shipped().entries() {
        if matches!(Atlas::shipped().status(entry), Status::Open) {
            assert!(entry.obstruction.is_some() || entry.reached.is_some(), "{}", entry.game);
        }
    }
}

/// Nearly all automata have a formula, most of them a short one, and all games within games have equations.
#[test]
fn proofs_have_formulas() {
    let atlas = Atlas::shipped();
    let (mut automata, mut lengths) = (0, Vec::new());
    for entry in atlas.entries().iter().filter(|entry| !entry.is_slow()) {
        let formula = atlas.formula_of_proof(entry);
        match entry.proof.as_ref().map(|proof| proof.size) {
            Some(Size::Automaton { .. }) => {
                automata += 1;
                lengths.extend(formula.map(|formula| formula.len()));
            }
            Some(_) => {
                let formula = formula.unwrap_or_else(|| panic!("{}", entry.game));
                assert!(!formula.contains("span"), "{}: {formula}", entry.game);
            }
            None => {}
        }
    }
    lengths.sort_unstable();
    assert!(lengths.len() >= 60 && automata <= 65, "{} of {automata}", lengths.len());
    assert!(lengths[lengths.len() / 2] <= 40, "{lengths:?}");
}

/// The page of the atlas has the formula of every proof that is in no publication, or says that there is none.
#[test]
fn the_page_lists_the_new_theorems() {
    let page = include_str!("../../../docs/atlas.md");
    let atlas = Atlas::shipped();
    for entry in atlas.entries().iter().filter(|entry| entry.proof.is_some()) {
        let own = |id: &str| ["peeling", "star-with-base"].contains(&id);
        if !entry.theorems.iter().all(|theorem| own(&theorem.id)) {
            continue;
        }
        let line = match atlas.formula_of_proof(entry) {
            Some(formula) => format!("| {} | {} | `{formula}` |", formula.len(), entry.game),
            None => format!("- {}: ", entry.game),
        };
        assert!(page.contains(&line), "{line}");
    }
}

#[test]
fn all_claims_hold() {
    for entry in Atlas::shipped().entries() {
        Atlas::shipped().audit(entry, &Limits::unlimited()).unwrap_or_else(|flaw| {
            panic!("{}: {flaw}", entry.game);
        });
    }
}

#[test]
fn proved_sets_agree_with_tables() {
    for entry in Atlas::shipped().entries() {
        let Some(certificate) = Atlas::shipped().certificate(entry).unwrap() else { continue };
        let max = match entry.game.stacks() {
            1..=4 => 6,
            5 => 4,
            _ => 2,
        };
        let comparison = Proved::accept(certificate).unwrap().compare(max, &Unlimited).unwrap();
        assert_eq!(comparison.differs, None, "{}", entry.game);
    }
}

#[test]
fn no_certificate_of_one_game_proves_another() {
    // Different games may have the same P-positions; then the same proof may serve for both.
    let (mut rejected, mut shared) = (0, 0);
    for n in [3, 4] {
        for (one, other) in pairs(n) {
            let Some(mut certificate) = Atlas::shipped().certificate(one).unwrap() else {
                continue;
            };
            certificate.game = other.game.clone();
            match Proved::accept(certificate) {
                Err(NotAccepted::Rejected(rejection)) => {
                    assert!(!rejection.obligation().is_empty());
                    rejected += 1;
                }
                Err(error) => panic!("{}: {error}", other.game),
                Ok(proved) => {
                    let comparison = proved.compare(9, &Unlimited).unwrap();
                    assert_eq!(comparison.differs, None, "{} for {}", one.game, other.game);
                    shared += 1;
                }
            }
        }
    }
    assert!(rejected > 300, "{rejected} rejected, {shared} shared");
}

fn pairs(n: usize) -> Vec<(&'static Entry, &'static Entry)> {
    let all: Vec<&Entry> = Atlas::shipped().systems(n).collect();
    let others = |one: &'static Entry| all.iter().map(move |&other| (one, other));
    all.iter().flat_map(|&one| others(one)).filter(|(one, other)| one.id != other.id).collect()
}

#[test]
fn a_survey_finds_the_same_again() {
    for entry in small().filter(|e| e.reached.is_none()) {
        let survey = Survey::of(&entry.game, &Limits::unlimited()).unwrap();
        let mut again = survey.entry;
        if let (Some(again), Some(proof)) = (&mut again.proof, &entry.proof) {
            again.place = proof.place;
        }
        assert_eq!(&again, entry);
        assert_eq!(survey.certificate, Atlas::shipped().certificate_text(entry).unwrap());
    }
}

#[test]
fn false_claims_are_noticed() {
    let limits = Limits::unlimited();
    let audit = |entry: &Entry| Atlas::shipped().audit(entry, &limits);
    let nim = entry("Nim(3)");
    let cited = |id: &str| Cited { id: id.to_string(), ..nim.theorems[0].clone() };
    let wrong = Entry { theorems: vec![cited("moore")], ..nim.clone() };
    assert!(matches!(audit(&wrong), Err(Flaw::Theorems)));
    let obstruction = |position: [u64; 3], factor| Entry {
        obstruction: Some(Obstruction { position: position.to_vec(), factor }),
        ..nim.clone()
    };
    assert!(audit(&obstruction([1, 2, 3], 3)).is_ok());
    assert!(matches!(audit(&obstruction([1, 2, 3], 2)), Err(Flaw::Obstruction)));
    assert!(matches!(audit(&obstruction([1, 2, 4], 3)), Err(Flaw::Obstruction)));
    let other = Entry { proof: entry("CN(4,2)").proof.clone(), ..entry("Nim(4)").clone() };
    assert!(matches!(audit(&other), Err(Flaw::Rejected(_))));
    let mut nowhere = nim.clone();
    nowhere.proof.as_mut().unwrap().place.offset = u64::MAX;
    assert!(matches!(audit(&nowhere), Err(Flaw::Unreadable(_))));
}

#[test]
fn damaged_files_are_noticed() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/atlas/");
    let lines = std::fs::read_to_string(format!("{directory}{}", FILES[0])).unwrap();
    let bytes = std::fs::read(format!("{directory}{}", FILES[1])).unwrap();
    assert!(Atlas::read(&lines.replacen("\"id\"", "\"di\"", 1), bytes.clone()).is_err());
    let proof = entry("CN(5,2)").proof.as_ref().unwrap();
    let mut damaged = bytes;
    damaged[(proof.place.offset + proof.place.length / 2) as usize] ^= 0x10;
    let atlas = Atlas::read(&lines, damaged).unwrap();
    let flaw = atlas.audit(entry("CN(5,2)"), &Limits::unlimited());
    assert!(matches!(flaw, Err(Flaw::Unreadable(_) | Flaw::Rejected(_))), "{flaw:?}");
}

#[test]
fn questions_are_answered_from_the_atlas() {
    let heights = "912,845,3000000000,77,12,5,4111,90000,7";
    let position = heights.parse().unwrap();
    let knowledge = Knowledge::proofs_first();
    let game = Prepared::knowing("CN(9,4)".parse().unwrap(), knowledge);
    let verdict = game.ask(&position, &Options::unlimited()).unwrap();
    assert_eq!(verdict.outcome, Some(Outcome::N));
    assert!(
        matches!(&verdict.by, Some(By::Proof { source, .. }) if **source == *"atlas"),
        "{:?}",
        verdict.by
    );
    let after = game.ask(&verdict.moves[0].to, &Options::unlimited()).unwrap();
    assert_eq!(after.outcome, Some(Outcome::P));
    // Other rules and other endings are other games.
    let rule = Family::Circular { n: 9, k: 4 }.rule();
    assert!(Atlas::shipped().find(&rule, Play::Misere).is_none());
    let exact: Game = "Exact(4,2)".parse().unwrap();
    assert!(Atlas::shipped().find(exact.single().unwrap(), Play::Normal).is_none());
}

/// All Slow(n,A), with what is known of each; on up to four stacks all that is asked is answered.
#[test]
fn every_slow_game_is_there() {
    for play in [Play::Normal, Play::Misere] {
        for (n, count) in (1..=5).zip([1, 3, 7, 15, 31]) {
            assert_eq!(Atlas::shipped().slow(n, play).count(), count, "{n} stacks");
        }
    }
    for entry in Atlas::shipped().entries().iter().filter(|e| e.is_slow()) {
        let game = &entry.game;
        let known = !matches!(Atlas::shipped().status(entry), Status::Open);
        let rule = game.single().unwrap();
        let cover = Knowledge::default().cover(rule, game.convention());
        assert_eq!(cover.is_some(), known, "{game}");
        assert!(known || entry.reached.is_some(), "{game}");
        if let Some(cover) = cover {
            let table =
                naive::outcomes(game, &vec![if game.stacks() < 5 { 6 } else { 4 }; game.stacks()]);
            for (position, outcome) in table.unwrap().iter() {
                let answer = cover.answer(&position).unwrap();
                assert_eq!(answer.outcome, outcome, "{game} at {position}");
                if let Some(take) = answer.take {
                    assert!(game.is_legal(&position, &take), "{game} at {position}");
                    let to = position.after(&take).unwrap();
                    assert_eq!(
                        cover.answer(&to).unwrap().outcome,
                        Outcome::P,
                        "{game} at {position}"
                    );
                }
            }
        }
    }
}
