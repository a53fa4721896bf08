//! `nimatron-mpi table`

use crate::Failure;
use crate::pump::Traffic;
use crate::ranks::Ranks;
use crate::shelf::Scratch;
use nimatron::crates::table::blocks::Census;
use nimatron::tables::{
    Counts, Manifest, PartCounts, PartFile, PartRun, PartsError, TableEngine, Tabulation,
    TabulationError, Threads, Wanted,
};
use nimatron::{Game, Height, Unlimited};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// All P-positions of a box, in parts: a directory that `nimatron table --join` reads
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mpirun -n 4 nimatron-mpi table \"CN(8,3)\" --max 31 --out parts
  nimatron table --join parts --orbits --limit 5

The same command goes on from the last complete checkpoint, with any number of
ranks. Exit status: 0 done, 2 bad input, 3 refused, 4 a file cannot be read or
written.")]
pub(crate) struct Args {
    /// The game, such as "CN(7,3)"
    game: String,
    /// The greatest height, for all stacks or one per stack: 9, or 3,4,5
    #[arg(long, value_name = "H")]
    max: String,
    /// The directory for the parts; all ranks must see it
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Threads of each rank; one if not given
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: u16,
    /// Megabytes that each rank may use; nine tenths of what is free, shared by the ranks
    /// of a machine, if not given
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// Where lists go that do not fit into memory: a directory on a disk of the machine
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// Seconds between two checkpoints
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    every: u64,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Say nothing about progress
    #[arg(long)]
    quiet: bool,
}

/// What a rank tells the others at a checkpoint.
#[derive(Serialize, Deserialize)]
struct Told {
    part: PartFile,
    counts: PartCounts,
    peak_memory: Option<u64>,
    sent: u64,
    received: u64,
}

/// The answer.
#[derive(Serialize)]
struct Answer<'a> {
    game: &'a str,
    max: &'a [Height],
    p_count: u64,
    p_orbits: u64,
    ranks: usize,
    threads: u16,
    resumed: bool,
    seconds: f64,
    levels: usize,
    /// For each rank.
    peak_memory: Vec<Option<u64>>,
    sent: Vec<u64>,
    received: Vec<u64>,
    foreseen_memory: u64,
    most_held: f64,
    imbalance: f64,
    out: String,
}

impl Args {
    pub(crate) fn run(
        &self,
        ranks: &Ranks,
        (me, count): (usize, usize),
        traffic: &Traffic,
    ) -> Result<u8, Failure> {
        let begun = Instant::now();
        let (game, max) = self.read()?;
        let manifest = Manifest::find(&self.out).map_err(failure)?;
        // Everybody has looked at what is there before anybody changes it.
        ranks.report("").map_err(|error| failure(error.into()))?;
        let which = (me, count);
        let resumed = manifest.as_ref().is_some_and(|manifest| manifest.done > 0);
        let mut run = match &manifest {
            Some(manifest) => PartRun::resume(manifest, &game, &max, &self.out, which, &Unlimited),
            None => PartRun::begin(&game, &max, &self.out, which),
        }
        .map_err(failure)?;
        let (fixed, lists) = self.foreseen(&game, &max, &run)?;
        let allowed = self.memory.map(|mb| mb * 1_000_000).or_else(|| free_memory(count));
        if let Some(allowed) = allowed
            && fixed + lists > allowed
        {
            let room = allowed.saturating_sub(fixed);
            match &self.scratch {
                Some(dir) if room > 0 => {
                    let scratch = Scratch::new(dir, me);
                    let scratch = scratch.map_err(|error| Failure {
                        status: 4,
                        message: format!("{}: {error}", dir.display()),
                    })?;
                    run.shelve(Box::new(scratch), room);
                }
                _ => {
                    let megabytes = |bytes: u64| bytes / 1_000_000;
                    let message = format!(
                        "this table is too large: each rank needs about {} MB, {} MB of it for lists \
                         of P-positions, and may use {} MB; more --memory, or --scratch DIR for the lists",
                        megabytes(fixed + lists),
                        megabytes(lists),
                        megabytes(allowed),
                    );
                    return Err(Failure { status: 3, message });
                }
            }
        }
        let threads = Threads::new(self.threads.into());
        let mut saved = Instant::now();
        // A manifest from the start on: what it does not know of can be written over.
        let mut told = self.checkpoint(&mut run, ranks, me, traffic)?;
        while !run.is_finished() {
            let level = run.progress().0;
            ranks.begin(level).map_err(|error| failure(error.into()))?;
            run.step(&threads, ranks, &Unlimited).map_err(failure)?;
            let due = run.is_finished() || saved.elapsed() >= Duration::from_secs(self.every);
            let due = ranks.report(if due { "save" } else { "" });
            // The first rank decides for all.
            let due = due.map_err(|error| failure(error.into()))?;
            if due.first().is_some_and(|word| word == "save") || run.is_finished() {
                told = self.checkpoint(&mut run, ranks, me, traffic)?;
                saved = Instant::now();
            }
            if me == 0 && !self.quiet {
                let (done, levels) = run.progress();
                let took = begun.elapsed().as_secs_f64();
                eprintln!("level {done} of {levels}, {took:.1} s");
            }
        }
        if me == 0 {
            let counts = together(&told);
            self.answer(&game, &max, &run, &told, &counts, (resumed, begun, fixed + lists));
        }
        Ok(0)
    }

    fn read(&self) -> Result<(Game, Vec<Height>), Failure> {
        let bad = |message: String| Failure { status: 2, message };
        let game: Game = self.game.parse().map_err(|error| bad(format!("{error}")))?;
        let heights: Result<Vec<Height>, _> =
            self.max.split(',').map(|height| height.trim().parse()).collect();
        match heights.as_deref() {
            Ok(&[height]) => Ok((game.clone(), vec![height; game.stacks()])),
            Ok(heights) if heights.len() == game.stacks() => Ok((game, heights.to_vec())),
            _ => Err(bad(format!("--max {}: one height, or one per stack", self.max))),
        }
    }

    /// Bytes that each rank needs: for all but lists, and for lists.
    fn foreseen(&self, game: &Game, max: &[Height], run: &PartRun) -> Result<(u64, u64), Failure> {
        let workers = usize::from(self.threads);
        let engine = Some(TableEngine::Blocks);
        let all = Tabulation::forecast_for(game, max, workers, Wanted::Counts, engine);
        let all = all.map_err(|error| failure(error.into()))?.memory as f64;
        let fixed = run.run().plan().estimate(0.0, workers).memory;
        let lists = (all - fixed).max(0.0) * run.most_held();
        Ok(((fixed + MPI) as u64, lists as u64))
    }

    /// All ranks have what they wrote on the disk; then the first one writes the manifest.
    fn checkpoint(
        &self,
        run: &mut PartRun,
        ranks: &Ranks,
        me: usize,
        traffic: &Traffic,
    ) -> Result<Vec<Told>, Failure> {
        let lost = |error: nimatron::crates::table::line::LineError| failure(error.into());
        run.sync().map_err(failure)?;
        let mine = Told {
            part: run.part_file(),
            counts: run.census().clone().into(),
            peak_memory: peak_memory(),
            sent: traffic.sent.load(Ordering::Relaxed),
            received: traffic.received.load(Ordering::Relaxed),
        };
        let garbled = |_| Failure { status: 70, message: "a report cannot be read".to_string() };
        let mine = serde_json::to_string(&mine).map_err(garbled)?;
        let told = ranks.report(&mine).map_err(lost)?;
        let told: Result<Vec<Told>, _> = told.iter().map(|one| serde_json::from_str(one)).collect();
        let told = told.map_err(garbled)?;
        if me == 0 {
            let parts = told.iter().map(|one| one.part.clone()).collect();
            let manifest = run.manifest(parts, Some(together(&told)));
            manifest.write(&self.out).map_err(failure)?;
            manifest.sweep(&self.out);
        }
        ranks.report("").map_err(lost)?;
        Ok(told)
    }

    fn answer(
        &self,
        game: &Game,
        max: &[Height],
        run: &PartRun,
        told: &[Told],
        census: &Census,
        (resumed, begun, foreseen): (bool, Instant, u64),
    ) {
        let answer = Answer {
            game: &game.to_string(),
            max,
            p_count: census.count,
            p_orbits: census.orbits,
            ranks: told.len(),
            threads: self.threads,
            resumed,
            seconds: begun.elapsed().as_secs_f64(),
            levels: run.progress().1,
            peak_memory: told.iter().map(|one| one.peak_memory).collect(),
            sent: told.iter().map(|one| one.sent).collect(),
            received: told.iter().map(|one| one.received).collect(),
            foreseen_memory: foreseen,
            most_held: run.most_held(),
            imbalance: run.run().imbalance(told.len()),
            out: self.out.display().to_string(),
        };
        if self.json {
            println!("{}", serde_json::to_string(&answer).unwrap_or_default());
            return;
        }
        println!("{}", answer.game);
        println!("  P-positions     {}", answer.p_count);
        println!("  up to symmetry  {}", answer.p_orbits);
        println!("  ranks           {}, {} threads each", answer.ranks, answer.threads);
        println!("  seconds         {:.2}", answer.seconds);
        println!("  sent            {} bytes by all ranks", answer.sent.iter().sum::<u64>());
        println!("  written to      {}", answer.out);
        println!("`nimatron table --join {}` lists and counts it.", answer.out);
    }
}

/// Bytes that MPI takes, about, with what is on its way.
const MPI: f64 = 40e6;

/// What all parts amount to.
fn together(told: &[Told]) -> Census {
    let mut all = Census::default();
    for one in told {
        let counts = Counts::from(one.counts.clone());
        all.add(&Census {
            count: counts.p_count,
            orbits: counts.p_orbits.unwrap_or(0),
            by_max: counts.by_height,
            orbits_by_max: counts.orbits_by_height,
        });
    }
    all
}

fn failure(error: PartsError) -> Failure {
    let status = match &error {
        PartsError::Io { .. } | PartsError::Damaged { .. } => 4,
        PartsError::Run(TabulationError::Blocks | TabulationError::Stacks { .. }) => 2,
        PartsError::Run(_) => 3,
        _ => 2,
    };
    Failure { status, message: error.to_string() }
}

/// Nine tenths of the memory that is free, shared by the ranks of this machine, where the system tells.
fn free_memory(ranks: usize) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let here = std::env::var("OMPI_COMM_WORLD_LOCAL_SIZE").ok().and_then(|n| n.parse().ok());
    Some(kilobytes(&text, "MemAvailable:")? / 10 * 9 / here.unwrap_or(ranks as u64).max(1))
}

/// The most memory this rank ever had.
fn peak_memory() -> Option<u64> {
    kilobytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

fn kilobytes(text: &str, label: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(label))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}
