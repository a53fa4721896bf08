//! A move into a cell, for all positions of a region at once.

/// How often each generator of the cell is taken, as forms in the heights p: wherever these forms and
/// what is left on the facet are not negative, the sum of generators is reached from p by lowering
/// stacks of the facet. The given position is one such. `None` if there is no such move from
/// there, or its numbers are not integers for all p.
///
/// The unknowns are the numbers c of the generators; what is left on stack `v` is `p_v` minus the
/// generators there. Each is kept as a form in p and in the unknowns that are zero (*columns*). Stacks
/// outside the facet keep their tokens, so what is left there is made a column first. Then Bland's
/// rule repairs what is negative at the given position.
pub(super) fn rule(facet: u32, cell: &[u32], position: &[i64]) -> Option<Vec<Vec<i64>>> {
    let n = position.len();
    let mut table = Table::new(n, cell);
    for stack in (0..n).filter(|stack| facet >> stack & 1 == 0) {
        match (0..cell.len()).find(|&c| table.live[c] && table.row(stack)[n + c] != 0) {
            Some(column) => {
                table.exchange(stack, column)?;
                table.live[column] = false;
            }
            None if table.row(stack)[..n].iter().all(|&c| c == 0) => {}
            None => return None,
        }
    }
    loop {
        let negative = |&row: &usize| table.value(row, position) < 0;
        let Some(row) = (0..n).filter(negative).min_by_key(|&row| table.rows[row]) else { break };
        let raising = |&c: &usize| table.live[c] && table.row(row)[n + c] > 0;
        let column = (0..cell.len()).filter(raising).min_by_key(|&c| table.columns[c])?;
        table.exchange(row, column)?;
    }
    let mut times = vec![vec![0; n]; cell.len()];
    for (row, &unknown) in table.rows.iter().enumerate().filter(|(_, u)| **u < cell.len()) {
        let form = &table.row(row)[..n];
        if form.iter().any(|c| c % table.denominator != 0) {
            return None;
        }
        times[unknown] = form.iter().map(|c| c / table.denominator).collect();
    }
    Some(times)
}

/// What is left on one of `n` stacks, as a form.
pub(super) fn left(n: usize, stack: usize, cell: &[u32], times: &[Vec<i64>]) -> Vec<i64> {
    let mut left: Vec<i64> = (0..n).map(|s| i64::from(s == stack)).collect();
    for (_, form) in cell.iter().zip(times).filter(|(g, _)| **g >> stack & 1 == 1) {
        left.iter_mut().zip(form).for_each(|(left, c)| *left -= c);
    }
    left
}

struct Table {
    stacks: usize,
    /// Row after row: coefficients of p, then of the columns.
    entries: Vec<i64>,
    denominator: i64,
    /// The unknowns of rows and columns: the generators first, then what is left on the stacks.
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// Whether a column may grow.
    live: Vec<bool>,
}

impl Table {
    fn new(n: usize, cell: &[u32]) -> Self {
        let mut entries = Vec::new();
        for stack in 0..n {
            entries.extend((0..n).map(|s| i64::from(s == stack)));
            entries.extend(cell.iter().map(|g| -i64::from(g >> stack & 1)));
        }
        Table {
            stacks: n,
            entries,
            denominator: 1,
            rows: (cell.len()..cell.len() + n).collect(),
            columns: (0..cell.len()).collect(),
            live: vec![true; cell.len()],
        }
    }

    fn width(&self) -> usize {
        self.stacks + self.columns.len()
    }

    fn row(&self, row: usize) -> &[i64] {
        &self.entries[row * self.width()..(row + 1) * self.width()]
    }

    /// The sign of a row at a position.
    fn value(&self, row: usize, position: &[i64]) -> i128 {
        let terms = self.row(row).iter().zip(position);
        terms.map(|(&c, &p)| i128::from(c) * i128::from(p)).sum()
    }

    /// Exchanges the unknowns of a row and a column; `None` if a number is too large.
    fn exchange(&mut self, row: usize, column: usize) -> Option<()> {
        let (width, at) = (self.width(), self.stacks + column);
        let own = self.row(row).to_vec();
        let (pivot, old) = (own[at], self.denominator);
        let sign = pivot.signum();
        for (number, entries) in self.entries.chunks_exact_mut(width).enumerate() {
            if number == row {
                entries.iter_mut().for_each(|entry| *entry *= -sign);
                entries[at] = sign * old;
                continue;
            }
            let factor = entries[at];
            for (entry, own) in entries.iter_mut().zip(&own) {
                let shifted = entry.checked_mul(pivot)?.checked_sub(factor.checked_mul(*own)?)?;
                *entry = sign * (shifted / old);
            }
            entries[at] = sign * factor;
        }
        self.denominator = pivot.abs();
        std::mem::swap(&mut self.rows[row], &mut self.columns[column]);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_to_equal_heights() {
        // Two single stacks, the first played: the second decides.
        assert_eq!(rule(0b01, &[0b11], &[5, 3]), Some(vec![vec![0, 1]]));
        assert_eq!(left(2, 0, &[0b11], &[vec![0, 1]]), [1, -1]);
        assert_eq!(rule(0b01, &[0b11], &[2, 3]), None);
        // Both may be played: take all.
        assert_eq!(rule(0b11, &[0b11], &[2, 3]), Some(vec![vec![0, 0]]));
    }

    #[test]
    fn halves_are_refused() {
        // c, d, e with c+d = p_0, c+e = p_1, d+e = p_2.
        assert_eq!(rule(0, &[0b011, 0b101, 0b110], &[2, 2, 2]), None);
    }
}
