//! Values of all positions of a box, as they are computed: line by line.

use crate::boxes::{PositionBox, Table, filled};
use crate::error::TableError;
use nimatron_game::{Game, Height, Stop, Watch};

/// Positions that differ in one stack only, with their values.
#[derive(Clone, Copy, Debug)]
pub struct ValueLine<'a> {
    pub(crate) heights: &'a [Height],
    pub(crate) along: usize,
    pub(crate) values: &'a [u32],
}

impl<'a> ValueLine<'a> {
    /// The position of the line in which the stack [`ValueLine::along`] is empty.
    pub fn foot(&self) -> &'a [Height] {
        self.heights
    }

    /// The stack in which the positions differ.
    pub fn along(&self) -> usize {
        self.along
    }

    /// The values for the heights 0, 1, 2, ... of that stack.
    pub fn values(&self) -> &'a [u32] {
        self.values
    }

    /// Calls `each` with the heights and the value of each position, in order.
    pub fn for_each(&self, mut each: impl FnMut(&[Height], u32)) {
        let mut heights = self.heights.to_vec();
        for (height, &value) in (0..).zip(self.values) {
            heights[self.along] = height;
            each(&heights, value);
        }
    }
}

/// What a table of values amounts to; counts are exact.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Summary {
    counts: Vec<u64>,
}

impl Summary {
    /// How many positions have the values 0, 1, 2, ..., up to the greatest one.
    pub fn histogram(&self) -> &[u64] {
        &self.counts
    }

    /// How many positions have this value.
    pub fn count(&self, value: u32) -> u64 {
        self.counts.get(value as usize).copied().unwrap_or(0)
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The greatest value; 0 if there is no position.
    pub fn max(&self) -> u32 {
        self.counts.len().saturating_sub(1) as u32
    }

    /// The sum of all values.
    pub fn total(&self) -> u128 {
        (0u128..).zip(&self.counts).map(|(value, &count)| value * u128::from(count)).sum()
    }

    /// The mean value; 0 if there is no position.
    pub fn mean(&self) -> f64 {
        self.total() as f64 / self.positions().max(1) as f64
    }

    /// Takes the values of one more line into account.
    pub fn add(&mut self, line: ValueLine<'_>) {
        line.values.iter().for_each(|&value| self.count_one(value));
    }

    /// Takes one more value into account.
    pub fn count_one(&mut self, value: u32) {
        let value = value as usize;
        if value >= self.counts.len() {
            self.counts.resize(value + 1, 0);
        }
        self.counts[value] += 1;
    }
}

/// The stacks of the game and of the box must agree.
pub(crate) fn check_stacks(game: &Game, max: &[Height]) -> Result<(), TableError> {
    match (game.stacks(), max.len()) {
        (expected, found) if expected != found => Err(TableError::Stacks { expected, found }),
        _ => Ok(()),
    }
}

/// A watch that also counts what the caller of a computation holds.
pub(crate) struct Holding<'a> {
    watch: &'a dyn Watch,
    bytes: u64,
}

impl<'a> Holding<'a> {
    /// Asks whether so many bytes may be held, before they are.
    pub(crate) fn new(watch: &'a dyn Watch, bytes: u64) -> Result<Self, TableError> {
        watch.check(bytes)?;
        Ok(Holding { watch, bytes })
    }
}

impl Watch for Holding<'_> {
    fn check(&self, memory: u64) -> Result<(), Stop> {
        self.watch.check(memory.saturating_add(self.bytes))
    }

    fn progress(&self, done: u128, of: u128) {
        self.watch.progress(done, of);
    }
}

/// The bytes of a table of values.
pub(crate) fn entries_memory(max: &[Height]) -> Result<u64, TableError> {
    Ok((PositionBox::new(max)?.len() as u64).saturating_mul(4))
}

/// The table that a scan fills.
pub(crate) fn tabulate(
    max: &[Height],
    watch: &dyn Watch,
    scan: impl FnOnce(&dyn Watch, &mut dyn FnMut(ValueLine<'_>)) -> Result<(), TableError>,
) -> Result<Table<u32>, TableError> {
    let cells = PositionBox::new(max)?;
    let watch = Holding::new(watch, entries_memory(max)?)?;
    let mut entries = filled(0u32, cells.len())?;
    scan(&watch, &mut |line| {
        let foot: usize =
            line.heights.iter().zip(cells.strides()).map(|(&h, &s)| h as usize * s).sum();
        let stride = cells.strides()[line.along];
        for (i, &value) in line.values.iter().enumerate() {
            entries[foot + i * stride] = value;
        }
    })?;
    Ok(Table::new(cells, entries))
}
