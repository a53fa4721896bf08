//! Remoteness of all positions of a box: how many moves are left when the player who wins
//! hurries and the one who loses delays (Smith 1966). For its definition under either play
//! convention see [`crate::naive::remoteness`].
//!
//! ```
//! use nimatron_game::{Family, Game, Sizes, Unlimited};
//! use nimatron_table::remoteness;
//! let game = Game::new(Family::Slow { n: 4, sizes: Sizes::new([3]) }).unwrap();
//! let table = remoteness::table(&game, &[7; 4], &Unlimited).unwrap();
//! assert_eq!(table.get(&[4, 5, 6, 7]), Some(7));
//! ```

use crate::boxes::Table;
use crate::error::TableError;
use crate::pick::Remoteness;
use crate::values::{Summary, ValueLine, check_stacks, entries_memory, tabulate};
use crate::{generic, traces};
use nimatron_game::{Game, Height, Play, Rule, Watch};

/// Computes the remoteness of every position of the box up to `max` and hands it to `sink`,
/// line by line, in a fixed but unspecified order.
pub fn scan(
    game: &Game,
    max: &[Height],
    watch: &dyn Watch,
    sink: &mut dyn FnMut(ValueLine<'_>),
) -> Result<(), TableError> {
    check_stacks(game, max)?;
    let pick = Remoteness { odd: game.convention() == Play::Misere };
    match game.single().filter(|rule: &&Rule| rule.is_set_nim()) {
        Some(rule) => traces::scan(rule, max, &pick, watch, sink),
        None => generic::scan(&generic::parts(game), max, &pick, watch, sink),
    }
}

/// The table of remoteness.
pub fn table(game: &Game, max: &[Height], watch: &dyn Watch) -> Result<Table<u32>, TableError> {
    tabulate(max, watch, |watch, sink| scan(game, max, watch, sink))
}

/// The bytes that [`table`] will hold.
pub fn memory(game: &Game, max: &[Height]) -> Result<u64, TableError> {
    check_stacks(game, max)?;
    let scan = match game.single().filter(|rule: &&Rule| rule.is_set_nim()) {
        Some(rule) => traces::memory(rule, max)?,
        None => generic::scan_memory(&generic::parts(game), max)?,
    };
    Ok(scan.saturating_add(entries_memory(max)?))
}

/// How often each remoteness occurs.
pub fn summary(game: &Game, max: &[Height], watch: &dyn Watch) -> Result<Summary, TableError> {
    let mut summary = Summary::default();
    scan(game, max, watch, &mut |line| summary.add(line))?;
    Ok(summary)
}
