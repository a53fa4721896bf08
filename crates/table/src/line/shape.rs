//! How a box is laid out in memory: outer places, slices of lanes, lines of bits.

use super::block::BLOCK_BITS;

/// How many outer places there are at least. A game with fewer outer stacks gets places of a
/// single height before the row's.
pub(crate) const MIN_OUTER: usize = 4;

/// What one line is held in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Width {
    /// A lane of 16 bits: heights up to 15.
    W16,
    /// A lane of 32 bits.
    W32,
    /// A lane of 64 bits.
    W64,
    /// Several words of 64 bits.
    Words(usize),
}

impl Width {
    pub(crate) fn holding(bits: u32) -> Self {
        match bits {
            0..=16 => Width::W16,
            17..=32 => Width::W32,
            33..=64 => Width::W64,
            _ => Width::Words(bits.div_ceil(64) as usize),
        }
    }

    pub(crate) fn bits(self) -> usize {
        match self {
            Width::W16 => 16,
            Width::W32 => 32,
            Width::W64 => 64,
            Width::Words(words) => 64 * words,
        }
    }
}

/// The places of so many outer stacks: from the first on, but the last one is the row.
pub(crate) fn places(stacks: usize) -> impl Iterator<Item = usize> {
    let row = stacks.max(MIN_OUTER) - 1;
    (0..stacks).map(move |i| if i + 1 == stacks { row } else { i })
}

/// The layout of a box whose stacks are taken in a certain order.
///
/// The last stack runs along the bits of a line, the one before along the lanes of a slice, the
/// others are outer. The number of heights (one more than the tallest) is kept for each.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// Heights per outer place, at least [`MIN_OUTER`] of them; the last one is the row.
    pub(crate) outer: Vec<u32>,
    /// The places of the outer stacks, in order.
    pub(crate) places: Vec<usize>,
    pub(crate) lanes: usize,
    pub(crate) bits: u32,
    pub(crate) width: Width,
    /// Blocks per slice.
    pub(crate) blocks: usize,
}

impl Shape {
    pub(crate) fn new(heights: &[u32], order: &[usize]) -> Self {
        let count = |&stack: &usize| heights[stack].saturating_add(1);
        let (bits, rest) = order.split_last().expect("a game has a stack");
        let (lanes, rest) = match rest.split_last() {
            Some((lanes, rest)) => (count(lanes) as usize, rest),
            None => (1, rest),
        };
        let mut outer = vec![1; rest.len().max(MIN_OUTER)];
        let places: Vec<usize> = places(rest.len()).collect();
        for (&place, stack) in places.iter().zip(rest) {
            outer[place] = count(stack);
        }
        let width = Width::holding(count(bits));
        let blocks = (lanes * width.bits()).div_ceil(BLOCK_BITS);
        Shape { outer, places, lanes, bits: count(bits), width, blocks }
    }

    /// The place whose heights are the slices of a row.
    pub(crate) fn row_place(&self) -> usize {
        self.outer.len() - 1
    }

    /// Slices in a row.
    pub(crate) fn row(&self) -> usize {
        self.outer[self.row_place()] as usize
    }

    /// Rows indexed by the places after `place`.
    pub(crate) fn rows_after(&self, place: usize) -> u128 {
        let between = &self.outer[(place + 1).min(self.row_place())..self.row_place()];
        between.iter().fold(1, |all, &m| u128::saturating_mul(all, m.into()))
    }

    /// Blocks of a table that runs along `place`.
    pub(crate) fn table_blocks(&self, place: usize) -> u128 {
        let row = if place < self.row_place() { self.row() as u128 } else { 1 };
        self.rows_after(place).saturating_mul(row).saturating_mul(self.blocks as u128)
    }

    /// Slices in the whole box.
    pub(crate) fn slices(&self) -> u128 {
        self.outer.iter().fold(1, |all, &m| u128::saturating_mul(all, m.into()))
    }

    /// Positions in a slice.
    pub(crate) fn slice_positions(&self) -> u128 {
        self.lanes as u128 * u128::from(self.bits)
    }
}
