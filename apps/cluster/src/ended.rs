//! Why a rank has ended early.

use crate::post::GivenUp;
use nimatron_service::Failure;

/// Why a rank has ended early.
#[derive(Debug)]
pub(crate) enum Ended {
    /// It cannot go on.
    Here(Failure),
    /// Another one cannot.
    Elsewhere,
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Self {
        Ended::Here(failure)
    }
}

impl From<GivenUp> for Ended {
    fn from(_: GivenUp) -> Self {
        Ended::Elsewhere
    }
}
