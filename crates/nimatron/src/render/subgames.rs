//! Subgames as text and JSON.

use crate::Game;
use crate::render::json::Limit;
use crate::render::palette::{Palette, paint};
use crate::render::reduction::game_of;
use crate::render::subgame::{SubgameAnswer, open_by, status, zeros};
use crate::render::words::{count, list};
use crate::structure::{Subgame, Subgames};
#[cfg(feature = "serde")]
use serde::Serialize;

/// The subgames with their status, and what stands in the way.
pub fn subgames(game: &Game, found: &Subgames, limit: usize, palette: &Palette) -> String {
    let n = game.stacks();
    let mut out = paint(palette.title, &palette.wrap(&game.to_string(), "  ")) + "\n";
    let open = found.found.iter().filter(|s| s.solved.is_none()).count();
    let total = count(found.found.len() as u128, "game");
    let stopped = found.stopped.map_or(String::new(), |s| format!(" ({s}: there may be more)"));
    let text = format!(
        "{total} up to symmetry, itself included, {} when stacks are empty; {open} of them not in the \
         library{stopped}.",
        if found.found.len() == 1 { "arises" } else { "arise" }
    );
    out += &(palette.wrap(&text, "") + "\n\n");
    let row = |s: &Subgame| {
        let pattern = if s.zeros.is_empty() { "itself".to_string() } else { zeros(s.zeros, n) };
        vec![name(s), status(s), pattern]
    };
    out += &palette.columns(&found.found.iter().take(limit).map(row).collect::<Vec<_>>());
    if found.found.len() > limit {
        out += &format!("  and {} more\n", found.found.len() - limit);
    }
    if let Some(text) = obstacles(found) {
        out += &format!("\n{}\n", palette.wrap(&text, ""));
    }
    out
}

/// What must be solved first, in a sentence; `None` if nothing smaller is open.
pub(crate) fn obstacles(found: &Subgames) -> Option<String> {
    let smaller: Vec<String> = found
        .obstacles
        .iter()
        .filter(|&&place| place > 0)
        .map(|&place| name(&found.found[place]))
        .collect();
    let whole = found.found.first()?;
    if smaller.is_empty() {
        return None;
    }
    Some(format!("{} cannot be solved before {}.", name(whole), list(&smaller)))
}

fn name(subgame: &Subgame) -> String {
    game_of(&subgame.state).unwrap_or_default()
}

/// The answer to `subgames`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct SubgamesAnswer {
    game: String,
    /// How many are not in the library.
    not_known: usize,
    /// How many of these somebody says are open.
    open: usize,
    /// How many there are, listed or not.
    total: usize,
    subgames: Vec<SubgameAnswer>,
    /// The games not known that contain no smaller such game.
    obstacles: Vec<String>,
    limit: Option<Limit>,
}

impl SubgamesAnswer {
    /// At most so many of the subgames found.
    pub fn new(game: &Game, found: &Subgames, limit: usize) -> Self {
        SubgamesAnswer {
            game: game.to_string(),
            not_known: found.found.iter().filter(|s| s.solved.is_none()).count(),
            open: found.found.iter().filter(|s| open_by(s).is_some()).count(),
            total: found.found.len(),
            subgames: found.found.iter().take(limit).map(SubgameAnswer::from).collect(),
            obstacles: found.obstacles.iter().map(|&p| name(&found.found[p])).collect(),
            limit: found.stopped.map(Limit::from),
        }
    }
}
