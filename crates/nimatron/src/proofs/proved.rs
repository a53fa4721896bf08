//! Certificates that the checker has accepted.

use super::regions::Rules;
use nimatron_game::{Game, Height, Outcome, Take};
use nimatron_prove::automata::Automaton;
use nimatron_prove::matryoshka::Solution;
use nimatron_verify::{Certificate, Proof, Rejection, verify};

/// A proof that the checker has accepted, ready to answer questions about any position.
#[derive(Debug)]
pub struct Proved {
    certificate: Certificate,
    player: Player,
}

/// The kinds of proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// A formula, by linear arithmetic.
    Regions,
    /// Cells spanned by 0/1 vectors, by games within games.
    Matryoshka,
    /// A finite automaton that reads binary digits.
    Automaton,
}

impl Kind {
    /// The kind of a certificate; `None` if it is not known here.
    pub fn of(certificate: &Certificate) -> Option<Kind> {
        match certificate.proof {
            Proof::Regions(_) => Some(Kind::Regions),
            Proof::Matryoshka(_) => Some(Kind::Matryoshka),
            Proof::Automaton(_) => Some(Kind::Automaton),
            _ => None,
        }
    }

    /// Its name in certificates.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Regions => "regions",
            Kind::Matryoshka => "matryoshka",
            Kind::Automaton => "automaton",
        }
    }
}

/// Who answers for each kind.
#[derive(Debug)]
enum Player {
    Regions(Box<Rules>),
    Matryoshka(Box<Solution>),
    Automaton(Box<Automaton>),
}

/// Why a certificate does not count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAccepted {
    /// The checker rejects it.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// It was accepted, but no answers can be drawn from it.
    #[error("the certificate cannot be used to answer questions")]
    Unusable,
}

impl Proved {
    /// Checks a certificate completely.
    pub fn accept(certificate: Certificate) -> Result<Self, NotAccepted> {
        verify(&certificate)?;
        Proved::trusting(certificate).ok_or(NotAccepted::Unusable)
    }

    /// A certificate that has been accepted before.
    pub(crate) fn trusting(certificate: Certificate) -> Option<Self> {
        let player = match &certificate.proof {
            Proof::Regions(proof) => {
                Player::Regions(Box::new(Rules::new(&certificate.game, proof)?))
            }
            Proof::Matryoshka(_) => {
                Player::Matryoshka(Box::new(Solution::of_certificate(&certificate)?))
            }
            Proof::Automaton(_) => {
                Player::Automaton(Box::new(Automaton::of_certificate(&certificate)?))
            }
            _ => return None,
        };
        Some(Proved { certificate, player })
    }

    /// The game whose P-positions are known for all heights.
    pub fn game(&self) -> &Game {
        &self.certificate.game
    }

    /// The kind of proof.
    pub fn kind(&self) -> Kind {
        match self.player {
            Player::Regions(_) => Kind::Regions,
            Player::Matryoshka(_) => Kind::Matryoshka,
            Player::Automaton(_) => Kind::Automaton,
        }
    }

    /// The P-positions as a formula, if the proof gives one. The checker has verified it.
    pub fn formula(&self) -> Option<String> {
        match (&self.player, &self.certificate.proof) {
            (Player::Regions(rules), _) => Some(rules.formula().to_string()),
            (Player::Matryoshka(solution), _) => Some(solution.formula()),
            (_, Proof::Automaton(proof)) => proof.formula.clone(),
            _ => None,
        }
    }

    /// The P-positions in words.
    pub fn set(&self) -> String {
        match &self.player {
            Player::Automaton(automaton) => {
                format!("accepted by an automaton with {} states", automaton.dfa().states())
            }
            _ => self.formula().unwrap_or_default(),
        }
    }

    /// What the checker reads.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// The certificate as it is written to a file.
    pub fn text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        self.certificate.write(&mut text).expect("plain data always serialises");
        text
    }

    /// The games within games, if this is the kind of the proof.
    pub fn solution(&self) -> Option<&Solution> {
        match &self.player {
            Player::Matryoshka(solution) => Some(solution),
            _ => None,
        }
    }

    /// The automaton, if this is the kind of the proof.
    pub fn automaton(&self) -> Option<&Automaton> {
        match &self.player {
            Player::Automaton(automaton) => Some(automaton),
            _ => None,
        }
    }

    /// Who wins from a position, however tall.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn outcome(&self, heights: &[Height]) -> Outcome {
        match &self.player {
            Player::Regions(rules) => rules.outcome(heights),
            Player::Matryoshka(solution) => solution.outcome(heights),
            Player::Automaton(automaton) => automaton.outcome(heights),
        }
    }

    /// A move to a P-position; `None` from a P-position and where no move is left.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn winning_move(&self, heights: &[Height]) -> Option<Take> {
        match &self.player {
            Player::Regions(rules) => rules.winning_move(heights),
            Player::Matryoshka(solution) => solution.winning_move(heights),
            Player::Automaton(automaton) => automaton.winning_move(heights),
        }
    }
}
