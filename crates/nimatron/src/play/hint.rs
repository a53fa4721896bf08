//! A ladder of hints: each step tells a little more.

use super::dice::Dice;
use super::opponent::{Choice, Manner};
use crate::ask::{AskError, Options, Prepared};
use crate::limits::Limits;
use crate::verdict::Verdict;
use nimatron_game::{Height, Outcome, Position, StackSet, Take};

/// The step that tells all.
pub const MAX_HINT: u8 = 4;

/// What a hint tells, as far as its step goes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Hint {
    /// The step: 1 who wins, 2 on which stacks to play, 3 to which heights, 4 the whole move and why.
    pub step: u8,
    /// The outcome; `None` if it was not decided.
    pub outcome: Option<Outcome>,
    /// From step 2 on: the stacks of a good move.
    pub stacks: Option<StackSet>,
    /// From step 3 on: the heights to leave on these stacks.
    pub heights: Option<Vec<(usize, Height)>>,
    /// With step 4: the move, and why it was chosen.
    pub take: Option<(Take, Manner)>,
    /// With step 4: the whole answer.
    pub verdict: Option<Box<Verdict>>,
}

impl Prepared {
    /// A hint about a position; steps beyond the last tell what the last does. Where nothing wins, the move is
    /// the one that is hardest to answer.
    ///
    /// ```
    /// use nimatron::{Limits, Outcome, Prepared};
    /// let game = Prepared::new("Nim(3)".parse().unwrap());
    /// let position = "1,2,7".parse().unwrap();
    /// let hint = game.hint(&position, 3, &Limits::default()).unwrap();
    /// assert_eq!(hint.outcome, Some(Outcome::N));
    /// assert_eq!(hint.heights, Some(vec![(2, 3)])); // leave 3 on the third stack
    /// assert!(hint.take.is_none());
    /// ```
    pub fn hint(&self, position: &Position, step: u8, limits: &Limits) -> Result<Hint, AskError> {
        let step = step.clamp(1, MAX_HINT);
        let verdict = self.ask(position, &Options::default().limits(limits.clone()))?;
        let outcome = verdict.outcome;
        let mut hint =
            Hint { step, outcome, stacks: None, heights: None, take: None, verdict: None };
        let winning = verdict.moves.first().map(|m| Choice {
            take: m.take.clone(),
            to: m.to.clone(),
            manner: Manner::Wins,
        });
        let choice = match (step, winning, outcome) {
            (1, _, _) => None,
            (_, Some(choice), _) => Some(choice),
            (_, None, Some(_)) => self.best(position, &mut Dice::new(0, 0), limits)?,
            (_, None, None) => None,
        };
        if let Some(choice) = choice {
            let stacks = choice.take.support();
            hint.stacks = Some(stacks);
            if step >= 3 {
                hint.heights = Some(stacks.iter().map(|s| (s, choice.to[s])).collect());
            }
            if step >= 4 {
                hint.take = Some((choice.take, choice.manner));
            }
        }
        if step >= 4 {
            hint.verdict = Some(Box::new(verdict));
        }
        Ok(hint)
    }
}
