//! The checker's reading of rules and formulas, on all small positions.

use super::plays::plays;
use super::statement::{Statement, read};
use crate::flaw::Budget;
use crate::row::Row;
use nimatron_formula::{Context, Formula};
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Game, Height};
use nimatron_meaning::Evaluator;

/// Whether a row holds; missing values are zero.
fn holds(row: &Row, x: &[i128]) -> bool {
    let terms = row.terms.iter().map(|&(v, c)| c * x.get(v).copied().unwrap_or(0));
    let value = terms.sum::<i128>() + row.constant;
    if row.equation { value == 0 } else { value >= 0 }
}

/// The position with this number, its heights as digits.
fn position(code: u64, base: u64, stacks: usize) -> Vec<Height> {
    (0..stacks).map(|s| code / base.pow(s as u32) % base).collect()
}

#[test]
fn plays_are_the_moves() {
    for name in [
        "CN(4,2)",
        "PN(3,2)",
        "Exact(3,2)",
        "Slow(3,{1,2})",
        "Slow(4,{2})",
        "CN(3,2) any=2",
        "CN(4,2) each=2",
        "Nim(3) each>=2",
        "CN(3,2) total>=2",
        "PN(4,2) total=3",
        "PN(3,2) + Nim(1)",
        "misere Nim(2)",
        "Exact(2,2) + Slow(2,{1})",
    ] {
        let game: Game = name.parse().unwrap();
        let n = game.stacks();
        let plays = plays(&game, &mut Budget::default()).unwrap();
        let after: Vec<usize> = (n..2 * n).collect();
        for from in 0..4u64.pow(n as u32) {
            let p = position(from, 4, n);
            for to in 0..=from {
                let q = position(to, 4, n);
                let x: Vec<i128> = p.iter().chain(&q).map(|&h| h.into()).collect();
                let described = plays.iter().any(|play| {
                    let off = (0..n).all(|s| play.stacks.contains(s) || p[s] == q[s]);
                    off && play.rows(&after, false).unwrap().iter().all(|row| holds(row, &x))
                });
                let take: Option<Vec<Height>> =
                    p.iter().zip(&q).map(|(p, q)| p.checked_sub(*q)).collect();
                let legal = take.is_some_and(|take| game.is_legal(&p, &take));
                assert_eq!(described, legal, "{name}: {p:?} to {q:?}");
            }
        }
    }
}

#[test]
fn too_many_plays_are_refused() {
    for game in ["Moore(20,10)", "Moore(32,16) any=2", "Moore(16,16) any=2"] {
        let game: Game = game.parse().unwrap();
        let refused = plays(&game, &mut Budget::default()).unwrap_err();
        assert_eq!(refused.obligation(), "limit", "{game}");
    }
}

fn is_true(statement: &Statement, x: &[i128]) -> bool {
    match statement {
        Statement::Row(row) => holds(row, x),
        Statement::All(parts) => parts.iter().all(|part| is_true(part, x)),
        Statement::Any(parts) => parts.iter().any(|part| is_true(part, x)),
    }
}

#[test]
fn formulas_are_read_as_they_are_evaluated() {
    for (game, formula) in [
        ("CN(3,2)", "a = min, not (b < c or a+1 = 2b)"),
        ("CN(3,2)", "sym(a <= max(b, min(c, 2)), a != 1)"),
        ("CN(4,2)", "not sym(a = b = 0, c < d)"),
        ("CN(3,2)", "min(a, b) mod 2 = 1 or not odd(c+1)"),
        ("CN(3,2)", "odds = 2 or a mod 3 < b mod 3"),
        ("CN(4,2)", "span(ab, cd) or (a = 1, span(a, bcd))"),
        ("CN(3,2)", "let m = max(a,b)-c, m = 1 or -2*min(m, b) > a - 3"),
        ("CN(3,2)", "let m = a mod 2, not (m = 1, let k = max(b,m), k < c)"),
        ("CN(3,2)", "a - (b mod 2) = max(c - 1, 0)"),
        ("PN(3,2)", "sym(a = 2), total >= 3, 1 <= max <= 3"),
        ("PN(3,2)", "sym(odd(a), span(a, bc)) or sym(even(a), even(b), a < c)"),
        ("Nim(2)", "a = b or false"),
        ("Nim(2)", "0*max(a,b) = 0"),
        ("Nim(2)", "true"),
    ] {
        let game: Game = game.parse().unwrap();
        let context = Context::of_game(&game);
        let formula = Formula::parse(formula, &context).unwrap();
        let group = Symmetry::of(game.single().unwrap()).elements_up_to(100).unwrap();
        let group: Vec<Vec<usize>> = group.iter().map(|g| g.images().collect()).collect();
        let set = Evaluator::new(&formula, &context, &group).unwrap();
        let (statement, extras) = read(&formula, &game, &mut Budget::default()).unwrap();
        let n = game.stacks();
        for code in 0..5u64.pow(n as u32) {
            let heights = position(code, 5, n);
            // Further integers are found by trying.
            let found = (0..6u64.pow(extras as u32)).any(|code| {
                let further = position(code, 6, extras).into_iter().map(|e| i128::from(e) - 1);
                let x: Vec<i128> = heights.iter().map(|&h| h.into()).chain(further).collect();
                is_true(&statement, &x)
            });
            assert_eq!(found, set.holds(&heights), "{formula} at {heights:?}");
        }
    }
}
