//! Boxes: all positions whose heights stay within given bounds, numbered.

use crate::TableError;
use nimatron_game::{Height, MAX_HEIGHT, MAX_STACKS, Position};

/// All positions with heights `0..=max[i]` on stack `i`, numbered in lexicographic order.
///
/// The number of a position is its mixed-radix value, the last stack counting ones. Every
/// option of a position has a smaller number, so one pass in increasing order meets the options
/// of a position before the position itself.
///
/// ```
/// use nimatron_table::PositionBox;
/// let cells = PositionBox::new(&[2, 1]).unwrap();
/// assert_eq!(cells.len(), 6);
/// assert_eq!(cells.index_of(&[1, 1]), Some(3));
/// assert_eq!(cells.position_at(3).unwrap().to_string(), "(1,1)");
/// assert_eq!(cells.index_of(&[1, 2]), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionBox {
    max: Vec<Height>,
    strides: Vec<usize>,
    len: usize,
}

impl PositionBox {
    /// The box of positions up to `max`. Fails if there are more positions than can be
    /// numbered, or more stacks or taller ones than a game may have.
    pub fn new(max: &[Height]) -> Result<Self, TableError> {
        let positions = max.iter().try_fold(1u128, |len, &m| len.checked_mul(u128::from(m) + 1));
        let len = positions.and_then(|len| isize::try_from(len).ok());
        let fits = max.len() <= MAX_STACKS && max.iter().all(|&m| m <= MAX_HEIGHT);
        match len {
            Some(len) if fits => {
                let mut strides = vec![1; max.len()];
                for i in (1..max.len()).rev() {
                    strides[i - 1] = strides[i] * (max[i] as usize + 1);
                }
                Ok(PositionBox { max: max.to_vec(), strides, len: len as usize })
            }
            _ => Err(TableError::TooLarge { positions }),
        }
    }

    /// The number of positions, at least 1: the position without tokens is always there.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The number of stacks.
    pub fn stacks(&self) -> usize {
        self.max.len()
    }

    /// The greatest height of each stack.
    pub fn max(&self) -> &[Height] {
        &self.max
    }

    /// By how much the number of a position falls when a token leaves stack `i`.
    pub fn strides(&self) -> &[usize] {
        &self.strides
    }

    /// The sum of the greatest heights, a bound for Grundy values and remoteness. Fails if it
    /// does not fit 32 bits, in which the tables hold their entries.
    pub fn tokens(&self) -> Result<u32, TableError> {
        let total: u128 = self.max.iter().map(|&m| u128::from(m)).sum();
        u32::try_from(total).map_err(|_| TableError::TooLarge { positions: Some(self.len as u128) })
    }

    /// The number of a position, or `None` if it lies outside the box.
    pub fn index_of(&self, heights: &[Height]) -> Option<usize> {
        let inside = heights.len() == self.max.len()
            && heights.iter().zip(&self.max).all(|(height, max)| height <= max);
        inside.then(|| heights.iter().zip(&self.strides).map(|(&h, &s)| h as usize * s).sum())
    }

    /// The position with this number, or `None` if there are not that many.
    pub fn position_at(&self, index: usize) -> Option<Position> {
        (index < self.len).then(|| {
            let mut heights = vec![0; self.stacks()];
            self.write_position(index, &mut heights);
            Position::new(heights).expect("the box is bounded as positions are")
        })
    }

    /// All positions in increasing order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = Position> + '_ {
        (0..self.len).filter_map(|index| self.position_at(index))
    }

    /// Writes the heights of the position with this number.
    pub(crate) fn write_position(&self, mut index: usize, heights: &mut [Height]) {
        for (height, &stride) in heights.iter_mut().zip(&self.strides) {
            *height = (index / stride) as Height;
            index %= stride;
        }
    }

    /// Turns `heights` into the next position of the box; the last one becomes the first.
    #[inline]
    pub(crate) fn advance(&self, heights: &mut [Height]) {
        for (height, &max) in heights.iter_mut().zip(&self.max).rev() {
            if *height < max {
                *height += 1;
                return;
            }
            *height = 0;
        }
    }
}

/// One entry for each position of a box.
///
/// ```
/// use nimatron_game::{Family, Game, Outcome};
/// let game = Game::new(Family::Circular { n: 4, k: 2 }).unwrap();
/// let table = nimatron_table::naive::outcomes(&game, &[3; 4]).unwrap();
/// assert_eq!(table.get(&[1, 3, 1, 3]), Some(Outcome::P));
/// assert_eq!(table.iter().filter(|(_, outcome)| *outcome == Outcome::P).count(), 16);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table<T> {
    cells: PositionBox,
    entries: Vec<T>,
}

impl<T: Copy> Table<T> {
    /// A table of these entries, in the order of the box.
    pub(crate) fn new(cells: PositionBox, entries: Vec<T>) -> Self {
        debug_assert_eq!(cells.len(), entries.len());
        Table { cells, entries }
    }

    /// The positions the table covers.
    pub fn cells(&self) -> &PositionBox {
        &self.cells
    }

    /// The entry of a position, or `None` outside the box.
    pub fn get(&self, heights: &[Height]) -> Option<T> {
        self.cells.index_of(heights).map(|index| self.entries[index])
    }

    /// All positions with their entries, in lexicographic order.
    pub fn iter(&self) -> impl Iterator<Item = (Position, T)> + '_ {
        self.cells.iter().zip(self.entries.iter().copied())
    }

    /// The entries alone, in lexicographic order of the positions.
    pub fn entries(&self) -> &[T] {
        &self.entries
    }

    /// The same, for whoever wants to keep them and nothing else.
    pub fn into_entries(self) -> Vec<T> {
        self.entries
    }
}

/// Room for `len` entries, all equal; an error instead of an abort if there is none.
pub(crate) fn filled<T: Clone>(entry: T, len: usize) -> Result<Vec<T>, TableError> {
    let mut entries = Vec::new();
    let full = TableError::TooLarge { positions: Some(len as u128) };
    entries.try_reserve_exact(len).map_err(|_| full)?;
    entries.resize(len, entry);
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_positions_correspond() {
        let cells = PositionBox::new(&[2, 0, 3, 1]).unwrap();
        assert_eq!(cells.len(), 24);
        let mut heights = vec![0; 4];
        for (index, position) in cells.iter().enumerate() {
            assert_eq!(cells.index_of(&position), Some(index));
            assert_eq!(heights, position.to_vec());
            cells.advance(&mut heights);
        }
        assert_eq!(heights, [0; 4]);
        assert!(cells.iter().is_sorted());
        assert_eq!(cells.position_at(24), None);
        assert_eq!(cells.index_of(&[0, 0, 0]), None);
    }

    #[test]
    fn boxes_that_cannot_be_numbered_are_refused() {
        assert!(PositionBox::new(&[MAX_HEIGHT]).is_err());
        assert!(PositionBox::new(&[MAX_HEIGHT; 32]).is_err());
        assert!(PositionBox::new(&[0; 33]).is_err());
        assert!(PositionBox::new(&[u64::MAX, 0]).is_err());
        let million = TableError::TooLarge { positions: Some(10u128.pow(24)) };
        assert_eq!(PositionBox::new(&[999_999; 4]), Err(million));
        assert_eq!(PositionBox::new(&[]).unwrap().len(), 1);
        assert_eq!(PositionBox::new(&[0; 32]).unwrap().len(), 1);
    }
}
