//! Tables for every rule and sum, by following all moves at once instead of one by one.
//!
//! An [automaton] reads the stacks in order and remembers of a move only what matters for its
//! rest; an [engine] keeps, for each state, what is reachable on the way to it, as lines of bits
//! (outcomes) or of sets of values (Grundy values, remoteness).
//!
//! Cost: each table of the automaton is united with a few others once per line, whatever the
//! heights, except that a bounded range of amounts costs one union per amount, and a restricted
//! total multiplies the tables by the totals to be told apart. Positions per second on one core,
//! and how many times faster than the oracle that is (heights to 11 with six stacks, else 13 to
//! 15; the gain grows with the heights unless amounts are fixed):
//!
//! | game | outcome | Grundy, remoteness |
//! | --- | --- | --- |
//! | CN(5,2), any >= 1 | 3e8, 100x | see the kernel for SetNim |
//! | Exact(5,3), all >= 1 | 2e8, 100x | 5e7, 350x |
//! | Slow(6,{1,2,3}), all = 1 | 1.2e8, 17x | 4e7, 12x |
//! | CN(6,3) any=2 | 1.2e8, 11x | 4e7, 6x |
//! | CN(6,3) each=2, six options at most | 1.5e8, 6x | 4e7, 2x |
//! | CN(5,2) each>=2 | 2.6e8, 70x | 6e7, 35x |
//! | CN(5,2) total>=3 | 9e7, 26x | 2e7, 17x |
//! | CN(5,3) total=4 | 5e7, 65x | 1.3e7, 30x |
//! | CN(5,2), 2 to 5 from each | 2.6e8, 22x | 3e7, 7x |
//! | PN(3,2) + CN(3,2), heights to 9 | 1.4e8, 14x | remoteness 6e7, 25x |

mod automaton;
mod bits;
mod engine;
mod sets;

use crate::boxes::{PositionBox, Table, filled};
use crate::error::TableError;
use crate::pick::Pick;
use crate::values::{Holding, ValueLine};
use engine::{Engine, Solver};
use nimatron_game::{Game, Height, Outcome, Rule, Stop, Watch};

/// Adds one line to another.
#[inline]
fn unite(into: &mut [u64], from: &[u64]) {
    into.iter_mut().zip(from).for_each(|(a, &b)| *a |= b);
}

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

/// The bytes that [`scan`] holds.
pub(crate) fn scan_memory(parts: &[(&Rule, usize)], max: &[Height]) -> Result<u64, TableError> {
    let cells = PositionBox::new(max)?;
    let tables = Engine::memory(parts, &cells, sets::width(&cells)?)?;
    Ok(tables.saturating_add((cells.len() as u64).saturating_mul(4)))
}

/// The outcome of every position.
pub(crate) fn outcomes(
    game: &Game,
    max: &[Height],
    watch: &dyn Watch,
) -> Result<Table<Outcome>, TableError> {
    let (solver, cells) = decided(game, max, watch)?;
    watch.check(bits::Outcomes::memory(game, &cells).saturating_add(cells.len() as u64))?;
    let mut entries = filled(Outcome::N, cells.len())?;
    solver.for_each_p(|index| {
        entries[index] = Outcome::P;
        Ok::<(), TableError>(())
    })?;
    Ok(Table::new(cells, entries))
}

/// Hands every P-position to `each`, in lexicographic order, until one is refused.
pub(crate) fn p_positions(
    game: &Game,
    max: &[Height],
    watch: &dyn Watch,
    each: &mut dyn FnMut(&[Height]) -> Result<(), Stop>,
) -> Result<(), TableError> {
    let (solver, cells) = decided(game, max, watch)?;
    let memory = bits::Outcomes::memory(game, &cells);
    let (mut heights, mut done) = (vec![0; cells.stacks()], 0usize);
    solver.for_each_p(|index| {
        done += 1;
        if done.is_multiple_of(FOUND_BETWEEN_CHECKS) {
            watch.check(memory)?;
        }
        cells.write_position(index, &mut heights);
        each(&heights).map_err(TableError::Stopped)
    })
}

/// The bytes that [`p_positions`] holds.
pub(crate) fn p_positions_memory(game: &Game, max: &[Height]) -> Result<u64, TableError> {
    let cells = PositionBox::new(max)?;
    let tables = Engine::memory(&parts(game), &cells, bits::Outcomes::width_in(&cells))?;
    Ok(tables.saturating_add(bits::Outcomes::memory(game, &cells)))
}

/// P-positions handed on between two looks at the watch.
const FOUND_BETWEEN_CHECKS: usize = 1 << 10;

/// The bits of all outcomes, and their box.
fn decided<'a>(
    game: &'a Game,
    max: &[Height],
    watch: &dyn Watch,
) -> Result<(bits::Outcomes<'a>, PositionBox), TableError> {
    let cells = PositionBox::new(max)?;
    let watch = &Holding::new(watch, bits::Outcomes::memory(game, &cells))?;
    let mut solver = bits::Outcomes::new(game, &cells)?;
    let cells = Engine::new(&parts(game), cells, solver.width(), watch)?.run(&mut solver, watch)?;
    Ok((solver, cells))
}
