//! Integer linear constraints and the one inference rule: adding multiples.

use crate::flaw::{Budget, Rejection, flaw, require};
use crate::regions::{Constraint, Farkas, Form};

/// A linear form, at least zero or zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Variables with their coefficients: sorted, none of them zero.
    pub terms: Vec<(usize, i128)>,
    /// What is added to them.
    pub constant: i128,
    /// Whether the form is zero rather than at least zero.
    pub equation: bool,
}

impl Row {
    pub(crate) fn constant(constant: i128) -> Row {
        Row { terms: Vec::new(), constant, equation: false }
    }

    pub(crate) fn variable(v: usize) -> Row {
        Row { terms: vec![(v, 1)], ..Row::constant(0) }
    }

    /// A form given by one coefficient for each variable.
    pub(crate) fn dense(form: &[i64], constant: i64) -> Row {
        let terms = form.iter().enumerate().filter(|(_, c)| **c != 0);
        let terms = terms.map(|(v, &c)| (v, c.into())).collect();
        Row { terms, ..Row::constant(constant.into()) }
    }

    /// A form over so many variables, at least zero.
    pub(crate) fn of_form(form: &Form, variables: usize) -> Result<Row, Rejection> {
        let mut terms: Vec<(usize, i128)> = form.1.iter().map(|&(v, c)| (v, c.into())).collect();
        terms.sort_by_key(|&(v, _)| v);
        // At most as many terms of 64 bits as a certificate has bytes: no sum leaves the range.
        terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        // Also those with the coefficient zero: who plays by a proof looks at every variable that is named.
        let last = terms.last().map(|&(v, _)| v);
        require(last.is_none_or(|last| last < variables), "", || {
            format!("there is no variable {}", last.unwrap_or_default())
        })?;
        terms.retain(|&(_, c)| c != 0);
        Ok(Row { terms, ..Row::constant(form.0.into()) })
    }

    pub(crate) fn of(constraint: &Constraint, variables: usize) -> Result<Row, Rejection> {
        let equation = constraint.equation;
        Ok(Row { equation, ..Row::of_form(&constraint.form, variables)? })
    }

    /// How many bytes it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Row>() + self.terms.len() * size_of::<(usize, i128)>()
    }

    /// The form plus a multiple of another one.
    pub(crate) fn plus(self, factor: i128, other: &Row) -> Result<Row, Rejection> {
        let too_large = || flaw("", "a number is too large");
        let sum = |a: i128, b: i128| {
            let product = b.checked_mul(factor).ok_or_else(too_large)?;
            a.checked_add(product).ok_or_else(too_large)
        };
        let constant = sum(self.constant, other.constant)?;
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let mut own = self.terms.into_iter().peekable();
        for &(v, c) in &other.terms {
            while let Some(term) = own.next_if(|term| term.0 < v) {
                terms.push(term);
            }
            let before = own.next_if(|term| term.0 == v).map_or(0, |term| term.1);
            terms.push((v, sum(before, c)?));
        }
        terms.extend(own);
        terms.retain(|&(_, c)| c != 0);
        Ok(Row { terms, constant, equation: self.equation })
    }

    /// The row with each variable `v` replaced by the form of `values[v]`.
    pub(crate) fn substitute(&self, values: &[Row]) -> Result<Row, Rejection> {
        let mut row = Row { equation: self.equation, ..Row::constant(self.constant) };
        for &(v, c) in &self.terms {
            let value =
                values.get(v).ok_or_else(|| flaw("", format!("there is no variable {v}")))?;
            row = row.plus(c, value)?;
        }
        Ok(row)
    }

    /// `-form - 1 >= 0`: the form is negative.
    pub(crate) fn negated(&self) -> Result<Row, Rejection> {
        Row::constant(-1).plus(-1, self)
    }

    /// Whether it says that a negative number is at least zero.
    pub(crate) fn is_absurd(&self) -> bool {
        self.terms.is_empty() && self.constant < 0
    }

    /// Whether it holds wherever no variable is negative, since no coefficient is.
    pub(crate) fn is_evident(&self) -> bool {
        self.constant >= 0 && self.terms.iter().all(|&(_, c)| c >= 0)
    }

    /// Whether the form has these terms, and is at least zero if this row holds.
    pub(crate) fn implies(&self, form: &Row) -> bool {
        self.constant <= form.constant && self.terms == form.terms
    }
}

/// Fails unless there are as many entries as are needed.
pub(crate) fn as_many(needed: usize, found: usize) -> Result<(), Rejection> {
    require(needed == found, "", || format!("{needed} entries are needed, but there are {found}"))
}

/// The sum of multiples of rows, which are found by their numbers.
pub(crate) fn sum<'r>(
    farkas: &Farkas,
    row: impl Fn(usize) -> Option<&'r Row>,
    budget: &mut Budget,
) -> Result<Row, Rejection> {
    let mut sum = Row::constant(0);
    for &(i, multiplier) in farkas {
        let row = row(i).ok_or_else(|| flaw("", format!("there is no constraint {i}")))?;
        let sign = multiplier >= 0 || row.equation;
        require(sign, "", || format!("inequality {i} has a negative multiplier"))?;
        budget.spend(4 + sum.terms.len() + row.terms.len())?;
        sum = sum.plus(multiplier.into(), row)?;
    }
    Ok(sum)
}

/// Constraints over integers, numbered.
#[derive(Clone)]
pub(crate) struct System {
    /// How many variables there are.
    pub(crate) variables: usize,
    pub(crate) rows: Vec<Row>,
}

impl System {
    /// Heights, each at least zero, and further integers.
    pub(crate) fn new(stacks: usize, extras: usize) -> System {
        let rows = (0..stacks).map(Row::variable).collect();
        System { variables: stacks.saturating_add(extras), rows }
    }

    /// Adds constraints.
    pub(crate) fn with(mut self, rows: impl IntoIterator<Item = Row>) -> System {
        self.rows.extend(rows);
        self
    }

    /// How many bytes it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<System>() + self.rows.iter().map(Row::bytes).sum::<usize>()
    }

    /// That the multiples add up to a contradiction: no integers satisfy the system and, besides,
    /// the constraints that come last.
    pub(crate) fn refute(
        &self,
        last: &[Row],
        farkas: &Farkas,
        budget: &mut Budget,
    ) -> Result<(), Rejection> {
        let row = |i: usize| match self.rows.get(i) {
            None => last.get(i - self.rows.len()),
            found => found,
        };
        let absurd = sum(farkas, row, budget)?.is_absurd();
        require(absurd, "", || "the multiples do not add up to a contradiction".into())
    }

    /// That the rows follow if their variables are replaced by these heights and further integers:
    /// one refutation of the negation per inequality, of which an equation has two.
    pub(crate) fn derive<'r>(
        &self,
        rows: impl IntoIterator<Item = &'r Row>,
        heights: Vec<Row>,
        extras: &[Form],
        proofs: &[Farkas],
        budget: &mut Budget,
    ) -> Result<(), Rejection> {
        let mut values = heights;
        for form in extras {
            values.push(Row::of_form(form, self.variables)?);
        }
        let mut proofs = proofs.iter();
        let mut next = |negation: Row, budget: &mut Budget| {
            let proof = proofs.next().ok_or_else(|| flaw("", "a derivation is missing"))?;
            self.refute(&[negation], proof, budget)
        };
        for row in rows {
            let before = row.terms.iter().map(|&(v, _)| values.get(v).map_or(0, |v| v.terms.len()));
            budget.spend(4 + before.map(|terms| terms + 4).sum::<usize>())?;
            let row = row.substitute(&values)?;
            next(row.negated()?, budget)?;
            if row.equation {
                next(Row::constant(-1).plus(1, &row)?, budget)?;
            }
        }
        require(proofs.next().is_none(), "", || "a derivation is left over".into())
    }
}
