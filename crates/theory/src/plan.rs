//! Moves into a branch of a formula, worked out as far as possible before any position is known.
//!
//! For one branch and one facet the new heights on the facet are unknown and the other heights
//! are given. Equations with a coefficient of 1 or -1 are solved for an unknown once and for all.
//! Where at most one unknown is left, what remains is an interval for it, whose ends are linear
//! in the old heights.

use nimatron_game::{Height, StackSet};
use nimatron_linear::{self as linear, Constraint, Overflow};

/// How to find a move into one branch by one facet.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    facet: StackSet,
    /// What must hold, the quickest refusals first.
    conditions: Vec<Condition>,
    /// The new heights on the facet.
    heights: Vec<(usize, Form)>,
}

#[derive(Clone, Debug)]
struct Condition {
    form: Form,
    is_equation: bool,
}

/// A linear form in the old heights and the unknown that is left, ready to be evaluated.
#[derive(Clone, Debug)]
struct Form {
    terms: Vec<(usize, i64)>,
    constant: i64,
    unknown: i64,
}

impl Form {
    fn new(form: &linear::Form, n: usize, unknown: Option<usize>) -> Self {
        Form {
            terms: form.terms().filter(|(v, _)| *v < n).collect(),
            constant: form.constant,
            unknown: unknown.map_or(0, |v| form.at(v)),
        }
    }

    /// The value without the unknown.
    fn value(&self, heights: &[Height]) -> i128 {
        let term =
            |&(stack, factor): &(usize, i64)| i128::from(heights[stack]) * i128::from(factor);
        self.terms.iter().map(term).sum::<i128>() + i128::from(self.constant)
    }
}

impl Plan {
    /// The plan for a branch and a facet; `None` if more than one unknown is left, or an equation
    /// has no coefficient of 1 or -1.
    pub(crate) fn new(branch: &[Constraint], facet: StackSet, n: usize) -> Option<Self> {
        // The old heights come first, then the unknown new ones.
        let new: Vec<usize> = (0..n).map(|s| if facet.contains(s) { n + s } else { s }).collect();
        let (mut equations, mut bounds): (Vec<Constraint>, Vec<Constraint>) =
            branch.iter().map(|c| c.relabel(&new)).partition(|c| c.equation);
        let mut heights: Vec<(usize, linear::Form)> = Vec::new();
        for stack in facet {
            let height = linear::Form::variable(n + stack);
            heights.push((stack, height.clone()));
            bounds.push(Constraint::at_least_zero(height));
            bounds.push(Constraint::at_least_zero(linear::Form::difference(stack, n + stack)));
        }
        while let Some((place, pivot, value)) = unit(&equations, n).ok()? {
            equations.swap_remove(place);
            for constraint in equations.iter_mut().chain(&mut bounds) {
                constraint.form = constraint.form.replace(pivot, &value).ok()?;
            }
            for (_, height) in &mut heights {
                *height = height.replace(pivot, &value).ok()?;
            }
        }
        let unsolved = equations.iter().any(|c| c.form.reach() > n);
        let unknowns = heights.iter().flat_map(|(_, form)| form.terms().map(|(v, _)| v));
        let free: StackSet = unknowns.filter(|&v| v >= n).map(|v| v - n).collect();
        if unsolved || free.len() > 1 {
            return None;
        }
        let unknown = free.lowest().map(|s| n + s);
        let condition = |c: Constraint| Condition {
            form: Form::new(&c.form, n, unknown),
            is_equation: c.equation,
        };
        let mut conditions: Vec<Condition> =
            equations.into_iter().chain(bounds).map(condition).collect();
        conditions.retain(|c| {
            let varies = !c.form.terms.is_empty() || c.form.unknown != 0;
            varies || !c.holds_at(c.form.constant.into())
        });
        conditions.sort_by_key(|c| (!c.is_equation, c.form.unknown != 0, c.form.terms.len()));
        let heights = heights.into_iter().map(|(s, form)| (s, Form::new(&form, n, unknown)));
        Some(Plan { facet, conditions, heights: heights.collect() })
    }

    /// The facet.
    pub(crate) fn facet(&self) -> StackSet {
        self.facet
    }

    /// The unknown's least value, if there is a move into the branch.
    fn least(&self, heights: &[Height]) -> Option<i128> {
        let (mut low, mut high) = (i128::MIN, i128::MAX);
        for condition in &self.conditions {
            let value = condition.form.value(heights);
            match condition.form.unknown {
                0 if condition.holds_at(value) => {}
                0 => return None,
                1 => low = low.max(-value),
                -1 => high = high.min(value),
                factor if factor > 0 => low = low.max(-value.div_euclid(factor.into())),
                factor => high = high.min(value.div_euclid(-i128::from(factor))),
            }
            if low > high {
                return None;
            }
        }
        Some(if low == i128::MIN { 0 } else { low })
    }

    /// Whether there is a move into the branch.
    pub(crate) fn succeeds(&self, heights: &[Height]) -> bool {
        self.least(heights).is_some()
    }

    /// The position after a move into the branch, if there is one.
    pub(crate) fn find(&self, heights: &[Height]) -> Option<Vec<Height>> {
        let unknown = self.least(heights)?;
        let mut after = heights.to_vec();
        for (stack, form) in &self.heights {
            let height = form.value(heights) + i128::from(form.unknown) * unknown;
            after[*stack] = Height::try_from(height).expect("between 0 and the old height");
        }
        Some(after)
    }
}

impl Condition {
    fn holds_at(&self, value: i128) -> bool {
        if self.is_equation { value == 0 } else { value >= 0 }
    }
}

/// An equation and an unknown with coefficient 1 or -1 in it, with its value.
fn unit(
    equations: &[Constraint],
    n: usize,
) -> Result<Option<(usize, usize, linear::Form)>, Overflow> {
    for (i, equation) in equations.iter().enumerate() {
        if let Some((v, value)) = equation.form.solved(n..)? {
            return Ok(Some((i, v, value)));
        }
    }
    Ok(None)
}
