//! The dictionary behind the solver: pivots over integers with one common denominator.

use super::{Multipliers, Point, Sign};
use crate::{Constraint, Form, Number, Overflow, gcd};

pub(super) enum Status {
    Feasible,
    Infeasible(Multipliers),
}

#[derive(Clone, Copy, Debug)]
struct Variable {
    kind: Sign,
    /// The constraint that says the variable is at least zero, or zero.
    number: usize,
    place: Place,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Row(usize),
    Column(usize),
}

/// `denominator * basic = constant + coefficients . others`, row by row.
#[derive(Clone, Debug)]
pub(super) struct Dictionary<T> {
    denominator: T,
    /// Rows of `1 + columns.len()` entries, the constant first.
    entries: Vec<T>,
    basic: Vec<u32>,
    columns: Vec<u32>,
    variables: Vec<Variable>,
    /// The variables of the constraints' own unknowns, in order.
    unknowns: Vec<u32>,
    /// The row that could not be repaired.
    failed: Option<usize>,
}

/// After so many pivots Bland's rule takes over.
const HASTE: usize = 60;

impl Dictionary<i64> {
    pub(super) fn widen(self) -> Dictionary<i128> {
        Dictionary {
            denominator: self.denominator.into(),
            entries: self.entries.into_iter().map(Into::into).collect(),
            basic: self.basic,
            columns: self.columns,
            variables: self.variables,
            unknowns: self.unknowns,
            failed: self.failed,
        }
    }
}

impl<T: Number> Dictionary<T> {
    pub(super) fn new() -> Self {
        Dictionary {
            denominator: T::ONE,
            entries: Vec::new(),
            basic: Vec::new(),
            columns: Vec::new(),
            variables: Vec::new(),
            unknowns: Vec::new(),
            failed: None,
        }
    }

    fn width(&self) -> usize {
        self.columns.len() + 1
    }

    pub(super) fn add_variable(&mut self, kind: Sign, number: usize) {
        let width = self.width();
        let mut wider = Vec::with_capacity(self.basic.len() * (width + 1));
        for row in self.entries.chunks_exact(width) {
            wider.extend_from_slice(row);
            wider.push(T::ZERO);
        }
        self.entries = wider;
        let variable = self.variables.len() as u32;
        let place = Place::Column(self.columns.len());
        self.variables.push(Variable { kind, number, place });
        self.columns.push(variable);
        self.unknowns.push(variable);
    }

    /// A form in terms of the current columns, times the denominator.
    fn row_of(&self, form: &Form) -> Result<Vec<T>, Overflow> {
        let width = self.width();
        let mut row = vec![T::ZERO; width];
        row[0] = T::from(form.constant).times(self.denominator)?;
        for (&c, &unknown) in form.coefficients().iter().zip(&self.unknowns) {
            if c == 0 {
                continue;
            }
            let c = T::from(c);
            match self.variables[unknown as usize].place {
                Place::Column(j) => row[j + 1] = row[j + 1].plus(c.times(self.denominator)?)?,
                Place::Row(r) => {
                    let basic = &self.entries[r * width..(r + 1) * width];
                    for (slot, &entry) in row.iter_mut().zip(basic) {
                        if entry != T::ZERO {
                            *slot = slot.plus(c.times(entry)?)?;
                        }
                    }
                }
            }
        }
        Ok(row)
    }

    /// The answer for a further inequality, if it can be seen without pivots.
    pub(super) fn look(&self, form: &Form, number: usize) -> Option<Status> {
        let row = self.row_of(form).ok()?;
        if row[0] >= T::ZERO {
            return Some(Status::Feasible);
        }
        let stuck = self.columns.iter().zip(&row[1..]).all(|(&v, &entry)| self.blocked(v, entry));
        stuck.then(|| Status::Infeasible(self.multipliers(&row, number, T::ONE)))
    }

    /// Whether a column with this entry cannot raise the row.
    fn blocked(&self, variable: u32, entry: T) -> bool {
        match self.variables[variable as usize].kind {
            Sign::NonNegative => entry <= T::ZERO,
            Sign::Free => entry == T::ZERO,
            Sign::Zero => true,
        }
    }

    /// `denominator * slack - entries . columns = constant < 0`, as multipliers of constraints.
    fn multipliers(&self, row: &[T], number: usize, sign: T) -> Multipliers {
        let mut found: Multipliers = vec![(number, self.denominator.into() * sign.into())];
        for (&v, &entry) in self.columns.iter().zip(&row[1..]) {
            if entry != T::ZERO {
                let number = self.variables[v as usize].number;
                found.push((number, -(entry.into() * sign.into())));
            }
        }
        let divisor = found.iter().fold(0, |g, &(_, m)| gcd(g, m));
        found.iter_mut().for_each(|(_, m)| *m /= divisor.max(1));
        found.sort_unstable();
        found
    }

    pub(super) fn add(
        &mut self,
        constraint: &Constraint,
        number: usize,
    ) -> Result<Status, Overflow> {
        let row = self.row_of(&constraint.form)?;
        let variable = self.variables.len() as u32;
        let r = self.basic.len();
        if constraint.equation {
            // The equation's slack leaves for good, with a unit pivot if there is one.
            let open = |j: &usize| {
                let kind = self.variables[self.columns[*j] as usize].kind;
                row[j + 1] != T::ZERO && kind != Sign::Zero
            };
            let weight = |j: &usize| {
                let free = self.variables[self.columns[*j] as usize].kind == Sign::Free;
                (row[j + 1].size() != self.denominator, !free)
            };
            let Some(j) = (0..self.columns.len()).filter(open).min_by_key(weight) else {
                if row[0] == T::ZERO {
                    return Ok(Status::Feasible);
                }
                let sign = if row[0] > T::ZERO { -T::ONE } else { T::ONE };
                return Ok(Status::Infeasible(self.multipliers(&row, number, sign)));
            };
            self.push(row, Sign::Zero, number, variable, r);
            self.pivot(r, j)?;
        } else {
            self.push(row, Sign::NonNegative, number, variable, r);
        }
        self.repair()
    }

    fn push(&mut self, row: Vec<T>, kind: Sign, number: usize, variable: u32, r: usize) {
        self.entries.extend(row);
        self.basic.push(variable);
        self.variables.push(Variable { kind, number, place: Place::Row(r) });
    }

    /// Pivots until all bounded variables are at least zero, or one row cannot be.
    fn repair(&mut self) -> Result<Status, Overflow> {
        let width = self.width();
        for count in 0.. {
            let negative = (0..self.basic.len()).filter(|&r| {
                self.entries[r * width] < T::ZERO
                    && self.variables[self.basic[r] as usize].kind == Sign::NonNegative
            });
            let row = match count < HASTE {
                true => negative.reduce(|a, b| {
                    if self.entries[b * width] < self.entries[a * width] { b } else { a }
                }),
                false => negative.min_by_key(|&r| self.basic[r]),
            };
            let Some(r) = row else { return Ok(Status::Feasible) };
            let entries = &self.entries[r * width + 1..(r + 1) * width];
            let open = (0..entries.len()).filter(|&j| !self.blocked(self.columns[j], entries[j]));
            let column = match count < HASTE {
                true => {
                    open.min_by_key(|&j| (entries[j].size() != self.denominator, self.columns[j]))
                }
                false => open.min_by_key(|&j| self.columns[j]),
            };
            let Some(j) = column else {
                let row = &self.entries[r * width..(r + 1) * width];
                let number = self.variables[self.basic[r] as usize].number;
                let multipliers = self.multipliers(row, number, T::ONE);
                self.failed = Some(r);
                return Ok(Status::Infeasible(multipliers));
            };
            self.pivot(r, j)?;
        }
        Err(Overflow)
    }

    /// Exchanges the basic variable of row `r` with that of column `j`.
    fn pivot(&mut self, r: usize, j: usize) -> Result<(), Overflow> {
        let (width, old) = (self.width(), self.denominator);
        let mut own: Vec<T> = self.entries[r * width..(r + 1) * width].to_vec();
        let mut pivot = own[j + 1];
        let flip = pivot < T::ZERO;
        if flip {
            pivot = -pivot;
            own.iter_mut().for_each(|e| *e = -*e);
        }
        // With `own` made to have a positive pivot: the entering variable is
        // (+-old * leaving - own without the pivot) / pivot.
        for (i, row) in self.entries.chunks_exact_mut(width).enumerate() {
            if i == r {
                continue;
            }
            let factor = row[j + 1];
            if factor == T::ZERO {
                if pivot != old {
                    for entry in row.iter_mut().filter(|e| **e != T::ZERO) {
                        *entry = T::cross(*entry, pivot, T::ZERO, T::ZERO, old)?;
                    }
                }
                continue;
            }
            for (entry, &o) in row.iter_mut().zip(&own) {
                if o != T::ZERO || pivot != old {
                    *entry = T::cross(*entry, pivot, factor, o, old)?;
                }
            }
            row[j + 1] = if flip { -factor } else { factor };
        }
        let row = &mut self.entries[r * width..(r + 1) * width];
        for (entry, &o) in row.iter_mut().zip(&own) {
            *entry = -o;
        }
        row[j + 1] = if flip { -old } else { old };
        self.denominator = pivot;
        std::mem::swap(&mut self.basic[r], &mut self.columns[j]);
        self.variables[self.basic[r] as usize].place = Place::Row(r);
        self.variables[self.columns[j] as usize].place = Place::Column(j);
        Ok(())
    }

    pub(super) fn point(&self) -> Point {
        let width = self.width();
        let value = |&unknown: &u32| match self.variables[unknown as usize].place {
            Place::Column(_) => 0,
            Place::Row(r) => self.entries[r * width].into(),
        };
        let numerators = self.unknowns.iter().map(value).collect();
        Point { numerators, denominator: self.denominator.into() }
    }

    /// What `margin` asks for each variable.
    pub(super) fn margins(&self, margin: &impl Fn(usize) -> i64) -> Vec<i64> {
        let ask = |v: &Variable| if v.kind == Sign::NonNegative { margin(v.number) } else { 0 };
        self.variables.iter().map(ask).collect()
    }

    /// The dictionary of the variables less their margins.
    pub(super) fn shift(&mut self, margins: &[i64]) -> Result<Status, Overflow> {
        let width = self.width();
        for (r, row) in self.entries.chunks_exact_mut(width).enumerate() {
            let own = T::from(margins[self.basic[r] as usize]);
            let mut constant = row[0].minus(own.times(self.denominator)?)?;
            for (&entry, &v) in row[1..].iter().zip(&self.columns) {
                let margin = margins[v as usize];
                if margin != 0 && entry != T::ZERO {
                    constant = constant.plus(entry.times(T::from(margin))?)?;
                }
            }
            row[0] = constant;
        }
        self.repair()
    }

    /// The variables in the row that could not be repaired.
    pub(super) fn blamed(&self) -> Vec<usize> {
        let Some(r) = self.failed else { return Vec::new() };
        let width = self.width();
        let row = &self.entries[r * width + 1..(r + 1) * width];
        let used = self.columns.iter().zip(row).filter(|&(_, &e)| e != T::ZERO);
        used.map(|(&v, _)| v as usize).chain([self.basic[r] as usize]).collect()
    }

    /// The point of a shifted dictionary in the variables as they were.
    pub(super) fn shifted_point(&self, margins: &[i64]) -> Point {
        let mut point = self.point();
        for (x, &unknown) in point.numerators.iter_mut().zip(&self.unknowns) {
            *x += i128::from(margins[unknown as usize]) * point.denominator;
        }
        point
    }
}
