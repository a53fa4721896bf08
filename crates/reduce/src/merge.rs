//! Stacks that always go together.

use crate::state::{Part, State};
use crate::step::{Change, Preserves, Reduction, Step};
use nimatron_game::{Amounts, Choice, Height, MAX_HEIGHT, Rule, SetFamily, StackSet};

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
    pub fn classes(rule: &Rule) -> Vec<StackSet> {
        let n = rule.stacks();
        if let Some(sizes) = rule.sets().sizes() {
            return match sizes.greatest() {
                Some(size) if size == n => vec![StackSet::first(n)],
                _ => (0..n).map(StackSet::single).collect(),
            };
        }
        let sets: Vec<StackSet> = rule.sets().iter().collect();
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
}

impl Reduction for Merge {
    fn name(&self) -> &'static str {
        "merge"
    }

    fn preserves(&self) -> Preserves {
        Preserves::Values
    }

    fn apply(&self, state: &State) -> Option<Step> {
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
        Some(Step { change, preserves: self.preserves(), before: state.clone(), after, members })
    }
}

fn classes_that_fit(part: &Part) -> Vec<StackSet> {
    if !Merge::valid(&part.rule) {
        return (0..part.heights.len()).map(StackSet::single).collect();
    }
    let mut classes = Vec::new();
    for class in Merge::classes(&part.rule) {
        match sum(class, &part.heights) {
            Some(_) => classes.push(class),
            None => classes.extend(class.iter().map(StackSet::single)),
        }
    }
    classes.sort_by_key(|c| c.lowest());
    classes
}

fn merge(part: &Part, classes: &[StackSet]) -> Part {
    let image = |set: StackSet| -> StackSet {
        (0..classes.len()).filter(|&i| !classes[i].is_disjoint(set)).collect()
    };
    let sets: Vec<StackSet> = match part.rule.sets().sizes() {
        // Classes of more than one stack exist only when everything is one set.
        Some(_) => vec![StackSet::first(classes.len())],
        None => part.rule.sets().iter().map(image).collect(),
    };
    let heights = classes.iter().map(|&c| sum(c, &part.heights).expect("classes fit"));
    let rule = part.rule.on(SetFamily::listed(classes.len(), sets));
    Part::new(rule, heights.collect())
}

fn sum(class: StackSet, heights: &[Height]) -> Option<Height> {
    let total: u128 = class.iter().map(|s| u128::from(heights[s])).sum();
    Height::try_from(total).ok().filter(|&h| h <= MAX_HEIGHT)
}
