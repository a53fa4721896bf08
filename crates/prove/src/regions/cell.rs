//! A cell of the coverage: the positions that satisfy the constraints on a path from the root.

use super::Failure;
use nimatron_linear::{Answer, Constraint, Entailed, Form, Multipliers, Overflow, Point, Solver};
use std::collections::HashMap;
use std::rc::Rc;

/// How many points a cell remembers.
const MAX_POOL: usize = 48;

#[derive(Clone)]
pub(crate) struct Cell {
    pub(crate) solver: Solver,
    /// The constraints; in proofs they are numbered after the heights' own.
    pub(crate) path: Vec<Constraint>,
    /// Heights.
    pub(crate) heights: usize,
    /// Integers beyond the heights.
    pub(crate) extras: usize,
    /// Points of the cell seen so far: they show quickly that a constraint does not follow.
    pub(crate) pool: Vec<Rc<Point>>,
}

/// A point of a cell with integer coordinates, or a form to split by: it is fractional at a
/// vertex.
pub(crate) enum Sample {
    Integers(Vec<i128>),
    Split(Form),
}

impl Cell {
    /// Heights without constraints.
    pub(crate) fn new(heights: usize) -> Cell {
        let mut solver = Solver::new();
        (0..heights).for_each(|s| solver.add_height(s));
        Cell { solver, path: Vec::new(), heights, extras: 0, pool: Vec::new() }
    }

    /// The number that the next constraint would get.
    pub(crate) fn next(&self) -> usize {
        self.heights + self.path.len()
    }

    pub(crate) fn add_extra(&mut self) -> usize {
        self.solver.add_free();
        self.extras += 1;
        self.pool.clear();
        self.heights + self.extras - 1
    }

    /// The cell with one constraint more, or why it would be empty.
    pub(crate) fn with(
        &self,
        constraint: &Constraint,
    ) -> Result<Result<Cell, Multipliers>, Overflow> {
        let mut cell = self.clone();
        if let Answer::Infeasible(m) = cell.solver.add(constraint, self.next())? {
            return Ok(Err(m));
        }
        cell.path.push(constraint.clone());
        cell.pool.retain(|p| p.value(&constraint.form).is_some_and(|v| constraint.allows(v)));
        cell.remember(cell.solver.point());
        Ok(Ok(cell))
    }

    pub(crate) fn remember(&mut self, point: Point) {
        if self.pool.len() >= MAX_POOL {
            self.pool.remove(0);
        }
        self.pool.push(Rc::new(point));
    }

    /// Whether a remembered point shows that the row does not follow.
    pub(crate) fn fails_somewhere(&self, row: &Form) -> bool {
        self.pool.iter().any(|p| p.value(row).is_some_and(|v| v < 0))
    }

    fn contains(&self, x: &[i128]) -> bool {
        x[..self.heights].iter().all(|&h| h >= 0)
            && self.path.iter().all(|constraint| constraint.holds(x))
    }

    /// A point well inside the cell, in general position as far as possible.
    pub(crate) fn sample(&mut self) -> Result<Sample, Overflow> {
        for salt in 0..3u64 {
            let margin = |number: usize| {
                let mut x =
                    (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(salt);
                x ^= x >> 29;
                x = x.wrapping_mul(0xBF58_476D_1CE4_E5B9);
                40 + ((x >> 40) % 400) as i64 * if salt == 2 { 2 } else { 1 }
            };
            let point = self.solver.inner_point(margin)?;
            if let Some(x) = point.integral() {
                self.remember(point);
                return Ok(Sample::Integers(x));
            }
            let floor: Vec<i128> =
                point.numerators.iter().map(|x| x.div_euclid(point.denominator)).collect();
            for candidate in [floor, point.numerators.clone()] {
                if self.contains(&candidate) {
                    return Ok(Sample::Integers(candidate));
                }
            }
        }
        self.vertex()
    }

    /// The current vertex if it is integral, else a form to split by.
    pub(crate) fn vertex(&self) -> Result<Sample, Overflow> {
        let point = self.solver.point();
        let d = point.denominator;
        let Some(v) = point.numerators.iter().rposition(|x| x % d != 0) else {
            return Ok(Sample::Integers(point.numerators.iter().map(|x| x / d).collect()));
        };
        if let Some(row) = self.rounded()? {
            return Ok(Sample::Split(row));
        }
        // Forms between two bounds are better than variables, which may have none.
        let inequalities = || self.path.iter().filter(|c| !c.equation).map(|c| &c.form);
        let bounded = |row: &&Form| {
            let opposite = |other: &Form| {
                let pairs = || row.coefficients().iter().zip(other.coefficients());
                row.reach() == other.reach() && pairs().all(|(a, b)| *a == -b)
            };
            inequalities().any(opposite)
        };
        let fractional =
            inequalities().filter(|row| point.value(row).is_some_and(|value| value % d != 0));
        let form = fractional.into_iter().find(bounded).cloned();
        if form.is_none() {
            // A remainder that is not yet fixed.
            for row in inequalities().filter(bounded) {
                let above = row.clone().plus(-1)?;
                let below = row.negated();
                let follows = |row: &Form| -> Result<bool, Overflow> {
                    Ok(matches!(self.solver.entails(row, 0)?, Entailed::Yes(_)))
                };
                if !follows(&above)? && !follows(&below)? {
                    return Ok(Sample::Split(above));
                }
            }
        }
        let mut row = form.unwrap_or_else(|| Form::variable(v));
        row.constant = 0;
        let floor = point.value(&row).ok_or(Overflow)?.div_euclid(d);
        row.constant = i64::try_from(-(floor + 1)).map_err(|_| Overflow)?;
        Ok(Sample::Split(row))
    }
}

impl Cell {
    /// A row that follows for integers and fails at the current vertex. With the equations that
    /// hold on the cell put to use, some constraint has coefficients with a common divisor that
    /// does not divide its constant, and can be rounded.
    fn rounded(&self) -> Result<Option<Form>, Overflow> {
        let (mut equations, mut others) = (Vec::new(), Vec::new());
        for Constraint { form: row, equation } in &self.path {
            let opposite = row.negated();
            let tight = *equation
                || (!self.fails_somewhere(&opposite)
                    && matches!(self.solver.entails(&opposite, 0)?, Entailed::Yes(_)));
            if tight { equations.push(row.clone()) } else { others.push(row.clone()) }
        }
        while let Some(row) = equations.pop() {
            let g = row.divisor();
            if g > 0 && row.constant % g != 0 {
                return Ok(Some(row.tightened()));
            }
            let row = row.tightened();
            let Some((v, value)) = row.solved(..)? else { continue };
            // A height that is expressed by others is still at least zero.
            if v < self.heights {
                others.push(value.clone());
            }
            for other in equations.iter_mut().chain(&mut others) {
                *other = other.replace(v, &value)?;
            }
        }
        let vertex = self.solver.point();
        let cut = |row: &Form| {
            let g = row.divisor();
            let cut = row.tightened();
            let fails = vertex.value(&cut).is_some_and(|value| value < 0);
            (g > 1 && row.constant % g != 0 && fails).then_some(cut)
        };
        Ok(others.iter().find_map(cut))
    }
}

/// Rows by numbers.
#[derive(Clone, Default)]
pub(crate) struct Interner {
    rows: Vec<Form>,
    index: HashMap<Form, u32>,
}

impl Interner {
    pub(crate) fn id(&mut self, row: Form) -> u32 {
        if let Some(&id) = self.index.get(&row) {
            return id;
        }
        let id = self.rows.len() as u32;
        self.rows.push(row.clone());
        self.index.insert(row, id);
        id
    }

    pub(crate) fn row(&self, id: u32) -> &Form {
        &self.rows[id as usize]
    }
}

/// What follows on the current path, with proofs. Entries are taken back when the path is left.
#[derive(Default)]
pub(crate) struct Known {
    proofs: HashMap<u32, Rc<Multipliers>>,
    trail: Vec<u32>,
    pub(crate) solved: u64,
}

impl Known {
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    pub(crate) fn back_to(&mut self, mark: usize) {
        for id in self.trail.drain(mark..) {
            self.proofs.remove(&id);
        }
    }

    pub(crate) fn get(&self, id: u32) -> Option<Rc<Multipliers>> {
        self.proofs.get(&id).cloned()
    }

    /// Whether a row follows in the cell.
    pub(crate) fn follows(
        &mut self,
        cell: &mut Cell,
        id: u32,
        row: &Form,
    ) -> Result<Option<Rc<Multipliers>>, Failure> {
        if let Some(proof) = self.get(id) {
            return Ok(Some(proof));
        }
        if cell.fails_somewhere(row) {
            return Ok(None);
        }
        self.solved += 1;
        match cell.solver.entails(row, usize::MAX)? {
            Entailed::Yes(m) => {
                let proof = Rc::new(m);
                self.proofs.insert(id, proof.clone());
                self.trail.push(id);
                Ok(Some(proof))
            }
            Entailed::No(point) => {
                cell.remember(point);
                Ok(None)
            }
        }
    }
}
