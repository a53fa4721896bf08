//! Membership in a span: is a position a sum of given 0/1 vectors, each taken any number of
//! times?
//!
//! Most spans that occur have few linear relations among their vectors. Then the coefficients
//! are eliminated once and for all, and membership becomes a conjunction of linear conditions
//! on the heights: exact for all heights, at the cost of a few tests per position.
//!
//! 1. Unimodular column operations bring the matrix of the vectors into echelon form. This
//!    gives the equations that the heights satisfy, the congruences (if a pivot is not 1), one
//!    solution as a linear function of the heights, and a basis of the integer relations.
//! 2. All solutions are that one plus combinations `t` of the relations; the coefficients must
//!    not be negative. The `t` are eliminated in turn, exactly over the integers
//!    ([`super::project`]).
//!
//! If the conditions become too many, membership is decided by [`search`]: a depth-first search
//! over the coefficients of the vectors, which is exact too. Its cost is at worst the product of
//! the heights, one factor for each relation.

use nimatron_game::{Height, MAX_STACKS, StackSet};

/// All ways to write a position as an integer combination of vectors, negative coefficients
/// included. Linear forms are lists of coefficients, one per stack.
pub(crate) struct Solution {
    /// These forms must be 0.
    pub(crate) zero: Vec<Vec<i128>>,
    /// These forms must be multiples of the divisor.
    pub(crate) multiple: Vec<Vec<i128>>,
    pub(crate) divisor: u64,
    /// The coefficient of each vector is its form, divided by the divisor, plus a combination
    /// of free integers `t` with these factors.
    pub(crate) coefficients: Vec<(Vec<i128>, Vec<i128>)>,
}

/// Numbers beyond this are not worth their while.
pub(crate) const MAX_COEFFICIENT: i128 = 1 << 24;

/// A column of the matrix under reduction, and which combination of the vectors it is.
#[derive(Clone)]
struct Column {
    entries: Vec<i128>,
    combination: Vec<i128>,
}

impl Column {
    fn subtract(&mut self, factor: i128, other: &Column) -> Option<()> {
        let mine = self.entries.iter_mut().chain(&mut self.combination);
        let theirs = other.entries.iter().chain(&other.combination);
        for (x, y) in mine.zip(theirs) {
            *x = bounded(x.checked_sub(factor.checked_mul(*y)?)?)?;
        }
        Some(())
    }
}

pub(crate) fn bounded(x: i128) -> Option<i128> {
    (x.abs() <= MAX_COEFFICIENT).then_some(x)
}

/// Solves for the coefficients of the generators, which must be distinct and not empty; `None`
/// if the numbers get too large.
pub(crate) fn solve(n: usize, generators: &[StackSet]) -> Option<Solution> {
    let m = generators.len();
    let unit = |size: usize, at: usize| (0..size).map(|i| i128::from(i == at)).collect::<Vec<_>>();
    let mut columns: Vec<Column> = (0..m)
        .map(|j| Column {
            entries: (0..n).map(|s| i128::from(generators[j].contains(s))).collect(),
            combination: unit(m, j),
        })
        .collect();
    // Echelon form, one row after the other. The pivots' products are the common denominator.
    let mut solved: Vec<(Column, Vec<i128>)> = Vec::new();
    let mut zero = Vec::new();
    let mut divisor: i128 = 1;
    let mut denominators = Vec::new();
    for row in 0..n {
        reduce_row(&mut columns, row)?;
        let pivot = columns.iter().position(|c| c.entries[row] != 0);
        // What is left of the height once the columns solved so far have their share, times the
        // denominator.
        let mut left: Vec<i128> = unit(n, row).iter().map(|x| x * divisor).collect();
        for (k, (column, share)) in solved.iter().enumerate() {
            let factor = column.entries[row].checked_mul(divisor / denominators[k])?;
            for (x, y) in left.iter_mut().zip(share) {
                *x = bounded(x.checked_sub(factor.checked_mul(*y)?)?)?;
            }
        }
        match pivot {
            None => zero.push(left),
            Some(at) => {
                let mut column = columns.swap_remove(at);
                if column.entries[row] < 0 {
                    column.entries.iter_mut().for_each(|x| *x = -*x);
                    column.combination.iter_mut().for_each(|x| *x = -*x);
                }
                divisor = bounded(divisor.checked_mul(column.entries[row])?)?;
                denominators.push(divisor);
                solved.push((column, left));
            }
        }
    }
    // Bring all shares to the last denominator; they have to be integers.
    let mut multiple = Vec::new();
    let mut particular = vec![vec![0_i128; n]; m];
    for (k, (column, share)) in solved.iter().enumerate() {
        let factor = divisor / denominators[k];
        let share: Vec<i128> = share.iter().map(|x| x * factor).collect();
        for (row, &u) in particular.iter_mut().zip(&column.combination) {
            for (x, y) in row.iter_mut().zip(&share) {
                *x = bounded(x.checked_add(u.checked_mul(*y)?)?)?;
            }
        }
        multiple.push(share);
    }
    if divisor == 1 {
        multiple.clear();
    }
    let mut relations: Vec<Vec<i128>> = columns.into_iter().map(|c| c.combination).collect();
    shorten(&mut relations);
    let free = |j: usize| relations.iter().map(|r| r[j]).collect();
    let coefficients =
        particular.into_iter().enumerate().map(|(j, form)| (form, free(j))).collect();
    Some(Solution { zero, multiple, divisor: u64::try_from(divisor).ok()?, coefficients })
}

/// Column operations that leave at most one non-zero entry in the row.
fn reduce_row(columns: &mut [Column], row: usize) -> Option<()> {
    loop {
        let entry = |j: usize| columns[j].entries[row].abs();
        let nonzero = (0..columns.len()).filter(|&j| entry(j) != 0);
        let Some(least) = nonzero.min_by_key(|&j| entry(j)) else { return Some(()) };
        let pivot = columns[least].clone();
        let mut changed = false;
        for (j, column) in columns.iter_mut().enumerate() {
            if j != least && column.entries[row] != 0 {
                column.subtract(column.entries[row] / pivot.entries[row], &pivot)?;
                changed = true;
            }
        }
        if !changed {
            return Some(());
        }
    }
}

/// Replaces relations by sums and differences with others as long as that shortens them.
fn shorten(relations: &mut [Vec<i128>]) {
    let length = |r: &[i128]| r.iter().map(|x| x * x).sum::<i128>();
    let mut changed = true;
    while changed {
        changed = false;
        for i in 0..relations.len() {
            for j in 0..relations.len() {
                for sign in [1, -1] {
                    let sum = |(x, y): (&i128, &i128)| x + sign * y;
                    let shorter: Vec<_> = relations[i].iter().zip(&relations[j]).map(sum).collect();
                    if i != j && length(&shorter) < length(&relations[i]) {
                        relations[i] = shorter;
                        changed = true;
                    }
                }
            }
        }
    }
}

/// Whether the heights are a sum of the generators, by depth-first search.
///
/// A stack that only one of the remaining generators can lower forces its coefficient, so the
/// search branches only where at least two generators compete for every stack.
pub(crate) fn search(heights: &[Height], generators: &[StackSet]) -> bool {
    debug_assert!(generators.len() <= 128);
    let mut left = [0; MAX_STACKS];
    left[..heights.len()].copy_from_slice(heights);
    let all = if generators.len() >= 128 { u128::MAX } else { (1 << generators.len()) - 1 };
    descend(&mut left, generators, all)
}

fn descend(left: &mut [Height; MAX_STACKS], generators: &[StackSet], mut open: u128) -> bool {
    loop {
        let mut present = StackSet::EMPTY;
        for (stack, _) in left.iter().enumerate().filter(|(_, h)| **h > 0) {
            present = present.with(stack);
        }
        let members = |open: u128| (0..generators.len()).filter(move |&g| open >> g & 1 == 1);
        for g in members(open) {
            if !generators[g].is_subset(present) || generators[g].is_empty() {
                open &= !(1 << g);
            }
        }
        if present.is_empty() {
            return true;
        }
        // The stack with the fewest generators, and of these the least height.
        let owners = |stack: usize| members(open).filter(move |&g| generators[g].contains(stack));
        let key = |&stack: &usize| (owners(stack).count(), left[stack]);
        let Some(stack) = present.iter().min_by_key(key) else { return true };
        let mut rivals = owners(stack);
        let Some(g) = rivals.next() else { return false };
        let most = generators[g].iter().map(|s| left[s]).min().unwrap_or(0);
        open &= !(1 << g);
        if rivals.next().is_none() {
            if left[stack] > most {
                return false;
            }
            let amount = left[stack];
            generators[g].iter().for_each(|s| left[s] -= amount);
            continue;
        }
        for amount in (0..=most).rev() {
            let mut lowered = *left;
            generators[g].iter().for_each(|s| lowered[s] -= amount);
            if descend(&mut lowered, generators, open) {
                return true;
            }
        }
        return false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(words: &str) -> Vec<StackSet> {
        let word = |w: &str| w.bytes().map(|b| usize::from(b - b'a')).collect();
        words.split(' ').map(word).collect()
    }

    #[test]
    fn the_search_is_exact() {
        let pairs = sets("ab ac ad bc bd cd abc abd acd bcd");
        for code in 0..5_u64.pow(4) {
            let p = [code % 5, code / 5 % 5, code / 25 % 5, code / 125];
            // Two or three stacks at a time: no stack above the sum of the others.
            let total: u64 = p.iter().sum();
            let expected = p.iter().all(|&h| 2 * h <= total);
            assert_eq!(search(&p, &pairs), expected, "{p:?}");
        }
    }
}
