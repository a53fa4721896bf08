//! Who wins, the winning moves, and why; and what follows a move.

use super::{Found, request};
use crate::failure::Failure;
use crate::heights::Heights;
use crate::host::Host;
use crate::read;
use crate::status::Status;
use crate::units::{Size, Time};
use nimatron::render::{Written, json};
use nimatron::{After, Game, Investigation, Limits, Options, Prepared, Verdict, WantedMoves};
use std::num::NonZeroU32;

request! {
    /// Who wins at a position, the winning moves, and why.
    pub struct Solve {
        /// The game.
        pub game: String,
        /// The position.
        pub position: Heights,
        /// List all winning moves, not just one.
        #[serde(default)]
        pub all_moves: bool,
        /// List at most so many of them; 20 if not given.
        pub limit: Option<NonZeroU32>,
        /// Make this move first: the answer is about what follows it.
        pub after: Option<Heights>,
        /// Stop after this time; 10 seconds if not given.
        pub time: Option<Time>,
        /// Stop when this much memory is used; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

/// What was found out.
#[derive(Debug)]
pub enum Solved {
    /// About the position.
    Position {
        /// The answer.
        investigation: Box<Investigation>,
        /// Where a proof was written to that was found on the way.
        written: Written,
    },
    /// About what follows a move.
    After(Box<After>),
}

impl Solve {
    /// The answer; before giving up, a proof is looked for.
    pub fn find(&self, host: &Host) -> Result<Solved, Failure> {
        let game = read::game(&self.game)?;
        let position = read::position(&self.position, &game)?;
        if self.limit.is_some() && !self.all_moves {
            return Err(Failure::useless("limit", "only all_moves lists more than one"));
        }
        let limits: Limits = host.usual(self.time, self.memory);
        let most = self.limit.map_or(20, |n| usize::try_from(n.get()).unwrap_or(usize::MAX));
        let moves = if self.all_moves { WantedMoves::AllUpTo(most) } else { WantedMoves::One };
        let options = Options::default().limits(limits).moves(moves);
        let prepared = Prepared::knowing(game, host.knowledge());
        let found = match &self.after {
            Some(text) => {
                let take = read::take(text, prepared.game())?;
                let after = prepared.after(&position, &take, &options);
                let after = after.map_err(|e| Failure::bad("illegal-move", e.to_string()))?;
                Solved::After(Box::new(after))
            }
            None => {
                let announce = |game: &Game| {
                    host.note(&format!("nothing is known about {game}: looking for a proof"));
                };
                let found = prepared.investigate(&position, &options, &announce);
                let found = found.map_err(|e| Failure::bad("wrong-count", e.to_string()))?;
                let (investigation, written) = (Box::new(found), Written::default());
                Solved::Position { investigation, written }
            }
        };
        host.problems(prepared.knowledge());
        Ok(found)
    }
}

impl Found for Solved {
    fn status(&self) -> Status {
        match self {
            Solved::Position { investigation, .. } => status(&investigation.verdict),
            Solved::After(after) => status(&after.verdict),
        }
    }

    fn json(&self) -> String {
        match self {
            Solved::Position { investigation, written } => {
                json::to_string(&json::Solve::investigated(investigation, written))
            }
            Solved::After(after) => json::to_string(&json::AfterAnswer::from(&**after)),
        }
    }
}

fn status(verdict: &Verdict) -> Status {
    match (&verdict.unknown, verdict.outcome) {
        (Some(unknown), _) if unknown.stop == nimatron::Stop::Cancelled => Status::Interrupted,
        (_, None) => Status::Undecided,
        _ => Status::Answered,
    }
}
