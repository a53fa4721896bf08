//! (I): no move leads from S to S.

use super::cell::{Cell, Sample};
use super::problem::{Image, Problem};
use super::written::{farkas, form as written};
use super::{Failure, FormulaCounterexample, Limits, Reason};
use nimatron_game::{Take, Watch};
use nimatron_linear::{Answer, Constraint, Form, Multipliers, Overflow, Solver};
use nimatron_verify::regions as cert;

/// How deep a single refutation may branch on fractions.
const MAX_DEPTH: usize = 60;

/// Shows (I) for one branch of each orbit, and how it is mapped to the others.
pub(crate) fn separate(
    problem: &Problem,
    watch: &dyn Watch,
    limits: &Limits,
) -> Result<Vec<(usize, cert::Source)>, Failure> {
    let mut images = problem.images(watch)?;
    let mut done = vec![false; problem.branches.len()];
    let mut sources = Vec::new();
    while let Some(branch) = done.iter().position(|&d| !d) {
        let mut trees = Vec::with_capacity(problem.plays.len() * problem.branches.len());
        for play in 0..problem.plays.len() {
            let base = Moves::new(problem, branch, play)?;
            for to in 0..problem.branches.len() {
                watch.check(0).map_err(Failure::stopped)?;
                trees.push(base.refute(to, limits)?);
            }
        }
        sources.push((branch, cert::Source::Trees(trees)));
        done[branch] = true;
        // Whatever is mapped into what is done.
        while let Some(i) = images.iter().position(|i| !done[i.from] && done[i.into.number]) {
            let Image { from, symmetry, into } = images.swap_remove(i);
            let extras = into.extras.iter().map(written).collect();
            let (into, proofs) = (into.number, into.proofs);
            sources.push((from, cert::Source::Image { symmetry, into, extras, proofs }));
            done[from] = true;
        }
    }
    Ok(sources)
}

/// Moves by a play from a branch.
struct Moves<'a> {
    problem: &'a Problem,
    play: usize,
    /// The first new height.
    first: usize,
    /// Constraints so far, after those of the heights.
    constraints: Vec<Constraint>,
    solver: Result<Solver, Multipliers>,
}

impl<'a> Moves<'a> {
    fn new(problem: &'a Problem, branch: usize, play: usize) -> Result<Self, Overflow> {
        let n = problem.stacks;
        let from = &problem.branches[branch];
        let set = problem.plays[play].stacks;
        let first = n + from.extras;
        let mut constraints = from.constraints.clone();
        let moves = &problem.plays[play];
        constraints.extend(moves.constraints(|s| first + moves.place(s), false)?);
        let mut solver = Solver::new();
        (0..n).for_each(|s| solver.add_height(s));
        (0..from.extras).for_each(|_| solver.add_free());
        // A new height's own bound is one of the rows.
        let bound = |v: usize| constraints.iter().position(|c| c.form == Form::variable(v));
        let bounds: Vec<Option<usize>> = (first..first + set.len()).map(bound).collect();
        for bound in &bounds {
            match bound {
                Some(i) => solver.add_height(n + i),
                None => solver.add_free(),
            }
        }
        for (i, constraint) in constraints.iter().enumerate() {
            if bounds.contains(&Some(i)) {
                continue;
            }
            if let Answer::Infeasible(m) = solver.add(constraint, n + i)? {
                return Ok(Moves { problem, play, first, constraints, solver: Err(m) });
            }
        }
        Ok(Moves { problem, play, first, constraints, solver: Ok(solver) })
    }

    /// A tree that shows that no move leads to the branch.
    fn refute(&self, to: usize, limits: &Limits) -> Result<Vec<cert::Node>, Failure> {
        let solver = match &self.solver {
            Err(m) => return Ok(vec![cert::Node::Empty(farkas(m, usize::MAX)?)]),
            Ok(solver) => solver,
        };
        let play = &self.problem.plays[self.play];
        let target = &self.problem.branches[to];
        let after = self.first + play.stacks.len();
        let new = |s: usize| match play.stacks.contains(s) {
            true => self.first + play.place(s),
            false => s,
        };
        let mut solver = solver.clone();
        (0..target.extras).for_each(|_| solver.add_free());
        let mut path = self.constraints.clone();
        for constraint in target.moved(self.problem.stacks, new, after) {
            let number = self.problem.stacks + path.len();
            if let Answer::Infeasible(m) = solver.add(&constraint, number)? {
                return Ok(vec![cert::Node::Empty(farkas(&m, usize::MAX)?)]);
            }
            path.push(constraint);
        }
        let heights = self.problem.stacks;
        let extras = after + target.extras - heights;
        let cell = Cell { solver, path, heights, extras, pool: Vec::new() };
        let mut nodes = Vec::new();
        self.branch(cell, 0, limits, &mut nodes)?;
        Ok(nodes)
    }

    /// The system is feasible over the rationals: an integer point is a counterexample; a fraction
    /// is split.
    fn branch(
        &self,
        cell: Cell,
        depth: usize,
        limits: &Limits,
        nodes: &mut Vec<cert::Node>,
    ) -> Result<(), Failure> {
        let row = match cell.vertex()? {
            Sample::Integers(x) => return Err(self.counterexample(&x)),
            Sample::Split(row) => row,
        };
        if depth > MAX_DEPTH || nodes.len() as u64 > limits.nodes {
            return Err(Failure::Undecided(Reason::Depth(MAX_DEPTH)));
        }
        nodes.push(cert::Node::Split(written(&row)));
        for row in [row.clone(), row.complement()] {
            match cell.with(&Constraint::at_least_zero(row))? {
                Err(m) => nodes.push(cert::Node::Empty(farkas(&m, usize::MAX)?)),
                Ok(cell) => self.branch(cell, depth + 1, limits, nodes)?,
            }
        }
        Ok(())
    }

    fn counterexample(&self, x: &[i128]) -> Failure {
        let set = self.problem.plays[self.play].stacks;
        let mut take = vec![0; self.problem.stacks];
        for (i, s) in set.iter().enumerate() {
            take[s] = x[s] - x[self.first + i];
        }
        let narrow =
            |x: &[i128]| x.iter().map(|&h| u64::try_from(h).ok()).collect::<Option<Vec<_>>>();
        match (narrow(&x[..self.problem.stacks]), narrow(&take)) {
            (Some(heights), Some(take)) => {
                FormulaCounterexample::claimed(self.problem, heights, Take::new(take))
            }
            _ => Failure::Undecided(Reason::TooTall),
        }
    }
}
