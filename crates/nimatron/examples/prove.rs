//! A guess about the P-positions, proved for all heights, and the proof checked.
//!
//! `cargo run --release -p nimatron --example prove -- "CN(5,3)" "sym(a = 0, b = e = c+d)"`
#![allow(clippy::print_stdout, reason = "a program prints its answer")]

use nimatron::check::{Context, Formula};
use nimatron::proofs::{Certificate, Examination, Expected, Judgement, ProveMethod, prove};
use nimatron::{Game, Limits};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().unwrap_or("CN(5,3)".to_string());
    let formula = arguments.next().unwrap_or("sym(a = 0, b = e = c+d)".to_string());
    run(&game, &formula)
}

pub(crate) fn run(game: &str, formula: &str) -> Result<(), Box<dyn Error>> {
    let game: Game = game.parse()?;
    let formula = Formula::parse(formula, &Context::of_game(&game))?;

    let proving = prove(&game, &formula, ProveMethod::Auto, &Limits::default());
    let found = match &proving.judgement {
        Judgement::Proved(found) => found,
        _ => {
            println!("{proving}");
            return Ok(());
        }
    };
    println!("{game}: {formula} describes the P-positions, for all heights");

    // A certificate is a text. Whoever gets it checks it, and trusts nobody.
    let text = found.proved.text();
    let certificate = Certificate::read(&text[..])?;
    let expected =
        Expected { game: Some(game.clone()), formula: Some(formula), ..Expected::default() };
    let examination = Examination::of(&certificate, &expected);
    println!("{} bytes, accepted: {}", text.len(), examination.refusal.is_none());

    // What is proved answers at any height.
    let tall = vec![1_000_000_000_000; game.stacks()];
    if let Some(answer) = found.proved.answer(&tall) {
        println!("outcome with 10^12 tokens on each stack: {}", answer.outcome);
        if let Some(take) = answer.take {
            println!("a winning move takes {take}");
        }
    }
    Ok(())
}
