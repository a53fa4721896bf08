//! Slow games in which every move takes an odd number of tokens: Slow(n,A) with 1 and only odd
//! numbers in A (Slow26 Theorem 2, where A = {1,k}).
//!
//! Every move changes the parity of the total, and as single tokens can be taken, play ends only
//! when nothing is left: all plays from a position are of the same parity.

use crate::publication::SLOW26;
use crate::reason::Reason;
use crate::shape::sum;
use crate::slow::normal_sizes;
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Family, Height, Outcome, Play, Rule, Sizes};

/// The theorem on slow games with odd numbers of stacks.
#[derive(Clone, Copy, Debug)]
pub struct OddSlowNim;

impl Theorem for OddSlowNim {
    fn id(&self) -> &str {
        "slow-odd"
    }

    fn citation(&self) -> Citation {
        Citation::item(SLOW26, "Theorem 2(1)")
            .credit("stated there for A = {1,k}; for other A the same argument was added here")
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "Slow(n,{1,k}) with k odd, and every Slow(n,A) where A holds 1 and only odd numbers: a \
             position is P exactly if its total is even. The Grundy value is the total mod 2.",
            r"In $\mathrm{Slow}(n,\{1,k\})$ with $k$ odd, and whenever $1 \in A$ and all of $A$ is
             odd, a position is a $\mathcal{P}$-position if and only if $\sum p_i$ is even; its Grundy
             value is $\sum p_i \bmod 2$.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        Some(Box::new(OddSlow::new(rule.stacks(), normal_sizes(rule, play)?)?))
    }
}

/// One slow game with odd numbers of stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OddSlow {
    n: usize,
    sizes: Sizes,
}

impl OddSlow {
    /// Slow(n,A), if A holds 1 and only odd numbers.
    pub fn new(n: usize, sizes: Sizes) -> Option<Self> {
        let fits = sizes.contains(1) && sizes.iter().all(|a| a % 2 == 1);
        fits.then_some(OddSlow { n, sizes })
    }

    /// Whether the position is P.
    pub fn is_p(&self, heights: &[Height]) -> bool {
        sum(heights).is_multiple_of(2)
    }
}

impl Solution for OddSlow {
    fn stacks(&self) -> usize {
        self.n
    }

    fn family(&self) -> Option<Family> {
        Some(Family::Slow { n: self.n, sizes: self.sizes })
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.is_p(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        if self.is_p(heights) {
            return None;
        }
        let stack = (0..self.n).find(|&s| heights[s] > 0)?;
        let mut to = heights.to_vec();
        to[stack] -= 1;
        let mut reasons = self.explain(heights);
        reasons.push(Reason::Case("any move leaves an even total"));
        Some(WinningMove::to(heights, &to, reasons))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        vec![Reason::Total { sum: sum(heights) }]
    }

    fn grundy(&self, heights: &[Height]) -> Option<u128> {
        Some(sum(heights) % 2)
    }

    fn formula(&self) -> Option<String> {
        Some("even(total)".to_string())
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
        let games: [(usize, &[usize], Height); 7] = [
            (1, &[1], 9),
            (2, &[1], 8),
            (3, &[1, 3], 9),
            (4, &[1, 3], 6),
            (5, &[1, 3], 4),
            (5, &[1, 5], 4),
            (5, &[1, 3, 5], 4),
        ];
        for (n, sizes, max) in games {
            check_box(&OddSlowNim, &slow(n, sizes), max);
            check_grundy(&OddSlowNim, &slow(n, sizes), max);
        }
    }

    #[test]
    fn tall_stacks_have_winning_moves() {
        for n in [1, 3, 7, 32] {
            check_tall(&OddSlowNim, &slow(n, &[1, n - (n + 1) % 2]), 200);
        }
    }

    #[test]
    fn other_games_are_left_alone() {
        for rule in [slow(4, &[1, 2]), slow(4, &[3]), Family::Nim { n: 3 }.rule()] {
            assert!(OddSlowNim.applies(&rule, Play::Normal).is_none());
        }
        assert!(OddSlowNim.applies(&slow(3, &[1]), Play::Misere).is_none());
    }
}
