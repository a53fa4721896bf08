//! The P-positions of canonical blocks: all that one level leaves for the next ones.

use super::orbits::reserve;
use crate::line::LineError;
use std::fmt;
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// For each canonical block its P-positions, when they are known.
///
/// A P-position is a number made of its local heights, those of the last place lowest; the
/// numbers of a list increase.
#[derive(Default)]
pub struct Lists {
    lists: Vec<OnceLock<Kept>>,
    bytes: AtomicU64,
    /// Where lists are put that there is no room for, and the bytes that there is room for.
    shelf: Option<(Box<dyn Shelf>, u64)>,
    /// Lists before this block are not held: they are on the shelf, or dropped.
    shelved: usize,
}

/// A list that is known.
enum Kept {
    Held(Box<[u32]>),
    /// On the shelf, from this number on.
    Shelved {
        at: u64,
        length: usize,
    },
    /// Not needed any more.
    Dropped,
}

/// Where lists of P-positions can be put that do not fit into memory. Files are opened by the host;
/// what is put stays until the shelf is dropped.
pub trait Shelf: Send + Sync {
    /// Keeps these numbers behind all that are kept already, and says how many there were.
    fn put(&self, list: &[u32]) -> io::Result<u64>;

    /// Reads numbers back, from the one with this number on.
    fn get(&self, at: u64, into: &mut [u32]) -> io::Result<()>;
}

impl Lists {
    pub(crate) fn new(blocks: usize) -> Result<Self, LineError> {
        let mut lists = Vec::new();
        reserve(&mut lists, blocks)?;
        lists.resize_with(blocks, OnceLock::new);
        Ok(Lists { lists, ..Lists::default() })
    }

    /// The P-positions of a canonical block; none if they are not known yet, or not held.
    #[inline(always)]
    pub fn get(&self, block: usize) -> &[u32] {
        match self.lists[block].get() {
            Some(Kept::Held(list)) => list,
            _ => &[],
        }
    }

    /// The P-positions of a canonical block, wherever they are; those on the shelf are read into
    /// `room`.
    #[inline(always)]
    pub(crate) fn read<'a>(
        &'a self,
        block: usize,
        room: &'a mut Vec<u32>,
    ) -> Result<&'a [u32], LineError> {
        match self.lists[block].get() {
            Some(Kept::Held(list)) => Ok(list),
            Some(Kept::Shelved { at, length }) => self.fetch(*at, *length, room),
            Some(Kept::Dropped) => Err(LineError::Dropped),
            None => Ok(&[]),
        }
    }

    #[cold]
    fn fetch<'a>(
        &self,
        at: u64,
        length: usize,
        room: &'a mut Vec<u32>,
    ) -> Result<&'a [u32], LineError> {
        let Some((shelf, _)) = &self.shelf else { return Err(LineError::Dropped) };
        room.clear();
        reserve(room, length)?;
        room.resize(length, 0);
        shelf.get(at, room).map_err(|error| LineError::Outside(error.to_string()))?;
        Ok(room)
    }

    /// Whether the P-positions of a canonical block are known.
    pub fn is_known(&self, block: usize) -> bool {
        self.lists[block].get().is_some()
    }

    /// Whether all lists that are known are held in memory.
    pub fn are_held(&self) -> bool {
        self.lists.iter().all(|list| matches!(list.get(), None | Some(Kept::Held(_))))
    }

    /// Makes the P-positions of a canonical block known. Those that are known stay.
    pub(crate) fn put(&self, block: usize, list: Box<[u32]>) {
        let bytes = size_of_val(&*list) as u64;
        if self.lists[block].set(Kept::Held(list)).is_ok() {
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

    /// Lists that make more bytes than these go to the shelf, between two levels.
    pub(crate) fn set_shelf(&mut self, shelf: Box<dyn Shelf>, most: u64) {
        self.shelf = Some((shelf, most));
    }

    /// Drops a list.
    pub(crate) fn drop_list(&mut self, block: usize) {
        if let Some(kept) = self.lists[block].get_mut() {
            if let Kept::Held(list) = kept {
                *self.bytes.get_mut() -= size_of_val(&**list) as u64;
            }
            *kept = Kept::Dropped;
        }
    }

    /// Puts lists on the shelf until the others fit; the oldest first, which are read least.
    pub(crate) fn make_room(&mut self) -> Result<(), LineError> {
        let Some((shelf, most)) = &self.shelf else { return Ok(()) };
        while *self.bytes.get_mut() > *most && self.shelved < self.lists.len() {
            if let Some(kept) = self.lists[self.shelved].get_mut()
                && let Kept::Held(list) = kept
            {
                let at = shelf.put(list).map_err(|error| LineError::Outside(error.to_string()))?;
                *self.bytes.get_mut() -= size_of_val(&**list) as u64;
                *kept = Kept::Shelved { at, length: list.len() };
            }
            self.shelved += 1;
        }
        Ok(())
    }

    /// Bytes of all lists that are held.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Lists {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Lists");
        shown.field("blocks", &self.lists.len()).field("bytes", &self.bytes());
        shown.finish_non_exhaustive()
    }
}
