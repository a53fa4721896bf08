//! Least values, lists and numbers of solutions.

use super::omega::{Problem, State, Work};
use super::row::Row;
use super::system::{IntegerError, MAX_VARIABLES, System};

/// How many solutions a system has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// This many.
    Exactly(u128),
    /// Counting was given up; there are at least this many.
    AtLeast(u128),
}

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

    /// The number of solutions. Lines of solutions are counted at once, planes line by line; after
    /// `limit` lines counting is given up.
    pub fn count(&self, limit: u64) -> Result<Count, IntegerError> {
        let mut lines = limit;
        let total = count(self.problem(), &mut lines)?;
        Ok(match total {
            Tally { sum, complete: true } => Count::Exactly(sum),
            Tally { sum, complete: false } => Count::AtLeast(sum),
        })
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

struct Tally {
    sum: u128,
    complete: bool,
}

/// Counts solutions in the coordinates left after the equations are used up.
fn count(mut problem: Problem, lines: &mut u64) -> Result<Tally, IntegerError> {
    let none = Tally { sum: 0, complete: true };
    if let State::Infeasible = problem.tidy(None, &mut Work::default())? {
        return Ok(none);
    }
    let used = |v: &usize| problem.inequalities().iter().any(|row| row.a[*v] != 0);
    let free: Vec<usize> = (0..MAX_VARIABLES).filter(used).collect();
    match free[..] {
        [] => Ok(Tally { sum: 1, complete: true }),
        [line] => Ok(Tally { sum: length(problem.inequalities(), line), complete: true }),
        [first, ..] => {
            let mut tally = none;
            // From here on the coordinates left are the variables.
            let mut rest = Problem::new(Vec::new(), problem.inequalities().to_vec());
            while let Some(x) = least(&rest, first)? {
                if *lines == 0 {
                    tally.complete = false;
                    // The solution just found was not counted.
                    tally.sum = tally.sum.saturating_add(1);
                    break;
                }
                *lines -= 1;
                let value = x[first];
                let mut fixed = rest.clone();
                fixed.add_equation(Row::single(first, 1, -value));
                let slice = count(fixed, lines)?;
                tally.sum = tally.sum.saturating_add(slice.sum);
                tally.complete &= slice.complete;
                if !tally.complete {
                    break;
                }
                rest.add(Row::single(first, 1, -value - 1));
            }
            Ok(tally)
        }
    }
}

/// The number of integers that satisfy bounds on one variable, all with coefficients 1 or -1.
fn length(rows: &[Row], variable: usize) -> u128 {
    let low = rows.iter().filter(|r| r.a[variable] > 0).map(|r| -r.c).max();
    let high = rows.iter().filter(|r| r.a[variable] < 0).map(|r| r.c).min();
    match (low, high) {
        (Some(low), Some(high)) if low <= high => high.abs_diff(low).saturating_add(1),
        (Some(_), Some(_)) => 0,
        // All variables of a system are bounded; their images are too.
        _ => u128::MAX,
    }
}
