//! Why a table was not computed.

use nimatron_game::Stop;

/// Why a table of positions could not be computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The greatest heights are not one per stack.
    #[error("the game has {expected} stacks, but {found} heights were given")]
    Stacks {
        /// The number of stacks of the game.
        expected: usize,
        /// The number of heights given.
        found: usize,
    },
    /// More positions than this machine can index, or more memory than it can give.
    #[error("the box holds too many positions")]
    TooLarge {
        /// How many, unless even that number is out of range.
        positions: Option<u128>,
    },
    /// Grundy values belong to normal play.
    #[error("Grundy values are defined for normal play only")]
    Misere,
    /// The sets of the rule are not all the sets of certain sizes.
    #[error("the order of the stacks matters in this game")]
    NotSymmetric,
    /// A limit was reached, or somebody asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stop),
}
