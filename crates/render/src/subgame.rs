//! What is left when stacks are empty, in words.

use crate::reasons::{cited, details, name};
use crate::reduction::game_of;
use crate::words::Names;
use nimatron::game::StackSet;
use nimatron::{By, Subgame};
use serde::Serialize;

/// `b=c=0`.
pub(crate) fn zeros(set: StackSet, n: usize) -> String {
    let letter = if n > 26 { "x" } else { "" };
    let names = Names::of(n);
    let each: Vec<String> = set.iter().map(|s| format!("{letter}{}", names.one(s))).collect();
    format!("{}=0", each.join("="))
}

/// `PN(3,2) at (a,f,d+e)`.
pub(crate) fn left(subgame: &Subgame, n: usize) -> String {
    match game_of(&subgame.state) {
        None => "no move is left".to_string(),
        Some(game) => format!("{game} at ({})", Names::of(n).gathered(&subgame.members).row()),
    }
}

/// The citations of those who solved it, or `open`.
pub(crate) fn status(subgame: &Subgame) -> String {
    match &subgame.solved {
        None => "open".to_string(),
        Some(solved) => {
            let mut by: Vec<String> = solved.by().iter().filter_map(cited).collect();
            by.dedup();
            by.join(", ")
        }
    }
}

/// A theorem in JSON.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TheoremName {
    name: String,
    source: Option<String>,
}

impl From<&By> for TheoremName {
    fn from(by: &By) -> Self {
        TheoremName { name: name(by), source: details(by) }
    }
}

/// A subgame in JSON. Stacks are counted from 1.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SubgameAnswer {
    zeros: Vec<usize>,
    game: Option<String>,
    members: Vec<Vec<usize>>,
    open: bool,
    theorems: Vec<TheoremName>,
}

impl From<&Subgame> for SubgameAnswer {
    fn from(subgame: &Subgame) -> Self {
        let from_one = |m: &Vec<usize>| m.iter().map(|s| s + 1).collect();
        let by = subgame.solved.as_ref().map_or(Vec::new(), |s| s.by());
        SubgameAnswer {
            zeros: numbers(subgame.zeros),
            game: game_of(&subgame.state),
            members: subgame.members.iter().map(from_one).collect(),
            open: subgame.solved.is_none(),
            theorems: by.iter().map(TheoremName::from).collect(),
        }
    }
}

/// The stacks of a set, counted from 1.
pub(crate) fn numbers(set: StackSet) -> Vec<usize> {
    set.iter().map(|s| s + 1).collect()
}
