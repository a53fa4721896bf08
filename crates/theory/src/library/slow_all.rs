//! Slow games on one or on all stacks: Slow(n,{n}) and Slow(n,{1,n}).
//!
//! Play on all stacks only lasts as long as the least stack. With single tokens as well and n even,
//! P-positions have an even total and an even least stack (Slow26 Theorem 2): a single token changes
//! the parity of the total, a move on all stacks that of the least stack.

use crate::publication::SLOW26;
use crate::reason::Reason;
use crate::shape::{range, sum};
use crate::slow::normal_sizes;
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Family, Height, Outcome, Play, Rule, Sizes};

/// The theorem on Slow(n,{n}) and Slow(n,{1,n}), n even.
#[derive(Clone, Copy, Debug)]
pub struct OneOrAllSlowNim;

impl Theorem for OneOrAllSlowNim {
    fn id(&self) -> &str {
        "slow-one-or-all"
    }

    fn citation(&self) -> Citation {
        Citation::item(SLOW26, "Theorem 2(2)").credit(
            "stated there for A = {1,n}; Slow(n,{n}), where all plays are equally long, is added",
        )
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "Slow(n,{1,n}) with n even: a position is P exactly if its total and its least stack \
             are even. Slow(n,{n}): exactly if its least stack is even, and the Grundy value is \
             the least height mod 2.",
            r"In $\mathrm{Slow}(n,\{1,n\})$ with $n$ even a position is a $\mathcal{P}$-position if
             and only if $\sum p_i$ and $\min p$ are even; in $\mathrm{Slow}(n,\{n\})$ if and only if
             $\min p$ is even, and there $\mathcal{G}(p) = \min p \bmod 2$.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        Some(Box::new(OneOrAllSlow::new(rule.stacks(), normal_sizes(rule, play)?)?))
    }
}

/// Slow(n,{n}), or Slow(n,{1,n}) with n even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OneOrAllSlow {
    n: usize,
    /// Whether single tokens can be taken.
    one: bool,
}

impl OneOrAllSlow {
    /// The game with these sizes, if it is one of the two.
    pub fn new(n: usize, sizes: Sizes) -> Option<Self> {
        if sizes == Sizes::new([n]) {
            return Some(OneOrAllSlow { n, one: false });
        }
        let both = n >= 2 && n.is_multiple_of(2) && sizes == Sizes::new([1, n]);
        both.then_some(OneOrAllSlow { n, one: true })
    }

    /// Whether the position is P.
    pub fn is_p(&self, heights: &[Height]) -> bool {
        let least = heights.iter().min().copied().unwrap_or(0);
        least % 2 == 0 && (!self.one || sum(heights).is_multiple_of(2))
    }

    fn least_stack(&self, heights: &[Height]) -> usize {
        (0..self.n).min_by_key(|&s| heights[s]).unwrap_or(0)
    }
}

impl Solution for OneOrAllSlow {
    fn stacks(&self) -> usize {
        self.n
    }

    fn family(&self) -> Option<Family> {
        let sizes = if self.one { Sizes::new([1, self.n]) } else { Sizes::new([self.n]) };
        Some(Family::Slow { n: self.n, sizes })
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.is_p(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        if self.is_p(heights) {
            return None;
        }
        let mut to = heights.to_vec();
        let low = self.least_stack(heights);
        let case = if !self.one || sum(heights).is_multiple_of(2) {
            to.iter_mut().for_each(|h| *h -= 1);
            "the least stack is odd: play on all stacks"
        } else if heights[low] % 2 == 1 {
            to[low] -= 1;
            "the total and the least stack are odd: play on the least stack"
        } else {
            // Not all stacks are equal: their number is even, and the total is not.
            let other = (0..self.n).find(|&s| heights[s] > heights[low])?;
            to[other] -= 1;
            "only the total is odd: play on another stack than the least"
        };
        let mut reasons = self.explain(heights);
        reasons.push(Reason::Case(case));
        Some(WinningMove::to(heights, &to, reasons))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        let stack = self.least_stack(heights);
        let least = Reason::LeastStack { among: range(0, self.n), stack, height: heights[stack] };
        match self.one {
            true => vec![Reason::Total { sum: sum(heights) }, least],
            false => vec![least],
        }
    }

    fn grundy(&self, heights: &[Height]) -> Option<u128> {
        let p = self.is_p(heights);
        (p || !self.one).then_some(u128::from(!p))
    }

    fn formula(&self) -> Option<String> {
        Some(if self.one { "even(total), even(min)" } else { "even(min)" }.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_box, check_grundy, check_tall};

    fn slow(n: usize, sizes: &[usize]) -> Rule {
        Family::Slow { n, sizes: Sizes::new(sizes.iter().copied()) }.rule()
    }

    #[test]
    fn the_theorem_holds_on_small_boxes() {
        for (n, max) in [(2, 12), (4, 6), (6, 3)] {
            check_box(&OneOrAllSlowNim, &slow(n, &[1, n]), max);
            check_grundy(&OneOrAllSlowNim, &slow(n, &[1, n]), max);
        }
        for (n, max) in [(1, 9), (2, 9), (3, 7), (4, 5), (5, 3)] {
            check_box(&OneOrAllSlowNim, &slow(n, &[n]), max);
            check_grundy(&OneOrAllSlowNim, &slow(n, &[n]), max);
        }
    }

    #[test]
    fn tall_stacks_have_winning_moves() {
        for n in [2, 4, 10, 32] {
            check_tall(&OneOrAllSlowNim, &slow(n, &[1, n]), 200);
            check_tall(&OneOrAllSlowNim, &slow(n, &[n]), 200);
        }
    }

    #[test]
    fn other_games_are_left_alone() {
        for rule in [slow(3, &[1, 3]), slow(4, &[1, 3]), slow(4, &[2, 4])] {
            assert!(OneOrAllSlowNim.applies(&rule, Play::Normal).is_none());
        }
    }
}
