//! How a box is cut into blocks, and how a block lies in memory.

use crate::line::LineError;

/// The logarithm of the side of a block: blocks have 4, 8 or 16 heights per stack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Side {
    /// Four heights; a vector of 256 bits holds four stacks.
    Four,
    /// Eight heights; a vector of 512 bits holds three stacks.
    Eight,
    /// Sixteen heights; a vector of 256 bits holds two stacks.
    Sixteen,
}

/// Positions of a block are numbered with so many bits at most.
const MOST_BITS: usize = 30;

impl Side {
    /// All sides.
    pub const ALL: [Side; 3] = [Side::Four, Side::Eight, Side::Sixteen];

    /// The bits of a local height.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Side::Four => 2,
            Side::Eight => 3,
            Side::Sixteen => 4,
        }
    }

    /// Heights per stack.
    pub fn heights(self) -> u32 {
        1 << self.bits()
    }

    /// How many stacks lie within a vector.
    pub(crate) fn inner(self) -> usize {
        match self {
            Side::Four => 4,
            Side::Eight => 3,
            Side::Sixteen => 2,
        }
    }

    /// Words of a vector.
    pub(crate) fn words(self) -> usize {
        (1 << (self.bits() as usize * self.inner())) / 64
    }

    /// Whether blocks of this side are possible for so many stacks.
    pub fn takes(self, stacks: usize) -> bool {
        stacks.max(self.inner() + 1) * self.bits() as usize <= MOST_BITS
    }
}

/// The places of a box: its stacks in the order chosen, outermost first.
///
/// The last places lie within a vector, the others are outer. A game with too few stacks gets
/// empty ones in front, which lie in no set.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) side: Side,
    /// How many places there are before those of the stacks.
    pub(crate) empty: usize,
    /// The greatest height at each place.
    pub(crate) tallest: Vec<u32>,
    /// How many blocks there are along each place.
    pub(crate) blocks: Vec<u32>,
}

impl Layout {
    pub(crate) fn new(heights: &[u32], order: &[usize], side: Side) -> Result<Self, LineError> {
        let n = order.len();
        if n == 0 || !side.takes(n) {
            return Err(LineError::Stacks(n));
        }
        let empty = (side.inner() + 1).saturating_sub(n);
        let mut tallest = vec![0; empty];
        tallest.extend(order.iter().map(|&stack| heights[stack]));
        let blocks = tallest.iter().map(|&h| h / side.heights() + 1).collect();
        Ok(Layout { side, empty, tallest, blocks })
    }

    /// All places.
    pub(crate) fn places(&self) -> usize {
        self.tallest.len()
    }

    /// Places outside the vectors, at least one.
    pub(crate) fn outer(&self) -> usize {
        self.places() - self.side.inner()
    }

    /// The bits of a local height.
    pub(crate) fn k(&self) -> u32 {
        self.side.bits()
    }

    /// Where the field of a place begins in the number of a position.
    pub(crate) fn at(&self, place: usize) -> u32 {
        self.k() * (self.places() - 1 - place) as u32
    }

    /// The same in arrays over all places but `gone`.
    pub(crate) fn at_without(&self, place: usize, gone: usize) -> u32 {
        self.at(place) - if place < gone { self.k() } else { 0 }
    }

    /// Words of an array over all places but one.
    pub(crate) fn array_words(&self) -> usize {
        1usize << (self.k() as usize * (self.places() - 1)).saturating_sub(6)
    }

    /// Words of an array over the places after an outer one.
    pub(crate) fn table_words(&self, place: usize) -> usize {
        1 << (self.at(place) - 6)
    }

    /// How many heights of a place belong to the box in blocks of this index.
    pub(crate) fn heights_in(&self, place: usize, block: u32) -> u32 {
        let side = self.side.heights();
        side.min((self.tallest[place] - block * side).saturating_add(1))
    }

    /// How many levels there are: sums of the indices of a block.
    pub(crate) fn levels(&self) -> usize {
        self.blocks.iter().map(|&b| b as usize - 1).sum::<usize>() + 1
    }

    /// The number of blocks, if it can be counted.
    pub(crate) fn block_count(&self) -> Option<usize> {
        self.blocks.iter().try_fold(1usize, |all, &b| all.checked_mul(b as usize))
    }
}
