//! Saving a long run, and going on from where it was.

use super::rows::Rows;
use super::{Job, advance};
use nimatron_service::Failure;
use nimatron::crates::game::{Stop, Watch};
use nimatron::files::{Readers, beside, replace};
use nimatron::tables::{CheckpointError, TableEngine, Tabulation};
use nimatron::{Game, Height};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Where and how often the state is saved.
pub(super) struct Checkpoint {
    pub(super) path: PathBuf,
    /// The options that shape the rows: a checkpoint serves only the same command.
    pub(super) request: String,
    pub(super) every: Duration,
    pub(super) force: bool,
}

/// What is remembered besides the state of the run.
#[derive(Serialize, Deserialize)]
struct Note {
    request: String,
    written: u64,
    selected: u64,
    shown: String,
}

impl Checkpoint {
    /// The saved run, if there is one, with the rows as they were then.
    pub(super) fn load(
        &self,
        game: &Game,
        wanted: &[Height],
        rows: &mut Rows,
    ) -> Result<Option<Tabulation>, Failure> {
        if !self.path.exists() {
            return Ok(None);
        }
        let name = self.path.display().to_string();
        let file = File::open(&self.path).map_err(|error| Failure::file(&name, &error))?;
        let (run, note) = match Tabulation::load(BufReader::new(file)) {
            Ok(loaded) => loaded,
            Err(_) if self.force => return Ok(None),
            Err(error) => return Err(damaged(&name, error)),
        };
        let note: Note = serde_json::from_slice(&note)
            .map_err(|_| damaged(&name, CheckpointError::Damaged))?;
        if run.game() != game || run.max() != wanted || note.request != self.request {
            if self.force {
                return Ok(None);
            }
            let message = match run.game() == game && run.max() == wanted {
                true => format!(
                    "{name} was saved by a command with other options, or by an earlier version"
                ),
                false => format!("{name} belongs to another table, of {}", run.game()),
            };
            return Err(Failure::bad("checkpoint", message));
        }
        rows.restore((note.written, note.selected, note.shown))?;
        Ok(Some(run))
    }

    /// Does what is left, saving on the way. A stop keeps the last state.
    pub(super) fn finish(
        &self,
        run: &mut Tabulation,
        job: &Job,
        rows: &mut Rows,
    ) -> Result<Option<Stop>, Failure> {
        if !run.can_be_saved() {
            let message = CheckpointError::OneStep.to_string();
            return Err(Failure::bad("checkpoint", message));
        }
        self.save(run, rows)?;
        let mut saved = Instant::now();
        let name = self.path.display();
        // Steps are short while layers are, so that a stop is soon heard; each worker has a layer.
        let crew = nimatron::crates::table::Crew::size(&job.threads) as u32;
        let mut layers = crew;
        // Ctrl-C and the time limit wait for the end of a step, so that nothing is lost.
        let patient = job.limits.clone().time(None).cancel(None);
        let meter = crate::meter::Meter::new(&patient);
        while !run.is_finished() {
            // Blocks lose nothing when they are stopped; but handing out rows cannot be saved
            // half done, so the state before is.
            let (done, of) = run.progress();
            let is_blocks = run.engine() == Some(TableEngine::Blocks);
            let at_once = run.stops_anywhere();
            if is_blocks && !at_once {
                self.save(run, rows)?;
                saved = Instant::now();
            }
            let patiently = Relay { limits: &meter, job, told: AtomicBool::new(false) };
            let watch: &dyn Watch = if is_blocks { &*job.meter } else { &patiently };
            let steps = if at_once { layers.min(of - done - 1) } else { layers };
            let begun = Instant::now();
            if let Some(stop) = advance(run, steps, &job.threads, watch, rows)? {
                if at_once {
                    self.save(run, rows)?;
                }
                return Ok(Some(stop));
            }
            layers = match begun.elapsed() < A_SHORT_STEP {
                true => layers.saturating_mul(2),
                false => (layers / 2).max(crew),
            };
            let cancelled = job.limits.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed));
            let late = job.limits.time.is_some_and(|t| job.meter.elapsed() > t);
            let stop = match (cancelled, late) {
                (true, _) => Some(Stop::Cancelled),
                (false, true) => Some(Stop::Time),
                (false, false) => None,
            };
            if run.is_finished() {
                break;
            }
            if stop.is_some() || saved.elapsed() >= self.every {
                self.save(run, rows)?;
                saved = Instant::now();
                if stop.is_none() {
                    let share = 100.0 * job.done(run) as f64 / job.positions() as f64;
                    job.output.announce(&format!("saved to {name}, {share:.1} % done"));
                }
            }
            if stop.is_some() {
                return Ok(stop);
            }
        }
        Ok(None)
    }

    /// Removes the checkpoint of a run that is complete.
    pub(super) fn remove(&self) {
        // A checkpoint that stays behind only means that the same command ends at once.
        let _ = fs::remove_file(&self.path);
    }

    /// Writes the state beside its place and moves it there, so that a kill leaves the old one.
    fn save(&self, run: &Tabulation, rows: &mut Rows) -> Result<(), Failure> {
        let (written, selected, shown) = rows.state()?;
        let note = Note { request: self.request.clone(), written, selected, shown };
        let note = serde_json::to_vec(&note).unwrap_or_default();
        // The name is always the same: what a kill leaves behind is overwritten.
        let partial = beside(&self.path, "new");
        replace(&self.path, &partial, Readers::Usual, |to| run.save(&note, to))
            .map_err(|error| damaged(&self.path.display().to_string(), error))?;
        rows.keep();
        Ok(())
    }
}

fn damaged(name: &str, error: CheckpointError) -> Failure {
    match error {
        CheckpointError::Io(error) => Failure::file(name, &error),
        other => Failure::unusable(name, &other.to_string()),
    }
}

/// Steps that take less than this may do more.
const A_SHORT_STEP: Duration = Duration::from_millis(200);

/// Asks one meter about limits, and shows progress on another. Whoever asks to stop is told that
/// this has been heard, even if the step takes its time.
struct Relay<'a> {
    limits: &'a crate::meter::Meter,
    job: &'a Job<'a>,
    told: AtomicBool,
}

impl Watch for Relay<'_> {
    fn check(&self, memory: u64) -> Result<(), Stop> {
        let asked = self.job.limits.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed));
        if asked && !self.told.swap(true, Ordering::Relaxed) {
            self.job.output.announce("stopping at the end of this step; Ctrl-C again stops at once");
        }
        self.limits.check(memory)
    }

    fn progress(&self, done: u128, of: u128) {
        self.job.meter.progress(done, of);
    }
}
