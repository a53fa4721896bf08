//! Moves and formulas as the prover reads them: by trying all small positions, and against the
//! checker, which accepts a proof only if it reads them in the same way.

use super::super::plays::{plays, symmetries};
use super::super::row::Limit;
use super::super::statement::{Statement, statement, ways};
use super::super::{Limits, prove};
use nimatron_formula::{Context, Evaluator, Formula};
use nimatron_game::{Game, Height, Unlimited};

fn holds((row, equation): &Limit, x: &[i128]) -> bool {
    let value = row.value(x);
    if *equation { value == 0 } else { value >= 0 }
}

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
                    off && play.limits(|s| n + s, false).unwrap().iter().all(|l| holds(l, &x))
                });
                let take: Option<Vec<Height>> =
                    p.iter().zip(&q).map(|(p, q)| p.checked_sub(*q)).collect();
                let legal = take.is_some_and(|take| game.is_legal(&p, &take));
                assert_eq!(described, legal, "{name}: {p:?} to {q:?}");
            }
        }
    }
}

fn is_true(statement: &Statement, x: &[i128]) -> bool {
    match statement {
        Statement::Limit(limit) => holds(limit, x),
        Statement::All(parts) => parts.iter().all(|part| is_true(part, x)),
        Statement::Any(parts) => parts.iter().any(|part| is_true(part, x)),
    }
}

#[test]
fn formulas_are_read_as_they_are_evaluated() {
    for (game, text) in [
        ("CN(3,2)", "sym(a <= max(b, min(c, 2)), a != 1)"),
        ("CN(3,2)", "min(a, b) mod 2 = 1 or not odd(c+1)"),
        ("CN(4,2)", "span(ab, cd) or (a = 1, span(a, bcd))"),
        ("CN(3,2)", "let m = max(a,b)-c, m = 1 or -2*min(m, b) > a - 3"),
        ("CN(3,2)", "let m = a mod 2, not (m = 1, let k = max(b,m), k < c)"),
        ("PN(3,2)", "sym(odd(a), span(a, bc)) or sym(even(a), even(b), a < c)"),
    ] {
        let game: Game = game.parse().unwrap();
        let (n, context) = (game.stacks(), Context::of_game(&game));
        let formula = Formula::parse(text, &context).unwrap();
        let images = symmetries(&game).unwrap();
        let set = Evaluator::new(&formula, &context, &images).unwrap();
        let (statement, extras) = statement(&formula, n, &images).unwrap();
        let ways = ways(&statement, n, extras).unwrap();
        for code in 0..5u64.pow(n as u32) {
            let heights = position(code, 5, n);
            let found = |holds: &dyn Fn(&[i128]) -> bool| {
                (0..6u64.pow(extras as u32)).any(|code| {
                    let further = position(code, 6, extras).into_iter().map(|e| i128::from(e) - 1);
                    holds(&heights.iter().map(|&h| h.into()).chain(further).collect::<Vec<_>>())
                })
            };
            let expected = set.holds(&heights);
            assert_eq!(found(&|x| is_true(&statement, x)), expected, "{text} at {heights:?}");
            let on_some_way = |x: &[i128]| {
                ways.iter().any(|way| way.piece.limits.iter().all(|limit| holds(limit, x)))
            };
            assert_eq!(found(&on_some_way), expected, "{text} at {heights:?}");
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
