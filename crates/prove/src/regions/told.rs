//! Rules as one tells them, without what goes without saying: quotients that are not needed,
//! conditions that follow from the others, heights that stay, bounds that are never the tightest.

use super::strategy::{Class, StrategyRule};
use nimatron_linear::{Answer, Constraint, Entailed, Form, Solver, Step, prune};
use std::collections::BTreeMap;

/// A rule as it is told.
pub(super) struct Told {
    /// The remainders, and whether the quotient is named.
    pub(super) classes: Vec<(Class, bool)>,
    pub(super) conditions: Vec<Constraint>,
    /// The new heights, each by those before it.
    pub(super) heights: Vec<(usize, Value)>,
}

/// A new height.
pub(super) enum Value {
    Form(Form),
    /// The greatest of these, each divided and rounded up.
    Greatest(Vec<(i64, Form)>),
    /// The least of these, each divided and rounded down.
    Least(Vec<(i64, Form)>),
}

impl Value {
    fn forms(&self) -> impl Iterator<Item = &Form> {
        let (one, many) = match self {
            Value::Form(form) => (Some(form), &[][..]),
            Value::Greatest(bounds) | Value::Least(bounds) => (None, &bounds[..]),
        };
        one.into_iter().chain(many.iter().map(|(_, form)| form))
    }
}

/// What holds where a rule is used: heights are not negative, and these constraints.
struct Facts {
    /// The solver's number of a variable.
    places: BTreeMap<usize, usize>,
    heights: usize,
    solver: Solver,
}

impl Facts {
    /// About these heights, and these further integers.
    fn new(heights: Vec<usize>, free: Vec<usize>) -> Facts {
        let mut solver = Solver::new();
        heights.iter().enumerate().for_each(|(number, _)| solver.add_height(number));
        free.iter().for_each(|_| solver.add_free());
        let (known, all) = (heights.len(), heights.into_iter().chain(free));
        Facts { places: all.enumerate().map(|(at, v)| (v, at)).collect(), heights: known, solver }
    }

    fn placed(&self, form: &Form) -> Option<Form> {
        let mut coefficients = vec![0; self.places.len()];
        for (v, c) in form.terms() {
            coefficients[*self.places.get(&v)?] = c;
        }
        Some(Form::new(coefficients, form.constant))
    }

    /// A fact that is too large for the solver is not used.
    fn learn(&mut self, constraint: &Constraint) {
        let Some(form) = self.placed(&constraint.form) else { return };
        let mut solver = self.solver.clone();
        if let Ok(Answer::Feasible) = solver.add(&constraint.on(form), usize::MAX) {
            self.solver = solver;
        }
    }

    /// Whether the form is seen to be at least zero.
    fn entail(&self, form: &Form) -> bool {
        let Some(form) = self.placed(form) else { return false };
        form.evident(self.heights)
            || matches!(self.solver.entails(&form, usize::MAX), Ok(Entailed::Yes(_)))
    }

    /// Which of these do not follow from the others and from the equations.
    fn needed(&self, equations: &[Constraint], rows: &[Form]) -> Vec<bool> {
        let place = |c: &Constraint| self.placed(&c.form).map(|form| c.on(form));
        let placed: Vec<Option<Constraint>> =
            rows.iter().map(|row| place(&Constraint::at_least_zero(row.clone()))).collect();
        let all = equations.iter().filter_map(place).chain(placed.iter().flatten().cloned());
        match prune(self.heights, self.places.len() - self.heights, all.collect()) {
            Ok(kept) => {
                placed.iter().map(|row| row.as_ref().is_none_or(|row| kept.contains(row))).collect()
            }
            Err(_) => vec![true; rows.len()],
        }
    }
}

/// A positive multiple of a form with the quotients taken out; `None` if it gets too large.
fn by_stacks(classes: &[Class], form: &Form) -> Option<Form> {
    let mut form = form.clone();
    for class in classes.iter().rev().filter(|c| c.modulus > 0) {
        if form.at(class.t) % class.modulus != 0 {
            form = form.times(class.modulus).ok()?;
        }
        form = without(class, &form)?;
    }
    Some(form)
}

/// The form with those quotients taken out that are multiplied by their modulus.
fn whole(classes: &[Class], form: &Form) -> Form {
    let divides = |c: &&Class, form: &Form| c.modulus > 0 && form.at(c.t) % c.modulus == 0;
    classes.iter().rev().fold(form.clone(), |form, class| {
        match divides(&class, &form).then(|| without(class, &form)).flatten() {
            Some(shorter) => shorter,
            None => form,
        }
    })
}

fn without(class: &Class, form: &Form) -> Option<Form> {
    let times = form.at(class.t) / class.modulus;
    form.without(class.t).combine(1, &class.form.clone().plus(-class.rest).ok()?, times).ok()
}

impl StrategyRule {
    /// The rule as it is told.
    pub(super) fn told(&self, stacks: usize) -> Told {
        // A quotient of a sum of heights is not negative.
        let positive = |c: &&Class| c.form.evident(stacks) && (0..c.modulus).contains(&c.rest);
        let (counts, others): (Vec<&Class>, Vec<&Class>) =
            self.classes.iter().partition(|c| positive(c));
        let mut heights: Vec<usize> = (0..stacks).chain(self.first..self.first + stacks).collect();
        heights.extend(counts.iter().map(|c| c.t));
        let helping = self.steps.iter().map(Step::variable).filter(|y| *y >= self.first + stacks);
        let mut facts = Facts::new(heights, others.iter().map(|c| c.t).chain(helping).collect());
        let equations: Vec<Constraint> = self.classes.iter().filter_map(Class::equation).collect();
        let needed = facts.needed(&equations, &self.conditions);
        equations.iter().for_each(|equation| facts.learn(equation));
        self.conditions.iter().for_each(|row| facts.learn(&Constraint::at_least_zero(row.clone())));
        let mut conditions: Vec<Constraint> = Vec::new();
        for (row, _) in self.conditions.iter().zip(needed).filter(|(_, needed)| *needed) {
            let told = by_stacks(&self.classes, row).map_or_else(|| row.clone(), |r| r.tightened());
            let told = match facts.entail(&row.negated()) {
                true => Constraint::zero(told).upright(),
                false => Constraint::at_least_zero(told),
            };
            if !conditions.contains(&told) {
                conditions.push(told);
            }
        }
        let heights = self.new_heights(stacks, &mut facts);
        let used = |v: usize| {
            let mut forms = conditions
                .iter()
                .map(|c| &c.form)
                .chain(heights.iter().flat_map(|(_, value)| value.forms()))
                .chain(self.classes.iter().map(|c| &c.form));
            forms.any(|form| form.at(v) != 0)
        };
        let classes = self.classes.iter().map(|c| (c.clone(), used(c.t))).collect();
        Told { classes, conditions, heights }
    }

    fn new_heights(&self, stacks: usize, facts: &mut Facts) -> Vec<(usize, Value)> {
        // What is put in where it is used.
        let mut known: BTreeMap<usize, Form> = BTreeMap::new();
        let mut heights: Vec<(usize, Value)> = Vec::new();
        let helps = |y: usize| y >= self.first + stacks;
        for step in self.steps.iter().rev() {
            let put = |form: &Form| {
                let mut all = known.iter().filter(|(v, _)| form.at(**v) != 0);
                let form = all.try_fold(form.clone(), |form, (v, value)| form.replace(*v, value));
                form.ok().map(|form| whole(&self.classes, &form))
            };
            let bounds = |all: &[(i64, Form)]| -> Vec<(i64, Form)> {
                all.iter()
                    .map(|(a, form)| (*a, put(form).unwrap_or_else(|| form.clone())))
                    .collect()
            };
            let (y, value) = match step {
                Step::Value { y, value } => {
                    (*y, Value::Form(put(value).unwrap_or_else(|| value.clone())))
                }
                Step::Between { y, lowers, uppers } => (
                    *y,
                    match (&lowers[..], &uppers[..]) {
                        ([], []) => Value::Form(Form::default()),
                        ([], uppers) => extreme(bounds(uppers), -1, facts),
                        (lowers, _) => extreme(bounds(lowers), 1, facts),
                    },
                ),
            };
            step.constraints().iter().for_each(|constraint| facts.learn(constraint));
            if let Value::Form(form) = &value {
                let own = y.checked_sub(self.first).is_some_and(|s| *form == Form::variable(s));
                let short =
                    form.is_number() || form.terms().map(|(_, c)| c).eq([1]) && form.constant == 0;
                if own || short || helps(y) {
                    known.insert(y, form.clone());
                }
                if own || helps(y) {
                    continue;
                }
            }
            heights.push((y, value));
        }
        // Helping numbers that no height needs.
        for at in (0..heights.len()).rev() {
            let y = heights[at].0;
            let later = &heights[at + 1..];
            let uses = |(_, value): &(usize, Value)| value.forms().any(|form| form.at(y) != 0);
            if helps(y) && !later.iter().any(uses) {
                heights.remove(at);
            }
        }
        heights
    }
}

/// The greatest of lower bounds (sign 1) or the least of upper ones (-1), without those that others
/// make needless.
fn extreme(mut bounds: Vec<(i64, Form)>, sign: i64, facts: &Facts) -> Value {
    let mut at = 0;
    while at < bounds.len() {
        let (a, own) = &bounds[at];
        let needless = bounds.iter().enumerate().any(|(i, (b, other))| {
            let over = other.combine(sign * a, own, -sign * b);
            i != at && over.is_ok_and(|form| facts.entail(&form))
        });
        match needless {
            true => _ = bounds.remove(at),
            false => at += 1,
        }
    }
    match (&bounds[..], sign) {
        ([(1, one)], _) => Value::Form(one.clone()),
        (_, 1) => Value::Greatest(bounds),
        _ => Value::Least(bounds),
    }
}
