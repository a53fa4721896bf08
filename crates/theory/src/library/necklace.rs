//! Necklace Nim NN(n,k) with k at least half of n (Necklace26 Theorems 2.1 to 2.3).
//!
//! The facets are the windows of `k` stacks along a path, and the two ends. With `n = 2k` or
//! `n = 2k-1` a position is P when two equations hold:
//!
//! * SE: the left half holds as many tokens as the right half (the centre of an odd necklace
//!   counts for neither);
//! * ME: the lower end is as high as the least sum of `k-1` consecutive inner stacks.
//!
//! For larger `k` the stacks that lie in every window merge into the centre of such a necklace.
//!
//! The winning move follows the proof. If the lower end is too high, lower the ends, and the
//! taller side if that does not do. If it is too low, lower inner stacks, taking from the centre
//! outwards, first on the taller side alone until the sides agree and then on both sides at
//! once, until some window has come down to the lower end.

use crate::publication::{KDH26, NECKLACE26};
use crate::reason::Reason;
use crate::shape::{is_normal_set_nim, joined, matches, range, sum};
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Family, Height, Outcome, Play, Rule, StackSet};
use nimatron_reduce::members::spread_one;
use std::borrow::Cow;

/// The theorem on NN(n,k), n/2 <= k <= n.
#[derive(Clone, Copy, Debug)]
pub struct NecklaceNim;

impl Theorem for NecklaceNim {
    fn id(&self) -> &str {
        "necklace"
    }

    fn games(&self) -> Cow<'static, str> {
        "NN(n,k) with k >= n/2".into()
    }

    fn citation(&self) -> Citation {
        Citation::item(NECKLACE26, "Theorems 2.1 and 2.3")
    }

    fn solved_in(&self, game: Option<&Family>) -> Vec<Citation> {
        match game {
            Some(&Family::Necklace { n, k, .. }) if n == 2 * k || n + 1 == 2 * k => {
                let own = Citation::item(NECKLACE26, "Theorem 2.3");
                // There it is called H.
                let six = Citation::item(KDH26, "Theorem 4.2");
                if (n, k) == (6, 3) { vec![own, six] } else { vec![own] }
            }
            _ => vec![self.citation()],
        }
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "NN(n,k) with n = 2k or n = 2k-1, k >= 2: a position is P exactly if the left half \
             and the right half have equal sums (the centre of odd n counts for neither) and the \
             lower of the two ends equals the least sum of k-1 consecutive stacks among 2..n-1. \
             For larger k < n the stacks n-k+1..k merge into one, which gives \
             NN(2(n-k)+1,n-k+1). NN(n,n): only the empty position is P.",
            r"In $\mathrm{NN}(n,k)$ with $n \in \{2k-1, 2k\}$, $k \ge 2$, a position $p$ is a
             $\mathcal{P}$-position if and only if, with $h = \lfloor n/2 \rfloor$,
             $\sum_{i \le h} p_i = \sum_{i > n-h} p_i$ and
             $\min(p_1, p_n) = \min_{2 \le j \le n-k+1} (p_j + \dots + p_{j+k-2})$.
             For $\lceil n/2 \rceil < k < n$ merging the stacks $n-k+1, \dots, k$ gives
             $\mathrm{NN}(2(n-k)+1, n-k+1)$; in $\mathrm{NN}(n,n)$ only $\mathbf{0}$ is a
             $\mathcal{P}$-position.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        if !is_normal_set_nim(rule, play) {
            return None;
        }
        let n = rule.stacks();
        // One facet per window, and the clasp unless a window holds it.
        let k = match usize::try_from(rule.sets().len()).ok()? {
            1 => n,
            facets => (n + 2).checked_sub(facets)?,
        };
        let necklace = Necklace::new(n, k)?;
        matches(rule, &Family::Necklace { n, k, l: 2 }).then(|| Box::new(necklace) as _)
    }
}

/// NN(n,k) for one n and k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Necklace {
    n: usize,
    k: usize,
}

impl Necklace {
    /// NN(n,k), if the theorem covers it: `k >= 2` and `n/2 <= k <= n`.
    pub fn new(n: usize, k: usize) -> Option<Self> {
        (k >= 2 && k <= n && 2 * k >= n).then_some(Necklace { n, k })
    }

    /// Whether the position is P.
    pub fn is_p(&self, heights: &[Height]) -> bool {
        match self.anchor(heights) {
            None => heights.iter().all(|&h| h == 0),
            Some(anchor) => anchor.is_p(),
        }
    }

    /// The stacks that become the centre of the anchor, if there is more than one.
    fn merged(&self) -> StackSet {
        range(self.n - self.k, self.k)
    }

    fn is_anchor(&self) -> bool {
        self.n == 2 * self.k || self.n == 2 * self.k - 1
    }

    /// The position of NN(2k',k') or NN(2k'-1,k') this merges to; `None` for one facet.
    fn anchor(&self, heights: &[Height]) -> Option<Anchor> {
        let Necklace { n, k } = *self;
        if k == n {
            return None;
        }
        let tall = heights.iter().map(|&h| u128::from(h));
        if self.is_anchor() {
            return Some(Anchor::new(tall.collect(), k));
        }
        let mut p: Vec<u128> = tall.clone().take(n - k).collect();
        p.push(sum(&heights[n - k..k]));
        p.extend(tall.skip(k));
        Some(Anchor::new(p, n - k + 1))
    }

    /// A stack or window of the anchor, as stacks of the necklace.
    fn stacks_of(&self, set: StackSet) -> StackSet {
        if self.is_anchor() {
            return set;
        }
        let centre = self.n - self.k;
        let lift = |s: usize| match s {
            _ if s < centre => StackSet::single(s),
            _ if s == centre => self.merged(),
            _ => StackSet::single(s + self.k - centre - 1),
        };
        set.iter().fold(StackSet::EMPTY, |all, s| all | lift(s))
    }

    /// The facts that decide the outcome.
    fn facts(&self, heights: &[Height], anchor: &Anchor) -> Vec<Reason> {
        let (n, half) = (anchor.n(), anchor.n() / 2);
        let mut facts = Vec::new();
        if !self.is_anchor() {
            let stacks = self.merged();
            facts.push(Reason::Merged { stacks, sum: anchor.p[half + 1] });
        }
        facts.push(Reason::Sums {
            left: self.stacks_of(range(0, half)),
            left_sum: anchor.p[1..=half].iter().sum(),
            right: self.stacks_of(range(n - half, n)),
            right_sum: anchor.p[n - half + 1..].iter().sum(),
        });
        let stack = if heights[0] <= heights[self.n - 1] { 0 } else { self.n - 1 };
        let among = StackSet::single(0).with(self.n - 1);
        facts.push(Reason::LeastStack { among, stack, height: heights[stack] });
        let windows = anchor.windows();
        let least = windows.clone().min_by_key(|&j| anchor.window(j)).expect("k < n");
        facts.push(Reason::LeastWindow {
            window: self.stacks_of(range(least - 1, least + anchor.k - 2)),
            sum: anchor.window(least),
        });
        facts
    }

    /// The heights of the necklace when the anchor has been lowered to `p`: what the merged
    /// stacks lose is taken from the smallest of them first.
    fn lift(&self, heights: &[Height], p: &[u128]) -> Vec<Height> {
        let height = |x: u128| Height::try_from(x).expect("stacks only shrink");
        if self.is_anchor() {
            return p.iter().map(|&x| height(x)).collect();
        }
        let Necklace { n, k } = *self;
        let mut to = heights.to_vec();
        for i in 0..n - k {
            to[i] = height(p[i]);
            to[k + i] = height(p[n - k + 1 + i]);
        }
        let loss = sum(&heights[n - k..k]) - p[n - k];
        let mut lost = vec![0; n];
        spread_one((n - k..k).collect(), loss, heights, &mut lost);
        to.iter_mut().zip(lost).for_each(|(height, lost)| *height -= lost);
        to
    }
}

impl Solution for Necklace {
    fn stacks(&self) -> usize {
        self.n
    }

    fn family(&self) -> Option<Family> {
        Some(Family::Necklace { n: self.n, k: self.k, l: 2 })
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.is_p(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        if self.is_p(heights) {
            return None;
        }
        let Some(anchor) = self.anchor(heights) else {
            let reasons = vec![Reason::Case("everything is taken")];
            return Some(WinningMove::to(heights, &vec![0; self.n], reasons));
        };
        let mut reasons = self.facts(heights, &anchor);
        let (p, case) = anchor.lowered();
        reasons.push(Reason::Case(case));
        Some(WinningMove::to(heights, &self.lift(heights, &p), reasons))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        match self.anchor(heights) {
            None => vec![Reason::Total { sum: sum(heights) }],
            Some(anchor) => self.facts(heights, &anchor),
        }
    }

    fn formula(&self) -> Option<String> {
        let Necklace { n, k } = *self;
        if k == n {
            return Some("total = 0".into());
        }
        let anchor = self.anchor(&vec![0; n])?;
        let (m, half) = (anchor.n(), anchor.n() / 2);
        let text = |set: StackSet| joined(self.stacks_of(set), n, "+");
        let halves = format!("{} = {}", text(range(0, half)), text(range(m - half, m)));
        let windows: Vec<_> =
            anchor.windows().map(|j| text(range(j - 1, j + anchor.k - 2))).collect();
        let windows = match &windows[..] {
            [one] => one.clone(),
            several => format!("min({})", several.join(", ")),
        };
        Some(format!("{halves}, min({}) = {windows}", joined([0, n - 1], n, ",")))
    }
}

/// A position of NN(2k,k) or NN(2k-1,k). Stacks are numbered from 1, as in the theorem.
#[derive(Clone, Debug)]
struct Anchor {
    /// `p[0]` is not used.
    p: Vec<u128>,
    k: usize,
}

impl Anchor {
    fn new(heights: Vec<u128>, k: usize) -> Self {
        let mut p = vec![0];
        p.extend(heights);
        Anchor { p, k }
    }

    fn n(&self) -> usize {
        self.p.len() - 1
    }

    /// The windows of `k-1` inner stacks, by their first stack.
    fn windows(&self) -> std::ops::RangeInclusive<usize> {
        2..=self.n() - self.k + 1
    }

    fn window(&self, j: usize) -> u128 {
        self.p[j..j + self.k - 1].iter().sum()
    }

    fn least_window(&self) -> u128 {
        self.windows().map(|j| self.window(j)).min().expect("k < n")
    }

    fn left(&self) -> u128 {
        self.p[1..=self.n() / 2].iter().sum()
    }

    fn right(&self) -> u128 {
        self.p[self.n() - self.n() / 2 + 1..].iter().sum()
    }

    fn ends(&self) -> u128 {
        self.p[1].min(self.p[self.n()])
    }

    fn is_p(&self) -> bool {
        self.left() == self.right() && self.ends() == self.least_window()
    }

    /// The heights after a winning move from an N-position, and the case that applied.
    fn lowered(mut self) -> (Vec<u128>, &'static str) {
        let mirrored = self.left() < self.right();
        if mirrored {
            self.p[1..].reverse();
        }
        let case = self.lower();
        debug_assert!(self.is_p(), "{self:?}");
        if mirrored {
            self.p[1..].reverse();
        }
        (self.p.split_off(1), case)
    }

    /// Lowers stacks of one facet; the left side is at least as tall as the right side.
    fn lower(&mut self) -> &'static str {
        let n = self.n();
        let excess = self.left() - self.right();
        let (ends, least) = (self.ends(), self.least_window());
        if ends >= least {
            return self.lower_ends(excess, least);
        }
        if n == 2 * self.k - 1 {
            // The centre lies in every window.
            let centre = self.p[self.k].min(least - ends);
            self.p[self.k] -= centre;
            if centre == least - ends {
                self.lower_side(excess, ends);
                return "centre move";
            }
            // The centre is empty now: play on without it.
            let centre = self.k;
            self.p.remove(centre);
            self.k -= 1;
            self.lower_inner(excess, ends);
            self.p.insert(centre, 0);
            self.k += 1;
            return "inner move with the centre emptied";
        }
        self.lower_inner(excess, ends);
        "inner move"
    }

    /// The lower end is at least as high as the least window: it comes down to it.
    fn lower_ends(&mut self, excess: u128, least: u128) -> &'static str {
        let n = self.n();
        if self.p[1] >= excess + least {
            let both = (self.p[1] - excess).min(self.p[n]) - least;
            self.p[1] -= excess + both;
            self.p[n] -= both;
            return "end-stack move";
        }
        self.lower_side(excess, least);
        "side move"
    }

    /// Removes `excess` from the left side, from the end as far down as `floor`, then from the
    /// centre outwards, without bringing a window below `floor`.
    fn lower_side(&mut self, excess: u128, floor: u128) {
        let end = excess.min(self.p[1] - floor);
        self.p[1] -= end;
        let left = self.spend(self.n() / 2, excess - end, floor);
        debug_assert_eq!(left, 0);
    }

    /// Takes up to `amount` from the stacks `top` down to 2, each as much as the windows allow;
    /// returns what could not be taken.
    fn spend(&mut self, top: usize, mut amount: u128, floor: u128) -> u128 {
        for i in (2..=top).rev() {
            let slack = self.windows().filter(|&j| j <= i).map(|j| self.window(j) - floor).min();
            let x = amount.min(self.p[i]).min(slack.expect("window 2 starts at or before i"));
            self.p[i] -= x;
            amount -= x;
        }
        amount
    }

    /// The lower end is below every window: inner stacks come down until a window reaches it.
    /// Here `n = 2k`.
    fn lower_inner(&mut self, excess: u128, floor: u128) {
        let k = self.k;
        let rest = self.spend(k, excess, floor);
        if rest > 0 {
            self.p[1] -= rest;
            return;
        }
        let (mut l, mut r) = (k, k + 1);
        while self.least_window() > floor {
            while self.p[l] == 0 {
                l -= 1;
            }
            while self.p[r] == 0 {
                r += 1;
            }
            let holds_right = |j: usize| j + k - 2 >= r;
            let slack = |j: usize| {
                let slack = self.window(j) - floor;
                if j <= l && holds_right(j) { slack / 2 } else { slack }
            };
            let t = self.windows().map(slack).min().expect("k < n");
            let t = t.min(self.p[l]).min(self.p[r]);
            self.p[l] -= t;
            self.p[r] -= t;
            if self.p[l] > 0 && self.p[r] > 0 && self.least_window() > floor {
                // A window with both stacks has one token too many: take that one from the
                // stack just before it instead.
                let short = |&j: &usize| self.window(j) == floor + 1 && holds_right(j);
                let i = self.windows().find(short).expect("t was bounded by such a window");
                self.p[i - 1] -= 1;
                self.p[r] -= 1;
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_box, check_tall};

    fn all(most: usize) -> impl Iterator<Item = (usize, usize)> {
        (2..=most).flat_map(|n| (n.div_ceil(2).max(2)..=n).map(move |k| (n, k)))
    }

    #[test]
    fn the_theorem_holds_on_small_boxes() {
        for (n, k) in all(10) {
            let max = [0, 0, 20, 16, 12, 8, 5, 4, 3, 2, 1][n];
            check_box(&NecklaceNim, &Family::Necklace { n, k, l: 2 }.rule(), max);
        }
        check_box(&NecklaceNim, &Family::Necklace { n: 6, k: 3, l: 2 }.rule(), 7);
    }

    #[test]
    fn tall_stacks_have_winning_moves() {
        let larger = [(16, 8), (17, 9), (18, 9), (31, 16), (32, 16), (32, 20), (32, 31)];
        for (n, k) in all(14).chain(larger) {
            check_tall(&NecklaceNim, &Family::Necklace { n, k, l: 2 }.rule(), 400);
        }
    }

    #[test]
    fn low_stacks_on_long_necklaces_have_winning_moves() {
        // Many ties between windows: the last step of the inner move is frequent here.
        let mut random = crate::testing::Random::new(7);
        for (n, k) in [(6, 3), (8, 4), (9, 5), (10, 5), (12, 6), (13, 7), (16, 8)] {
            let necklace = Necklace::new(n, k).unwrap();
            let rule = Family::Necklace { n, k, l: 2 }.rule();
            for _ in 0..1500 {
                let top = 2 + random.below(4);
                let p: Vec<_> = (0..n).map(|_| random.below(top)).collect();
                if let Some(won) = necklace.winning_move(&p) {
                    assert!(rule.is_legal(&p, &won.take), "{p:?} {}", won.take);
                    assert!(necklace.is_p(&Rule::option(&p, &won.take)), "{p:?} {}", won.take);
                }
            }
        }
    }

    #[test]
    fn the_worked_plays_of_h() {
        let h = Necklace::new(6, 3).unwrap();
        for to in [[2, 6, 6, 2, 0, 12], [4, 2, 9, 1, 3, 11]] {
            assert_eq!(h.outcome(&to), Outcome::P);
        }
        for from in [[2, 6, 11, 8, 3, 12], [6, 2, 9, 1, 3, 12], [1, 1, 1, 1, 1, 1]] {
            assert_eq!(h.outcome(&from), Outcome::N);
        }
    }

    #[test]
    fn short_sets_are_left_alone() {
        let necklace = |n, k, l| Family::Necklace { n, k, l }.rule();
        assert!(NecklaceNim.applies(&necklace(7, 3, 2), Play::Normal).is_none());
        assert!(NecklaceNim.applies(&necklace(7, 4, 3), Play::Normal).is_none());
        assert!(NecklaceNim.applies(&necklace(7, 4, 2), Play::Misere).is_none());
    }

    #[test]
    fn the_formula_is_that_of_the_formula_language() {
        let formula = |n, k| Necklace::new(n, k).unwrap().formula().unwrap();
        assert_eq!(formula(7, 4), "a+b+c = e+f+g, min(a,g) = min(b+c+d, c+d+e, d+e+f)");
        assert_eq!(formula(4, 3), "a = d, min(a,d) = b+c");
        assert_eq!(formula(6, 4), "a+b = e+f, min(a,f) = min(b+c+d, c+d+e)");
    }
}
