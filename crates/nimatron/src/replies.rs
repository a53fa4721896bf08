//! What follows a move: where it leads, and the reply.

use crate::ask::{AskError, Explain, Options, Prepared, WantedMoves};
use crate::verdict::{Verdict, WinningMove};
use nimatron_game::{Height, IllegalMove, Position, StackSet, Take};

/// A move, and what is to be said about the position it leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct After {
    /// The position from which the move was made.
    pub from: Position,
    /// The move.
    pub take: Take,
    /// The answer about the position it leaves. If that is an N-position its winning move is the
    /// reply that refutes the move; if it is a P-position the move wins.
    pub verdict: Verdict,
}

/// Why nothing follows a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AfterError {
    /// It is not a move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The position does not fit the game.
    #[error(transparent)]
    Ask(#[from] AskError),
}

/// A move that does not help, with the reply that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Try {
    /// The move.
    pub take: Take,
    /// The position it leaves.
    pub to: Position,
    /// The reply.
    pub reply: WinningMove,
}

impl Prepared {
    /// What follows a move: whether it is legal, where it leads, and who wins there by which reply.
    ///
    /// ```
    /// use nimatron::{Options, Outcome, Prepared};
    /// let game = Prepared::new("CN(5,2)".parse().unwrap());
    /// let position = "1,1,1,1,1".parse().unwrap();
    /// let take = nimatron::Take::new(vec![1, 0, 0, 0, 0]);
    /// let after = game.after(&position, &take, &Options::default()).unwrap();
    /// assert_eq!(after.verdict.outcome, Some(Outcome::N));
    /// assert!(!after.verdict.moves.is_empty());
    /// ```
    pub fn after(
        &self,
        position: &Position,
        take: &Take,
        options: &Options,
    ) -> Result<After, AfterError> {
        let to = self.game().play(position.clone(), take)?;
        let verdict = self.ask(&to, options)?;
        Ok(After { from: position.clone(), take: take.clone(), verdict })
    }

    /// Some moves from a P-position, at most `most`, each with the reply that refutes it. Moves whose
    /// replies are not found at once are left out.
    pub fn tries(&self, position: &Position, most: usize, options: &Options) -> Vec<Try> {
        let options = options.clone().moves(WantedMoves::One).explain(Explain::Nothing);
        let mut tries: Vec<Try> = Vec::new();
        for take in self.samples(position) {
            if tries.len() == most {
                break;
            }
            if tries.iter().any(|known| known.take == take) {
                continue;
            }
            let Ok(to) = self.game().play(position.clone(), &take) else { continue };
            let Ok(verdict) = self.ask(&to, &options) else { continue };
            if let Some(reply) = verdict.moves.first() {
                tries.push(Try { take, to, reply: reply.clone() });
            }
        }
        tries
    }

    /// Moves that one would think of first, as far as they are moves.
    pub(crate) fn tries_worth(&self, position: &Position) -> Vec<Take> {
        let mut takes = self.samples(position);
        takes.retain(|take| self.game().is_legal(position, take));
        takes
    }

    /// Moves that one would think of first: one token from a tallest stack, all of it, all of the
    /// heaviest set; then any.
    fn samples(&self, position: &Position) -> Vec<Take> {
        let n = position.len();
        let on = |stacks: StackSet, amount: &dyn Fn(Height) -> Height| {
            let taken = |s: usize| if stacks.contains(s) { amount(position[s]) } else { 0 };
            Take::new((0..n).map(taken).collect())
        };
        // Of equally tall stacks the first.
        let tallest =
            (0..n).rev().max_by_key(|&s| position[s]).map_or(StackSet::EMPTY, StackSet::single);
        let mut takes = vec![on(tallest, &|h| h.min(1)), on(tallest, &|h| h)];
        let sets = self.game().summands().iter().filter(|s| s.rule().sets().sizes().is_none());
        let sets = sets.flat_map(|summand| {
            let first = summand.stacks().start;
            summand.rule().sets().iter().map(move |set| set.shifted(first)).collect::<Vec<_>>()
        });
        let weight = |set: &StackSet| set.iter().map(|s| u128::from(position[s])).sum::<u128>();
        takes.extend(sets.max_by_key(weight).map(|set| on(set, &|h| h)));
        takes.extend(self.game().moves(position).take(4));
        takes
    }
}
