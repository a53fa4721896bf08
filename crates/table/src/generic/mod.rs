//! Tables for every rule and sum, by following all moves at once instead of one by one.
//!
//! An [automaton] reads the stacks in order and remembers of a move only what matters for its
//! rest; an [engine] keeps, for each state, what is reachable on the way to it, as lines of bits
//! (outcomes) or of sets of values (Grundy values, remoteness).

mod automaton;
mod bits;
mod engine;
mod sets;

use crate::boxes::{PositionBox, Table, filled};
use crate::error::TableError;
use crate::pick::Pick;
use crate::values::{Holding, ValueLine};
use engine::{Engine, Solver};
use nimatron_game::{Game, Height, Outcome, Rule, Watch};

/// The rules of the summands of a game, each with its first stack.
pub(crate) fn parts(game: &Game) -> Vec<(&Rule, usize)> {
    game.summands().iter().map(|s| (s.rule(), s.stacks().start)).collect()
}

/// Computes a value for every position of a sum of rules, in lexicographic order, and hands the lines to `sink`.
pub(crate) fn scan(
    parts: &[(&Rule, usize)],
    max: &[Height],
    pick: &impl Pick,
    watch: &dyn Watch,
    sink: &mut dyn FnMut(ValueLine<'_>),
) -> Result<(), TableError> {
    let cells = PositionBox::new(max)?;
    let watch = &Holding::new(watch, (cells.len() as u64).saturating_mul(4))?;
    let mut solver = sets::Values::new(pick, &cells, sink)?;
    Engine::new(parts, cells, solver.width(), watch)?.run(&mut solver, watch)?;
    Ok(())
}

/// The outcome of every position.
pub(crate) fn outcomes(
    game: &Game,
    max: &[Height],
    watch: &dyn Watch,
) -> Result<Table<Outcome>, TableError> {
    let cells = PositionBox::new(max)?;
    let watch = &Holding::new(watch, bits::Outcomes::memory(game, &cells))?;
    let mut solver = bits::Outcomes::new(game, &cells)?;
    let cells = Engine::new(&parts(game), cells, solver.width(), watch)?.run(&mut solver, watch)?;
    watch.check(cells.len() as u64)?;
    let mut entries = filled(Outcome::N, cells.len())?;
    solver.for_each_p(|index| entries[index] = Outcome::P);
    Ok(Table::new(cells, entries))
}
