//! Reductions in words.

use crate::Game;
use crate::render::palette::{Palette, paint};
use crate::render::words::{Names, list};
use nimatron_game::{Choice, Play, Position, StackSet, slow};
use nimatron_reduce::{Chain, Change, Chop, Part, State, Step};
use std::collections::BTreeSet;

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
    let mut out = paint(palette.title, &palette.wrap(&format!("{game}{at}"), "  ")) + "\n";
    if chain.steps().is_empty() {
        return out + "No reduction applies.\n";
    }
    out += "\n";
    let mut names = Names::of(game.stacks());
    let mut number = 0;
    for s in chain.steps() {
        if worth_saying(s) {
            number += 1;
            out += &palette.wrap(&format!("{number:>3}. {}", step(s, &names, heights)), "     ");
            out += "\n";
        }
        names = names.gathered(&s.members);
    }
    let label = paint(palette.heading, "Result");
    let end = reached(chain.end(), &names, heights);
    out + &format!("\n{label}\n{}\n", palette.wrap(&format!("  {end}"), "  "))
}

/// When no move is left, cleaning up is not worth a line.
pub(crate) fn worth_saying(step: &Step) -> bool {
    !(matches!(step.change, Change::Idle { .. }) && is_over(&step.before))
}

/// Whether no move is left for want of sets.
pub(crate) fn is_over(state: &State) -> bool {
    state.parts.iter().all(|p| p.rule.sets().is_empty())
}

/// One step in a sentence. The stacks before it go by `names`: what the reader calls them.
pub fn step(step: &Step, names: &Names, heights: Heights) -> String {
    let reached = reached(&step.after, &names.gathered(&step.members), heights);
    let n = step.before.stacks();
    match &step.change {
        Change::Zero { stacks: low, dropped } => {
            let before = step.before.heights();
            let empty = low.iter().all(|s| before[s] == 0);
            let (is, word) = (verb(*low), if empty { "empty" } else { "too low to play on" });
            let stacks = names.stacks(*low);
            if is_over(&step.after) {
                return format!("{stacks} {is} {word}, so no move is left.");
            }
            let dropped = match dropped.len() {
                0 => String::new(),
                many if many > MANY => format!(" ({many} sets {})", fate(step, many)),
                count => format!(" ({} {})", names.sets(dropped), fate(step, count)),
            };
            format!("{stacks} {is} {word}; without {}: {reached}{dropped}.", them(*low))
        }
        Change::Idle { stacks: idle } if idle.is_empty() => {
            format!("A summand without moves is left out: {reached}.")
        }
        Change::Idle { stacks: idle } => {
            let lie = if idle.len() == 1 { "lies" } else { "lie" };
            let stacks = names.stacks(*idle);
            format!("{stacks} {lie} in no set; without {}: {reached}.", them(*idle))
        }
        Change::Merge { classes } => {
            let before = step.before.heights();
            let one = |class: &StackSet| {
                let sum: u128 = class.iter().map(|s| u128::from(before[s])).sum();
                let of = match heights {
                    Heights::Shown => format!(" of {sum}"),
                    Heights::Hidden => String::new(),
                };
                format!("{} play as one stack{of}", names.stacks(*class))
            };
            let merged: Vec<String> = classes.iter().map(one).collect();
            format!("{}, for they lie in the same sets: {reached}.", merged.join("; "))
        }
        Change::Components { parts } => {
            format!("No set joins the stacks {}: this is the sum {reached}.", names.sets(parts))
        }
        Change::Naming { .. } => {
            let order = names.gathered(&step.members);
            match order == *names {
                true => format!("This is {reached}."),
                false => format!("In another order this is {reached}."),
            }
        }
        Change::Invariance { subtracted, by } => {
            let often = |times: u64| match times {
                1 => "once".to_string(),
                2 => "twice".to_string(),
                more => format!("{more} times"),
            };
            let off = subtracted.iter().map(|&(v, times)| {
                let ones = if v.len() == n { " (all ones)" } else { "" };
                format!("{}{ones} {}", names.set(v), often(times))
            });
            let off = list(&off.collect::<Vec<_>>());
            format!("Invariant vectors ({by}) are subtracted, {off}: {reached}.")
        }
        Change::Chop { unplayable } => {
            let off = unplayable.iter().enumerate().filter(|&(_, &u)| u > 0);
            let off: Vec<String> = off.map(|(s, u)| format!("{u} of {}", names.one(s))).collect();
            let tries: String = step.before.parts.iter().map(chopping).collect();
            format!("No play can ever remove {}: {reached}.{tries}", list(&off))
        }
        Change::Floor { bundles } => {
            let sizes: BTreeSet<u64> = bundles.iter().copied().filter(|&b| b > 1).collect();
            let sizes: Vec<String> = sizes.iter().map(u64::to_string).collect();
            format!("Only whole bundles of {} tokens count: {reached}.", list(&sizes))
        }
        Change::Cone { stack } if is_over(&step.after) => {
            format!("{} lies in every set: empty it, and no move is left.", names.one(*stack))
        }
        Change::Cone { stack } => match heights {
            Heights::Shown => format!(
                "{} lies in every set, so with tokens on it this is an N-position: empty it, and \
                 if the rest, {reached}, is not yet a P-position, win it in the same move.",
                names.one(*stack)
            ),
            Heights::Hidden => format!(
                "{} lies in every set, so it is empty in every P-position; what is left is \
                 {reached}.",
                names.one(*stack)
            ),
        },
        _ => format!("This is {reached}."),
    }
}

/// How the height to chop at was found.
fn chopping(part: &Part) -> String {
    let Some(least) = Chop::least_move(&part.rule) else { return String::new() };
    let tries = slow::chop_tries(least, &part.heights);
    let [first, others @ ..] = &tries[..] else { return String::new() };
    if others.is_empty() {
        return String::new();
    }
    let told = |t: &slow::ChopTry| {
        let chopped = match t.chopped {
            1 => "the tallest stack".to_string(),
            more => format!("the {more} tallest stacks"),
        };
        let fits = match u128::from(t.next) <= t.height {
            true => format!("and no other is taller than {}", t.next),
            false => format!("but another has {}", t.next),
        };
        format!("Without {chopped}, {} tokens allow {}, {fits}.", t.others, t.height)
    };
    let tail = others.iter().map(|t| " ".to_string() + &told(t)).collect::<String>();
    format!(
        " {least} stacks or more a move: {} tokens allow no stack above {}, but one has {}.{tail}",
        first.others, first.height, first.next
    )
}

/// More sets than this are counted, not listed.
const MANY: usize = 8;

/// A state, with or without its heights. What its stacks are called in the game asked about is said
/// where it is not what they would be called by themselves: `PN(3,2) at (a,f,d+e) = (1,2,7)`.
pub(crate) fn reached(state: &State, names: &Names, heights: Heights) -> String {
    let Some(game) = game_named(state, names) else {
        return match is_over(state) {
            true => "no move is left".to_string(),
            false => "some stacks lie in no set".to_string(),
        };
    };
    let own = names.are_those_of(state.stacks());
    match (heights, Position::new(state.heights())) {
        (Heights::Shown, Ok(position)) if own => format!("{game} at {position}"),
        (Heights::Shown, Ok(position)) => format!("{game} at ({}) = {position}", names.row()),
        _ if own => game,
        _ => format!("{game} at ({})", names.row()),
    }
}

/// The game of a state; sets that have no name of their own are written in the names given, if these
/// are letters in their order.
fn game_named(state: &State, names: &Names) -> Option<String> {
    let [part] = &state.parts[..] else { return game_of(state) };
    let plain = part.family.is_none() && part.rule.is_set_nim() && state.play == Play::Normal;
    if !plain || !names.are_letters() {
        return game_of(state);
    }
    game_of(state)?;
    let sets: Vec<String> = part.rule.sets().iter().map(|set| names.set(set)).collect();
    Some(format!("Set({})", sets.join(",")))
}

/// The game of a state in notation; `None` when no move is left, or some stack lies in no set.
pub(crate) fn game_of(state: &State) -> Option<String> {
    state.game().map(|game| game.to_string())
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
