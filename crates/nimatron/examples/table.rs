//! The P-positions of a whole box, computed at once: their number, and the first few.
//!
//! `cargo run --release -p nimatron --example table -- "CN(5,2)" 20`
#![allow(clippy::print_stdout, reason = "a program prints its answer")]

use nimatron::tables::{PPositions, Tabulation, Threads};
use nimatron::{Game, Height, Limits};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().unwrap_or("CN(5,2)".to_string());
    run(&game, arguments.next().as_deref().unwrap_or("20").parse()?)
}

pub(crate) fn run(game: &str, max: Height) -> Result<(), Box<dyn Error>> {
    let game: Game = game.parse()?;
    let (max, threads) = (vec![max; game.stacks()], Threads::all());

    // What it will cost is known before.
    let forecast = Tabulation::forecast(&game, &max, 1)?;
    println!("{} positions, about {:.1} s", forecast.positions, forecast.seconds);

    // Counting is quicker than listing.
    let watch = Limits::default().start();
    let mut run = Tabulation::counting(&game, &max)?;
    run.finish(&threads, &watch, &mut |_| Ok(()))?;
    println!("{} of them are P-positions", run.counts().p_count);

    // The iterator computes no more than is asked for.
    for position in PPositions::new(&game, &max, &threads, &watch)?.take(5) {
        println!("{}", position?);
    }
    Ok(())
}
