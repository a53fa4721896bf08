//! Whether two set systems are the same up to the names of the stacks.

use super::canonical::least_leaf;
use super::partition::{Partition, System, ranks, uniform};
use super::relabelling::Relabelling;
use crate::sets::SetFamily;

/// A relabelling that turns the sets of `a` into those of `b`, if there is one.
///
/// ```
/// use nimatron_game::{Family, symmetry::find_isomorphism};
/// let circle = Family::Circular { n: 3, k: 2 }.sets();
/// let moore = Family::Moore { n: 3, k: 2 }.sets();
/// let path = Family::Path { n: 3, k: 2 }.sets();
/// assert!(find_isomorphism(&circle, &moore).is_some());
/// assert!(find_isomorphism(&circle, &path).is_none());
/// ```
pub fn find_isomorphism(a: &SetFamily, b: &SetFamily) -> Option<Relabelling> {
    find_isomorphism_coloured(a, &vec![0; a.stacks()], b, &vec![0; b.stacks()])
}

/// A relabelling that turns the sets of `a` into those of `b` and moves each stack of `a` to a
/// stack of `b` of the same colour, if there is one. Colours may be heights or any other data
/// that must match.
///
/// # Panics
/// If a family has not as many colours as stacks.
pub fn find_isomorphism_coloured(
    a: &SetFamily,
    colours_a: &[u64],
    b: &SetFamily,
    colours_b: &[u64],
) -> Option<Relabelling> {
    assert_eq!(a.stacks(), colours_a.len(), "colours must match the stacks");
    assert_eq!(b.stacks(), colours_b.len(), "colours must match the stacks");
    if a.stacks() != b.stacks() || a.len() != b.len() {
        return None;
    }
    let sorted = |colours: &[u64]| {
        let mut colours = colours.to_vec();
        colours.sort_unstable();
        colours
    };
    if sorted(colours_a) != sorted(colours_b) || uniform(a) != uniform(b) {
        return None;
    }
    let (system_a, system_b) = (System::new(a), System::new(b));
    let partition_a = Partition::new(&system_a, &ranks(colours_a));
    let partition_b = Partition::new(&system_b, &ranks(colours_b));
    equivalent(&system_a, &partition_a, &system_b, &partition_b)
}

/// An isomorphism that maps each cell of one partition to the cell of the same colour of the
/// other. The partitions must be refined, and made in the same way.
pub(super) fn equivalent(
    a: &System,
    partition_a: &Partition,
    b: &System,
    partition_b: &Partition,
) -> Option<Relabelling> {
    match matching(a, partition_a, b, partition_b, &mut { BUDGET }) {
        Matching::Found(isomorphism) => Some(isomorphism),
        Matching::Impossible => None,
        Matching::GaveUp => {
            let leaf_a = least_leaf(a, partition_a, &mut Vec::new());
            let leaf_b = least_leaf(b, partition_b, &mut Vec::new());
            (leaf_a.form == leaf_b.form).then(|| leaf_a.places.then(&leaf_b.places.inverse()))
        }
    }
}

/// What a search for an isomorphism came to.
pub(super) enum Matching {
    Found(Relabelling),
    Impossible,
    /// Too many wrong turns; canonical forms decide such cases.
    GaveUp,
}

/// How many stacks may be singled out in one search for an isomorphism. One that goes well
/// needs no more than there are stacks.
pub(super) const BUDGET: u32 = 1000;

/// Refines both partitions in step: a stack singled out on one side is tried against every
/// stack of the same cell on the other, as often as the budget allows.
pub(super) fn matching(
    a: &System,
    partition_a: &Partition,
    b: &System,
    partition_b: &Partition,
    budget: &mut u32,
) -> Matching {
    if !partition_a.resembles(partition_b) {
        return Matching::Impossible;
    }
    let Some(target) = partition_a.target() else {
        let candidate = partition_a.places().then(&partition_b.places().inverse());
        let found = a.maps_onto(&candidate, b);
        return if found { Matching::Found(candidate) } else { Matching::Impossible };
    };
    let cell_a = partition_a.cell(target);
    let candidates = b.without_twins(partition_b.cell(target));
    // Within one system the stack itself is the likeliest image.
    let common = (cell_a & candidates).lowest();
    let Some(stack) = common.or(cell_a.lowest()) else { return Matching::Impossible };
    let next_a = partition_a.individualised(a, stack);
    let others = candidates.iter().filter(|&s| Some(s) != common);
    for image in common.into_iter().chain(others) {
        let Some(left) = budget.checked_sub(1) else { return Matching::GaveUp };
        *budget = left;
        let next_b = partition_b.individualised(b, image);
        match matching(a, &next_a, b, &next_b, budget) {
            Matching::Impossible => {}
            answer => return answer,
        }
    }
    Matching::Impossible
}
