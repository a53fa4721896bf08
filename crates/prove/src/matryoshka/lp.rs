//! Linear programs in exact integers.

/// Some number left 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overflow;

/// `form . x + constant >= 0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) form: Vec<i64>,
    pub(super) constant: i64,
}

/// What is known about a system of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A solution, each entry divided by the positive denominator.
    Point { numerators: Vec<i64>, denominator: i64 },
    /// Multiples of rows, by their numbers, that add up to a negative constant.
    Contradiction(Vec<(usize, i64)>),
}

/// Solves a system in variables that may have any sign.
///
/// The constraints are rows `s = c + a.x >= 0` in the nonbasic variables x, all multiplied by a
/// common denominator. First the variables themselves become basic; then, as long as some row has
/// a negative constant, the first such row is exchanged with the first variable that can raise it
/// (Bland's rule, which cannot cycle). If no variable can raise it, the row is a contradiction.
pub(super) fn solve(variables: usize, rows: &[Row]) -> Result<Answer, Overflow> {
    let mut tableau = Tableau::new(variables, rows);
    tableau.free_the_columns()?;
    while let Some(row) = tableau.violated() {
        match tableau.raising(row) {
            Some(column) => tableau.exchange(row, column)?,
            None => return Ok(Answer::Contradiction(tableau.contradiction(row))),
        }
    }
    Ok(tableau.point())
}

/// An integer vector y that is at least 1 on the stacks of `facet`, not positive on the sums of the
/// first generators and not negative on those of the second; `None` if there is none.
pub(super) fn weight(
    stacks: usize,
    facet: u32,
    not_positive: &[u32],
    not_negative: &[u32],
) -> Result<Option<Vec<i64>>, Overflow> {
    let row = |vector: u32, sign: i64, constant: i64| {
        let form = (0..stacks).map(|s| sign * i64::from(vector >> s & 1)).collect();
        Row { form, constant }
    };
    let on_facet = (0..stacks).map(|s| 1 << s).filter(|stack| facet & stack != 0);
    let mut rows: Vec<Row> = on_facet.map(|stack| row(stack, 1, -1)).collect();
    rows.extend(not_positive.iter().map(|&g| row(g, -1, 0)));
    rows.extend(not_negative.iter().map(|&g| row(g, 1, 0)));
    Ok(match solve(stacks, &rows)? {
        Answer::Point { numerators, .. } => Some(lowest_terms(&numerators)),
        Answer::Contradiction(_) => None,
    })
}

/// The least integers of the same ratio.
pub(super) fn lowest_terms(numbers: &[i64]) -> Vec<i64> {
    let divisor = numbers.iter().fold(0, |divisor, &y| gcd(divisor, y)).max(1);
    numbers.iter().map(|y| y / divisor).collect()
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
    fn new(stacks: usize, given: &[Row]) -> Self {
        let mut entries = Vec::with_capacity(given.len() * (stacks + 1));
        for row in given {
            entries.push(row.constant);
            entries.extend(&row.form);
        }
        let rows = (stacks..stacks + given.len()).collect();
        Tableau { stacks, entries, denominator: 1, rows, columns: (0..stacks).collect() }
    }

    fn row(&self, row: usize) -> &[i64] {
        let width = self.stacks + 1;
        &self.entries[row * width..(row + 1) * width]
    }

    /// Makes the variables basic. A column in which no constraint has an entry may
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

    /// A row that nothing can raise: it and multiples of the columns have a negative sum.
    fn contradiction(&self, row: usize) -> Vec<(usize, i64)> {
        let mut numbers = vec![self.rows[row] - self.stacks];
        let mut multiples = vec![self.denominator];
        for (column, &variable) in self.columns.iter().enumerate() {
            let entry = self.row(row)[column + 1];
            if entry != 0 {
                numbers.push(variable - self.stacks);
                multiples.push(-entry);
            }
        }
        numbers.into_iter().zip(lowest_terms(&multiples)).collect()
    }

    /// The present vertex.
    fn point(&self) -> Answer {
        let mut numerators = vec![0; self.stacks];
        for (row, &variable) in self.rows.iter().enumerate() {
            if variable < self.stacks {
                numerators[variable] = self.row(row)[0];
            }
        }
        Answer::Point { numerators, denominator: self.denominator }
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
