//! The frame around every kind of certificate: reading, writing, and whom to ask.

use crate::automaton::{self, AutomatonProof};
use crate::flaw::{Budget, Rejection, require};
use crate::matryoshka::{self, MatryoshkaProof};
use crate::regions::{self, RegionsProof};
use nimatron_game::Game;
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};

const FORMAT: &str = "nimatron-certificate";
const VERSION: u32 = 3;

/// The version of the checker. It changes whenever what is accepted may change, so that nothing is taken
/// to be accepted that an older checker looked at.
pub const CHECKER: &str = concat!(env!("CARGO_PKG_VERSION"), " checker 6");

/// The longest certificate that is read, in bytes.
pub const MAX_BYTES: u64 = 1 << 28;

/// A claim about all P-positions of a game, and what is needed to check it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    format: String,
    version: u32,
    /// The game, with its play convention.
    pub game: Game,
    /// The set, and why it is the set of P-positions.
    pub proof: Proof,
}

/// The kinds of proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Proof {
    /// S is given by an automaton that reads binary digits.
    Automaton(AutomatonProof),
    /// S is given by a formula, and the proof is linear arithmetic.
    Regions(Box<RegionsProof>),
    /// S is a union of cells spanned by 0/1 vectors.
    Matryoshka(MatryoshkaProof),
}

impl Certificate {
    /// A certificate in the current format.
    pub fn new(game: Game, proof: Proof) -> Self {
        Certificate { format: FORMAT.to_string(), version: VERSION, game, proof }
    }

    /// The certificate about an automaton or about cells with the further claim that a formula describes
    /// the same positions, or without any. Other proofs stay as they are.
    #[must_use]
    pub fn with_formula(mut self, formula: Option<String>) -> Self {
        match &mut self.proof {
            Proof::Automaton(proof) => proof.formula = formula,
            Proof::Matryoshka(proof) => proof.formula = formula,
            Proof::Regions(_) => {}
        }
        Certificate::new(self.game, self.proof)
    }

    /// The formula that it holds, as it is typed.
    pub fn formula(&self) -> Option<&str> {
        match &self.proof {
            Proof::Automaton(proof) => proof.formula.as_deref(),
            Proof::Matryoshka(proof) => proof.formula.as_deref(),
            Proof::Regions(proof) => Some(&proof.formula),
        }
    }

    /// That it is of a format and version that are checked here.
    pub fn understood(&self) -> Result<(), Rejection> {
        let Certificate { format, version, .. } = self;
        let message = || format!("the format is {format:?}, not {FORMAT:?}");
        require(format == FORMAT, "format", message)?;
        let older = *version == 1 && !matches!(self.proof, Proof::Matryoshka(_));
        let message =
            || format!("the version is {version}, and only version {VERSION} is understood");
        require(*version == VERSION || older, "version", message)
    }

    /// Reads a certificate, which says nothing yet about its truth.
    pub fn read(from: impl Read) -> Result<Self, ReadError> {
        let mut text = Vec::new();
        from.take(MAX_BYTES + 1).read_to_end(&mut text)?;
        if text.len() as u64 > MAX_BYTES {
            return Err(ReadError::TooLong);
        }
        Ok(serde_json::from_slice(&text)?)
    }

    /// Writes the certificate as JSON.
    pub fn write(&self, mut to: impl Write) -> Result<(), ReadError> {
        serde_json::to_writer(&mut to, self)?;
        Ok(to.write_all(b"\n")?)
    }
}

/// Why a certificate could not be read or written at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Reading or writing failed.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// Not the text of a certificate.
    #[error("not a certificate: {0}")]
    Json(#[from] serde_json::Error),
    /// Longer than [`MAX_BYTES`].
    #[error("longer than {MAX_BYTES} bytes")]
    TooLong,
}

/// What was proved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Accepted {
    /// The game whose P-positions are known for all heights.
    pub game: Game,
    /// The kind of proof: its name in the certificate.
    pub kind: &'static str,
    /// The set of P-positions in words.
    pub set: String,
    /// A formula that holds at the P-positions and nowhere else, if the proof gives one. That it does
    /// is part of what was checked; it is written from what was read, whatever the text of the
    /// certificate looks like.
    pub formula: Option<String>,
}

/// Checks a certificate completely, with the usual [`Budget`].
pub fn verify(certificate: &Certificate) -> Result<Accepted, Rejection> {
    verify_within(certificate, Budget::default())
}

/// Checks a certificate completely. One that takes more than the budget is rejected.
pub fn verify_within(certificate: &Certificate, mut budget: Budget) -> Result<Accepted, Rejection> {
    certificate.understood()?;
    let game = certificate.game.clone();
    let (kind, set, formula) = match &certificate.proof {
        Proof::Automaton(proof) => {
            let formula = automaton::check(&game, proof, &mut budget)?;
            let set = format!("accepted by an automaton with {} states", proof.dfa.states());
            ("automaton", set, formula.map(|formula| formula.to_string()))
        }
        Proof::Regions(proof) => {
            let formula = regions::check(&game, proof, &mut budget)?.to_string();
            ("regions", formula.clone(), Some(formula))
        }
        Proof::Matryoshka(proof) => {
            let (set, formula) = matryoshka::check(&game, proof, &mut budget)?;
            let formula = formula.map_or_else(|| set.clone(), |formula| formula.to_string());
            ("matryoshka", set, Some(formula))
        }
    };
    Ok(Accepted { game, kind, set, formula })
}
