//! Many positions of one game: how many are lost, and the tallest of them.
//!
//! `cargo run --release -p nimatron --example sweep -- "CN(6,3)" 6`
#![allow(clippy::print_stdout, reason = "a program prints its answer")]

use nimatron::tables::PositionBox;
use nimatron::{Explain, Game, Height, Options, Outcome, Position, Prepared};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().unwrap_or("CN(6,3)".to_string());
    run(&game, arguments.next().as_deref().unwrap_or("6").parse()?)
}

pub(crate) fn run(game: &str, max: Height) -> Result<(), Box<dyn Error>> {
    let game: Game = game.parse()?;

    // Prepared once, a game remembers what one answer needed for the next; without the reasons
    // an answer by theorem is many times quicker.
    let positions = PositionBox::new(&vec![max; game.stacks()])?;
    let prepared = Prepared::new(game);
    let options = Options::default().explain(Explain::Nothing);
    let mut lost: Vec<Position> = Vec::new();
    for position in positions.iter() {
        if prepared.ask(&position, &options)?.outcome == Some(Outcome::P) {
            lost.push(position);
        }
    }
    println!("{} of {} positions are P-positions", lost.len(), positions.len());
    if let Some(tallest) = lost.iter().max_by_key(|position| position.total()) {
        println!("one with the most tokens: {tallest}");
    }
    Ok(())
}
