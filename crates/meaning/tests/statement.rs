//! What a formula says is what it is evaluated to, on every way through the alternatives.

use nimatron_formula::{Context, Formula};
use nimatron_game::Height;
use nimatron_meaning::{Clause, Evaluator, Statement};

fn is_true(clause: &Clause, x: &[i128]) -> bool {
    match clause {
        Clause::Constraint(constraint) => constraint.holds(x),
        Clause::All(parts) => parts.iter().all(|part| is_true(part, x)),
        Clause::Any(parts) => parts.iter().any(|part| is_true(part, x)),
    }
}

fn position(code: u64, base: u64, stacks: usize) -> Vec<Height> {
    (0..stacks).map(|s| code / base.pow(s as u32) % base).collect()
}

#[test]
fn formulas_are_read_as_they_are_evaluated() {
    let circle = |n: usize| {
        let turn = move |i| (0..n).map(|s| (s + i) % n).collect::<Vec<usize>>();
        let turned = move |i| (0..n).map(|s| (n + i - s) % n).collect::<Vec<usize>>();
        (0..n).flat_map(|i| [turn(i), turned(i)]).collect::<Vec<_>>()
    };
    let path = vec![vec![0, 1, 2], vec![2, 1, 0]];
    for (images, text) in [
        (circle(3), "sym(a <= max(b, min(c, 2)), a != 1)"),
        (circle(3), "min(a, b) mod 2 = 1 or not odd(c+1)"),
        (circle(4), "span(ab, cd) or (a = 1, span(a, bcd))"),
        (circle(3), "let m = max(a,b)-c, m = 1 or -2*min(m, b) > a - 3"),
        (circle(3), "let m = a mod 2, not (m = 1, let k = max(b,m), k < c)"),
        (path, "sym(odd(a), span(a, bc)) or sym(even(a), even(b), a < c)"),
    ] {
        let n = images[0].len();
        let context = Context::new(n);
        let formula = Formula::parse(text, &context).unwrap();
        let set = Evaluator::new(&formula, &context, &images).unwrap();
        let statement = Statement::new(&formula, n, &images).unwrap();
        let branches = statement.branches(10_000).unwrap();
        let ways: Vec<_> = branches.iter().map(|b| statement.along(&b.choices).unwrap()).collect();
        let extras = statement.integers;
        for code in 0..5u64.pow(n as u32) {
            let heights = position(code, 5, n);
            let found = |holds: &dyn Fn(&[i128]) -> bool| {
                (0..6u64.pow(extras as u32)).any(|code| {
                    let further = position(code, 6, extras).into_iter().map(|e| i128::from(e) - 1);
                    holds(&heights.iter().map(|&h| h.into()).chain(further).collect::<Vec<_>>())
                })
            };
            let expected = set.holds(&heights);
            assert_eq!(
                found(&|x| is_true(&statement.clause, x)),
                expected,
                "{text} at {heights:?}"
            );
            let on_some_way = |x: &[i128]| ways.iter().any(|way| way.iter().all(|c| c.holds(x)));
            assert_eq!(found(&on_some_way), expected, "{text} at {heights:?}");
        }
    }
}

#[test]
fn choices_that_lead_nowhere_are_told() {
    let formula = Formula::parse("a != b, a < 2 or b < 2", &Context::new(2)).unwrap();
    let statement = Statement::new(&formula, 2, &[]).unwrap();
    assert_eq!(statement.along(&[0, 1]).unwrap().len(), 2);
    for choices in [&[][..], &[0], &[0, 2], &[0, 1, 0]] {
        assert_eq!(statement.along(choices), None);
    }
}
