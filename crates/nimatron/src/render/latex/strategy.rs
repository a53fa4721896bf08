//! A strategy as a table: when to play where.

use nimatron_draw::document::{Table, Text};
use nimatron_linear::written;
use std::collections::BTreeMap;

/// What is to be said before the table, and the table: one rule per line of the strategy.
pub(crate) fn strategy_table(strategy: &str) -> Option<(Text, Table)> {
    // Where a position is a P-position already there is nothing to play.
    let rules: Vec<(&str, &str)> = strategy
        .lines()
        .filter_map(|l| l.split_once(": "))
        .filter(|(_, play)| play.trim().starts_with("play "))
        .collect();
    if rules.is_empty() {
        return None;
    }
    let mut words = Text::of(
        "From every position that has a move and is not a P-position one of these rules, or its image under a symmetry of \
         the game, gives a winning move. A prime marks a height after the move.",
    );
    if rules.iter().any(|(condition, _)| variables(condition, 'T')) {
        words = words
            .say(" Numbers called ")
            .math("T")
            .say(" are whole: they tell remainders, as in ")
            .math("a = 2T")
            .say(" for an even height.");
    }
    let row = |(i, (condition, play)): (usize, &(&str, &str))| {
        let known = match condition.trim().strip_prefix("if ") {
            Some(condition) => Conditions::of(&split(condition)),
            None => Conditions::default(),
        };
        let condition = match known.said.is_empty() {
            true => Text::of("always"),
            false => Text::default().maths(&known.said),
        };
        let play = match play.trim().strip_prefix("play ").and_then(|p| p.split_once(" to ")) {
            Some((set, heights)) => {
                let heights = essential(&split(heights));
                let heights: Vec<String> = heights.iter().map(|h| known.shorter(h)).collect();
                Text::of("play ").math(set).say(" to ").maths(&heights)
            }
            None => Text::of(play.trim()),
        };
        vec![Text::of(format!("{}.", i + 1)), condition, play]
    };
    let table = Table {
        head: vec!["".into(), "if".into(), "then".into()],
        rows: rules.iter().enumerate().map(row).collect(),
        ..Table::default()
    };
    Some((words, table))
}

/// A sum of multiples of variables, the number under an empty name.
type Form = BTreeMap<String, i64>;

/// What holds where a rule is used, without what goes without saying.
#[derive(Default)]
struct Conditions {
    said: Vec<String>,
    /// Forms that are at least 0.
    rows: Vec<Form>,
    /// Remainders are told by whole numbers, some of which cannot be negative: `a = 2T+1`.
    whole: Vec<String>,
}

impl Conditions {
    fn of(conditions: &[String]) -> Self {
        let mut found = Conditions::default();
        let mut sides: Vec<(String, Option<Form>)> = Vec::new();
        for condition in conditions {
            let row = condition
                .split_once(" >= ")
                .and_then(|(left, right)| Some(difference(&form(left)?, &form(right)?)));
            found.rows.extend(row.clone());
            if let Some((left, right)) = condition.split_once(" = ")
                && let (true, Some(right)) = (is_height(left), form(right))
                && let Some((name, factor)) = right.iter().find(|(name, _)| !name.is_empty())
                && right.len() <= 2
                && (0..*factor).contains(&right.get("").copied().unwrap_or(0))
            {
                found.whole.push(name.clone());
            }
            sides.push((condition.clone(), row));
        }
        let opposite = |row: &Form| difference(&Form::new(), row);
        let mut told: Vec<Form> = Vec::new();
        for (condition, row) in &sides {
            let Some(row) = row else {
                found.said.push(condition.clone());
                continue;
            };
            let other = opposite(row);
            if found.rows.contains(&other) {
                // Both together are an equation, which stands where the first was.
                if !told.contains(&other) && !told.contains(row) {
                    found.said.push(equation(row));
                    told.push(row.clone());
                }
                continue;
            }
            let stronger = |more: &Form| {
                more != row
                    && without_number(more) == without_number(row)
                    && number(more) < number(row)
            };
            let is_told = told.contains(row) || found.rows.iter().any(stronger);
            if !is_told && !found.is_positive(row) {
                found.said.push(condition.clone());
                told.push(row.clone());
            }
        }
        found
    }

    /// Whether this cannot be negative: a sum of heights.
    fn is_positive(&self, form: &Form) -> bool {
        form.iter().all(|(name, &factor)| {
            factor >= 0 && (name.is_empty() || is_height(name) || self.whole.contains(name))
        })
    }

    /// Whether this is at least 0, as is seen at once.
    fn holds(&self, form: &Form) -> bool {
        self.is_positive(form)
            || self.rows.iter().any(|row| self.is_positive(&difference(form, row)))
    }

    /// A new height, its greatest and least without what is never so: `max(a, 0)` is `a`.
    fn shorter(&self, step: &str) -> String {
        let Some((name, value)) = step.split_once(" = ") else { return step.to_string() };
        for (word, sign) in [("max(", 1), ("min(", -1)] {
            let Some(inside) = value.strip_prefix(word).and_then(|v| v.strip_suffix(')')) else {
                continue;
            };
            let mut parts: Vec<(String, Option<Form>)> =
                split(inside).into_iter().map(|part| (part.clone(), form(&part))).collect();
            let below = |one: &Option<Form>, other: &Option<Form>| match (one, other) {
                (Some(one), Some(other)) if sign > 0 => self.holds(&difference(other, one)),
                (Some(one), Some(other)) => self.holds(&difference(one, other)),
                _ => false,
            };
            let mut at = 0;
            while at < parts.len() {
                let others = parts.iter().enumerate().filter(|(i, _)| *i != at);
                match others.into_iter().any(|(_, (_, other))| below(&parts[at].1, other)) {
                    true => _ = parts.remove(at),
                    false => at += 1,
                }
            }
            let parts: Vec<String> = parts.into_iter().map(|(part, _)| part).collect();
            return match &parts[..] {
                [one] => format!("{name} = {one}"),
                many => format!("{name} = {word}{})", many.join(", ")),
            };
        }
        step.to_string()
    }
}

/// Heights are named by small letters; primes mark those after the move, which are heights too.
fn is_height(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
}

fn difference(a: &Form, b: &Form) -> Form {
    let mut out = a.clone();
    for (name, factor) in b {
        let entry = out.entry(name.clone()).or_insert(0);
        *entry = entry.saturating_sub(*factor);
    }
    out.retain(|_, factor| *factor != 0);
    out
}

fn number(form: &Form) -> i64 {
    form.get("").copied().unwrap_or(0)
}

fn without_number(form: &Form) -> Form {
    form.iter().filter(|(name, _)| !name.is_empty()).map(|(n, f)| (n.clone(), *f)).collect()
}

/// That a form is 0, with positive terms on both sides.
fn equation(form: &Form) -> String {
    let side = |sign: i64| {
        let own = form.iter().map(|(name, factor)| (name.clone(), (factor * sign).max(0)));
        told(&own.filter(|(_, factor)| *factor > 0).collect())
    };
    let (left, right) = (side(1), side(-1));
    match left.starts_with(|c: char| c.is_ascii_digit()) && !right.starts_with('0') {
        true => format!("{right} = {left}"),
        false => format!("{left} = {right}"),
    }
}

/// Whether a text has variables with this letter and a number.
fn variables(text: &str, letter: char) -> bool {
    let mut after = text.split(letter).skip(1);
    after.any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// What stands between commas that are in no bracket.
fn split(text: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in text.chars() {
        match c {
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    parts.iter().map(|p| p.trim().to_string()).collect()
}

/// New heights without the numbers that only help to tell them: these are put in where they are used.
fn essential(steps: &[String]) -> Vec<String> {
    let mut known: BTreeMap<String, Form> = BTreeMap::new();
    let mut kept = Vec::new();
    for step in steps {
        let Some((name, value)) = step.split_once(" = ") else {
            kept.push(step.clone());
            continue;
        };
        let form = form(value).map(|f| substituted(&f, &known));
        match form {
            Some(form) if name.starts_with('R') => _ = known.insert(name.to_string(), form),
            Some(form) => kept.push(format!("{name} = {}", told(&form))),
            None => kept.push(step.clone()),
        }
    }
    // Where something is left that cannot be put in, everything stays as it was.
    match kept.iter().any(|step| variables(step, 'R')) {
        true => steps.to_vec(),
        false => kept,
    }
}

/// Reads a form.
fn form(text: &str) -> Option<Form> {
    let mut found = Form::new();
    let spaced = text.replace('-', " -").replace('+', " +");
    for term in spaced.split_whitespace() {
        let (sign, rest) = match term.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, term.trim_start_matches('+')),
        };
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, name) = rest.split_at(digits);
        let letters = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '\'');
        let factor = if number.is_empty() { 1 } else { number.parse::<i64>().ok()? };
        if !letters || rest.is_empty() {
            return None;
        }
        *found.entry(name.to_string()).or_insert(0) += sign * factor;
    }
    found.retain(|_, factor| *factor != 0);
    Some(found)
}

fn substituted(form: &Form, known: &BTreeMap<String, Form>) -> Form {
    let mut out = Form::new();
    for (name, &factor) in form {
        match known.get(name) {
            Some(value) => {
                for (inner, &more) in value {
                    *out.entry(inner.clone()).or_insert(0) += factor.saturating_mul(more);
                }
            }
            None => *out.entry(name.clone()).or_insert(0) += factor,
        }
    }
    out
}

/// Positive terms first, the number at the end.
fn told(form: &Form) -> String {
    let named = form.iter().filter(|(name, _)| !name.is_empty());
    let mut terms: Vec<_> = named.map(|(name, &c)| (i128::from(c), name)).collect();
    terms.sort_by_key(|(c, _)| *c < 0);
    written(terms, form.get("").copied().unwrap_or(0).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helping_numbers_are_put_in() {
        let steps = split("R5 = T1, R2 = T2-1, b' = 2R2+1, R1 = R5, a' = 2R5");
        assert_eq!(essential(&steps), ["b' = 2T2-1", "a' = 2T1"]);
        let steps = split("R1 = T1, R2 = T2, b' = 2R2, a' = 2R1+2R2-b'");
        assert_eq!(essential(&steps), ["b' = 2T2", "a' = 2T1+2T2-b'"]);
        let steps = split("f' = max(a, 0, a+b-e), d' = a+g-c, e' = a+b-f'");
        assert_eq!(essential(&steps), steps);
    }

    #[test]
    fn rules_are_rows() {
        let strategy =
            "if b >= c, e >= b: play ade to e' = b, d' = e'-c, a' = 0\nalways: a P-position\n";
        let (_, table) = strategy_table(strategy).unwrap();
        assert_eq!(table.rows.len(), 1);
        assert!(strategy_table("").is_none());
    }

    #[test]
    fn what_goes_without_saying_is_not_said() {
        let said = |text: &str| Conditions::of(&split(text)).said.join(", ");
        assert_eq!(said("b >= 0, 0 >= b, a >= b, b >= a, d >= 1"), "b = 0, a = b, d >= 1");
        assert_eq!(said("b >= 1, 1 >= b, a >= 0"), "b = 1");
        assert_eq!(said("a = 2T1, d = 2T4+1, T4 >= 0"), "a = 2T1, d = 2T4+1");
        assert_eq!(said("a >= b, a >= b+2"), "a >= b+2");
        let known = Conditions::of(&split("b+c >= a+e, d >= 1"));
        assert_eq!(known.shorter("d' = max(a, 0, b+c-e)"), "d' = b+c-e");
        let step = "d' = max(0, a-c, a+b-e)";
        assert_eq!(known.shorter(step), "d' = max(0, a+b-e)");
        assert_eq!(Conditions::default().shorter(step), step);
        assert_eq!(known.shorter("d' = min(a, a+b)"), "d' = a");
    }
}
