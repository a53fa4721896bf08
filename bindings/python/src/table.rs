//! Whole boxes of positions, as NumPy arrays.

use crate::failure::Failure;
use crate::game::{NativeGame, threads};
use crate::work::{Bounds, Job, run};
use nimatron::crates::table::{Crew, grundy, remoteness};
use nimatron::render::Palette;
use nimatron::render::json;
use nimatron::render::table::{
    Partial, Refused, TableRefusal, TableSummary, table_refusal, table_summary,
};
use nimatron::tables::{PRow, TableEngine, Tabulation, TabulationError, Values, Wanted};
use nimatron::{Game, Height, Stop, Watch};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use std::time::Instant;

/// The heights of all rows, one row after the other, in as few bytes as they need.
enum Rows {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
    Long(Vec<u32>),
}

impl Rows {
    fn up_to(max: &[Height]) -> Self {
        match max.iter().max() {
            None | Some(0..=0xff) => Rows::Bytes(Vec::new()),
            Some(0x100..=0xffff) => Rows::Words(Vec::new()),
            Some(_) => Rows::Long(Vec::new()),
        }
    }

    fn push(&mut self, heights: &[Height]) {
        // No height is above the greatest, and those of tables have at most 32 bits.
        match self {
            Rows::Bytes(rows) => rows.extend(heights.iter().map(|&h| h as u8)),
            Rows::Words(rows) => rows.extend(heights.iter().map(|&h| h as u16)),
            Rows::Long(rows) => rows.extend(heights.iter().map(|&h| h as u32)),
        }
    }

    fn bytes(&self) -> u64 {
        (match self {
            Rows::Bytes(rows) => rows.capacity(),
            Rows::Words(rows) => 2 * rows.capacity(),
            Rows::Long(rows) => 4 * rows.capacity(),
        }) as u64
    }

    fn into_array(self, py: Python<'_>) -> Bound<'_, PyAny> {
        match self {
            Rows::Bytes(rows) => PyArray1::from_vec(py, rows).into_any(),
            Rows::Words(rows) => PyArray1::from_vec(py, rows).into_any(),
            Rows::Long(rows) => PyArray1::from_vec(py, rows).into_any(),
        }
    }
}

/// Between two looks at the limits while rows are handed out.
const ROWS_BETWEEN_CHECKS: u64 = 1 << 14;

/// The P-positions of a box.
struct Listed {
    rows: Rows,
    least: Vec<bool>,
    by_height: Vec<u64>,
    orbits_by_height: Vec<u64>,
    summary: TableSummary,
}

#[pymethods]
impl NativeGame {
    /// The rows, which of them are least in their orbits, counts by height, and the summary as JSON and text.
    #[pyo3(signature = (max, threads, engine, time, memory, progress=None))]
    #[allow(clippy::too_many_arguments, clippy::type_complexity)]
    fn table<'py>(
        &self,
        py: Python<'py>,
        max: Vec<Height>,
        threads: Option<usize>,
        engine: Option<&str>,
        time: Option<f64>,
        memory: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(
        Bound<'py, PyAny>,
        Bound<'py, PyArray1<bool>>,
        (Vec<u64>, Vec<u64>),
        (String, String),
    )> {
        let bounds = Bounds::new(time, memory, progress).map_err(|failure| failure.raise(py))?;
        let listed = run(py, &bounds, |job| {
            let engine = match engine {
                None => None,
                Some("line") => Some(TableEngine::Line),
                Some("blocks") => Some(TableEngine::Blocks),
                Some(other) => {
                    let message =
                        format!("there is no engine {other:?}: known are line and blocks");
                    return Err(Failure::input("engine", message));
                }
            };
            list(self.game(), &max, threads, engine, &bounds, job)
        })?;
        let summary = json::to_string(&listed.summary);
        let text = table_summary(&listed.summary, &Palette::PLAIN);
        let counts = (listed.by_height, listed.orbits_by_height);
        let least = PyArray1::from_vec(py, listed.least);
        Ok((listed.rows.into_array(py), least, counts, (summary, text)))
    }

    /// The Grundy values or remotenesses of a box, in the order of its positions.
    #[pyo3(signature = (max, what, time, memory, progress=None))]
    fn values<'py>(
        &self,
        py: Python<'py>,
        max: Vec<Height>,
        what: &str,
        time: Option<f64>,
        memory: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let bounds = Bounds::new(time, memory, progress).map_err(|failure| failure.raise(py))?;
        let values = if what == "grundy" { Values::Grundy } else { Values::Remoteness };
        let entries = run(py, &bounds, |job| {
            let game = self.game();
            if values == Values::Grundy && game.convention() == nimatron::Play::Misere {
                let message = "Grundy values are defined for normal play only";
                return Err(Failure::input("misere", message));
            }
            let forecast = Tabulation::forecast_values(game, &max, values);
            let forecast = forecast.map_err(Failure::tabulation)?;
            let largest = |most, time| Tabulation::largest_max_of_values(game, values, most, time);
            refuse(game, &max, &bounds, forecast, 1, largest)?;
            let table = match values {
                Values::Grundy => grundy::table(game, &max, job),
                _ => remoteness::table(game, &max, job),
            };
            Ok(table.map_err(|error| Failure::table(&error))?.into_entries())
        })?;
        Ok(PyArray1::from_vec(py, entries))
    }

    /// The sizes of the orbits of positions, which come one after the other, within a box.
    fn orbit_sizes<'py>(
        &self,
        py: Python<'py>,
        heights: PyReadonlyArray1<'py, Height>,
        max: Vec<Height>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let bounds = Bounds::new(None, None, None).map_err(|failure| failure.raise(py))?;
        let heights = heights.as_array().to_vec();
        let sizes = run(py, &bounds, |job| {
            let run = Tabulation::listing(self.game(), &max).map_err(Failure::tabulation)?;
            let sizes = run.sizes();
            let mut found = Vec::new();
            for (i, at) in heights.chunks(self.game().stacks().max(1)).enumerate() {
                if i % ROWS_BETWEEN_CHECKS as usize == 0 {
                    job.check(0).map_err(Failure::stopped)?;
                }
                found.push(u64::try_from(sizes.size(at)).unwrap_or(u64::MAX));
            }
            Ok(found)
        })?;
        Ok(PyArray1::from_vec(py, sizes))
    }
}

fn list(
    game: &Game,
    max: &[Height],
    count: Option<usize>,
    engine: Option<TableEngine>,
    bounds: &Bounds,
    job: &Job,
) -> Result<Listed, Failure> {
    let crew = threads(count);
    let workers = crew.size();
    let forecast = Tabulation::forecast_for(game, max, workers, Wanted::All, engine);
    let forecast = forecast.map_err(Failure::tabulation)?;
    let positions = forecast.positions;
    let largest = |most, time| Tabulation::largest_max(game, Wanted::All, workers, most, time);
    refuse(game, max, bounds, forecast, workers, largest)?;
    let started = Instant::now();
    let mut run = Tabulation::new(game, max, Wanted::All, engine).map_err(Failure::tabulation)?;
    let (mut rows, mut least, mut met) = (Rows::up_to(max), Vec::new(), 0u64);
    let mut keep = |row: PRow<'_>| {
        rows.push(row.heights);
        least.push(row.is_least);
        met += 1;
        match met.is_multiple_of(ROWS_BETWEEN_CHECKS) {
            true => job.check(rows.bytes() + least.capacity() as u64),
            false => Ok(()),
        }
    };
    let finished = run.finish(&crew, job, &mut keep);
    let counts = run.counts().clone();
    let mut summary = TableSummary {
        game: game.to_string(),
        max: max.to_vec(),
        positions,
        p_count: Some(counts.p_count),
        p_orbits: counts.p_orbits,
        selected: None,
        partial: None,
        seconds: started.elapsed().as_secs_f64(),
        engine: run.engine(),
        threads: run.threads(workers),
        peak_memory: None,
        grundy: None,
        remoteness: None,
        out: None,
        checkpoint: None,
        rows: None,
        resumed: false,
        limit: None,
        worked: positions,
    };
    match finished {
        Ok(()) => {}
        Err(TabulationError::Stopped(stop)) => {
            let (done, of) = run.progress();
            // Before the first is met nothing can be said: some engines tell them at the end.
            summary.partial = Some(Partial {
                positions: positions / u128::from(of.max(1)) * u128::from(done),
                p_count: summary.p_count.take().filter(|&n| n > 0),
                p_orbits: summary.p_orbits.take().filter(|&n| n > 0),
                selected: None,
            });
            summary.limit = Some(stop.into());
            let (message, found) = (stop.to_string(), Some(json::to_string(&summary)));
            return Err(Failure::Limit { stop, message, found });
        }
        Err(error) => return Err(Failure::tabulation(error)),
    }
    let (by_height, orbits_by_height) = (counts.by_height, counts.orbits_by_height);
    Ok(Listed { rows, least, by_height, orbits_by_height, summary })
}

/// Complains about a table that would not fit, before any work is done.
fn refuse(
    game: &Game,
    max: &[Height],
    bounds: &Bounds,
    forecast: nimatron::tables::Forecast,
    workers: usize,
    largest: impl Fn(u128, f64) -> Option<Height>,
) -> Result<(), Failure> {
    let allowed = bounds.time().map(|time| time.as_secs_f64());
    let most = bounds.memory().map_or(u128::MAX, Into::into);
    let (time, seconds) = (allowed.unwrap_or(f64::MAX), forecast.seconds / workers as f64);
    let stop = match (forecast.memory > most, seconds > time) {
        (true, _) => Stop::Memory,
        (false, true) => Stop::Time,
        (false, false) => return Ok(()),
    };
    let refused = Refused {
        memory: forecast.memory,
        memory_limit: bounds.memory(),
        seconds,
        time_limit: allowed,
        largest_max: largest(most, time),
    };
    let refusal = TableRefusal {
        game: game.to_string(),
        max: max.to_vec(),
        positions: forecast.positions,
        refused,
        limit: stop.into(),
    };
    let message = table_refusal(&refusal, &Palette::PLAIN).trim_end().to_string();
    Err(Failure::Limit { stop, message, found: Some(json::to_string(&refusal)) })
}
