//! A line on the terminal while something takes long.

use crate::meter::Meter;
use crate::output::Output;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Shows the time that has passed, once a second, until it is dropped. Quick answers show
/// nothing, and so does everything when standard error is not a terminal.
pub(crate) struct Progress {
    at_work: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts showing.
    pub(crate) fn start(what: &'static str, limit: Option<Duration>, output: &Output) -> Self {
        let started = Instant::now();
        let of = limit.map_or(String::new(), |l| format!(" of {}", seconds(l)));
        let line = move || format!("{what}: {}{of}, Ctrl-C stops", seconds(started.elapsed()));
        Progress::show(line, output)
    }

    /// Shows how far the work is.
    pub(crate) fn metered(meter: Arc<Meter>, output: &Output) -> Self {
        Progress::show(move || meter.line(), output)
    }

    /// Does the work while this shows.
    pub(crate) fn during<T>(self, work: impl FnOnce() -> T) -> T {
        let done = work();
        drop(self);
        done
    }

    /// Shows a line, made anew each time.
    fn show(line: impl Fn() -> String + Send + 'static, output: &Output) -> Self {
        if !output.shows_progress() {
            return Progress { at_work: None };
        }
        let (stop, stopped) = channel::<()>();
        let width = output.error_width();
        let show = move || {
            let mut shown = false;
            while stopped.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                shown = true;
                let line: String = line().chars().take(width.saturating_sub(1)).collect();
                write(&format!("\r{line}\x1b[K"));
            }
            if shown {
                write("\r\x1b[K");
            }
        };
        let thread = thread::Builder::new().spawn(show);
        Progress { at_work: thread.ok().map(|thread| (stop, thread)) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.at_work.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}

fn seconds(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{} ms", time.as_millis()),
        s @ 1..600 => format!("{s} s"),
        s => format!("{} min", s / 60),
    }
}

/// Progress that cannot be shown is not missed.
fn write(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}
