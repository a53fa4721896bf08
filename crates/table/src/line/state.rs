//! The state of a run between two layers, written out and read back.
//!
//! All numbers are little-endian; words are 64 bits.
//!
//! | part | contents |
//! | --- | --- |
//! | magic | the eight bytes `NIMLINE` and 0 |
//! | version | one word, now 1 |
//! | game | words: stacks `n`, facets `f`, the `f` facets as bit sets, the `n` greatest heights, misere (0 or 1) |
//! | plan | words: the `n` stacks of the order, outermost first |
//! | counters | words: next layer, P-positions, how many counts by greatest height follow, these counts |
//! | table | words: how many follow, the words of the shared table, by the second stack |
//! | checksum | one word, over all words after the magic |

use super::block::{words, words_mut};
use super::plan::Plan;
use super::run::Run;
use super::{LineError, run::Tally};
use nimatron_game::{MAX_STACKS, Play, StackSet};
use std::io::{self, Read, Write};
use std::sync::PoisonError;

const MAGIC: [u8; 8] = *b"NIMLINE\0";
const VERSION: u64 = 1;
/// Words read or written at a time.
const BATCH: usize = 1 << 13;

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

impl<'a> Run<'a> {
    /// Writes the state; a run that was stopped within a layer has none.
    pub fn save(&self, to: impl Write) -> Result<(), StateError> {
        if self.spoiled {
            return Err(LineError::Spoiled.into());
        }
        let mut out = Writer { to, sum: Checksum::new(), bytes: Vec::new() };
        out.to.write_all(&MAGIC)?;
        let plan = &self.plan;
        out.word(VERSION)?;
        out.word(plan.heights().len() as u64)?;
        out.word(plan.facets().len() as u64)?;
        for facet in plan.facets() {
            out.word(facet.bits().into())?;
        }
        for &height in plan.heights() {
            out.word(height.into())?;
        }
        out.word(u64::from(self.play == Play::Misere))?;
        for &stack in plan.order() {
            out.word(stack as u64)?;
        }
        out.word(self.next.into())?;
        out.word(self.tally.count)?;
        let by_max = self.tally.by_max.as_deref().unwrap_or(&[]);
        out.word(by_max.len() as u64)?;
        for &count in by_max {
            out.word(count)?;
        }
        out.word(table_words(self))?;
        for slot in &self.ground {
            let held = slot.held.lock().unwrap_or_else(PoisonError::into_inner);
            out.words(words(&held.blocks))?;
        }
        let sum = out.sum.0;
        out.to.write_all(&sum.to_le_bytes())?;
        out.to.flush()?;
        Ok(())
    }

    /// Reads a state back. What the run was blocking must be given again.
    pub fn load(from: impl Read) -> Result<Self, StateError> {
        let mut input = Reader { from, sum: Checksum::new(), bytes: Vec::new() };
        let mut magic = [0; 8];
        input.exact(&mut magic)?;
        if magic != MAGIC {
            return Err(StateError::Magic);
        }
        match input.word()? {
            VERSION => {}
            version => return Err(StateError::Version(version)),
        }
        let stacks = input.below(MAX_STACKS as u64 + 1)? as usize;
        let facets = input.word()?;
        let mut sets = Vec::new();
        for _ in 0..facets {
            sets.push(StackSet::from_bits(input.below(1 << 32)? as u32));
        }
        let mut heights = Vec::new();
        for _ in 0..stacks {
            heights.push(input.below(1 << 32)? as u32);
        }
        let play = if input.below(2)? == 1 { Play::Misere } else { Play::Normal };
        let mut order = Vec::new();
        for _ in 0..stacks {
            order.push(input.below(stacks as u64)? as usize);
        }
        if stacks == 0 || order.iter().copied().collect::<StackSet>().len() != stacks {
            return Err(StateError::Damaged);
        }
        let covered = sets.iter().fold(StackSet::EMPTY, |all, &s| all | s);
        if covered != StackSet::first(stacks) || nimatron_game::maximal(&sets) != sets {
            return Err(StateError::Damaged);
        }
        let plan = Plan::in_order(sets, &heights, order)?;
        let next = input.below(u64::from(plan.layers()) + 1)? as u32;
        let count = input.word()?;
        let tallest = heights.iter().max().map_or(0, |&h| u64::from(h)) + 1;
        let by_max = match input.word()? {
            0 => None,
            len if len == tallest => {
                let counts: Result<Vec<u64>, _> = (0..len).map(|_| input.word()).collect();
                Some(counts?)
            }
            _ => return Err(StateError::Damaged),
        };
        let mut run = Run::at(plan, next)?.under(play);
        run.tally = Tally { count, by_max };
        if input.word()? != table_words(&run) {
            return Err(StateError::Damaged);
        }
        for slot in &mut run.ground {
            let held = slot.held.get_mut().unwrap_or_else(PoisonError::into_inner);
            input.words(words_mut(&mut held.blocks))?;
        }
        let sum = input.sum.0;
        let mut stored = [0; 8];
        input.exact(&mut stored)?;
        if u64::from_le_bytes(stored) != sum {
            return Err(StateError::Damaged);
        }
        Ok(run)
    }
}

fn table_words(run: &Run<'_>) -> u64 {
    let len = |slot: &super::run::Slot| {
        words(&slot.held.lock().unwrap_or_else(PoisonError::into_inner).blocks).len() as u64
    };
    run.ground.iter().map(len).sum()
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

struct Writer<W> {
    to: W,
    sum: Checksum,
    bytes: Vec<u8>,
}

impl<W: Write> Writer<W> {
    fn word(&mut self, word: u64) -> Result<(), StateError> {
        self.words(&[word])
    }

    fn words(&mut self, words: &[u64]) -> Result<(), StateError> {
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

struct Reader<R> {
    from: R,
    sum: Checksum,
    bytes: Vec<u8>,
}

impl<R: Read> Reader<R> {
    fn exact(&mut self, bytes: &mut [u8]) -> Result<(), StateError> {
        self.from.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => StateError::Truncated,
            _ => error.into(),
        })
    }

    fn word(&mut self) -> Result<u64, StateError> {
        let mut word = [0];
        self.words(&mut word)?;
        Ok(word[0])
    }

    /// A word that must be less than `bound`.
    fn below(&mut self, bound: u64) -> Result<u64, StateError> {
        self.word().and_then(|word| if word < bound { Ok(word) } else { Err(StateError::Damaged) })
    }

    fn words(&mut self, words: &mut [u64]) -> Result<(), StateError> {
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
