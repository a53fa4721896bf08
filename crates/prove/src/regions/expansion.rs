//! The branches cover S: a tree that takes the statement of the formula apart.

use super::Failure;
use super::cell::Cell;
use super::problem::{Likely, Piece, Problem, included};
use super::written::{farkas, form as written};
use nimatron_game::Watch;
use nimatron_linear::Multipliers;
use nimatron_meaning::Clause;
use nimatron_verify::regions as cert;

/// The tree.
pub(crate) fn expansion(problem: &Problem, watch: &dyn Watch) -> Result<Vec<cert::Node>, Failure> {
    let mut cell = Cell::new(problem.stacks);
    (0..problem.statement.integers).for_each(|_| {
        cell.add_extra();
    });
    let likely = Likely::new(problem.stacks, &problem.branches);
    let mut tree = Tree { problem, watch, likely, nodes: Vec::new() };
    tree.grow(cell, Vec::new(), &problem.statement.clause)?;
    Ok(tree.nodes)
}

/// Alternatives that have not been considered yet.
type Open<'a> = Vec<&'a [Clause]>;

struct Tree<'a> {
    problem: &'a Problem,
    watch: &'a dyn Watch,
    likely: Likely,
    nodes: Vec<cert::Node>,
}

impl<'a> Tree<'a> {
    /// Adds a clause to what holds in the cell, and the tree of what is left.
    fn grow(
        &mut self,
        mut cell: Cell,
        mut open: Open<'a>,
        clause: &'a Clause,
    ) -> Result<(), Failure> {
        self.watch.check(0).map_err(Failure::stopped)?;
        if let Err(m) = assume(&mut cell, &mut open, clause)? {
            self.nodes.push(cert::Node::Empty(farkas(&m, cell.next())?));
            return Ok(());
        }
        let problem = self.problem;
        let piece = Piece { constraints: cell.path.clone(), extras: problem.statement.integers };
        let (list, likely) = (&problem.branches, self.likely.find(&piece));
        if let Some(found) = included(problem.stacks, &cell.solver, &piece, list, likely)? {
            self.nodes.push(cert::Node::Branch {
                branch: found.number,
                extras: found.extras.iter().map(written).collect(),
                proofs: found.proofs,
            });
            return Ok(());
        }
        if open.is_empty() {
            return Err(Failure::internal("a way through the formula that is in no branch"));
        }
        // Nothing is learnt where some alternative always holds.
        let useful = |parts: &&[Clause]| !parts.iter().any(|part| part.evident(problem.stacks));
        let place = open.iter().position(useful).unwrap_or(0);
        self.nodes.push(cert::Node::Cases(place));
        let alternatives = open.remove(place);
        for alternative in alternatives {
            self.grow(cell.clone(), open.clone(), alternative)?;
        }
        Ok(())
    }
}

/// Adds the constraints that a clause has in any case; or why they contradict the others.
fn assume<'a>(
    cell: &mut Cell,
    open: &mut Open<'a>,
    clause: &'a Clause,
) -> Result<Result<(), Multipliers>, Failure> {
    match clause {
        Clause::Any(parts) => open.push(parts),
        Clause::All(parts) => {
            for part in parts {
                if let Err(m) = assume(cell, open, part)? {
                    return Ok(Err(m));
                }
            }
        }
        Clause::Constraint(constraint) => match cell.with(constraint)? {
            Ok(next) => *cell = next,
            Err(m) => return Ok(Err(m)),
        },
    }
    Ok(Ok(()))
}
