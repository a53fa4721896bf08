//! The formulas of the corpus are the P-positions, on whole boxes.

#[path = "../../formula/tests/support/mod.rs"]
mod support;

use nimatron_formula::{Context, Formula};
use nimatron_meaning::Evaluator;
use support::{Naive, brute_force, family, positions, symmetries, theorems};

#[test]
fn formulas_are_the_p_positions() {
    for theorem in theorems() {
        let family = family(&theorem.game);
        let rule = family.rule();
        let context = Context::of_rule(&rule);
        let formula = match Formula::parse(&theorem.text, &context) {
            Ok(formula) => formula,
            Err(error) => panic!("{}: {} at {:?}", theorem.text, error, error.span()),
        };
        let symmetries = symmetries(&family);
        let evaluator = Evaluator::new(&formula, &context, &symmetries).unwrap();
        let naive = Naive { context, symmetries: &symmetries };
        let expected = brute_force(&rule, theorem.height);
        for (i, p) in positions(rule.stacks(), theorem.height).enumerate() {
            let holds = evaluator.holds(&p);
            assert_eq!(holds, expected[i], "{} {} at {p:?}", theorem.game, theorem.text);
            if i % 37 == 0 {
                assert_eq!(naive.holds(&formula, &p), holds, "{} at {p:?}", theorem.text);
            }
        }
        let mut lines = evaluator.lines();
        let length = theorem.height as usize + 1;
        for (i, prefix) in positions(rule.stacks() - 1, theorem.height).enumerate() {
            let line = &expected[i * length..(i + 1) * length];
            let line = line.iter().rev().fold(0, |word, &p| word << 1 | u64::from(p));
            let mut words = [0];
            lines.holds(&prefix, theorem.height, &mut words);
            assert_eq!(words, [line], "{} {} at {prefix:?}", theorem.game, theorem.text);
        }
    }
}
