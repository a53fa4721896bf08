//! Where a match may begin.

use super::dice::Dice;
use crate::ask::{Explain, Options, Prepared};
use crate::limits::Limits;
use nimatron_game::{Outcome, Position};
use std::time::Duration;

/// So many positions are looked at.
const TRIED: usize = 50;
/// For each so long, at the most.
const EACH: Duration = Duration::from_millis(200);

impl Prepared {
    /// A position to begin at, with a few tokens on each stack, the same for the same seed: one that is won for who
    /// begins, where such a one is found soon.
    pub fn opening(&self, seed: u64, limits: &Limits) -> Position {
        let mut dice = Dice::new(seed, 1);
        let each = limits.clone().time(limits.time.map_or(EACH, |time| time.min(EACH)));
        let options = Options::default().limits(each).explain(Explain::Nothing);
        let n = self.game().stacks();
        let mut last = Position::zero(n);
        for _ in 0..TRIED {
            let heights = (0..n).map(|_| 1 + dice.below(6)).collect();
            let Ok(position) = Position::new(heights) else { continue };
            let outcome = self.ask(&position, &options).ok().and_then(|verdict| verdict.outcome);
            last = position;
            if outcome == Some(Outcome::N) {
                break;
            }
        }
        last
    }
}
