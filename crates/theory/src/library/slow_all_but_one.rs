//! Slow games on all stacks but one, or on at least all but one: Slow(n,{n-1}) and Slow(n,{n-1,n})
//! (Slow26 Theorems 6 and 8).
//!
//! The outcome depends on where the reduced position stands in the position grid. A move is known
//! by the stack that it leaves out, so that there are few to choose from. In Slow(n,{n-1}) the move
//! of the M-rule wins, and wins most quickly (arXiv:2304.06498).

use crate::library::slow_at_most::played;
use crate::publication::SLOW26;
use crate::reason::Reason;
use crate::slow::{Cell, m_rule, normal_sizes};
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Family, Height, Outcome, Play, Rule, Sizes, StackSet, slow};

/// The theorem on Slow(n,{n-1}).
#[derive(Clone, Copy, Debug)]
pub struct AllButOneSlowNim;

impl Theorem for AllButOneSlowNim {
    fn id(&self) -> &str {
        "slow-all-but-one"
    }

    fn citation(&self) -> Citation {
        Citation::item(SLOW26, "Theorem 6")
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "Slow(n,{n-1}), unplayable tokens taken off, k = n-1, s = total mod 2k, o = number of \
             odd stacks: a position is P exactly if s < k-1 and o <= s, or s = k-1, or k-1 < s < \
             2k-1 and o <= 2(k-1)-s.",
            r"In $\mathrm{Slow}(n,\{n-1\})$ let $k = n-1$, and for a reduced position let $s = \sum p_i
             \bmod 2k$ and $o$ be the number of odd heights. It is a $\mathcal{P}$-position if and only if
             $s < k-1$ and $o \le s$, or $s = k-1$, or $k-1 < s < 2k-1$ and $o \le 2(k-1)-s$.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        let n = rule.stacks();
        let fits = normal_sizes(rule, play)? == Sizes::new([n.checked_sub(1)?]);
        AllButOneSlow::new(n, false).filter(|_| fits).map(|game| Box::new(game) as _)
    }
}

/// The theorem on Slow(n,{n-1,n}).
#[derive(Clone, Copy, Debug)]
pub struct AtLeastAllButOneSlowNim;

impl Theorem for AtLeastAllButOneSlowNim {
    fn id(&self) -> &str {
        "slow-at-least-all-but-one"
    }

    fn citation(&self) -> Citation {
        Citation::item(SLOW26, "Theorem 8")
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "Slow(n,{n-1,n}), unplayable tokens taken off, k = n-1, s = total mod 2k, o = number \
             of odd stacks: a position is P exactly if s < k-1 and o <= s, or s = k-1 and o < n, \
             or k-1 < s < 2k-1 and o <= 2(k-1)-s.",
            r"In $\mathrm{Slow}(n,\{n-1,n\})$ let $k = n-1$, and for a reduced position let $s = \sum
             p_i \bmod 2k$ and $o$ be the number of odd heights. It is a $\mathcal{P}$-position if and
             only if $s < k-1$ and $o \le s$, or $s = k-1$ and $o \ne n$, or $k-1 < s < 2k-1$ and $o \le
             2(k-1)-s$.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        let n = rule.stacks();
        let fits = normal_sizes(rule, play)? == Sizes::new([n.checked_sub(1)?, n]);
        AllButOneSlow::new(n, true).filter(|_| fits).map(|game| Box::new(game) as _)
    }
}

/// Slow(n,{n-1}) or Slow(n,{n-1,n}) for one n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllButOneSlow {
    n: usize,
    /// Whether all stacks may be played, too.
    all: bool,
}

impl AllButOneSlow {
    /// Slow(n,{n-1}), or if `all` Slow(n,{n-1,n}), for `n >= 2`.
    pub fn new(n: usize, all: bool) -> Option<Self> {
        (2..=nimatron_game::MAX_STACKS).contains(&n).then_some(AllButOneSlow { n, all })
    }

    /// Whether positions in this cell of the grid are P.
    pub fn is_p_cell(&self, cell: Cell) -> bool {
        let k = self.n - 1;
        let middle = cell.s == k - 1 && (!self.all || cell.o != self.n);
        cell.occurs() && (middle || cell.s != k - 1 && cell.in_triangle(k))
    }

    /// Whether the position is P.
    pub fn is_p(&self, heights: &[Height]) -> bool {
        self.is_p_cell(Cell::of(self.n - 1, heights))
    }
}

impl Solution for AllButOneSlow {
    fn stacks(&self) -> usize {
        self.n
    }

    fn family(&self) -> Option<Family> {
        let least = if self.all { self.n } else { self.n - 1 };
        Some(Family::Slow { n: self.n, sizes: Sizes::new([self.n - 1, least]) })
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.is_p(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        if self.is_p(heights) {
            return None;
        }
        let all = StackSet::first(self.n);
        let rule = m_rule::left_out(heights);
        let others = (0..self.n).filter(|&s| Some(s) != rule);
        let sets = rule.into_iter().chain(others).map(|s| all - StackSet::single(s));
        let sets = sets.chain(self.all.then_some(all));
        let playable = |set: &StackSet| set.iter().all(|s| heights[s] > 0);
        let mut to = sets.filter(playable).map(|set| played(heights, set));
        let to = to.find(|to| self.is_p(to))?;
        let mut reasons = self.explain(heights);
        let Cell { s, o } = Cell::of(self.n - 1, &to);
        reasons.push(Reason::GridCell { s, o, modulus: 2 * (self.n - 1), p: true });
        Some(WinningMove::to(heights, &to, reasons))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        let k = self.n - 1;
        let mut reduced = heights.to_vec();
        slow::reduce_heights(k, &mut reduced);
        let Cell { s, o } = Cell::of(k, &reduced);
        let cell = Reason::GridCell { s, o, modulus: 2 * k, p: self.is_p(heights) };
        match reduced == heights {
            true => vec![cell],
            false => vec![Reason::Chopped { reduced }, cell],
        }
    }

    fn formula(&self) -> Option<String> {
        let (k, n) = (self.n - 1, self.n);
        let middle = match self.all {
            true => format!("(s = {}, odds != {n})", k - 1),
            false => format!("s = {}", k - 1),
        };
        Some(format!(
            "reduced(let s = total mod {}, (s < {}, odds <= s) or {middle} or ({} < s < {}, odds <= {}-s))",
            2 * k,
            k - 1,
            k - 1,
            2 * k - 1,
            2 * (k - 1)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_box, check_formula, check_tall};

    fn slow(n: usize, all: bool) -> Rule {
        let sizes = if all { Sizes::new([n - 1, n]) } else { Sizes::new([n - 1]) };
        Family::Slow { n, sizes }.rule()
    }

    #[test]
    fn the_theorems_hold_on_small_boxes() {
        for (n, max) in [(2, 12), (3, 14), (4, 8), (5, 5), (6, 3)] {
            check_box(&AllButOneSlowNim, &slow(n, false), max);
            check_box(&AtLeastAllButOneSlowNim, &slow(n, true), max);
            check_formula(&AllButOneSlowNim, &slow(n, false), max.min(5));
            check_formula(&AtLeastAllButOneSlowNim, &slow(n, true), max.min(5));
        }
    }

    #[test]
    fn tall_stacks_have_winning_moves() {
        for n in [2, 3, 4, 5, 8, 17, 32] {
            check_tall(&AllButOneSlowNim, &slow(n, false), 300);
            check_tall(&AtLeastAllButOneSlowNim, &slow(n, true), 300);
        }
    }

    #[test]
    fn the_m_rule_wins() {
        let game = AllButOneSlow::new(4, false).unwrap();
        for p in crate::testing::boxed(4, 6).filter(|p| !game.is_p(p)) {
            let take = m_rule::optimal_move(&p).unwrap();
            assert_eq!(game.winning_move(&p).unwrap().take, take, "{p:?}");
        }
    }

    #[test]
    fn other_games_are_left_alone() {
        let rule = |sizes: &[usize]| {
            Family::Slow { n: 5, sizes: Sizes::new(sizes.iter().copied()) }.rule()
        };
        for rule in [rule(&[3]), rule(&[3, 4]), rule(&[3, 4, 5]), rule(&[5])] {
            assert!(AllButOneSlowNim.applies(&rule, Play::Normal).is_none());
            assert!(AtLeastAllButOneSlowNim.applies(&rule, Play::Normal).is_none());
        }
    }
}
