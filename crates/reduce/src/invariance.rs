//! Tokens that do not matter.

use crate::state::State;
use crate::step::{Change, Preserves, Reduction, Step};
use nimatron_game::{Height, StackSet};
use std::sync::Arc;

/// Invariance reduction: as many tokens as possible are taken off along invariant vectors.
///
/// A set of stacks is an *invariant vector* of a game when adding or removing one token on each
/// of its stacks never changes the outcome (KDH26 section 3). Then a position and the reduced one
/// have the same outcome, and a winning move from the reduced position wins from the position
/// itself. Which vectors are invariant is for a theorem to say; this reduction takes its word.
/// Valid under normal play, for a game that is not one summand of several.
///
/// The vectors are used in the order given. Another order may leave other tokens.
#[derive(Clone, Debug)]
pub struct Invariance {
    /// The invariant vectors, as sets of stacks of the state.
    pub vectors: Vec<StackSet>,
    /// Who says that they are invariant: `KDH26 Theorem 5.1`.
    pub by: Arc<str>,
}

impl Invariance {
    /// Takes tokens off along vectors, each as often as it goes; tells how often.
    pub fn subtract(vectors: &[StackSet], heights: &mut [Height]) -> Vec<(StackSet, Height)> {
        let mut subtracted = Vec::new();
        for &vector in vectors {
            let times = vector.iter().map(|s| heights[s]).min().unwrap_or(0);
            if times > 0 {
                vector.iter().for_each(|s| heights[s] -= times);
                subtracted.push((vector, times));
            }
        }
        subtracted
    }
}

impl Reduction for Invariance {
    fn name(&self) -> &'static str {
        "invariance"
    }

    fn preserves(&self) -> Preserves {
        Preserves::Outcome
    }

    fn apply(&self, state: &Arc<State>) -> Option<Step> {
        let part = state.only_normal_part()?;
        let mut heights = part.heights.clone();
        let subtracted = Invariance::subtract(&self.vectors, &mut heights);
        if subtracted.is_empty() {
            return None;
        }
        let mut after = State::clone(state);
        after.parts[0].heights = heights;
        let members = (0..state.stacks()).map(|s| vec![s]).collect();
        let change = Change::Invariance { subtracted, by: Arc::clone(&self.by) };
        Some(self.step(change, state, after, members))
    }
}
