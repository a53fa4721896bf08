//! Exit statuses, the same for all commands.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Answered, and where the answer is yes or no: yes.
    Answered,
    /// Answered, and the answer is no.
    Negative,
    /// The input makes no sense.
    BadInput,
    /// Not decided within the limits.
    Undecided,
    /// A file could not be read or written.
    FileError,
    /// Another program is needed that is not installed.
    Missing,
    /// Ctrl-C.
    Interrupted,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(match status {
            Status::Answered => 0,
            Status::Negative => 1,
            Status::BadInput => 2,
            Status::Undecided => 3,
            Status::FileError => 4,
            Status::Missing => 5,
            Status::Interrupted => 130,
        })
    }
}
