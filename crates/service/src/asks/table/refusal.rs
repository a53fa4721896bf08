//! Tables that would not fit, told before any work is done.

use crate::failure::Failure;
use nimatron::crates::game::Stop;
use nimatron::crates::table::line::LineError;
use nimatron::render::Diagnostic;
use nimatron::render::table::{Refused, TableRefusal};
use nimatron::tables::{PartsError, TableEngine, Tabulation, TabulationError, Values, Wanted};
use nimatron::{Game, Height};
use std::time::Duration;

/// What a table is to be.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Values of all positions, instead of P-positions.
    pub values: Option<Values>,
    /// What the P-positions are for.
    pub wanted: Wanted,
    /// The engine, if it was chosen.
    pub engine: Option<TableEngine>,
    /// How many threads work on it.
    pub workers: usize,
    /// The time allowed.
    pub time: Option<Duration>,
    /// The memory allowed.
    pub memory: Option<u64>,
}

impl Plan {
    /// The numbers of a table that does not fit.
    pub fn refusal(&self, game: &Game, max: &[Height]) -> Result<Option<TableRefusal>, Failure> {
        let Plan { values, wanted, engine, workers, memory, .. } = *self;
        let allowed = self.time.map(|t| t.as_secs_f64());
        let (most, time) = (memory.map_or(u128::MAX, Into::into), allowed.unwrap_or(f64::MAX));
        let largest = || match values {
            Some(values) => Tabulation::largest_max_of_values(game, values, most, time),
            None => Tabulation::largest_max(game, wanted, workers, most, time),
        };
        let forecast = match values {
            Some(values) => Tabulation::forecast_values(game, max, values),
            None => Tabulation::forecast_for(game, max, workers, wanted, engine),
        };
        // Values are computed by one thread.
        let workers = if values.is_some() { 1 } else { workers };
        let forecast = match forecast {
            Ok(forecast) => forecast,
            Err(error @ TabulationError::TooTall { .. }) => {
                let hint = largest().map(|h| format!("--max {h}"));
                let diagnostic = Diagnostic { message: error.to_string(), place: None, hint };
                return Err(Failure::Open { kind: "too-tall", diagnostic: Box::new(diagnostic) });
            }
            Err(error) => return Err(failure(error)),
        };
        let seconds = forecast.seconds / workers as f64;
        let stop = match (forecast.memory > most, seconds > time) {
            (true, _) => Stop::Memory,
            (false, true) => Stop::Time,
            (false, false) => return Ok(None),
        };
        let refused = Refused {
            memory: forecast.memory,
            memory_limit: memory,
            seconds,
            time_limit: allowed,
            largest_max: largest(),
        };
        let (game, max, positions) = (game.to_string(), max.to_vec(), forecast.positions);
        Ok(Some(TableRefusal { game, max, positions, refused, limit: stop.into() }))
    }
}

/// Why a table was not computed.
pub fn failure(error: TabulationError) -> Failure {
    match error {
        TabulationError::Stacks { .. } => Failure::bad("wrong-count", error.to_string()),
        // The box may be fine, only not for this machine or this program.
        TabulationError::TooTall { .. } => Failure::open("too-tall", error.to_string()),
        TabulationError::Line(LineError::Memory(_)) => Failure::memory(error.to_string()),
        TabulationError::Table(error) => Failure::table(&error),
        TabulationError::Blocks => Failure::bad("engine", error.to_string()),
        TabulationError::Stopped(stop) => Failure::stopped(stop),
        _ => Failure::bad("table", error.to_string()),
    }
}

/// What is wrong with a table in parts.
pub fn parts_failure(error: PartsError) -> Failure {
    match error {
        PartsError::Io { path, error } => Failure::file(&path.display().to_string(), &error),
        // Nothing is overwritten: whoever wants to begin anew removes it.
        error @ PartsError::Damaged { .. } => Failure::damaged(error.to_string()),
        PartsError::Run(error) => failure(error),
        error @ PartsError::Unfinished { .. } => Failure::open("unfinished", error.to_string()),
        error => Failure::bad("parts", error.to_string()),
    }
}
