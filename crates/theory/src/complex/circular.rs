//! The circuits of CN(n,k), by their gaps (DH13 section 5).
//!
//! Walking round the circle from one stack of a set to the next takes `d_1, d_2, ...` steps,
//! which add up to `n`. With `s = n-k` the set is a circuit exactly if every `d_i <= s` (no window
//! of `k` holds it) and every `d_i + d_(i+1) > s` (without any one stack, some window does).

use nimatron_game::{Sizes, StackSet};

/// Whether a set of stacks is a circuit of CN(n,k).
///
/// # Panics
/// If `k > n`, as do all functions here.
pub fn is_circuit(n: usize, k: usize, set: StackSet) -> bool {
    let spread = n - k;
    let stacks: Vec<usize> = set.iter().collect();
    let Some((&first, &last)) = stacks.first().zip(stacks.last()) else { return false };
    let mut gaps: Vec<usize> = stacks.windows(2).map(|pair| pair[1] - pair[0]).collect();
    gaps.push(first + n - last);
    let next = |i: usize| gaps[(i + 1) % gaps.len()];
    (0..gaps.len()).all(|i| gaps[i] <= spread && gaps[i] + next(i) > spread)
}

/// The sizes of the circuits of CN(n,k): from `n/s` to `2n/(s+1)`, where `s = n-k`; none if
/// `k = n` (DH13 Theorem 5.8).
///
/// ```
/// use nimatron_theory::complex::circular::circuit_sizes;
/// assert_eq!(circuit_sizes(15, 10).iter().collect::<Vec<_>>(), [3, 4, 5]);
/// ```
pub fn circuit_sizes(n: usize, k: usize) -> Sizes {
    match n - k {
        0 => Sizes::new([]),
        s => Sizes::new(n.div_ceil(s)..=2 * n / (s + 1)),
    }
}

/// How many circuits CN(n,k) has, counted by their gaps without listing them.
pub fn circuit_count(n: usize, k: usize) -> u64 {
    let spread = n - k;
    // A circuit is a starting stack with the gaps from there on: sum over the gap that contains
    // the step from stack n-1 to stack 0, of length d, in one of d places.
    let mut total = 0;
    for first in 1..=spread {
        // ways[last][length]: gap sequences that start with `first` and end with `last`.
        let mut ways = vec![vec![0u64; n + 1]; spread + 1];
        if first <= n {
            ways[first][first] = 1;
        }
        for length in first + 1..=n {
            for gap in 1..=spread.min(length) {
                let before = (spread + 1 - gap)..=spread;
                ways[gap][length] += before.map(|last| ways[last][length - gap]).sum::<u64>();
            }
        }
        // The last gap and the first are neighbours too.
        let closed = (spread + 1 - first)..=spread;
        total += first as u64 * closed.map(|last| ways[last][n]).sum::<u64>();
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::complex::Complex;
    use nimatron_game::Family;

    #[test]
    fn the_gap_criterion_is_the_definition() {
        for n in 2..=11 {
            for k in 1..=n {
                let complex = Complex::of(&Family::Circular { n, k }.rule());
                let mut count = 0;
                for set in (0..1u32 << n).map(StackSet::from_bits) {
                    let expected = complex.is_circuit(set);
                    assert_eq!(is_circuit(n, k, set), expected, "{set} in CN({n},{k})");
                    count += u64::from(expected);
                }
                assert_eq!(circuit_count(n, k), count, "CN({n},{k})");
            }
        }
    }

    #[test]
    fn the_table_of_sizes() {
        // DH13 Table 2, one row per n, k from 2 on.
        let table: &[(usize, &[&[usize]])] = &[
            (3, &[&[3]]),
            (4, &[&[2], &[4]]),
            (5, &[&[2], &[3], &[5]]),
            (6, &[&[2], &[2, 3], &[3, 4], &[6]]),
            (7, &[&[2], &[2], &[3], &[4], &[7]]),
            (8, &[&[2], &[2], &[2, 3], &[3, 4], &[4, 5], &[8]]),
            (9, &[&[2], &[2], &[2, 3], &[3], &[3, 4], &[5, 6], &[9]]),
            (10, &[&[2], &[2], &[2], &[2, 3], &[3, 4], &[4, 5], &[5, 6], &[10]]),
            (15, &[&[2], &[2], &[2], &[2], &[2, 3], &[2, 3], &[3], &[3, 4], &[3, 4, 5]]),
        ];
        for (n, row) in table {
            for (i, expected) in row.iter().enumerate() {
                let k = i + 2;
                let sizes: Vec<_> = circuit_sizes(*n, k).iter().collect();
                assert_eq!(sizes, *expected, "CN({n},{k})");
                let complex = Complex::of(&Family::Circular { n: *n, k }.rule());
                let seen = Sizes::new(complex.circuits().map(|c| c.len()));
                assert_eq!(seen, circuit_sizes(*n, k), "CN({n},{k})");
            }
        }
    }
}
