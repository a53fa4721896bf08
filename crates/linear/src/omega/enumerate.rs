//! Least values and lists of solutions.

use super::problem::{Problem, Work};
use super::row::Row;
use super::system::{IntegerError, MAX_VARIABLES, System};

impl System {
    /// The least value a variable takes in a solution, or `None` if there is no solution.
    ///
    /// # Panics
    /// If there is no such variable.
    pub fn least(&self, variable: usize) -> Result<Option<i128>, IntegerError> {
        assert!(variable < self.variables());
        let found = least(&self.problem(), variable)?;
        Ok(found.map(|x| x[variable]))
    }

    /// The first solutions in lexicographic order, at most `limit` of them.
    pub fn solutions(&self, limit: usize) -> Result<Vec<Vec<i128>>, IntegerError> {
        let mut found = Vec::new();
        list(self.problem(), 0, self.variables(), limit, &mut found)?;
        Ok(found)
    }
}

/// A solution with the least value of a variable.
fn least(
    problem: &Problem,
    variable: usize,
) -> Result<Option<[i128; MAX_VARIABLES]>, IntegerError> {
    let solve = |problem: Problem| problem.solve(Some(variable), &mut Work::default());
    let mut best = None;
    let mut found = solve(problem.clone())?;
    // The solution found first is the least one, unless an inexact elimination was involved.
    while let Some(x) = found {
        best = Some(x);
        let mut below = problem.clone();
        below.add(Row::single(variable, -1, x[variable] - 1));
        found = solve(below)?;
    }
    Ok(best)
}

/// Appends the solutions in lexicographic order of the variables from `variable` on.
fn list(
    problem: Problem,
    variable: usize,
    variables: usize,
    limit: usize,
    found: &mut Vec<Vec<i128>>,
) -> Result<(), IntegerError> {
    let mut rest = problem;
    while found.len() < limit {
        if variable == variables {
            if let Some(x) = rest.solve(None, &mut Work::default())? {
                found.push(x[..variables].to_vec());
            }
            return Ok(());
        }
        let Some(x) = least(&rest, variable)? else { return Ok(()) };
        let value = x[variable];
        let mut fixed = rest.clone();
        fixed.add_equation(Row::single(variable, 1, -value));
        list(fixed, variable + 1, variables, limit, found)?;
        rest.add(Row::single(variable, 1, -value - 1));
    }
    Ok(())
}
