//! Outcomes of all positions of a box, for every rule, sum and play convention.
//!
//! ```
//! use nimatron_game::{Family, Game, Outcome, Unlimited};
//! use nimatron_table::outcomes;
//! let game = Game::new(Family::Exact { n: 4, k: 2 }).unwrap();
//! let table = outcomes::table(&game, &[9; 4], &Unlimited).unwrap();
//! assert_eq!(table.get(&[1, 1, 2, 2]), Some(Outcome::N));
//! assert_eq!(table.get(&[5, 5, 5, 5]), Some(Outcome::P));
//! ```

use crate::boxes::Table;
use crate::error::TableError;
use crate::generic;
use crate::values::check_stacks;
use nimatron_game::{Game, Height, Outcome, Stop, Watch};

/// The table of outcomes of the box up to `max`.
pub fn table(game: &Game, max: &[Height], watch: &dyn Watch) -> Result<Table<Outcome>, TableError> {
    check_stacks(game, max)?;
    generic::outcomes(game, max, watch)
}

/// Hands every P-position of the box up to `max` to `each`, in lexicographic order, until one is
/// refused. This takes an eighth of the memory of [`table`] or less.
pub fn p_positions(
    game: &Game,
    max: &[Height],
    watch: &dyn Watch,
    each: &mut dyn FnMut(&[Height]) -> Result<(), Stop>,
) -> Result<(), TableError> {
    check_stacks(game, max)?;
    generic::p_positions(game, max, watch, each)
}

/// The bytes that [`p_positions`] will hold.
pub fn p_positions_memory(game: &Game, max: &[Height]) -> Result<u64, TableError> {
    check_stacks(game, max)?;
    generic::p_positions_memory(game, max)
}
