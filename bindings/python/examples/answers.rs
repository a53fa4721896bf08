//! The answers of the library, for comparison: reads one question per line, a game and a position with a
//! tab between them, and prints one line of JSON for each, as `nimatron solve --json` does.
#![allow(clippy::print_stdout)]

use nimatron::render::{Written, json};
use nimatron::{Game, Options, Position, Prepared};
use std::io::{BufRead, stdin};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in stdin().lock().lines() {
        let line = line?;
        let (game, position) = line.split_once('\t').ok_or("no tab")?;
        let prepared = Prepared::new(game.parse::<Game>()?);
        let position = position.parse::<Position>()?;
        let found = prepared.investigate(&position, &Options::default(), &|_| {})?;
        println!("{}", json::to_string(&json::Solve::investigated(&found, &Written::default())));
    }
    Ok(())
}
