//! `formula`: a formula in linear constraints holds exactly in the cells.
//!
//! Let T be all positions in the *cones* of the cells: non-negative rational combinations of the
//! generators of one cell. S is part of T. The weights of (I) forbid moves from T to T as they forbid those
//! from S to S, for what they say of generators holds for their combinations. But by (II) a move leads from
//! every position outside S into S, so that none of T lies outside S: T = S.
//!
//! The formula is read as a union of *branches*, systems of linear constraints. It describes S if
//!
//! * each branch, those inside `sym` alone, lies in the union of the cones of cells. What does not lie in one
//!   of them is cut along a bound of one, and so are the pieces;
//! * each cell lies in the union of the branches; or one image of it under the symmetries of the proof does, if
//!   all of the formula stands in `sym`. What does not lie in one branch is cut along a constraint of one. Of
//!   what does not satisfy a constraint only positions with integers count: there it is at most -1.
//!
//! S and all its images under symmetries of the game are the same, for it is the set of P-positions. A
//! piece is known by its corners and directions, and these lead to positions in it: one that shows a
//! difference is told. If a piece has no corner of integers the comparison may remain without an answer; then
//! the formula is rejected as well. No formula without numbers has such pieces.

use super::cones::{Cone, bounds, common, holds};
use super::{Orbits, Part};
use crate::flaw::{Budget, Rejection, difference, flaw};
use crate::regions::{Statement, read};
use crate::row::Row;
use nimatron_formula::{Context, Formula};
use nimatron_game::{Game, Height, Position};

/// The most branches of a formula.
const MAX_BRANCHES: usize = 4_096;

/// How often one branch or cell is cut at most.
const MAX_CUTS: usize = 4_096;

/// Checks that a formula holds in the cells of an accepted proof and nowhere else. `orbits` are
/// those of its cells under its relabellings.
pub(super) fn check(
    game: &Game,
    text: &str,
    part: &Part,
    orbits: &Orbits,
    budget: &mut Budget,
) -> Result<Formula, Rejection> {
    let formula = Formula::parse(text, &Context::of_game(game))
        .map_err(|error| flaw("formula", format!("the formula cannot be read: {error}")))?;
    let (inner, symmetric) = match &formula {
        Formula::Sym(inner) => (&**inner, true),
        _ => (&formula, false),
    };
    let (statement, further) = read(inner, game, budget).map_err(|flaw| flaw.under("formula"))?;
    let (whole, _) = read(&formula, game, budget).map_err(|flaw| flaw.under("formula"))?;
    let found = match further {
        0 => compare([&statement, &whole], symmetric, part, orbits, budget)?,
        _ => Comparison::Unclear,
    };
    match found {
        Comparison::Same => Ok(formula),
        Comparison::Differs(inside, point) => {
            let heights = point.iter().take(part.stacks as usize);
            let heights = heights.map(|&x| Height::try_from(x)).collect::<Result<Vec<_>, _>>();
            let position = heights.ok().and_then(|heights| Position::new(heights).ok());
            Err(difference(["lies in a cell", "lies in no cell"], inside, position))
        }
        Comparison::Unclear => {
            let why = "it does not follow from the cells that the formula describes them";
            Err(flaw("formula", why))
        }
    }
}

/// What comes of comparing a formula with the cells.
enum Comparison {
    Same,
    /// This point lies in a cell where the formula does not hold (`true`), or in no cell where it does.
    Differs(bool, Vec<i128>),
    Unclear,
}

/// Compares a formula with the cells. The first statement is what stands in its `sym`, the other one all of it.
fn compare(
    [inner, whole]: [&Statement; 2],
    symmetric: bool,
    part: &Part,
    orbits: &Orbits,
    budget: &mut Budget,
) -> Result<Comparison, Rejection> {
    let (mut own, mut all) = (Vec::new(), Vec::new());
    if !branches_of(inner, &mut own, budget)? || !branches_of(whole, &mut all, budget)? {
        return Ok(Comparison::Unclear);
    }
    let stacks = part.stacks as usize;
    let Some(cells) = cones_of(part, orbits, budget)? else { return Ok(Comparison::Unclear) };
    let (own, all) = (with_equations(&own, budget)?, with_equations(&all, budget)?);
    for branch in &own {
        let Some(cone) = Cone::new(stacks + 1, branch, budget)? else {
            return Ok(Comparison::Unclear);
        };
        match (Union { parts: &cells, open: false }).covers(cone, budget)? {
            Comparison::Same => {}
            Comparison::Differs(_, point) => return Ok(Comparison::Differs(false, point)),
            Comparison::Unclear => return Ok(Comparison::Unclear),
        }
    }
    let open = all.iter().flatten().any(|row| row.constant != 0);
    let mut covered = vec![false; cells.len()];
    for (number, cell) in cells.iter().enumerate() {
        if covered[number] {
            continue;
        }
        let Some(cone) = Cone::new(stacks + 1, cell, budget)? else {
            return Ok(Comparison::Unclear);
        };
        match (Union { parts: &all, open }).covers(cone, budget)? {
            Comparison::Same => {}
            Comparison::Differs(_, point) => return Ok(Comparison::Differs(true, point)),
            Comparison::Unclear => return Ok(Comparison::Unclear),
        }
        if symmetric {
            orbits.mark(number, &mut covered);
        }
    }
    Ok(Comparison::Same)
}

/// Branches in which two opposite inequalities are one equation, and others are as strict as integers allow;
/// without those whose equations no integers satisfy.
fn with_equations(branches: &[Vec<&Row>], budget: &mut Budget) -> Result<Vec<Vec<Row>>, Rejection> {
    let mut found = Vec::new();
    for branch in branches {
        budget.spend(branch.len() * branch.len())?;
        budget.hold(branch.iter().map(|row| row.bytes()).sum())?;
        let mut rows: Vec<Row> = Vec::new();
        for &row in branch {
            let opposite = Row::constant(0).plus(-1, row)?;
            match rows.iter_mut().find(|own| **own == opposite) {
                Some(own) => own.equation = true,
                None => rows.push(row.clone()),
            }
        }
        let (equations, others): (Vec<Row>, Vec<Row>) =
            rows.into_iter().partition(|row| row.equation);
        if equations.iter().any(|row| row.constant % divisor(row).max(1) != 0) {
            continue;
        }
        budget.spend(
            8 * equations.len() * branch.iter().map(|row| 8 + row.terms.len()).sum::<usize>(),
        )?;
        let mut rows = equations.clone();
        for row in others {
            rows.push(tightened(row, &equations)?);
        }
        found.push(rows);
    }
    Ok(found)
}

/// By cell: the equations and inequalities of its cone; `None` if there are too many. Those of its images are
/// the same under other names.
fn cones_of(
    part: &Part,
    orbits: &Orbits,
    budget: &mut Budget,
) -> Result<Option<Vec<Vec<Row>>>, Rejection> {
    let mut cones: Vec<Option<Vec<Row>>> = vec![None; part.cells.len()];
    for (number, cell) in part.cells.iter().enumerate() {
        if cones[number].is_some() {
            continue;
        }
        let Some(rows) = bounds(part.stacks as usize, cell, budget)? else { return Ok(None) };
        let mut next = vec![(number, rows)];
        while let Some((number, rows)) = next.pop() {
            if cones[number].is_none() {
                let bytes: usize = rows.iter().map(Row::bytes).sum();
                budget.hold((1 + orbits.names.len()) * bytes)?;
                let images = orbits.images[number].iter().zip(orbits.names);
                next.extend(images.map(|(&image, names)| {
                    (image, rows.iter().map(|row| renamed(row, names)).collect())
                }));
                cones[number] = Some(rows);
            }
        }
    }
    Ok(cones.into_iter().collect())
}

/// A row under other names of its variables.
fn renamed(row: &Row, names: &[u32]) -> Row {
    let mut terms: Vec<_> = row.terms.iter().map(|&(v, c)| (names[v] as usize, c)).collect();
    terms.sort_unstable();
    Row { terms, ..row.clone() }
}

/// What all coefficients have in common.
fn divisor(row: &Row) -> i128 {
    common(row.terms.iter().map(|&(_, c)| c))
}

/// An inequality where equations hold. If all coefficients of it and of one equation together have a divisor
/// in common, so has the sum of their terms for integers, and the constant may be rounded down.
fn tightened(row: Row, equations: &[Row]) -> Result<Row, Rejection> {
    for equation in equations {
        for sign in [1, -1] {
            let sum = row.clone().plus(sign, equation)?;
            let divisor = divisor(&sum);
            if divisor > 1 {
                let terms = sum.terms.iter().map(|&(v, c)| (v, c / divisor)).collect();
                return Ok(Row { terms, constant: sum.constant.div_euclid(divisor), ..sum });
            }
        }
    }
    Ok(row)
}

/// Where all rows of one part hold.
struct Union<'a> {
    parts: &'a [Vec<Row>],
    /// Whether what does not satisfy a row is cut off at -1, rather than where the row is zero. The latter is
    /// enough where no row has a constant: what lies in closed cones all around lies in one of them.
    open: bool,
}

impl Union<'_> {
    /// Whether all positions of a cone lie in the union; of `Differs` only the point counts.
    fn covers(&self, cone: Cone, budget: &mut Budget) -> Result<Comparison, Rejection> {
        // Of closed cones those of fewer dimensions are of no use.
        let mut parts: Vec<&Vec<Row>> = Vec::new();
        for part in self.parts {
            let equations = part.iter().filter(|row| row.equation && !self.open);
            if cone.satisfies(equations, budget)? {
                parts.push(part);
            }
        }
        let (mut pieces, mut cuts) = (vec![cone], 0);
        'pieces: while let Some(piece) = pieces.pop() {
            if piece.is_void() {
                continue;
            }
            let mut near: Option<&Vec<Row>> = None;
            for position in piece.positions(0)? {
                let within = find(&parts, &position, budget)?;
                for part in &within {
                    if piece.satisfies(*part, budget)? {
                        continue 'pieces;
                    }
                }
                near = near.or(within.first().copied());
                if within.is_empty() {
                    return self.outside(&piece, budget);
                }
            }
            cuts += 1;
            let Some(part) = near.filter(|_| cuts <= MAX_CUTS) else {
                return Ok(Comparison::Unclear);
            };
            // Some row does not hold everywhere: otherwise the piece would lie in this part.
            for row in part {
                if piece.satisfies([row], budget)? {
                    continue;
                }
                let opposite = match self.open {
                    true => Row { equation: false, ..row.negated()? },
                    false => Row { equation: false, ..Row::constant(0).plus(-1, row)? },
                };
                for row in [&Row { equation: false, ..row.clone() }, &opposite] {
                    let mut half = piece.clone();
                    if !half.cut(row, budget)? {
                        return Ok(Comparison::Unclear);
                    }
                    pieces.push(half);
                }
                break;
            }
        }
        Ok(Comparison::Same)
    }

    /// A point of a piece that lies in no part, if one of several does not.
    fn outside(&self, piece: &Cone, budget: &mut Budget) -> Result<Comparison, Rejection> {
        let all: Vec<&Vec<Row>> = self.parts.iter().collect();
        for number in 0..TRIES {
            for position in piece.positions(number)? {
                if find(&all, &position, budget)?.is_empty() {
                    return Ok(Comparison::Differs(true, position));
                }
            }
        }
        Ok(Comparison::Unclear)
    }
}

/// How many points of a piece are tried that might happen to lie in a part of fewer dimensions.
const TRIES: i128 = 8;

/// The parts with this point.
fn find<'a>(
    parts: &[&'a Vec<Row>],
    point: &[i128],
    budget: &mut Budget,
) -> Result<Vec<&'a Vec<Row>>, Rejection> {
    let mut found = Vec::new();
    'parts: for part in parts {
        for row in *part {
            budget.spend(1 + row.terms.len())?;
            if !holds(row, point)? {
                continue 'parts;
            }
        }
        found.push(*part);
    }
    Ok(found)
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
