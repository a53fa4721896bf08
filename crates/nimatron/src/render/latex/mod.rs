//! LaTeX of everything that is stated: answers as documents, of which the body is printed.
//!
//! What is printed is read with `\input` in a document that loads `nimatron.sty`; publications are cited by the names
//! of their BibTeX entries.

mod answers;
#[cfg(feature = "prove")]
mod proofs;
mod prose;
mod statement;
#[cfg(feature = "prove")]
mod strategy;

pub use answers::{after_latex, cheatsheet_latex, invariants_latex, theorems_latex, verdict_latex};
#[cfg(feature = "prove")]
pub use proofs::{
    discovery_latex, examination_latex, investigation_latex, one_sided_latex, proving_latex,
};
pub(crate) use prose::game_math as game;
#[cfg(feature = "prove")]
pub(crate) use {prose::text, statement::statement, strategy::strategy_table};

use crate::render::words::Names;
use nimatron_draw::document::Document;

/// The body of a document, with a word on what it needs.
fn body(document: &Document) -> String {
    let mut out = String::from(
        "% For a document with \\usepackage{nimatron}: `nimatron paper --style` prints nimatron.sty\n",
    );
    let text = document.latex_body();
    if text.contains("\\cite") {
        out += "% and \\bibliography: `nimatron theorems --bibtex` prints the entries\n";
    }
    out + text.trim_end() + "\n"
}

/// A game's notation for math mode: names upright.
fn game_math(notation: &str) -> String {
    let mut out = String::new();
    let mut name = String::new();
    let flush = |name: &mut String, out: &mut String| {
        // Sets of stacks are no names.
        match name.len() {
            0 => {}
            _ if name.starts_with(|c: char| c.is_lowercase()) && *name != "misere" => {
                out.push_str(name);
            }
            1 => out.push_str(name),
            _ if *name == "misere" => out.push_str("\\text{mis\u{e8}re}"),
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
                    ' ' if out.ends_with("{mis\u{e8}re}") => out.push_str("\\ "),
                    c => out.push(c),
                }
            }
        }
    }
    flush(&mut name, &mut out);
    out
}

/// The stacks of a position: `(a, f, d+e)`.
fn stacks(names: &Names) -> String {
    format!("({})", names.row().replace(',', ", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_upright() {
        assert_eq!(game_math("PN(3,2)"), r"\mathrm{PN}(3,2)");
        assert_eq!(game_math("PN(3,2) + Nim(1)"), r"\mathrm{PN}(3,2) + \mathrm{Nim}(1)");
        assert_eq!(game_math("Slow(4,{1,2})"), r"\mathrm{Slow}(4,\{1,2\})");
        assert_eq!(game_math("Set(abc,bd)"), r"\mathrm{Set}(abc,bd)");
        assert_eq!(game_math("misere CN(5,2)"), "\\text{mis\u{e8}re}\\ \\mathrm{CN}(5,2)");
    }
}
