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

/// The same as a range, for any number of stacks: from `n/s` to `2n/(s+1)`; empty if `k = n`.
pub fn size_range(n: usize, k: usize) -> std::ops::RangeInclusive<usize> {
    match n - k {
        0 => std::ops::RangeInclusive::new(1, 0),
        s => n.div_ceil(s)..=2 * n / (s + 1),
    }
}

/// A circuit of CN(n,k) with so many stacks, counted from 0, for any number of stacks; `None` if there is none.
///
/// It is made as in the proof of DH13 Theorem 5.8: gaps that are as even as possible, any two neighbours of which
/// add up to at least `s+1`, are widened up to `s` until they go round the circle.
///
/// ```
/// use nimatron_theory::complex::circular::example;
/// assert_eq!(example(34, 30, 13).unwrap(), [0, 3, 5, 8, 10, 13, 15, 18, 20, 23, 25, 28, 30]);
/// assert_eq!(example(34, 30, 14), None);
/// ```
pub fn example(n: usize, k: usize, size: usize) -> Option<Vec<usize>> {
    if !size_range(n, k).contains(&size) {
        return None;
    }
    let spread = n - k;
    let (high, low) = ((spread + 1).div_ceil(2), spread.div_ceil(2));
    let mut gaps: Vec<usize> = (0..size).map(|i| if i % 2 == 0 { high } else { low }).collect();
    let mut missing = n.checked_sub(gaps.iter().sum())?;
    for gap in gaps.iter_mut().rev() {
        let more = missing.min(spread - *gap);
        *gap += more;
        missing -= more;
    }
    let mut starts = Vec::with_capacity(size);
    gaps.iter().fold(0, |at, gap| {
        starts.push(at);
        at + gap
    });
    (missing == 0).then_some(starts)
}

/// How many circuits CN(n,k) has, counted by their gaps without listing them.
///
/// # Panics
/// If there are too many for the number; up to 32 stacks there are not.
pub fn circuit_count(n: usize, k: usize) -> u64 {
    count(n, k).and_then(|count| u64::try_from(count).ok()).expect("few enough")
}

/// The same for any number of stacks; `None` if the number is beyond 128 bits.
pub fn count(n: usize, k: usize) -> Option<u128> {
    let spread = n - k;
    // A circuit is a starting stack with the gaps from there on: sum over the gap that contains
    // the step from stack n-1 to stack 0, of length d, in one of d places.
    let mut total = 0u128;
    for first in 1..=spread {
        // ways[last][length]: gap sequences that start with `first` and end with `last`.
        let mut ways = vec![vec![0u128; n + 1]; spread + 1];
        if first <= n {
            ways[first][first] = 1;
        }
        for length in first + 1..=n {
            for gap in 1..=spread.min(length) {
                let mut before = (spread + 1 - gap)..=spread;
                let add = |sum: u128, last: usize| sum.checked_add(ways[last][length - gap]);
                ways[gap][length] = before.try_fold(ways[gap][length], add)?;
            }
        }
        // The last gap and the first are neighbours too.
        let mut closed = (spread + 1 - first)..=spread;
        let sum = closed.try_fold(0u128, |sum, last| sum.checked_add(ways[last][n]))?;
        total = total.checked_add(sum.checked_mul(first as u128)?)?;
    }
    Some(total)
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

    /// There is a circuit of every size that the theorem allows, and it is one.
    #[test]
    fn circuits_of_every_size_are_made() {
        for n in 2..=32 {
            for k in 2..n {
                for size in 1..=n {
                    let made = example(n, k, size);
                    assert_eq!(made.is_some(), circuit_sizes(n, k).contains(size), "CN({n},{k})");
                    let Some(made) = made else { continue };
                    assert_eq!(made.len(), size);
                    let set = made.into_iter().collect();
                    assert!(is_circuit(n, k, set), "{set} in CN({n},{k})");
                }
            }
        }
        // Far beyond: the gaps are right.
        let made = example(1000, 900, 15).unwrap();
        let gap = |i: usize| (made[(i + 1) % 15] + 1000 - made[i]) % 1000;
        assert!((0..15).all(|i| gap(i) <= 100 && gap(i) + gap((i + 1) % 15) > 100));
        assert_eq!(size_range(1000, 900), 10..=19);
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
