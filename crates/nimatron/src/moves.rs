//! Every move of a position, with what it leads to.

use crate::ask::{AskError, Explain, Options, Prepared, WantedMoves};
use crate::limits::Limits;
use crate::verdict::Unknown;
use nimatron_game::{Game, Known, Outcome, Play, Position, Stop, Take, Watch};
use nimatron_table::{Table, TableError, grundy, remoteness};
use std::cmp::Reverse;
use std::collections::HashSet;

/// Which part of a list is wanted: a page of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// So many entries are passed over.
    pub skip: usize,
    /// At most so many are listed.
    pub limit: usize,
}

impl Default for Page {
    /// The first fifty.
    fn default() -> Self {
        Page { skip: 0, limit: 50 }
    }
}

/// The moves of a position, best first, as far as they were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Moves {
    /// The game.
    pub game: Game,
    /// The position.
    pub position: Position,
    /// Its outcome, or `None` if it was not decided.
    pub outcome: Option<Outcome>,
    /// The moves of the page.
    pub moves: Vec<Move>,
    /// How many moves there are before them.
    pub skip: usize,
    /// How many moves there are in all; `None` if there are too many to count.
    pub total: Option<usize>,
    /// Whether moves come after those of the page.
    pub more: bool,
    /// What stopped the work, if something did.
    pub unknown: Option<Unknown>,
}

/// A move and what it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Move {
    /// The tokens taken.
    pub take: Take,
    /// The position reached.
    pub to: Position,
    /// The outcome there: [`Outcome::P`] if the move wins. `None` if it was not decided.
    pub outcome: Option<Outcome>,
    /// The Grundy value there, where it is known (normal play).
    pub grundy: Option<u64>,
    /// How many moves are left from there, if the winner hurries and the loser delays, where it is
    /// known.
    pub remoteness: Option<u32>,
}

impl Move {
    /// Whether it wins; `None` if that was not decided.
    pub fn wins(&self) -> Option<bool> {
        self.outcome.map(|outcome| outcome == Outcome::P)
    }
}

/// Where there are more moves, they are not compared with each other.
const MOST_COMPARED: usize = 20_000;
/// Where the box below the position is larger, values come from theorems only.
const MOST_TABULATED: u128 = 200_000;

impl Prepared {
    /// The moves of a position with the outcomes they lead to, best first: the moves that win, then
    /// those that were not decided, then those that lose. Where remoteness is known the quickest win
    /// comes first, and the longest resistance before a quicker loss; what is equally good comes in
    /// lexicographic order of the positions reached.
    ///
    /// From tall positions more moves lead than anybody can compare. Then the winning moves still
    /// come first, but the others come in the order of [`Game::moves`], and are not counted.
    ///
    /// ```
    /// use nimatron::{Limits, Outcome, Page, Prepared};
    /// let prepared = Prepared::new("Nim(2)".parse().unwrap());
    /// let found = prepared.moves(&"3,1".parse().unwrap(), Page::default(), &Limits::default());
    /// let found = found.unwrap();
    /// assert_eq!((found.outcome, found.total), (Some(Outcome::N), Some(4)));
    /// assert_eq!(found.moves[0].to.to_string(), "(1,1)");
    /// assert_eq!(found.moves[0].remoteness, Some(2));
    /// assert!(found.moves[1..].iter().all(|m| m.outcome == Some(Outcome::N)));
    /// ```
    pub fn moves(
        &self,
        position: &Position,
        page: Page,
        limits: &Limits,
    ) -> Result<Moves, AskError> {
        let watch = limits.start();
        let game = self.game();
        let last = page.skip.saturating_add(page.limit);
        let options = Options::default().limits(limits.clone()).explain(Explain::Nothing);
        let wanted = WantedMoves::AllUpTo(last.max(MOST_COMPARED).saturating_add(1));
        let verdict = self.ask(position, &options.moves(wanted))?;
        let mut found = Moves {
            game: game.clone(),
            position: position.clone(),
            outcome: verdict.outcome,
            moves: Vec::new(),
            skip: page.skip,
            total: None,
            more: false,
            unknown: verdict.unknown,
        };
        // Where all winning moves are known, the others lose.
        let others = match verdict.outcome {
            Some(Outcome::P) => Some(Outcome::N),
            Some(Outcome::N) if verdict.moves_total == Some(verdict.moves.len() as u128) => {
                Some(Outcome::N)
            }
            _ => None,
        };
        let winning: Vec<Take> = verdict.moves.into_iter().map(|m| m.take).collect();
        let values = match Values::below(self, position, &watch) {
            Ok(values) => values,
            Err(stop) => {
                found.unknown.get_or_insert(Unknown { stop, positions: 0 });
                Values::default()
            }
        };
        let wins: HashSet<&Take> = winning.iter().collect();
        let told = |take: Take| {
            let outcome = if wins.contains(&take) { Some(Outcome::P) } else { others };
            let to = position.after(&take)?;
            let remoteness = values.remoteness.as_ref().and_then(|table| table.get(&to));
            Some(Move { take, to, outcome, grundy: None, remoteness })
        };
        let few: Vec<Take> = game.moves(position).take(MOST_COMPARED + 1).collect();
        if few.len() <= MOST_COMPARED {
            let mut all: Vec<Move> = few.into_iter().filter_map(told).collect();
            all.sort_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| a.to.cmp(&b.to)));
            found.total = Some(all.len());
            found.more = all.len() > last;
            found.moves = all.into_iter().skip(page.skip).take(page.limit).collect();
        } else {
            let others = game.moves(position).filter(|take| !wins.contains(take));
            let mut rest = winning.iter().cloned().chain(others);
            for passed in 0..page.skip {
                if passed % BETWEEN_CHECKS == 0
                    && let Err(stop) = watch.check(0)
                {
                    found.unknown = Some(Unknown { stop, positions: 0 });
                    return Ok(found);
                }
                rest.next();
            }
            found.moves = rest.by_ref().take(page.limit).filter_map(told).collect();
            found.more = rest.next().is_some();
        }
        for listed in &mut found.moves {
            listed.grundy = values.grundy(self, &listed.to);
        }
        Ok(found)
    }
}

/// Moves passed over between two looks at the limits.
const BETWEEN_CHECKS: usize = 1 << 12;

/// The better move has the lower rank.
fn rank(of: &Move) -> (u8, u32, Reverse<u32>) {
    match (of.outcome, of.remoteness) {
        (Some(Outcome::P), left) => (0, left.unwrap_or(u32::MAX), Reverse(0)),
        (None, _) => (1, 0, Reverse(0)),
        (Some(Outcome::N), left) => (2, 0, Reverse(left.unwrap_or(0))),
    }
}

/// The values of all positions below one, if these are few.
#[derive(Default)]
struct Values {
    grundy: Option<Table<u32>>,
    remoteness: Option<Table<u32>>,
}

impl Values {
    fn below(prepared: &Prepared, position: &Position, watch: &dyn Watch) -> Result<Self, Stop> {
        let (game, max) = (prepared.game(), &position[..]);
        let volume = max.iter().fold(1u128, |v, &h| v.saturating_mul(u128::from(h) + 1));
        if volume > MOST_TABULATED {
            return Ok(Values::default());
        }
        let kept = |table: Result<Table<u32>, TableError>| match table {
            Ok(table) => Ok(Some(table)),
            Err(TableError::Stopped(stop)) => Err(stop),
            // There are no such values under misere play.
            Err(_) => Ok(None),
        };
        let grundy = kept(grundy::table(game, max, watch))?;
        Ok(Values { grundy, remoteness: kept(remoteness::table(game, max, watch))? })
    }

    /// The Grundy value of a position below, from the table or by theorems.
    fn grundy(&self, prepared: &Prepared, at: &Position) -> Option<u64> {
        if let Some(table) = &self.grundy {
            return table.get(at).map(u64::from);
        }
        let game = prepared.game();
        if game.convention() != Play::Normal {
            return None;
        }
        game.summands().iter().try_fold(0, |value, summand| {
            let part = prepared.knowledge().grundy(summand.rule(), &at[summand.stacks()])?;
            Some(value ^ part)
        })
    }
}
