//! Integer linear constraints and the one inference rule: adding multiples.

use super::check::Why;
use super::{Constraint, Farkas, Form};

/// `coefficients . x + constant`, at least zero or zero.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Row {
    /// One coefficient per variable; missing ones at the end are zero.
    pub coefficients: Vec<i128>,
    /// The constant.
    pub constant: i128,
    /// Whether the form is zero rather than at least zero.
    pub equation: bool,
}

impl Row {
    /// The constant 0, at least zero.
    pub(super) fn zero(variables: usize) -> Row {
        Row { coefficients: vec![0; variables], constant: 0, equation: false }
    }

    /// The row `variable >= 0`.
    pub(super) fn variable(variables: usize, v: usize) -> Row {
        let mut row = Row::zero(variables);
        row.coefficients[v] = 1;
        row
    }

    /// A form over so many variables as a row `form >= 0`.
    pub(super) fn of_form(form: &Form, variables: usize) -> Result<Row, Why> {
        let mut row = Row { constant: form.0.into(), ..Row::zero(variables) };
        for &(v, c) in &form.1 {
            let slot = row.coefficients.get_mut(v).ok_or(Why::NoSuchVariable(v))?;
            *slot = slot.checked_add(c.into()).ok_or(Why::Overflow)?;
        }
        Ok(row)
    }

    pub(super) fn of(constraint: &Constraint, variables: usize) -> Result<Row, Why> {
        let equation = constraint.equation;
        Ok(Row { equation, ..Row::of_form(&constraint.form, variables)? })
    }

    /// Adds a multiple of another row's form.
    pub(super) fn add(&mut self, factor: i128, other: &Row) -> Result<(), Why> {
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
        plus(&mut self.constant, other.constant)
    }

    /// The row with variable `v` replaced by the form of `values[v]`.
    pub(super) fn substitute(&self, values: &[Row]) -> Result<Row, Why> {
        let mut row = Row { constant: self.constant, equation: self.equation, ..Row::zero(0) };
        for (v, &c) in self.coefficients.iter().enumerate().filter(|&(_, &c)| c != 0) {
            row.add(c, values.get(v).ok_or(Why::NoSuchVariable(v))?)?;
        }
        Ok(row)
    }

    /// `-form - 1 >= 0`: the form is negative.
    fn negated(&self) -> Result<Row, Why> {
        let mut row = Row { constant: -1, ..Row::zero(self.coefficients.len()) };
        row.add(-1, self)?;
        Ok(row)
    }

    /// The inequalities that the row stands for.
    pub(super) fn inequalities(self) -> Result<Vec<Row>, Why> {
        let row = Row { equation: false, ..self.clone() };
        if !self.equation {
            return Ok(vec![row]);
        }
        let mut reverse = Row::zero(row.coefficients.len());
        reverse.add(-1, &row)?;
        Ok(vec![row, reverse])
    }
}

/// Constraints over integers, numbered.
#[derive(Clone, Debug)]
pub struct System {
    /// How many variables there are.
    pub variables: usize,
    /// The constraints.
    pub rows: Vec<Row>,
}

impl System {
    /// Heights, each at least zero.
    pub(super) fn heights(stacks: usize) -> System {
        let rows = (0..stacks).map(|s| Row::variable(stacks, s)).collect();
        System { variables: stacks, rows }
    }

    /// Adds integers without any constraint.
    pub(super) fn with_variables(mut self, more: usize) -> System {
        self.variables += more;
        self
    }

    /// Adds constraints.
    pub(super) fn with(mut self, rows: impl IntoIterator<Item = Row>) -> System {
        self.rows.extend(rows);
        self
    }

    /// Whether the multiples add up to a contradiction: no integers satisfy the system.
    pub(super) fn refute(&self, farkas: &Farkas) -> Result<(), Why> {
        let mut sum = Row::zero(self.variables);
        for &(i, multiplier) in farkas {
            let row = self.rows.get(i).ok_or(Why::NoSuchConstraint(i))?;
            if multiplier < 0 && !row.equation {
                return Err(Why::NegativeMultiplier(i));
            }
            sum.add(multiplier.into(), row)?;
        }
        match sum.coefficients.iter().all(|&c| c == 0) && sum.constant < 0 {
            true => Ok(()),
            false => Err(Why::NoContradiction),
        }
    }

    /// Whether the rows follow: one refutation of the negation per inequality.
    pub(super) fn derive(&self, rows: Vec<Row>, proofs: &[Farkas]) -> Result<(), Why> {
        let rows = rows.into_iter().map(Row::inequalities).collect::<Result<Vec<_>, _>>()?;
        let rows: Vec<Row> = rows.into_iter().flatten().collect();
        if rows.len() != proofs.len() {
            return Err(Why::Proofs { expected: rows.len(), found: proofs.len() });
        }
        let mut system = self.clone();
        for (row, proof) in rows.iter().zip(proofs) {
            system.rows.truncate(self.rows.len());
            system.rows.push(row.negated()?);
            system.refute(proof)?;
        }
        Ok(())
    }
}
