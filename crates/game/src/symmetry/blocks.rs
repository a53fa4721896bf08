//! Blocks of stacks that may be permuted as wholes.

use super::chain::{Symmetry, factorial};
use super::isomorphism::equivalent;
use super::partition::Partition;
use super::relabelling::Relabelling;
use crate::position::Height;
use crate::stacks::{MAX_STACKS, StackSet};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// More cosets than this are not listed.
const LISTED: u128 = 1000;

/// A subgroup under which the least position is found by sorting, and its cosets.
///
/// The components of a game with many equal ones, or the columns of a matrix, are *aligned
/// blocks*: with `b[c][r]` for the stacks of block `c`, the blocks may be permuted in any way,
/// and `b[c][r]` increases in `c` as well as in `r`. Of two blocks whose contents are not in
/// lexicographic order an exchange makes the position less, since the first change is at the
/// earlier block; so the least position is the one with sorted blocks. Classes of blocks are
/// nested: a class lies within one block of a later class, and then so do its images in the
/// other blocks, or it is disjoint from that class. Hence sorting the classes in order
/// leaves all of them sorted. Twins are blocks of one stack.
///
/// The least position under the whole group is the least over the cosets.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    classes: Vec<Class>,
    /// One element of each coset after the other: for each stack the stack whose height comes
    /// there.
    cosets: Vec<u8>,
}

/// Aligned blocks, in increasing order.
type Class = Vec<Vec<u8>>;

impl Blocks {
    /// `None` if there are too many cosets.
    pub(super) fn of(symmetry: &Symmetry) -> Option<Self> {
        let classes = classes(symmetry);
        let sorted: u128 = classes.iter().map(|class| factorial(class.len())).product();
        if symmetry.order() / sorted > LISTED {
            return None;
        }
        let cosets = cosets(symmetry, &classes);
        Some(Blocks { classes, cosets })
    }

    /// The symmetry that makes the position least.
    pub(super) fn least(&self, heights: &[Height]) -> Relabelling {
        let n = heights.len();
        let height = |origin: &u8| heights[usize::from(*origin)];
        let arranged = self.cosets.chunks_exact(n.max(1)).map(|origins| {
            let mut arranged = [0; MAX_STACKS];
            arranged[..n].copy_from_slice(origins);
            sort(&self.classes, &mut arranged[..n], height);
            arranged
        });
        let contents = |origins: &[u8; MAX_STACKS]| origins.map(|o| heights[usize::from(o)]);
        let least = arranged.min_by(|a, b| contents(a)[..n].cmp(&contents(b)[..n]));
        match least {
            Some(origins) => Relabelling::from_fn(n, |s| origins[s].into()).inverse(),
            None => Relabelling::identity(n),
        }
    }
}

/// Sorts the blocks of every class by the keys of their entries.
fn sort<K: Ord>(classes: &[Class], entries: &mut [u8], key: impl Fn(&u8) -> K) {
    for class in classes {
        // Insertion sort; classes are short.
        for end in 1..class.len() {
            for at in (0..end).rev() {
                let (low, high) = (&class[at], &class[at + 1]);
                let keys = |block: &[u8], r: usize| key(&entries[usize::from(block[r])]);
                let different = (0..low.len()).map(|r| keys(low, r).cmp(&keys(high, r)));
                let order = different.fold(Ordering::Equal, Ordering::then);
                if order != Ordering::Greater {
                    break;
                }
                for (&l, &h) in low.iter().zip(high) {
                    entries.swap(l.into(), h.into());
                }
            }
        }
    }
}

/// One element of each coset of the subgroup that permutes the blocks.
///
/// Sorting by origins picks one element of a coset; generators lead from coset to coset.
fn cosets(symmetry: &Symmetry, classes: &[Class]) -> Vec<u8> {
    let n = symmetry.stacks();
    let generators: Vec<_> = symmetry.generators().iter().map(Relabelling::inverse).collect();
    let first: Vec<u8> = (0..n as u8).collect();
    let mut seen = BTreeSet::from([first.clone()]);
    let mut waiting = vec![first];
    while let Some(origins) = waiting.pop() {
        for generator in &generators {
            let moved = origins.iter().map(|&o| generator.image(o.into()) as u8);
            let mut moved: Vec<u8> = moved.collect();
            sort(classes, &mut moved, |&origin| origin);
            if seen.insert(moved.clone()) {
                waiting.push(moved);
            }
        }
    }
    seen.into_iter().flatten().collect()
}

/// Nested classes of aligned blocks, the inner ones first.
fn classes(symmetry: &Symmetry) -> Vec<Class> {
    let single = |class: &StackSet| class.iter().map(|s| vec![s as u8]).collect();
    let mut classes: Vec<Class> = symmetry.twins.iter().map(single).collect();
    // For each block the later ones it can be exchanged with; small blocks first.
    let mut exchanges: BTreeMap<(usize, Vec<u8>), BTreeSet<Vec<u8>>> = BTreeMap::new();
    for orbit in symmetry.orbits() {
        for low in orbit {
            for high in orbit.iter().filter(|&s| s > low) {
                if let Some((block, other)) = exchange(symmetry, low, high) {
                    exchanges.entry((block.len(), block)).or_default().insert(other);
                }
            }
        }
    }
    for ((_, block), others) in exchanges {
        let mut class = vec![block];
        for other in others {
            let free = class.iter().flatten().all(|s| !other.contains(s));
            let last = class.last().into_iter().flatten();
            if free && last.zip(&other).all(|(a, b)| a < b) {
                class.push(other);
            }
        }
        if class.len() > 1 && classes.iter().all(|inner| fits(inner, &class, &classes)) {
            classes.push(class);
        }
    }
    classes
}

/// Whether `inner` is disjoint from `class`, or lies within one of its blocks and has its
/// images in the others among the `known` classes.
fn fits(inner: &Class, class: &Class, known: &[Class]) -> bool {
    let mut members = inner.iter().flatten();
    let within = |block: &Vec<u8>| inner.iter().flatten().all(|s| block.contains(s));
    match class.iter().find(|block| within(block)) {
        None => members.all(|s| class.iter().all(|block| !block.contains(s))),
        Some(home) => class.iter().all(|block| {
            let place = |s: &u8| home.iter().position(|h| h == s).map(|r| block[r]);
            let image = |b: &Vec<u8>| b.iter().filter_map(place).collect::<Vec<u8>>();
            known.contains(&inner.iter().map(image).collect())
        }),
    }
}

/// Two aligned blocks that can be exchanged while all other stacks stay, `low` in the first
/// against `high` in the second; not every such pair is found.
fn exchange(symmetry: &Symmetry, low: usize, high: usize) -> Option<(Vec<u8>, Vec<u8>)> {
    let system = &*symmetry.system;
    let mark = |partition: &Partition, s| partition.individualised(system, s);
    let there = mark(&mark(&symmetry.root, low), high);
    let back = mark(&mark(&symmetry.root, high), low);
    let found = equivalent(system, &there, system, &back)?;
    let block: Vec<u8> =
        (0..found.stacks()).filter(|&s| s < found.image(s)).map(|s| s as u8).collect();
    let other: Vec<u8> = block.iter().map(|&s| found.image(s.into()) as u8).collect();
    let involution = found.then(&found).is_identity();
    (involution && other.is_sorted()).then_some((block, other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::Family;

    #[test]
    fn blocks_that_are_not_aligned_are_not_sorted() {
        // The rows of the second column are not in the order of those of the others.
        let matrix = Family::Matrix { rows: 3, columns: 3 }.sets();
        let columns = [0, 3, 6, 1, 5, 7, 2, 4, 8];
        let symmetry = Symmetry::of_sets(&matrix.relabel(&columns, 9));
        let elements: Vec<_> = symmetry.elements().collect();
        let blocks = Blocks::of(&symmetry).unwrap();
        for bits in 0u64..1 << 9 {
            let heights: Vec<Height> = (0..9).map(|s| bits >> s & 1).collect();
            let least = elements.iter().map(|e| e.apply(&heights)).min();
            assert_eq!(Some(blocks.least(&heights).apply(&heights)), least);
        }
    }

    #[test]
    fn classes_are_nested() {
        // Two squares side by side: opposite corners are twins, and the two pairs of twins,
        // and then the squares, may be exchanged.
        let edges = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4)];
        let edges = edges.map(|(a, b)| [a, b].into_iter().collect());
        let squares = Symmetry::of_sets(&crate::SetFamily::listed(8, edges));
        let expected: [Class; 7] = [
            vec![vec![0], vec![2]],
            vec![vec![1], vec![3]],
            vec![vec![4], vec![6]],
            vec![vec![5], vec![7]],
            vec![vec![0, 2], vec![1, 3]],
            vec![vec![4, 6], vec![5, 7]],
            vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]],
        ];
        assert_eq!(classes(&squares), expected);
        assert_eq!(Blocks::of(&squares).unwrap().cosets.len(), 8);
    }
}
