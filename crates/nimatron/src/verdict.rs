//! The answer to a question, as data.

use crate::open::Open;
use crate::proofs::Stored;
use nimatron_formula::Formula;
use nimatron_game::symmetry::Relabelling;
use nimatron_game::{Game, Outcome, Position, Stop, Take};
use nimatron_reduce::{State, Step};
use nimatron_theory::{Label, PartialTheorem, Recognition};
use std::ops::Range;
use std::sync::Arc;

/// Who wins, how, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// The game asked about.
    pub game: Game,
    /// The position asked about.
    pub position: Position,
    /// The outcome, or `None` if it was not decided; then `unknown` says why.
    pub outcome: Option<Outcome>,
    /// The Grundy value, where it became known (normal play).
    pub grundy: Option<u64>,
    /// Who answered.
    pub by: Option<By>,
    /// Winning moves. An N-position has at least one here; a P-position has none.
    pub moves: Vec<WinningMove>,
    /// How many winning moves there are, where it is known.
    pub moves_total: Option<u128>,
    /// How the answer was found, in order.
    pub reasons: Vec<Reason>,
    /// What stopped the work, if something did.
    pub unknown: Option<Unknown>,
    /// What is open, if nothing decided the outcome and no theorem covers the game.
    pub open: Option<Open>,
    /// What is conjectured, if nothing decided the outcome.
    pub conjecture: Option<Conjecture>,
}

impl Verdict {
    /// Whether winning moves may exist that are not listed.
    pub fn is_truncated(&self) -> bool {
        match self.outcome {
            Some(Outcome::N) => self.moves_total != Some(self.moves.len() as u128),
            _ => false,
        }
    }
}

/// What is conjectured about a position. It may be wrong, and nothing rests on it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conjecture {
    /// What is conjectured of all such games.
    pub statement: &'static str,
    /// The outcome, if that is true.
    pub outcome: Outcome,
    /// A move that then wins; `None` if the position would be a P-position.
    pub winning: Option<WinningMove>,
    /// How the conjecture comes to this, in order.
    pub reasons: Vec<Reason>,
}

/// A move that wins: it leads to a P-position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinningMove {
    /// The tokens taken.
    pub take: Take,
    /// The position reached.
    pub to: Position,
}

/// Who answered. Texts are shared by all answers of the same theorem or proof.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum By {
    /// A theorem of the library.
    Theorem {
        /// Its name in the library.
        id: &'static str,
        /// The game it was applied to, in the theorem's order of stacks.
        game: Option<Arc<str>>,
        /// Where it was proved: `KDH26 Theorem 5.1`.
        citation: Arc<str>,
        /// The publication.
        source: Arc<str>,
    },
    /// A stored proof for all heights.
    Proof {
        /// The game it is about.
        game: Arc<str>,
        /// Its kind: `matryoshka`.
        kind: &'static str,
        /// Where it is kept: a file, `atlas`, or `found` if it was found just now.
        source: Arc<str>,
        /// Whether it is about a larger game, which is the one at hand when stacks are empty.
        part: bool,
    },
    /// A table of the box below the position.
    Table {
        /// How many positions the box has.
        positions: u128,
    },
    /// A search through the positions that can be reached.
    Search {
        /// How many positions were settled, up to reductions and symmetry.
        positions: u64,
    },
}

impl By {
    /// Who it is, as in a footnote: `KDH26 Theorem 5.1`, `the proof about CN(9,4) in the atlas`.
    pub fn cited(&self) -> Arc<str> {
        match self {
            By::Theorem { citation, .. } => Arc::clone(citation),
            By::Proof { game, source, .. } => match &**source {
                "atlas" => format!("the proof about {game} in the atlas").into(),
                "found" => format!("the proof about {game} found just now").into(),
                file => format!("the proof about {game} in {file}").into(),
            },
            By::Table { .. } => "a table".into(),
            By::Search { .. } => "a search".into(),
        }
    }

    pub(crate) fn theorem(recognition: &Recognition) -> By {
        let Label { game, citation, source, .. } = recognition.label.clone();
        By::Theorem { id: recognition.theorem.id(), game, citation, source }
    }

    pub(crate) fn proof(stored: &Stored, part: bool) -> By {
        By::Proof {
            game: stored.proved().game().to_string().into(),
            kind: stored.proved().kind().as_str(),
            source: stored.source().to_string().into(),
            part,
        }
    }

    pub(crate) fn partial(theorem: &'static dyn PartialTheorem) -> By {
        let citation = theorem.citation();
        By::Theorem {
            id: theorem.id(),
            game: None,
            citation: citation.to_string().into(),
            source: (*citation.source).into(),
        }
    }
}

/// One step of the way to the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The game was made smaller.
    Reduction(Arc<Step>),
    /// No move is left.
    Terminal,
    /// The value of a part of a sum became known.
    Value {
        /// The part.
        part: Arc<State>,
        /// Its stacks among those of the sum.
        stacks: Range<usize>,
        /// Its Grundy value.
        grundy: u64,
        /// Who knew it.
        by: By,
    },
    /// The values of the parts of a sum were combined.
    Sum {
        /// The parts' Grundy values.
        values: Vec<u64>,
        /// Their xor.
        grundy: u64,
    },
    /// A theorem answered.
    Theorem {
        /// Where.
        state: Arc<State>,
        /// The outcome there.
        outcome: Outcome,
        /// The theorem.
        by: By,
        /// What it says.
        statement: Arc<str>,
        /// Where the stacks stand in the theorem's order.
        relabelling: Relabelling,
        /// The facts that decide the outcome, in the theorem's order of stacks.
        facts: Vec<nimatron_theory::Reason>,
        /// How the move was constructed, in the theorem's order of stacks.
        construction: Vec<nimatron_theory::Reason>,
        /// Why the move leads to a P-position, where the construction does not show it.
        reached: Vec<nimatron_theory::Reason>,
    },
    /// A stored proof answered.
    Proof {
        /// Where.
        state: Arc<State>,
        /// The outcome there.
        outcome: Outcome,
        /// The proof.
        by: By,
        /// The P-positions, in words.
        set: Arc<str>,
        /// The formula that tells them, if there is one, in the stacks of the proof.
        formula: Option<Arc<Formula>>,
        /// Why it holds at a P-position, or by which rule the move was found, in the stacks of the proof.
        facts: Vec<nimatron_theory::Reason>,
        /// Why it holds where the move leads.
        reached: Vec<nimatron_theory::Reason>,
        /// For each stack, the one that stands for it in the game of the proof.
        stacks: Vec<usize>,
        /// The position in the game of the proof, whose other stacks are empty.
        position: Position,
    },
    /// A conjecture answered. This is no reason for anything but a [`Conjecture`].
    Conjecture {
        /// Where.
        state: Arc<State>,
        /// The outcome there, if the conjecture is true.
        outcome: Outcome,
        /// The facts that decide the outcome, in the order of the stacks of the state.
        facts: Vec<nimatron_theory::Reason>,
    },
    /// The outcome became known by computing.
    Settled {
        /// Where.
        state: Arc<State>,
        /// The outcome there.
        outcome: Outcome,
        /// Who knew it.
        by: By,
    },
    /// A winning move was found in the reduced game.
    Move {
        /// Where.
        state: Arc<State>,
        /// The move.
        take: Take,
    },
    /// The winning move was carried back through the reductions.
    Lift {
        /// The move in the game asked about.
        take: Take,
    },
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{stop}, after {positions} positions")]
#[non_exhaustive]
pub struct Unknown {
    /// The limit that was hit.
    pub stop: Stop,
    /// How many positions had been settled by then.
    pub positions: u64,
}
