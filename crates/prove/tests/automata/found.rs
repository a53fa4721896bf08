//! Automata that are found and proved, against the oracle.

use super::common::{Limits, check, found, game, not_found};
use nimatron_game::symmetry::set_systems;
use nimatron_game::{Game, MAX_HEIGHT, Outcome, Stop};
use nimatron_prove::automata::{Discovery, Effort, Reason, Unsupported, discover};

#[test]
fn the_known_numbers_of_states() {
    let cases = [
        ("Nim(4)", 2, 7),
        ("Moore(4,2)", 2, 7),
        ("Moore(5,2)", 2, 3),
        ("CN(5,2)", 22, 7),
        ("CN(5,3)", 17, 7),
        ("CN(6,3)", 8, 3),
        ("CN(6,4)", 16, 3),
        ("PN(6,3)", 15, 3),
        ("PN(8,4)", 31, 1),
    ];
    for (text, states, max) in cases {
        let found = found(text);
        assert_eq!(found.automaton.dfa().states(), states, "{text}");
        assert_eq!(found.statistics.states, states);
        check(&found, max);
    }
}

#[test]
fn all_set_systems_on_up_to_four_stacks_but_two() {
    for n in 1..=4 {
        let mut missing = Vec::new();
        for sets in set_systems(n) {
            let game = Game::set_nim(n, sets.iter().collect()).unwrap();
            let effort = Effort { bits: 6, ..Effort::default() };
            match discover(&game, effort, &Limits::new(u64::MAX, 1 << 26)).unwrap() {
                Discovery::Found(found) => check(&found, 8),
                Discovery::NotFound(not_found) => missing.push((sets, not_found)),
                other => panic!("{other:?}"),
            }
        }
        let names: Vec<_> = missing
            .iter()
            .map(|(sets, _)| Game::set_nim(n, sets.iter().collect()).unwrap())
            .collect();
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let expected: &[&str] = if n == 4 { &["Set(ab,ac,bc,d)", "Set(ac,bc,d)"] } else { &[] };
        assert_eq!(names, expected, "n = {n}");
    }
}

#[test]
fn misere_exact_slow_and_other_rules() {
    let cases = [
        ("misere Nim(3)", 7),
        ("misere CN(5,2)", 4),
        ("misere PN(4,2)", 7),
        ("misere Moore(4,3)", 7),
        ("Exact(3,2)", 9),
        ("Exact(4,2)", 8),
        ("Exact(4,3)", 8),
        ("misere Exact(3,2)", 9),
        ("misere Exact(4,2)", 8),
        ("Slow(3,{1,2})", 9),
        ("Slow(3,{2})", 9),
        ("Slow(4,{1,2})", 8),
        ("Slow(4,{1,3})", 8),
        ("Slow(4,{2})", 8),
        ("Slow(4,{3})", 8),
        ("Slow(4,{3,4})", 8),
        ("Slow(4,{2,3,4})", 8),
        ("misere Slow(3,{2})", 9),
        ("misere Slow(4,{1,2})", 8),
        ("CN(4,2) any=1", 8),
        ("PN(3,2) each>=1", 9),
        ("PN(4,2) each=1", 8),
        ("Set(abc)", 7),
        ("Nim(1)", 40),
        ("misere Nim(1)", 40),
        // Sums, also of games that are played differently.
        ("Nim(2) + Moore(2,2)", 8),
        ("Nim(2) + Slow(1,{1})", 9),
        ("misere Nim(1) + Slow(2,{1})", 9),
    ];
    for (text, max) in cases {
        check(&found(text), max);
    }
}

#[test]
fn tall_positions_are_answered() {
    let cn = found("CN(5,2)").automaton;
    let scaled = |unit: u64| [3, 8, 3, 5, 6].map(|height| height * unit);
    for unit in [1, 2, 1 << 40, MAX_HEIGHT / 8] {
        assert_eq!(cn.outcome(&scaled(unit)), Outcome::P, "CN(5,2) is closed under scaling");
        assert_eq!(cn.winning_move(&scaled(unit)), None);
    }
    let nim = found("Nim(3)").automaton;
    let tall_for = [
        (&cn, vec![MAX_HEIGHT, 1, MAX_HEIGHT - 5, MAX_HEIGHT / 3, 12345]),
        (&cn, vec![MAX_HEIGHT, MAX_HEIGHT, MAX_HEIGHT, MAX_HEIGHT, MAX_HEIGHT - 1]),
        (&nim, vec![MAX_HEIGHT, MAX_HEIGHT - 1, 1 << 62]),
    ];
    for (automaton, tall) in tall_for {
        assert_eq!(automaton.outcome(&tall), Outcome::N);
        let take = automaton.winning_move(&tall).unwrap();
        assert!(automaton.game().is_legal(&tall, &take));
        let option: Vec<u64> = tall.iter().zip(take.iter()).map(|(h, t)| h - t).collect();
        assert_eq!(automaton.outcome(&option), Outcome::P);
    }
}

#[test]
fn not_found_says_how_far_it_looked() {
    for text in ["Set(ab,bc,d)", "Set(ab,bc,ca,d)", "PN(5,2)", "CN(6,2)"] {
        let missing = not_found(
            text,
            Effort { bits: 4, ..Effort::default() },
            &Limits::new(u64::MAX, 1 << 30),
        );
        assert_eq!((missing.reached_bits, missing.reason), (4, Reason::Bits), "{text}");
        let text = missing.to_string();
        assert!(text.starts_with("no automaton found from heights below 2^4"), "{text}");
    }
    let few = Effort { states: 50, ..Effort::default() };
    assert_eq!(not_found("CN(6,2)", few, &Limits::new(u64::MAX, 1 << 30)).reason, Reason::States);
    let memory = not_found("CN(7,5)", Effort::default(), &Limits::new(u64::MAX, 1 << 23));
    assert_eq!(memory.reason, Reason::Stopped(Stop::Memory));
    assert!(memory.reached_bits >= 2 && memory.states_seen > 10, "{memory}");
    let work = not_found("PN(5,2)", Effort::default(), &Limits::new(30, 1 << 30));
    assert_eq!(work.reason, Reason::Stopped(Stop::Work));
}

#[test]
fn a_proof_can_be_stopped() {
    // A first guess of 11 states is refuted later, the one of 15 is right.
    let mut unproved = 0;
    for checks in (1..).step_by(9) {
        let discovery =
            discover(&game("PN(6,3)"), Effort::default(), &Limits::new(checks, 1 << 30));
        match discovery.unwrap() {
            Discovery::Found(_) => break,
            Discovery::NotFound(missing) => match missing.reason {
                Reason::Unproved { stop, states } => {
                    assert_eq!(stop, Stop::Work);
                    assert!(states == 11 || states == 15);
                    unproved += 1;
                }
                reason => assert_eq!(reason, Reason::Stopped(Stop::Work)),
            },
            other => panic!("{other:?}"),
        }
    }
    assert!(unproved > 0);
}

#[test]
fn games_that_automata_cannot_follow() {
    let ask =
        |text| discover(&game(text), Effort::default(), &Limits::new(100, 1 << 20)).unwrap_err();
    assert_eq!(ask("Nim(13)"), Unsupported::Stacks { found: 13 });
    assert_eq!(ask("CN(5,2) total=2"), Unsupported::Amounts);
    assert_eq!(ask("CN(5,2) each>=2"), Unsupported::Amounts);
}

#[test]
#[ignore = "some minutes without optimisation"]
fn the_large_ones() {
    for (text, states) in [("CN(7,4)", 262), ("CN(7,3)", 688), ("CN(8,6)", 156)] {
        let found = found(text);
        assert_eq!(found.automaton.dfa().states(), states, "{text}");
        check(&found, if text == "CN(8,6)" { 2 } else { 3 });
    }
}

#[test]
#[ignore = "some minutes without optimisation"]
fn the_census_on_five_stacks() {
    let mut count = 0;
    for sets in set_systems(5) {
        let game = Game::set_nim(5, sets.iter().collect()).unwrap();
        let limits = Limits::new(u64::MAX, 100 << 20);
        match discover(&game, Effort::default(), &limits).unwrap() {
            Discovery::Found(found) => {
                check(&found, 4);
                count += 1;
            }
            Discovery::NotFound(_) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(count, 95);
}
