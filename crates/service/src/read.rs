//! Games, positions, moves, boxes and formulas, from text.

use crate::failure::Failure;
use crate::heights::Heights;
use nimatron::crates::formula::{Context, Formula};
use nimatron::crates::game::MAX_HEIGHT;
use nimatron::crates::game::notation::parse_position;
use nimatron::{Game, Height, Position, Take};

/// A game.
pub fn game(text: &str) -> Result<Game, Failure> {
    text.parse().map_err(|error| Failure::text("GAME", text.to_string(), &error))
}

/// A position of a game.
pub fn position(text: &Heights, game: &Game) -> Result<Position, Failure> {
    heights("POSITION", &text.0, game)
}

/// A move, written like a position: how many tokens are taken from each stack.
pub fn take(text: &Heights, game: &Game) -> Result<Take, Failure> {
    Ok(Take::new(heights("MOVE", &text.0, game)?.into_vec()))
}

/// The greatest heights of a box: one for all stacks, or one for each.
pub fn max(text: &Heights, game: &Game) -> Result<Vec<Height>, Failure> {
    match text.0.trim().parse::<Height>() {
        Ok(height) if height <= MAX_HEIGHT => Ok(vec![height; game.stacks()]),
        _ => Ok(heights("--max", &text.0, game)?.into_vec()),
    }
}

fn heights(name: &'static str, text: &str, game: &Game) -> Result<Position, Failure> {
    parse_position(text, game).map_err(|error| Failure::text(name, text.to_string(), &error))
}

/// A formula about positions of a game.
pub fn formula(text: &str, game: &Game) -> Result<Formula, Failure> {
    // Line ends mean nothing in a formula, and errors are shown in one line.
    let text = text.replace("\r\n", " ").replace(['\n', '\t'], " ");
    Formula::parse(&text, &Context::of_game(game)).map_err(|error| Failure::formula(text, &error))
}
