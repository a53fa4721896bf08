//! A strategy as a table: when to play where.

use nimatron_draw::document::{Table, Text};
use nimatron_linear::written;
use std::collections::BTreeMap;

/// What is to be said before the table, and the table: one rule per line of the strategy.
pub(crate) fn strategy_table(strategy: &str) -> Option<(Text, Table)> {
    let rules: Vec<(&str, &str)> = strategy.lines().filter_map(|l| l.split_once(": ")).collect();
    if rules.is_empty() {
        return None;
    }
    let mut words = String::from(
        "From every position that is not a P-position one of these rules, or its image under a symmetry of the game, \
         gives a winning move. A prime marks a height after the move.",
    );
    if rules.iter().any(|(condition, _)| variables(condition, 'T')) {
        words +=
            " Numbers called T are whole: they tell remainders, as in a = 2T for an even height.";
    }
    let row = |(i, (condition, play)): (usize, &(&str, &str))| {
        let condition = match condition.trim().strip_prefix("if ") {
            Some(condition) => Text::default().maths(&split(condition)),
            None => Text::of(condition.trim()),
        };
        let play = match play.trim().strip_prefix("play ").and_then(|p| p.split_once(" to ")) {
            Some((set, heights)) => {
                Text::of("play ").math(set).say(" to ").maths(&essential(&split(heights)))
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
    Some((words.into(), table))
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
    let mut known: BTreeMap<String, BTreeMap<String, i64>> = BTreeMap::new();
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

/// A sum of multiples of variables, the number under an empty name.
fn form(text: &str) -> Option<BTreeMap<String, i64>> {
    let mut found = BTreeMap::new();
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
    Some(found)
}

fn substituted(
    form: &BTreeMap<String, i64>,
    known: &BTreeMap<String, BTreeMap<String, i64>>,
) -> BTreeMap<String, i64> {
    let mut out = BTreeMap::new();
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
fn told(form: &BTreeMap<String, i64>) -> String {
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
        assert_eq!(table.rows.len(), 2);
        assert_eq!(table.rows[1][2], Text::of("a P-position"));
        assert!(strategy_table("").is_none());
    }
}
