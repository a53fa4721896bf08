//! Wrong formulas end in a counterexample; others that are equal are proved.

use super::common::{attempt, confirm, differs, limits, parse};
use nimatron_game::{Stop, Unlimited, Watch};
use nimatron_prove::regions::{Counterexample, Failure, Limits, Reason, prove};
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

#[test]
fn the_smallest_counterexample_comes_first() {
    let failure = attempt("Nim(2)", "a = b or (a = 3, b = 1)").unwrap_err();
    let Failure::Refuted(Counterexample::Claimed { position, take }) = failure else {
        panic!("{failure:?}");
    };
    assert_eq!((position.to_string(), take.to_string()), ("(3,1)".into(), "(2,0)".into()));
    let failure = attempt("Nim(2)", "a = b, a != 2").unwrap_err();
    let Failure::Refuted(Counterexample::Missed { position }) = failure else {
        panic!("{failure:?}");
    };
    assert_eq!(position.to_string(), "(2,2)");
}

#[test]
fn counterexamples_beyond_all_tables_are_found() {
    for formula in [
        "sym(b = e, a+b = c+d, a = max, a <= 1000)",
        "sym(b = e, a+b = c+d, a = max, c <= 100000)",
        "sym(b = e, a+b = c+d, a = max) or (a = 2000, b = 3001, c = 50, d = e = 7)",
    ] {
        let (game, set) = parse("CN(5,2)", formula);
        let Err(Failure::Refuted(example)) = attempt("CN(5,2)", formula) else {
            panic!("{formula}")
        };
        // Too tall to list all moves: what can be evaluated is.
        match &example {
            Counterexample::Claimed { .. } => confirm(&game, &set, &example),
            Counterexample::Missed { position } => {
                // It is a P-position of the true formula, so no move leads into its subset.
                let (_, truth) = parse("CN(5,2)", "sym(b = e, a+b = c+d, a = max)");
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
