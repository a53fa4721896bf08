//! Blocks: the unit of memory that every operation works on.

use std::cell::Cell;

/// Bits in a block.
pub(crate) const BLOCK_BITS: usize = 512;
/// Words in a block.
pub(crate) const BLOCK_WORDS: usize = 8;

/// 512 bits, aligned to a cache line. Lane `l` of `w` bits is bits `l*w .. (l+1)*w`, counted
/// from the low end of word 0 on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Block(pub(crate) [u64; BLOCK_WORDS]);

impl Block {
    pub(crate) const ZERO: Block = Block([0; BLOCK_WORDS]);
}

/// The words of some blocks.
#[inline(always)]
pub(crate) fn words(blocks: &[Block]) -> &[u64] {
    // SAFETY: a block is exactly eight words without padding (repr(C), size 64), and its
    // alignment is a multiple of theirs.
    unsafe { std::slice::from_raw_parts(blocks.as_ptr().cast(), blocks.len() * BLOCK_WORDS) }
}

/// The words of some blocks, to be changed.
#[inline(always)]
pub(crate) fn words_mut(blocks: &mut [Block]) -> &mut [u64] {
    // SAFETY: as in `words`; the borrow is exclusive, and any words make a block.
    unsafe {
        std::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), blocks.len() * BLOCK_WORDS)
    }
}

/// The words of some blocks in cells.
#[inline(always)]
pub(crate) fn cell_words(cells: &[Cell<Block>]) -> &[Cell<u64>] {
    // SAFETY: as in `words`; a cell has the layout of what it holds, and any words make a block.
    unsafe { std::slice::from_raw_parts(cells.as_ptr().cast(), cells.len() * BLOCK_WORDS) }
}

/// A table of blocks.
///
/// Large tables would all start at the same place of a page and get in each other's way in the
/// caches, where blocks at equal distances from a page's start share few places: so each skips
/// a few blocks.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    blocks: Vec<Block>,
    skipped: usize,
}

impl Store {
    /// Empty blocks, or `None` if there is not enough memory. `number` tells stores apart.
    pub(crate) fn zeroed(blocks: usize, number: usize) -> Option<Self> {
        let skipped = if blocks < 32 { 0 } else { number * 11 % 64 };
        Some(Store { blocks: filled(Block::ZERO, blocks.checked_add(skipped)?)?, skipped })
    }

    /// Room for so many blocks that are not there yet: clearing a large table takes its time.
    /// `None` if there is not enough memory.
    pub(crate) fn reserved(blocks: usize) -> Option<Self> {
        let mut room = Vec::new();
        room.try_reserve_exact(blocks).ok()?;
        Some(Store { blocks: room, skipped: 0 })
    }

    /// Makes the blocks of a reserved store, empty ones, unless they are there.
    pub(crate) fn make(&mut self, blocks: usize) {
        if self.blocks.is_empty() {
            self.blocks.resize(blocks, Block::ZERO);
        }
    }

    /// Makes the blocks of a reserved store up to `until`, empty ones, and lends those from `from`
    /// on.
    pub(crate) fn grow(&mut self, from: usize, until: usize) -> &mut [Block] {
        self.blocks.resize(until, Block::ZERO);
        &mut self.blocks[from..]
    }
}

/// So many equal entries, or `None` if there is not enough memory.
pub(crate) fn filled<T: Clone>(entry: T, count: usize) -> Option<Vec<T>> {
    let mut entries = Vec::new();
    entries.try_reserve_exact(count).ok()?;
    entries.resize(count, entry);
    Some(entries)
}

impl std::ops::Deref for Store {
    type Target = [Block];
    #[inline(always)]
    fn deref(&self) -> &[Block] {
        &self.blocks[self.skipped..]
    }
}

impl std::ops::DerefMut for Store {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Block] {
        &mut self.blocks[self.skipped..]
    }
}

const _: () = assert!(size_of::<Block>() * 8 == BLOCK_BITS);
