//! Counting many things at once.

use super::values::Marks;

/// Sets of numbers, turned: for each number the sets that it is in, 64 to a word.
///
/// How many of some numbers are in each of the sets is then counted for 64 sets at a time, with counters whose
/// digits lie in words: the first word has the last binary digit of each counter, and so on.
pub(super) struct Tally {
    sets: usize,
    numbers: usize,
    /// So many words for each number.
    width: usize,
    rows: Vec<u64>,
}

impl Tally {
    /// The numbers are below a bound.
    pub(super) fn new(sets: &[&Marks], bound: usize) -> Self {
        let width = sets.len().div_ceil(64);
        let mut rows = vec![0; bound.next_multiple_of(64) * width];
        for (at, some) in sets.chunks(64).enumerate() {
            for word in 0..bound.div_ceil(64) {
                let mut square = [0; 64];
                square.iter_mut().zip(some).for_each(|(row, set)| *row = set.word(word));
                transpose(&mut square);
                for (bit, &row) in square.iter().enumerate() {
                    rows[(64 * word + bit) * width + at] = row;
                }
            }
        }
        Tally { sets: sets.len(), numbers: bound, width, rows }
    }

    /// How many of some numbers are in each of the sets.
    pub(super) fn counts(&self, some: &Marks) -> Vec<usize> {
        let numbers: Vec<usize> = (0..self.numbers).filter(|&number| some.has(number)).collect();
        let none = vec![0; self.width];
        let places = (usize::BITS - numbers.len().leading_zeros()).max(3) as usize;
        let mut digits: Vec<Vec<u64>> = vec![none.clone(); places];
        for eight in numbers.chunks(8) {
            let row = |at: usize| match eight.get(at) {
                Some(number) => &self.rows[number * self.width..][..self.width],
                None => &none[..],
            };
            let rows: [&[u64]; 8] = std::array::from_fn(row);
            let (low, high) = digits.split_at_mut(3);
            let [ones, twos, fours] = low else { continue };
            for at in 0..self.width {
                // A tree of adders (Harley and Seal): eight numbers give one carry to the eights.
                let a = add(&mut ones[at], rows[0][at], rows[1][at]);
                let b = add(&mut ones[at], rows[2][at], rows[3][at]);
                let first = add(&mut twos[at], a, b);
                let a = add(&mut ones[at], rows[4][at], rows[5][at]);
                let b = add(&mut ones[at], rows[6][at], rows[7][at]);
                let second = add(&mut twos[at], a, b);
                let mut carry = add(&mut fours[at], first, second);
                for digit in &mut *high {
                    (digit[at], carry) = (digit[at] ^ carry, digit[at] & carry);
                }
            }
        }
        let digit = |words: &[u64], set: usize| (words[set / 64] >> (set % 64) & 1) as usize;
        let count = |set: usize| digits.iter().rev().fold(0, |n, words| 2 * n + digit(words, set));
        (0..self.sets).map(count).collect()
    }
}

/// Adds two binary digits to a third one, 64 times; what is carried.
fn add(digit: &mut u64, a: u64, b: u64) -> u64 {
    let carry = *digit & a | (*digit ^ a) & b;
    *digit ^= a ^ b;
    carry
}

/// Turns a square of bits: rows become columns.
fn transpose(square: &mut [u64; 64]) {
    let (mut half, mut mask) = (32, u64::MAX >> 32);
    while half > 0 {
        for row in (0..64).filter(|row| row & half == 0) {
            let swapped = (square[row] >> half ^ square[row + half]) & mask;
            square[row] ^= swapped << half;
            square[row + half] ^= swapped;
        }
        half /= 2;
        mask ^= mask << half;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_the_sets() {
        let sets: Vec<Marks> = (1..=150)
            .map(|k| Marks::new(1000, |at| (at * at + 7 * at) % (k + 1) < k / 2))
            .collect();
        let tally = Tally::new(&sets.iter().collect::<Vec<_>>(), 1000);
        for few in [2, 1, 0] {
            let some = Marks::new(1000, |at| at % 3 >= few || at > 900);
            let expected: Vec<usize> = sets.iter().map(|set| set.count_both(&some)).collect();
            assert_eq!(tally.counts(&some), expected);
        }
    }
}
