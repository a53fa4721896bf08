//! Running programs.

use super::program::{FILES, NO, Op, Program, Register, Slice, YES};
use super::span;
use nimatron_game::{Height, MAX_STACKS, slow};
use std::ops::{Add, BitXor, Mul};

/// The arithmetic of a run: 64 bits where that is enough for the heights at hand, else 128.
pub(crate) trait Number:
    Copy + Ord + Add<Output = Self> + Mul<Output = Self> + BitXor<Output = Self>
{
    const ZERO: Self;
    fn from_height(height: Height) -> Self;
    fn remainder(self, modulus: u64) -> Self;
    fn low_bits(self, bits: u8) -> Self;
}

macro_rules! number {
    ($type:ty) => {
        impl Number for $type {
            const ZERO: Self = 0;
            fn from_height(height: Height) -> Self {
                height as $type
            }
            fn remainder(self, modulus: u64) -> Self {
                self.rem_euclid(modulus as $type)
            }
            fn low_bits(self, bits: u8) -> Self {
                self & ((1 << bits) - 1)
            }
        }
    };
}
number!(i64);
number!(i128);

/// Runs the program on the heights, with its combinations in the arithmetic `T`.
///
/// No operation can overflow: the compiler has bounded every combination for the heights that
/// are admitted to `T`.
pub(crate) fn run<T: Number>(
    program: &Program,
    terms: &[(Register, T)],
    heights: &[Height],
    least_move: Option<usize>,
) -> bool {
    match least_move {
        None => run_reduced(program, terms, heights, &[]),
        Some(least) => {
            let mut reduced = [0; MAX_STACKS];
            let reduced = &mut reduced[..heights.len()];
            reduced.copy_from_slice(heights);
            slow::reduce_heights(least, reduced);
            run_reduced(program, terms, heights, reduced)
        }
    }
}

/// Runs the program on the heights and, if it needs them, the reduced heights.
fn run_reduced<T: Number>(
    program: &Program,
    terms: &[(Register, T)],
    heights: &[Height],
    reduced: &[Height],
) -> bool {
    match program.size {
        ..=16 => run_in::<T, { FILES[0] }>(program, terms, heights, reduced),
        17..=64 => run_in::<T, { FILES[1] }>(program, terms, heights, reduced),
        _ => run_in::<T, { FILES[2] }>(program, terms, heights, reduced),
    }
}

fn run_in<T: Number, const FILE: usize>(
    program: &Program,
    terms: &[(Register, T)],
    heights: &[Height],
    reduced: &[Height],
) -> bool {
    let mut file = [T::ZERO; FILE];
    for (register, &height) in file.iter_mut().zip(heights.iter().chain(reduced)) {
        *register = T::from_height(height);
    }
    file[heights.len() + reduced.len()] = T::from_height(1);

    // Registers are below FILE, a power of 2: the mask changes nothing but saves the check.
    let at = |r: Register| usize::from(r) & (FILE - 1);
    let combine = |file: &[T; FILE], slice: Slice| {
        let start = slice.start as usize;
        let terms = &terms[start..start + usize::from(slice.length)];
        terms.iter().fold(T::ZERO, |sum, &(r, c)| sum + file[at(r)] * c)
    };
    let list = |slice: Slice| {
        let start = slice.start as usize;
        &program.registers[start..start + usize::from(slice.length)]
    };
    let mut next = program.entry;
    loop {
        let Some(&op) = program.ops.get(next as usize) else {
            debug_assert!(next == YES || next == NO);
            return next == YES;
        };
        let (holds, yes, no) = match op {
            Op::Same { x, y, yes, no } => (file[at(x)] == file[at(y)], yes, no),
            Op::AtMost { x, y, yes, no } => (file[at(x)] <= file[at(y)], yes, no),
            Op::Zero { terms, yes, no } => (combine(&file, terms) == T::ZERO, yes, no),
            Op::NonNegative { terms, yes, no } => (combine(&file, terms) >= T::ZERO, yes, no),
            Op::Span { index, yes, no } => {
                let (generators, of_reduced) = &program.spans[usize::from(index)];
                let heights = if *of_reduced { reduced } else { heights };
                (span::search(heights, generators), yes, no)
            }
            Op::Digits { index, yes, no } => {
                let (what, of_reduced) = &program.digits[usize::from(index)];
                (what.holds(if *of_reduced { reduced } else { heights }), yes, no)
            }
            _ => {
                let (into, value) = match op {
                    Op::Linear { into, terms } => (into, combine(&file, terms)),
                    Op::Min { into, of } => {
                        let values = list(of).iter().map(|&r| file[at(r)]);
                        (into, values.reduce(T::min).unwrap_or(T::ZERO))
                    }
                    Op::Max { into, of } => {
                        let values = list(of).iter().map(|&r| file[at(r)]);
                        (into, values.reduce(T::max).unwrap_or(T::ZERO))
                    }
                    Op::Xor { into, of } => {
                        (into, list(of).iter().fold(T::ZERO, |x, &r| x ^ file[at(r)]))
                    }
                    Op::Mod { into, x, modulus } => {
                        (into, file[at(x)].remainder(program.moduli[usize::from(modulus)]))
                    }
                    Op::Low { into, x, bits } => (into, file[at(x)].low_bits(bits)),
                    Op::Odds { into, reduced: of_reduced } => {
                        let heights = if of_reduced { reduced } else { heights };
                        let odd: Height = heights.iter().map(|h| h & 1).sum();
                        (into, T::from_height(odd))
                    }
                    // Tests have been dealt with above.
                    _ => return false,
                };
                file[at(into)] = value;
                next += 1;
                continue;
            }
        };
        next = if holds { yes } else { no };
    }
}
