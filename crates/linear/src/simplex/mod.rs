//! Systems of linear constraints: a point that satisfies them, or the reason why there is none.
//!
//! Everything is exact. [`Solver`] keeps a *dictionary*: some variables are written as linear
//! forms in the others, which are zero at the current point. Constraints are added one at a time;
//! where a new one fails at the current point, pivots repair it (Bland's rule ends them), so that
//! a system with one constraint more costs a few pivots and not a new start. A row that cannot be
//! repaired is itself the refutation: its coefficients are a Farkas vector.
//!
//! The dictionary holds integers over one common denominator (fraction-free pivots). It starts
//! with 64 bits and is rewritten in 128 when these do not suffice; beyond that the solver says
//! [`Overflow`].

mod dictionary;

use crate::{Constraint, Form, Overflow};
use dictionary::{Dictionary, Status};
use std::collections::HashMap;

/// Which sign a variable may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    /// At least zero.
    NonNegative,
    /// Any number.
    Free,
    /// Zero: the slack of an equation.
    Zero,
}

/// A rational point: numerators and their common positive denominator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    /// One numerator per variable.
    pub numerators: Vec<i128>,
    /// The denominator.
    pub denominator: i128,
}

impl Point {
    /// The value of a form times the denominator; `None` if it does not fit.
    pub fn value(&self, form: &Form) -> Option<i128> {
        let mut sum = i128::from(form.constant).checked_mul(self.denominator)?;
        for (&c, &x) in form.coefficients().iter().zip(&self.numerators) {
            if c != 0 {
                sum = sum.checked_add(x.checked_mul(c.into())?)?;
            }
        }
        Some(sum)
    }

    /// The point, if all its coordinates are integers.
    pub fn integral(&self) -> Option<Vec<i128>> {
        let d = self.denominator;
        self.numerators.iter().map(|x| (x % d == 0).then_some(x / d)).collect()
    }
}

/// Multipliers of constraints, by the numbers under which they were added.
pub type Multipliers = Vec<(usize, i128)>;

/// What became of a system with a new constraint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There are points.
    Feasible,
    /// There is none, and this is why.
    Infeasible(Multipliers),
}

/// A system of linear constraints, kept solved.
#[derive(Clone, Debug)]
pub struct Solver {
    inner: Inner,
}

#[derive(Clone, Debug)]
enum Inner {
    Narrow(Dictionary<i64>),
    Wide(Dictionary<i128>),
}

macro_rules! on {
    ($self:expr, $d:ident => $body:expr) => {
        match &$self.inner {
            Inner::Narrow($d) => $body,
            Inner::Wide($d) => $body,
        }
    };
}

impl Solver {
    /// A system without variables.
    pub fn new() -> Self {
        Solver { inner: Inner::Narrow(Dictionary::new()) }
    }

    /// Adds a variable that is at least zero; its bound is the constraint `number`.
    pub fn add_height(&mut self, number: usize) {
        match &mut self.inner {
            Inner::Narrow(d) => d.add_variable(Sign::NonNegative, number),
            Inner::Wide(d) => d.add_variable(Sign::NonNegative, number),
        }
    }

    /// Adds a variable without bounds.
    pub fn add_free(&mut self) {
        match &mut self.inner {
            Inner::Narrow(d) => d.add_variable(Sign::Free, usize::MAX),
            Inner::Wide(d) => d.add_variable(Sign::Free, usize::MAX),
        }
    }

    /// Runs a step; in 128 bits if 64 do not suffice.
    fn step(
        &mut self,
        narrow: impl Fn(&mut Dictionary<i64>) -> Result<Status, Overflow>,
        wide: impl Fn(&mut Dictionary<i128>) -> Result<Status, Overflow>,
    ) -> Result<Status, Overflow> {
        if let Inner::Narrow(d) = &mut self.inner {
            let before = d.clone();
            match narrow(d) {
                Ok(status) => return Ok(status),
                Err(Overflow) => self.inner = Inner::Wide(before.widen()),
            }
        }
        match &mut self.inner {
            Inner::Wide(d) => wide(d),
            Inner::Narrow(_) => Err(Overflow),
        }
    }

    /// Adds a constraint under this number. After an infeasible one the system must not be used
    /// any more.
    pub fn add(&mut self, constraint: &Constraint, number: usize) -> Result<Answer, Overflow> {
        let status = self.step(|d| d.add(constraint, number), |d| d.add(constraint, number))?;
        Ok(match status {
            Status::Feasible => Answer::Feasible,
            Status::Infeasible(m) => Answer::Infeasible(m),
        })
    }

    /// Whether `form >= 0` follows: the refutation of `-form - 1 >= 0`, which gets this number.
    /// Otherwise a point where it fails.
    pub fn entails(&self, form: &Form, number: usize) -> Result<Entailed, Overflow> {
        let negation = Constraint::at_least_zero(form.complement());
        if let Some(answer) = on!(self, d => d.look(&negation.form, number)) {
            return Ok(match answer {
                Status::Feasible => Entailed::No(self.point()),
                Status::Infeasible(m) => Entailed::Yes(m),
            });
        }
        let mut with = self.clone();
        match with.add(&negation, number)? {
            Answer::Infeasible(m) => Ok(Entailed::Yes(m)),
            Answer::Feasible => Ok(Entailed::No(with.point())),
        }
    }

    /// The current point: a vertex of the polyhedron.
    pub fn point(&self) -> Point {
        on!(self, d => d.point())
    }

    /// A point deep inside the polyhedron: constraint by constraint, the slack is at least what
    /// `margin` says for its number, or nothing where the constraints leave no room.
    pub fn inner_point(&self, margin: impl Fn(usize) -> i64) -> Result<Point, Overflow> {
        let mut margins: Vec<i64> = on!(self, d => d.margins(&margin));
        loop {
            let mut shifted = self.clone();
            let status = shifted.step(|d| d.shift(&margins), |d| d.shift(&margins))?;
            match status {
                Status::Feasible => return Ok(on!(shifted, d => d.shifted_point(&margins))),
                Status::Infeasible(_) => {
                    let tight = on!(shifted, d => d.blamed());
                    let before = margins.iter().filter(|&&m| m != 0).count();
                    tight.into_iter().for_each(|v| margins[v] = 0);
                    if before == margins.iter().filter(|&&m| m != 0).count() {
                        return Ok(self.point());
                    }
                }
            }
        }
    }
}

impl Default for Solver {
    fn default() -> Self {
        Solver::new()
    }
}

/// Whether a constraint follows from a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entailed {
    /// It follows; multipliers that refute its negation.
    Yes(Multipliers),
    /// It fails at this point of the system.
    No(Point),
}

/// A solved system, or its refutation.
pub type Solved = Result<Solver, Multipliers>;

/// Solves a system: heights at least zero, variables without bounds, then the constraints under the
/// numbers that follow those of the heights.
pub fn solved(heights: usize, free: usize, constraints: &[Constraint]) -> Result<Solved, Overflow> {
    let mut solver = Solver::new();
    (0..heights).for_each(|s| solver.add_height(s));
    (0..free).for_each(|_| solver.add_free());
    for (i, constraint) in constraints.iter().enumerate() {
        if let Answer::Infeasible(m) = solver.add(constraint, heights + i)? {
            return Ok(Err(m));
        }
    }
    Ok(Ok(solver))
}

/// Drops inequalities that follow from the others and from heights being at least zero.
pub fn prune(
    heights: usize,
    free: usize,
    mut rows: Vec<Constraint>,
) -> Result<Vec<Constraint>, Overflow> {
    // Of rows with equal coefficients the tightest stays.
    let mut tightest: HashMap<Vec<i64>, i64> = HashMap::new();
    for Constraint { form, .. } in rows.iter().filter(|row| !row.equation) {
        let k = tightest.entry(form.coefficients().to_vec()).or_insert(form.constant);
        *k = form.constant.min(*k);
    }
    rows.retain(|Constraint { form, equation }| {
        *equation
            || (!form.evident(heights) && tightest.get(form.coefficients()) == Some(&form.constant))
    });
    rows.sort();
    rows.dedup();
    rows.sort_by_key(|row| (!row.equation, row.form.terms().count()));
    let mut i = rows.len();
    while i > 0 {
        i -= 1;
        if rows[i].equation {
            continue;
        }
        let row = rows.remove(i);
        let follows = match solved(heights, free, &rows)? {
            Err(_) => true,
            Ok(solver) => {
                // Not for integers only: what is derived from the rows may not be in lowest
                // terms. A multiple that is at least -1 can hardly be negative.
                let fine = row.form.times(1_000)?;
                matches!(solver.entails(&fine, usize::MAX)?, Entailed::Yes(_))
            }
        };
        if !follows {
            rows.insert(i, row);
        }
    }
    Ok(rows)
}
