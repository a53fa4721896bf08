//! Reductions in words.

use crate::words::{list, set, stack, stacks};
use nimatron::game::StackSet;
use nimatron::reduce::{Chain, Change, State, Step};

/// One step in a sentence.
pub fn step(step: &Step) -> String {
    let n = step.before.stacks();
    let reached = reached(&step.after);
    match &step.change {
        Change::Zero { stacks: low, dropped } => {
            let heights = step.before.heights();
            let empty = low.iter().all(|s| heights[s] == 0);
            let (is, word) = (verb(*low), if empty { "empty" } else { "too low to play on" });
            let dropped = match &dropped[..] {
                [] => String::new(),
                sets => {
                    let names: Vec<String> = sets.iter().map(|&s| set(s, n)).collect();
                    let what = if sets.len() == 1 { "the set" } else { "the sets" };
                    let lie = if sets.len() == 1 { "lies" } else { "lie" };
                    format!(" ({what} {} then {lie} in others)", list(&names))
                }
            };
            format!(
                "{} {is} {word}; without {} this is {reached}{dropped}.",
                stacks(*low, n),
                them(*low)
            )
        }
        Change::Idle { stacks: idle } if idle.is_empty() => {
            format!("A summand without moves is left out: {reached}.")
        }
        Change::Idle { stacks: idle } => {
            let lie = if idle.len() == 1 { "lies" } else { "lie" };
            format!(
                "{} now {lie} in no set; without {} this is {reached}.",
                stacks(*idle, n),
                them(*idle)
            )
        }
        Change::Merge { classes } => {
            let heights = step.before.heights();
            let one = |class: &StackSet| {
                let sum: u128 = class.iter().map(|s| u128::from(heights[s])).sum();
                format!("{} act as one stack of {sum}", stacks(*class, n))
            };
            let merged: Vec<String> = classes.iter().map(one).collect();
            format!("{}, for they lie in the same sets: {reached}.", merged.join("; "))
        }
        Change::Components { parts } => {
            let parts: Vec<String> = parts.iter().map(|&p| set(p, n)).collect();
            format!("The stacks {} do not touch: this is the sum {reached}.", list(&parts))
        }
        Change::Naming { family, .. } => {
            let order = step.members.iter().map(|m| stack(m[0], n)).collect::<Vec<_>>();
            let after = (0..n).map(|s| stack(s, n)).collect::<Vec<_>>();
            let _ = family;
            format!("With {} renamed {}, this is {reached}.", order.join(","), after.join(","))
        }
        Change::Cone { stack: cone } => format!(
            "{} lies in every set, so it is empty in every P-position: empty it, and win the rest, \
             {reached}, in the same move if it can be won.",
            stack(*cone, n)
        ),
        _ => format!("This is {reached}."),
    }
}

/// All steps, one per line, numbered.
pub fn chain(chain: &Chain) -> String {
    let lines = chain.steps().iter().enumerate();
    lines
        .map(|(i, s)| crate::words::wrap(&format!("{:>3}. {}", i + 1, step(s)), 78, "     ") + "\n")
        .collect()
}

fn reached(state: &State) -> String {
    match state.parts.is_empty() {
        true => "a position without moves".to_string(),
        false => state.to_string(),
    }
}

fn verb(set: StackSet) -> &'static str {
    if set.len() == 1 { "is" } else { "are" }
}

fn them(set: StackSet) -> &'static str {
    if set.len() == 1 { "it" } else { "them" }
}
