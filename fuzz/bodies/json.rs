//! What must hold for every question, whatever it is about: the answer is sound, and its JSON is as
//! documented. Called with random texts by the fuzzer and by the tests of the facade.

use nimatron::{Game, Limits, Options, Outcome, Page, Position, Prepared, WantedMoves};
use serde_json::Value;
use std::time::Duration;

/// Reads the first line as a game, the second as a position (in notation, or both in one JSON object with
/// `game` and `position`), and asks about it within small limits.
///
/// # Panics
/// If something that should hold does not.
pub(crate) fn check(text: &str) {
    let Some((game, position)) = read(text) else { return };
    let limits = Limits::unlimited().time(Duration::from_millis(2)).memory(50_000_000);
    let prepared = Prepared::new(game.clone());
    let options = Options::unlimited().limits(limits.clone()).moves(WantedMoves::AllUpTo(3));
    let Ok(verdict) = prepared.ask(&position, &options) else {
        assert_ne!(game.stacks(), position.len());
        return;
    };
    for winning in &verdict.moves {
        assert!(game.is_legal(&position, &winning.take), "{game} {position} {}", winning.take);
    }
    let answer = serde_json::to_value(&verdict).expect("plain data");
    let word = match verdict.outcome {
        Some(Outcome::P) => "P",
        Some(Outcome::N) => "N",
        None => "unknown",
    };
    assert_eq!(answer["outcome"], word);
    assert_eq!(answer["game"], Value::from(game.to_string()));
    assert_eq!(answer["moves"].as_array().map(Vec::len), Some(verdict.moves.len()));
    assert_eq!(answer["limit"].is_null(), verdict.unknown.is_none());
    assert!(!verdict.to_string().is_empty());
    let read: Game = serde_json::from_value(answer["game"].clone()).expect("a game is read back");
    assert_eq!(read, game);
    let page = Page { skip: 1, limit: 3 };
    let moves = prepared.moves(&position, page, &limits).expect("it fits");
    assert!(moves.moves.len() <= 3);
    assert!(serde_json::to_string(&moves).is_ok() && !moves.to_string().is_empty());
}

fn read(text: &str) -> Option<(Game, Position)> {
    if let Ok(object) = serde_json::from_str::<Value>(text) {
        let game = serde_json::from_value(object.get("game")?.clone()).ok()?;
        return Some((game, serde_json::from_value(object.get("position")?.clone()).ok()?));
    }
    let (game, position) = text.split_once('\n')?;
    Some((game.parse().ok()?, position.parse().ok()?))
}
