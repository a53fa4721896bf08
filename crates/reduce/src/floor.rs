//! Tokens by the bundle.

use crate::state::State;
use crate::step::{Change, Preserves, Reduction, Step};
use nimatron_game::{Amounts, Choice, Height, Rule};
use std::sync::Arc;

/// Floor: where every played stack loses exactly `a` tokens, or every stack of the set at least
/// `a`, only whole bundles of `a` tokens count, and a stack of `x` plays like one of `floor(x/a)`
/// under the rule with 1 in place of `a`. These are the first three variants of DH13 section 6.
///
/// Exactly `a`: the moves are the same. At least `a`: taking `t >= a` lowers the number of bundles,
/// and to every lower number there is such a take; so the options are the same up to repetition.
/// Either way outcome (normal and misere), Grundy value and remoteness stay what they are. With a
/// condition on the total this would not hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Floor;

impl Floor {
    /// The size of a bundle, if the reduction is valid under this rule and changes it.
    pub fn bundle(rule: &Rule) -> Option<Height> {
        let each = rule.each();
        let fits = match each.most() {
            Some(most) => most == each.least(),
            None => rule.choice() == Choice::All,
        };
        (fits && each.least() > 1 && rule.total() == Amounts::POSITIVE).then_some(each.least())
    }
}

impl Reduction for Floor {
    fn name(&self) -> &'static str {
        "floor"
    }

    fn preserves(&self) -> Preserves {
        Preserves::Values
    }

    fn apply(&self, state: &Arc<State>) -> Option<Step> {
        let mut after = State::clone(state);
        let mut bundles = Vec::new();
        for part in &mut after.parts {
            let bundle = Floor::bundle(&part.rule).unwrap_or(1);
            bundles.extend(part.heights.iter().map(|_| bundle));
            if bundle > 1 {
                let each = match part.rule.each().most() {
                    Some(_) => Amounts::exactly(1),
                    None => Amounts::POSITIVE,
                };
                let (sets, choice) = (part.rule.sets().clone(), part.rule.choice());
                part.rule = Rule::new(sets, choice, each, Amounts::POSITIVE);
                if choice == Choice::All && part.rule.sets().sizes().is_some() {
                    // Exact and Slow games have names of their own.
                    part.family = None;
                }
                part.heights.iter_mut().for_each(|h| *h /= bundle);
            }
        }
        if bundles.iter().all(|&b| b == 1) {
            return None;
        }
        let members = (0..state.stacks()).map(|s| vec![s]).collect();
        let change = Change::Floor { bundles };
        Some(self.step(change, state, after, members))
    }
}
