//! What is done for the slices of a chunk before their P-positions can be found.
//!
//! Each table is brought to the current heights, then what goes into the marks is put together.
//! Each of these steps reads some tables and lowers what it reads along lanes and bits, as needed.
//! With `E` for what is to be lowered along lanes, bits, both or not, it brings
//! `E_none | lanes(E_lanes) | bits(E_bits | lanes(E_both))`, which never takes more than two
//! sweeps along the lanes, however many tables are read. What comes in along the row joins the
//! row's own table if that takes no sweep; else it is summed up in the same four parts and
//! lowered together with what goes into the marks.
//!
//! A step does this for a few slices: enough that looking up what is to be done does not matter,
//! and so few that the next step finds them in the nearest cache. Finding P-positions is left to
//! a loop of its own, because nobody can foresee where there are any, and a processor that
//! guessed wrong would have to begin all this again.

use super::block::Block;
use super::isa::{Isa, MOST_JOINED};
use super::tables::{BITS, Draft, LANES, SLICE, Source};
use std::cell::Cell;

/// The steps of a plan.
#[derive(Clone, Debug)]
pub(crate) struct Steps {
    /// Tables that are brought up to date, in order.
    pub(crate) tables: Vec<(usize, Reads)>,
    /// What goes into the marks.
    pub(crate) finals: Reads,
    /// What comes in along the row and goes into the marks from there on.
    pub(crate) row: Reads,
}

/// Tables to be read, by what is to be lowered: nothing, lanes, bits, both.
#[derive(Clone, Debug)]
pub(crate) struct Reads {
    list: Vec<usize>,
    starts: [usize; 5],
}

impl Reads {
    fn new(sources: &[Source]) -> Self {
        let (mut list, mut starts) = (Vec::new(), [0; 5]);
        for (f, form) in [0, LANES, BITS, SLICE].into_iter().enumerate() {
            list.extend(sources.iter().filter(|s| s.apply == form).map(|s| s.table));
            starts[f + 1] = list.len();
        }
        Reads { list, starts }
    }

    /// What is read with the `F`th form.
    #[inline(always)]
    pub(crate) fn form<const F: usize>(&self) -> &[usize] {
        &self.list[self.starts[F]..self.starts[F + 1]]
    }

    /// All four.
    #[inline(always)]
    pub(crate) fn forms(&self) -> [&[usize]; 4] {
        [self.form::<0>(), self.form::<1>(), self.form::<2>(), self.form::<3>()]
    }

    /// Whether nothing is read.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether something is lowered along lanes.
    pub(crate) fn sweeps(&self) -> bool {
        !(self.form::<1>().is_empty() && self.form::<3>().is_empty())
    }

    /// Whether nothing is lowered.
    pub(crate) fn is_plain(&self) -> bool {
        self.starts[1] == self.list.len()
    }
}

impl Steps {
    pub(crate) fn new(draft: &Draft) -> Self {
        let tables = draft.tables.iter().enumerate().filter(|(_, table)| table.place > 0);
        Steps {
            tables: tables.map(|(i, table)| (i, Reads::new(&table.sources))).collect(),
            finals: Reads::new(&draft.finals),
            row: Reads::new(&draft.row_sources),
        }
    }
}

/// The slices of the current chunk in a table.
///
/// Steps read some tables while they change others, hence the cells. Nobody else uses them
/// meanwhile.
#[derive(Clone, Copy)]
pub(crate) struct Strip<'t> {
    pub(crate) cells: &'t [Cell<Block>],
    /// Whether it starts again: what was there before does not count.
    pub(crate) fresh: bool,
}

/// Joins blocks of some strips as they are; afresh, or with what is there.
#[inline(always)]
pub(crate) fn join_plain<I: Isa>(
    isa: I,
    into: &[Cell<Block>],
    strips: &[Strip<'_>],
    numbers: &[usize],
    fresh: bool,
) {
    let mut fresh = fresh;
    for numbers in numbers.chunks(MOST_JOINED) {
        let mut sources: [&[Cell<Block>]; MOST_JOINED] = [&[]; MOST_JOINED];
        for (source, &number) in sources.iter_mut().zip(numbers) {
            *source = strips[number].cells;
        }
        isa.join(into, &sources[..numbers.len()], fresh);
        fresh = false;
    }
    if fresh {
        for block in into {
            block.set(Block::ZERO);
        }
    }
}

/// Joins what is held with blocks of some strips, all at the same place.
#[inline(always)]
pub(crate) fn join<I: Isa, const Z: usize>(
    isa: I,
    held: &mut [I::Vector; Z],
    strips: &[Strip<'_>],
    numbers: &[usize],
    at: usize,
) {
    for &number in numbers {
        let cells = &strips[number].cells[at..at + Z];
        for z in 0..Z {
            held[z] = isa.or(held[z], isa.read(&cells[z]));
        }
    }
}

/// What a step reads.
#[derive(Clone, Copy)]
pub(crate) struct Part<'p> {
    pub(crate) strips: &'p [Strip<'p>],
    pub(crate) reads: &'p Reads,
    /// What comes in along the row, and where it is summed up: a slice for each form.
    pub(crate) sums: Option<(&'p Reads, &'p [Cell<Block>])>,
}

impl Part<'_> {
    /// All that is read at some blocks of the chunk, lowered as needed. These are the blocks from
    /// `z` on of a slice of so many blocks; carries go from block to block.
    #[inline(always)]
    pub(crate) fn lowered<I: Isa, const W: usize, const Z: usize>(
        &self,
        isa: I,
        at: usize,
        slice: (usize, usize),
        carries: &mut [I::Vector; 2],
    ) -> [I::Vector; Z] {
        let mut all = [isa.splat(0); Z];
        let sweeps = self.form::<I, 3, Z>(isa, &mut all, at, slice);
        if sweeps {
            for v in &mut all {
                (*v, carries[0]) = isa.sweep::<W>(*v, carries[0]);
            }
        }
        if self.form::<I, 2, Z>(isa, &mut all, at, slice) || sweeps {
            for v in &mut all {
                *v = isa.close::<W>(*v);
            }
        }
        let mut lanes = [isa.splat(0); Z];
        if self.form::<I, 1, Z>(isa, &mut lanes, at, slice) {
            for z in 0..Z {
                (lanes[z], carries[1]) = isa.sweep::<W>(lanes[z], carries[1]);
                all[z] = isa.or(all[z], lanes[z]);
            }
        }
        self.form::<I, 0, Z>(isa, &mut all, at, slice);
        all
    }

    /// Joins what is held with all that has form `F` (nothing, lanes, bits, both); returns
    /// whether there is anything.
    #[inline(always)]
    fn form<I: Isa, const F: usize, const Z: usize>(
        &self,
        isa: I,
        held: &mut [I::Vector; Z],
        at: usize,
        (z, blocks): (usize, usize),
    ) -> bool {
        let reads = self.reads.form::<F>();
        join(isa, held, self.strips, reads, at);
        let (fed, sums) = match self.sums {
            Some((row, sums)) if !row.form::<F>().is_empty() => (row.form::<F>(), sums),
            _ => return !reads.is_empty(),
        };
        let sums = &sums[F * blocks + z..][..Z];
        let mut sum = [isa.splat(0); Z];
        for z in 0..Z {
            sum[z] = isa.read(&sums[z]);
        }
        join(isa, &mut sum, self.strips, fed, at);
        for z in 0..Z {
            isa.write(sum[z], &sums[z]);
            held[z] = isa.or(held[z], sum[z]);
        }
        true
    }
}

/// Joins what a step reads, and what is there already if that is to be kept, for slices of so
/// many blocks, `Z` at a time.
#[inline(always)]
pub(crate) fn bring<I: Isa, const W: usize, const Z: usize>(
    isa: I,
    into: &[Cell<Block>],
    keep: bool,
    part: Part<'_>,
    blocks: usize,
) {
    let none = isa.splat(0);
    let mut carries = [none; 2];
    for (i, into) in into.as_chunks::<Z>().0.iter().enumerate() {
        let z = if blocks == Z { 0 } else { i * Z % blocks };
        if z == 0 {
            carries = [none; 2];
        }
        let mut all = part.lowered::<I, W, Z>(isa, i * Z, (z, blocks), &mut carries);
        for z in 0..Z {
            if keep {
                all[z] = isa.or(all[z], isa.read(&into[z]));
            }
            isa.write(all[z], &into[z]);
        }
    }
}
