//! What a terminal is like: its width, and what stands out on it.

use crate::render::words::{visible, wrap_to};
use anstyle::{AnsiColor, Style};

/// The width of a terminal and the styles of the parts of a text. Only whole short phrases are
/// styled, never text that is broken into lines, so that widths stay what they seem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Columns of a line.
    pub width: usize,
    /// What was asked about.
    pub title: Style,
    /// The headings of sections, and labels.
    pub heading: Style,
    /// Good news for the player to move.
    pub win: Style,
    /// Bad news for the player to move.
    pub loss: Style,
    /// What is not known.
    pub open: Style,
    /// The word `error`, and carets.
    pub error: Style,
    /// The word `help`.
    pub help: Style,
}

impl Palette {
    /// No styles at all.
    pub const PLAIN: Palette = {
        let none = Style::new();
        Palette {
            width: WIDTH,
            title: none,
            heading: none,
            win: none,
            loss: none,
            open: none,
            error: none,
            help: none,
        }
    };

    /// The sixteen colours every terminal has.
    pub const COLOUR: Palette = Palette {
        width: WIDTH,
        title: Style::new().bold(),
        heading: AnsiColor::Cyan.on_default(),
        win: AnsiColor::Green.on_default().bold(),
        loss: AnsiColor::Red.on_default().bold(),
        open: AnsiColor::Yellow.on_default().bold(),
        error: AnsiColor::Red.on_default().bold(),
        help: AnsiColor::Cyan.on_default(),
    };
}

/// The usual width of a line.
pub(crate) const WIDTH: usize = 80;

impl Palette {
    /// The same on lines of so many columns, from 30 to 200.
    #[must_use]
    pub fn of_width(self, columns: usize) -> Self {
        Palette { width: columns.clamp(30, 200), ..self }
    }

    /// Breaks a text at blanks so that its lines fit; continuation lines start with `indent`. A
    /// word too long for a line of its own, such as the heights of many stacks, is broken after
    /// commas and signs.
    pub fn wrap(&self, text: &str, indent: &str) -> String {
        wrap_to(text, self.width, indent)
    }

    /// Breaks the lines of a finished text that do not fit; continuation lines stand two columns
    /// further in. Styles have no width.
    pub fn fit(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            let (line, end) = match line.strip_suffix('\n') {
                Some(line) => (line, "\n"),
                None => (line, ""),
            };
            match visible(line) > self.width {
                true => {
                    let deep = line.chars().take_while(|&c| c == ' ').count() + 2;
                    out += &wrap_to(line, self.width, &" ".repeat(deep.min(self.width / 2)));
                }
                false => out += line,
            }
            out += end;
        }
        out
    }

    /// A line of a list: what it is about, and in the next column the text.
    pub(crate) fn labelled(&self, column: usize, label: &str, text: &str) -> String {
        // On narrow lines the text gets most of the room.
        let indent = if self.width < 50 { 4 } else { column + 2 };
        self.wrap(&format!("  {label:<column$}{text}"), &" ".repeat(indent)) + "\n"
    }
}

/// The text in this style.
pub(crate) fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
