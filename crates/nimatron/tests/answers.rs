//! Verdicts agree with the oracle, and their moves win.

mod common;

use common::{game, position, set_nim_of};
use nimatron::crates::game::symmetry::set_systems;
use nimatron::crates::game::{Game, Outcome, Play, Position};
use nimatron::crates::table::{Table, naive};
use nimatron::{By, Knowledge, Limits, Options, Prepared, Reason, Stop, Verdict, WantedMoves, ask};
use std::collections::BTreeSet;
use std::time::Duration;

/// Asks in both ways and compares everything with the oracle's table.
fn agree(prepared: &Prepared, at: &Position, table: &Table<Outcome>) {
    let game = prepared.game();
    let expected = table.get(at).unwrap();
    let verdict = prepared.ask(at, &Options::unlimited()).unwrap();
    assert_eq!(verdict.outcome, Some(expected), "{game} at {at}");
    check_moves(game, at, &verdict, table);
    let all = Options::unlimited().moves(WantedMoves::AllUpTo(usize::MAX));
    let verdict = prepared.ask(at, &all).unwrap();
    assert_eq!(verdict.outcome, Some(expected), "{game} at {at}");
    check_moves(game, at, &verdict, table);
    let winning = game.moves(at).filter(|t| table.get(&at.after(t).unwrap()) == Some(Outcome::P));
    let winning: BTreeSet<_> = winning.collect();
    let listed: BTreeSet<_> = verdict.moves.iter().map(|m| m.take.clone()).collect();
    assert_eq!(listed.len(), verdict.moves.len(), "a move is listed twice");
    assert_eq!(listed, winning, "{game} at {at}");
    assert_eq!(verdict.moves_total, Some(winning.len() as u128));
    assert!(!verdict.is_truncated());
}

fn check_moves(game: &Game, at: &Position, verdict: &Verdict, table: &Table<Outcome>) {
    for m in &verdict.moves {
        assert!(game.is_legal(at, &m.take), "{game} at {at}: {} is no move", m.take);
        assert_eq!(at.after(&m.take).as_ref(), Some(&m.to));
        assert_eq!(table.get(&m.to), Some(Outcome::P), "{game} at {at}: {} loses", m.take);
    }
    let playable = !game.is_terminal(at);
    let expected = verdict.outcome == Some(Outcome::N) && playable;
    assert_eq!(!verdict.moves.is_empty(), expected, "{game} at {at}");
}

#[test]
fn every_set_system_on_four_stacks() {
    for sets in set_systems(4) {
        let game = set_nim_of(&sets);
        let table = naive::outcomes(&game, &[3; 4]).unwrap();
        // With the proofs of the atlas, and by theorems and computing alone.
        for knowledge in [Knowledge::default(), Knowledge::theorems()] {
            let prepared = Prepared::knowing(game.clone(), knowledge);
            for (at, _) in table.iter() {
                agree(&prepared, &at, &table);
            }
        }
    }
}

#[test]
fn random_positions_of_every_kind_of_game() {
    let games = [
        "CN(6,2)",
        "PN(6,2)",
        "Exact(5,2)",
        "Slow(5,{2,4})",
        "misere CN(5,2)",
        "PN(3,2) + Nim(1)",
        "misere PN(3,2) + Nim(2)",
        "CN(5,2) total>=2",
        "CN(4,2) total=2 + Slow(2,{1})",
        "CN(5,3) any=2",
        "PN(4,2) each=1",
        "NN(5,3,3)",
        "Cube(edge)",
    ];
    let mut seed = 7u64;
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        seed >> 33
    };
    for text in games {
        let prepared = Prepared::new(game(text));
        let n = prepared.game().stacks();
        let table = naive::outcomes(prepared.game(), &vec![4; n]).unwrap();
        for _ in 0..200 {
            let at = Position::new((0..n).map(|_| next() % 5).collect()).unwrap();
            agree(&prepared, &at, &table);
        }
    }
}

#[test]
fn the_merge_is_named_and_lifts_in_every_way() {
    let (game, at) = (game("Set(ad,abc,bcd)"), position("2,3,5,4"));
    let all = Options::unlimited().moves(WantedMoves::AllUpTo(100));
    let verdict = ask(&game, &at, &all).unwrap();
    assert_eq!(verdict.outcome, Some(Outcome::N));
    let takes: Vec<String> = verdict.moves.iter().map(|m| m.take.to_string()).collect();
    for take in ["(0,1,5,2)", "(0,2,4,2)", "(0,3,3,2)"] {
        assert!(takes.contains(&take.to_string()), "{take} is missing from {takes:?}");
    }
    let merged = verdict.reasons.iter().any(|r| match r {
        Reason::Reduction(step) => step.after.to_string() == "CN(3,2) at (2,8,4)",
        _ => false,
    });
    assert!(merged, "{:?}", verdict.reasons);
}

#[test]
fn a_position_without_moves() {
    let normal = ask(&game("CN(5,2)"), &position("0,0,0,0,0"), &Options::unlimited()).unwrap();
    assert_eq!(normal.outcome, Some(Outcome::P));
    let misere = ask(&game("misere CN(5,2)"), &position("0,0,0,0,0"), &Options::unlimited());
    let misere = misere.unwrap();
    assert_eq!(misere.outcome, Some(Outcome::N));
    assert_eq!(misere.moves, []);
    assert!(!misere.is_truncated());
    assert_eq!(misere.game.convention(), Play::Misere);
}

#[test]
fn limits_are_kept_and_named() {
    let options = |limits| Options::unlimited().limits(limits);
    let (game, at) = (game("CN(8,2)"), position("90,80,70,60,50,40,30,20"));
    let time = Limits::unlimited().time(Duration::from_millis(50));
    let verdict = ask(&game, &at, &options(time)).unwrap();
    assert_eq!((verdict.outcome, verdict.unknown.unwrap().stop), (None, Stop::Time));
    let memory = Limits::unlimited().memory(100_000);
    let verdict = ask(&game, &at, &options(memory)).unwrap();
    assert_eq!((verdict.outcome, verdict.unknown.unwrap().stop), (None, Stop::Memory));
    let cancel = Limits::unlimited().cancel(std::sync::Arc::new(true.into()));
    let verdict = ask(&game, &at, &options(cancel)).unwrap();
    assert_eq!((verdict.outcome, verdict.unknown.unwrap().stop), (None, Stop::Cancelled));
}

#[test]
fn a_position_of_the_wrong_length_is_refused() {
    assert!(ask(&game("CN(5,2)"), &position("1,2,3"), &Options::unlimited()).is_err());
}

#[test]
fn public_types_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Game>();
    shared::<Position>();
    shared::<Verdict>();
    shared::<By>();
    shared::<Prepared>();
    shared::<Options>();
    shared::<nimatron::structure::GameInfo>();
    shared::<nimatron::crates::reduce::Chain>();
    shared::<nimatron::crates::table::search::Search>();
    shared::<nimatron::crates::game::symmetry::Symmetry>();
}

#[test]
fn tall_stacks_respect_the_limits() {
    let tall = i64::MAX;
    let asked = [
        ("Nim(2)", format!("{},{}", tall - 1, tall)),
        ("CN(4,2)", format!("{tall},1,{tall},{tall}")),
        ("PN(3,2) + Nim(1)", format!("{tall},1,{tall},{tall}")),
        ("Moore(6,2)", [tall.to_string().as_str(); 6].join(",")),
        ("misere CN(5,2)", [tall.to_string().as_str(); 5].join(",")),
    ];
    let limits = Limits::unlimited().time(Duration::from_millis(20));
    for (text, heights) in asked {
        for moves in [WantedMoves::One, WantedMoves::AllUpTo(5)] {
            let options = Options::unlimited().limits(limits.clone()).moves(moves);
            let verdict = ask(&game(text), &position(&heights), &options).unwrap();
            assert!(verdict.outcome.is_some() || verdict.unknown.is_some(), "{text}");
        }
    }
    // The outcome is known even if the winning moves are too many to look for.
    let options = Options::unlimited().limits(limits).moves(WantedMoves::AllUpTo(5));
    let verdict = ask(&game("Nim(1)"), &position(&tall.to_string()), &options).unwrap();
    assert_eq!((verdict.outcome, verdict.moves.len()), (Some(Outcome::N), 1));
    assert_eq!(verdict.unknown.map(|u| u.stop), Some(Stop::Time));
}

#[test]
fn the_grundy_value_is_told_where_it_is_known() {
    let value = |text: &str, at: &str| {
        ask(&game(text), &position(at), &Options::unlimited()).unwrap().grundy
    };
    assert_eq!(value("CN(3,2)", "2,2,2"), Some(0));
    assert_eq!(value("PN(3,2) + Nim(1)", "1,2,1,3"), Some(7));
    assert_eq!(value("misere Nim(1)", "1"), None);
    // A cone over a sum: the value of the sum is not that of the whole.
    assert_eq!(value("Set(abe,cde)", "1,2,1,5,1"), None);
}
