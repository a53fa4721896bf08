//! Moves from a given position into S, at any height.

use super::problem::Problem;
use nimatron_game::Height;
use nimatron_linear::{Answer, Constraint, Form, Overflow, Solver};

/// Whether some move leads from the position into S. Says yes if numbers grow too large to tell.
pub(crate) fn reaches(problem: &Problem, heights: &[Height]) -> bool {
    (0..problem.plays.len()).any(|play| {
        (0..problem.branches.len()).any(|b| into(problem, heights, play, b).unwrap_or(true))
    })
}

/// Whether a move of the play leads into the branch.
fn into(
    problem: &Problem,
    heights: &[Height],
    play: usize,
    branch: usize,
) -> Result<bool, Overflow> {
    let n = problem.stacks;
    let set = problem.plays[play].stacks;
    let branch = &problem.branches[branch];
    let mut constraints = problem.plays[play].constraints(|s| n + s, false)?;
    constraints.extend(branch.moved(n, |s| if set.contains(s) { n + s } else { s }, 2 * n));
    let mut solver = Solver::new();
    (0..n + branch.extras).for_each(|_| solver.add_free());
    for mut constraint in constraints {
        for (s, &h) in heights.iter().enumerate() {
            let h = i64::try_from(h).map_err(|_| Overflow)?;
            constraint.form = constraint.form.replace(s, &Form::number(h))?;
        }
        let own = constraint.form.coefficients().iter().skip(n).copied().collect();
        let constraint = constraint.on(Form::new(own, constraint.form.constant));
        if let Answer::Infeasible(_) = solver.add(&constraint, 0)? {
            return Ok(false);
        }
    }
    integral(solver, 0)
}

/// Whether there is an integer point.
fn integral(solver: Solver, depth: usize) -> Result<bool, Overflow> {
    let point = solver.point();
    let Some(v) = point.numerators.iter().position(|x| x % point.denominator != 0) else {
        return Ok(true);
    };
    if depth > 40 {
        return Err(Overflow);
    }
    let floor =
        i64::try_from(point.numerators[v].div_euclid(point.denominator)).map_err(|_| Overflow)?;
    let above = Form::variable(v).plus(-(floor + 1))?;
    for side in [above.clone(), above.complement()] {
        let mut solver = solver.clone();
        let added = solver.add(&Constraint::at_least_zero(side), 0)?;
        if added == Answer::Feasible && integral(solver, depth + 1)? {
            return Ok(true);
        }
    }
    Ok(false)
}
