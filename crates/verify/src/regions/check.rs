//! The checker; the module above says what it checks.

use super::linear::{Row, System};
use super::plays::{Play, plays};
use super::statement::{Statement, read};
use super::{Branch, Closed, Domain, Form, Member, Node, RegionsProof, Rule, Source};
use nimatron_formula::{Context, Formula, FormulaError};
use nimatron_game::{Game, Play as Convention, StackSet};
use std::collections::BTreeSet;

/// The most kinds of moves.
const MAX_PLAYS: usize = 10_000;

/// The most further integers of a branch or rule.
const MAX_EXTRAS: usize = 1_000;

/// The most numbers in the constraints of a branch or rule.
const MAX_NUMBERS: usize = 1 << 20;

/// The most numbers in the constraints of all nodes of a tree that are still to come.
const MAX_OPEN: usize = 1 << 24;

/// Why a proof is rejected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("number {number} of the list: {why}")]
pub struct Flaw {
    /// The name of the obligation that fails.
    pub obligation: &'static str,
    /// Where it fails: the number of the branch, symmetry, rule, tree or node of the coverage.
    pub number: usize,
    /// What is wrong there.
    pub why: Why,
}

/// What is wrong with a step.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Why {
    /// Not a formula.
    #[error("{0}")]
    Formula(FormulaError),
    /// A formula that no linear constraints describe.
    #[error("the formula has {0}")]
    NotLinear(&'static str),
    /// More than the checker goes through.
    #[error("there are too many cases")]
    TooMany,
    /// A number beyond 127 bits.
    #[error("a number is too large")]
    Overflow,
    /// A variable that the system does not have.
    #[error("there is no variable {0}")]
    NoSuchVariable(usize),
    /// A constraint that the system does not have.
    #[error("there is no constraint {0}")]
    NoSuchConstraint(usize),
    /// An alternative, branch, rule, play or symmetry that does not exist.
    #[error("a reference leads nowhere")]
    NoSuchItem,
    /// An inequality with a negative multiplier.
    #[error("inequality {0} has a negative multiplier")]
    NegativeMultiplier(usize),
    /// The multiples do not add up to a contradiction.
    #[error("the multiples do not add up to a contradiction")]
    NoContradiction,
    /// Not one entry per item.
    #[error("{expected} entries are needed, but there are {found}")]
    Entries {
        /// How many are needed.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A relabelling that does not permute stacks and moves, or is not the product it is said to be.
    #[error("the relabelling is not a symmetry")]
    NotASymmetry,
    /// (I) is not shown for a branch.
    #[error("moves from it are not excluded")]
    NotSeparated,
    /// The tree ends too early, or goes on after its end.
    #[error("the tree has missing or left-over nodes")]
    BrokenTree,
    /// A node of a kind that proves nothing here.
    #[error("such a node proves nothing here")]
    WrongNode,
}

impl Why {
    pub(super) fn unless_equal(expected: usize, found: usize) -> Result<(), Why> {
        if expected == found { Ok(()) } else { Err(Why::Entries { expected, found }) }
    }
}

/// Names the obligation and the place where a step fails.
fn at(obligation: &'static str, number: usize) -> impl Fn(Why) -> Flaw {
    move |why| Flaw { obligation, number, why }
}

/// Checks that the formula describes exactly the P-positions of the game.
pub(crate) fn check(game: &Game, proof: &RegionsProof) -> Result<(), Flaw> {
    let formula = Formula::parse(&proof.formula, &Context::of_game(game));
    let formula = formula.map_err(|error| at("formula", 0)(Why::Formula(error)))?;
    let (set, extras) = read(&formula, game).map_err(at("formula", 0))?;
    let plays = plays(game, MAX_PLAYS).ok_or(Why::TooMany).map_err(at("plays", 0))?;
    let misere = game.convention() == Convention::Misere;
    let checker = Checker { stacks: game.stacks(), plays, misere, set, extras, proof };
    checker.branches()?;
    for number in 0..proof.symmetries.len() {
        checker.symmetry(number).map_err(at("symmetry", number))?;
    }
    checker.separation()?;
    if misere {
        checker.playable()?;
    }
    for (number, rule) in proof.rules.iter().enumerate() {
        checker.rule(rule).map_err(at("rule", number))?;
    }
    let domain = Cell::new(checker.domain(&proof.domain).map_err(at("domain", 0))?);
    checker.tree(&proof.coverage, domain, Goal::Move).map_err(|(i, why)| at("coverage", i)(why))
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

    /// How many numbers it holds, about.
    fn numbers(&self) -> usize {
        self.system.rows.iter().map(Row::numbers).sum::<usize>() + 2 * self.open.len() + 8
    }

    /// How many children a node here has.
    fn children(&self, node: &Node) -> usize {
        match node {
            Node::Split(_) => 2,
            Node::Residue(_, modulus) => usize::try_from(*modulus).unwrap_or_default(),
            Node::Cases(place) => self.open.get(*place).map_or(0, |parts| parts.len()),
            _ => 0,
        }
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
    proof: &'a RegionsProof,
}

impl Checker<'_> {
    /// The positions of a branch.
    fn system(&self, branch: &Branch) -> Result<System, Why> {
        if branch.extras > MAX_EXTRAS {
            return Err(Why::TooMany);
        }
        let mut system = System::new(self.stacks, branch.extras);
        let mut numbers = 0;
        for constraint in &branch.constraints {
            let row = Row::of(constraint, system.variables)?;
            numbers += row.numbers();
            if numbers > MAX_NUMBERS {
                return Err(Why::TooMany);
            }
            system.rows.push(row);
        }
        Ok(system)
    }

    /// That wherever the system holds the given heights are a position of S.
    fn in_set(&self, system: &System, heights: Vec<Row>, member: &Member) -> Result<(), Why> {
        let (mut choices, mut rows) = (member.choices.iter(), Vec::new());
        self.set.chosen(&mut choices, &mut rows)?;
        Why::unless_equal(member.choices.len(), member.choices.len() - choices.len())?;
        Why::unless_equal(self.extras, member.extras.len())?;
        system.derive(rows, heights, &member.extras, &member.proofs)
    }

    /// S lies in the union of the branches.
    fn branches(&self) -> Result<(), Flaw> {
        let root = Cell::new(System::new(self.stacks, self.extras)).with(&self.set);
        let tree = self.tree(&self.proof.expansion, root, Goal::Branch);
        tree.map_err(|(number, why)| at("branches", number)(why))
    }

    /// A symmetry permutes the moves and maps S to itself.
    fn symmetry(&self, number: usize) -> Result<(), Why> {
        let symmetries = &self.proof.symmetries;
        let image = &symmetries[number].image;
        let permutes =
            image.iter().copied().collect::<BTreeSet<_>>().into_iter().eq(0..self.stacks);
        let automorphism = permutes
            && image.len() == self.stacks
            && self.plays.iter().all(|play| self.plays.contains(&play.relabel(image)));
        if !automorphism {
            return Err(Why::NotASymmetry);
        }
        match &symmetries[number].closed {
            Closed::Product(first, then) => {
                let earlier = |k: usize| symmetries[..number].get(k).ok_or(Why::NoSuchItem);
                let (first, then) = (&earlier(*first)?.image, &earlier(*then)?.image);
                match (0..self.stacks).all(|s| then[first[s]] == image[s]) {
                    true => Ok(()),
                    false => Err(Why::NotASymmetry),
                }
            }
            Closed::Images(members) => {
                Why::unless_equal(self.proof.branches.len(), members.len())?;
                for (branch, member) in self.proof.branches.iter().zip(members) {
                    self.in_set(&self.system(branch)?, self.image(number)?, member)?;
                }
                Ok(())
            }
        }
    }

    /// The heights of a position's image, in terms of its own.
    fn image(&self, symmetry: usize) -> Result<Vec<Row>, Why> {
        let image = &self.proof.symmetries.get(symmetry).ok_or(Why::NoSuchItem)?.image;
        let mut heights = vec![Row::constant(0); self.stacks];
        image.iter().enumerate().for_each(|(s, &to)| heights[to] = Row::variable(s));
        Ok(heights)
    }

    /// (I). A move from S to S has images of the same kind under the symmetries.
    fn separation(&self) -> Result<(), Flaw> {
        let branches = &self.proof.branches;
        let mut done = BTreeSet::new();
        for (from, source) in &self.proof.separation {
            self.source(*from, source, &done).map_err(at("separation", *from))?;
            done.insert(*from);
        }
        match (0..branches.len()).find(|branch| !done.contains(branch)) {
            Some(branch) => Err(at("separation", branch)(Why::NotSeparated)),
            None => Ok(()),
        }
    }

    /// That no move leads from a branch to a branch.
    fn source(&self, from: usize, source: &Source, done: &BTreeSet<usize>) -> Result<(), Why> {
        let branches = &self.proof.branches;
        let from = branches.get(from).ok_or(Why::NoSuchItem)?;
        match source {
            Source::Trees(trees) => {
                Why::unless_equal(self.plays.len() * branches.len(), trees.len())?;
                let moves =
                    self.plays.iter().flat_map(|play| branches.iter().map(move |to| (play, to)));
                for (tree, (play, to)) in trees.iter().zip(moves) {
                    let cell = Cell::new(self.moves(from, play, to)?);
                    self.tree(tree, cell, Goal::Nothing).map_err(|(_, why)| why)?;
                }
                Ok(())
            }
            Source::Image { symmetry, into, extras, proofs } => {
                let into = &branches[*done.get(into).ok_or(Why::NoSuchItem)?];
                Why::unless_equal(into.extras, extras.len())?;
                let rows = &self.system(into)?.rows[self.stacks..];
                self.system(from)?.derive(rows, self.image(*symmetry)?, extras, proofs)
            }
        }
    }

    fn play(&self, stacks: u32) -> Result<&Play, Why> {
        self.plays.iter().find(|play| play.stacks.bits() == stacks).ok_or(Why::NoSuchItem)
    }

    /// Moves from one branch to another.
    fn moves(&self, from: &Branch, play: &Play, to: &Branch) -> Result<System, Why> {
        let (system, target) = (self.system(from)?, self.system(to)?);
        let after = play.after(self.stacks, system.variables);
        let first = system.variables + play.stacks.len();
        let variables = first + to.extras;
        let values = after.iter().copied().chain(first..variables);
        let values: Vec<Row> = values.map(Row::variable).collect();
        let rows = target.rows[self.stacks..].iter().map(|row| row.substitute(&values));
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        Ok(System { variables, ..system.with(play.rows(&after, false)).with(rows) })
    }

    /// Misere play: every position of a branch has a move.
    fn playable(&self) -> Result<(), Flaw> {
        let (branches, trees) = (&self.proof.branches, &self.proof.playable);
        Why::unless_equal(branches.len(), trees.len()).map_err(at("terminal", branches.len()))?;
        for (number, (branch, tree)) in branches.iter().zip(trees).enumerate() {
            let cell = Cell::new(self.system(branch).map_err(at("terminal", number))?);
            let tree = self.tree(tree, cell, Goal::Playable);
            tree.map_err(|(_, why)| at("terminal", number)(why))?;
        }
        Ok(())
    }

    /// That a rule does what it says wherever its constraints hold.
    fn rule(&self, rule: &Rule) -> Result<(), Why> {
        let system = self.system(&rule.region)?;
        let mut heights: Vec<Row> = (0..self.stacks).map(Row::variable).collect();
        let mut rows = Vec::new();
        let mut played = StackSet::EMPTY;
        if let Some(play) = rule.play {
            let play = self.play(play)?;
            played = play.stacks;
            let stay = rule.target.is_some() && play.may_stay();
            rows = play.rows(&play.after(self.stacks, self.stacks), stay);
        }
        Why::unless_equal(played.len(), rule.heights.len())?;
        system.derive(&rows, heights.clone(), &rule.heights, &rule.proofs)?;
        for (stack, form) in played.iter().zip(&rule.heights) {
            heights[stack] = Row::of_form(form, system.variables)?;
        }
        rule.target.as_ref().map_or(Ok(()), |member| self.in_set(&system, heights, member))
    }

    /// The positions from which the coverage starts. Constraints: the least stack is at most each
    /// of its images under the listed symmetries, in the order of the stacks; then the exchange.
    fn domain(&self, domain: &Domain) -> Result<System, Why> {
        let at_most = |a: usize, b: usize| Row::variable(b).plus(-1, &Row::variable(a));
        let symmetries = &self.proof.symmetries;
        let mut system = System::new(self.stacks, 0);
        if let Some(least) = domain.least {
            if least >= self.stacks {
                return Err(Why::NoSuchItem);
            }
            let images: BTreeSet<usize> = symmetries.iter().map(|g| g.image[least]).collect();
            for stack in images.into_iter().filter(|&s| s != least) {
                system.rows.push(at_most(least, stack)?);
            }
        }
        if let Some((a, b, g)) = domain.exchange {
            let image = &symmetries.get(g).ok_or(Why::NoSuchItem)?.image;
            let fixed = domain.least.is_none_or(|s| image[s] == s);
            if image.get(a) != Some(&b) || image.get(b) != Some(&a) || !fixed {
                return Err(Why::NotASymmetry);
            }
            system.rows.push(at_most(a, b)?);
        }
        Ok(system)
    }

    /// Walks through a tree; fails with the number of a node.
    fn tree(&self, nodes: &[Node], root: Cell, goal: Goal) -> Result<(), (usize, Why)> {
        let mut numbers = root.numbers();
        let mut open = vec![root];
        for (number, node) in nodes.iter().enumerate() {
            let cell = open.pop().ok_or((number, Why::BrokenTree))?;
            // Before there are any children, what they will take from their parent.
            numbers -= cell.numbers();
            if cell.numbers().saturating_mul(cell.children(node)) > MAX_OPEN.saturating_sub(numbers)
            {
                return Err((number, Why::TooMany));
            }
            let children = self.node(node, cell, goal).map_err(|why| (number, why))?;
            numbers += children.iter().map(Cell::numbers).sum::<usize>();
            if numbers > MAX_OPEN {
                return Err((number, Why::TooMany));
            }
            open.extend(children.into_iter().rev());
        }
        if open.is_empty() { Ok(()) } else { Err((nodes.len(), Why::BrokenTree)) }
    }

    /// The children of a node; a leaf has none.
    fn node<'s>(&self, node: &Node, cell: Cell<'s>, goal: Goal) -> Result<Vec<Cell<'s>>, Why> {
        let Cell { system, open } = cell;
        let child = |system: System| Cell { system, open: open.clone() };
        match node {
            Node::Split(form) => {
                let row = Row::of_form(form, system.variables)?;
                let negated = row.negated()?;
                Ok(vec![child(system.clone().with([row])), child(system.with([negated]))])
            }
            Node::Residue(form, modulus) => {
                if !(1..=4096).contains(modulus) {
                    return Err(Why::TooMany);
                }
                let quotient = Row::variable(system.variables);
                let class = |rest: i64| {
                    let row = Row::of_form(form, system.variables)?;
                    let row = row.plus(-i128::from(*modulus), &quotient)?;
                    let row = row.plus(-1, &Row::constant(rest.into()))?;
                    let with = system.clone().with([Row { equation: true, ..row }]);
                    Ok(child(System { variables: system.variables + 1, ..with }))
                };
                (0..*modulus).map(class).collect()
            }
            Node::Cases(place) => {
                let alternatives = *open.get(*place).ok_or(Why::NoSuchItem)?;
                let mut cell = child(system);
                cell.open.remove(*place);
                Ok(alternatives.iter().map(|statement| cell.clone().with(statement)).collect())
            }
            Node::Empty(farkas) => system.refute(&[], farkas).map(|()| Vec::new()),
            Node::Branch { branch, extras, proofs } if goal == Goal::Branch => {
                let branch = self.proof.branches.get(*branch).ok_or(Why::NoSuchItem)?;
                Why::unless_equal(branch.extras, extras.len())?;
                let rows = &self.system(branch)?.rows[self.stacks..];
                let heights = (0..self.stacks).map(Row::variable).collect();
                system.derive(rows, heights, extras, proofs).map(|()| Vec::new())
            }
            Node::Rule { rule, symmetry, bind, proofs } => {
                let rule = self.proof.rules.get(*rule).ok_or(Why::NoSuchItem)?;
                let proves = match goal {
                    Goal::Playable => rule.play.is_some() && rule.target.is_none(),
                    Goal::Move => rule.target.is_some(),
                    Goal::Branch | Goal::Nothing => false,
                };
                if !proves {
                    return Err(Why::WrongNode);
                }
                let mut heights: Vec<usize> = (0..self.stacks).collect();
                if let Some(g) = symmetry {
                    heights = self.proof.symmetries.get(*g).ok_or(Why::NoSuchItem)?.image.clone();
                }
                Why::unless_equal(rule.region.extras, bind.len())?;
                let heights = heights.into_iter().map(Row::variable).collect();
                let rows = &self.system(&rule.region)?.rows[self.stacks..];
                let extras = bind.iter().map(|&v| Form(0, vec![(v, 1)])).collect::<Vec<_>>();
                system.derive(rows, heights, &extras, proofs).map(|()| Vec::new())
            }
            Node::Terminal(refutations) if goal == Goal::Move && self.misere => {
                Why::unless_equal(self.plays.len(), refutations.len())?;
                for (play, farkas) in self.plays.iter().zip(refutations) {
                    let rows = play.rows(&play.after(self.stacks, system.variables), false);
                    system.refute(&rows, farkas)?;
                }
                Ok(Vec::new())
            }
            Node::Branch { .. } | Node::Terminal(_) => Err(Why::WrongNode),
        }
    }
}
