//! Parts that do not touch.

use crate::state::{Part, State};
use crate::step::{Change, Preserves, Reduction, Step};
use crate::zero::restrict;
use nimatron_game::{SetFamily, StackSet};
use std::sync::Arc;

/// Components: sets that share no stack make the game a sum. Stacks that stand alone are
/// gathered into one part, which is ordinary Nim.
///
/// Splitting changes no move, under any rule and convention. That the Grundy value of the sum is
/// the xor of the parts' values holds under normal play; it is for the solver to use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Components;

impl Components {
    /// The connected sets of stacks, in order of their first stacks. Stacks in no set are left out.
    pub fn connected(sets: &SetFamily) -> Vec<StackSet> {
        let mut groups: Vec<StackSet> = match sets.sizes().and_then(|s| s.greatest()) {
            Some(1) => (0..sets.stacks()).map(StackSet::single).collect(),
            Some(_) => vec![sets.support()],
            None => {
                let mut groups: Vec<StackSet> = Vec::new();
                for set in sets.iter() {
                    let (touching, mut apart): (Vec<_>, Vec<_>) =
                        groups.into_iter().partition(|g| !g.is_disjoint(set));
                    apart.push(touching.into_iter().fold(set, |a, b| a | b));
                    groups = apart;
                }
                groups
            }
        };
        groups.sort_by_key(|g| g.lowest());
        groups
    }

    /// The connected sets of stacks of a part; lone stacks together, at the end. Stacks in no
    /// set are left out.
    pub fn of(part: &Part) -> Vec<StackSet> {
        let mut groups = Components::connected(part.rule.sets());
        let lone = groups.iter().filter(|g| g.len() == 1).fold(StackSet::EMPTY, |a, &b| a | b);
        groups.retain(|g| g.len() > 1);
        if !lone.is_empty() {
            groups.push(lone);
        }
        groups
    }
}

impl Reduction for Components {
    fn name(&self) -> &'static str {
        "components"
    }

    fn preserves(&self) -> Preserves {
        Preserves::Game
    }

    fn apply(&self, state: &Arc<State>) -> Option<Step> {
        let mut members = Vec::new();
        let mut parts = Vec::new();
        let mut split = Vec::new();
        for (part, at) in state.parts.iter().zip(state.ranges()) {
            let groups = Components::of(part);
            if groups.len() <= 1 {
                members.extend(at.map(|s| vec![s]));
                parts.push(part.clone());
                continue;
            }
            for group in groups {
                split.push(group.shifted(at.start));
                members.extend(group.iter().map(|s| vec![at.start + s]));
                parts.push(restrict(part, &group.iter().collect::<Vec<_>>()));
            }
        }
        if split.is_empty() {
            return None;
        }
        let after = State { play: state.play, parts };
        let change = Change::Components { parts: split };
        Some(self.step(change, state, after, members))
    }
}
