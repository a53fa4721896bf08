//! The normal form of a statement: a union of linear systems.

use crate::statement::{BranchError, Clause, Statement};
use nimatron_formula::Formula;
use nimatron_linear::{Constraint, tidied};
use std::collections::{BTreeMap, BTreeSet};

/// A linear system over the integers: one way through the alternatives of a statement.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Branch {
    /// The constraints in normal form. The first variables are the heights, which are understood to
    /// be at least zero; those that follow belong to the branch.
    pub constraints: Vec<Constraint>,
    /// Which integers of the statement the variables after the heights are.
    pub integers: Vec<usize>,
    /// Which alternative is taken wherever the statement has some, in the order of the statement.
    pub choices: Vec<usize>,
}

/// The branches of a formula on `stacks` stacks: it holds exactly where one of them does.
/// `symmetries` lists the group that `sym` ranges over, the identity included.
///
/// ```
/// use nimatron_formula::{Context, Formula};
/// use nimatron_meaning::branches;
/// let formula = Formula::parse("a = min, b = c+1 or b < c", &Context::new(3)).unwrap();
/// let found = branches(&formula, 3, &[vec![0, 1, 2]], 100).unwrap();
/// assert_eq!(found.len(), 2);
/// ```
pub fn branches(
    formula: &Formula,
    stacks: usize,
    symmetries: &[Vec<usize>],
    limit: usize,
) -> Result<Vec<Branch>, BranchError> {
    Statement::new(formula, stacks, symmetries)?.branches(limit)
}

impl Statement {
    /// The branches, sorted by their constraints, without those that cannot hold for evident reasons
    /// or repeat another with further constraints; an error if there are more than `limit` ways
    /// through the alternatives.
    pub fn branches(&self, limit: usize) -> Result<Vec<Branch>, BranchError> {
        let mut systems: BTreeMap<Vec<Constraint>, Vec<usize>> = BTreeMap::new();
        for way in (Walk { stacks: self.stacks, limit }).ways(&self.clause)? {
            let Some(mut system) = tidied(way.constraints) else { continue };
            system.retain(|constraint| !constraint.evident(self.stacks));
            systems.entry(system).or_insert(way.choices);
        }
        let all: Vec<&Vec<Constraint>> = systems.keys().collect();
        let kept = least(&all);
        let mut found: Vec<Branch> = systems
            .into_iter()
            .zip(kept)
            .filter(|(_, kept)| *kept)
            .map(|((constraints, choices), _)| self.branch(constraints, choices))
            .collect();
        found.sort();
        Ok(found)
    }

    /// The constraints on the way that the choices lead, in the order of the statement; `None` if
    /// there is no such way.
    pub fn along(&self, choices: &[usize]) -> Option<Vec<Constraint>> {
        let mut choices = choices.iter().copied();
        let mut found = Vec::new();
        self.clause.follow(&mut choices, &mut found)?;
        choices.next().is_none().then_some(found)
    }

    /// The branch of a system, in variables of its own.
    fn branch(&self, constraints: Vec<Constraint>, choices: Vec<usize>) -> Branch {
        let used = constraints.iter().flat_map(|c| c.form.terms().map(|(v, _)| v));
        let used: BTreeSet<usize> = used.filter(|&v| v >= self.stacks).collect();
        let mut image: Vec<usize> = (0..self.stacks + self.integers).collect();
        used.iter().enumerate().for_each(|(i, &v)| image[v] = self.stacks + i);
        let mut constraints: Vec<Constraint> =
            constraints.iter().map(|c| c.relabel(&image).upright()).collect();
        constraints.sort();
        let integers = used.into_iter().map(|v| v - self.stacks).collect();
        Branch { constraints, integers, choices }
    }
}

impl Clause {
    fn follow(
        &self,
        choices: &mut impl Iterator<Item = usize>,
        found: &mut Vec<Constraint>,
    ) -> Option<()> {
        match self {
            Clause::Constraint(constraint) => found.push(constraint.clone()),
            Clause::All(parts) => parts.iter().try_for_each(|part| part.follow(choices, found))?,
            Clause::Any(parts) => parts.get(choices.next()?)?.follow(choices, found)?,
        }
        Some(())
    }
}

/// Which of the sorted systems hold no other one among their constraints.
fn least(systems: &[&Vec<Constraint>]) -> Vec<bool> {
    let contains = |big: &[Constraint], small: &[Constraint]| {
        small.len() < big.len() && small.iter().all(|c| big.binary_search(c).is_ok())
    };
    let is_least = |big: &&Vec<Constraint>| !systems.iter().any(|small| contains(big, small));
    systems.iter().map(is_least).collect()
}

/// A way through the alternatives, and the constraints on it.
#[derive(Clone, Default)]
struct Way {
    choices: Vec<usize>,
    constraints: Vec<Constraint>,
}

impl Way {
    fn and(&self, other: &Way) -> Way {
        Way {
            choices: [&self.choices[..], &other.choices].concat(),
            constraints: [&self.constraints[..], &other.constraints].concat(),
        }
    }
}

struct Walk {
    stacks: usize,
    limit: usize,
}

impl Walk {
    /// The ways through a clause, without those that evidently lead nowhere.
    fn ways(&self, clause: &Clause) -> Result<Vec<Way>, BranchError> {
        match clause {
            Clause::Constraint(constraint) => {
                let form = &constraint.form;
                let falls = !constraint.equation
                    && form.reach() <= self.stacks
                    && form.constant < 0
                    && form.coefficients().iter().all(|&c| c <= 0);
                let way = Way { choices: Vec::new(), constraints: vec![constraint.clone()] };
                Ok(if falls { Vec::new() } else { vec![way] })
            }
            Clause::All(parts) => {
                let mut found = vec![Way::default()];
                for part in parts {
                    let more = self.ways(part)?;
                    self.check(found.len().saturating_mul(more.len()))?;
                    let pairs = found.iter().flat_map(|way| more.iter().map(|next| way.and(next)));
                    found = pairs.collect();
                }
                Ok(found)
            }
            Clause::Any(parts) => {
                let mut found = Vec::new();
                for (number, part) in parts.iter().enumerate() {
                    let first = Way { choices: vec![number], constraints: Vec::new() };
                    let here = self.ways(part)?.into_iter().map(|way| first.and(&way));
                    let here: Vec<Way> = here.collect();
                    let evident = |c: &Constraint| c.evident(self.stacks);
                    // Where one alternative always holds the others are not needed.
                    if let Some(way) = here.iter().find(|way| way.constraints.iter().all(evident)) {
                        return Ok(vec![way.clone()]);
                    }
                    found.extend(here);
                    self.check(found.len())?;
                }
                Ok(found)
            }
        }
    }

    fn check(&self, ways: usize) -> Result<(), BranchError> {
        if ways > self.limit { Err(BranchError::TooMany(self.limit)) } else { Ok(()) }
    }
}
