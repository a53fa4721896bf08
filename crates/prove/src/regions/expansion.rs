//! The branches cover S: a tree that takes the statement of the formula apart.

use super::Failure;
use super::cell::Cell;
use super::problem::{Likely, Piece, Problem, included};
use super::row::{Row, farkas};
use super::statement::Statement;
use crate::lp::Multipliers;
use nimatron_game::Watch;
use nimatron_verify::regions as cert;

/// The tree.
pub(crate) fn expansion(problem: &Problem, watch: &dyn Watch) -> Result<Vec<cert::Node>, Failure> {
    let mut cell = Cell::new(problem.stacks);
    (0..problem.extras).for_each(|_| {
        cell.add_extra();
    });
    let likely = Likely::new(problem.stacks, &problem.branches);
    let mut tree = Tree { problem, watch, likely, nodes: Vec::new() };
    tree.grow(cell, Vec::new(), &problem.statement)?;
    Ok(tree.nodes)
}

/// Alternatives that have not been considered yet.
type Open<'a> = Vec<&'a [Statement]>;

struct Tree<'a> {
    problem: &'a Problem,
    watch: &'a dyn Watch,
    likely: Likely,
    nodes: Vec<cert::Node>,
}

impl<'a> Tree<'a> {
    /// Adds a statement to what holds in the cell, and the tree of what is left.
    fn grow(
        &mut self,
        mut cell: Cell,
        mut open: Open<'a>,
        statement: &'a Statement,
    ) -> Result<(), Failure> {
        self.watch.check(0).map_err(Failure::stopped)?;
        if let Err(m) = assume(&mut cell, &mut open, statement)? {
            self.nodes.push(cert::Node::Empty(farkas(&m, cell.next())?));
            return Ok(());
        }
        let problem = self.problem;
        let piece = Piece { limits: cell.path.clone(), extras: problem.extras };
        let (list, likely) = (&problem.branches, self.likely.find(&piece));
        if let Some(found) = included(problem.stacks, &cell.solver, &piece, list, likely)? {
            self.nodes.push(cert::Node::Branch {
                branch: found.number,
                extras: found.extras.iter().map(Row::form).collect(),
                proofs: found.proofs,
            });
            return Ok(());
        }
        if open.is_empty() {
            return Err(Failure::internal("the formula is read in two ways"));
        }
        // Nothing is learnt where some alternative always holds.
        let useful = |parts: &&[Statement]| !parts.iter().any(|part| part.evident(problem.stacks));
        let place = open.iter().position(useful).unwrap_or(0);
        self.nodes.push(cert::Node::Cases(place));
        let alternatives = open.remove(place);
        for alternative in alternatives {
            self.grow(cell.clone(), open.clone(), alternative)?;
        }
        Ok(())
    }
}

/// Adds the constraints that a statement has in any case; or why they contradict the others.
fn assume<'a>(
    cell: &mut Cell,
    open: &mut Open<'a>,
    statement: &'a Statement,
) -> Result<Result<(), Multipliers>, Failure> {
    match statement {
        Statement::Any(parts) => open.push(parts),
        Statement::All(parts) => {
            for part in parts {
                if let Err(m) = assume(cell, open, part)? {
                    return Ok(Err(m));
                }
            }
        }
        Statement::Limit((row, equation)) => match cell.with(row, *equation)? {
            Ok(next) => *cell = next,
            Err(m) => return Ok(Err(m)),
        },
    }
    Ok(Ok(()))
}
