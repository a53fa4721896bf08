//! The checker; the module above says what it checks.

use super::plays::{Play, plays};
use super::statement::{Statement, read};
use super::{Branch, Closed, Domain, Form, Member, Node, RegionsProof, Rule, Source};
use crate::flaw::{Budget, Rejection, flaw, require};
use crate::row::{Row, System, as_many};
use nimatron_formula::{Context, Formula};
use nimatron_game::{Game, Play as Convention, StackSet};
use std::collections::BTreeSet;

/// Names the obligation and the place where a step fails.
fn at(obligation: &'static str, number: usize) -> impl Fn(Rejection) -> Rejection {
    move |flaw| flaw.under(obligation).within(format!("number {number} of the list"))
}

/// The most constraints that the path to a node of a tree adds, those of the root apart.
const MAX_DEPTH: usize = 1_000;

/// A reference that leads nowhere.
fn nowhere() -> Rejection {
    flaw("", "a reference leads nowhere")
}

/// Checks that the formula describes exactly the P-positions of the game; returns it as it was read.
pub(crate) fn check(
    game: &Game,
    proof: &RegionsProof,
    budget: &mut Budget,
) -> Result<Formula, Rejection> {
    let formula = Formula::parse(&proof.formula, &Context::of_game(game));
    let formula = formula.map_err(|error| flaw("formula", error.to_string()))?;
    let read = budget.for_formula(|budget| read(&formula, game, budget));
    let (set, extras) = read.map_err(at("formula", 0))?;
    let plays = plays(game, budget).map_err(at("plays", 0))?;
    let misere = game.convention() == Convention::Misere;
    let stacks = game.stacks();
    let systems = |name, list: &mut dyn Iterator<Item = &Branch>, budget: &mut Budget| {
        let each = list.enumerate();
        let each = each.map(|(i, branch)| system(stacks, branch, budget).map_err(at(name, i)));
        each.collect::<Result<Vec<System>, _>>()
    };
    let branches = systems("branches", &mut proof.branches.iter(), budget)?;
    let regions = systems("rule", &mut proof.rules.iter().map(|rule| &rule.region), budget)?;
    let checker = Checker { stacks, plays, misere, set, extras, branches, regions, proof };
    let root = Cell::new(System::new(stacks, extras)).with(&checker.set);
    checker
        .tree(&proof.expansion, root, Goal::Branch, budget)
        .map_err(|flaw| flaw.under("branches"))?;
    for number in 0..proof.symmetries.len() {
        checker.symmetry(number, budget).map_err(at("symmetry", number))?;
    }
    checker.separation(budget)?;
    if misere {
        checker.playable(budget)?;
    }
    for (number, rule) in proof.rules.iter().enumerate() {
        checker.rule(number, rule, budget).map_err(at("rule", number))?;
    }
    let domain = Cell::new(checker.domain(&proof.domain).map_err(at("domain", 0))?);
    let covered = checker.tree(&proof.coverage, domain, Goal::Move, budget);
    covered.map_err(|flaw| flaw.under("coverage"))?;
    Ok(formula)
}

/// The positions of a branch.
fn system(stacks: usize, branch: &Branch, budget: &mut Budget) -> Result<System, Rejection> {
    let mut system = System::new(stacks, branch.extras);
    for constraint in &branch.constraints {
        let row = Row::of(constraint, system.variables)?;
        budget.hold(row.bytes())?;
        system.rows.push(row);
    }
    Ok(system)
}

/// What a tree is to show at its leaves, unless these are empty.
#[derive(Clone, Copy, PartialEq)]
enum Goal {
    /// The position lies in a branch.
    Branch,
    /// There is no position.
    Nothing,
    /// A move exists.
    Playable,
    /// The position lies in S, or a move leads into S; under misere play also that no move exists.
    Move,
}

/// The positions at a node of a tree.
#[derive(Clone)]
struct Cell<'a> {
    system: System,
    /// Of each of these lists some statement holds.
    open: Vec<&'a [Statement]>,
}

impl<'a> Cell<'a> {
    fn new(system: System) -> Self {
        Cell { system, open: Vec::new() }
    }

    /// How many bytes it takes, about.
    fn bytes(&self) -> usize {
        self.system.bytes() + 16 * self.open.len()
    }

    /// The child of a node with this number; a leaf has none.
    fn child(&self, node: &Node, number: usize) -> Result<Option<Self>, Rejection> {
        let variables = self.system.variables;
        let row = match node {
            Node::Split(form) if number < 2 => {
                let row = Row::of_form(form, variables)?;
                if number == 0 { row } else { row.negated()? }
            }
            Node::Residue(form, modulus) => {
                require(*modulus >= 1, "", || "a modulus is not positive".into())?;
                let rest = i128::try_from(number).unwrap_or(i128::MAX);
                if rest >= i128::from(*modulus) {
                    return Ok(None);
                }
                let quotient = Row::variable(variables);
                let row = Row::of_form(form, variables)?.plus(-i128::from(*modulus), &quotient)?;
                Row { equation: true, ..row.plus(-rest, &Row::constant(1))? }
            }
            Node::Cases(place) => {
                let alternatives = *self.open.get(*place).ok_or_else(nowhere)?;
                let Some(part) = alternatives.get(number) else { return Ok(None) };
                let mut cell = self.clone();
                cell.open.remove(*place);
                return Ok(Some(cell.with(part)));
            }
            _ => return Ok(None),
        };
        let mut child = self.clone();
        if matches!(node, Node::Residue(..)) {
            child.system.variables = variables.saturating_add(1);
        }
        child.system.rows.push(row);
        Ok(Some(child))
    }

    /// The cell where the statement holds.
    fn with(mut self, statement: &'a Statement) -> Self {
        match statement {
            Statement::Row(row) => self.system.rows.push(row.clone()),
            Statement::All(parts) => self = parts.iter().fold(self, Cell::with),
            Statement::Any(parts) => self.open.push(parts),
        }
        self
    }
}

struct Checker<'a> {
    stacks: usize,
    plays: Vec<Play>,
    misere: bool,
    /// S, and how many further integers that takes.
    set: Statement,
    extras: usize,
    branches: Vec<System>,
    /// By rule: where it holds.
    regions: Vec<System>,
    proof: &'a RegionsProof,
}

impl Checker<'_> {
    /// That wherever the system holds the given heights are a position of S.
    fn in_set(
        &self,
        system: &System,
        heights: Vec<Row>,
        member: &Member,
        budget: &mut Budget,
    ) -> Result<(), Rejection> {
        let (mut choices, mut rows) = (member.choices.iter(), Vec::new());
        self.set.chosen(&mut choices, &mut rows)?;
        as_many(member.choices.len() - choices.len(), member.choices.len())?;
        as_many(self.extras, member.extras.len())?;
        system.derive(rows, heights, &member.extras, &member.proofs, budget)
    }

    /// A symmetry permutes the moves and maps S to itself.
    fn symmetry(&self, number: usize, budget: &mut Budget) -> Result<(), Rejection> {
        let symmetries = &self.proof.symmetries;
        let image = &symmetries[number].image;
        let mut sorted = image.clone();
        sorted.sort_unstable();
        budget.spend(64 + 8 * self.plays.len())?;
        let same = |play: &Play| {
            let image = play.relabel(image);
            self.play(image.stacks.bits()).is_ok_and(|own| *own == image)
        };
        let automorphism = sorted.into_iter().eq(0..self.stacks) && self.plays.iter().all(same);
        let message = || "the relabelling is not a symmetry".to_string();
        require(automorphism, "", message)?;
        match &symmetries[number].closed {
            Closed::Product(first, then) => {
                let earlier = |k: usize| symmetries[..number].get(k).ok_or_else(nowhere);
                let (first, then) = (&earlier(*first)?.image, &earlier(*then)?.image);
                require((0..self.stacks).all(|s| then[first[s]] == image[s]), "", message)
            }
            Closed::Images(members) => {
                as_many(self.branches.len(), members.len())?;
                for (branch, member) in self.branches.iter().zip(members) {
                    self.in_set(branch, self.image(number)?, member, budget)?;
                }
                Ok(())
            }
        }
    }

    /// The heights of a position's image, in terms of its own.
    fn image(&self, symmetry: usize) -> Result<Vec<Row>, Rejection> {
        let image = &self.proof.symmetries.get(symmetry).ok_or_else(nowhere)?.image;
        let mut heights = vec![Row::constant(0); self.stacks];
        image.iter().enumerate().for_each(|(s, &to)| heights[to] = Row::variable(s));
        Ok(heights)
    }

    /// (I). A move from S to S has images of the same kind under the symmetries.
    fn separation(&self, budget: &mut Budget) -> Result<(), Rejection> {
        let mut done = BTreeSet::new();
        for (from, source) in &self.proof.separation {
            self.source(*from, source, &done, budget).map_err(at("separation", *from))?;
            done.insert(*from);
        }
        let left = (0..self.branches.len()).find(|branch| !done.contains(branch));
        let message = || "moves from it are not excluded".into();
        require(left.is_none(), "", message).map_err(at("separation", left.unwrap_or_default()))
    }

    /// That no move leads from a branch to a branch.
    fn source(
        &self,
        from: usize,
        source: &Source,
        done: &BTreeSet<usize>,
        budget: &mut Budget,
    ) -> Result<(), Rejection> {
        let from = self.branches.get(from).ok_or_else(nowhere)?;
        match source {
            Source::Trees(trees) => {
                as_many(self.plays.len() * self.branches.len(), trees.len())?;
                let moves = self.plays.iter();
                let moves = moves.flat_map(|play| self.branches.iter().map(move |to| (play, to)));
                for (tree, (play, to)) in trees.iter().zip(moves) {
                    budget.spend((from.bytes() + to.bytes()) / 8)?;
                    let cell = Cell::new(self.moves(from, play, to)?);
                    self.tree(tree, cell, Goal::Nothing, budget)?;
                }
                Ok(())
            }
            Source::Image { symmetry, into, extras, proofs } => {
                let into = &self.branches[*done.get(into).ok_or_else(nowhere)?];
                as_many(into.variables - self.stacks, extras.len())?;
                let rows = &into.rows[self.stacks..];
                from.derive(rows, self.image(*symmetry)?, extras, proofs, budget)
            }
        }
    }

    fn play(&self, stacks: u32) -> Result<&Play, Rejection> {
        let place = self.plays.binary_search_by_key(&stacks, |play| play.stacks.bits());
        place.map(|place| &self.plays[place]).map_err(|_| nowhere())
    }

    /// Moves from one branch to another.
    fn moves(&self, from: &System, play: &Play, to: &System) -> Result<System, Rejection> {
        let after = play.after(self.stacks, from.variables);
        let first = from.variables.saturating_add(play.stacks.len());
        let further = to.variables - self.stacks;
        // Only what the second branch mentions has to be renamed.
        let last =
            to.rows.iter().flat_map(|row| &row.terms).map(|term| term.0).max().map_or(0, |v| v + 1);
        let name = |v: usize| after.get(v).copied().unwrap_or(first + v - self.stacks);
        let values: Vec<Row> = (0..last.max(self.stacks)).map(|v| Row::variable(name(v))).collect();
        let rows = to.rows[self.stacks..].iter().map(|row| row.substitute(&values));
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        let variables = first.saturating_add(further);
        Ok(System { variables, ..from.clone().with(play.rows(&after, false)?).with(rows) })
    }

    /// Misere play: every position of a branch has a move.
    fn playable(&self, budget: &mut Budget) -> Result<(), Rejection> {
        let trees = &self.proof.playable;
        as_many(self.branches.len(), trees.len()).map_err(at("terminal", trees.len()))?;
        for (number, (branch, tree)) in self.branches.iter().zip(trees).enumerate() {
            let tree = self.tree(tree, Cell::new(branch.clone()), Goal::Playable, budget);
            tree.map_err(at("terminal", number))?;
        }
        Ok(())
    }

    /// That a rule does what it says wherever its constraints hold.
    fn rule(&self, number: usize, rule: &Rule, budget: &mut Budget) -> Result<(), Rejection> {
        let system = &self.regions[number];
        let mut heights: Vec<Row> = (0..self.stacks).map(Row::variable).collect();
        let mut rows = Vec::new();
        let mut played = StackSet::EMPTY;
        if let Some(play) = rule.play {
            let play = self.play(play)?;
            played = play.stacks;
            let stay = rule.target.is_some() && play.may_stay();
            rows = play.rows(&play.after(self.stacks, self.stacks), stay)?;
        }
        as_many(played.len(), rule.heights.len())?;
        system.derive(&rows, heights.clone(), &rule.heights, &rule.proofs, budget)?;
        for (stack, form) in played.iter().zip(&rule.heights) {
            heights[stack] = Row::of_form(form, system.variables)?;
        }
        let target = rule.target.as_ref();
        target.map_or(Ok(()), |member| self.in_set(system, heights, member, budget))
    }

    /// The positions from which the coverage starts. Constraints: the least stack is at most each
    /// of its images under the listed symmetries, in the order of the stacks; then the exchange.
    fn domain(&self, domain: &Domain) -> Result<System, Rejection> {
        let at_most = |a: usize, b: usize| Row::variable(b).plus(-1, &Row::variable(a));
        let symmetries = &self.proof.symmetries;
        let mut system = System::new(self.stacks, 0);
        if let Some(least) = domain.least {
            if least >= self.stacks {
                return Err(nowhere());
            }
            let images: BTreeSet<usize> = symmetries.iter().map(|g| g.image[least]).collect();
            for stack in images.into_iter().filter(|&s| s != least) {
                system.rows.push(at_most(least, stack)?);
            }
        }
        if let Some((a, b, g)) = domain.exchange {
            let image = &symmetries.get(g).ok_or_else(nowhere)?.image;
            let fixed = domain.least.is_none_or(|s| image[s] == s);
            if image.get(a) != Some(&b) || image.get(b) != Some(&a) || !fixed {
                return Err(flaw("", "the relabelling is not a symmetry"));
            }
            system.rows.push(at_most(a, b)?);
        }
        Ok(system)
    }

    /// Walks through a tree. Only the cells on the path are held, for children are made one by one.
    fn tree(
        &self,
        nodes: &[Node],
        root: Cell,
        goal: Goal,
        budget: &mut Budget,
    ) -> Result<(), Rejection> {
        let most = root.system.rows.len() + MAX_DEPTH;
        let (mut path, mut next) = (Vec::new(), Some(root));
        for (number, node) in nodes.iter().enumerate() {
            let place = |flaw: Rejection| flaw.within(format!("node {number}"));
            let cell = next.take().ok_or_else(|| flaw("", "nodes are left over")).map_err(place)?;
            let deep = cell.system.rows.len() > most;
            require(!deep, "limit", || "the tree is too deep".into()).map_err(place)?;
            budget.hold(cell.bytes())?;
            self.leaf(node, &cell, goal, budget).map_err(place)?;
            path.push((cell, node, 0));
            while let Some((cell, node, done)) = path.last_mut() {
                next = cell.child(node, *done).map_err(place)?;
                if next.is_some() {
                    *done += 1;
                    break;
                }
                budget.release(cell.bytes());
                path.pop();
            }
        }
        require(next.is_none(), "", || "nodes are missing".into())
    }

    /// Whether a leaf shows what it has to; nodes with children show nothing yet.
    fn leaf(
        &self,
        node: &Node,
        cell: &Cell,
        goal: Goal,
        budget: &mut Budget,
    ) -> Result<(), Rejection> {
        let system = &cell.system;
        match node {
            Node::Split(_) | Node::Residue(..) | Node::Cases(_) => {}
            Node::Empty(farkas) => system.refute(&[], farkas, budget)?,
            Node::Branch { branch, extras, proofs } if goal == Goal::Branch => {
                let branch = self.branches.get(*branch).ok_or_else(nowhere)?;
                as_many(branch.variables - self.stacks, extras.len())?;
                let heights = (0..self.stacks).map(Row::variable).collect();
                system.derive(&branch.rows[self.stacks..], heights, extras, proofs, budget)?;
            }
            Node::Rule { rule: number, symmetry, bind, proofs } => {
                let rule = self.proof.rules.get(*number).ok_or_else(nowhere)?;
                let proves = match goal {
                    Goal::Playable => rule.play.is_some() && rule.target.is_none(),
                    Goal::Move => rule.target.is_some(),
                    Goal::Branch | Goal::Nothing => false,
                };
                require(proves, "", || "such a rule proves nothing here".into())?;
                let mut heights: Vec<usize> = (0..self.stacks).collect();
                if let Some(g) = symmetry {
                    heights = self.proof.symmetries.get(*g).ok_or_else(nowhere)?.image.clone();
                }
                as_many(rule.region.extras, bind.len())?;
                let heights = heights.into_iter().map(Row::variable).collect();
                let extras = bind.iter().map(|&v| Form(0, vec![(v, 1)])).collect::<Vec<_>>();
                let rows = &self.regions[*number].rows[self.stacks..];
                system.derive(rows, heights, &extras, proofs, budget)?;
            }
            Node::Terminal(refutations) if goal == Goal::Move && self.misere => {
                as_many(self.plays.len(), refutations.len())?;
                for (play, farkas) in self.plays.iter().zip(refutations) {
                    let rows = play.rows(&play.after(self.stacks, system.variables), false)?;
                    system.refute(&rows, farkas, budget)?;
                }
            }
            Node::Branch { .. } | Node::Terminal(_) => {
                return Err(flaw("", "such a node proves nothing here"));
            }
        }
        Ok(())
    }
}
