//! Moore's Nim, and with it Nim, under misere play: whoever takes the last token loses.
//!
//! As long as some stack holds two tokens or more, the P-positions are those of normal play; when
//! no stack does, the number `c` of single tokens decides: P exactly if `c` leaves the remainder 1
//! modulo `k+1`. For k = 1 this is the rule that Bouton gives for Nim. The proof for all `k`, with
//! `t` the number of tall stacks (two tokens or more):
//!
//! * At a P-position of normal play with t > 0, the top digit has at least k+1 ones, so t > k: no
//!   move brings all stacks down to single tokens, and among tall positions moves are as in normal
//!   play. From t > k the winning move of normal play leaves a tall stack for the same reason.
//! * If 0 < t <= k, the player brings every tall stack to 0 or 1 and may empty up to k-t single
//!   stacks as well. With `s` single stacks beforehand every count from max(0, s-(k-t)) to s+t can be
//!   left. These are k+1 counts in a row, or they begin with 0 and hold 1: one has the remainder 1.
//! * If t = 0, a move empties 1 to k stacks, so a remainder other than 1 can be brought to 1 (with
//!   nothing left play is over, and the player to move has won), and from the remainder 1 it cannot
//!   be kept.

use crate::library::moore::Moore;
use crate::publication::BOUTON;
use crate::reason::Reason;
use crate::shape::{covers_all, joined, range, sum, uniform};
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::{Family, Height, Outcome, Play, Rule, StackSet, Take};

/// The theorem on misere Moore(n,k).
#[derive(Clone, Copy, Debug)]
pub struct MisereMooreNim;

impl Theorem for MisereMooreNim {
    fn id(&self) -> &str {
        "misere-moore"
    }

    fn citation(&self) -> Citation {
        Citation::whole(BOUTON).credit("for Nim; for Moore(n,k) with k > 1 it is proved here")
    }

    /// Bouton has Nim only.
    fn citation_for(&self, game: Option<&Family>) -> Citation {
        if let Some(Family::Nim { .. }) = game {
            return Citation::whole(BOUTON);
        }
        let source = "proved with this program: docs/theorems.md".into();
        Citation { key: "misere Moore, proved here".into(), source, item: None, credit: None }
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "misere Nim(n) and Moore(n,k), Nim being k = 1: if some stack holds two tokens or more, \
             a position is P exactly if it is P under normal play; otherwise exactly if the number \
             of tokens leaves the remainder 1 modulo k+1.",
            r"In $\mathrm{Moore}(n,k)$ under mis\`ere play a position with some $p_i \ge 2$ is a
             $\mathcal{P}$-position if and only if it is one under normal play; a position with all
             $p_i \le 1$ is one if and only if $\sum p_i \equiv 1 \pmod{k+1}$.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        let fits = play == Play::Misere && rule.is_set_nim() && covers_all(rule);
        let k = uniform(rule.sets()).filter(|_| fits)?;
        let normal = Moore::new(rule.stacks(), k)?;
        Some(Box::new(MisereMoore { n: rule.stacks(), k, normal }))
    }
}

/// Moore(n,k) under misere play, for one n and k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MisereMoore {
    n: usize,
    k: usize,
    normal: Moore,
}

impl MisereMoore {
    /// Whether the position is P.
    pub fn is_p(&self, heights: &[Height]) -> bool {
        if tall(heights).is_empty() {
            self.remainder(singles(heights).len()) == 1
        } else {
            self.normal.is_p(heights)
        }
    }

    fn remainder(&self, count: usize) -> usize {
        count % (self.k + 1)
    }

    /// The heights after a move that leaves only single tokens, as many of them as it must be: for
    /// N-positions with at most `k` tall stacks, unless play is over.
    fn to_singles(self, heights: &[Height]) -> Option<Vec<Height>> {
        let (tall, singles) = (tall(heights), singles(heights));
        let room = self.k - tall.len();
        let least = singles.len().saturating_sub(room);
        let most = singles.len() + tall.len();
        let wanted = (least..=most).find(|&count| self.remainder(count) == 1)?;
        let mut to = vec![0; self.n];
        // Single stacks stay where they can: a move on the tall ones is there anyway.
        singles.iter().chain(tall).take(wanted).for_each(|s| to[s] = 1);
        Some(to)
    }
}

/// The stacks with two tokens or more.
fn tall(heights: &[Height]) -> StackSet {
    (0..heights.len()).filter(|&s| heights[s] >= 2).collect()
}

/// The stacks with one token.
fn singles(heights: &[Height]) -> StackSet {
    (0..heights.len()).filter(|&s| heights[s] == 1).collect()
}

impl Solution for MisereMoore {
    fn stacks(&self) -> usize {
        self.n
    }

    fn family(&self) -> Option<Family> {
        Some(match self.k {
            1 => Family::Nim { n: self.n },
            k => Family::Moore { n: self.n, k },
        })
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.is_p(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_take(&self, heights: &[Height]) -> Option<Take> {
        match tall(heights).len() > self.k {
            // There the P-positions are those of normal play, which has no move from them.
            true => self.normal.winning_take(heights),
            false => self.winning_move(heights).map(|won| won.take),
        }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        if self.is_p(heights) {
            return None;
        }
        if tall(heights).len() > self.k {
            return self.normal.winning_move(heights);
        }
        let to = self.to_singles(heights)?;
        let mut reasons = self.explain(heights);
        reasons.push(Reason::Case(match self.k {
            1 => "the move leaves an odd number of single tokens",
            _ => {
                "the move leaves single tokens only, one more than a multiple of k+1 of them, k being the most \
                 stacks that a move may lower"
            }
        }));
        Some(WinningMove::to(heights, &to, reasons))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        let tall = tall(heights);
        if sum(heights) == 0 {
            return vec![Reason::Case("play is over, and whoever cannot move has won")];
        }
        if tall.is_empty() {
            let rule = Reason::Case("no stack holds two tokens, so the total decides");
            return vec![rule, Reason::Total { sum: sum(heights) }];
        }
        let rule =
            Reason::Case("some stack holds two tokens, so the outcome is that of normal play");
        std::iter::once(rule).chain(self.normal.explain(heights)).collect()
    }

    /// Values are those of normal play; misere play has none here.
    fn grundy(&self, _: &[Height]) -> Option<u128> {
        None
    }

    fn formula(&self) -> Option<String> {
        let stacks = joined(range(0, self.n), self.n, ",");
        let nim = || format!("(max <= 1, odd(total)) or (max > 1, xor({stacks}) = 0)");
        (self.k == 1).then(nim)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_formula_under, check_play, check_tall_under};

    const GAMES: [(usize, usize, Height); 12] = [
        (1, 1, 9),
        (2, 1, 9),
        (2, 2, 9),
        (3, 1, 8),
        (3, 2, 8),
        (3, 3, 5),
        (4, 1, 5),
        (4, 2, 5),
        (4, 3, 5),
        (5, 2, 3),
        (5, 3, 3),
        (6, 2, 2),
    ];

    #[test]
    fn the_theorem_holds_on_small_boxes() {
        for (n, k, max) in GAMES {
            check_play(&MisereMooreNim, &Family::Moore { n, k }.rule(), Play::Misere, max);
        }
    }

    #[test]
    fn tall_stacks_have_winning_moves() {
        for (n, k) in [(1, 1), (2, 1), (5, 1), (5, 2), (7, 4), (9, 3), (32, 16), (32, 31), (6, 6)] {
            check_tall_under(&MisereMooreNim, &Family::Moore { n, k }.rule(), Play::Misere, 400);
        }
    }

    #[test]
    fn the_formula_of_nim_is_the_rule() {
        for (n, max) in [(1, 9), (3, 6), (4, 4)] {
            check_formula_under(&MisereMooreNim, &Family::Nim { n }.rule(), Play::Misere, max);
        }
    }

    #[test]
    fn only_misere_play_is_meant() {
        assert!(MisereMooreNim.applies(&Family::Nim { n: 3 }.rule(), Play::Normal).is_none());
        let circle = Family::Circular { n: 5, k: 2 }.rule();
        assert!(MisereMooreNim.applies(&circle, Play::Misere).is_none());
    }
}
