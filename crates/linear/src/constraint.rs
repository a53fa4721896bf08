//! Constraints, and systems of them in normal form.

use crate::Form;
use std::collections::{BTreeMap, HashMap};

/// A form that is zero, or at least zero.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Constraint {
    /// The form.
    pub form: Form,
    /// Whether it is zero, rather than at least zero.
    pub equation: bool,
}

impl Constraint {
    /// The inequality.
    pub fn at_least_zero(form: Form) -> Constraint {
        Constraint { form, equation: false }
    }

    /// The equation.
    pub fn zero(form: Form) -> Constraint {
        Constraint { form, equation: true }
    }

    /// Whether it holds where the form has this value.
    pub fn allows(&self, value: i128) -> bool {
        if self.equation { value == 0 } else { value >= 0 }
    }

    /// Whether it holds at a point.
    pub fn holds(&self, x: &[i128]) -> bool {
        self.allows(self.form.value(x))
    }

    /// Whether it holds wherever the first `heights` variables are at least zero, as can be seen at
    /// once.
    pub fn evident(&self, heights: usize) -> bool {
        match self.equation {
            true => self.form == Form::default(),
            false => self.form.evident(heights),
        }
    }

    /// The same constraint on another form.
    #[must_use]
    pub fn on(&self, form: Form) -> Constraint {
        Constraint { form, equation: self.equation }
    }

    /// Under new names of the variables.
    #[must_use]
    pub fn relabel(&self, image: &[usize]) -> Constraint {
        self.on(self.form.relabel(image))
    }

    /// An equation with its first coefficient positive; an inequality as it is.
    #[must_use]
    pub fn upright(self) -> Constraint {
        match self.equation && self.form.starts_negative() {
            true => Constraint::zero(self.form.negated()),
            false => self,
        }
    }

    /// The inequalities that it stands for: one, or two of an equation.
    pub fn sides(&self) -> impl Iterator<Item = Form> {
        let other = self.equation.then(|| self.form.negated());
        std::iter::once(self.form.clone()).chain(other)
    }
}

/// The inequalities that constraints stand for.
pub fn inequalities(constraints: &[Constraint]) -> Vec<Form> {
    constraints.iter().flat_map(Constraint::sides).collect()
}

/// A system in normal form, for integer variables: forms in lowest terms, each constraint once and
/// sorted, of parallel inequalities the tightest, and equations where two inequalities leave no
/// room. `None` if a constraint, or two that are parallel, cannot hold.
///
/// ```
/// use nimatron_linear::{Constraint, Form, tidied};
/// let at_least = |c: Vec<i64>, k| Constraint::at_least_zero(Form::new(c, k));
/// // 2x - 2y >= 1 and y >= x - 1 leave x - y = 1.
/// let system = vec![at_least(vec![2, -2], -1), at_least(vec![-1, 1], 1)];
/// let equation = Constraint::zero(Form::new(vec![1, -1], -1));
/// assert_eq!(tidied(system), Some(vec![equation]));
/// ```
pub fn tidied(constraints: Vec<Constraint>) -> Option<Vec<Constraint>> {
    let mut tidy = Vec::with_capacity(constraints.len());
    for constraint in constraints {
        let g = constraint.form.divisor();
        if g == 0 {
            if !constraint.allows(constraint.form.constant.into()) {
                return None;
            }
            continue;
        }
        if constraint.equation && constraint.form.constant % g != 0 {
            return None;
        }
        tidy.push(constraint.on(constraint.form.tightened()).upright());
    }
    // Of parallel inequalities the tightest counts.
    let mut tightest: HashMap<&[i64], i64> = HashMap::new();
    for Constraint { form, .. } in tidy.iter().filter(|c| !c.equation) {
        let constant = tightest.entry(form.coefficients()).or_insert(form.constant);
        *constant = form.constant.min(*constant);
    }
    let mut equations: BTreeMap<Vec<i64>, i64> = BTreeMap::new();
    let mut fix = |form: &Form| {
        let fixed = equations.entry(form.coefficients().to_vec()).or_insert(form.constant);
        *fixed == form.constant
    };
    let mut merged = Vec::with_capacity(tidy.len());
    for constraint in &tidy {
        let form = &constraint.form;
        if constraint.equation {
            if !fix(form) {
                return None;
            }
            continue;
        }
        if tightest.get(form.coefficients()) != Some(&form.constant) {
            continue;
        }
        match tightest.get(form.negated().coefficients()).map(|k| k + form.constant) {
            Some(room) if room < 0 => return None,
            Some(0) if form.starts_negative() => {}
            Some(0) if fix(form) => {}
            Some(0) => return None,
            _ => merged.push(constraint),
        }
    }
    // What an equation says of a parallel inequality: whether it holds.
    let mut kept = Vec::with_capacity(tidy.len());
    for constraint in merged {
        let form = &constraint.form;
        let value = match equations.get(form.coefficients()) {
            Some(fixed) => Some(form.constant - fixed),
            None => equations.get(form.negated().coefficients()).map(|fixed| form.constant + fixed),
        };
        match value {
            Some(..0) => return None,
            Some(_) => {}
            None => kept.push(constraint.clone()),
        }
    }
    kept.extend(equations.into_iter().map(|(c, k)| Constraint::zero(Form::new(c, k))));
    kept.sort();
    kept.dedup();
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn points() -> impl Iterator<Item = [i128; 2]> {
        (-6..=6).flat_map(|x| (-6..=6).map(move |y| [x, y]))
    }

    proptest! {
        /// The normal form holds at the same integers, and has nothing that it says twice.
        #[test]
        fn tidying_changes_nothing(
            rows in prop::collection::vec((-3i64..4, -3i64..4, -5i64..6, any::<bool>()), 0..6)
        ) {
            let system: Vec<Constraint> = rows
                .into_iter()
                .map(|(a, b, k, equation)| Constraint { form: Form::new(vec![a, b], k), equation })
                .collect();
            let tidy = tidied(system.clone());
            for x in points() {
                let expected = system.iter().all(|c| c.holds(&x));
                let found = tidy.as_ref().is_some_and(|tidy| tidy.iter().all(|c| c.holds(&x)));
                prop_assert_eq!(found, expected);
            }
            if let Some(tidy) = tidy {
                prop_assert_eq!(tidied(tidy.clone()), Some(tidy));
            }
        }
    }
}
