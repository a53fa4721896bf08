//! The moves of a position.

use super::json::{Limit, stop};
use super::palette::{Palette, paint};
use super::verdict::{capital, outcome_line};
use super::words::{count, thousands};
use crate::Outcome;
use crate::moves::{Move, Moves};
#[cfg(feature = "serde")]
use serde::Serialize;

/// The outcome, and a row for each move: what it takes, what it leaves, and what is known there.
pub fn moves(found: &Moves, palette: &Palette) -> String {
    let title = palette.wrap(&format!("{} at {}", found.game, found.position), "  ");
    let line = outcome_line(found.outcome, found.game.convention(), None, palette);
    let mut out = format!("{}\n{line}\n", paint(palette.title, &title));
    let shown = found.moves.len();
    let heading = match (found.total, shown) {
        (Some(0), _) => "No move is left".to_string(),
        (_, 0) => "No more moves".to_string(),
        (Some(total), _) if total == shown => count(total as u128, "move"),
        (total, _) => {
            let (first, last) = (found.skip + 1, found.skip + shown);
            let of = total.map_or("many".to_string(), |total| thousands(total as u128));
            format!("Moves {first} to {last} of {of}")
        }
    };
    out += &format!("\n{}\n", paint(palette.heading, &heading));
    out += &palette.columns(&found.moves.iter().map(row).collect::<Vec<_>>());
    if let Some(unknown) = &found.unknown {
        let text = palette.wrap(&format!("  {}.", capital(&unknown.stop.to_string())), "  ");
        out += &format!("\n{}\n{text}\n", paint(palette.heading, "Stopped"));
    }
    out
}

fn row(found: &Move) -> Vec<String> {
    let word = match found.outcome {
        Some(Outcome::P) => "wins",
        Some(Outcome::N) => "loses",
        None => "not decided",
    };
    let grundy = found.grundy.map(|value| format!("Grundy value {value}"));
    let left = found.remoteness.map(|left| format!("{} left", count(left.into(), "move")));
    vec![
        format!("take {}", found.take),
        format!("leaving {}", found.to),
        word.to_string(),
        grundy.unwrap_or_default(),
        left.unwrap_or_default(),
    ]
}

/// The moves as JSON.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct MovesAnswer {
    game: String,
    position: Vec<u64>,
    outcome: &'static str,
    moves: Vec<MoveAnswer>,
    skip: usize,
    total: Option<usize>,
    truncated: bool,
    limit: Option<Limit>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct MoveAnswer {
    take: Vec<u64>,
    to: Vec<u64>,
    to_outcome: &'static str,
    winning: Option<bool>,
    grundy: Option<u64>,
    remoteness: Option<u32>,
}

impl From<&Moves> for MovesAnswer {
    fn from(found: &Moves) -> Self {
        let answer = |m: &Move| MoveAnswer {
            take: m.take.to_vec(),
            to: m.to.to_vec(),
            to_outcome: super::json::outcome(m.outcome),
            winning: m.wins(),
            grundy: m.grundy,
            remoteness: m.remoteness,
        };
        MovesAnswer {
            game: found.game.to_string(),
            position: found.position.to_vec(),
            outcome: super::json::outcome(found.outcome),
            moves: found.moves.iter().map(answer).collect(),
            skip: found.skip,
            total: found.total,
            truncated: found.more,
            limit: found
                .unknown
                .as_ref()
                .map(|u| Limit { kind: stop(u.stop), text: u.stop.to_string() }),
        }
    }
}
