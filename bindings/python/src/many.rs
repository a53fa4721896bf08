//! Many positions of one game at once, from and to NumPy arrays.

use crate::failure::limit_with;
use crate::game::{Known, NativeGame};
use crate::work::{Bounds, Job, STACK, lock, run, threads};
use nimatron::{Explain, Height, Options, Outcome, Position, Prepared, Stop, Watch};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
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
    #[allow(clippy::type_complexity, reason = "a tuple for Python")]
    fn many<'py>(
        &self,
        py: Python<'py>,
        heights: PyReadonlyArray1<'py, Height>,
        moves: bool,
        workers: Option<usize>,
        bounds: Bounds,
    ) -> PyResult<(Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<Height>>)> {
        // Other threads of Python may write to the array while the lock is released.
        let heights = heights.as_array().to_vec();
        let (known, time) = (self.0.clone(), bounds.time());
        let answers = run(py, &bounds, move |job| {
            Ok(answers(&known, &heights, moves, threads(workers), time, job))
        })?;
        let letters = PyArray1::from_vec(py, answers.letters);
        let takes = PyArray1::from_vec(py, answers.takes);
        match answers.stop {
            None => Ok((letters, takes)),
            Some(stop) => Err(limit_with(py, stop, (letters, takes))),
        }
    }
}

/// Options with what is left of the time for the whole call.
fn limited(job: &Job, time: Option<Duration>, started: Instant) -> Options {
    let left = time.map(|time| time.saturating_sub(started.elapsed()));
    Options::default().limits(job.limits.clone().time(left)).explain(Explain::Nothing)
}

fn answers(
    known: &Known,
    heights: &[Height],
    moves: bool,
    workers: usize,
    time: Option<Duration>,
    job: &Job,
) -> Answers {
    let n = known.game.stacks().max(1);
    let count = heights.len() / n;
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
    let chunk =
        |prepared: &Prepared, letters: &mut [u32], heights: &[Height], takes: &mut [Height]| {
            let mut options = limited(job, time, started);
            for (i, (letter, at)) in letters.iter_mut().zip(heights.chunks(n)).enumerate() {
                if i % BETWEEN_CHECKS == 0 {
                    job.check(0)?;
                }
                // Heights were looked at before they came here.
                let Ok(position) = Position::new(at.to_vec()) else { continue };
                let Ok(verdict) = prepared.ask(&position, &options) else { continue };
                *letter = self::letter(verdict.outcome);
                if let (true, Some(winning)) = (moves, verdict.moves.first()) {
                    takes[i * n..(i + 1) * n].copy_from_slice(&winning.take);
                }
                if verdict.outcome.is_none() {
                    // That may have taken long.
                    job.check(0)?;
                    options = limited(job, time, started);
                }
            }
            let done = done.fetch_add(letters.len(), Ordering::Relaxed) + letters.len();
            Watch::progress(job, done as u128, count as u128);
            Ok(())
        };
    let all = |prepared: &Prepared| {
        loop {
            let next = lock(&work).next();
            let Some(((letters, heights), takes)) = next else { return };
            if let Err(stop) = chunk(prepared, letters, heights, takes) {
                *lock(&stopped) = Some(stop);
                return;
            }
        }
    };
    let worker = || known.prepared(all);
    match workers.min(count.div_ceil(CHUNK)) {
        0 | 1 => worker(),
        several => std::thread::scope(|scope| {
            for _ in 1..several {
                // Where no more threads can be had, fewer do the work.
                let builder = std::thread::Builder::new().stack_size(STACK);
                let _ = builder.spawn_scoped(scope, worker);
            }
            worker();
        }),
    }
    drop(work);
    let stop = *lock(&stopped);
    Answers { letters, takes, stop }
}
