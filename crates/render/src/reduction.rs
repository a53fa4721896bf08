//! Reductions in words.

use crate::palette::{Palette, paint};
use crate::words::{list, set, stack, stacks, wrap};
use nimatron::Game;
use nimatron::game::{Choice, Play, Position, StackSet};
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
pub fn reduction(game: &Game, chain: &Chain, heights: Heights, palette: &Palette) -> String {
    let at = match (heights, Position::new(chain.start().heights())) {
        (Heights::Shown, Ok(position)) => format!(" at {position}"),
        _ => String::new(),
    };
    let mut out = paint(palette.title, &wrap(&format!("{game}{at}"), "  ")) + "\n";
    if chain.steps().is_empty() {
        return out + "No reduction applies.\n";
    }
    out += "\n";
    for (i, s) in chain.steps().iter().filter(|s| worth_saying(s)).enumerate() {
        out += &wrap(&format!("{:>3}. {}", i + 1, step(s, heights)), "     ");
        out += "\n";
    }
    let label = paint(palette.heading, "Result");
    let end = reached(chain.end(), heights);
    out += &format!("\n{label}\n{}\n", wrap(&format!("  {end}"), "  "));
    if let Some(meaning) = meaning(chain) {
        out += &wrap(&format!("  {meaning}"), "  ");
        out += "\n";
    }
    out
}

/// When no move is left, cleaning up is not worth a line.
pub(crate) fn worth_saying(step: &Step) -> bool {
    !(matches!(step.change, Change::Idle { .. }) && is_over(&step.before))
}

/// Whether no move is left for want of sets.
pub(crate) fn is_over(state: &State) -> bool {
    state.parts.iter().all(|p| p.rule.sets().is_empty())
}

/// What the stacks at the end stand for. `None` where all is as it was.
fn meaning(chain: &Chain) -> Option<String> {
    let members = chain.members();
    let (before, after) = (chain.start().stacks(), members.len());
    let same = before == after && members.iter().enumerate().all(|(s, m)| m[..] == [s]);
    if same || is_over(chain.end()) {
        return None;
    }
    let sum = |m: &Vec<usize>| m.iter().map(|&s| stack(s, before)).collect::<Vec<_>>().join("+");
    let new: Vec<String> = (0..after).map(|s| stack(s, after)).collect();
    let old: Vec<String> = members.iter().map(sum).collect();
    let (noun, verb) = if after == 1 { ("stack", "stands") } else { ("stacks", "stand") };
    Some(format!("whose {noun} {} {verb} for {}", new.join(","), old.join(",")))
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
            if is_over(&step.after) {
                return format!("{} {is} {word}, so no move is left.", stacks(*low, n));
            }
            let dropped = match dropped.len() {
                0 => String::new(),
                many if many > MANY => format!(" ({many} sets {})", fate(step, 2)),
                count => {
                    let names: Vec<String> = dropped.iter().map(|&s| set(s, n)).collect();
                    format!(" ({} {})", list(&names), fate(step, count))
                }
            };
            format!("{} {is} {word}; without {}: {reached}{dropped}.", stacks(*low, n), them(*low))
        }
        Change::Idle { stacks: idle } if idle.is_empty() => {
            format!("A summand without moves is left out: {reached}.")
        }
        Change::Idle { stacks: idle } => {
            let lie = if idle.len() == 1 { "lies" } else { "lie" };
            format!("{} {lie} in no set; without {}: {reached}.", stacks(*idle, n), them(*idle))
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
            match order == after {
                true => format!("This is {reached}."),
                false => {
                    format!("With {} renamed {}: {reached}.", order.join(","), after.join(","))
                }
            }
        }
        Change::Invariance { subtracted } => {
            let times =
                |(vector, times): &(StackSet, u64)| format!("{times} along {}", set(*vector, n));
            let off: Vec<String> = subtracted.iter().map(times).collect();
            format!("Tokens that do not matter are taken off, {}: {reached}.", list(&off))
        }
        Change::Cone { stack: cone } if is_over(&step.after) => {
            format!("{} lies in every set: empty it, and no move is left.", stack(*cone, n))
        }
        Change::Cone { stack: cone } => match heights {
            Heights::Shown => format!(
                "{} lies in every set, so with tokens on it this is an N-position: empty it, and \
                 if the rest, {reached}, is not yet a P-position, win it in the same move.",
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
        return match is_over(state) {
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

/// What happened to sets that are no longer there.
fn fate(step: &Step, count: usize) -> &'static str {
    let all = |choice| step.before.parts.iter().all(|p| p.rule.choice() == choice);
    match (all(Choice::Any), all(Choice::All), count) {
        (true, _, 1) => "now lies in another set",
        (true, _, _) => "now lie in other sets",
        (_, true, _) => "can no longer be played",
        (_, _, 1) => "drops out",
        _ => "drop out",
    }
}

fn verb(set: StackSet) -> &'static str {
    if set.len() == 1 { "is" } else { "are" }
}

fn them(set: StackSet) -> &'static str {
    if set.len() == 1 { "it" } else { "them" }
}
