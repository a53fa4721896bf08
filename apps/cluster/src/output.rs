//! What rank 0 says.

use crate::post::Trouble;
use nimatron::render::{Diagnostic, Palette, json};
use nimatron_service::{Failure, Status};
use std::io::{self, Write};

/// An answer to standard output.
pub(crate) fn answer(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| Failure::output(&error))
}

/// What is going on, to standard error. If nobody reads it, the answer is still right.
pub(crate) fn announce(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// What a failure says: where nothing is pointed at, in one line, for it is found in logs.
pub(crate) fn told(failure: &Failure) -> String {
    match failure.report() {
        None => String::new(),
        Some((_, Diagnostic { message, place: None, hint: None })) => format!("error: {message}\n"),
        Some((_, diagnostic)) => diagnostic.render(&Palette::PLAIN),
    }
}

/// A failure: to standard error, and with `--json` the object to standard output.
pub(crate) fn failure(failure: &Failure, json: bool) {
    if let Some((kind, diagnostic)) = failure.report() {
        let _ = io::stderr().lock().write_all(told(failure).as_bytes());
        if json {
            let _ = answer(&(json::error(kind, diagnostic) + "\n"));
        }
    }
}

/// What is wrong on some rank.
pub(crate) fn trouble(trouble: &Trouble, json: bool) -> Status {
    // Nobody listens: nothing to report.
    if trouble.text.is_empty() {
        return trouble.status;
    }
    let text = trouble.text.strip_prefix("error: ").unwrap_or(&trouble.text);
    let message = format!("rank {}: {}", trouble.rank, text.trim_end());
    announce(&format!("error: {message}"));
    if json {
        let diagnostic = Diagnostic { message, place: None, hint: None };
        let _ = answer(&(json::error("rank", &diagnostic) + "\n"));
    }
    trouble.status
}
