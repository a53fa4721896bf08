//! Renaming stacks.

use crate::sets::SetFamily;
use crate::stacks::{MAX_STACKS, StackSet};
use std::fmt;

/// A permutation of the stacks: stack `s` gets the new name `image(s)`.
///
/// ```
/// use nimatron_game::symmetry::Relabelling;
/// let turn = Relabelling::new(&[1, 2, 0]).unwrap();
/// assert_eq!(turn.apply(&[7, 8, 9]), [9, 7, 8]);
/// assert!(turn.then(&turn.inverse()).is_identity());
/// assert_eq!(turn.to_string(), "(abc)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Relabelling {
    stacks: u8,
    /// Entries from `stacks` on are their own images, so that equality is that of the mapping.
    images: [u8; MAX_STACKS],
}

impl Relabelling {
    /// Every stack keeps its name.
    ///
    /// # Panics
    /// If `stacks` exceeds [`MAX_STACKS`].
    pub fn identity(stacks: usize) -> Self {
        assert!(stacks <= MAX_STACKS);
        Relabelling { stacks: stacks as u8, images: std::array::from_fn(|s| s as u8) }
    }

    /// Stack `s` becomes `images[s]`; `None` if this is not a permutation of `0..images.len()`
    /// or there are more than [`MAX_STACKS`] stacks.
    pub fn new(images: &[usize]) -> Option<Self> {
        let n = images.len();
        if n > MAX_STACKS || images.iter().any(|&s| s >= n) {
            return None;
        }
        let onto = images.iter().copied().collect::<StackSet>() == StackSet::first(n);
        onto.then(|| Relabelling::from_fn(n, |s| images[s]))
    }

    /// The transposition of two stacks.
    pub(super) fn exchange(stacks: usize, a: usize, b: usize) -> Self {
        let mut exchange = Relabelling::identity(stacks);
        exchange.images.swap(a, b);
        exchange
    }

    /// Stack `s` becomes `image(s)`, which must be one to one.
    pub(super) fn from_fn(stacks: usize, image: impl Fn(usize) -> usize) -> Self {
        let mut relabelling = Relabelling::identity(stacks);
        for s in 0..stacks {
            relabelling.images[s] = image(s) as u8;
        }
        relabelling
    }

    /// The number of stacks.
    pub fn stacks(&self) -> usize {
        self.stacks.into()
    }

    /// The new name of `stack`.
    ///
    /// # Panics
    /// If there is no such stack.
    pub fn image(&self, stack: usize) -> usize {
        self.images[..self.stacks()][stack].into()
    }

    /// The new names of the stacks in order.
    pub fn images(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.images[..self.stacks()].iter().map(|&s| s.into())
    }

    /// Whether every stack keeps its name.
    pub fn is_identity(&self) -> bool {
        self.images().enumerate().all(|(s, image)| s == image)
    }

    /// First `self`, then `next`: the composition `next ∘ self`.
    ///
    /// # Panics
    /// If the two are about different numbers of stacks.
    #[must_use]
    pub fn then(&self, next: &Relabelling) -> Self {
        assert_eq!(self.stacks, next.stacks, "relabellings of different numbers of stacks");
        Relabelling {
            stacks: self.stacks,
            images: self.images.map(|s| next.images[usize::from(s)]),
        }
    }

    /// The relabelling that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut inverse = *self;
        for (s, image) in self.images().enumerate() {
            inverse.images[image] = s as u8;
        }
        inverse
    }

    /// The set under its new names.
    ///
    /// # Panics
    /// If the set reaches beyond the stacks.
    pub fn set(&self, set: StackSet) -> StackSet {
        set.iter().map(|s| self.image(s)).collect()
    }

    /// The family under its new names.
    ///
    /// # Panics
    /// If the family has another number of stacks.
    pub fn family(&self, family: &SetFamily) -> SetFamily {
        family.relabel(&self.images().collect::<Vec<_>>(), self.stacks())
    }

    /// Heights (or other data of the stacks) under the new names: entry `s` moves to place
    /// `image(s)`.
    ///
    /// # Panics
    /// If there are not as many entries as stacks.
    pub fn apply<T: Copy>(&self, heights: &[T]) -> Vec<T> {
        assert_eq!(heights.len(), self.stacks(), "heights must match the stacks");
        let mut moved = heights.to_vec();
        for (&height, image) in heights.iter().zip(self.images()) {
            moved[image] = height;
        }
        moved
    }
}

/// The cycles, `(abc)(de)`; `x1`, `x2` and so on instead of letters above 26 stacks. The identity is
/// `()`.
impl fmt::Display for Relabelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = self.stacks() <= 26;
        let mut seen = StackSet::EMPTY;
        for start in 0..self.stacks() {
            if seen.contains(start) || self.image(start) == start {
                continue;
            }
            let mut stack = start;
            f.write_str("(")?;
            while !seen.contains(stack) {
                seen = seen.with(stack);
                if letters {
                    write!(f, "{}", (b'a' + stack as u8) as char)?;
                } else {
                    write!(f, "{}x{}", if stack == start { "" } else { " " }, stack + 1)?;
                }
                stack = self.image(stack);
            }
            f.write_str(")")?;
        }
        if seen.is_empty() { f.write_str("()") } else { Ok(()) }
    }
}

impl fmt::Debug for Relabelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_permutations_are_relabellings() {
        assert!(Relabelling::new(&[0, 2, 1]).is_some());
        assert_eq!(Relabelling::new(&[0, 2, 2]), None);
        assert_eq!(Relabelling::new(&[0, 3, 1]), None);
        assert_eq!(Relabelling::new(&[]), Some(Relabelling::identity(0)));
        assert_eq!(Relabelling::new(&(0..33).collect::<Vec<_>>()), None);
        assert!(Relabelling::new(&(0..32).rev().collect::<Vec<_>>()).is_some());
    }

    #[test]
    fn composition_is_one_after_the_other() {
        let a = Relabelling::new(&[1, 2, 0, 3]).unwrap();
        let b = Relabelling::new(&[3, 1, 2, 0]).unwrap();
        let heights = [5, 6, 7, 8];
        assert_eq!(a.then(&b).apply(&heights), b.apply(&a.apply(&heights)));
        let set: StackSet = [0, 3].into_iter().collect();
        assert_eq!(a.then(&b).set(set), b.set(a.set(set)));
        assert_eq!(a.then(&b).inverse(), b.inverse().then(&a.inverse()));
    }

    #[test]
    fn displayed_as_cycles() {
        assert_eq!(Relabelling::identity(3).to_string(), "()");
        assert_eq!(Relabelling::new(&[1, 0, 2, 4, 3]).unwrap().to_string(), "(ab)(de)");
        assert_eq!(Relabelling::exchange(30, 0, 28).to_string(), "(x1 x29)");
    }
}
