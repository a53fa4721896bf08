//! What the atlas says about one game.

use crate::proofs::Size;
use nimatron_game::{Family, Game, Height};
use serde::{Deserialize, Serialize};

/// One game of the atlas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// A name that does not depend on the order of the stacks.
    pub id: String,
    /// The game.
    pub game: Game,
    /// What is left of it by reductions at positions without empty stacks, if that is another game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduced: Option<Game>,
    /// The theorems that cover it, or what is left of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub theorems: Vec<Cited>,
    /// The proof found without a formula.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofEntry>,
    /// Why the P-positions are not sums of 0/1 vectors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub obstruction: Option<Obstruction>,
    /// Why games within games found nothing, if no obstruction tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_within: Option<String>,
    /// How far the search for an automaton went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached: Option<Reached>,
}

impl Entry {
    /// Whether it is about a slow game.
    pub fn is_slow(&self) -> bool {
        matches!(self.game.summands(), [one] if matches!(one.family(), Family::Slow { .. }))
    }
}

/// A theorem of the library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cited {
    /// Its name in the library.
    pub id: String,
    /// Where it was proved.
    pub citation: String,
}

/// A proof that is kept in the atlas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofEntry {
    /// Its kind and size.
    pub size: Size,
    /// The bytes of the certificate.
    pub bytes: u64,
    /// Where the compressed certificate is.
    pub place: Place,
}

/// A part of the file of certificates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Where it begins.
    pub offset: u64,
    /// How many bytes it has.
    pub length: u64,
}

/// A P-position of which a multiple is an N-position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Obstruction {
    /// The P-position.
    pub position: Vec<Height>,
    /// The multiple.
    pub factor: Height,
}

/// How far a search went that found no automaton.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reached {
    /// All positions up to this height were computed.
    pub height: Height,
    /// The most states that these told apart.
    pub states: u64,
    /// Why the search ended.
    pub why: String,
}
