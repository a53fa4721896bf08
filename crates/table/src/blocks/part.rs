//! A table in parts: what several parties keep of it, each in a file of its own.
//!
//! A part is a row of *frames*, one for each level in order. A frame holds the lists of those
//! blocks of its level that belong to its part; which these are depends on nothing but the plan and
//! the number of parts. So it makes no difference who computed what, and all frames of a level
//! together are all its lists.
//!
//! All numbers are little-endian; words are 64 bits.
//!
//! | part of a frame | contents |
//! | --- | --- |
//! | magic | the eight bytes `NIMLEVEL` |
//! | version | one word, now 1 |
//! | game, plan | as in the state of a run |
//! | frame | words: the level, the part, the number of parts, the number of blocks |
//! | checksum | one word, over all words so far after the magic |
//! | lists | for each block in order, words: its number among the canonical ones, its P-positions; then these as increasing numbers, two per word |
//! | checksum | one word, over all words after the magic |

use super::Census;
use super::layout::Side;
use super::lists::Shelf;
use super::plan::Plan;
use super::run::Run;
use super::state::{numbers, write_numbers};
use crate::line::LineError;
use crate::saved::{Reader, SavedGame, StateError, Writer};
use nimatron_game::Play;
use std::io::{Read, Write};

const MAGIC: [u8; 8] = *b"NIMLEVEL";

/// One level of one part, as it was read.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The level.
    pub level: usize,
    /// The part, from 0, and how many parts there are.
    pub part: usize,
    /// How many parts there are.
    pub parts: usize,
    /// The blocks with their lists.
    pub lists: Vec<(usize, Box<[u32]>)>,
    game: SavedGame,
    side: Side,
}

impl Run {
    /// Normal or misere play.
    pub fn play(&self) -> Play {
        self.play
    }

    /// The lists of a level that belong to a part; `None` if the level is not done.
    pub fn part_of(&self, level: usize, part: usize, parts: usize) -> Option<Vec<usize>> {
        if level >= self.next {
            return None;
        }
        let homes = self.homes(level, parts.max(1)).into_iter();
        let blocks = self.level(level).zip(homes).filter(|&(_, home)| home == part);
        Some(blocks.map(|(block, _)| block).collect())
    }

    /// Writes the frame of a level that is done and still held.
    pub fn write_frame(
        &self,
        level: usize,
        part: usize,
        parts: usize,
        to: impl Write,
    ) -> Result<(), StateError> {
        let blocks = self.part_of(level, part, parts).ok_or(LineError::Dropped)?;
        self.write_blocks(&blocks, self.frame(level, part, parts), to)
    }

    fn write_blocks(
        &self,
        blocks: &[usize],
        frame: Frame,
        to: impl Write,
    ) -> Result<(), StateError> {
        let mut out = frame.write_head(to, blocks.len())?;
        let mut room = Vec::new();
        for &block in blocks {
            write_list(&mut out, block, self.lists.read(block, &mut room)?)?;
        }
        out.finish()
    }

    /// Counts the lists of a level that belong to a part, and writes their frame if it is wanted.
    pub fn keep(
        &self,
        level: usize,
        (part, parts): (usize, usize),
        to: Option<impl Write>,
    ) -> Result<Census, StateError> {
        let blocks = self.part_of(level, part, parts).ok_or(LineError::Dropped)?;
        if let Some(to) = to {
            self.write_blocks(&blocks, self.frame(level, part, parts), to)?;
        }
        Ok(self.census_of(blocks.into_iter())?)
    }

    /// A frame of this table without lists.
    pub fn frame(&self, level: usize, part: usize, parts: usize) -> Frame {
        let plan = &self.plan;
        let game = SavedGame {
            sets: plan.facets().to_vec(),
            heights: plan.heights().to_vec(),
            play: self.play,
            order: plan.order().to_vec(),
        };
        Frame { level, part, parts, lists: Vec::new(), game, side: plan.side() }
    }

    /// What the P-positions of a level that belong to a part amount to.
    pub fn census_of_part(
        &self,
        level: usize,
        part: usize,
        parts: usize,
    ) -> Result<Census, LineError> {
        let blocks = self.part_of(level, part, parts).ok_or(LineError::Dropped)?;
        self.census_of(blocks.into_iter())
    }

    /// Takes all frames of the next level, which is done then. They must be those of one number of
    /// parts, each part once.
    pub fn take_level(&mut self, frames: Vec<Frame>) -> Result<(), StateError> {
        self.prepare(&nimatron_game::Unlimited)?;
        let level = self.next;
        let parts = frames.len();
        if self.is_finished() || parts == 0 {
            return Err(StateError::Damaged);
        }
        let homes = self.homes(level, parts);
        let blocks = self.level(level);
        let mut seen = vec![false; parts];
        for frame in frames {
            let fits = frame.level == level
                && frame.parts == parts
                && frame.part < parts
                && !std::mem::replace(&mut seen[frame.part], true)
                && frame.is_of(&self.plan, self.play);
            let mine = homes.iter().filter(|&&home| home == frame.part).count();
            if !fits || frame.lists.len() != mine {
                return Err(StateError::Damaged);
            }
            for (block, list) in frame.lists {
                if !blocks.contains(&block) || homes[block - blocks.start] != frame.part {
                    return Err(StateError::Damaged);
                }
                self.lists.put(block, list);
            }
        }
        if blocks.clone().any(|block| !self.lists.is_known(block)) {
            return Err(StateError::Damaged);
        }
        self.next += 1;
        Ok(())
    }

    /// The last level of which a block can need the list of this one: that of the block above it at
    /// all stacks of a facet.
    fn needed_until(&self, block: usize) -> usize {
        let layout = &self.plan.layout;
        let at = self.orbits.indices(self.orbits.canonical[block].block);
        let mut above = vec![0usize; self.plan.heights().len()];
        for (i, &stack) in self.plan.order().iter().enumerate() {
            let place = layout.empty + i;
            above[stack] = (layout.blocks[place] - 1 - at[place]) as usize;
        }
        let sum: usize = at.iter().map(|&index| index as usize).sum();
        let facets = self.plan.facets().iter();
        let most = facets.map(|facet| facet.iter().map(|stack| above[stack]).sum::<usize>()).max();
        // No block of another orbit needs a block more than the orbit's own; heights above are the
        // same up to symmetry.
        sum + most.unwrap_or(0)
    }

    /// Drops the lists that no level from here on needs. Counting and listing the whole table is
    /// not possible any more then.
    pub fn forget(&mut self) {
        if self.orbits.canonical.is_empty() {
            return;
        }
        self.expiring.resize_with(self.levels() + 1, Vec::new);
        for block in self.noted..self.orbits.levels[self.next] {
            let from = (self.needed_until(block) + 1).min(self.levels());
            self.expiring[from].push(block as u32);
        }
        self.noted = self.orbits.levels[self.next];
        for level in 0..=self.next {
            for block in std::mem::take(&mut self.expiring[level]) {
                self.lists.drop_list(block as usize);
            }
        }
    }

    /// The greatest share of all lists that has to be held at a time if lists are dropped as soon as
    /// no later level needs them; the orbits must be known.
    pub fn most_held(&self) -> f64 {
        let all = self.orbits.canonical.len();
        let mut change = vec![0i64; self.levels() + 1];
        for level in 0..self.levels().min(self.orbits.levels.len().saturating_sub(1)) {
            for block in self.level(level) {
                change[level] += 1;
                change[(self.needed_until(block) + 1).min(self.levels())] -= 1;
            }
        }
        let mut held = 0;
        let most = change.into_iter().map(|c| {
            held += c;
            held
        });
        most.max().unwrap_or(0) as f64 / all.max(1) as f64
    }

    /// The share of the canonical blocks that is in the largest level; the orbits must be known.
    pub fn largest_level(&self) -> f64 {
        let sizes = self.orbits.levels.windows(2).map(|level| level[1] - level[0]);
        sizes.max().unwrap_or(0) as f64 / self.orbits.canonical.len().max(1) as f64
    }

    /// How many canonical blocks there are, and the bytes that it takes to know which; none before the
    /// orbits are known.
    pub fn canonical_blocks(&self) -> (usize, u64) {
        (self.orbits.canonical.len(), self.orbits.bytes() as u64)
    }

    /// Lists that make more bytes than these are put on a shelf, between two levels.
    pub fn shelve(&mut self, shelf: Box<dyn Shelf>, most: u64) {
        self.lists.set_shelf(shelf, most);
    }

    /// Puts lists on the shelf if there is one, and they are too many.
    pub fn make_room(&mut self) -> Result<(), LineError> {
        self.lists.make_room()
    }

    /// For so many parties of equal speed: how much longer the levels take altogether than if every
    /// level could be shared out evenly; the orbits must be known.
    pub fn imbalance(&self, parties: usize) -> f64 {
        let (mut longest, mut even) = (0.0, 0.0);
        for level in 0..self.orbits.levels.len().saturating_sub(1) {
            let costs = self.costs(level);
            let mut loads = vec![0u64; parties.max(1)];
            let homes = self.homes(level, parties.max(1));
            homes.into_iter().zip(&costs).for_each(|(home, cost)| loads[home] += cost);
            longest += loads.into_iter().max().unwrap_or(0) as f64;
            even += costs.iter().sum::<u64>() as f64 / parties.max(1) as f64;
        }
        if even > 0.0 { longest / even } else { 1.0 }
    }
}

impl Frame {
    /// Reads a frame; `None` where there is nothing left.
    pub fn read(mut from: impl Read) -> Result<Option<Self>, StateError> {
        let mut first = [0u8; 1];
        match from.read(&mut first) {
            Ok(0) => return Ok(None),
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        let mut input = Reader::begin(first.chain(from), MAGIC)?;
        let game = input.game()?;
        let heights_per_block = input.word()?;
        let side = Side::ALL.into_iter().find(|s| u64::from(s.heights()) == heights_per_block);
        let side = side.filter(|s| s.takes(game.heights.len())).ok_or(StateError::Damaged)?;
        let [level, part, parts, count] =
            [input.word()?, input.word()?, input.word()?, input.word()?];
        input.checksum()?;
        let bits = side.bits() as usize * game.heights.len().max(side.inner() + 1);
        let bound = 1u64 << bits;
        let mut lists: Vec<(usize, Box<[u32]>)> = Vec::new();
        for _ in 0..count {
            let block = input.below(1 << 32)? as usize;
            let length = input.below(bound + 1)?;
            let list = numbers(&mut input, length, bound)?;
            if lists.last().is_some_and(|last| last.0 >= block) {
                return Err(StateError::Damaged);
            }
            lists.push((block, list));
        }
        input.finish()?;
        let [level, part, parts] = [level, part, parts].map(|word| word as usize);
        Ok(Some(Frame { level, part, parts, lists, game, side }))
    }

    /// Writes the frame.
    pub fn write(&self, to: impl Write) -> Result<(), StateError> {
        let mut out = self.write_head(to, self.lists.len())?;
        for (block, list) in &self.lists {
            write_list(&mut out, *block, list)?;
        }
        out.finish()
    }

    fn write_head<W: Write>(&self, to: W, blocks: usize) -> Result<Writer<W>, StateError> {
        let mut out = Writer::begin(to, MAGIC)?;
        let SavedGame { sets, heights, play, order } = &self.game;
        out.game(sets, heights, *play, order)?;
        out.word(self.side.heights().into())?;
        for number in [self.level, self.part, self.parts, blocks] {
            out.word(number as u64)?;
        }
        out.checksum()?;
        Ok(out)
    }

    /// A run that has not begun, of the table that this is a frame of.
    pub fn begin(&self) -> Result<Run, LineError> {
        let SavedGame { sets, heights, play, order } = self.game.clone();
        Ok(Run::new(Plan::in_order(sets, &heights, order, self.side)?).under(play))
    }

    fn is_of(&self, plan: &Plan, play: Play) -> bool {
        let game = &self.game;
        game.sets == plan.facets()
            && game.heights == plan.heights()
            && game.order == plan.order()
            && game.play == play
            && self.side == plan.side()
    }
}

fn write_list<W: Write>(out: &mut Writer<W>, block: usize, list: &[u32]) -> Result<(), StateError> {
    out.word(block as u64)?;
    out.word(list.len() as u64)?;
    write_numbers(out, list)
}
