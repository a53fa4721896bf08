//! Whole boxes of positions, as NumPy arrays.

use crate::failure::{Failure, limit_with};
use crate::game::NativeGame;
use crate::work::{Bounds, Job, run, threads};
use nimatron::crates::table::{grundy, remoteness};
use nimatron::render::Palette;
use nimatron::render::json;
use nimatron::render::table::{Partial, TableSummary, table_refusal, table_summary};
use nimatron::tables::{PRow, TableEngine, Tabulation, TabulationError, Threads, Values, Wanted};
use nimatron::{Game, Height, Play, Stop, Watch};
use nimatron_service::asks::table::{Plan, failure};
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

/// The P-positions of a box, or those that were met before a limit was reached.
struct Listed {
    rows: Rows,
    least: Vec<bool>,
    by_height: Vec<u64>,
    orbits_by_height: Vec<u64>,
    summary: TableSummary,
    stop: Option<Stop>,
}

#[pymethods]
impl NativeGame {
    /// The rows, which of them are least in their orbits, counts by height, and the summary as JSON and text.
    #[allow(clippy::type_complexity, reason = "a tuple for Python")]
    fn table<'py>(
        &self,
        py: Python<'py>,
        max: Vec<Height>,
        threads: Option<usize>,
        engine: Option<String>,
        bounds: Bounds,
    ) -> PyResult<(
        Bound<'py, PyAny>,
        Bound<'py, PyArray1<bool>>,
        (Vec<u64>, Vec<u64>),
        (String, String),
    )> {
        let known = self.0.clone();
        let mut plan = plan(None, &bounds);
        plan.workers = self::threads(threads);
        let listed = run(py, &bounds, move |job| {
            plan.engine = match engine.as_deref() {
                None => None,
                Some("line") => Some(TableEngine::Line),
                Some("blocks") => Some(TableEngine::Blocks),
                Some(other) => {
                    let message =
                        format!("there is no engine {other:?}: known are line and blocks");
                    return Err(Failure::input("engine", message));
                }
            };
            list(&known.game, &max, &plan, job)
        })?;
        let summary = json::to_string(&listed.summary);
        let rows = listed.rows.into_array(py);
        if let Some(stop) = listed.stop {
            return Err(limit_with(py, stop, (summary, rows)));
        }
        let text = table_summary(&listed.summary, &Palette::PLAIN);
        let counts = (listed.by_height, listed.orbits_by_height);
        let least = PyArray1::from_vec(py, listed.least);
        Ok((rows, least, counts, (summary, text)))
    }

    /// The Grundy values or remotenesses of a box, in the order of its positions.
    fn values<'py>(
        &self,
        py: Python<'py>,
        max: Vec<Height>,
        what: &str,
        bounds: Bounds,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let values = if what == "grundy" { Values::Grundy } else { Values::Remoteness };
        let known = self.0.clone();
        let plan = plan(Some(values), &bounds);
        let entries = run(py, &bounds, move |job| {
            let game = &known.game;
            if values == Values::Grundy && game.convention() == Play::Misere {
                let message = "Grundy values are defined for normal play only";
                return Err(Failure::input("misere", message));
            }
            refuse(game, &max, &plan)?;
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
        let heights = heights.as_array().to_vec();
        let known = self.0.clone();
        let sizes = run(py, &Bounds::default(), move |job| {
            let run = Tabulation::listing(&known.game, &max).map_err(failure)?;
            let sizes = run.sizes();
            let mut found = Vec::new();
            for (i, at) in heights.chunks(known.game.stacks().max(1)).enumerate() {
                if i % ROWS_BETWEEN_CHECKS as usize == 0 {
                    job.check(0).map_err(|stop| Failure::limit(stop, stop.to_string()))?;
                }
                found.push(u64::try_from(sizes.size(at)).unwrap_or(u64::MAX));
            }
            Ok(found)
        })?;
        Ok(PyArray1::from_vec(py, sizes))
    }
}

/// What a table is to be, computed by one thread.
fn plan(values: Option<Values>, bounds: &Bounds) -> Plan {
    let (time, memory) = (bounds.time(), bounds.memory());
    Plan { values, wanted: Wanted::All, engine: None, workers: 1, time, memory }
}

/// Complains about a table that would not fit, before any work is done.
fn refuse(game: &Game, max: &[Height], plan: &Plan) -> Result<(), Failure> {
    let Some(refusal) = plan.refusal(game, max)? else { return Ok(()) };
    let stop = match refusal.limit.kind {
        "memory" => Stop::Memory,
        _ => Stop::Time,
    };
    let message = table_refusal(&refusal, &Palette::PLAIN).trim_end().to_string();
    Err(Failure::Limit { stop, message, found: Some(json::to_string(&refusal)) })
}

fn list(game: &Game, max: &[Height], plan: &Plan, job: &Job) -> Result<Listed, Failure> {
    refuse(game, max, plan)?;
    let started = Instant::now();
    let mut run = Tabulation::new(game, max, plan.wanted, plan.engine).map_err(failure)?;
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
    let stop = match run.finish(&Threads::new(plan.workers), job, &mut keep) {
        Ok(()) => None,
        Err(TabulationError::Stopped(stop)) => Some(stop),
        Err(error) => return Err(failure(error).into()),
    };
    let positions = max.iter().fold(1u128, |all, &h| all.saturating_mul(u128::from(h) + 1));
    let counts = run.counts().clone();
    let (done, of) = run.progress();
    // Before the first is met nothing can be said: some engines tell them at the end.
    let partial = stop.map(|_| Partial {
        positions: positions / u128::from(of.max(1)) * u128::from(done),
        p_count: Some(counts.p_count).filter(|&n| n > 0),
        p_orbits: counts.p_orbits.filter(|&n| n > 0),
        selected: None,
    });
    let summary = TableSummary {
        game: game.to_string(),
        max: max.to_vec(),
        positions,
        p_count: stop.is_none().then_some(counts.p_count),
        p_orbits: counts.p_orbits.filter(|_| stop.is_none()),
        selected: None,
        partial,
        seconds: started.elapsed().as_secs_f64(),
        engine: run.engine(),
        threads: run.threads(plan.workers),
        peak_memory: None,
        grundy: None,
        remoteness: None,
        out: None,
        checkpoint: None,
        rows: None,
        resumed: false,
        limit: stop.map(Into::into),
        worked: positions,
    };
    let (by_height, orbits_by_height) = (counts.by_height, counts.orbits_by_height);
    Ok(Listed { rows, least, by_height, orbits_by_height, summary, stop })
}
