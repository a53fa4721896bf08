//! A tabulation written out between two steps, and read back.
//!
//! | part | contents |
//! | --- | --- |
//! | magic | the eight bytes `NIMTABLE` |
//! | version | one word, now 2 |
//! | note | its length in bytes, then the bytes: what the caller wants to remember |
//! | request | the same, in UTF-8: the game in notation, a newline, the greatest heights |
//! | engine | words: 0 for the line kernel, 1 for blocks; what is wanted: 0 for counts, 1 for representatives, 2 for all rows; 1 if all rows were handed out, else 0 |
//! | counts | words: P-positions; 1 and the orbits, or 0 and 0; how many heights follow (those without P-positions at the end are left out), P-positions by greatest height, orbits by greatest height |
//! | checksum | one word, over all bytes so far |
//! | state | the state of the engine, with its own checksum |
//!
//! Words are 64 bits, little-endian.

use super::run::{Counts, Engine, Tabulation, Wanted};
use nimatron_game::{Game, Height, StackSet};
use nimatron_table::blocks;
use nimatron_table::line::{Run, StateError};
use std::io::{self, Read, Write};

const MAGIC: [u8; 8] = *b"NIMTABLE";
const VERSION: u64 = 2;
/// What can be wanted, by its number.
const WANTED: [Wanted; 3] = [Wanted::Counts, Wanted::Representatives, Wanted::All];
/// Longer notes or requests are a sign of damage.
const MOST_BYTES: u64 = 1 << 24;
/// More heights than any table has P-positions of.
const MOST_HEIGHTS: u64 = 1 << 30;

/// A checkpoint that cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// This is some other file.
    #[error("this is not a checkpoint of a table")]
    Magic,
    /// The file was written in a format of another version.
    #[error("the checkpoint has format version {0}, but {VERSION} is expected")]
    Version(u64),
    /// The contents contradict each other or do not match their checksum, or the file is cut off.
    #[error("the checkpoint is damaged")]
    Damaged,
    /// Only tables of SetNim games have a state between their steps.
    #[error("tables of this game are computed in one step; there is nothing to save")]
    OneStep,
    /// The state of the kernel.
    #[error(transparent)]
    State(StateError),
}

impl From<StateError> for CheckpointError {
    fn from(error: StateError) -> Self {
        match error {
            StateError::Io(error) => CheckpointError::Io(error),
            StateError::Truncated | StateError::Damaged => CheckpointError::Damaged,
            other => CheckpointError::State(other),
        }
    }
}

impl Tabulation {
    /// Whether the run has a state that can be saved.
    pub fn can_be_saved(&self) -> bool {
        matches!(self.engine, Engine::Line(_) | Engine::Blocks { .. })
    }

    /// Writes the state between two steps, with a note of the caller's.
    pub fn save(&self, note: &[u8], mut to: impl Write) -> Result<(), CheckpointError> {
        let (engine, handed_out) = match &self.engine {
            Engine::Line(_) => (0, false),
            Engine::Blocks { handed_out, .. } => (1, *handed_out),
            Engine::Outcomes { .. } => return Err(CheckpointError::OneStep),
        };
        let mut bytes = Vec::new();
        let word = |bytes: &mut Vec<u8>, w: u64| bytes.extend(w.to_le_bytes());
        bytes.extend(MAGIC);
        word(&mut bytes, VERSION);
        let max: Vec<String> = self.max.iter().map(Height::to_string).collect();
        let request = format!("{}\n{}", self.game, max.join(","));
        for part in [note, request.as_bytes()] {
            word(&mut bytes, part.len() as u64);
            bytes.extend(part);
        }
        word(&mut bytes, engine);
        word(&mut bytes, WANTED.iter().position(|&w| w == self.wanted).unwrap_or(0) as u64);
        word(&mut bytes, u64::from(handed_out));
        let counts = &self.counts;
        word(&mut bytes, counts.p_count);
        word(&mut bytes, u64::from(counts.p_orbits.is_some()));
        word(&mut bytes, counts.p_orbits.unwrap_or(0));
        word(&mut bytes, counts.by_height.len() as u64);
        let orbits = counts.orbits_by_height.iter().filter(|_| counts.p_orbits.is_some());
        for &c in counts.by_height.iter().chain(orbits) {
            word(&mut bytes, c);
        }
        let sum = checksum(&bytes);
        word(&mut bytes, sum);
        to.write_all(&bytes)?;
        match &self.engine {
            Engine::Line(run) => run.save(&mut to)?,
            Engine::Blocks { run, .. } => run.save(&mut to)?,
            Engine::Outcomes { .. } => {}
        }
        Ok(())
    }

    /// Reads a state back, with its note.
    pub fn load(mut from: impl Read) -> Result<(Self, Vec<u8>), CheckpointError> {
        let mut input = Input { from: &mut from, read: Vec::new() };
        if input.bytes(8)? != MAGIC {
            return Err(CheckpointError::Magic);
        }
        match input.word()? {
            VERSION => {}
            version => return Err(CheckpointError::Version(version)),
        }
        let note = input.text()?;
        let request = String::from_utf8(input.text()?).map_err(|_| CheckpointError::Damaged)?;
        let (game, max) = request.split_once('\n').ok_or(CheckpointError::Damaged)?;
        let game: Game = game.parse().map_err(|_| CheckpointError::Damaged)?;
        let max: Result<Vec<Height>, _> = max.split(',').map(str::parse).collect();
        let max = max.map_err(|_| CheckpointError::Damaged)?;
        let engine = input.word()?;
        let wanted = *WANTED.get(input.word()? as usize).ok_or(CheckpointError::Damaged)?;
        let handed_out = input.word()? == 1;
        let p_count = input.word()?;
        let has_orbits = input.word()? == 1;
        let orbits = input.word()?;
        let heights = input.word()?;
        let tallest = max.iter().max().copied().unwrap_or(0);
        if heights > tallest.saturating_add(1) || heights > MOST_HEIGHTS {
            return Err(CheckpointError::Damaged);
        }
        let mut list = |wanted: bool| -> Result<Vec<u64>, CheckpointError> {
            let count = if wanted { heights } else { 0 };
            (0..count).map(|_| input.word()).collect()
        };
        let (by_height, mut orbits_by_height) = (list(true)?, list(has_orbits)?);
        orbits_by_height.resize(by_height.len(), 0);
        let expected = checksum(&input.read);
        if input.word()? != expected {
            return Err(CheckpointError::Damaged);
        }
        let sets = super::run::set_nim(&game).ok_or(CheckpointError::Damaged)?;
        let engine = match engine {
            0 => {
                let run = Run::load(from)?;
                same(&sets, &max, run.plan().facets(), run.plan().heights())?;
                Engine::Line(Box::new(run))
            }
            1 => {
                let run = blocks::Run::load(from)?;
                same(&sets, &max, run.plan().facets(), run.plan().heights())?;
                Engine::Blocks { run: Box::new(run), handed_out }
            }
            _ => return Err(CheckpointError::Damaged),
        };
        let mut tabulation = Tabulation::with_engine(&game, &max, wanted, engine);
        let p_orbits = has_orbits.then_some(orbits);
        tabulation.counts = Counts { p_count, p_orbits, by_height, orbits_by_height };
        Ok((tabulation, note))
    }
}

/// Whether the state of an engine is about this game and this box.
fn same(
    sets: &[StackSet],
    max: &[Height],
    planned: &[StackSet],
    heights: &[u32],
) -> Result<(), CheckpointError> {
    let sorted = |mut facets: Vec<StackSet>| {
        facets.sort_unstable();
        facets
    };
    let facets = sorted(nimatron_game::maximal(sets));
    let same_box = heights.iter().map(|&h| Height::from(h)).eq(max.iter().copied());
    match same_box && sorted(planned.to_vec()) == facets {
        true => Ok(()),
        false => Err(CheckpointError::Damaged),
    }
}

struct Input<'a, R> {
    from: &'a mut R,
    read: Vec<u8>,
}

impl<R: Read> Input<'_, R> {
    fn bytes(&mut self, count: usize) -> Result<Vec<u8>, CheckpointError> {
        let mut bytes = vec![0; count];
        self.from.read_exact(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => CheckpointError::Damaged,
            _ => CheckpointError::Io(error),
        })?;
        self.read.extend(&bytes);
        Ok(bytes)
    }

    fn word(&mut self) -> Result<u64, CheckpointError> {
        let bytes = self.bytes(8)?;
        Ok(u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
    }

    fn text(&mut self) -> Result<Vec<u8>, CheckpointError> {
        match self.word()? {
            length if length > MOST_BYTES => Err(CheckpointError::Damaged),
            length => self.bytes(length as usize),
        }
    }
}

/// The 64-bit FNV-1a hash.
fn checksum(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}
