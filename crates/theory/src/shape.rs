//! Recognising families among rules, and naming stacks in formulas.

use nimatron_game::{Family, Height, Play, Rule, SetFamily, Sizes, StackSet};

/// Families with more sets than this are not written out.
pub(crate) const MOST_SETS: u64 = 5_000;

/// Whether this is SetNim under normal play in which every stack can be played.
pub(crate) fn is_normal_set_nim(rule: &Rule, play: Play) -> bool {
    play == Play::Normal && rule.is_set_nim() && covers_all(rule)
}

/// Whether this is an Exact game (every stack of the chosen set is lowered) under normal play in
/// which every stack can be played.
pub(crate) fn is_normal_exact(rule: &Rule, play: Play) -> bool {
    use nimatron_game::{Amounts, Choice};
    play == Play::Normal
        && rule.choice() == Choice::All
        && rule.each() == Amounts::POSITIVE
        && rule.total() == Amounts::POSITIVE
        && covers_all(rule)
}

/// Whether every stack can be played.
pub(crate) fn covers_all(rule: &Rule) -> bool {
    rule.stacks() > 0 && rule.sets().support() == StackSet::first(rule.stacks())
}

/// The `k` for which the sets are all `k`-subsets of the stacks.
pub(crate) fn uniform(sets: &SetFamily) -> Option<usize> {
    if let Some(sizes) = sets.sizes() {
        return sizes.least().filter(|_| sizes.least() == sizes.greatest());
    }
    let k = sets.iter().next()?.len();
    let all = SetFamily::by_size(sets.stacks(), Sizes::new([k]));
    (all.len() == sets.len() && sets.iter().all(|s| s.len() == k)).then_some(k)
}

/// The sets written out, unless there are too many.
pub(crate) fn list(sets: &SetFamily) -> Option<Vec<StackSet>> {
    (sets.len() <= MOST_SETS).then(|| {
        let mut list: Vec<_> = sets.iter().collect();
        list.sort_unstable();
        list
    })
}

/// Whether the family, as it stands, has the move sets of the rule.
pub(crate) fn matches(rule: &Rule, family: &Family) -> bool {
    if family.check().is_err() || family.stacks() != rule.stacks() {
        return false;
    }
    let other = family.rule();
    other.sets().len() == rule.sets().len()
        && list(rule.sets()).is_some_and(|sets| list(other.sets()) == Some(sets))
}

/// The sum of some heights.
pub(crate) fn sum(heights: &[Height]) -> u128 {
    heights.iter().map(|&h| u128::from(h)).sum()
}

/// The stacks `from..to`.
pub(crate) fn range(from: usize, to: usize) -> StackSet {
    (from..to).collect()
}

/// The name of a stack in the formula language: a letter, or `x27` where there are too many
/// stacks for letters.
pub(crate) fn name(stack: usize, stacks: usize) -> String {
    if stacks <= 26 {
        char::from(b'a' + stack as u8).to_string()
    } else {
        format!("x{}", stack + 1)
    }
}

/// Names of stacks joined by a sign: `a+b+c`.
pub(crate) fn joined(which: impl IntoIterator<Item = usize>, stacks: usize, sign: &str) -> String {
    let names: Vec<_> = which.into_iter().map(|s| name(s, stacks)).collect();
    names.join(sign)
}
