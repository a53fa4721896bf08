//! Wrong formulas end in a counterexample; others that are equal are proved.

use super::common::{attempt, confirm, differs, limits, parse};
use nimatron_game::{Stop, Unlimited, Watch};
use nimatron_prove::regions::{Failure, FormulaCounterexample, Limits, Reason, prove};
use nimatron_verify::verify;

/// Each mutant is refuted with a confirmed counterexample, or proved and equal on a box.
fn judge(game: &str, formula: &str, max: u64) -> bool {
    let (rules, set) = parse(game, formula);
    match attempt(game, formula) {
        Ok(proof) => {
            verify(&proof.certificate).unwrap();
            assert_eq!(differs(&rules, &set, max), None, "{game}: {formula}");
            true
        }
        Err(Failure::Refuted(example)) => {
            confirm(&rules, &set, &example);
            false
        }
        Err(other) => panic!("{game}: {formula}: {other:?}"),
    }
}

#[test]
fn mutants_are_refuted_or_proved_equal() {
    let mut proved = 0;
    let mut refuted = 0;
    for (game, max, mutants) in [
        (
            "CN(5,2)",
            4,
            vec![
                "sym(b = e, a+b = c+d, a >= max-1)",
                "sym(b = e, a+b = c+d+1, a = max)",
                "sym(b = d, a+b = c+e, a = max)",
                "sym(b = e, a+b = c+d)",
                "sym(b = e, a = max)",
                "sym(b = e, a+b = c+d, a > max-1)",
                "sym(b = e, a+b <= c+d, a = max)",
                "sym(b = e, a+b = c+d, a = max, a > 0)",
                "b = e, a+b = c+d, a = max",
                "sym(b = e, a+b = c+d, a >= c, a >= d)",
            ],
        ),
        (
            "CN(5,3)",
            4,
            vec![
                "sym(a = 0, b = e = c+d)",
                "sym(a <= 1, b = e = c+d)",
                "sym(a = 0, b = c+d)",
                "sym(b = e = c+d)",
                "sym(a = 0, b = e >= c+d)",
            ],
        ),
        (
            "CN(6,3)",
            3,
            vec![
                "a+b = d+e",
                "a+b = d+e, b+c = e+f, c+d = f+a",
                "a+b = d+e, b+c = f+a",
                "span(ad, be, cf, ace)",
                "span(ad, be, cf, ace, bdf, abcdef)",
                "a+b = d+e, b+c = e+f, a < 1000",
            ],
        ),
        (
            "H",
            3,
            vec![
                "sym(a <= f, a+b+c = d+e+f, a = d+min(c,e))",
                "sym(a < f, a+b+c = d+e+f, a = d+min(c,e))",
                "sym(a+b+c = d+e+f, a = d+min(c,e))",
                "sym(a <= f, a+b+c = d+e+f, a = d+max(c,e))",
                "sym(a <= f, a+b+c = d+e+f, a = d+c)",
                "a+b+c = d+e+f, min(a,f) = min(b+c, c+d)",
            ],
        ),
        (
            "PN(5,3)",
            4,
            vec![
                "(b = c = 0, a = d+e) or (c = d = 0, a+b = e)",
                "(b = c = 0, a = d+e) or (c = 0, a+b = e)",
                "(b = c = 0, a = d+e)",
                "sym(b = c = 0, a = d+e)",
            ],
        ),
        (
            "Slow(3,{1,3})",
            6,
            vec!["even(total)", "odd(total)", "even(total), even(a)", "total mod 4 = 0"],
        ),
        (
            "misere Nim(2)",
            8,
            vec!["a = b", "a+b = 1 or (a = b, a >= 2)", "a+b = 1 or (a = b, a >= 1)"],
        ),
        (
            "Nim(2)",
            8,
            vec!["a = b", "a = b or a+b = 1", "true", "false", "a <= b", "a = b, a < 500"],
        ),
    ] {
        for mutant in mutants {
            match judge(game, mutant, max) {
                true => proved += 1,
                false => refuted += 1,
            }
        }
    }
    assert!(proved >= 10 && refuted >= 25, "{proved} proved, {refuted} refuted");
}

/// Every formula that arises from a theorem by one small change: a relation, a stack or a number
/// replaced, a condition dropped.
fn changed(formula: &str, stacks: usize) -> Vec<String> {
    let mut found = Vec::new();
    let bytes: Vec<char> = formula.chars().collect();
    let mut replace = |at: usize, length: usize, by: String| {
        let (head, tail) = (&bytes[..at], &bytes[at + length..]);
        found.push(head.iter().collect::<String>() + &by + &tail.iter().collect::<String>());
    };
    let letter = |c: char| c.is_ascii_lowercase();
    for (i, &c) in bytes.iter().enumerate() {
        let alone = |c: Option<&char>| c.is_none_or(|&c| !letter(c) && c != '(');
        let before = i.checked_sub(1).and_then(|j| bytes.get(j));
        let single = before.is_none_or(|&c| !letter(c)) && alone(bytes.get(i + 1));
        match c {
            '=' if before != Some(&'<') => {
                replace(i, 1, "<=".into());
                replace(i, 1, ">=".into());
            }
            '<' if bytes.get(i + 1) == Some(&'=') => replace(i, 2, "<".into()),
            '<' => replace(i, 1, "<=".into()),
            '0' => replace(i, 1, "1".into()),
            c if letter(c) && single => {
                let next = (c as u8 - b'a' + 1) % stacks as u8;
                replace(i, 1, char::from(b'a' + next).to_string());
            }
            ',' => {
                // The condition up to the next comma or parenthesis is dropped.
                let end = bytes[i + 1..].iter().position(|&c| c == ',' || c == ')' || c == '(');
                if let Some(end) = end.filter(|&e| bytes[i + 1 + e] != '(') {
                    replace(i, end + 1, String::new());
                }
            }
            _ => {}
        }
    }
    found
}

#[test]
fn small_changes_to_the_theorems_are_refuted_or_proved_equal() {
    let (mut proved, mut refuted, mut undecided) = (0, 0, Vec::new());
    for (game, max, formula) in [
        ("CN(4,2)", 5, "a = c, b = d"),
        ("CN(5,2)", 4, "sym(b = e, a+b = c+d, a = max)"),
        ("CN(5,3)", 4, "sym(a = 0, b = e, b = c+d)"),
        ("CN(6,3)", 3, "a+b = d+e, b+c = e+f"),
        ("PN(5,3)", 4, "(b = c = 0, a = d+e) or (c = d = 0, a+b = e)"),
        ("NN(5,3)", 4, "a = c+d, e = b+c"),
        ("H", 3, "sym(a <= f, a+b+c = d+e+f, a = d+min(c,e))"),
    ] {
        let (rules, _) = parse(game, formula);
        for mutant in changed(formula, rules.stacks()) {
            let (_, set) = parse(game, &mutant);
            match attempt(game, &mutant) {
                Ok(proof) => {
                    verify(&proof.certificate).unwrap();
                    assert_eq!(differs(&rules, &set, max), None, "{game}: {mutant}");
                    proved += 1;
                }
                Err(Failure::Refuted(example)) => {
                    confirm(&rules, &set, &example);
                    refuted += 1;
                }
                Err(Failure::Undecided(_)) => {
                    // Whoever differs from the oracle must be refuted.
                    assert_eq!(differs(&rules, &set, max), None, "{game}: {mutant}");
                    undecided.push(mutant);
                }
                Err(other) => panic!("{game}: {mutant}: {other:?}"),
            }
        }
    }
    assert!(proved + refuted >= 100, "{proved} proved, {refuted} refuted");
    assert!(undecided.is_empty(), "{undecided:?}");
}

#[test]
fn the_smallest_counterexample_comes_first() {
    let failure = attempt("Nim(2)", "a = b or (a = 3, b = 1)").unwrap_err();
    let Failure::Refuted(FormulaCounterexample::Claimed { position, take }) = failure else {
        panic!("{failure:?}");
    };
    assert_eq!((position.to_string(), take.to_string()), ("(3,1)".into(), "(2,0)".into()));
    let failure = attempt("Nim(2)", "a = b, a != 2").unwrap_err();
    let Failure::Refuted(FormulaCounterexample::Missed { position }) = failure else {
        panic!("{failure:?}");
    };
    assert_eq!(position.to_string(), "(2,2)");
}

#[test]
fn counterexamples_beyond_all_tables_are_found() {
    let circle = "sym(b = e, a+b = c+d, a = max)";
    let path = "(b = c = 0, a = d+e) or (c = d = 0, a+b = e)";
    for (name, truth, formula) in [
        ("CN(5,2)", circle, "sym(b = e, a+b = c+d, a = max, a <= 1000)"),
        ("CN(5,2)", circle, "sym(b = e, a+b = c+d, a = max, c <= 100000)"),
        (
            "CN(5,2)",
            circle,
            "sym(b = e, a+b = c+d, a = max) or (a = 2000, b = 3001, c = 50, d = e = 7)",
        ),
        ("PN(5,3)", path, "(b = c = 0, a = d+e < 2000) or (c = d = 0, a+b = e)"),
        ("CN(6,3)", "a+b = d+e, b+c = e+f", "a+b = d+e, b+c = e+f, total <= 5000"),
    ] {
        let (game, set) = parse(name, formula);
        let Err(Failure::Refuted(example)) = attempt(name, formula) else { panic!("{formula}") };
        // Too tall to list all moves: what can be evaluated is.
        match &example {
            FormulaCounterexample::Claimed { .. } => confirm(&game, &set, &example),
            FormulaCounterexample::Missed { position } => {
                // It is a P-position of the true formula, so no move leads into its subset.
                let (_, truth) = parse(name, truth);
                assert!(super::common::evaluator(&game, &truth).holds(position));
                assert!(!super::common::evaluator(&game, &set).holds(position));
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Stops after so many checks.
struct Patience(std::sync::atomic::AtomicU64);

impl Watch for Patience {
    fn check(&self, _: u64) -> Result<(), Stop> {
        match self.0.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) {
            0 => Err(Stop::Time),
            _ => Ok(()),
        }
    }
}

#[test]
fn limits_leave_it_undecided() {
    let (game, formula) = parse("H", "sym(a <= f, a+b+c = d+e+f, a = d+min(c,e))");
    let search = Limits { search: 0, ..limits() };
    for patience in [1, 20] {
        let watch = Patience(patience.into());
        let failure = prove(&game, &formula, &watch, &search).unwrap_err();
        assert_eq!(failure, Failure::Undecided(Reason::Stopped(Stop::Time)));
    }
    let few = Limits { nodes: 3, search: 0 };
    let failure = prove(&game, &formula, &Unlimited, &few).unwrap_err();
    assert_eq!(failure, Failure::Undecided(Reason::Nodes(3)));
}
