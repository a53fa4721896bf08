//! The state of a run, written out and read back.
//!
//! All numbers are little-endian; words are 64 bits.
//!
//! | part | contents |
//! | --- | --- |
//! | magic | the eight bytes `NIMBLOCK` |
//! | version | one word, now 1 |
//! | game | words: stacks `n`, facets `f`, the `f` facets as bit sets, the `n` greatest heights, misere (0 or 1) |
//! | plan | words: the `n` stacks of the order, outermost first; heights per block and stack (4, 8 or 16) |
//! | blocks | words: canonical blocks, 0 if nothing is begun; levels that are done |
//! | checksum | one word, over all words so far after the magic: nothing is set up from damaged words |
//! | lists | for each canonical block in order, words: 0 if it is not done, else 1 more than its P-positions; then these as increasing numbers, two per word |
//! | checksum | one word, over all words after the magic |

use super::layout::Side;
use super::plan::Plan;
use super::run::Run;
use crate::line::LineError;
use crate::saved::{BATCH, Reader, SavedGame, StateError, Writer};
use nimatron_game::Unlimited;
use std::io::{Read, Write};

const MAGIC: [u8; 8] = *b"NIMBLOCK";

impl Run {
    /// Writes what is known. That can be done at any time; a run that was stopped keeps the
    /// blocks that it finished.
    pub fn save(&self, to: impl Write) -> Result<(), StateError> {
        if !self.lists.are_held() {
            return Err(LineError::Dropped.into());
        }
        let mut out = Writer::begin(to, MAGIC)?;
        let plan = &self.plan;
        out.game(plan.facets(), plan.heights(), self.play, plan.order())?;
        out.word(plan.side().heights().into())?;
        let blocks = self.orbits.canonical.len();
        out.word(blocks as u64)?;
        out.word(self.next as u64)?;
        out.checksum()?;
        for block in 0..blocks {
            if !self.lists.is_known(block) {
                out.word(0)?;
                continue;
            }
            let list = self.lists.get(block);
            out.word(list.len() as u64 + 1)?;
            write_numbers(&mut out, list)?;
        }
        out.finish()
    }

    /// Reads a state back.
    pub fn load(from: impl Read) -> Result<Self, StateError> {
        let mut input = Reader::begin(from, MAGIC)?;
        let SavedGame { sets, heights, play, order } = input.game()?;
        let heights_per_block = input.word()?;
        let side = Side::ALL.into_iter().find(|s| u64::from(s.heights()) == heights_per_block);
        let side = side.filter(|s| s.takes(heights.len())).ok_or(StateError::Damaged)?;
        let (blocks, next) = (input.word()?, input.word()?);
        input.checksum()?;
        let plan = Plan::in_order(sets, &heights, order, side)?;
        // An orbit has no more blocks than there are symmetries: a short file does not make one
        // number many blocks.
        if (blocks, next) == (0, 0) {
            input.finish()?;
            return Ok(Run::new(plan).under(play));
        }
        let all = plan.layout.block_count().ok_or(StateError::Damaged)? as u128;
        let most = u128::from(blocks).saturating_mul(plan.symmetry().order());
        if u128::from(blocks) > all || most < all {
            return Err(StateError::Damaged);
        }
        let bound = 1u64 << (plan.layout.k() as usize * plan.layout.places());
        let mut lists: Vec<Option<Box<[u32]>>> = Vec::new();
        for _ in 0..blocks {
            lists.push(match input.below(bound + 2)?.checked_sub(1) {
                Some(count) => Some(numbers(&mut input, count, bound)?),
                None => None,
            });
        }
        input.finish()?;
        let mut run = Run::new(plan).under(play);
        run.prepare(&Unlimited)?;
        let levels = &run.orbits.levels;
        if lists.len() != run.orbits.canonical.len() || next as usize >= levels.len() {
            return Err(StateError::Damaged);
        }
        let mut done = lists.iter().take(levels[next as usize]);
        if done.any(Option::is_none) {
            return Err(StateError::Damaged);
        }
        run.next = next as usize;
        for (block, list) in lists.into_iter().enumerate() {
            if let Some(list) = list {
                run.lists.put(block, list);
            }
        }
        Ok(run)
    }
}

/// Numbers, two per word.
pub(crate) fn write_numbers<W: Write>(out: &mut Writer<W>, list: &[u32]) -> Result<(), StateError> {
    let mut words = Vec::new();
    for some in list.chunks(2 * BATCH) {
        words.clear();
        let two =
            |two: &[u32]| u64::from(two[0]) | two.get(1).map_or(0, |&high| u64::from(high) << 32);
        words.extend(some.chunks(2).map(two));
        out.words(&words)?;
    }
    Ok(())
}

/// So many increasing numbers less than a bound.
pub(crate) fn numbers<R: Read>(
    input: &mut Reader<R>,
    count: u64,
    bound: u64,
) -> Result<Box<[u32]>, StateError> {
    let mut list: Vec<u32> = Vec::new();
    let mut words = Vec::new();
    while (list.len() as u64) < count {
        let some = (count - list.len() as u64).min(2 * BATCH as u64) as usize;
        words.resize(some.div_ceil(2), 0);
        input.words(&mut words)?;
        let numbers = words.iter().flat_map(|&w| [w as u32, (w >> 32) as u32]);
        list.extend(numbers.take(some));
    }
    let in_order = list.is_sorted_by(|a, b| a < b);
    match in_order && list.last().is_none_or(|&last| u64::from(last) < bound) {
        true => Ok(list.into()),
        false => Err(StateError::Damaged),
    }
}
