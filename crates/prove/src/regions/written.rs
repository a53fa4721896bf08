//! Forms, constraints and multipliers as certificates write them.

use nimatron_linear::{Constraint, Form, Overflow};
use nimatron_verify::regions as cert;

pub(crate) fn form(form: &Form) -> cert::Form {
    cert::Form(form.constant, form.terms().collect())
}

pub(crate) fn constraint(constraint: &Constraint) -> cert::Constraint {
    cert::Constraint { form: form(&constraint.form), equation: constraint.equation }
}

/// Multipliers; the negated constraint gets number `last`.
pub(crate) fn farkas(m: &[(usize, i128)], last: usize) -> Result<cert::Farkas, Overflow> {
    let one = |&(i, m): &(usize, i128)| {
        let m = i64::try_from(m).map_err(|_| Overflow)?;
        Ok((if i == usize::MAX { last } else { i }, m))
    };
    m.iter().map(one).collect()
}
