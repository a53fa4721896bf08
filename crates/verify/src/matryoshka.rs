//! S given by cells: a union of sets spanned by 0/1 vectors. Normal-play SetNim only.
//!
//! Sets of stacks and 0/1 vectors are written as numbers: bit `s` is stack `s`. A *cell* is the set of all
//! sums of its *generators*, each taken any number of times.
//!
//! # The argument
//!
//! (II) A *part* is a game with a decision tree, which shows: for every position p there is a q <= p in one
//! of the cells such that p and q differ on stacks of one facet only. So p = q lies in a cell, or a move
//! leads from p into one. By induction on the tree, each of whose nodes is about positions with tokens
//! on the *live* stacks only:
//!
//! * subtract a vector from p as often as it goes: then one of its stacks is empty. Add to the q of
//!   what is left what was subtracted: p - q is the same;
//! * leave out a stack that can be emptied in any move: for each facet F some facet holds it and the live
//!   stacks of F. The move found for the rest empties it, too;
//! * distinguish cases: a stack is empty or not; a form is at least 0 or at most -1; some stack is the
//!   least. What holds in a case is a *row*, a linear form that is not negative, until p changes;
//! * no position is left: multiples of rows add up to a negative number;
//! * a move: q is a sum of vectors, taken so often as linear forms say; it lies below p, and differs from p
//!   on one facet. All these vectors and those subtracted on the path are sums of generators of a cell;
//! * go on as in an earlier part, whose stacks and cells have other names here.
//!
//! The last part is the game itself, and S the union of its cells.
//!
//! (I) Suppose that for a facet A and two cells there is a *weight* y of the stacks with y >= 1 on A,
//! y.g <= 0 for the generators g of the first cell and y.g >= 0 for those of the second. A move by
//! A from p in the first to q in the second would have y.p <= 0 <= y.q, but y.(p - q) > 0. Relabellings
//! that permute facets and cells carry this from a facet to its images.

mod cones;
mod formula;
#[cfg(test)]
mod tests;

use crate::flaw::{Budget, Rejection, flaw, require};
use crate::row::{Row, sum};
use nimatron_formula::Formula;
use nimatron_game::{Game, MAX_STACKS, Play, StackSet};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// A game solved by smaller games within it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatryoshkaProof {
    /// A formula in linear constraints that is claimed to hold in the cells and nowhere else, if there is
    /// one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// The decision trees, each of which may use earlier ones; the last one is about the game itself.
    pub parts: Vec<Part>,
    /// Relabellings, by stack its image, that keep the facets and the cells of the game.
    pub symmetries: Vec<Vec<u32>>,
    /// The weights of (I).
    pub weights: Vec<Weight>,
}

/// A game with a decision tree that leads into cells from every position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The number of stacks.
    pub stacks: u32,
    /// The facets.
    pub facets: Vec<u32>,
    /// What is assumed about the positions: each `form . p + constant >= 0`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<(Vec<i64>, i64)>,
    /// The cells, each by its generators.
    pub cells: Vec<Vec<u32>>,
    /// The tree, parents first, each node followed by the trees of its children.
    pub tree: Vec<Node>,
}

/// A node of a tree. Its rows: `p >= 0` for each stack, those that the part assumes, those of the path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Node {
    /// Subtract this vector as often as it goes. A child for each of its stacks: it is empty then.
    Subtract(u32),
    /// One child: without this stack, which can be emptied in any move.
    Empty(u32),
    /// Two children: this stack is empty; it is not.
    Zero(u32),
    /// Two children: the form is at least 0; it is at most -1.
    Split(Vec<i64>),
    /// A child for each stack of the set: it is at most as tall as each of the others.
    Least(u32),
    /// No position is left: multiples of rows, by their numbers, add up to a negative constant.
    None(Vec<(usize, i64)>),
    /// A move, or none if p = q.
    Move {
        /// The facet played on.
        facet: u32,
        /// The number of the cell that q lies in.
        cell: u32,
        /// The vectors that q is a sum of, besides those subtracted, each with a form that says how often.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        times: Vec<(u32, Vec<i64>)>,
    },
    /// Go on as in an earlier part.
    Part {
        /// The number of the part.
        part: u32,
        /// By stack of that part: its name here.
        names: Vec<u32>,
        /// By cell of that part: the cell here that it lies in.
        cells: Vec<u32>,
    },
}

impl Node {
    /// How many children it has.
    pub fn children(&self) -> usize {
        match self {
            Node::Subtract(set) | Node::Least(set) => set.count_ones() as usize,
            Node::Empty(_) => 1,
            Node::Zero(_) | Node::Split(_) => 2,
            Node::None(_) | Node::Move { .. } | Node::Part { .. } => 0,
        }
    }
}

/// A weight of the stacks that forbids moves by a facet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weight {
    /// The facet.
    pub facet: u32,
    /// By stack: the weight of a token.
    pub weight: Vec<i64>,
}

/// Checks every obligation; returns the set by its generators, and the formula as it was read.
pub(crate) fn check(
    game: &Game,
    proof: &MatryoshkaProof,
    budget: &mut Budget,
) -> Result<(String, Option<Formula>), Rejection> {
    let rule = game.single().filter(|rule| rule.is_set_nim() && game.convention() == Play::Normal);
    let rule = rule.ok_or_else(|| {
        flaw("rule", "cells describe SetNim games under normal play only, and no sums")
    })?;
    let mut used = vec![false; proof.parts.len()];
    for (number, part) in proof.parts.iter().enumerate() {
        let checked = well_formed(part, budget)
            .and_then(|()| Walk::new(part, &proof.parts[..number], &mut used).all(budget));
        checked.map_err(|flaw| flaw.within(format!("part {number}")))?;
    }
    let last = proof.parts.last().ok_or_else(|| flaw("game", "there is no part"))?;
    used.pop();
    if let Some(number) = used.iter().position(|used| !used) {
        return Err(flaw("part", format!("no later part uses part {number}")));
    }
    let facets: HashSet<u32> = last.facets.iter().copied().collect();
    let same = last.stacks as usize == rule.stacks()
        && facets.len() as u64 == rule.sets().len()
        && rule.sets().iter().all(|set| facets.contains(&set.bits()));
    require(same && last.rows.is_empty(), "game", || "the last part is another game".into())?;
    let orbits = symmetries(last, &proof.symmetries, budget)?;
    stability(last, proof, budget)?;
    let read = |text: &String| {
        budget.for_formula(|budget| formula::check(game, text, last, &orbits, budget))
    };
    let formula = proof.formula.as_ref().map(read).transpose()?;
    Ok((spans(last, &orbits), formula))
}

/// `well-formed`: numbers in range, nothing twice, every stack in a facet.
fn well_formed(part: &Part, budget: &mut Budget) -> Result<(), Rejection> {
    let n = part.stacks as usize;
    let fine = |fine, what: &str| {
        let message = || format!("{what} has a wrong length, an entry out of range or one twice");
        require(fine, "well-formed", message)
    };
    fine(n <= MAX_STACKS, "the number of stacks")?;
    let all = StackSet::first(n).bits();
    let fits = |set: &u32| *set != 0 && set & !all == 0;
    let mut seen = HashSet::new();
    fine(part.facets.iter().all(|facet| fits(facet) && seen.insert(facet)), "the list of facets")?;
    fine(part.facets.iter().fold(0, |all, facet| all | facet) == all, "the list of facets")?;
    fine(part.rows.iter().all(|(form, _)| form.len() == n), "a row")?;
    let mut seen = HashSet::new();
    for cell in &part.cells {
        budget.spend(cell.len() + 1)?;
        fine(cell.iter().all(fits) && cell.is_sorted_by(|a, b| a < b), "a cell")?;
        fine(seen.insert(cell), "the list of cells")?;
    }
    Ok(())
}

/// What is said about a child by its place among the children of a node.
#[derive(Clone, Copy)]
enum Case<'a> {
    Any,
    Without(u32),
    Positive(u32),
    AtLeast(&'a [i64]),
    Negative(&'a [i64]),
    Least(u32, u32),
}

/// A node that is still to be looked at.
struct Open<'a> {
    case: Case<'a>,
    live: u32,
    /// How many rows and vectors the path has, and the first row that still holds.
    rows: usize,
    from: usize,
    taken: usize,
}

/// The way through a tree.
struct Walk<'a> {
    part: &'a Part,
    earlier: &'a [Part],
    used: &'a mut [bool],
    /// The rows of the path and the vectors subtracted on it.
    rows: Vec<Row>,
    taken: Vec<u32>,
    /// By cell: whether a node names it.
    named: Vec<bool>,
}

impl<'a> Walk<'a> {
    fn new(part: &'a Part, earlier: &'a [Part], used: &'a mut [bool]) -> Self {
        let rows = part.rows.iter().map(|(form, constant)| Row::dense(form, *constant)).collect();
        let named = vec![false; part.cells.len()];
        Walk { part, earlier, used, rows, taken: Vec::new(), named }
    }

    fn all(mut self, budget: &mut Budget) -> Result<(), Rejection> {
        let live = StackSet::first(self.part.stacks as usize).bits();
        let mut open =
            vec![Open { case: Case::Any, live, rows: self.rows.len(), from: 0, taken: 0 }];
        budget.hold(size_of::<Open>() + self.rows.len() * self.row_bytes())?;
        for (number, node) in self.part.tree.iter().enumerate() {
            let mut here = open.pop().ok_or_else(|| flaw("tree", "nodes are left over"))?;
            budget.release(size_of::<Open>());
            budget.hold(size_of::<Open>() * node.children())?;
            self.enter(&mut here, budget)?;
            let done = self.node(node, here, &mut open, budget);
            done.map_err(|flaw| flaw.under("none").within(format!("node {number}")))?;
        }
        require(open.is_empty(), "tree", || "nodes are missing".into())?;
        let unnamed = self.named.iter().position(|named| !named);
        unnamed.map_or(Ok(()), |cell| Err(flaw("cells", format!("no node leads to cell {cell}"))))
    }

    /// How many bytes a row takes at most.
    fn row_bytes(&self) -> usize {
        size_of::<Row>() + 32 * self.part.stacks as usize
    }

    /// Goes back to where the node hangs, and adds what its case says.
    fn enter(&mut self, here: &mut Open, budget: &mut Budget) -> Result<(), Rejection> {
        budget.release((self.rows.len() - here.rows) * self.row_bytes());
        self.rows.truncate(here.rows);
        self.taken.truncate(here.taken);
        let unit = |stack: u32| Row::variable(stack as usize);
        match here.case {
            Case::Any => {}
            Case::Without(stack) => here.live &= !(1 << stack),
            Case::Positive(stack) => self.rows.push(Row { constant: -1, ..unit(stack) }),
            Case::AtLeast(form) => self.rows.push(Row::dense(form, 0)),
            Case::Negative(form) => self.rows.push(Row::dense(form, 0).negated()?),
            Case::Least(set, stack) => {
                for other in StackSet::from_bits(set & !(1 << stack)) {
                    self.rows.push(unit(other as u32).plus(-1, &unit(stack))?);
                }
            }
        }
        budget.hold((self.rows.len() - here.rows) * self.row_bytes())?;
        here.rows = self.rows.len();
        Ok(())
    }

    fn node(
        &mut self,
        node: &'a Node,
        here: Open<'a>,
        open: &mut Vec<Open<'a>>,
        budget: &mut Budget,
    ) -> Result<(), Rejection> {
        let Open { live, rows, from, taken, .. } = here;
        let n = self.part.stacks as usize;
        let is_live = |stack: u32| stack < 32 && live >> stack & 1 == 1;
        let below = |case| Open { case, live, rows, from, taken };
        let each = |set: u32| (0..32).rev().filter(move |stack| set >> stack & 1 == 1);
        match node {
            Node::Subtract(vector) => {
                let fits = *vector != 0 && vector & !live == 0;
                require(fits, "vector", || "a stack of the vector is not live".into())?;
                self.taken.push(*vector);
                let child =
                    |stack| Open { from: rows, taken: taken + 1, ..below(Case::Without(stack)) };
                open.extend(each(*vector).map(child));
            }
            Node::Empty(stack) => {
                let facets = &self.part.facets;
                budget.spend(facets.len() * facets.len())?;
                let with = |facet: &u32| facet & live | 1 << stack;
                let held = |set: u32| facets.iter().any(|other| set & !other == 0);
                let fine = is_live(*stack) && facets.iter().map(with).all(held);
                require(fine, "empty", || format!("not every move can empty stack {stack}"))?;
                open.push(Open { from: rows, ..below(Case::Without(*stack)) });
            }
            Node::Zero(stack) => {
                require(is_live(*stack), "zero", || format!("stack {stack} is not live"))?;
                open.extend([below(Case::Positive(*stack)), below(Case::Without(*stack))]);
            }
            Node::Split(form) => {
                require(form.len() == n, "split", || "the form has a wrong length".into())?;
                open.extend([below(Case::Negative(form)), below(Case::AtLeast(form))]);
            }
            Node::Least(set) => {
                let fits = *set != 0 && StackSet::from_bits(*set).is_subset(StackSet::first(n));
                require(fits, "least", || "there is no such set".into())?;
                open.extend(each(*set).map(|stack| below(Case::Least(*set, stack))));
            }
            Node::None(multiples) => {
                let stacks: Vec<Row> = (0..n).map(Row::variable).collect();
                let row = |i: usize| stacks.get(i).or_else(|| self.rows[from..].get(i - n));
                let absurd = sum(multiples, row, budget)?.is_absurd();
                require(absurd, "none", || "the rows do not exclude each other".into())?;
            }
            Node::Move { facet, cell, times } => {
                self.leads_to_cell(times.iter().map(|(g, _)| *g), *cell, budget)?;
                let within = |other: &u32| facet & !other == 0;
                let legal = *facet == 0 || self.part.facets.iter().any(within);
                let legal = legal && self.is_move(*facet, times, live, from, budget)?;
                require(legal, "move", || "it is no move of the game".into())?;
            }
            Node::Part { part, names, cells } => {
                self.go_on(*part, names, cells, live, from, budget)?
            }
        }
        Ok(())
    }

    /// The vectors, and those subtracted, are sums of generators of the cell.
    fn leads_to_cell(
        &mut self,
        vectors: impl Iterator<Item = u32>,
        cell: u32,
        budget: &mut Budget,
    ) -> Result<(), Rejection> {
        let missing = || flaw("cells", format!("there is no cell {cell}"));
        *self.named.get_mut(cell as usize).ok_or_else(missing)? = true;
        let generators = &self.part.cells[cell as usize];
        for vector in vectors.chain(self.taken.iter().copied()) {
            let mut trials = MAX_TRIALS;
            let sum = is_sum(vector, generators, &mut trials);
            budget.spend(MAX_TRIALS - trials)?;
            require(trials > 0, "limit", || "generators fit in too many ways".into())?;
            let name = StackSet::from_bits(vector);
            require(sum, "cells", || format!("{name} is no sum of generators of cell {cell}"))?;
        }
        Ok(())
    }

    /// Whether q, the sum of the vectors, is at most p, and differs from p on the facet only.
    fn is_move(
        &self,
        facet: u32,
        times: &[(u32, Vec<i64>)],
        live: u32,
        from: usize,
        budget: &mut Budget,
    ) -> Result<bool, Rejection> {
        let n = self.part.stacks as usize;
        let rows = &self.rows[from..];
        budget.spend((n + times.len()) * (1 + rows.len() + n + times.len()) * 2)?;
        let is_live = |stack: usize| live >> stack & 1 == 1;
        let holds = |form: &Row| form.is_evident() || rows.iter().any(|row| row.implies(form));
        let live_or_zero = |s: usize| if is_live(s) { Row::variable(s) } else { Row::constant(0) };
        let mut left: Vec<Row> = (0..n).map(live_or_zero).collect();
        for (vector, form) in times {
            let stacks = StackSet::from_bits(*vector);
            let form = Row::dense(form, 0);
            let on_live = form.terms.iter().all(|&(s, _)| s < n && is_live(s));
            if !on_live || !holds(&form) || !stacks.is_subset(StackSet::first(n)) {
                return Ok(false);
            }
            for stack in stacks {
                left[stack] = left[stack].clone().plus(-1, &form)?;
            }
        }
        let fine = |(stack, left): (usize, &Row)| match facet >> stack & 1 == 1 {
            true => holds(left),
            false => *left == Row::constant(0),
        };
        Ok(left.iter().enumerate().all(fine))
    }

    /// An earlier part, with other names, says what is to be done.
    fn go_on(
        &mut self,
        number: u32,
        names: &[u32],
        cells: &[u32],
        live: u32,
        from: usize,
        budget: &mut Budget,
    ) -> Result<(), Rejection> {
        let number = number as usize;
        let part = self.earlier.get(number).ok_or_else(|| flaw("part", "there is no such part"))?;
        self.used[number] = true;
        let n = self.part.stacks;
        let named = names.iter().filter(|&&name| name < n).fold(0u32, |all, name| all | 1 << name);
        let different = named.count_ones() as usize == names.len();
        let fits = different && names.len() == part.stacks as usize && live & !named == 0;
        require(fits, "part", || "the names do not fit".into())?;
        budget.spend(
            part.facets.len() * self.part.facets.len() + part.rows.len() * self.rows.len(),
        )?;
        let held = |facet: &u32| {
            let facet = image(names, *facet);
            self.part.facets.iter().any(|other| facet & !other == 0)
        };
        require(part.facets.iter().all(held), "part", || "a facet is no set of moves".into())?;
        let known = |(form, constant): &(Vec<i64>, i64)| {
            let mut renamed = vec![0; n as usize];
            names.iter().zip(form).for_each(|(&name, &c)| renamed[name as usize] = c);
            self.rows[from..].contains(&Row::dense(&renamed, *constant))
        };
        require(part.rows.iter().all(known), "part", || "what it assumes is not known".into())?;
        require(cells.len() == part.cells.len(), "part", || "not one cell for each".into())?;
        for (generators, &cell) in part.cells.iter().zip(cells) {
            self.leads_to_cell(generators.iter().map(|&g| image(names, g)), cell, budget)?;
        }
        Ok(())
    }
}

/// The most generators that are tried to make up one vector.
const MAX_TRIALS: usize = 1 << 16;

/// Whether a 0/1 vector is a sum of generators: it is then divided into disjoint ones. Nothing is found any
/// more when no trials are left.
fn is_sum(vector: u32, generators: &[u32], trials: &mut usize) -> bool {
    let lowest = vector & vector.wrapping_neg();
    let fits = |g: &&u32| **g & lowest != 0 && **g & !vector == 0;
    *trials = trials.saturating_sub(generators.len() + 1);
    let found = *trials > 0;
    let mut fitting = generators.iter().filter(fits);
    found && (vector == 0 || fitting.any(|g| is_sum(vector & !g, generators, trials)))
}

/// What relabellings make of the cells.
struct Orbits<'a> {
    /// The relabellings.
    names: &'a [Vec<u32>],
    /// By cell: its images under them.
    images: Vec<Vec<usize>>,
}

impl Orbits<'_> {
    /// Marks a cell and all those that it can become.
    fn mark(&self, cell: usize, marked: &mut [bool]) {
        let mut next = vec![cell];
        while let Some(cell) = next.pop() {
            if !std::mem::replace(&mut marked[cell], true) {
                next.extend(&self.images[cell]);
            }
        }
    }
}

/// `symmetry`: each relabelling permutes the facets and the cells.
fn symmetries<'a>(
    part: &Part,
    symmetries: &'a [Vec<u32>],
    budget: &mut Budget,
) -> Result<Orbits<'a>, Rejection> {
    let facets: HashSet<u32> = part.facets.iter().copied().collect();
    let numbers: std::collections::HashMap<&Vec<u32>, usize> =
        part.cells.iter().enumerate().map(|(number, cell)| (cell, number)).collect();
    let mut images = vec![Vec::new(); part.cells.len()];
    for (number, names) in symmetries.iter().enumerate() {
        let mut sorted = names.clone();
        sorted.sort_unstable();
        budget.spend(
            32 + facets.len() + part.cells.iter().map(|cell| 8 + 8 * cell.len()).sum::<usize>(),
        )?;
        // One to one, so that images within the same finite set are all of it.
        let permutes = sorted.into_iter().eq(0..part.stacks)
            && facets.iter().all(|&facet| facets.contains(&image(names, facet)));
        let message = || format!("relabelling {number} does not permute facets and cells");
        require(permutes, "symmetry", message)?;
        budget.hold(8 * part.cells.len())?;
        for (cell, images) in part.cells.iter().zip(&mut images) {
            let mut moved: Vec<u32> = cell.iter().map(|&g| image(names, g)).collect();
            moved.sort_unstable();
            images.push(*numbers.get(&moved).ok_or_else(|| flaw("symmetry", message()))?);
        }
    }
    Ok(Orbits { names: symmetries, images })
}

/// `weight` and `stability`: (I).
fn stability(part: &Part, proof: &MatryoshkaProof, budget: &mut Budget) -> Result<(), Rejection> {
    let facets: HashSet<u32> = part.facets.iter().copied().collect();
    for (number, Weight { facet, weight }) in proof.weights.iter().enumerate() {
        let positive = || StackSet::from_bits(*facet).iter().all(|s| weight[s] >= 1);
        let fine = weight.len() == part.stacks as usize && facets.contains(facet) && positive();
        require(fine, "weight", || format!("weight {number} is not at least 1 on a facet"))?;
    }
    let (mut done, mut tried) = (HashSet::new(), HashSet::new());
    let mut failed = None;
    // Facets with weights first: the others are their images.
    for &facet in proof.weights.iter().map(|weight| &weight.facet).chain(&part.facets) {
        if done.contains(&facet) || !tried.insert(facet) {
            continue;
        }
        let unserved = unserved(part, proof, facet, budget)?;
        if unserved.is_some() {
            failed = failed.or(unserved.map(|pair| (facet, pair)));
            continue;
        }
        let mut next = vec![facet];
        while let Some(facet) = next.pop() {
            budget.spend(1 + proof.symmetries.len())?;
            if done.insert(facet) {
                next.extend(proof.symmetries.iter().map(|names| image(names, facet)));
            }
        }
    }
    match failed.filter(|_| done.len() < facets.len()) {
        None => Ok(()),
        Some((facet, (from, to))) => {
            let facet = StackSet::from_bits(facet);
            let message =
                format!("nothing forbids a move by {facet} from cell {from} to cell {to}");
            Err(flaw("stability", message))
        }
    }
}

/// The first ordered pair of cells for which no weight of the facet will do.
fn unserved(
    part: &Part,
    proof: &MatryoshkaProof,
    facet: u32,
    budget: &mut Budget,
) -> Result<Option<(usize, usize)>, Rejection> {
    let (cells, words) = (&part.cells, part.cells.len().div_ceil(64));
    let numbers: usize = cells.iter().map(|cell| 1 + cell.len()).sum();
    let has = |set: &[u64], number: usize| set[number / 64] >> (number % 64) & 1 == 1;
    // For each weight the cells that may come first, and those that may come second.
    let mut sides: Vec<[Vec<u64>; 2]> = Vec::new();
    for weight in proof.weights.iter().filter(|weight| weight.facet == facet) {
        budget.spend(8 * numbers)?;
        budget.hold(16 * words + 64)?;
        // At most 32 terms of 64 bits each: no sum leaves the range.
        let value = |g: &u32| -> i128 {
            StackSet::from_bits(*g).iter().map(|s| i128::from(weight.weight[s])).sum()
        };
        let mut side = [vec![0u64; words], vec![0u64; words]];
        for (number, cell) in cells.iter().enumerate() {
            let fits = [cell.iter().all(|g| value(g) <= 0), cell.iter().all(|g| value(g) >= 0)];
            for (side, fits) in side.iter_mut().zip(fits) {
                side[number / 64] |= u64::from(fits) << (number % 64);
            }
        }
        sides.push(side);
    }
    for from in 0..cells.len() {
        let mut served = vec![0u64; words];
        budget.spend(sides.len() + words + cells.len() / 8)?;
        for [_, second] in sides.iter().filter(|[first, _]| has(first, from)) {
            budget.spend(words)?;
            served.iter_mut().zip(second).for_each(|(word, more)| *word |= more);
        }
        if let Some(to) = (0..cells.len()).find(|&to| !has(&served, to)) {
            return Ok(Some((from, to)));
        }
    }
    sides.iter().for_each(|_| budget.release(16 * words + 64));
    Ok(None)
}

fn image(names: &[u32], set: u32) -> u32 {
    StackSet::from_bits(set).iter().fold(0, |moved, stack| moved | 1 << names[stack])
}

/// Checks that a formula in linear constraints holds in the cells of a proof and nowhere else: the
/// obligation `formula`. This is worth as much as the proof, which is not checked here. Returns the formula
/// as it was read.
pub fn describes(
    game: &Game,
    proof: &MatryoshkaProof,
    formula: &str,
) -> Result<Formula, Rejection> {
    let mut budget = Budget::default();
    let last = proof.parts.last().ok_or_else(|| flaw("game", "there is no part"))?;
    let fits = last.stacks as usize == game.stacks();
    require(fits, "game", || "the last part is another game".into())?;
    well_formed(last, &mut budget)?;
    let orbits = symmetries(last, &proof.symmetries, &mut budget)?;
    budget.for_formula(|budget| formula::check(game, formula, last, &orbits, budget))
}

/// The P-positions that a proof claims, by their generators; `None` if its symmetries are none.
pub fn claimed(proof: &MatryoshkaProof) -> Option<String> {
    let (last, mut budget) = (proof.parts.last()?, Budget::default());
    well_formed(last, &mut budget).ok()?;
    Some(spans(last, &symmetries(last, &proof.symmetries, &mut budget).ok()?))
}

/// The set as a formula. P-positions are the same under all symmetries of the game, so one cell of each
/// class under those listed is enough.
fn spans(part: &Part, orbits: &Orbits) -> String {
    let (mut seen, mut spans) = (vec![false; part.cells.len()], Vec::new());
    let mut images = orbits.images.iter().enumerate();
    let symmetric = images.any(|(cell, images)| images.iter().any(|&i| i != cell));
    for (number, cell) in part.cells.iter().enumerate() {
        if seen[number] {
            continue;
        }
        let names: Vec<String> = cell.iter().map(|&g| StackSet::from_bits(g).to_string()).collect();
        spans.push(match names.is_empty() {
            true => "total = 0".to_string(),
            false => format!("span({})", names.join(", ")),
        });
        orbits.mark(number, &mut seen);
    }
    let union = spans.join(" or ");
    if symmetric { format!("sym({union})") } else { union }
}
