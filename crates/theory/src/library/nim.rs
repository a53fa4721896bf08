//! Nim (Bouton 1901): the Grundy value is the xor of the heights.

use crate::publication::BOUTON;
use crate::reason::Reason;
use crate::shape::{is_normal_exact, is_normal_set_nim, joined, range, uniform};
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Family, Height, Outcome, Play, Rule};
use std::borrow::Cow;

/// The theorem on Nim(n).
#[derive(Clone, Copy, Debug)]
pub struct BoutonNim;

impl Theorem for BoutonNim {
    fn id(&self) -> &str {
        "nim"
    }

    fn games(&self) -> Cow<'static, str> {
        "Nim(n)".into()
    }

    fn citation(&self) -> Citation {
        Citation::whole(BOUTON)
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "Nim(n): the Grundy value is the xor of all heights; a position is P exactly if it \
             is 0.",
            r"In $\mathrm{Nim}(n)$ the Grundy value of $p$ is $p_1 \oplus \dots \oplus p_n$; $p$ is
             a $\mathcal{P}$-position if and only if $p_1 \oplus \dots \oplus p_n = 0$.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        // With sets of one stack it makes no difference whether all of a set must be played.
        let normal = is_normal_set_nim(rule, play) || is_normal_exact(rule, play);
        let fits = normal && uniform(rule.sets()) == Some(1);
        fits.then(|| Box::new(Nim { n: rule.stacks() }) as _)
    }
}

/// Nim(n) for one n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nim {
    n: usize,
}

impl Nim {
    /// Nim on `n` stacks.
    pub fn new(n: usize) -> Self {
        Nim { n }
    }

    /// Whether the position is P.
    pub fn is_p(&self, heights: &[Height]) -> bool {
        xor(heights) == 0
    }
}

/// The xor of some heights.
pub(crate) fn xor(heights: &[Height]) -> Height {
    heights.iter().fold(0, |x, &h| x ^ h)
}

/// The stack that can be lowered to make the xor 0, and its new height. `None` if it is 0.
pub(crate) fn cancel(heights: &[Height]) -> Option<(usize, Height)> {
    let x = xor(heights);
    let stack = heights.iter().position(|&h| h ^ x < h)?;
    Some((stack, heights[stack] ^ x))
}

impl Solution for Nim {
    fn stacks(&self) -> usize {
        self.n
    }

    fn family(&self) -> Option<Family> {
        Some(Family::Nim { n: self.n })
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.is_p(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        let (stack, height) = cancel(heights)?;
        let mut to = heights.to_vec();
        to[stack] = height;
        let case = Reason::Case("a stack with a one in the top digit of the xor");
        let reasons = self.explain(heights).into_iter().chain([case]).collect();
        Some(WinningMove::to(heights, &to, reasons))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        vec![Reason::Xor { stacks: range(0, self.n), value: xor(heights) }]
    }

    fn knows_values(&self) -> bool {
        true
    }

    fn grundy(&self, heights: &[Height]) -> Option<u128> {
        Some(xor(heights).into())
    }

    fn formula(&self) -> Option<String> {
        Some(format!("xor({}) = 0", joined(0..self.n, self.n, ",")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_box, check_grundy, check_tall};

    #[test]
    fn the_theorem_holds_on_small_boxes() {
        for (n, max) in [(1, 40), (2, 20), (3, 15), (4, 7), (5, 4)] {
            check_box(&BoutonNim, &Family::Nim { n }.rule(), max);
            check_grundy(&BoutonNim, &Family::Nim { n }.rule(), max);
        }
    }

    #[test]
    fn tall_stacks_have_winning_moves() {
        for n in [1, 2, 5, 32] {
            check_tall(&BoutonNim, &Family::Nim { n }.rule(), 500);
        }
    }

    #[test]
    fn circles_of_single_stacks_are_nim() {
        for n in 1..=5 {
            let circle = Family::Circular { n, k: 1 }.rule();
            assert!(BoutonNim.applies(&circle, Play::Normal).is_some());
            assert!(BoutonNim.applies(&circle, Play::Misere).is_none());
        }
        let slow = Family::Slow { n: 3, sizes: nimatron_game::Sizes::new([1]) }.rule();
        assert!(BoutonNim.applies(&slow, Play::Normal).is_none());
    }
}
