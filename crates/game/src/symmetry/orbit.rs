//! Positions up to symmetry.

use super::blocks::Blocks;
use super::chain::{Symmetry, factorial};
use super::elements::Elements;
use super::isomorphism::equivalent;
use super::partition::{Partition, ranks};
use super::relabelling::Relabelling;
use crate::position::Height;
use crate::stacks::{MAX_STACKS, StackSet};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Frames of at most this order are listed; larger ones are searched level by level.
const LISTED: u128 = 10_000;

/// From this many candidates on, a search looks for candidates that are equivalent.
const MANY: usize = 1000;

/// The orbit of a position consists of the positions it can be relabelled to. Its
/// representative is the lexicographically least one.
///
/// That is found by sorting twins and, in this order of preference: by trying all symmetries
/// that keep twins in order, if these are few; by sorting larger blocks that may be permuted
/// (equal components, the columns of a matrix), if these leave few other symmetries; by a
/// search. The search is exact, too, but for groups of millions it may take long over positions
/// with many equal heights. Where any representative does,
/// [`canonical_form`](super::canonical_form) with the heights as colours is the better key.
impl Symmetry {
    /// The least position of the orbit.
    ///
    /// ```
    /// use nimatron_game::{Family, symmetry::Symmetry};
    /// let path = Symmetry::of(&Family::Path { n: 3, k: 2 }.rule());
    /// assert_eq!(path.canonical(&[9, 0, 2]), [2, 0, 9]);
    /// let nim = Symmetry::of(&Family::Nim { n: 3 }.rule());
    /// assert_eq!(nim.canonical(&[9, 0, 2]), [0, 2, 9]);
    /// ```
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn canonical(&self, heights: &[Height]) -> Vec<Height> {
        let mut canonical = heights.to_vec();
        self.canonicalise(&mut canonical);
        canonical
    }

    /// Replaces the position by the least one of its orbit. Nothing is allocated when at most
    /// 10,000 symmetries keep the order within the twin classes.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn canonicalise(&self, heights: &mut [Height]) {
        assert_eq!(heights.len(), self.stacks(), "heights must match the stacks");
        self.sort_twins(heights);
        match self.listed_frame() {
            Some(frame) => {
                let best = least_origins(frame, heights);
                let mut least = [0; MAX_STACKS];
                for (height, &origin) in least.iter_mut().zip(best) {
                    *height = heights[usize::from(origin)];
                }
                heights.copy_from_slice(&least[..heights.len()]);
            }
            None => {
                let moved = self.rearrangement(heights).apply(heights);
                heights.copy_from_slice(&moved);
            }
        }
    }

    /// A symmetry that brings the position to the least one of its orbit.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn to_canonical(&self, heights: &[Height]) -> Relabelling {
        let n = self.stacks();
        assert_eq!(heights.len(), n, "heights must match the stacks");
        let mut places: Vec<usize> = (0..n).collect();
        for &class in &self.twins {
            let mut members: Vec<usize> = class.iter().collect();
            members.sort_by_key(|&s| heights[s]);
            for (s, place) in members.into_iter().zip(class) {
                places[s] = place;
            }
        }
        let sorting = Relabelling::from_fn(n, |s| places[s]);
        let sorted = sorting.apply(heights);
        let Some(frame) = self.listed_frame() else {
            return sorting.then(&self.rearrangement(&sorted));
        };
        let best = least_origins(frame, &sorted);
        sorting.then(&Relabelling::from_fn(n, |s| best[s].into()).inverse())
    }

    /// Whether the position is the least one of its orbit.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn is_canonical(&self, heights: &[Height]) -> bool {
        assert_eq!(heights.len(), self.stacks(), "heights must match the stacks");
        let in_order = |class: &StackSet| {
            let mut members = class.iter().map(|s| heights[s]);
            let mut last = members.next();
            members.all(|height| last.replace(height) <= Some(height))
        };
        if !self.twins.iter().all(in_order) {
            return false;
        }
        match self.listed_frame() {
            Some(frame) => {
                let n = heights.len().max(1);
                let own = || heights.iter().copied();
                !frame.chunks_exact(n).any(|origins| before(heights, origins, own()))
            }
            None => self.rearrangement(heights).apply(heights) == heights,
        }
    }

    /// The number of positions in the orbit.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn orbit_size(&self, heights: &[Height]) -> u128 {
        assert_eq!(heights.len(), self.stacks(), "heights must match the stacks");
        let Some(frame) = self.listed_frame() else {
            return self.order() / self.stabiliser(heights).order();
        };
        let mut sorted = [0; MAX_STACKS];
        let sorted = &mut sorted[..heights.len()];
        sorted.copy_from_slice(heights);
        self.sort_twins(sorted);
        let same = |origins: &&[u8]| {
            origins.iter().zip(&*sorted).all(|(&s, h)| sorted[usize::from(s)] == *h)
        };
        let kept = frame.chunks_exact(sorted.len().max(1)).filter(same).count();
        let arrangements = |&class: &StackSet| arrangements(class.iter().map(|s| sorted[s]));
        let twins: u128 = self.twins.iter().map(arrangements).product();
        // Without stacks there is nothing to compare, and one position.
        twins * (self.frame_order() / kept.max(1) as u128)
    }

    /// The elements of the frame, the identity first, one after the other: for each stack the
    /// stack whose height comes there. `None` if they are too many.
    fn listed_frame(&self) -> Option<&[u8]> {
        let listed = self.frame_origins.get_or_init(|| {
            (self.frame_order() <= LISTED).then(|| {
                let levels = self.frame.iter().map(|level| level.transversal.clone()).collect();
                let elements = Elements::new(self.stacks(), levels);
                // With every element its inverse is listed, too: images serve as origins.
                let origins = |e: Relabelling| e.images().map(|s| s as u8).collect::<Vec<_>>();
                elements.flat_map(origins).collect::<Arc<[u8]>>()
            })
        });
        listed.as_deref()
    }

    fn sort_twins(&self, heights: &mut [Height]) {
        if self.is_full() {
            heights.sort_unstable();
            return;
        }
        for class in &self.twins {
            // Insertion sort along the places of the class.
            for place in class.iter() {
                let mut at = place;
                for earlier in (0..place).rev().filter(|&s| class.contains(s)) {
                    if heights[earlier] <= heights[at] {
                        break;
                    }
                    heights.swap(earlier, at);
                    at = earlier;
                }
            }
        }
    }

    /// A symmetry that makes the position least, when the frame is too large to be listed.
    fn rearrangement(&self, heights: &[Height]) -> Relabelling {
        match self.blocks.get_or_init(|| Blocks::of(self).map(Arc::new)) {
            Some(blocks) => blocks.least(heights),
            None => self.search(heights, MANY),
        }
    }

    /// The element of the frame that makes the position least.
    ///
    /// Level by level the stack that comes to the level's base is decided; candidates are kept
    /// as long as the heights decided so far are least. Equal positions are kept once, and
    /// when `many` remain also only one of those that later levels turn into each other.
    fn search(&self, heights: &[Height], many: usize) -> Relabelling {
        let n = heights.len();
        let mut candidates = vec![(heights.to_vec(), Relabelling::identity(n))];
        for (i, level) in self.frame.iter().enumerate() {
            let decided = self.frame.get(i + 1).map_or(n, |next| next.base);
            let mut least: Vec<(Vec<Height>, Relabelling)> = Vec::new();
            for (position, way) in &candidates {
                for element in &level.transversal {
                    let origin = position[element.image(level.base)];
                    if least.first().is_some_and(|(best, _)| origin > best[level.base]) {
                        continue;
                    }
                    let back = element.inverse();
                    let moved = back.apply(position);
                    match least.first().map(|(best, _)| moved[..decided].cmp(&best[..decided])) {
                        Some(Ordering::Greater) => continue,
                        Some(Ordering::Less) => least.clear(),
                        Some(Ordering::Equal) | None => {}
                    }
                    least.push((moved, way.then(&back)));
                }
            }
            least.sort_unstable();
            least.dedup_by(|a, b| a.0 == b.0);
            if least.len() >= many {
                self.drop_equivalent(&mut least, decided);
            }
            candidates = least;
        }
        candidates.swap_remove(0).1
    }

    /// Keeps one of the positions that are turned into each other by symmetries which leave
    /// the twin classes that begin before `decided` in place.
    fn drop_equivalent(&self, candidates: &mut Vec<(Vec<Height>, Relabelling)>, decided: usize) {
        let system = &*self.system;
        let early = |class: &&StackSet| class.lowest().is_some_and(|s| s < decided);
        let early = self.twins.iter().filter(early);
        let fixed = early.fold(StackSet::first(decided), |all, &class| all | class);
        // Equivalent candidates agree in the colours that occur and in the trace.
        let mut known: BTreeMap<_, Vec<Partition>> = BTreeMap::new();
        candidates.retain(|(position, _)| {
            let key = |s: usize| {
                let name = if fixed.contains(s) { s } else { MAX_STACKS };
                (self.root.colour(s), name, position[s])
            };
            let mut keys: Vec<_> = (0..position.len()).map(key).collect();
            let partition = Partition::new(system, &ranks(&keys));
            keys.sort_unstable();
            let alike = known.entry((keys, partition.trace())).or_default();
            let new = !alike.iter().any(|p| equivalent(system, p, system, &partition).is_some());
            if new {
                alike.push(partition);
            }
            new
        });
    }
}

/// Of the lists of origins one after the other, the one that makes the position least.
fn least_origins<'a>(frame: &'a [u8], heights: &[Height]) -> &'a [u8] {
    let n = heights.len();
    let (mut best, others) = frame.split_at(n);
    for origins in others.chunks_exact(n.max(1)) {
        if before(heights, origins, best.iter().map(|&s| heights[usize::from(s)])) {
            best = origins;
        }
    }
    best
}

/// Whether the heights from these origins come before the others.
fn before(heights: &[Height], origins: &[u8], others: impl Iterator<Item = Height>) -> bool {
    for (&origin, other) in origins.iter().zip(others) {
        let height = heights[usize::from(origin)];
        if height != other {
            return height < other;
        }
    }
    false
}

/// The number of different orders of the heights, which come sorted.
fn arrangements(sorted: impl Iterator<Item = Height>) -> u128 {
    let (mut total, mut run, mut last, mut repeated) = (0, 0, None, 1);
    for height in sorted {
        run = if last == Some(height) { run + 1 } else { 1 };
        last = Some(height);
        total += 1;
        repeated *= run;
    }
    factorial(total) / repeated
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::{CubePart, Family};
    use proptest::prelude::*;

    /// The least position by all elements of the group.
    fn least(symmetry: &Symmetry, heights: &[Height]) -> Vec<Height> {
        symmetry.elements().map(|e| e.apply(heights)).min().unwrap()
    }

    proptest! {
        #[test]
        fn the_search_by_levels_finds_the_least_position(
            heights in proptest::collection::vec(0u64..4, 12),
            which in 0usize..8,
            shuffled in Just((0..12).collect::<Vec<usize>>()).prop_shuffle(),
            renamed in any::<bool>(),
        ) {
            let pairs = (0..4).map(|i| StackSet::from_bits(3 << (2 * i)));
            let spread = (0..4).map(|i| StackSet::from_bits(0x111 << i));
            let edges = (0..5).flat_map(|u| (0..u).map(move |v| (u, v)));
            let squares = [(0, 2), (2, 4), (4, 6), (6, 0), (1, 3), (3, 5), (5, 7), (7, 1)];
            let squares = squares.map(|(a, b)| [a, b].into_iter().collect());
            let family = match which {
                0 => Family::Circular { n: 12, k: 5 },
                1 => Family::Matrix { rows: 3, columns: 3 },
                2 => Family::Cube { part: CubePart::Vertex },
                3 => Family::Matrix { rows: 4, columns: 3 },
                4 => Family::Sets { n: 8, sets: pairs.collect() },
                5 => Family::Sets { n: 12, sets: spread.collect() },
                6 => Family::Sets { n: 8, sets: squares.to_vec() },
                _ => Family::Graph { edges: edges.collect() },
            };
            let mut sets = family.sets();
            let n = sets.stacks();
            if renamed {
                let images: Vec<usize> = shuffled.into_iter().filter(|&s| s < n).collect();
                sets = sets.relabel(&images, n);
            }
            let symmetry = Symmetry::of_sets(&sets);
            let heights = &heights[..n];
            let expected = least(&symmetry, heights);
            let mut sorted = heights.to_vec();
            symmetry.sort_twins(&mut sorted);
            if let Some(blocks) = Blocks::of(&symmetry) {
                prop_assert_eq!(&blocks.least(heights).apply(heights), &expected);
            }
            for many in [2, 5, MANY] {
                let found = symmetry.search(&sorted, many);
                prop_assert_eq!(&found.apply(&sorted), &expected);
            }
            prop_assert_eq!(symmetry.canonical(heights), expected);
        }
    }
}
