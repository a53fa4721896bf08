//! Errors that point at the problem.

use crate::render::palette::{Palette, paint};
use nimatron_formula::FormulaError;
use nimatron_game::notation::ParseError;
use std::fmt;
use std::ops::Range;

/// A place in a text, in characters.
pub type Span = Range<usize>;

/// Something that cannot be done as asked, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong.
    pub message: String,
    /// Where, if something typed is wrong.
    pub place: Option<Place>,
    /// What to write instead.
    pub hint: Option<String>,
}

/// A place in a text that was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// What the text is, in a word: `GAME`.
    pub name: &'static str,
    /// What was typed.
    pub text: String,
    /// Where it goes wrong, in characters of `text`; empty where something is missing.
    pub span: Span,
}

/// How many characters of a long text are shown around the problem.
const WINDOW: usize = 56;

/// The longest message or hint; none of ours is, but they may repeat what was typed.
const MOST: usize = 400;

impl Diagnostic {
    /// A text that could not be read as what `name` should be.
    pub fn of_text(name: &'static str, text: String, error: &ParseError) -> Self {
        let start = error.column() - 1;
        let place = Place { name, text, span: start..start + error.width() };
        let hint = error.hint().map(str::to_string);
        Diagnostic { message: error.to_string(), place: Some(place), hint }
    }

    /// A text that is no formula.
    pub fn of_formula(text: String, error: &FormulaError) -> Self {
        // The error counts bytes.
        let chars = |bytes: usize| text.char_indices().take_while(|(at, _)| *at < bytes).count();
        let span = chars(error.span().start)..chars(error.span().end);
        // What formulas have for a hint is advice, not a text to write instead.
        let message = match error.hint() {
            Some(advice) => format!("{error}; {advice}"),
            None => error.to_string(),
        };
        let place = Some(Place { name: "FORMULA", text, span });
        Diagnostic { message, place, hint: None }
    }

    /// `error:`, the message, the text with a caret under the problem, and the hint. Long texts
    /// are cut, so that all is at most a dozen lines of 80 columns.
    pub fn render(&self, palette: &Palette) -> String {
        let message = shown(&self.message, MOST);
        let label = "error:";
        let plain = palette.wrap(&format!("{label} {message}"), "       ");
        // Styles have no width, but wrapping would count them.
        let mut out = format!("{}{}\n", paint(palette.error, label), &plain[label.len()..]);
        if let Some(place) = &self.place {
            out += &place.render(palette);
        }
        if let Some(hint) = &self.hint {
            let plain = palette.wrap(&format!("  help: try {}", shown(hint, MOST)), "        ");
            out += &format!("  {}{}\n", paint(palette.help, "help:"), &plain["  help:".len()..]);
        }
        out
    }
}

impl Place {
    fn render(&self, palette: &Palette) -> String {
        // What is far behind the problem is not even looked at: the text may be long.
        let window = WINDOW.min(palette.width.saturating_sub(self.name.len() + 11));
        let at = self.span.start;
        let from = at.saturating_sub(window * 2 / 3);
        let mut rest = self.text.chars().skip(from).map(printable);
        let visible: String = rest.by_ref().take(window).collect();
        let length = visible.chars().count();
        let left = if from > 0 { "..." } else { "" };
        let right = if rest.next().is_some() { "..." } else { "" };
        let start = (at - from).min(length);
        let end = (self.span.end.max(at) - from).min(length).max(start + 1);
        let pad = " ".repeat(left.len() + start);
        let carets = paint(palette.error, &"^".repeat(end - start));
        let margin = " ".repeat(self.name.len());
        let text = format!("{left}{visible}{right}");
        let line = format!("  {} | {text}", self.name);
        format!("{}\n  {margin} | {pad}{carets}\n", line.trim_end())
    }
}

/// Without styles.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(&Palette::PLAIN))
    }
}

/// At most `most` characters of a text, in one line.
fn shown(text: &str, most: usize) -> String {
    let mut chars = text.chars().map(printable);
    let start: String = chars.by_ref().take(most).collect();
    if chars.next().is_some() { start + "..." } else { start }
}

/// Control characters, and those that change the direction or vanish, would disturb the terminal.
fn printable(c: char) -> char {
    match c {
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => '\u{fffd}',
        '\u{feff}' | '\u{ad}' | '\u{300}'..='\u{36f}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, span: Span, hint: Option<&str>) -> Diagnostic {
        let place = Some(Place { name: "GAME", text: text.into(), span });
        Diagnostic { message: "bad".into(), place, hint: hint.map(Into::into) }
    }

    #[test]
    fn the_caret_stands_under_the_problem() {
        let expected = "error: bad\n  GAME | CN(3,7)\n       |      ^\n  help: try CN(7,3)\n";
        assert_eq!(at("CN(3,7)", 5..6, Some("CN(7,3)")).to_string(), expected);
        // Something is missing at the end.
        let expected = "error: bad\n  GAME | CN(3\n       |     ^\n";
        assert_eq!(at("CN(3", 4..4, None).to_string(), expected);
        let expected = "error: bad\n  GAME |\n       | ^\n";
        assert_eq!(at("", 0..0, None).to_string(), expected);
    }

    #[test]
    fn long_texts_are_cut_around_the_problem() {
        for span in [500_000..500_001, 0..1_000_000, 999_999..1_000_000, 1_000_000..1_000_000] {
            let text = "x".repeat(1_000_000);
            let mut d = at(&text, span.clone(), Some(&text));
            d.message = text;
            let rendered = d.to_string();
            assert!(rendered.lines().count() < 24, "{span:?}: {rendered}");
            assert!(rendered.lines().all(|l| l.chars().count() <= 80), "{span:?}: {rendered}");
            assert!(rendered.contains('^'), "{span:?}: {rendered}");
        }
    }

    #[test]
    fn odd_characters_do_not_reach_the_terminal() {
        let rendered = at("a\u{1b}[31m\u{202e}b\n", 1..2, None).to_string();
        assert!(!rendered.contains(['\u{1b}', '\u{202e}']), "{rendered}");
        assert_eq!(rendered.lines().count(), 3);
    }
}
