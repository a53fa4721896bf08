//! Linear relations among integer vectors, by echelon forms.

use crate::{Number, Overflow, gcd, lcm};

/// A basis of the linear equations that all the vectors satisfy, each by its coefficients: in lowest
/// terms, the first one positive. The vectors have `width` entries, small ones: all numbers stay
/// minors of the matrix of the vectors.
///
/// ```
/// use nimatron_linear::echelon::equations;
/// // Sums of (1,0,1) and (0,1,1) satisfy x + y = z.
/// assert_eq!(equations(3, vec![vec![1, 0, 1], vec![0, 1, 1]]), Ok(vec![vec![1, 1, -1]]));
/// ```
pub fn equations(width: usize, vectors: Vec<Vec<i64>>) -> Result<Vec<Vec<i64>>, Overflow> {
    // Row echelon form without fractions.
    let mut rows = vectors;
    let mut pivots: Vec<usize> = Vec::new();
    for column in 0..width {
        let done = pivots.len();
        let Some(found) = (done..rows.len()).find(|&r| rows[r][column] != 0) else { continue };
        rows.swap(done, found);
        let own = rows[done].clone();
        for (number, row) in rows.iter_mut().enumerate().filter(|(_, row)| row[column] != 0) {
            if number != done {
                let factor = row[column];
                for (entry, &own_entry) in row.iter_mut().zip(&own) {
                    *entry = i64::cross(*entry, own[column], factor, own_entry, 1)?;
                }
                let divisor = row.iter().copied().fold(0, gcd).max(1);
                row.iter_mut().for_each(|c| *c /= divisor);
            }
        }
        pivots.push(column);
    }
    let mut scale = 1;
    for (row, &pivot) in rows.iter().zip(&pivots) {
        scale = lcm(scale, row[pivot])?;
    }
    let free = (0..width).filter(|column| !pivots.contains(column));
    let equation = |column: usize| {
        let mut form = vec![0; width];
        form[column] = scale;
        for (row, &pivot) in rows.iter().zip(&pivots) {
            form[pivot] = (-row[column]).times(scale / row[pivot])?;
        }
        let sign = form.iter().find(|&&c| c != 0).map_or(1, |c| c.signum());
        let divisor = sign * form.iter().copied().fold(0, gcd).max(1);
        Ok(form.into_iter().map(|c| c / divisor).collect())
    };
    free.map(equation).collect()
}

/// All ways to write a vector `x` as an integer combination of given ones, negative coefficients
/// included. Linear forms are lists of coefficients, one per entry of `x`.
#[derive(Clone, Debug)]
pub struct Combinations {
    /// These forms must be 0.
    pub zero: Vec<Vec<i128>>,
    /// These forms must be multiples of the divisor.
    pub multiple: Vec<Vec<i128>>,
    /// A common denominator.
    pub divisor: u64,
    /// The coefficient of each vector is its form, divided by the divisor, plus a combination
    /// of free integers `t` with these factors.
    pub coefficients: Vec<(Vec<i128>, Vec<i128>)>,
}

/// Numbers beyond this are not worth their while.
const MAX_ENTRY: i128 = 1 << 24;

/// Solves for the coefficients of the vectors, of `width` entries each.
///
/// Unimodular column operations bring the matrix of the vectors into echelon form. This gives the
/// equations that `x` satisfies, the congruences (if a pivot is not 1), one solution as a linear
/// function of `x`, and a basis of the integer relations among the vectors.
pub fn combinations(width: usize, vectors: &[Vec<i128>]) -> Result<Combinations, Overflow> {
    let m = vectors.len();
    let unit = |size: usize, at: usize| (0..size).map(|i| i128::from(i == at)).collect::<Vec<_>>();
    let mut columns: Vec<Column> = vectors
        .iter()
        .enumerate()
        .map(|(j, vector)| Column { entries: vector.clone(), combination: unit(m, j) })
        .collect();
    // Echelon form, one row after the other. The pivots' products are the common denominator.
    let mut solved: Vec<(Column, Vec<i128>)> = Vec::new();
    let mut zero = Vec::new();
    let mut divisor: i128 = 1;
    let mut denominators = Vec::new();
    for row in 0..width {
        reduce_row(&mut columns, row)?;
        let pivot = columns.iter().position(|c| c.entries[row] != 0);
        // What is left of the entry once the columns solved so far have their share, times the
        // denominator.
        let mut left: Vec<i128> = unit(width, row).iter().map(|x| x * divisor).collect();
        for (k, (column, share)) in solved.iter().enumerate() {
            let factor = column.entries[row].times(divisor / denominators[k])?;
            subtract(&mut left, factor, share)?;
        }
        match pivot {
            None => zero.push(left),
            Some(at) => {
                let mut column = columns.swap_remove(at);
                if column.entries[row] < 0 {
                    column.entries.iter_mut().for_each(|x| *x = -*x);
                    column.combination.iter_mut().for_each(|x| *x = -*x);
                }
                divisor = bounded(divisor.times(column.entries[row])?)?;
                denominators.push(divisor);
                solved.push((column, left));
            }
        }
    }
    // Bring all shares to the last denominator; they have to be integers.
    let mut multiple = Vec::new();
    let mut particular = vec![vec![0_i128; width]; m];
    for (k, (column, share)) in solved.iter().enumerate() {
        let factor = divisor / denominators[k];
        let share: Vec<i128> = share.iter().map(|x| x * factor).collect();
        for (row, &u) in particular.iter_mut().zip(&column.combination) {
            subtract(row, -u, &share)?;
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
    let divisor = u64::try_from(divisor).map_err(|_| Overflow)?;
    Ok(Combinations { zero, multiple, divisor, coefficients })
}

/// A column of the matrix under reduction, and which combination of the vectors it is.
#[derive(Clone)]
struct Column {
    entries: Vec<i128>,
    combination: Vec<i128>,
}

fn bounded(x: i128) -> Result<i128, Overflow> {
    if x.abs() <= MAX_ENTRY { Ok(x) } else { Err(Overflow) }
}

/// `into - factor * of`, entry by entry.
fn subtract(into: &mut [i128], factor: i128, of: &[i128]) -> Result<(), Overflow> {
    for (x, y) in into.iter_mut().zip(of) {
        *x = bounded(x.minus(factor.times(*y)?)?)?;
    }
    Ok(())
}

/// Column operations that leave at most one non-zero entry in the row.
fn reduce_row(columns: &mut [Column], row: usize) -> Result<(), Overflow> {
    loop {
        let entry = |j: usize| columns[j].entries[row].abs();
        let nonzero = (0..columns.len()).filter(|&j| entry(j) != 0);
        let Some(least) = nonzero.min_by_key(|&j| entry(j)) else { return Ok(()) };
        let pivot = columns[least].clone();
        let mut changed = false;
        for (j, column) in columns.iter_mut().enumerate() {
            if j != least && column.entries[row] != 0 {
                let factor = column.entries[row] / pivot.entries[row];
                subtract(&mut column.entries, factor, &pivot.entries)?;
                subtract(&mut column.combination, factor, &pivot.combination)?;
                changed = true;
            }
        }
        if !changed {
            return Ok(());
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn dot(a: &[i128], b: &[i128]) -> i128 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    proptest! {
        /// Equations hold at the vectors, and there are as many as the rank leaves room for.
        #[test]
        fn equations_hold(
            vectors in prop::collection::vec(prop::collection::vec(0i64..2, 5), 0..6)
        ) {
            let found = equations(5, vectors.clone()).unwrap();
            for equation in &found {
                for vector in &vectors {
                    prop_assert_eq!(equation.iter().zip(vector).map(|(a, b)| a * b).sum::<i64>(), 0);
                }
            }
            // The equations of the equations are as many as the vectors that are independent.
            let back = equations(5, found.clone()).unwrap();
            prop_assert_eq!(back.len() + found.len(), 5);
        }

        /// A combination of the vectors is recognised and written as one.
        #[test]
        fn combinations_are_found(
            vectors in prop::collection::vec(prop::collection::vec(0i128..2, 4), 1..6),
            factors in prop::collection::vec(-3i128..4, 6),
            free in prop::collection::vec(-2i128..3, 6),
        ) {
            let x: Vec<i128> = (0..4)
                .map(|row| vectors.iter().zip(&factors).map(|(v, f)| v[row] * f).sum())
                .collect();
            let found = combinations(4, &vectors).unwrap();
            let divisor = i128::from(found.divisor);
            prop_assert!(found.zero.iter().all(|form| dot(form, &x) == 0));
            prop_assert!(found.multiple.iter().all(|form| dot(form, &x) % divisor == 0));
            let mut sum = vec![0; 4];
            for ((form, relation), vector) in found.coefficients.iter().zip(&vectors) {
                prop_assert_eq!(dot(form, &x) % divisor, 0);
                let coefficient = dot(form, &x) / divisor + dot(relation, &free);
                sum.iter_mut().zip(vector).for_each(|(s, v)| *s += coefficient * v);
            }
            prop_assert_eq!(sum, x);
        }
    }
}
