//! Lines of several words, one after the other.

use super::block::{BLOCK_WORDS, Block, cell_words, words, words_mut};
use super::isa::Isa;
use super::lines::{Finds, Found, Lines, Row, Slices};
use super::shape::Shape;
use super::steps::Strip;
use super::tables::Enter;
use std::cell::Cell;

/// Lines of several words.
#[derive(Clone, Debug)]
pub(crate) struct Wide {
    lanes: usize,
    bits: u32,
    blocks: usize,
    together: bool,
    words: usize,
    taken: Vec<u64>,
    /// What lines before have for each word that is lowered along lanes, and along both.
    swept: Vec<[u64; 2]>,
    /// Whether a word before in this line has something that is lowered along the bits.
    below: u64,
    /// The slice at hand.
    slice: Vec<Block>,
}

impl Wide {
    pub(crate) fn new(shape: &Shape, together: bool) -> Self {
        let words = shape.width.bits() / 64;
        let (lanes, bits, blocks) = (shape.lanes, shape.bits, shape.blocks);
        let (taken, swept) = (vec![0; words], vec![[0; 2]; words]);
        let slice = vec![Block::ZERO; blocks];
        Wide { lanes, bits, blocks, together, words, taken, swept, below: 0, slice }
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
                let own = if fresh { 0 } else { word.get() };
                let lowered = self.lowered(at, reads.forms().map(|numbers| read(numbers, at)));
                word.set(own | lowered);
            }
        }
        let slice_words = self.blocks * BLOCK_WORDS;
        let (finals, fed) = (slices.steps.finals.forms(), slices.steps.row.forms());
        for (at, word) in cell_words(row.marks).iter().enumerate() {
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
        if at < self.words {
            self.swept[w] = [0; 2];
        }
        if w == 0 {
            self.below = 0;
        }
        self.swept[w][0] |= lanes;
        self.swept[w][1] |= both;
        let closing = bits | self.swept[w][1];
        let closed = closing | closing.wrapping_neg() | self.below;
        self.below = if closed != 0 { u64::MAX } else { 0 };
        plain | self.swept[w][0] | closed
    }

    /// Finds the P-positions of the slice at hand, which holds what is marked.
    #[inline(always)]
    fn settle_one(&mut self, slice: u32, finds: &mut Finds) {
        self.taken.fill(0);
        let lines = words(&self.slice).chunks_exact(self.words);
        for (lane, line) in lines.take(self.lanes).enumerate() {
            let marked = line.iter().zip(&self.taken).map(|(line, taken)| line | taken);
            let open = marked.clone().enumerate().find(|&(_, v)| v != u64::MAX);
            let Some((word, marked)) = open else { continue };
            let bit = word as u32 * 64 + marked.trailing_ones();
            set(&mut self.taken, bit, self.together);
            finds.list[finds.count] = Found { slice, lane: lane as u32, bit };
            finds.count += 1;
        }
    }

    #[inline(always)]
    fn enter_one(&self, slice: &[Cell<Block>], enter: Enter, found: &Found) {
        let mut lines = cell_words(slice).chunks_exact(self.words).skip(found.lane as usize);
        if let Some(line) = lines.next() {
            set_cells(line, found.bit, !matches!(enter, Enter::Plain | Enter::Lanes));
        }
        if enter.spreads() {
            lines.for_each(|line| set_cells(line, found.bit, enter == Enter::Both));
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

impl Lines for Wide {
    #[inline(always)]
    fn settle<'s, I: Isa>(&mut self, isa: I, slices: &Slices<'s>, row: Row<'s>, finds: &mut Finds) {
        self.prepare(slices, &row);
        for (s, marks) in row.marks.chunks_exact(self.blocks).enumerate() {
            for (z, mark) in marks.iter().enumerate() {
                let mut marked = isa.or(isa.read(mark), isa.load(&row.own[z]));
                if let Some(blocked) = slices.blocked {
                    marked = isa.or(marked, isa.load(&blocked[s * self.blocks + z]));
                }
                isa.store(marked, &mut self.slice[z]);
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
            self.enter_one(&slices[start..start + self.blocks], enter, found);
        }
    }

    fn mark_line(&self, slice: &mut [Block], lane: usize, marked: &[u64]) {
        let line = &mut words_mut(slice)[lane * self.words..][..self.words];
        line.iter_mut().zip(marked).for_each(|(line, marked)| *line |= marked);
    }

    fn padding(&self) -> Vec<Block> {
        let mut padding = vec![Block::ZERO; self.blocks];
        for (lane, line) in words_mut(&mut padding).chunks_mut(self.words).enumerate() {
            if lane >= self.lanes {
                line.fill(u64::MAX);
            } else if (self.bits as usize) < 64 * self.words {
                set(line, self.bits, true);
            }
        }
        padding
    }
}
