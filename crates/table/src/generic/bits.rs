//! Outcomes: one bit for each position of a line, set for the P-positions.

use super::automaton::Closing;
use super::engine::Solver;
use crate::boxes::{PositionBox, filled};
use crate::error::TableError;
use nimatron_game::{Game, Height, Play};

/// The P-positions found so far.
pub(super) struct Outcomes<'a> {
    /// `None` under normal play.
    ends: Option<Ends<'a>>,
    /// Heights of the last stack.
    len: usize,
    width: usize,
    p: Vec<u64>,
    marked: Vec<u64>,
    shifted: Vec<u64>,
}

impl<'a> Outcomes<'a> {
    pub(super) fn new(game: &'a Game, cells: &PositionBox) -> Result<Self, TableError> {
        let len = cells.max().last().map_or(1, |&max| max as usize + 1);
        let width = len.div_ceil(64);
        let lines = cells.len() / len;
        let ends = match game.convention() {
            Play::Normal => None,
            Play::Misere => Some(Ends::new(game, cells, lines)?),
        };
        let p = filled(0u64, lines * width)?;
        let (marked, shifted) = (filled(0u64, width)?, filled(0u64, width)?);
        Ok(Outcomes { ends, len, width, p, marked, shifted })
    }

    /// Words of a line.
    pub(super) fn width_in(cells: &PositionBox) -> usize {
        cells.max().last().map_or(1, |&max| max as usize + 1).div_ceil(64)
    }

    /// The bytes held.
    pub(super) fn memory(game: &Game, cells: &PositionBox) -> u64 {
        let len = cells.max().last().map_or(1, |&max| max as usize + 1);
        let words = match game.convention() {
            Play::Normal => len.div_ceil(64),
            Play::Misere => len.div_ceil(64) + 1,
        };
        let lines = (cells.len() / len) as u64;
        (lines.saturating_add(2)).saturating_mul(8 * words as u64)
    }

    /// Calls `each` with the number of each P-position, until it refuses one.
    pub(super) fn for_each_p<E>(
        &self,
        mut each: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<(), E> {
        for (line, words) in self.p.chunks_exact(self.width).enumerate() {
            for (i, &word) in words.iter().enumerate() {
                let mut left = word;
                while left != 0 {
                    each(line * self.len + 64 * i + left.trailing_zeros() as usize)?;
                    left &= left - 1;
                }
            }
        }
        Ok(())
    }
}

impl Solver for Outcomes<'_> {
    fn width(&self) -> usize {
        self.width
    }

    #[inline]
    fn add_found(&self, line: usize, into: &mut [u64]) {
        let found = &self.p[line * self.width..];
        into.iter_mut().zip(found).for_each(|(a, &b)| *a |= b);
    }

    fn solve(
        &mut self,
        line: usize,
        heights: &[Height],
        open: &[u64],
        closings: &[(Closing, Vec<u64>)],
    ) {
        let marked = &mut self.marked[..];
        marked.copy_from_slice(open);
        for (closing, reached) in closings {
            if !closing.tables.is_empty() {
                mark_above(marked, reached, closing, &mut self.shifted);
            }
        }
        // Positions without options: under misere play they are N, and lead to nobody's loss.
        let first = self.ends.as_mut().map_or(0, |ends| ends.first_move(line, heights));
        let p = &mut self.p[line * self.width..][..self.width];
        let mut from = first;
        while let Some(height) = next_unset(marked, from, self.len) {
            p[height / 64] |= 1 << (height % 64);
            for (closing, _) in closings.iter().filter(|(closing, _)| closing.alone) {
                let top = closing.most.map_or(self.len, |most| (height + most + 1).min(self.len));
                set_range(marked, height + closing.least, top);
            }
            from = height + 1;
        }
    }
}

/// Marks the heights from which the last stack can be lowered to a reached height.
fn mark_above(marked: &mut [u64], reached: &[u64], closing: &Closing, shifted: &mut [u64]) {
    match closing.most {
        None => {
            if let Some(word) = reached.iter().position(|&w| w != 0) {
                let lowest = 64 * word + reached[word].trailing_zeros() as usize;
                set_range(marked, lowest + closing.least, 64 * marked.len());
            }
        }
        Some(most) => {
            // Amounts least..least+covered are done in `shifted`; double until all are.
            shifted.copy_from_slice(reached);
            let (amounts, mut covered) = (most - closing.least + 1, 1);
            while covered < amounts {
                let step = covered.min(amounts - covered);
                for i in (0..shifted.len()).rev() {
                    shifted[i] |= word_shifted_up(shifted, i, step);
                }
                covered += step;
            }
            for (i, mark) in marked.iter_mut().enumerate() {
                *mark |= word_shifted_up(shifted, i, closing.least);
            }
        }
    }
}

/// Word `i` of the bits moved up by `by` places.
#[inline]
fn word_shifted_up(bits: &[u64], i: usize, by: usize) -> u64 {
    let (words, rest) = (by / 64, by % 64);
    let word = |back: usize| i.checked_sub(back).map_or(0, |i| bits[i]);
    match rest {
        0 => word(words),
        _ => word(words) << rest | word(words + 1) >> (64 - rest),
    }
}

/// Sets the bits `from..to`, if there are any; `to` must lie within the words.
fn set_range(bits: &mut [u64], from: usize, to: usize) {
    let mut at = from;
    while at < to {
        let end = ((at / 64 + 1) * 64).min(to);
        let ones = u64::MAX >> (64 - (end - at));
        bits[at / 64] |= ones << (at % 64);
        at = end;
    }
}

/// The first place from `from` on, below `len`, whose bit is not set.
#[inline]
fn next_unset(bits: &[u64], from: usize, len: usize) -> Option<usize> {
    let mut at = from;
    while at < len {
        let unset = !bits[at / 64] >> (at % 64);
        if unset != 0 {
            return Some(at + unset.trailing_zeros() as usize).filter(|&place| place < len);
        }
        at = (at / 64 + 1) * 64;
    }
    None
}

/// Where play ends: the positions without options.
///
/// More tokens never take a move away. So along each line the positions without options come
/// first, and a position that has one although no position below it has is itself a legal take.
struct Ends<'a> {
    game: &'a Game,
    /// Lines by which a token on each stack (but the last) counts.
    strides: Vec<usize>,
    /// For each line the first height with an option.
    first: Vec<usize>,
    position: Vec<Height>,
    len: usize,
}

impl<'a> Ends<'a> {
    fn new(game: &'a Game, cells: &PositionBox, lines: usize) -> Result<Self, TableError> {
        let last = cells.stacks() - 1;
        let len = cells.max()[last] as usize + 1;
        let strides = cells.strides()[..last].iter().map(|s| s / len).collect();
        let (first, position) = (filled(0usize, lines)?, vec![0; last + 1]);
        Ok(Ends { game, strides, first, position, len })
    }

    /// The first height of a line that has an option; to be asked in the order of the lines.
    fn first_move(&mut self, line: usize, heights: &[Height]) -> usize {
        let mut first = self.len;
        for (&height, stride) in heights.iter().zip(&self.strides) {
            if height > 0 {
                first = first.min(self.first[line - stride]);
            }
        }
        self.position.copy_from_slice(heights);
        let last = heights.len() - 1;
        for height in 0..first {
            self.position[last] = height as Height;
            if self.game.is_legal(&self.position, &self.position) {
                first = height;
                break;
            }
        }
        self.first[line] = first;
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_shifts_cross_words() {
        let mut bits = [0u64; 3];
        set_range(&mut bits, 60, 130);
        let set: Vec<usize> = (0..192).filter(|i| bits[i / 64] >> (i % 64) & 1 == 1).collect();
        assert_eq!(set, (60..130).collect::<Vec<_>>());
        assert_eq!(next_unset(&bits, 60, 192), Some(130));
        assert_eq!(next_unset(&bits, 61, 130), None);
        set_range(&mut bits, 70, 70);
        for by in [0, 1, 63, 64, 65, 128, 191, 192, 500] {
            let moved: Vec<u64> = (0..3).map(|i| word_shifted_up(&bits, i, by)).collect();
            for place in 0..192usize {
                let expected = place.checked_sub(by).is_some_and(|p| (60..130).contains(&p));
                assert_eq!(moved[place / 64] >> (place % 64) & 1 == 1, expected, "{place} {by}");
            }
        }
    }

    #[test]
    fn marks_reach_exactly_the_allowed_amounts() {
        for (least, most) in [(1, Some(1)), (2, Some(7)), (3, Some(90)), (1, None), (70, None)] {
            let closing = Closing { least, most, tables: vec![0], alone: false };
            let reached = [1u64 << 5 | 1 << 40, 0, 1];
            let (mut marked, mut room) = ([0u64; 3], [0u64; 3]);
            mark_above(&mut marked, &reached, &closing, &mut room);
            for height in 0..192usize {
                let from = |low: usize| {
                    height
                        .checked_sub(low)
                        .is_some_and(|s| s >= least && most.is_none_or(|most| s <= most))
                };
                let expected = [5, 40, 128].into_iter().any(from);
                assert_eq!(marked[height / 64] >> (height % 64) & 1 == 1, expected);
            }
        }
    }
}
