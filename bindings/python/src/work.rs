//! Work that may take long: without the interpreter's lock, within limits, interruptible, with progress.
//!
//! It is done by a thread of its own, so that the calling thread can look after signals. The thread ends with
//! the call, and nothing is left behind when a process forks. Only work that does not hear soon enough that
//! it is to stop is left to itself: whoever presses Ctrl-C does not wait for it.

use crate::failure::Failure;
use nimatron::{Deadline, Limits, Stop, Watch};
use nimatron_service::{Host, Listener};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Between two looks at signals; the first comes sooner.
const STEP: Duration = Duration::from_millis(100);

/// How long work that was told to stop is waited for.
const PATIENCE: Duration = Duration::from_millis(600);

/// Games within games are looked at by recursion.
pub(crate) const STACK: usize = 64 << 20;

/// The limits of a call, as Python gives them: `(time, memory, progress)`.
#[derive(Debug, Default)]
pub(crate) struct Bounds {
    time: Option<Duration>,
    memory: Option<u64>,
    progress: Option<Py<PyAny>>,
}

impl<'py> FromPyObject<'_, 'py> for Bounds {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        type Given = (Option<f64>, Option<u64>, Option<Py<PyAny>>);
        let (time, memory, progress) = object.extract::<Given>()?;
        let time = time.map(Duration::try_from_secs_f64).transpose();
        let time = time.map_err(|error| Failure::input("time", error).raise(object.py()))?;
        Ok(Bounds { time, memory, progress })
    }
}

impl Bounds {
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
    warnings: Mutex<Vec<String>>,
}

impl Job {
    /// Where questions of the protocol are answered, by as many threads as are asked for.
    pub(crate) fn host(&self, threads: Option<usize>) -> Host<'_> {
        let cancel = self.limits.cancel.clone();
        Host::default().cancel(cancel).threads(self::threads(threads)).listener(self)
    }

    /// Tells whoever wants to know how far the work is.
    fn tell(&self, py: Python<'_>, bounds: &Bounds) -> PyResult<()> {
        let Some(progress) = &bounds.progress else { return Ok(()) };
        let (done, of) = *lock(&self.done);
        progress.call1(py, (done, of)).map(drop)
    }

    /// Passes on what should be known beside the answer.
    fn warn(&self, py: Python<'_>) -> PyResult<()> {
        let class = py.get_type::<PyUserWarning>();
        for text in std::mem::take(&mut *lock(&self.warnings)) {
            PyErr::warn(py, &class, &CString::new(text)?, 2)?;
        }
        Ok(())
    }
}

impl Listener for Job {
    fn progress(&self, done: u128, of: u128) {
        *lock(&self.done) = (done, of);
    }

    fn warning(&self, text: &str) {
        lock(&self.warnings).push(text.to_string());
    }
}

impl Watch for Job {
    fn check(&self, memory: u64) -> Result<(), Stop> {
        self.deadline.check(memory)
    }

    fn progress(&self, done: u128, of: u128) {
        *lock(&self.done) = (done, of);
    }
}

/// So many threads, or all that the machine has.
pub(crate) fn threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// The end of the work, waited for by the calling thread.
struct Finish<T> {
    result: Mutex<Option<Result<T, String>>>,
    told: Condvar,
}

impl<T> Finish<T> {
    /// Waits for the end, for at most so long.
    fn wait(&self, step: Duration) -> bool {
        let result = lock(&self.result);
        let waited = self.told.wait_timeout_while(result, step, |result| result.is_none());
        waited.map_or(true, |(result, _)| result.is_some())
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does the work. A panic becomes an exception; so do signals, which stop the work.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    bounds: &Bounds,
    work: impl FnOnce(&Job) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let cancel = Arc::new(AtomicBool::new(false));
    let limits = Limits::unlimited().time(bounds.time).memory(bounds.memory).cancel(cancel.clone());
    let (deadline, done, warnings) = (limits.start(), Mutex::default(), Mutex::default());
    let job = Arc::new(Job { limits, deadline, done, warnings });
    let finish = Arc::new(Finish { result: Mutex::new(None), told: Condvar::new() });
    let worker = {
        let (job, finish) = (job.clone(), finish.clone());
        move || {
            let result = catch_unwind(AssertUnwindSafe(|| work(&job)));
            *lock(&finish.result) = Some(result.map_err(|panic| message(&*panic)));
            finish.told.notify_one();
        }
    };
    let worker = match std::thread::Builder::new().stack_size(STACK).spawn(worker) {
        Ok(worker) => worker,
        Err(error) => {
            let message = format!("no thread could be started: {error}");
            return Err(Failure::limit(Stop::Memory, message).raise(py));
        }
    };
    let mut step = STEP / 5;
    let mut interruption: Option<(PyErr, Instant)> = None;
    while !py.detach(|| finish.wait(step)) {
        step = STEP;
        match &interruption {
            None => {
                if let Err(error) = py.check_signals().and_then(|()| job.tell(py, bounds)) {
                    cancel.store(true, Ordering::Relaxed);
                    interruption = Some((error, Instant::now()));
                }
            }
            Some((_, since)) if since.elapsed() >= PATIENCE => break,
            Some(_) => {}
        }
    }
    if let Some((error, _)) = interruption {
        return Err(error);
    }
    // Its last words have been heard: it is gone in a moment.
    py.detach(|| worker.join().ok());
    let result = lock(&finish.result).take();
    match result.unwrap_or_else(|| Err("the work was lost".to_string())) {
        Ok(Ok(found)) => {
            job.tell(py, bounds)?;
            job.warn(py)?;
            Ok(found)
        }
        Ok(Err(failure)) => Err(failure.raise(py)),
        Err(panic) => Err(Failure::Internal(panic).raise(py)),
    }
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
    format!("a mistake in the program: {}", text.unwrap_or_else(|| "a panic".to_string()))
}
