//! Play on at least k stacks: the conjecture of Slow26 as printed and as corrected, compared with
//! tables for all n up to 8 (or as given), on boxes of about as many positions as given.
//!
//!     cargo run --release -p nimatron --example slow_conjecture -- [N] [POSITIONS]

use nimatron::Game;
use nimatron::check::Conjecture;
use nimatron::crates::formula::{Context, Formula};
use nimatron::crates::game::{Family, Height, Sizes, Unlimited};
use nimatron::crates::table::Alone;
use nimatron::crates::theory::slow::at_least::{Wording, formula};
use std::io::Write;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let most_stacks = arguments.next().map_or(Ok(8), |n| n.parse())?;
    let positions = arguments.next().map_or(Ok(1_000_000), |p| p.parse())?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{:<24} {:>6}  {:<22} corrected", "game", "height", "printed")?;
    for n in 2..=most_stacks {
        let max = height(n, positions);
        for k in 1..=n {
            let game = Game::new(Family::Slow { n, sizes: Sizes::new(k..=n) })?;
            let told = |wording| -> Result<String, Box<dyn std::error::Error>> {
                let text = formula(n, k, wording);
                let formula = Formula::parse(&text, &Context::of_game(&game))?;
                let conjecture = Conjecture::new(&game, &formula)?;
                let check = conjecture.check(&vec![max; n], &Alone, &Unlimited)?;
                Ok(match check.counterexample() {
                    None => "no counterexample".to_string(),
                    Some(smallest) => smallest.position.to_string(),
                })
            };
            let (printed, corrected) = (told(Wording::Printed)?, told(Wording::Corrected)?);
            let name = game.to_string();
            writeln!(out, "{name:<24} {max:>6}  {printed:<22} {corrected}")?;
        }
    }
    Ok(())
}

/// The greatest height for which there are at most so many positions with ascending heights.
fn height(n: usize, positions: u128) -> Height {
    let count =
        |max: Height| (1..=n as u128).fold(1u128, |count, i| count * (u128::from(max) + i) / i);
    (1..200).take_while(|&max| count(max) <= positions).last().unwrap_or(1)
}
