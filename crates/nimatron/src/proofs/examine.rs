//! Checking a certificate on request.

use super::differing::Differing;
use super::prove::{Judgement, ProveMethod, prove};
use super::proved::{ProofKind, Proved};
use crate::limits::Limits;
use nimatron_formula::{Context, Formula};
use nimatron_game::{Game, Position};
use nimatron_prove::matryoshka::converted;
use nimatron_verify::{
    Budget, Certificate, MAX_BYTES, Proof, ReadError, Rejection, automaton, matryoshka,
    verify_within,
};
use std::io::Read;

/// What a certificate is expected to be about.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// This game, stack by stack.
    pub game: Option<Game>,
    /// This formula.
    pub formula: Option<Formula>,
    /// The work that checking may take.
    pub budget: Budget,
}

/// Reads a certificate of any version, which says nothing yet about its truth. One of version 1 by games
/// within games becomes one of version 3.
pub fn read_certificate(from: impl Read) -> Result<Certificate, ReadError> {
    read_certificate_within(from, Budget::default())
}

/// The same, where converting a certificate of version 1 may take a part of this budget.
pub fn read_certificate_within(from: impl Read, budget: Budget) -> Result<Certificate, ReadError> {
    let mut text = Vec::new();
    from.take(MAX_BYTES + 1).read_to_end(&mut text)?;
    Certificate::read(&text[..]).or_else(|error| converted(&text, budget).ok_or(error))
}

/// What the checker says about a certificate.
#[derive(Debug)]
#[non_exhaustive]
pub struct Examination {
    /// The game it is about, if that could be read.
    pub game: Option<Game>,
    /// The kind of proof, if that could be read.
    pub kind: Option<ProofKind>,
    /// The P-positions as a formula, if the certificate was accepted and gives one, or else the one
    /// that was expected.
    pub formula: Option<String>,
    /// The P-positions in words, if the certificate was accepted.
    pub set: Option<String>,
    /// Why it was rejected, if it was.
    pub refusal: Option<Refusal>,
    /// The certificate, if it was accepted.
    accepted: Option<Certificate>,
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
    /// It describes the P-positions by another formula, and whether the two say the same was not decided.
    #[error("it describes the P-positions otherwise: {claimed}")]
    Formula {
        /// The set of the certificate, in words.
        claimed: String,
    },
    /// It describes other positions than the formula that was expected.
    #[error("{}; it describes the P-positions otherwise: {claimed}", differing(.position, .is_p))]
    Differs {
        /// A position at which they differ.
        position: Position,
        /// Whether it is a P-position by the certificate.
        is_p: bool,
        /// The set of the certificate, in words.
        claimed: String,
    },
}

fn differing(position: &Position, is_p: &bool) -> String {
    let (holds, outcome) = if *is_p { ("fails", 'P') } else { ("holds", 'N') };
    format!("the formula {holds} at {position}, which is {outcome} by the certificate")
}

impl Refusal {
    /// The name of the obligation: a word that stays the same.
    pub fn obligation(&self) -> &'static str {
        match self {
            Refusal::Unreadable(_) => "format",
            Refusal::Rejected(rejection) => rejection.obligation(),
            Refusal::Game { .. } => "game",
            Refusal::Formula { .. } | Refusal::Differs { .. } => "formula",
        }
    }
}

impl Examination {
    /// A text that is no certificate.
    pub fn unreadable(error: ReadError) -> Self {
        let refusal = Some(Refusal::Unreadable(error));
        Examination { game: None, kind: None, formula: None, set: None, refusal, accepted: None }
    }

    /// Checks a certificate, and that it is about what was expected.
    pub fn of(certificate: &Certificate, expected: &Expected) -> Self {
        let game = certificate.game.clone();
        let kind = ProofKind::of(certificate);
        let mut examination = Examination {
            game: Some(game.clone()),
            kind,
            formula: None,
            set: None,
            refusal: None,
            accepted: None,
        };
        if let Some(expected) = expected.game.as_ref().filter(|e| !is_same(e, &game)) {
            let expected = expected.clone();
            examination.refusal = Some(Refusal::Game { claimed: game, expected });
            return examination;
        }
        match verify_within(certificate, expected.budget) {
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
                examination.accepted = Some(certificate.clone());
            }
        }
        examination
    }

    /// The certificate, if it was accepted.
    pub fn accepted(&self) -> Option<&Certificate> {
        self.accepted.as_ref()
    }

    /// The proof, ready to answer, if the certificate was accepted: it is not checked once more.
    pub fn proved(&self) -> Option<Proved> {
        Proved::trusting(self.accepted.clone()?)
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

/// Whether another formula describes the positions of an accepted certificate. Of automata and of cells the
/// checker can tell. Otherwise positions of a box are compared; and if these agree, the formula has to be
/// proved by itself. A refusal tells a position wherever one is known.
fn says_the_same(certificate: &Certificate, formula: &Formula, set: &str) -> Result<(), Refusal> {
    let (game, text) = (&certificate.game, formula.to_string());
    let claimed = || set.to_string();
    let described = match &certificate.proof {
        Proof::Automaton(proof) => Some(automaton::describes(game, &text, &proof.dfa)),
        Proof::Matryoshka(proof) => Some(matryoshka::describes(game, proof, &text)),
        _ => None,
    };
    let failed = match described {
        Some(Ok(_)) => return Ok(()),
        Some(Err(failed)) => Some(failed),
        None => None,
    };
    let differs = |(is_p, position)| Refusal::Differs { position, is_p, claimed: claimed() };
    let differing = Differing::new(certificate, formula);
    // Of two positions a small one is easier to look at than the one that the checker met.
    let met = failed.as_ref().and_then(Rejection::differs);
    let met = met.map(|(is_p, position)| (is_p, position.clone()));
    let small = differing.as_ref().and_then(Differing::small).or(met);
    if let Some(found) = small.or_else(|| differing.as_ref()?.by_systems()) {
        return Err(differs(found));
    }
    let limits = Limits::default().time(None).looks(FOR_PROOF);
    match prove(game, formula, ProveMethod::Auto, &limits).judgement {
        Judgement::Proved(_) => return Ok(()),
        Judgement::Refuted(refutation) => {
            if let Some(found) = differing.and_then(|d| d.by_refutation(&refutation)) {
                return Err(differs(found));
            }
        }
        Judgement::Undecided(_) => {}
    }
    Err(match failed.filter(|failed| failed.obligation() == "limit") {
        Some(failed) => Refusal::Rejected(failed),
        None => Refusal::Formula { claimed: claimed() },
    })
}

/// The looks at the limits to prove a formula that is said to describe what a certificate proves.
const FOR_PROOF: u64 = 1_000_000;

/// Whether a text is this formula, apart from the way it is written.
fn reads_as(text: &str, game: &Game, formula: &Formula) -> bool {
    let read = Formula::parse(text, &Context::of_game(game));
    read.is_ok_and(|read| read.to_string() == formula.to_string())
}
