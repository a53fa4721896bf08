//! Handing out P-positions: one per orbit, or all of them, in lexicographic order of the stacks.
//!
//! On its way out a P-position is a key: the heights of all stacks in fields of one word, the
//! first stack in the highest bits, so that keys are in lexicographic order. An image under a
//! symmetry is the same fields moved elsewhere.

use super::orbits::{Images, push, reserve};
use super::run::Run;
use crate::line::{LineError, Sink};
use nimatron_game::{Height, Stop, Watch};

/// P-positions that are put in order at a time, if one height of the first stack does not have
/// more.
pub const AT_A_TIME: usize = 1 << 23;
/// Keys between two looks at the watch.
const WATCHED: usize = 1 << 16;

/// Where the heights of the stacks are in a key.
struct Keys {
    /// For each stack the lowest bit.
    at: Vec<u32>,
    /// For each stack the mask of a height.
    masks: Vec<u128>,
}

impl Keys {
    fn new(heights: &[u32]) -> Self {
        let widths: Vec<u32> = heights.iter().map(|h| 32 - h.leading_zeros()).collect();
        let mut at = vec![0; heights.len()];
        for s in (1..heights.len()).rev() {
            at[s - 1] = at[s] + widths[s];
        }
        Keys { at, masks: widths.iter().map(|&w| (1 << w) - 1).collect() }
    }

    /// The bits of a key.
    fn bits(&self) -> u32 {
        self.at[0] + self.masks[0].count_ones()
    }
}

/// A word that keys fit into.
trait Key: Copy + Ord + Default {
    fn of(number: u32) -> Self;
    fn left(self, by: u32) -> Self;
    fn right(self, by: u32) -> Self;
    fn with(self, other: Self) -> Self;
    fn wide(self) -> u128;
}

macro_rules! key {
    ($int:ty) => {
        impl Key for $int {
            #[inline(always)]
            fn of(number: u32) -> Self {
                number.into()
            }
            #[inline(always)]
            fn left(self, by: u32) -> Self {
                self << by
            }
            #[inline(always)]
            fn right(self, by: u32) -> Self {
                self >> by
            }
            #[inline(always)]
            fn with(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn wide(self) -> u128 {
                self.into()
            }
        }
    };
}
key!(u64);
key!(u128);

impl Run {
    /// Hands all P-positions to the sink, in lexicographic order.
    ///
    /// Only levels that are done are complete; finish the run first.
    pub fn positions(&self, watch: &dyn Watch, sink: &mut dyn Sink) -> Result<(), LineError> {
        if !self.lists.are_held() {
            return Err(LineError::Dropped);
        }
        let keys = Keys::new(self.plan.heights());
        match keys.bits() {
            0..=64 => self.all::<u64>(&keys, watch, sink)?,
            _ => self.all::<u128>(&keys, watch, sink)?,
        }
        Ok(())
    }

    /// Hands the least P-position of each orbit to the sink, in lexicographic order.
    pub fn representatives(&self, watch: &dyn Watch, sink: &mut dyn Sink) -> Result<(), LineError> {
        if !self.lists.are_held() {
            return Err(LineError::Dropped);
        }
        let n = self.plan.heights().len();
        let keys = Keys::new(self.plan.heights());
        let symmetry = self.plan.symmetry();
        let mut found: Vec<u128> = Vec::new();
        let (mut heights, mut tall) = (vec![0u32; n], vec![0 as Height; n]);
        for (number, canonical) in self.orbits.canonical.iter().enumerate() {
            let at = self.orbits.indices(canonical.block);
            watch.check(self.lists.bytes() + 16 * found.len() as u64)?;
            let keeping = symmetry.order() / u128::from(canonical.orbit);
            let stabiliser = (keeping > 1).then(|| self.stabiliser(&at));
            for (i, &number) in self.lists.get(number).iter().enumerate() {
                if i % WATCHED == WATCHED - 1 {
                    watch.check(self.lists.bytes() + 16 * found.len() as u64)?;
                }
                self.plan.heights_of(&at, number, &mut heights);
                tall.iter_mut().zip(&heights).for_each(|(tall, &h)| *tall = h.into());
                if stabiliser.as_ref().is_none_or(|s| s.is_canonical(&tall)) {
                    symmetry.canonicalise(&mut tall);
                    let fields = tall.iter().zip(&keys.at);
                    let key = fields.fold(0, |key, (&h, &at)| key | u128::from(h) << at);
                    push(&mut found, key).map_err(|_| Stop::Memory)?;
                }
            }
        }
        found.sort_unstable();
        hand_out(&keys, &found, watch, self.lists.bytes(), sink)?;
        Ok(())
    }

    fn all<K: Key>(&self, keys: &Keys, watch: &dyn Watch, sink: &mut dyn Sink) -> Result<(), Stop> {
        let layout = &self.plan.layout;
        // The first stack's place, whose height comes first in the order.
        let first = self.plan.order().iter().position(|&s| s == 0).expect("an order is whole");
        let first = layout.empty + first;
        let held = self.lists.bytes();
        let (mut list, mut spare): (Vec<K>, Vec<K>) = (Vec::new(), Vec::new());
        for index in 0..layout.blocks[first] {
            let slab = self.slab(first, index)?;
            let count =
                |block: &usize| self.lists.get(self.orbits.origin(*block).canonical as usize).len();
            // A block's heights of the first stack together, or one by one if there are many.
            let total: usize = slab.iter().map(count).sum();
            let step = if total <= AT_A_TIME { layout.side.heights() } else { 1 };
            for from in (0..layout.heights_in(first, index)).step_by(step as usize) {
                list.clear();
                for &block in &slab {
                    watch
                        .check(held + (list.len() + spare.len()) as u64 * size_of::<K>() as u64)?;
                    self.expand(keys, block, first, from..from + step, &mut list)?;
                }
                sort(&mut list, &mut spare, keys.bits())?;
                hand_out(keys, &list, watch, held, sink)?;
            }
        }
        Ok(())
    }

    /// The numbers of all blocks with this index at a place.
    fn slab(&self, place: usize, index: u32) -> Result<Vec<usize>, Stop> {
        let (stride, blocks) = (self.orbits.stride(place), self.plan.layout.blocks[place]);
        let all = self.orbits.origins().len();
        let mut slab = Vec::new();
        reserve(&mut slab, all / blocks as usize).map_err(|_| Stop::Memory)?;
        for group in (0..all).step_by(stride * blocks as usize) {
            let first = group + index as usize * stride;
            slab.extend(first..first + stride);
        }
        Ok(slab)
    }

    /// The keys of the P-positions of any block with these local heights at a place.
    fn expand<K: Key>(
        &self,
        keys: &Keys,
        block: usize,
        place: usize,
        heights: std::ops::Range<u32>,
        into: &mut Vec<K>,
    ) -> Result<(), Stop> {
        let (layout, order) = (&self.plan.layout, self.plan.order());
        let origin = self.orbits.origin(block);
        let list = self.lists.get(origin.canonical as usize);
        into.try_reserve(list.len()).map_err(|_| Stop::Memory)?;
        let images: &Images = &self.orbits.permutations[origin.by as usize];
        let field = layout.side.heights() - 1;
        let mut base = K::default();
        // Mask, distance to the left, distance to the right.
        let mut moves: Vec<(u32, u32, u32)> = Vec::new();
        let mut chosen = 0;
        for (from, &image) in images.iter().enumerate().take(layout.places()) {
            let image = usize::from(image);
            if image < layout.empty {
                continue;
            }
            let stack = order[image - layout.empty];
            let index = (block / self.orbits.stride(image)) as u32 % layout.blocks[image];
            base = base.with(K::of(index << layout.k()).left(keys.at[stack]));
            let (from, to) = (layout.at(from), keys.at[stack]);
            if image == place {
                chosen = from;
            }
            let by = (to.saturating_sub(from), from.saturating_sub(to));
            match moves.iter_mut().find(|m| (m.1, m.2) == by) {
                Some(known) => known.0 |= field << from,
                None => moves.push((field << from, by.0, by.1)),
            }
        }
        let moved = |number: u32| {
            moves.iter().fold(base, |key, &(mask, left, right)| {
                key.with(K::of(number & mask).left(left).right(right))
            })
        };
        if heights == (0..layout.side.heights()) {
            into.extend(list.iter().map(|&number| moved(number)));
        } else {
            let wanted = |&&number: &&u32| heights.contains(&(number >> chosen & field));
            into.extend(list.iter().filter(wanted).map(|&number| moved(number)));
        }
        Ok(())
    }
}

/// Sorts keys of so many bits.
fn sort<K: Key>(list: &mut Vec<K>, spare: &mut Vec<K>, bits: u32) -> Result<(), Stop> {
    const DIGIT: u32 = 11;
    if list.len() < 1 << 12 {
        list.sort_unstable();
        return Ok(());
    }
    spare.clear();
    reserve(spare, list.len()).map_err(|_| Stop::Memory)?;
    spare.resize(list.len(), K::default());
    // Bits that are the same in all keys need not be looked at.
    let (mut any, mut all) = (0u128, u128::MAX);
    for key in &*list {
        any |= key.wide();
        all &= key.wide();
    }
    let mut at = 0;
    while at < bits {
        if (any & !all) >> at & ((1 << DIGIT) - 1) == 0 {
            at += DIGIT;
            continue;
        }
        let digit = |key: &K| (key.right(at).wide() & ((1 << DIGIT) - 1)) as usize;
        let mut starts = [0usize; 1 << DIGIT];
        for key in &*list {
            starts[digit(key)] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += std::mem::replace(start, sum);
        }
        for key in &*list {
            let start = &mut starts[digit(key)];
            spare[*start] = *key;
            *start += 1;
        }
        std::mem::swap(list, spare);
        at += DIGIT;
    }
    Ok(())
}

fn hand_out<K: Key>(
    keys: &Keys,
    list: &[K],
    watch: &dyn Watch,
    held: u64,
    sink: &mut dyn Sink,
) -> Result<(), Stop> {
    let mut heights = vec![0u32; keys.at.len()];
    for some in list.chunks(WATCHED) {
        watch.check(held + 2 * size_of_val(list) as u64)?;
        for key in some {
            for ((height, &at), &mask) in heights.iter_mut().zip(&keys.at).zip(&keys.masks) {
                *height = (key.right(at).wide() & mask) as u32;
            }
            sink.p_position(&heights)?;
        }
    }
    Ok(())
}
