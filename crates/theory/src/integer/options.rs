//! The moves of a facet as a system of constraints.

use super::system::{IntegerError, Relation, System};
use nimatron_game::{Height, StackSet};

/// The options of a position that are reached by lowering stacks of one facet, and that satisfy
/// linear constraints.
///
/// The variables are the new heights `y` on the facet, with `0 <= y <= x` and at least one token
/// taken; constraints are stated in terms of all stacks. Further variables, such as the
/// coefficients of a combination of vectors, may be added with their bounds; their coefficients
/// follow those of the stacks.
///
/// ```
/// use nimatron_game::StackSet;
/// use nimatron_theory::integer::{Options, Relation};
/// // CN(6,3): a+b = d+e and b+c = e+f, from (10,9,5,8,4,3) on the stacks a, b, c
/// let heights = [10, 9, 5, 8, 4, 3];
/// let mut options = Options::new(&heights, StackSet::from_bits(0b111), &[]).unwrap();
/// options.require(&[1, 1, 0, -1, -1, 0], 0, Relation::Zero).unwrap();
/// options.require(&[0, 1, 1, 0, -1, -1], 0, Relation::Zero).unwrap();
/// let all = options.list(10).unwrap();
/// assert_eq!(all.len(), 6);
/// assert_eq!(all[0], [5, 7, 0, 8, 4, 3]);
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    heights: Vec<Height>,
    stacks: Vec<usize>,
    system: System,
}

impl Options {
    /// All options on a facet, with further variables in the bounds given.
    ///
    /// # Panics
    /// If the facet has a stack that the position lacks.
    pub fn new(
        heights: &[Height],
        facet: StackSet,
        further: &[(i128, i128)],
    ) -> Result<Self, IntegerError> {
        let stacks: Vec<usize> = facet.iter().collect();
        let bounds = stacks.iter().map(|&s| (0, i128::from(heights[s])));
        let mut system = System::new(&bounds.chain(further.iter().copied()).collect::<Vec<_>>())?;
        let total: i128 = stacks.iter().map(|&s| i128::from(heights[s])).sum();
        system.require(&vec![-1; stacks.len()], total - 1, Relation::NonNegative)?;
        Ok(Options { heights: heights.to_vec(), stacks, system })
    }

    /// Adds the constraint that the form, in the heights of the option and the further variables,
    /// is 0 or at least 0.
    ///
    /// # Panics
    /// If there are not as many coefficients as stacks and further variables.
    pub fn require(
        &mut self,
        coefficients: &[i128],
        constant: i128,
        relation: Relation,
    ) -> Result<(), IntegerError> {
        let n = self.heights.len();
        let further = self.system.variables() - self.stacks.len();
        assert_eq!(coefficients.len(), n + further, "one coefficient per stack and variable");
        let mut fixed = constant;
        for s in (0..n).filter(|s| !self.stacks.contains(s)) {
            let term = coefficients[s].checked_mul(self.heights[s].into());
            let sum = term.and_then(|term| fixed.checked_add(term));
            fixed = sum.ok_or(IntegerError::Overflow)?;
        }
        let mut row: Vec<i128> = self.stacks.iter().map(|&s| coefficients[s]).collect();
        row.extend(&coefficients[n..]);
        self.system.require(&row, fixed, relation)
    }

    /// One option, or `None` if there is none.
    pub fn find(&self) -> Result<Option<Vec<Height>>, IntegerError> {
        Ok(self.system.solve()?.map(|x| self.option(&x)))
    }

    /// The first options in lexicographic order of the new heights and further variables, at
    /// most `limit`. An option shows up once per choice of the further variables.
    pub fn list(&self, limit: usize) -> Result<Vec<Vec<Height>>, IntegerError> {
        Ok(self.system.solutions(limit)?.iter().map(|x| self.option(x)).collect())
    }

    /// The system itself.
    pub fn system(&self) -> &System {
        &self.system
    }

    fn option(&self, x: &[i128]) -> Vec<Height> {
        let mut option = self.heights.clone();
        for (&stack, &value) in self.stacks.iter().zip(x) {
            option[stack] = Height::try_from(value).expect("between 0 and the old height");
        }
        option
    }
}
