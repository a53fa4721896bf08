//! The game and the formula as linear systems, with the symmetries that may be used.

use super::plays::{Play, plays, symmetries};
use super::written::{constraint as written_constraint, farkas, form as written};
use super::{Failure, Unsupported};
use nimatron_formula::{Context, Formula};
use nimatron_game::{Game, Watch};
use nimatron_linear::{
    Answer, Constraint, Entailed, Form, Overflow, Point, Solver, Substitution, inequalities,
    project, solved, tidied,
};
use nimatron_meaning::{Evaluator, Statement};
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
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) extras: usize,
}

/// The way through the statement that a branch is.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) choices: Vec<usize>,
    /// Which integers of the statement those of the branch are.
    pub(crate) integers: Vec<usize>,
    /// The constraints on the way, with all integers of the statement.
    pub(crate) piece: Piece,
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
    /// S as certificates speak of it.
    pub(crate) statement: Statement,
    /// For each branch the way through the statement that it is.
    pub(crate) ways: Vec<Way>,
    /// The group under which S is closed; the identity comes first.
    pub(crate) group: Vec<Element>,
    pub(crate) symmetries: Vec<cert::Symmetry>,
    pub(crate) evaluator: Evaluator,
}

/// In which piece of a list another one lies: its number, what its further integers are, and the
/// derivations of its constraints.
pub(crate) struct Inclusion {
    pub(crate) number: usize,
    pub(crate) extras: Vec<Form>,
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
    ) -> Vec<Constraint> {
        let image: Vec<usize> =
            (0..stacks).map(new).chain((0..self.extras).map(|e| first + e)).collect();
        self.constraints.iter().map(|c| c.relabel(&image)).collect()
    }

    pub(crate) fn certificate(&self) -> cert::Branch {
        cert::Branch {
            extras: self.extras,
            constraints: self.constraints.iter().map(written_constraint).collect(),
        }
    }

    /// Under new names of the variables, the constraints as they are.
    fn renamed(&self, image: &[usize]) -> Piece {
        let constraints = self.constraints.iter().map(|c| c.relabel(image)).collect();
        Piece { constraints, extras: self.extras }
    }

    /// Under new names of the variables, in the order of branches.
    fn relabel(&self, image: &[usize]) -> Piece {
        let moved = self.constraints.iter().map(|c| c.relabel(image).upright());
        let mut constraints: Vec<Constraint> = moved.collect();
        constraints.sort();
        Piece { constraints, extras: self.extras }
    }
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
        let unsupported = |e| Failure::Unsupported(Unsupported::Branches(e));
        let statement = Statement::new(formula, stacks, &images).map_err(unsupported)?;
        let mut pairs = Vec::new();
        for branch in statement.branches(MAX_BRANCHES).map_err(unsupported)? {
            let constraints = statement.along(&branch.choices);
            let constraints = constraints.ok_or(Failure::internal("a branch without a way"))?;
            let piece = Piece { constraints, extras: statement.integers };
            let extras = branch.integers.len();
            let way = Way { choices: branch.choices, integers: branch.integers, piece };
            let piece = Piece { constraints: branch.constraints, extras };
            if solved(stacks, extras, &piece.constraints)?.is_ok() {
                pairs.push((piece, way));
            }
        }
        let (pieces, ways) = absorbed(stacks, pairs, watch)?.into_iter().unzip();
        let plays = plays(game, MAX_PLAYS);
        let plays = plays.ok_or(Failure::Unsupported(Unsupported::Plays(MAX_PLAYS)))?;
        let mut problem = Problem {
            game: game.clone(),
            stacks,
            plays,
            branches: pieces,
            statement,
            ways,
            group: Vec::new(),
            symmetries: Vec::new(),
            evaluator,
        };
        let alone = images.len() > MAX_GROUP;
        let images = if alone { vec![(0..stacks).collect()] } else { images };
        problem.close(images, watch)?;
        Ok(problem)
    }

    /// Finds the elements under which S is closed; all of `images`, or the identity alone.
    fn close(&mut self, images: Vec<Vec<usize>>, watch: &dyn Watch) -> Result<(), Failure> {
        let identity: Vec<usize> = (0..self.stacks).collect();
        let index: HashMap<Vec<Constraint>, usize> =
            self.branches.iter().enumerate().map(|(i, b)| (b.constraints.clone(), i)).collect();
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
                extras: inclusion.extras.iter().map(written).collect(),
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
                0 => index.get(&branch.relabel(image).constraints).copied(),
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
            let Ok(solver) = solved(self.stacks, branch.extras, &branch.constraints)? else {
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
                let Ok(solver) = solved(self.stacks, branch.extras, &branch.constraints)? else {
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
    mut branches: Vec<(Piece, Way)>,
    watch: &dyn Watch,
) -> Result<Vec<(Piece, Way)>, Failure> {
    // Branches with many constraints are the likeliest to lie in others.
    branches.sort_by_key(|(p, _)| (p.extras, inequalities(&p.constraints).len()));
    let mut i = branches.len();
    while i > 0 {
        i -= 1;
        watch.check(0).map_err(Failure::stopped)?;
        let piece = &branches[i].0;
        let Ok(solver) = solved(stacks, piece.extras, &piece.constraints)? else { continue };
        let inner = solver.inner_point(|number| 5 + (number as i64 * 7) % 11)?;
        let others = branches.iter().map(|(piece, _)| piece).enumerate();
        let mut inside = false;
        for (_, other) in others.filter(|&(j, other)| j != i && other.extras == 0) {
            if near(&inner, stacks, other)?
                && derivations(&solver, other, stacks, &[], 0)?.is_some()
            {
                inside = true;
                break;
            }
        }
        if inside {
            branches.remove(i);
        }
    }
    branches.sort_by(|(a, _), (b, _)| a.constraints.cmp(&b.constraints));
    Ok(branches)
}

/// Pieces by their inequalities in lowest terms: of two that are written in the same way one is
/// likely to lie in the other.
pub(crate) struct Likely {
    stacks: usize,
    index: HashMap<BTreeSet<Form>, usize>,
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

    fn key(&self, piece: &Piece) -> BTreeSet<Form> {
        let rows = inequalities(&piece.constraints).into_iter().map(|row| row.tightened());
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
    let last = stacks + piece.constraints.len();
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
    for constraint in &piece.constraints {
        let form = &constraint.form;
        // The further integers are scaled by the denominator.
        let Some(value) = point.value(&form.first(stacks)) else { return Ok(true) };
        let value = i64::try_from(value).map_err(|_| Overflow)?;
        let extras = form.coefficients().iter().skip(stacks).copied().collect();
        if solver.add(&constraint.on(Form::new(extras, value)), 0)? != Answer::Feasible {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What the further integers of the target may be in terms of the source's.
fn witnesses(stacks: usize, source: &Piece, target: &Piece) -> Result<Vec<Vec<Form>>, Overflow> {
    if target.extras == 0 {
        return Ok(vec![vec![]]);
    }
    // The source's variables are given; the target's further integers come after them.
    let given = stacks + source.extras;
    let mut constraints = target.moved(stacks, |s| s, given);
    let Some(known) = tidied(source.constraints.clone()) else { return Ok(Vec::new()) };
    // Equations of the source make unit coefficients.
    let mut values = Substitution::default();
    for constraint in known.iter().filter(|c| c.equation) {
        values.learn(&constraint.form, ..)?;
    }
    for constraint in &mut constraints {
        constraint.form = values.apply(&constraint.form)?;
    }
    let mut choices = Vec::new();
    if let Some(p) = project(constraints, given, stacks)? {
        for upper in [false, true] {
            if let Some(found) = super::witness::plain(&p.steps, given, target.extras, upper)? {
                choices.push(found);
            }
        }
    }
    // Integers of the source, under any names. Some of the target's may not be used.
    let used = |piece: &Piece| -> Vec<usize> {
        let is_used = |&v: &usize| piece.constraints.iter().any(|c| c.form.at(v) != 0);
        (stacks..stacks + piece.extras).filter(is_used).collect()
    };
    let needed = used(target);
    for order in arrangements(&used(source), needed.len()) {
        let mut found = vec![Form::default(); target.extras];
        needed.iter().zip(order).for_each(|(v, name)| found[v - stacks] = Form::variable(name));
        choices.push(found);
    }
    Ok(choices)
}

fn derivations(
    solver: &Solver,
    target: &Piece,
    stacks: usize,
    extras: &[Form],
    last: usize,
) -> Result<Option<Vec<cert::Farkas>>, Overflow> {
    let mut proofs = Vec::new();
    for constraint in &target.constraints {
        let own = constraint.on(constraint.form.settled(stacks, extras)?);
        for side in own.sides() {
            match solver.entails(&side, usize::MAX)? {
                Entailed::Yes(m) => proofs.push(farkas(&m, last)?),
                Entailed::No(_) => return Ok(None),
            }
        }
    }
    Ok(Some(proofs))
}
