//! Stacks too low to be played on.

use crate::state::{Part, State};
use crate::step::{Change, Preserves, Reduction, Step};
use nimatron_game::{Choice, Rule, SetFamily, StackSet};
use std::sync::Arc;

/// Zero reduction: stacks without enough tokens for a move are removed.
///
/// Where any stacks of a set may be played, the sets lose these stacks, and what then lies
/// within another set is dropped. Where all stacks must be played (Exact and Slow games), the
/// sets that need such a stack disappear. Either way the moves stay what they were, under any
/// rule and any play convention (KDH26 section 2).
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl Reduction for Zero {
    fn name(&self) -> &'static str {
        "zero"
    }

    fn preserves(&self) -> Preserves {
        Preserves::Game
    }

    fn apply(&self, state: &Arc<State>) -> Option<Step> {
        let (after, stacks, members) = keep(state, playable_stacks);
        if stacks.is_empty() {
            return None;
        }
        let dropped = dropped(state, &after, &members, stacks);
        let change = Change::Zero { stacks, dropped };
        Some(self.step(change, state, after, members))
    }
}

/// The stacks of a part that hold at least the least amount a move takes from a stack.
fn playable_stacks(part: &Part) -> StackSet {
    let least = part.rule.each().least();
    (0..part.heights.len()).filter(|&s| part.heights[s] >= least).collect()
}

/// The state on those stacks of each part that are `kept`, with the stacks that were removed, and for each
/// that is left where it was.
pub(crate) fn keep(
    state: &State,
    kept: impl Fn(&Part) -> StackSet,
) -> (State, StackSet, Vec<Vec<usize>>) {
    let (mut removed, mut members, mut parts) = (StackSet::EMPTY, Vec::new(), Vec::new());
    for (part, at) in state.parts.iter().zip(state.ranges()) {
        let kept = kept(part);
        let gone = StackSet::first(part.heights.len()) - kept;
        removed = removed | gone.shifted(at.start);
        members.extend(kept.iter().map(|s| vec![at.start + s]));
        parts.push(match gone.is_empty() {
            true => part.clone(),
            false => restrict(part, &kept.iter().collect::<Vec<_>>()),
        });
    }
    (State { play: state.play, parts }, removed, members)
}

/// The part on the stacks `kept`.
pub(crate) fn restrict(part: &Part, kept: &[usize]) -> Part {
    let heights = kept.iter().map(|&s| part.heights[s]).collect();
    Part::new(part.rule.on(restrict_sets(&part.rule, kept)), heights)
}

fn restrict_sets(rule: &Rule, kept: &[usize]) -> SetFamily {
    if let Some(sizes) = rule.sets().sizes() {
        let n = kept.len();
        return match rule.choice() {
            // The largest sets shrink to what is left of them.
            Choice::Any => {
                let most = sizes.greatest().map(|s| s.min(n));
                SetFamily::by_size(n, nimatron_game::Sizes::new(most))
            }
            Choice::All => SetFamily::by_size(n, sizes),
        };
    }
    let remaining: StackSet = kept.iter().copied().collect();
    let shrunk = |set: StackSet| -> StackSet {
        (0..kept.len()).filter(|&i| set.contains(kept[i])).collect()
    };
    let sets = rule.sets().iter().filter(|s| match rule.choice() {
        Choice::Any => true,
        Choice::All => s.is_subset(remaining),
    });
    SetFamily::listed(kept.len(), sets.map(shrunk))
}

/// What is left of the sets of `before` that have no counterpart in `after`.
fn dropped(
    before: &State,
    after: &State,
    members: &[Vec<usize>],
    removed: StackSet,
) -> Vec<StackSet> {
    let image: Vec<usize> = members.iter().map(|m| m[0]).collect();
    let kept: Vec<StackSet> = after.listed_sets().iter().map(|s| s.relabel(&image)).collect();
    let mut dropped: Vec<StackSet> = before.listed_sets().iter().map(|&s| s - removed).collect();
    dropped.retain(|s| !kept.contains(s) && !s.is_empty());
    dropped.sort_unstable();
    dropped.dedup();
    dropped
}
