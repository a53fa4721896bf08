//! Who knows the P-positions of a game, and what follows.

use crate::proofs::{Answer, Stored};
use crate::verdict::By;
use nimatron_game::{Height, Outcome, Position, StackSet, Take};
use nimatron_theory::{Recognition, Scope};
use std::sync::Arc;

/// Who knows the P-positions of a game for all heights.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Cover {
    /// A theorem.
    Theorem(Arc<Recognition>),
    /// A proof.
    Proof(Arc<ProofCover>),
}

impl Cover {
    /// Who it is, in an answer.
    pub fn by(&self) -> By {
        match self {
            Cover::Theorem(theorem) => By::theorem(theorem),
            Cover::Proof(proof) => proof.by.clone(),
        }
    }

    /// Vectors that can be added and subtracted without changing the outcome, where some are known.
    pub fn vectors(&self) -> &[StackSet] {
        match self {
            Cover::Theorem(theorem) => &theorem.invariants,
            Cover::Proof(proof) => proof.vectors(),
        }
    }

    /// Whether this is about a larger game of which the one asked about is a part.
    pub fn is_part(&self) -> bool {
        match self {
            Cover::Theorem(theorem) => theorem.scope == Scope::Part,
            Cover::Proof(proof) => proof.is_part(),
        }
    }

    /// Who wins, and how. `None` shows that a proof is not to be used.
    pub fn answer(&self, heights: &[Height]) -> Option<Answer> {
        match self {
            Cover::Theorem(theorem) => {
                let take = theorem.winning_move(heights);
                // Under misere play a player who cannot move has won.
                let outcome = if take.is_some() { Outcome::N } else { theorem.outcome(heights) };
                Some(Answer { outcome, take, steps: Vec::new() })
            }
            Cover::Proof(proof) => proof.answer(heights),
        }
    }
}

/// A proof that answers for a game: it is about this game, or about one that is this game when
/// some stacks are empty.
#[derive(Debug)]
pub struct ProofCover {
    stored: Arc<Stored>,
    /// For each stack of the game, the stack of the larger game that stands for it.
    stacks: Option<Vec<usize>>,
    vectors: Vec<StackSet>,
    by: By,
}

impl ProofCover {
    /// A proof about the game itself.
    pub(super) fn whole(stored: Arc<Stored>) -> Self {
        let own: Vec<usize> = stored.relabelling().images().collect();
        let (vectors, by) = (vectors(&stored, &own), By::proof(&stored, false));
        ProofCover { stored, stacks: None, vectors, by }
    }

    /// A proof about a larger game; `stacks` of it stand for those of the game, the others are
    /// empty.
    #[cfg(feature = "prove")]
    pub(super) fn part(stored: Arc<Stored>, stacks: Vec<usize>) -> Self {
        let own: Vec<usize> = stacks.iter().map(|&s| stored.relabelling().image(s)).collect();
        let (vectors, by) = (vectors(&stored, &own), By::proof(&stored, true));
        ProofCover { stored, stacks: Some(stacks), vectors, by }
    }

    /// Who it is, in an answer.
    pub(crate) fn by(&self) -> &By {
        &self.by
    }

    /// The proof, in its own stacks.
    pub fn stored(&self) -> &Stored {
        &self.stored
    }

    /// Whether the proof is about a larger game.
    pub fn is_part(&self) -> bool {
        self.stacks.is_some()
    }

    /// For each stack of the game, the stack of the certificate's game that stands for it.
    pub fn stacks(&self) -> Vec<usize> {
        let image = |s: usize| self.stored.relabelling().image(s);
        match &self.stacks {
            Some(stacks) => stacks.iter().map(|&s| image(s)).collect(),
            None => (0..self.stored.relabelling().stacks()).map(image).collect(),
        }
    }

    /// The same position in the stacks of the certificate's game.
    pub fn position(&self, heights: &[Height]) -> Position {
        let mut whole = vec![0; self.stored.proved().game().stacks()];
        self.stacks().iter().zip(heights).for_each(|(&s, &h)| whole[s] = h);
        Position::new(whole).expect("heights of a position")
    }

    /// Vectors that can be added and subtracted without changing the outcome.
    pub fn vectors(&self) -> &[StackSet] {
        &self.vectors
    }

    /// Who wins and how, tested at this position: see [`Proved::answer`](crate::proofs::Proved::answer).
    /// `None` shows that the proof is not to be used.
    pub fn answer(&self, heights: &[Height]) -> Option<Answer> {
        let Some(stacks) = &self.stacks else { return self.stored.answer(heights) };
        let Answer { outcome, take, steps } =
            self.stored.answer(&self.whole_heights(stacks, heights))?;
        let own = |take: Take| Take::new(stacks.iter().map(|&s| take[s]).collect());
        Some(Answer { outcome, take: take.map(own), steps })
    }

    /// The heights in the larger game.
    fn whole_heights(&self, stacks: &[usize], heights: &[Height]) -> Vec<Height> {
        let mut whole = vec![0; self.stored.relabelling().stacks()];
        stacks.iter().zip(heights).for_each(|(&s, &h)| whole[s] = h);
        whole
    }
}

/// The invariant vectors of a game whose stacks are the stacks `own` of the certificate's game, while
/// the others are empty.
#[cfg(feature = "prove")]
fn vectors(stored: &Stored, own: &[usize]) -> Vec<StackSet> {
    let Some(games) = stored.proved().games() else { return Vec::new() };
    let used: StackSet = own.iter().copied().collect();
    let empty = StackSet::first(games.game().stacks()) - used;
    let back = |v: StackSet| (0..own.len()).filter(|&s| v.contains(own[s])).collect();
    games.vectors(empty).into_iter().map(back).collect()
}

#[cfg(not(feature = "prove"))]
fn vectors(stored: &Stored, _: &[usize]) -> Vec<StackSet> {
    match *stored {}
}
