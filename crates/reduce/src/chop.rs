//! Tokens that no play can ever remove.

use crate::state::State;
use crate::step::{Change, Preserves, Reduction, Step};
use nimatron_game::{Height, Rule, slow};
use std::sync::Arc;

/// Chop: in a slow game `Slow(n,A)` all stacks are cut down to the height above which no play can
/// ever reach (Slow26 section 3). Where `A` contains 1, every token can be played.
///
/// A play that is possible before is possible afterwards, and the other way round, so the games
/// have the same moves however far they are followed (Slow26 Lemma 1): valid for every play
/// convention and every summand of a sum.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chop;

impl Chop {
    /// The least number of stacks in a move, if tokens may be unplayable under this rule.
    pub fn least_move(rule: &Rule) -> Option<usize> {
        slow::least_move(rule).filter(|&least| least > 1)
    }
}

impl Reduction for Chop {
    fn name(&self) -> &'static str {
        "chop"
    }

    fn preserves(&self) -> Preserves {
        Preserves::Game
    }

    fn apply(&self, state: &Arc<State>) -> Option<Step> {
        let mut after = State::clone(state);
        let mut unplayable: Vec<Height> = Vec::new();
        for part in &mut after.parts {
            match Chop::least_move(&part.rule) {
                Some(least) => {
                    unplayable.extend(slow::unplayable(least, &part.heights));
                    slow::reduce_heights(least, &mut part.heights);
                }
                None => unplayable.extend(part.heights.iter().map(|_| 0)),
            }
        }
        if unplayable.iter().all(|&u| u == 0) {
            return None;
        }
        let members = (0..state.stacks()).map(|s| vec![s]).collect();
        let change = Change::Chop { unplayable };
        Some(self.step(change, state, after, members))
    }
}
