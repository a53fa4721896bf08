//! Whoever plays against you.

use super::dice::Dice;
use super::matches::Match;
use crate::ask::{AskError, Explain, Options, Prepared, WantedMoves};
use crate::limits::Limits;
use crate::moves::Page;
use nimatron_game::{Outcome, Position, Take, Watch};
use std::collections::HashSet;

/// How somebody plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Opponent {
    /// Wins whatever can be won, and resists as long as possible where nothing can.
    #[default]
    Perfect,
    /// Makes a move that loses, where one that wins was to be had, so many times out of a hundred; otherwise
    /// plays perfectly.
    Erring(u8),
    /// Makes any move.
    Random,
}

/// An opponent with its dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Player {
    opponent: Opponent,
    seed: u64,
}

/// Why a move was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Manner {
    /// It wins.
    Wins,
    /// Nothing wins; this makes the play last longest: so many moves after it.
    Resists(u32),
    /// Nothing wins; of those looked at, this leaves the fewest winning replies: so many.
    FewReplies(u128),
    /// Nothing wins, and there are too many moves to tell which is hardest to answer.
    Lost,
    /// It is not known whether it wins.
    Unknown,
    /// A mistake on purpose.
    Errs,
    /// By dice.
    Thrown,
}

/// A move that was chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Choice {
    /// The tokens taken.
    pub take: Take,
    /// The position reached.
    pub to: Position,
    /// Why.
    pub manner: Manner,
}

/// So many moves of a lost position are compared by their replies.
const COMPARED: usize = 60;
/// Where the box below the position is larger, remoteness is not known and need not be asked for.
const MOST_TABULATED: u128 = 200_000;
/// Throws for a move that loses.
const THROWS: usize = 40;

impl Player {
    /// An opponent whose dice fall as the seed says.
    pub fn new(opponent: Opponent, seed: u64) -> Self {
        Player { opponent, seed }
    }

    /// The move this player makes, or `None` if no move is left.
    pub fn choose(
        &self,
        game: &Prepared,
        at: &Match,
        limits: &Limits,
    ) -> Result<Option<Choice>, AskError> {
        let mut dice = Dice::new(self.seed, at.takes().len() as u64);
        let position = at.position();
        let thrown =
            |take: Take, manner: Manner| Some(Choice { to: position.after(&take)?, take, manner });
        match self.opponent {
            Opponent::Random => {
                let take = dice.any_move(game.game(), position);
                Ok(take.and_then(|take| thrown(take, Manner::Thrown)))
            }
            Opponent::Erring(percent) => {
                let errs = dice.below(100) < u64::from(percent);
                let choice = game.best(position, &mut dice, limits)?;
                let wins = choice.as_ref().is_some_and(|c| c.manner == Manner::Wins);
                let mistake = match errs && wins {
                    true => game.mistake(position, &mut dice, limits)?,
                    false => None,
                };
                Ok(mistake.and_then(|take| thrown(take, Manner::Errs)).or(choice))
            }
            Opponent::Perfect => game.best(position, &mut dice, limits),
        }
    }
}

impl Prepared {
    /// The best move: one that wins, the quickest where that is known. Where none wins, the one that
    /// resists longest, or else leaves the fewest winning replies.
    pub(super) fn best(
        &self,
        position: &Position,
        dice: &mut Dice,
        limits: &Limits,
    ) -> Result<Option<Choice>, AskError> {
        let volume = position.iter().fold(1u128, |v, &h| v.saturating_mul(u128::from(h) + 1));
        if volume <= MOST_TABULATED {
            let found = self.moves(position, Page { skip: 0, limit: 1 }, limits)?;
            let Some(first) = found.moves.into_iter().next() else { return Ok(None) };
            let manner = match (first.outcome, first.remoteness) {
                (Some(Outcome::P), _) => Manner::Wins,
                (Some(Outcome::N), Some(left)) => Manner::Resists(left),
                (Some(Outcome::N), None) => Manner::Lost,
                (None, _) => Manner::Unknown,
            };
            if manner != Manner::Lost {
                return Ok(Some(Choice { take: first.take, to: first.to, manner }));
            }
        }
        let options = Options::default().limits(limits.clone()).explain(Explain::Nothing);
        let verdict = self.ask(position, &options)?;
        if let Some(winning) = verdict.moves.into_iter().next() {
            let manner = Manner::Wins;
            return Ok(Some(Choice { take: winning.take, to: winning.to, manner }));
        }
        match verdict.outcome {
            None => {
                let take = dice.any_move(self.game(), position);
                let choice = |take: Take| {
                    Some(Choice { to: position.after(&take)?, take, manner: Manner::Unknown })
                };
                Ok(take.and_then(choice))
            }
            Some(_) => self.hardest(position, dice, limits),
        }
    }

    /// The move from a lost position that leaves the fewest winning replies, among all or, where there are
    /// many, among some.
    fn hardest(
        &self,
        position: &Position,
        dice: &mut Dice,
        limits: &Limits,
    ) -> Result<Option<Choice>, AskError> {
        let watch = limits.start();
        let few: Vec<Take> = self.game().moves(position).take(COMPARED + 1).collect();
        let mut takes = self.tries_worth(position);
        match few.len() <= COMPARED {
            true => takes = few,
            false => {
                while takes.len() < COMPARED / 2 {
                    match dice.any_move(self.game(), position) {
                        Some(take) => takes.push(take),
                        None => break,
                    }
                }
            }
        }
        let mut met = HashSet::new();
        takes.retain(|take| met.insert(take.clone()));
        let options = Options::default().limits(limits.clone()).explain(Explain::Nothing);
        // How many replies are counted: more make no difference.
        let mut most = 200usize;
        let mut best: Option<Choice> = None;
        for take in takes {
            let Some(to) = position.after(&take) else { continue };
            if best.is_some() && watch.check(0).is_err() {
                break;
            }
            let wanted = WantedMoves::AllUpTo(most.saturating_add(1));
            let verdict = self.ask(&to, &options.clone().moves(wanted))?;
            let replies = verdict.moves_total.filter(|_| verdict.unknown.is_none());
            let manner = match replies {
                Some(replies) => Manner::FewReplies(replies),
                None => Manner::Lost,
            };
            let better = match (best.as_ref().map(|b| b.manner), replies) {
                (None, _) => true,
                (Some(Manner::FewReplies(fewest)), Some(replies)) => replies < fewest,
                (Some(_), Some(_)) => true,
                (Some(_), None) => false,
            };
            if better {
                most = replies.and_then(|n| usize::try_from(n).ok()).unwrap_or(most).min(most);
                best = Some(Choice { take, to, manner });
            }
        }
        Ok(best)
    }

    /// A move that loses although another wins, if there is one.
    fn mistake(
        &self,
        position: &Position,
        dice: &mut Dice,
        limits: &Limits,
    ) -> Result<Option<Take>, AskError> {
        let options = Options::default().limits(limits.clone()).explain(Explain::Nothing);
        for _ in 0..THROWS {
            let Some(take) = dice.any_move(self.game(), position) else { return Ok(None) };
            let Some(to) = position.after(&take) else { continue };
            if self.ask(&to, &options)?.outcome == Some(Outcome::N) {
                return Ok(Some(take));
            }
        }
        Ok(None)
    }
}
