//! Slow games on at most k stacks: Slow(n,{1,..,k}) for n up to k+2, and for n = k+3 with k = 2, 3
//! (arXiv:1508.05777; Slow26 Theorem 3 for k = 2).
//!
//! The P-positions are given by the parities of the heights in ascending order, 0 for even: for
//! n = k all even; for n = k+1 all even or all odd; for n = k+2 (k >= 2) all even, or only the least
//! stack even; and a few words each for Slow(5,{1,2}) and Slow(6,{1,2,3}). Equal heights have equal
//! parities, so the word of a position does not depend on how they are ordered.

use crate::publication::{SLOW_MOORE, SLOW26};
use crate::reason::Reason;
use crate::shape::joined;
use crate::slow::{normal_sizes, odds};
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Family, Height, Outcome, Play, Rule, Sizes, StackSet, subsets_of_size};

/// The theorem on Slow(n,{1,2}), n = 3, 4, 5.
#[derive(Clone, Copy, Debug)]
pub struct OneOrTwoSlowNim;

impl Theorem for OneOrTwoSlowNim {
    fn id(&self) -> &str {
        "slow-one-or-two"
    }

    fn citation(&self) -> Citation {
        Citation::item(SLOW26, "Theorem 3")
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "Slow(n,{1,2}), heights in ascending order, e even and o odd: the P-positions are eee \
             and ooo for n = 3, eeee and eooo for n = 4, eeeee, eeooo, ooeeo and ooooe for n = 5.",
            r"In $\mathrm{Slow}(n,\{1,2\})$ with heights in ascending order, $e$ even and $o$ odd, the
             $\mathcal{P}$-positions are $eee, ooo$ for $n=3$, $eeee, eooo$ for $n=4$, and $eeeee, eeooo,
             ooeeo, ooooe$ for $n=5$.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        let game = AtMostSlow::of(rule, play)?;
        (game.k == 2 && game.n >= 3).then(|| Box::new(game) as _)
    }
}

/// The theorem on Slow(n,{1,..,k}), n up to k+3.
#[derive(Clone, Copy, Debug)]
pub struct AtMostSlowNim;

impl Theorem for AtMostSlowNim {
    fn id(&self) -> &str {
        "slow-at-most"
    }

    fn citation(&self) -> Citation {
        Citation::whole(SLOW_MOORE)
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "Slow(n,{1,..,k}), heights in ascending order, e even and o odd: the P-positions are \
             e..e for n = k; e..e and o..o for n = k+1; e..e and eo..o for n = k+2, k >= 2; eeeee, \
             eeooo, ooeeo, ooooe for n = 5, k = 2; eeeeee, eeoooo, ooeeoo, ooooee for n = 6, k = 3. \
             In Slow(3,{1,2}) the Grundy value is 0 for eee and ooo, 1 for eeo and ooe, 2 for eoo \
             and oee, 3 for eoe and oeo.",
            r"In $\mathrm{Slow}(n,\{1,\dots,k\})$ with heights in ascending order, $e$ even and $o$ odd,
             the $\mathcal{P}$-positions are $e^n$ for $n = k$; $e^n, o^n$ for $n = k+1$; $e^n, eo^{n-1}$
             for $n = k+2$, $k \ge 2$; $eeeee, eeooo, ooeeo, ooooe$ for $n = 5$, $k = 2$; $eeeeee, eeoooo,
             ooeeoo, ooooee$ for $n = 6$, $k = 3$. In $\mathrm{Slow}(3,\{1,2\})$ the Grundy value is 0 for
             $eee, ooo$, 1 for $eeo, ooe$, 2 for $eoo, oee$, and 3 for $eoe, oeo$.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        Some(Box::new(AtMostSlow::of(rule, play)?))
    }
}

/// Slow(n,{1,..,k}) for one n and k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtMostSlow {
    n: usize,
    k: usize,
}

/// The words of Slow(5,{1,2}) and Slow(6,{1,2,3}), the first bit for the least stack.
const WORDS_5: [u32; 4] = [0b00000, 0b11100, 0b10011, 0b01111];
const WORDS_6: [u32; 4] = [0b000000, 0b111100, 0b110011, 0b001111];

impl AtMostSlow {
    /// Slow(n,{1,..,k}), if it is covered.
    pub fn new(n: usize, k: usize) -> Option<Self> {
        let covered = match n.checked_sub(k)? {
            0 | 1 => k >= 1,
            2 => k >= 2,
            3 => k == 2 || k == 3,
            _ => false,
        };
        (covered && n <= nimatron_game::MAX_STACKS).then_some(AtMostSlow { n, k })
    }

    fn of(rule: &Rule, play: Play) -> Option<Self> {
        let sizes = normal_sizes(rule, play)?;
        let k = sizes.greatest().filter(|&k| sizes == Sizes::new(1..=k))?;
        AtMostSlow::new(rule.stacks(), k)
    }

    /// Whether the position is P.
    pub fn is_p(&self, heights: &[Height]) -> bool {
        let odd = odds(heights);
        match self.n - self.k {
            0 => odd == 0,
            1 => odd == 0 || odd == self.n,
            2 => {
                let least = heights.iter().min().copied().unwrap_or(0);
                odd == 0 || odd == self.n - 1 && least % 2 == 0
            }
            _ => self.words().contains(&word(heights)),
        }
    }

    /// The words of P-positions, where they are listed.
    fn words(&self) -> &'static [u32] {
        match (self.n, self.k) {
            (5, 2) => &WORDS_5,
            (6, 3) => &WORDS_6,
            _ => &[],
        }
    }

    /// The stacks to play on at an N-position.
    fn winning_set(&self, heights: &[Height]) -> Option<(StackSet, &'static str)> {
        let odd: StackSet = (0..self.n).filter(|&s| heights[s] % 2 == 1).collect();
        if odd.len() <= self.k {
            return Some((odd, "play on the odd stacks: all become even"));
        }
        if self.n == self.k + 2 {
            let least = (0..self.n).min_by_key(|&s| heights[s])?;
            // The only even stack, if there is one, becomes odd and is not the least.
            let even = StackSet::first(self.n) - odd;
            let case = "the least stack becomes the only even one";
            return Some((even | StackSet::single(least), case));
        }
        let playable: StackSet = (0..self.n).filter(|&s| heights[s] > 0).collect();
        let mut sets = (1..=self.k).flat_map(|size| subsets_of_size(playable, size));
        let set = sets.find(|&set| self.is_p(&played(heights, set)))?;
        Some((set, "the parities become those of a P-position"))
    }
}

/// The parities of the heights in ascending order, the first bit for the least.
fn word(heights: &[Height]) -> u32 {
    let mut sorted = heights.to_vec();
    sorted.sort_unstable();
    sorted.iter().enumerate().fold(0, |word, (i, h)| word | ((h % 2) as u32) << i)
}

/// One token less on each stack of the set.
pub(crate) fn played(heights: &[Height], set: StackSet) -> Vec<Height> {
    let mut to = heights.to_vec();
    set.iter().for_each(|s| to[s] -= 1);
    to
}

impl Solution for AtMostSlow {
    fn stacks(&self) -> usize {
        self.n
    }

    fn family(&self) -> Option<Family> {
        Some(Family::Slow { n: self.n, sizes: Sizes::new(1..=self.k) })
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.is_p(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        if self.is_p(heights) {
            return None;
        }
        let (set, case) = self.winning_set(heights)?;
        let mut reasons = self.explain(heights);
        reasons.push(Reason::Case(case));
        Some(WinningMove::to(heights, &played(heights, set), reasons))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        let parities = (0..self.n).map(|i| word(heights) >> i & 1 == 1).collect();
        vec![Reason::Parities { odd: parities }]
    }

    fn grundy(&self, heights: &[Height]) -> Option<u128> {
        if (self.n, self.k) != (3, 2) {
            return self.is_p(heights).then_some(0);
        }
        // The least stack's bit comes first; complementary words have the same value.
        let word = word(heights);
        Some(match if word & 1 == 1 { !word & 0b111 } else { word } {
            0b000 => 0,
            0b100 => 1,
            0b110 => 2,
            _ => 3,
        })
    }

    fn formula(&self) -> Option<String> {
        let n = self.n;
        Some(match n - self.k {
            0 => "odds = 0".to_string(),
            1 => format!("odds = 0 or odds = {n}"),
            2 => format!("odds = 0 or (odds = {}, even(min))", n - 1),
            _ => {
                let parity = |word: u32, s: usize| {
                    let name = crate::shape::name(s, n);
                    if word >> s & 1 == 1 {
                        format!("odd({name})")
                    } else {
                        format!("even({name})")
                    }
                };
                let words = self.words().iter().map(|&word| {
                    let stacks: Vec<_> = (0..n).map(|s| parity(word, s)).collect();
                    format!("({})", stacks.join(", "))
                });
                let words: Vec<_> = words.collect();
                format!("sym({}, {})", joined(0..n, n, " <= "), words.join(" or "))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_box, check_formula, check_grundy, check_tall};

    fn slow(n: usize, k: usize) -> Rule {
        Family::Slow { n, sizes: Sizes::new(1..=k) }.rule()
    }

    #[test]
    fn the_theorems_hold_on_small_boxes() {
        let games = [
            (2, 2, 9),
            (3, 3, 7),
            (4, 4, 5),
            (2, 1, 9),
            (3, 2, 10),
            (4, 3, 6),
            (5, 4, 4),
            (4, 2, 7),
            (5, 3, 5),
            (6, 4, 3),
            (5, 2, 6),
            (6, 3, 4),
        ];
        for (n, k, max) in games {
            let rule = slow(n, k);
            check_box(&AtMostSlowNim, &rule, max);
            check_formula(&AtMostSlowNim, &rule, max.min(4));
            if k == 2 && n > 2 {
                check_box(&OneOrTwoSlowNim, &rule, max);
            }
        }
    }

    #[test]
    fn grundy_values_of_two_of_three() {
        let known = check_grundy(&AtMostSlowNim, &slow(3, 2), 9);
        assert_eq!(known, 1000);
        check_grundy(&AtMostSlowNim, &slow(4, 2), 5);
    }

    #[test]
    fn tall_stacks_have_winning_moves() {
        for (n, k) in [(5, 2), (6, 3), (32, 32), (32, 31), (32, 30), (4, 2), (7, 5)] {
            check_tall(&AtMostSlowNim, &slow(n, k), 300);
        }
    }

    #[test]
    fn which_games_are_covered() {
        let moore = Family::Moore { n: 4, k: 2 };
        let variant = nimatron_game::Game::variant(moore, nimatron_game::Variant::any(1)).unwrap();
        assert!(AtMostSlowNim.applies(variant.single().unwrap(), Play::Normal).is_some());
        for (n, k) in [(6, 2), (7, 4), (3, 1)] {
            assert!(AtMostSlowNim.applies(&slow(n, k), Play::Normal).is_none());
        }
        assert!(AtMostSlowNim.applies(&slow(4, 2), Play::Misere).is_none());
    }
}
