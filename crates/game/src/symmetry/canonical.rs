//! One representative for all relabellings of a set system.

use super::isomorphism::{BUDGET, Matching, matching};
use super::partition::{Partition, System, ranks, uniform};
use super::relabelling::Relabelling;
use crate::sets::SetFamily;
use crate::stacks::{MAX_STACKS, StackSet};

/// A family on renamed stacks that is the same for all relabellings of `sets`, and the
/// renaming that leads to it: two families are isomorphic exactly when their canonical forms
/// are equal.
///
/// With colours (heights, say) the renaming brings the stacks into increasing order of their
/// colours; two coloured families are isomorphic exactly when the canonical forms and the
/// sorted colours are equal.
///
/// ```
/// use nimatron_game::{Family, symmetry::canonical_form};
/// let path = Family::Path { n: 4, k: 3 }.sets();
/// let (form, renaming) = canonical_form(&path, Some(&[2, 5, 1, 3]));
/// assert_eq!(renaming.family(&path), form);
/// assert_eq!(renaming.apply(&[2, 5, 1, 3]), [1, 2, 3, 5]);
/// // Read from the other end it is the same game.
/// assert_eq!(canonical_form(&path, Some(&[3, 1, 5, 2])).0, form);
/// ```
///
/// Which representative is chosen may change between versions: compare forms, do not store
/// them.
///
/// # Panics
/// If there are not as many colours as stacks.
pub fn canonical_form(sets: &SetFamily, colours: Option<&[u64]>) -> (SetFamily, Relabelling) {
    let n = sets.stacks();
    let system = System::new(sets);
    let ranks = match colours {
        Some(colours) => {
            assert_eq!(colours.len(), n, "colours must match the stacks");
            ranks(colours)
        }
        None => vec![0; n],
    };
    let leaf = least_leaf(&system, &Partition::new(&system, &ranks), &mut Vec::new());
    let form = match uniform(sets) {
        Some(sizes) => SetFamily::by_size(n, sizes),
        None => SetFamily::listed(n, leaf.form.into_iter().map(StackSet::from_bits)),
    };
    (form, leaf.places)
}

/// A way to tell all stacks apart: each gets a place.
pub(super) struct Leaf {
    /// The sets under the places as names, sorted.
    pub(super) form: Vec<u32>,
    pub(super) places: Relabelling,
}

/// The least leaf below a partition: the same form for all equivalent partitions.
///
/// Of the stacks that may be singled out next only those with the least trace count, of these
/// only one per orbit under the symmetries of the partition. Symmetries found are appended to
/// `symmetries`; they generate all symmetries of the system that keep the partition, apart
/// from exchanges of twins.
pub(super) fn least_leaf(
    system: &System,
    partition: &Partition,
    symmetries: &mut Vec<Relabelling>,
) -> Leaf {
    least_leaf_within(BUDGET, system, partition, symmetries)
}

/// The same whatever the budget of the searches for symmetries.
fn least_leaf_within(
    budget: u32,
    system: &System,
    partition: &Partition,
    symmetries: &mut Vec<Relabelling>,
) -> Leaf {
    let Some(target) = partition.target() else {
        let places = partition.places();
        return Leaf { form: system.relabelled(&places), places };
    };
    let candidates = system.without_twins(partition.cell(target));
    let children: Vec<(usize, Partition)> =
        candidates.iter().map(|s| (s, partition.individualised(system, s))).collect();
    let least = children.iter().map(|(_, child)| child.trace()).min();
    let found_before = symmetries.len();
    let mut orbits = Orbits::new(system, partition);
    // One stack of each orbit, with its partition and least leaf.
    let mut explored: Vec<(usize, &Partition, Leaf)> = Vec::new();
    'children: for (stack, child) in &children {
        if Some(child.trace()) != least {
            continue;
        }
        orbits.join(&symmetries[found_before..]);
        if explored.iter().any(|(known, _, _)| orbits.same(*known, *stack)) {
            continue;
        }
        let mut gave_up = false;
        for (_, known, _) in &explored {
            match matching(system, known, system, child, &mut { budget }) {
                Matching::Found(symmetry) => {
                    symmetries.push(symmetry);
                    continue 'children;
                }
                Matching::Impossible => {}
                Matching::GaveUp => gave_up = true,
            }
        }
        let leaf = least_leaf_within(budget, system, child, symmetries);
        let equal = explored.iter().find(|(_, _, known)| gave_up && known.form == leaf.form);
        match equal {
            Some((_, _, known)) => symmetries.push(known.places.then(&leaf.places.inverse())),
            None => explored.push((*stack, child, leaf)),
        }
    }
    let leaves = explored.into_iter().map(|(_, _, leaf)| leaf);
    leaves.min_by(|a, b| a.form.cmp(&b.form)).expect("a cell is not empty")
}

/// Which stacks are known to lie in the same orbit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Orbits {
    stacks: usize,
    /// The least stack of the orbit of each stack.
    least: [u8; MAX_STACKS],
    joined: usize,
}

impl Orbits {
    /// Twins within a cell of the partition count as joined.
    pub(super) fn new(system: &System, partition: &Partition) -> Self {
        let stacks = system.stacks();
        let twins = |a: usize, b: usize| {
            system.twin(a) == system.twin(b) && partition.colour(a) == partition.colour(b)
        };
        let least = |s: usize| match s < stacks {
            true => (0..s).find(|&t| twins(s, t)).unwrap_or(s),
            false => s,
        };
        Orbits { stacks, least: std::array::from_fn(|s| least(s) as u8), joined: 0 }
    }

    /// Takes account of the symmetries, a growing list of which the first ones may have been
    /// seen before.
    pub(super) fn join(&mut self, symmetries: &[Relabelling]) {
        for symmetry in &symmetries[self.joined..] {
            for (s, image) in symmetry.images().enumerate() {
                let (a, b) = (self.least[s], self.least[image]);
                let (low, high) = (a.min(b), a.max(b));
                self.least.iter_mut().filter(|l| **l == high).for_each(|l| *l = low);
            }
        }
        self.joined = symmetries.len();
    }

    pub(super) fn same(&self, a: usize, b: usize) -> bool {
        self.least[a] == self.least[b]
    }

    /// The least stack of the orbit of `stack`.
    pub(super) fn least(&self, stack: usize) -> usize {
        self.least[stack].into()
    }

    /// The stacks in the orbit of `stack`.
    pub(super) fn of(&self, stack: usize) -> StackSet {
        (0..self.stacks).filter(|&s| self.same(s, stack)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::{CubePart, Family};

    #[test]
    fn the_least_leaf_does_not_depend_on_the_budget() {
        let two_triangles = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)];
        let pairs = two_triangles.map(|(u, v)| [u, v].into_iter().collect());
        let families = [
            Family::Circular { n: 8, k: 3 }.sets(),
            Family::Matrix { rows: 3, columns: 3 }.sets(),
            Family::Cube { part: CubePart::Vertex }.sets(),
            Family::Necklace { n: 7, k: 4, l: 2 }.sets(),
            Family::Graph { edges: vec![(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)] }.sets(),
            SetFamily::listed(7, pairs),
        ];
        for sets in families {
            let system = System::new(&sets);
            let root = Partition::new(&system, &vec![0; sets.stacks()]);
            let usual = least_leaf(&system, &root, &mut Vec::new());
            for budget in 0..4 {
                let mut symmetries = Vec::new();
                let leaf = least_leaf_within(budget, &system, &root, &mut symmetries);
                assert_eq!(leaf.form, usual.form, "{sets:?}");
                assert!(symmetries.iter().all(|s| s.family(&sets) == sets), "{sets:?}");
            }
        }
    }
}
