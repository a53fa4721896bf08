//! The checker's own view of moves, and proofs small enough to be written by hand.

use super::*;
use crate::{Certificate, Proof, verify};

fn game(text: &str) -> Game {
    text.parse().unwrap()
}

/// What [`Rules::step`] says about a pair of positions with `bits` digits.
fn looks_like_a_move(rules: &Rules, x: &[u64], y: &[u64], bits: u32) -> bool {
    let letter = |heights: &[u64], bit: u32| {
        heights.iter().enumerate().fold(0, |all, (s, h)| all | ((h >> bit & 1) as u32) << s)
    };
    let lowered = (0..bits)
        .rev()
        .try_fold(0, |lowered, bit| rules.step(lowered, letter(x, bit), letter(y, bit)));
    lowered.is_some_and(|lowered| rules.allowed[lowered as usize])
}

fn positions(stacks: usize, bits: u32) -> impl Iterator<Item = Vec<u64>> {
    (0..1u64 << (bits * stacks as u32)).map(move |code| {
        (0..stacks).map(|s| code >> (bits * s as u32) & ((1 << bits) - 1)).collect()
    })
}

#[test]
fn moves_digit_by_digit_are_the_moves_of_the_game() {
    let games = [
        ("Nim(2)", 4),
        ("CN(4,2)", 2),
        ("PN(3,2)", 3),
        ("Moore(3,2)", 3),
        ("Exact(3,2)", 3),
        ("Slow(3,{2})", 3),
        ("Slow(2,{1,2})", 4),
        ("PN(3,2) any=1", 3),
        ("PN(3,2) each=1", 3),
        ("Nim(1) + Slow(2,{1,2})", 3),
        ("Exact(2,2) + Nim(1)", 3),
    ];
    for (text, bits) in games {
        let game = game(text);
        let rules = Rules::new(&game).unwrap();
        for x in positions(game.stacks(), bits) {
            for y in positions(game.stacks(), bits) {
                let take = x.iter().zip(&y).map(|(x, y)| x.checked_sub(*y));
                let take: Option<Vec<u64>> = take.collect();
                let legal = take.is_some_and(|take| game.is_legal(&x, &take));
                assert_eq!(looks_like_a_move(&rules, &x, &y, bits), legal, "{text} {x:?} {y:?}");
            }
            let tokens = (0..x.len()).filter(|&s| x[s] > 0).collect::<StackSet>().bits();
            assert_eq!(rules.is_terminal(tokens), game.is_terminal(&x), "{text} {x:?}");
        }
    }
}

/// The states of a macrostate, and where the two letters lead.
type Row = (&'static [(u32, u32)], [u32; 2]);

/// A proof for one stack: rows of the automaton, accepting states, macrostates.
fn one_stack(
    name: &str,
    next: [[u32; 2]; 2],
    accepting: [bool; 2],
    macrostates: &[Row],
) -> Certificate {
    let proof = AutomatonProof {
        formula: None,
        dfa: Dfa {
            initial: 0,
            accepting: accepting.to_vec(),
            next: next.iter().map(|row| row.to_vec()).collect(),
        },
        symmetries: vec![StateSymmetry { stacks: vec![0], states: vec![0, 1] }],
        macrostates: macrostates
            .iter()
            .map(|(moves, next)| Macrostate {
                moves: moves.to_vec(),
                terminal: None,
                next: next.iter().map(|&target| (target, 0)).collect(),
            })
            .collect(),
    };
    Certificate::new(game(name), Proof::Automaton(proof))
}

#[test]
fn proofs_by_hand() {
    let obligation = |certificate: &Certificate| match verify(certificate) {
        Ok(accepted) => accepted.kind,
        Err(rejection) => rejection.obligation(),
    };
    // The even heights: state 1 has read a last digit 1. One token is taken from an odd height.
    let parity = [[0, 1], [0, 1]];
    let even: &[Row] = &[(&[(0, 0)], [0, 1]), (&[(1, 0), (0, 1)], [0, 1])];
    let slow = one_stack("Slow(1,{1})", parity, [true, false], even);
    assert_eq!(obligation(&slow), "automaton");
    // With any number of tokens, even heights lead to even heights.
    assert_eq!(obligation(&one_stack("Nim(1)", parity, [true, false], even)), "stability");
    // The odd heights are the P-positions of misere play, but 0 then needs its own state.
    let misere = one_stack("misere Slow(1,{1})", parity, [false, true], even);
    assert_eq!(obligation(&misere), "acceptance");
    let normal = one_stack("misere Slow(1,{1})", parity, [true, false], even);
    assert_eq!(obligation(&normal), "terminal");
    // A macrostate that forgets the position itself cannot borrow for it later.
    let forgetful: &[Row] = &[(&[(0, 0)], [0, 1]), (&[(0, 1)], [0, 1])];
    let slow = one_stack("Slow(1,{1})", parity, [true, false], forgetful);
    assert_eq!(obligation(&slow), "closure");
    // Nim(1): for any height above 0 the stack can be emptied.
    let zero = [[0, 1], [1, 1]];
    let lowered: &[Row] = &[(&[(0, 0)], [0, 1]), (&[(0, 1)], [1, 1])];
    assert_eq!(obligation(&one_stack("Nim(1)", zero, [true, false], lowered)), "automaton");
    assert_eq!(obligation(&one_stack("Slow(1,{1})", zero, [true, false], lowered)), "closure");
    // S empty: nothing is stable but nothing is reached either.
    assert_eq!(obligation(&one_stack("Nim(1)", zero, [false, false], lowered)), "acceptance");
    // S everything.
    assert_eq!(obligation(&one_stack("Nim(1)", zero, [true, true], lowered)), "stability");
}

#[test]
fn large_automata_are_refused_before_memory_is_asked_for() {
    let states = 100_000;
    let dfa = Dfa { initial: 0, accepting: vec![true; states], next: vec![vec![0; 2]; states] };
    let proof = AutomatonProof { formula: None, dfa, symmetries: vec![], macrostates: vec![] };
    let certificate = Certificate::new(game("Nim(1)"), Proof::Automaton(proof));
    assert_eq!(verify(&certificate).unwrap_err().obligation(), "size");
}

/// An automaton for one stack, by rows.
fn dfa(next: &[[u32; 2]], accepting: &[bool]) -> Dfa {
    let next = next.iter().map(|row| row.to_vec()).collect();
    Dfa { initial: 0, accepting: accepting.to_vec(), next }
}

#[test]
fn formulas_of_automata_by_hand() {
    let nim = game("Nim(1)");
    let says = |text: &str, dfa: &Dfa| match describes(&nim, text, dfa) {
        Err(flaw) if flaw.differs().is_some() => {
            let (accepted, position) = flaw.differs().unwrap();
            Err((position[0], if accepted { "accepted" } else { "not accepted" }))
        }
        other => Ok(other.map(drop).map_err(|failed| failed.obligation())),
    };
    let even = dfa(&[[0, 1], [0, 1]], &[true, false]);
    for text in ["even(a)", "a mod 2 = 0", "not odd(a)", "xor(a,1) > a", "(a+7) mod 2 > 0"] {
        assert_eq!(says(text, &even), Ok(Ok(())), "{text}");
    }
    assert_eq!(says("odd(a)", &even), Err((0, "accepted")));
    assert_eq!(says("a mod 4 = 0", &even), Err((2, "accepted")));
    assert_eq!(says("even(a) or a = 41", &even), Err((41, "not accepted")));
    // The difference of two remainders never settles, that of two multiples does.
    let empty = dfa(&[[0, 1], [1, 1]], &[true, false]);
    for text in ["a = 0", "2a = 3a", "a < 1", "min(a,5) = 0", "a mod 2+a mod 3 = 0, a < 6"] {
        assert_eq!(says(text, &empty), Ok(Ok(())), "{text}");
    }
    assert_eq!(says("a mod 2+a mod 3 = 0", &empty), Err((6, "not accepted")));
    assert_eq!(says("a <= 1", &empty), Err((1, "not accepted")));
    assert_eq!(says("true", &empty), Err((1, "not accepted")));
    assert_eq!(says("false", &empty), Err((0, "accepted")));
    // What cannot be followed, and what is no automaton for this game.
    assert_eq!(says("a mod 100000000 > 1", &even), Err((0, "accepted")));
    assert_eq!(says("even(a), a != 9000000000001", &even), Ok(Err("limit")));
    assert_eq!(says("a = b", &even), Ok(Err("formula")));
    let two = game("Nim(2)");
    assert_eq!(describes(&two, "a = b", &even).unwrap_err().obligation(), "well-formed");
}

#[test]
fn formulas_that_are_too_large_end_in_a_limit() {
    let everything = dfa(&[[0, 0]], &[true]);
    // Names that stand for sums of very many terms.
    let doubled = |first: &str, times: usize| {
        let doubles = (1..=times).map(|i| format!("let k{i} = k{0}+k{0}, ", i - 1));
        format!("let k0 = {first}, {}k{times} >= 0", doubles.collect::<String>())
    };
    let sum = |items: &dyn Fn(u32) -> String| (0..30).map(items).collect::<Vec<_>>().join("+");
    let minima = sum(&|i| format!("min({}a,{i})", i + 2));
    let xors = sum(&|i| format!("xor(a+{i},{i})"));
    for text in [
        doubled("a", 50),
        doubled("min(a,1)", 50),
        doubled("min(a,1)", 9),
        doubled("a mod 7", 50),
        doubled("xor(a+1,a)", 4),
        format!("{minima} >= 0"),
        format!("{xors} >= 0"),
        format!("({xors}+{minima}) mod 2 >= 0"),
        // Guesses for a number of so many digits.
        "xor(a,99999999) >= 0".to_string(),
    ] {
        let result = describes(&game("Nim(1)"), &text, &everything);
        assert_eq!(result.unwrap_err().obligation(), "limit", "{text}");
    }
}
