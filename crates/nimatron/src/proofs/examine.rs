//! Checking a certificate on request.

use super::proved::Kind;
use nimatron_formula::{Context, Formula};
use nimatron_game::Game;
use nimatron_verify::automaton::{Failed, describes};
use nimatron_verify::{Certificate, Proof, ReadError, Rejection, verify};

/// What a certificate is expected to be about.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// This game, stack by stack.
    pub game: Option<Game>,
    /// This formula.
    pub formula: Option<Formula>,
}

/// What the checker says about a certificate.
#[derive(Debug)]
#[non_exhaustive]
pub struct Examination {
    /// The game it is about, if that could be read.
    pub game: Option<Game>,
    /// The kind of proof, if that could be read.
    pub kind: Option<Kind>,
    /// The P-positions as a formula, if the certificate was accepted and gives one, or else the one
    /// that was expected.
    pub formula: Option<String>,
    /// The P-positions in words, if the certificate was accepted.
    pub set: Option<String>,
    /// Why it was rejected, if it was.
    pub refusal: Option<Refusal>,
}

/// Why a certificate is rejected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(ReadError),
    /// An obligation failed.
    #[error(transparent)]
    Rejected(Rejection),
    /// It is about another game.
    #[error("it is about {claimed}, not about {expected}")]
    Game {
        /// The game of the certificate.
        claimed: Game,
        /// The game that was expected.
        expected: Game,
    },
    /// It describes the P-positions by another formula.
    #[error("it describes the P-positions otherwise: {claimed}")]
    Formula {
        /// The set of the certificate, in words.
        claimed: String,
    },
}

impl Refusal {
    /// The name of the obligation: a word that stays the same.
    pub fn obligation(&self) -> &'static str {
        match self {
            Refusal::Unreadable(_) => "format",
            Refusal::Rejected(rejection) => rejection.obligation(),
            Refusal::Game { .. } => "game",
            Refusal::Formula { .. } => "formula",
        }
    }
}

impl Examination {
    /// A text that is no certificate.
    pub fn unreadable(error: ReadError) -> Self {
        let refusal = Some(Refusal::Unreadable(error));
        Examination { game: None, kind: None, formula: None, set: None, refusal }
    }

    /// Checks a certificate, and that it is about what was expected.
    pub fn of(certificate: &Certificate, expected: &Expected) -> Self {
        let game = certificate.game.clone();
        let kind = Kind::of(certificate);
        let mut examination =
            Examination { game: Some(game.clone()), kind, formula: None, set: None, refusal: None };
        if let Some(expected) = expected.game.as_ref().filter(|e| !is_same(e, &game)) {
            let expected = expected.clone();
            examination.refusal = Some(Refusal::Game { claimed: game, expected });
            return examination;
        }
        match verify(certificate) {
            Err(rejection) => examination.refusal = Some(Refusal::Rejected(rejection)),
            Ok(accepted) => {
                let (set, mut formula) = (accepted.set, accepted.formula);
                if let Some(expected) = &expected.formula
                    && !formula.as_ref().is_some_and(|text| reads_as(text, &game, expected))
                {
                    if let Err(refusal) = says_the_same(certificate, expected, &set) {
                        examination.refusal = Some(refusal);
                        return examination;
                    }
                    formula = Some(expected.to_string());
                }
                examination.formula = formula;
                examination.set = Some(set);
            }
        }
        examination
    }
}

/// Whether two games have the same moves and the same end, whatever they are called.
fn is_same(a: &Game, b: &Game) -> bool {
    let sets = |game: &Game| -> Vec<_> {
        let summands = game.summands().iter();
        summands.map(|s| (s.rule().clone(), s.stacks())).collect::<Vec<_>>()
    };
    a == b || (a.convention() == b.convention() && sets(a) == sets(b))
}

/// Of automata the checker can tell whether another formula describes the same positions; for other
/// proofs a formula has to be the same, apart from the way it is written.
fn says_the_same(certificate: &Certificate, formula: &Formula, set: &str) -> Result<(), Refusal> {
    let other = Refusal::Formula { claimed: set.to_string() };
    let Proof::Automaton(proof) = &certificate.proof else { return Err(other) };
    describes(&certificate.game, &formula.to_string(), &proof.dfa).map_err(|failed| match failed {
        Failed::Formula { .. } => other,
        failed => Refusal::Rejected(failed.into()),
    })
}

/// Whether a text is this formula, apart from the way it is written.
fn reads_as(text: &str, game: &Game, formula: &Formula) -> bool {
    let read = Formula::parse(text, &Context::of_game(game));
    read.is_ok_and(|read| read.to_string() == formula.to_string())
}
