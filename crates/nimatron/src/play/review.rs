//! A match looked at afterwards: where it was won and lost.

use super::matches::Match;
use crate::ask::{AskError, Explain, Options, Prepared};
use crate::limits::Limits;
use crate::verdict::WinningMove;
use nimatron_game::{Outcome, Position, Take};

/// What is to be said about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Judgement {
    /// It won, or kept the win.
    Wins,
    /// It threw a win away.
    Mistake,
    /// Nothing could have won.
    Lost,
    /// It is not known.
    Unknown,
}

/// A move of a match, judged.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Reviewed {
    /// Who made it: 0 for the player who began.
    pub player: usize,
    /// Where it was made.
    pub from: Position,
    /// The tokens taken.
    pub take: Take,
    /// The position reached.
    pub to: Position,
    /// What is to be said about it.
    pub judgement: Judgement,
    /// After a mistake: a move that would have won.
    pub better: Option<WinningMove>,
}

/// A match, judged.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Review {
    /// The moves.
    pub moves: Vec<Reviewed>,
    /// Who has won, if the match is over.
    pub winner: Option<usize>,
    /// The move that decided the match: the last mistake, as a place in `moves`. `None` if there was none: then
    /// the start decided it.
    pub decided: Option<usize>,
}

impl Prepared {
    /// Looks at a match. The limits are those of each position.
    pub fn review(&self, played: &Match, limits: &Limits) -> Result<Review, AskError> {
        let options = Options::default().limits(limits.clone()).explain(Explain::Nothing);
        let positions = played.positions();
        let verdicts =
            positions.iter().map(|p| self.ask(p, &options)).collect::<Result<Vec<_>, _>>()?;
        let moves: Vec<Reviewed> = (positions.windows(2).zip(verdicts.windows(2)))
            .zip(played.takes())
            .enumerate()
            .filter_map(|(number, ((positions, verdicts), take))| {
                let ([from, to], [before, after]) = (positions, verdicts) else { return None };
                let judgement = match (before.outcome, after.outcome) {
                    (_, Some(Outcome::P)) => Judgement::Wins,
                    (Some(Outcome::N), Some(Outcome::N)) => Judgement::Mistake,
                    (Some(Outcome::P), _) => Judgement::Lost,
                    _ => Judgement::Unknown,
                };
                let better = before.moves.first().filter(|_| judgement == Judgement::Mistake);
                Some(Reviewed {
                    player: number % 2,
                    from: from.clone(),
                    take: take.clone(),
                    to: to.clone(),
                    judgement,
                    better: better.cloned(),
                })
            })
            .collect();
        let decided = moves.iter().rposition(|m| m.judgement == Judgement::Mistake);
        Ok(Review { moves, winner: played.winner(), decided })
    }
}
