//! Who wins.

use std::fmt;

/// The outcome of a position under best play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// The *previous* player wins: whoever is to move loses.
    P,
    /// The *next* player wins: whoever is to move wins.
    N,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::P => "P",
            Outcome::N => "N",
        })
    }
}

/// Who wins when no move is left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Play {
    /// The player who cannot move loses: the last player to move wins.
    #[default]
    Normal,
    /// The player who cannot move wins: the last player to move loses.
    Misere,
}

impl Play {
    /// The outcome of a position without moves.
    pub const fn terminal(self) -> Outcome {
        match self {
            Play::Normal => Outcome::P,
            Play::Misere => Outcome::N,
        }
    }
}
