//! The small words of the output: stacks, lists, counts.

use nimatron::game::{Family, StackSet};

/// A stack's name in a game of `n` stacks: a letter while there are letters, else a number.
pub fn stack(stack: usize, n: usize) -> String {
    match n <= 26 {
        true => char::from(b'a' + stack as u8).to_string(),
        false => (stack + 1).to_string(),
    }
}

/// `a`, `a and b`, `a, b and c`.
pub fn stacks(set: StackSet, n: usize) -> String {
    list(&set.iter().map(|s| stack(s, n)).collect::<Vec<_>>())
}

/// A set as it is written in a game of `n` stacks: `abc`, or `{1 2 27}`.
pub(crate) fn set(set: StackSet, n: usize) -> String {
    let names: Vec<String> = set.iter().map(|s| stack(s, n)).collect();
    match n <= 26 {
        true => names.concat(),
        false => format!("{{{}}}", names.join(" ")),
    }
}

/// Words joined by commas and a final `and`.
pub fn list(words: &[String]) -> String {
    match words {
        [] => "none".to_string(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// `1 position`, `12,345 positions`.
pub fn count(n: u128, noun: &str) -> String {
    format!("{} {noun}{}", thousands(n), if n == 1 { "" } else { "s" })
}

/// Digits in groups of three.
pub(crate) fn thousands(n: u128) -> String {
    let digits = n.to_string();
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// What a family is called in prose.
pub(crate) fn family(family: &Family) -> &'static str {
    match family {
        Family::Nim { .. } => "Nim",
        Family::Moore { .. } => "Moore's Nim",
        Family::Circular { .. } => "Circular Nim",
        Family::Path { .. } => "Path Nim",
        Family::Necklace { .. } => "Necklace Nim",
        Family::Sets { .. } => "Set Nim",
        Family::Exact { .. } => "Exact Nim",
        Family::Slow { .. } => "Slow Nim",
        Family::Matrix { .. } => "Matrix Nim",
        Family::Graph { .. } => "Graph Nim",
        Family::Cube { .. } => "Cube Nim",
        _ => "a game",
    }
}

/// Breaks a line at blanks so that it fits `width`; continuation lines start with `indent`.
pub(crate) fn wrap(text: &str, width: usize, indent: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("never empty");
        let blank = usize::from(!line.is_empty());
        if line.chars().count() + blank + word.chars().count() > width && !line.trim().is_empty() {
            lines.push(format!("{indent}{word}"));
        } else {
            if blank == 1 {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_well() {
        let set: StackSet = [0, 1, 3].into_iter().collect();
        assert_eq!(stacks(set, 4), "a, b and d");
        assert_eq!(stacks(set, 30), "1, 2 and 4");
        assert_eq!(count(1, "position"), "1 position");
        assert_eq!(count(1_234_567, "position"), "1,234,567 positions");
        assert_eq!(count(123, "move"), "123 moves");
        assert_eq!(wrap("aa bb cc", 5, "  "), "aa bb\n  cc");
        assert_eq!(wrap("abcdefgh b", 5, "  "), "abcdefgh\n  b");
    }
}
