//! Stacks that always go together.

use crate::members::sum;
use crate::state::{Part, State};
use crate::step::{Change, Preserves, Reduction, Step};
use nimatron_game::{Amounts, Choice, Rule, SetFamily, StackSet};
use std::sync::Arc;

/// Merge reduction: stacks that lie in exactly the same sets become one stack holding the sum.
///
/// Valid where any positive amounts may be taken from any stacks of a set, whatever the rule
/// says about the total: a take from the merged stacks is known by its sum. Outcome (normal and
/// misere), Grundy value and remoteness stay the same; in Exact and Slow games they would not
/// (KDH26 section 2). A class whose sum exceeds the height limit is left alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Merge;

impl Merge {
    /// Whether merging is valid under this rule.
    pub fn valid(rule: &Rule) -> bool {
        rule.choice() == Choice::Any && rule.each() == Amounts::POSITIVE
    }

    /// The classes of stacks that lie in the same sets, in order of their first stacks. Stacks
    /// in no set stay by themselves.
    pub fn classes(sets: &SetFamily) -> Vec<StackSet> {
        let n = sets.stacks();
        if let Some(sizes) = sets.sizes() {
            return match sizes.greatest() {
                Some(size) if size == n => vec![StackSet::first(n)],
                _ => (0..n).map(StackSet::single).collect(),
            };
        }
        let sets: Vec<StackSet> = sets.iter().collect();
        let mut left = StackSet::first(n);
        let mut classes = Vec::new();
        while let Some(stack) = left.lowest() {
            let twins = |&s: &usize| sets.iter().all(|f| f.contains(s) == f.contains(stack));
            let class = match sets.iter().any(|f| f.contains(stack)) {
                true => left.iter().filter(twins).collect(),
                false => StackSet::single(stack),
            };
            classes.push(class);
            left = left - class;
        }
        classes
    }

    /// The sets of classes, each class one stack. Stacks in no class must be in no set.
    pub fn merged(sets: &SetFamily, classes: &[StackSet]) -> SetFamily {
        let image = |set: StackSet| -> StackSet {
            (0..classes.len()).filter(|&i| !classes[i].is_disjoint(set)).collect()
        };
        let single = classes.iter().all(|class| class.len() == 1);
        match sets.sizes() {
            Some(sizes) if single => SetFamily::by_size(classes.len(), sizes),
            // Classes of more than one stack exist only when everything is one set.
            Some(_) => SetFamily::listed(classes.len(), [StackSet::first(classes.len())]),
            None => SetFamily::listed(classes.len(), sets.iter().map(image)),
        }
    }
}

impl Reduction for Merge {
    fn name(&self) -> &'static str {
        "merge"
    }

    fn preserves(&self) -> Preserves {
        Preserves::Values
    }

    fn apply(&self, state: &Arc<State>) -> Option<Step> {
        let mut merged = Vec::new();
        let mut members: Vec<Vec<usize>> = Vec::new();
        let mut parts = Vec::new();
        for (part, at) in state.parts.iter().zip(state.ranges()) {
            let classes = classes_that_fit(part);
            let global = classes.iter().map(|c| c.shifted(at.start));
            members.extend(global.clone().map(|c| c.iter().collect()));
            merged.extend(global.filter(|c| c.len() > 1));
            parts.push(match classes.len() == part.heights.len() {
                true => part.clone(),
                false => merge(part, &classes),
            });
        }
        if merged.is_empty() {
            return None;
        }
        let after = State { play: state.play, parts };
        let change = Change::Merge { classes: merged };
        Some(self.step(change, state, after, members))
    }
}

fn classes_that_fit(part: &Part) -> Vec<StackSet> {
    if !Merge::valid(&part.rule) {
        return (0..part.heights.len()).map(StackSet::single).collect();
    }
    let mut classes = Vec::new();
    for class in Merge::classes(part.rule.sets()) {
        match sum(class.iter(), &part.heights) {
            Some(_) => classes.push(class),
            None => classes.extend(class.iter().map(StackSet::single)),
        }
    }
    classes.sort_by_key(|c| c.lowest());
    classes
}

fn merge(part: &Part, classes: &[StackSet]) -> Part {
    let heights = classes.iter().map(|&c| sum(c.iter(), &part.heights).expect("classes fit"));
    let rule = part.rule.on(Merge::merged(part.rule.sets(), classes));
    Part::new(rule, heights.collect())
}
