//! Strategies in words and in LaTeX.

use super::strategy::{Strategy, StrategyRule};
use nimatron_linear::{Form, Step, written};
use std::fmt;

/// How forms and bounds are written.
struct Style {
    stacks: usize,
    first: usize,
    latex: bool,
}

impl Style {
    /// A stack, a new height (with a prime), a quotient or a coefficient.
    fn variable(&self, v: usize) -> String {
        let letter = |s: usize| match self.stacks <= 26 {
            true => ((b'a' + s as u8) as char).to_string(),
            false if self.latex => format!("x_{{{}}}", s + 1),
            false => format!("x{}", s + 1),
        };
        let numbered = |name: char, i: usize| match self.latex {
            true => format!("{name}_{{{i}}}"),
            false => format!("{name}{i}"),
        };
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

    /// `left >= right` with positive terms on both sides.
    fn inequality(&self, row: &Form) -> String {
        let part = |sign: i64| {
            let own = row.coefficients().iter().map(|c| (c * sign).max(0)).collect();
            self.form(&Form::new(own, (row.constant * sign).max(0)))
        };
        let relation = if self.latex { r" \ge " } else { " >= " };
        format!("{}{relation}{}", part(1), part(-1))
    }

    fn bound(&self, a: i64, row: &Form, up: bool) -> String {
        match (a, up, self.latex) {
            (1, _, _) => self.form(row),
            (_, true, true) => format!(r"\lceil ({})/{a} \rceil", self.form(row)),
            (_, false, true) => format!(r"\lfloor ({})/{a} \rfloor", self.form(row)),
            (_, true, false) => format!("ceil(({})/{a})", self.form(row)),
            (_, false, false) => format!("floor(({})/{a})", self.form(row)),
        }
    }

    fn value(&self, step: &Step) -> (usize, String) {
        let extreme = |bounds: &[(i64, Form)], up: bool| {
            let list: Vec<String> = bounds.iter().map(|(a, r)| self.bound(*a, r, up)).collect();
            let name = match (up, self.latex) {
                (true, true) => r"\max",
                (false, true) => r"\min",
                (true, false) => "max",
                (false, false) => "min",
            };
            match &list[..] {
                [one] => one.clone(),
                _ => format!("{name}({})", list.join(", ")),
            }
        };
        match step {
            Step::Value { y, value } => (*y, self.form(value)),
            Step::Between { y, lowers, .. } if !lowers.is_empty() => (*y, extreme(lowers, true)),
            Step::Between { y, uppers, .. } if !uppers.is_empty() => (*y, extreme(uppers, false)),
            Step::Between { y, .. } => (*y, "0".to_string()),
        }
    }
}

impl StrategyRule {
    /// The parts of the rule: conditions, stacks, new heights.
    fn parts(&self, stacks: usize, latex: bool) -> (Vec<String>, String, Vec<String>) {
        let style = Style { stacks, first: self.first, latex };
        let mut conditions = Vec::new();
        for class in &self.classes {
            let mut right = Form::variable(class.t).times(class.modulus).unwrap_or_default();
            right.constant = class.rest;
            conditions.push(format!("{} = {}", style.form(&class.form), style.form(&right)));
        }
        conditions.extend(self.conditions.iter().map(|row| style.inequality(row)));
        let set: Vec<String> = self.play.iter().map(|s| style.variable(s)).collect();
        let heights = self.steps.iter().rev().map(|step| {
            let (y, value) = style.value(step);
            format!("{} = {value}", style.variable(y))
        });
        (conditions, set.join(if stacks <= 26 { "" } else { " " }), heights.collect())
    }
}

/// One rule per line: `if c+d >= f, a+f >= d: play abc to b' = max(0, e+f-c), a' = d+e-b'`.
impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rule in &self.rules {
            let (conditions, set, heights) = rule.parts(self.stacks, false);
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

impl Strategy {
    /// The rules as a LaTeX list.
    pub fn to_latex(&self) -> String {
        let mut text = String::from("\\begin{enumerate}\n");
        for rule in &self.rules {
            let (conditions, set, heights) = rule.parts(self.stacks, true);
            let math = |list: Vec<String>| {
                list.iter().map(|item| format!("${item}$")).collect::<Vec<_>>().join(", ")
            };
            let conditions = match conditions.is_empty() {
                true => "Always".to_string(),
                false => format!("If {}", math(conditions)),
            };
            let then = match rule.play.is_empty() {
                true => "a P-position".to_string(),
                false => format!("play ${set}$ to {}", math(heights)),
            };
            text.push_str(&format!("\\item {conditions}: {then}.\n"));
        }
        text.push_str("\\end{enumerate}\n");
        text
    }
}
