//! Certificates that the checker has accepted.

use super::regions::Rules;
use nimatron_formula::{Context, Formula};
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Game, Height, Outcome, Take};
use nimatron_prove::automata::Automaton;
use nimatron_prove::matryoshka::{self, Step};
use nimatron_theory::Reason;
use nimatron_verify::automaton::AutomatonProof;
use nimatron_verify::matryoshka::MatryoshkaProof;
use nimatron_verify::{Budget, Certificate, Proof, Rejection, verify_within};
use std::sync::{Arc, OnceLock};

/// A proof that the checker has accepted, ready to answer questions about any position.
#[derive(Debug)]
pub struct Proved {
    certificate: Certificate,
    player: Player,
    /// The formula with the symmetries of the game, once somebody has asked for it.
    read: OnceLock<Option<Telling>>,
    /// The P-positions in words, once somebody has asked for them.
    set: OnceLock<Arc<str>>,
}

/// A formula, and the symmetries of the game by the images of the stacks.
type Telling = (Arc<Formula>, Vec<Vec<usize>>);

/// More symmetries than this are not gone through for an explanation.
const MOST_SYMMETRIES: usize = 1_000;

/// The kinds of proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ProofKind {
    /// A formula, by linear arithmetic.
    Regions,
    /// Cells spanned by 0/1 vectors, by games within games.
    Matryoshka,
    /// A finite automaton that reads binary digits.
    Automaton,
}

impl ProofKind {
    /// The kind of a certificate; `None` if it is not known here.
    pub fn of(certificate: &Certificate) -> Option<ProofKind> {
        match certificate.proof {
            Proof::Regions(_) => Some(ProofKind::Regions),
            Proof::Matryoshka(_) => Some(ProofKind::Matryoshka),
            Proof::Automaton(_) => Some(ProofKind::Automaton),
            _ => None,
        }
    }

    /// Its name in certificates.
    pub fn as_str(self) -> &'static str {
        match self {
            ProofKind::Regions => "regions",
            ProofKind::Matryoshka => "matryoshka",
            ProofKind::Automaton => "automaton",
        }
    }
}

/// Who answers for each kind.
#[derive(Debug)]
enum Player {
    Regions(Box<Rules>),
    Matryoshka(Box<matryoshka::Player>),
    Automaton(Box<Automaton>),
}

/// Who wins from a position, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// Who wins.
    pub outcome: Outcome,
    /// A move to a P-position, from an N-position. Under misere play there is none where no move is
    /// left.
    pub take: Option<Take>,
    /// The way through games within games, in the stacks of the certificate; empty for other proofs.
    pub steps: Vec<Step>,
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
        Proved::accept_within(certificate, Budget::default())
    }

    /// Checks a certificate completely, with this much work at most.
    pub fn accept_within(certificate: Certificate, budget: Budget) -> Result<Self, NotAccepted> {
        verify_within(&certificate, budget)?;
        Proved::trusting(certificate).ok_or(NotAccepted::Unusable)
    }

    /// A certificate that has been accepted before.
    pub(crate) fn trusting(certificate: Certificate) -> Option<Self> {
        let player = match &certificate.proof {
            Proof::Regions(proof) => {
                Player::Regions(Box::new(Rules::new(&certificate.game, proof)?))
            }
            Proof::Matryoshka(_) => {
                Player::Matryoshka(Box::new(matryoshka::Player::of_certificate(&certificate)?))
            }
            Proof::Automaton(_) => {
                Player::Automaton(Box::new(Automaton::of_certificate(&certificate)?))
            }
            _ => return None,
        };
        Some(Proved { certificate, player, read: OnceLock::new(), set: OnceLock::new() })
    }

    /// The game whose P-positions are known for all heights.
    pub fn game(&self) -> &Game {
        &self.certificate.game
    }

    /// The kind of proof.
    pub fn kind(&self) -> ProofKind {
        match self.player {
            Player::Regions(_) => ProofKind::Regions,
            Player::Matryoshka(_) => ProofKind::Matryoshka,
            Player::Automaton(_) => ProofKind::Automaton,
        }
    }

    /// The P-positions as a formula, if the proof gives one. The checker has verified it; it is
    /// written as it was read, not as it stands in the certificate.
    pub fn formula(&self) -> Option<String> {
        match (&self.player, &self.certificate.proof) {
            (Player::Regions(rules), _) => Some(rules.formula().to_string()),
            (_, Proof::Automaton(AutomatonProof { formula: Some(text), .. }))
            | (_, Proof::Matryoshka(MatryoshkaProof { formula: Some(text), .. })) => {
                let read = Formula::parse(text, &Context::of_game(self.game()));
                Some(read.ok()?.to_string())
            }
            (Player::Matryoshka(player), _) => player.formula(),
            _ => None,
        }
    }

    /// Whether the certificate describes an automaton, or what vectors span, by a formula besides.
    pub fn has_formula(&self) -> bool {
        match &self.certificate.proof {
            Proof::Automaton(proof) => proof.formula.is_some(),
            Proof::Matryoshka(proof) => proof.formula.is_some(),
            _ => false,
        }
    }

    /// The P-positions in words.
    pub fn set(&self) -> Arc<str> {
        let in_words = || match &self.player {
            Player::Automaton(automaton) => {
                format!("accepted by an automaton with {} states", automaton.dfa().states())
            }
            Player::Matryoshka(player) => player.formula().unwrap_or_default(),
            Player::Regions(_) => self.formula().unwrap_or_default(),
        };
        Arc::clone(self.set.get_or_init(|| in_words().into()))
    }

    /// The formula, where the P-positions are told by one, with the symmetries of the game. Games within games
    /// tell them by their vectors.
    fn read(&self) -> Option<&Telling> {
        let read = || {
            if self.kind() == ProofKind::Matryoshka {
                return None;
            }
            let formula = Formula::parse(&self.formula()?, &Context::of_game(self.game())).ok()?;
            let symmetry = Symmetry::of(self.game().single()?);
            let elements = symmetry.elements_up_to(MOST_SYMMETRIES)?;
            Some((Arc::new(formula), elements.iter().map(|g| g.images().collect()).collect()))
        };
        self.read.get_or_init(read).as_ref()
    }

    /// The formula by which the P-positions are told, in the stacks of the certificate.
    pub(crate) fn telling(&self) -> Option<Arc<Formula>> {
        self.read().map(|(formula, _)| Arc::clone(formula))
    }

    /// Why the formula holds at a P-position, in the stacks of the certificate.
    pub(crate) fn why(&self, heights: &[Height]) -> Vec<Reason> {
        let witness = self.read().and_then(|(formula, images)| formula.witness(heights, images));
        let told = |witness| Reason::Holds { case: None, witness, heights: heights.to_vec() };
        witness.map(told).into_iter().collect()
    }

    /// By which rule the move from an N-position is found, in the stacks of the certificate.
    pub(crate) fn rule(&self, heights: &[Height]) -> Vec<Reason> {
        self.rules().and_then(|rules| rules.told(heights)).into_iter().collect()
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

    /// The decision trees about games within games, if this is the kind of the proof. Their
    /// [`Step`]s tell the way to an answer.
    pub fn games(&self) -> Option<&matryoshka::Player> {
        match &self.player {
            Player::Matryoshka(player) => Some(player),
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

    /// The rules of a proof by regions.
    pub(super) fn rules(&self) -> Option<&Rules> {
        match &self.player {
            Player::Regions(rules) => Some(rules),
            _ => None,
        }
    }

    /// Who wins from a position, however tall, and how.
    ///
    /// What is told was tested at this position, whatever the kind of the proof: a P-position lies in
    /// the set that was checked; from an N-position the move is legal and leads into that set. `None`
    /// if no such answer was found. With a certificate that the checker accepts this does not happen;
    /// if it does, the proof is not to be used.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn answer(&self, heights: &[Height]) -> Option<Answer> {
        let (is_p, take): (_, Option<Take>) = match &self.player {
            // The cells are not searched: the vectors that make up what is left tell the cell.
            Player::Matryoshka(player) => {
                let matryoshka::Answer { outcome, take, steps, .. } = player.answer(heights)?;
                return Some(Answer { outcome, take, steps });
            }
            // The rules test their moves themselves, for of several images the first that wins counts.
            Player::Regions(rules) => match rules.winning_move(heights) {
                Some(take) => {
                    let take = Some(take);
                    return Some(Answer { outcome: Outcome::N, take, steps: Vec::new() });
                }
                None => (rules.holds(heights), None),
            },
            Player::Automaton(automaton) => match automaton.winning_move(heights) {
                None => (automaton.accepts(heights), None),
                take => (false, take),
            },
        };
        if is_p {
            return Some(Answer { outcome: Outcome::P, take: None, steps: Vec::new() });
        }
        let Some(take) = take else {
            // Under misere play who cannot move wins.
            let over = self.game().moves(heights).next().is_none();
            let outcome = self.game().convention().terminal();
            let answer = Answer { outcome, take: None, steps: Vec::new() };
            return (over && outcome == Outcome::N).then_some(answer);
        };
        if !self.game().is_legal(heights, &take) {
            return None;
        }
        let reached: Vec<Height> = heights.iter().zip(&*take).map(|(h, t)| h - t).collect();
        let wins = self.automaton().is_some_and(|automaton| automaton.accepts(&reached));
        wins.then_some(Answer { outcome: Outcome::N, take: Some(take), steps: Vec::new() })
    }
}
