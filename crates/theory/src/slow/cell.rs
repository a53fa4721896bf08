//! Cells of the position grid.

use super::odds;
use nimatron_game::{Height, slow};

/// Where a position of Slow(n,A) stands in the position grid, once its unplayable tokens are taken
/// off: in row `s`, its total mod 2k with k the least of A, and column `o`, the number of odd
/// stacks. Both have the same parity.
///
/// ```
/// use nimatron_theory::slow::Cell;
/// assert_eq!(Cell::of(3, &[1, 2, 5, 6]), Cell { s: 3, o: 3 }); // (1,2,3,3)
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Cell {
    /// The total mod 2k.
    pub s: usize,
    /// How many stacks are odd.
    pub o: usize,
}

impl Cell {
    /// The cell of a position, reduced or not, of a game whose moves play on at least `k` stacks.
    ///
    /// # Panics
    /// If `k` is 0, or there are more stacks than a game may have.
    pub fn of(k: usize, heights: &[Height]) -> Self {
        let m = slow::chop_height(k, heights);
        let reduced = heights.iter().map(|&h| h.min(m));
        let total: u128 = reduced.clone().map(u128::from).sum();
        let s = (total % (2 * k as u128)) as usize;
        Cell { s, o: odds(&reduced.collect::<Vec<_>>()) }
    }

    /// Whether positions can stand here at all.
    pub fn occurs(self) -> bool {
        self.s % 2 == self.o % 2
    }

    /// Whether the cell lies in the triangle that Theorem 6 and Theorem 8 of Slow26 share:
    /// `s <= k-1` and `o <= s`, or `k-1 < s < 2k-1` and `o <= 2(k-1)-s`.
    pub fn in_triangle(self, k: usize) -> bool {
        let Cell { s, o } = self;
        if s < k { o <= s } else { s < 2 * k - 1 && o <= 2 * (k - 1) - s }
    }
}
