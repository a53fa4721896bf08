//! The proof step by itself: any automaton is proved, or refuted by a position.

use super::common::{Arbitrary, Limits, found, game, same_language};
use nimatron_game::{Game, Height, Stop, Unlimited};
use nimatron_prove::automata::{Automaton, AutomatonCounterexample, Unproved, prove};
use nimatron_verify::automaton::Dfa;
use nimatron_verify::verify;
use proptest::prelude::*;

fn accepts(dfa: &Dfa, heights: &[Height], zeros: usize) -> bool {
    let bits = 64 - heights.iter().fold(0, |a, h| a | h).leading_zeros();
    let digits = |bit: u32| {
        heights.iter().enumerate().fold(0, |a, (s, h)| a | ((h >> bit & 1) as usize) << s)
    };
    let word = std::iter::repeat_n(0, zeros).chain((0..bits).rev().map(digits));
    dfa.accepting[word.fold(dfa.initial as usize, |q, letter| dfa.next[q][letter] as usize)]
}

/// Checks a counterexample against the rules and the automaton, by plain enumeration.
fn confirm(game: &Game, dfa: &Dfa, counterexample: &AutomatonCounterexample) {
    let inside = |heights: &[Height]| accepts(dfa, heights, 0);
    match counterexample {
        AutomatonCounterexample::Move { from, take } => {
            assert!(game.is_legal(from, take), "{counterexample}");
            assert!(inside(from) && inside(&from.after(take).unwrap()), "{counterexample}");
        }
        AutomatonCounterexample::Stuck { position } => {
            assert!(!inside(position), "{counterexample}");
            let options = game.moves(position).map(|take| position.after(&take).unwrap());
            assert!(!options.take(200_000).any(|option| inside(&option)), "{counterexample}");
        }
        AutomatonCounterexample::Terminal { position } => {
            assert!(inside(position) && game.is_terminal(position), "{counterexample}");
        }
        AutomatonCounterexample::LeadingZeros { position } => {
            let changes = (1..=dfa.states()).any(|z| accepts(dfa, position, z) != inside(position));
            assert!(changes, "{counterexample}");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_wrong_automaton_is_refuted_by_a_position() {
    let right = found("CN(5,2)").automaton.dfa().clone();
    let refute = |name: &str| match prove(&game(name), &right, &Unlimited) {
        Err(Unproved::Refuted(counterexample)) => {
            confirm(&game(name), &right, &counterexample);
            counterexample
        }
        other => panic!("{name}: {other:?}"),
    };
    // More moves: one of them stays inside; fewer moves: some position has none left.
    assert!(matches!(refute("CN(5,3)"), AutomatonCounterexample::Move { .. }));
    assert!(matches!(refute("Nim(5)"), AutomatonCounterexample::Stuck { .. }));
    assert!(matches!(refute("misere CN(5,2)"), AutomatonCounterexample::Terminal { .. }));
}

#[test]
fn zeros_in_front_must_not_matter() {
    // Accepts one stack with an even number of digits, zeros included.
    let dfa = Dfa { initial: 0, accepting: vec![true, false], next: vec![vec![1, 1], vec![0, 0]] };
    let refuted = prove(&game("Nim(1)"), &dfa, &Unlimited).unwrap_err();
    assert!(matches!(refuted, Unproved::Refuted(AutomatonCounterexample::LeadingZeros { .. })));
}

#[test]
fn automata_that_do_not_fit_are_refused() {
    let nim = found("Nim(2)").automaton.dfa().clone();
    let refused = |name: &str, dfa: &Dfa| prove(&game(name), dfa, &Unlimited).unwrap_err();
    assert_eq!(refused("Nim(3)", &nim), Unproved::Malformed);
    let mut broken = nim.clone();
    broken.next[0][1] = 9;
    assert_eq!(refused("Nim(2)", &broken), Unproved::Malformed);
    assert!(matches!(refused("Nim(2) total=2", &nim), Unproved::Unsupported(_)));
    let stopped = prove(&game("Nim(2)"), &nim, &Limits::new(1, 1 << 30));
    assert_eq!(stopped.unwrap_err(), Unproved::Stopped(Stop::Work));
}

#[test]
fn superfluous_states_do_not_matter() {
    // Every state twice, one copy for even and one for odd lengths.
    let right = found("CN(5,3)").automaton.dfa().clone();
    let states = right.states() as u32;
    let moved = |by: u32| right.next.iter().map(move |row| row.iter().map(|q| q + by).collect());
    let doubled = Dfa {
        initial: states,
        accepting: right.accepting.repeat(2),
        next: moved(states).chain(moved(0)).collect(),
    };
    let certificate = prove(&game("CN(5,3)"), &doubled, &Unlimited).unwrap();
    assert!(verify(&certificate).is_ok());
    let least = super::common::proof(&certificate).dfa.clone();
    assert_eq!(least.states(), right.states());
    assert!(same_language(&least, &right));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// An automaton with arbitrary changes is proved only if it is the same set after all.
    #[test]
    fn arbitrary_automata(which in 0usize..8, changes in 1usize..4, seed: u64) {
        let names = [
            "Nim(2)", "Nim(3)", "CN(4,2)", "PN(3,2)",
            "misere Nim(2)", "Exact(3,2)", "Slow(3,{2})", "Slow(2,{1,2})",
        ];
        let game = game(names[which]);
        let right = found(names[which]).automaton.dfa().clone();
        let mut any = Arbitrary(seed);
        let mut dfa = right.clone();
        for _ in 0..changes {
            let (state, letter) = (any.below(dfa.states()), any.below(dfa.next[0].len()));
            match any.below(4) {
                0 => dfa.accepting[state] ^= true,
                _ => dfa.next[state][letter] = any.below(dfa.states()) as u32,
            }
        }
        match prove(&game, &dfa, &Unlimited) {
            Ok(certificate) => {
                prop_assert!(verify(&certificate).is_ok());
                prop_assert!(same_language(&dfa, &right), "{}", game);
            }
            Err(Unproved::Refuted(counterexample)) => {
                prop_assert!(!same_language(&dfa, &right), "{}: {}", game, counterexample);
                confirm(&game, &dfa, &counterexample);
            }
            other => prop_assert!(false, "{:?}", other),
        }
    }
}

#[test]
fn exports_describe_the_same_automaton() {
    let automaton = found("Nim(2)").automaton;
    let walnut = "msd_2 msd_2\n\n0 1\n0 0 -> 0\n1 1 -> 0\n";
    assert_eq!(automaton.to_walnut(), walnut);
    let dot = "digraph \"Nim(2)\" {\n  rankdir=LR;\n  start [shape=point];\n  start -> 0;\n  \
               0 [shape=doublecircle];\n  0 -> 0 [label=\"00\\n11\"];\n}\n";
    assert_eq!(automaton.to_dot(), dot);

    let automaton = found("misere CN(5,2)").automaton;
    assert!(same_language(&read_walnut(&automaton), automaton.dfa()));
}

/// Reads the Walnut format; what is missing leads to a state of its own.
fn read_walnut(automaton: &Automaton) -> Dfa {
    let text = automaton.to_walnut();
    let mut lines = text.lines();
    let tracks = lines.next().unwrap().split(' ').count();
    let dead = automaton.dfa().states() as u32;
    let mut dfa = Dfa {
        initial: 0,
        accepting: vec![false; dead as usize + 1],
        next: vec![vec![dead; 1 << tracks]; dead as usize + 1],
    };
    let mut state = 0;
    for line in lines.filter(|line| !line.is_empty()) {
        if let Some((digits, target)) = line.split_once(" -> ") {
            let digits = digits.split(' ').enumerate();
            let letter = digits.fold(0, |a, (s, d)| a | d.parse::<usize>().unwrap() << s);
            dfa.next[state][letter] = target.parse().unwrap();
        } else {
            let (number, output) = line.split_once(' ').unwrap();
            state = number.parse().unwrap();
            dfa.accepting[state] = output == "1";
        }
    }
    dfa
}
