//! The moves of a facet as a system of constraints.

use nimatron_game::{Height, StackSet};
use nimatron_linear::Constraint;
use nimatron_linear::omega::{IntegerError, Relation, System};

/// The options of a position that are reached by lowering stacks of one facet, and that satisfy
/// linear constraints.
///
/// The variables are the new heights `y` on the facet, with `0 <= y <= x` and at least one token
/// taken; constraints are stated in terms of all stacks.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    heights: Vec<Height>,
    stacks: Vec<usize>,
    system: System,
}

impl Options {
    /// All options on a facet.
    ///
    /// # Panics
    /// If the facet has a stack that the position lacks.
    pub(crate) fn new(heights: &[Height], facet: StackSet) -> Result<Self, IntegerError> {
        let stacks: Vec<usize> = facet.iter().collect();
        let bounds = stacks.iter().map(|&s| (0, i128::from(heights[s])));
        let mut system = System::new(&bounds.collect::<Vec<_>>())?;
        let total: i128 = stacks.iter().map(|&s| i128::from(heights[s])).sum();
        system.require(&vec![-1; stacks.len()], total - 1, Relation::NonNegative)?;
        Ok(Options { heights: heights.to_vec(), stacks, system })
    }

    /// Adds a constraint on the heights of the option.
    pub(crate) fn require(&mut self, constraint: &Constraint) -> Result<(), IntegerError> {
        let form = &constraint.form;
        let mut fixed = i128::from(form.constant);
        for (s, c) in form.terms().filter(|(s, _)| !self.stacks.contains(s)) {
            let term = i128::from(c).checked_mul(self.heights[s].into());
            let sum = term.and_then(|term| fixed.checked_add(term));
            fixed = sum.ok_or(IntegerError::Overflow)?;
        }
        let row: Vec<i128> = self.stacks.iter().map(|&s| form.at(s).into()).collect();
        let relation = if constraint.equation { Relation::Zero } else { Relation::NonNegative };
        self.system.require(&row, fixed, relation)
    }

    /// One option, or `None` if there is none.
    pub(crate) fn find(&self) -> Result<Option<Vec<Height>>, IntegerError> {
        Ok(self.system.solve()?.map(|x| self.option(&x)))
    }

    /// The first options in lexicographic order, at most `limit`.
    pub(crate) fn list(&self, limit: usize) -> Result<Vec<Vec<Height>>, IntegerError> {
        Ok(self.system.solutions(limit)?.iter().map(|x| self.option(x)).collect())
    }

    fn option(&self, x: &[i128]) -> Vec<Height> {
        let mut option = self.heights.clone();
        for (&stack, &value) in self.stacks.iter().zip(x) {
            option[stack] = Height::try_from(value).expect("between 0 and the old height");
        }
        option
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nimatron_linear::Form;

    fn zero(coefficients: &[i64]) -> Constraint {
        Constraint::zero(Form::new(coefficients.to_vec(), 0))
    }

    #[test]
    fn options_come_in_order() {
        // CN(6,3): a+b = d+e and b+c = e+f, from (10,9,5,8,4,3) on the stacks a, b, c
        let heights = [10, 9, 5, 8, 4, 3];
        let mut options = Options::new(&heights, StackSet::from_bits(0b111)).unwrap();
        options.require(&zero(&[1, 1, 0, -1, -1, 0])).unwrap();
        options.require(&zero(&[0, 1, 1, 0, -1, -1])).unwrap();
        let all = options.list(10).unwrap();
        assert_eq!(all.len(), 6);
        assert_eq!(all[0], [5, 7, 0, 8, 4, 3]);
    }

    #[test]
    fn the_listed_moves_of_the_literature() {
        // DH13 Example 4.9: CN(8,6) from (4,12,11,9,10,16,1,17) with g = 0.
        let heights = [4, 12, 11, 9, 10, 16, 1, 17];
        let facet: StackSet = [3, 4, 5, 6, 7, 0].into_iter().collect();
        let mut options = Options::new(&heights, facet).unwrap();
        let constraints = [
            zero(&[0, 0, 0, 0, 0, 0, 1, 0]),
            zero(&[0, 0, 0, 0, 0, 1, 0, -1]),
            zero(&[1, 1, 0, 0, 0, 0, 0, -1]),
            zero(&[0, 0, 0, 1, 1, -1, 0, 0]),
            zero(&[1, 0, -1, 0, 1, 0, 0, 0]),
            Constraint::at_least_zero(Form::new(vec![0, 0, -1, 0, 0, 1], 0)),
        ];
        for constraint in &constraints {
            options.require(constraint).unwrap();
        }
        let expected: Vec<Vec<u64>> =
            (13..=16).map(|m| vec![m - 12, 12, 11, 2 * m - 23, 23 - m, m, 0, m]).collect();
        assert_eq!(options.list(100).unwrap(), expected);
    }
}
