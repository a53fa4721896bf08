//! Moves into a branch of a formula, worked out as far as possible before any position is known.
//!
//! For one branch and one facet the new heights on the facet are unknown and the other heights
//! are given. Equations with a coefficient of 1 or -1 are solved for an unknown once and for all.
//! Where at most one unknown is left, what remains is an interval for it, whose ends are linear
//! in the old heights.

use nimatron_formula::Branch;
use nimatron_game::{Height, StackSet};

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

/// A linear form in the old heights and the unknown that is left.
#[derive(Clone, Debug)]
struct Form {
    terms: Vec<(usize, i64)>,
    constant: i64,
    unknown: i64,
}

impl Form {
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
    pub(crate) fn new(branch: &Branch, facet: StackSet, n: usize) -> Option<Self> {
        let (mut equations, mut bounds) = (Vec::new(), Vec::new());
        for constraint in &branch.constraints {
            let mut row = Row::zero(n);
            row.constant = constraint.constant;
            for (stack, &c) in constraint.coefficients.iter().enumerate() {
                match facet.contains(stack) {
                    true => row.new[stack] = c,
                    false => row.old[stack] = c,
                }
            }
            if constraint.is_equation { equations.push(row) } else { bounds.push(row) }
        }
        let mut heights: Vec<(usize, Row)> = Vec::new();
        for stack in facet {
            let mut height = Row::zero(n);
            height.new[stack] = 1;
            heights.push((stack, height.clone()));
            bounds.push(height.clone());
            height.new[stack] = -1;
            height.old[stack] = 1;
            bounds.push(height);
        }
        while let Some((place, pivot)) = unit(&equations) {
            let equation = equations.swap_remove(place);
            let rows = equations.iter_mut().chain(&mut bounds);
            for row in rows.chain(heights.iter_mut().map(|(_, row)| row)) {
                row.eliminate(pivot, &equation)?;
            }
        }
        let unsolved = equations.iter().any(|row| row.new.iter().any(|&c| c != 0));
        let free: StackSet = heights.iter().flat_map(|(_, row)| row.unknowns()).collect();
        if unsolved || free.len() > 1 {
            return None;
        }
        let condition =
            |is_equation| move |row: Row| Condition { form: row.form(free), is_equation };
        let mut conditions: Vec<Condition> = equations.into_iter().map(condition(true)).collect();
        conditions.extend(bounds.into_iter().map(condition(false)));
        conditions.retain(|c| !c.form.terms.is_empty() || c.form.unknown != 0 || !c.holds_at(0));
        conditions.sort_by_key(|c| (!c.is_equation, c.form.unknown != 0, c.form.terms.len()));
        let heights = heights.into_iter().map(|(stack, row)| (stack, row.form(free))).collect();
        Some(Plan { facet, conditions, heights })
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

/// A linear form in the old and the new heights.
#[derive(Clone, Debug)]
struct Row {
    old: Vec<i64>,
    new: Vec<i64>,
    constant: i64,
}

impl Row {
    fn zero(n: usize) -> Self {
        Row { old: vec![0; n], new: vec![0; n], constant: 0 }
    }

    fn unknowns(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.new.len()).filter(|&s| self.new[s] != 0)
    }

    /// Removes an unknown by an equation in which its coefficient is 1 or -1. `None` if a number
    /// leaves its range.
    fn eliminate(&mut self, pivot: usize, equation: &Row) -> Option<()> {
        let factor = self.new[pivot].checked_mul(-equation.new[pivot])?;
        if factor == 0 {
            return Some(());
        }
        let add = |to: &mut i64, from: i64| {
            *to = from.checked_mul(factor).and_then(|term| to.checked_add(term))?;
            Some(())
        };
        let old = self.old.iter_mut().zip(&equation.old);
        let new = self.new.iter_mut().zip(&equation.new);
        for (to, &from) in old.chain(new) {
            add(to, from)?;
        }
        add(&mut self.constant, equation.constant)
    }

    fn form(&self, free: StackSet) -> Form {
        let terms = self.old.iter().enumerate().filter(|(_, c)| **c != 0);
        Form {
            terms: terms.map(|(s, &c)| (s, c)).collect(),
            constant: self.constant,
            unknown: free.lowest().map_or(0, |s| self.new[s]),
        }
    }
}

/// An equation and an unknown with coefficient 1 or -1 in it.
fn unit(equations: &[Row]) -> Option<(usize, usize)> {
    let place = |row: &Row| row.new.iter().position(|c| c.abs() == 1);
    equations.iter().enumerate().find_map(|(i, row)| Some((i, place(row)?)))
}
