//! Sets of stacks, as bit sets.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{BitAnd, BitOr, Sub};

/// The largest number of stacks a game may have.
pub const MAX_STACKS: usize = 32;

/// A set of stacks. Stacks are numbered from 0 inside the library; in notation they are
/// `a, b, c, ...` or `1, 2, 3, ...`.
///
/// ```
/// use nimatron_game::StackSet;
/// let facet: StackSet = [0, 1, 3].into_iter().collect();
/// assert_eq!(facet.len(), 3);
/// assert!(facet.contains(3) && !facet.contains(2));
/// assert_eq!(facet.to_string(), "abd");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct StackSet(u32);

impl StackSet {
    /// The set without stacks.
    pub const EMPTY: StackSet = StackSet(0);

    /// The set whose stack `i` is present when bit `i` is set.
    pub const fn from_bits(bits: u32) -> Self {
        StackSet(bits)
    }

    /// Bit `i` is set when stack `i` is present.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The stacks `0..n`.
    ///
    /// # Panics
    /// If `n` exceeds [`MAX_STACKS`].
    pub const fn first(n: usize) -> Self {
        assert!(n <= MAX_STACKS);
        StackSet(if n == 0 { 0 } else { u32::MAX >> (MAX_STACKS - n) })
    }

    /// The set of one stack.
    ///
    /// # Panics
    /// If `stack` is not below [`MAX_STACKS`].
    pub const fn single(stack: usize) -> Self {
        assert!(stack < MAX_STACKS);
        StackSet(1 << stack)
    }

    /// How many stacks the set holds.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set holds no stack.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `stack` belongs to the set.
    pub const fn contains(self, stack: usize) -> bool {
        stack < MAX_STACKS && self.0 >> stack & 1 == 1
    }

    /// Whether every stack of `self` belongs to `other`.
    pub const fn is_subset(self, other: StackSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether the two sets share no stack.
    pub const fn is_disjoint(self, other: StackSet) -> bool {
        self.0 & other.0 == 0
    }

    /// The set with `stack` added.
    #[must_use]
    pub const fn with(self, stack: usize) -> Self {
        StackSet(self.0 | StackSet::single(stack).0)
    }

    /// The set with `stack` removed.
    #[must_use]
    pub const fn without(self, stack: usize) -> Self {
        StackSet(self.0 & !StackSet::single(stack).0)
    }

    /// The lowest stack of the set.
    pub const fn lowest(self) -> Option<usize> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros() as usize) }
    }

    /// The stacks in increasing order.
    pub fn iter(self) -> Stacks {
        Stacks(self.0)
    }

    /// All non-empty subsets, each once, from the whole set downwards.
    pub fn subsets(self) -> impl Iterator<Item = StackSet> + Clone {
        let all = self.0;
        std::iter::successors((all != 0).then_some(all), move |&s| {
            let next = s.wrapping_sub(1) & all;
            (next != 0).then_some(next)
        })
        .map(StackSet)
    }

    /// Smaller sets first, those of a size by their bits.
    pub fn by_size(&self, other: &Self) -> Ordering {
        (self.len(), self.bits()).cmp(&(other.len(), other.bits()))
    }

    /// Smaller sets first, those of a size in the order of their names: `ad` before `bc`.
    pub fn by_size_and_name(&self, other: &Self) -> Ordering {
        self.len().cmp(&other.len()).then_with(|| self.iter().cmp(*other))
    }

    /// The set with every stack `s` replaced by `image[s]`.
    ///
    /// # Panics
    /// If a stack of the set has no image.
    #[must_use]
    pub fn relabel(self, image: &[usize]) -> Self {
        self.iter().map(|s| image[s]).collect()
    }

    /// The set with every stack moved up by `by` places.
    ///
    /// # Panics
    /// If a stack would leave the range.
    #[must_use]
    pub fn shifted(self, by: usize) -> Self {
        self.iter().map(|s| s + by).collect()
    }
}

impl BitOr for StackSet {
    type Output = StackSet;
    fn bitor(self, other: StackSet) -> StackSet {
        StackSet(self.0 | other.0)
    }
}

impl BitAnd for StackSet {
    type Output = StackSet;
    fn bitand(self, other: StackSet) -> StackSet {
        StackSet(self.0 & other.0)
    }
}

impl Sub for StackSet {
    type Output = StackSet;
    fn sub(self, other: StackSet) -> StackSet {
        StackSet(self.0 & !other.0)
    }
}

impl FromIterator<usize> for StackSet {
    fn from_iter<I: IntoIterator<Item = usize>>(stacks: I) -> Self {
        stacks.into_iter().fold(StackSet::EMPTY, StackSet::with)
    }
}

impl IntoIterator for StackSet {
    type Item = usize;
    type IntoIter = Stacks;
    fn into_iter(self) -> Stacks {
        self.iter()
    }
}

/// Letters when all stacks have one (`abd`), else `x1 x27`: as formulas name them.
impl fmt::Display for StackSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = self.0 >> 26 == 0;
        for (i, stack) in self.iter().enumerate() {
            if letters {
                write!(f, "{}", (b'a' + stack as u8) as char)?;
            } else {
                write!(f, "{}x{}", if i > 0 { " " } else { "" }, stack + 1)?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for StackSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

/// Iterator over the stacks of a [`StackSet`], in increasing order.
#[derive(Clone, Debug)]
pub struct Stacks(u32);

impl Iterator for Stacks {
    type Item = usize;
    fn next(&mut self) -> Option<usize> {
        let stack = StackSet(self.0).lowest()?;
        self.0 &= self.0 - 1;
        Some(stack)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Stacks {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_listed_once_from_the_top() {
        let set: StackSet = [1, 3, 4].into_iter().collect();
        let subsets: Vec<_> = set.subsets().collect();
        assert_eq!(subsets.len(), 7);
        assert_eq!(subsets[0], set);
        assert!(subsets.iter().all(|s| s.is_subset(set) && !s.is_empty()));
        assert_eq!(StackSet::EMPTY.subsets().count(), 0);
        let mut sorted = subsets.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), 7);
    }

    #[test]
    fn the_full_range_is_usable() {
        assert_eq!(StackSet::first(MAX_STACKS).len(), 32);
        assert_eq!(StackSet::first(0), StackSet::EMPTY);
        assert_eq!(StackSet::first(32).iter().last(), Some(31));
        assert_eq!(StackSet::single(31).to_string(), "x32");
        assert_eq!(StackSet::from_bits(1 << 26 | 1).to_string(), "x1 x27");
    }

    #[test]
    fn sets_in_two_orders() {
        let [a, ad, bc] = [0b1, 0b1001, 0b110].map(StackSet::from_bits);
        let mut sets = vec![ad, bc, a];
        sets.sort_by(StackSet::by_size);
        assert_eq!(sets, [a, bc, ad]);
        sets.sort_by(StackSet::by_size_and_name);
        assert_eq!(sets, [a, ad, bc]);
    }

    #[test]
    fn set_algebra() {
        let (a, b) = (StackSet::from_bits(0b1101), StackSet::from_bits(0b0110));
        assert_eq!((a | b).bits(), 0b1111);
        assert_eq!((a & b).bits(), 0b0100);
        assert_eq!((a - b).bits(), 0b1001);
        assert_eq!(b.shifted(2).bits(), 0b11000);
        assert_eq!(a.relabel(&[3, 2, 1, 0]).bits(), 0b1011);
    }
}
