//! Moore's Nim Moore(n,k): any k of n stacks (Moore 1910).
//!
//! P-positions have, in every binary digit, a number of ones divisible by `k+1`. The winning
//! move mends the digits from the top. Stacks lowered already have free digits from there on.
//! Let a digit have `s` ones too many (mod `k+1`) on the other stacks, and let `r` stacks be
//! free. Either `k+1-s` of the free stacks get a one, or, if those are more than `r`, `s` further
//! stacks lose theirs: then `r+s <= k`, so no more than `k` stacks are ever touched.

use crate::publication::MOORE;
use crate::reason::Reason;
use crate::shape::{is_normal_set_nim, uniform};
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Family, Height, Outcome, Play, Rule, StackSet, Take};
use std::borrow::Cow;

/// The theorem on Moore(n,k).
#[derive(Clone, Copy, Debug)]
pub struct MooreNim;

impl Theorem for MooreNim {
    fn id(&self) -> &str {
        "moore"
    }

    fn games(&self) -> Cow<'static, str> {
        "Moore(n,k)".into()
    }

    fn citation(&self) -> Citation {
        Citation::whole(MOORE)
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "Moore(n,k): a position is P exactly if in every binary digit the number of stacks \
             with a one is divisible by k+1. The Grundy value is 1 exactly if the same holds \
             except that the units digit leaves the remainder 1.",
            r"In $\mathrm{Moore}(n,k)$ let $c_d$ be the number of heights whose binary digit $d$ is
             one. A position is a $\mathcal{P}$-position if and only if $c_d \equiv 0 \pmod{k+1}$ for
             all $d$; its Grundy value is $1$ if and only if $c_0 \equiv 1$ and $c_d \equiv 0
             \pmod{k+1}$ for $d > 0$.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        let k = uniform(rule.sets()).filter(|_| is_normal_set_nim(rule, play))?;
        Some(Box::new(Moore::new(rule.stacks(), k)?))
    }
}

/// Moore(n,k) for one n and k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moore {
    n: usize,
    k: usize,
}

impl Moore {
    /// Moore(n,k), for `1 <= k <= n <= 32`.
    pub fn new(n: usize, k: usize) -> Option<Self> {
        (k >= 1 && k <= n && n <= nimatron_game::MAX_STACKS).then_some(Moore { n, k })
    }

    /// Whether the position is P.
    pub fn is_p(&self, heights: &[Height]) -> bool {
        digits(heights).all(|d| self.excess(heights, d) == 0)
    }

    /// How many ones too many a digit has, mod k+1.
    fn excess(&self, heights: &[Height], digit: u32) -> usize {
        ones(heights, digit).len() % (self.k + 1)
    }

    /// The stacks that lose their one in a digit, and the free ones that get one.
    fn mend(&self, free: StackSet, ones: StackSet) -> (StackSet, StackSet) {
        let bound = ones - free;
        let excess = bound.len() % (self.k + 1);
        let missing = if excess == 0 { 0 } else { self.k + 1 - excess };
        match missing <= free.len() {
            true => (StackSet::EMPTY, free.iter().take(missing).collect()),
            false => (bound.iter().take(excess).collect(), StackSet::EMPTY),
        }
    }
}

/// The binary digits of some heights, from the units; above them all are zero.
pub(crate) fn digits(heights: &[Height]) -> std::ops::Range<u32> {
    0..Height::BITS - heights.iter().fold(0, |all, height| all | height).leading_zeros()
}

/// The stacks whose height has a one in a digit.
pub(crate) fn ones(heights: &[Height], digit: u32) -> StackSet {
    (0..heights.len()).filter(|&s| heights[s] >> digit & 1 == 1).collect()
}

/// The move that mends the digits from the top. `mend` is told the stacks lowered already, whose digits are
/// free, and those with a one; it says which others lose theirs, and which free stacks get one.
pub(crate) fn mended(
    heights: &[Height],
    mend: impl Fn(StackSet, StackSet) -> (StackSet, StackSet),
) -> Option<WinningMove> {
    let mut reasons = Vec::new();
    let to = mended_to(heights, mend, |reason| reasons.push(reason))?;
    Some(WinningMove::to(heights, &to, reasons))
}

/// The same move without the steps.
pub(crate) fn mended_take(
    heights: &[Height],
    mend: impl Fn(StackSet, StackSet) -> (StackSet, StackSet),
) -> Option<Take> {
    let mut to = mended_to(heights, mend, |_| {})?;
    to.iter_mut().zip(heights).for_each(|(to, &from)| *to = from - *to);
    Some(Take::new(to))
}

fn mended_to(
    heights: &[Height],
    mend: impl Fn(StackSet, StackSet) -> (StackSet, StackSet),
    mut tell: impl FnMut(Reason),
) -> Option<Vec<Height>> {
    let mut to = heights.to_vec();
    let mut free = StackSet::EMPTY;
    for digit in digits(heights).rev() {
        let ones = ones(heights, digit);
        let (dropped, set) = mend(free, ones);
        if !dropped.is_empty() || !set.is_empty() {
            tell(Reason::Digit { digit, ones, dropped, set });
        }
        free = free | dropped;
        for stack in free {
            to[stack] &= !(1 << digit);
            to[stack] |= u64::from(set.contains(stack)) << digit;
        }
    }
    (!free.is_empty()).then_some(to)
}

impl Solution for Moore {
    fn stacks(&self) -> usize {
        self.n
    }

    fn family(&self) -> Option<Family> {
        Some(Family::Moore { n: self.n, k: self.k })
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.is_p(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        mended(heights, |free, ones| self.mend(free, ones))
    }

    fn winning_take(&self, heights: &[Height]) -> Option<Take> {
        mended_take(heights, |free, ones| self.mend(free, ones))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        let bad = digits(heights).rev().filter(|&d| self.excess(heights, d) > 0);
        let reasons: Vec<_> =
            bad.map(|digit| Reason::BadDigit { digit, ones: ones(heights, digit) }).collect();
        if reasons.is_empty() {
            return vec![Reason::Case("in every digit the ones cancel")];
        }
        reasons
    }

    fn grundy(&self, heights: &[Height]) -> Option<u128> {
        let upper = digits(heights).skip(1).all(|d| self.excess(heights, d) == 0);
        let units = self.excess(heights, 0);
        (upper && units <= 1).then_some(units as u128)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_box, check_grundy, check_tall};

    #[test]
    fn the_theorem_holds_on_small_boxes() {
        for (n, k, max) in
            [(1, 1, 9), (3, 2, 15), (4, 2, 8), (4, 3, 8), (5, 2, 4), (5, 4, 4), (6, 3, 3)]
        {
            let rule = Family::Moore { n, k }.rule();
            check_box(&MooreNim, &rule, max);
        }
    }

    #[test]
    fn values_zero_and_one_are_known() {
        for (n, k, max) in [(3, 1, 8), (3, 2, 10), (4, 2, 6), (4, 3, 5), (5, 3, 3)] {
            let rule = Family::Moore { n, k }.rule();
            let known = check_grundy(&MooreNim, &rule, max);
            assert!(known > 0);
        }
    }

    #[test]
    fn the_numbers_of_p_positions_of_the_literature() {
        // OEIS-like counts of ordered P-positions in the boxes 0..m.
        let counts = |n, k, most: Height| -> Vec<usize> {
            let moore = Moore::new(n, k).unwrap();
            let count = |m| crate::testing::boxed(n, m).filter(|p| moore.is_p(p)).count();
            (0..=most).map(count).collect()
        };
        assert_eq!(counts(4, 2, 7), [1, 5, 9, 25, 29, 45, 61, 125]);
        assert_eq!(counts(5, 2, 6), [1, 11, 21, 121, 131, 231, 511]);
    }

    #[test]
    fn tall_stacks_have_winning_moves() {
        for (n, k) in [(2, 2), (5, 2), (7, 4), (9, 3), (32, 16), (32, 5), (31, 30)] {
            check_tall(&MooreNim, &Family::Moore { n, k }.rule(), 400);
        }
    }

    #[test]
    fn a_listed_family_of_all_sets_is_recognised() {
        let circle = Family::Circular { n: 4, k: 3 }.rule();
        assert!(MooreNim.applies(&circle, Play::Normal).is_some());
        assert!(MooreNim.applies(&Family::Circular { n: 4, k: 2 }.rule(), Play::Normal).is_none());
        assert!(MooreNim.applies(&Family::Exact { n: 4, k: 2 }.rule(), Play::Normal).is_none());
    }
}
