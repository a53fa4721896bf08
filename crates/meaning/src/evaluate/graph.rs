//! Terms and conditions in normal form, each kept once.
//!
//! Every term becomes an integer combination of *values* (stacks, minima, remainders, ...) and
//! every comparison a test of such a combination against zero, with common factors divided out
//! and signs made alike. So `a+b = c`, `c-a = b` and `2c = 2a+2b` are one and the same test, and
//! images of a formula under symmetries share whatever they have in common.

use super::CompileError;
use super::digits::Digits;
use nimatron_game::{MAX_HEIGHT, StackSet};
use nimatron_linear::gcd;
use std::collections::HashMap;
use std::sync::Arc;

/// Index of a value. The heights of the stacks come first, in order; then, if the formula needs
/// them, the heights after reduction.
pub(crate) type ValueId = u32;

/// Bound for the absolute value of every combination, so that sums cannot overflow.
const LIMIT: i128 = 1 << 124;

/// An integer combination of values plus a constant; sorted by value, no zero coefficients.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Combination {
    pub(crate) terms: Vec<(ValueId, i128)>,
    pub(crate) constant: i128,
}

impl Combination {
    pub(crate) fn constant(constant: i128) -> Self {
        Combination { terms: Vec::new(), constant }
    }

    pub(crate) fn value(id: ValueId) -> Self {
        Combination { terms: vec![(id, 1)], constant: 0 }
    }

    /// `self + factor * other`
    pub(crate) fn plus(&self, factor: i128, other: &Combination) -> Option<Combination> {
        let constant = factor.checked_mul(other.constant)?.checked_add(self.constant)?;
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let next = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(&&(l, _)), Some(&&(r, _))) => l.min(r),
                (Some(&&(id, _)), None) | (None, Some(&&(id, _))) => id,
            };
            let mut coefficient = 0;
            if let Some(&(_, c)) = left.next_if(|t| t.0 == next) {
                coefficient = c;
            }
            if let Some(&(_, c)) = right.next_if(|t| t.0 == next) {
                coefficient = factor.checked_mul(c)?.checked_add(coefficient)?;
            }
            if coefficient != 0 {
                terms.push((next, coefficient));
            }
        }
        Some(Combination { terms, constant })
    }
}

/// A number that depends on the position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Value {
    /// A height; from the number of stacks on, a height after reduction.
    Stack(usize),
    Linear(Combination),
    Min(Vec<ValueId>),
    Max(Vec<ValueId>),
    Xor(Vec<ValueId>),
    Mod(ValueId, u64),
    /// How many stacks are odd, before or after reduction.
    Odds {
        reduced: bool,
    },
}

/// Index of a condition.
pub(crate) type ConditionId = u32;

/// A condition or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Literal {
    pub(crate) condition: ConditionId,
    pub(crate) positive: bool,
}

/// A condition. Conjunctions and disjunctions only occur as positive literals.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Condition {
    True,
    /// The form is 0; its first coefficient is positive.
    Zero(Combination),
    /// The form is at least 0; its first coefficient is positive.
    NonNegative(Combination),
    And(Vec<Literal>),
    Or(Vec<Literal>),
    /// Membership in a span that has no description by linear conditions.
    Span {
        generators: Vec<StackSet>,
        reduced: bool,
    },
    /// Something about the binary digits.
    Digits {
        what: Arc<Digits>,
        reduced: bool,
    },
}

pub(crate) const TRUE: Literal = Literal { condition: 0, positive: true };
pub(crate) const FALSE: Literal = Literal { condition: 0, positive: false };

impl Literal {
    pub(crate) fn is(self, wanted: bool) -> Self {
        Literal { positive: self.positive == wanted, ..self }
    }
}

pub(crate) struct Graph {
    pub(crate) stacks: usize,
    pub(crate) values: Vec<Value>,
    ranges: Vec<(i128, i128)>,
    value_ids: HashMap<Value, ValueId>,
    pub(crate) conditions: Vec<Condition>,
    condition_ids: HashMap<Condition, ConditionId>,
}

impl Graph {
    pub(crate) fn new(stacks: usize, reduced: bool) -> Self {
        let mut graph = Graph {
            stacks,
            values: Vec::new(),
            ranges: Vec::new(),
            value_ids: HashMap::new(),
            conditions: Vec::new(),
            condition_ids: HashMap::new(),
        };
        graph.condition(Condition::True);
        for stack in 0..if reduced { 2 * stacks } else { stacks } {
            graph.value(Value::Stack(stack), (0, MAX_HEIGHT.into()));
        }
        graph
    }

    fn value(&mut self, value: Value, range: (i128, i128)) -> ValueId {
        let id = self.values.len() as ValueId;
        match self.value_ids.get(&value) {
            Some(&known) => known,
            None => {
                self.value_ids.insert(value.clone(), id);
                self.values.push(value);
                self.ranges.push(range);
                id
            }
        }
    }

    pub(crate) fn condition(&mut self, condition: Condition) -> Literal {
        let next = self.conditions.len() as ConditionId;
        let id = *self.condition_ids.entry(condition.clone()).or_insert(next);
        if id == next {
            self.conditions.push(condition);
        }
        Literal { condition: id, positive: true }
    }

    /// The least and greatest value of a combination, if they are within bounds.
    fn range(&self, form: &Combination) -> Result<(i128, i128), CompileError> {
        let (mut low, mut high) = (form.constant, form.constant);
        let within = |x: i128| (-LIMIT..=LIMIT).contains(&x);
        for &(id, coefficient) in &form.terms {
            let (l, h) = self.ranges[id as usize];
            let ends = [l, h].map(|end| end.checked_mul(coefficient).filter(|&x| within(x)));
            let [Some(x), Some(y)] = ends else { return Err(CompileError::TermTooLarge) };
            (low, high) = (low + x.min(y), high + x.max(y));
            if !within(low) || !within(high) {
                return Err(CompileError::TermTooLarge);
            }
        }
        Ok((low, high))
    }

    /// The combination as a value by itself.
    pub(crate) fn intern(&mut self, form: Combination) -> Result<ValueId, CompileError> {
        if let (&[(id, 1)], 0) = (&form.terms[..], form.constant) {
            return Ok(id);
        }
        let range = self.range(&form)?;
        Ok(self.value(Value::Linear(form), range))
    }

    fn intern_all(&mut self, forms: Vec<Combination>) -> Result<Vec<ValueId>, CompileError> {
        forms.into_iter().map(|form| self.intern(form)).collect()
    }

    fn bounds_of(&self, ids: &[ValueId]) -> impl Iterator<Item = (i128, i128)> {
        ids.iter().map(|&id| self.ranges[id as usize])
    }

    /// The least (or the greatest) of several combinations.
    pub(crate) fn extreme(
        &mut self,
        forms: Vec<Combination>,
        least: bool,
    ) -> Result<Combination, CompileError> {
        let mut ids = self.intern_all(forms)?;
        ids.sort_unstable();
        ids.dedup();
        if let [id] = ids[..] {
            return Ok(self.form_of(id));
        }
        let lows = self.bounds_of(&ids).map(|r| r.0);
        let low = if least { lows.min() } else { lows.max() };
        let highs = self.bounds_of(&ids).map(|r| r.1);
        let high = if least { highs.min() } else { highs.max() };
        let range = (low.unwrap_or(0), high.unwrap_or(0));
        let value = if least { Value::Min(ids) } else { Value::Max(ids) };
        Ok(Combination::value(self.value(value, range)))
    }

    pub(crate) fn xor(&mut self, forms: Vec<Combination>) -> Result<Combination, CompileError> {
        let mut ids = self.intern_all(forms)?;
        ids.sort_unstable();
        // Equal values cancel in pairs.
        let mut odd: Vec<ValueId> = Vec::new();
        for id in ids {
            if odd.last() == Some(&id) {
                odd.pop();
            } else {
                odd.push(id);
            }
        }
        match odd[..] {
            [] => return Ok(Combination::constant(0)),
            [id] => return Ok(self.form_of(id)),
            _ => {}
        }
        let low = self.bounds_of(&odd).map(|r| r.0).min().unwrap_or(0);
        let high = self.bounds_of(&odd).map(|r| r.1).max().unwrap_or(0);
        let size = (high.max(-low - 1).max(0) + 1).cast_unsigned().next_power_of_two() as i128;
        let range = (if low < 0 { -size } else { 0 }, size - 1);
        Ok(Combination::value(self.value(Value::Xor(odd), range)))
    }

    pub(crate) fn modulo(
        &mut self,
        form: Combination,
        modulus: u64,
    ) -> Result<Combination, CompileError> {
        // Multiples of the modulus make no difference: take the remainders nearest to 0.
        let m = i128::from(modulus);
        let nearest = |c: i128| match c.rem_euclid(m) {
            r if 2 * r > m => r - m,
            r => r,
        };
        let mut form = form;
        form.terms.iter_mut().for_each(|t| t.1 = nearest(t.1));
        form.terms.retain(|t| t.1 != 0);
        form.constant = nearest(form.constant);
        if form.terms.is_empty() {
            return Ok(Combination::constant(form.constant.rem_euclid(m)));
        }
        let id = self.intern(form)?;
        Ok(Combination::value(self.value(Value::Mod(id, modulus), (0, m - 1))))
    }

    pub(crate) fn odds(&mut self, reduced: bool) -> Combination {
        let range = (0, self.stacks as i128);
        Combination::value(self.value(Value::Odds { reduced }, range))
    }

    fn form_of(&self, id: ValueId) -> Combination {
        match &self.values[id as usize] {
            Value::Linear(form) => form.clone(),
            _ => Combination::value(id),
        }
    }

    /// Whether the form is 0.
    pub(crate) fn zero(&mut self, mut form: Combination) -> Result<Literal, CompileError> {
        let (low, high) = self.range(&form)?;
        if low > 0 || high < 0 {
            return Ok(FALSE);
        }
        if form.terms.is_empty() {
            return Ok(TRUE);
        }
        let divisor = divisor(&form);
        if form.constant % divisor != 0 {
            return Ok(FALSE);
        }
        let divisor = if form.terms[0].1 < 0 { -divisor } else { divisor };
        form.terms.iter_mut().for_each(|t| t.1 /= divisor);
        form.constant /= divisor;
        Ok(self.condition(Condition::Zero(form)))
    }

    /// Whether the form is at least 0.
    pub(crate) fn non_negative(&mut self, mut form: Combination) -> Result<Literal, CompileError> {
        let (low, high) = self.range(&form)?;
        if low >= 0 {
            return Ok(TRUE);
        }
        if high < 0 {
            return Ok(FALSE);
        }
        let divisor = divisor(&form);
        form.terms.iter_mut().for_each(|t| t.1 /= divisor);
        form.constant = form.constant.div_euclid(divisor);
        let positive = form.terms[0].1 > 0;
        if !positive {
            // f >= 0 says that -f-1 >= 0 is wrong.
            form.terms.iter_mut().for_each(|t| t.1 = -t.1);
            form.constant = -form.constant - 1;
        }
        Ok(self.condition(Condition::NonNegative(form)).is(positive))
    }

    /// All (or at least one) of the literals.
    pub(crate) fn join(&mut self, literals: Vec<Literal>, all: bool) -> Literal {
        let (neutral, decisive) = if all { (TRUE, FALSE) } else { (FALSE, TRUE) };
        let mut flat = Vec::with_capacity(literals.len());
        for literal in literals {
            match &self.conditions[literal.condition as usize] {
                Condition::And(inner) if all => flat.extend(inner.iter().copied()),
                Condition::Or(inner) if !all => flat.extend(inner.iter().copied()),
                _ => flat.push(literal),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat.retain(|&l| l != neutral);
        // Sorted: a condition and its negation stand side by side.
        if flat.contains(&decisive) || flat.windows(2).any(|w| w[0].condition == w[1].condition) {
            return decisive;
        }
        match flat.len() {
            0 => neutral,
            1 => flat[0],
            _ if all => self.condition(Condition::And(flat)),
            _ => self.condition(Condition::Or(flat)),
        }
    }
}

/// The greatest common divisor of the coefficients, of which there is at least one.
fn divisor(form: &Combination) -> i128 {
    form.terms.iter().fold(0, |g, t| gcd(g, t.1))
}
