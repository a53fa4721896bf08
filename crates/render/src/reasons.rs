//! The way to an answer, in words.

use crate::reduction::step;
use crate::words::count;
use nimatron::game::{Outcome, Play, Position};
use nimatron::{By, Reason};

/// One reason in a sentence.
pub fn reason(reason: &Reason) -> String {
    match reason {
        Reason::Reduction(reduction) => step(reduction),
        Reason::Terminal => "No move is left.".to_string(),
        Reason::Value { part, grundy, by } => {
            format!("{part} has Grundy value {grundy} ({}).", who(by))
        }
        Reason::Sum { values, grundy } => {
            let values: Vec<String> = values.iter().map(u64::to_string).collect();
            let outcome = if *grundy == 0 { Outcome::P } else { Outcome::N };
            let sum = values.join(" xor ");
            format!("The sum has Grundy value {sum} = {grundy}, so it is a {outcome}-position.")
        }
        Reason::Settled { state, outcome, by } => {
            let why = match (outcome, state.play) {
                (Outcome::P, _) => "no move from it reaches a P-position",
                (Outcome::N, Play::Misere) if state.parts.is_empty() => "no move is left",
                (Outcome::N, _) => "some move from it reaches a P-position",
            };
            format!("{state} is a {outcome}-position: {why} ({}).", who(by))
        }
        Reason::Move { state, take } => {
            let here = Position::new(state.heights()).ok().and_then(|p| p.after(take));
            let leaving = here.map_or(String::new(), |p| format!(", leaving {p}"));
            format!("A winning move there takes {take}{leaving}.")
        }
        Reason::Lift { take } => format!("In the game asked about, it takes {take}."),
        _ => String::new(),
    }
}

/// The word for the step in JSON.
pub(crate) fn word(reason: &Reason) -> &'static str {
    use nimatron::reduce::Change;
    match reason {
        Reason::Reduction(step) => match step.change {
            Change::Zero { .. } => "zero",
            Change::Idle { .. } => "idle",
            Change::Merge { .. } => "merge",
            Change::Components { .. } => "components",
            Change::Naming { .. } => "naming",
            Change::Cone { .. } => "cone",
            _ => "reduction",
        },
        Reason::Terminal => "terminal",
        Reason::Value { .. } => "value",
        Reason::Sum { .. } => "sum",
        Reason::Settled { by, .. } => kind(by),
        Reason::Move { .. } => "move",
        Reason::Lift { .. } => "lift",
        _ => "other",
    }
}

/// Who answered, as a stable word.
pub(crate) fn kind(by: &By) -> &'static str {
    match by {
        By::Search { .. } => "search",
        _ => "other",
    }
}

/// Who answered, in words.
pub(crate) fn who(by: &By) -> String {
    match by {
        By::Search { positions } => format!("search, {}", count((*positions).into(), "position")),
        _ => String::new(),
    }
}
