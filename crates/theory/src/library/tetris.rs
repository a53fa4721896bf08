//! Exact games that end at once: some move set meets all others (Tetris hypergraphs).
//!
//! In an Exact game every stack of the chosen set is lowered. Suppose that, whichever stacks are
//! left, as long as a move is left there is a move set among them that meets all others there.
//! Emptying it ends the game: the P-positions are the positions without moves.
//!
//! Exact(n,k) with `n < 2k` is of this kind, for any two sets of k stacks meet; there the Grundy
//! value is the length of the longest play (arXiv:1508.04484).

use crate::publication::TETRIS;
use crate::reason::Reason;
use crate::shape::{is_normal_exact, list, uniform};
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Family, Height, Outcome, Play, Rule, SetFamily, StackSet};
use std::borrow::Cow;

/// The theorem on Exact games in which some move set always meets all others.
#[derive(Clone, Copy, Debug)]
pub struct TetrisNim;

impl Theorem for TetrisNim {
    fn id(&self) -> &str {
        "tetris"
    }

    fn games(&self) -> Cow<'static, str> {
        "Exact games in which some set always meets all others".into()
    }

    fn citation(&self) -> Citation {
        Citation::whole(TETRIS).credit("Exact(n,k) with n < 2k: arXiv:1508.04484")
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "Exact games in which, whichever stacks are left, some move set among them meets all \
             others among them: a position is P exactly if no move is left. In Exact(n,k) with \
             n < 2k the Grundy value is the length of the longest play, the greatest t for which \
             the heights, cut down to t, add up to at least k*t.",
            r"In an Exact game on $\mathcal{H}$ such that every non-empty induced sub-hypergraph has an
             edge that meets all its edges, the $\mathcal{P}$-positions are the terminal ones. In
             $\mathrm{Exact}(n,k)$ with $n < 2k$ the Grundy value is $\max\{t : \sum_i \min(p_i,t) \ge
             kt\}$.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        if !is_normal_exact(rule, play) {
            return None;
        }
        let sets = MoveSets::new(rule.sets())?;
        sets.are_always_met().then(|| Box::new(Tetris { sets }) as _)
    }
}

/// The move sets of an Exact game: all of one size, or a list.
#[derive(Clone, Debug)]
pub(crate) enum MoveSets {
    Uniform { n: usize, k: usize },
    Listed { n: usize, sets: Vec<StackSet> },
}

/// Listed sets are compared in pairs on all sets of stacks, up to this many comparisons.
const MOST_COMPARISONS: u64 = 1 << 27;

impl MoveSets {
    pub(crate) fn new(family: &SetFamily) -> Option<Self> {
        let n = family.stacks();
        if let Some(k) = uniform(family) {
            return Some(MoveSets::Uniform { n, k });
        }
        let sets = list(family)?;
        let pairs = (sets.len() as u64).pow(2);
        let few = pairs.checked_mul(1 << n).is_some_and(|work| work <= MOST_COMPARISONS);
        few.then_some(MoveSets::Listed { n, sets })
    }

    /// The Exact game on these sets, if it has that name.
    pub(crate) fn exact(&self) -> Option<Family> {
        match *self {
            MoveSets::Uniform { n, k } => Some(Family::Exact { n, k }),
            MoveSets::Listed { .. } => None,
        }
    }

    pub(crate) fn stacks(&self) -> usize {
        match self {
            MoveSets::Uniform { n, .. } | MoveSets::Listed { n, .. } => *n,
        }
    }

    /// Whether some move set lies within `stacks`.
    pub(crate) fn any_within(&self, stacks: StackSet) -> bool {
        match self {
            MoveSets::Uniform { k, .. } => stacks.len() >= *k,
            MoveSets::Listed { sets, .. } => sets.iter().any(|s| s.is_subset(stacks)),
        }
    }

    /// A move set within `stacks` that meets all others there.
    pub(crate) fn meeting(&self, stacks: StackSet) -> Option<StackSet> {
        match self {
            MoveSets::Uniform { k, .. } => {
                let meets = stacks.len() >= *k && stacks.len() < 2 * k;
                meets.then(|| stacks.iter().take(*k).collect())
            }
            MoveSets::Listed { sets, .. } => {
                let within: Vec<_> = sets.iter().copied().filter(|s| s.is_subset(stacks)).collect();
                let meets = |s: &StackSet| within.iter().all(|t| !s.is_disjoint(*t));
                within.iter().copied().find(meets)
            }
        }
    }

    /// Whether, on any stacks on which there is a move set, one meets all others there.
    fn are_always_met(&self) -> bool {
        self.meeting(StackSet::first(self.stacks())).is_some() && self.are_met_without_any_stack()
    }

    /// Whether no move set meets all others, unless some stack is left out.
    pub(crate) fn are_minimal_transversal_free(&self) -> bool {
        self.meeting(StackSet::first(self.stacks())).is_none() && self.are_met_without_any_stack()
    }

    /// Whether, on any stacks but all on which there is a move set, one meets all others there.
    fn are_met_without_any_stack(&self) -> bool {
        match self {
            MoveSets::Uniform { n, k } => *n <= 2 * k,
            MoveSets::Listed { n, .. } => {
                let fewer = StackSet::first(*n).subsets().skip(1);
                fewer.into_iter().all(|s| !self.any_within(s) || self.meeting(s).is_some())
            }
        }
    }

    /// The length of the longest play, where a formula is known.
    pub(crate) fn longest_play(&self, heights: &[u128]) -> Option<u128> {
        match self {
            MoveSets::Uniform { k, .. } => Some(longest_play(heights, *k as u128)),
            MoveSets::Listed { .. } => None,
        }
    }
}

/// The greatest `t` for which the heights, cut down to `t`, add up to at least `k*t`: the length
/// of the longest play of Exact(n,k).
fn longest_play(heights: &[u128], k: u128) -> u128 {
    let playable = |t: u128| heights.iter().map(|&h| h.min(t)).sum::<u128>() >= k * t;
    // What is cut down grows ever more slowly: the good `t` form an interval from 0 on.
    let (mut good, mut bad) = (0, heights.iter().sum::<u128>() / k + 1);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if playable(middle) { good = middle } else { bad = middle }
    }
    good
}

/// The heights in 128 bits.
pub(crate) fn wide(heights: &[Height]) -> Vec<u128> {
    heights.iter().map(|&h| h.into()).collect()
}

/// One Exact game of this kind.
#[derive(Clone, Debug)]
pub struct Tetris {
    sets: MoveSets,
}

impl Tetris {
    /// Exact(n,k), if `n < 2k`.
    pub fn exact(n: usize, k: usize) -> Option<Self> {
        (k <= n && n < 2 * k).then_some(Tetris { sets: MoveSets::Uniform { n, k } })
    }

    /// Whether the position is P: no move is left.
    pub fn is_p(&self, heights: &[Height]) -> bool {
        !self.sets.any_within(support(heights))
    }
}

fn support(heights: &[Height]) -> StackSet {
    (0..heights.len()).filter(|&s| heights[s] > 0).collect()
}

impl Solution for Tetris {
    fn stacks(&self) -> usize {
        self.sets.stacks()
    }

    fn family(&self) -> Option<Family> {
        self.sets.exact()
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.is_p(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        let set = self.sets.meeting(support(heights))?;
        let mut to = heights.to_vec();
        for stack in set {
            to[stack] = 0;
        }
        Some(WinningMove::to(heights, &to, vec![Reason::MeetsAll { set }]))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        if let Some(moves) = self.sets.longest_play(&wide(heights)) {
            return vec![Reason::LongestPlay { moves }];
        }
        match self.sets.meeting(support(heights)) {
            Some(set) => vec![Reason::MeetsAll { set }],
            None => vec![Reason::LongestPlay { moves: 0 }],
        }
    }

    fn knows_values(&self) -> bool {
        matches!(self.sets, MoveSets::Uniform { .. })
    }

    fn grundy(&self, heights: &[Height]) -> Option<u128> {
        let known = self.sets.longest_play(&wide(heights));
        known.or_else(|| self.is_p(heights).then_some(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_box, check_grundy, check_tall};
    use nimatron_game::{Amounts, Choice, MAX_HEIGHT};

    #[test]
    fn exact_games_with_sets_that_meet() {
        for (n, k, max) in [(1, 1, 9), (2, 2, 9), (3, 2, 9), (3, 3, 5), (4, 3, 5), (5, 3, 3)] {
            let rule = Family::Exact { n, k }.rule();
            check_box(&TetrisNim, &rule, max);
            let known = check_grundy(&TetrisNim, &rule, max);
            assert_eq!(known as u64, (max + 1).pow(n as u32));
            check_tall(&TetrisNim, &rule, 50);
        }
        check_tall(&TetrisNim, &Family::Exact { n: 32, k: 17 }.rule(), 50);
    }

    #[test]
    fn the_longest_play_of_tall_stacks() {
        let tall = vec![u128::from(MAX_HEIGHT); 32];
        // Every play lowers 20 of 32 stacks by 1, in turn.
        assert_eq!(longest_play(&tall, 20), u128::from(MAX_HEIGHT) * 32 / 20);
        assert_eq!(longest_play(&[5, 1, 1], 2), 2);
        assert_eq!(longest_play(&[0, 9], 2), 0);
    }

    #[test]
    fn listed_hypergraphs() {
        let mut random = crate::testing::Random::new(17);
        let mut found = 0;
        for n in 2..=4 {
            for _ in 0..60 {
                let all = StackSet::first(n);
                let count = 1 + random.below(5);
                let sets: Vec<_> =
                    (0..count).map(|_| StackSet::from_bits(random.next() as u32) & all).collect();
                let family = SetFamily::listed(n, sets);
                let rule = Rule::new(family, Choice::All, Amounts::POSITIVE, Amounts::POSITIVE);
                if TetrisNim.applies(&rule, Play::Normal).is_some() {
                    found += 1;
                    check_box(&TetrisNim, &rule, 4);
                    check_grundy(&TetrisNim, &rule, 3);
                }
            }
        }
        assert!(found > 30, "{found}");
    }

    #[test]
    fn other_games_are_left_alone() {
        for rule in [Family::Exact { n: 4, k: 2 }.rule(), Family::Moore { n: 3, k: 2 }.rule()] {
            assert!(TetrisNim.applies(&rule, Play::Normal).is_none());
        }
        let slow = Family::Slow { n: 3, sizes: nimatron_game::Sizes::new([2]) }.rule();
        assert!(TetrisNim.applies(&slow, Play::Normal).is_none());
    }
}
