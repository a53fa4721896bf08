//! Checking what the atlas claims.

use super::{Atlas, AtlasError, Cited, Entry, Obstruction};
use crate::ask::{Options, Prepared};
use crate::knowledge::Knowledge;
use crate::limits::Limits;
use crate::proofs::{Examination, Expected, Refusal};
use crate::subgames::Subgame;
use crate::verdict::By;
use nimatron_game::{Outcome, Position, StackSet};

/// What is wrong with an entry.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// Its certificate cannot be read.
    #[error(transparent)]
    Unreadable(#[from] AtlasError),
    /// Its certificate is not accepted, or is about another game.
    #[error("the certificate is rejected: {0}")]
    Rejected(Refusal),
    /// The library does not cover the game by the theorems named.
    #[error("the theorem library does not say what the entry says")]
    Theorems,
    /// What should be a P-position with an N-position as multiple is not.
    #[error("the obstruction is none")]
    Obstruction,
    /// The outcomes at the obstruction could not be computed within the limits.
    #[error("the obstruction was not settled within the limits")]
    Unsettled,
}

impl Atlas {
    /// Checks all that an entry claims and that can be checked: that the theorem library covers the
    /// game as it says, that the certificate is about this game and is accepted, and that the
    /// obstruction is one. How far a search went is not repeated.
    pub fn audit(&self, entry: &Entry, limits: &Limits) -> Result<(), Flaw> {
        if theorems(entry) != entry.theorems {
            return Err(Flaw::Theorems);
        }
        if let Some(certificate) = self.certificate(entry)? {
            let expected = Expected { game: Some(entry.game.clone()), ..Expected::default() };
            if let Some(refusal) = Examination::of(&certificate, &expected).refusal {
                return Err(Flaw::Rejected(refusal));
            }
        }
        entry.obstruction.as_ref().map_or(Ok(()), |o| obstructs(entry, o, limits))
    }
}

/// The theorems that cover a game or what is left of it by reductions.
pub(super) fn theorems(entry: &Entry) -> Vec<Cited> {
    let subgame = Subgame::of(&entry.game, StackSet::EMPTY, &Knowledge::theorems());
    let by = subgame.solved.as_ref().map_or(Vec::new(), |solved| solved.by());
    let cited = by.into_iter().filter_map(|by| match by {
        By::Theorem { id, citation, .. } => {
            Some(Cited { id: id.to_string(), citation: citation.to_string() })
        }
        _ => None,
    });
    let mut cited: Vec<Cited> = cited.collect();
    cited.dedup();
    cited
}

/// Whether the position is P and its multiple N, by computing.
fn obstructs(entry: &Entry, obstruction: &Obstruction, limits: &Limits) -> Result<(), Flaw> {
    let game = Prepared::knowing(entry.game.clone(), Knowledge::theorems());
    let outcome = |factor: u64| {
        let heights = obstruction.position.iter().map(|h| h.checked_mul(factor));
        let heights = heights.collect::<Option<Vec<_>>>().ok_or(Flaw::Obstruction)?;
        let position = Position::new(heights).map_err(|_| Flaw::Obstruction)?;
        let options = Options::default().limits(limits.clone());
        let verdict = game.ask(&position, &options).map_err(|_| Flaw::Obstruction)?;
        verdict.outcome.ok_or(Flaw::Unsettled)
    };
    match (outcome(1)?, outcome(obstruction.factor)?) {
        (Outcome::P, Outcome::N) => Ok(()),
        _ => Err(Flaw::Obstruction),
    }
}
