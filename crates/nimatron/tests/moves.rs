//! Every move of a position with what it leads to.

use nimatron::crates::table::naive;
use nimatron::proofs::{PeelingCheck, Sameness};
use nimatron::tables::{PPositions, Threads, p_positions};
use nimatron::{Game, Knowledge, Limits, Outcome, Page, Play, Position, Prepared, Stop, Unlimited};
use std::collections::BTreeSet;
use std::time::Duration;

const ALL: Page = Page { skip: 0, limit: usize::MAX };

fn game(text: &str) -> Game {
    text.parse().unwrap()
}

fn position(text: &str) -> Position {
    text.parse().unwrap()
}

#[test]
fn outcomes_and_values_are_those_of_the_tables() {
    for (text, at) in [
        ("CN(5,2)", "2,1,3,0,2"),
        ("Set(ad,abc,bcd)", "2,3,1,2"),
        ("misere Nim(3)", "3,2,2"),
        ("misere PN(3,2)", "0,0,0"),
        ("PN(3,2) + Nim(1)", "1,2,1,3"),
        ("Exact(4,2)", "2,2,1,3"),
        ("Slow(4,{1,2})", "1,2,3,2"),
        ("CN(4,2) total=2", "2,3,1,2"),
        ("Nim(2)", "0,0"),
    ] {
        let (game, at) = (game(text), position(at));
        let found = Prepared::new(game.clone()).moves(&at, ALL, &Limits::unlimited()).unwrap();
        let outcomes = naive::outcomes(&game, &at).unwrap();
        let lasts = naive::remoteness(&game, &at).unwrap();
        let values = match game.convention() {
            Play::Normal => Some(naive::grundy(&game, &at).unwrap()),
            Play::Misere => None,
        };
        assert_eq!(found.outcome, outcomes.get(&at), "{text}");
        let expected: BTreeSet<_> = game.moves(&at).collect();
        let listed: BTreeSet<_> = found.moves.iter().map(|m| m.take.clone()).collect();
        assert_eq!(listed, expected, "{text}");
        assert_eq!((found.total, found.moves.len()), (Some(expected.len()), expected.len()));
        assert!(!found.more && found.unknown.is_none());
        for m in &found.moves {
            assert_eq!(at.after(&m.take).as_ref(), Some(&m.to));
            assert_eq!(m.outcome, outcomes.get(&m.to), "{text} {}", m.to);
            assert_eq!(m.remoteness, lasts.get(&m.to), "{text} {}", m.to);
            let value = values.as_ref().and_then(|values| values.get(&m.to));
            assert_eq!(m.grundy, value.map(u64::from), "{text} {}", m.to);
        }
        // Wins before losses; quick wins and slow losses first.
        let key = |m: &nimatron::Move| {
            let left = i64::from(m.remoteness.unwrap());
            if m.wins().unwrap() { (0, left) } else { (1, -left) }
        };
        assert!(found.moves.is_sorted_by_key(key), "{text}");
    }
}

#[test]
fn pages_make_up_the_whole_list() {
    let (prepared, at) = (Prepared::new(game("CN(5,2)")), position("2,1,3,0,2"));
    let limits = Limits::unlimited();
    let all = prepared.moves(&at, ALL, &limits).unwrap();
    let mut joined = Vec::new();
    for skip in (0..).step_by(5) {
        let page = prepared.moves(&at, Page { skip, limit: 5 }, &limits).unwrap();
        assert_eq!((page.skip, page.total), (skip, all.total));
        joined.extend(page.moves);
        if !page.more {
            break;
        }
    }
    assert_eq!(joined, all.moves);
    let beyond = prepared.moves(&at, Page { skip: 1000, limit: 5 }, &limits).unwrap();
    assert!(beyond.moves.is_empty() && !beyond.more);
}

#[test]
fn tall_positions_have_their_winning_moves_first() {
    let at = position("900000000000,5,70000000,3,1000000000,12,400");
    let prepared = Prepared::new(game("CN(7,3)"));
    let found = prepared.moves(&at, Page { skip: 0, limit: 30 }, &Limits::default()).unwrap();
    assert_eq!((found.outcome, found.total, found.more), (Some(Outcome::N), None, true));
    assert_eq!(found.moves.len(), 30);
    assert_eq!(found.moves[0].wins(), Some(true));
    assert!(found.moves.is_sorted_by_key(|m| m.wins() != Some(true)));
    for m in &found.moves {
        let verdict = prepared.ask(&m.to, &nimatron::Options::default()).unwrap();
        assert!(m.outcome.is_none() || m.outcome == verdict.outcome, "{}", m.to);
    }
    // Values by theorem.
    let nim = Prepared::new(game("Nim(3)"));
    let found = nim.moves(&position("1000000,65,7"), Page::default(), &Limits::default()).unwrap();
    let xor = |p: &Position| p.iter().fold(0, |a, b| a ^ b);
    assert!(found.moves.iter().all(|m| m.grundy == Some(xor(&m.to))));
}

#[test]
fn limits_are_kept_and_told() {
    let prepared = Prepared::new(game("CN(8,4)"));
    let at = position("90,90,90,90,91,90,90,92");
    let limits = Limits::unlimited().time(Duration::from_millis(50));
    let found = prepared.moves(&at, Page { skip: 2, limit: 3 }, &limits).unwrap();
    assert_eq!(found.unknown.map(|u| u.stop), Some(Stop::Time));
    assert_eq!((found.outcome, found.total), (None, None));
    assert!(found.moves.iter().all(|m| m.outcome.is_none()));
    let wrong = prepared.moves(&position("1,2"), Page::default(), &limits);
    assert!(wrong.is_err());
}

#[test]
fn p_positions_one_by_one_are_those_all_at_once() {
    let crew = Threads::new(2);
    for (text, max) in [("CN(5,2)", 4), ("misere CN(4,2)", 5), ("Slow(4,{1,2})", 4)] {
        let game = game(text);
        let max = vec![max; game.stacks()];
        let all = p_positions(&game, &max, &Unlimited).unwrap();
        let one_by_one = PPositions::new(&game, &max, &crew, &Unlimited).unwrap();
        let found: Result<Vec<Position>, _> = one_by_one.collect();
        assert_eq!(found.unwrap(), all, "{text}");
    }
    let stopped = Limits::unlimited().time(Duration::ZERO).start();
    let mut found = PPositions::new(&game("CN(6,2)"), &[9; 6], &crew, &stopped).unwrap();
    assert!(found.by_ref().any(|position| position.is_err()));
    assert!(found.next().is_none());
}

#[test]
fn answers_have_text_and_json() {
    let prepared = Prepared::new(game("CN(3,2)"));
    let verdict = prepared.ask(&position("2,3,2"), &nimatron::Options::default()).unwrap();
    assert!(verdict.to_string().starts_with("CN(3,2) at (2,3,2)\nN-position: the player to move"));
    let json = serde_json::to_value(&verdict).unwrap();
    assert_eq!((&json["outcome"], &json["moves"][0]["to_outcome"]), (&"N".into(), &"P".into()));
    let moves = prepared.moves(&position("2,2,0"), Page::default(), &Limits::default()).unwrap();
    let text = moves.to_string();
    assert!(text.contains("\n8 moves\n  take (2,2,0)  leaving (0,0,0)  wins"), "{text}");
    let json = serde_json::to_value(&moves).unwrap();
    assert_eq!(json["moves"][0]["remoteness"], 0);
    assert_eq!(json["moves"][0]["winning"], true);
    assert_eq!(json["total"], 8);
}

#[test]
fn so_have_answers_about_moves_games_and_proofs() {
    let (options, limits) = (nimatron::Options::default(), Limits::default());
    let prepared = Prepared::new(game("CN(3,2)"));
    let at = position("2,3,2");
    let after = prepared.after(&at, &"0,1,0".parse().unwrap(), &options).unwrap();
    assert!(after.to_string().contains("(2,2,2)"), "{after}");
    assert!(serde_json::to_value(&after).unwrap().is_object());
    let verdict = prepared.ask(&at, &options).unwrap();
    let investigated = prepared.investigate(&at, &options, &|_| ()).unwrap();
    assert_eq!(investigated.to_string(), verdict.to_string());
    assert_eq!(serde_json::to_value(&investigated).unwrap()["outcome"], "N");
    let games = [&game("CN(3,2)"), &game("Set(ab,bc,ac)")];
    let same = Sameness::of(games, 3, &Knowledge::default(), &limits, &limits.start()).unwrap();
    assert!(same.to_string().starts_with("CN(3,2) and "), "{same}");
    assert!(serde_json::to_value(&same).unwrap().is_object());
    let peeling = PeelingCheck::of(4, 1, &limits, &limits.start()).unwrap();
    assert!(peeling.to_string().starts_with("Peeling on 4 stacks\n"), "{peeling}");
    assert_eq!(serde_json::to_value(&peeling).unwrap()["all_proved"], true);
}
