//! One protocol for all who ask: a question is a JSON object with the field `ask`, the answer is the JSON of
//! the command line with its exit status. The command line, the server and the WebAssembly module are skins
//! over [`answer`]; docs/protocol.md is the reference.
//!
//! ```
//! use nimatron_service::{Host, answer};
//! let asked = r#"{"ask":"solve","game":"CN(5,2)","position":[1,2,0,2,1],"time":"5s"}"#;
//! let told = answer(asked, &Host::default());
//! assert_eq!(told.status.code(), 0);
//! let wrong = answer(r#"{"ask":"solve","game":"CN(3,7)","position":[1]}"#, &Host::default());
//! assert_eq!(wrong.status.code(), 2);
//! assert!(wrong.body.starts_with(r#"{"error":{"kind":"set-size""#));
//! ```
//!
//! Nothing here opens a file, starts a thread or reads a clock: what is needed is lent by the [`Host`].
#![forbid(unsafe_code)]

pub mod asks;
mod failure;
mod heights;
mod host;
pub mod read;
#[cfg(test)]
mod schema;
mod status;
pub mod units;
mod word;

pub use asks::{Found, Request};
pub use failure::Failure;
pub use heights::Heights;
pub use host::{Host, Listener};
pub use nimatron::Clock;
pub use status::Status;
pub use word::Word;

use nimatron::render::json;

/// An answer as every front end hands it on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// How it ended: the exit status of the command line.
    pub status: Status,
    /// The JSON of the command line, without the line end.
    pub body: String,
}

/// Answers a question that is written as JSON.
pub fn answer(question: &str, host: &Host) -> Answer {
    match Request::read(question) {
        Ok(request) => request.answer(host),
        Err(failure) => Answer::from(&failure),
    }
}

impl Request {
    /// Reads a question.
    pub fn read(text: &str) -> Result<Self, Failure> {
        serde_json::from_str(text)
            .map_err(|error| Failure::bad("request", format!("this is no request: {error}")))
    }

    /// Answers it.
    pub fn answer(&self, host: &Host) -> Answer {
        match self.find(host) {
            Ok(found) => Answer { status: found.status(), body: found.json() },
            Err(failure) => Answer::from(&failure),
        }
    }
}

impl From<&Failure> for Answer {
    fn from(failure: &Failure) -> Self {
        let body = failure.report().map(|(kind, diagnostic)| json::error(kind, diagnostic));
        Answer { status: failure.status(), body: body.unwrap_or_default() }
    }
}
