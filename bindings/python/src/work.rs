//! Work that may take long: without the interpreter's lock, within limits, interruptible, with progress.
//!
//! It is done by a thread of its own, which ends with the call, so that the calling thread can look after
//! signals and nothing is left behind when a process forks.

use crate::failure::Failure;
use nimatron::{Deadline, Limits, Stop, Watch};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Between two looks at signals; the first comes sooner.
const STEP: Duration = Duration::from_millis(100);

/// Games within games are looked at by recursion.
const STACK: usize = 64 << 20;

/// The limits of a call, as Python gives them.
#[derive(Debug)]
pub(crate) struct Bounds {
    time: Option<Duration>,
    memory: Option<u64>,
    progress: Option<Py<PyAny>>,
}

impl Bounds {
    pub(crate) fn new(
        time: Option<f64>,
        memory: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> Result<Self, Failure> {
        let seconds = |seconds: f64| {
            Duration::try_from_secs_f64(seconds).map_err(|error| Failure::input("time", error))
        };
        Ok(Bounds { time: time.map(seconds).transpose()?, memory, progress })
    }

    pub(crate) fn time(&self) -> Option<Duration> {
        self.time
    }

    pub(crate) fn memory(&self) -> Option<u64> {
        self.memory
    }
}

/// Limits whose clock is running, and how far the work is.
pub(crate) struct Job {
    /// For what takes limits instead of a watch.
    pub(crate) limits: Limits,
    deadline: Deadline,
    done: Mutex<(u128, u128)>,
}

impl Watch for Job {
    fn check(&self, memory: u64) -> Result<(), Stop> {
        self.deadline.check(memory)
    }

    fn progress(&self, done: u128, of: u128) {
        *lock(&self.done) = (done, of);
    }
}

/// The end of the work, waited for by the calling thread.
struct Finish<T> {
    result: Mutex<Option<Result<T, String>>>,
    told: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does the work. A panic becomes an exception; so do signals, which stop the work.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    bounds: &Bounds,
    work: impl FnOnce(&Job) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let cancel = Arc::new(AtomicBool::new(false));
    let limits = Limits::unlimited().time(bounds.time).memory(bounds.memory).cancel(cancel.clone());
    let job = Job { deadline: limits.start(), limits, done: Mutex::new((0, 0)) };
    let finish = Finish { result: Mutex::new(None), told: Condvar::new() };
    let mut interruption = None;
    let started = std::thread::scope(|scope| {
        let (job, finish) = (&job, &finish);
        let worker = move || {
            let result = catch_unwind(AssertUnwindSafe(|| work(job)));
            *lock(&finish.result) = Some(result.map_err(|panic| message(&*panic)));
            finish.told.notify_one();
        };
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker)?;
        let mut step = STEP / 5;
        while !py.detach(|| finish.wait(step)) {
            step = STEP;
            if interruption.is_none()
                && let Err(error) = py.check_signals().and_then(|()| job.tell(py, bounds))
            {
                cancel.store(true, Ordering::Relaxed);
                interruption = Some(error);
            }
        }
        py.detach(|| worker.join().ok());
        std::io::Result::Ok(())
    });
    if let Err(error) = started {
        let message = format!("no thread could be started: {error}");
        return Err(Failure::Limit { stop: Stop::Memory, message, found: None }.raise(py));
    }
    if let Some(error) = interruption {
        return Err(error);
    }
    let result = lock(&finish.result).take();
    let result = result.unwrap_or_else(|| Err("the work was lost".to_string()));
    match result {
        Ok(Ok(found)) => {
            job.tell(py, bounds)?;
            Ok(found)
        }
        Ok(Err(failure)) => Err(failure.raise(py)),
        Err(panic) => Err(Failure::Internal(panic).raise(py)),
    }
}

impl<T> Finish<T> {
    /// Waits for the end, for at most so long.
    fn wait(&self, step: Duration) -> bool {
        let result = lock(&self.result);
        let waited = self.told.wait_timeout_while(result, step, |result| result.is_none());
        waited.map_or(true, |(result, _)| result.is_some())
    }
}

impl Job {
    /// Tells whoever wants to know how far the work is.
    fn tell(&self, py: Python<'_>, bounds: &Bounds) -> PyResult<()> {
        let Some(progress) = &bounds.progress else { return Ok(()) };
        let (done, of) = *lock(&self.done);
        progress.call1(py, (done, of)).map(drop)
    }
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
    format!("a mistake in the program: {}", text.unwrap_or_else(|| "a panic".to_string()))
}
