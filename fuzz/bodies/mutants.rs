//! Certificates that are changed by structure, not by bytes: numbers, items of lists and whole subtrees.
//! Whatever the checker still accepts must be true of the table of a small box. Called with random choices
//! by the fuzzer and by the property tests of the crate that finds proofs.

#[path = "changes.rs"]
mod changes;

use changes::changed;
use nimatron_formula::{Context, Formula};
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Game, Height, Outcome};
use nimatron_meaning::Evaluator;
use nimatron_table::naive;
use nimatron_verify::{Accepted, Budget, Certificate, Proof, verify_within};

/// What became of a changed certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    /// It cannot even be read.
    Unreadable,
    /// An obligation failed.
    Rejected(&'static str),
    /// It was accepted, and its claim agrees with the table.
    True,
}

/// Changes a certificate as the bytes say, and compares what the checker accepts with a table.
///
/// # Panics
/// If a false claim is accepted.
pub(crate) fn check(certificate: &str, bytes: &[u8]) -> Fate {
    let text = changed(certificate, bytes);
    let Ok(certificate) = Certificate::read(text.as_bytes()) else { return Fate::Unreadable };
    let budget = Budget { steps: 1 << 26, bytes: 1 << 27 };
    match verify_within(&certificate, budget) {
        Err(rejection) => Fate::Rejected(rejection.obligation()),
        Ok(accepted) => {
            assert!(is_true(&certificate, &accepted), "accepted: {text}");
            Fate::True
        }
    }
}

/// Whether the claim agrees with the table of a small box.
fn is_true(certificate: &Certificate, accepted: &Accepted) -> bool {
    let game = &accepted.game;
    let max = [15, 15, 15, 7, 4, 3, 2][game.stacks().min(6)];
    if game.stacks() > 6 {
        return true;
    }
    let table = naive::outcomes(game, &vec![max; game.stacks()]).expect("a small box");
    let claimed = claim(certificate, accepted, game);
    table.iter().all(|(position, outcome)| claimed(&position) == (outcome == Outcome::P))
}

/// Whether a position is claimed to be P.
type Claim = dyn Fn(&[Height]) -> bool;

/// The set that is claimed, by its formula or its automaton.
fn claim(certificate: &Certificate, accepted: &Accepted, game: &Game) -> Box<Claim> {
    if let Some(text) = &accepted.formula {
        let context = Context::of_game(game);
        let formula = Formula::parse(text, &context).expect("what is accepted is a formula");
        let group: Vec<Vec<usize>> = match game.single() {
            Some(rule) => {
                let elements = Symmetry::of(rule).elements_up_to(5040).expect("a small group");
                elements.iter().map(|g| g.images().collect()).collect()
            }
            None => vec![(0..game.stacks()).collect()],
        };
        let set = Evaluator::new(&formula, &context, &group).expect("a small formula");
        return Box::new(move |heights| set.holds(heights));
    }
    let Proof::Automaton(proof) = &certificate.proof else { panic!("no formula") };
    let dfa = proof.dfa.clone();
    Box::new(move |heights| {
        let letters = (0..8).rev().map(|bit| {
            heights.iter().enumerate().fold(0, |all, (s, h)| all | (h >> bit & 1) << s) as usize
        });
        let end = letters.fold(dfa.initial, |q, letter| dfa.next[q as usize][letter]);
        dfa.accepting[end as usize]
    })
}
