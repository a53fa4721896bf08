//! Which constraints a vector of a certificate speaks of, by the prover's own reading.

use super::super::problem::Problem;
use super::super::{cert, domain};
use cert::{Closed, Node, RegionsProof, Source};
use nimatron_game::StackSet;
use nimatron_linear::{Constraint, Form, inequalities};
use nimatron_meaning::Clause;

/// The constraints at a node of a tree, and the alternatives that are left.
#[derive(Clone)]
struct Cell<'a> {
    constraints: Vec<Constraint>,
    variables: usize,
    open: Vec<&'a [Clause]>,
}

impl<'a> Cell<'a> {
    fn new(problem: &Problem, extras: usize, constraints: Vec<Constraint>) -> Self {
        let heights = (0..problem.stacks).map(Form::variable).map(Constraint::at_least_zero);
        let constraints = heights.chain(constraints).collect();
        Cell { constraints, variables: problem.stacks + extras, open: Vec::new() }
    }

    fn assume(&mut self, clause: &'a Clause) {
        match clause {
            Clause::Constraint(constraint) => self.constraints.push(constraint.clone()),
            Clause::All(parts) => parts.iter().for_each(|part| self.assume(part)),
            Clause::Any(parts) => self.open.push(parts),
        }
    }

    fn children(mut self, node: &Node) -> Option<Vec<Cell<'a>>> {
        Some(match node {
            Node::Split(form) => {
                let row = row(form)?;
                let mut other = self.clone();
                other.constraints.push(Constraint::at_least_zero(row.complement()));
                self.constraints.push(Constraint::at_least_zero(row));
                vec![self, other]
            }
            Node::Residue(form, modulus) => {
                let t = self.variables;
                self.variables += 1;
                let whole = row(form)?.combine(1, &Form::variable(t), -modulus).ok()?;
                let class = |rest: i64| {
                    let mut cell = self.clone();
                    cell.constraints.push(Constraint::zero(whole.clone().plus(-rest).unwrap()));
                    cell
                };
                (0..*modulus).map(class).collect()
            }
            Node::Cases(place) => {
                let parts = self.open.remove(*place);
                let alternative = |part: &'a Clause| {
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

fn row(form: &cert::Form) -> Option<Form> {
    let mut terms = form.1.iter();
    terms.try_fold(Form::number(form.0), |row, &(v, c)| row.combine(1, &Form::variable(v), c).ok())
}

fn rows(forms: &[cert::Form]) -> Option<Vec<Form>> {
    forms.iter().map(row).collect()
}

fn branch_constraints(branch: &cert::Branch) -> Option<Vec<Constraint>> {
    let one = |c: &cert::Constraint| Some(Constraint { form: row(&c.form)?, equation: c.equation });
    branch.constraints.iter().map(one).collect()
}

/// The constraints that the numbers of the vector at this place of a proof stand for; the last is the
/// negation of what is derived, if something is.
pub(super) fn system(
    problem: &Problem,
    proof: &RegionsProof,
    place: &[String],
) -> Option<Vec<Constraint>> {
    let mut system = constraints(problem, proof, place)?;
    if let Some(claims) = claims(problem, proof, place) {
        let claim = inequalities(&claims?).get(place.last()?.parse::<usize>().ok()?)?.clone();
        system.push(Constraint::at_least_zero(claim.complement()));
    }
    Some(system)
}

/// What the vectors of this list derive; `None` if they derive nothing, and `Some(None)` if numbers
/// are too large.
fn claims(
    problem: &Problem,
    proof: &RegionsProof,
    place: &[String],
) -> Option<Option<Vec<Constraint>>> {
    let keys: Vec<&str> = place.iter().map(|key| &key[..]).collect();
    let number = |at: usize| place[at].parse::<usize>().unwrap();
    let heights = || (0..problem.stacks).map(Form::variable).collect::<Vec<Form>>();
    let image = |g: usize| {
        let mut values = heights();
        proof.symmetries[g]
            .image
            .iter()
            .enumerate()
            .for_each(|(s, &to)| values[to] = Form::variable(s));
        values
    };
    let way = |choices: &[usize]| problem.statement.along(choices);
    let with = |claims: Option<Vec<Constraint>>, values: Vec<Form>, extras: Option<Vec<Form>>| {
        let values = [values, extras?].concat();
        claims?.iter().map(|c| Some(c.on(c.form.settled(0, &values).ok()?))).collect()
    };
    let node = |node: &Node| match node {
        Node::Branch { branch, extras, .. } => {
            Some(with(branch_constraints(&proof.branches[*branch]), heights(), rows(extras)))
        }
        Node::Rule { rule, symmetry, bind, .. } => {
            let image = symmetry.map(|g| proof.symmetries[g].image.clone());
            let image = image.unwrap_or_else(|| (0..problem.stacks).collect());
            let [values, bind] =
                [&image, bind].map(|list| list.iter().map(|&v| Form::variable(v)).collect());
            Some(with(branch_constraints(&proof.rules[*rule].region), values, Some(bind)))
        }
        _ => None,
    };
    match keys[..] {
        ["rules", _, "proofs", _] => {
            let rule = &proof.rules[number(1)];
            let play = problem.plays.iter().find(|play| Some(play.stacks.bits()) == rule.play)?;
            let stay = rule.target.is_some() && play.may_stay();
            let claims = play.constraints(|s| problem.stacks + play.place(s), stay).ok();
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
            Some(with(branch_constraints(&proof.branches[*into]), image(*symmetry), rows(extras)))
        }
        ["expansion", ..] => node(&proof.expansion[number(1)]),
        ["coverage", ..] => node(&proof.coverage[number(1)]),
        ["playable", ..] => node(&proof.playable[number(1)][number(2)]),
        _ => None,
    }
}

/// The constraints from which something follows at this place.
fn constraints(
    problem: &Problem,
    proof: &RegionsProof,
    path: &[String],
) -> Option<Vec<Constraint>> {
    let number = |at: usize| path.get(at)?.parse::<usize>().ok();
    let branch = |b: &cert::Branch| Some(Cell::new(problem, b.extras, branch_constraints(b)?));
    let (root, nodes, at) = match path[0].as_str() {
        "rules" => return Some(branch(&proof.rules[number(1)?].region)?.constraints),
        "symmetries" => return Some(branch(&proof.branches[number(4)?])?.constraints),
        "separation" => {
            let (from, source) = &proof.separation[number(1)?];
            let from = &proof.branches[*from];
            let Source::Trees(trees) = source else { return Some(branch(from)?.constraints) };
            let tree = number(4)?;
            let play = &problem.plays[tree / proof.branches.len()];
            let to = &proof.branches[tree % proof.branches.len()];
            let first = problem.stacks + from.extras;
            let mut cell = branch(from)?;
            cell.constraints.extend(play.constraints(|s| first + play.place(s), false).ok()?);
            let after = first + play.stacks.len();
            let place = |s: usize| if play.stacks.contains(s) { first + play.place(s) } else { s };
            let values = (0..problem.stacks).map(place).chain(after..after + to.extras);
            let values: Vec<Form> = values.map(Form::variable).collect();
            for c in branch_constraints(to)? {
                cell.constraints.push(c.on(c.form.settled(0, &values).ok()?));
            }
            cell.variables = after + to.extras;
            (cell, &trees[tree], number(5)?)
        }
        "playable" => {
            let at = number(1)?;
            (branch(&proof.branches[at])?, &proof.playable[at], number(2)?)
        }
        "expansion" => {
            let mut cell = Cell::new(problem, problem.statement.integers, Vec::new());
            cell.assume(&problem.statement.clause);
            (cell, &proof.expansion, number(1)?)
        }
        "coverage" => {
            let rows = domain(problem).1.into_iter().map(Constraint::at_least_zero).collect();
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
        cell.constraints.extend(play.constraints(|s| first + play.place(s), false).ok()?);
    }
    Some(cell.constraints)
}
