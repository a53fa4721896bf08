//! What to play: the regions of a coverage as a list of rules.

use super::problem::Problem;
use nimatron_game::{Height, StackSet, Take};
use nimatron_linear::{Constraint, Entailed, Form, Solver, Step, solved};
use std::collections::HashSet;

/// A winning strategy: rules, and their images under the symmetries.
///
/// Every position that is not a P-position satisfies the conditions of some rule, or of an image,
/// and the rule says to which heights to play.
#[derive(Clone, Debug)]
pub struct Strategy {
    pub(super) stacks: usize,
    /// One rule per orbit.
    pub(super) rules: Vec<StrategyRule>,
    images: Vec<Compiled>,
}

/// "If these inequalities hold, play this set to these heights."
#[derive(Clone, Debug)]
pub struct StrategyRule {
    /// `form = modulus * t + rest` defines the integer `t`, a variable of the conditions.
    pub(super) classes: Vec<Class>,
    pub(super) conditions: Vec<Form>,
    pub(super) play: StackSet,
    /// The variable of the first new height.
    pub(super) first: usize,
    pub(super) steps: Vec<Step>,
}

/// A remainder that a rule depends on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Class {
    pub(super) form: Form,
    pub(super) modulus: i64,
    pub(super) rest: i64,
    pub(super) t: usize,
}

impl Class {
    /// `form = modulus * t + rest`.
    pub(super) fn equation(&self) -> Option<Constraint> {
        let form = self.form.clone().plus(-self.rest).ok()?;
        let form = form.combine(1, &Form::variable(self.t), -self.modulus).ok()?;
        Some(Constraint::zero(form))
    }
}

/// Where a rule is used, whatever its quotients are called.
type Place = (StackSet, Vec<(Form, i64, i64)>, Vec<Form>);

impl StrategyRule {
    /// Whether two rules play the same set under the same conditions.
    pub(super) fn same_place(&self, other: &StrategyRule) -> bool {
        self.play == other.play
            && self.classes == other.classes
            && self.conditions == other.conditions
    }

    fn relabel(&self, image: &[usize]) -> StrategyRule {
        let n = image.len();
        let all: Vec<usize> = (0..self.first + n + 64)
            .map(|v| match v {
                v if v < n => image[v],
                v if (self.first..self.first + n).contains(&v) => {
                    self.first + image[v - self.first]
                }
                v => v,
            })
            .collect();
        StrategyRule {
            classes: self
                .classes
                .iter()
                .map(|c| Class { form: c.form.relabel(&all), ..c.clone() })
                .collect(),
            conditions: self.conditions.iter().map(|row| row.relabel(&all)).collect(),
            play: self.play.relabel(image),
            first: self.first,
            steps: self.steps.iter().map(|step| step.relabel(&all)).collect(),
        }
    }

    /// The play, the remainders and the conditions, so that equal ones are told equally: the
    /// quotients in the order of their remainders.
    fn place(&self) -> Place {
        let mut order: Vec<&Class> = self.classes.iter().collect();
        order.sort_by_key(|c| (&c.form, c.modulus, c.rest));
        let mut names: Vec<usize> = (0..self.first).collect();
        for (own, class) in self.classes.iter().zip(&order) {
            names[class.t] = own.t;
        }
        let mut conditions: Vec<Form> =
            self.conditions.iter().map(|row| row.relabel(&names)).collect();
        conditions.sort();
        let classes = order.iter().map(|c| (c.form.relabel(&names), c.modulus, c.rest));
        (self.play, classes.collect(), conditions)
    }

    /// Whether, wherever this rule is used, one of the others can be.
    fn lies_in_one(&self, stacks: usize, mut others: impl Iterator<Item = StrategyRule>) -> bool {
        let own: Vec<Constraint> =
            self.conditions.iter().cloned().map(Constraint::at_least_zero).collect();
        let solver = match self.classes.is_empty().then(|| solved(stacks, 0, &own)) {
            Some(Ok(Ok(solver))) => Some(solver),
            _ => None,
        };
        let place = self.place();
        let follows = |solver: &Solver, row: &Form| {
            row.evident(stacks) || matches!(solver.entails(row, usize::MAX), Ok(Entailed::Yes(_)))
        };
        others.any(|other| match &solver {
            Some(solver) if other.classes.is_empty() => {
                other.conditions.iter().all(|row| follows(solver, row))
            }
            _ => other.place() == place,
        })
    }

    /// The new heights, where the conditions hold.
    fn heights(&self, x: &mut Vec<i128>) {
        for step in self.steps.iter().rev() {
            let (y, value) = match step {
                Step::Value { y, value } => (*y, value.value(x)),
                Step::Between { y, lowers, uppers } => {
                    let low = lowers.iter().map(|(a, r)| -(-r.value(x)).div_euclid((*a).into()));
                    let high = uppers.iter().map(|(b, r)| r.value(x).div_euclid((*b).into()));
                    (*y, low.max().or(high.min()).unwrap_or(0))
                }
            };
            if x.len() <= y {
                x.resize(y + 1, 0);
            }
            x[y] = value;
        }
    }
}

/// A rule made ready to be tried on many positions.
#[derive(Clone, Debug)]
struct Compiled {
    rule: StrategyRule,
    /// The conditions without their zeros, those with the fewest terms first.
    conditions: Vec<(Vec<(u8, i64)>, i64)>,
    /// Whether 64 bits suffice for heights below 2^40.
    narrow: bool,
}

impl Compiled {
    fn new(rule: StrategyRule) -> Compiled {
        let sparse =
            |row: &Form| (row.terms().map(|(v, c)| (v as u8, c)).collect::<Vec<_>>(), row.constant);
        let mut conditions: Vec<_> = rule.conditions.iter().map(sparse).collect();
        conditions.sort_by_key(|(terms, _)| terms.len());
        let small = |(terms, k): &(Vec<(u8, i64)>, i64)| {
            k.abs() < 1 << 60 && terms.iter().all(|(_, c)| c.abs() < 1 << 16)
        };
        let narrow = rule.classes.is_empty() && conditions.iter().all(small);
        Compiled { rule, conditions, narrow }
    }

    fn holds(&self, x: &[i128]) -> bool {
        self.conditions.iter().all(|(terms, k)| {
            let add = |sum: i128, &(v, c): &(u8, i64)| {
                sum.saturating_add(x[usize::from(v)].saturating_mul(c.into()))
            };
            terms.iter().fold(i128::from(*k), add) >= 0
        })
    }

    /// As `holds`, for heights below 2^40 and small coefficients.
    fn holds_small(&self, x: &[i64]) -> bool {
        self.conditions.iter().all(|(terms, k)| {
            let sum = terms.iter().map(|&(v, c)| x[usize::from(v)] * c);
            sum.sum::<i64>() + k >= 0
        })
    }
}

impl Strategy {
    pub(super) fn new(problem: &Problem, mut rules: Vec<StrategyRule>) -> Strategy {
        // A rule adds nothing where an image of another plays the same set.
        let mut kept: Vec<StrategyRule> = Vec::new();
        rules.retain(|rule| {
            let images = problem.group.iter().flat_map(|g| {
                kept.iter()
                    .filter(|k| k.play.relabel(&g.image) == rule.play)
                    .map(|k| k.relabel(&g.image))
            });
            let new = !rule.lies_in_one(problem.stacks, images);
            kept.extend(new.then(|| rule.clone()));
            new
        });
        let mut images = Vec::new();
        let mut seen = HashSet::new();
        for element in &problem.group {
            let all = rules.iter().map(|rule| rule.relabel(&element.image));
            images.extend(all.filter(|image| seen.insert(image.place())).map(Compiled::new));
        }
        Strategy { stacks: problem.stacks, rules, images }
    }

    /// How many rules there are up to symmetry.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there are no rules: no position has a move.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rules, one per orbit.
    pub fn rules(&self) -> &[StrategyRule] {
        &self.rules
    }

    /// A winning move; `None` at the P-positions, and at positions without moves.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn winning_move(&self, heights: &[Height]) -> Option<Take> {
        assert_eq!(heights.len(), self.stacks, "heights must match the stacks");
        let mut x: Vec<i128> = heights.iter().map(|&h| h.into()).collect();
        let small = heights.iter().all(|&h| h < 1 << 40);
        let narrow: Vec<i64> =
            if small { heights.iter().map(|&h| h as i64).collect() } else { vec![] };
        let found = self.images.iter().find(|image| {
            x.truncate(self.stacks);
            for class in &image.rule.classes {
                let value = class.form.value(&x);
                if value.rem_euclid(class.modulus.into()) != class.rest.into() {
                    return false;
                }
                x.resize(class.t + 1, 0);
                x[class.t] = value.div_euclid(class.modulus.into());
            }
            match small && image.narrow {
                true => image.holds_small(&narrow),
                false => image.holds(&x),
            }
        })?;
        found.rule.heights(&mut x);
        let take = |s: usize| match found.rule.play.contains(s) {
            true => u64::try_from(x[s] - x[found.rule.first + s]).unwrap_or(0),
            false => 0,
        };
        let take: Vec<Height> = (0..self.stacks).map(take).collect();
        take.iter().any(|&t| t > 0).then(|| Take::new(take))
    }
}
