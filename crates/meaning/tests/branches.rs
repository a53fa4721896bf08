//! A formula holds exactly where one of its branches does.

#[path = "../../formula/tests/support/mod.rs"]
mod support;

use nimatron_formula::{Context, Formula};
use nimatron_linear::Constraint;
use nimatron_meaning::{Branch, BranchError, Evaluator, branches};
use support::{family, positions, symmetries, theorems};

/// Whether some values of the further variables satisfy the branch; each variable occurs in
/// constraints that bound it by the heights, so small values are enough.
fn holds(branch: &Branch, heights: &[u64]) -> bool {
    let most = heights.iter().sum::<u64>().into();
    let mut x: Vec<i128> = heights.iter().map(|&h| h.into()).collect();
    fn extend(branch: &Branch, x: &mut Vec<i128>, left: usize, most: i128) -> bool {
        let decided = |c: &&Constraint| c.form.reach() <= x.len();
        let fails = branch.constraints.iter().filter(decided).any(|c| !c.holds(x));
        if fails {
            return false;
        }
        if left == 0 {
            return true;
        }
        (-1..=most).any(|value| {
            x.push(value);
            let found = extend(branch, x, left - 1, most);
            x.pop();
            found
        })
    }
    extend(branch, &mut x, branch.integers.len(), most)
}

#[test]
fn branches_are_the_formula() {
    let mut checked = 0;
    for theorem in theorems() {
        let family = family(&theorem.game);
        let context = Context::of_rule(&family.rule());
        let formula = Formula::parse(&theorem.text, &context).unwrap();
        let symmetries = symmetries(&family);
        let found = match branches(&formula, context.stacks(), &symmetries, 10_000) {
            Ok(found) => found,
            Err(BranchError::Xor | BranchError::Reduced) => continue,
            Err(error) => panic!("{}: {error}", theorem.text),
        };
        checked += 1;
        let evaluator = Evaluator::new(&formula, &context, &symmetries).unwrap();
        let height = theorem.height.min([3, 2, 1][(context.stacks() / 3).saturating_sub(1).min(2)]);
        for p in positions(context.stacks(), height) {
            let any = found.iter().any(|b| holds(b, &p));
            assert_eq!(any, evaluator.holds(&p), "{} at {p:?}", theorem.text);
        }
    }
    assert!(checked > 30);
}

#[test]
fn negations_cases_and_remainders_are_resolved() {
    let formulas = [
        "not (a = min(b,c))",
        "min(a, b+c) = max(b, a-c, 1)",
        "not (a <= b or c < max)",
        "2*min(a,b) + c >= max(a,c) + min(b,c)",
        "a mod 3 = b mod 2 + 1",
        "not (a mod 2 = c mod 2)",
        "odds = 2",
        "min mod 2 = 0, not (max(a,b) mod 3 = 1)",
        "let m = min(a,b), a = m or c = 2m",
        "not sym(a < b < c)",
        "a != b, b != c",
        "min(min(a,b), max(b,c)) = 1",
    ];
    let all = support::permutations(3);
    let context = Context::new(3);
    for text in formulas {
        let formula = Formula::parse(text, &context).unwrap();
        let found = branches(&formula, 3, &all, 10_000).unwrap();
        let evaluator = Evaluator::new(&formula, &context, &all).unwrap();
        for p in positions(3, 4) {
            let any = found.iter().any(|b| holds(b, &p));
            assert_eq!(any, evaluator.holds(&p), "{text} at {p:?}");
        }
    }
}

#[test]
fn a_least_stack_needs_no_cases() {
    let context = Context::new(7);
    let formula = Formula::parse("a = min", &context).unwrap();
    assert_eq!(branches(&formula, 7, &[], 10).unwrap().len(), 1);
}

#[test]
fn what_is_not_linear_is_refused() {
    let context = Context::new(3);
    let xor = Formula::parse("xor(a,b,c) = 0", &context).unwrap();
    assert_eq!(branches(&xor, 3, &[], 10), Err(BranchError::Xor));
    let many = Formula::parse("a != b, b != c, a != c, a != 1, b != 1", &context).unwrap();
    assert_eq!(branches(&many, 3, &[], 10), Err(BranchError::TooMany(10)));
}
