//! The theorem library as text and JSON.

use crate::render::palette::{Palette, paint};
use crate::render::words::{count, thousands};
use crate::structure::TheoremCheck;
use nimatron_theory::{Publication, Solution, Theorem, publications};
#[cfg(feature = "serde")]
use serde::Serialize;
use std::collections::HashSet;
use std::fmt;

/// A theorem to be shown, with the comparisons made for it.
pub struct Entry<'a> {
    /// The theorem.
    pub theorem: &'a dyn Theorem,
    /// The P-positions of the game asked about as a formula, in the theorem's order of stacks.
    pub formula: Option<String>,
    /// What it was compared with.
    pub checks: Vec<TheoremCheck>,
}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("theorem", &self.theorem.id()).finish_non_exhaustive()
    }
}

impl<'a> Entry<'a> {
    /// A theorem about a game, if one was asked about.
    pub fn new(theorem: &'a dyn Theorem, solution: Option<&dyn Solution>) -> Self {
        let formula = solution.and_then(|s| s.formula());
        Entry { theorem, formula, checks: Vec::new() }
    }
}

/// Each theorem with its games and source, or with the comparisons made.
pub fn theorems(entries: &[Entry], palette: &Palette) -> String {
    if entries.iter().all(|e| e.checks.is_empty()) {
        let rows = entries.iter().flat_map(|e| {
            let (id, citation) = (e.theorem.id().to_string(), e.theorem.citation().to_string());
            [vec![id, e.theorem.games().into()], vec![String::new(), citation]]
        });
        return palette.columns(&rows.collect::<Vec<_>>());
    }
    let mut out = String::new();
    for entry in entries {
        let theorem = entry.theorem;
        out += &paint(palette.heading, theorem.id());
        out += &format!("  {}\n{}", theorem.citation(), compared(&entry.checks, palette));
    }
    out
}

/// All about one theorem.
pub fn theorem(entry: &Entry, palette: &Palette) -> String {
    let (theorem, statement) = (entry.theorem, entry.theorem.statement());
    let mut out = paint(palette.title, theorem.id()) + "\n";
    let line = |label: &str, text: &str| palette.labelled(11, label, text);
    out += &line("games", &theorem.games());
    out += &line("source", &theorem.citation().to_string());
    out += &line("", &theorem.citation().source);
    if let Some(credit) = &theorem.citation().credit {
        out += &line("credit", credit);
    }
    out += &line("says", &statement.text);
    if let Some(formula) = &entry.formula {
        out += &line("P if", formula);
    }
    if let Some(formula) = theorem.second_form() {
        out += &line("and P if", &format!("{formula} (proved here)"));
    }
    if !entry.checks.is_empty() {
        out += &format!(
            "\n{}\n{}",
            paint(palette.heading, "Compared"),
            compared(&entry.checks, palette)
        );
    }
    out
}

fn compared(checks: &[TheoremCheck], palette: &Palette) -> String {
    let row = |c: &TheoremCheck| {
        let verdict = match &c.differs {
            None => format!("agrees on {}", count(c.positions.into(), "position")),
            Some(position) => format!("differs from the table at {position}"),
        };
        vec![
            c.game.to_string(),
            format!("heights 0 to {}", c.max),
            verdict,
            format!("{} P", thousands(c.p_positions.into())),
        ]
    };
    match checks.is_empty() {
        true => "  no box is small enough\n".to_string(),
        false => palette.columns(&checks.iter().map(row).collect::<Vec<_>>()),
    }
}

/// What the theorems cite, each publication once, as BibTeX.
pub fn bibliography(entries: &[Entry]) -> String {
    let cited: HashSet<String> =
        entries.iter().map(|e| e.theorem.citation().key.into_owned()).collect();
    let all = entries.len() > 1;
    let wanted = publications().iter().filter(|p| all || cited.contains(p.key));
    wanted.map(Publication::bibtex).collect::<Vec<_>>().join("\n")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The answer to `theorems`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct TheoremsAnswer {
    game: Option<String>,
    theorems: Vec<TheoremAnswer>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct TheoremAnswer {
    id: String,
    games: String,
    source: String,
    publication: String,
    credit: Option<String>,
    text: String,
    latex: String,
    formula: Option<String>,
    /// Another formula for the same set, proved with this program.
    second_form: Option<String>,
    checks: Vec<CheckAnswer>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct CheckAnswer {
    game: String,
    max: u64,
    positions: u64,
    p_positions: u64,
    agrees: bool,
    differs_at: Option<Vec<u64>>,
}

impl TheoremsAnswer {
    /// The theorems listed, all about a game if one is given.
    pub fn new(game: Option<&crate::Game>, entries: &[Entry]) -> Self {
        let check = |c: &TheoremCheck| CheckAnswer {
            game: c.game.to_string(),
            max: c.max,
            positions: c.positions,
            p_positions: c.p_positions,
            agrees: c.differs.is_none(),
            differs_at: c.differs.as_ref().map(|p| p.to_vec()),
        };
        let theorem = |e: &Entry| TheoremAnswer {
            id: e.theorem.id().to_string(),
            games: e.theorem.games().into(),
            source: e.theorem.citation().to_string(),
            publication: e.theorem.citation().source.into(),
            credit: e.theorem.citation().credit.map(Into::into),
            text: e.theorem.statement().text.into(),
            latex: one_line(&e.theorem.statement().latex),
            formula: e.formula.clone(),
            second_form: e.theorem.second_form().map(Into::into),
            checks: e.checks.iter().map(check).collect(),
        };
        TheoremsAnswer {
            game: game.map(|g| g.to_string()),
            theorems: entries.iter().map(theorem).collect(),
        }
    }
}
