//! Matrix Nim, Matrix(r,c) with r rows and c columns: a move plays on one row, or on any columns
//! but leaves at least one column alone (the game of Holladay 1958).
//!
//! P-positions: all columns have the same sum, and the xor of the row minima is 0. The proof, for
//! all r and all c >= 2, with `m_i` the least height of row `i` and `C_j` the sum of column `j`:
//!
//! * From P to P there is no move. A move that leaves a column alone keeps its sum, so it must keep
//!   all sums, and takes nothing. A move on row `i` that keeps the sums equal lowers all of the row
//!   by one amount d > 0, and so its minimum by d, and the xor is no longer 0.
//! * If the xor is 0 but the sums differ, lower every column to the least sum, taking only tokens
//!   above the row minima. There are enough, for every sum is at least that of the minima, and the
//!   minima stay.
//! * If the xor is not 0, some `m_i` must come down to a smaller height `t`. Let `S` be the common sum
//!   that is reached when all of row `i` is lowered so that the sums become equal and the least
//!   height is `t`: S = t - min_j (h_ij - C_j). If `S` is at most every `C_j`, this is a move on the
//!   row. Otherwise, with `j` where the minimum is attained and `C` the least sum, column `j` has
//!   more than `h_ij - t` tokens too many: its stack in row `i` comes down to `t`, and the rest goes,
//!   as in the case above, from what lies above the other minima. The other columns come down to
//!   `C` in the same way, and the lowest column is left alone.

use crate::publication::HOLLADAY;
use crate::reason::Reason;
use crate::shape::{is_normal_set_nim, joined};
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_game::symmetry::find_isomorphism;
use nimatron_game::{Family, Height, Outcome, Play, Rule, StackSet};

/// The theorem on Matrix(r,c).
#[derive(Clone, Copy, Debug)]
pub struct MatrixNim;

impl Theorem for MatrixNim {
    fn id(&self) -> &str {
        "matrix"
    }

    fn citation(&self) -> Citation {
        Citation::whole(HOLLADAY)
            .credit("the game is his; the criterion in this form is proved here")
    }

    fn statement(&self) -> Statement {
        Statement::new(
            "Matrix(r,c): a position is P exactly if all columns have the same sum and the xor of \
             the least heights of the rows is 0.",
            r"In $\mathrm{Matrix}(r,c)$ with heights $h_{ij}$, $1 \le i \le r$, $1 \le j \le c$, a position
             is a $\mathcal{P}$-position if and only if all column sums $\sum_i h_{ij}$ are equal and
             $\bigoplus_i \min_j h_{ij} = 0$.",
        )
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        if !is_normal_set_nim(rule, play) {
            return None;
        }
        let n = rule.stacks();
        let shapes = (2..=n / 2).filter(|rows| n.is_multiple_of(*rows));
        let found = shapes.map(|rows| Matrix::of(rule, rows, n / rows)).find(Option::is_some)?;
        Some(Box::new(found?))
    }
}

/// Matrix(r,c) for one r and c, in some order of the stacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    /// The stacks, row by row.
    stacks: Vec<usize>,
}

impl Matrix {
    /// The game as a matrix of this shape, if it is one.
    fn of(rule: &Rule, rows: usize, columns: usize) -> Option<Self> {
        let sets = Family::Matrix { rows, columns }.sets();
        if rule.sets().sizes().is_some() || rule.sets().len() != sets.len() {
            return None;
        }
        let order = find_isomorphism(rule.sets(), &sets)?;
        let stacks: Vec<usize> = (0..rule.stacks()).collect();
        Some(Matrix { rows, columns, stacks: order.apply(&stacks) })
    }

    fn stack(&self, row: usize, column: usize) -> usize {
        self.stacks[row * self.columns + column]
    }

    fn row(&self, row: usize) -> StackSet {
        (0..self.columns).map(|c| self.stack(row, c)).collect()
    }

    fn column(&self, column: usize) -> StackSet {
        (0..self.rows).map(|r| self.stack(r, column)).collect()
    }

    /// The least height of each row.
    fn minima(&self, heights: &[Height]) -> Vec<Height> {
        let least = |r| self.row(r).iter().map(|s| heights[s]).min().unwrap_or(0);
        (0..self.rows).map(least).collect()
    }

    /// The sum of each column.
    fn sums(&self, heights: &[Height]) -> Vec<u128> {
        let sum = |c| self.column(c).iter().map(|s| u128::from(heights[s])).sum();
        (0..self.columns).map(sum).collect()
    }

    /// Whether the position is P.
    pub fn is_p(&self, heights: &[Height]) -> bool {
        let sums = self.sums(heights);
        sums.iter().all(|s| *s == sums[0]) && xor(&self.minima(heights)) == 0
    }

    /// Lowers row `row` so that all sums become equal and its least height `target`, if that takes
    /// tokens from no column that has too few.
    fn along_row(&self, heights: &[Height], row: usize, target: Height) -> Option<Vec<Height>> {
        let sums = self.sums(heights);
        let height = |c: usize| i128::from(heights[self.stack(row, c)]);
        let above = |c: usize| height(c) - sums[c] as i128;
        let sum = i128::from(target) - (0..self.columns).map(above).min()?;
        if sums.iter().any(|&s| sum > s as i128) {
            return None;
        }
        let mut to = heights.to_vec();
        for c in 0..self.columns {
            to[self.stack(row, c)] = Height::try_from(above(c) + sum).ok()?;
        }
        Some(to)
    }

    /// Lowers all columns to the least sum, and row `row`, if one is given, to the height there. Other
    /// rows keep their least heights.
    fn along_columns(&self, heights: &[Height], row: Option<(usize, Height)>) -> Vec<Height> {
        let (minima, sums) = (self.minima(heights), self.sums(heights));
        let least = sums.iter().copied().min().unwrap_or(0);
        let mut to = heights.to_vec();
        let mut surplus: Vec<u128> = sums.iter().map(|s| s - least).collect();
        if let Some((row, target)) = row {
            let above = |c: &usize| i128::from(heights[self.stack(row, *c)]) - sums[*c] as i128;
            let column = (0..self.columns).min_by_key(above).unwrap_or(0);
            let stack = self.stack(row, column);
            surplus[column] -= u128::from(heights[stack] - target);
            to[stack] = target;
        }
        for (column, surplus) in surplus.iter_mut().enumerate() {
            for (row, &minimum) in minima.iter().enumerate() {
                let stack = self.stack(row, column);
                let spare = u128::from(to[stack].saturating_sub(minimum));
                let taken = spare.min(*surplus);
                to[stack] -= taken as Height;
                *surplus -= taken;
            }
        }
        to
    }
}

fn xor(values: &[Height]) -> Height {
    values.iter().fold(0, |x, v| x ^ v)
}

impl Solution for Matrix {
    fn stacks(&self) -> usize {
        self.rows * self.columns
    }

    fn family(&self) -> Option<Family> {
        let named = self.stacks.is_sorted();
        named.then_some(Family::Matrix { rows: self.rows, columns: self.columns })
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.is_p(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        if self.is_p(heights) {
            return None;
        }
        let minima = self.minima(heights);
        let x = xor(&minima);
        let row = minima.iter().position(|&m| m ^ x < m).map(|row| (row, minima[row] ^ x));
        let along = row.and_then(|(row, target)| self.along_row(heights, row, target));
        let (to, case) = match (along, row) {
            (Some(to), _) => (to, "a move on one row evens the columns and mends the xor"),
            (None, Some(_)) => (
                self.along_columns(heights, row),
                "the columns come down to the lowest, and with \
                    them the row that mends the xor",
            ),
            (None, None) => (
                self.along_columns(heights, None),
                "the columns come down to the lowest, above \
                    the least heights of the rows",
            ),
        };
        let mut reasons = self.explain(heights);
        reasons.push(Reason::Case(case));
        Some(WinningMove::to(heights, &to, reasons))
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        let sums = self.sums(heights);
        let other = (1..self.columns).find(|&c| sums[c] != sums[0]).unwrap_or(1);
        let compared = Reason::Sums {
            left: self.column(0),
            left_sum: sums[0],
            right: self.column(other),
            right_sum: sums[other],
        };
        let rows = (0..self.rows).map(|r| self.row(r)).collect();
        vec![compared, Reason::Minima { rows, xor: xor(&self.minima(heights)) }]
    }

    fn formula(&self) -> Option<String> {
        let n = self.stacks();
        let sums: Vec<_> = (0..self.columns).map(|c| joined(self.column(c), n, "+")).collect();
        let min = |r| format!("min({})", joined(self.row(r), n, ","));
        let minima: Vec<_> = (0..self.rows).map(min).collect();
        Some(format!("{}, xor({}) = 0", sums.join(" = "), minima.join(",")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_box, check_formula, check_tall};

    fn rule(rows: usize, columns: usize) -> Rule {
        Family::Matrix { rows, columns }.rule()
    }

    #[test]
    fn the_theorem_holds_on_small_boxes() {
        for (rows, columns, max) in
            [(2, 2, 9), (2, 3, 3), (3, 2, 4), (4, 2, 2), (2, 4, 2), (3, 3, 1), (5, 2, 1), (2, 5, 1)]
        {
            check_box(&MatrixNim, &rule(rows, columns), max);
            check_formula(&MatrixNim, &rule(rows, columns), max);
        }
    }

    #[test]
    fn tall_stacks_have_winning_moves() {
        for (rows, columns) in [(2, 2), (3, 2), (2, 3), (4, 4), (16, 2), (2, 16), (5, 6)] {
            check_tall(&MatrixNim, &rule(rows, columns), 400);
        }
    }

    #[test]
    fn other_games_are_left_alone() {
        let circle = Family::Circular { n: 6, k: 3 }.rule();
        assert!(MatrixNim.applies(&circle, Play::Normal).is_none());
        assert!(MatrixNim.applies(&rule(3, 2), Play::Misere).is_none());
    }
}
