//! Lines of up to 64 bits, each in a lane of a block.

use super::block::{BLOCK_BITS, Block, words, words_mut};
use super::isa::Isa;
use super::lines::{Crowd, Finds, Found, Lines, Slices};
use super::shape::Shape;
use super::tables::{BITS, Enter, Form, LANES, SLICE};

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

    /// What lowering `apply` reaches from a slice, block by block.
    #[inline(always)]
    fn lowered<I: Isa>(isa: I, source: &[Block], apply: Form, mut each: impl FnMut(usize, Block)) {
        let mut carry = 0;
        for (i, &block) in source.iter().enumerate() {
            let mut block = block;
            if apply & LANES != 0 {
                (block, carry) = isa.sweep::<W>(block, carry);
            }
            if apply & BITS != 0 {
                block = isa.close::<W>(block);
            }
            each(i, block);
        }
    }

    /// [`Lines::settle`] for slices of `Z` blocks with at most 64 lanes.
    #[inline(always)]
    fn settle_small<I: Isa, const Z: usize>(
        &self,
        isa: I,
        slices: &Slices<'_>,
        row: &mut [Block],
        finds: &mut Finds,
    ) {
        let mut held: [Block; Z] = std::array::from_fn(|z| row[z]);
        let marks = slices.marks.as_chunks::<Z>().0;
        let feed = slices.feed.map(|feed| &feed.as_chunks::<Z>().0[..marks.len()]);
        for (s, marks) in marks.iter().enumerate() {
            if let Some(feed) = feed {
                for z in 0..Z {
                    held[z] = held[z].or(feed[s][z]);
                }
            }
            let marked: [Block; Z] = std::array::from_fn(|z| marks[z].or(held[z]));
            let mut open = 0u64;
            for z in 0..Z {
                open |= isa.open::<W>(marked[z]) << (z * Self::PER_BLOCK);
            }
            if open == 0 {
                continue;
            }
            let slice = slices.first + s as u32;
            let before = finds.count;
            self.choose(&marked, open, 0, 0, slice, finds);
            if finds.count == before {
                continue;
            }
            if finds.count - before > 2 * Z + 2 {
                let start = finds.crowds.len();
                self.crowd(slice, before, finds);
                if let Some(enter) = slices.enter {
                    for &form in forms(enter) {
                        let crowd = &finds.crowds[start..];
                        Self::lowered(isa, crowd, form, |z, block| held[z] = held[z].or(block));
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
        row.copy_from_slice(&held);
    }

    /// [`Lines::settle`] for slices of any number of lanes.
    #[inline(always)]
    fn settle_large<I: Isa>(
        &self,
        isa: I,
        slices: &Slices<'_>,
        row: &mut [Block],
        finds: &mut Finds,
    ) {
        let group = 64 / Self::PER_BLOCK;
        for (s, marks) in slices.marks.chunks_exact(self.blocks).enumerate() {
            if let Some(feed) = slices.feed {
                for (row, &feed) in row.iter_mut().zip(&feed[s * self.blocks..]) {
                    *row = row.or(feed);
                }
            }
            let slice = slices.first + s as u32;
            let before = finds.count;
            let mut taken = 0;
            for (g, (marks, row)) in marks.chunks(group).zip(row.chunks(group)).enumerate() {
                let mut marked = [Block::ZERO; 8];
                let mut open = 0;
                for (i, (&mark, &row)) in marks.iter().zip(row).enumerate() {
                    marked[i] = mark.or(row);
                    open |= isa.open::<W>(marked[i]) << (i * Self::PER_BLOCK);
                }
                if open != 0 {
                    taken = self.choose(&marked, open, taken, 64 * g as u32, slice, finds);
                }
            }
            if let Some(enter) = slices.enter {
                self.enter_each(isa, row, slice, enter, &finds.list[before..finds.count]);
            }
        }
    }

    /// Goes through the open lanes in order and finds the P-position of each, if there is one.
    /// `taken` is what P-positions of earlier lanes reach, and is returned with those of these.
    #[inline(always)]
    fn choose(
        &self,
        marked: &[Block],
        open: u64,
        taken: u64,
        first_lane: u32,
        slice: u32,
        finds: &mut Finds,
    ) -> u64 {
        let (mut open, mut taken) = (open, taken);
        let marked = words(marked);
        let mut count = finds.count;
        while open != 0 {
            let lane = open.trailing_zeros();
            open &= open - 1;
            let (word, shift) = (lane as usize * W / 64, lane as usize * W % 64);
            let free = !(marked[word] >> shift | taken) & Self::FULL;
            let lowest = free & free.wrapping_neg();
            taken |= if self.together { lowest.wrapping_neg() } else { lowest };
            // Written in any case, and kept if it is one: cheaper than a branch.
            let bit = lowest.trailing_zeros();
            finds.list[count] = Found { slice, lane: first_lane + lane, bit };
            count += usize::from(free != 0);
        }
        finds.count = count;
        taken
    }

    /// Notes a slice with many P-positions.
    #[inline(never)]
    fn crowd(&self, slice: u32, before: usize, finds: &mut Finds) {
        let start = finds.crowds.len();
        finds.crowds.resize(start + self.blocks, Block::ZERO);
        let crowd = words_mut(&mut finds.crowds[start..]);
        for found in &finds.list[before..finds.count] {
            let (word, shift) = (found.lane as usize * W / 64, found.lane as usize * W % 64);
            crowd[word] |= 1 << (shift + found.bit as usize);
        }
        finds.crowded.push(Crowd { slice, listed: before..finds.count });
    }

    /// Enters P-positions one by one.
    #[inline(always)]
    fn enter_each<I: Isa>(
        &self,
        isa: I,
        slices: &mut [Block],
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
    fn enter_here(&self, slices: &mut [Block], first: u32, up: bool, found: &[Found]) {
        let slices = words_mut(slices);
        for found in found {
            let start = (found.slice - first) as usize * self.blocks * 8;
            let (word, shift) = (found.lane as usize * W / 64, found.lane as usize * W % 64);
            slices[start + word] |= Self::bits(found, up) << shift;
        }
    }

    /// Enters P-positions in their own lanes and all above.
    #[inline(always)]
    fn enter_along<I: Isa>(
        &self,
        isa: I,
        slices: &mut [Block],
        first: u32,
        up: bool,
        found: &[Found],
    ) {
        for found in found {
            let start = (found.slice - first) as usize * self.blocks;
            let block = found.lane as usize / Self::PER_BLOCK;
            let bits = Self::bits(found, up);
            let mut lanes = u64::MAX << (found.lane as usize % Self::PER_BLOCK);
            for slice in &mut slices[start + block..start + self.blocks] {
                *slice = isa.fill::<W>(*slice, lanes, bits);
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
    fn join<I: Isa>(&self, isa: I, into: &mut [Block], source: &[Block], apply: Form) {
        let slices = into.chunks_exact_mut(self.blocks).zip(source.chunks_exact(self.blocks));
        for (into, source) in slices {
            Self::lowered(isa, source, apply, |i, block| into[i] = into[i].or(block));
        }
    }

    #[inline(always)]
    fn settle<I: Isa>(
        &mut self,
        isa: I,
        slices: &Slices<'_>,
        row: &mut [Block],
        finds: &mut Finds,
    ) {
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
    fn enter<I: Isa>(&self, isa: I, slices: &mut [Block], first: u32, enter: Enter, finds: &Finds) {
        for found in finds.scattered() {
            self.enter_each(isa, slices, first, enter, found);
        }
        let crowds = finds.crowds.chunks_exact(self.blocks);
        for (crowded, crowd) in finds.crowded.iter().zip(crowds) {
            let start = (crowded.slice - first) as usize * self.blocks;
            let slice = &mut slices[start..start + self.blocks];
            for &form in forms(enter) {
                Self::lowered(isa, crowd, form, |i, block| slice[i] = slice[i].or(block));
            }
        }
    }

    fn mark_line(&self, slice: &mut [Block], lane: usize, marked: &[u64]) {
        let (word, shift) = (lane * W / 64, lane * W % 64);
        words_mut(slice)[word] |= (marked[0] & Self::FULL) << shift;
    }

    fn padding(&self) -> Vec<Block> {
        let mut padding = vec![Block::ZERO; self.blocks];
        for lane in 0..self.blocks * Self::PER_BLOCK {
            let outside = match lane {
                _ if lane >= self.lanes => Self::FULL,
                _ => Self::FULL.checked_shl(self.bits).unwrap_or(0),
            };
            self.mark_line(&mut padding, lane, &[outside]);
        }
        padding
    }
}
