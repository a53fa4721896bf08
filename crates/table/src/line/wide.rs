//! Lines of several words, one after the other.

use super::block::{BLOCK_WORDS, Block, cell_words, filled, words, words_mut};
use super::isa::Isa;
use super::lines::{Finds, Found, Lines, Row, Slices};
use super::shape::{Shape, Width};
use super::steps::Strip;
use super::tables::Enter;
use nimatron_game::{Stop, Watch};
use std::cell::Cell;

/// Where lines of several words are worked on. It is made once for a run: lines may be long.
#[derive(Clone, Debug, Default)]
pub(crate) struct Room {
    taken: Vec<u64>,
    /// What lines before have for each word that is lowered along lanes, and along both.
    swept: Vec<[u64; 2]>,
    /// The slice at hand.
    slice: Vec<Block>,
}

impl Room {
    /// Room for the lines of this shape, none where they are narrow; `None` if there is not enough
    /// memory.
    pub(crate) fn new(shape: &Shape) -> Option<Self> {
        let Width::Words(words) = shape.width else { return Some(Room::default()) };
        let slice = filled(Block::ZERO, shape.blocks)?;
        Some(Room { taken: filled(0, words)?, swept: filled([0; 2], words)?, slice })
    }

    /// The bytes of it.
    pub(crate) fn memory(shape: &Shape) -> u128 {
        match shape.width {
            Width::Words(words) => 24 * words as u128 + (shape.blocks * size_of::<Block>()) as u128,
            _ => 0,
        }
    }
}

/// Lines of several words.
pub(crate) struct Wide<'a> {
    lanes: usize,
    blocks: usize,
    together: bool,
    words: usize,
    room: &'a mut Room,
    /// Whether a word before in this line has something that is lowered along the bits.
    below: u64,
    /// Who is asked now and then whether to go on, and the bytes held.
    watch: (&'a dyn Watch, u64),
    /// Words since that was done last.
    unwatched: Cell<usize>,
    stopped: Cell<Option<Stop>>,
}

/// Words between two looks at the watch.
const WATCHED: usize = 1 << 20;

impl<'a> Wide<'a> {
    pub(crate) fn new(
        shape: &Shape,
        together: bool,
        room: &'a mut Room,
        watch: (&'a dyn Watch, u64),
    ) -> Self {
        let words = shape.width.bits() / 64;
        let (lanes, blocks) = (shape.lanes, shape.blocks);
        let (below, unwatched, stopped) = (0, Cell::new(0), Cell::new(None));
        Wide { lanes, blocks, together, words, room, below, watch, unwatched, stopped }
    }

    /// Counts words that were worked on, and says whether the work is to go on.
    #[inline(always)]
    fn goes_on(&self, words: usize) -> bool {
        self.unwatched.set(self.unwatched.get() + words);
        if self.unwatched.get() >= WATCHED {
            self.unwatched.set(0);
            if self.stopped.get().is_none() {
                self.stopped.set(self.watch.0.check(self.watch.1).err());
            }
        }
        self.stopped.get().is_none()
    }

    /// Does all steps, word by word.
    fn prepare(&mut self, slices: &Slices<'_>, row: &Row<'_>) {
        let read = |numbers: &[usize], at: usize| {
            numbers.iter().fold(0, |all, &i| all | cell_words(slices.strips[i].cells)[at].get())
        };
        for (number, reads) in &slices.steps.tables {
            let Strip { cells, fresh } = slices.strips[*number];
            if reads.is_empty() && !fresh {
                continue;
            }
            for (at, word) in cell_words(cells).iter().enumerate() {
                if at % WATCHED == 0 && !self.goes_on(WATCHED) {
                    return;
                }
                let own = if fresh { 0 } else { word.get() };
                let lowered = self.lowered(at, reads.forms().map(|numbers| read(numbers, at)));
                word.set(own | lowered);
            }
        }
        let slice_words = self.blocks * BLOCK_WORDS;
        let (finals, fed) = (slices.steps.finals.forms(), slices.steps.row.forms());
        for (at, word) in cell_words(row.marks).iter().enumerate() {
            if at % WATCHED == 0 && !self.goes_on(WATCHED) {
                return;
            }
            let forms = std::array::from_fn(|f| {
                let sum = &cell_words(row.sums)[f * slice_words + at % slice_words];
                sum.set(sum.get() | read(fed[f], at));
                sum.get() | read(finals[f], at)
            });
            word.set(self.lowered(at, forms));
        }
    }

    /// What is to be lowered along nothing, lanes, bits and both in a word, joined when that is
    /// done. Words are given one after the other, from the first of a slice on.
    #[inline(always)]
    fn lowered(&mut self, at: usize, [plain, lanes, bits, both]: [u64; 4]) -> u64 {
        let at = at % (self.blocks * BLOCK_WORDS);
        let w = at % self.words;
        let swept = &mut self.room.swept[w];
        if at < self.words {
            *swept = [0; 2];
        }
        if w == 0 {
            self.below = 0;
        }
        swept[0] |= lanes;
        swept[1] |= both;
        let closing = bits | swept[1];
        let closed = closing | closing.wrapping_neg() | self.below;
        self.below = if closed != 0 { u64::MAX } else { 0 };
        plain | swept[0] | closed
    }

    /// Finds the P-positions of the slice at hand, which holds what is marked.
    #[inline(always)]
    fn settle_one(&mut self, slice: u32, finds: &mut Finds) {
        self.room.taken.fill(0);
        for lane in 0..self.lanes {
            let Room { taken, slice: lines, .. } = &mut *self.room;
            let line = &words(lines)[lane * self.words..][..self.words];
            let marked = line.iter().zip(&*taken).map(|(line, taken)| line | taken);
            let open = marked.enumerate().find(|&(_, v)| v != u64::MAX);
            let looked_at = open.map_or(self.words, |(word, _)| word + 1);
            if let Some((word, marked)) = open {
                let bit = word as u32 * 64 + marked.trailing_ones();
                set(taken, bit, self.together);
                finds.list[finds.count] = Found { slice, lane: lane as u32, bit };
                finds.count += 1;
            }
            if !self.goes_on(looked_at) {
                return;
            }
        }
    }

    #[inline(always)]
    fn enter_one(&self, slice: &[Cell<Block>], enter: Enter, found: &Found) {
        let mut lines = cell_words(slice).chunks_exact(self.words).skip(found.lane as usize);
        if let Some(line) = lines.next() {
            set_cells(line, found.bit, !matches!(enter, Enter::Plain | Enter::Lanes));
        }
        if enter.spreads() {
            for line in lines {
                set_cells(line, found.bit, enter == Enter::Both);
                if enter == Enter::Both && !self.goes_on(self.words) {
                    return;
                }
            }
        }
    }
}

/// Sets `bit` of a line, or all bits from there on.
#[inline(always)]
fn set(line: &mut [u64], bit: u32, above: bool) {
    let (word, bit) = (bit as usize / 64, bit % 64);
    if above {
        line[word] |= u64::MAX << bit;
        line[word + 1..].fill(u64::MAX);
    } else {
        line[word] |= 1 << bit;
    }
}

/// The same for a line in cells.
#[inline(always)]
fn set_cells(line: &[Cell<u64>], bit: u32, above: bool) {
    let (word, bit) = (bit as usize / 64, bit % 64);
    let bits = if above { u64::MAX << bit } else { 1 << bit };
    line[word].set(line[word].get() | bits);
    if above {
        line[word + 1..].iter().for_each(|word| word.set(u64::MAX));
    }
}

impl Lines for Wide<'_> {
    #[inline(always)]
    fn settle<'s, I: Isa>(&mut self, isa: I, slices: &Slices<'s>, row: Row<'s>, finds: &mut Finds) {
        self.prepare(slices, &row);
        if self.stopped.get().is_some() {
            return;
        }
        for (s, marks) in row.marks.chunks_exact(self.blocks).enumerate() {
            for (z, mark) in marks.iter().enumerate() {
                let mut marked = isa.or(isa.read(mark), isa.load(&row.own[z]));
                if let Some(blocked) = slices.blocked {
                    marked = isa.or(marked, isa.load(&blocked[s * self.blocks + z]));
                }
                isa.store(marked, &mut self.room.slice[z]);
            }
            let at = slices.first + s as u32;
            let before = finds.count;
            self.settle_one(at, finds);
            if let Some(enter) = slices.enter {
                let own = Cell::from_mut(&mut *row.own).as_slice_of_cells();
                finds.list[before..finds.count].iter().for_each(|f| self.enter_one(own, enter, f));
            }
        }
    }

    #[inline(always)]
    fn enter<I: Isa>(
        &self,
        _isa: I,
        slices: &[Cell<Block>],
        first: u32,
        enter: Enter,
        finds: &Finds,
    ) {
        for found in finds.all() {
            let start = (found.slice - first) as usize * self.blocks;
            if !self.goes_on(self.words) {
                return;
            }
            self.enter_one(&slices[start..start + self.blocks], enter, found);
        }
    }

    fn mark_line(&self, slice: &mut [Block], lane: usize, marked: &[u64]) {
        let line = &mut words_mut(slice)[lane * self.words..][..self.words];
        line.iter_mut().zip(marked).for_each(|(line, marked)| *line |= marked);
    }

    fn stopped(&self) -> Result<(), Stop> {
        self.stopped.get().map_or(Ok(()), Err)
    }
}

/// What lies outside the box in a slice of this shape, or `None` if there is not enough memory.
pub(crate) fn padding(shape: &Shape) -> Option<Vec<Block>> {
    let words = shape.width.bits() / 64;
    let mut padding = filled(Block::ZERO, shape.blocks)?;
    for (lane, line) in words_mut(&mut padding).chunks_mut(words).enumerate() {
        if lane >= shape.lanes {
            line.fill(u64::MAX);
        } else if (shape.bits as usize) < 64 * words {
            set(line, shape.bits, true);
        }
    }
    Some(padding)
}
