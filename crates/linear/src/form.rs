//! Linear forms.

use crate::{Overflow, gcd};
use std::ops::RangeBounds;

/// `coefficients . x + constant`, an integer that depends on the variables `x`.
///
/// Coefficients stay below 2^60 in absolute value; operations that would exceed that fail. There are
/// no zeros at the end of the coefficients, so that equal forms are equal values.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Form {
    coefficients: Vec<i64>,
    /// The value where all variables are 0.
    pub constant: i64,
}

/// A linear form as it is written: multiples of named variables in this order, then the number, as in `2a-b+3`.
///
/// ```
/// use nimatron_linear::written;
/// assert_eq!(written([(2, "a"), (0, "c"), (-1, "b")], 3), "2a-b+3");
/// assert_eq!(written([(1, "a")], 0), "a");
/// assert_eq!(written([(0, "a")], 0), "0");
/// ```
pub fn written<N: AsRef<str>>(terms: impl IntoIterator<Item = (i128, N)>, number: i128) -> String {
    let mut text = String::new();
    let mut push = |factor: i128, name: &str| {
        let sign = match (factor < 0, text.is_empty()) {
            (true, _) => "-",
            (false, true) => "",
            (false, false) => "+",
        };
        let size = factor.unsigned_abs();
        let digits = if size == 1 && !name.is_empty() { String::new() } else { size.to_string() };
        text.push_str(&format!("{sign}{digits}{name}"));
    };
    for (factor, name) in terms.into_iter().filter(|(factor, _)| *factor != 0) {
        push(factor, name.as_ref());
    }
    if number != 0 {
        push(number, "");
    }
    if text.is_empty() { "0".to_string() } else { text }
}

/// Beyond this no coefficient goes.
const MOST: i64 = 1 << 60;

impl Form {
    /// The form with these coefficients, one per variable in order.
    pub fn new(coefficients: Vec<i64>, constant: i64) -> Form {
        Form { coefficients, constant }.trimmed()
    }

    /// A number.
    pub fn number(constant: i64) -> Form {
        Form { coefficients: Vec::new(), constant }
    }

    /// The variable `v`.
    pub fn variable(v: usize) -> Form {
        let mut coefficients = vec![0; v + 1];
        coefficients[v] = 1;
        Form { coefficients, constant: 0 }
    }

    /// The variable `a` less the variable `b`.
    pub fn difference(a: usize, b: usize) -> Form {
        let mut coefficients = vec![0; a.max(b) + 1];
        coefficients[a] += 1;
        coefficients[b] -= 1;
        Form { coefficients, constant: 0 }.trimmed()
    }

    fn trimmed(mut self) -> Form {
        while self.coefficients.last() == Some(&0) {
            self.coefficients.pop();
        }
        self
    }

    /// The coefficients up to the last one that is not zero.
    #[inline]
    pub fn coefficients(&self) -> &[i64] {
        &self.coefficients
    }

    /// The coefficient of a variable.
    #[inline]
    pub fn at(&self, v: usize) -> i64 {
        self.coefficients.get(v).copied().unwrap_or(0)
    }

    /// The variables that occur, with their coefficients.
    pub fn terms(&self) -> impl Iterator<Item = (usize, i64)> {
        self.coefficients.iter().copied().enumerate().filter(|&(_, c)| c != 0)
    }

    /// One more than the last variable that occurs.
    #[inline]
    pub fn reach(&self) -> usize {
        self.coefficients.len()
    }

    /// Whether no variable occurs.
    pub fn is_number(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// `self * a + other * b`.
    pub fn combine(&self, a: i64, other: &Form, b: i64) -> Result<Form, Overflow> {
        let mix = |x: i64, y: i64| {
            let sum = i128::from(x) * i128::from(a) + i128::from(y) * i128::from(b);
            i64::try_from(sum).ok().filter(|&s| s.abs() < MOST).ok_or(Overflow)
        };
        let reach = self.reach().max(other.reach());
        let coefficients =
            (0..reach).map(|v| mix(self.at(v), other.at(v))).collect::<Result<_, _>>()?;
        Ok(Form { coefficients, constant: mix(self.constant, other.constant)? }.trimmed())
    }

    /// The multiple by a number.
    pub fn times(&self, factor: i64) -> Result<Form, Overflow> {
        self.combine(factor, &Form::default(), 0)
    }

    /// `self + by`.
    pub fn plus(mut self, by: i64) -> Result<Form, Overflow> {
        let sum = self.constant.checked_add(by).filter(|sum| sum.abs() < MOST);
        self.constant = sum.ok_or(Overflow)?;
        Ok(self)
    }

    /// The form with this constant.
    #[must_use]
    pub fn with(self, constant: i64) -> Form {
        Form { constant, ..self }
    }

    /// `-self`.
    pub fn negated(&self) -> Form {
        let coefficients = self.coefficients.iter().map(|c| -c).collect();
        Form { coefficients, constant: -self.constant }
    }

    /// `-self - 1`: at least zero at the integers where the form is not.
    pub fn complement(&self) -> Form {
        let mut form = self.negated();
        form.constant -= 1;
        form
    }

    /// The form without its term in a variable.
    pub fn without(&self, v: usize) -> Form {
        let mut form = self.clone();
        if let Some(c) = form.coefficients.get_mut(v) {
            *c = 0;
        }
        form.trimmed()
    }

    /// The form of the first `count` variables alone, with the constant.
    pub fn first(&self, count: usize) -> Form {
        let kept = self.coefficients.iter().take(count).copied();
        Form { coefficients: kept.collect(), constant: self.constant }.trimmed()
    }

    /// The form with a variable replaced by a form.
    pub fn replace(&self, v: usize, value: &Form) -> Result<Form, Overflow> {
        match self.at(v) {
            0 => Ok(self.clone()),
            factor => {
                let mut rest = self.clone();
                rest.coefficients[v] = 0;
                rest.combine(1, value, factor)
            }
        }
    }

    /// The form with the variables from `first` on replaced by the values, in order.
    pub fn settled(&self, first: usize, values: &[Form]) -> Result<Form, Overflow> {
        let given = values.iter().zip(first..).filter(|&(_, v)| self.at(v) != 0);
        let own = self.first(first);
        given.into_iter().try_fold(own, |form, (value, v)| form.combine(1, value, self.at(v)))
    }

    /// The first of these variables whose coefficient is 1 or -1, and its value where the form is
    /// zero.
    pub fn solved(
        &self,
        variables: impl RangeBounds<usize>,
    ) -> Result<Option<(usize, Form)>, Overflow> {
        let unit = self.terms().find(|(v, c)| c.abs() == 1 && variables.contains(v));
        let Some((v, c)) = unit else { return Ok(None) };
        Ok(Some((v, self.without(v).times(-c)?)))
    }

    /// The form under new names of the variables: `v` becomes `image[v]`, further ones stay.
    pub fn relabel(&self, image: &[usize]) -> Form {
        let place = |v: usize| image.get(v).copied().unwrap_or(v);
        let reach = self.terms().map(|(v, _)| place(v) + 1).max().unwrap_or(0);
        let mut coefficients = vec![0; reach];
        self.terms().for_each(|(v, c)| coefficients[place(v)] += c);
        Form { coefficients, constant: self.constant }.trimmed()
    }

    /// The greatest common divisor of the coefficients; 0 of a number.
    pub fn divisor(&self) -> i64 {
        self.coefficients.iter().copied().fold(0, gcd)
    }

    /// Of the forms that are at least zero at the same integers, the one that is least at rationals.
    pub fn tightened(&self) -> Form {
        match self.divisor() {
            0 | 1 => self.clone(),
            g => Form {
                coefficients: self.coefficients.iter().map(|c| c / g).collect(),
                constant: self.constant.div_euclid(g),
            },
        }
    }

    /// Whether the first coefficient is negative.
    pub fn starts_negative(&self) -> bool {
        self.coefficients.iter().find(|&&c| c != 0).is_some_and(|&c| c < 0)
    }

    /// Whether it is at least zero wherever the first `heights` variables are, as can be seen at once.
    pub fn evident(&self, heights: usize) -> bool {
        self.constant >= 0 && self.reach() <= heights && self.coefficients.iter().all(|&c| c >= 0)
    }

    /// The value at a point; the end of the range if it lies beyond.
    pub fn value(&self, x: &[i128]) -> i128 {
        let terms = self.coefficients.iter().zip(x).filter(|(c, _)| **c != 0);
        terms.fold(i128::from(self.constant), |sum, (&c, &x)| {
            sum.saturating_add(x.saturating_mul(i128::from(c)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_forms_are_equal_values() {
        let form = Form::new(vec![1, -2, 3, 0], 4);
        assert_eq!(form, Form::new(vec![1, -2, 3], 4));
        assert_eq!(form.without(2), Form::new(vec![1, -2], 4));
        assert_eq!(form.combine(1, &Form::variable(2), -3), Ok(form.without(2)));
        assert_eq!(form.relabel(&[2, 0, 2]), Form::new(vec![-2, 0, 4], 4));
        assert_eq!(Form::difference(3, 3), Form::default());
    }

    #[test]
    fn variables_are_replaced() {
        // x0 + 2 x2 with x2 = x1 - 5
        let form = Form::new(vec![1, 0, 2], 0);
        let value = Form::new(vec![0, 1], -5);
        let expected = Form::new(vec![1, 2], -10);
        assert_eq!(form.replace(2, &value), Ok(expected.clone()));
        assert_eq!(form.settled(2, &[value]), Ok(expected));
        assert_eq!(form.solved(..), Ok(Some((0, Form::new(vec![0, 0, -2], 0)))));
        assert_eq!(form.solved(1..), Ok(None));
    }

    #[test]
    fn inequalities_are_tightened_for_integers() {
        let form = Form::new(vec![4, -6], -3);
        assert_eq!(form.tightened(), Form::new(vec![2, -3], -2));
        assert_eq!(form.complement(), Form::new(vec![-4, 6], 2));
        assert!(Form::new(vec![1, 0, 2], 0).evident(3) && !Form::new(vec![1, 0, 2], 0).evident(2));
        assert_eq!(Form::variable(0).times(1 << 61), Err(Overflow));
        assert_eq!(Form::number(MOST - 1).plus(1), Err(Overflow));
    }
}
