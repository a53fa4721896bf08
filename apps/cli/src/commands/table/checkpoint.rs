//! Saving a long run, and going on from where it was.

use super::rows::Rows;
use super::{Job, advance};
use crate::failure::Failure;
use nimatron::game::Stop;
use nimatron::tables::{CheckpointError, Tabulation};
use nimatron::{Game, Height};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
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
        max: &[Height],
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
        if run.game() != game || run.max() != max || note.request != self.request {
            if self.force {
                return Ok(None);
            }
            let message = format!("{name} belongs to another table, of {}", run.game());
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
        let crew = nimatron::table::Crew::size(&job.threads) as u32;
        // Ctrl-C and the time limit wait for the end of a step, so that nothing is lost.
        let patient = nimatron::Limits { time: None, cancel: None, ..job.limits.clone() };
        let meter = crate::meter::Meter::new(&patient);
        while !run.is_finished() {
            let watch = Relay { limits: &meter, shown: &job.meter };
            if let Some(stop) = advance(run, 2 * crew, &job.threads, &watch, rows)? {
                return Ok(Some(stop));
            }
            let cancelled = job.limits.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed));
            let late = job.limits.time.is_some_and(|t| job.meter.elapsed() > t);
            let stop = match (cancelled, late) {
                (true, _) => Some(Stop::Cancelled),
                (false, true) => Some(Stop::Time),
                (false, false) => None,
            };
            if stop.is_some() || saved.elapsed() >= self.every {
                self.save(run, rows)?;
                saved = Instant::now();
            }
            if stop.is_some() && !run.is_finished() {
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
        let mut beside = self.path.as_os_str().to_os_string();
        beside.push(".new");
        let beside = PathBuf::from(beside);
        let name = self.path.display().to_string();
        let write = || -> Result<(), CheckpointError> {
            let mut to = BufWriter::new(File::create(&beside)?);
            run.save(&note, &mut to)?;
            to.flush()?;
            to.get_ref().sync_all()?;
            fs::rename(&beside, &self.path)?;
            Ok(())
        };
        write().map_err(|error| damaged(&name, error))
    }
}

fn damaged(name: &str, error: CheckpointError) -> Failure {
    match error {
        CheckpointError::Io(error) => Failure::file(name, &error),
        other => Failure::unusable(name, &other.to_string()),
    }
}

/// Asks one meter about limits, and shows progress on another.
struct Relay<'a> {
    limits: &'a crate::meter::Meter,
    shown: &'a crate::meter::Meter,
}

impl nimatron::game::Watch for Relay<'_> {
    fn check(&self, memory: u64) -> Result<(), Stop> {
        self.limits.check(memory)
    }

    fn progress(&self, done: u128, of: u128) {
        self.shown.progress(done, of);
    }
}
