//! Slices of lines: what lowering means within them, and how their P-positions are found.

use super::block::{Block, filled};
use super::isa::Isa;
use super::steps::{Steps, Strip};
use super::tables::Enter;
use nimatron_game::Stop;
use std::cell::Cell;

/// A P-position within a row.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    pub(crate) slice: u32,
    pub(crate) lane: u32,
    pub(crate) bit: u32,
}

/// The P-positions of some slices of a row, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Finds {
    /// Room for one per line; the first `count` are filled.
    pub(crate) list: Vec<Found>,
    pub(crate) count: usize,
    /// Slices full of P-positions. They are entered as a whole; all others one by one.
    pub(crate) crowded: Vec<Crowd>,
    /// For each crowded slice, its P-positions as bits.
    pub(crate) crowds: Vec<Block>,
    /// P-positions of crowded slices that are not listed.
    pub(crate) unlisted: usize,
    /// Whether all are to be listed.
    pub(crate) listing: bool,
    /// Whether the last slice with a P-position was crowded: the next one probably is.
    pub(crate) crowding: bool,
}

/// A slice full of P-positions.
#[derive(Clone, Debug)]
pub(crate) struct Crowd {
    /// The slice.
    pub(crate) slice: u32,
    /// Where its P-positions are in the list.
    pub(crate) listed: std::ops::Range<usize>,
}

impl Finds {
    /// Room for so many lines, or `None` if there is not enough memory.
    pub(crate) fn with_room(lines: usize) -> Option<Self> {
        let list = filled(Found::default(), lines.checked_add(1)?)?;
        Some(Finds { list, ..Finds::default() })
    }

    pub(crate) fn clear(&mut self, listing: bool) {
        (self.count, self.unlisted, self.listing) = (0, 0, listing);
        self.crowded.clear();
        self.crowds.clear();
    }

    /// All that are listed.
    pub(crate) fn all(&self) -> &[Found] {
        &self.list[..self.count]
    }

    /// How many there are.
    pub(crate) fn total(&self) -> usize {
        self.count + self.unlisted
    }

    /// Runs of P-positions that are not in crowded slices.
    pub(crate) fn scattered(&self) -> impl Iterator<Item = &[Found]> {
        let starts = std::iter::once(0).chain(self.crowded.iter().map(|c| c.listed.end));
        let ends = self.crowded.iter().map(|c| c.listed.start).chain([self.count]);
        starts.zip(ends).map(|(start, end)| &self.list[start..end])
    }
}

/// Slices of a row that are settled together.
pub(crate) struct Slices<'s> {
    /// The first one.
    pub(crate) first: u32,
    /// What is to be done for all of them before.
    pub(crate) steps: &'s Steps,
    /// The tables.
    pub(crate) strips: &'s [Strip<'s>],
    /// What is marked anyway, if anything is.
    pub(crate) blocked: Option<&'s [Block]>,
    /// Where the tables go on that will be read after these slices and are far away.
    pub(crate) ahead: &'s [*const Block],
    /// How P-positions are entered into the row's own table, if there is one.
    pub(crate) enter: Option<Enter>,
}

/// What is kept along a row, and where its marks are put together.
pub(crate) struct Row<'r> {
    /// For the slices of a chunk what is reached from outside the row.
    pub(crate) marks: &'r [Cell<Block>],
    /// For the slices of a chunk what joins the row's own table.
    pub(crate) feed: &'r [Cell<Block>],
    /// What came in along the row and is to be lowered: a slice for each form.
    pub(crate) sums: &'r [Cell<Block>],
    /// The row's own table, which starts with all that lies outside the box.
    pub(crate) own: &'r mut [Block],
}

/// How the lines of a slice are held.
pub(crate) trait Lines {
    /// Finds the P-positions of some slices.
    fn settle<'s, I: Isa>(&mut self, isa: I, slices: &Slices<'s>, row: Row<'s>, finds: &mut Finds);

    /// Enters P-positions into slices that start with slice `first` of the row.
    fn enter<I: Isa>(
        &self,
        isa: I,
        slices: &[Cell<Block>],
        first: u32,
        enter: Enter,
        finds: &Finds,
    );

    /// Marks one line. `marked` holds its bits in words.
    fn mark_line(&self, slice: &mut [Block], lane: usize, marked: &[u64]);

    /// Whether somebody asked to stop while slices were settled: what was found is not all then.
    fn stopped(&self) -> Result<(), Stop> {
        Ok(())
    }
}
