//! The formulas of the corpus are read and written.

mod support;

use nimatron_formula::{Context, Formula};
use support::{family, theorems};

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
