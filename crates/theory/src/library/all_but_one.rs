//! All stacks but one: Moore(n,n-1) = CN(n,n-1) (DH13 Theorem 2.1, Jenkyns-Mayberry 1980).
//!
//! Only positions of equal heights are P. The Grundy value for `n >= 3` follows the formula of
//! Jenkyns and Mayberry; for two stacks the game is Nim.

use crate::library::jm::jm_value;
use crate::library::nim::xor;
use crate::publication::{DH13, JM80};
use crate::reason::Reason;
use crate::shape::{is_normal_set_nim, joined, range, sum, uniform};
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Family, Height, Outcome, Play, Rule};
use std::borrow::Cow;

/// The theorem on Moore(n,n-1).
#[derive(Clone, Copy, Debug)]
pub struct AllButOneNim;

impl Theorem for AllButOneNim {
    fn id(&self) -> &str {
        "all-but-one"
    }

    fn games(&self) -> Cow<'static, str> {
        "CN(n,n-1) = Moore(n,n-1)".into()
    }

    fn citation(&self) -> Citation {
        let credit = format!("Grundy values: {JM80}");
        Citation { credit: Some(credit.into()), ..Citation::item(DH13, "Theorem 2.1(3)") }
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "CN(n,n-1) = Moore(n,n-1), n >= 2: a position is P exactly if all heights are equal. \
             For n >= 3, with m the least height, y = total - n*m + 1 and c = y(y-1)/2, the \
             Grundy value is the total if m <= c, else c + ((m-c-1) mod y).",
            r"In $\mathrm{CN}(n,n-1)$, $n \ge 2$, a position is a $\mathcal{P}$-position if and only
             if $p_1 = \dots = p_n$. For $n \ge 3$ let $m = \min p$, $y = \sum p_i - nm + 1$ and $c =
             \binom{y}{2}$; then $\mathcal{G}(p) = \sum p_i$ if $m \le c$, and $\mathcal{G}(p) = c +
             ((m-c-1) \bmod y)$ otherwise.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        let k = uniform(rule.sets()).filter(|_| is_normal_set_nim(rule, play))?;
        let game = AllButOne::new(rule.stacks()).filter(|game| game.n == k + 1)?;
        Some(Box::new(game))
    }
}

/// Moore(n,n-1) for one n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllButOne {
    n: usize,
}

impl AllButOne {
    /// Moore(n,n-1), for `n >= 2`.
    pub fn new(n: usize) -> Option<Self> {
        (n >= 2).then_some(AllButOne { n })
    }

    /// Whether the position is P.
    pub fn is_p(&self, heights: &[Height]) -> bool {
        heights.iter().all(|&h| h == heights[0])
    }
}

impl Solution for AllButOne {
    fn stacks(&self) -> usize {
        self.n
    }

    fn family(&self) -> Option<Family> {
        Some(Family::Circular { n: self.n, k: self.n - 1 })
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.is_p(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        if self.is_p(heights) {
            return None;
        }
        let least = *heights.iter().min()?;
        let mut reasons = self.explain(heights);
        reasons.push(Reason::Case("all stacks come down to the lowest"));
        Some(WinningMove::to(heights, &vec![least; self.n], reasons))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        let stack = (0..self.n).min_by_key(|&s| heights[s]).expect("n >= 2");
        let least = Reason::LeastStack { among: range(0, self.n), stack, height: heights[stack] };
        let case = match self.is_p(heights) {
            true => "all stacks are equally high",
            false => "the stacks are not equally high",
        };
        vec![least, Reason::Case(case)]
    }

    fn knows_values(&self) -> bool {
        true
    }

    fn grundy(&self, heights: &[Height]) -> Option<u128> {
        if self.n == 2 {
            return Some(xor(heights).into());
        }
        let least = *heights.iter().min()?;
        let total = sum(heights);
        Some(jm_value(total, least, total - self.n as u128 * u128::from(least)))
    }

    fn formula(&self) -> Option<String> {
        Some(joined(0..self.n, self.n, " = "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_box, check_grundy, check_tall};

    #[test]
    fn the_theorem_holds_on_small_boxes() {
        for (n, max) in [(2, 20), (3, 12), (4, 6), (5, 3), (6, 2)] {
            let rule = Family::Circular { n, k: n - 1 }.rule();
            check_box(&AllButOneNim, &rule, max);
            let known = check_grundy(&AllButOneNim, &rule, max);
            assert_eq!(known as u64, (max + 1).pow(n as u32));
        }
    }

    #[test]
    fn known_grundy_values() {
        let value = |p: &[Height]| AllButOne::new(3).unwrap().grundy(p).unwrap();
        assert_eq!(value(&[1, 1, 2]), 4);
        assert_eq!(value(&[2, 2, 3]), 1);
        assert_eq!(value(&[3, 3, 4]), 2);
        assert_eq!(value(&[4, 5, 6]), 15);
        assert_eq!(value(&[10, 11, 12]), 9);
    }

    #[test]
    fn tall_stacks_have_winning_moves() {
        for n in [2, 3, 8, 32] {
            check_tall(&AllButOneNim, &Family::Moore { n, k: n - 1 }.rule(), 200);
        }
        let mut tall = vec![nimatron_game::MAX_HEIGHT; 32];
        tall[0] = 0;
        let game = AllButOne::new(32).unwrap();
        assert_eq!(game.grundy(&tall), Some(31 * u128::from(nimatron_game::MAX_HEIGHT)));
    }
}
