//! Moves into the cells from all positions without empty stacks.

use super::cells::{Cell, Cells};
use super::older::{Forced, Region};
use super::rays::{Answer, Row, solve};
use super::rule::{left, rule};
use nimatron_game::symmetry::{Relabelling, Symmetry};
use nimatron_game::{SetFamily, StackSet, Stop, Watch};
use nimatron_linear::Overflow;
use nimatron_verify::matryoshka::Node;

/// The most nodes of a tree.
const MAX_NODES: usize = 100_000;

/// Groups up to this order are searched for the symmetry that brings a least stack to its place.
const LISTED: usize = 5000;

/// Why no cover was found.
pub(super) enum NoCover {
    /// From some region no move was found, or the regions became too many.
    Uncovered,
    /// The numbers became too large.
    Overflow,
    /// A limit was reached.
    Stopped(Stop),
}

impl From<Stop> for NoCover {
    fn from(stop: Stop) -> Self {
        NoCover::Stopped(stop)
    }
}

impl From<Overflow> for NoCover {
    fn from(_: Overflow) -> Self {
        NoCover::Overflow
    }
}

/// A move from every position without empty stacks.
#[derive(Clone, Debug)]
pub(super) struct Covered {
    stacks: usize,
    /// The stack that is the least of its orbit in the tree, and the symmetries.
    least: Option<usize>,
    symmetries: Vec<Relabelling>,
    tree: Tree,
}

#[derive(Clone, Debug)]
enum Tree {
    /// At least 0; at most -1.
    Split(Vec<i64>, Box<(Tree, Tree)>),
    Empty(Vec<(usize, i64)>),
    Play {
        facet: u32,
        cell: usize,
        times: Vec<Vec<i64>>,
    },
}

/// Divides the positions without empty stacks into regions with a move into a cell each.
///
/// The regions come from sample positions: a move that can be made at the sample, written as a form in
/// the heights, can be made wherever a few forms are not negative. What is left is divided by these
/// forms, and covered in the same way.
pub(super) fn cover(
    sets: &SetFamily,
    symmetry: &Symmetry,
    cells: &Cells,
    watch: &dyn Watch,
) -> Result<Covered, NoCover> {
    let n = sets.stacks();
    let symmetries = symmetry.elements_up_to(LISTED);
    let orbit = symmetry.orbits().into_iter().max_by_key(|orbit| orbit.len());
    let orbit = orbit.filter(|_| symmetries.is_some()).unwrap_or(StackSet::EMPTY);
    let least = orbit.lowest().filter(|_| orbit.len() > 1);
    let unit = |stack: usize| (0..n).map(|s| i64::from(s == stack)).collect::<Vec<i64>>();
    let mut rows: Vec<Row> = (0..n).map(|s| Row { form: unit(s), constant: -1 }).collect();
    if let Some(least) = least {
        for stack in orbit.without(least) {
            let mut form = unit(stack);
            form[least] = -1;
            rows.push(Row { form, constant: 0 });
        }
    }
    let facets: Vec<u32> = sets.iter().map(StackSet::bits).collect();
    let mut search = Search { facets, cells, watch, nodes: 0 };
    let tree = search.tree(rows)?;
    Ok(Covered { stacks: n, least, symmetries: symmetries.unwrap_or_default(), tree })
}

struct Search<'a> {
    facets: Vec<u32>,
    cells: &'a Cells,
    watch: &'a dyn Watch,
    nodes: usize,
}

impl Search<'_> {
    fn tree(&mut self, mut rows: Vec<Row>) -> Result<Tree, NoCover> {
        self.nodes += 1;
        self.watch.check((self.nodes * 1000) as u64)?;
        if self.nodes > MAX_NODES {
            return Err(NoCover::Uncovered);
        }
        let n = self.cells.stacks();
        let vertex = match solve(n, &rows)? {
            Answer::Contradiction(multiples) => return Ok(Tree::Empty(multiples)),
            Answer::Ray(vertex) => vertex,
        };
        let sample = inner_point(n, &rows)?.unwrap_or(vertex);
        let (facet, cell, times) = self.play(&rows, &sample).ok_or(NoCover::Uncovered)?;
        let mut splits = Vec::new();
        for form in needed(n, facet, self.cells.cell(cell), &times) {
            if holds(&rows, &form) {
                continue;
            }
            let negative = form.iter().map(|c| -c).collect();
            let mut outside = rows.clone();
            outside.push(Row { form: negative, constant: -1 });
            splits.push((form.clone(), self.tree(outside)?));
            rows.push(Row { form, constant: 0 });
        }
        let play = Tree::Play { facet, cell, times };
        Ok(splits
            .into_iter()
            .rev()
            .fold(play, |inside, (form, outside)| Tree::Split(form, Box::new((inside, outside)))))
    }

    /// A move from the sample whose region needs few further constraints.
    fn play(&self, rows: &[Row], sample: &[i64]) -> Option<(u32, usize, Vec<Vec<i64>>)> {
        let mut best: Option<(usize, u32, usize, Vec<Vec<i64>>)> = None;
        for &facet in &self.facets {
            for cell in 0..self.cells.len() {
                let Some(times) = rule(facet, self.cells.cell(cell), sample) else { continue };
                let open = needed(sample.len(), facet, self.cells.cell(cell), &times);
                let open = open.iter().filter(|form| !holds(rows, form)).count();
                if best.as_ref().is_none_or(|best| open < best.0) {
                    best = Some((open, facet, cell, times));
                }
            }
        }
        best.map(|(_, facet, cell, times)| (facet, cell, times))
    }
}

/// The forms that must not be negative for a move to be one.
fn needed(n: usize, facet: u32, cell: &[u32], times: &[Vec<i64>]) -> Vec<Vec<i64>> {
    let on_facet = StackSet::from_bits(facet).iter().map(|stack| left(n, stack, cell, times));
    times.iter().cloned().chain(on_facet).collect()
}

/// Whether a form is evidently not negative.
fn holds(rows: &[Row], form: &[i64]) -> bool {
    form.iter().all(|&c| c >= 0) || rows.iter().any(|row| row.form == form)
}

/// A solution at some distance from all walls, if there is one. Rows only say that forms are at least
/// some number that is not negative, so multiples of solutions are solutions.
fn inner_point(variables: usize, rows: &[Row]) -> Result<Option<Vec<i64>>, Overflow> {
    let distance = |number: usize| 1 + (number as i64 * 7 + 3) % 5;
    let moved = rows.iter().enumerate().map(|(number, row)| Row {
        form: row.form.clone(),
        constant: row.constant - distance(number),
    });
    Ok(match solve(variables, &moved.collect::<Vec<_>>())? {
        Answer::Ray(point) => Some(point),
        Answer::Contradiction(_) => None,
    })
}

impl Covered {
    /// The stack that is the least of its orbit in the tree, and all symmetries.
    pub(super) fn least(&self) -> Option<(usize, &[Relabelling])> {
        Some((self.least?, &self.symmetries))
    }

    /// The tree for the checker, where `p >= 0` for each stack comes before all other rows.
    pub(super) fn tree(&self, cells: &[Cell]) -> Option<Vec<Node>> {
        let mut list = Vec::new();
        let mut open = vec![&self.tree];
        while let Some(tree) = open.pop() {
            list.push(match tree {
                Tree::Split(form, sides) => {
                    open.extend([&sides.1, &sides.0]);
                    Node::Split(form.clone())
                }
                Tree::Empty(multiples) => {
                    let shifted = |&(row, multiple)| (row + self.stacks, multiple);
                    Node::None(multiples.iter().map(shifted).collect())
                }
                Tree::Play { facet, cell, times } => {
                    let generators = cells.get(*cell)?.iter().copied().zip(times.iter().cloned());
                    let taken = |(_, form): &(u32, Vec<i64>)| form.iter().any(|&c| c != 0);
                    let times = generators.filter(taken).collect();
                    Node::Move { facet: *facet, cell: *cell as u32, times }
                }
            });
        }
        Some(list)
    }

    /// The cover that a certificate of version 1 holds; `None` if it cannot be used.
    pub(super) fn recalled(symmetry: &Symmetry, forced: &Forced) -> Option<Self> {
        let stacks = StackSet::from_bits(forced.stacks).len();
        let least = forced.least.map(usize::try_from).transpose().ok()?;
        let all = forced.stacks == StackSet::first(stacks).bits() && stacks == symmetry.stacks();
        if !all || least.is_some_and(|s| s >= stacks) {
            return None;
        }
        let symmetries = match least {
            Some(_) => symmetry.elements_up_to(LISTED)?,
            None => Vec::new(),
        };
        let mut regions = forced.tree.iter();
        let tree = read(&mut regions, 0)?;
        regions.next().is_none().then_some(Covered { stacks, least, symmetries, tree })
    }
}

/// Trees are not nested deeper than this when they are read.
const MAX_DEPTH: usize = 2000;

fn read<'a>(regions: &mut impl Iterator<Item = &'a Region>, depth: usize) -> Option<Tree> {
    if depth > MAX_DEPTH {
        return None;
    }
    Some(match regions.next()? {
        Region::Split(form) => {
            let sides = (read(regions, depth + 1)?, read(regions, depth + 1)?);
            Tree::Split(form.clone(), Box::new(sides))
        }
        Region::Empty(multiples) => Tree::Empty(multiples.clone()),
        Region::Play { facet, cell, times } => {
            Tree::Play { facet: *facet, cell: *cell, times: times.clone() }
        }
    })
}
