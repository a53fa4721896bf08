//! The checker; the module above says what it checks.

use super::expand::{ExpandError, expand, symmetries};
use super::linear::{Row, System};
use super::plays::{Play, plays};
use super::{Branch, Closed, Domain, Farkas, Form, Inclusion, Node, RegionsProof, Rule};
use nimatron_formula::{Context, Formula};
use nimatron_game::{Game, Play as Convention};

/// The most plays.
const MAX_PLAYS: usize = 10_000;

/// How much was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Checked {
    /// Branches of the set.
    pub branches: usize,
    /// Rules of the strategy.
    pub rules: usize,
    /// Leaves of the coverage.
    pub leaves: usize,
}

/// Where a proof fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Place {
    /// A branch of the checker's expansion is to lie in a listed one.
    Expansion(usize),
    /// A listed branch is to lie in one of the checker's expansion.
    Listed(usize),
    /// A relabelling is to permute the moves and map S to itself.
    Symmetry(usize),
    /// No move leads from the branch `from` by the play to the branch `to`.
    Separation {
        /// The branch moved from.
        from: usize,
        /// The play.
        play: usize,
        /// The branch moved to.
        to: usize,
    },
    /// (I) is to be shown for this branch, or for one that it is mapped into.
    Source(usize),
    /// Misere play: the positions of this branch have moves.
    Playable(usize),
    /// A rule of (II).
    Rule(usize),
    /// The domain of the coverage.
    Domain,
    /// A node of the coverage.
    Coverage(usize),
}

/// What is wrong there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Why {
    /// A number beyond 127 bits.
    #[error("a number is too large")]
    Overflow,
    /// A variable that the system does not have.
    #[error("there is no variable {0}")]
    NoSuchVariable(usize),
    /// A constraint that the system does not have.
    #[error("there is no constraint {0}")]
    NoSuchConstraint(usize),
    /// An inequality with a negative multiplier.
    #[error("inequality {0} has a negative multiplier")]
    NegativeMultiplier(usize),
    /// The multiples do not add up to a contradiction.
    #[error("the multiples do not add up to a contradiction")]
    NoContradiction,
    /// Not one proof per constraint.
    #[error("{expected} derivations are needed, but there are {found}")]
    Proofs {
        /// How many are needed.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// Not one entry per item.
    #[error("{expected} entries are needed, but there are {found}")]
    Entries {
        /// How many are needed.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A branch, rule, play or symmetry that does not exist.
    #[error("a reference leads nowhere")]
    NoSuchItem,
    /// Not a permutation of the stacks.
    #[error("not a permutation of the stacks")]
    NotAPermutation,
    /// A relabelling that does not permute the moves.
    #[error("the moves are not permuted")]
    NotAnAutomorphism,
    /// A symmetry that is not the product it is said to be.
    #[error("not the product of the two")]
    NotTheProduct,
    /// (I) is not shown for a branch.
    #[error("moves from it are not excluded")]
    NotSeparated,
    /// The tree ends too early, or goes on after its end.
    #[error("the tree has missing or left-over nodes")]
    BrokenTree,
    /// A leaf of a kind that proves nothing here.
    #[error("such a leaf proves nothing here")]
    WrongLeaf,
    /// A modulus below 1.
    #[error("a modulus must be positive")]
    BadModulus,
    /// The symmetry does not fix the least stack and exchange the two others.
    #[error("the symmetry does not exchange the two stacks")]
    NotAnExchange,
}

/// Why a proof is rejected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// `formula`: it cannot be read.
    #[error("the formula cannot be read: {0}")]
    Formula(String),
    /// `formula`: it cannot be expanded.
    #[error("the formula cannot be expanded: {0}")]
    Expansion(#[from] ExpandError),
    /// The game has too many kinds of moves.
    #[error("the game has too many kinds of moves")]
    Plays,
    /// A step fails.
    #[error("{place:?}: {why}")]
    Step {
        /// Where.
        place: Place,
        /// What is wrong.
        why: Why,
    },
}

impl Flaw {
    /// The name of the obligation: a word that stays the same.
    pub fn obligation(&self) -> &'static str {
        match self {
            Flaw::Formula(_) | Flaw::Expansion(_) => "formula",
            Flaw::Plays => "plays",
            Flaw::Step { place, .. } => match place {
                Place::Expansion(_) | Place::Listed(_) => "branches",
                Place::Symmetry(_) => "symmetry",
                Place::Separation { .. } | Place::Source(_) => "separation",
                Place::Playable(_) => "terminal",
                Place::Rule(_) => "rule",
                Place::Domain => "domain",
                Place::Coverage(_) => "coverage",
            },
        }
    }
}

/// Checks that the formula describes exactly the P-positions of the game.
pub fn check(game: &Game, proof: &RegionsProof) -> Result<Checked, Flaw> {
    let stacks = game.stacks();
    let formula = Formula::parse(&proof.formula, &Context::of_game(game));
    let formula = formula.map_err(|error| Flaw::Formula(error.to_string()))?;
    let own = expand(&formula, stacks, &symmetries(game)?)?;
    let plays = plays(game, MAX_PLAYS).ok_or(Flaw::Plays)?;
    let checker = Checker { stacks, plays, misere: game.convention() == Convention::Misere, proof };
    checker.same_set(&own)?;
    let mapped = checker.symmetries()?;
    checker.separation(&mapped)?;
    if checker.misere {
        checker.playable()?;
    }
    for (i, rule) in proof.rules.iter().enumerate() {
        checker.rule(rule).map_err(at(Place::Rule(i)))?;
    }
    let root = checker.domain(&proof.domain).map_err(at(Place::Domain))?;
    let leaves = checker.tree(&proof.coverage, root, &Leaf::Coverage, Place::Coverage)?;
    Ok(Checked { branches: proof.branches.len(), rules: proof.rules.len(), leaves })
}

fn at(place: Place) -> impl Fn(Why) -> Flaw {
    move |why| Flaw::Step { place, why }
}

fn entries(expected: usize, found: usize) -> Result<(), Why> {
    if expected == found { Ok(()) } else { Err(Why::Entries { expected, found }) }
}

/// A number of further integers that a system may have.
fn bounded(extras: usize) -> Result<usize, Why> {
    if extras <= 1_000 { Ok(extras) } else { Err(Why::Overflow) }
}

/// What the leaves of a tree may show.
#[derive(PartialEq)]
enum Leaf {
    /// Nothing is left.
    Empty,
    /// Nothing is left, or a move exists.
    Playable,
    /// Nothing is left, or the position lies in S, or a move leads into S; under misere play also
    /// that no move exists.
    Coverage,
}

struct Checker<'a> {
    stacks: usize,
    plays: Vec<Play>,
    misere: bool,
    proof: &'a RegionsProof,
}

impl Checker<'_> {
    /// The heights of a branch and its further integers.
    fn system(&self, branch: &Branch) -> Result<System, Why> {
        let system = System::heights(self.stacks).with_variables(bounded(branch.extras)?);
        let variables = system.variables;
        let rows = branch.constraints.iter().map(|c| Row::of(c, variables));
        Ok(system.with(rows.collect::<Result<Vec<_>, _>>()?))
    }

    /// That the positions of a system lie in one branch of the list; which one, or `None` if
    /// there are no such positions.
    fn inclusion(
        &self,
        system: &System,
        inclusion: &Inclusion,
        list: &[Branch],
    ) -> Result<Option<usize>, Why> {
        match inclusion {
            Inclusion::Empty(farkas) => system.refute(farkas).map(|()| None),
            Inclusion::Into { branch, extras, proofs } => {
                let target = list.get(*branch).ok_or(Why::NoSuchItem)?;
                let heights = (0..self.stacks).map(|s| Row::variable(self.stacks, s)).collect();
                system
                    .derive(self.substituted(target, heights, extras, system.variables)?, proofs)?;
                Ok(Some(*branch))
            }
        }
    }

    /// The constraints of a branch for given heights and further integers.
    fn substituted(
        &self,
        target: &Branch,
        mut values: Vec<Row>,
        extras: &[Form],
        variables: usize,
    ) -> Result<Vec<Row>, Why> {
        entries(bounded(target.extras)?, extras.len())?;
        for form in extras {
            values.push(Row::of_form(form, variables)?);
        }
        let row = |c| Row::of(c, self.stacks + target.extras)?.substitute(&values);
        target.constraints.iter().map(row).collect()
    }

    /// The listed branches and those of the own expansion describe the same set.
    fn same_set(&self, own: &[Branch]) -> Result<(), Flaw> {
        type Direction<'a> = (&'a [Branch], &'a [Branch], &'a [Inclusion], fn(usize) -> Place);
        let listed = &self.proof.branches[..];
        let directions: [Direction; 2] = [
            (own, listed, &self.proof.expansion, Place::Expansion),
            (listed, own, &self.proof.listed, Place::Listed),
        ];
        for (from, into, inclusions, place) in directions {
            entries(from.len(), inclusions.len()).map_err(at(place(from.len())))?;
            for (i, (branch, inclusion)) in from.iter().zip(inclusions).enumerate() {
                let system = self.system(branch).map_err(at(place(i)))?;
                self.inclusion(&system, inclusion, into).map_err(at(place(i)))?;
            }
        }
        Ok(())
    }

    /// All symmetries permute the moves and map S to itself. Returns pairs of branches: an image
    /// of the first lies in the second, or is empty.
    fn symmetries(&self) -> Result<Vec<(usize, Option<usize>)>, Flaw> {
        let mut mapped = Vec::new();
        for (i, symmetry) in self.proof.symmetries.iter().enumerate() {
            let here = at(Place::Symmetry(i));
            let image = &symmetry.image;
            let mut sorted = image.clone();
            sorted.sort_unstable();
            if sorted != (0..self.stacks).collect::<Vec<_>>() {
                return Err(here(Why::NotAPermutation));
            }
            if !self.plays.iter().all(|play| self.plays.contains(&play.relabel(image))) {
                return Err(here(Why::NotAnAutomorphism));
            }
            match &symmetry.closed {
                Closed::Product(first, then) => {
                    let (first, then) = (*first.min(&i), *then.min(&i));
                    if first == i || then == i {
                        return Err(here(Why::NoSuchItem));
                    }
                    let earlier = |k: usize| &self.proof.symmetries[k].image;
                    if (0..self.stacks).any(|s| earlier(then)[earlier(first)[s]] != image[s]) {
                        return Err(here(Why::NotTheProduct));
                    }
                }
                Closed::Images(inclusions) => {
                    let branches = &self.proof.branches;
                    entries(branches.len(), inclusions.len()).map_err(&here)?;
                    for (j, inclusion) in inclusions.iter().enumerate() {
                        let system =
                            self.system(&relabelled(&branches[j], image)).map_err(&here)?;
                        let into = self.inclusion(&system, inclusion, branches).map_err(&here)?;
                        mapped.push((j, into));
                    }
                }
            }
        }
        Ok(mapped)
    }

    /// (I). A branch needs no trees of its own if a symmetry maps it into one that is done: a move
    /// from S to S would be mapped to another.
    fn separation(&self, mapped: &[(usize, Option<usize>)]) -> Result<(), Flaw> {
        let branches = &self.proof.branches;
        let mut done = vec![false; branches.len()];
        for source in &self.proof.sources {
            let from = source.branch;
            let here = at(Place::Source(from));
            let branch = branches.get(from).ok_or_else(|| here(Why::NoSuchItem))?;
            entries(self.plays.len() * branches.len(), source.trees.len()).map_err(&here)?;
            for (k, tree) in source.trees.iter().enumerate() {
                let (play, to) = (k / branches.len(), k % branches.len());
                let place = Place::Separation { from, play, to };
                let system =
                    self.moves(branch, &self.plays[play], &branches[to]).map_err(at(place))?;
                self.tree(tree, system, &Leaf::Empty, |_| place)?;
            }
            done[from] = true;
        }
        loop {
            let finished =
                |&&(i, into): &&(usize, Option<usize>)| !done[i] && into.is_none_or(|j| done[j]);
            match mapped.iter().find(finished) {
                Some(&(i, _)) => done[i] = true,
                None => break,
            }
        }
        match done.iter().position(|&d| !d) {
            Some(i) => Err(at(Place::Source(i))(Why::NotSeparated)),
            None => Ok(()),
        }
    }

    /// Moves from one branch to another. Variables: heights, further integers of the first branch,
    /// new heights of the stacks played in order, further integers of the second. Constraints: the
    /// first branch, the play, the second branch.
    fn moves(&self, from: &Branch, play: &Play, to: &Branch) -> Result<System, Why> {
        let first = self.stacks + bounded(from.extras)?;
        let after = first + play.stacks.len();
        let variables = after + bounded(to.extras)?;
        let new = |stack| first + play.stacks.iter().take_while(|&s| s < stack).count();
        let values = (0..self.stacks).map(|s| if play.stacks.contains(s) { new(s) } else { s });
        let values = values.chain(after..variables).map(|v| Row::variable(variables, v));
        let values: Vec<Row> = values.collect();
        let row = |c| Row::of(c, self.stacks + to.extras)?.substitute(&values);
        let target = to.constraints.iter().map(row).collect::<Result<Vec<_>, _>>()?;
        let system = self.system(from)?.with(play.rows(variables, new, false)).with(target);
        Ok(System { variables, ..system })
    }

    /// Misere play: every position of S has a move.
    fn playable(&self) -> Result<(), Flaw> {
        let (branches, trees) = (&self.proof.branches, &self.proof.playable);
        entries(branches.len(), trees.len()).map_err(at(Place::Playable(0)))?;
        for (i, (branch, tree)) in branches.iter().zip(trees).enumerate() {
            let system = self.system(branch).map_err(at(Place::Playable(i)))?;
            self.tree(tree, system, &Leaf::Playable, |_| Place::Playable(i))?;
        }
        Ok(())
    }

    /// That a rule does what it says wherever its constraints hold.
    fn rule(&self, rule: &Rule) -> Result<(), Why> {
        let variables = self.stacks + bounded(rule.extras)?;
        let rows = rule.constraints.iter().map(|c| Row::of(c, variables));
        let system = System::heights(self.stacks).with_variables(rule.extras);
        let system = system.with(rows.collect::<Result<Vec<_>, _>>()?);
        let mut values: Vec<Row> = (0..variables).map(|v| Row::variable(variables, v)).collect();
        let mut claims = Vec::new();
        if let Some(play) = rule.play {
            let play = self.plays.get(play).ok_or(Why::NoSuchItem)?;
            entries(play.stacks.len(), rule.heights.len())?;
            for form in &rule.heights {
                values.push(Row::of_form(form, variables)?);
            }
            let new = |stack| variables + play.stacks.iter().take_while(|&s| s < stack).count();
            let stay = rule.branch.is_some() && play.may_stay();
            for row in play.rows(values.len(), new, stay) {
                claims.push(row.substitute(&values)?);
            }
            let moved: Vec<(usize, Row)> =
                play.stacks.iter().map(|s| (s, values[new(s)].clone())).collect();
            moved.into_iter().for_each(|(s, row)| values[s] = row);
        } else {
            entries(0, rule.heights.len())?;
        }
        values.truncate(self.stacks);
        if let Some(branch) = rule.branch {
            let target = self.proof.branches.get(branch).ok_or(Why::NoSuchItem)?;
            claims.extend(self.substituted(target, values, &rule.witness, variables)?);
        }
        system.derive(claims, &rule.proofs)
    }

    /// The positions from which the coverage starts. Constraints: the least stack is at most each
    /// of its images under the listed symmetries, in the order of the stacks; then the exchange.
    fn domain(&self, domain: &Domain) -> Result<System, Why> {
        let at_most = |a: usize, b: usize| {
            let mut row = Row::variable(self.stacks, b);
            row.coefficients[a] = -1;
            row
        };
        let symmetries = &self.proof.symmetries;
        let mut system = System::heights(self.stacks);
        if let Some(least) = domain.least {
            if least >= self.stacks {
                return Err(Why::NoSuchItem);
            }
            let images = symmetries.iter().map(|g| g.image[least]);
            let images: std::collections::BTreeSet<usize> = images.collect();
            system =
                system.with(images.into_iter().filter(|&s| s != least).map(|s| at_most(least, s)));
        }
        if let Some((a, b, g)) = domain.exchange {
            let image = &symmetries.get(g).ok_or(Why::NoSuchItem)?.image;
            let fixed = domain.least.is_none_or(|s| image[s] == s);
            if a == b || image.get(a) != Some(&b) || image.get(b) != Some(&a) || !fixed {
                return Err(Why::NotAnExchange);
            }
            system = system.with([at_most(a, b)]);
        }
        Ok(system)
    }

    /// Walks through a tree; the number of its leaves.
    fn tree(
        &self,
        nodes: &[Node],
        root: System,
        leaf: &Leaf,
        place: impl Fn(usize) -> Place,
    ) -> Result<usize, Flaw> {
        let mut open = vec![root];
        let mut leaves = 0;
        for (i, node) in nodes.iter().enumerate() {
            let here = at(place(i));
            let system = open.pop().ok_or_else(|| here(Why::BrokenTree))?;
            let children = self.node(node, system, leaf).map_err(here)?;
            leaves += usize::from(children.is_empty());
            open.extend(children.into_iter().rev());
        }
        match open.is_empty() {
            true => Ok(leaves),
            false => Err(at(place(nodes.len()))(Why::BrokenTree)),
        }
    }

    /// The children of a node; a leaf has none.
    fn node(&self, node: &Node, system: System, leaf: &Leaf) -> Result<Vec<System>, Why> {
        match node {
            Node::Split(form) => {
                let row = Row::of_form(form, system.variables)?;
                let mut reverse = Row { constant: -1, ..Row::zero(system.variables) };
                reverse.add(-1, &row)?;
                Ok(vec![system.clone().with([row]), system.with([reverse])])
            }
            Node::Residue(form, modulus) => {
                if !(1..=4096).contains(modulus) {
                    return Err(Why::BadModulus);
                }
                let quotient = system.variables;
                let child = |rest: i64| {
                    let mut row = Row::of_form(form, quotient)?;
                    row.add(-i128::from(*modulus), &Row::variable(quotient + 1, quotient))?;
                    row.constant = row.constant.checked_sub(rest.into()).ok_or(Why::Overflow)?;
                    row.equation = true;
                    Ok(system.clone().with_variables(1).with([row]))
                };
                (0..*modulus).map(child).collect()
            }
            Node::Empty(farkas) => system.refute(farkas).map(|()| Vec::new()),
            Node::Rule { rule, symmetry, bind, proofs } => {
                let rule = self.proof.rules.get(*rule).ok_or(Why::NoSuchItem)?;
                let proves = match leaf {
                    Leaf::Empty => false,
                    Leaf::Playable => rule.play.is_some() && rule.branch.is_none(),
                    Leaf::Coverage => rule.branch.is_some(),
                };
                if !proves {
                    return Err(Why::WrongLeaf);
                }
                let mut values: Vec<usize> = (0..self.stacks).collect();
                if let Some(g) = symmetry {
                    values = self.proof.symmetries.get(*g).ok_or(Why::NoSuchItem)?.image.clone();
                }
                entries(rule.extras, bind.len())?;
                values.extend(bind);
                if let Some(&v) = values.iter().find(|&&v| v >= system.variables) {
                    return Err(Why::NoSuchVariable(v));
                }
                let values: Vec<Row> =
                    values.into_iter().map(|v| Row::variable(system.variables, v)).collect();
                let row = |c| Row::of(c, self.stacks + rule.extras)?.substitute(&values);
                let claims = rule.constraints.iter().map(row).collect::<Result<Vec<_>, _>>()?;
                system.derive(claims, proofs).map(|()| Vec::new())
            }
            Node::Terminal(refutations) => {
                if *leaf != Leaf::Coverage || !self.misere {
                    return Err(Why::WrongLeaf);
                }
                entries(self.plays.len(), refutations.len())?;
                for (play, farkas) in self.plays.iter().zip(refutations) {
                    self.unplayable(&system, play, farkas)?;
                }
                Ok(Vec::new())
            }
        }
    }

    /// That no move of the play is possible. Variables: those of the system, then the new heights
    /// of the stacks played.
    fn unplayable(&self, system: &System, play: &Play, farkas: &Farkas) -> Result<(), Why> {
        let new = |s| system.variables + play.stacks.iter().take_while(|&other| other < s).count();
        let variables = system.variables + play.stacks.len();
        let rows = play.rows(variables, new, false);
        let with = system.clone().with_variables(play.stacks.len()).with(rows);
        with.refute(farkas)
    }
}

/// The branch under new names of the stacks.
fn relabelled(branch: &Branch, image: &[usize]) -> Branch {
    let mut moved = branch.clone();
    for constraint in &mut moved.constraints {
        for term in &mut constraint.form.1 {
            term.0 = *image.get(term.0).unwrap_or(&term.0);
        }
    }
    moved
}
