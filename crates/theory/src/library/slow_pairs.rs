//! Slow games on exactly two stacks: Slow(n,{2}) for n = 3 and 4.
//!
//! With the heights in ascending order, `s` their total and `L` the excess of the tallest stack over
//! x2+x1 (n = 3) or x3+x2-x1 (n = 4): if `s` is even or L > 0, the tallest stack is but a partner for
//! moves on one of the others, and the position is P exactly if the others are in Slow(n-1,{1,2}). If
//! `s` is odd and L < 0, the parity of the number of moves left is fixed, and the position is P exactly
//! if floor(s/2) is even. (`L` has the parity of `s`, so it is not 0 then.)
//!
//! Values are published in "Slow k-Nim" (n = 3, 4), P-positions for n = 5 and 6 in "More about exact
//! slow k-Nim"; the form used here was derived for this program, and as a formula it is proved for all
//! heights by automata that the checker accepts. The like form for n = 6 fails, first at (1,2,2,2,2,4).

use super::slow_at_most::{AtMostSlow, played};
use crate::publication::SLOW_MOORE;
use crate::reason::Reason;
use crate::shape::sum;
use crate::slow::normal_sizes;
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Family, Height, Outcome, Play, Rule, Sizes, StackSet, subsets_of_size};

/// The theorem on Slow(n,{2}), n = 3 and 4.
#[derive(Clone, Copy, Debug)]
pub struct PairsSlowNim;

impl Theorem for PairsSlowNim {
    fn id(&self) -> &str {
        "slow-pairs"
    }

    fn citation(&self) -> Citation {
        Citation::whole(SLOW_MOORE).credit("values are published there; this form is proved here")
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "Slow(n,{2}) with n = 3 or 4, heights in ascending order: if the total is even, or the \
             last height exceeds a+b (n = 3) or b+c-a (n = 4), a position is P exactly if the other \
             heights are all even, or, for n = 4, all odd; otherwise exactly if the total leaves \
             the remainder 1 modulo 4.",
            r"In $\mathrm{Slow}(n,\{2\})$, $n \in \{3,4\}$, let $p_1 \le \dots \le p_n$, $s = \sum p_i$, and
             $L = p_3 - p_2 - p_1$ for $n = 3$, $L = p_4 - p_3 - p_2 + p_1$ for $n = 4$. If $s$ is even or
             $L > 0$, a position is a $\mathcal{P}$-position if and only if $p_1, \dots, p_{n-1}$ are all
             even or, for $n = 4$, all odd; otherwise if and only if $s \equiv 1 \pmod 4$.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        let sizes = normal_sizes(rule, play)?;
        Some(Box::new(PairsSlow::new(rule.stacks()).filter(|_| sizes == Sizes::new([2]))?))
    }
}

/// Slow(n,{2}) for one n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairsSlow {
    n: usize,
    /// The game of the stacks besides the tallest.
    others: AtMostSlow,
}

impl PairsSlow {
    /// Slow(n,{2}), for n = 3 and 4.
    pub fn new(n: usize) -> Option<Self> {
        let others = AtMostSlow::new(n.checked_sub(1)?, 2)?;
        matches!(n, 3 | 4).then_some(PairsSlow { n, others })
    }

    /// Whether the position is P.
    pub fn is_p(&self, heights: &[Height]) -> bool {
        let sorted = sorted(heights);
        if self.by_parities(&sorted) {
            self.others.is_p(&sorted[..self.n - 1])
        } else {
            sum(heights) % 4 == 1
        }
    }

    /// Whether the parities of the stacks besides the tallest decide.
    fn by_parities(&self, sorted: &[Height]) -> bool {
        let total = sum(sorted);
        let excess = match *sorted {
            [a, b, c] => i128::from(c) - i128::from(b) - i128::from(a),
            [a, b, c, d] => i128::from(d) + i128::from(a) - i128::from(c) - i128::from(b),
            _ => 0,
        };
        total.is_multiple_of(2) || excess > 0
    }
}

fn sorted(heights: &[Height]) -> Vec<Height> {
    let mut sorted = heights.to_vec();
    sorted.sort_unstable();
    sorted
}

impl Solution for PairsSlow {
    fn stacks(&self) -> usize {
        self.n
    }

    fn family(&self) -> Option<Family> {
        Some(Family::Slow { n: self.n, sizes: Sizes::new([2]) })
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.is_p(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        if self.is_p(heights) {
            return None;
        }
        let playable: StackSet = (0..self.n).filter(|&s| heights[s] > 0).collect();
        let mut moves = subsets_of_size(playable, 2).map(|pair| played(heights, pair));
        let to = moves.find(|to| self.is_p(to))?;
        Some(WinningMove::to(heights, &to, self.explain(heights)))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        let sorted = sorted(heights);
        let total = Reason::Total { sum: sum(heights) };
        if self.by_parities(&sorted) {
            let odd = sorted.iter().map(|h| h % 2 == 1).collect();
            let case = "the parities of all stacks but the tallest decide";
            vec![total, Reason::Parities { odd }, Reason::Case(case)]
        } else {
            vec![total, Reason::Case("the total modulo 4 decides")]
        }
    }

    fn formula(&self) -> Option<String> {
        let (order, excess, words) = match self.n {
            3 => ("a <= b <= c", "c > a+b", "even(a), even(b)"),
            _ => (
                "a <= b <= c <= d",
                "d > b+c-a",
                "((even(a), even(b), even(c)) or (odd(a), odd(b), odd(c)))",
            ),
        };
        let rest = format!("(odd(total), not {excess}, total mod 4 = 1)");
        Some(format!("sym({order}, ((even(total) or {excess}), {words}) or {rest})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_box, check_formula, check_tall};

    fn rule(n: usize) -> Rule {
        Family::Slow { n, sizes: Sizes::new([2]) }.rule()
    }

    #[test]
    fn the_theorem_holds_on_small_boxes() {
        for (n, max) in [(3, 14), (4, 9)] {
            check_box(&PairsSlowNim, &rule(n), max);
            check_formula(&PairsSlowNim, &rule(n), max.min(7));
        }
    }

    #[test]
    fn tall_stacks_have_winning_moves() {
        check_tall(&PairsSlowNim, &rule(3), 500);
        check_tall(&PairsSlowNim, &rule(4), 500);
    }

    #[test]
    fn larger_games_are_not_covered() {
        for n in [2, 5, 6] {
            assert!(PairsSlowNim.applies(&rule(n), Play::Normal).is_none());
        }
        assert!(PairsSlowNim.applies(&rule(4), Play::Misere).is_none());
    }
}
