//! Following an automaton along all lines of a box.
//!
//! A line fixes all stacks but the last. A table of level j holds one line (some words) for each
//! choice of the stacks after j; reading it where stack i > j is lower by s is reading another
//! of its lines. What the words mean is the business of the [`Solver`]: bits for the positions
//! of the line, or a set of values for each.

use super::automaton::{Automaton, Closing, Feed, Source, Step, TooManyTables};
use crate::boxes::{PositionBox, filled};
use crate::error::TableError;
use nimatron_game::{Height, Rule, Watch};

/// Decides the positions of one line, given what their options reach.
pub(super) trait Solver {
    /// Words of a line.
    fn width(&self) -> usize;

    /// Bytes held.
    fn memory(&self) -> u64;

    /// Adds what is known of the positions of an earlier line.
    fn add_found(&self, line: usize, into: &mut [u64]);

    /// Decides a line. `open` is reached leaving the last stack alone; each closing, with its
    /// line, by lowering the last stack in its way.
    fn solve(
        &mut self,
        line: usize,
        heights: &[Height],
        open: &[u64],
        closings: &[(Closing, Vec<u64>)],
    );
}

/// Lines between two looks at the watch.
const LINES_BETWEEN_CHECKS: usize = 1 << 10;

/// The automaton of a game, with its tables.
pub(super) struct Engine {
    cells: PositionBox,
    automaton: Automaton,
    /// `sizes[j]`: choices of the stacks after j, the last stack apart.
    sizes: Vec<usize>,
    tables: Vec<Vec<u64>>,
    width: usize,
}

impl Engine {
    /// Prepares a sum of rules, each with its first stack, in a box of all their stacks, of which
    /// there must be at least one.
    pub(super) fn new(
        parts: &[(&Rule, usize)],
        cells: PositionBox,
        width: usize,
        watch: &dyn Watch,
    ) -> Result<Self, TableError> {
        let too_large = TableError::TooLarge { positions: Some(cells.len() as u128) };
        let mut automaton = Automaton::default();
        for &(rule, first) in parts {
            watch.check(0)?;
            let added = automaton.add(rule, first, cells.max());
            added.map_err(|TooManyTables| too_large.clone())?;
        }
        let last = cells.stacks() - 1;
        let line = cells.max()[last] as usize + 1;
        let sizes: Vec<usize> = cells.strides()[..last].iter().map(|s| s / line).collect();
        let words = |level: usize| (sizes[level] as u128) * (width as u128);
        let memory = 8 * automaton.levels.iter().map(|&level| words(level)).sum::<u128>();
        watch.check(u64::try_from(memory).map_err(|_| too_large.clone())?)?;
        let room = |&level: &usize| filled(0u64, words(level) as usize);
        let tables = automaton.levels.iter().map(room).collect::<Result<_, _>>()?;
        Ok(Engine { cells, automaton, sizes, tables, width })
    }

    /// Decides all lines in lexicographic order.
    pub(super) fn run(
        mut self,
        solver: &mut impl Solver,
        watch: &dyn Watch,
    ) -> Result<PositionBox, TableError> {
        let last = self.cells.stacks() - 1;
        let line_len = self.cells.max()[last] as usize + 1;
        let lines = self.cells.len() / line_len;
        let memory = self.tables.iter().map(|t| 8 * t.len() as u64).sum::<u64>() + solver.memory();
        let steps = std::mem::take(&mut self.automaton.steps);
        let mut heights: Vec<Height> = vec![0; last + 1];
        // The place of the current line in the tables of each level.
        let mut places = vec![0usize; last];
        let mut open = filled(0u64, self.width)?;
        let empty = open.clone();
        let mut closings: Vec<(Closing, Vec<u64>)> =
            self.automaton.closings.drain(..).map(|closing| (closing, empty.clone())).collect();
        for line in 0..lines {
            if line % LINES_BETWEEN_CHECKS == 0 {
                watch.check(memory)?;
                watch.progress((line * line_len) as u128, self.cells.len() as u128);
            }
            for (place, size) in places.iter_mut().zip(&self.sizes) {
                *place = line % size;
            }
            for step in &steps {
                self.bring_up_to_date(step, line, &heights, &places, solver);
            }
            open.fill(0);
            for &table in &self.automaton.open {
                unite(&mut open, self.line_of(table, &places, 0));
            }
            for (closing, reached) in &mut closings {
                reached.fill(0);
                for &table in &closing.tables {
                    unite(reached, self.line_of(table, &places, 0));
                }
            }
            solver.solve(line, &heights, &open, &closings);
            for stack in (0..last).rev() {
                if heights[stack] < self.cells.max()[stack] {
                    heights[stack] += 1;
                    break;
                }
                heights[stack] = 0;
            }
        }
        watch.progress(self.cells.len() as u128, self.cells.len() as u128);
        Ok(self.cells)
    }

    /// The line of a table, `back` lines before the current one.
    fn line_of(&self, table: usize, places: &[usize], back: usize) -> &[u64] {
        let place = places[self.automaton.levels[table]] - back;
        &self.tables[table][place * self.width..][..self.width]
    }

    fn bring_up_to_date(
        &mut self,
        step: &Step,
        line: usize,
        heights: &[Height],
        places: &[usize],
        solver: &impl Solver,
    ) {
        let width = self.width;
        let height = heights[step.level] as usize;
        let span = places[step.level] * width..(places[step.level] + 1) * width;
        if let Some(run) = &step.run {
            let mut table = std::mem::take(&mut self.tables[run.table]);
            let target = &mut table[span.clone()];
            if height == 0 || !run.carried.contains(&run.table) {
                target.fill(0);
            }
            if height > 0 {
                for &other in run.carried.iter().filter(|&&other| other != run.table) {
                    unite(target, &self.tables[other][span.clone()]);
                }
            }
            self.feed(target, &run.feeds, step.level, height, line, places, solver);
            self.tables[run.table] = table;
            if run.table == step.target {
                return;
            }
        }
        let mut table = std::mem::take(&mut self.tables[step.target]);
        let target = &mut table[span.clone()];
        match &step.run {
            Some(run) => target.copy_from_slice(&self.tables[run.table][span]),
            None => target.fill(0),
        }
        self.feed(target, &step.feeds, step.level, height, line, places, solver);
        for &other in &step.passed {
            unite(target, self.line_of(other, places, 0));
        }
        self.tables[step.target] = table;
    }

    /// Adds what the feeds hold where the stack `level` is lower by their shifts.
    #[allow(clippy::too_many_arguments)]
    fn feed(
        &self,
        target: &mut [u64],
        feeds: &[Feed],
        level: usize,
        height: usize,
        line: usize,
        places: &[usize],
        solver: &impl Solver,
    ) {
        for feed in feeds.iter().filter(|feed| feed.shift <= height) {
            let back = feed.shift * self.sizes[level];
            match feed.source {
                Source::Found => solver.add_found(line - back, target),
                Source::Table(table) => unite(target, self.line_of(table, places, back)),
            }
        }
    }
}

/// Adds one line to another.
#[inline]
fn unite(into: &mut [u64], from: &[u64]) {
    for (a, &b) in into.iter_mut().zip(from) {
        *a |= b;
    }
}
