//! What must hold for every text read as a formula. Called with random texts by the fuzzer and by the
//! property tests of the crate `meaning`.

use nimatron_formula::{Context, Formula, FormulaError, MAX_LENGTH};
use nimatron_game::{Family, Game, MAX_HEIGHT, Sizes};
use nimatron_meaning::Evaluator;

/// Reads `text` as a formula about several games, and evaluates it.
///
/// # Panics
/// If something that should hold does not.
pub(crate) fn check(text: &str) {
    let circle: Game = Game::new(Family::Circular { n: 5, k: 2 }).expect("a game");
    let slow = Game::new(Family::Slow { n: 4, sizes: Sizes::new([2, 3]) }).expect("a game");
    for game in [circle, slow] {
        let context = Context::of_game(&game);
        let formula = match Formula::parse(text, &context) {
            Ok(formula) => formula,
            Err(error) => {
                sound(text, &error, &context);
                continue;
            }
        };
        let written = formula.to_string();
        // What is written out in full may be longer than what may be typed.
        if written.len() <= MAX_LENGTH {
            assert_eq!(Formula::parse(&written, &context).as_ref(), Ok(&formula), "{written}");
        }
        assert!(!formula.to_latex().is_empty() || written.is_empty());
        let n = game.stacks();
        let rotations: Vec<Vec<usize>> =
            (0..n).map(|i| (0..n).map(|s| (s + i) % n).collect()).collect();
        let Ok(evaluator) = Evaluator::new(&formula, &context, &rotations) else { continue };
        for heights in [vec![0; n], (0..n as u64).collect(), vec![1; n], vec![7; n]] {
            evaluator.holds(&heights);
        }
        // Tall stacks take long only where a span has to be searched.
        if !written.contains("span") {
            evaluator.holds(&vec![MAX_HEIGHT; n]);
        }
    }
}

/// The error points into the text, is short, and its hint is of use.
fn sound(text: &str, error: &FormulaError, context: &Context) {
    assert!(text.get(error.span()).is_some(), "{:?}", error.span());
    let message = error.to_string();
    assert!(message.chars().count() <= 300 && !message.contains('\n'), "{message}");
    if let Some(hint) = error.hint() {
        let _ = Formula::parse(&hint, context);
        assert!(hint.chars().count() <= 1000, "{hint}");
    }
}
