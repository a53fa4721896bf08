//! Which constraints a vector of a certificate speaks of, by the prover's own reading.

use super::super::problem::{Problem, inequalities};
use super::super::row::{Limit, Row};
use super::super::statement::Statement;
use super::super::{cert, domain};
use cert::{Closed, Node, RegionsProof, Source};
use nimatron_game::StackSet;

/// The constraints at a node of a tree, and the alternatives that are left.
#[derive(Clone)]
struct Cell<'a> {
    limits: Vec<Limit>,
    variables: usize,
    open: Vec<&'a [Statement]>,
}

impl<'a> Cell<'a> {
    fn new(problem: &Problem, extras: usize, limits: Vec<Limit>) -> Self {
        let heights = (0..problem.stacks).map(|s| (Row::variable(s), false));
        let limits = heights.chain(limits).collect();
        Cell { limits, variables: problem.stacks + extras, open: Vec::new() }
    }

    fn assume(&mut self, statement: &'a Statement) {
        match statement {
            Statement::Limit(limit) => self.limits.push(limit.clone()),
            Statement::All(parts) => parts.iter().for_each(|part| self.assume(part)),
            Statement::Any(parts) => self.open.push(parts),
        }
    }

    fn children(mut self, node: &Node) -> Option<Vec<Cell<'a>>> {
        Some(match node {
            Node::Split(form) => {
                let row = row(form)?;
                let mut other = self.clone();
                other.limits.push((row.complement(), false));
                self.limits.push((row, false));
                vec![self, other]
            }
            Node::Residue(form, modulus) => {
                let t = self.variables;
                self.variables += 1;
                let whole = row(form)?.combine(1, &Row::variable(t), -modulus).ok()?;
                let class = |rest: i64| {
                    let mut cell = self.clone();
                    let mut row = whole.clone();
                    row.k -= rest;
                    cell.limits.push((row, true));
                    cell
                };
                (0..*modulus).map(class).collect()
            }
            Node::Cases(place) => {
                let parts = self.open.remove(*place);
                let alternative = |part: &'a Statement| {
                    let mut cell = self.clone();
                    cell.assume(part);
                    cell
                };
                parts.iter().map(alternative).collect()
            }
            _ => Vec::new(),
        })
    }
}

fn row(form: &cert::Form) -> Option<Row> {
    let mut terms = form.1.iter();
    terms.try_fold(Row::constant(form.0), |row, &(v, c)| row.combine(1, &Row::variable(v), c).ok())
}

fn rows(forms: &[cert::Form]) -> Option<Vec<Row>> {
    forms.iter().map(row).collect()
}

fn limits(branch: &cert::Branch) -> Option<Vec<Limit>> {
    branch.constraints.iter().map(|c| Some((row(&c.form)?, c.equation))).collect()
}

/// The constraints that the numbers of the vector at this place of a proof stand for; the last is the
/// negation of what is derived, if something is.
pub(super) fn system(
    problem: &Problem,
    proof: &RegionsProof,
    place: &[String],
) -> Option<Vec<Limit>> {
    let mut system = constraints(problem, proof, place)?;
    if let Some(claims) = claims(problem, proof, place) {
        let claim = inequalities(&claims?).get(place.last()?.parse::<usize>().ok()?)?.clone();
        system.push((claim.complement(), false));
    }
    Some(system)
}

/// What the vectors of this list derive; `None` if they derive nothing, and `Some(None)` if numbers
/// are too large.
fn claims(problem: &Problem, proof: &RegionsProof, place: &[String]) -> Option<Option<Vec<Limit>>> {
    let keys: Vec<&str> = place.iter().map(|key| &key[..]).collect();
    let number = |at: usize| place[at].parse::<usize>().unwrap();
    let heights = || (0..problem.stacks).map(Row::variable).collect::<Vec<Row>>();
    let image = |g: usize| {
        let mut values = heights();
        proof.symmetries[g]
            .image
            .iter()
            .enumerate()
            .for_each(|(s, &to)| values[to] = Row::variable(s));
        values
    };
    let way = |choices: &[usize]| {
        let way = problem.ways.iter().find(|way| way.choices == choices);
        way.map(|way| way.piece.limits.clone())
    };
    let with = |claims: Option<Vec<Limit>>, values: Vec<Row>, extras: Option<Vec<Row>>| {
        let values = [values, extras?].concat();
        claims?.iter().map(|(row, e)| Some((row.substitute(&values).ok()?, *e))).collect()
    };
    let node = |node: &Node| match node {
        Node::Branch { branch, extras, .. } => {
            Some(with(limits(&proof.branches[*branch]), heights(), rows(extras)))
        }
        Node::Rule { rule, symmetry, bind, .. } => {
            let image = symmetry.map(|g| proof.symmetries[g].image.clone());
            let image = image.unwrap_or_else(|| (0..problem.stacks).collect());
            let [values, bind] =
                [&image, bind].map(|list| list.iter().map(|&v| Row::variable(v)).collect());
            Some(with(limits(&proof.rules[*rule].region), values, Some(bind)))
        }
        _ => None,
    };
    match keys[..] {
        ["rules", _, "proofs", _] => {
            let rule = &proof.rules[number(1)];
            let play = problem.plays.iter().find(|play| Some(play.stacks.bits()) == rule.play)?;
            let stay = rule.target.is_some() && play.may_stay();
            let claims = play.limits(|s| problem.stacks + play.place(s), stay).ok();
            Some(with(claims, heights(), rows(&rule.heights)))
        }
        ["rules", _, "target", "proofs", _] => {
            let rule = &proof.rules[number(1)];
            let target = rule.target.as_ref()?;
            let mut values = heights();
            let played = StackSet::from_bits(rule.play.unwrap_or(0));
            for (stack, form) in played.iter().zip(&rule.heights) {
                values[stack] = row(form)?;
            }
            Some(with(way(&target.choices), values, rows(&target.extras)))
        }
        ["symmetries", _, "closed", "images", _, "proofs", _] => {
            let Closed::Images(members) = &proof.symmetries[number(1)].closed else { return None };
            let member = &members[number(4)];
            Some(with(way(&member.choices), image(number(1)), rows(&member.extras)))
        }
        ["separation", _, _, "image", "proofs", _] => {
            let Source::Image { symmetry, into, extras, .. } = &proof.separation[number(1)].1
            else {
                return None;
            };
            Some(with(limits(&proof.branches[*into]), image(*symmetry), rows(extras)))
        }
        ["expansion", ..] => node(&proof.expansion[number(1)]),
        ["coverage", ..] => node(&proof.coverage[number(1)]),
        ["playable", ..] => node(&proof.playable[number(1)][number(2)]),
        _ => None,
    }
}

/// The constraints from which something follows at this place.
fn constraints(problem: &Problem, proof: &RegionsProof, path: &[String]) -> Option<Vec<Limit>> {
    let number = |at: usize| path.get(at)?.parse::<usize>().ok();
    let branch = |b: &cert::Branch| Some(Cell::new(problem, b.extras, limits(b)?));
    let (root, nodes, at) = match path[0].as_str() {
        "rules" => return Some(branch(&proof.rules[number(1)?].region)?.limits),
        "symmetries" => return Some(branch(&proof.branches[number(4)?])?.limits),
        "separation" => {
            let (from, source) = &proof.separation[number(1)?];
            let from = &proof.branches[*from];
            let Source::Trees(trees) = source else { return Some(branch(from)?.limits) };
            let tree = number(4)?;
            let play = &problem.plays[tree / proof.branches.len()];
            let to = &proof.branches[tree % proof.branches.len()];
            let first = problem.stacks + from.extras;
            let mut cell = branch(from)?;
            cell.limits.extend(play.limits(|s| first + play.place(s), false).ok()?);
            let after = first + play.stacks.len();
            let place = |s: usize| if play.stacks.contains(s) { first + play.place(s) } else { s };
            let values = (0..problem.stacks).map(place).chain(after..after + to.extras);
            let values: Vec<Row> = values.map(Row::variable).collect();
            for (row, equation) in limits(to)? {
                cell.limits.push((row.substitute(&values).ok()?, equation));
            }
            cell.variables = after + to.extras;
            (cell, &trees[tree], number(5)?)
        }
        "playable" => {
            let at = number(1)?;
            (branch(&proof.branches[at])?, &proof.playable[at], number(2)?)
        }
        "expansion" => {
            let mut cell = Cell::new(problem, problem.extras, Vec::new());
            cell.assume(&problem.statement);
            (cell, &proof.expansion, number(1)?)
        }
        "coverage" => {
            let rows = domain(problem).1.into_iter().map(|row| (row, false)).collect();
            (Cell::new(problem, 0, rows), &proof.coverage, number(1)?)
        }
        _ => return None,
    };
    let mut open = vec![root];
    for node in &nodes[..at] {
        let children = open.pop()?.children(node)?;
        open.extend(children.into_iter().rev());
    }
    let mut cell = open.pop()?;
    if path.contains(&"terminal".to_string()) {
        let play = &problem.plays[path.last()?.parse::<usize>().ok()?];
        let first = cell.variables;
        cell.limits.extend(play.limits(|s| first + play.place(s), false).ok()?);
    }
    Some(cell.limits)
}
