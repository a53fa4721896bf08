//! Stacks in no set.

use crate::state::State;
use crate::step::{Change, Preserves, Reduction, Step};
use crate::zero::keep;
use std::sync::Arc;

/// Idle stacks, which lie in no set, are removed, and so are parts without sets. No move ever
/// touches them: valid for every rule and convention.
#[derive(Clone, Copy, Debug, Default)]
pub struct Idle;

impl Reduction for Idle {
    fn name(&self) -> &'static str {
        "idle"
    }

    fn preserves(&self) -> Preserves {
        Preserves::Game
    }

    fn apply(&self, state: &Arc<State>) -> Option<Step> {
        let (mut after, stacks, members) = keep(state, |part| part.rule.sets().support());
        after.parts.retain(|part| !part.heights.is_empty());
        if stacks.is_empty() && after.parts.len() == state.parts.len() {
            return None;
        }
        let change = Change::Idle { stacks };
        Some(self.step(change, state, after, members))
    }
}
