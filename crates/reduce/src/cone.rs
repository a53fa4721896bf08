//! A stack that lies in every set.

use crate::state::{Part, State};
use crate::step::{Change, Preserves, Reduction, Step};
use crate::zero::restrict;
use nimatron_game::{SetFamily, StackSet};
use std::sync::Arc;

/// Cone reduction: a stack that lies in every facet is empty in every P-position.
///
/// With tokens on it the position is N: empty it, and if the rest is N play the winning move
/// there as well, in the same move. So the outcome is known, and a winning move comes from the
/// smaller game; but the outcome itself is *not* that of the smaller game: PN(3,2) at (1,1,1)
/// is N while Nim(2) at (1,1) is P. Valid for SetNim under normal play, for a game that is not
/// one summand of several. A cone stack without tokens is removed by [`crate::Zero`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Cone;

impl Cone {
    /// The stacks that lie in every facet, where the reduction is valid.
    pub fn stacks(part: &Part) -> StackSet {
        match part.rule.is_set_nim() {
            true => Cone::common(part.rule.sets()),
            false => StackSet::EMPTY,
        }
    }

    /// The stacks that lie in every one of these facets.
    pub fn common(facets: &SetFamily) -> StackSet {
        match facets.sizes().and_then(|s| s.greatest()) {
            Some(size) if size < facets.stacks() => StackSet::EMPTY,
            Some(_) => facets.support(),
            None => facets.iter().fold(facets.support(), |common, s| common & s),
        }
    }
}

impl Reduction for Cone {
    fn name(&self) -> &'static str {
        "cone"
    }

    fn preserves(&self) -> Preserves {
        Preserves::Outcome
    }

    fn apply(&self, state: &Arc<State>) -> Option<Step> {
        let part = state.only_normal_part()?;
        let stack = Cone::stacks(part).iter().find(|&s| part.heights[s] > 0)?;
        let kept: Vec<usize> = (0..part.heights.len()).filter(|&s| s != stack).collect();
        let smaller = restrict(part, &kept);
        let after = State { play: state.play, parts: vec![smaller] };
        let members = kept.into_iter().map(|s| vec![s]).collect();
        let change = Change::Cone { stack };
        Some(self.step(change, state, after, members))
    }
}
