//! The way to an answer, in words.

use crate::reduction::{Heights, reached, step};
use crate::words::{Names, count, with_article};
use nimatron::game::{Outcome, Position};
use nimatron::{By, Reason};

/// Each reason in a sentence. Stacks go by the names they have in the game asked about.
pub fn sentences(reasons: &[Reason]) -> Vec<String> {
    let mut names = Names::of(0);
    let mut sentence = |reason: &Reason| match reason {
        Reason::Reduction(reduction) => {
            if names.len() != reduction.before.stacks() {
                names = Names::of(reduction.before.stacks());
            }
            let text = step(reduction, &names, Heights::Shown);
            names = names.gathered(&reduction.members);
            text
        }
        other => sentence_of(other),
    };
    reasons.iter().map(&mut sentence).collect()
}

/// A reason that is no reduction.
fn sentence_of(reason: &Reason) -> String {
    match reason {
        Reason::Terminal => "No move is left.".to_string(),
        Reason::Value { part, grundy, by } => {
            let part = reached(part, Heights::Shown);
            format!("{part} has Grundy value {grundy} ({}).", who(by))
        }
        Reason::Sum { values, grundy } => {
            let values: Vec<String> = values.iter().map(u64::to_string).collect();
            let outcome = if *grundy == 0 { Outcome::P } else { Outcome::N };
            let outcome = with_article(&outcome.to_string());
            let sum = values.join(" xor ");
            format!("The sum has Grundy value {sum} = {grundy}, so it is {outcome}-position.")
        }
        Reason::Settled { state, outcome, by } => {
            let why = match outcome {
                Outcome::P => "no move from it reaches a P-position",
                Outcome::N => "some move from it reaches a P-position",
            };
            let state = reached(state, Heights::Shown);
            let outcome = with_article(&outcome.to_string());
            format!("{state} is {outcome}-position: {why} ({}).", who(by))
        }
        Reason::Theorem { state, outcome, by, facts, construction, relabelling, .. } => {
            let outcome = with_article(&outcome.to_string());
            let (at, by) = (reached(state, Heights::Shown), who(by));
            let order = match relabelling.is_identity() {
                true => String::new(),
                false => format!(", its stacks taken in the order {relabelling}"),
            };
            let because = |reasons: &[nimatron::theory::Reason]| {
                reasons.iter().map(|r| r.to_string()).collect::<Vec<_>>().join("; ")
            };
            let why = match (facts.is_empty(), construction.is_empty()) {
                (true, true) => String::new(),
                (false, true) => format!(": {}", because(facts)),
                (_, false) => format!(": {}", because(construction)),
            };
            format!("{at} is {outcome}-position {by}{order}{why}.")
        }
        Reason::Proof { state, outcome, by, relabelling, .. } => {
            let outcome = with_article(&outcome.to_string());
            let (at, by) = (reached(state, Heights::Shown), who(by));
            let order = match relabelling.is_identity() {
                true => String::new(),
                false => format!(", its stacks taken in the order {relabelling}"),
            };
            format!("{at} is {outcome}-position {by}{order}.")
        }
        Reason::Move { state, take } => {
            let here = Position::new(state.heights()).ok().and_then(|p| p.after(take));
            let leaving = here.map_or(String::new(), |p| format!(" and leaves {p}"));
            format!("A winning move there takes {take}{leaving}.")
        }
        Reason::Lift { take } => format!("In the game asked about, this is to take {take}."),
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
            Change::Invariance { .. } => "invariance",
            Change::Chop { .. } => "chop",
            Change::Floor { .. } => "floor",
            _ => "reduction",
        },
        Reason::Terminal => "terminal",
        Reason::Value { .. } => "value",
        Reason::Sum { .. } => "sum",
        Reason::Theorem { .. } => "theorem",
        Reason::Proof { .. } => "proof",
        Reason::Settled { by, .. } => kind(by),
        Reason::Move { .. } => "move",
        Reason::Lift { .. } => "lift",
        _ => "other",
    }
}

/// Who answered, as a stable word.
pub(crate) fn kind(by: &By) -> &'static str {
    match by {
        By::Theorem { .. } => "theorem",
        By::Proof { .. } => "proof",
        By::Table { .. } => "table",
        By::Search { .. } => "search",
        _ => "other",
    }
}

/// The name of who answered.
pub(crate) fn name(by: &By) -> String {
    match by {
        By::Theorem { id, .. } => id.clone(),
        By::Proof { game, .. } => game.clone(),
        other => kind(other).to_string(),
    }
}

/// What the answer rests on, in words.
pub(crate) fn details(by: &By) -> Option<String> {
    match by {
        By::Theorem { citation, .. } => Some(citation.clone()),
        By::Proof { source, .. } => Some(source.clone()),
        By::Table { positions } => Some(format!("{} in the box", count(*positions, "position"))),
        By::Search { positions } => {
            Some(format!("{} settled", count((*positions).into(), "position")))
        }
        _ => None,
    }
}

/// The same where only this is told.
pub(crate) fn cited(by: &By) -> Option<String> {
    match by {
        By::Proof { source, .. } => Some(format!("proof in {}", kept_in(source))),
        _ => details(by),
    }
}

/// Where a proof is kept, in words.
fn kept_in(source: &str) -> &str {
    if source == "atlas" { "the atlas" } else { source }
}

/// Who answered, in words.
fn who(by: &By) -> String {
    if let By::Theorem { citation, .. } = by {
        return format!("by {citation}");
    }
    if let By::Proof { game, source, .. } = by {
        return format!("by the proof about {game} in {}", kept_in(source));
    }
    match details(by) {
        Some(details) => format!("by {}, {details}", kind(by)),
        None => format!("by {}", kind(by)),
    }
}
