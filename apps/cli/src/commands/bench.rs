//! `nimatron bench`

use nimatron_service::Failure;
use crate::output::Output;
use nimatron_service::Status;
use nimatron::crates::game::Unlimited;
use nimatron::crates::table::{Crew, grundy, naive};
use nimatron::tables::{TableEngine, Tabulation, Threads, Wanted};
use nimatron::{Game, Outcome};
use nimatron::render::bench::{Bench, EngineSeconds, Measured, bench};
use nimatron::render::json;
use std::time::Instant;

/// How fast tables are on this machine, by each engine, against the plain loop and the memory
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Every row is measured in this run, best of several: the plain loop over all
options (the oracle, where it can be waited for), the line kernel, the block
engine, how many times faster the latter is, all on one core; and the engine
that `nimatron table` takes, on all threads.

Examples:
  nimatron bench
  nimatron bench --quick --json")]
pub(crate) struct Args {
    /// Leave out the large boxes
    #[arg(long)]
    quick: bool,
}

/// Game, greatest height, whether the plain loop can be waited for.
const P_POSITIONS: [(&str, u64, bool); 10] = [
    ("CN(5,2)", 23, true),
    ("CN(7,3)", 7, true),
    ("PN(6,3)", 11, true),
    ("CN(6,2)", 47, false),
    ("CN(7,3)", 31, false),
    ("CN(8,3)", 15, false),
    ("CN(8,3)", 23, false),
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
        let answer = Bench {
            rows,
            memory_bytes_per_second: joined(1 << 25, 1),
            vector_bytes_per_second: joined(1 << 11, 1 << 14),
            threads: Crew::size(&Threads::all()),
        };
        output.answer(|| json::to_string(&answer), |palette| bench(&answer, palette))?;
        Ok(Status::Answered)
    }
}

fn p_positions(text: &str, max: u64, with_loop: bool) -> Result<Measured, Failure> {
    let game = read(text)?;
    let max = vec![max; game.stacks()];
    // Counting with orbits, as `nimatron table` does.
    let count = |engine, threads: usize| {
        best(|| {
            let mut run = Tabulation::new(&game, &max, Wanted::Counts, engine).ok()?;
            run.finish(&Threads::new(threads), &Unlimited, &mut |_| Ok(())).ok()?;
            Some(run.counts().p_count)
        })
    };
    let (line, found) = count(Some(TableEngine::Line), 1);
    let (blocks, by_blocks) = count(Some(TableEngine::Blocks), 1);
    let (threads, by_all) = count(None, Crew::size(&Threads::all()));
    if by_blocks != found || by_all != found {
        return Err(disagree(text));
    }
    let chosen = Tabulation::forecast(&game, &max, 1).ok().and_then(|f| f.engine);
    let engine = if chosen == Some(TableEngine::Blocks) { blocks } else { line };
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
    let row = Measured::new("P-positions", text, &max, plain.map(|p| p.0), engine);
    Ok(row.with(EngineSeconds { line, blocks, threads }))
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

/// Bytes per second that one core reads and joins, going through so many words so many times.
fn joined(words: usize, times: usize) -> f64 {
    let list = vec![1u64; words];
    let join = || {
        let mut all = 0;
        for _ in 0..times {
            all |= std::hint::black_box(&list).iter().fold(0, |a, b| a | b);
        }
        all
    };
    let (seconds, _) = best(|| Some(std::hint::black_box(join())));
    (words * times * 8) as f64 / seconds
}
