//! Limits, cancellation and progress, as arguments of every long computation.

use std::fmt;

/// Why a computation ended before its answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Stop {
    /// The time allowed was used up.
    Time,
    /// The memory allowed was used up.
    Memory,
    /// The amount of work allowed was used up.
    Work,
    /// Somebody asked to stop.
    Cancelled,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::Time => "the time limit was reached",
            Stop::Memory => "the memory limit was reached",
            Stop::Work => "the work limit was reached",
            Stop::Cancelled => "it was interrupted",
        })
    }
}

/// Looks on while something long is computed: stops it at a limit or on request, and shows how
/// far it is.
///
/// The library reads no clock and starts no timer of its own. Computations call
/// [`Watch::check`] every few thousand steps with what they have used so far.
pub trait Watch: Sync {
    /// `Err` to stop. `memory` is the number of bytes held, as far as the computation knows.
    fn check(&self, memory: u64) -> Result<(), Stop>;

    /// How much is done, in units of the computation's own choice.
    fn progress(&self, done: u128, of: u128) {
        let _ = (done, of);
    }
}

/// Never stops anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Watch for Unlimited {
    fn check(&self, _memory: u64) -> Result<(), Stop> {
        Ok(())
    }
}
