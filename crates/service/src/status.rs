//! How an answer ended: the exit statuses of the command line.

use nimatron::Stop;

/// How an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
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

impl Status {
    /// The exit status of the command line.
    pub fn code(self) -> u8 {
        match self {
            Status::Answered => 0,
            Status::Negative => 1,
            Status::BadInput => 2,
            Status::Undecided => 3,
            Status::FileError => 4,
            Status::Missing => 5,
            Status::Interrupted => 130,
        }
    }

    /// How work ended that may have been stopped.
    pub fn of(stop: Option<Stop>) -> Self {
        match stop {
            None => Status::Answered,
            Some(Stop::Cancelled) => Status::Interrupted,
            Some(_) => Status::Undecided,
        }
    }
}
