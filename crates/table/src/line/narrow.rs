//! Lines of up to 64 bits, each in a lane of a block.

use super::block::{BLOCK_BITS, Block, cell_words, filled, words, words_mut};
use super::isa::Isa;
use super::lines::{Crowd, Finds, Found, Lines, Row, Slices};
use super::shape::Shape;
use super::steps::{Part, Strip, join_plain};
use super::tables::{BITS, Enter, Form, LANES, SLICE};
use std::cell::Cell;

/// Lines of up to `W` bits (16, 32 or 64).
#[derive(Clone, Debug)]
pub(crate) struct Narrow<const W: usize> {
    lanes: usize,
    bits: u32,
    blocks: usize,
    together: bool,
}

impl<const W: usize> Narrow<W> {
    /// A lane with all bits set.
    const FULL: u64 = u64::MAX >> (64 - W);
    /// Lanes in a block.
    const PER_BLOCK: usize = BLOCK_BITS / W;

    pub(crate) fn new(shape: &Shape, together: bool) -> Self {
        Narrow { lanes: shape.lanes, bits: shape.bits, blocks: shape.blocks, together }
    }

    // No closures where vectors are at work: they might be compiled without the instructions.

    /// What lowering `apply` reaches from a block of a slice. The carry goes from block to block.
    #[inline(always)]
    fn lowered<I: Isa>(isa: I, block: &Block, apply: Form, carry: &mut I::Vector) -> I::Vector {
        let mut v = isa.load(block);
        if apply & LANES != 0 {
            (v, *carry) = isa.sweep::<W>(v, *carry);
        }
        if apply & BITS != 0 {
            v = isa.close::<W>(v);
        }
        v
    }

    /// Does all steps for slices of so many blocks, `Z` at a time. Returns what joins the row's
    /// own table at each slice, if anything does.
    #[inline(always)]
    fn prepare<'s, I: Isa, const Z: usize>(
        isa: I,
        slices: &Slices<'s>,
        row: &Row<'s>,
        blocks: usize,
    ) -> Option<&'s [Cell<Block>]> {
        let (steps, strips) = (slices.steps, slices.strips);
        for (number, reads) in &steps.tables {
            let Strip { cells: into, fresh } = strips[*number];
            if reads.is_empty() && !fresh {
                continue;
            } else if reads.is_plain() {
                join_plain(isa, into, strips, reads.form::<0>(), fresh);
            } else {
                let part = Part { strips, reads, sums: None };
                Self::bring::<I, Z>(isa, into, !fresh, part, blocks);
            }
        }
        let finals = Part { strips, reads: &steps.finals, sums: None };
        if steps.row.sweeps() {
            let sums = Some((&steps.row, row.sums));
            Self::bring::<I, Z>(isa, row.marks, false, Part { sums, ..finals }, blocks);
            return None;
        }
        if steps.finals.is_plain() {
            join_plain(isa, row.marks, strips, finals.reads.form::<0>(), true);
        } else {
            Self::bring::<I, Z>(isa, row.marks, false, finals, blocks);
        }
        match steps.row.form::<0>() {
            [] if steps.row.is_empty() => return None,
            &[only] if steps.row.is_plain() => return Some(strips[only].cells),
            several if steps.row.is_plain() => join_plain(isa, row.feed, strips, several, true),
            _ => {
                let part = Part { strips, reads: &steps.row, sums: None };
                Self::bring::<I, Z>(isa, row.feed, false, part, blocks);
            }
        }
        Some(row.feed)
    }

    /// Joins what a step reads. Where no lanes are lowered slices do not matter, and as many blocks
    /// as there are registers for are handled together.
    #[inline(always)]
    fn bring<I: Isa, const Z: usize>(
        isa: I,
        into: &[Cell<Block>],
        keep: bool,
        part: Part<'_>,
        blocks: usize,
    ) {
        if part.sums.is_none() && !part.reads.sweeps() && into.len().is_multiple_of(8) {
            isa.bring::<W, 8>(into, keep, part, 8);
        } else {
            isa.bring::<W, Z>(into, keep, part, blocks);
        }
    }

    /// [`Lines::settle`] for slices of `Z` blocks with at most 64 lanes.
    #[inline(always)]
    fn settle_small<'s, I: Isa, const Z: usize>(
        &mut self,
        isa: I,
        slices: &Slices<'s>,
        row: Row<'s>,
        finds: &mut Finds,
    ) {
        let feed = Self::prepare::<I, Z>(isa, slices, &row, Z);
        let own: &mut [Block; Z] = row.own.try_into().expect("a slice of Z blocks");
        let mut held = [isa.splat(0); Z];
        for z in 0..Z {
            held[z] = isa.load(&own[z]);
        }
        let marks = row.marks.as_chunks::<Z>().0;
        let feed = feed.map(|feed| feed.as_chunks::<Z>().0);
        let mut crowded = finds.crowding;
        for (s, marks) in marks.iter().enumerate() {
            for &ahead in slices.ahead {
                for z in 0..Z {
                    isa.prefetch(ahead.wrapping_add(s * Z + z));
                }
            }
            let mut marked = [isa.splat(0); Z];
            let mut open = 0u64;
            for z in 0..Z {
                if let Some(feed) = feed {
                    held[z] = isa.or(held[z], isa.read(&feed[s][z]));
                }
                marked[z] = isa.or(held[z], isa.read(&marks[z]));
                if let Some(blocked) = slices.blocked {
                    marked[z] = isa.or(marked[z], isa.load(&blocked[s * Z + z]));
                }
                open |= isa.open::<W>(marked[z]) << (z * Self::PER_BLOCK);
            }
            if open == 0 {
                continue;
            }
            let slice = slices.first + s as u32;
            let before = finds.count;
            if !crowded {
                crowded = self.choose(isa, &marked, open, &mut 0, (slice, 0), finds);
            }
            if crowded {
                finds.count = before;
                let start = finds.crowds.len();
                crowded = self.crowd(isa, &marked, slice, finds) > 2 * Z;
                if let Some(enter) = slices.enter {
                    let crowd = &finds.crowds[start..start + Z];
                    for &form in forms(enter) {
                        let mut carry = isa.splat(0);
                        for z in 0..Z {
                            let v = Self::lowered(isa, &crowd[z], form, &mut carry);
                            held[z] = isa.or(held[z], v);
                        }
                    }
                }
            } else if let Some(enter) = slices.enter {
                for found in &finds.list[before..finds.count] {
                    let (lanes, bits) = match enter {
                        Enter::Plain => (1 << found.lane, Self::bits(found, false)),
                        Enter::Bits => (1 << found.lane, Self::bits(found, true)),
                        Enter::Lanes | Enter::Either => {
                            (u64::MAX << found.lane, Self::bits(found, false))
                        }
                        Enter::Both => (u64::MAX << found.lane, Self::bits(found, true)),
                    };
                    for (z, held) in held.iter_mut().enumerate() {
                        *held = isa.fill::<W>(*held, lanes >> (z * Self::PER_BLOCK), bits);
                    }
                    if enter == Enter::Either {
                        let (lanes, bits) = (1 << found.lane, Self::bits(found, true));
                        for (z, held) in held.iter_mut().enumerate() {
                            *held = isa.fill::<W>(*held, lanes >> (z * Self::PER_BLOCK), bits);
                        }
                    }
                }
            }
        }
        finds.crowding = crowded;
        for z in 0..Z {
            isa.store(held[z], &mut own[z]);
        }
    }

    /// [`Lines::settle`] for slices of any number of lanes.
    #[inline(always)]
    fn settle_large<'s, I: Isa>(
        &mut self,
        isa: I,
        slices: &Slices<'s>,
        row: Row<'s>,
        finds: &mut Finds,
    ) {
        let group = 64 / Self::PER_BLOCK;
        let feed = Self::prepare::<I, 1>(isa, slices, &row, self.blocks);
        for (s, marks) in row.marks.chunks_exact(self.blocks).enumerate() {
            let slice = slices.first + s as u32;
            let before = finds.count;
            let mut taken = 0;
            if let Some(feed) = feed {
                for (own, feed) in row.own.iter_mut().zip(&feed[s * self.blocks..]) {
                    isa.store(isa.or(isa.load(own), isa.read(feed)), own);
                }
            }
            for (g, marks) in marks.chunks(group).enumerate() {
                let mut marked = [isa.splat(0); 8];
                for (i, mark) in marks.iter().enumerate() {
                    let z = g * group + i;
                    marked[i] = isa.or(isa.read(mark), isa.load(&row.own[z]));
                    if let Some(blocked) = slices.blocked {
                        marked[i] = isa.or(marked[i], isa.load(&blocked[s * self.blocks + z]));
                    }
                }
                let marked = &marked[..marks.len()];
                let at = (slice, 64 * g as u32);
                let mut open = self.open(isa, marked, taken);
                while self.choose(isa, marked, open, &mut taken, at, finds) {
                    let last = finds.list[finds.count - 1].lane - at.1;
                    open = self.open(isa, marked, taken) & (u64::MAX - 1) << last;
                }
            }
            if let Some(enter) = slices.enter {
                let own = Cell::from_mut(&mut *row.own).as_slice_of_cells();
                self.enter_each(isa, own, slice, enter, &finds.list[before..finds.count]);
            }
        }
    }

    /// Finds the P-positions of up to 64 lanes in order; `open` are the lanes not full. `taken`
    /// is what P-positions of earlier lanes reach.
    ///
    /// After a P-position all lanes are looked at again with what it reaches. Where there are
    /// many that would take too long; then `true` is returned at once.
    #[inline(always)]
    fn choose<I: Isa>(
        &self,
        isa: I,
        marked: &[I::Vector],
        open: u64,
        taken: &mut u64,
        (slice, first_lane): (u32, u32),
        finds: &mut Finds,
    ) -> bool {
        let mut blocks = [Block::ZERO; 8];
        for (block, &v) in blocks.iter_mut().zip(marked) {
            isa.store(v, block);
        }
        let lines = words(&blocks);
        let mut open = open;
        let most = finds.count + 2 * marked.len() + 2;
        while open != 0 {
            let lane = open.trailing_zeros();
            let (word, shift) = (lane as usize * W / 64 % 64, lane as usize * W % 64);
            let bit = (lines[word] >> shift | *taken).trailing_ones();
            *taken |= if self.together { u64::MAX << bit } else { 1 << bit };
            finds.list[finds.count] = Found { slice, lane: first_lane + lane, bit };
            finds.count += 1;
            open = self.open(isa, marked, *taken) & (u64::MAX - 1) << lane;
            if finds.count == most {
                return true;
            }
        }
        false
    }

    /// The lanes that are not full when joined with `taken`.
    #[inline(always)]
    fn open<I: Isa>(&self, isa: I, marked: &[I::Vector], taken: u64) -> u64 {
        let taken = isa.splat(super::isa::repeat::<W>(taken & Self::FULL));
        let mut open = 0;
        for (z, &marked) in marked.iter().enumerate() {
            open |= isa.open::<W>(isa.or(marked, taken)) << (z * Self::PER_BLOCK);
        }
        open
    }

    /// Finds the P-positions of a slice with many of them, lane by lane; returns how many.
    #[inline(always)]
    fn crowd<I: Isa>(&self, isa: I, marked: &[I::Vector], slice: u32, finds: &mut Finds) -> usize {
        let start = finds.crowds.len();
        finds.crowds.resize(start + marked.len(), Block::ZERO);
        for (block, &v) in finds.crowds[start..].iter_mut().zip(marked) {
            isa.store(v, block);
        }
        let crowd = words_mut(&mut finds.crowds[start..]);
        let count = match self.together {
            true => Self::pick(crowd, |lowest| lowest.wrapping_neg()),
            false => Self::pick(crowd, |lowest| lowest),
        };
        let before = finds.count;
        if finds.listing {
            for (i, &chosen) in words(&finds.crowds[start..]).iter().enumerate() {
                let mut chosen = chosen;
                while chosen != 0 {
                    let at = chosen.trailing_zeros() as usize;
                    let lane = (i * (64 / W) + at / W) as u32;
                    finds.list[finds.count] = Found { slice, lane, bit: (at % W) as u32 };
                    finds.count += 1;
                    chosen &= chosen - 1;
                }
            }
        } else {
            finds.unlisted += count;
        }
        finds.crowded.push(Crowd { slice, listed: before..finds.count });
        count
    }

    /// Replaces every line by its P-position, if it has one; returns how many there are. A
    /// P-position takes `reached` from later lines.
    #[inline(always)]
    fn pick(lines: &mut [u64], reached: impl Fn(u64) -> u64) -> usize {
        let (mut taken, mut count) = (0u64, 0);
        for line in lines {
            let unmarked = !*line;
            let mut chosen = 0;
            for lane in 0..64 / W {
                let free = (unmarked >> (lane * W) & Self::FULL) & !taken;
                let lowest = free & free.wrapping_neg();
                taken |= reached(lowest);
                chosen |= lowest << (lane * W);
            }
            *line = chosen;
            count += chosen.count_ones() as usize;
        }
        count
    }

    /// Enters P-positions one by one.
    #[inline(always)]
    fn enter_each<I: Isa>(
        &self,
        isa: I,
        slices: &[Cell<Block>],
        first: u32,
        enter: Enter,
        found: &[Found],
    ) {
        match enter {
            Enter::Plain => self.enter_here(slices, first, false, found),
            Enter::Bits => self.enter_here(slices, first, true, found),
            Enter::Lanes => self.enter_along(isa, slices, first, false, found),
            Enter::Both => self.enter_along(isa, slices, first, true, found),
            Enter::Either => {
                self.enter_along(isa, slices, first, false, found);
                self.enter_here(slices, first, true, found);
            }
        }
    }

    /// Enters P-positions in their own lanes.
    #[inline(always)]
    fn enter_here(&self, slices: &[Cell<Block>], first: u32, up: bool, found: &[Found]) {
        let slices = cell_words(slices);
        for found in found {
            let start = (found.slice - first) as usize * self.blocks * 8;
            let (word, shift) = (found.lane as usize * W / 64, found.lane as usize * W % 64);
            let line = &slices[start + word];
            line.set(line.get() | Self::bits(found, up) << shift);
        }
    }

    /// Enters P-positions in their own lanes and all above.
    #[inline(always)]
    fn enter_along<I: Isa>(
        &self,
        isa: I,
        slices: &[Cell<Block>],
        first: u32,
        up: bool,
        found: &[Found],
    ) {
        for found in found {
            let start = (found.slice - first) as usize * self.blocks;
            let block = found.lane as usize / Self::PER_BLOCK;
            let bits = Self::bits(found, up);
            let mut lanes = u64::MAX << (found.lane as usize % Self::PER_BLOCK);
            for slice in &slices[start + block..start + self.blocks] {
                isa.write(isa.fill::<W>(isa.read(slice), lanes, bits), slice);
                lanes = u64::MAX;
            }
        }
    }

    /// The bit of a P-position, or all from there up.
    #[inline(always)]
    fn bits(found: &Found, up: bool) -> u64 {
        if up { Self::FULL >> found.bit << found.bit } else { 1 << found.bit }
    }
}

/// The ways of lowering that make up a way of entering.
fn forms(enter: Enter) -> &'static [Form] {
    match enter {
        Enter::Plain => &[0],
        Enter::Bits => &[BITS],
        Enter::Lanes => &[LANES],
        Enter::Either => &[LANES, BITS],
        Enter::Both => &[SLICE],
    }
}

impl<const W: usize> Lines for Narrow<W> {
    #[inline(always)]
    fn settle<'s, I: Isa>(&mut self, isa: I, slices: &Slices<'s>, row: Row<'s>, finds: &mut Finds) {
        match (self.blocks, W) {
            (1, _) => self.settle_small::<I, 1>(isa, slices, row, finds),
            (2, _) => self.settle_small::<I, 2>(isa, slices, row, finds),
            (3, 32 | 64) => self.settle_small::<I, 3>(isa, slices, row, finds),
            (4, 32 | 64) => self.settle_small::<I, 4>(isa, slices, row, finds),
            (5, 64) => self.settle_small::<I, 5>(isa, slices, row, finds),
            (6, 64) => self.settle_small::<I, 6>(isa, slices, row, finds),
            (7, 64) => self.settle_small::<I, 7>(isa, slices, row, finds),
            (8, 64) => self.settle_small::<I, 8>(isa, slices, row, finds),
            _ => self.settle_large(isa, slices, row, finds),
        }
    }

    #[inline(always)]
    fn enter<I: Isa>(
        &self,
        isa: I,
        slices: &[Cell<Block>],
        first: u32,
        enter: Enter,
        finds: &Finds,
    ) {
        for found in finds.scattered() {
            self.enter_each(isa, slices, first, enter, found);
        }
        let crowds = finds.crowds.chunks_exact(self.blocks);
        for (crowded, crowd) in finds.crowded.iter().zip(crowds) {
            let start = (crowded.slice - first) as usize * self.blocks;
            let slice = &slices[start..start + self.blocks];
            for &form in forms(enter) {
                let mut carry = isa.splat(0);
                for (block, into) in crowd.iter().zip(slice) {
                    let v = Self::lowered(isa, block, form, &mut carry);
                    isa.write(isa.or(isa.read(into), v), into);
                }
            }
        }
    }

    fn mark_line(&self, slice: &mut [Block], lane: usize, marked: &[u64]) {
        let (word, shift) = (lane * W / 64, lane * W % 64);
        words_mut(slice)[word] |= (marked[0] & Self::FULL) << shift;
    }
}

impl<const W: usize> Narrow<W> {
    /// A slice in which everything that lies outside the box is marked, or `None` if there is not
    /// enough memory.
    pub(crate) fn padding(&self) -> Option<Vec<Block>> {
        let mut padding = filled(Block::ZERO, self.blocks)?;
        for lane in 0..self.blocks * Self::PER_BLOCK {
            let outside = match lane {
                _ if lane >= self.lanes => Self::FULL,
                _ => Self::FULL.checked_shl(self.bits).unwrap_or(0),
            };
            self.mark_line(&mut padding, lane, &[outside]);
        }
        Some(padding)
    }
}
