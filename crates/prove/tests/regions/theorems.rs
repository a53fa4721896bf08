//! Theorems of the library: proved for all heights, and checked.

use super::common::{attempt, parse, proved};
use nimatron_prove::regions::{Failure, Unsupported, smt};

/// The formulas of a game in the library.
fn library(game: &str) -> Vec<String> {
    let text = include_str!("../../../../corpus/formula/theorems.txt");
    let mut cases: Vec<(String, String)> = Vec::new();
    for line in text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#')) {
        if line.starts_with(char::is_whitespace) {
            cases.last_mut().unwrap().1.push_str(line);
        } else {
            let parts: Vec<&str> = line.splitn(4, ';').map(str::trim).collect();
            cases.push((parts[0].to_string(), parts[3].to_string()));
        }
    }
    let found: Vec<String> = cases.into_iter().filter(|c| c.0 == game).map(|c| c.1).collect();
    assert!(!found.is_empty(), "{game}");
    found
}

fn all(games: &[&str]) {
    for game in games {
        for formula in library(game) {
            proved(game, &formula);
        }
    }
}

#[test]
fn circles_and_other_small_games() {
    all(&["CN(3,2)", "CN(4,2)", "CN(4,3)", "CN(4,4)", "CN(5,2)", "CN(5,3)", "CN(5,4)", "CN(6,3)"]);
}

#[test]
fn paths_and_necklaces() {
    all(&["PN(3,2)", "PN(4,2)", "PN(4,3)", "PN(5,3)", "PN(6,3)", "PN(6,4)", "PN(7,4)"]);
    all(&["NN(4,2)", "NN(5,3)", "NN(5,4)", "NN(6,4)", "H"]);
}

#[test]
fn slow_games_with_remainders() {
    all(&["Slow(3,{1,3})", "Slow(5,{1,3})", "Slow(4,{1,4})", "Slow(3,{1,2})"]);
}

#[test]
#[ignore = "seconds in the dev profile; the example `regions` prints their figures"]
fn larger_games() {
    all(&[
        "CN(7,3)",
        "CN(7,4)",
        "CN(8,3)",
        "CN(8,6)",
        "CN(9,4)",
        "NN(7,4)",
        "NN(8,4)",
        "Slow(4,{1,2})",
        "Slow(5,{1,2})",
    ]);
}

#[test]
fn misere_exact_and_variant_games() {
    proved("misere Nim(2)", "a+b = 1 or (a = b, a >= 2)");
    proved("misere CN(3,2)", "total = 1 or (a = b = c, a >= 2)");
    proved("misere PN(3,2)", "total = 1 or (b = 0, a = c, a >= 2)");
    proved("misere Slow(3,{1,3})", "odd(total)");
    proved("misere Exact(3,3)", "min = 1");
    proved("Exact(3,2)", "a = b = 0 or a = c = 0 or b = c = 0");
    proved("Slow(2,{2})", "even(min)");
    proved(
        "Nim(2) each>=2",
        "(a <= 1, b <= 1) or (a >= 2, a = b) or (a >= 2, a = b+1, even(b)) or (b >= 2, b = a+1, even(a))",
    );
    proved("Nim(2) any=2", "(a mod 4 <= 1, b mod 4 <= 1) or (a mod 4 >= 2, b mod 4 >= 2)");
    proved("Nim(1) + Nim(1)", "a = b");
}

#[test]
fn what_is_not_linear_is_refused() {
    let xor = attempt("Nim(3)", "xor(a,b,c) = 0").unwrap_err();
    assert!(matches!(xor, Failure::Unsupported(Unsupported::Branches(_))));
    let reduced = attempt("Slow(3,{2})", "reduced(total mod 4 = 0)").unwrap_err();
    assert!(matches!(reduced, Failure::Unsupported(_)));
}

#[test]
fn obligations_are_exported() {
    let (game, formula) =
        parse("misere CN(5,2)", "sym(b = e, a+b = c+d, a = max) or span(ac) or odd(b)");
    let files = smt(&game, &formula).unwrap();
    assert_eq!(files.len(), 7);
    for (name, text) in files {
        assert!(name.ends_with(".smt2") && text.starts_with("; expected: unsat\n"));
        let depth =
            text.lines().filter(|l| !l.starts_with(';')).flat_map(str::chars).fold(0i32, |d, c| {
                assert!(d >= 0);
                d + i32::from(c == '(') - i32::from(c == ')')
            });
        assert_eq!(depth, 0, "{name}");
    }
}
