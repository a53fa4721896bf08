//! Reductions in words.

use crate::palette::{Palette, paint};
use crate::words::{list, set, stack, stacks, wrap};
use nimatron::game::{Play, Position, StackSet};
use nimatron::reduce::{Chain, Change, State, Step};

/// Whether heights are part of the story. A reduction of a game as such has none: the state it
/// works on stands for all positions without empty stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heights {
    /// The reduction of a position.
    Shown,
    /// The reduction of a game.
    Hidden,
}

/// All steps, numbered, and where they end.
pub fn reduction(chain: &Chain, heights: Heights, palette: &Palette) -> String {
    let title = wrap(&reached(chain.start(), heights), "  ");
    let mut out = paint(palette.title, &title) + "\n";
    if chain.steps().is_empty() {
        return out + "No reduction applies.\n";
    }
    out += "\n";
    for (i, s) in chain.steps().iter().enumerate() {
        out += &wrap(&format!("{:>3}. {}", i + 1, step(s, heights)), "     ");
        out += "\n";
    }
    let label = paint(palette.heading, "Result");
    let end = chain.end();
    out += &format!("\n{label}\n{}\n", wrap(&format!("  {}", reached(end, heights)), "  "));
    if let Some(meaning) = meaning(chain) {
        out += &wrap(&format!("  where {meaning}"), "  ");
        out += "\n";
    }
    out
}

/// What the stacks at the end stand for: `a = c, b = d+e`. `None` where all is as it was.
fn meaning(chain: &Chain) -> Option<String> {
    let members = chain.members();
    let (before, after) = (chain.start().stacks(), members.len());
    let same = before == after && members.iter().enumerate().all(|(s, m)| m[..] == [s]);
    if same || after == 0 {
        return None;
    }
    let sum = |m: &Vec<usize>| m.iter().map(|&s| stack(s, before)).collect::<Vec<_>>().join("+");
    let meanings = members.iter().enumerate();
    let meanings: Vec<String> =
        meanings.map(|(s, m)| format!("{} = {}", stack(s, after), sum(m))).collect();
    Some(meanings.join(", "))
}

/// One step in a sentence.
pub fn step(step: &Step, heights: Heights) -> String {
    let n = step.before.stacks();
    let reached = reached(&step.after, heights);
    match &step.change {
        Change::Zero { stacks: low, dropped } => {
            let before = step.before.heights();
            let empty = low.iter().all(|s| before[s] == 0);
            let (is, word) = (verb(*low), if empty { "empty" } else { "too low to play on" });
            let dropped = match &dropped[..] {
                [] => String::new(),
                [one] => format!(" (what is left of {} lies in another set)", set(*one, n)),
                sets if sets.len() > MANY => {
                    format!(" ({} sets now lie in others)", sets.len())
                }
                sets => {
                    let names: Vec<String> = sets.iter().map(|&s| set(s, n)).collect();
                    format!(" (the sets {} now lie in others)", list(&names))
                }
            };
            format!("{} {is} {word}; without {} {reached}{dropped}.", stacks(*low, n), them(*low))
        }
        Change::Idle { stacks: idle } if idle.is_empty() => {
            format!("A summand without moves is left out: {reached}.")
        }
        Change::Idle { stacks: idle } => {
            let lie = if idle.len() == 1 { "lies" } else { "lie" };
            format!("{} {lie} in no set; without {} {reached}.", stacks(*idle, n), them(*idle))
        }
        Change::Merge { classes } => {
            let before = step.before.heights();
            let one = |class: &StackSet| {
                let sum: u128 = class.iter().map(|s| u128::from(before[s])).sum();
                let of = match heights {
                    Heights::Shown => format!(" of {sum}"),
                    Heights::Hidden => String::new(),
                };
                format!("{} play as one stack{of}", stacks(*class, n))
            };
            let merged: Vec<String> = classes.iter().map(one).collect();
            format!("{}, for they lie in the same sets: {reached}.", merged.join("; "))
        }
        Change::Components { parts } => {
            let parts: Vec<String> = parts.iter().map(|&p| set(p, n)).collect();
            format!("No set joins the stacks {}: this is the sum {reached}.", list(&parts))
        }
        Change::Naming { .. } => {
            let order = step.members.iter().map(|m| stack(m[0], n)).collect::<Vec<_>>();
            let after = (0..n).map(|s| stack(s, n)).collect::<Vec<_>>();
            format!("With {} renamed {}, this is {reached}.", order.join(","), after.join(","))
        }
        Change::Cone { stack: cone } => match heights {
            Heights::Shown => format!(
                "{} lies in every set, so a position where it holds tokens is an N-position: \
                 empty it, and in the same move win what is left, {reached}, unless that is a \
                 P-position already.",
                stack(*cone, n)
            ),
            Heights::Hidden => format!(
                "{} lies in every set, so it is empty in every P-position; what is left is \
                 {reached}.",
                stack(*cone, n)
            ),
        },
        _ => format!("This is {reached}."),
    }
}

/// More sets than this are counted, not listed.
const MANY: usize = 8;

/// A state, with or without its heights.
pub(crate) fn reached(state: &State, heights: Heights) -> String {
    let Some(game) = game_of(state) else {
        return match state.parts.iter().all(|p| p.rule.sets().is_empty()) {
            true => "no move is left".to_string(),
            false => "some stacks lie in no set".to_string(),
        };
    };
    match (heights, Position::new(state.heights())) {
        (Heights::Shown, Ok(position)) => format!("{game} at {position}"),
        _ => game,
    }
}

/// The game of a state in notation; `None` when no move is left, or some stack lies in no set.
pub(crate) fn game_of(state: &State) -> Option<String> {
    let games: Option<Vec<String>> =
        state.parts.iter().map(|p| p.game().map(|g| g.to_string())).collect();
    let games = games.filter(|g| !g.is_empty())?;
    let misere = if state.play == Play::Misere { "misere " } else { "" };
    Some(format!("{misere}{}", games.join(" + ")))
}

fn verb(set: StackSet) -> &'static str {
    if set.len() == 1 { "is" } else { "are" }
}

fn them(set: StackSet) -> &'static str {
    if set.len() == 1 { "it" } else { "them" }
}
