//! This program as the host of the engine.

use crate::certificate::LibraryArgs;
use crate::limits::cancellation;
use crate::output::Output;
use nimatron::Knowledge;
use nimatron_service::{Host, Listener};

/// Remarks go to standard error.
impl Listener for Output {
    fn note(&self, text: &str) {
        Output::note(self, text);
    }

    fn warning(&self, text: &str) {
        Output::warning(self, text);
    }
}

/// A host that nobody interrupts.
pub(crate) fn quick(output: &Output) -> Host<'_> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    Host::default().threads(threads).listener(output).measuring(free_memory, peak_memory)
}

/// A host whose work Ctrl-C ends.
pub(crate) fn interruptible(output: &Output) -> Host<'_> {
    quick(output).cancel(cancellation())
}

/// Where knowledge comes from.
pub(crate) fn knowing(library: &LibraryArgs) -> impl Fn() -> Knowledge + Sync {
    move || library.knowledge()
}

/// Nine tenths of the memory that is free, where the system tells.
pub(crate) fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    Some(kilobytes(&text, "MemAvailable:")? / 10 * 9)
}

/// The most memory this process ever had, where the system tells.
pub(crate) fn peak_memory() -> Option<u64> {
    kilobytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

fn kilobytes(text: &str, label: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(label))?;
    let number = line.trim().strip_suffix("kB")?.trim();
    Some(number.parse::<u64>().ok()? * 1024)
}
