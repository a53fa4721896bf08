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

use super::LineError;
use super::block::{BLOCK_WORDS, words, words_mut};
use super::plan::Plan;
use super::run::{Run, Tally, slot_blocks};
use crate::saved::{BATCH, Reader, SavedGame, StateError, Writer};
use std::io::{Read, Write};
use std::sync::PoisonError;

const MAGIC: [u8; 8] = *b"NIMLINE\0";

impl<'a> Run<'a> {
    /// Writes the state; a run that was stopped within a layer has none.
    pub fn save(&self, to: impl Write) -> Result<(), StateError> {
        if self.spoiled {
            return Err(LineError::Spoiled.into());
        }
        let mut out = Writer::begin(to, MAGIC)?;
        let plan = &self.plan;
        out.game(plan.facets(), plan.heights(), self.play, plan.order())?;
        out.word(self.next.into())?;
        out.word(self.tally.count)?;
        let by_max = self.tally.by_max.as_deref().unwrap_or(&[]);
        out.word(by_max.len() as u64)?;
        for &count in by_max {
            out.word(count)?;
        }
        out.word(table_words(plan))?;
        for slot in &self.ground {
            let mut held = slot.held.lock().unwrap_or_else(PoisonError::into_inner);
            held.blocks.make(self.slot_blocks);
            out.words(words(&held.blocks))?;
        }
        out.finish()
    }

    /// Reads a state back. What the run was blocking must be given again.
    pub fn load(from: impl Read) -> Result<Self, StateError> {
        let mut input = Reader::begin(from, MAGIC)?;
        let SavedGame { sets, heights, play, order } = input.game()?;
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
        // Only now that the lengths are right, and no faster than the file holds words.
        if input.word()? != table_words(&plan) {
            return Err(StateError::Damaged);
        }
        let slots = plan.shape().outer[1];
        let mut run = Run::unfurnished(plan, next)?.under(play);
        run.tally = Tally { count, by_max };
        let blocks = run.slot_blocks;
        for _ in 0..slots {
            let slot = run.add_slot()?;
            for from in (0..blocks).step_by(BATCH / BLOCK_WORDS) {
                let until = blocks.min(from + BATCH / BLOCK_WORDS);
                input.words(words_mut(slot.grow(from, until)))?;
            }
        }
        input.finish()?;
        Ok(run)
    }
}

/// Words of the shared table.
fn table_words(plan: &Plan) -> u64 {
    let blocks = slot_blocks(plan).saturating_mul(plan.shape().outer[1].into());
    u64::try_from(blocks.saturating_mul(BLOCK_WORDS as u128)).unwrap_or(u64::MAX)
}
