//! The solver and the checker's reading of formulas against brute force.

use super::common::{evaluator, parse};
use nimatron_game::Height;
use nimatron_prove::lp::{Answer, Linear, Solver};
use nimatron_verify::regions::{Branch, expand, symmetries};
use proptest::prelude::*;

proptest! {
    /// A feasible system has a point, an infeasible one multipliers that add up.
    #[test]
    fn answers_are_right(
        rows in prop::collection::vec((prop::collection::vec(-4i64..5, 4), -6i64..7, any::<bool>()), 1..9)
    ) {
        let mut solver = Solver::new();
        (0..3).for_each(|v| solver.add_height(v));
        solver.add_free();
        let mut added: Vec<(Vec<i64>, i64, bool)> =
            (0..3).map(|v| ((0..4).map(|u| i64::from(u == v)).collect(), 0, false)).collect();
        for (c, k, equation) in rows {
            let number = added.len();
            added.push((c.clone(), k, equation));
            let answer = solver.add(Linear { coefficients: &c, constant: k, equation }, number).unwrap();
            match answer {
                Answer::Feasible => {
                    let point = solver.point();
                    prop_assert!(point.denominator > 0);
                    for (c, k, equation) in &added {
                        let value = point.value(c, *k).unwrap();
                        prop_assert!(value == 0 || (value > 0 && !equation));
                    }
                    let inner = solver.inner_point(|_| 3).unwrap();
                    for (c, k, equation) in &added {
                        let value = inner.value(c, *k).unwrap();
                        prop_assert!(value == 0 || (value > 0 && !equation));
                    }
                }
                Answer::Infeasible(multipliers) => {
                    let mut sum = [0i128; 5];
                    for (i, m) in multipliers {
                        let (c, k, equation) = &added[i];
                        prop_assert!(*equation || m >= 0);
                        c.iter().chain([k]).zip(&mut sum).for_each(|(c, s)| *s += m * i128::from(*c));
                    }
                    prop_assert_eq!(&sum[..4], &[0; 4]);
                    prop_assert!(sum[4] < 0);
                    return Ok(());
                }
            }
        }
    }
}

/// Whether heights lie in a branch, with further integers found by trying.
fn contains(branch: &Branch, heights: &[Height]) -> bool {
    let n = heights.len();
    let mut x: Vec<i64> = heights.iter().map(|&h| h as i64).collect();
    x.resize(n + branch.extras, -1);
    loop {
        let holds = branch.constraints.iter().all(|c| {
            let value = c.form.1.iter().fold(c.form.0, |sum, &(v, a)| sum + a * x[v]);
            if c.equation { value == 0 } else { value >= 0 }
        });
        if holds {
            return true;
        }
        let Some(i) = (n..x.len()).find(|&i| x[i] < 4) else { return false };
        x[i] += 1;
        x[n..i].fill(-1);
    }
}

#[test]
fn the_checker_reads_formulas_as_they_are_evaluated() {
    for (game, formula) in [
        ("CN(3,2)", "a = min, not (b < c or a+1 = 2b)"),
        ("CN(3,2)", "sym(a <= max(b, min(c, 2)), a != 1)"),
        ("CN(4,2)", "not sym(a = b = 0, c < d)"),
        ("CN(3,2)", "min(a, b) mod 2 = 1 or not odd(c+1)"),
        ("CN(3,2)", "odds = 2 or a mod 3 < b mod 3"),
        ("CN(4,2)", "span(ab, cd) or (a = 1, span(a, bcd))"),
        ("CN(3,2)", "let m = max(a,b)-c, m = 1 or -2*min(m, b) > a - 3"),
        ("CN(3,2)", "a - (b mod 2) = max(c - 1, 0)"),
        ("PN(3,2)", "sym(a = 2), total >= 3, 1 <= max <= 3"),
        ("Nim(2)", "a = b or false"),
        ("Nim(2)", "true"),
    ] {
        let (game, formula) = parse(game, formula);
        let branches = expand(&formula, game.stacks(), &symmetries(&game).unwrap()).unwrap();
        let set = evaluator(&game, &formula);
        for code in 0..5u64.pow(game.stacks() as u32) {
            let heights: Vec<Height> =
                (0..game.stacks()).map(|s| code / 5u64.pow(s as u32) % 5).collect();
            let found = branches.iter().any(|b| contains(b, &heights));
            assert_eq!(found, set.holds(&heights), "{formula} at {heights:?}");
        }
    }
}
