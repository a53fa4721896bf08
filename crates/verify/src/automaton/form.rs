//! Comparisons of sums with zero, digit by digit.
//!
//! While the digits of some numbers are read, the most significant first, the value of a sum of
//! multiples goes from v to 2v + d, where d is the sum of the same multiples of the digits. Either v stays
//! small, or it is soon clear how the comparison ends. Of a remainder, the remainder so far is
//! enough.

use super::digits::State;
use crate::flaw::{Rejection, flaw};
use std::collections::BTreeMap;

/// The greatest coefficient, constant or modulus.
pub(super) const MAX_NUMBER: i128 = 1 << 40;

/// The most multiples in a sum.
pub(super) const MAX_SUMMANDS: usize = 1 << 10;

/// Following a formula digit by digit takes too much.
pub(super) fn too_large() -> Rejection {
    flaw("limit", "the formula is too large to be compared with the automaton")
}

/// An integer: a sum of multiples of numbers that are read, of remainders, and a constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Form {
    /// By set of tracks, as bits: the coefficient of the exclusive or of these numbers. Its digits are
    /// known as soon as theirs are.
    pub(super) xors: BTreeMap<u32, i128>,
    pub(super) constant: i128,
    /// Coefficient, dividend, modulus.
    pub(super) remainders: Vec<(i128, Form, i128)>,
}

impl Form {
    /// Adds a multiple of another form.
    pub(super) fn add(&mut self, factor: i128, other: &Form) -> Result<(), Rejection> {
        let product = |c: &i128| factor.checked_mul(*c).ok_or_else(too_large);
        for (&set, c) in &other.xors {
            *self.xors.entry(set).or_default() += product(c)?;
        }
        self.xors.retain(|_, c| *c != 0);
        self.constant += product(&other.constant)?;
        for (c, form, modulus) in &other.remainders {
            self.remainders.push((product(c)?, form.clone(), *modulus));
        }
        let factors = self.remainders.iter().map(|(c, ..)| c);
        let mut numbers = self.xors.values().chain([&self.constant]).chain(factors);
        let fits = self.xors.len() + self.remainders.len() <= MAX_SUMMANDS
            && numbers.all(|c| c.abs() <= MAX_NUMBER)
            && self.remainders.iter().all(|(.., modulus)| (1..=MAX_NUMBER).contains(modulus));
        if fits { Ok(()) } else { Err(too_large()) }
    }

    /// How many multiples there are, those inside of remainders included.
    pub(super) fn size(&self) -> usize {
        let inside = self.remainders.iter().map(|(_, form, _)| 1 + form.size());
        self.xors.len() + inside.sum::<usize>()
    }

    /// How many combinations of residues may have to be remembered.
    pub(super) fn residues(&self) -> i128 {
        self.dividends().iter().fold(1, |all: i128, (_, modulus)| all.saturating_mul(*modulus))
    }

    /// All tracks, as bits.
    pub(super) fn tracks(&self) -> u32 {
        let inside = self.remainders.iter().map(|(_, form, _)| form.tracks());
        self.xors.keys().copied().chain(inside).fold(0, |all, set| all | set)
    }

    /// The form of the digits of a letter, without constant and remainders.
    fn digit(&self, letter: u32) -> i128 {
        let odd = |set: u32| (set & letter).count_ones() % 2 == 1;
        self.xors.iter().filter(|&(&set, _)| odd(set)).map(|(_, c)| c).sum()
    }

    /// All dividends with their moduli, those inside of others after them.
    fn dividends(&self) -> Vec<(&Form, i128)> {
        let mut list = Vec::new();
        for (_, form, modulus) in &self.remainders {
            list.push((form, *modulus));
            list.extend(form.dividends());
        }
        list
    }

    /// What is added in the end to the multiples of what was read; `residues` has one number for
    /// each of the [`dividends`](Form::dividends), the residue of what was read.
    fn rest(&self, residues: &mut impl Iterator<Item = i128>) -> i128 {
        self.remainders.iter().fold(self.constant, |sum, (c, form, modulus)| {
            let read = residues.next().unwrap_or_default();
            sum + c * (read + form.rest(residues)).rem_euclid(*modulus)
        })
    }

    /// Whether "form = 0", or "form >= 0", is already decided when v is the value of the multiples of
    /// what was read so far.
    ///
    /// Reading a letter with the value d takes v to 2v + d, and -down <= d <= up, where `up` is the sum
    /// of the positive coefficients and `-down` that of the negative ones. If v >= down then 2v + d >=
    /// v + (v - down) >= v >= down: from now on v never decreases. Likewise, if v <= -up it never
    /// increases. In the end a rest from `low` to `high` is added. So if v >= down and v + low > 0,
    /// the form will be positive, and if v <= -up and v + high < 0, negative.
    ///
    /// An undecided v has v < max(down, 1 - low) and v > -max(up, 1 + high): there are finitely many.
    fn decided(&self, v: i128, is_equation: bool) -> Option<bool> {
        let up: i128 = self.xors.values().filter(|c| **c > 0).sum();
        let down: i128 = -self.xors.values().filter(|c| **c < 0).sum::<i128>();
        let ends = self.remainders.iter().map(|(c, _, modulus)| c * (modulus - 1));
        let low = self.constant + ends.clone().filter(|end| *end < 0).sum::<i128>();
        let high = self.constant + ends.filter(|end| *end > 0).sum::<i128>();
        if self.xors.is_empty() && low == high {
            return Some(if is_equation { low == 0 } else { low >= 0 });
        }
        let positive = v >= down && v + low > 0;
        let negative = v <= -up && v + high < 0;
        let at_least_zero = v >= down && v + low >= 0;
        match is_equation {
            true => (positive || negative).then_some(false),
            false => at_least_zero.then_some(true).or(negative.then_some(false)),
        }
    }

    /// The state of the comparison with 0 before the first letter.
    pub(super) fn start(&self, is_equation: bool) -> State {
        self.state(0, vec![0; self.dividends().len()], is_equation)
    }

    /// The state after one more letter; see [`State::Values`].
    pub(super) fn step(&self, values: &[i128], letter: u32, is_equation: bool) -> State {
        let residues = self.dividends().into_iter().zip(&values[1..]);
        let residues = residues.map(|((form, modulus), residue)| {
            (2 * residue + form.digit(letter)).rem_euclid(modulus)
        });
        self.state(2 * values[0] + self.digit(letter), residues.collect(), is_equation)
    }

    /// The state of a comparison with 0 when this is the value of what was read, and these are the
    /// residues of the dividends.
    ///
    /// Reading on, only the double of a residue matters; for an even modulus this needs the residue
    /// modulo one half of it.
    fn state(&self, value: i128, residues: Vec<i128>, is_equation: bool) -> State {
        if let Some(decided) = self.decided(value, is_equation) {
            return State::Decided(decided);
        }
        let whole = value + self.rest(&mut residues.iter().copied());
        let holds = if is_equation { whole == 0 } else { whole >= 0 };
        let needed = residues.iter().zip(self.dividends()).map(|(residue, (_, modulus))| {
            if modulus % 2 == 0 { residue % (modulus / 2) } else { *residue }
        });
        State::Values([value].into_iter().chain(needed).collect(), holds)
    }
}
