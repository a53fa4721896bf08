//! A watch that keeps the limits and knows how far the work is.

use nimatron::crates::game::{Stop, Watch};
use nimatron::{Deadline, Limits};
use nimatron_service::Listener;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Limits whose clock is running, and the progress of the work.
pub(crate) struct Meter {
    deadline: Deadline,
    started: Instant,
    done: Mutex<(u128, u128)>,
}

impl Meter {
    pub(crate) fn new(limits: &Limits) -> Self {
        Meter { deadline: limits.start(), started: Instant::now(), done: Mutex::new((0, 0)) }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// How much is done, in the units of the work.
    pub(crate) fn done(&self) -> u128 {
        self.done.lock().map_or(0, |d| d.0)
    }

    /// How much is done, at which rate, and how long the rest will take: one line.
    pub(crate) fn line(&self) -> String {
        let (done, of) = self.done.lock().map_or((0, 0), |d| *d);
        let seconds = self.elapsed().as_secs_f64();
        if of == 0 || done == 0 {
            return format!("{seconds:.0} s");
        }
        let part = done as f64 / of as f64;
        let left = seconds * (1.0 - part) / part;
        let rate = done as f64 / seconds;
        let width = 24;
        let full = (part * f64::from(width)) as usize;
        let bar = "=".repeat(full) + &" ".repeat(width as usize - full.min(width as usize));
        format!("[{bar}] {:>3.0} %  {rate:.1e}/s  {left:.0} s left", part * 100.0)
    }
}

impl Listener for Meter {
    fn progress(&self, done: u128, of: u128) {
        Watch::progress(self, done, of);
    }
}

impl Watch for Meter {
    fn check(&self, memory: u64) -> Result<(), Stop> {
        self.deadline.check(memory)
    }

    fn progress(&self, done: u128, of: u128) {
        if let Ok(mut shown) = self.done.lock() {
            *shown = (done, of);
        }
    }
}
