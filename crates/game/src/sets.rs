//! Families of stack sets: what a player may choose from.

use crate::stacks::{MAX_STACKS, StackSet};
use std::sync::Arc;

/// Which set sizes a family of *all* sets of given sizes has: bit `s` for size `s`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Sizes(u64);

impl Sizes {
    /// The sizes listed; zero is left out, for a move plays on at least one stack.
    pub fn new(sizes: impl IntoIterator<Item = usize>) -> Self {
        let sized = sizes.into_iter().filter(|&s| (1..=MAX_STACKS).contains(&s));
        Sizes(sized.fold(0, |bits, s| bits | 1 << s))
    }

    /// Whether `size` is among them.
    pub fn contains(self, size: usize) -> bool {
        size <= MAX_STACKS && self.0 >> size & 1 == 1
    }

    /// The sizes in increasing order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = usize> + Clone {
        (1..=MAX_STACKS).filter(move |&s| self.contains(s))
    }

    /// The least size, if there is one.
    pub fn least(self) -> Option<usize> {
        self.iter().next()
    }

    /// The greatest size, if there is one.
    pub fn greatest(self) -> Option<usize> {
        self.iter().next_back()
    }

    /// The sizes up to `n`.
    #[must_use]
    pub fn up_to(self, n: usize) -> Self {
        Sizes::new(self.iter().filter(|&s| s <= n))
    }
}

/// A family of stack sets on the stacks `0..n`.
///
/// Either the sets are listed, or the family consists of *all* sets of certain sizes (Moore's
/// Nim, Exact Nim, Slow Nim): the latter are never written out, since there may be hundreds of
/// millions of them. A list that happens to hold all sets of its sizes is kept in the second
/// form, so that equal families are equal values.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SetFamily {
    stacks: usize,
    sets: Sets,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Sets {
    /// Sorted, each once, none empty. Rules are copied all the time; their sets are shared.
    Listed(Arc<[StackSet]>),
    BySize(Sizes),
}

impl SetFamily {
    /// The listed sets, sorted and each kept once; empty sets are left out.
    ///
    /// # Panics
    /// If a set reaches beyond the `stacks` stacks, or these exceed [`MAX_STACKS`].
    pub fn listed(stacks: usize, sets: impl IntoIterator<Item = StackSet>) -> Self {
        let all = StackSet::first(stacks);
        let mut sets: Vec<_> = sets.into_iter().filter(|s| !s.is_empty()).collect();
        assert!(sets.iter().all(|s| s.is_subset(all)), "a set has a stack beyond {stacks}");
        sets.sort_unstable();
        sets.dedup();
        let sizes = Sizes::new(sets.iter().map(|s| s.len()));
        let complete = sizes.iter().map(|s| binomial(stacks, s)).sum::<u64>() == sets.len() as u64;
        let sets = if complete { Sets::BySize(sizes) } else { Sets::Listed(sets.into()) };
        SetFamily { stacks, sets }
    }

    /// All sets whose size is among `sizes`; sizes above `stacks` are left out.
    ///
    /// # Panics
    /// If `stacks` exceeds [`MAX_STACKS`].
    pub fn by_size(stacks: usize, sizes: Sizes) -> Self {
        assert!(stacks <= MAX_STACKS);
        SetFamily { stacks, sets: Sets::BySize(sizes.up_to(stacks)) }
    }

    /// The number of stacks, whether or not each lies in a set.
    pub fn stacks(&self) -> usize {
        self.stacks
    }

    /// The sizes, if this is the family of all sets of certain sizes.
    pub fn sizes(&self) -> Option<Sizes> {
        match self.sets {
            Sets::BySize(sizes) => Some(sizes),
            Sets::Listed(_) => None,
        }
    }

    /// How many sets there are.
    pub fn len(&self) -> u64 {
        match &self.sets {
            Sets::Listed(sets) => sets.len() as u64,
            Sets::BySize(sizes) => sizes.iter().map(|s| binomial(self.stacks, s)).sum(),
        }
    }

    /// Whether there is no set at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sets, each once, lazily. Listed sets come in increasing order of their bits.
    pub fn iter(&self) -> Box<dyn Iterator<Item = StackSet> + '_> {
        match &self.sets {
            Sets::Listed(sets) => Box::new(sets.iter().copied()),
            Sets::BySize(sizes) => {
                let all = StackSet::first(self.stacks);
                Box::new(sizes.iter().flat_map(move |s| subsets_of_size(all, s)))
            }
        }
    }

    /// Whether `set` is one of the sets.
    pub fn contains(&self, set: StackSet) -> bool {
        match &self.sets {
            Sets::Listed(sets) => sets.binary_search(&set).is_ok(),
            Sets::BySize(sizes) => {
                set.is_subset(StackSet::first(self.stacks)) && sizes.contains(set.len())
            }
        }
    }

    /// Whether `face` lies within one of the sets.
    pub fn covers(&self, face: StackSet) -> bool {
        match &self.sets {
            Sets::Listed(sets) => sets.iter().any(|&s| face.is_subset(s)),
            Sets::BySize(sizes) => {
                face.is_subset(StackSet::first(self.stacks))
                    && sizes.greatest().is_some_and(|s| face.len() <= s)
            }
        }
    }

    /// The stacks that lie in at least one set.
    pub fn support(&self) -> StackSet {
        match &self.sets {
            Sets::Listed(sets) => sets.iter().fold(StackSet::EMPTY, |a, &s| a | s),
            Sets::BySize(sizes) if sizes.least().is_some() => StackSet::first(self.stacks),
            Sets::BySize(_) => StackSet::EMPTY,
        }
    }

    /// The inclusion-maximal sets only.
    #[must_use]
    pub fn maximal(&self) -> Self {
        match &self.sets {
            Sets::Listed(sets) => SetFamily::listed(self.stacks, maximal(sets)),
            Sets::BySize(sizes) => SetFamily::by_size(self.stacks, Sizes::new(sizes.greatest())),
        }
    }

    /// The sets with stack `s` renamed to `image[s]`, on `stacks` stacks.
    ///
    /// # Panics
    /// If `image` does not map the stacks one to one into `0..stacks`, or a family given by
    /// sizes is relabelled into more stacks than it has.
    #[must_use]
    pub fn relabel(&self, image: &[usize], stacks: usize) -> Self {
        let whole: StackSet = image.iter().copied().collect();
        assert_eq!(whole.len(), self.stacks, "not one to one");
        match &self.sets {
            Sets::Listed(sets) => SetFamily::listed(stacks, sets.iter().map(|s| s.relabel(image))),
            Sets::BySize(_) if stacks == self.stacks => self.clone(),
            Sets::BySize(_) => SetFamily::listed(stacks, self.iter().map(|s| s.relabel(image))),
        }
    }
}

/// The inclusion-maximal sets of a list, sorted.
pub fn maximal(sets: &[StackSet]) -> Vec<StackSet> {
    let mut by_size = sets.to_vec();
    by_size.sort_unstable_by_key(|s| std::cmp::Reverse(s.len()));
    let mut kept: Vec<StackSet> = Vec::new();
    for set in by_size {
        if !set.is_empty() && !kept.iter().any(|&k| set.is_subset(k)) {
            kept.push(set);
        }
    }
    kept.sort_unstable();
    kept
}

/// The subsets of `of` with `size` stacks, lazily; none if `size` is 0.
pub fn subsets_of_size(of: StackSet, size: usize) -> impl Iterator<Item = StackSet> {
    let members: Vec<usize> = of.iter().collect();
    let n = members.len();
    // Gosper's successor of a bit pattern with the same number of ones.
    let next = |&bits: &u64| {
        let low = bits & bits.wrapping_neg();
        let ripple = bits + low;
        Some(ripple | ((bits ^ ripple) / low) >> 2)
    };
    let first = (size >= 1 && size <= n).then(|| (1u64 << size) - 1);
    std::iter::successors(first, next)
        .take_while(move |&bits| bits >> n == 0)
        .map(move |bits| (0..n).filter(|&i| bits >> i & 1 == 1).map(|i| members[i]).collect())
}

/// The number of `k`-subsets of `n` things.
pub(crate) fn binomial(n: usize, k: usize) -> u64 {
    (0..k.min(n)).fold(1, |b, i| b * (n - i) as u64 / (i + 1) as u64) * u64::from(k <= n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(bits: &[u32]) -> Vec<StackSet> {
        bits.iter().map(|&b| StackSet::from_bits(b)).collect()
    }

    #[test]
    fn maximal_drops_what_is_contained() {
        assert_eq!(maximal(&sets(&[0b11, 0b1, 0b110, 0b111, 0])), sets(&[0b111]));
        assert_eq!(maximal(&sets(&[0b011, 0b110, 0b101])), sets(&[0b011, 0b101, 0b110]));
    }

    #[test]
    fn families_by_size_agree_with_their_lists() {
        for n in 0..=6 {
            for bits in 0u64..1 << n {
                let sizes = Sizes::new((1..=n).filter(|s| bits >> (s - 1) & 1 == 1));
                let lazy = SetFamily::by_size(n, sizes);
                let list: Vec<StackSet> = lazy.iter().collect();
                assert_eq!(lazy, SetFamily::listed(n, list.iter().copied()));
                assert_eq!(lazy.len(), list.len() as u64);
                assert_eq!(lazy.support(), list.iter().fold(StackSet::EMPTY, |a, &s| a | s));
                assert_eq!(lazy.maximal().iter().count(), maximal(&list).len());
                for set in (0..1 << n).map(StackSet::from_bits) {
                    assert_eq!(lazy.contains(set), list.contains(&set));
                    let covered = list.iter().any(|&s| set.is_subset(s));
                    assert_eq!(lazy.covers(set), covered, "{set:?} in {lazy:?}");
                }
            }
        }
    }

    #[test]
    fn a_large_family_is_not_written_out() {
        let moore = SetFamily::by_size(32, Sizes::new([16]));
        assert_eq!(moore.len(), 601_080_390);
        assert_eq!(moore.iter().take(1000).count(), 1000);
        assert_eq!(moore.iter().next().unwrap().len(), 16);
        assert_eq!(SetFamily::by_size(32, Sizes::new([32])).iter().count(), 1);
    }
}
