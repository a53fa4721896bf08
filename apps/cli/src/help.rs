//! What is said about the command line itself, at the width of the terminal.

use crate::cli::Cli;
use crate::output::{Stream, columns};
use clap::{Command, CommandFactory, FromArgMatches};
use nimatron::render::Palette;

/// Reads the command line.
pub(crate) fn parse() -> Result<Cli, clap::Error> {
    let width = columns(Stream::Answers).or_else(|| columns(Stream::Errors)).unwrap_or(80);
    let palette = Palette::PLAIN.of_width(width);
    let matches = fitted(Cli::command(), &palette).try_get_matches()?;
    Cli::from_arg_matches(&matches)
}

/// The command with help that fits. Examples stay such that they can be pasted.
fn fitted(command: Command, palette: &Palette) -> Command {
    let command = command.term_width(palette.width.min(80));
    let after = command.get_after_help().map(|text| {
        let lines = text.to_string();
        let lines = lines.lines().map(|line| fitted_line(line, palette));
        lines.collect::<Vec<_>>().join("\n")
    });
    let command = match after {
        Some(text) => command.after_help(text),
        None => command,
    };
    command.mut_subcommands(|command| fitted(command, palette))
}

fn fitted_line(line: &str, palette: &Palette) -> String {
    match line.starts_with("  nimatron ") && line.chars().count() > palette.width {
        true => pasteable(line, palette.width),
        false => palette.fit(line),
    }
}

/// A command for the shell on several lines: each but the last ends in a backslash. Within quotes
/// a line goes on at the first column, for blanks would count there.
fn pasteable(line: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut current = "  ".to_string();
    let mut is_first = true;
    for word in line.trim_start().split(' ') {
        let is_quoted = |text: &str| text.matches('"').count() % 2 == 1;
        // Room for a blank before the word, and for a blank and a backslash behind it.
        if !is_first && current.chars().count() + word.chars().count() + 3 > width {
            let so_far: String = lines.concat() + &current;
            lines.push(current + " \\\n");
            // A long word stands further to the left.
            let indent = width.saturating_sub(word.chars().count() + 2).min(4);
            current = if is_quoted(&so_far) { String::new() } else { " ".repeat(indent) };
            current += word;
        } else {
            current += if is_first { "" } else { " " };
            current += word;
        }
        is_first = false;
    }
    lines.concat() + &current
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_broken_as_the_shell_joins_them() {
        let line = "  nimatron check \"CN(5,3)\" \"sym(a = 0, b = e = c+d)\" --max 12";
        assert_eq!(pasteable(line, 80), line);
        let narrow = pasteable(line, 30);
        let expected =
            "  nimatron check \"CN(5,3)\" \\\n    \"sym(a = 0, b = e = \\\nc+d)\" --max 12";
        assert_eq!(narrow, expected);
        assert!(narrow.lines().all(|l| l.len() <= 30), "{narrow}");
        assert_eq!(narrow.replace("\\\n    ", "").replace("\\\n", ""), line);
    }
}
