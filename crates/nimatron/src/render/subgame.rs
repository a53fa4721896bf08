//! What is left when stacks are empty, in words.

use crate::render::reasons::{cited, details, name};
use crate::render::reduction::game_of;
use crate::render::words::Names;
use crate::structure::{Subgame, conjecture_about};
use crate::{By, said_to_be_open};
use nimatron_game::StackSet;
#[cfg(feature = "serde")]
use serde::Serialize;

/// `b=c=0`.
pub(crate) fn zeros(set: StackSet, n: usize) -> String {
    let names = Names::of(n);
    let each: Vec<&str> = set.iter().map(|s| names.one(s)).collect();
    format!("{}=0", each.join("="))
}

/// `PN(3,2) at (a,f,d+e)`.
pub(crate) fn left(subgame: &Subgame, n: usize) -> String {
    match game_of(&subgame.state) {
        None => "no move is left".to_string(),
        Some(game) => format!("{game} at ({})", Names::of(n).gathered(&subgame.members).row()),
    }
}

/// Who says that the game left is open, if it is not solved and somebody does.
pub(crate) fn open_by(subgame: &Subgame) -> Option<&'static str> {
    match subgame.solved {
        Some(_) => None,
        None => said_to_be_open(&subgame.game()?),
    }
}

/// What is conjectured of the game left, if it is not solved.
pub(crate) fn conjectured(subgame: &Subgame) -> Option<&'static str> {
    match subgame.solved {
        Some(_) => None,
        None => conjecture_about(&subgame.game()?),
    }
}

/// The citations of those who solved it; or who says that it is open; or that nothing is known, and what
/// is conjectured.
pub(crate) fn status(subgame: &Subgame) -> String {
    match &subgame.solved {
        None => {
            let open = match open_by(subgame) {
                Some(by) => format!("open ({by})"),
                None => "not in the library".to_string(),
            };
            match conjectured(subgame) {
                Some(_) => open + "; peeling is conjectured",
                None => open,
            }
        }
        Some(solved) => {
            let mut by: Vec<String> = solved.by().iter().filter_map(cited).collect();
            by.dedup();
            by.join(", ")
        }
    }
}

/// A theorem in JSON.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
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
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub(crate) struct SubgameAnswer {
    zeros: Vec<usize>,
    game: Option<String>,
    members: Vec<Vec<usize>>,
    /// Whether a theorem or a proof is known.
    known: bool,
    /// Whether nothing is known and somebody says that it is open.
    open: bool,
    open_by: Option<&'static str>,
    theorems: Vec<TheoremName>,
    /// What is conjectured, if nothing is known.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    conjecture: Option<&'static str>,
}

impl From<&Subgame> for SubgameAnswer {
    fn from(subgame: &Subgame) -> Self {
        let from_one = |m: &Vec<usize>| m.iter().map(|s| s + 1).collect();
        let by = subgame.solved.as_ref().map_or(Vec::new(), |s| s.by());
        SubgameAnswer {
            zeros: numbers(subgame.zeros),
            game: game_of(&subgame.state),
            members: subgame.members.iter().map(from_one).collect(),
            known: subgame.solved.is_some(),
            open: open_by(subgame).is_some(),
            open_by: open_by(subgame),
            theorems: by.iter().map(TheoremName::from).collect(),
            conjecture: conjectured(subgame),
        }
    }
}

/// The stacks of a set, counted from 1.
pub(crate) fn numbers(set: StackSet) -> Vec<usize> {
    set.iter().map(|s| s + 1).collect()
}
