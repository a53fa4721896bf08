//! The Omega test.

use super::row::{Row, overflow};
use super::system::{IntegerError, MAX_VARIABLES};
use crate::eliminate::{Bounded, Bounds, Shadow};

pub(super) type Values = [i128; MAX_VARIABLES];
type Checked<T> = Result<T, IntegerError>;

/// How many rows a decision may produce.
const MOST_ROWS: u64 = 2_000_000;

/// Counts the rows produced so far.
#[derive(Default)]
pub(super) struct Work(u64);

impl Work {
    fn spend(&mut self, rows: usize) -> Checked<()> {
        self.0 += rows as u64;
        if self.0 > MOST_ROWS { Err(IntegerError::TooLarge(MOST_ROWS)) } else { Ok(()) }
    }
}

/// Equations (`row = 0`) and inequalities (`row >= 0`) still to be dealt with.
#[derive(Clone)]
pub(super) struct Problem {
    equations: Vec<Row>,
    inequalities: Vec<Row>,
    /// What was done so far, to get back from the variables left to all of them.
    steps: Vec<Step>,
}

#[derive(Clone)]
enum Step {
    /// `x[variable]` is this form in the variables left. (The form may use the same name again
    /// for a new variable.)
    Replaced { variable: usize, by: Box<Row> },
    /// A variable was eliminated; these inequalities bound it.
    Eliminated(Bounds<Row>),
}

/// What has been found out about a problem.
enum State {
    /// It has no solution.
    Infeasible,
    /// No equations are left, and the inequalities are primitive, each form once, none implied
    /// by the bounds of single variables.
    Tidy,
}

/// With more inequalities than this it pays to compare them with each other.
const MANY_ROWS: usize = 32;

/// Bounds of single variables.
#[derive(Default)]
struct Ranges {
    low: [Option<i128>; MAX_VARIABLES],
    high: [Option<i128>; MAX_VARIABLES],
}

impl Ranges {
    /// The least value of a form within the bounds, if it has one.
    fn least(&self, row: &Row) -> Option<i128> {
        Ranges::sum(row, &self.low, &self.high)
    }

    /// The greatest value of a form within the bounds, if it has one.
    fn greatest(&self, row: &Row) -> Option<i128> {
        Ranges::sum(row, &self.high, &self.low)
    }

    /// The form with `rising` put in where coefficients are positive, `falling` elsewhere.
    fn sum(
        row: &Row,
        rising: &[Option<i128>; MAX_VARIABLES],
        falling: &[Option<i128>; MAX_VARIABLES],
    ) -> Option<i128> {
        row.variables().try_fold(row.c, |sum, v| {
            let a = row.a[v];
            let bound = if a > 0 { rising[v] } else { falling[v] };
            sum.checked_add(a.checked_mul(bound?)?)
        })
    }

    /// Drops inequalities that follow from another one and the bounds.
    fn thin_out(&self, rows: &mut Vec<Row>) -> Checked<()> {
        let mut i = 0;
        while i < rows.len() {
            let mut implied = false;
            for (j, other) in rows.iter().enumerate() {
                let difference = rows[i].combine(1, other, -1)?;
                if i != j && self.least(&difference).is_some_and(|least| least >= 0) {
                    implied = true;
                    break;
                }
            }
            if implied {
                rows.swap_remove(i);
            } else {
                i += 1;
            }
        }
        Ok(())
    }
}

/// A variable to eliminate next.
struct Choice {
    variable: usize,
    exact: bool,
}

impl Problem {
    pub(super) fn new(equations: Vec<Row>, inequalities: Vec<Row>) -> Self {
        Problem { equations, inequalities, steps: Vec::new() }
    }

    /// Adds `row >= 0`, in the variables left.
    pub(super) fn add(&mut self, row: Row) {
        self.inequalities.push(row);
    }

    /// Adds `row = 0`, in the variables left.
    pub(super) fn add_equation(&mut self, row: Row) {
        self.equations.push(row);
    }

    /// Decides the problem. The variable `last` is eliminated after all others, as far as
    /// the equations allow, and gets its least value then.
    pub(super) fn solve(mut self, last: Option<usize>, work: &mut Work) -> Checked<Option<Values>> {
        loop {
            if let State::Infeasible = self.tidy(last, work)? {
                return Ok(None);
            }
            let Some(choice) = self.choose(last) else {
                return self.unwind([0; MAX_VARIABLES]).map(Some);
            };
            if choice.exact {
                self = self.eliminate(choice.variable, Shadow::Real, work)?;
                continue;
            }
            let dark = self.clone().eliminate(choice.variable, Shadow::Dark, work)?;
            if let Some(values) = dark.solve(last, work)? {
                return Ok(Some(values));
            }
            let real = self.clone().eliminate(choice.variable, Shadow::Real, work)?;
            if real.feasible(last, work)?.is_none() {
                return Ok(None);
            }
            return self.splinters(choice.variable, last, work);
        }
    }

    /// Like `solve`, for a shadow whose solutions need not lift: the steps are dropped.
    fn feasible(mut self, last: Option<usize>, work: &mut Work) -> Checked<Option<Values>> {
        self.steps.clear();
        self.solve(last, work)
    }

    /// Every solution outside the dark shadow lies close above a lower bound of the variable.
    fn splinters(
        self,
        variable: usize,
        last: Option<usize>,
        work: &mut Work,
    ) -> Checked<Option<Values>> {
        let coefficients = self.inequalities.iter().map(|row| row.a[variable]);
        let top = -coefficients.filter(|&a| a < 0).min().unwrap_or(-1);
        for lower in self.inequalities.iter().filter(|row| row.a[variable] > 1) {
            let b = lower.a[variable];
            let reach = overflow(top.checked_mul(b))? - top - b;
            for above in 0..=reach.div_euclid(top) {
                let mut splinter = self.clone();
                let mut equation = *lower;
                equation.c = overflow(equation.c.checked_sub(above))?;
                splinter.equations.push(equation);
                if let Some(values) = splinter.solve(last, work)? {
                    return Ok(Some(values));
                }
            }
        }
        Ok(None)
    }

    /// Substitutes all equations and tidies the inequalities.
    fn tidy(&mut self, last: Option<usize>, work: &mut Work) -> Checked<State> {
        loop {
            while let Some(row) = self.equations.pop() {
                work.spend(self.equations.len() + self.inequalities.len() + 1)?;
                if !self.use_equation(row, last)? {
                    return Ok(State::Infeasible);
                }
            }
            if !self.compact()? {
                return Ok(State::Infeasible);
            }
            if self.equations.is_empty() {
                return Ok(State::Tidy);
            }
        }
    }

    /// Uses an equation to get rid of a variable, or to make its coefficients smaller; `false`
    /// if it has no solution.
    fn use_equation(&mut self, mut row: Row, last: Option<usize>) -> Checked<bool> {
        let content = row.content();
        if content == 0 {
            return Ok(row.c == 0);
        }
        if row.c % content != 0 {
            return Ok(false);
        }
        for v in 0..MAX_VARIABLES {
            row.a[v] /= content;
        }
        row.c /= content;
        // The smallest coefficient; `last` only if there is no other choice.
        let key = |&v: &usize| (row.a[v].unsigned_abs(), Some(v) == last);
        let Some(variable) = row.variables().min_by_key(key) else { return Ok(row.c == 0) };
        let a = row.a[variable];
        // x = new - sum of q_i x_i - q, with quotients that leave remainders below |a|. If
        // |a| = 1 the remainders vanish, and so does the new variable.
        let mut by = Row::new(&[], -row.c.div_euclid(a));
        for v in row.variables() {
            by.a[v] = -row.a[v].div_euclid(a);
        }
        by.a[variable] = if a.abs() == 1 { 0 } else { 1 };
        if a.abs() > 1 {
            self.equations.push(row);
        }
        for row in self.equations.iter_mut().chain(&mut self.inequalities) {
            *row = row.substitute(variable, &by)?;
        }
        self.steps.push(Step::Replaced { variable, by: Box::new(by) });
        Ok(true)
    }

    /// Divides the inequalities by their contents, keeps the tightest of each form, turns
    /// opposite ones that meet into equations and drops what the bounds of the variables imply.
    /// `false` if there is a contradiction.
    fn compact(&mut self) -> Checked<bool> {
        let mut bounds = Ranges::default();
        let mut rows = Vec::with_capacity(self.inequalities.len());
        for mut row in self.inequalities.drain(..) {
            let content = row.content();
            if content == 0 {
                if row.c < 0 {
                    return Ok(false);
                }
                continue;
            }
            if content > 1 {
                for v in 0..MAX_VARIABLES {
                    row.a[v] /= content;
                }
                row.c = row.c.div_euclid(content);
            }
            let mut variables = row.variables();
            match (variables.next(), variables.next()) {
                (Some(v), None) if row.a[v] > 0 => {
                    let low = bounds.low[v].map_or(-row.c, |low| low.max(-row.c));
                    bounds.low[v] = Some(low);
                }
                (Some(v), None) => {
                    let high = bounds.high[v].map_or(row.c, |high| high.min(row.c));
                    bounds.high[v] = Some(high);
                }
                _ => rows.push(row),
            }
        }
        // Rows of the same form stand together, the tightest first.
        rows.sort_unstable();
        rows.dedup_by(|next, first| next.a == first.a);
        for row in &rows {
            if bounds.greatest(row).is_some_and(|most| most < 0) {
                return Ok(false);
            }
            if bounds.least(row).is_some_and(|least| least >= 0) {
                continue;
            }
            let mut opposite = row.negated()?;
            opposite.c = i128::MIN;
            let at = rows.partition_point(|r| *r < opposite);
            if let Some(found) = rows.get(at).filter(|r| r.a == opposite.a) {
                match overflow(found.c.checked_add(row.c))? {
                    ..0 => return Ok(false),
                    0 if found.a < row.a => self.equations.push(*row),
                    _ => {}
                }
            }
            self.inequalities.push(*row);
        }
        if self.inequalities.len() > MANY_ROWS {
            bounds.thin_out(&mut self.inequalities)?;
        }
        for v in 0..MAX_VARIABLES {
            match (bounds.low[v], bounds.high[v]) {
                (Some(l), Some(h)) if l > h => return Ok(false),
                (Some(l), Some(h)) if l == h => {
                    self.equations.push(Row::single(v, 1, -l));
                }
                (l, h) => {
                    if let Some(l) = l {
                        self.inequalities.push(Row::single(v, 1, -l));
                    }
                    if let Some(h) = h {
                        self.inequalities.push(Row::single(v, -1, h));
                    }
                }
            }
        }
        Ok(true)
    }

    /// The variable whose elimination costs least; exact ones first, `last` last. `None` if no
    /// variable is left.
    fn choose(&self, last: Option<usize>) -> Option<Choice> {
        let mut best = None;
        for v in 0..MAX_VARIABLES {
            let bounded = Bounded::new(&self.inequalities, v);
            if bounded.is_absent() {
                continue;
            }
            let exact = bounded.exact;
            let key = (Some(v) == last, !exact, bounded.pairs(), v);
            if best.as_ref().is_none_or(|&(k, _)| key < k) {
                best = Some((key, Choice { variable: v, exact }));
            }
        }
        best.map(|(_, choice)| choice)
    }

    /// Eliminates a variable: every lower bound is combined with every upper bound.
    fn eliminate(mut self, variable: usize, shadow: Shadow, work: &mut Work) -> Checked<Self> {
        let bounds = Bounds::taken_from(&mut self.inequalities, variable);
        for (i, row) in bounds.pairs(shadow).enumerate() {
            self.inequalities.push(row?);
            if (i + 1) % bounds.upper.len() == 0 {
                work.spend(self.inequalities.len())?;
            }
        }
        self.steps.push(Step::Eliminated(bounds));
        Ok(self)
    }

    /// Values for all variables, from values for those left.
    fn unwind(&self, mut values: Values) -> Checked<Values> {
        for step in self.steps.iter().rev() {
            match step {
                Step::Replaced { variable, by } => values[*variable] = by.value(&values)?,
                Step::Eliminated(Bounds { variable, lower, upper }) => {
                    values[*variable] = 0;
                    let (mut least, mut most) = (None, None);
                    for row in lower {
                        // a*x + rest >= 0
                        let bound = -row.value(&values)?.div_euclid(row.a[*variable]);
                        least = Some(least.map_or(bound, |l: i128| l.max(bound)));
                    }
                    for row in upper {
                        let bound = row.value(&values)?.div_euclid(-row.a[*variable]);
                        most = Some(most.map_or(bound, |m: i128| m.min(bound)));
                    }
                    debug_assert!(least.zip(most).is_none_or(|(l, m)| l <= m));
                    values[*variable] = least.or(most).unwrap_or(0);
                }
            }
        }
        Ok(values)
    }
}
