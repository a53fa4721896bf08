//! Many positions of one game at once, from and to NumPy arrays.

use crate::failure::limit_with;
use crate::game::NativeGame;
use crate::work::{Bounds, Job, run};
use nimatron::{Explain, Height, Options, Outcome, Position, Stop, Watch};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Positions that one thread takes at a time.
const CHUNK: usize = 1024;

/// Positions between two looks at the limits.
const BETWEEN_CHECKS: usize = 64;

/// An outcome as a character of NumPy's Unicode arrays; unknown is unknown.
fn letter(outcome: Option<Outcome>) -> u32 {
    match outcome {
        Some(Outcome::P) => 'P'.into(),
        Some(Outcome::N) => 'N'.into(),
        None => '?'.into(),
    }
}

/// The answers so far.
struct Answers {
    letters: Vec<u32>,
    /// What a winning move takes, one row after the other; empty if nobody asks for moves.
    takes: Vec<Height>,
    stop: Option<Stop>,
}

#[pymethods]
impl NativeGame {
    /// The outcomes of positions, which come one after the other, and what winning moves take.
    #[pyo3(signature = (heights, moves, threads, time, memory, progress=None))]
    #[allow(clippy::too_many_arguments, clippy::type_complexity)]
    fn many<'py>(
        &self,
        py: Python<'py>,
        heights: PyReadonlyArray1<'py, Height>,
        moves: bool,
        threads: Option<usize>,
        time: Option<f64>,
        memory: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<Height>>)> {
        let bounds = Bounds::new(time, memory, progress).map_err(|failure| failure.raise(py))?;
        // Other threads of Python may write to the array while the lock is released.
        let heights = heights.as_array().to_vec();
        let workers =
            threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let time = bounds.time();
        let answers =
            run(py, &bounds, |job| Ok(self.answers(&heights, moves, workers, time, job)))?;
        let letters = PyArray1::from_vec(py, answers.letters);
        let takes = PyArray1::from_vec(py, answers.takes);
        match answers.stop {
            None => Ok((letters, takes)),
            Some(stop) => Err(limit_with(py, stop, (letters, takes))),
        }
    }
}

impl NativeGame {
    /// Options with what is left of the time for the whole call.
    fn limited(job: &Job, time: Option<Duration>, started: Instant) -> Options {
        let left = time.map(|time| time.saturating_sub(started.elapsed()));
        Options::default().limits(job.limits.clone().time(left)).explain(Explain::Nothing)
    }

    fn answers(
        &self,
        heights: &[Height],
        moves: bool,
        workers: usize,
        time: Option<Duration>,
        job: &Job,
    ) -> Answers {
        let n = self.game().stacks();
        let count = heights.len() / n.max(1);
        let mut letters = vec![letter(None); count];
        let mut takes = vec![0; if moves { heights.len() } else { 0 }];
        let started = Instant::now();
        let done = AtomicUsize::new(0);
        let stopped: Mutex<Option<Stop>> = Mutex::new(None);
        let rows: Box<dyn Iterator<Item = &mut [Height]> + Send> = match moves {
            true => Box::new(takes.chunks_mut(CHUNK * n)),
            false => Box::new(std::iter::repeat_with(|| &mut [] as &mut [Height])),
        };
        let work = letters.chunks_mut(CHUNK).zip(heights.chunks(CHUNK * n)).zip(rows);
        let work = Mutex::new(work);
        let options = || NativeGame::limited(job, time, started);
        let stop = |stop| *stopped.lock().unwrap_or_else(PoisonError::into_inner) = Some(stop);
        let worker = || {
            loop {
                let next = work.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(((letters, heights), takes)) = next else { return };
                let mut options = options();
                for (i, (letter, at)) in letters.iter_mut().zip(heights.chunks(n)).enumerate() {
                    if i % BETWEEN_CHECKS == 0
                        && let Err(why) = job.check(0)
                    {
                        return stop(why);
                    }
                    // Heights were looked at before they came here.
                    let Ok(position) = Position::new(at.to_vec()) else { continue };
                    let Ok(verdict) = self.prepared.ask(&position, &options) else { continue };
                    *letter = self::letter(verdict.outcome);
                    if let (true, Some(winning)) = (moves, verdict.moves.first()) {
                        takes[i * n..(i + 1) * n].copy_from_slice(&winning.take);
                    }
                    if verdict.outcome.is_none() {
                        // That may have taken long.
                        if let Err(why) = job.check(0) {
                            return stop(why);
                        }
                        options = NativeGame::limited(job, time, started);
                    }
                }
                let done = done.fetch_add(letters.len(), Ordering::Relaxed) + letters.len();
                job.progress(done as u128, count as u128);
            }
        };
        match workers {
            0 | 1 => worker(),
            _ => std::thread::scope(|scope| {
                (0..workers.min(count / CHUNK + 1)).for_each(|_| {
                    scope.spawn(worker);
                });
            }),
        }
        drop(work);
        let stop = stopped.into_inner().unwrap_or_else(PoisonError::into_inner);
        Answers { letters, takes, stop }
    }
}
