//! Slow games and the odd stacks (Slow26 Proposition 1).
//!
//! If all stacks are even, whatever set is played on can be played on again, which makes all stacks
//! even again: such positions are P. If the odd stacks can be played on together, that leaves only
//! even stacks: such positions are N. This holds for slow games on any family of sets.

use crate::library::slow_at_most::played;
use crate::partial::PartialTheorem;
use crate::publication::SLOW26;
use crate::reason::Reason;
use crate::theorem::{Citation, Statement, WinningMove};
use nimatron_game::{Amounts, Height, Outcome, Play, Rule, StackSet};

/// The proposition on odd stacks of slow games.
#[derive(Clone, Copy, Debug)]
pub struct SlowParity;

fn odd_stacks(heights: &[Height]) -> StackSet {
    (0..heights.len()).filter(|&s| heights[s] % 2 == 1).collect()
}

impl PartialTheorem for SlowParity {
    fn id(&self) -> &str {
        "slow-parity"
    }

    fn citation(&self) -> Citation {
        Citation::item(SLOW26, "Proposition 1").credit(
            "stated there for Slow(n,A); for other sets of stacks the same argument was added here",
        )
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "Slow games on any sets: a position is P if all stacks are even, and N if the odd stacks \
             can be played on together, which in Slow(n,A) means that their number is in A.",
            r"In a slow game on any sets a position is a $\mathcal{P}$-position if all heights are even,
             and an $\mathcal{N}$-position if the stacks of odd height can be played on together; in
             $\mathrm{Slow}(n,A)$: if their number is in $A$.",
        )
    }

    fn outcome(&self, rule: &Rule, play: Play, heights: &[Height]) -> Option<Outcome> {
        let slow = rule.each() == Amounts::exactly(1) && rule.total() == Amounts::POSITIVE;
        if play != Play::Normal || !slow {
            return None;
        }
        let odd = odd_stacks(heights);
        if odd.is_empty() {
            return Some(Outcome::P);
        }
        rule.allows_support(odd).then_some(Outcome::N)
    }

    fn explain(&self, _: &Rule, heights: &[Height]) -> Vec<Reason> {
        vec![Reason::Odd { stacks: odd_stacks(heights) }]
    }

    fn winning_move(&self, rule: &Rule, play: Play, heights: &[Height]) -> Option<WinningMove> {
        self.outcome(rule, play, heights).filter(|&o| o == Outcome::N)?;
        let to = played(heights, odd_stacks(heights));
        Some(WinningMove::to(heights, &to, self.explain(rule, heights)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Sieve, boxed};
    use nimatron_game::Game;

    #[test]
    fn what_is_said_is_true() {
        let games = [
            ("Slow(3,{2})", 9),
            ("Slow(4,{2,3})", 5),
            ("Slow(5,{2})", 4),
            ("Slow(5,{1,4})", 4),
            ("CN(5,2) each=1", 4),
            ("PN(4,2) any=1", 5),
            ("Set(ab,bcd) each=1", 5),
        ];
        for (text, max) in games {
            let game: Game = text.parse().unwrap();
            let rule = game.single().unwrap();
            let sieve = Sieve::new(rule, Play::Normal, max);
            let mut said = [0, 0];
            for p in boxed(rule.stacks(), max) {
                let Some(outcome) = SlowParity.outcome(rule, Play::Normal, &p) else { continue };
                assert_eq!(outcome, sieve.outcome(&p), "{text} at {p:?}");
                said[usize::from(outcome == Outcome::N)] += 1;
                let won = SlowParity.winning_move(rule, Play::Normal, &p);
                assert_eq!(won.is_some(), outcome == Outcome::N);
                if let Some(won) = won {
                    assert!(rule.is_legal(&p, &won.take));
                    assert_eq!(sieve.outcome(&Rule::option(&p, &won.take)), Outcome::P);
                }
            }
            assert!(said[0] > 0 && said[1] > 0);
        }
    }

    #[test]
    fn nothing_is_said_about_other_games() {
        for text in ["CN(5,2)", "Exact(4,2)", "CN(5,2) each=2", "CN(4,2) total=1"] {
            let game: Game = text.parse().unwrap();
            let rule = game.single().unwrap();
            assert_eq!(SlowParity.outcome(rule, Play::Normal, &vec![2; rule.stacks()]), None);
        }
        let slow: Game = "Slow(3,{2})".parse().unwrap();
        assert_eq!(SlowParity.outcome(slow.single().unwrap(), Play::Misere, &[2, 2, 2]), None);
    }
}
