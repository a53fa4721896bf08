//! The linear programs behind the weights, in exact integers.

/// Some number left 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overflow;

/// An integer vector y that is at least 1 on the stacks of `facet`, not positive on the sums of the
/// first generators and not negative on those of the second; `None` if there is none.
///
/// The constraints are rows `s = c + a.x >= 0` in the nonbasic variables x, all multiplied by a
/// common denominator. First the free variables y become basic; then, as long as some row has a
/// negative constant, the first such row is exchanged with the first variable that can raise it
/// (Bland's rule, which cannot cycle). If no variable can raise it, there is no solution.
pub(super) fn weight(
    stacks: usize,
    facet: u32,
    not_positive: &[u32],
    not_negative: &[u32],
) -> Result<Option<Vec<i64>>, Overflow> {
    let mut tableau = Tableau::new(stacks, facet, not_positive, not_negative);
    tableau.free_the_columns()?;
    while let Some(row) = tableau.violated() {
        let Some(column) = tableau.raising(row) else { return Ok(None) };
        tableau.exchange(row, column)?;
    }
    Ok(Some(tableau.weight()))
}

struct Tableau {
    stacks: usize,
    /// Row after row: the constant, then the coefficients of the columns.
    entries: Vec<i64>,
    /// What the entries are divided by; positive.
    denominator: i64,
    /// The variables of rows and columns: the stacks first, then the constraints.
    rows: Vec<usize>,
    columns: Vec<usize>,
}

impl Tableau {
    fn new(stacks: usize, facet: u32, not_positive: &[u32], not_negative: &[u32]) -> Self {
        let mut entries = Vec::new();
        let mut add = |constant: i64, vector: u32, sign: i64| {
            entries.push(constant);
            entries.extend((0..stacks).map(|s| sign * i64::from(vector >> s & 1)));
        };
        let on_facet = (0..stacks).map(|s| 1 << s).filter(|stack| facet & stack != 0);
        on_facet.for_each(|stack| add(-1, stack, 1));
        not_positive.iter().for_each(|&g| add(0, g, -1));
        not_negative.iter().for_each(|&g| add(0, g, 1));
        let rows = entries.len() / (stacks + 1);
        let (rows, columns) = ((stacks..stacks + rows).collect(), (0..stacks).collect());
        Tableau { stacks, entries, denominator: 1, rows, columns }
    }

    fn row(&self, row: usize) -> &[i64] {
        let width = self.stacks + 1;
        &self.entries[row * width..(row + 1) * width]
    }

    /// Makes the weights of the stacks basic. A column in which no constraint has an entry may
    /// stay, for it stays without.
    fn free_the_columns(&mut self) -> Result<(), Overflow> {
        for column in 0..self.stacks {
            let row = (0..self.rows.len())
                .find(|&row| self.rows[row] >= self.stacks && self.row(row)[column + 1] != 0);
            if let Some(row) = row {
                self.exchange(row, column)?;
            }
        }
        Ok(())
    }

    /// The first constraint that does not hold.
    fn violated(&self) -> Option<usize> {
        let rows = (0..self.rows.len()).filter(|&row| self.rows[row] >= self.stacks);
        rows.filter(|&row| self.row(row)[0] < 0).min_by_key(|&row| self.rows[row])
    }

    /// The first column whose growth raises the row.
    fn raising(&self, row: usize) -> Option<usize> {
        let columns = (0..self.stacks).filter(|&column| self.columns[column] >= self.stacks);
        let raising = columns.filter(|&column| self.row(row)[column + 1] > 0);
        raising.min_by_key(|&column| self.columns[column])
    }

    /// Exchanges the variables of a row and a column. The divisions are exact: all entries are
    /// minors of the first tableau.
    fn exchange(&mut self, row: usize, column: usize) -> Result<(), Overflow> {
        let width = self.stacks + 1;
        let own: Vec<i64> = self.row(row).to_vec();
        let (pivot, old) = (own[column + 1], self.denominator);
        let sign = pivot.signum();
        for (number, entries) in self.entries.chunks_exact_mut(width).enumerate() {
            if number == row {
                entries.iter_mut().for_each(|entry| *entry *= -sign);
                entries[column + 1] = sign * old;
                continue;
            }
            let factor = entries[column + 1];
            for (entry, own) in entries.iter_mut().zip(&own) {
                let scaled = entry.checked_mul(pivot).ok_or(Overflow)?;
                let shift = factor.checked_mul(*own).ok_or(Overflow)?;
                *entry = sign * (scaled.checked_sub(shift).ok_or(Overflow)? / old);
            }
            entries[column + 1] = sign * factor;
        }
        self.denominator = pivot.abs();
        std::mem::swap(&mut self.rows[row], &mut self.columns[column]);
        Ok(())
    }

    /// The weights at the present vertex, as the least integers of the same ratio.
    fn weight(&self) -> Vec<i64> {
        let mut weight = vec![0; self.stacks];
        for (row, &variable) in self.rows.iter().enumerate() {
            if variable < self.stacks {
                weight[variable] = self.row(row)[0];
            }
        }
        let divisor = weight.iter().fold(0, |divisor, &y| gcd(divisor, y)).max(1);
        weight.iter().map(|y| y / divisor).collect()
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(y: &[i64], facet: u32, not_positive: &[u32], not_negative: &[u32]) -> bool {
        let value =
            |g: &u32| -> i64 { (0..y.len()).filter(|s| g >> s & 1 == 1).map(|s| y[s]).sum() };
        (0..y.len()).all(|s| facet >> s & 1 == 0 || y[s] >= 1)
            && not_positive.iter().all(|g| value(g) <= 0)
            && not_negative.iter().all(|g| value(g) >= 0)
    }

    #[test]
    fn equal_heights_need_opposite_weights() {
        assert_eq!(weight(2, 0b01, &[0b11], &[0b11]), Ok(Some(vec![1, -1])));
        assert_eq!(weight(2, 0b11, &[0b11], &[0b11]), Ok(None));
        assert_eq!(weight(2, 0b01, &[], &[]), Ok(Some(vec![1, 0])));
        assert_eq!(weight(0, 0, &[], &[]), Ok(Some(vec![])));
    }

    /// Every answer is compared with a search among small weights.
    #[test]
    fn small_programs_are_decided() {
        let mut state = 12345u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        };
        let mut answers = [0, 0];
        for _ in 0..3000 {
            let facet = random() % 15 + 1;
            let mut list = || (0..random() % 4).map(|_| random() % 15 + 1).collect::<Vec<u32>>();
            let (first, second) = (list(), list());
            let small = (0..7i64.pow(4)).any(|code| {
                let y: Vec<i64> = (0..4).map(|s| code / 7i64.pow(s) % 7 - 3).collect();
                holds(&y, facet, &first, &second)
            });
            let found = weight(4, facet, &first, &second).unwrap();
            assert_eq!(found.is_some(), small, "{facet:b} {first:?} {second:?}");
            assert!(found.iter().all(|y| holds(y, facet, &first, &second)));
            answers[usize::from(small)] += 1;
        }
        assert!(answers.iter().all(|&count| count > 300), "{answers:?}");
    }
}
