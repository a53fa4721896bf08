//! Systems of constraints, as they are given.

use super::problem::{Problem, Work};
use super::row::{Row, overflow};
use crate::Overflow;

/// The largest number of variables of a system.
pub const MAX_VARIABLES: usize = 16;

/// How a linear form is constrained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// The form is 0.
    Zero,
    /// The form is at least 0.
    NonNegative,
}

/// Why a system was not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IntegerError {
    /// Some number left the range of 120 bits.
    #[error("a coefficient or constant exceeds 120 bits")]
    Overflow,
    /// Too many variables.
    #[error("{0} variables, but at most {MAX_VARIABLES} are supported")]
    TooManyVariables(usize),
    /// The elimination produced too many constraints.
    #[error("the system needs more than {0} intermediate constraints")]
    TooLarge(u64),
}

impl From<Overflow> for IntegerError {
    fn from(_: Overflow) -> Self {
        IntegerError::Overflow
    }
}

/// A conjunction of linear equations and inequalities in integer variables with finite bounds.
///
/// ```
/// use nimatron_linear::omega::{Relation, System};
/// // x + y = 7 and x >= 2y, with 0 <= x, y <= 10
/// let mut system = System::new(&[(0, 10), (0, 10)]).unwrap();
/// system.require(&[1, 1], -7, Relation::Zero).unwrap();
/// system.require(&[1, -2], 0, Relation::NonNegative).unwrap();
/// let x = system.solve().unwrap().expect("there are solutions");
/// assert!(x[0] + x[1] == 7 && x[0] >= 2 * x[1]);
/// assert_eq!(system.solutions(10).unwrap(), [[5, 2], [6, 1], [7, 0]]);
/// ```
#[derive(Clone, Debug)]
pub struct System {
    variables: usize,
    equations: Vec<Row>,
    inequalities: Vec<Row>,
}

impl System {
    /// One variable per pair of a lower and an upper bound.
    pub fn new(bounds: &[(i128, i128)]) -> Result<Self, IntegerError> {
        let mut system = System::unbounded(bounds.len())?;
        for (v, &(low, high)) in bounds.iter().enumerate() {
            system.inequalities.push(Row::single(v, 1, -overflow(Some(low))?));
            system.inequalities.push(Row::single(v, -1, overflow(Some(high))?));
        }
        Ok(system)
    }

    /// Variables without bounds. Such systems can only be solved: least values and lists of
    /// solutions need bounds.
    pub fn unbounded(variables: usize) -> Result<Self, IntegerError> {
        if variables > MAX_VARIABLES {
            return Err(IntegerError::TooManyVariables(variables));
        }
        Ok(System { variables, equations: Vec::new(), inequalities: Vec::new() })
    }

    /// The number of variables.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// Adds the constraint that `coefficients[0]*x[0] + ... + constant` is 0, or at least 0.
    ///
    /// # Panics
    /// If there are more coefficients than variables; missing ones are 0.
    pub fn require(
        &mut self,
        coefficients: &[i128],
        constant: i128,
        relation: Relation,
    ) -> Result<(), IntegerError> {
        assert!(coefficients.len() <= self.variables, "more coefficients than variables");
        let row = Row::checked(coefficients, constant)?;
        match relation {
            Relation::Zero => self.equations.push(row),
            Relation::NonNegative => self.inequalities.push(row),
        }
        Ok(())
    }

    /// An integer solution, or `None` if there is none.
    pub fn solve(&self) -> Result<Option<Vec<i128>>, IntegerError> {
        let found = self.problem().solve(None, &mut Work::default())?;
        Ok(found.map(|x| x[..self.variables].to_vec()))
    }

    pub(super) fn problem(&self) -> Problem {
        Problem::new(self.equations.clone(), self.inequalities.clone())
    }
}
