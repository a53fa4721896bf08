//! The frame around every kind of certificate: reading, writing, and whom to ask.

use crate::automaton::{self, AutomatonProof};
use crate::matryoshka::{self, MatryoshkaProof};
use crate::regions::{self, RegionsProof};
use nimatron_game::Game;
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};

const FORMAT: &str = "nimatron-certificate";
const VERSION: u32 = 1;

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

    /// The certificate about an automaton with the further claim that a formula describes the same
    /// positions, or without any. Other proofs stay as they are.
    #[must_use]
    pub fn with_formula(mut self, formula: Option<String>) -> Self {
        if let Proof::Automaton(proof) = &mut self.proof {
            proof.formula = formula;
        }
        Certificate::new(self.game, self.proof)
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
    /// is part of what was checked.
    pub formula: Option<String>,
}

/// Which obligation failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Rejection {
    /// The file calls itself something else.
    #[error("the format is {found:?}, not {FORMAT:?}")]
    Format {
        /// What it calls itself.
        found: String,
    },
    /// Written for another version of the checker.
    #[error("the version is {found}, and only version {VERSION} is understood")]
    Version {
        /// The version it names.
        found: u32,
    },
    /// An obligation of the proof by an automaton.
    #[error(transparent)]
    Automaton(#[from] automaton::Failed),
    /// An obligation of the proof by regions.
    #[error(transparent)]
    Regions(#[from] regions::Flaw),
    /// An obligation of the proof by cells.
    #[error(transparent)]
    Matryoshka(#[from] matryoshka::Failed),
}

impl Rejection {
    /// The name of the obligation: a word that stays the same.
    pub fn obligation(&self) -> &'static str {
        match self {
            Rejection::Format { .. } => "format",
            Rejection::Version { .. } => "version",
            Rejection::Automaton(failed) => failed.obligation(),
            Rejection::Regions(flaw) => flaw.obligation,
            Rejection::Matryoshka(failed) => failed.obligation(),
        }
    }
}

/// Checks a certificate completely.
pub fn verify(certificate: &Certificate) -> Result<Accepted, Rejection> {
    if certificate.format != FORMAT {
        return Err(Rejection::Format { found: certificate.format.clone() });
    }
    if certificate.version != VERSION {
        return Err(Rejection::Version { found: certificate.version });
    }
    let game = certificate.game.clone();
    let (kind, set, formula) = match &certificate.proof {
        Proof::Automaton(proof) => {
            automaton::check(&game, proof)?;
            let set = format!("accepted by an automaton with {} states", proof.dfa.states());
            ("automaton", set, proof.formula.clone())
        }
        Proof::Regions(proof) => {
            regions::check(&game, proof)?;
            ("regions", proof.formula.clone(), Some(proof.formula.clone()))
        }
        Proof::Matryoshka(proof) => {
            let set = matryoshka::formula(&game, &matryoshka::check(&game, proof)?);
            ("matryoshka", set.clone(), Some(set))
        }
    };
    Ok(Accepted { game, kind, set, formula })
}
