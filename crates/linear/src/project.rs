//! Variables eliminated from a system, and how to find them again.

use crate::eliminate::{Bounded, Bounds, Shadow};
use crate::{Constraint, Form, Overflow, prune, solved, tidied};

/// How an eliminated variable is found from those that were left.
#[derive(Clone, Debug)]
pub enum Step {
    /// It has this value.
    Value {
        /// The variable.
        y: usize,
        /// The value.
        value: Form,
    },
    /// It lies between these bounds.
    Between {
        /// The variable.
        y: usize,
        /// Pairs `(a, L)`: `a * y >= L`.
        lowers: Vec<(i64, Form)>,
        /// Pairs `(b, U)`: `b * y <= U`.
        uppers: Vec<(i64, Form)>,
    },
}

impl Step {
    fn between(bounds: Bounds<Form>) -> Step {
        let y = bounds.variable;
        // a y + rest >= 0 says that a y >= -rest.
        let lower = |row: &Form| (row.at(y), row.without(y).negated());
        let upper = |row: &Form| (-row.at(y), row.without(y));
        let lowers = bounds.lower.iter().map(lower).collect();
        Step::Between { y, lowers, uppers: bounds.upper.iter().map(upper).collect() }
    }

    /// The variable that was eliminated.
    pub fn variable(&self) -> usize {
        match self {
            Step::Value { y, .. } | Step::Between { y, .. } => *y,
        }
    }

    /// What is said of the variable; what is too large for a form is left out.
    pub fn constraints(&self) -> Vec<Constraint> {
        let y = Form::variable(self.variable());
        match self {
            Step::Value { value, .. } => {
                y.combine(1, value, -1).map(Constraint::zero).into_iter().collect()
            }
            Step::Between { lowers, uppers, .. } => {
                let lower = lowers.iter().map(|(a, form)| y.combine(*a, form, -1));
                let upper = uppers.iter().map(|(b, form)| form.combine(1, &y, -b));
                lower.chain(upper).flatten().map(Constraint::at_least_zero).collect()
            }
        }
    }

    /// Under new names of the variables.
    #[must_use]
    pub fn relabel(&self, image: &[usize]) -> Step {
        let list = |bounds: &[(i64, Form)]| {
            bounds.iter().map(|(a, form)| (*a, form.relabel(image))).collect()
        };
        match self {
            Step::Value { y, value } => Step::Value { y: image[*y], value: value.relabel(image) },
            Step::Between { y, lowers, uppers } => {
                Step::Between { y: image[*y], lowers: list(lowers), uppers: list(uppers) }
            }
        }
    }
}

/// Where the variables exist (a part of it if coefficients other than 1 come in the way), and the
/// steps by which they were eliminated.
#[derive(Clone, Debug)]
pub struct Projection {
    /// What is said of the variables that were left.
    pub constraints: Vec<Constraint>,
    /// The steps, in the order of elimination: each variable is found from those that come later,
    /// and from those that were left.
    pub steps: Vec<Step>,
}

/// At most so many rows while variables are eliminated.
const MAX_ROWS: usize = 400;

/// From so many rows on it pays to drop those that follow from others.
const MANY_ROWS: usize = 30;

/// Eliminates the variables from `first` on, for integers; the first `heights` variables are at least
/// zero. `None` if nothing is left, or nothing that can be described.
///
/// ```
/// use nimatron_linear::{Constraint, Form, project};
/// // y with x0 - y >= 0 and y - x1 >= 0 exists where x0 >= x1.
/// let at_least = |c: Vec<i64>| Constraint::at_least_zero(Form::new(c, 0));
/// let system = vec![at_least(vec![1, 0, -1]), at_least(vec![0, -1, 1])];
/// let projection = project(system, 2, 2).unwrap().unwrap();
/// assert_eq!(projection.constraints, [at_least(vec![1, -1])]);
/// ```
pub fn project(
    constraints: Vec<Constraint>,
    first: usize,
    heights: usize,
) -> Result<Option<Projection>, Overflow> {
    let mut rows = constraints;
    let mut steps = Vec::new();
    loop {
        let Some(tidy) = tidied(rows) else { return Ok(None) };
        rows = tidy;
        let unknown =
            |row: &Form| row.terms().map(|(v, _)| v).filter(|&v| v >= first).collect::<Vec<_>>();
        let mut unit = None;
        for (i, row) in rows.iter().enumerate().filter(|(_, row)| row.equation) {
            if let Some((y, value)) = row.form.solved(first..)? {
                unit = Some((i, y, value));
                break;
            }
        }
        if let Some((i, y, value)) = unit {
            rows.swap_remove(i);
            for row in &mut rows {
                row.form = row.form.replace(y, &value)?;
            }
            steps.push(Step::Value { y, value });
            continue;
        }
        if rows.iter().any(|row| row.equation && !unknown(&row.form).is_empty()) {
            return Ok(None);
        }
        let mut open: Vec<usize> = rows.iter().flat_map(|row| unknown(&row.form)).collect();
        open.sort_unstable();
        open.dedup();
        let cost = |&y: &usize| {
            let bounded = Bounded::new(rows.iter().map(|row| &row.form), y);
            let gone = bounded.below + bounded.above;
            (!bounded.exact, bounded.pairs() as isize - gone as isize, y)
        };
        let Some(y) = open.into_iter().min_by_key(cost) else { break };
        // Equations do not mention the variable.
        let (equations, others): (Vec<Constraint>, Vec<Constraint>) =
            rows.into_iter().partition(|row| row.equation);
        let mut forms: Vec<Form> = others.into_iter().map(|row| row.form).collect();
        let bounds = Bounds::taken_from(&mut forms, y);
        for row in bounds.pairs(Shadow::Dark) {
            forms.push(row?);
        }
        rows = equations;
        rows.extend(forms.into_iter().map(Constraint::at_least_zero));
        steps.push(Step::between(bounds));
        if rows.len() > MANY_ROWS {
            let reach = rows.iter().map(|row| row.form.reach()).max().unwrap_or(0);
            let Some(tidy) = tidied(rows) else { return Ok(None) };
            rows = prune(heights, reach.saturating_sub(heights), tidy)?;
        }
        if rows.len() > MAX_ROWS {
            return Ok(None);
        }
    }
    let free = first - heights;
    if solved(heights, free, &rows)?.is_err() {
        return Ok(None);
    }
    Ok(Some(Projection { constraints: prune(heights, free, rows)?, steps }))
}

impl Projection {
    /// Under new names of the variables.
    #[must_use]
    pub fn relabel(&self, image: &[usize]) -> Projection {
        Projection {
            constraints: self.constraints.iter().map(|c| c.relabel(image)).collect(),
            steps: self.steps.iter().map(|step| step.relabel(image)).collect(),
        }
    }
}
