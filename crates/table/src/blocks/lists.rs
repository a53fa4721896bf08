//! The P-positions of canonical blocks: all that one level leaves for the next ones.

use super::orbits::reserve;
use crate::line::LineError;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// For each canonical block its P-positions, when they are known.
///
/// A P-position is a number made of its local heights, those of the last place lowest; the
/// numbers of a list increase.
#[derive(Debug, Default)]
pub struct Lists {
    lists: Vec<OnceLock<Box<[u32]>>>,
    bytes: AtomicU64,
}

impl Lists {
    pub(crate) fn new(blocks: usize) -> Result<Self, LineError> {
        let mut lists = Vec::new();
        reserve(&mut lists, blocks)?;
        lists.resize_with(blocks, OnceLock::new);
        Ok(Lists { lists, bytes: AtomicU64::new(0) })
    }

    /// The P-positions of a canonical block; none if they are not known yet.
    #[inline(always)]
    pub fn get(&self, block: usize) -> &[u32] {
        self.lists[block].get().map_or(&[], |list| list)
    }

    /// Whether the P-positions of a canonical block are known.
    pub fn is_known(&self, block: usize) -> bool {
        self.lists[block].get().is_some()
    }

    /// Makes the P-positions of a canonical block known. Those that are known stay.
    pub(crate) fn put(&self, block: usize, list: Box<[u32]>) {
        let bytes = size_of_val(&*list) as u64;
        if self.lists[block].set(list).is_ok() {
            self.bytes.fetch_add(bytes, Ordering::Relaxed);
        }
    }

    /// Makes a copy of them known.
    pub(crate) fn copy(&self, block: usize, list: &[u32]) -> Result<(), LineError> {
        let mut copy = Vec::new();
        reserve(&mut copy, list.len())?;
        copy.extend_from_slice(list);
        self.put(block, copy.into_boxed_slice());
        Ok(())
    }

    /// Bytes of all lists.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}
