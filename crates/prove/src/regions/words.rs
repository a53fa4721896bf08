//! Strategies in words.

use super::strategy::{Class, Strategy, StrategyRule};
use super::told::Value;
use nimatron_linear::{Constraint, Form, written};
use std::fmt;

/// How forms and bounds are written.
struct Style {
    stacks: usize,
    first: usize,
}

impl Style {
    /// A stack, a new height (with a prime), a quotient or a coefficient.
    fn variable(&self, v: usize) -> String {
        let letter = |s: usize| match self.stacks <= 26 {
            true => ((b'a' + s as u8) as char).to_string(),
            false => format!("x{}", s + 1),
        };
        let numbered = |name: char, i: usize| format!("{name}{i}");
        match v {
            v if v < self.stacks => letter(v),
            v if v < self.first => numbered('T', v - self.stacks + 1),
            v if v < self.first + self.stacks => format!("{}'", letter(v - self.first)),
            v => numbered('R', v - self.first - self.stacks + 1),
        }
    }

    fn form(&self, row: &Form) -> String {
        // Positive terms first.
        let mut terms: Vec<(i128, String)> =
            row.terms().map(|(v, c)| (c.into(), self.variable(v))).collect();
        terms.sort_by_key(|(c, _)| *c < 0);
        written(terms, row.constant.into())
    }

    /// `left >= right` with positive terms on both sides, `left > right` where that is shorter.
    fn constraint(&self, Constraint { form, equation }: &Constraint) -> String {
        let negative = form.terms().any(|(_, c)| c < 0);
        let strict = !equation && form.constant == -1 && negative;
        let part = |sign: i64| {
            let own = form.coefficients().iter().map(|c| (c * sign).max(0)).collect();
            let constant = if strict { 0 } else { form.constant };
            self.form(&Form::new(own, (constant * sign).max(0)))
        };
        let relation = match (equation, strict) {
            (true, _) => "=",
            (false, true) => ">",
            (false, false) => ">=",
        };
        format!("{} {relation} {}", part(1), part(-1))
    }

    /// What is said of a remainder: `even(a)`, or `a = 3T1+2` where the quotient is used.
    fn class(&self, class: &Class, named: bool) -> String {
        let form = self.form(&class.form);
        let mut right = Form::variable(class.t).times(class.modulus).unwrap_or_default();
        right.constant = class.rest;
        match (named, class.modulus, class.rest) {
            (true, ..) => format!("{form} = {}", self.form(&right)),
            (false, 2, 0) => format!("even({form})"),
            (false, 2, 1) => format!("odd({form})"),
            (false, modulus, rest) if class.form.terms().count() == 1 => {
                format!("{form} mod {modulus} = {rest}")
            }
            (false, modulus, rest) => format!("({form}) mod {modulus} = {rest}"),
        }
    }

    fn bound(&self, a: i64, row: &Form, up: bool) -> String {
        match (a, up) {
            (1, _) => self.form(row),
            (_, true) => format!("ceil(({})/{a})", self.form(row)),
            (_, false) => format!("floor(({})/{a})", self.form(row)),
        }
    }

    fn value(&self, value: &Value) -> String {
        let (bounds, up) = match value {
            Value::Form(form) => return self.form(form),
            Value::Greatest(bounds) => (bounds, true),
            Value::Least(bounds) => (bounds, false),
        };
        let list: Vec<String> = bounds.iter().map(|(a, r)| self.bound(*a, r, up)).collect();
        match &list[..] {
            [one] => one.clone(),
            _ => format!("{}({})", if up { "max" } else { "min" }, list.join(", ")),
        }
    }
}

impl StrategyRule {
    /// The parts of the rule: conditions, stacks, new heights.
    fn parts(&self, stacks: usize) -> (Vec<String>, String, Vec<String>) {
        let style = Style { stacks, first: self.first };
        let told = self.told(stacks);
        let mut conditions: Vec<String> =
            told.classes.iter().map(|(class, named)| style.class(class, *named)).collect();
        conditions.extend(told.conditions.iter().map(|c| style.constraint(c)));
        let set: Vec<String> = self.play.iter().map(|s| style.variable(s)).collect();
        let heights = told
            .heights
            .iter()
            .map(|(y, value)| format!("{} = {}", style.variable(*y), style.value(value)));
        (conditions, set.join(if stacks <= 26 { "" } else { " " }), heights.collect())
    }
}

/// One rule per line: `if c+d >= f, a+f >= d: play abc to b' = max(0, e+f-c), a' = d+e-b'`.
impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rule in &self.rules {
            let (conditions, set, heights) = rule.parts(self.stacks);
            let conditions = match conditions.is_empty() {
                true => "always".to_string(),
                false => format!("if {}", conditions.join(", ")),
            };
            match rule.play.is_empty() {
                true => writeln!(f, "{conditions}: a P-position")?,
                false => writeln!(f, "{conditions}: play {set} to {}", heights.join(", "))?,
            }
        }
        Ok(())
    }
}
