//! The M-rule: the shortest way to win Slow(n,{n-1}) (arXiv:2304.06498).
//!
//! A move leaves out one stack. If all stacks are odd leave out a largest one, otherwise a smallest
//! even one. From an N-position this wins as quickly as possible, from a P-position it loses as
//! slowly as possible: when both players follow the rule, the number of moves is the remoteness of
//! the position, even exactly at P-positions (normal play). Under misere play the move is not always
//! a winning one; for n = 3 it fails at (1,b,c) with 1 <= b < c.

use nimatron_game::{Height, Take};

/// The stack that the rule leaves out, the first if there are several.
pub fn left_out(heights: &[Height]) -> Option<usize> {
    let stacks = || 0..heights.len();
    let even = stacks().filter(|&s| heights[s].is_multiple_of(2)).min_by_key(|&s| heights[s]);
    even.or_else(|| stacks().min_by_key(|&s| std::cmp::Reverse(heights[s])))
}

/// The move of the rule; `None` if no move is left.
///
/// ```
/// use nimatron_theory::slow::m_rule;
/// assert_eq!(m_rule::optimal_move(&[1, 2, 3, 4]).unwrap().to_string(), "(1,0,1,1)");
/// ```
pub fn optimal_move(heights: &[Height]) -> Option<Take> {
    let omitted = left_out(heights)?;
    let played = |s: usize| s != omitted;
    let possible = heights.len() > 1 && (0..heights.len()).all(|s| !played(s) || heights[s] > 0);
    possible.then(|| Take::new((0..heights.len()).map(|s| u64::from(played(s))).collect()))
}

/// The number of moves when both players follow the rule: the remoteness. `None` if it is more
/// than `most`; the time is that of the play.
pub fn remoteness(heights: &[Height], most: u64) -> Option<u64> {
    let mut heights = heights.to_vec();
    for played in 0..=most {
        let Some(take) = optimal_move(&heights) else { return Some(played) };
        heights.iter_mut().zip(take.iter()).for_each(|(h, t)| *h -= t);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{boxed, remoteness as by_definition};
    use nimatron_game::{Family, Play, Sizes};
    use std::collections::HashMap;

    #[test]
    fn values_of_the_literature() {
        let value = |p: &[Height]| remoteness(p, 100).unwrap();
        assert_eq!(value(&[1, 1, 1, 1]), 1);
        assert_eq!(value(&[1, 2, 3, 4]), 3);
        assert_eq!(value(&[4, 5, 6, 7]), 7);
        assert_eq!(value(&[9, 9, 9, 9]), 11);
        assert_eq!(value(&[10, 10, 10, 10]), 12);
        assert_eq!(remoteness(&[10, 10, 10, 10], 11), None);
    }

    #[test]
    fn the_play_has_the_length_of_the_remoteness() {
        for (n, max) in [(2, 12), (3, 10), (4, 6), (5, 4)] {
            let rule = Family::Slow { n, sizes: Sizes::new([n - 1]) }.rule();
            let mut seen = HashMap::new();
            for p in boxed(n, max) {
                let expected = by_definition(&rule, Play::Normal, &p, &mut seen);
                assert_eq!(remoteness(&p, 1000), Some(expected), "{p:?}");
            }
        }
    }

    #[test]
    fn where_the_rule_fails_under_misere_play() {
        let rule = Family::Slow { n: 3, sizes: Sizes::new([2]) }.rule();
        let mut seen = HashMap::new();
        for p in boxed(3, 12).filter(|p| p.is_sorted()) {
            // Under misere play the remoteness is odd at P-positions.
            let is_p =
                |p: &[Height], seen: &mut _| by_definition(&rule, Play::Misere, p, seen) % 2 == 1;
            let Some(take) = optimal_move(&p).filter(|_| !is_p(&p, &mut seen)) else { continue };
            let to = nimatron_game::Rule::option(&p, &take);
            let exception = p[0] == 1 && p[1] < p[2];
            assert_eq!(!is_p(&to, &mut seen), exception, "{p:?}");
        }
    }
}
