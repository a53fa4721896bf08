//! Answers from tables of the box below a position.

use crate::tables::{TableEngine, Tabulation, TabulationError, Wanted};
use nimatron_game::{Game, Height, Outcome, Play, Position, Stop, Take, Watch};
use nimatron_reduce::{Part, State};
use nimatron_table::{Table, grundy, line, outcomes};

/// Tables that would take longer, by estimate, are left to a search.
const MOST_SECONDS: f64 = 2.0;
/// Tables that would take more bytes are left to a search.
const MOST_MEMORY: u128 = 2_000_000_000;
/// Tables of Grundy values with more positions are left to a search.
const MOST_VALUES: u128 = 10_000_000;

/// A state settled by the table of its box.
pub(crate) struct Tabulated {
    pub(crate) outcome: Outcome,
    /// All winning moves, in lexicographic order of what they reach.
    pub(crate) winning: Vec<Take>,
    /// Positions of the box.
    pub(crate) positions: u128,
}

/// The outcome and all winning moves, if the box below the state is small enough.
pub(crate) fn settle(state: &State, watch: &dyn Watch) -> Result<Option<Tabulated>, Stop> {
    let Some(game) = state.game() else { return Ok(None) };
    let Ok(position) = Position::new(state.heights()) else { return Ok(None) };
    // A position is settled line by line: its box is rarely symmetric.
    let line = Some(TableEngine::Line);
    let forecast = Tabulation::forecast_for(&game, &position, 1, Wanted::Counts, line);
    let Ok(forecast) = forecast else { return Ok(None) };
    if forecast.seconds > MOST_SECONDS || forecast.memory > MOST_MEMORY {
        return Ok(None);
    }
    let found = match crate::tables::set_nim(&game) {
        Some(sets) => {
            let heights: Vec<u32> = position.iter().map(|&h| h as u32).collect();
            let answer = line::answer(&sets, game.convention(), &heights, watch);
            answer.map_err(TabulationError::from).map(|answer| {
                let winning = answer.winning.iter().map(|to| take(&position, to)).collect();
                (answer.outcome, winning)
            })
        }
        None => {
            let table = outcomes::table(&game, &position, watch);
            table.map_err(TabulationError::from).map(|table| from_table(&game, &position, &table))
        }
    };
    match found {
        Ok((outcome, winning)) => {
            Ok(Some(Tabulated { outcome, winning, positions: forecast.positions }))
        }
        Err(TabulationError::Stopped(stop)) => Err(stop),
        // What the engine cannot do is left to a search.
        Err(_) => Ok(None),
    }
}

/// The Grundy values of the box below a part, if it is small enough.
pub(crate) fn values(part: &Part, watch: &dyn Watch) -> Result<Option<Table<u32>>, Stop> {
    let volume = part.heights.iter().fold(1u128, |v, &h| v.saturating_mul(u128::from(h) + 1));
    let game = part.game().filter(|_| volume <= MOST_VALUES);
    let Some(game) = game else { return Ok(None) };
    match grundy::table(&game, &part.heights, watch).map_err(TabulationError::from) {
        Ok(table) => Ok(Some(table)),
        Err(TabulationError::Stopped(stop)) => Err(stop),
        Err(_) => Ok(None),
    }
}

fn take(from: &Position, to: &[u32]) -> Take {
    Take::new(from.iter().zip(to).map(|(&h, &t)| h - Height::from(t)).collect())
}

fn from_table(game: &Game, at: &Position, table: &Table<Outcome>) -> (Outcome, Vec<Take>) {
    let outcome = table.get(at).unwrap_or(Play::Normal.terminal());
    let reached = |take: &Take| at.after(take).and_then(|p| table.get(&p));
    let mut winning: Vec<Take> = match outcome {
        Outcome::P => Vec::new(),
        Outcome::N => game.moves(at).filter(|t| reached(t) == Some(Outcome::P)).collect(),
    };
    winning.sort_by(|a, b| b.cmp(a));
    (outcome, winning)
}
