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

use crate::boxes::{PositionBox, Table, filled};
use crate::error::TableError;
use crate::pick::LeastMissing;
use crate::values::{Holding, Summary, ValueLine, check_stacks, entries_memory, tabulate};
use crate::{generic, traces};
use nimatron_game::{Game, Height, Play, Rule, Summand, Watch};

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
    match game.single() {
        Some(rule) => scan_rule(rule, max, watch, sink),
        None => scan_sum(game, max, watch, sink),
    }
}

fn scan_rule(
    rule: &Rule,
    max: &[Height],
    watch: &dyn Watch,
    sink: &mut dyn FnMut(ValueLine<'_>),
) -> Result<(), TableError> {
    match rule.is_set_nim() {
        true => traces::scan(rule, max, &LeastMissing, watch, sink),
        false => generic::scan(&[(rule, 0)], max, &LeastMissing, watch, sink),
    }
}

/// A table for each summand; the value of a sum is the xor (Sprague 1935, Grundy 1939).
fn scan_sum(
    game: &Game,
    max: &[Height],
    watch: &dyn Watch,
    sink: &mut dyn FnMut(ValueLine<'_>),
) -> Result<(), TableError> {
    let cells = PositionBox::new(max)?;
    let mut tables: Vec<Table<u32>> = Vec::new();
    let mut held = 0u64;
    for summand in game.summands() {
        let (rule, max) = (summand.rule(), &max[summand.stacks()]);
        let watch = Holding::new(watch, held)?;
        let table = tabulate(max, &watch, |watch, sink| scan_rule(rule, max, watch, sink))?;
        held += 4 * table.entries().len() as u64;
        tables.push(table);
    }
    let Some(last_table) = tables.pop() else { return Ok(()) };
    // Lines run along the last stack; the values of the last summand stand in order there.
    let along = max.len() - 1;
    let len = max[along] as usize + 1;
    let mut values = filled(0u32, len)?;
    let mut heights = vec![0; max.len()];
    for line in 0..cells.len() / len {
        if line % LINES_BETWEEN_CHECKS == 0 {
            watch.check(held)?;
        }
        let entry = |(table, summand): (&Table<u32>, &Summand)| {
            table.get(&heights[summand.stacks()]).unwrap_or(0)
        };
        let others = tables.iter().zip(game.summands()).map(entry).fold(0, |a, b| a ^ b);
        let foot = line % (last_table.cells().len() / len) * len;
        let own = &last_table.entries()[foot..foot + len];
        values.iter_mut().zip(own).for_each(|(value, own)| *value = own ^ others);
        sink(ValueLine { heights: &heights, along, values: &values });
        heights[along] = max[along];
        cells.advance(&mut heights);
    }
    Ok(())
}

/// Lines between two looks at the watch.
const LINES_BETWEEN_CHECKS: usize = 1 << 10;

/// The table of Grundy values.
pub fn table(game: &Game, max: &[Height], watch: &dyn Watch) -> Result<Table<u32>, TableError> {
    tabulate(max, watch, |watch, sink| scan(game, max, watch, sink))
}

/// The bytes that [`table`] will hold.
pub fn memory(game: &Game, max: &[Height]) -> Result<u64, TableError> {
    check_stacks(game, max)?;
    let of_rule = |rule: &Rule, max: &[Height]| match rule.is_set_nim() {
        true => traces::memory(rule, max),
        false => generic::scan_memory(&[(rule, 0)], max),
    };
    let scan = match game.single() {
        Some(rule) => of_rule(rule, max)?,
        None => {
            // The tables of the summands stay; one at a time is being computed.
            let (mut most, mut held) = (0u64, 0u64);
            for summand in game.summands() {
                let max = &max[summand.stacks()];
                held = held.saturating_add(entries_memory(max)?);
                most = most.max(held.saturating_add(of_rule(summand.rule(), max)?));
            }
            most
        }
    };
    Ok(scan.saturating_add(entries_memory(max)?))
}

/// How often each Grundy value occurs.
pub fn summary(game: &Game, max: &[Height], watch: &dyn Watch) -> Result<Summary, TableError> {
    let mut summary = Summary::default();
    scan(game, max, watch, &mut |line| summary.add(line))?;
    Ok(summary)
}
