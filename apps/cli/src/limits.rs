//! Time, memory and Ctrl-C.

use nimatron::Limits;
use nimatron_service::units::{Size, Time, memory, time};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The limits of a question.
#[derive(Debug, clap::Args)]
pub(crate) struct LimitArgs {
    /// Stop after this time: 500ms, 30s, 5m, 1h [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
    /// Stop when this much memory is used: 500MB, 2GB, 1GiB [default: 2GB]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<u64>,
}

impl LimitArgs {
    /// As they were asked for.
    pub(crate) fn asked(&self) -> (Option<Time>, Option<Size>) {
        (self.time.map(Time), self.memory.map(Size))
    }

    /// The limits, with Ctrl-C from now on asking for a clean end. Pressed again, it ends at once.
    pub(crate) fn limits(&self) -> Limits {
        let usual = Limits::default();
        let memory = self.memory.unwrap_or(2_000_000_000);
        usual.time(self.time()).memory(memory).cancel(cancellation())
    }

    /// The time that is allowed.
    pub(crate) fn time(&self) -> Option<Duration> {
        self.time.or(nimatron::Limits::default().time)
    }
}

/// The limits of work on a whole box, which may take as long as it takes.
#[derive(Debug, clap::Args)]
pub(crate) struct PatientLimitArgs {
    /// Stop after this time: 500ms, 30s, 5m, 1h; no limit if not given
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
    /// Stop when this much memory is used: 500MB, 2GB, 1GiB
    #[arg(long, value_name = "SIZE", default_value = "2GB", value_parser = memory)]
    memory: u64,
}

impl PatientLimitArgs {
    /// As they were asked for.
    pub(crate) fn asked(&self) -> (Option<Time>, Option<Size>) {
        (self.time.map(Time), Some(Size(self.memory)))
    }
}

/// The limits of a proof.
#[derive(Debug, clap::Args)]
pub(crate) struct ProofLimitArgs {
    /// Stop after this time: 500ms, 30s, 5m, 1h
    #[arg(long, value_name = "TIME", default_value = "45s", value_parser = time)]
    time: Duration,
    /// Stop when this much memory is used: 500MB, 2GB, 1GiB
    #[arg(long, value_name = "SIZE", default_value = "4GB", value_parser = memory)]
    memory: u64,
}

impl ProofLimitArgs {
    /// As they were asked for.
    pub(crate) fn asked(&self) -> (Option<Time>, Option<Size>) {
        (Some(Time(self.time)), Some(Size(self.memory)))
    }
}

/// A flag that Ctrl-C sets. Pressed again, it ends the program at once.
pub(crate) fn cancellation() -> Option<Arc<AtomicBool>> {
    let cancel = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&cancel);
    let handled = ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    // Without a handler Ctrl-C ends the program as it always does.
    handled.is_ok().then_some(cancel)
}
