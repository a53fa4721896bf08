//! The formulas of the corpus are the P-positions, on whole boxes.

mod support;

use nimatron_formula::{Context, Evaluator, Formula};
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
        for (i, (p, expected)) in positions(rule.stacks(), theorem.height).zip(expected).enumerate()
        {
            let holds = evaluator.holds(&p);
            assert_eq!(holds, expected, "{} {} at {p:?}", theorem.game, theorem.text);
            if i % 37 == 0 {
                assert_eq!(naive.holds(&formula, &p), holds, "{} at {p:?}", theorem.text);
            }
        }
    }
}

#[test]
fn formulas_are_printed_as_they_are_read() {
    for theorem in theorems() {
        let context = Context::of_rule(&family(&theorem.game).rule());
        let formula = Formula::parse(&theorem.text, &context).unwrap();
        let printed = formula.to_string();
        assert_eq!(Formula::parse(&printed, &context).unwrap(), formula, "{printed}");
        let spaceless = |text: &str| text.replace(' ', "");
        if !theorem.text.contains("..") {
            assert_eq!(spaceless(&printed), spaceless(&theorem.text));
        }
    }
}
