//! Grundy values of all positions of a box, normal play.
//!
//! The Grundy value of a position is the least number that none of its options has; it is 0
//! exactly for the P-positions, and the value of a sum of games is the xor of their values.
//!
//! ```
//! use nimatron_game::{Family, Game, Unlimited};
//! use nimatron_table::grundy;
//! let game = Game::new(Family::Circular { n: 5, k: 2 }).unwrap();
//! let summary = grundy::summary(&game, &[3; 5], &Unlimited).unwrap();
//! assert_eq!((summary.max(), summary.count(0)), (12, 54));
//! let table = grundy::table(&game, &[3; 5], &Unlimited).unwrap();
//! assert_eq!(table.get(&[3, 1, 2, 2, 1]), Some(0));
//! ```

use crate::boxes::Table;
use crate::error::TableError;
use crate::pick::LeastMissing;
use crate::traces;
use crate::values::{Summary, ValueLine, check_stacks, tabulate};
use nimatron_game::{Game, Height, Play, Watch};

/// Computes the Grundy value of every position of the box up to `max` and hands it to `sink`,
/// line by line. The order of the lines is fixed but unspecified; no table of the whole box is
/// kept where the game is SetNim.
pub fn scan(
    game: &Game,
    max: &[Height],
    watch: &dyn Watch,
    sink: &mut dyn FnMut(ValueLine<'_>),
) -> Result<(), TableError> {
    check_stacks(game, max)?;
    if game.convention() == Play::Misere {
        return Err(TableError::Misere);
    }
    let rule = game.single().unwrap();
    traces::scan(rule, max, &LeastMissing, watch, sink)
}

/// The table of Grundy values.
pub fn table(game: &Game, max: &[Height], watch: &dyn Watch) -> Result<Table<u32>, TableError> {
    tabulate(max, |sink| scan(game, max, watch, sink))
}

/// How often each Grundy value occurs.
pub fn summary(game: &Game, max: &[Height], watch: &dyn Watch) -> Result<Summary, TableError> {
    let mut summary = Summary::default();
    scan(game, max, watch, &mut |line| summary.add(line))?;
    Ok(summary)
}
