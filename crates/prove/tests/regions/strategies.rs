//! Strategies: few rules, and moves that win at any height.

use super::common::{evaluator, parse, proved};
use nimatron_game::{Game, Height};
use nimatron_prove::regions::Strategy;

/// On a box and at random heights: no move exactly in S, else a legal move into S.
fn wins(game: &Game, set: &nimatron_meaning::Evaluator, strategy: &Strategy, heights: &[Height]) {
    match strategy.winning_move(heights) {
        None => assert!(set.holds(heights) || game.is_terminal(heights), "{heights:?}"),
        Some(take) => {
            assert!(!set.holds(heights), "{heights:?}");
            assert!(game.is_legal(heights, &take), "{heights:?} {take}");
            let option: Vec<Height> = heights.iter().zip(take.iter()).map(|(h, t)| h - t).collect();
            assert!(set.holds(&option), "{heights:?} {take}");
        }
    }
}

fn strategy(game: &str, formula: &str) -> Strategy {
    let proof = proved(game, formula);
    let (game, formula) = parse(game, formula);
    let set = evaluator(&game, &formula);
    let mut seed = 1u64;
    for round in 0..600 {
        let bits = [3, 10, 30, 62][round % 4];
        let heights: Vec<Height> = (0..game.stacks())
            .map(|_| {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (seed >> 1) >> (63 - bits)
            })
            .collect();
        wins(&game, &set, &proof.strategy, &heights);
    }
    proof.strategy
}

#[test]
fn strategies_win_and_are_short() {
    let circle = "sym(b = e, a+b = c+d, a = max)";
    assert_eq!(strategy("CN(5,2)", circle).len(), 2);
    assert_eq!(strategy("CN(6,3)", "a+b = d+e, b+c = e+f").len(), 1);
    assert_eq!(strategy("CN(6,3)", "span(ad, be, cf, ace, bdf)").len(), 1);
    assert!(strategy("H", "sym(a <= f, a+b+c = d+e+f, a = d+min(c,e))").len() <= 9);
    strategy("CN(5,3)", "sym(a = 0, b = e = c+d)");
    strategy(
        "PN(6,3)",
        "(b = c = 0, a = d+e+f) or (c = d = 0, a+b = e+f) or (d = e = 0, a+b+c = f)",
    );
    strategy("misere CN(3,2)", "total = 1 or (a = b = c, a >= 2)");
    strategy("Exact(3,2)", "a = b = 0 or a = c = 0 or b = c = 0");
    strategy("Slow(4,{1,4})", "even(total), even(min)");
    strategy("Slow(5,{1,3})", "even(total)");
    strategy("Slow(3,{1,2})", "odds mod 3 = 0");
}

#[test]
fn rules_are_written_out() {
    let strategy = proved("PN(3,2)", "b = 0, a = c").strategy;
    assert_eq!(strategy.to_string(), "if c >= a: play bc to c' = a, b' = 0\n");
}

/// What goes without saying is not said: helping numbers, heights that stay, bounds that are never the greatest, rules
/// that are images of others.
#[test]
fn rules_are_told_shortly() {
    let told = |game, formula| proved(game, formula).strategy.to_string();
    assert_eq!(
        told("Slow(3,{1})", "even(total)"),
        "if even(a+b+c): a P-position\nif odd(a+b+c), c >= 1: play c to c' = c-1\n"
    );
    assert_eq!(
        told("Slow(4,{1,2})", "odds = 0 or (odds = 3, even(min))"),
        "if even(a), even(b), even(c), even(d): a P-position\n\
         if even(a), even(b), even(c), odd(d): play d to d' = d-1\n\
         if even(a), even(b), odd(c), odd(d): play cd to c' = c-1, d' = d-1\n\
         if even(a), odd(b), odd(c), odd(d), d > a, c > a, b > a: a P-position\n\
         if odd(a), even(b), odd(c), odd(d), d >= a, c >= a, b > a: play ab to b' = b-1, a' = a-1\n\
         if odd(a), odd(b), odd(c), odd(d), d >= a, c >= a, b >= a: play a to a' = a-1\n"
    );
    // One rule for positions with three equal neighbours, and no height twice.
    let circle = told("CN(5,3)", "sym(a = 0, b = e = c+d)");
    assert!(!circle.contains("0 >=") && !circle.contains(">= 0"), "{circle}");
}
