//! Slow games: tokens that no play can ever remove (Slow26 section 3).
//!
//! In `Slow(n,A)` only the least number `a` of stacks in a move matters for this question. A
//! token is *unplayable* if it is still there however the game ends; a position is *reduced* if
//! it has none, which is the case exactly when `a` times its tallest stack is at most its total
//! (the no-irrelevant-tokens bound, NIRB). Every position is reduced by chopping all stacks at
//! one height, and play goes on as if the tokens above had never been there.

use crate::position::Height;
use crate::rule::{Amounts, Choice, Rule};
use crate::stacks::MAX_STACKS;

/// The least number of stacks in a move, if the rule is that of a slow game `Slow(n,A)`.
pub fn least_move(rule: &Rule) -> Option<usize> {
    let slow = rule.choice() == Choice::All
        && rule.each() == Amounts::exactly(1)
        && rule.total() == Amounts::POSITIVE;
    rule.sets().sizes().filter(|_| slow)?.least()
}

/// The height at which the stacks are to be chopped: the greatest `m`, not above the tallest
/// stack, with `a * m` at most the sum of all `min(height, m)`, where `a` is `least`.
///
/// Linear in the number of stacks, after sorting them.
///
/// # Panics
/// If there are more than [`MAX_STACKS`] heights.
pub fn chop_height(least: usize, heights: &[Height]) -> Height {
    assert!(heights.len() <= MAX_STACKS, "too many stacks");
    let mut sorted = [0; MAX_STACKS];
    let sorted = &mut sorted[..heights.len()];
    sorted.copy_from_slice(heights);
    sorted.sort_unstable();
    let Some(&tallest) = sorted.last() else { return 0 };
    let mut sum: u128 = sorted.iter().map(|&h| u128::from(h)).sum();
    if u128::from(tallest) * least as u128 <= sum {
        return tallest;
    }
    // With the j tallest stacks chopped at m, the others must supply (a - j) * m tokens.
    for j in 1..least.min(sorted.len() + 1) {
        sum -= u128::from(sorted[sorted.len() - j]);
        let m = sum / (least - j) as u128;
        let next = sorted.len().checked_sub(j + 1).map_or(0, |i| sorted[i]);
        if u128::from(next) <= m {
            // At most the tallest stack: otherwise the position had been reduced.
            return m as Height;
        }
    }
    0
}

/// One try of the algorithm that finds the height to chop at: with the tallest stacks chopped, the
/// others must supply their share of every move on them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ChopTry {
    /// How many of the tallest stacks are chopped.
    pub chopped: usize,
    /// The tokens on the other stacks.
    pub others: u128,
    /// The greatest height that these allow.
    pub height: u128,
    /// The tallest of the other stacks; the height is right as soon as it is at least this.
    pub next: Height,
}

/// The tries by which [`chop_height`] finds its answer (Slow26 Algorithm 1), the last of them
/// successful unless no move is possible at all. The first one chops nothing: its height bounds
/// the stacks of a reduced position.
///
/// ```
/// use nimatron_game::slow::chop_tries;
/// let tries = chop_tries(5, &[12, 20, 33, 52, 79, 112, 155, 170]);
/// let heights: Vec<u128> = tries.iter().map(|t| t.height).collect();
/// assert_eq!(heights, [126, 115, 102, 98]);
/// ```
pub fn chop_tries(least: usize, heights: &[Height]) -> Vec<ChopTry> {
    let mut sorted = heights.to_vec();
    sorted.sort_unstable();
    let mut tries = Vec::new();
    for chopped in 0..least.min(sorted.len() + 1) {
        let rest = &sorted[..sorted.len() - chopped];
        let others = rest.iter().map(|&h| u128::from(h)).sum();
        let next = rest.last().copied().unwrap_or(0);
        let height = others / (least - chopped) as u128;
        tries.push(ChopTry { chopped, others, height, next });
        if u128::from(next) <= height {
            break;
        }
    }
    tries
}

/// Removes the unplayable tokens: the reduced position of `heights` in a slow game whose moves
/// play on at least `least` stacks.
///
/// ```
/// use nimatron_game::slow::reduce_heights;
/// let mut heights = [1, 1, 100];
/// reduce_heights(2, &mut heights);
/// assert_eq!(heights, [1, 1, 2]);
/// ```
///
/// # Panics
/// If there are more than [`MAX_STACKS`] heights.
pub fn reduce_heights(least: usize, heights: &mut [Height]) {
    let m = chop_height(least, heights);
    for height in heights {
        *height = (*height).min(m);
    }
}

/// How many tokens of each stack no play can ever remove.
///
/// # Panics
/// If there are more than [`MAX_STACKS`] heights.
pub fn unplayable(least: usize, heights: &[Height]) -> Vec<Height> {
    let m = chop_height(least, heights);
    heights.iter().map(|h| h.saturating_sub(m)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Family;
    use crate::position::MAX_HEIGHT;
    use crate::sets::Sizes;
    use std::collections::HashMap;

    fn reduced(least: usize, heights: &[Height]) -> Vec<Height> {
        let mut heights = heights.to_vec();
        reduce_heights(least, &mut heights);
        heights
    }

    #[test]
    fn worked_examples() {
        let tall = [12, 20, 33, 52, 79, 112, 155, 170];
        assert_eq!(reduced(5, &tall), [12, 20, 33, 52, 79, 98, 98, 98]);
        assert_eq!(reduced(2, &[1, 1, 100]), [1, 1, 2]);
        assert_eq!(reduced(2, &[0, 3, 5]), [0, 3, 3]);
        assert_eq!(reduced(2, &[0, 0, 5]), [0, 0, 0]);
        assert_eq!(reduced(3, &[1, 2, 5, 6]), [1, 2, 3, 3]);
        assert_eq!(reduced(3, &[6, 1, 5, 2]), [3, 1, 3, 2]);
        assert_eq!(unplayable(3, &[6, 1, 5, 2]), [3, 0, 2, 0]);
    }

    /// Whether no token is unplayable: `least` times the tallest stack is at most the total (the NIRB
    /// condition, Slow26 Theorem 4).
    fn is_reduced(least: usize, heights: &[Height]) -> bool {
        let tallest = heights.iter().copied().max().unwrap_or(0);
        let total: u128 = heights.iter().map(|&h| u128::from(h)).sum();
        u128::from(tallest) * least as u128 <= total
    }

    #[test]
    fn the_last_try_is_the_answer() {
        for least in 1..=4 {
            for code in 0..6_u64.pow(4) {
                let heights: Vec<_> = (0..4).map(|i| code / 6_u64.pow(i) % 6).collect();
                let tries = chop_tries(least, &heights);
                let last = tries.last().unwrap();
                let chopped = chop_height(least, &heights);
                let tallest = heights.iter().max().unwrap();
                assert_eq!(last.height.min((*tallest).into()), chopped.into(), "{heights:?}");
                let (reduced, one) = (is_reduced(least, &heights), tries.len() == 1);
                assert_eq!(reduced, one);
                assert_eq!(reduced, unplayable(least, &heights).iter().all(|&u| u == 0));
            }
        }
    }

    #[test]
    fn extremes() {
        assert_eq!(reduced(1, &[7, 0]), [7, 0]);
        assert_eq!(reduced(2, &[7]), [0]);
        assert_eq!(reduced(5, &[7, 7]), [0, 0]);
        assert_eq!(reduced(3, &[]), [] as [Height; 0]);
        assert_eq!(reduced(32, &[MAX_HEIGHT; 32]), [MAX_HEIGHT; 32]);
        let mut uneven = [MAX_HEIGHT; 32];
        uneven[3] = 1;
        assert_eq!(reduced(32, &uneven), [1; 32]);
    }

    #[test]
    fn the_least_move_of_slow_games_only() {
        let slow = Family::Slow { n: 5, sizes: Sizes::new([2, 4]) };
        assert_eq!(least_move(&slow.rule()), Some(2));
        assert_eq!(least_move(&Family::Exact { n: 5, k: 2 }.rule()), None);
        assert_eq!(least_move(&Family::Nim { n: 5 }.rule()), None);
    }

    /// The least remainder of each stack over all ends of play: the definition.
    fn remainders(
        rule: &Rule,
        heights: &[Height],
        seen: &mut HashMap<Vec<Height>, Vec<Height>>,
    ) -> Vec<Height> {
        if let Some(known) = seen.get(heights) {
            return known.clone();
        }
        let mut least = vec![Height::MAX; heights.len()];
        let mut terminal = true;
        for take in rule.moves(heights) {
            terminal = false;
            let later = remainders(rule, &Rule::option(heights, &take), seen);
            least = least.into_iter().zip(later).map(|(l, r)| l.min(r)).collect();
        }
        let result = if terminal { heights.to_vec() } else { least };
        seen.insert(heights.to_vec(), result.clone());
        result
    }

    #[test]
    fn unplayable_tokens_are_those_left_by_all_plays() {
        for (n, h, sizes) in [
            (2, 6, vec![2]),
            (3, 6, vec![2]),
            (3, 6, vec![2, 3]),
            (3, 6, vec![3]),
            (4, 4, vec![2]),
            (4, 4, vec![3]),
            (4, 4, vec![3, 4]),
            (4, 4, vec![1, 3]),
            (5, 3, vec![3]),
            (5, 3, vec![4]),
        ] {
            let sizes = Sizes::new(sizes);
            let rule = Family::Slow { n, sizes }.rule();
            let least = sizes.least().unwrap();
            let mut seen = HashMap::new();
            for code in 0..(h + 1_u64).pow(n as u32) {
                let heights: Vec<_> =
                    (0..n as u32).map(|i| code / (h + 1).pow(i) % (h + 1)).collect();
                let expected = remainders(&rule, &heights, &mut seen);
                assert_eq!(unplayable(least, &heights), expected, "{heights:?}, {sizes:?}");
            }
        }
    }
}
