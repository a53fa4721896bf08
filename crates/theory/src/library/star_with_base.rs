//! The star with its base, Set(ab,ac,..,az,bc..z): a move plays on the centre and one leaf, or on any of
//! the leaves.
//!
//! P-positions: twice the centre is the sum of the leaves, and the xor of the leaves is 0. The proof, for
//! two leaves or more, with `t` the height of the centre, `x` the leaves, `s` their sum and `X` their xor:
//!
//! * From P to P there is no move. A move on the leaves keeps `t`, so it must keep their sum `2t`, and
//!   takes nothing. A move on the centre and one leaf keeps the other leaves, so their xor fixes this one, and
//!   the sum fixes the centre.
//! * *Lemma.* If `X = 0`, then `s` is even, and for every `r` up to `s/2` there are leaves at most as tall as
//!   these with xor 0 and sum `2r`. Such leaves have an even number of ones in each binary place. Go down from
//!   the highest place and keep all ones as long as their pairs do not exceed what is left of `r`. In the first
//!   place where they do, with value `2^j`, keep as many pairs as fit; now less than `2^j` of `r` is left.
//!   Two leaves that lose their one there become that in all lower places, which is below them, and all
//!   other leaves have no lower ones.
//! * If `X = 0` and `2t > s`, lower the centre to `s/2`. If `X = 0` and `2t < s`, the lemma lowers the leaves
//!   to the sum `2t`.
//! * If `X` is not 0, some leaf `x_i` is greater than `y = x_i xor X`, as in Nim. Let `u = s - x_i + y`, which is
//!   the sum of leaves of xor 0 and so even. If `2t >= u`, lower the leaf to `y` and the centre to `u/2`.
//!   Otherwise lower it to `y` and then, by the lemma, the leaves to the sum `2t`: a move on the leaves.

use crate::reason::Reason;
use crate::shape::{is_normal_set_nim, joined, list};
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Height, Outcome, Play, Rule, StackSet};

/// The theorem on the star with its base.
#[derive(Clone, Copy, Debug)]
pub struct StarWithBaseNim;

impl Theorem for StarWithBaseNim {
    fn id(&self) -> &str {
        "star-with-base"
    }

    fn citation(&self) -> Citation {
        let source = "proved with this program: docs/theorems.md".into();
        Citation { key: "star with base, proved here".into(), source, item: None, credit: None }
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "Set(ab,ac,..,az,bc..z), a star with its base: a position is P exactly if 2a = b+c+..+z and the \
             xor of b,c,..,z is 0.",
            r"In the game with centre $a$ and leaves $x_1, \dots, x_m$, $m \ge 2$, whose facets are the pairs
             of $a$ and a leaf and the set of all leaves, a position is a $\mathcal{P}$-position if and only
             if $2a = \sum_i x_i$ and $\bigoplus_i x_i = 0$.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        let star = is_normal_set_nim(rule, play).then(|| StarWithBase::of(rule))??;
        Some(Box::new(star))
    }
}

/// A star with its base, whatever its stacks are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StarWithBase {
    stacks: usize,
    centre: usize,
}

impl StarWithBase {
    fn of(rule: &Rule) -> Option<Self> {
        let stacks = rule.stacks();
        if stacks < 3 || rule.sets().len() != stacks as u64 {
            return None;
        }
        let sets = list(rule.sets())?;
        let all = StackSet::first(stacks);
        let is_star = |centre: &usize| {
            let ray = |set: &&StackSet| set.len() == 2 && set.contains(*centre);
            sets.contains(&all.without(*centre)) && sets.iter().filter(ray).count() == stacks - 1
        };
        let centre = (0..stacks).find(is_star)?;
        Some(StarWithBase { stacks, centre })
    }

    fn leaves(self) -> StackSet {
        StackSet::first(self.stacks).without(self.centre)
    }

    fn xor(self, heights: &[Height]) -> Height {
        self.leaves().iter().fold(0, |x, s| x ^ heights[s])
    }

    fn sum(self, heights: &[Height]) -> u128 {
        self.leaves().iter().map(|s| u128::from(heights[s])).sum()
    }

    fn is_p(self, heights: &[Height]) -> bool {
        2 * u128::from(heights[self.centre]) == self.sum(heights) && self.xor(heights) == 0
    }

    /// Leaves of xor 0, lowered so that they have xor 0 and the sum `2 * half`, which is at most theirs: the
    /// lemma.
    fn lowered(self, heights: &[Height], half: u128) -> Vec<Height> {
        let (mut to, mut left) = (heights.to_vec(), half);
        for place in (0..Height::BITS).rev() {
            let mut ones: Vec<usize> =
                self.leaves().iter().filter(|&s| heights[s] >> place & 1 == 1).collect();
            let pairs = ones.len() / 2;
            let kept = (left >> place).min(pairs as u128) as usize;
            left -= (kept as u128) << place;
            if kept == pairs {
                continue;
            }
            // What is left is less than a one in this place.
            let (lost, upper) = (ones.split_off(2 * kept), !0 << place);
            for stack in self.leaves() {
                to[stack] = heights[stack] & upper;
            }
            for (number, stack) in lost.into_iter().enumerate() {
                let low = if number < 2 { left as Height } else { 0 };
                to[stack] = (heights[stack] & upper & !(1 << place)) | low;
            }
            break;
        }
        to
    }
}

impl Solution for StarWithBase {
    fn stacks(&self) -> usize {
        self.stacks
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.is_p(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        if self.is_p(heights) {
            return None;
        }
        let (x, centre) = (self.xor(heights), u128::from(heights[self.centre]));
        let mut to = heights.to_vec();
        let leaf = self.leaves().iter().find(|&s| heights[s] ^ x < heights[s]);
        if let Some(leaf) = leaf {
            to[leaf] ^= x;
        }
        let half = self.sum(&to) / 2;
        let case = match (leaf, centre >= half) {
            (None, true) => "the centre comes down to half the sum of the leaves",
            (Some(_), true) => "one leaf mends the xor, and the centre comes down to half the sum",
            (_, false) => "the leaves come down to twice the centre with xor 0",
        };
        if centre >= half {
            to[self.centre] = half as Height;
        } else {
            to = self.lowered(&to, centre);
        }
        let mut reasons = self.explain(heights);
        reasons.push(Reason::Case(case));
        Some(WinningMove::to(heights, &to, reasons))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        let (leaves, centre) = (self.leaves(), heights[self.centre]);
        let case = match self.sum(heights).cmp(&(2 * u128::from(centre))) {
            std::cmp::Ordering::Less => "twice the centre is more than the leaves together",
            std::cmp::Ordering::Equal => "twice the centre is the sum of the leaves",
            std::cmp::Ordering::Greater => "twice the centre is less than the leaves together",
        };
        vec![Reason::Case(case), Reason::Xor { stacks: leaves, value: self.xor(heights) }]
    }

    fn formula(&self) -> Option<String> {
        let centre = joined([self.centre], self.stacks, "");
        let leaves = |sign: &str| joined(self.leaves(), self.stacks, sign);
        Some(format!("2*{centre} = {}, xor({}) = 0", leaves("+"), leaves(",")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_box, check_formula, check_tall};
    use nimatron_game::{Family, SetFamily};

    fn star(stacks: usize, centre: usize) -> Rule {
        let leaves = StackSet::first(stacks).without(centre);
        let rays = leaves.iter().map(|s| [centre, s].into_iter().collect());
        Rule::set_nim(SetFamily::listed(stacks, rays.chain([leaves])))
    }

    #[test]
    fn the_theorem_holds_on_small_boxes() {
        for (stacks, max) in [(3, 12), (4, 6), (5, 4), (6, 2), (7, 2), (8, 1)] {
            check_box(&StarWithBaseNim, &star(stacks, 0), max);
            check_formula(&StarWithBaseNim, &star(stacks, 0), max);
        }
        check_box(&StarWithBaseNim, &star(5, 3), 3);
    }

    #[test]
    fn tall_stacks_have_winning_moves() {
        for stacks in [3, 4, 5, 8, 20, 32] {
            check_tall(&StarWithBaseNim, &star(stacks, stacks / 2), 400);
        }
    }

    /// The lemma: every sum can be reached.
    #[test]
    fn leaves_of_xor_zero_come_down_to_every_even_sum() {
        let star = StarWithBase { stacks: 5, centre: 0 };
        for leaves in [[3, 5, 6, 0], [7, 7, 7, 7], [1, 2, 4, 7], [12, 10, 6, 0], [9, 9, 6, 6]] {
            let heights: Vec<Height> = [0].into_iter().chain(leaves).collect();
            for half in 0..=star.sum(&heights) / 2 {
                let to = star.lowered(&heights, half);
                assert!(to.iter().zip(&heights).all(|(low, high)| low <= high), "{to:?}");
                assert_eq!((star.xor(&to), star.sum(&to)), (0, 2 * half), "{heights:?}");
            }
        }
    }

    #[test]
    fn other_games_are_left_alone() {
        let circle = Family::Circular { n: 5, k: 3 }.rule();
        assert!(StarWithBaseNim.applies(&circle, Play::Normal).is_none());
        assert!(StarWithBaseNim.applies(&star(5, 0), Play::Misere).is_none());
    }
}
