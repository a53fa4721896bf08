//! Looks for the P-positions of games as unions of cells: `matryoshka GAME...`.
#![allow(clippy::print_stdout)]
#![allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "a program has a clock")]

use nimatron_game::{Game, Unlimited};
use nimatron_prove::matryoshka::{Discovery, discover};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for argument in std::env::args().skip(1) {
        let game: Game = argument.parse()?;
        let start = Instant::now();
        let discovery = discover(&game, &Unlimited)?;
        let elapsed = start.elapsed();
        match discovery {
            Discovery::Found(solution) => {
                println!("{game}: {:?} after {elapsed:.1?}", solution.statistics());
                let certificate = solution.certificate();
                let start = Instant::now();
                let accepted = nimatron_verify::verify(&certificate)?;
                println!("checked in {:.1?}: {}", start.elapsed(), accepted.set);
                for (number, sheet) in solution.sheets().iter().enumerate() {
                    println!("game {number}: {sheet}");
                }
            }
            Discovery::Obstructed { position, factor } => {
                println!("{game}: {factor} times {position} is an N-position, after {elapsed:.1?}");
            }
            Discovery::NotFound(why) => println!("{game}: {why}, after {elapsed:.1?}"),
            other => println!("{game}: {other:?}"),
        }
    }
    Ok(())
}
