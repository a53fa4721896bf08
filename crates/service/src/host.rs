//! What the host of the engine lends: limits, a clock, threads, what is known, and an ear.

use crate::units::{Size, Time};
use nimatron::crates::game::{Stop, Watch};
use nimatron::crates::table::{Alone, Crew};
use nimatron::tables::Threads;
use nimatron::{Clock, Knowledge, Limits, Stopwatch};
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Who hears what goes on while an answer is looked for.
pub trait Listener: Sync {
    /// How much of the work is done, in units of the work.
    fn progress(&self, _done: u128, _of: u128) {}
    /// What is being done now, in words.
    fn note(&self, _text: &str) {}
    /// Something that should be known beside the answer.
    fn warning(&self, _text: &str) {}
}

/// Where questions are answered. The default has the system's clock, one thread, no limits of its own, and
/// knows the theorem library and the atlas.
///
/// ```
/// use nimatron_service::{Host, answer};
/// use std::time::Duration;
/// let host = Host::default().most_time(Duration::from_secs(5));
/// let answer = answer(r#"{"ask":"solve","game":"Nim(3)","position":[1,2,3]}"#, &host);
/// assert_eq!(answer.status.code(), 0);
/// assert!(answer.body.starts_with(r#"{"game":"Nim(3)","position":[1,2,3],"outcome":"P""#));
/// ```
#[derive(Default)]
pub struct Host<'a> {
    time: Option<Duration>,
    memory: Option<u64>,
    cancel: Option<Arc<AtomicBool>>,
    clock: Option<Arc<dyn Clock>>,
    threads: usize,
    listener: Option<&'a dyn Listener>,
    knowledge: Option<&'a (dyn Fn() -> Knowledge + Sync)>,
    free_memory: Option<fn() -> Option<u64>>,
    peak_memory: Option<fn() -> Option<u64>>,
}

impl fmt::Debug for Host<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Host");
        out.field("time", &self.time).field("memory", &self.memory).finish_non_exhaustive()
    }
}

impl<'a> Host<'a> {
    /// No question takes longer, whatever it asks for.
    #[must_use]
    pub fn most_time(self, time: impl Into<Option<Duration>>) -> Self {
        Host { time: time.into(), ..self }
    }

    /// No question uses more bytes, whatever it asks for.
    #[must_use]
    pub fn most_memory(self, bytes: impl Into<Option<u64>>) -> Self {
        Host { memory: bytes.into(), ..self }
    }

    /// Work stops soon after somebody sets the flag.
    #[must_use]
    pub fn cancel(self, flag: impl Into<Option<Arc<AtomicBool>>>) -> Self {
        Host { cancel: flag.into(), ..self }
    }

    /// The clock to read, where the system has none.
    #[must_use]
    pub fn clock(self, clock: Arc<dyn Clock>) -> Self {
        Host { clock: Some(clock), ..self }
    }

    /// So many threads work on a table; none are started for one.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Host { threads, ..self }
    }

    /// Who hears of progress.
    #[must_use]
    pub fn listener(self, listener: &'a dyn Listener) -> Self {
        Host { listener: Some(listener), ..self }
    }

    /// Where knowledge comes from: called for each question.
    #[must_use]
    pub fn knowing(self, knowledge: &'a (dyn Fn() -> Knowledge + Sync)) -> Self {
        Host { knowledge: Some(knowledge), ..self }
    }

    /// How the memory is measured: bytes that are free, and the most that were ever used.
    #[must_use]
    pub fn measuring(self, free: fn() -> Option<u64>, peak: fn() -> Option<u64>) -> Self {
        Host { free_memory: Some(free), peak_memory: Some(peak), ..self }
    }

    /// The limits of a question: as asked, or else by default, but never beyond those of the host.
    pub fn limits(
        &self,
        (time, memory): (Option<Time>, Option<Size>),
        default: (Option<Duration>, Option<u64>),
    ) -> Limits {
        let time = least(time.map(|t| t.0).or(default.0), self.time);
        let memory = least(memory.map(|m| m.0).or(default.1), self.memory);
        let limits = Limits::unlimited().time(time).memory(memory).cancel(self.cancel.clone());
        match &self.clock {
            Some(clock) => limits.clock(Arc::clone(clock)),
            None => limits,
        }
    }

    /// The limits of a question about a position: 10 seconds and 2 GB.
    pub(crate) fn usual(&self, time: Option<Time>, memory: Option<Size>) -> Limits {
        let default = Limits::default();
        self.limits((time, memory), (default.time, default.memory))
    }

    /// The limits of work on a whole box, which takes as long as it takes: 2 GB.
    pub(crate) fn patient(&self, time: Option<Time>, memory: Option<Size>) -> Limits {
        self.limits((time, memory), (None, Limits::default().memory))
    }

    /// The limits of looking for a proof: 45 seconds and 4 GB.
    pub(crate) fn proving(&self, time: Option<Time>, memory: Option<Size>) -> Limits {
        self.limits((time, memory), (Some(Duration::from_secs(45)), Some(4_000_000_000)))
    }

    /// Whether the host allows no more than so much.
    pub(crate) fn is_limited(&self) -> bool {
        self.time.is_some()
    }

    /// What is known.
    pub(crate) fn knowledge(&self) -> Knowledge {
        self.knowledge.map_or_else(Knowledge::default, |make| make())
    }

    /// The threads of a table.
    pub(crate) fn crew(&self) -> Box<dyn Crew> {
        match self.threads {
            0 | 1 => Box::new(Alone),
            more => Box::new(Threads::new(more)),
        }
    }

    /// How many threads may work.
    pub(crate) fn hands(&self) -> usize {
        self.threads.max(1)
    }

    /// Starts work whose progress is heard.
    pub(crate) fn metered(&self, limits: &Limits) -> Metered<'a> {
        Metered { stopwatch: limits.stopwatch(), listener: self.listener, done: Mutex::new(0) }
    }

    /// Nine tenths of the memory that is free, where that is known.
    pub(crate) fn free_memory(&self) -> Option<u64> {
        least(self.free_memory.and_then(|free| free()), self.memory)
    }

    /// The most memory that was ever used, where that is known.
    pub(crate) fn peak_memory(&self) -> Option<u64> {
        self.peak_memory.and_then(|peak| peak())
    }

    /// Says what is being done.
    pub(crate) fn note(&self, text: &str) {
        if let Some(listener) = self.listener {
            listener.note(text);
        }
    }

    /// Warns of stored proofs that could not be used.
    pub(crate) fn problems(&self, knowledge: &Knowledge) {
        let Some(listener) = self.listener else { return };
        for problem in knowledge.problems() {
            listener.warning(&format!("a stored proof is not used: {problem}"));
        }
    }
}

/// The smaller of two limits, where there are any.
fn least<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Limits whose clock is running, with an ear for progress.
pub(crate) struct Metered<'a> {
    stopwatch: Stopwatch,
    listener: Option<&'a dyn Listener>,
    done: Mutex<u128>,
}

impl Metered<'_> {
    pub(crate) fn elapsed(&self) -> Duration {
        self.stopwatch.elapsed()
    }

    /// How much is done, in the units of the work.
    pub(crate) fn done(&self) -> u128 {
        *self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for Metered<'_> {
    fn check(&self, memory: u64) -> Result<(), Stop> {
        self.stopwatch.check(memory)
    }

    fn progress(&self, done: u128, of: u128) {
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) = done;
        if let Some(listener) = self.listener {
            listener.progress(done, of);
        }
    }
}
