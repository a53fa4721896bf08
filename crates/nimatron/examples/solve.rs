//! Who wins, with which move, and why.
//!
//! `cargo run --release -p nimatron --example solve -- "CN(7,3)" 3,5,4,2,1,6,3`
#![allow(clippy::print_stdout, reason = "a program prints its answer")]

use nimatron::{Game, Limits, Options, Page, Position, Prepared};
use std::error::Error;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().unwrap_or("Set(ad,abc,bcd)".to_string());
    let position = arguments.next().unwrap_or("2,3,5,4".to_string());
    run(&game, &position)
}

pub(crate) fn run(game: &str, position: &str) -> Result<(), Box<dyn Error>> {
    let game: Game = game.parse()?;
    let position: Position = position.parse()?;

    // A question ends within its limits; what was not decided then is reported as unknown.
    let limits = Limits::default().time(Duration::from_secs(5));
    let prepared = Prepared::new(game);
    let verdict = prepared.ask(&position, &Options::default().limits(limits.clone()))?;
    println!("{verdict}\n");

    // The same as data: what each of the five best moves leads to.
    let best = prepared.moves(&position, Page { limit: 5, ..Page::default() }, &limits)?;
    for found in &best.moves {
        let outcome = found.outcome.map_or("?".to_string(), |outcome| outcome.to_string());
        println!("take {} to {}: {outcome}", found.take, found.to);
    }
    Ok(())
}
