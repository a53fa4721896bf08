//! How long an answer may take, and how much memory.

use nimatron_game::{Stop, Watch};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Limits on one question. Without any, the work goes on until the answer is found.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes held.
    pub memory: Option<u64>,
    /// Set to `true` by somebody else to stop the work.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// The limits of `nimatron solve`: 10 seconds and 2 GB.
    pub fn for_a_question() -> Self {
        let (time, memory) = (Duration::from_secs(10), 2_000_000_000);
        Limits { time: Some(time), memory: Some(memory), cancel: None }
    }

    /// Starts the clock.
    pub fn start(&self) -> Deadline {
        Deadline { limits: self.clone(), started: Instant::now() }
    }
}

/// Limits whose clock is running.
#[derive(Clone, Debug)]
pub struct Deadline {
    limits: Limits,
    started: Instant,
}

impl Deadline {
    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
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
        if self.limits.time.is_some_and(|most| self.elapsed() > most) {
            return Err(Stop::Time);
        }
        Ok(())
    }
}
