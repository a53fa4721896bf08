//! Small pieces of LaTeX.

use crate::render::words::Names;

/// A game's notation in text: names upright, the rest in math.
pub(crate) fn game(notation: &str) -> String {
    let mut out = String::from("$");
    let mut name = String::new();
    let flush = |name: &mut String, out: &mut String| {
        match name.len() {
            0 => {}
            1 => out.push_str(name),
            _ => out.push_str(&format!("\\mathrm{{{name}}}")),
        }
        name.clear();
    };
    for c in notation.chars() {
        match c {
            c if c.is_alphabetic() => name.push(c),
            c => {
                flush(&mut name, &mut out);
                match c {
                    '{' | '}' => out.extend(['\\', c]),
                    '>' => out.push_str(" > "),
                    c => out.push(c),
                }
            }
        }
    }
    flush(&mut name, &mut out);
    out + "$"
}

/// The stacks of a position, in math: `(a, f, d+e)`.
pub(crate) fn stacks(names: &Names) -> String {
    format!("({})", names.row().replace(',', ", "))
}

/// Text in which nothing is taken for a command.
pub(crate) fn citation(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' | '%' | '#' | '_' | '{' | '}' | '$' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_upright() {
        assert_eq!(game("PN(3,2)"), r"$\mathrm{PN}(3,2)$");
        assert_eq!(game("PN(3,2) + Nim(1)"), r"$\mathrm{PN}(3,2) + \mathrm{Nim}(1)$");
        assert_eq!(game("Slow(4,{1,2})"), r"$\mathrm{Slow}(4,\{1,2\})$");
        assert_eq!(citation("A & B_1"), r"A \& B\_1");
    }
}
