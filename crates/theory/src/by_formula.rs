//! Games whose P-positions are given by a formula without xor.
//!
//! The formula is a union of branches, each a system of linear constraints. A move into a branch
//! by a facet is an integer point of a small polyhedron: the new heights of the facet's stacks,
//! between 0 and the old ones. [`FormulaSolution`] goes through facets and branches, most of which
//! come down to an interval for one number; the others are solved in general.

use crate::options::Options;
use crate::plan::Plan;
use crate::reason::Reason;
use crate::theorem::{Solution, WinningMove};
use nimatron_formula::{Context, Formula};
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Family, Height, Outcome, StackSet, Take};
use nimatron_linear::Constraint;
use nimatron_meaning::{BranchError, CompileError, Evaluator, branches};
use std::collections::BTreeSet;

/// More branches than this are not worth having.
const MOST_BRANCHES: usize = 20_000;

/// More symmetries than this are not listed.
const MOST_SYMMETRIES: usize = 10_000;

/// A game solved by a formula.
#[derive(Debug)]
pub(crate) struct FormulaSolution {
    family: Family,
    text: String,
    evaluator: Evaluator,
    facets: Vec<StackSet>,
    branches: Vec<Vec<Constraint>>,
    /// Moves into a branch by a facet, those that are found most often first.
    plans: Vec<Plan>,
    /// Branches and facets without a plan.
    others: Vec<(usize, StackSet)>,
}

/// How many positions decide which plans are tried first.
const TRIALS: usize = 400;

/// Why a formula does not solve a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum LinearError {
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
    pub(crate) fn new(family: &Family, formula: &Formula, text: &str) -> Result<Self, LinearError> {
        let rule = family.rule();
        let n = rule.stacks();
        let elements = Symmetry::of(&rule).elements_up_to(MOST_SYMMETRIES);
        let elements = elements.ok_or(LinearError::Symmetries)?;
        let images: Vec<Vec<usize>> = elements.iter().map(|e| e.images().collect()).collect();
        let evaluator = Evaluator::new(formula, &Context::of_rule(&rule), &images)?;
        let branches = branches(formula, n, &images, MOST_BRANCHES)?;
        if branches.iter().any(|b| !b.integers.is_empty()) {
            return Err(LinearError::Variables);
        }
        let mut branches: Vec<Vec<Constraint>> =
            branches.into_iter().map(|b| b.constraints).collect();
        // Branches with few equations hold the bulk of the positions: try them first.
        branches.sort_by_key(|b| b.iter().filter(|c| c.equation).count());
        for branch in &mut branches {
            branch.sort_by_key(|c| !c.equation);
        }
        let facets: Vec<StackSet> = rule.sets().iter().collect();
        let (mut plans, mut others) = (Vec::new(), Vec::new());
        for (i, branch) in branches.iter().enumerate() {
            for &facet in &facets {
                match Plan::new(branch, facet, n) {
                    Some(plan) => plans.push(plan),
                    None => others.push((i, facet)),
                }
            }
        }
        let (family, text) = (family.clone(), text.into());
        let plans = most_useful_first(plans, n);
        Ok(FormulaSolution { family, text, evaluator, facets, branches, plans, others })
    }

    /// Winning moves, at most `limit` of them, in lexicographic order of facets and branches; the
    /// flag tells whether these are all. Exact at any height.
    pub(crate) fn winning_moves(&self, heights: &[Height], limit: usize) -> (Vec<Take>, bool) {
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
    fn options(
        &self,
        heights: &[Height],
        facet: StackSet,
        branch: &[Constraint],
    ) -> Option<Options> {
        if !branch.iter().all(|c| can_hold(c, heights, facet)) {
            return None;
        }
        let mut options = Options::new(heights, facet).expect("a facet has few stacks");
        for constraint in branch {
            options.require(constraint).expect("coefficients are small");
        }
        Some(options)
    }
}

/// The moves to these options, the first `limit` of them.
fn takes(heights: &[Height], options: BTreeSet<Vec<Height>>, limit: usize) -> Vec<Take> {
    let take = |to: Vec<Height>| heights.iter().zip(to).map(|(h, t)| h - t).collect();
    options.into_iter().take(limit).map(|to| Take::new(take(to))).collect()
}

/// The plans in the order in which they are best tried: again and again the one that serves most
/// of the positions that none before it serves. The positions are always the same.
fn most_useful_first(plans: Vec<Plan>, n: usize) -> Vec<Plan> {
    let mut state = 0u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 24
    };
    let scales = [3, 100, 1_000_000_000, 1_000_000_000];
    let trials: Vec<Vec<Height>> =
        (0..TRIALS).map(|i| (0..n).map(|_| next() % scales[i % scales.len()]).collect()).collect();
    let serves = |plan: &Plan| -> Vec<usize> {
        (0..TRIALS).filter(|&i| plan.succeeds(&trials[i])).collect()
    };
    let mut left: Vec<(Vec<usize>, Plan)> = plans.into_iter().map(|p| (serves(&p), p)).collect();
    let mut ordered = Vec::with_capacity(left.len());
    let mut served = vec![false; TRIALS];
    while !left.is_empty() {
        let fresh = |served: &[usize], done: &[bool]| served.iter().filter(|&&i| !done[i]).count();
        let gain = |i: &usize| (fresh(&left[*i].0, &served), std::cmp::Reverse(*i));
        let best = (0..left.len()).max_by_key(gain).expect("some are left");
        if fresh(&left[best].0, &served) == 0 {
            // The rest as they were, those that serve anything first.
            left.sort_by_key(|(served, _)| std::cmp::Reverse(served.len()));
            ordered.extend(left.drain(..).map(|(_, plan)| plan));
            break;
        }
        let (trials, plan) = left.remove(best);
        trials.into_iter().for_each(|i| served[i] = true);
        ordered.push(plan);
    }
    ordered
}

/// Whether the constraint can hold when the stacks of the facet take any heights up to theirs.
fn can_hold(constraint: &Constraint, heights: &[Height], facet: StackSet) -> bool {
    let constant = i128::from(constraint.form.constant);
    let (mut low, mut high) = (constant, constant);
    for (stack, c) in constraint.form.terms() {
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
    high >= 0 && (low <= 0 || !constraint.equation)
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
        let won = |facet, after: Vec<Height>| {
            Some(WinningMove::to(heights, &after, vec![Reason::PlayedOn { facet }]))
        };
        // No move leads from P to P: from a P-position a plan finds nothing, or the position itself.
        for plan in &self.plans {
            if let Some(after) = plan.find(heights) {
                return if after == heights { None } else { won(plan.facet(), after) };
            }
        }
        if self.outcome(heights) == Outcome::P {
            return None;
        }
        for &(branch, facet) in &self.others {
            let branch = &self.branches[branch];
            let Some(options) = self.options(heights, facet, branch) else { continue };
            if let Some(after) = options.find().expect("coefficients are small") {
                return won(facet, after);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::fixed;
    use crate::testing::Random;

    /// What a plan finds is there, and what it does not find is not.
    #[test]
    fn plans_agree_with_the_general_solution() {
        let mut random = Random::new(23);
        let mut found = 0;
        for theorem in fixed::all() {
            let (family, formula) = (theorem.family(), theorem.formula());
            let solution = FormulaSolution::new(family, formula, theorem.formula_text()).unwrap();
            let (n, rule) = (family.stacks(), family.rule());
            for _ in 0..3 {
                let top = 2 + random.below(9);
                let heights: Vec<Height> = (0..n).map(|_| random.below(top)).collect();
                if solution.outcome(&heights) == Outcome::P {
                    continue;
                }
                for branch in &solution.branches {
                    for facet in rule.sets().iter() {
                        let Some(plan) = Plan::new(branch, facet, n) else { continue };
                        let general = solution.options(&heights, facet, branch);
                        let general = general.and_then(|options| options.find().unwrap());
                        let planned = plan.find(&heights);
                        assert_eq!(planned.is_some(), general.is_some(), "{family} {heights:?}");
                        if let Some(after) = planned {
                            found += 1;
                            assert_eq!(solution.outcome(&after), Outcome::P);
                            let changed = (0..n).filter(|&s| after[s] != heights[s]);
                            assert!(changed.collect::<StackSet>().is_subset(facet));
                            assert!(after.iter().zip(&heights).all(|(a, h)| a <= h));
                        }
                    }
                }
            }
        }
        assert!(found > 100, "{found}");
    }

    #[test]
    fn most_moves_need_no_general_solution() {
        for theorem in fixed::all().iter().filter(|t| t.family().stacks() >= 7) {
            let (family, formula) = (theorem.family(), theorem.formula());
            let solution = FormulaSolution::new(family, formula, theorem.formula_text()).unwrap();
            let mut random = Random::new(29);
            let n = family.stacks();
            let planned =
                |heights: &Vec<Height>| solution.plans.iter().any(|p| p.succeeds(heights));
            let positions = (0..200).map(|_| (0..n).map(|_| random.below(1 << 40)).collect());
            let count = positions.filter(planned).count();
            assert!(count >= 180, "{family}: {count} of 200");
        }
    }
}
