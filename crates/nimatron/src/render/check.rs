//! A checked conjecture as text and JSON.

use crate::check::{Check, Mismatch, MismatchKind, Witness};
use crate::render::json::{CounterexampleAnswer, Limit};
use crate::render::palette::{Palette, paint};
use crate::render::words::thousands;
use crate::{Height, Position, Take};
#[cfg(feature = "serde")]
use serde::Serialize;

/// The whole answer: whether the formula stands, and the smallest counterexamples if not.
pub fn check(c: &Check, palette: &Palette) -> String {
    let title = palette.wrap(&format!("{} with heights up to {}", c.game, heights(&c.max)), "  ");
    let mut out = paint(palette.title, &title) + "\n";
    out += &line(palette, "formula", &c.formula.to_string());
    out += &line(palette, "positions", &thousands(c.positions));
    if let Some(stop) = c.stop {
        out += &line(palette, "stopped", &stop.to_string());
    }
    let so_far = if c.stop.is_some() { " so far" } else { "" };
    for (label, n) in [("P-positions", c.p_count), ("missed", c.missed), ("claimed", c.claimed)] {
        out += &line(palette, label, &format!("{}{so_far}", thousands(n)));
    }
    let (style, headline, meaning) = match c.holds() {
        Some(true) => (palette.win, "no counterexample", AGREES),
        Some(false) if c.stop.is_some() => (palette.loss, "wrong", STOPPED),
        Some(false) => (palette.loss, "wrong", DIFFERS),
        None => (palette.open, "not decided", UNDECIDED),
    };
    out += &format!("\n{}\n{}", paint(style, headline), paragraph(palette, meaning));
    for counterexample in &c.counterexamples {
        let heading = match (counterexample.kind, c.stop) {
            (MismatchKind::Missed, None) => "Smallest P-position that it misses",
            (MismatchKind::Claimed, None) => "Smallest N-position that it claims",
            (MismatchKind::Missed, Some(_)) => "A P-position that it misses",
            (MismatchKind::Claimed, Some(_)) => "An N-position that it claims",
        };
        out += &format!("\n{}\n", paint(palette.heading, heading));
        out += &paragraph(palette, &counterexample.position.to_string());
        out += &paragraph(palette, &evidence(counterexample));
    }
    out
}

const AGREES: &str = "In this box the formula is satisfied at the P-positions and nowhere else. \
                      This is evidence, not a proof: taller stacks were not looked at.";
const DIFFERS: &str = "The formula and the P-positions differ.";
const STOPPED: &str = "The formula and the P-positions differ. The work was stopped early, so \
                       there may be smaller counterexamples.";
const UNDECIDED: &str = "No counterexample was found before the work was stopped.";

fn line(palette: &Palette, label: &str, text: &str) -> String {
    palette.labelled(15, label, text)
}

fn paragraph(palette: &Palette, text: &str) -> String {
    palette.wrap(&format!("  {text}"), "  ") + "\n"
}

/// One height if all are the same.
fn heights(max: &[Height]) -> String {
    match max {
        [first, rest @ ..] if rest.iter().all(|h| h == first) => first.to_string(),
        _ => max.iter().map(|h| h.to_string()).collect::<Vec<_>>().join(","),
    }
}

fn evidence(c: &Mismatch) -> String {
    match (&c.evidence, c.kind) {
        (Witness::Wins { take, to, linked }, _) => {
            let linked = match linked {
                true => ", a P-position that satisfies the formula, too",
                false => ", a P-position that the formula misses",
            };
            format!("Taking {take} leaves {to}{linked}.")
        }
        (Witness::NoMoveLeft, _) => "No move is left, which wins under misere play.".to_string(),
        (Witness::OnlyInto { take, to }, _) => format!(
            "No move reaches a P-position. The formula would have it win by taking {take}, \
             leaving {to}."
        ),
        (Witness::NoMoveInto, _) => "No move reaches a P-position, nor any position that \
                                      satisfies the formula."
            .to_string(),
        (_, MismatchKind::Missed) => "No move reaches a P-position.".to_string(),
        (_, MismatchKind::Claimed) => "Its winning move was not looked for.".to_string(),
    }
}

/// The answer to `check`, for JSON.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct CheckAnswer {
    game: String,
    formula: String,
    holds: Option<bool>,
    max: Vec<u64>,
    positions: u128,
    p_count: u128,
    missed: u128,
    claimed: u128,
    counterexample: Option<CounterexampleAnswer<MoveAnswer>>,
    counterexamples: Vec<CounterexampleAnswer<MoveAnswer>>,
    limit: Option<Limit>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct MoveAnswer {
    take: Vec<u64>,
    to: Vec<u64>,
    to_outcome: &'static str,
    to_satisfies: bool,
}

impl MoveAnswer {
    fn new(take: &Take, to: &Position, to_outcome: &'static str, to_satisfies: bool) -> Self {
        MoveAnswer { take: take.to_vec(), to: to.to_vec(), to_outcome, to_satisfies }
    }
}

impl From<&Check> for CheckAnswer {
    fn from(c: &Check) -> Self {
        let counterexamples: Vec<_> = c.counterexamples.iter().map(answer).collect();
        CheckAnswer {
            game: c.game.to_string(),
            formula: c.formula.to_string(),
            holds: c.holds(),
            max: c.max.clone(),
            positions: c.positions,
            p_count: c.p_count,
            missed: c.missed,
            claimed: c.claimed,
            counterexample: counterexamples.first().cloned(),
            counterexamples,
            limit: c.stop.map(Limit::from),
        }
    }
}

fn answer(c: &Mismatch) -> CounterexampleAnswer<MoveAnswer> {
    CounterexampleAnswer {
        position: c.position.to_vec(),
        kind: match c.kind {
            MismatchKind::Missed => "missed",
            MismatchKind::Claimed => "claimed",
        },
        shown: match &c.evidence {
            Witness::Wins { take, to, linked } => Some(MoveAnswer::new(take, to, "P", *linked)),
            Witness::OnlyInto { take, to } => Some(MoveAnswer::new(take, to, "N", true)),
            _ => None,
        },
    }
}
