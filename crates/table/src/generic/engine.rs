//! Following an automaton along all lines of a box.
//!
//! A line fixes all stacks but the last. A table of level j holds one line (some words) for each
//! choice of the stacks after j, and is brought up to date as a whole whenever stack j has
//! changed. Reading another table where stack j is lower by s is reading a block of its lines
//! that are next to each other, so a step unites long stretches of words except on the last but
//! one stack. What the words mean is the business of the [`Solver`]: bits for the positions of
//! the line, or a set of values for each.

use super::automaton::{Automaton, Closing, Feed, Source, Step, TooManyTables};
use super::unite;
use crate::boxes::{PositionBox, filled};
use crate::error::TableError;
use nimatron_game::{Height, Rule, Unlimited, Watch};

/// Decides the positions of one line, given what their options reach.
pub(super) trait Solver {
    /// Words of a line.
    fn width(&self) -> usize;

    /// Adds what is known of the positions of earlier lines, from `line` on as many as there is
    /// room for.
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

/// Words between two looks at the watch.
const WORDS_BETWEEN_CHECKS: usize = 1 << 18;

/// What is settled before anything is allocated.
struct Layout {
    automaton: Automaton,
    sizes: Vec<usize>,
    memory: u64,
}

impl Layout {
    fn new(
        parts: &[(&Rule, usize)],
        cells: &PositionBox,
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
        // The tables, and the lines gathered from them.
        let words = |&level: &usize| sizes[level] as u128 * width as u128;
        let gathered = (automaton.closings.len() as u128 + 3) * width as u128;
        let tables = automaton.levels.iter().map(words).sum::<u128>();
        let memory = u64::try_from(8 * (tables + gathered)).ok().filter(|&m| m < 1 << 62);
        Ok(Layout { automaton, sizes, memory: memory.ok_or(too_large)? })
    }
}

/// The automaton of a game, with its tables.
pub(super) struct Engine {
    cells: PositionBox,
    automaton: Automaton,
    /// `sizes[j]`: choices of the stacks after j, the last stack apart.
    sizes: Vec<usize>,
    tables: Vec<Vec<u64>>,
    width: usize,
    /// Bytes held.
    memory: u64,
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
        let Layout { automaton, sizes, memory } = Layout::new(parts, &cells, width, watch)?;
        watch.check(memory)?;
        let room = |&level: &usize| filled(0u64, sizes[level] * width);
        let tables = automaton.levels.iter().map(room).collect::<Result<_, _>>()?;
        Ok(Engine { cells, automaton, sizes, tables, width, memory })
    }

    /// The bytes that the engine will hold.
    pub(super) fn memory(
        parts: &[(&Rule, usize)],
        cells: &PositionBox,
        width: usize,
    ) -> Result<u64, TableError> {
        Ok(Layout::new(parts, cells, width, &Unlimited)?.memory)
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
        let mut steps = std::mem::take(&mut self.automaton.steps);
        steps.sort_by_key(|step| step.level);
        let mut heights: Vec<Height> = vec![0; last + 1];
        // The place of the current line in the tables of each level.
        let mut places = vec![0usize; last];
        let mut open = filled(0u64, self.width)?;
        let closings = self.automaton.closings.drain(..);
        let closings = closings.map(|closing| Ok((closing, filled(0u64, self.width)?)));
        let mut closings = closings.collect::<Result<Vec<(Closing, Vec<u64>)>, TableError>>()?;
        // The stack that changed last, and those after it that returned to 0.
        let mut changed = 0;
        let between = (WORDS_BETWEEN_CHECKS / (self.width * (self.tables.len() + 1))).max(1);
        for line in 0..lines {
            if line % between == 0 {
                watch.check(self.memory)?;
                watch.progress((line * line_len) as u128, self.cells.len() as u128);
            }
            let first = steps.partition_point(|step| step.level < changed);
            for step in &steps[first..] {
                self.bring_up_to_date(step, line, &heights, &places, solver);
            }
            self.gather(&self.automaton.open, &places, &mut open);
            for (closing, reached) in &mut closings {
                self.gather(&closing.tables, &places, reached);
            }
            solver.solve(line, &heights, &open, &closings);
            changed = (0..last).rev().find(|&s| heights[s] < self.cells.max()[s]).unwrap_or(0);
            if let Some(height) = heights[..last].get_mut(changed) {
                *height += 1;
                heights[changed + 1..].fill(0);
            }
            for (place, &size) in places.iter_mut().zip(&self.sizes) {
                *place = if *place + 1 == size { 0 } else { *place + 1 };
            }
        }
        watch.progress(self.cells.len() as u128, self.cells.len() as u128);
        Ok(self.cells)
    }

    /// Lines of a table next to each other, from `back` lines before the current one.
    fn lines_of(&self, table: usize, places: &[usize], back: usize, lines: usize) -> &[u64] {
        let place = places[self.automaton.levels[table]] - back;
        &self.tables[table][place * self.width..][..lines * self.width]
    }

    /// The union of the current lines of some tables.
    fn gather(&self, tables: &[usize], places: &[usize], into: &mut [u64]) {
        let mut lines = tables.iter().map(|&table| self.lines_of(table, places, 0, 1));
        match lines.next() {
            Some(first) => into.copy_from_slice(first),
            None => into.fill(0),
        }
        lines.for_each(|line| unite(into, line));
    }

    /// Brings a whole table up to date, the stacks after its level being empty.
    fn bring_up_to_date(
        &mut self,
        step: &Step,
        line: usize,
        heights: &[Height],
        places: &[usize],
        solver: &impl Solver,
    ) {
        let height = heights[step.level] as usize;
        let lines = self.sizes[step.level];
        if let Some(run) = &step.run {
            let mut target = std::mem::take(&mut self.tables[run.table]);
            if height == 0 || !run.carried.contains(&run.table) {
                target.fill(0);
            }
            if height > 0 {
                for &other in run.carried.iter().filter(|&&other| other != run.table) {
                    unite(&mut target, &self.tables[other]);
                }
            }
            self.feed(&mut target, &run.feeds, step.level, height, line, places, solver);
            self.tables[run.table] = target;
            if run.table == step.target {
                return;
            }
        }
        let mut target = std::mem::take(&mut self.tables[step.target]);
        let run = step.run.iter().map(|run| &self.tables[run.table][..]);
        let passed = step.passed.iter().map(|&table| self.lines_of(table, places, 0, lines));
        let mut parts = run.chain(passed);
        match parts.next() {
            Some(first) => target.copy_from_slice(first),
            None => target.fill(0),
        }
        parts.for_each(|part| unite(&mut target, part));
        self.feed(&mut target, &step.feeds, step.level, height, line, places, solver);
        self.tables[step.target] = target;
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
            let lines = self.sizes[level];
            let back = feed.shift * lines;
            match feed.source {
                Source::Found => solver.add_found(line - back, target),
                Source::Table(table) => unite(target, self.lines_of(table, places, back, lines)),
            }
        }
    }
}
