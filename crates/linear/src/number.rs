//! Exact integers that say when they overflow.

use std::fmt::Debug;
use std::ops::{Div, Neg, Rem};

/// A number left its range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a number grew beyond 127 bits")]
pub struct Overflow;

/// Exact integers that say when they overflow. The least value of the type does not occur, so that
/// negation is always possible.
pub trait Number:
    Copy
    + Ord
    + Debug
    + Into<i128>
    + From<i64>
    + Neg<Output = Self>
    + Rem<Output = Self>
    + Div<Output = Self>
{
    /// 0
    const ZERO: Self;
    /// 1
    const ONE: Self;

    /// The product.
    fn times(self, other: Self) -> Result<Self, Overflow>;
    /// The sum.
    fn plus(self, other: Self) -> Result<Self, Overflow>;
    /// The difference.
    fn minus(self, other: Self) -> Result<Self, Overflow>;

    /// `(a * b - c * d) / e`, which is an integer.
    #[inline]
    fn cross(a: Self, b: Self, c: Self, d: Self, e: Self) -> Result<Self, Overflow> {
        let value = a.times(b)?.minus(c.times(d)?)?;
        Ok(if e == Self::ONE { value } else { value / e })
    }

    /// The absolute value.
    #[inline]
    fn size(self) -> Self {
        if self < Self::ZERO { -self } else { self }
    }
}

macro_rules! number {
    ($t:ty) => {
        impl Number for $t {
            const ZERO: $t = 0;
            const ONE: $t = 1;
            #[inline]
            fn times(self, other: $t) -> Result<$t, Overflow> {
                self.checked_mul(other).filter(|v| *v != Self::MIN).ok_or(Overflow)
            }
            #[inline]
            fn plus(self, other: $t) -> Result<$t, Overflow> {
                self.checked_add(other).filter(|v| *v != Self::MIN).ok_or(Overflow)
            }
            #[inline]
            fn minus(self, other: $t) -> Result<$t, Overflow> {
                self.checked_sub(other).filter(|v| *v != Self::MIN).ok_or(Overflow)
            }
        }
    };
}

number!(i64);
number!(i128);

/// The greatest common divisor, not negative; 0 only of 0 and 0.
///
/// ```
/// use nimatron_linear::gcd;
/// assert_eq!(gcd(-12i64, 18), 6);
/// assert_eq!([0i64, 4, -6].into_iter().fold(0, gcd), 2);
/// ```
#[inline]
pub fn gcd<T: Number>(a: T, b: T) -> T {
    let (mut a, mut b) = (a, b);
    while b != T::ZERO {
        (a, b) = (b, a % b);
    }
    a.size()
}

/// The least common multiple of two numbers other than 0, not negative.
pub fn lcm<T: Number>(a: T, b: T) -> Result<T, Overflow> {
    (a / gcd(a, b)).times(b).map(T::size)
}
