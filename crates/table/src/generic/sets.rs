//! Grundy values and remoteness: a set of values for each position of a line.

use super::automaton::Closing;
use super::engine::Solver;
use super::unite;
use crate::boxes::{PositionBox, filled};
use crate::error::TableError;
use crate::pick::{Bits, Pick};
use crate::values::ValueLine;
use nimatron_game::Height;

/// The values found so far, handed on line by line.
pub(super) struct Values<'a, P> {
    pick: &'a P,
    sink: &'a mut dyn FnMut(ValueLine<'_>),
    /// Heights of the last stack.
    len: usize,
    /// Words of a set.
    words: usize,
    values: Vec<u32>,
    options: Vec<u64>,
    /// What each closing has collected along the last stack.
    running: Vec<u64>,
}

impl<'a, P: Pick> Values<'a, P> {
    pub(super) fn new(
        pick: &'a P,
        cells: &PositionBox,
        sink: &'a mut dyn FnMut(ValueLine<'_>),
    ) -> Result<Self, TableError> {
        let (len, words) = shape(cells)?;
        let values = filled(0u32, cells.len())?;
        let options = filled(0u64, words)?;
        Ok(Values { pick, sink, len, words, values, options, running: Vec::new() })
    }
}

/// Heights of the last stack, and words of a set.
fn shape(cells: &PositionBox) -> Result<(usize, usize), TableError> {
    let len = cells.max().last().map_or(1, |&max| max as usize + 1);
    let words = cells.tokens()? as usize / 64 + 1;
    match len.checked_mul(words) {
        Some(_) => Ok((len, words)),
        None => Err(TableError::TooLarge { positions: Some(cells.len() as u128) }),
    }
}

/// Words of a line.
pub(super) fn width(cells: &PositionBox) -> Result<usize, TableError> {
    shape(cells).map(|(len, words)| len * words)
}

impl<P: Pick> Solver for Values<'_, P> {
    fn width(&self) -> usize {
        self.len * self.words
    }

    #[inline]
    fn add_found(&self, line: usize, into: &mut [u64]) {
        let values = &self.values[line * self.len..];
        for (set, &value) in into.chunks_exact_mut(self.words).zip(values) {
            set[value as usize / 64] |= 1 << (value % 64);
        }
    }

    fn solve(
        &mut self,
        line: usize,
        heights: &[Height],
        open: &[u64],
        closings: &[(Closing, Vec<u64>)],
    ) {
        self.running.clear();
        self.running.resize(closings.len() * self.words, 0);
        match self.words {
            1 => self.solve_narrow::<u64>(line, open, closings),
            2 => self.solve_narrow::<u128>(line, open, closings),
            _ => self.solve_wide(line, open, closings),
        }
        let values = &self.values[line * self.len..][..self.len];
        (self.sink)(ValueLine { heights, along: heights.len() - 1, values });
    }
}

impl<P: Pick> Values<'_, P> {
    /// Decides a line when a set fits a machine integer.
    fn solve_narrow<B: Bits>(
        &mut self,
        line: usize,
        open: &[u64],
        closings: &[(Closing, Vec<u64>)],
    ) {
        let values = &mut self.values[line * self.len..][..self.len];
        let running = &mut self.running[..];
        for height in 0..values.len() {
            let mut options = B::load(&open[height * B::WORDS..]);
            for ((closing, reached), running) in
                closings.iter().zip(running.chunks_exact_mut(B::WORDS))
            {
                let Some(highest) = height.checked_sub(closing.least) else { continue };
                let at = |from: usize| {
                    let reached = B::load(&reached[from * B::WORDS..]);
                    if closing.alone { reached.with(B::only(values[from])) } else { reached }
                };
                match closing.most {
                    None => {
                        let collected = B::load(running).with(at(highest));
                        collected.store(running);
                        options = options.with(collected);
                    }
                    Some(most) => {
                        for from in height.saturating_sub(most)..=highest {
                            options = options.with(at(from));
                        }
                    }
                }
            }
            values[height] = self.pick.pick(options).least();
        }
    }

    /// Decides a line, sets of any number of words.
    fn solve_wide(&mut self, line: usize, open: &[u64], closings: &[(Closing, Vec<u64>)]) {
        let words = self.words;
        let values = &mut self.values[line * self.len..][..self.len];
        let options = &mut self.options[..];
        for height in 0..values.len() {
            options.copy_from_slice(&open[height * words..][..words]);
            for ((closing, reached), running) in
                closings.iter().zip(self.running.chunks_exact_mut(words))
            {
                let add = |set: &mut [u64], from: usize| {
                    unite(set, &reached[from * words..][..words]);
                    if closing.alone {
                        set[values[from] as usize / 64] |= 1 << (values[from] % 64);
                    }
                };
                let Some(highest) = height.checked_sub(closing.least) else { continue };
                match closing.most {
                    None => {
                        add(running, highest);
                        unite(options, running);
                    }
                    Some(most) => {
                        for from in height.saturating_sub(most)..=highest {
                            add(options, from);
                        }
                    }
                }
            }
            values[height] = self.pick.pick_wide(options);
        }
    }
}
