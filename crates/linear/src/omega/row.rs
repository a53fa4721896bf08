//! Affine forms of the Omega test: few variables and 120 bits, kept in place.

use super::system::MAX_VARIABLES;
use crate::{Overflow, eliminate, gcd};

/// The form `a[0]*x[0] + ... + c`. Coefficients past the variables in use are 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Row {
    pub(super) a: [i128; MAX_VARIABLES],
    pub(super) c: i128,
}

type Checked<T> = Result<T, Overflow>;

/// Numbers stay below this in absolute value, so that negation, absolute values and single steps
/// need no check of their own.
const RANGE: u128 = 1 << 120;

/// The value, if it is there and in range.
pub(super) fn overflow(value: Option<i128>) -> Checked<i128> {
    value.filter(|v| v.unsigned_abs() < RANGE).ok_or(Overflow)
}

impl Row {
    /// The form given by a user.
    pub(super) fn checked(coefficients: &[i128], c: i128) -> Checked<Self> {
        overflow(Some(c))?;
        coefficients.iter().try_for_each(|&a| overflow(Some(a)).map(|_| ()))?;
        Ok(Row::new(coefficients, c))
    }

    pub(super) fn new(coefficients: &[i128], c: i128) -> Self {
        let mut a = [0; MAX_VARIABLES];
        a[..coefficients.len()].copy_from_slice(coefficients);
        Row { a, c }
    }

    /// The form `sign * x[variable] + c`.
    pub(super) fn single(variable: usize, sign: i128, c: i128) -> Self {
        let mut row = Row::new(&[], c);
        row.a[variable] = sign;
        row
    }

    /// The variables with a non-zero coefficient.
    pub(super) fn variables(&self) -> impl Iterator<Item = usize> {
        let a = self.a;
        (0..MAX_VARIABLES).filter(move |&v| a[v] != 0)
    }

    /// `p*self + q*other`.
    pub(super) fn combine(&self, p: i128, other: &Row, q: i128) -> Checked<Row> {
        let term = |x: i128, y: i128| {
            let sum = x.checked_mul(p).zip(y.checked_mul(q)).and_then(|(x, y)| x.checked_add(y));
            overflow(sum)
        };
        let mut row = Row { a: [0; MAX_VARIABLES], c: term(self.c, other.c)? };
        for v in 0..MAX_VARIABLES {
            if self.a[v] != 0 || other.a[v] != 0 {
                row.a[v] = term(self.a[v], other.a[v])?;
            }
        }
        Ok(row)
    }

    /// The form with `x[variable]` replaced by `value`.
    pub(super) fn substitute(&self, variable: usize, value: &Row) -> Checked<Row> {
        let factor = self.a[variable];
        if factor == 0 {
            return Ok(*self);
        }
        let mut rest = *self;
        rest.a[variable] = 0;
        rest.combine(1, value, factor)
    }

    pub(super) fn value(&self, x: &[i128; MAX_VARIABLES]) -> Checked<i128> {
        let mut sum = self.c;
        for v in self.variables() {
            let term = overflow(self.a[v].checked_mul(x[v]))?;
            sum = overflow(sum.checked_add(term))?;
        }
        Ok(sum)
    }

    pub(super) fn negated(&self) -> Checked<Row> {
        Row::new(&[], 0).combine(0, self, -1)
    }

    /// The greatest common divisor of the coefficients, 0 if there are none.
    pub(super) fn content(&self) -> i128 {
        self.variables().fold(0, |g, v| gcd(g, self.a[v]))
    }
}

impl eliminate::Row for Row {
    type Number = i128;

    fn at(&self, variable: usize) -> i128 {
        self.a[variable]
    }

    fn combine(&self, a: i128, other: &Row, b: i128) -> Checked<Row> {
        Row::combine(self, a, other, b)
    }

    fn lower(&mut self, by: i128) -> Checked<()> {
        self.c = overflow(self.c.checked_sub(by))?;
        Ok(())
    }
}
