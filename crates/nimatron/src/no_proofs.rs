//! Without the feature `prove` there are no proofs: values of these types do not exist, and what asks
//! for one is told so.

use nimatron_game::symmetry::Relabelling;
use nimatron_game::{Game, Height, Outcome, Take};
use std::sync::Arc;

/// A proof that is kept.
#[derive(Debug)]
pub enum Stored {}

/// A proof that the checker has accepted.
#[derive(Debug)]
pub enum Proved {}

/// Who wins from a position, and how.
#[derive(Debug)]
pub struct Answer {
    /// Who wins.
    pub outcome: Outcome,
    /// A move to a P-position.
    pub take: Option<Take>,
    /// Steps of games within games: none.
    pub(crate) steps: Vec<std::convert::Infallible>,
}

/// The kinds of proof.
#[derive(Debug)]
pub enum ProofKind {}

impl Stored {
    /// Never asked.
    pub fn proved(&self) -> &Proved {
        match *self {}
    }

    /// Never asked.
    pub fn source(&self) -> &str {
        match *self {}
    }

    /// Never asked.
    pub fn relabelling(&self) -> &Relabelling {
        match *self {}
    }

    /// Never asked.
    pub fn answer(&self, _: &[Height]) -> Option<Answer> {
        match *self {}
    }
}

impl Proved {
    /// Never asked.
    pub fn game(&self) -> &Game {
        match *self {}
    }

    /// Never asked.
    pub fn kind(&self) -> &ProofKind {
        match *self {}
    }

    /// Never asked.
    pub fn set(&self) -> Arc<str> {
        match *self {}
    }

    /// Never asked.
    pub(crate) fn telling(&self) -> Option<Arc<nimatron_formula::Formula>> {
        match *self {}
    }

    /// Never asked.
    pub(crate) fn why(&self, _: &[Height]) -> Vec<nimatron_theory::Reason> {
        match *self {}
    }

    /// Never asked.
    pub(crate) fn rule(&self, _: &[Height]) -> Vec<nimatron_theory::Reason> {
        match *self {}
    }
}

impl ProofKind {
    /// Never asked.
    pub fn as_str(&self) -> &'static str {
        match *self {}
    }
}
