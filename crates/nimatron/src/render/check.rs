//! A checked conjecture as text and JSON.

use crate::check::{Check, Mismatch, MismatchKind, Side, Witness};
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
    if let Some(claim) = claim(c.side) {
        out += &line(palette, "claim", claim);
    }
    out += &line(palette, "positions", &thousands(c.positions));
    if let Some(condition) = &c.within {
        out += &line(palette, "where", &format!("{condition}: {}", thousands(c.considered)));
    }
    if let Some(stop) = c.stop {
        out += &line(palette, "stopped", &stop.to_string());
    }
    let so_far = if c.stop.is_some() { " so far" } else { "" };
    for (label, n) in [("P-positions", c.p_count), ("missed", c.missed), ("claimed", c.claimed)] {
        out += &line(palette, label, &format!("{}{so_far}", thousands(n)));
    }
    let (style, headline, meaning) = match c.holds() {
        Some(true) if c.is_empty() => (palette.open, "next to nothing was checked", nothing(c)),
        Some(true) => (palette.win, "no counterexample", agrees(c)),
        Some(false) if c.stop.is_some() => (palette.loss, "wrong", STOPPED),
        Some(false) => (palette.loss, "wrong", differs(c.side)),
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
const NECESSARY: &str = "In this box every P-position that counts satisfies the formula. This is evidence, not \
                         a proof: taller stacks were not looked at.";
const SUFFICIENT: &str = "In this box only P-positions satisfy the formula, as far as positions count. This is \
                          evidence, not a proof: taller stacks were not looked at.";
const WITHIN: &str = "In this box, where the condition holds, the formula is satisfied at the P-positions and \
                      nowhere else. This is evidence, not a proof: taller stacks were not looked at.";

fn agrees(c: &Check) -> &'static str {
    match (c.side, &c.within) {
        (Side::Necessary, _) => NECESSARY,
        (Side::Sufficient, _) => SUFFICIENT,
        (Side::Exact, Some(_)) => WITHIN,
        (Side::Exact, None) => AGREES,
    }
}

/// What it means that nothing was compared.
fn nothing(c: &Check) -> &'static str {
    match (c.positions, c.considered, c.side) {
        (0..=1, _, _) => {
            "The box holds a single position, the one without tokens, so that this says next to \
             nothing about the formula. --max H looks at heights up to H."
        }
        (_, 0..=1, _) => {
            "At most one position of the box satisfies the condition, so that this says next to \
             nothing about the formula."
        }
        (_, _, Side::Sufficient) => {
            "No position that counts satisfies the formula, so that there was nothing to be tested."
        }
        _ => {
            "There is no P-position among those that count, so that there was nothing to be tested."
        }
    }
}

/// What is claimed of a formula that need not describe the P-positions.
pub(crate) fn claim(side: Side) -> Option<&'static str> {
    match side {
        Side::Exact => None,
        Side::Necessary => Some("necessary: every P-position satisfies it"),
        Side::Sufficient => Some("sufficient: only P-positions satisfy it"),
    }
}

fn differs(side: Side) -> &'static str {
    match side {
        Side::Exact => "The formula and the P-positions differ.",
        Side::Necessary => "Some P-position does not satisfy the formula.",
        Side::Sufficient => "Some N-position satisfies the formula.",
    }
}
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
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    side: Option<&'static str>,
    #[cfg_attr(
        feature = "serde",
        serde(rename = "where", skip_serializing_if = "Option::is_none")
    )]
    within: Option<String>,
    holds: Option<bool>,
    max: Vec<u64>,
    positions: u128,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    considered: Option<u128>,
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
            side: Some(c.side.as_str()).filter(|_| c.side != Side::Exact),
            within: c.within.as_ref().map(ToString::to_string),
            holds: c.holds(),
            max: c.max.clone(),
            positions: c.positions,
            considered: c.within.as_ref().map(|_| c.considered),
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
