//! Games whose P-positions are given by a formula without xor.
//!
//! The formula is a union of branches, each a system of linear constraints. A move into a branch
//! by a facet is an integer point of a small polyhedron: the new heights of the facet's stacks,
//! between 0 and the old ones. [`FormulaSolution`] goes through facets and branches, leaves those
//! out whose constraints cannot be met within the bounds, and solves the rest exactly.

use crate::integer::{Options, Relation};
use crate::reason::Reason;
use crate::theorem::{Solution, WinningMove};
use nimatron_formula::{
    Branch, BranchError, CompileError, Constraint, Context, Evaluator, Formula, branches,
};
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Family, Height, Outcome, StackSet, Take};
use std::collections::BTreeSet;

/// More branches than this are not worth having.
const MOST_BRANCHES: usize = 20_000;

/// More symmetries than this are not listed.
const MOST_SYMMETRIES: usize = 10_000;

/// A game solved by a formula.
#[derive(Debug)]
pub struct FormulaSolution {
    family: Family,
    text: String,
    evaluator: Evaluator,
    facets: Vec<StackSet>,
    branches: Vec<Branch>,
}

/// Why a formula does not solve a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LinearError {
    /// The formula is not a union of linear branches.
    #[error(transparent)]
    Branches(#[from] BranchError),
    /// The formula cannot be evaluated.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The game has too many symmetries to list.
    #[error("the game has too many symmetries to list")]
    Symmetries,
    /// A span or a remainder adds variables, which this solution does not handle.
    #[error("the formula has variables besides the heights")]
    Variables,
}

impl FormulaSolution {
    /// The solution of a SetNim game whose P-positions are those of the formula.
    pub fn new(family: &Family, formula: &Formula, text: &str) -> Result<Self, LinearError> {
        let rule = family.rule();
        let n = rule.stacks();
        let elements = Symmetry::of(&rule).elements_up_to(MOST_SYMMETRIES);
        let elements = elements.ok_or(LinearError::Symmetries)?;
        let images: Vec<Vec<usize>> = elements.iter().map(|e| e.images().collect()).collect();
        let evaluator = Evaluator::new(formula, &Context::of_rule(&rule), &images)?;
        let mut branches = branches(formula, n, &images, MOST_BRANCHES)?;
        if branches.iter().any(|b| !b.extras.is_empty()) {
            return Err(LinearError::Variables);
        }
        // Branches with few equations hold the bulk of the positions: try them first.
        branches.sort_by_key(|b| b.constraints.iter().filter(|c| c.is_equation).count());
        for branch in &mut branches {
            branch.constraints.sort_by_key(|c| !c.is_equation);
            branch.constraints.iter_mut().for_each(|c| c.coefficients.resize(n, 0));
        }
        let facets = rule.sets().iter().collect();
        Ok(FormulaSolution {
            family: family.clone(),
            text: text.into(),
            evaluator,
            facets,
            branches,
        })
    }

    /// Winning moves, at most `limit` of them, in lexicographic order of facets and branches; the
    /// flag tells whether these are all. Exact at any height.
    pub fn winning_moves(&self, heights: &[Height], limit: usize) -> (Vec<Take>, bool) {
        let mut found: BTreeSet<Vec<Height>> = BTreeSet::new();
        for &facet in &self.facets {
            for branch in &self.branches {
                let Some(options) = self.options(heights, facet, branch) else { continue };
                // One more than there is room for shows that there are more. What was found on
                // other facets may come again, so as many more must be asked for.
                let Ok(list) = options.list(limit.saturating_add(found.len() + 1)) else {
                    return (takes(heights, found, limit), false);
                };
                found.extend(list);
                if found.len() > limit {
                    return (takes(heights, found, limit), false);
                }
            }
        }
        (takes(heights, found, limit), true)
    }

    /// The options on a facet that lie in a branch, unless bounds alone rule them out.
    fn options(&self, heights: &[Height], facet: StackSet, branch: &Branch) -> Option<Options> {
        if !branch.constraints.iter().all(|c| can_hold(c, heights, facet)) {
            return None;
        }
        let mut options = Options::new(heights, facet, &[]).expect("a facet has few stacks");
        for constraint in &branch.constraints {
            let row: Vec<i128> = constraint.coefficients.iter().map(|&c| c.into()).collect();
            let relation =
                if constraint.is_equation { Relation::Zero } else { Relation::NonNegative };
            let added = options.require(&row, constraint.constant.into(), relation);
            added.expect("coefficients are small");
        }
        Some(options)
    }
}

/// The moves to these options, the first `limit` of them.
fn takes(heights: &[Height], options: BTreeSet<Vec<Height>>, limit: usize) -> Vec<Take> {
    let take = |to: Vec<Height>| heights.iter().zip(to).map(|(h, t)| h - t).collect();
    options.into_iter().take(limit).map(|to| Take::new(take(to))).collect()
}

/// Whether the constraint can hold when the stacks of the facet take any heights up to theirs.
fn can_hold(constraint: &Constraint, heights: &[Height], facet: StackSet) -> bool {
    let (mut low, mut high) = (i128::from(constraint.constant), i128::from(constraint.constant));
    for (stack, &c) in constraint.coefficients.iter().enumerate() {
        if c == 0 {
            continue;
        }
        let most = i128::from(c) * i128::from(heights[stack]);
        if !facet.contains(stack) {
            low += most;
            high += most;
        } else if c > 0 {
            high += most;
        } else {
            low += most;
        }
    }
    high >= 0 && (low <= 0 || !constraint.is_equation)
}

impl Solution for FormulaSolution {
    fn stacks(&self) -> usize {
        self.family.stacks()
    }

    fn family(&self) -> Option<Family> {
        Some(self.family.clone())
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.evaluator.holds(heights) { Outcome::P } else { Outcome::N }
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        if self.outcome(heights) == Outcome::P {
            return None;
        }
        for branch in &self.branches {
            for &facet in &self.facets {
                let Some(options) = self.options(heights, facet, branch) else { continue };
                let found = options.find().expect("coefficients are small");
                if let Some(after) = found {
                    let reasons = vec![Reason::PlayedOn { facet }];
                    return Some(WinningMove::to(heights, &after, reasons));
                }
            }
        }
        unreachable!("the formula is a theorem: every N-position has a move into it")
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        vec![Reason::Formula { text: self.text.clone(), holds: self.evaluator.holds(heights) }]
    }

    fn formula(&self) -> Option<String> {
        Some(self.text.clone())
    }
}
