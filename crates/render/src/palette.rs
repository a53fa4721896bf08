//! What stands out on a terminal.

use anstyle::{AnsiColor, Style};

/// The styles of the parts of a text. Only whole short phrases are styled, never text that is
/// broken into lines, so that widths stay what they seem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
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
        title: Style::new().bold(),
        heading: AnsiColor::Cyan.on_default(),
        win: AnsiColor::Green.on_default().bold(),
        loss: AnsiColor::Red.on_default().bold(),
        open: AnsiColor::Yellow.on_default().bold(),
        error: AnsiColor::Red.on_default().bold(),
        help: AnsiColor::Cyan.on_default(),
    };
}

/// The text in this style.
pub(crate) fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
