//! How long an answer may take, and how much memory.

use nimatron_game::{Stop, Watch};
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Limits on one question. The default ends: after 10 seconds, or with 2 GB in use.
///
/// ```
/// use nimatron::Limits;
/// use std::time::Duration;
/// let limits = Limits::default().time(Duration::from_secs(60)).memory(8_000_000_000);
/// let patient = Limits::default().time(None);
/// assert_eq!((limits.time.is_some(), patient.time), (true, None));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Time on the clock.
    pub time: Option<Duration>,
    /// Bytes held.
    pub memory: Option<u64>,
    /// How often the limits may be looked at. Long work looks at them every so many steps, so that this ends
    /// it at the same step on every machine, where the time would not.
    pub looks: Option<u64>,
    /// Set to `true` by somebody else to stop the work.
    pub cancel: Option<Arc<AtomicBool>>,
    /// The clock to read; without one, that of the system.
    pub clock: Option<Arc<dyn Clock>>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits::unlimited().time(Duration::from_secs(10)).memory(2_000_000_000)
    }
}

impl Limits {
    /// No limits: the work goes on until the answer is found, however long that takes.
    pub const fn unlimited() -> Self {
        Limits { time: None, memory: None, looks: None, cancel: None, clock: None }
    }

    /// This much time, or as much as it takes with `None`.
    #[must_use]
    pub fn time(self, time: impl Into<Option<Duration>>) -> Self {
        Limits { time: time.into(), ..self }
    }

    /// So many bytes, or as many as it takes with `None`.
    #[must_use]
    pub fn memory(self, bytes: impl Into<Option<u64>>) -> Self {
        Limits { memory: bytes.into(), ..self }
    }

    /// So many looks at the limits, or as many as it takes with `None`.
    #[must_use]
    pub fn looks(self, looks: impl Into<Option<u64>>) -> Self {
        Limits { looks: looks.into(), ..self }
    }

    /// Stops when somebody sets the flag.
    #[must_use]
    pub fn cancel(self, flag: impl Into<Option<Arc<AtomicBool>>>) -> Self {
        Limits { cancel: flag.into(), ..self }
    }

    /// Reads the time from this clock, where the system has none (wasm32 in a browser) or for tests.
    #[must_use]
    pub fn clock(self, clock: Arc<dyn Clock>) -> Self {
        Limits { clock: Some(clock), ..self }
    }

    /// Starts the work. A clock is read only if the time is limited.
    pub fn start(&self) -> Deadline {
        let started = self.time.and_then(|_| self.now());
        Deadline { limits: self.clone(), started, looked: Arc::default() }
    }

    /// Starts the work, and the clock in any case: how long the work takes is part of its answer.
    pub fn stopwatch(&self) -> Stopwatch {
        Stopwatch { started: self.now(), deadline: self.start() }
    }

    fn now(&self) -> Option<Duration> {
        self.clock.as_ref().map_or_else(system_clock, |clock| Some(clock.now()))
    }
}

/// A clock that the host lends.
pub trait Clock: Debug + Send + Sync {
    /// The time since some moment in the past, always the same one. It never goes back.
    fn now(&self) -> Duration;
}

/// The time since it was first asked for.
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
fn system_clock() -> Option<Duration> {
    use std::sync::LazyLock;
    use std::time::Instant;
    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
    Some(FIRST.elapsed())
}

/// There is none here.
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
fn system_clock() -> Option<Duration> {
    None
}

/// Limits on work that is going on. Where there is no clock, the time is not limited.
#[derive(Clone, Debug)]
pub struct Deadline {
    limits: Limits,
    started: Option<Duration>,
    /// How often the limits were looked at, by all who share them.
    looked: Arc<AtomicU64>,
}

impl Watch for Deadline {
    fn check(&self, memory: u64) -> Result<(), Stop> {
        let cancelled = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        if self.limits.cancel.as_ref().is_some_and(cancelled) {
            return Err(Stop::Cancelled);
        }
        if self.limits.memory.is_some_and(|most| memory > most) {
            return Err(Stop::Memory);
        }
        let looked = || self.looked.fetch_add(1, Ordering::Relaxed);
        if self.limits.looks.is_some_and(|most| looked() >= most) {
            return Err(Stop::Work);
        }
        if self.limits.time.is_some_and(|most| since(self.started, &self.limits) > most) {
            return Err(Stop::Time);
        }
        Ok(())
    }
}

/// A [`Deadline`] that also tells the time.
#[derive(Clone, Debug)]
pub struct Stopwatch {
    deadline: Deadline,
    started: Option<Duration>,
}

impl Stopwatch {
    /// The time since the start; zero where there is no clock.
    pub fn elapsed(&self) -> Duration {
        since(self.started, &self.deadline.limits)
    }
}

impl Watch for Stopwatch {
    fn check(&self, memory: u64) -> Result<(), Stop> {
        self.deadline.check(memory)
    }
}

/// The time since a reading of the clock; zero if there was none.
fn since(started: Option<Duration>, limits: &Limits) -> Duration {
    let since = |started: Duration| limits.now().map(|now| now.saturating_sub(started));
    started.and_then(since).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goes on by a second whenever it is read.
    #[derive(Debug, Default)]
    struct Ticking(AtomicU64);

    impl Clock for Ticking {
        fn now(&self) -> Duration {
            Duration::from_secs(self.0.fetch_add(1, Ordering::Relaxed))
        }
    }

    #[test]
    fn the_default_ends() {
        let limits = Limits::default();
        assert_eq!(
            (limits.time, limits.memory),
            (Some(Duration::from_secs(10)), Some(2_000_000_000))
        );
        assert_eq!(limits.start().check(2_000_000_001), Err(Stop::Memory));
        assert_eq!(Limits::unlimited().start().check(u64::MAX), Ok(()));
    }

    #[test]
    fn looks_are_counted() {
        let deadline = Limits::unlimited().looks(2).start();
        let checks: Vec<_> = (0..3).map(|_| deadline.clone().check(0)).collect();
        assert_eq!(checks, [Ok(()), Ok(()), Err(Stop::Work)]);
    }

    #[test]
    fn a_clock_of_the_host_is_read_and_only_when_needed() {
        let clock = Arc::new(Ticking::default());
        let read = || clock.0.load(Ordering::Relaxed);
        let unlimited = Limits::unlimited().clock(clock.clone());
        unlimited.start().check(0).unwrap();
        assert_eq!(read(), 0);
        let deadline = unlimited.clone().time(Duration::from_secs(3)).start();
        let checks: Vec<_> = (0..4).map(|_| deadline.check(0)).collect();
        assert_eq!(checks, [Ok(()), Ok(()), Ok(()), Err(Stop::Time)]);
        assert_eq!(read(), 5);
        assert_eq!(unlimited.stopwatch().elapsed(), Duration::from_secs(1));
    }
}
