//! Whole boxes of positions, for every kind of game.
//!
//! [`Tabulation`] computes the P-positions of a box with the engine that suits the game, in steps
//! between which it can be saved; [`p_positions`] is the short way for small boxes.

mod checkpoint;
mod cost;
mod crew;
#[cfg(feature = "serde")]
mod parts;
mod positions;
mod run;

pub use checkpoint::CheckpointError;
pub use cost::TableEngine;
pub use crew::Threads;
pub use nimatron_table::{Crew, PositionBox};
#[cfg(feature = "serde")]
pub use parts::{
    Manifest, Network, PartCounts, PartFile, PartForecast, PartPlan, PartReport, PartRun,
    PartsError, Shards,
};
pub use positions::PPositions;
pub use run::{
    Counts, Forecast, OrbitSizes, PRow, RowSink, Tabulation, TabulationError, Values, Wanted,
};
pub(crate) use run::{check, set_nim};

use nimatron_game::{Game, Height, Position, Watch};

/// All P-positions with heights up to `max`, in lexicographic order. Meant for boxes whose
/// P-positions fit into memory.
///
/// ```
/// use nimatron::Unlimited;
/// let game = "CN(4,2)".parse().unwrap();
/// let found = nimatron::tables::p_positions(&game, &[2; 4], &Unlimited).unwrap();
/// assert_eq!(found.len(), 9); // (a,b,a,b)
/// ```
pub fn p_positions(
    game: &Game,
    max: &[Height],
    watch: &dyn Watch,
) -> Result<Vec<Position>, TabulationError> {
    let mut found = Vec::new();
    let mut run = Tabulation::listing(game, max)?;
    run.finish(&nimatron_table::Alone, watch, &mut |row| {
        found.push(Position::new(row.heights.to_vec()).expect("heights are bounded"));
        Ok(())
    })?;
    Ok(found)
}
