//! Stacks in no set.

use crate::state::State;
use crate::step::{Change, Preserves, Reduction, Step};
use crate::zero::restrict;
use nimatron_game::StackSet;

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

    fn apply(&self, state: &State) -> Option<Step> {
        let mut stacks = StackSet::EMPTY;
        let mut members = Vec::new();
        let mut parts = Vec::new();
        for (part, at) in state.parts.iter().zip(state.ranges()) {
            let live = part.rule.sets().support();
            let idle = StackSet::first(part.heights.len()) - live;
            stacks = stacks | idle.shifted(at.start);
            members.extend(live.iter().map(|s| vec![at.start + s]));
            if idle.is_empty() {
                parts.push(part.clone());
            } else if !live.is_empty() {
                parts.push(restrict(part, &live.iter().collect::<Vec<_>>()));
            }
        }
        parts.retain(|p| !p.heights.is_empty());
        if stacks.is_empty() && parts.len() == state.parts.len() {
            return None;
        }
        let after = State { play: state.play, parts };
        let change = Change::Idle { stacks };
        Some(Step { change, preserves: self.preserves(), before: state.clone(), after, members })
    }
}
