//! Sweeps and counts, as text and JSON.

use crate::render::json::Limit;
use crate::render::palette::{Palette, paint};
use crate::render::words::{count, thousands};
use crate::sweeps::{Finding, Sweep};
use nimatron_theory::order_types::OrderTypes;
#[cfg(feature = "serde")]
use serde::Serialize;

/// What was found about each game, and what it amounts to.
pub fn sweep(s: &Sweep, palette: &Palette) -> String {
    let title = format!("{}, {} stacks", s.question.source(), s.stacks);
    let mut out = paint(palette.title, &palette.wrap(&title, "  ")) + "\n";
    out += &(palette.wrap(&format!("  {}", s.question.statement()), "  ") + "\n\n");
    let rows: Vec<Vec<String>> = s
        .games
        .iter()
        .map(|g| vec![g.game.clone(), g.finding.as_str().to_string(), g.text.clone()])
        .collect();
    out += &palette.columns(&rows);
    let (style, headline) = match s.holds() {
        Some(true) => (palette.win, "no counterexample"),
        Some(false) => (palette.loss, "counterexample"),
        None => (palette.open, "not decided"),
    };
    out += &format!("\n{}\n", paint(style, headline));
    let kinds = [Finding::Proved, Finding::Evidence, Finding::Counterexample, Finding::Unknown];
    let counts: Vec<String> = kinds
        .into_iter()
        .filter(|&kind| s.count(kind) > 0)
        .map(|kind| format!("{} {}", thousands(s.count(kind) as u128), kind.as_str()))
        .collect();
    let games = count(s.games.len() as u128, "game");
    let mut text = match counts.is_empty() {
        true => format!("{games} looked at."),
        false => format!("{games}: {}.", counts.join(", ")),
    };
    if s.count(Finding::Evidence) > 0 {
        text += " Evidence is what a table says up to some height; it proves nothing.";
    }
    if let Some(stop) = s.stop {
        text += &format!(" Stopped: {stop}.");
    }
    out + &palette.wrap(&format!("  {text}"), "  ") + "\n"
}

/// The answer to `conjecture`, for JSON.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct SweepAnswer {
    conjecture: &'static str,
    source: &'static str,
    statement: &'static str,
    stacks: usize,
    holds: Option<bool>,
    games: Vec<SweptAnswer>,
    limit: Option<Limit>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct SweptAnswer {
    game: String,
    finding: &'static str,
    text: String,
}

impl From<&Sweep> for SweepAnswer {
    fn from(s: &Sweep) -> Self {
        let answer = |g: &crate::sweeps::Swept| SweptAnswer {
            game: g.game.clone(),
            finding: g.finding.as_str(),
            text: g.text.clone(),
        };
        SweepAnswer {
            conjecture: s.question.name(),
            source: s.question.source(),
            statement: s.question.statement(),
            stacks: s.stacks,
            holds: s.holds(),
            games: s.games.iter().map(answer).collect(),
            limit: s.stop.map(Limit::from),
        }
    }
}

/// How the lemmas behind CN(8,6) share the order types.
pub fn order_types(o: &OrderTypes, palette: &Palette) -> String {
    let mut out = paint(palette.title, "DH13 Theorem 4.1, CN(8,6)") + "\n";
    let total = thousands(o.total as u128);
    let text = format!(
        "  Eight different heights stand around the circle in {total} orders, up to rotation and reflection. \
         The lemmas of the proof take care of so many of them:"
    );
    out += &(palette.wrap(&text, "  ") + "\n\n");
    let mut rows = vec![vec![String::new(), "covers".to_string(), "alone".to_string()]];
    rows.extend(o.lemmas.iter().enumerate().map(|(i, name)| {
        vec![name.to_string(), thousands(o.covered(i) as u128), thousands(o.only(i) as u128)]
    }));
    out += &palette.columns(&rows);
    out += &format!("\n{}\n", paint(palette.heading, "Together"));
    let short = |name: &str| name.split(" (").next().unwrap_or(name).replace("Lemma ", "");
    for (applied, count) in o.shared.iter().enumerate().filter(|(_, count)| **count > 0) {
        let names: Vec<String> = o
            .lemmas
            .iter()
            .enumerate()
            .filter(|(i, _)| applied >> i & 1 == 1)
            .map(|(_, name)| short(name))
            .collect();
        let which = if names.is_empty() { "none".to_string() } else { names.join(", ") };
        out += &palette.labelled(8, &thousands(*count as u128), &which);
    }
    out += "\n";
    let (style, headline) = match &o.left_over {
        None => (palette.win, "every order is taken care of".to_string()),
        Some(heights) => (palette.loss, format!("{heights:?} is not taken care of")),
    };
    out + &paint(style, &headline) + "\n"
}

/// The same for JSON.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct OrderTypesAnswer {
    conjecture: &'static str,
    total: usize,
    lemmas: Vec<LemmaAnswer>,
    shared: Vec<SharedAnswer>,
    left_over: Option<Vec<u64>>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct LemmaAnswer {
    name: &'static str,
    covers: usize,
    alone: usize,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct SharedAnswer {
    /// Places in the list of lemmas, from 1.
    lemmas: Vec<usize>,
    count: usize,
}

impl From<&OrderTypes> for OrderTypesAnswer {
    fn from(o: &OrderTypes) -> Self {
        let lemma = |(i, name): (usize, &&'static str)| LemmaAnswer {
            name,
            covers: o.covered(i),
            alone: o.only(i),
        };
        let shared = |(applied, &count): (usize, &usize)| SharedAnswer {
            lemmas: (0..o.lemmas.len()).filter(|i| applied >> i & 1 == 1).map(|i| i + 1).collect(),
            count,
        };
        OrderTypesAnswer {
            conjecture: "order-types",
            total: o.total,
            lemmas: o.lemmas.iter().enumerate().map(lemma).collect(),
            shared: o.shared.iter().enumerate().filter(|(_, c)| **c > 0).map(shared).collect(),
            left_over: o.left_over.clone(),
        }
    }
}
