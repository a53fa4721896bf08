//! `nimatron table`

mod checkpoint;
mod rows;

use crate::failure::Failure;
use crate::input::GameText;
use crate::limits::cancellation;
use crate::meter::Meter;
use crate::output::Output;
use crate::progress::Progress;
use crate::status::Status;
use crate::units::{memory, time};
use checkpoint::Checkpoint;
use nimatron::game::{Stop, Watch};
use nimatron::table::{Summary, TableError, grundy, remoteness};
use nimatron::tables::{Tabulation, TabulationError, Threads};
use nimatron::{Game, Height, Limits};
use nimatron_render::json;
use nimatron_render::table::{
    Beside, Refused, RowFormat, TableRefusal, TableSummary, ValueSummary, bfile, table_refusal,
    table_summary,
};
use rows::{Filter, Rows};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The P-positions of a whole box, or all its Grundy values or remotenesses
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron table \"CN(6,2)\" --max 47
  nimatron table \"CN(5,2)\" --max 9 --orbits --limit all
  nimatron table \"CN(7,3)\" --max 31 --out p.csv --format csv --checkpoint p.ckpt
  nimatron table \"CN(5,2)\" --max 19 --grundy --json
  nimatron table \"CN(6,3)\" --max 20 --format bfile

A pattern for --zero has one sign per stack: 0 for an empty stack, + for one
with tokens, . for any: --zero 0..+ selects a = 0 and d > 0.")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    /// The greatest height, for all stacks or one per stack: 9, or 3,4,5
    #[arg(long, value_name = "H")]
    max: String,
    /// Tabulate Grundy values
    #[arg(long, conflicts_with = "remoteness")]
    grundy: bool,
    /// Tabulate the remoteness: how many moves best play lasts
    #[arg(long)]
    remoteness: bool,
    /// One P-position per orbit, with the size of the orbit
    #[arg(long, conflicts_with_all = ["grundy", "remoteness"])]
    orbits: bool,
    /// Only positions with so many tokens in total
    #[arg(long, value_name = "S")]
    sum: Option<u64>,
    /// Only positions with this pattern of empty stacks
    #[arg(long, value_name = "PATTERN")]
    zero: Option<String>,
    /// How rows are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Print at most so many rows, or `all`
    #[arg(long, value_name = "N", default_value = "20", value_parser = limit)]
    limit: Limit,
    /// Write all rows to this file instead
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
    /// Threads to work with; all of the machine's if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Save the state here every so often and on Ctrl-C; the same command goes on from it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["grundy", "remoteness"])]
    checkpoint: Option<PathBuf>,
    /// How often the state is saved
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = time, requires = "checkpoint")]
    every: Duration,
    /// Stop after this time
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
    /// Use at most this much memory; most of what is free if not given
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A position per line, and a summary
    Text,
    /// Comma-separated values
    Csv,
    /// One JSON object per line
    Jsonl,
    /// An OEIS b-file: how many P-positions have all heights up to n
    Bfile,
}

/// How many rows are printed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    UpTo(u64),
    All,
}

fn limit(text: &str) -> Result<Limit, String> {
    match text {
        "all" => Ok(Limit::All),
        number => match number.parse() {
            Ok(n) => Ok(Limit::UpTo(n)),
            Err(_) => Err("expected a number, or `all`".to_string()),
        },
    }
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let game = self.game.read()?;
        let max = read_max(&self.max, &game)?;
        let filter = Filter::new(&game, self.sum, self.zero.as_deref())?;
        if self.format == Format::Bfile && (self.grundy || self.remoteness) {
            let message = "a b-file counts P-positions; it has no values".to_string();
            return Err(Failure::bad("format", message));
        }
        if self.grundy && game.convention() == nimatron::Play::Misere {
            let message = "Grundy values are defined for normal play only".to_string();
            return Err(Failure::bad("misere", message));
        }
        let threads = self.threads.map_or_else(Threads::all, |n| Threads::new(n.into()));
        let memory = self.memory.or_else(free_memory);
        if let Some(refusal) = self.refusal(&game, &max, threads, memory)? {
            let text = |palette: &_| table_refusal(&refusal, palette);
            output.answer(|| json::to_string(&refusal), text)?;
            return Ok(Status::Undecided);
        }
        let limits = Limits { time: self.time, memory, cancel: cancellation() };
        let meter = Arc::new(Meter::new(&limits));
        let progress = Progress::metered(Arc::clone(&meter), output);
        let job = Job { args: &self, game, max, filter, threads, limits, meter, output };
        let result = match self.grundy || self.remoteness {
            true => job.values(),
            false => job.p_positions(),
        };
        drop(progress);
        result
    }

    /// The numbers of a table that does not fit.
    fn refusal(
        &self,
        game: &Game,
        max: &[Height],
        threads: Threads,
        memory: Option<u64>,
    ) -> Result<Option<TableRefusal>, Failure> {
        let workers = nimatron::table::Crew::size(&threads);
        let forecast = Tabulation::forecast(game, max, workers).map_err(failure)?;
        // Values take room for every position.
        let values = self.grundy || self.remoteness;
        let needed = if values { forecast.positions.saturating_mul(4) } else { forecast.memory };
        let seconds = forecast.seconds / workers as f64;
        let allowed = self.time.map(|t| t.as_secs_f64());
        let fits = memory.is_none_or(|m| needed <= m.into()) && allowed.is_none_or(|a| seconds <= a);
        if fits {
            return Ok(None);
        }
        let (most, time) = (memory.map_or(u128::MAX, Into::into), allowed.unwrap_or(f64::MAX));
        let most = if values { most / 2 } else { most };
        let refused = Refused {
            memory: needed,
            memory_limit: memory,
            seconds,
            time_limit: allowed,
            largest_max: Tabulation::largest_max(game, most, time),
        };
        let (game, max) = (game.to_string(), max.to_vec());
        Ok(Some(TableRefusal { game, max, positions: forecast.positions, refused }))
    }

    fn row_format(&self) -> Option<RowFormat> {
        match self.format {
            Format::Text => Some(RowFormat::Text),
            Format::Csv => Some(RowFormat::Csv),
            Format::Jsonl => Some(RowFormat::JsonLines),
            Format::Bfile => None,
        }
    }
}

/// A table at work.
struct Job<'a> {
    args: &'a Args,
    game: Game,
    max: Vec<Height>,
    filter: Filter,
    threads: Threads,
    limits: Limits,
    meter: Arc<Meter>,
    output: &'a Output,
}

impl Job<'_> {
    fn p_positions(self) -> Result<Status, Failure> {
        let args = self.args;
        let beside = if args.orbits { Beside::Orbit(0) } else { Beside::Nothing };
        let mut rows = Rows::open(args, self.filter.clone(), self.game.stacks(), beside)?;
        let listing = rows.wants_order();
        let request = format!("{:?}", (&args.orbits, &args.sum, &args.zero, &args.format, listing));
        let checkpoint = args.checkpoint.as_ref().map(|path| {
            Checkpoint { path: path.clone(), request, every: args.every, force: args.force }
        });
        let resumed = match &checkpoint {
            Some(c) => c.load(&self.game, &self.max, &mut rows)?,
            None => None,
        };
        let fresh = match listing {
            true => Tabulation::listing,
            false => Tabulation::counting,
        };
        let mut run = match resumed {
            Some(run) => run,
            None => fresh(&self.game, &self.max).map_err(failure)?,
        };
        rows.begin()?;
        let stopped = match &checkpoint {
            Some(c) => c.finish(&mut run, &self, &mut rows)?,
            None => advance(&mut run, u32::MAX, &self.threads, &*self.meter, &mut rows)?,
        };
        let counts = run.counts();
        let mut summary = self.summary();
        summary.p_count = Some(counts.p_count);
        summary.p_orbits = counts.p_orbits;
        if stopped.is_none() && args.format == Format::Bfile {
            let terms = if args.orbits { counts.orbits_up_to() } else { counts.up_to() };
            rows.write_all(&bfile(&self.game, args.orbits, &terms))?;
        }
        let status = self.close(summary, rows, stopped)?;
        if let (Some(checkpoint), None) = (&checkpoint, stopped) {
            checkpoint.remove();
        }
        Ok(status)
    }

    fn values(self) -> Result<Status, Failure> {
        let args = self.args;
        let beside = match args.grundy {
            true => Beside::Grundy(0),
            false => Beside::Remoteness(0),
        };
        let mut rows = Rows::open(args, self.filter.clone(), self.game.stacks(), beside)?;
        rows.begin()?;
        let (game, max, meter) = (&self.game, &self.max[..], &*self.meter);
        let table = match args.grundy {
            true => grundy::table(game, max, meter),
            false => remoteness::table(game, max, meter),
        };
        let mut stopped = None;
        let mut values = Summary::default();
        match table {
            Ok(table) => {
                for (position, value) in table.iter() {
                    values.count_one(value);
                    let beside = match args.grundy {
                        true => Beside::Grundy(value),
                        false => Beside::Remoteness(value),
                    };
                    rows.push(&position, beside)?;
                }
            }
            Err(TableError::Stopped(stop)) => stopped = Some(stop),
            Err(error) => return Err(Failure::bad("table", error.to_string())),
        }
        let mut summary = self.summary();
        let about = Some(ValueSummary {
            max: values.max(),
            mean: values.mean(),
            histogram: values.histogram().to_vec(),
        });
        match args.grundy {
            true => {
                summary.p_count = Some(values.count(0));
                summary.grundy = about;
            }
            false => summary.remoteness = about,
        }
        self.close(summary, rows, stopped)
    }

    fn summary(&self) -> TableSummary {
        let positions = self.max.iter().fold(1u128, |v, &h| v.saturating_mul(u128::from(h) + 1));
        TableSummary {
            game: self.game.to_string(),
            max: self.max.clone(),
            positions,
            p_count: None,
            p_orbits: None,
            selected: None,
            seconds: self.meter.elapsed().as_secs_f64(),
            threads: nimatron::table::Crew::size(&self.threads),
            peak_memory: peak_memory(),
            grundy: None,
            remoteness: None,
            out: None,
            limit: None,
        }
    }

    /// Ends the rows, and prints what the table amounts to.
    fn close(
        self,
        mut summary: TableSummary,
        mut rows: Rows,
        stopped: Option<Stop>,
    ) -> Result<Status, Failure> {
        let plain = self.args.sum.is_none() && self.args.zero.is_none();
        summary.selected = (!plain).then(|| rows.selected());
        summary.limit = stopped.map(|s| s.to_string());
        match stopped {
            None => summary.out = rows.finish()?,
            Some(_) => rows.abandon(self.args.checkpoint.is_some()),
        }
        let alone = self.args.format == Format::Text || self.args.out.is_some();
        let printed = rows.printed(self.output, self.args.limit)?;
        match (alone, self.output.is_json()) {
            (_, true) | (true, _) => {
                let text = |palette: &_| printed + &table_summary(&summary, palette);
                self.output.answer(|| json::to_string(&summary), text)?;
            }
            // Rows for a program: nothing else belongs on standard output.
            (false, false) => self.output.raw(printed.as_bytes())?,
        }
        Ok(match stopped {
            None => Status::Answered,
            Some(Stop::Cancelled) => Status::Interrupted,
            Some(_) => Status::Undecided,
        })
    }
}

/// Does some layers; what stopped it, if something did.
fn advance(
    run: &mut Tabulation,
    layers: u32,
    threads: &Threads,
    watch: &dyn Watch,
    rows: &mut Rows,
) -> Result<Option<Stop>, Failure> {
    let mut error = None;
    let sizes = run.sizes();
    let result = run.step(layers, threads, watch, &mut |row| {
        let beside = match rows.of_orbits() {
            true if !row.is_least => return Ok(()),
            true => Beside::Orbit(sizes.size(row.heights)),
            false => Beside::Nothing,
        };
        rows.push(row.heights, beside).map_err(|e| {
            error = Some(e);
            Stop::Cancelled
        })
    });
    match (result, error) {
        (_, Some(error)) => Err(error),
        (Ok(()), None) => Ok(None),
        (Err(TabulationError::Stopped(stop)), None) => Ok(Some(stop)),
        (Err(error), None) => Err(failure(error)),
    }
}

fn failure(error: TabulationError) -> Failure {
    let kind = match error {
        TabulationError::Stacks { .. } => "wrong-count",
        TabulationError::TooTall { .. } => "too-tall",
        _ => "table",
    };
    Failure::bad(kind, error.to_string())
}

/// One height for all stacks, or one each.
fn read_max(text: &str, game: &Game) -> Result<Vec<Height>, Failure> {
    if let Ok(height) = text.trim().parse::<Height>()
        && height <= nimatron::game::MAX_HEIGHT
    {
        return Ok(vec![height; game.stacks()]);
    }
    let max = nimatron::game::notation::parse_position(text, game);
    max.map(nimatron::Position::into_vec)
        .map_err(|error| Failure::text("--max", text.to_string(), &error))
}

/// Nine tenths of the memory that is free, where the system tells.
fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    Some(kilobytes(&text, "MemAvailable:")? / 10 * 9)
}

/// The most memory this process ever had, where the system tells.
fn peak_memory() -> Option<u64> {
    kilobytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

fn kilobytes(text: &str, label: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(label))?;
    let number = line.trim().strip_suffix("kB")?.trim();
    Some(number.parse::<u64>().ok()? * 1024)
}
