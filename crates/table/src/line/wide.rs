//! Lines of several words, one after the other.

use super::block::{Block, words, words_mut};
use super::isa::Isa;
use super::lines::{Finds, Found, Lines, Slices};
use super::shape::Shape;
use super::tables::{BITS, Enter, Form, LANES};

/// Lines of several words.
#[derive(Clone, Debug)]
pub(crate) struct Wide {
    lanes: usize,
    bits: u32,
    blocks: usize,
    together: bool,
    words: usize,
    taken: Vec<u64>,
}

impl Wide {
    pub(crate) fn new(shape: &Shape, together: bool) -> Self {
        let words = shape.width.bits() / 64;
        let (lanes, bits, blocks) = (shape.lanes, shape.bits, shape.blocks);
        Wide { lanes, bits, blocks, together, words, taken: vec![0; words] }
    }

    #[inline(always)]
    fn settle_one(&mut self, marks: &[Block], row: &[Block], slice: u32, finds: &mut Finds) {
        self.taken.fill(0);
        let lines = words(marks).chunks_exact(self.words).zip(words(row).chunks_exact(self.words));
        for (lane, (marks, row)) in lines.take(self.lanes).enumerate() {
            let marked = || marks.iter().zip(row).zip(&self.taken).map(|((m, r), t)| m | r | t);
            if marked().fold(u64::MAX, |full, v| full & v) == u64::MAX {
                continue;
            }
            let open = marked().enumerate().find(|&(_, v)| v != u64::MAX);
            let (word, marked) = open.expect("the line is not full");
            let bit = word as u32 * 64 + marked.trailing_ones();
            set(&mut self.taken, bit, self.together);
            finds.list[finds.count] = Found { slice, lane: lane as u32, bit };
            finds.count += 1;
        }
    }

    #[inline(always)]
    fn enter_each(&self, slices: &mut [Block], first: u32, enter: Enter, found: &[Found]) {
        for f in found {
            let start = (f.slice - first) as usize * self.blocks;
            let slice = words_mut(&mut slices[start..start + self.blocks]);
            let mut lines = slice.chunks_exact_mut(self.words).skip(f.lane as usize);
            if let Some(line) = lines.next() {
                set(line, f.bit, !matches!(enter, Enter::Plain | Enter::Lanes));
            }
            if enter.spreads() {
                lines.for_each(|line| set(line, f.bit, enter == Enter::Both));
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

impl Lines for Wide {
    #[inline(always)]
    fn lower<I: Isa>(&self, _isa: I, into: &mut [Block], source: &[Block], apply: Form) {
        let mut swept = vec![0u64; self.words];
        let slices = into.chunks_exact_mut(self.blocks).zip(source.chunks_exact(self.blocks));
        for (into, source) in slices {
            swept.fill(0);
            let into = words_mut(into).chunks_exact_mut(self.words);
            for (into, source) in into.zip(words(source).chunks_exact(self.words)) {
                let mut below = 0;
                for ((into, &source), swept) in into.iter_mut().zip(source).zip(&mut swept) {
                    let mut v = source;
                    if apply & LANES != 0 {
                        *swept |= v;
                        v = *swept;
                    }
                    if apply & BITS != 0 {
                        v |= v.wrapping_neg() | below;
                        below = if v != 0 { u64::MAX } else { 0 };
                    }
                    *into = v;
                }
            }
        }
    }

    #[inline(always)]
    fn settle<I: Isa>(
        &mut self,
        _isa: I,
        slices: &Slices<'_>,
        row: &mut [Block],
        finds: &mut Finds,
    ) {
        for (s, marks) in slices.marks.chunks_exact(self.blocks).enumerate() {
            if let Some(feed) = slices.feed {
                for (row, &feed) in row.iter_mut().zip(&feed[s * self.blocks..]) {
                    *row = row.or(feed);
                }
            }
            let (slice, before) = (slices.first + s as u32, finds.count);
            self.settle_one(marks, row, slice, finds);
            if let Some(enter) = slices.enter {
                self.enter_each(row, slice, enter, &finds.list[before..finds.count]);
            }
        }
    }

    #[inline(always)]
    fn enter<I: Isa>(
        &self,
        _isa: I,
        slices: &mut [Block],
        first: u32,
        enter: Enter,
        finds: &Finds,
    ) {
        self.enter_each(slices, first, enter, finds.all());
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
