//! A strategy as a table: when to play where.

use nimatron_draw::document::{Table, Text};

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
    let rules = needed(rules);
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
        let condition = match condition.trim().strip_prefix("if ") {
            Some(condition) => conditions(&split(condition)),
            None => Text::of("always"),
        };
        let play = match play.trim().strip_prefix("play ").and_then(|p| p.split_once(" to ")) {
            Some((set, heights)) => Text::of("play ").math(set).say(" to ").maths(&split(heights)),
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

/// Without rules that say the same as one before them in fewer cases.
fn needed<'a>(rules: Vec<(&'a str, &'a str)>) -> Vec<(&'a str, &'a str)> {
    let parts = |text: &str| split(text.trim().strip_prefix("if ").unwrap_or_default());
    let mut kept: Vec<(&str, &str)> = Vec::new();
    for (condition, play) in rules {
        let own = parts(condition);
        let covers = |before: &&(&str, &str)| {
            before.1.trim() == play.trim()
                && parts(before.0).iter().all(|c| c.is_empty() || own.contains(c))
        };
        if kept.iter().find(covers).is_none() {
            kept.push((condition, play));
        }
    }
    kept
}

/// Conditions one after the other; that a height is even is said in words.
fn conditions(all: &[String]) -> Text {
    let mut out = Text::default();
    for (i, condition) in all.iter().enumerate() {
        let out_of =
            |word: &str| condition.strip_prefix(word)?.strip_prefix('(')?.strip_suffix(')');
        if i > 0 {
            out = out.say(", ");
        }
        out = match (out_of("even"), out_of("odd")) {
            (Some(inner), _) => out.math(inner).say(" even"),
            (_, Some(inner)) => out.math(inner).say(" odd"),
            _ => out.math(condition),
        };
    }
    out
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_rows() {
        let strategy =
            "if b >= c, e >= b: play ade to e' = b, d' = e'-c, a' = 0\nalways: a P-position\n";
        let (_, table) = strategy_table(strategy).unwrap();
        assert_eq!(table.rows.len(), 1);
        assert!(strategy_table("").is_none());
    }

    #[test]
    fn what_an_earlier_rule_says_is_not_said_again() {
        let strategy = "if b >= c, even(a): play a to a' = 0\nif b >= c, even(a), f >= 1: play a to a' = 0\n\
                        if b >= c: play a to a' = 0\nif b >= c, even(a): play ab to a' = 0, b' = 0\n";
        let (_, table) = strategy_table(strategy).unwrap();
        assert_eq!(table.rows.len(), 3);
    }
}
