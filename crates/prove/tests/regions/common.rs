//! What the tests share.

use nimatron_formula::{Context, Formula};
use nimatron_game::{Game, Height, Outcome, Unlimited};
use nimatron_meaning::Evaluator;
use nimatron_prove::regions::{Failure, FormulaCounterexample, Limits, Proof, prove};
use nimatron_table::naive;
use nimatron_verify::verify;

pub(crate) fn parse(game: &str, formula: &str) -> (Game, Formula) {
    let game: Game = game.parse().expect(game);
    let formula = Formula::parse(formula, &Context::of_game(&game)).expect(formula);
    (game, formula)
}

/// Limits that keep the search for small counterexamples short.
pub(crate) fn limits() -> Limits {
    Limits { search: 20_000, ..Limits::default() }
}

pub(crate) fn attempt(game: &str, formula: &str) -> Result<Proof, Failure> {
    let (game, formula) = parse(game, formula);
    prove(&game, &formula, &Unlimited, &limits())
}

/// Proves, checks, and returns the proof.
pub(crate) fn proved(game: &str, formula: &str) -> Proof {
    let proof = attempt(game, formula).unwrap_or_else(|e| panic!("{game}: {formula}: {e:?}"));
    let accepted = verify(&proof.certificate).unwrap_or_else(|e| panic!("{game}: {e}"));
    assert_eq!(accepted.kind, "regions");
    proof
}

/// Whether the formula holds.
pub(crate) fn evaluator(game: &Game, formula: &Formula) -> Evaluator {
    let symmetries = nimatron_prove::regions::symmetries(game).unwrap();
    Evaluator::new(formula, &Context::of_game(game), &symmetries).unwrap()
}

/// Confirms a counterexample by rules and evaluation alone.
pub(crate) fn confirm(game: &Game, formula: &Formula, example: &FormulaCounterexample) {
    let set = evaluator(game, formula);
    match example {
        FormulaCounterexample::Claimed { position, take } => {
            assert!(set.holds(position), "{position}");
            let option = game.play(position.clone(), take).expect("a legal move");
            assert!(set.holds(&option), "{position} to {option}");
        }
        FormulaCounterexample::Missed { position } => {
            assert!(!set.holds(position), "{position}");
            for take in game.moves(position) {
                let option = position.after(&take).unwrap();
                assert!(!set.holds(&option), "{position} has a move to {option}");
            }
        }
        FormulaCounterexample::Terminal { position } => {
            assert!(set.holds(position) && game.is_terminal(position), "{position}");
        }
        other => panic!("{other:?}"),
    }
}

/// The outcomes in a box against the formula: the first position where they differ.
pub(crate) fn differs(game: &Game, formula: &Formula, max: Height) -> Option<Vec<Height>> {
    let table = naive::outcomes(game, &vec![max; game.stacks()]).unwrap();
    let set = evaluator(game, formula);
    let wrong = table.iter().find(|(p, outcome)| set.holds(p) != (*outcome == Outcome::P));
    wrong.map(|(p, _)| p.to_vec())
}
