//! The way to an answer, in words.

use crate::render::reduction::{Heights, reached, step};
use crate::render::steps::gathered;
use crate::render::words::{Names, count, list, upright, with_article};
use crate::{By, Reason};
use nimatron_formula::Formula;
use nimatron_game::{Outcome, Position, StackSet, Take};
use nimatron_reduce::{Change, State, Step};
use nimatron_theory::Reason as Fact;

/// Each reason in a sentence. Stacks go by the names they have in the game asked about.
pub fn sentences(reasons: &[Reason]) -> Vec<String> {
    told(reasons, Names::of)
}

/// The same with stacks in letters of their own.
pub(crate) fn sentences_for_print(reasons: &[Reason]) -> Vec<String> {
    told(reasons, |n| Names::of(n).for_print())
}

fn told(reasons: &[Reason], names: impl Fn(usize) -> Names) -> Vec<String> {
    let origins = origins(reasons);
    let told = |(reason, (n, before)): (&Reason, &(usize, Vec<Vec<usize>>))| {
        sentence(reason, &names(*n).gathered(before))
    };
    reasons.iter().zip(&origins).map(told).collect()
}

/// By reason: how many stacks the game asked about has, and for each stack of the state that the
/// reason starts from, the stacks of that game it stands for.
pub(crate) fn origins(reasons: &[Reason]) -> Vec<(usize, Vec<Vec<usize>>)> {
    let values = reasons.iter().filter_map(|reason| match reason {
        Reason::Value { stacks, .. } => Some(stacks.end),
        _ => None,
    });
    // A sum whose parts are judged at once has no state but theirs.
    let first = reasons.iter().find_map(|reason| match reason {
        Reason::Value { .. } => values.clone().max(),
        other => state(other).map(State::stacks),
    });
    let n = first.unwrap_or(0);
    let mut here: Vec<Vec<usize>> = (0..n).map(|s| vec![s]).collect();
    let at_start = |reason: &Reason| {
        let before = here.clone();
        if let Reason::Reduction(step) = reason {
            here = gathered(&before, &step.members);
        }
        (n, before)
    };
    reasons.iter().map(at_start).collect()
}

/// The state a reason is about.
fn state(reason: &Reason) -> Option<&State> {
    match reason {
        Reason::Reduction(step) => Some(&*step.before),
        Reason::Theorem { state, .. }
        | Reason::Proof { state, .. }
        | Reason::Conjecture { state, .. }
        | Reason::Settled { state, .. }
        | Reason::Move { state, .. } => Some(state),
        _ => None,
    }
}

/// One reason; `names` are those of the stacks of the state it starts from.
fn sentence(reason: &Reason, names: &Names) -> String {
    let reached = |state: &State| reached(state, names, Heights::Shown);
    match reason {
        Reason::Reduction(reduction) => step(reduction, names, Heights::Shown),
        Reason::Terminal => "No move is left.".to_string(),
        Reason::Value { part, grundy, by, stacks } => {
            let names = names.only(stacks.clone());
            let part = crate::render::reduction::reached(part, &names, Heights::Shown);
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
            let outcome = with_article(&outcome.to_string());
            format!("{} is {outcome}-position: {why} ({}).", reached(state), who(by))
        }
        Reason::Theorem {
            state,
            outcome,
            by,
            facts,
            construction,
            reached: option,
            relabelling,
            ..
        } => {
            let outcome = with_article(&outcome.to_string());
            let own = |stack: usize| names.one(relabelling.inverse().image(stack)).to_string();
            let told = |reasons: &[Fact]| in_order(reasons, &own);
            let order = match relabelling.is_identity() {
                true => String::new(),
                false => {
                    let row: Vec<String> = (0..relabelling.stacks()).map(own).collect();
                    format!(", read in the order {}", row.join(","))
                }
            };
            let why = match (facts.is_empty(), construction.is_empty()) {
                (true, true) => String::new(),
                (false, true) => format!(": {}", told(facts)),
                (_, false) => format!(": {}", told(construction)),
            };
            let then = match option.is_empty() {
                true => String::new(),
                false => format!(". There: {}", told(option)),
            };
            format!("{} is {outcome}-position {}{order}{why}{then}.", reached(state), who(by))
        }
        Reason::Proof {
            state,
            outcome,
            by,
            position,
            stacks,
            set,
            formula,
            facts,
            reached: to,
        } => {
            let outcome = with_article(&outcome.to_string());
            let own = |stack: usize| in_proof(stack, stacks, names);
            let same = stacks.iter().copied().eq(0..position.len());
            let there = if same { String::new() } else { format!(", where it is {position}") };
            let told = |facts: &[Fact]| facts.iter().map(|f| f.told(&own)).collect::<Vec<_>>();
            let why = match facts.is_empty() {
                true => String::new(),
                false => format!(": {}", told(facts).join("; ")),
            };
            let then = match to.is_empty() {
                true => String::new(),
                false => format!(". There: {}", told(to).join("; ")),
            };
            let known = match (by, formula) {
                (By::Proof { kind: "automaton", .. }, Some(formula)) => {
                    format!(". Its P-positions are those with {}", in_names(formula, stacks, names))
                }
                (By::Proof { kind: "automaton", .. }, None) => {
                    format!("; its P-positions are only known as those {set}")
                }
                _ => String::new(),
            };
            let (at, by) = (reached(state), who(by));
            format!("{at} is {outcome}-position {by}{there}{why}{then}{known}.")
        }
        Reason::Conjecture { state, outcome, facts } => {
            let outcome = with_article(&outcome.to_string());
            let own = |stack: usize| names.one(stack).to_string();
            let why = in_order(facts, &own);
            format!("{} would be {outcome}-position: {why}.", reached(state))
        }
        Reason::Move { state, take } => {
            let here = Position::new(state.heights()).ok().and_then(|p| p.after(take));
            let leaving = here.map_or(String::new(), |p| format!(" and leaves {p}"));
            let own = names.are_those_of(state.stacks());
            let taken = if own { take.to_string() } else { amounts(take, names) };
            format!("A winning move there takes {taken}{leaving}.")
        }
        Reason::Lift { take } => format!("In the game asked about, this is to take {take}."),
    }
}

/// What a stack of a proof is called: as the stack that it stands for or, if it stands for none, as it is in
/// the proof.
pub(crate) fn in_proof(stack: usize, stacks: &[usize], names: &Names) -> String {
    match stacks.iter().position(|&s| s == stack) {
        Some(place) => names.one(place).to_string(),
        None => StackSet::single(stack).to_string(),
    }
}

/// The formula of a proof in the letters of the game asked about, if each stack has one; else in those of the
/// game of the proof.
fn in_names(formula: &Formula, stacks: &[usize], names: &Names) -> String {
    let most = stacks.iter().max().map_or(0, |s| s + 1);
    let letter = |stack: usize| match upright(&in_proof(stack, stacks, names)).as_bytes() {
        [letter @ b'a'..=b'z'] => Some(usize::from(letter - b'a')),
        _ => None,
    };
    let whole = most == stacks.len();
    let images = (0..most).map(letter).collect::<Option<Vec<usize>>>().filter(|_| whole);
    match images {
        Some(images) => formula.relabel(&images).to_string(),
        None => format!("{formula}, in the letters of the proof"),
    }
}

/// Facts one after the other. After the word that the game is part of a larger one they are about the
/// stacks of that, and go by the letters there.
fn in_order(facts: &[Fact], name: &dyn Fn(usize) -> String) -> String {
    let (own, larger) = facts.split_at(before_larger(facts));
    let own: Vec<String> = own.iter().map(|fact| fact.told(name)).collect();
    let larger: Vec<String> = larger.iter().map(|fact| fact.to_string()).collect();
    match larger.is_empty() {
        true => own.join("; "),
        false => format!("{}: {}", own.join("; "), larger.join("; ")),
    }
}

/// How many facts come before those about the stacks of a larger game.
pub(crate) fn before_larger(facts: &[Fact]) -> usize {
    let within = facts.iter().position(|fact| matches!(fact, Fact::Within { .. }));
    within.map_or(facts.len(), |place| place + 1)
}

/// `2 of b, 1 of c+d`.
fn amounts(take: &Take, names: &Names) -> String {
    let taken = take.iter().enumerate().filter(|(_, amount)| **amount > 0);
    let taken: Vec<String> =
        taken.map(|(stack, amount)| format!("{amount} of {}", names.one(stack))).collect();
    list(&taken)
}

/// The word for the step in JSON.
pub(crate) fn word(reason: &Reason) -> &'static str {
    match reason {
        Reason::Reduction(step) => change(step),
        Reason::Terminal => "terminal",
        Reason::Value { .. } => "value",
        Reason::Sum { .. } => "sum",
        Reason::Theorem { .. } => "theorem",
        Reason::Proof { .. } => "proof",
        Reason::Conjecture { .. } => "conjecture",
        Reason::Settled { by, .. } => kind(by),
        Reason::Move { .. } => "move",
        Reason::Lift { .. } => "lift",
    }
}

/// The word for a reduction in JSON.
pub(crate) fn change(step: &Step) -> &'static str {
    match step.change {
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
    }
}

/// Who answered, as a stable word.
pub(crate) fn kind(by: &By) -> &'static str {
    match by {
        By::Theorem { .. } => "theorem",
        By::Proof { .. } => "proof",
        By::Table { .. } => "table",
        By::Search { .. } => "search",
    }
}

/// The name of who answered.
pub(crate) fn name(by: &By) -> String {
    match by {
        By::Theorem { id, .. } => id.to_string(),
        By::Proof { game, .. } => game.to_string(),
        other => kind(other).to_string(),
    }
}

/// What the answer rests on, in words.
pub(crate) fn details(by: &By) -> Option<String> {
    match by {
        By::Theorem { citation, .. } => Some(citation.to_string()),
        By::Proof { source, .. } => Some(source.to_string()),
        By::Table { positions } => Some(format!("{} in the box", count(*positions, "position"))),
        By::Search { positions } => {
            Some(format!("{} settled", count((*positions).into(), "position")))
        }
    }
}

/// The same where only this is told.
pub(crate) fn cited(by: &By) -> Option<String> {
    match by {
        By::Proof { part: true, .. } => Some(by.cited().to_string()),
        By::Proof { .. } => Some(format!("proof {}", kept(by))),
        _ => details(by),
    }
}

/// Where a proof is kept, in words.
fn kept(by: &By) -> String {
    match by {
        By::Proof { source, .. } if **source == *"atlas" => "in the atlas".to_string(),
        By::Proof { source, .. } if **source == *"found" => "found just now".to_string(),
        By::Proof { source, .. } => format!("in {source}"),
        _ => String::new(),
    }
}

/// Who answered, in words.
fn who(by: &By) -> String {
    if let By::Theorem { .. } | By::Proof { .. } = by {
        return format!("by {}", by.cited());
    }
    match details(by) {
        Some(details) => format!("by {}, {details}", kind(by)),
        None => format!("by {}", kind(by)),
    }
}
