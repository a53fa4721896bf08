//! The game and the formula as linear systems, with the symmetries that may be used.

use super::Failure;
use super::row::{Limit, Row, farkas, solver};
use crate::lp::{Answer, Entailed, Overflow, Point, Solver};
use nimatron_formula::{Context, Evaluator, Formula, branches};
use nimatron_game::{Game, Watch};
use nimatron_verify::regions as cert;
use std::collections::HashMap;

/// Groups larger than this are used for `sym` only.
const MAX_GROUP: usize = 120;

/// At most so many branches and plays.
const MAX_BRANCHES: usize = 20_000;
const MAX_PLAYS: usize = 2_000;

/// A branch with its variables: the heights, then `extras`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub(crate) limits: Vec<Limit>,
    pub(crate) extras: usize,
}

/// A relabelling of the stacks, and what it does to branches where that is evident.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) image: Vec<usize>,
    pub(crate) inverse: usize,
    /// The branch that is the image of each.
    pub(crate) branches: Vec<Option<usize>>,
    /// The play that is the image of each.
    pub(crate) plays: Vec<usize>,
    /// Its number in the certificate; the identity has none.
    pub(crate) number: Option<usize>,
}

pub(crate) struct Problem {
    pub(crate) game: Game,
    pub(crate) stacks: usize,
    pub(crate) plays: Vec<cert::Play>,
    pub(crate) branches: Vec<Piece>,
    /// The group under which S is closed; the identity comes first.
    pub(crate) group: Vec<Element>,
    pub(crate) symmetries: Vec<cert::Symmetry>,
    /// For each branch those that contain an image of it, by a symmetry of the certificate.
    pub(crate) mapped: Vec<(usize, Option<usize>)>,
    pub(crate) evaluator: Evaluator,
}

/// Why each branch has its image in a branch, and in which one; none if the image is empty.
type Images = (Vec<cert::Inclusion>, Vec<(usize, Option<usize>)>);

impl Piece {
    /// The constraints where height `s` is the variable `new(s)` and the further integers start at
    /// `first`.
    pub(crate) fn moved(
        &self,
        stacks: usize,
        new: impl Fn(usize) -> usize,
        first: usize,
    ) -> Vec<Limit> {
        let image: Vec<usize> =
            (0..stacks).map(new).chain((0..self.extras).map(|e| first + e)).collect();
        let len = image.iter().map(|v| v + 1).max().unwrap_or(0);
        let place = |row: &Row| {
            let mut c = vec![0; len];
            row.c.iter().enumerate().for_each(|(v, &x)| c[image[v]] += x);
            Row { c, k: row.k }.combine(1, &Row::default(), 0).unwrap_or_default()
        };
        self.limits.iter().map(|(row, equation)| (place(row), *equation)).collect()
    }

    pub(crate) fn certificate(&self) -> cert::Branch {
        let constraint =
            |(row, equation): &Limit| cert::Constraint { form: row.form(), equation: *equation };
        cert::Branch {
            extras: self.extras,
            constraints: self.limits.iter().map(constraint).collect(),
        }
    }

    fn relabel(&self, image: &[usize]) -> Piece {
        let mut limits: Vec<Limit> =
            self.limits.iter().map(|(row, e)| (upright(row.relabel(image), *e), *e)).collect();
        limits.sort();
        Piece { limits, extras: self.extras }
    }
}

/// An equation with its first coefficient positive.
fn upright(row: Row, equation: bool) -> Row {
    match equation && row.c.iter().find(|&&c| c != 0).is_some_and(|&c| c < 0) {
        true => row.negated(),
        false => row,
    }
}

/// The inequalities that constraints stand for.
pub(crate) fn inequalities(limits: &[Limit]) -> Vec<Row> {
    let both = |(row, equation): &Limit| match equation {
        true => vec![row.clone(), row.negated()],
        false => vec![row.clone()],
    };
    limits.iter().flat_map(both).collect()
}

/// A row of the checker's as one of ours.
pub(crate) fn narrow(row: &cert::Row) -> Result<Limit, Overflow> {
    let fit = |c: i128| i64::try_from(c).map_err(|_| Overflow);
    let c = row.coefficients.iter().map(|&c| fit(c)).collect::<Result<_, _>>()?;
    let row_ = Row { c, k: fit(row.constant)? };
    Ok((row_.combine(1, &Row::default(), 0)?, row.equation))
}

impl Problem {
    pub(crate) fn new(
        game: &Game,
        formula: &Formula,
        watch: &dyn Watch,
    ) -> Result<Problem, Failure> {
        let stacks = game.stacks();
        let images = cert::symmetries(game).map_err(Failure::expansion)?;
        let evaluator = Evaluator::new(formula, &Context::of_game(game), &images)
            .map_err(|e| Failure::Unsupported(super::Unsupported::Evaluation(e)))?;
        let found = branches(formula, stacks, &images, MAX_BRANCHES)
            .map_err(|e| Failure::Unsupported(super::Unsupported::Branches(e)))?;
        let mut pieces = Vec::new();
        for branch in found {
            let limit = |c: &nimatron_formula::Constraint| {
                let row = Row { c: c.coefficients.clone(), k: c.constant };
                (
                    upright(row.combine(1, &Row::default(), 0).unwrap_or_default(), c.is_equation),
                    c.is_equation,
                )
            };
            let mut limits: Vec<Limit> = branch.constraints.iter().map(limit).collect();
            limits.retain(|(row, e)| *e || !row.evident(stacks));
            limits.sort();
            let extras = branch.extras.len();
            if solver(stacks, extras, &limits)?.is_ok() {
                pieces.push(Piece { limits, extras });
            }
        }
        let pieces = absorbed(stacks, pieces, watch)?;
        let plays = cert::plays(game, MAX_PLAYS);
        let plays = plays.ok_or(Failure::Unsupported(super::Unsupported::Plays(MAX_PLAYS)))?;
        let identity: Vec<usize> = (0..stacks).collect();
        let mut problem = Problem {
            game: game.clone(),
            stacks,
            plays,
            branches: pieces,
            group: Vec::new(),
            symmetries: Vec::new(),
            mapped: Vec::new(),
            evaluator,
        };
        let images = if images.len() > MAX_GROUP { vec![identity] } else { images };
        problem.close(images, watch)?;
        Ok(problem)
    }

    /// Finds the elements under which S is closed; all of `images`, or the identity alone.
    fn close(&mut self, images: Vec<Vec<usize>>, watch: &dyn Watch) -> Result<(), Failure> {
        let identity: Vec<usize> = (0..self.stacks).collect();
        let index: HashMap<Vec<Limit>, usize> =
            self.branches.iter().enumerate().map(|(i, b)| (b.limits.clone(), i)).collect();
        let mut known: Vec<Vec<usize>> = vec![];
        let mut complete = true;
        for image in images.iter().filter(|g| **g != identity) {
            if known.contains(image) {
                continue;
            }
            let Some((closed, mapped)) = self.closed_under(image, &index, watch)? else {
                complete = false;
                break;
            };
            self.mapped.extend(mapped);
            self.symmetries.push(cert::Symmetry {
                image: image.clone(),
                closed: cert::Closed::Images(closed),
            });
            known.push(image.clone());
            // All products with what is known.
            let mut next = 0;
            while next < known.len() {
                for other in 0..known.len() {
                    let product: Vec<usize> =
                        known[next].iter().map(|&s| known[other][s]).collect();
                    if product != identity && !known.contains(&product) {
                        known.push(product.clone());
                        let closed = cert::Closed::Product(next, other);
                        self.symmetries.push(cert::Symmetry { image: product, closed });
                    }
                }
                next += 1;
            }
        }
        let mut elements = vec![identity];
        match complete {
            true => elements.extend(known),
            false => {
                self.symmetries.clear();
                self.mapped.clear();
            }
        }
        for (i, image) in elements.iter().enumerate() {
            let mut inverse = vec![0; self.stacks];
            image.iter().enumerate().for_each(|(s, &t)| inverse[t] = s);
            let find = |branch: &Piece| match branch.extras {
                0 => index.get(&branch.relabel(image).limits).copied(),
                _ => None,
            };
            let mut branches: Vec<Option<usize>> = self.branches.iter().map(find).collect();
            if i == 0 {
                branches = (0..self.branches.len()).map(Some).collect();
            }
            let play = |p: &cert::Play| {
                let moved = cert::Play { stacks: p.stacks.relabel(image), ..*p };
                self.plays.iter().position(|q| *q == moved).unwrap_or(0)
            };
            let plays = self.plays.iter().map(play).collect();
            let inverse = elements.iter().position(|g| *g == inverse).unwrap_or(0);
            let number = i.checked_sub(1);
            self.group.push(Element { image: image.clone(), inverse, branches, plays, number });
        }
        Ok(())
    }

    /// That the image of each branch lies in a branch.
    fn closed_under(
        &self,
        image: &[usize],
        index: &HashMap<Vec<Limit>, usize>,
        watch: &dyn Watch,
    ) -> Result<Option<Images>, Failure> {
        let mut inclusions = Vec::new();
        let mut mapped = Vec::new();
        for (i, branch) in self.branches.iter().enumerate() {
            watch.check(0).map_err(Failure::stopped)?;
            let moved = branch.relabel(image);
            let exact = Piece {
                limits: branch.limits.iter().map(|(row, e)| (row.relabel(image), *e)).collect(),
                ..*branch
            };
            let first = index.get(&moved.limits).copied();
            let order =
                first.into_iter().chain((0..self.branches.len()).filter(|j| Some(*j) != first));
            let Some((j, inclusion)) = included(self.stacks, &exact, &self.branches, order)? else {
                return Ok(None);
            };
            mapped.push((i, j));
            inclusions.push(inclusion);
        }
        Ok(Some((inclusions, mapped)))
    }
}

/// Drops branches that lie in others.
fn absorbed(
    stacks: usize,
    mut pieces: Vec<Piece>,
    watch: &dyn Watch,
) -> Result<Vec<Piece>, Failure> {
    // Branches with many constraints are the likeliest to lie in others.
    pieces.sort_by_key(|p| (p.extras, inequalities(&p.limits).len()));
    let mut i = pieces.len();
    while i > 0 {
        i -= 1;
        watch.check(0).map_err(Failure::stopped)?;
        let Ok(solver) = solver(stacks, pieces[i].extras, &pieces[i].limits)? else { continue };
        let inner = solver.inner_point(|number| 5 + (number as i64 * 7) % 11)?;
        for j in (0..pieces.len()).filter(|&j| j != i && pieces[j].extras == 0) {
            if near(&inner, stacks, &pieces[j])?
                && derivations(&solver, &pieces[j], stacks, &[], 0)?.is_some()
            {
                pieces.remove(i);
                break;
            }
        }
    }
    pieces.sort_by(|a, b| a.limits.cmp(&b.limits));
    Ok(pieces)
}

/// In which branch of the list, tried in this order, the piece lies.
pub(crate) fn included(
    stacks: usize,
    piece: &Piece,
    list: &[Piece],
    order: impl Iterator<Item = usize>,
) -> Result<Option<(Option<usize>, cert::Inclusion)>, Overflow> {
    let last = stacks + piece.limits.len();
    let solver = match solver(stacks, piece.extras, &piece.limits)? {
        Ok(solver) => solver,
        Err(m) => return Ok(Some((None, cert::Inclusion::Empty(farkas(&m, last)?)))),
    };
    let inner = solver.inner_point(|number| 5 + (number as i64 * 7) % 11)?;
    for j in order {
        if !near(&inner, stacks, &list[j])? {
            continue;
        }
        for extras in witnesses(stacks, piece, &list[j])? {
            if let Some(proofs) = derivations(&solver, &list[j], stacks, &extras, last)? {
                let extras = extras.iter().map(Row::form).collect();
                return Ok(Some((Some(j), cert::Inclusion::Into { branch: j, extras, proofs })));
            }
        }
    }
    Ok(None)
}

/// All orders of the numbers below `count`; only the natural one if there are many.
fn orders(count: usize) -> Vec<Vec<usize>> {
    if count > 5 {
        return vec![(0..count).collect()];
    }
    (0..count).fold(vec![vec![]], |orders, next| {
        let insert = |order: &Vec<usize>| {
            let at = |i: usize| {
                let mut longer = order.clone();
                longer.insert(i, next);
                longer
            };
            (0..=order.len()).rev().map(at).collect::<Vec<_>>()
        };
        orders.iter().flat_map(insert).collect()
    })
}

/// Whether a point has the heights of a point of the piece.
fn near(point: &Point, stacks: usize, piece: &Piece) -> Result<bool, Overflow> {
    let mut solver = Solver::new();
    (0..piece.extras).for_each(|_| solver.add_free());
    for (row, equation) in &piece.limits {
        let own = Row { c: row.c.iter().take(stacks).copied().collect(), k: row.k };
        // The further integers are scaled by the denominator.
        let Some(value) = point.value(&own.c, own.k) else { return Ok(true) };
        let extras = row.c.iter().skip(stacks).copied().collect();
        let row = Row { c: extras, k: i64::try_from(value).map_err(|_| Overflow)? };
        if solver.add(row.linear(*equation), 0)? != Answer::Feasible {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What the further integers of the target may be in terms of the source's.
fn witnesses(stacks: usize, source: &Piece, target: &Piece) -> Result<Vec<Vec<Row>>, Overflow> {
    if target.extras == 0 {
        return Ok(vec![vec![]]);
    }
    // The source's variables are given; the target's further integers come after them.
    let given = stacks + source.extras;
    let mut limits = target.moved(stacks, |s| s, given);
    // Equations of the source make unit coefficients.
    let mut values: Vec<(usize, Row)> = Vec::new();
    for (row, _) in source.limits.iter().filter(|l| l.1) {
        let mut row = row.clone();
        for (v, value) in &values {
            row = row.replace(*v, value)?;
        }
        let Some(v) = (0..row.c.len()).find(|&v| row.at(v).abs() == 1) else { continue };
        let sign = -row.at(v);
        row.c[v] = 0;
        let value = row.combine(sign, &Row::default(), 0)?;
        for (_, other) in &mut values {
            *other = other.replace(v, &value)?;
        }
        for (limit, _) in &mut limits {
            *limit = limit.replace(v, &value)?;
        }
        values.push((v, value));
    }
    let mut choices = Vec::new();
    if let Some(p) = super::project::project(limits, given, stacks)? {
        for upper in [false, true] {
            if let Some(found) = super::witness::plain(&p.steps, given, target.extras, upper)? {
                choices.push(found);
            }
        }
    }
    // The same integers under the same, or shuffled, names.
    if source.extras == target.extras {
        let named = |order: Vec<usize>| order.iter().map(|e| Row::variable(stacks + e)).collect();
        choices.extend(orders(target.extras).into_iter().map(named));
    }
    Ok(choices)
}

fn derivations(
    solver: &Solver,
    target: &Piece,
    stacks: usize,
    extras: &[Row],
    last: usize,
) -> Result<Option<Vec<cert::Farkas>>, Overflow> {
    let mut proofs = Vec::new();
    for (row, equation) in &target.limits {
        let mut own = Row { c: row.c.iter().take(stacks).copied().collect(), k: row.k };
        for (e, value) in extras.iter().enumerate() {
            own = own.combine(1, value, row.at(stacks + e))?;
        }
        for side in inequalities(&[(own, *equation)]) {
            match solver.entails(&side.c, side.k, usize::MAX)? {
                Entailed::Yes(m) => proofs.push(farkas(&m, last)?),
                Entailed::No(_) => return Ok(None),
            }
        }
    }
    Ok(Some(proofs))
}
