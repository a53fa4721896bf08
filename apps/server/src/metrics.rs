//! What the server counts.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers since the start, and some of the present.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    pub(crate) requests: AtomicU64,
    pub(crate) answered: AtomicU64,
    pub(crate) bad: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) busy: AtomicU64,
    pub(crate) cancelled: AtomicU64,
    pub(crate) failed: AtomicU64,
    pub(crate) running: AtomicU64,
    pub(crate) waiting: AtomicU64,
    pub(crate) connections: AtomicU64,
}

/// One more.
pub(crate) fn more(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// One less.
pub(crate) fn less(counter: &AtomicU64) {
    counter.fetch_sub(1, Ordering::Relaxed);
}

impl Metrics {
    /// As Prometheus reads them.
    pub(crate) fn text(&self) -> String {
        let counters = [
            ("requests_total", "counter", "Requests that arrived.", &self.requests),
            ("answered_total", "counter", "Questions that were answered.", &self.answered),
            ("bad_total", "counter", "Questions that made no sense.", &self.bad),
            ("refused_total", "counter", "Requests that were refused.", &self.refused),
            ("busy_total", "counter", "Questions that found the queue full.", &self.busy),
            ("cancelled_total", "counter", "Questions whose client went away.", &self.cancelled),
            ("failed_total", "counter", "Questions that failed by a fault of ours.", &self.failed),
            ("running", "gauge", "Computations at work.", &self.running),
            ("waiting", "gauge", "Questions that wait.", &self.waiting),
            ("connections", "gauge", "Open connections.", &self.connections),
        ];
        let mut out = String::new();
        for (name, kind, about, counter) in counters {
            let value = counter.load(Ordering::Relaxed);
            // Writing into a string cannot fail.
            let _ = write!(
                out,
                "# HELP nimatron_{name} {about}\n# TYPE nimatron_{name} {kind}\nnimatron_{name} {value}\n"
            );
        }
        out
    }
}
