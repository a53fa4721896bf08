//! Variables expressed by others.

use crate::{Form, Overflow};
use std::ops::RangeBounds;

/// Values of some variables in terms of the others.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    values: Vec<(usize, Form)>,
}

impl Substitution {
    /// Uses the equation `form = 0` to express one of these variables, if one has coefficient 1 or -1
    /// once the values known so far are put in.
    pub fn learn(
        &mut self,
        form: &Form,
        variables: impl RangeBounds<usize>,
    ) -> Result<(), Overflow> {
        if let Some((v, value)) = self.apply(form)?.solved(variables)? {
            for (_, other) in &mut self.values {
                *other = other.replace(v, &value)?;
            }
            self.values.push((v, value));
        }
        Ok(())
    }

    /// Whether no value is known.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The form with the values put in.
    pub fn apply(&self, form: &Form) -> Result<Form, Overflow> {
        self.values.iter().try_fold(form.clone(), |form, (v, value)| form.replace(*v, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_put_into_one_another() {
        let mut known = Substitution::default();
        // x0 = x1 + x2, then x1 = 3 x2 - 1; the last one has no unit coefficient.
        known.learn(&Form::new(vec![1, -1, -1], 0), ..).unwrap();
        known.learn(&Form::new(vec![0, 1, -3], 1), ..2).unwrap();
        known.learn(&Form::new(vec![0, 0, 2], -4), ..).unwrap();
        let form = Form::new(vec![1, 1], 0);
        assert_eq!(known.apply(&form), Ok(Form::new(vec![0, 0, 7], -2)));
    }
}
