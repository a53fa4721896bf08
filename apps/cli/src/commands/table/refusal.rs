//! Tables that would not fit, told before any work is done.

use super::{Args, failure};
use crate::failure::Failure;
use nimatron::crates::game::Stop;
use nimatron::render::Diagnostic;
use nimatron::render::table::{Refused, TableRefusal};
use nimatron::tables::{Tabulation, TabulationError, Threads, Values};
use nimatron::{Game, Height};

impl Args {
    /// The numbers of a table that does not fit.
    pub(super) fn refusal(
        &self,
        game: &Game,
        max: &[Height],
        threads: Threads,
        memory: Option<u64>,
    ) -> Result<Option<TableRefusal>, Failure> {
        let workers = nimatron::crates::table::Crew::size(&threads);
        let allowed = self.time.map(|t| t.as_secs_f64());
        let (most, time) = (memory.map_or(u128::MAX, Into::into), allowed.unwrap_or(f64::MAX));
        let values = self.values();
        let largest = || match values {
            Some(values) => Tabulation::largest_max_of_values(game, values, most, time),
            None => Tabulation::largest_max(game, self.wanted(), workers, most, time),
        };
        let engine = self.engine.map(Into::into);
        let forecast = match values {
            Some(values) => Tabulation::forecast_values(game, max, values),
            None => Tabulation::forecast_for(game, max, workers, self.wanted(), engine),
        };
        // Values are computed by one thread.
        let workers = if values.is_some() { 1 } else { workers };
        let forecast = match forecast {
            Ok(forecast) => forecast,
            Err(error @ TabulationError::TooTall { .. }) => {
                let hint = largest().map(|h| format!("--max {h}"));
                let diagnostic = Diagnostic { message: error.to_string(), place: None, hint };
                return Err(Failure::Open {
                    kind: "too-tall",
                    diagnostic: Box::new(diagnostic),
                });
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

    /// The values asked for, if any.
    fn values(&self) -> Option<Values> {
        match (self.grundy, self.remoteness) {
            (true, _) => Some(Values::Grundy),
            (_, true) => Some(Values::Remoteness),
            _ => None,
        }
    }
}

/// Nine tenths of the memory that is free, where the system tells.
pub(super) fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    Some(kilobytes(&text, "MemAvailable:")? / 10 * 9)
}

/// The most memory this process ever had, where the system tells.
pub(super) fn peak_memory() -> Option<u64> {
    kilobytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

fn kilobytes(text: &str, label: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(label))?;
    let number = line.trim().strip_suffix("kB")?.trim();
    Some(number.parse::<u64>().ok()? * 1024)
}
