//! This program as the host of the engine.

use crate::certificate::LibraryArgs;
use crate::limits::cancellation;
use crate::output::Output;
use nimatron::Knowledge;
pub(crate) use nimatron::machine::{free_memory, peak_memory};
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
