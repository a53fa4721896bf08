//! Fourier and Motzkin's step: a variable eliminated from inequalities.
//!
//! A variable `v` is bounded from below by the rows `a v + L >= 0` and from above by `U - b v >= 0`,
//! with `a` and `b` positive. Rational values of `v` exist exactly where `b L + a U >= 0` for every
//! pair: the *real shadow*. If `a` or `b` is 1 in every pair, integers exist there, too. In general
//! they exist at least in the *dark shadow*, where `b L + a U >= (a-1)(b-1)` (Pugh 1991).

use crate::{Form, Number, Overflow};

/// An inequality: a linear form, in whatever representation, that is at least zero.
pub trait Row: Sized {
    /// What coefficients are.
    type Number: Number;

    /// The coefficient of a variable.
    fn at(&self, variable: usize) -> Self::Number;

    /// `self * a + other * b`, with `a` and `b` positive.
    fn combine(&self, a: Self::Number, other: &Self, b: Self::Number) -> Result<Self, Overflow>;

    /// Takes a number away from the form.
    fn lower(&mut self, by: Self::Number) -> Result<(), Overflow>;
}

impl Row for Form {
    type Number = i64;

    fn at(&self, variable: usize) -> i64 {
        Form::at(self, variable)
    }

    fn combine(&self, a: i64, other: &Form, b: i64) -> Result<Form, Overflow> {
        Form::combine(self, a, other, b)
    }

    fn lower(&mut self, by: i64) -> Result<(), Overflow> {
        *self = std::mem::take(self).plus(-by)?;
        Ok(())
    }
}

/// Which shadow of a system is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shadow {
    /// Where rational values exist.
    Real,
    /// Where integers are sure to exist.
    Dark,
}

/// How often a variable is bounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bounded {
    /// From below.
    pub below: usize,
    /// From above.
    pub above: usize,
    /// Whether both shadows are the same, so that the elimination is exact for integers: all bounds
    /// of one side have coefficient 1.
    pub exact: bool,
}

impl Bounded {
    /// How the rows bound a variable.
    pub fn new<'r, R: Row + 'r>(rows: impl IntoIterator<Item = &'r R>, variable: usize) -> Bounded {
        let (mut below, mut above) = (0, 0);
        let (mut units_below, mut units_above) = (true, true);
        for row in rows {
            let a = row.at(variable);
            if a > R::Number::ZERO {
                below += 1;
                units_below &= a == R::Number::ONE;
            } else if a < R::Number::ZERO {
                above += 1;
                units_above &= -a == R::Number::ONE;
            }
        }
        Bounded { below, above, exact: units_below || units_above }
    }

    /// Whether the variable does not occur.
    pub fn is_absent(&self) -> bool {
        self.below + self.above == 0
    }

    /// How many rows the elimination makes.
    pub fn pairs(&self) -> usize {
        self.below * self.above
    }
}

/// The rows that bound a variable.
#[derive(Clone, Debug)]
pub struct Bounds<R> {
    /// The variable.
    pub variable: usize,
    /// Those with a positive coefficient.
    pub lower: Vec<R>,
    /// Those with a negative coefficient.
    pub upper: Vec<R>,
}

impl<R: Row> Bounds<R> {
    /// Takes the rows in which a variable occurs out of a list.
    pub fn taken_from(rows: &mut Vec<R>, variable: usize) -> Bounds<R> {
        let mut bounds = Bounds { variable, lower: Vec::new(), upper: Vec::new() };
        for row in std::mem::take(rows) {
            let a = row.at(variable);
            if a > R::Number::ZERO {
                bounds.lower.push(row);
            } else if a < R::Number::ZERO {
                bounds.upper.push(row);
            } else {
                rows.push(row);
            }
        }
        bounds
    }

    /// What each two bounds from both sides say together, without the variable.
    pub fn pairs(&self, shadow: Shadow) -> impl Iterator<Item = Result<R, Overflow>> {
        let v = self.variable;
        let pair = move |lower: &R, upper: &R| {
            let (a, b) = (lower.at(v), -upper.at(v));
            let mut row = lower.combine(b, upper, a)?;
            if shadow == Shadow::Dark {
                let one = R::Number::ONE;
                row.lower(a.minus(one)?.times(b.minus(one)?)?)?;
            }
            Ok(row)
        };
        self.lower
            .iter()
            .flat_map(move |lower| self.upper.iter().map(move |upper| pair(lower, upper)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Shadows against trying all values of the variable: the dark one holds only where there
        /// is an integer, the real one wherever there is one; exact means that they agree.
        #[test]
        fn shadows_are_right(
            rows in prop::collection::vec((-4i64..5, -3i64..4, -6i64..7), 1..6)
        ) {
            let mut rows: Vec<Form> =
                rows.into_iter().map(|(v, x, k)| Form::new(vec![x, v], k)).collect();
            let all = rows.clone();
            let bounded = Bounded::new(&rows, 1);
            let bounds = Bounds::taken_from(&mut rows, 1);
            prop_assert_eq!(bounds.lower.len(), bounded.below);
            prop_assert_eq!(bounds.pairs(Shadow::Real).count(), bounded.pairs());
            for x in -8..=8 {
                let exists = (-60..=60).any(|v| all.iter().all(|row| row.value(&[x, v]) >= 0));
                let holds = |shadow| {
                    rows.iter().all(|row| row.value(&[x]) >= 0)
                        && bounds.pairs(shadow).all(|row| row.unwrap().value(&[x]) >= 0)
                };
                prop_assert!(!holds(Shadow::Dark) || exists);
                prop_assert!(!exists || holds(Shadow::Real));
                prop_assert!(!bounded.exact || holds(Shadow::Real) == exists);
            }
        }
    }
}
