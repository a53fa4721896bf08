//! The small words of the output: stacks, lists, counts.

use nimatron_game::{Family, StackSet};

/// A stack's name in a game of `n` stacks: a letter while there are letters, else `x1`, `x2`, ..
pub fn stack(stack: usize, n: usize) -> String {
    match n <= 26 {
        true => char::from(b'a' + stack as u8).to_string(),
        false => format!("x{}", stack + 1),
    }
}

/// The first of the 26 letters that stand for stacks in print: a sans-serif slanted `a`.
const OWN: u32 = 0x1d622;

/// Text in which letters for stacks are usual ones.
pub(crate) fn upright(text: &str) -> String {
    let letter = |c: char| match u32::from(c).checked_sub(OWN) {
        Some(place @ 0..26) => char::from(b'a' + place as u8),
        _ => c,
    };
    text.chars().map(letter).collect()
}

/// What the stacks of a game are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names(Vec<String>);

impl Names {
    /// Letters, or names with numbers, for a game of `n` stacks.
    pub fn of(n: usize) -> Self {
        Names((0..n).map(|s| stack(s, n)).collect())
    }

    /// The same in letters that stand for nothing but stacks: sentences made with them can be taken apart again.
    pub(crate) fn for_print(&self) -> Self {
        let letter = |c: char| match c {
            'a'..='z' => char::from_u32(u32::from(c) - u32::from('a') + OWN).unwrap_or(c),
            c => c,
        };
        Names(self.0.iter().map(|name| name.chars().map(letter).collect()).collect())
    }

    /// Whether these are the names that a game with so many stacks has by itself.
    pub(crate) fn are_those_of(&self, n: usize) -> bool {
        self.len() == n && self.0.iter().enumerate().all(|(s, name)| upright(name) == stack(s, n))
    }

    /// The names of some of the stacks, in this order.
    pub(crate) fn only(&self, stacks: std::ops::Range<usize>) -> Self {
        Names(self.0[stacks].to_vec())
    }

    /// The names after stacks were put together, each called after those it stands for: `d+e`.
    pub(crate) fn gathered(&self, members: &[Vec<usize>]) -> Self {
        let together =
            |m: &Vec<usize>| m.iter().map(|&s| self.one(s)).collect::<Vec<_>>().join("+");
        Names(members.iter().map(together).collect())
    }

    /// Whether all names are single letters in alphabetical order: then sets written in them are those
    /// of a game with the stacks in this order.
    pub(crate) fn are_letters(&self) -> bool {
        let letter =
            |name: &String| name.chars().count() == 1 && name.chars().all(char::is_alphabetic);
        self.0.iter().all(letter) && self.0.is_sorted()
    }

    /// All names.
    pub(crate) fn all(&self) -> &[String] {
        &self.0
    }

    /// How many stacks have names here.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// One stack.
    pub(crate) fn one(&self, stack: usize) -> &str {
        &self.0[stack]
    }

    /// All names in order, as in `a,b,c`.
    pub(crate) fn row(&self) -> String {
        self.0.join(",")
    }

    /// `a`, `a and b`, `a, b and c`; many stacks as a set.
    pub(crate) fn stacks(&self, set: StackSet) -> String {
        if set.len() > 8 {
            return self.set(set);
        }
        list(&set.iter().map(|s| self.0[s].clone()).collect::<Vec<_>>())
    }

    /// A set as it is written: `abc`, or `{x1..x5,x27}` where letters do not do.
    pub(crate) fn set(&self, set: StackSet) -> String {
        let mut names: Vec<&str> = set.iter().map(|s| self.one(s)).collect();
        if names.iter().all(|name| name.chars().all(char::is_alphabetic)) {
            names.sort_unstable();
            return names.concat();
        }
        let number = |name: &str| name.strip_prefix('x')?.parse::<usize>().ok();
        let mut runs: Vec<String> = Vec::new();
        let mut rest = &names[..];
        while let [first, ..] = rest {
            let next = |(i, name): &(usize, &&str)| {
                number(first).is_some_and(|from| number(name) == Some(from + i))
            };
            match rest.iter().enumerate().take_while(next).count() {
                0..3 => {
                    runs.push(first.to_string());
                    rest = &rest[1..];
                }
                length => {
                    runs.push(format!("{first}..{}", rest[length - 1]));
                    rest = &rest[length..];
                }
            }
        }
        format!("{{{}}}", runs.join(","))
    }

    /// Several sets: `ab, cd and ef`.
    pub(crate) fn sets(&self, sets: &[StackSet]) -> String {
        list(&sets.iter().map(|&s| self.set(s)).collect::<Vec<_>>())
    }
}

/// `a, b or c`.
pub fn list_or(words: &[String]) -> String {
    match words {
        [] => "none".to_string(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
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

/// `1 position`, `12,345 positions`, `2 branches`.
pub fn count(n: u128, noun: &str) -> String {
    let ending = match n {
        1 => "",
        _ if noun.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{} {noun}{ending}", thousands(n))
}

/// `a P`, `an N`: the article as the letter is spoken.
pub(crate) fn with_article(outcome: &str) -> String {
    format!("{} {outcome}", if outcome == "N" { "an" } else { "a" })
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

/// Breaks a text into lines of this width; see [`Palette::wrap`](super::Palette::wrap).
pub(crate) fn wrap_to(text: &str, width: usize, indent: &str) -> String {
    let room = width.saturating_sub(visible(indent)).max(1);
    let mut lines = Lines { done: Vec::new(), line: String::new(), used: 0, width };
    for (i, word) in text.split(' ').enumerate() {
        let blank = if i == 0 { "" } else { " " };
        match visible(word) <= room {
            true => lines.push(blank, word, indent),
            false => {
                let pieces = word.split_inclusive([',', '+']).flat_map(|piece| cut(piece, room));
                for (j, piece) in pieces.enumerate() {
                    lines.push(if j == 0 { blank } else { "" }, &piece, indent);
                }
            }
        }
    }
    lines.done.push(lines.line);
    lines.done.join("\n")
}

/// The lines so far, and the one being filled.
struct Lines {
    done: Vec<String>,
    line: String,
    used: usize,
    width: usize,
}

impl Lines {
    fn push(&mut self, blank: &str, piece: &str, indent: &str) {
        let needed = blank.len() + visible(piece);
        if self.used + needed > self.width && !self.line.trim().is_empty() {
            let full = std::mem::replace(&mut self.line, format!("{indent}{piece}"));
            self.done.push(full.trim_end().to_string());
            self.used = visible(indent) + visible(piece);
        } else {
            self.line += blank;
            self.line += piece;
            self.used += needed;
        }
    }
}

/// The columns that a text takes: styles take none.
pub(crate) fn visible(text: &str) -> usize {
    let mut styled = false;
    let mut columns = 0;
    for c in text.chars() {
        match (styled, c) {
            (_, '\u{1b}') => styled = true,
            (true, 'm') => styled = false,
            (true, _) => {}
            (false, _) => columns += 1,
        }
    }
    columns
}

/// A piece in chunks of at most `room` characters.
fn cut(piece: &str, room: usize) -> Vec<String> {
    if visible(piece) <= room {
        return vec![piece.to_string()];
    }
    let chars: Vec<char> = piece.chars().collect();
    chars.chunks(room).map(|chunk| chunk.iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_well() {
        let set: StackSet = [0, 1, 3].into_iter().collect();
        let (few, many) = (Names::of(4), Names::of(30));
        assert_eq!(few.stacks(set), "a, b and d");
        assert_eq!(many.stacks(set), "x1, x2 and x4");
        assert_eq!((few.set(set), many.set(set)), ("abd".into(), "{x1,x2,x4}".into()));
        assert_eq!(many.set((3..30).chain([0]).collect()), "{x1,x4..x30}");
        let merged = few.gathered(&[vec![0], vec![1, 3], vec![2]]);
        assert_eq!(merged.row(), "a,b+d,c");
        assert_eq!(merged.set(StackSet::first(2)), "{a,b+d}");
        assert_eq!(count(1, "position"), "1 position");
        assert_eq!(count(1_234_567, "position"), "1,234,567 positions");
        assert_eq!(count(123, "move"), "123 moves");
        assert_eq!((with_article("P"), with_article("N")), ("a P".into(), "an N".into()));
    }

    #[test]
    fn lines_are_broken_where_they_must() {
        assert_eq!(wrap_to("aa bb cc", 5, "  "), "aa bb\n  cc");
        assert_eq!(wrap_to("  a  b", 9, ""), "  a  b");
        assert_eq!(wrap_to("at (1,22,333) b", 8, " "), "at (1,\n 22,333)\n b");
        assert_eq!(wrap_to("abcdefgh b", 5, "  "), "abc\n  def\n  gh\n  b");
    }
}
