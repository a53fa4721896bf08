//! Slices of lines: what lowering means within them, and how their P-positions are found.

use super::block::{BLOCK_BITS, Block, words, words_mut};
use super::isa::{Isa, repeat};
use super::shape::Shape;
use super::tables::{BITS, Enter, Form, LANES};

/// A P-position within a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) slice: u32,
    pub(crate) lane: u32,
    pub(crate) bit: u32,
}

/// How the lines of a slice are held.
pub(crate) trait Lines: Clone {
    /// Joins slices with what is reached from `source` by lowering `apply` within each slice.
    fn join<I: Isa>(&self, isa: I, into: &mut [Block], source: &[Block], apply: Form);

    /// Finds the P-positions of a slice in order. `marks` and `row` hold what is reached from
    /// outside the slice.
    fn settle<I: Isa>(
        &mut self,
        isa: I,
        marks: &[Block],
        row: &[Block],
        slice: u32,
        found: &mut Vec<Found>,
    );

    /// Enters P-positions into slices that start with slice `first` of the row.
    fn enter(&self, slices: &mut [Block], first: u32, enter: Enter, found: &[Found]);

    /// Marks one line. `marked` holds its bits in words.
    fn mark_line(&self, slice: &mut [Block], lane: usize, marked: &[u64]);

    /// A slice in which everything that lies outside the box is marked.
    fn padding(&self) -> Vec<Block>;
}

/// Lines of up to `W` bits (16, 32 or 64), several to a word.
#[derive(Clone, Debug)]
pub(crate) struct Narrow<const W: usize> {
    lanes: usize,
    bits: u32,
    blocks: usize,
    together: bool,
}

impl<const W: usize> Narrow<W> {
    const FULL: u64 = u64::MAX >> (64 - W);

    pub(crate) fn new(shape: &Shape, together: bool) -> Self {
        Narrow { lanes: shape.lanes, bits: shape.bits, blocks: shape.blocks, together }
    }
}

impl<const W: usize> Lines for Narrow<W> {
    #[inline(always)]
    fn join<I: Isa>(&self, isa: I, into: &mut [Block], source: &[Block], apply: Form) {
        if apply & LANES == 0 {
            for (into, &source) in into.iter_mut().zip(source) {
                *into = into.or(isa.close::<W>(source));
            }
            return;
        }
        let slices = into.chunks_exact_mut(self.blocks).zip(source.chunks_exact(self.blocks));
        for (into, source) in slices {
            let mut carry = 0;
            for (into, &source) in into.iter_mut().zip(source) {
                let (mut swept, next) = isa.sweep::<W>(source, carry);
                carry = next;
                if apply & BITS != 0 {
                    swept = isa.close::<W>(swept);
                }
                *into = into.or(swept);
            }
        }
    }

    #[inline(always)]
    fn settle<I: Isa>(
        &mut self,
        isa: I,
        marks: &[Block],
        row: &[Block],
        slice: u32,
        found: &mut Vec<Found>,
    ) {
        let per_block = BLOCK_BITS / W;
        let group = 64 / per_block;
        let mut taken = 0u64;
        let groups = marks.chunks(group).zip(row.chunks(group));
        for (g, (marks, row)) in groups.enumerate() {
            let mut open = 0u64;
            for (i, (&m, &r)) in marks.iter().zip(row).enumerate() {
                open |= isa.open::<W>(m.or(r)) << (i * per_block);
            }
            let (marks, row) = (words(marks), words(row));
            while open != 0 {
                let lane = open.trailing_zeros() as usize;
                open &= open - 1;
                let (word, shift) = (lane * W / 64, lane * W % 64);
                let free = !((marks[word] | row[word]) >> shift | taken) & Self::FULL;
                if free == 0 {
                    continue;
                }
                let lowest = free & free.wrapping_neg();
                taken |= if self.together { lowest.wrapping_neg() } else { lowest };
                let lane = (g * 64 + lane) as u32;
                found.push(Found { slice, lane, bit: lowest.trailing_zeros() });
            }
        }
    }

    #[inline(always)]
    fn enter(&self, slices: &mut [Block], first: u32, enter: Enter, found: &[Found]) {
        let blocks = self.blocks;
        for f in found {
            let start = (f.slice - first) as usize * blocks;
            let slice = words_mut(&mut slices[start..start + blocks]);
            let (word, shift) = (f.lane as usize * W / 64, f.lane as usize * W % 64);
            let (one, above) = (1u64 << f.bit, Self::FULL >> f.bit << f.bit);
            let along = if enter.both() { above } else { one };
            if enter.both() || enter.lanes() {
                let every = repeat::<W>(along);
                slice[word] |= every & u64::MAX << shift;
                for later in &mut slice[word + 1..] {
                    *later |= every;
                }
            }
            if !enter.both() {
                slice[word] |= if enter.bits() { above << shift } else { one << shift };
            }
        }
    }

    fn mark_line(&self, slice: &mut [Block], lane: usize, marked: &[u64]) {
        let (word, shift) = (lane * W / 64, lane * W % 64);
        words_mut(slice)[word] |= (marked[0] & Self::FULL) << shift;
    }

    fn padding(&self) -> Vec<Block> {
        let mut padding = vec![Block::ZERO; self.blocks];
        for lane in 0..self.blocks * (BLOCK_BITS / W) {
            let outside = match lane {
                _ if lane >= self.lanes => Self::FULL,
                _ => Self::FULL.checked_shl(self.bits).unwrap_or(0),
            };
            self.mark_line(&mut padding, lane, &[outside]);
        }
        padding
    }
}

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
        Wide {
            lanes: shape.lanes,
            bits: shape.bits,
            blocks: shape.blocks,
            together,
            words,
            taken: vec![0; words],
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
    fn join<I: Isa>(&self, _isa: I, into: &mut [Block], source: &[Block], apply: Form) {
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
                    *into |= v;
                }
            }
        }
    }

    #[inline(always)]
    fn settle<I: Isa>(
        &mut self,
        _isa: I,
        marks: &[Block],
        row: &[Block],
        slice: u32,
        found: &mut Vec<Found>,
    ) {
        self.taken.fill(0);
        let lines = words(marks).chunks_exact(self.words).zip(words(row).chunks_exact(self.words));
        for (lane, (marks, row)) in lines.take(self.lanes).enumerate() {
            let full = marks
                .iter()
                .zip(row)
                .zip(&self.taken)
                .fold(u64::MAX, |full, ((m, r), t)| full & (m | r | t));
            if full == u64::MAX {
                continue;
            }
            let marked = marks.iter().zip(row).zip(&self.taken).map(|((m, r), t)| m | r | t);
            let (word, marked) =
                marked.enumerate().find(|&(_, v)| v != u64::MAX).expect("the line is not full");
            let bit = word as u32 * 64 + marked.trailing_ones();
            set(&mut self.taken, bit, self.together);
            found.push(Found { slice, lane: lane as u32, bit });
        }
    }

    #[inline(always)]
    fn enter(&self, slices: &mut [Block], first: u32, enter: Enter, found: &[Found]) {
        for f in found {
            let start = (f.slice - first) as usize * self.blocks;
            let slice = words_mut(&mut slices[start..start + self.blocks]);
            let mut lines = slice.chunks_exact_mut(self.words).skip(f.lane as usize);
            if let Some(line) = lines.next() {
                set(line, f.bit, enter.bits() || enter.both());
            }
            if enter.lanes() || enter.both() {
                lines.for_each(|line| set(line, f.bit, enter.both()));
            }
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
