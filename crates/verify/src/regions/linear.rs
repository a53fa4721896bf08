//! Integer linear constraints and the one inference rule: adding multiples.

use super::check::Why;
use super::{Constraint, Farkas, Form};

/// The most variables of a system.
const MAX_VARIABLES: usize = 10_000;

/// `coefficients . x + constant`, at least zero or zero.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// One coefficient per variable; missing ones at the end are zero.
    pub(super) coefficients: Vec<i128>,
    pub(super) constant: i128,
    /// Whether the form is zero rather than at least zero.
    pub(super) equation: bool,
}

impl Row {
    pub(super) fn constant(constant: i128) -> Row {
        Row { coefficients: Vec::new(), constant, equation: false }
    }

    pub(super) fn variable(v: usize) -> Row {
        let mut coefficients = vec![0; v + 1];
        coefficients[v] = 1;
        Row { coefficients, ..Row::constant(0) }
    }

    /// A form over so many variables, at least zero.
    pub(super) fn of_form(form: &Form, variables: usize) -> Result<Row, Why> {
        let mut row = Row::constant(form.0.into());
        for &(v, c) in &form.1 {
            if v >= variables.min(MAX_VARIABLES) {
                return Err(Why::NoSuchVariable(v));
            }
            row.coefficients.resize(row.coefficients.len().max(v + 1), 0);
            let sum = row.coefficients[v].checked_add(c.into());
            row.coefficients[v] = sum.ok_or(Why::Overflow)?;
        }
        Ok(row)
    }

    pub(super) fn of(constraint: &Constraint, variables: usize) -> Result<Row, Why> {
        let equation = constraint.equation;
        Ok(Row { equation, ..Row::of_form(&constraint.form, variables)? })
    }

    /// How many numbers it holds, about.
    pub(super) fn numbers(&self) -> usize {
        self.coefficients.len() + 4
    }

    /// The form plus a multiple of another one.
    pub(super) fn plus(mut self, factor: i128, other: &Row) -> Result<Row, Why> {
        let plus = |slot: &mut i128, c: i128| -> Result<(), Why> {
            let term = c.checked_mul(factor).ok_or(Why::Overflow)?;
            *slot = slot.checked_add(term).ok_or(Why::Overflow)?;
            Ok(())
        };
        if self.coefficients.len() < other.coefficients.len() {
            self.coefficients.resize(other.coefficients.len(), 0);
        }
        for (slot, &c) in self.coefficients.iter_mut().zip(&other.coefficients) {
            plus(slot, c)?;
        }
        plus(&mut self.constant, other.constant)?;
        Ok(self)
    }

    /// The row with each variable `v` replaced by the form of `values[v]`.
    pub(super) fn substitute(&self, values: &[Row]) -> Result<Row, Why> {
        let mut row = Row { equation: self.equation, ..Row::constant(self.constant) };
        for (v, &c) in self.coefficients.iter().enumerate().filter(|&(_, &c)| c != 0) {
            row = row.plus(c, values.get(v).ok_or(Why::NoSuchVariable(v))?)?;
        }
        Ok(row)
    }

    /// `-form - 1 >= 0`: the form is negative.
    pub(super) fn negated(&self) -> Result<Row, Why> {
        Row::constant(-1).plus(-1, self)
    }
}

/// Constraints over integers, numbered.
#[derive(Clone)]
pub(super) struct System {
    /// How many variables there are.
    pub(super) variables: usize,
    pub(super) rows: Vec<Row>,
}

impl System {
    /// Heights, each at least zero, and further integers.
    pub(super) fn new(stacks: usize, extras: usize) -> System {
        let rows = (0..stacks).map(Row::variable).collect();
        System { variables: stacks.saturating_add(extras), rows }
    }

    /// Adds constraints.
    pub(super) fn with(mut self, rows: impl IntoIterator<Item = Row>) -> System {
        self.rows.extend(rows);
        self
    }

    /// That the multiples add up to a contradiction: no integers satisfy the system and, besides,
    /// the constraints that come last.
    pub(super) fn refute(&self, last: &[Row], farkas: &Farkas) -> Result<(), Why> {
        let mut sum = Row::constant(0);
        for &(i, multiplier) in farkas {
            let row = self.rows.iter().chain(last).nth(i).ok_or(Why::NoSuchConstraint(i))?;
            if multiplier < 0 && !row.equation {
                return Err(Why::NegativeMultiplier(i));
            }
            sum = sum.plus(multiplier.into(), row)?;
        }
        match sum.coefficients.iter().all(|&c| c == 0) && sum.constant < 0 {
            true => Ok(()),
            false => Err(Why::NoContradiction),
        }
    }

    /// That the rows follow if their variables are replaced by these heights and further integers:
    /// one refutation of the negation per inequality, of which an equation has two.
    pub(super) fn derive<'r>(
        &self,
        rows: impl IntoIterator<Item = &'r Row>,
        heights: Vec<Row>,
        extras: &[Form],
        proofs: &[Farkas],
    ) -> Result<(), Why> {
        let mut values = heights;
        for form in extras {
            values.push(Row::of_form(form, self.variables)?);
        }
        let mut negations = Vec::new();
        for row in rows {
            let row = row.substitute(&values)?;
            negations.push(row.negated()?);
            if row.equation {
                negations.push(Row::constant(-1).plus(1, &row)?);
            }
        }
        Why::unless_equal(negations.len(), proofs.len())?;
        negations.into_iter().zip(proofs).try_for_each(|(row, proof)| self.refute(&[row], proof))
    }
}
