//! Finds and checks proofs, and prints a table of what they cost.
//!
//! `cargo run --release -p nimatron --example proof_table [SECONDS [COMPARE]]`
//!
//! Each proof may take so many seconds, by default 60. A set that was discovered is then compared with
//! the tables of boxes that grow until COMPARE seconds are over, by default 1.
//!
//! Each proof has a process of its own, so that the memory is that of this proof alone.
#![allow(clippy::print_stdout)]

use nimatron::crates::formula::{Context, Formula};
use nimatron::crates::theory::recognise;
use nimatron::proofs::{DiscoverMethod, Found, Judgement, ProveMethod, Size, discover, prove};
use nimatron::{Game, Limits};
use std::error::Error;
use std::process::Command;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [how, game, seconds, compare] = &arguments[..] {
        println!("{}", row(how, game, seconds.parse()?, compare.parse()?)?);
        return Ok(());
    }
    let seconds = arguments.first().map_or("60", String::as_str);
    let compare = arguments.get(1).map_or("1", String::as_str);
    let this = std::env::current_exe()?;
    for how in ["discover", "prove"] {
        match how {
            "discover" => println!("## Discovered, with no formula given\n"),
            _ => println!("\n## Formulas of the theorem library, proved\n"),
        }
        let compared = how == "discover";
        let last = if compared { (" agrees to |", " ---: |") } else { ("", "") };
        let heads =
            "| game | proof | size | found in s | checked in s | memory MB | certificate kB |";
        println!("{heads}{}", last.0);
        println!("| --- | --- | --- | ---: | ---: | ---: | ---: |{}", last.1);
        for game in games(how) {
            let run = Command::new(&this).args([how, &game, seconds, compare]).output()?;
            print!("{}", String::from_utf8_lossy(&run.stdout));
        }
    }
    Ok(())
}

/// The games of the table.
fn games(how: &str) -> Vec<String> {
    let named = "CN(3,2) CN(4,2) CN(5,2) CN(5,3) CN(6,3) CN(7,3) CN(8,3) CN(9,4) CN(10,4) CN(11,4) \
                 CN(12,5) CN(8,6) CN(7,4) CN(6,4) H Moore(4,2) Moore(5,2) Exact(4,2)";
    let mut games: Vec<String> = named.split(' ').map(str::to_string).collect();
    for n in 3..=8usize {
        games.extend((n.div_ceil(2)..n).map(|k| format!("PN({n},{k})")));
    }
    for n in 4..=9usize {
        games.extend(((n - 1).div_ceil(2)..n).map(|k| format!("NN({n},{k})")));
    }
    if how == "prove" {
        games.push("NN(10,5)".to_string());
        games.retain(|text| formula(&text.parse().expect("a game")).is_some());
    }
    games
}

/// What the theorem library says, if it can be written without xor.
fn formula(game: &Game) -> Option<Formula> {
    let found = recognise(game.single()?, game.convention())?;
    let text = found.solution().formula().filter(|text| !text.contains("xor"))?;
    Formula::parse(&text, &Context::of_game(game)).ok()
}

/// One row of the table.
fn row(how: &str, text: &str, seconds: u64, compare: u64) -> Result<String, Box<dyn Error>> {
    let game: Game = text.parse()?;
    let limits = Limits::unlimited().time(Duration::from_secs(seconds)).memory(4_000_000_000);
    let found: Result<Box<Found>, String> = match how {
        "discover" => {
            let mut discovery = discover(&game, DiscoverMethod::Auto, &limits);
            let last = discovery.attempts.pop();
            discovery.found.ok_or_else(|| format!("{last:?}"))
        }
        _ => {
            let formula = formula(&game).ok_or("no formula")?;
            match prove(&game, &formula, ProveMethod::Auto, &limits).judgement {
                Judgement::Proved(found) => Ok(found),
                Judgement::Undecided(why) => Err(why.to_string()),
                other => Err(format!("{other:?}")),
            }
        }
    };
    Ok(match found {
        Err(why) => {
            format!("| {game} | not found: {} | | | | {} | | |", why.replace('|', "/"), memory())
        }
        Ok(found) => {
            let size = match found.size {
                Size::Regions { branches, rules, nodes } => {
                    format!("{branches} branches, {rules} rules, {nodes} nodes")
                }
                Size::Matryoshka { games, cells, weights } => {
                    format!("{games} games, {cells} cells, {weights} weights")
                }
                Size::Automaton { states, macrostates } => {
                    format!("{states} states, {macrostates} macrostates")
                }
                _ => String::new(),
            };
            // Before the comparison, which has a memory of its own.
            let memory = memory();
            let time = Duration::from_secs(compare);
            let compared = (how == "discover")
                .then(|| found.proved.compare_for(time, &Limits::unlimited()))
                .flatten();
            let agrees = match compared {
                None => String::new(),
                Some(comparison) if comparison.differs.is_none() => {
                    format!(" {} |", comparison.max)
                }
                Some(comparison) => format!(" **differs**: {comparison:?} |"),
            };
            format!(
                "| {text} | {} | {size} | {:.2} | {:.2} | {memory} | {} |{agrees}",
                found.proved.kind().as_str(),
                found.search.as_secs_f64(),
                found.check.as_secs_f64(),
                found.bytes.div_ceil(1000),
            )
        }
    })
}

/// The most memory this process ever had, in MB, where the system tells.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|l| l.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kilobytes.map_or(String::new(), |kb| (kb / 1000).to_string())
}
