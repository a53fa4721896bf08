//! One body of knowledge: whoever is asked, the answer is the same.

mod common;

use common::game;
use nimatron::atlas::{Atlas, Status};
use nimatron::structure::{CheatSheet, GameInfo, Invariants, Solved, Subgames};
use nimatron::{
    By, Explain, Game, Knowledge, Limits, Options, Outcome, Play, Position, Prepared, Stop,
    Unlimited, said_to_be_open,
};
use std::collections::HashSet;
use std::time::Duration;

/// Circular, path and necklace games with so many stacks, all clasps included.
fn named(n: usize) -> Vec<Game> {
    let mut texts = Vec::new();
    for k in 1..=n {
        texts.push(format!("CN({n},{k})"));
        texts.push(format!("PN({n},{k})"));
        texts.extend((2..=k).map(|l| format!("NN({n},{k},{l})")));
    }
    texts.iter().filter_map(|text| text.parse().ok()).collect()
}

/// What all commands say about a game, and whether it is the same.
fn agree(game: &Game, knowledge: &Knowledge) {
    let solved = knowledge.solved(game);
    let by = |solved: &Option<Solved>| solved.as_ref().map(|s| s.by());
    let known = by(&solved);
    assert_eq!(by(&GameInfo::knowing(game, knowledge).solved), known, "{game}: game");
    let rule = game.single().unwrap();
    // Vectors: invariants, cheat sheets and the lookup.
    let vectors = knowledge.vectors(rule, game.convention());
    let found = Invariants::of(game, None, knowledge, &Unlimited).unwrap().unwrap();
    assert_eq!(found.known, vectors.clone().map_or(Vec::new(), |(v, _)| v), "{game}: invariants");
    assert_eq!(found.theorem.is_some(), known.is_some(), "{game}: invariants");
    if game.stacks() <= 9 {
        let sheets = CheatSheet::all(game, knowledge);
        assert_eq!(sheets.is_some(), vectors.is_some(), "{game}: cheat sheet");
        if let (Some(sheets), Some((vectors, _))) = (sheets, vectors) {
            assert_eq!(sheets[0].vectors, vectors, "{game}: cheat sheet");
        }
    }
    // The atlas.
    let atlas = Atlas::shipped();
    if let Some(entry) = atlas.find(rule, game.convention()) {
        let open = matches!(atlas.status(entry), Status::Open);
        assert_eq!(open, known.is_none(), "{game}: atlas");
    }
    // A tall position: what is known answers at once.
    let heights = (0..game.stacks() as u64).map(|s| 1_000_003 + 7_919 * s * s).collect();
    let position = Position::new(heights).unwrap();
    let limits =
        Limits::default().time(Duration::from_millis(if known.is_some() { 9000 } else { 1 }));
    let options = Options::default().limits(limits).explain(Explain::Nothing);
    let prepared = Prepared::new(game.clone());
    let verdict = prepared.ask(&position, &options).unwrap();
    match &known {
        // Values tell who wins a sum, but for the move a part may have to be searched.
        Some(_) if matches!(solved, Some(Solved::Values(_))) => {
            assert!(verdict.open.is_none(), "{game}: solve");
        }
        Some(_) => {
            let sure = matches!(verdict.by, Some(By::Theorem { .. } | By::Proof { .. }));
            let over = matches!(solved, Some(Solved::Over));
            assert!(sure || over, "{game}: solve says {:?}", verdict.by);
            for winning in &verdict.moves {
                assert!(game.is_legal(&position, &winning.take), "{game}");
                let then = prepared.ask(&winning.to, &options).unwrap();
                assert_eq!(then.outcome, Some(Outcome::P), "{game}");
            }
        }
        None => assert!(verdict.outcome.is_some() || verdict.open.is_some(), "{game}: solve"),
    }
    if let Some(open) = verdict.open {
        assert!(known.is_none(), "{game}: open");
        assert_eq!(open.said_by, said_to_be_open(&open.game), "{game}");
    }
}

/// The games inside a game: by themselves they are as known as within it.
fn agree_inside(game: &Game, knowledge: &Knowledge, seen: &mut HashSet<String>) {
    let inside = Subgames::of(game, knowledge, &Unlimited);
    for subgame in &inside.found {
        let Some(left) = subgame.game() else { continue };
        if !seen.insert(left.to_string()) {
            continue;
        }
        let alone = knowledge.solved(&left).is_some();
        assert_eq!(subgame.solved.is_some(), alone, "{left} in {game}");
        if left.single().is_some() && left.stacks() <= 10 {
            agree(&left, knowledge);
        }
    }
}

#[test]
fn all_commands_agree_about_the_atlas() {
    let knowledge = Knowledge::default();
    for entry in Atlas::shipped().entries().iter().filter(|e| e.game.stacks() <= 5) {
        agree(&entry.game, &knowledge);
    }
}

#[test]
fn all_commands_agree_about_named_games() {
    let knowledge = Knowledge::default();
    let mut seen = HashSet::new();
    for n in 1..=7 {
        for game in named(n) {
            agree(&game, &knowledge);
        }
    }
    for text in ["NN(8,4,3)", "NN(9,4,3)", "NN(9,4)", "NN(10,4,3)", "NN(11,5,4)", "CN(9,4)"] {
        agree(&game(text), &knowledge);
    }
    for text in ["CN(6,2)", "CN(7,3)", "NN(7,3,3)", "CN(8,5)"] {
        agree_inside(&game(text), &knowledge, &mut seen);
    }
}

#[test]
#[ignore = "minutes: all named games up to twelve stacks, with all the games inside them"]
fn all_commands_agree_about_everything() {
    let knowledge = Knowledge::default();
    let mut seen = HashSet::new();
    let atlas = Atlas::shipped().entries().iter().map(|e| e.game.clone());
    for game in atlas.chain((1..=12).flat_map(named)) {
        agree(&game, &knowledge);
        agree_inside(&game, &knowledge, &mut seen);
    }
}

/// Games that the papers say are open, if nothing is known by now.
#[test]
fn open_is_said_with_who_says_so() {
    let said = |text: &str| said_to_be_open(&game(text));
    assert_eq!(said("CN(9,3)"), Some("KDH26 section 8"));
    assert_eq!(said("PN(5,2)"), Some("KDH26 Remark 3.3"));
    assert_eq!(said("PN(3,2) + Nim(1)"), Some("KDH26 Open Problem 3"));
    assert_eq!(said("Set(ac,bc,d)"), Some("KDH26 Open Problem 3"));
    assert_eq!(said("Slow(6,{1,2})"), Some("Slow26 Open Problem 3"));
    assert_eq!(said("Slow(7,{2})"), Some("Slow26 Open Problem 1"));
    for text in ["misere Nim(4)", "Slow(4,{2})", "misere Slow(4,{3})", "Matrix(3,2)", "CN(5,2)"] {
        assert_eq!(said(text), None, "{text}");
    }
    assert_eq!(game("misere Nim(4)").convention(), Play::Misere);
}

/// What was not in the library is found before giving up, and answers from then on.
#[test]
fn a_proof_is_found_before_giving_up() {
    for (text, at) in
        [("misere PN(3,2)", "1000000,2000000,3000000"), ("misere PN(3,2)", "1000000,1,1000000")]
    {
        let prepared = Prepared::new(game(text));
        let position: Position = at.parse().unwrap();
        let mut announced = std::cell::Cell::new(0);
        let limits = Limits::default().time(Duration::from_secs(60));
        let options = Options::default().limits(limits);
        let answer =
            prepared.investigate(&position, &options, &|_| announced.set(announced.get() + 1));
        let answer = answer.unwrap();
        assert_eq!(*announced.get_mut(), 1, "{text}");
        assert!(answer.discovery.unwrap().found.is_some());
        // Under misere play as well the ends are equal and the centre is empty, with tall stacks.
        let lost = position[0] == position[2] && position[1] == 0;
        let outcome = if lost { Outcome::P } else { Outcome::N };
        assert_eq!(answer.verdict.outcome, Some(outcome), "{text} at {at}");
        assert!(matches!(answer.verdict.by, Some(By::Proof { .. })));
        for winning in &answer.verdict.moves {
            let then = prepared.ask(&winning.to, &options).unwrap();
            assert_eq!(then.outcome, Some(Outcome::P));
        }
        // Next time it is known.
        let again = prepared.investigate(&position, &options, &|_| panic!("known")).unwrap();
        assert_eq!(again.verdict.outcome, Some(outcome));
    }
}

/// Also when it is not the time but the memory that computing has too little of.
#[test]
fn a_proof_is_found_where_memory_is_short() {
    let prepared = Prepared::new(game("misere PN(3,2)"));
    let position: Position = "1000000,2000000,3000000".parse().unwrap();
    let limits = Limits::default().time(Duration::from_secs(600)).memory(30_000_000);
    let options = Options::default().limits(limits);
    let alone = prepared.ask(&position, &options).unwrap();
    assert_eq!(alone.unknown.unwrap().stop, Stop::Memory);
    let answer = prepared.investigate(&position, &options, &|_| {}).unwrap();
    assert!(matches!(answer.verdict.by, Some(By::Proof { .. })), "{:?}", answer.verdict.unknown);
}
