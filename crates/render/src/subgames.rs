//! Subgames as text and JSON.

use crate::columns::columns;
use crate::palette::{Palette, paint};
use crate::reduction::game_of;
use crate::subgame::{SubgameAnswer, status, zeros};
use crate::words::{count, list, wrap};
use nimatron::{Game, Subgame, Subgames};
use serde::Serialize;

/// The subgames with their status, and what stands in the way.
pub fn subgames(game: &Game, found: &Subgames, limit: usize, palette: &Palette) -> String {
    let n = game.stacks();
    let mut out = paint(palette.title, &wrap(&game.to_string(), "  ")) + "\n";
    let open = found.found.iter().filter(|s| s.solved.is_none()).count();
    let total = count(found.found.len() as u128, "game");
    let stopped = found.stopped.map_or(String::new(), |s| format!(" ({s}: there may be more)"));
    let text = format!(
        "{total} up to symmetry, itself included, {} when stacks are empty; {open} of them open{stopped}.",
        if found.found.len() == 1 { "arises" } else { "arise" }
    );
    out += &(wrap(&text, "") + "\n\n");
    let row = |s: &Subgame| {
        let pattern = if s.zeros.is_empty() { "itself".to_string() } else { zeros(s.zeros, n) };
        vec![name(s), status(s), pattern]
    };
    out += &columns(&found.found.iter().take(limit).map(row).collect::<Vec<_>>());
    if found.found.len() > limit {
        out += &format!("  and {} more\n", found.found.len() - limit);
    }
    if let Some(text) = obstacles(found) {
        out += &format!("\n{}\n", wrap(&text, ""));
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
#[derive(Clone, Debug, Serialize)]
pub struct SubgamesAnswer {
    game: String,
    open: usize,
    subgames: Vec<SubgameAnswer>,
    /// The open games that contain no smaller open one.
    obstacles: Vec<String>,
    limit: Option<String>,
}

impl SubgamesAnswer {
    /// All subgames found.
    pub fn new(game: &Game, found: &Subgames) -> Self {
        SubgamesAnswer {
            game: game.to_string(),
            open: found.found.iter().filter(|s| s.solved.is_none()).count(),
            subgames: found.found.iter().map(SubgameAnswer::from).collect(),
            obstacles: found.obstacles.iter().map(|&p| name(&found.found[p])).collect(),
            limit: found.stopped.map(|stop| stop.to_string()),
        }
    }
}
