//! What is already known about positions.

use crate::outcome::{Outcome, Play};
use crate::position::Height;
use crate::rule::Rule;

/// A provider of known values: a theorem library, a table, a store of proved results.
///
/// Searches ask it before they work; providers answer at once or not at all, and never guess.
pub trait Known: Send + Sync {
    /// The outcome of `heights` in the game, if it is known.
    fn outcome(&self, rule: &Rule, play: Play, heights: &[Height]) -> Option<Outcome>;

    /// The Grundy value (normal play), if it is known.
    fn grundy(&self, rule: &Rule, heights: &[Height]) -> Option<u64> {
        let _ = (rule, heights);
        None
    }
}

/// Knows nothing: for searches that find out everything by themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nothing;

impl Known for Nothing {
    fn outcome(&self, _: &Rule, _: Play, _: &[Height]) -> Option<Outcome> {
        None
    }
}
