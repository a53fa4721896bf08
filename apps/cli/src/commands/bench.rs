//! `nimatron bench`

use crate::failure::Failure;
use crate::output::Output;
use crate::status::Status;
use nimatron::game::Unlimited;
use nimatron::table::{grundy, naive};
use nimatron::tables::{Tabulation, Threads};
use nimatron::{Game, Outcome};
use nimatron_render::bench::{Bench, Measured, bench};
use nimatron_render::json;
use std::time::Instant;

/// How fast tables are on this machine, against the plain loop and the memory
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Every row is measured in this run, on one core, best of several: the plain loop
over all options (the oracle), the engine of `nimatron table`, and their ratio.
Where a box is too large for the plain loop only the engine is measured.

Examples:
  nimatron bench
  nimatron bench --quick --json")]
pub(crate) struct Args {
    /// Leave out the large boxes
    #[arg(long)]
    quick: bool,
}

/// Game, greatest height, whether the plain loop can be waited for.
const P_POSITIONS: [(&str, u64, bool); 9] = [
    ("CN(5,2)", 23, true),
    ("CN(7,3)", 7, true),
    ("PN(6,3)", 11, true),
    ("CN(6,2)", 47, false),
    ("CN(7,3)", 31, false),
    ("CN(8,3)", 15, false),
    ("Set(abc,bcd,cde,def,af,be)", 47, false),
    ("Moore(6,2)", 47, false),
    ("Moore(6,3)", 47, false),
];
const VALUES: [(&str, u64); 2] = [("CN(5,2)", 19), ("CN(6,3)", 9)];

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let mut rows = Vec::new();
        for (game, max, with_loop) in P_POSITIONS {
            if self.quick && !with_loop {
                continue;
            }
            rows.push(p_positions(game, max, with_loop)?);
        }
        for (game, max) in VALUES {
            rows.push(values(game, max)?);
        }
        let answer = Bench { rows, memory_bytes_per_second: bandwidth() };
        output.answer(|| json::to_string(&answer), |palette| bench(&answer, palette))?;
        Ok(Status::Answered)
    }
}

fn p_positions(text: &str, max: u64, with_loop: bool) -> Result<Measured, Failure> {
    let game = read(text)?;
    let max = vec![max; game.stacks()];
    let (engine, found) = best(|| {
        let mut run = Tabulation::counting(&game, &max).ok()?;
        run.count_only(&Threads::new(1), &Unlimited).ok()
    });
    let plain = with_loop.then(|| {
        best(|| {
            let table = naive::outcomes(&game, &max).ok()?;
            Some(table.entries().iter().filter(|&&o| o == Outcome::P).count() as u64)
        })
    });
    if let Some((_, counted)) = plain
        && counted != found
    {
        return Err(disagree(text));
    }
    Ok(Measured::new("P-positions", text, &max, plain.map(|p| p.0), engine))
}

fn values(text: &str, max: u64) -> Result<Measured, Failure> {
    let game = read(text)?;
    let max = vec![max; game.stacks()];
    let (engine, found) =
        best(|| Some(grundy::summary(&game, &max, &Unlimited).ok()?.total() as u64));
    let (plain, counted) = best(|| {
        let table = naive::grundy(&game, &max).ok()?;
        Some(table.entries().iter().map(|&v| u64::from(v)).sum())
    });
    match found == counted {
        true => Ok(Measured::new("Grundy values", text, &max, Some(plain), engine)),
        false => Err(disagree(text)),
    }
}

fn read(text: &str) -> Result<Game, Failure> {
    text.parse().map_err(|error| Failure::text("GAME", text.to_string(), &error))
}

fn disagree(game: &str) -> Failure {
    Failure::bad("bench", format!("the engines disagree on {game}"))
}

/// Seconds of the best of several runs, within two seconds, and what it found.
fn best(work: impl Fn() -> Option<u64>) -> (f64, u64) {
    let begun = Instant::now();
    let mut result = (f64::MAX, 0);
    for round in 0..5 {
        if round > 0 && begun.elapsed().as_secs_f64() > 2.0 {
            break;
        }
        let started = Instant::now();
        let found = work().unwrap_or(0);
        result = (started.elapsed().as_secs_f64().min(result.0), found);
    }
    result
}

/// Bytes per second that one core reads and joins from memory.
fn bandwidth() -> f64 {
    let words = vec![1u64; 1 << 25];
    let join = || std::hint::black_box(&words).iter().fold(0, |a, b| a | b);
    let (seconds, _) = best(|| Some(std::hint::black_box(join())));
    (words.len() * 8) as f64 / seconds
}
