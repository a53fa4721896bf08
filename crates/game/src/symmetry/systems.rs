//! All set systems on a few stacks.

use super::canonical::canonical_form;
use crate::sets::SetFamily;
use crate::stacks::StackSet;
use std::collections::BTreeSet;

/// The largest number of stacks whose games are few enough to be gone through in passing.
pub const MAX_LISTED: usize = 5;

/// The largest number of stacks for which [`set_systems`] lists them all: on six stacks there are
/// 16,143, on seven more than 4e8.
pub const MAX_SYSTEMS: usize = 6;

/// The SetNim games on `n` stacks up to relabelling: every family of sets of which none
/// contains another and in which every stack occurs, one of each kind, in a fixed order. There
/// are 1, 2, 5, 20, 180, 16143 of them for n = 1..6 (OEIS A261005). Those on six stacks take some
/// seconds.
///
/// # Panics
/// If `n` exceeds [`MAX_SYSTEMS`].
pub fn set_systems(n: usize) -> Vec<SetFamily> {
    assert!(n <= MAX_SYSTEMS, "too many set systems to list");
    let candidates: Vec<StackSet> = StackSet::first(n).subsets().collect();
    // A family without one of its sets is such a family, too, but for the stacks that occur: so all
    // with one set more are found from one of each kind.
    let mut found = BTreeSet::new();
    let mut kinds = BTreeSet::from([SetFamily::listed(n, [])]);
    while !kinds.is_empty() {
        found.extend(kinds.iter().filter(|f| f.support() == StackSet::first(n)).cloned());
        let mut larger = BTreeSet::new();
        for family in &kinds {
            let chosen: Vec<StackSet> = family.iter().collect();
            let apart =
                |set: StackSet| chosen.iter().all(|&c| !c.is_subset(set) && !set.is_subset(c));
            for &set in candidates.iter().filter(|&&set| apart(set)) {
                let family = SetFamily::listed(n, chosen.iter().copied().chain([set]));
                larger.insert(canonical_form(&family, None).0);
            }
        }
        kinds = larger;
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn their_numbers_are_known() {
        let counts: Vec<usize> = (1..=MAX_LISTED).map(|n| set_systems(n).len()).collect();
        assert_eq!(counts, [1, 2, 5, 20, 180]);
    }

    #[test]
    #[ignore = "takes long without optimisation"]
    fn the_number_on_six_stacks_is_known() {
        assert_eq!(set_systems(MAX_SYSTEMS).len(), 16_143);
    }
}
