//! One facet: all stacks may be played at once (DH13 Theorem 2.1).

use crate::publication::DH13;
use crate::reason::Reason;
use crate::shape::{is_normal_set_nim, sum};
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Family, Height, Outcome, Play, Rule};
use std::borrow::Cow;

/// The theorem on games with one facet, such as CN(n,n).
#[derive(Clone, Copy, Debug)]
pub struct SingleFacet;

impl Theorem for SingleFacet {
    fn id(&self) -> &str {
        "single-facet"
    }

    fn games(&self) -> Cow<'static, str> {
        "CN(n,n) and every game of a single facet".into()
    }

    fn citation(&self) -> Citation {
        Citation::item(DH13, "Theorem 2.1(2)")
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "If all stacks form one facet, as in CN(n,n), the Grundy value is the total number \
             of tokens; only the empty position is P.",
            r"If all stacks form one facet, as in $\mathrm{CN}(n,n)$, the Grundy value of $p$ is
             $p_1 + \dots + p_n$; only $\mathbf{0}$ is a $\mathcal{P}$-position.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        let fits = is_normal_set_nim(rule, play) && rule.sets().len() == 1;
        fits.then(|| Box::new(Single { n: rule.stacks() }) as _)
    }
}

/// The game on `n` stacks that form one facet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Single {
    n: usize,
}

impl Single {
    /// The game on `n` stacks.
    pub fn new(n: usize) -> Self {
        Single { n }
    }

    /// Whether the position is P.
    pub fn is_p(&self, heights: &[Height]) -> bool {
        heights.iter().all(|&h| h == 0)
    }
}

impl Solution for Single {
    fn stacks(&self) -> usize {
        self.n
    }

    fn family(&self) -> Option<Family> {
        Some(Family::Circular { n: self.n, k: self.n })
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.is_p(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        let reasons = vec![Reason::Case("everything is taken")];
        (!self.is_p(heights)).then(|| WinningMove::to(heights, &vec![0; self.n], reasons))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        vec![Reason::Total { sum: sum(heights) }]
    }

    fn knows_values(&self) -> bool {
        true
    }

    fn grundy(&self, heights: &[Height]) -> Option<u128> {
        Some(sum(heights))
    }

    fn formula(&self) -> Option<String> {
        Some("total = 0".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_box, check_grundy, check_tall};

    #[test]
    fn the_theorem_holds_on_small_boxes() {
        for (n, max) in [(1, 30), (2, 9), (3, 5), (4, 3), (5, 2)] {
            let rule = Family::Circular { n, k: n }.rule();
            check_box(&SingleFacet, &rule, max);
            check_grundy(&SingleFacet, &rule, max);
        }
    }

    #[test]
    fn tall_stacks_have_winning_moves() {
        for n in [1, 7, 32] {
            check_tall(&SingleFacet, &Family::Moore { n, k: n }.rule(), 100);
        }
        let tall = vec![nimatron_game::MAX_HEIGHT; 32];
        assert_eq!(Single::new(32).grundy(&tall), Some(32 * u128::from(nimatron_game::MAX_HEIGHT)));
    }
}
