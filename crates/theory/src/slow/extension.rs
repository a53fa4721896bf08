//! From a solved game to one with more moves (Slow26 Proposition 7).
//!
//! Let a game with P-positions P get additional moves E. If a part Q of P is such that
//!
//! 1. no move of E links two positions of P without Q,
//! 2. every N-position with an old move into Q has an old or new move into P without Q,
//! 3. every position of Q has a move of E into P without Q,
//!
//! then P without Q is the set of P-positions of the new game.

use nimatron_game::{Height, Rule, Take};
use std::fmt;

/// A solved game, the same game with more moves, and a set Q.
pub struct Extension<'a> {
    /// The rule of the solved game.
    pub solved: &'a Rule,
    /// The rule that allows more. Its moves that the solved game does not have are E.
    pub extended: &'a Rule,
    /// The P-positions of the solved game.
    pub is_p: &'a dyn Fn(&[Height]) -> bool,
    /// Q; positions outside P do not count.
    pub in_q: &'a dyn Fn(&[Height]) -> bool,
}

impl fmt::Debug for Extension<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Extension").field("extended", &self.extended).finish_non_exhaustive()
    }
}

/// A condition of the proposition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Condition {
    /// New moves do not link positions of P without Q.
    NoNewLink,
    /// Whoever could move into Q can also move into P without Q.
    AnotherWay,
    /// From Q a new move leads into P without Q.
    WayOut,
}

/// Where a condition fails.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{condition:?} fails at {position:?}")]
#[non_exhaustive]
pub struct Failure {
    /// The condition.
    pub condition: Condition,
    /// The position.
    pub position: Vec<Height>,
    /// The move that links two positions of P without Q, or leads into Q. None for a missing way
    /// out.
    pub take: Option<Take>,
}

impl Extension<'_> {
    /// Verifies the three conditions at all positions with heights up to `max`, of which there are
    /// `(max+1)^n`; where both rules are indifferent to the order of the stacks, only at those with
    /// ascending heights. That every position in a box passes is evidence for taller ones, and
    /// proves the new P-positions within the box.
    ///
    /// # Panics
    /// If the rules do not have as many stacks as each other.
    pub fn verify(&self, max: Height) -> Result<(), Failure> {
        let n = self.solved.stacks();
        assert_eq!(n, self.extended.stacks(), "both games are played on the same stacks");
        let sorted = self.solved.sets().sizes().is_some() && self.extended.sets().sizes().is_some();
        let mut heights = vec![0; n];
        loop {
            self.verify_at(&heights)?;
            // The next position, the last stack running fastest.
            let Some(i) = (0..n).rev().find(|&i| heights[i] < max) else { return Ok(()) };
            heights[i] += 1;
            let least = if sorted { heights[i] } else { 0 };
            heights[i + 1..].fill(least);
        }
    }

    fn verify_at(&self, heights: &[Height]) -> Result<(), Failure> {
        let kept = |p: &[Height]| (self.is_p)(p) && !(self.in_q)(p);
        let fail = |condition, take| Err(Failure { condition, position: heights.to_vec(), take });
        let new = |take: &Take| !self.solved.is_legal(heights, take);
        let reaches = |take: &Take| kept(&Rule::option(heights, take));
        let mut moves = self.extended.moves(heights);
        if kept(heights) {
            return match moves.find(|take| new(take) && reaches(take)) {
                Some(link) => fail(Condition::NoNewLink, Some(link)),
                None => Ok(()),
            };
        }
        if (self.is_p)(heights) {
            return match moves.any(|take| new(&take) && reaches(&take)) {
                true => Ok(()),
                false => fail(Condition::WayOut, None),
            };
        }
        let into_q = |take: &Take| {
            let to = Rule::option(heights, take);
            (self.is_p)(&to) && (self.in_q)(&to)
        };
        match self.solved.moves(heights).find(into_q) {
            Some(take) if !moves.any(|take| reaches(&take)) => {
                fail(Condition::AnotherWay, Some(take))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::slow_all_but_one::AllButOneSlow;
    use crate::slow::Cell;
    use nimatron_game::{Family, Sizes};

    fn slow(n: usize, sizes: &[usize]) -> Rule {
        Family::Slow { n, sizes: Sizes::new(sizes.iter().copied()) }.rule()
    }

    /// Adds the move on all stacks to play on all but one, with Q as a set of cells.
    fn verify(n: usize, max: Height, in_q: &dyn Fn(Cell) -> bool) -> Result<(), Failure> {
        let game = AllButOneSlow::new(n, false).unwrap();
        let (solved, extended) = (slow(n, &[n - 1]), slow(n, &[n - 1, n]));
        let is_p = |p: &[Height]| game.is_p(p);
        let in_q = |p: &[Height]| in_q(Cell::of(n - 1, p));
        Extension { solved: &solved, extended: &extended, is_p: &is_p, in_q: &in_q }.verify(max)
    }

    #[test]
    fn the_move_on_all_stacks() {
        for (n, max) in [(3, 20), (4, 12), (5, 8), (6, 10)] {
            // Q holds the positions of cell (n-2,n).
            assert_eq!(verify(n, max, &|c| c == Cell { s: n - 2, o: n }), Ok(()));
            // With nothing in Q, or with too much, the conditions fail.
            let nothing = verify(n, max, &|_| false).unwrap_err();
            assert_eq!(nothing.condition, Condition::NoNewLink);
            assert!(verify(n, max, &|_| true).is_err());
            let wrong = verify(n, max, &|c| c.s == 0 || c == Cell { s: n - 2, o: n }).unwrap_err();
            assert_eq!(wrong.condition, Condition::WayOut);
        }
    }

    #[test]
    fn whoever_could_move_into_q_needs_another_way() {
        // From (1,2) only (1,1) of the two would-be P-positions can be reached.
        let (solved, extended) = (slow(2, &[1]), slow(2, &[1, 2]));
        let is_p = |p: &[Height]| p == [0, 0] || p == [1, 1];
        let in_q = |p: &[Height]| p == [1, 1];
        let extension =
            Extension { solved: &solved, extended: &extended, is_p: &is_p, in_q: &in_q };
        assert_eq!(extension.verify(1), Ok(()));
        let failure = extension.verify(2).unwrap_err();
        assert_eq!(failure.condition, Condition::AnotherWay);
        assert_eq!(failure.position, [1, 2]);
        assert_eq!(failure.take, Some(Take::new(vec![0, 1])));
    }
}
