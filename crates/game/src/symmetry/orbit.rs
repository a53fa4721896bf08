//! Positions up to symmetry.

use super::chain::{Symmetry, factorial};
use super::elements::Elements;
use super::isomorphism::equivalent;
use super::partition::{Partition, ranks};
use super::relabelling::Relabelling;
use crate::position::Height;
use crate::stacks::{MAX_STACKS, StackSet};
use std::cmp::Ordering;
use std::sync::Arc;

/// Frames of at most this order are listed; larger ones are searched level by level.
const LISTED: u128 = 10_000;

/// From this many candidates on, a search looks for candidates that are equivalent.
const MANY: usize = 16;

/// The orbit of a position consists of the positions it can be relabelled to. Its
/// representative is the lexicographically least one.
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
                let n = heights.len();
                let mut best: Option<&[u8]> = None;
                for images in frame.chunks_exact(n.max(1)) {
                    let better = match best {
                        None => before(heights, images),
                        Some(best) => seen(heights, images).lt(seen(heights, best)),
                    };
                    if better {
                        best = Some(images);
                    }
                }
                if let Some(best) = best {
                    let mut least = [0; MAX_STACKS];
                    least.iter_mut().zip(seen(heights, best)).for_each(|(l, h)| *l = h);
                    heights.copy_from_slice(&least[..n]);
                }
            }
            None => {
                let moved = self.search(heights).apply(heights);
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
            return sorting.then(&self.search(&sorted));
        };
        let own = (0..n as u8).collect::<Vec<u8>>();
        let elements = frame.chunks_exact(n.max(1)).chain([&own[..]]);
        let best = elements.min_by(|a, b| seen(&sorted, a).cmp(seen(&sorted, b)));
        let best = best.unwrap_or(&own);
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
                !frame.chunks_exact(heights.len().max(1)).any(|images| before(heights, images))
            }
            None => self.search(heights).apply(heights) == heights,
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
        let same = |images: &&[u8]| {
            images.iter().zip(&*sorted).all(|(&s, h)| sorted[usize::from(s)] == *h)
        };
        let kept = 1 + frame.chunks_exact(sorted.len().max(1)).filter(same).count();
        let arrangements = |&class: &StackSet| arrangements(class.iter().map(|s| sorted[s]));
        let twins: u128 = self.twins.iter().map(arrangements).product();
        twins * (self.frame_order() / kept as u128)
    }

    /// The frame without the identity, as images of the stacks one element after the other,
    /// if it is small enough. With an element it holds its inverse, so the images may as well
    /// be read as origins.
    fn listed_frame(&self) -> Option<&[u8]> {
        let listed = self.frame_images.get_or_init(|| {
            (self.frame_order() <= LISTED).then(|| {
                let levels = self.frame.iter().map(|level| level.transversal.clone()).collect();
                let elements = Elements::new(self.stacks(), levels).skip(1);
                let images = |e: Relabelling| e.images().map(|s| s as u8).collect::<Vec<_>>();
                elements.flat_map(images).collect::<Arc<[u8]>>()
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

    /// The element of the frame that makes the position least.
    ///
    /// Level by level the stack that comes to the level's base is decided; candidates are kept
    /// as long as the heights decided so far are least. Equal positions are kept once, and
    /// when many remain also only one of those that later levels turn into each other.
    fn search(&self, heights: &[Height]) -> Relabelling {
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
            if least.len() >= MANY {
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
        let mut kept: Vec<(Vec<Height>, Relabelling)> = Vec::new();
        let mut known = Vec::new();
        for (position, way) in candidates.drain(..) {
            let key = |s: usize| {
                let name = if fixed.contains(s) { s } else { MAX_STACKS };
                (self.root.colour(s), name, position[s])
            };
            let mut keys: Vec<_> = (0..position.len()).map(key).collect();
            let partition = Partition::new(system, &ranks(&keys));
            keys.sort_unstable();
            let same = |(others, other): &(Vec<_>, Partition)| {
                *others == keys && equivalent(system, other, system, &partition).is_some()
            };
            if !known.iter().any(same) {
                known.push((keys, partition));
                kept.push((position, way));
            }
        }
        *candidates = kept;
    }
}

/// The heights at these stacks, in order.
fn seen<'a>(heights: &'a [Height], stacks: &'a [u8]) -> impl Iterator<Item = Height> + 'a {
    stacks.iter().map(|&s| heights[usize::from(s)])
}

/// Whether the heights at these stacks come before the heights themselves.
fn before(heights: &[Height], stacks: &[u8]) -> bool {
    for (&s, &own) in stacks.iter().zip(heights) {
        let height = heights[usize::from(s)];
        if height != own {
            return height < own;
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
            which in 0usize..6,
        ) {
            let family = match which {
                0 => Family::Circular { n: 12, k: 5 },
                1 => Family::Matrix { rows: 3, columns: 3 },
                2 => Family::Cube { part: CubePart::Vertex },
                3 => Family::Matrix { rows: 4, columns: 3 },
                4 => Family::Sets { n: 8, sets: (0..4).map(|i| StackSet::from_bits(3 << (2 * i))).collect() },
                _ => Family::Graph { edges: (0..5).flat_map(|u| (0..u).map(move |v| (u, v))).collect() },
            };
            let symmetry = Symmetry::of(&family.rule());
            let heights = &heights[..symmetry.stacks()];
            let expected = least(&symmetry, heights);
            let mut sorted = heights.to_vec();
            symmetry.sort_twins(&mut sorted);
            let found = symmetry.search(&sorted);
            prop_assert_eq!(&found.apply(&sorted), &expected);
            prop_assert_eq!(symmetry.canonical(heights), expected);
        }
    }
}
