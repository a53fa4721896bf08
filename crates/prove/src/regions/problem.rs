//! The game and the formula as linear systems, with the symmetries that may be used.

use super::plays::{Play, plays, symmetries};
use super::project::{project, tidied};
use super::row::{Limit, Row, farkas, solver};
use super::statement::{Statement, Way, statement, ways};
use super::{Failure, Unsupported};
use crate::lp::{Answer, Entailed, Overflow, Point, Solver};
use nimatron_formula::{Context, Evaluator, Formula, branches};
use nimatron_game::{Game, Watch};
use nimatron_verify::regions as cert;
use std::collections::{BTreeSet, HashMap};

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
    pub(crate) plays: Vec<Play>,
    pub(crate) branches: Vec<Piece>,
    /// S as certificates speak of it, and how many further integers that takes.
    pub(crate) statement: Statement,
    pub(crate) extras: usize,
    pub(crate) ways: Vec<Way>,
    /// For each branch a way of the statement that it lies in, and what the way's further integers
    /// are.
    pub(crate) homes: Vec<(usize, Vec<Row>)>,
    /// The group under which S is closed; the identity comes first.
    pub(crate) group: Vec<Element>,
    pub(crate) symmetries: Vec<cert::Symmetry>,
    pub(crate) evaluator: Evaluator,
}

/// In which piece of a list another one lies: its number, what its further integers are, and the
/// derivations of its constraints.
pub(crate) struct Inclusion {
    pub(crate) number: usize,
    pub(crate) extras: Vec<Row>,
    pub(crate) proofs: Vec<cert::Farkas>,
}

/// A branch whose image under a symmetry, by its number in the certificate, lies in a branch.
pub(crate) struct Image {
    pub(crate) from: usize,
    pub(crate) symmetry: usize,
    pub(crate) into: Inclusion,
}

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

    /// Under new names of the variables, the constraints as they are.
    fn renamed(&self, image: &[usize]) -> Piece {
        let limits = self.limits.iter().map(|(row, e)| (row.relabel(image), *e));
        Piece { limits: limits.collect(), extras: self.extras }
    }

    /// Under new names of the variables, in the order of branches.
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

impl Problem {
    pub(crate) fn new(
        game: &Game,
        formula: &Formula,
        watch: &dyn Watch,
    ) -> Result<Problem, Failure> {
        let stacks = game.stacks();
        let images = symmetries(game);
        let images = images.ok_or(Failure::Unsupported(Unsupported::Symmetries))?;
        let evaluator = Evaluator::new(formula, &Context::of_game(game), &images)
            .map_err(|e| Failure::Unsupported(Unsupported::Evaluation(e)))?;
        let found = branches(formula, stacks, &images, MAX_BRANCHES)
            .map_err(|e| Failure::Unsupported(Unsupported::Branches(e)))?;
        let mut pieces = Vec::new();
        for branch in found {
            let limit = |c: &nimatron_formula::Constraint| -> Result<Limit, Overflow> {
                let row = Row { c: c.coefficients.clone(), k: c.constant };
                let row = row.combine(1, &Row::default(), 0)?;
                Ok((upright(row, c.is_equation), c.is_equation))
            };
            let limits = branch.constraints.iter().map(limit);
            let mut limits: Vec<Limit> = limits.collect::<Result<_, _>>()?;
            limits.retain(|(row, e)| *e || !row.evident(stacks));
            limits.sort();
            let extras = branch.extras.len();
            if solver(stacks, extras, &limits)?.is_ok() {
                pieces.push(Piece { limits, extras });
            }
        }
        let pieces = absorbed(stacks, pieces, watch)?;
        let plays = plays(game, MAX_PLAYS);
        let plays = plays.ok_or(Failure::Unsupported(Unsupported::Plays(MAX_PLAYS)))?;
        let read = statement(formula, stacks, &images).map_err(Failure::Unsupported)?;
        let (statement, extras) = read;
        let ways = ways(&statement, stacks, extras).map_err(Failure::Unsupported)?;
        let identity: Vec<usize> = (0..stacks).collect();
        let mut problem = Problem {
            game: game.clone(),
            stacks,
            plays,
            branches: pieces,
            statement,
            extras,
            ways,
            homes: Vec::new(),
            group: Vec::new(),
            symmetries: Vec::new(),
            evaluator,
        };
        let images = if images.len() > MAX_GROUP { vec![identity.clone()] } else { images };
        let Some(homes) = problem.mapped(&identity, watch)? else {
            return Err(Failure::internal("the formula is read in two ways"));
        };
        problem.homes = homes.into_iter().map(|home| (home.number, home.extras)).collect();
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
            let Some(mapped) = self.mapped(image, watch)? else {
                complete = false;
                break;
            };
            let member = |inclusion: Inclusion| cert::Member {
                choices: self.ways[inclusion.number].choices.clone(),
                extras: inclusion.extras.iter().map(Row::form).collect(),
                proofs: inclusion.proofs,
            };
            let closed = cert::Closed::Images(mapped.into_iter().map(member).collect());
            self.symmetries.push(cert::Symmetry { image: image.clone(), closed });
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
            false => self.symmetries.clear(),
        }
        for (i, image) in elements.iter().enumerate() {
            let inverse = inverse(image);
            let find = |branch: &Piece| match branch.extras {
                0 => index.get(&branch.relabel(image).limits).copied(),
                _ => None,
            };
            let mut branches: Vec<Option<usize>> = self.branches.iter().map(find).collect();
            if i == 0 {
                branches = (0..self.branches.len()).map(Some).collect();
            }
            let play = |p: &Play| {
                let moved = p.relabel(image);
                self.plays.iter().position(|q| *q == moved).unwrap_or(0)
            };
            let plays = self.plays.iter().map(play).collect();
            let inverse = elements.iter().position(|g| *g == inverse).unwrap_or(0);
            let number = i.checked_sub(1);
            self.group.push(Element { image: image.clone(), inverse, branches, plays, number });
        }
        Ok(())
    }

    /// In which way of the statement the image of each branch lies.
    fn mapped(
        &self,
        image: &[usize],
        watch: &dyn Watch,
    ) -> Result<Option<Vec<Inclusion>>, Failure> {
        let back = inverse(image);
        let ways: Vec<Piece> = self.ways.iter().map(|way| way.piece.renamed(&back)).collect();
        let likely = Likely::new(self.stacks, &ways);
        let mut found = Vec::new();
        for branch in &self.branches {
            watch.check(0).map_err(Failure::stopped)?;
            let Ok(solver) = solver(self.stacks, branch.extras, &branch.limits)? else {
                return Ok(None);
            };
            match included(self.stacks, &solver, branch, &ways, likely.find(branch))? {
                Some(inclusion) => found.push(inclusion),
                None => return Ok(None),
            }
        }
        Ok(Some(found))
    }

    /// Which branches are mapped into which by the symmetries that generate the others.
    pub(crate) fn images(&self, watch: &dyn Watch) -> Result<Vec<Image>, Failure> {
        let mut images = Vec::new();
        for (symmetry, cert::Symmetry { image, closed }) in self.symmetries.iter().enumerate() {
            if matches!(closed, cert::Closed::Product(..)) {
                continue;
            }
            let back = inverse(image);
            let targets: Vec<Piece> = self.branches.iter().map(|b| b.renamed(&back)).collect();
            let likely = Likely::new(self.stacks, &targets);
            for (from, branch) in self.branches.iter().enumerate() {
                watch.check(0).map_err(Failure::stopped)?;
                let Ok(solver) = solver(self.stacks, branch.extras, &branch.limits)? else {
                    continue;
                };
                let likely = likely.find(branch);
                if let Some(into) = included(self.stacks, &solver, branch, &targets, likely)? {
                    images.push(Image { from, symmetry, into });
                }
            }
        }
        Ok(images)
    }
}

fn inverse(image: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; image.len()];
    image.iter().enumerate().for_each(|(s, &t)| inverse[t] = s);
    inverse
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

/// Pieces by their inequalities in lowest terms: of two that are written in the same way one is
/// likely to lie in the other.
pub(crate) struct Likely {
    stacks: usize,
    index: HashMap<BTreeSet<Row>, usize>,
}

impl Likely {
    pub(crate) fn new(stacks: usize, list: &[Piece]) -> Likely {
        let mut likely = Likely { stacks, index: HashMap::new() };
        for (number, piece) in list.iter().enumerate() {
            likely.index.insert(likely.key(piece), number);
        }
        likely
    }

    pub(crate) fn find(&self, piece: &Piece) -> Option<usize> {
        self.index.get(&self.key(piece)).copied()
    }

    fn key(&self, piece: &Piece) -> BTreeSet<Row> {
        let rows = inequalities(&piece.limits).into_iter().map(|row| row.tightened());
        rows.filter(|row| !row.evident(self.stacks)).collect()
    }
}

/// In which piece of the list the given one lies, whose constraints the solver has. The likely one
/// is tried first.
pub(crate) fn included(
    stacks: usize,
    solver: &Solver,
    piece: &Piece,
    list: &[Piece],
    likely: Option<usize>,
) -> Result<Option<Inclusion>, Overflow> {
    let last = stacks + piece.limits.len();
    let inner = solver.inner_point(|number| 5 + (number as i64 * 7) % 11)?;
    let others = (0..list.len()).filter(|&number| Some(number) != likely);
    for number in likely.into_iter().chain(others) {
        let target = &list[number];
        if !near(&inner, stacks, target)? {
            continue;
        }
        for extras in witnesses(stacks, piece, target)? {
            if let Some(proofs) = derivations(solver, target, stacks, &extras, last)? {
                return Ok(Some(Inclusion { number, extras, proofs }));
            }
        }
    }
    Ok(None)
}

/// The ways to name `count` different ones of the items; a single one if there are many.
fn arrangements(items: &[usize], count: usize) -> Vec<Vec<usize>> {
    if items.len() < count {
        return Vec::new();
    }
    if items.len() > 5 {
        return vec![items[..count].to_vec()];
    }
    (0..count).fold(vec![vec![]], |found, _| {
        let longer = |start: &Vec<usize>| {
            let free = items.iter().filter(|item| !start.contains(item));
            free.map(|&item| [&start[..], &[item]].concat()).collect::<Vec<_>>()
        };
        found.iter().flat_map(longer).collect()
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
    let Some(known) = tidied(source.limits.clone()) else { return Ok(Vec::new()) };
    // Equations of the source make unit coefficients.
    let mut values: Vec<(usize, Row)> = Vec::new();
    for (row, _) in known.iter().filter(|l| l.1) {
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
    if let Some(p) = project(limits, given, stacks)? {
        for upper in [false, true] {
            if let Some(found) = super::witness::plain(&p.steps, given, target.extras, upper)? {
                choices.push(found);
            }
        }
    }
    // Integers of the source, under any names. Some of the target's may not be used.
    let used = |piece: &Piece| -> Vec<usize> {
        let is_used = |&v: &usize| piece.limits.iter().any(|(row, _)| row.at(v) != 0);
        (stacks..stacks + piece.extras).filter(is_used).collect()
    };
    let needed = used(target);
    for order in arrangements(&used(source), needed.len()) {
        let mut found = vec![Row::default(); target.extras];
        needed.iter().zip(order).for_each(|(v, name)| found[v - stacks] = Row::variable(name));
        choices.push(found);
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
