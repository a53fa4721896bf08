//! All set systems on a few stacks.

use super::canonical::canonical_form;
use crate::sets::SetFamily;
use crate::stacks::StackSet;
use std::collections::BTreeSet;

/// The largest number of stacks for which [`set_systems`] lists them all; on six stacks there
/// are already 16,143.
pub const MAX_LISTED: usize = 5;

/// The SetNim games on `n` stacks up to relabelling: every family of sets of which none
/// contains another and in which every stack occurs, one of each kind, in a fixed order. There
/// are 1, 2, 5, 20, 180 of them for n = 1..5 (OEIS A261005).
///
/// # Panics
/// If `n` exceeds [`MAX_LISTED`].
pub fn set_systems(n: usize) -> Vec<SetFamily> {
    assert!(n <= MAX_LISTED, "too many set systems to list");
    let mut candidates: Vec<StackSet> = StackSet::first(n).subsets().collect();
    candidates.sort_unstable_by_key(|s| (s.len(), s.bits()));
    let mut found = BTreeSet::new();
    extend(n, &candidates, &mut Vec::new(), &mut found);
    found.into_iter().collect()
}

/// Adds every family that extends `chosen` by sets of `candidates`.
fn extend(
    n: usize,
    candidates: &[StackSet],
    chosen: &mut Vec<StackSet>,
    found: &mut BTreeSet<SetFamily>,
) {
    let family = SetFamily::listed(n, chosen.iter().copied());
    if family.support() == StackSet::first(n) {
        found.insert(canonical_form(&family, None).0);
    }
    for (i, &set) in candidates.iter().enumerate() {
        // Candidates come by size, so a later set can only contain an earlier one.
        if chosen.iter().all(|&c| !c.is_subset(set)) {
            chosen.push(set);
            extend(n, &candidates[i + 1..], chosen, found);
            chosen.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn their_numbers_are_known() {
        let counts: Vec<usize> = (1..=MAX_LISTED).map(|n| set_systems(n).len()).collect();
        assert_eq!(counts, [1, 2, 5, 20, 180]);
    }
}
