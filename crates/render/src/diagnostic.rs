//! Errors that point at the problem.

use std::fmt;
use std::ops::Range;

/// A place in a text, in characters.
pub type Span = Range<usize>;

/// An error in something typed: the text, where, what, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong.
    pub message: String,
    /// What was typed.
    pub text: String,
    /// Where it goes wrong, in characters of `text`.
    pub span: Span,
    /// What to write instead.
    pub hint: Option<String>,
}

/// How many characters of a long text are shown around the problem.
const WINDOW: usize = 60;

/// The message, the text with a caret under the problem, and the hint. Long texts are cut.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.message)?;
        let chars: Vec<char> = self.text.chars().map(printable).collect();
        let at = self.span.start.min(chars.len());
        let from = at.saturating_sub(WINDOW * 2 / 3);
        let to = (from + WINDOW).min(chars.len());
        let shown: String = chars[from..to].iter().collect();
        let (left, right) =
            (if from > 0 { "..." } else { "" }, if to < chars.len() { "..." } else { "" });
        let end = self.span.end.clamp(at, to).max(at + 1);
        let carets = "^".repeat(end - at);
        let pad = " ".repeat(left.len() + at - from);
        writeln!(f, "  | {left}{shown}{right}")?;
        writeln!(f, "  | {pad}{carets}")?;
        match &self.hint {
            Some(hint) => writeln!(f, "  = help: {hint}"),
            None => Ok(()),
        }
    }
}

/// Control characters would disturb the terminal.
fn printable(c: char) -> char {
    if c.is_control() { '\u{fffd}' } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_under_the_problem() {
        let d = Diagnostic {
            message: "bad".into(),
            text: "CN(3,7)".into(),
            span: 5..6,
            hint: Some("CN(7,3)".into()),
        };
        assert_eq!(d.to_string(), "bad\n  | CN(3,7)\n  |      ^\n  = help: CN(7,3)\n");
    }

    #[test]
    fn long_texts_are_cut_around_the_problem() {
        let d = Diagnostic {
            message: "bad".into(),
            text: "x".repeat(1_000_000),
            span: 500_000..500_001,
            hint: None,
        };
        let shown = d.to_string();
        assert!(shown.lines().all(|l| l.chars().count() < 80), "{shown}");
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[2].find('^'), Some(4 + 3 + 40));
    }
}
