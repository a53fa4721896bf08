//! Inequalities with the reasons why they hold, and their sums.

use nimatron_draw::document::{Contradiction, Text};
use nimatron_linear::{self as linear, Constraint, Entailed, Solver, written};
use nimatron_verify::regions::Form;
use std::collections::BTreeMap;

/// An inequality `form >= 0`, or an equation, with the reason why it holds.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) constant: i128,
    pub(super) terms: BTreeMap<usize, i128>,
    pub(super) equation: bool,
    pub(super) why: Text,
}

impl Row {
    pub(super) fn of(form: &Form, equation: bool, why: impl Into<Text>) -> Self {
        let mut terms = BTreeMap::new();
        for &(v, c) in &form.1 {
            *terms.entry(v).or_insert(0) += i128::from(c);
        }
        Row { constant: i128::from(form.0), terms, equation, why: why.into() }
    }

    pub(super) fn variable(v: usize, why: &str) -> Self {
        Row { constant: 0, terms: BTreeMap::from([(v, 1)]), equation: false, why: why.into() }
    }

    pub(super) fn add(&mut self, times: i128, other: &Row) {
        self.constant += times * other.constant;
        for (&v, &c) in &other.terms {
            *self.terms.entry(v).or_insert(0) += times * c;
        }
        self.terms.retain(|_, c| *c != 0);
    }

    /// What holds where this does not.
    pub(super) fn negated(&self, why: impl Into<Text>) -> Self {
        let terms = self.terms.iter().map(|(&v, &c)| (v, -c)).collect();
        Row { constant: -self.constant - 1, terms, equation: false, why: why.into() }
    }

    /// Whether this is seen at once, heights being at least 0: all its terms are positive, and so is the number, or
    /// a row says the same, or says so of less.
    pub(super) fn is_evident(&self, rows: &[Row], heights: usize) -> bool {
        let positive =
            |row: &Row| row.constant >= 0 && row.terms.iter().all(|(&v, &c)| c >= 0 && v < heights);
        let zero = |row: &Row| row.terms.is_empty() && row.constant == 0;
        let above = |row: &Row, times: i128| {
            let mut over = self.clone();
            over.add(-times, row);
            if self.equation { row.equation && zero(&over) } else { positive(&over) }
        };
        zero(self)
            || !self.equation && positive(self)
            || rows.iter().any(|row| above(row, 1) || row.equation && above(row, -1))
    }

    /// Whether this follows from a system: no point of it, whole or not, has this negated.
    pub(super) fn follows(&self, system: &Solver) -> bool {
        let yes = |form: Option<linear::Form>| {
            form.is_some_and(|form| matches!(system.entails(&form, 0), Ok(Entailed::Yes(_))))
        };
        let other = || {
            let mut other = Row { constant: 0, terms: BTreeMap::new(), ..self.clone() };
            other.add(-1, self);
            other.linear()
        };
        yes(self.linear()) && (!self.equation || yes(other()))
    }

    fn linear(&self) -> Option<linear::Form> {
        let mut coefficients = vec![0; self.terms.keys().next_back().map_or(0, |v| v + 1)];
        for (&v, &c) in &self.terms {
            coefficients[v] = i64::try_from(c).ok()?;
        }
        Some(linear::Form::new(coefficients, i64::try_from(self.constant).ok()?))
    }

    /// Whether this says that heights are at most 0, and so are 0.
    fn is_nothing(&self, names: &[String]) -> bool {
        let height = |v: &usize| names.get(*v).is_some_and(|name| !is_further(name));
        self.constant == 0
            && !self.terms.is_empty()
            && self.terms.iter().all(|(v, &c)| c < 0 && height(v))
    }

    pub(super) fn substituted(&self, value: impl Fn(usize) -> Row) -> Self {
        let mut out = Row { constant: self.constant, terms: BTreeMap::new(), ..self.clone() };
        for (&v, &c) in &self.terms {
            out.add(c, &value(v));
        }
        out
    }

    /// The form, positive terms first.
    pub(super) fn plain(&self, names: &[String]) -> String {
        let name = |v: usize| names.get(v).map_or_else(|| format!("t{v}"), Clone::clone);
        let mut terms: Vec<_> = self.terms.iter().map(|(&v, &c)| (c, name(v))).collect();
        terms.sort_by_key(|(c, _)| *c < 0);
        written(terms, self.constant)
    }

    /// The same with positive terms on both sides.
    pub(super) fn said(&self, names: &[String]) -> String {
        let side = |sign: i128| {
            let terms = self.terms.iter().map(|(&v, &c)| (v, (c * sign).max(0)));
            let constant = (self.constant * sign).max(0);
            Row { constant, terms: terms.collect(), ..self.clone() }.plain(names)
        };
        match (self.equation, self.is_nothing(names)) {
            (_, true) => format!("{} = 0", side(-1)),
            (true, _) => format!("{} = {}", side(1), side(-1)),
            (false, _) => format!("{} >= {}", side(1), side(-1)),
        }
    }
}

/// Heights and further numbers for which these rows hold; nothing if there are none, or the numbers are too large.
pub(super) fn solved(rows: &[Row], heights: usize, further: usize) -> Option<Solver> {
    let constraint = |row: &Row| {
        let form = row.linear()?;
        Some(if row.equation { Constraint::zero(form) } else { Constraint::at_least_zero(form) })
    };
    let constraints: Option<Vec<Constraint>> = rows.iter().map(constraint).collect();
    linear::solved(heights, further, &constraints?).ok()?.ok()
}

/// Whether this is the name of a quotient: `q` with a number.
pub(super) fn is_quotient(name: &str) -> bool {
    name.starts_with('q') && is_further(name)
}

/// Whether this names a number that is no height: `t`, `u` or `q` with a number.
fn is_further(name: &str) -> bool {
    let number = name.strip_prefix(['t', 'u', 'q']);
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// The sum of multiples of rows, if it is a contradiction.
pub(super) fn contradiction(
    rows: &[Row],
    farkas: &[(usize, i64)],
    names: &[String],
) -> Option<Contradiction> {
    let mut sum =
        Row { constant: 0, terms: BTreeMap::new(), equation: false, why: Text::default() };
    let mut printed = Vec::new();
    for &(number, times) in farkas {
        let row = rows.get(number)?;
        sum.add(i128::from(times), row);
        printed.push(match row.is_nothing(names) {
            // As the case says it.
            true => {
                let mut equation = Row { constant: 0, terms: BTreeMap::new(), ..row.clone() };
                equation.add(-1, row);
                (-times, equation.plain(names), true, row.why.clone())
            }
            false => (times, row.plain(names), row.equation, row.why.clone()),
        });
    }
    (sum.terms.is_empty() && sum.constant < 0)
        .then_some(Contradiction { rows: printed, sum: sum.constant })
}
