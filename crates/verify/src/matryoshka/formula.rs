//! `formula`: a formula in linear constraints holds exactly in the cells.
//!
//! Let T be all positions in the *cones* of the cells: non-negative rational combinations of the
//! generators of one cell. S is part of T. The weights of (I) forbid moves from T to T as they forbid those
//! from S to S, for what they say of generators holds for their combinations. But by (II) a move leads from
//! every position outside S into S, so that none of T lies outside S: T = S.
//!
//! The formula, `sym` around it apart, is read as a union of *branches*, systems of linear constraints
//! without constants. It describes S if
//!
//! * the generators of each cell, or of one image of it under `sym`, lie in one branch: then all their
//!   sums do;
//! * each branch, a cone, is the union of cones that lie in the cone of a cell: their extreme rays are
//!   generators of it. Where a branch does not lie in one cell it is cut where two stacks are equal.
//!
//! S and all its images under symmetries of the game are the same, for it is the set of P-positions.

use super::Part;
use crate::flaw::{Budget, Rejection, difference, flaw};
use crate::regions::{Statement, read};
use crate::row::Row;
use nimatron_formula::{Context, Formula};
use nimatron_game::{Game, Height, Position, StackSet};
use std::collections::HashSet;

/// The most branches of a formula.
const MAX_BRANCHES: usize = 4_096;

/// The most constraints of a branch, those of its cuts included, and the most rays on the way.
const MAX_ROWS: usize = 90;
const MAX_RAYS: usize = 2_000;

/// How often a branch is cut at most.
const MAX_CUTS: usize = 3;

/// Where a counterexample is looked for: boxes of so many positions.
const MAX_POSITIONS: usize = 20_000;

/// Checks that a formula holds in the cells of an accepted proof and nowhere else. `images` are those of
/// its cells under its relabellings.
pub(super) fn check(
    game: &Game,
    text: &str,
    part: &Part,
    images: &[Vec<usize>],
    budget: &mut Budget,
) -> Result<Formula, Rejection> {
    let formula = Formula::parse(text, &Context::of_game(game))
        .map_err(|error| flaw("formula", format!("the formula cannot be read: {error}")))?;
    let (inner, symmetric) = match &formula {
        Formula::Sym(inner) => (&**inner, true),
        _ => (&formula, false),
    };
    let (statement, further) = read(inner, game, budget).map_err(|flaw| flaw.under("formula"))?;
    let described = match further {
        0 => describes(&statement, symmetric, part, images, budget)?,
        _ => false,
    };
    if described {
        return Ok(formula);
    }
    let (whole, further) = read(&formula, game, budget).map_err(|flaw| flaw.under("formula"))?;
    if further == 0
        && let Some((inside, position)) = counterexample(&whole, part, budget)?
    {
        return Err(difference(["lies in a cell", "lies in no cell"], inside, Some(position)));
    }
    Err(flaw("formula", "it does not follow from the cells that the formula describes them"))
}

/// Whether a statement, or its images under all symmetries, is shown to be the cells.
fn describes(
    statement: &Statement,
    symmetric: bool,
    part: &Part,
    images: &[Vec<usize>],
    budget: &mut Budget,
) -> Result<bool, Rejection> {
    let mut branches = Vec::new();
    let all = branches_of(statement, &mut branches, budget)?;
    let plain =
        |branch: &Vec<&Row>| branch.len() <= MAX_ROWS && branch.iter().all(|r| r.constant == 0);
    if !all || !branches.iter().all(plain) {
        return Ok(false);
    }
    let mut covered = vec![false; part.cells.len()];
    for (number, cell) in part.cells.iter().enumerate() {
        budget.spend(branches.iter().map(|branch| 1 + branch.len() * cell.len()).sum())?;
        if covered[number] || !lies_in(cell, &branches)? {
            continue;
        }
        let mut next = vec![number];
        while let Some(cell) = next.pop() {
            if !std::mem::replace(&mut covered[cell], true) && symmetric {
                next.extend(&images[cell]);
            }
        }
    }
    if !covered.iter().all(|&covered| covered) {
        return Ok(false);
    }
    let cells: Vec<HashSet<u32>> =
        part.cells.iter().map(|cell| cell.iter().copied().collect()).collect();
    for branch in branches {
        let rows: Vec<Row> = branch.into_iter().cloned().collect();
        let Some(cone) = Cone::new(part.stacks as usize, &rows, budget)? else { return Ok(false) };
        if !within_cells(&cone, &cells, MAX_CUTS, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether all generators of a cell lie in one of the branches.
fn lies_in(cell: &[u32], branches: &[Vec<&Row>]) -> Result<bool, Rejection> {
    'branches: for branch in branches {
        for (row, &g) in branch.iter().flat_map(|row| cell.iter().map(move |g| (row, g))) {
            if !is_inside(row, g)? {
                continue 'branches;
            }
        }
        return Ok(true);
    }
    Ok(false)
}

/// The ways through a statement; `false` if there are too many.
fn branches_of<'a>(
    statement: &'a Statement,
    branches: &mut Vec<Vec<&'a Row>>,
    budget: &mut Budget,
) -> Result<bool, Rejection> {
    match statement {
        Statement::Row(row) => branches.push(vec![row]),
        Statement::Any(parts) => {
            for part in parts {
                if !branches_of(part, branches, budget)? {
                    return Ok(false);
                }
            }
        }
        Statement::All(parts) => {
            let mut joined: Vec<Vec<&Row>> = vec![Vec::new()];
            for part in parts {
                let mut own = Vec::new();
                if !branches_of(part, &mut own, budget)?
                    || joined.len().saturating_mul(own.len()) > MAX_BRANCHES
                {
                    return Ok(false);
                }
                let rows: usize = joined.iter().chain(&own).map(|rows| 1 + rows.len()).sum();
                budget.spend(rows.saturating_mul(joined.len() + own.len()))?;
                let pairs = joined.iter().flat_map(|first| own.iter().map(move |o| (first, o)));
                joined = pairs.map(|(first, own)| [&first[..], own].concat()).collect();
            }
            branches.extend(joined);
        }
    }
    Ok(branches.len() <= MAX_BRANCHES)
}

/// Whether a form without constant is not negative at a 0/1 vector.
fn is_inside(row: &Row, vector: u32) -> Result<bool, Rejection> {
    let mut met = row.terms.iter().filter(|(s, _)| vector >> s & 1 == 1);
    let value = met.try_fold(0i128, |sum, (_, c)| sum.checked_add(*c));
    value.map(|value| value >= 0).ok_or_else(too_large)
}

fn too_large() -> Rejection {
    flaw("limit", "a number is too large")
}

/// Whether a cone is part of the union of those that the cells span.
fn within_cells(
    cone: &Cone,
    cells: &[HashSet<u32>],
    cuts: usize,
    budget: &mut Budget,
) -> Result<bool, Rejection> {
    let vectors: Option<Vec<u32>> = cone.rays.iter().map(|ray| ray.vector()).collect();
    let Some(vectors) = vectors else { return Ok(false) };
    budget.spend(cells.len() * (1 + vectors.len()))?;
    if cells.iter().any(|cell| vectors.iter().all(|vector| cell.contains(vector))) {
        return Ok(true);
    }
    if cuts == 0 {
        return Ok(false);
    }
    for (low, high) in (0..cone.stacks).flat_map(|l| (l + 1..cone.stacks).map(move |h| (l, h))) {
        let only = |s: usize, t: usize| vectors.iter().any(|v| v >> s & 1 > v >> t & 1);
        if !only(low, high) || !only(high, low) {
            continue;
        }
        let row = Row::variable(high).plus(-1, &Row::variable(low))?;
        let opposite = Row::constant(0).plus(-1, &row)?;
        let (mut first, mut second) = (cone.clone(), cone.clone());
        if first.cut(&row, budget)?
            && second.cut(&opposite, budget)?
            && within_cells(&first, cells, cuts - 1, budget)?
            && within_cells(&second, cells, cuts - 1, budget)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What satisfies constraints without constants, by its extreme rays: the double description of Motzkin,
/// Raiffa, Thompson and Thrall (1953).
#[derive(Clone)]
struct Cone {
    stacks: usize,
    rows: usize,
    rays: Vec<Ray>,
}

#[derive(Clone)]
struct Ray {
    /// The least integers.
    point: Vec<i128>,
    /// The constraints that are zero there, those of the stacks first.
    zeros: u128,
}

impl Ray {
    /// The ray as a 0/1 vector.
    fn vector(&self) -> Option<u32> {
        let binary = self.point.iter().all(|&x| x == 0 || x == 1);
        binary.then(|| {
            (0..self.point.len()).filter(|&s| self.point[s] == 1).fold(0, |v, s| v | 1 << s)
        })
    }

    fn at(&self, row: &Row) -> Result<i128, Rejection> {
        row.terms.iter().try_fold(0i128, |sum, &(s, c)| {
            let product = self.point.get(s).and_then(|x| x.checked_mul(c)).ok_or_else(too_large)?;
            sum.checked_add(product).ok_or_else(too_large)
        })
    }
}

impl Cone {
    /// The cone of all non-negative points where the rows are not negative; `None` if it has too many rays.
    fn new(stacks: usize, rows: &[Row], budget: &mut Budget) -> Result<Option<Cone>, Rejection> {
        let all = (1u128 << stacks) - 1;
        let unit = |stack: usize| Ray {
            point: (0..stacks).map(|s| i128::from(s == stack)).collect(),
            zeros: all & !(1 << stack),
        };
        let mut cone = Cone { stacks, rows: stacks, rays: (0..stacks).map(unit).collect() };
        for row in rows {
            if !cone.cut(row, budget)? {
                return Ok(None);
            }
        }
        Ok(Some(cone))
    }

    /// Leaves what satisfies one more row; `false` if that takes too many rays.
    fn cut(&mut self, row: &Row, budget: &mut Budget) -> Result<bool, Rejection> {
        if self.rows >= 128 {
            return Ok(false);
        }
        let bit = 1u128 << self.rows;
        self.rows += 1;
        let values = self.rays.iter().map(|ray| ray.at(row)).collect::<Result<Vec<_>, _>>()?;
        let with = |sign: i128| -> Vec<usize> {
            (0..values.len()).filter(|&i| values[i].signum() == sign).collect()
        };
        let (above, below) = (with(1), with(-1));
        let mut new = Vec::new();
        for (&i, &j) in above.iter().flat_map(|i| below.iter().map(move |j| (i, j))) {
            budget.spend(self.rays.len() + self.stacks)?;
            let common = self.rays[i].zeros & self.rays[j].zeros;
            // Two rays span a face of their own if no other ray lies in it.
            let apart = |(k, ray): (usize, &Ray)| k == i || k == j || common & !ray.zeros != 0;
            if self.rays.iter().enumerate().all(apart) {
                new.push(self.rays[i].between(
                    values[i],
                    &self.rays[j],
                    -values[j],
                    common | bit,
                )?);
            }
        }
        let mut rays = Vec::new();
        for (mut ray, value) in std::mem::take(&mut self.rays).into_iter().zip(values) {
            if value == 0 {
                ray.zeros |= bit;
            }
            if value >= 0 {
                rays.push(ray);
            }
        }
        rays.extend(new);
        self.rays = rays;
        Ok(self.rays.len() <= MAX_RAYS)
    }
}

impl Ray {
    /// The point between two rays where a form that is `above` here and `-below` there is zero.
    fn between(
        &self,
        above: i128,
        other: &Ray,
        below: i128,
        zeros: u128,
    ) -> Result<Ray, Rejection> {
        let mut point = Vec::with_capacity(self.point.len());
        for (x, y) in self.point.iter().zip(&other.point) {
            let (x, y) = (x.checked_mul(below), y.checked_mul(above));
            let sum = x.zip(y).and_then(|(x, y)| x.checked_add(y));
            point.push(sum.ok_or_else(too_large)?);
        }
        let divisor = point.iter().fold(0, |a, &b| gcd(a, b)).max(1);
        point.iter_mut().for_each(|x| *x /= divisor);
        Ok(Ray { point, zeros })
    }
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A position of a small box in a cell where the statement does not hold (`true`), or in no cell where it
/// does: that of least total, then the first.
fn counterexample(
    statement: &Statement,
    part: &Part,
    budget: &mut Budget,
) -> Result<Option<(bool, Position)>, Rejection> {
    let n = part.stacks as usize;
    let fits = |h: &usize| (h + 1).checked_pow(n as u32).is_some_and(|all| all <= MAX_POSITIONS);
    let Some(height) = (1..=MAX_POSITIONS).take_while(fits).last() else { return Ok(None) };
    let base = height + 1;
    let digits = |mut number: usize| -> Vec<Height> {
        let mut next = || {
            let digit = number % base;
            number /= base;
            digit as Height
        };
        (0..n).map(|_| next()).collect()
    };
    let size = base.pow(n as u32);
    let mut inside = vec![false; size];
    for cell in &part.cells {
        budget.spend(size * (1 + cell.len()))?;
        let mut reached = vec![false; size];
        reached[0] = true;
        // Adding a vector leads to a greater number, so one pass is enough.
        for number in 0..size {
            if !reached[number] {
                continue;
            }
            inside[number] = true;
            let heights = digits(number);
            for &g in cell {
                let mut stacks = StackSet::from_bits(g).iter();
                if stacks.all(|s| heights[s] < height as Height) {
                    let step: usize =
                        StackSet::from_bits(g).iter().map(|s| base.pow(s as u32)).sum();
                    reached[number + step] = true;
                }
            }
        }
    }
    let mut best: Option<(Height, Vec<Height>, bool)> = None;
    for (number, &inside) in inside.iter().enumerate() {
        let heights = digits(number);
        if holds(statement, &heights, budget)? != inside {
            let found = (heights.iter().sum(), heights, inside);
            if best.as_ref().is_none_or(|best| found < *best) {
                best = Some(found);
            }
        }
    }
    Ok(best.and_then(|(_, heights, inside)| Some((inside, Position::new(heights).ok()?))))
}

/// Whether a statement without further integers holds at a position.
fn holds(s: &Statement, heights: &[Height], budget: &mut Budget) -> Result<bool, Rejection> {
    match s {
        Statement::Row(row) => {
            budget.spend(1 + row.terms.len())?;
            let value = row.terms.iter().try_fold(row.constant, |sum, &(v, c)| {
                let product = c.checked_mul(heights.get(v).copied().unwrap_or(0).into());
                sum.checked_add(product?)
            });
            let value = value.ok_or_else(too_large)?;
            Ok(if row.equation { value == 0 } else { value >= 0 })
        }
        Statement::All(parts) => {
            for part in parts {
                if !holds(part, heights, budget)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Statement::Any(parts) => {
            for part in parts {
                if holds(part, heights, budget)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
    }
}
