//! Moves and formulas as the prover reads them: by trying all small positions, and against the
//! checker, which accepts a proof only if it reads them in the same way.

use super::super::plays::plays;
use super::super::{Limits, prove};
use nimatron_formula::{Context, Formula};
use nimatron_game::{Game, Height, Unlimited};

fn position(code: u64, base: u64, stacks: usize) -> Vec<Height> {
    (0..stacks).map(|s| code / base.pow(s as u32) % base).collect()
}

#[test]
fn plays_are_the_moves() {
    for name in [
        "CN(4,2)",
        "Exact(3,2)",
        "Slow(3,{1,2})",
        "CN(3,2) any=2",
        "Nim(3) each>=2",
        "CN(3,2) total>=2",
        "PN(4,2) total=3",
        "PN(3,2) + Nim(1)",
        "Exact(2,2) + Slow(2,{1})",
    ] {
        let game: Game = name.parse().unwrap();
        let n = game.stacks();
        let plays = plays(&game, 100).unwrap();
        for from in 0..4u64.pow(n as u32) {
            let p = position(from, 4, n);
            for to in 0..=from {
                let q = position(to, 4, n);
                let x: Vec<i128> = p.iter().chain(&q).map(|&h| h.into()).collect();
                let described = plays.iter().any(|play| {
                    let off = (0..n).all(|s| play.stacks.contains(s) || p[s] == q[s]);
                    off && play.constraints(|s| n + s, false).unwrap().iter().all(|c| c.holds(&x))
                });
                let take: Option<Vec<Height>> =
                    p.iter().zip(&q).map(|(p, q)| p.checked_sub(*q)).collect();
                let legal = take.is_some_and(|take| game.is_legal(&p, &take));
                assert_eq!(described, legal, "{name}: {p:?} to {q:?}");
            }
        }
    }
}

/// One set in many words, and one theorem for each kind of moves.
#[test]
fn the_checker_reads_the_same() {
    let words = [
        "a = b",
        "not a != b",
        "max(a,b) = min(a,b)",
        "max - min = 0",
        "max <= min",
        "let m = max(a,b), let k = min(m, 2*m - b), a = k, b >= k",
        "span(ab)",
        "sym(a <= b, a >= b)",
        "not sym(a < b)",
        "sym(span(ab), a = b) or (a = b, even(a))",
        "2*min(a,b) >= total",
        "-max(-1*a, -1*b) = max",
        "a mod 2 = b mod 2, a - (a mod 2) = b - (b mod 2)",
        "odds != 1, a = b",
        "min(a,b) mod 3 = a mod 3, a = b",
        "(a < b, false) or (a = b, true)",
        "false or (a = b, a < b) or a = b",
    ];
    let cases = words.iter().map(|formula| ("Nim(2)", *formula)).chain([
        ("Moore(3,2)", "a = b = c"),
        ("Exact(3,2)", "a = b = 0 or a = c = 0 or b = c = 0"),
        ("Slow(3,{1,3})", "even(total)"),
        ("Nim(2) each=2", "(a mod 4 <= 1, b mod 4 <= 1) or (a mod 4 >= 2, b mod 4 >= 2)"),
        ("Nim(1) total>=3", "a <= 2"),
        ("misere Slow(2,{1})", "odd(total)"),
        ("Nim(1) + Nim(1)", "a = b"),
    ]);
    for (name, text) in cases {
        let game: Game = name.parse().unwrap();
        let formula = Formula::parse(text, &Context::of_game(&game)).unwrap();
        match prove(&game, &formula, &Unlimited, &Limits::default()) {
            Ok(proof) => {
                assert!(nimatron_verify::verify(&proof.certificate).is_ok(), "{name}: {text}")
            }
            Err(failure) => panic!("{name}: {text}: {failure:?}"),
        }
    }
}
