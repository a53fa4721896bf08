//! How games, sets and positions are called in the theory `Game`.

use crate::ExportError;
use nimatron_game::{Amounts, Choice, Family, Game, Play, StackSet, Summand};
use std::fmt::Write;

/// The greatest natural number that is written: Coq counts these one by one.
const MAX_NATURAL: u64 = 4_000;

/// A natural number.
pub(crate) fn natural(number: impl TryInto<u64>) -> Result<String, ExportError> {
    match number.try_into() {
        Ok(number) if number <= MAX_NATURAL => Ok(format!("{number}%nat")),
        _ => Err(ExportError::Unsupported("so large a number")),
    }
}

/// The most sets that are written one by one.
const MAX_SETS: u64 = 1 << 12;

/// The game as a reader would call it.
pub(crate) fn game(game: &Game) -> Result<String, ExportError> {
    let mut name = String::new();
    for summand in game.summands() {
        let next = rule(summand)?;
        name = if name.is_empty() { next } else { format!("Sum ({name}) ({next})") };
    }
    Ok(match game.convention() {
        Play::Misere => format!("Misere ({name})"),
        _ => name,
    })
}

fn rule(summand: &Summand) -> Result<String, ExportError> {
    let (rule, n) = (summand.rule(), summand.rule().stacks());
    let named = match summand.family() {
        _ if summand.variant().is_some() => None,
        Family::Nim { n } => Some(format!("Nim {n}")),
        Family::Moore { n, k } => Some(format!("Moore {n} {k}")),
        Family::Circular { n, k } => Some(format!("CN {n} {k}")),
        Family::Path { n, k } => Some(format!("PN {n} {k}")),
        Family::Necklace { n: 6, k: 3, l: 2 } => Some("H".to_string()),
        Family::Necklace { n, k, l: 2 } => Some(format!("NN {n} {k}")),
        Family::Exact { n, k } => Some(format!("Exact {n} {k}")),
        Family::Slow { n, sizes } => {
            let sizes: Vec<String> = sizes.iter().map(|k| k.to_string()).collect();
            Some(format!("Slow {n} [{}]", sizes.join("; ")))
        }
        _ => None,
    };
    if let Some(name) = named {
        return Ok(name);
    }
    if rule.sets().len() > MAX_SETS {
        return Err(ExportError::Unsupported("so many sets of stacks"));
    }
    let each = match (rule.choice(), rule.each(), rule.total()) {
        (Choice::Any, Amounts::POSITIVE, Amounts::POSITIVE) => {
            let facets: Vec<u32> = rule.sets().iter().map(StackSet::bits).collect();
            return Ok(match n {
                0..=26 => format!("Set_ {n} {}", strings(&facets)),
                _ => format!("SetNim {n} {}", numbers(&facets)),
            });
        }
        (Choice::All, Amounts::POSITIVE, Amounts::POSITIVE) => "Each",
        (Choice::All, each, Amounts::POSITIVE) if each == Amounts::exactly(1) => "One",
        _ => return Err(ExportError::Unsupported("these amounts of tokens")),
    };
    let sets: Vec<String> =
        rule.sets().iter().map(|set| format!("({each}, {}%N)", set.bits())).collect();
    Ok(format!("Game {n} [{}] false", sets.join("; ")))
}

/// 0/1 vectors or sets of stacks, as letters.
fn strings(sets: &[u32]) -> String {
    let names: Vec<String> = sets.iter().map(|&set| format!("\"{}\"", letters(set))).collect();
    format!("[{}]%string", names.join("; "))
}

fn letters(set: u32) -> String {
    StackSet::from_bits(set).iter().map(|stack| char::from(b'a' + stack as u8)).collect()
}

/// Sets as numbers.
pub(crate) fn numbers(sets: &[u32]) -> String {
    let numbers: Vec<String> = sets.iter().map(u32::to_string).collect();
    format!("[{}]%N", numbers.join("; "))
}

/// Lists of 0/1 vectors, one list to a line.
pub(crate) fn vectors(stacks: usize, lists: &[Vec<u32>]) -> String {
    let lists: Vec<String> =
        lists.iter().map(|list| if stacks <= 26 { strings(list) } else { numbers(list) }).collect();
    match stacks {
        0..=26 => format!("map (map letters) [\n    {}]", lists.join(";\n    ")),
        _ => format!("[\n    {}]", lists.join(";\n    ")),
    }
}

/// Names for the heights: a, b, c, ..., or x1, x2, ... if there are many.
pub(crate) fn heights(stacks: usize) -> Vec<String> {
    (0..stacks)
        .map(|stack| match stacks {
            0..=26 => char::from(b'a' + stack as u8).to_string(),
            _ => format!("x{}", stack + 1),
        })
        .collect()
}

/// Natural numbers.
pub(crate) fn list(numbers: &[u32]) -> String {
    let mut text = String::from("[");
    for (i, number) in numbers.iter().enumerate() {
        let _ = write!(text, "{}{number}", if i == 0 { "" } else { "; " });
    }
    text + "]"
}
