//! The way to a verdict as a score of boards.

use super::FigureError;
use crate::render::Names;
use crate::{Outcome, Reason, Verdict};
use nimatron_draw::Drawing;
use nimatron_draw::score::{Score, Stage, score};
use nimatron_game::{Height, Take};
use nimatron_reduce::{Change, State, Step};
use nimatron_theory::Reason as Fact;

/// The reductions that led to a verdict, from left to right, and the winning move on its way back.
pub fn process(verdict: &Verdict) -> Result<Drawing, FigureError> {
    let outcome = verdict.outcome.ok_or(FigureError::Undecided)?;
    let steps: Vec<&Step> = verdict
        .reasons
        .iter()
        .filter_map(|reason| match reason {
            Reason::Reduction(step) => Some(&**step),
            _ => None,
        })
        .collect();
    let mut names = Names::of(verdict.game.stacks());
    let mut stages = vec![Stage {
        caption: "The question".into(),
        game: verdict.game.to_string(),
        names: names.all().to_vec(),
        heights: verdict.position.to_vec(),
        ..Stage::default()
    }];
    for (number, step) in steps.iter().enumerate() {
        if let Some(before) = stages.last_mut() {
            before.subtracted = subtracted(step);
            before.members = step.members.to_vec();
        }
        let caption = format!("{} {}", number + 1, caption(step, &names));
        names = names.gathered(&step.members);
        stages.push(Stage {
            caption,
            game: name(&step.after),
            names: names.all().to_vec(),
            heights: step.after.heights(),
            ..Stage::default()
        });
    }
    let peels = peels(verdict, &names);
    for (number, peel) in peels.iter().enumerate() {
        let Some(before) = stages.last_mut() else { break };
        let left = before.heights.iter().zip(&peel.off).map(|(h, off)| h - off).collect();
        before.subtracted = peel.off.clone();
        before.members = (0..before.heights.len()).map(|stack| vec![stack]).collect();
        let after = Stage {
            caption: format!("{} {}", steps.len() + number + 1, peel.caption),
            game: before.game.clone(),
            names: before.names.clone(),
            heights: left,
            ..Stage::default()
        };
        stages.push(after);
    }
    takes(verdict, &steps, &mut stages);
    let title = format!("Why {} at {} is {}", verdict.game, verdict.position, word(outcome));
    let ending = ending(verdict, outcome);
    Ok(score(&Score { title, stages, ending })?)
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::P => "a P-position",
        Outcome::N => "an N-position",
    }
}

/// A game's name; a long one is only counted.
fn name(state: &State) -> String {
    let Some(game) = state.game() else { return "no move is left".into() };
    let text = game.to_string();
    match text.len() {
        0..=22 => text,
        _ => format!("{} stacks", game.stacks()),
    }
}

/// What a step subtracts from each stack.
fn subtracted(step: &Step) -> Vec<Height> {
    match &step.change {
        Change::Invariance { subtracted, .. } => {
            let mut off = vec![0; step.before.stacks()];
            for (vector, times) in subtracted {
                vector.iter().for_each(|s| off[s] += times);
            }
            off
        }
        Change::Chop { unplayable } => unplayable.clone(),
        _ => Vec::new(),
    }
}

/// A peel that is subtracted.
struct Peel {
    caption: String,
    /// By stack: how many tokens.
    off: Vec<Height>,
}

/// The peels that are subtracted from what the reductions leave, where the strategy is peeling.
fn peels(verdict: &Verdict, names: &Names) -> Vec<Peel> {
    let told = verdict.reasons.iter().rev().find_map(|reason| match reason {
        Reason::Theorem { state, relabelling, facts, .. } => Some((state, relabelling, facts)),
        _ => None,
    });
    let Some((state, relabelling, facts)) = told else { return Vec::new() };
    let back = relabelling.inverse();
    let peel = |fact: &Fact| match fact {
        Fact::Peel { stacks, times } => {
            let own = back.set(*stacks);
            let off = |stack| if own.contains(stack) { *times } else { 0 };
            let times = match times {
                1 => "once".to_string(),
                2 => "twice".to_string(),
                more => format!("{more} times"),
            };
            let caption = format!("Subtract {} {times}", names.set(own));
            Some(Peel { caption, off: (0..state.stacks()).map(off).collect() })
        }
        _ => None,
    };
    facts.iter().filter_map(peel).collect()
}

/// A step in a few words.
fn caption(step: &Step, names: &Names) -> String {
    match &step.change {
        Change::Zero { stacks, .. } if stacks.len() == 1 => {
            format!("Drop the empty stack {}", names.stacks(*stacks))
        }
        Change::Zero { stacks, .. } => format!("Drop the empty stacks {}", names.stacks(*stacks)),
        Change::Idle { .. } => "Drop what lies in no set".into(),
        Change::Merge { classes } => {
            let merged: Vec<String> = classes.iter().map(|c| names.stacks(*c)).collect();
            format!("Merge {}", merged.join("; "))
        }
        Change::Components { parts } => format!("Split into {} parts", parts.len()),
        Change::Naming { family, .. } => match names.gathered(&step.members) == *names {
            true => format!("This is {family}"),
            false => format!("Rename: {family}"),
        },
        Change::Invariance { subtracted, .. } => {
            let vectors: Vec<String> = subtracted.iter().map(|(v, _)| names.set(*v)).collect();
            format!("Subtract {}", vectors.join(", "))
        }
        Change::Chop { .. } => "Take off unplayable tokens".into(),
        Change::Floor { .. } => "Count by the bundle".into(),
        Change::Cone { stack } => format!("Empty {}, which lies in every set", names.one(*stack)),
        _ => "Reduce".into(),
    }
}

/// The winning move on every board, as far as it is known there.
fn takes(verdict: &Verdict, steps: &[&Step], stages: &mut [Stage]) {
    let Some(winning) = verdict.moves.first() else { return };
    let end = steps.last().map(|step| &step.after);
    let found = verdict.reasons.iter().rev().find_map(|reason| match reason {
        Reason::Move { state, take } if Some(state) == end => Some(take.clone()),
        _ => None,
    });
    let mut take: Option<Take> = found;
    // Peels are subtracted after the last reduction: the move is the same on all these boards.
    let (reduced, peeled) = stages.split_at_mut(steps.len() + 1);
    for stage in peeled {
        stage.take = take.as_ref().unwrap_or(&winning.take).to_vec();
    }
    for (stage, step) in reduced[1..].iter_mut().zip(steps).rev() {
        if let Some(take) = &mut take {
            stage.take = take.to_vec();
            *take = step.lift(take);
        }
    }
    stages[0].take = winning.take.to_vec();
}

/// Who decided at the end, in a sentence.
fn ending(verdict: &Verdict, outcome: Outcome) -> String {
    let by = match &verdict.by {
        Some(by) => format!(" by {}", by.cited()),
        None => String::new(),
    };
    let end = match outcome {
        Outcome::P => "No move wins.".to_string(),
        Outcome::N => match verdict.moves.first() {
            Some(winning) => format!("A winning move leaves {}.", winning.to),
            None => String::new(),
        },
    };
    format!("{} at {} is {}{by}. {end}", verdict.game, verdict.position, word(outcome))
}
