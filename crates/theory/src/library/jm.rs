//! Exact games on minimal transversal-free hypergraphs, and the formula of Jenkyns and Mayberry.
//!
//! Every move set of an Exact game is to have another one disjoint from it, but after leaving out
//! any stacks there is to be, among the move sets left, one that meets all the others there.
//! Exact(2k,k) is the standard example. With `m` the least height, a position is P exactly if no
//! move set lies within the stacks above `m`:
//!
//! * From such a position every move lowers a stack of height `m`, and the move set disjoint from
//!   it lies above the new least height.
//! * From any other, there is a move set above `m` that meets all others there. Bring its stacks
//!   down to `m`.
//!
//! For Exact(2k,k), k >= 2, the Grundy value follows the formula that Jenkyns and Mayberry found
//! for Moore(n,n-1) (arXiv:1508.04484).

use crate::library::tetris::{MoveSets, wide};
use crate::publication::EXACT;
use crate::reason::Reason;
use crate::shape::{is_normal_exact, range};
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Family, Height, Outcome, Play, Rule, StackSet};
use std::borrow::Cow;

/// The theorem on Exact games on minimal transversal-free hypergraphs.
#[derive(Clone, Copy, Debug)]
pub struct TransversalFreeNim;

impl Theorem for TransversalFreeNim {
    fn id(&self) -> &str {
        "transversal-free"
    }

    fn games(&self) -> Cow<'static, str> {
        "Exact(2k,k) and Exact games like it".into()
    }

    fn citation(&self) -> Citation {
        Citation::whole(EXACT)
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "Exact games in which no move set meets all others, but after leaving out any stacks \
             some move set meets all that are left, such as Exact(2k,k): with m the least \
             height, a position is P exactly if no move set lies within the stacks above m. In \
             Exact(2k,k), k >= 2, let T be the length of the longest play, y = 1 + the same for \
             the heights reduced by m, c = y(y-1)/2: the Grundy value is T if m <= c, else \
             c + ((m-c-1) mod y).",
            r"In an Exact game on a minimal transversal-free hypergraph a position with least height $m$
             is a $\mathcal{P}$-position if and only if no edge is contained in $\{i : p_i > m\}$. In
             $\mathrm{Exact}(2k,k)$, $k \ge 2$, let $T(p)$ be the length of the longest play, $y =
             T(p - m\mathbf{1}) + 1$ and $c = \binom{y}{2}$; then $\mathcal{G}(p) = T(p)$ if $m \le c$, and
             $\mathcal{G}(p) = c + ((m-c-1) \bmod y)$ otherwise.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        if !is_normal_exact(rule, play) {
            return None;
        }
        let sets = MoveSets::new(rule.sets())?;
        let fits = sets.are_minimal_transversal_free();
        fits.then(|| Box::new(TransversalFree { sets }) as _)
    }
}

/// The value of the formula of Jenkyns and Mayberry: `total` is the length of the longest play,
/// `least` the least height, `rest` the length of the longest play once every stack is lowered by
/// the least height.
pub(crate) fn jm_value(total: u128, least: Height, rest: u128) -> u128 {
    let y = rest + 1;
    // Where the product exceeds 128 bits it exceeds every height.
    let (c, m) = (y.saturating_mul(rest) / 2, u128::from(least));
    if m <= c { total } else { c + (m - c - 1) % y }
}

/// One Exact game of this kind.
#[derive(Clone, Debug)]
pub struct TransversalFree {
    sets: MoveSets,
}

impl TransversalFree {
    /// Exact(2k,k).
    pub fn exact(k: usize) -> Option<Self> {
        let fits = k >= 1 && 2 * k <= nimatron_game::MAX_STACKS;
        fits.then_some(TransversalFree { sets: MoveSets::Uniform { n: 2 * k, k } })
    }

    /// Whether the position is P.
    pub fn is_p(&self, heights: &[Height]) -> bool {
        !self.sets.any_within(above_least(heights))
    }
}

/// The stacks above the least height.
fn above_least(heights: &[Height]) -> StackSet {
    let least = heights.iter().min().copied().unwrap_or(0);
    (0..heights.len()).filter(|&s| heights[s] > least).collect()
}

impl Solution for TransversalFree {
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
        let set = self.sets.meeting(above_least(heights))?;
        let least = heights.iter().min().copied()?;
        let mut to = heights.to_vec();
        for stack in set {
            to[stack] = least;
        }
        let mut reasons = self.explain(heights);
        reasons.push(Reason::MeetsAll { set });
        Some(WinningMove::to(heights, &to, reasons))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        let stack = (0..heights.len()).min_by_key(|&s| heights[s]).unwrap_or(0);
        let among = range(0, heights.len());
        let case = match self.is_p(heights) {
            true => "no move set lies within the stacks above the lowest",
            false => "a move set lies within the stacks above the lowest",
        };
        vec![Reason::LeastStack { among, stack, height: heights[stack] }, Reason::Case(case)]
    }

    fn knows_values(&self) -> bool {
        matches!(self.sets, MoveSets::Uniform { k: 2.., .. })
    }

    fn grundy(&self, heights: &[Height]) -> Option<u128> {
        // Exact(2,1) is Nim on two stacks, where the formula does not hold.
        let p = self.is_p(heights).then_some(0);
        let MoveSets::Uniform { k: 2.., .. } = self.sets else { return p };
        let least = heights.iter().min().copied()?;
        let mut tall = wide(heights);
        let total = self.sets.longest_play(&tall)?;
        tall.iter_mut().for_each(|h| *h -= u128::from(least));
        Some(jm_value(total, least, self.sets.longest_play(&tall)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_box, check_grundy, check_tall};
    use nimatron_game::{Amounts, Choice, SetFamily};

    fn exact(n: usize, sets: Vec<StackSet>) -> Rule {
        Rule::new(SetFamily::listed(n, sets), Choice::All, Amounts::POSITIVE, Amounts::POSITIVE)
    }

    #[test]
    fn exact_games_of_half_the_stacks() {
        for (k, max) in [(1, 20), (2, 8), (3, 3)] {
            let rule = Family::Exact { n: 2 * k, k }.rule();
            check_box(&TransversalFreeNim, &rule, max);
            let known = check_grundy(&TransversalFreeNim, &rule, max);
            assert!(k == 1 || known as u64 == (max + 1).pow(2 * k as u32));
            check_tall(&TransversalFreeNim, &rule, 300);
        }
        check_tall(&TransversalFreeNim, &Family::Exact { n: 32, k: 16 }.rule(), 100);
    }

    #[test]
    fn known_grundy_values() {
        let value = |p: &[Height]| TransversalFree::exact(2).unwrap().grundy(p).unwrap();
        assert_eq!(value(&[1, 1, 2, 2]), 3);
        assert_eq!(value(&[2, 3, 4, 5]), 7);
        assert_eq!(value(&[3, 3, 4, 9]), 2);
        assert_eq!(value(&[5, 6, 7, 8]), 13);
    }

    #[test]
    fn listed_hypergraphs() {
        // Exact circles on 2k and 2k+1 stacks are among them.
        for (n, k, max) in [(4, 2, 5), (5, 2, 3), (6, 3, 2), (7, 3, 2)] {
            let sets = Family::Circular { n, k }.sets().iter().collect();
            check_box(&TransversalFreeNim, &exact(n, sets), max);
        }
        let mut random = crate::testing::Random::new(23);
        let mut found = 0;
        for n in 2..=5 {
            for _ in 0..400 {
                let all = StackSet::first(n);
                let count = 2 + random.below(5);
                let sets: Vec<_> =
                    (0..count).map(|_| StackSet::from_bits(random.next() as u32) & all).collect();
                let rule = exact(n, sets);
                if TransversalFreeNim.applies(&rule, Play::Normal).is_some() {
                    found += 1;
                    check_box(&TransversalFreeNim, &rule, [0, 0, 9, 6, 4, 2][n]);
                    check_tall(&TransversalFreeNim, &rule, 20);
                }
            }
        }
        assert!(found > 20, "{found}");
    }

    #[test]
    fn other_games_are_left_alone() {
        for rule in [Family::Exact { n: 5, k: 2 }.rule(), Family::Exact { n: 3, k: 2 }.rule()] {
            assert!(TransversalFreeNim.applies(&rule, Play::Normal).is_none());
        }
    }
}
