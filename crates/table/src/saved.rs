//! What the states of both engines have in common: words with a checksum, and the game.
//!
//! All numbers are little-endian; words are 64 bits. A state begins with eight bytes of its own, the
//! *magic*, and the version of the format. Nothing is set up, and no more memory is taken than
//! the file has bytes, before what stands in the file has been compared with what it must be.

use crate::line::LineError;
use nimatron_game::{MAX_STACKS, Play, StackSet};
use std::io::{self, Read, Write};

/// The version of both formats.
const VERSION: u64 = 1;
/// Words read or written at a time.
pub(crate) const BATCH: usize = 1 << 13;
/// More facets than this are a sign of damage: nobody could have computed the table.
const MOST_FACETS: u64 = 1 << 14;

/// A state that cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file ends too early.
    #[error("the file is cut off")]
    Truncated,
    /// This is some other file.
    #[error("this is not the state of a table run")]
    Magic,
    /// The file was written in a format of another version.
    #[error("format version {0}, but {VERSION} is expected")]
    Version(u64),
    /// The contents contradict each other or do not match their checksum.
    #[error("the file is damaged")]
    Damaged,
    /// The run cannot be saved, or not be set up again.
    #[error(transparent)]
    Run(#[from] LineError),
}

/// What a state says about its game.
#[derive(Clone, Debug)]
pub(crate) struct SavedGame {
    pub(crate) sets: Vec<StackSet>,
    pub(crate) heights: Vec<u32>,
    pub(crate) play: Play,
    /// The stacks, outermost first.
    pub(crate) order: Vec<usize>,
}

/// A 64-bit checksum of words. Every step is a bijection of the sum and of the word, so that a
/// single changed word never goes unnoticed.
struct Checksum(u64);

impl Checksum {
    fn new() -> Self {
        Checksum(0x6e69_6d61_7472_6f6e)
    }

    fn add(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 29;
    }
}

pub(crate) struct Writer<W> {
    to: W,
    sum: Checksum,
    bytes: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// The facets, the heights, the convention and the order of the stacks.
    pub(crate) fn game(
        &mut self,
        facets: &[StackSet],
        heights: &[u32],
        play: Play,
        order: &[usize],
    ) -> Result<(), StateError> {
        self.word(heights.len() as u64)?;
        self.word(facets.len() as u64)?;
        for facet in facets {
            self.word(facet.bits().into())?;
        }
        for &height in heights {
            self.word(height.into())?;
        }
        self.word(u64::from(play == Play::Misere))?;
        for &stack in order {
            self.word(stack as u64)?;
        }
        Ok(())
    }

    /// Writes the checksum of all words so far.
    pub(crate) fn checksum(&mut self) -> Result<(), StateError> {
        self.word(self.sum.0)
    }

    /// Writes the last checksum.
    pub(crate) fn finish(mut self) -> Result<(), StateError> {
        let sum = self.sum.0;
        self.to.write_all(&sum.to_le_bytes())?;
        self.to.flush()?;
        Ok(())
    }

    /// Writes the magic, which the checksum leaves out, and the version.
    pub(crate) fn begin(mut to: W, magic: [u8; 8]) -> Result<Self, StateError> {
        to.write_all(&magic)?;
        let mut writer = Writer { to, sum: Checksum::new(), bytes: Vec::new() };
        writer.word(VERSION)?;
        Ok(writer)
    }

    pub(crate) fn word(&mut self, word: u64) -> Result<(), StateError> {
        self.words(&[word])
    }

    pub(crate) fn words(&mut self, words: &[u64]) -> Result<(), StateError> {
        for batch in words.chunks(BATCH) {
            self.bytes.clear();
            for &word in batch {
                self.sum.add(word);
                self.bytes.extend_from_slice(&word.to_le_bytes());
            }
            self.to.write_all(&self.bytes)?;
        }
        Ok(())
    }
}

pub(crate) struct Reader<R> {
    from: R,
    sum: Checksum,
    bytes: Vec<u8>,
}

impl<R: Read> Reader<R> {
    /// What [`Writer::game`] wrote.
    pub(crate) fn game(&mut self) -> Result<SavedGame, StateError> {
        let stacks = self.below(MAX_STACKS as u64 + 1)? as usize;
        let facets = self.below(MOST_FACETS + 1)?;
        let mut sets = Vec::new();
        for _ in 0..facets {
            sets.push(StackSet::from_bits(self.below(1 << 32)? as u32));
        }
        let mut heights = Vec::new();
        for _ in 0..stacks {
            heights.push(self.below(1 << 31)? as u32);
        }
        let play = if self.below(2)? == 1 { Play::Misere } else { Play::Normal };
        let mut order = Vec::new();
        for _ in 0..stacks {
            order.push(self.below(stacks as u64)? as usize);
        }
        if stacks == 0 || order.iter().copied().collect::<StackSet>().len() != stacks {
            return Err(StateError::Damaged);
        }
        let covered = sets.iter().fold(StackSet::EMPTY, |all, &s| all | s);
        if covered != StackSet::first(stacks) || nimatron_game::maximal(&sets) != sets {
            return Err(StateError::Damaged);
        }
        Ok(SavedGame { sets, heights, play, order })
    }

    /// Checks what [`Writer::checksum`] wrote.
    pub(crate) fn checksum(&mut self) -> Result<(), StateError> {
        let sum = self.sum.0;
        if self.word()? == sum { Ok(()) } else { Err(StateError::Damaged) }
    }

    /// Checks the last checksum.
    pub(crate) fn finish(mut self) -> Result<(), StateError> {
        let sum = self.sum.0;
        let mut stored = [0; 8];
        self.exact(&mut stored)?;
        if u64::from_le_bytes(stored) == sum { Ok(()) } else { Err(StateError::Damaged) }
    }

    /// Reads the magic and the version, which must be these.
    pub(crate) fn begin(from: R, magic: [u8; 8]) -> Result<Self, StateError> {
        let mut reader = Reader { from, sum: Checksum::new(), bytes: Vec::new() };
        let mut found = [0; 8];
        reader.exact(&mut found)?;
        if found != magic {
            return Err(StateError::Magic);
        }
        match reader.word()? {
            VERSION => Ok(reader),
            version => Err(StateError::Version(version)),
        }
    }

    fn exact(&mut self, bytes: &mut [u8]) -> Result<(), StateError> {
        self.from.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => StateError::Truncated,
            _ => error.into(),
        })
    }

    pub(crate) fn word(&mut self) -> Result<u64, StateError> {
        let mut word = [0];
        self.words(&mut word)?;
        Ok(word[0])
    }

    /// A word that must be less than `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> Result<u64, StateError> {
        self.word().and_then(|word| if word < bound { Ok(word) } else { Err(StateError::Damaged) })
    }

    pub(crate) fn words(&mut self, words: &mut [u64]) -> Result<(), StateError> {
        for batch in words.chunks_mut(BATCH) {
            let mut bytes = std::mem::take(&mut self.bytes);
            bytes.resize(batch.len() * 8, 0);
            self.exact(&mut bytes)?;
            for (word, bytes) in batch.iter_mut().zip(bytes.chunks_exact(8)) {
                *word = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
                self.sum.add(*word);
            }
            self.bytes = bytes;
        }
        Ok(())
    }
}
