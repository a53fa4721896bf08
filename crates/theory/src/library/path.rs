//! Path Nim PN(n,k) with k at least half of n (KDH26 Theorem 4.1).
//!
//! For `i = 1..n-k` let `L(i)` be the sum of the first `i` stacks and `R(i)` that of the stacks
//! from `i+k` on; between them lie `k-1` stacks. `L` grows with `i`, `R` shrinks. P-positions are
//! those with `L(i) = R(i)` and nothing in between, for some `i`.
//!
//! Hence the winning move: where `L` meets `R` the window in between is emptied; where they pass
//! each other without meeting, the taller side loses the difference along with the window.

use crate::publication::KDH26;
use crate::reason::Reason;
use crate::shape::{is_normal_set_nim, joined, matches, range, sum};
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Family, Height, Outcome, Play, Rule};
use std::borrow::Cow;
use std::cmp::Ordering;

/// The theorem on PN(n,k), n/2 <= k <= n.
#[derive(Clone, Copy, Debug)]
pub struct PathNim;

impl Theorem for PathNim {
    fn id(&self) -> &str {
        "path"
    }

    fn games(&self) -> Cow<'static, str> {
        "PN(n,k) with k >= n/2".into()
    }

    fn citation(&self) -> Citation {
        Citation::item(KDH26, "Theorem 4.1")
            .credit("stated and proved before by Ehrenborg and Steingrimsson (1996), as KDH26 says")
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "PN(n,k) with n/2 <= k < n: a position is P exactly if it has k-1 consecutive empty \
             stacks with at least one stack on either side, and equal sums on the two sides. \
             PN(n,n): only the empty position is P.",
            r"In $\mathrm{PN}(n,k)$ with $n/2 \le k < n$ a position $p$ is a $\mathcal{P}$-position
             if and only if for some $1 \le i \le n-k$ we have $p_{i+1} = \dots = p_{i+k-1} = 0$ and
             $p_1 + \dots + p_i = p_{i+k} + \dots + p_n$. In $\mathrm{PN}(n,n)$ only $\mathbf{0}$ is.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        if !is_normal_set_nim(rule, play) {
            return None;
        }
        let n = rule.stacks();
        let k = (n + 1).checked_sub(usize::try_from(rule.sets().len()).ok()?)?;
        let path = Path::new(n, k)?;
        matches(rule, &Family::Path { n, k }).then(|| Box::new(path) as _)
    }
}

/// PN(n,k) for one n and k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path {
    n: usize,
    k: usize,
}

impl Path {
    /// PN(n,k), if the theorem covers it: `n/2 <= k <= n`.
    pub fn new(n: usize, k: usize) -> Option<Self> {
        (k >= 1 && k <= n && 2 * k >= n).then_some(Path { n, k })
    }

    /// Whether the position is P.
    pub fn is_p(&self, heights: &[Height]) -> bool {
        if self.k == self.n {
            return heights.iter().all(|&h| h == 0);
        }
        (1..=self.n - self.k).any(|i| {
            self.sides(heights, i).is_eq() && heights[i..i + self.k - 1].iter().all(|&h| h == 0)
        })
    }

    fn left(&self, heights: &[Height], i: usize) -> u128 {
        sum(&heights[..i])
    }

    fn right(&self, heights: &[Height], i: usize) -> u128 {
        sum(&heights[i + self.k - 1..])
    }

    /// `L(i)` compared with `R(i)`; never falls as `i` grows.
    fn sides(&self, heights: &[Height], i: usize) -> Ordering {
        self.left(heights, i).cmp(&self.right(heights, i))
    }

    fn sums(&self, heights: &[Height], i: usize) -> Reason {
        Reason::Sums {
            left: range(0, i),
            left_sum: self.left(heights, i),
            right: range(i + self.k - 1, self.n),
            right_sum: self.right(heights, i),
        }
    }
}

impl Solution for Path {
    fn stacks(&self) -> usize {
        self.n
    }

    fn family(&self) -> Option<Family> {
        Some(Family::Path { n: self.n, k: self.k })
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.is_p(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        let Path { n, k } = *self;
        if self.is_p(heights) {
            return None;
        }
        let mut to = heights.to_vec();
        if k == n {
            to.fill(0);
            return Some(WinningMove::to(heights, &to, vec![Reason::Case("everything is taken")]));
        }
        // The side that is too tall is at most the height of one stack, so it fits a height.
        let height = |x: u128| Height::try_from(x).expect("at most the height of one stack");
        let last = n - k;
        let balanced = (1..=last).find(|&i| self.sides(heights, i).is_eq());
        let (i, case) = if let Some(i) = balanced {
            to[i..i + k - 1].fill(0);
            (i, "the sides are equal: the window between them is emptied")
        } else if self.sides(heights, 1).is_gt() {
            to[0] = height(self.right(heights, 1));
            to[1..k].fill(0);
            (1, "the first stack outweighs the right side")
        } else if self.sides(heights, last).is_lt() {
            to[n - 1] = height(self.left(heights, last));
            to[n - k..n - 1].fill(0);
            (last, "the last stack outweighs the left side")
        } else {
            let i = (1..last).rfind(|&i| self.sides(heights, i).is_lt()).expect("the sides cross");
            let (left, right) = (self.left(heights, i), self.right(heights, i + 1));
            to[i + 1..i + k - 1].fill(0);
            to[i] = height(right.saturating_sub(left));
            to[i + k - 1] = height(left.saturating_sub(right));
            (i, "the sides cross: the window and one stack beside it make up the difference")
        };
        let reasons = vec![self.sums(heights, i), Reason::Case(case)];
        Some(WinningMove::to(heights, &to, reasons))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        if self.k == self.n {
            return vec![Reason::Total { sum: sum(heights) }];
        }
        let zeros = |i: usize| {
            let window = i..i + self.k - 1;
            Reason::Zeros { stacks: range(window.start, window.end), sum: sum(&heights[window]) }
        };
        let balanced = (1..=self.n - self.k).find(|&i| self.sides(heights, i).is_eq());
        match balanced {
            Some(i) if self.k > 1 => vec![self.sums(heights, i), zeros(i)],
            Some(i) => vec![self.sums(heights, i)],
            None => (1..=self.n - self.k).map(|i| self.sums(heights, i)).collect(),
        }
    }

    fn formula(&self) -> Option<String> {
        let Path { n, k } = *self;
        if k == n {
            return Some("total = 0".into());
        }
        let branch = |i: usize| {
            let sums = format!("{} = {}", joined(0..i, n, "+"), joined(i + k - 1..n, n, "+"));
            let zeros = joined(i..i + k - 1, n, " = ");
            if k == 1 { sums } else { format!("({zeros} = 0, {sums})") }
        };
        Some((1..=n - k).map(branch).collect::<Vec<_>>().join(" or "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_box, check_tall};

    fn all(most: usize) -> impl Iterator<Item = (usize, usize)> {
        (1..=most).flat_map(|n| (n.div_ceil(2)..=n).map(move |k| (n, k)))
    }

    #[test]
    fn the_theorem_holds_on_small_boxes() {
        for (n, k) in all(8) {
            let max = [0, 30, 20, 20, 12, 8, 5, 4, 3][n];
            check_box(&PathNim, &Family::Path { n, k }.rule(), max);
        }
    }

    #[test]
    fn tall_stacks_have_winning_moves() {
        for (n, k) in all(12).chain([(31, 16), (32, 16), (32, 20), (32, 31)]) {
            check_tall(&PathNim, &Family::Path { n, k }.rule(), 300);
        }
    }

    #[test]
    fn short_sets_are_left_alone() {
        assert!(PathNim.applies(&Family::Path { n: 5, k: 2 }.rule(), Play::Normal).is_none());
        assert!(PathNim.applies(&Family::Path { n: 5, k: 3 }.rule(), Play::Misere).is_none());
        assert!(PathNim.applies(&Family::Circular { n: 5, k: 3 }.rule(), Play::Normal).is_none());
    }

    #[test]
    fn the_formula_is_that_of_the_formula_language() {
        let formula = |n, k| Path::new(n, k).unwrap().formula().unwrap();
        assert_eq!(formula(5, 3), "(b = c = 0, a = d+e) or (c = d = 0, a+b = e)");
        assert_eq!(formula(2, 1), "a = b");
        assert_eq!(formula(3, 3), "total = 0");
    }
}
