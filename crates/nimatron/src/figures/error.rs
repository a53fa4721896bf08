//! Why there is no figure.

use crate::tables::TabulationError;
use nimatron_draw::DrawError;
use nimatron_game::Stop;
use nimatron_table::TableError;

/// Why there is no figure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FigureError {
    /// It cannot be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// No formula for the P-positions is known.
    #[error("no formula for the P-positions of {0} is known; name one with --formula")]
    NoFormula(String),
    /// The formula says nothing that a diagram could show.
    #[error("{0}: this formula has no structure to draw, no equal stacks and no equal sums")]
    NoStructure(String),
    /// The question was not decided.
    #[error("the outcome of the position was not decided")]
    Undecided,
    /// Sums have no such figure.
    #[error("a sum of games has no such figure")]
    Sum,
    /// All stacks of a set must be played, so that there are no circuits.
    #[error("games in which all stacks of a set must be played have no circuits")]
    NoCircuits,
    /// No automaton is known, and none was found.
    #[error("no automaton that accepts the P-positions of {0} is known, and none was found")]
    NoAutomaton(String),
    /// Both axes must be stacks, and different ones.
    #[error("a slice needs two different stacks as axes")]
    Axes,
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stop),
    /// A table was not computed.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A box was not counted.
    #[error(transparent)]
    Tabulation(#[from] TabulationError),
}
