//! `nimatron table`

mod checkpoint;
mod parts;
mod rows;

use crate::host::{free_memory, interruptible, peak_memory};
use crate::input::{fetch, word};
use crate::limits::cancellation;
use crate::meter::Meter;
use crate::output::Output;
use crate::progress::Progress;
use checkpoint::Checkpoint;
use nimatron::crates::game::{Stop, Watch};
use nimatron::crates::table::{Summary, TableError, grundy, remoteness};
use nimatron::render::json::{self, Limit as LimitAnswer};
use nimatron::render::table::{
    Beside, Partial, RowFormat, TableSummary, ValueSummary, bfile_header, latex_frame,
    latex_total, table_refusal, table_summary,
};
use nimatron::tables::{TableEngine, Tabulation, TabulationError, Threads, Values, Wanted};
use nimatron::{Game, Height, Limits};
use nimatron_service::asks::table::{
    All, Engine, Filter, Most, Plan, Table, failure, parts_failure,
};
use nimatron_service::units::{Size, Time, memory, time};
use nimatron_service::{Failure, Heights, Status, read};
use rows::Rows;
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
  nimatron table \"CN(5,2)\" --max 4 --orbits --latex
  nimatron table \"CN(7,3)\" --max 15 --shard 1/4 --out parts
  nimatron table --join parts --orbits --limit 5

A pattern for --zero has one sign per stack: 0 for an empty stack, + for one
with tokens, . for any: --zero 0..+ selects a = 0 and d > 0.")]
pub(crate) struct Args {
    /// The game, such as "CN(7,3)"; @FILE or - reads it from there
    #[arg(value_name = "GAME", required_unless_present = "join", conflicts_with = "join")]
    game: Option<String>,
    /// The greatest height, for all stacks or one per stack: 9, or 3,4,5
    #[arg(long, value_name = "H", required_unless_present = "join", conflicts_with = "join")]
    max: Option<String>,
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
    /// The same as --format latex
    #[arg(long, conflicts_with_all = ["json", "format"])]
    latex: bool,
    /// Print at most so many rows, or `all`; 20 if not given, with --json none
    #[arg(long, value_name = "N", value_parser = limit)]
    limit: Option<Limit>,
    /// Write all rows to this file instead
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
    /// Threads to work with; all of the machine's if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Compute P-positions by this engine instead of the one that promises to be
    /// faster
    #[arg(long, value_parser = word::<Engine>(), conflicts_with_all = ["grundy", "remoteness"])]
    engine: Option<Engine>,
    /// The table whose parts are in this directory, instead of computing one
    #[arg(long, value_name = "DIR", conflicts_with_all = ["grundy", "remoteness", "engine", "checkpoint", "shard"])]
    join: Option<PathBuf>,
    /// Compute part I of N into the directory of --out, with others that do the other
    /// parts at the same time: 1/4
    #[arg(long, value_name = "I/N", value_parser = parts::shard, requires = "out",
          conflicts_with_all = ["grundy", "remoteness", "engine", "checkpoint", "orbits", "sum",
                                "zero", "limit", "force"])]
    shard: Option<(usize, usize)>,
    /// Save the state here every so often and on Ctrl-C; the same command goes on from it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["grundy", "remoteness"])]
    checkpoint: Option<PathBuf>,
    /// How often the state is saved; every 10m if not given
    #[arg(long, value_name = "TIME", value_parser = time)]
    every: Option<Duration>,
    /// Stop after this time
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
    /// Use at most this much memory; most of what is free if not given
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<u64>,
    /// Whether the answer is one JSON object.
    #[arg(skip)]
    json: bool,
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
    /// A table for a document with nimatron.sty (`nimatron paper --style`)
    Latex,
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
    /// The options that shape the rows, in words that stay the same from version to version.
    fn request(&self, listed: bool) -> String {
        let format = match self.format {
            Format::Text => "text",
            Format::Csv => "csv",
            Format::Jsonl => "jsonl",
            Format::Bfile => "bfile",
            Format::Latex => "latex",
        };
        let sum = self.sum.map_or("any".to_string(), |sum| sum.to_string());
        let zero = self.zero.as_deref().unwrap_or("any");
        format!("format={format} orbits={} sum={sum} zero={zero} listed={listed}", self.orbits)
    }

    pub(crate) fn run(mut self, output: &Output) -> Result<Status, Failure> {
        self.json = output.is_json();
        if self.latex {
            self.format = Format::Latex;
        }
        self.check_options(output)?;
        let threads = self.threads.map_or_else(Threads::all, |n| Threads::new(n.into()));
        let in_parts = self.join.is_some() || self.shard.is_some();
        let (game, max) = match &self.join {
            Some(dir) => parts::request(dir)?,
            None => {
                let text = fetch(self.game.as_deref().unwrap_or_default())?;
                let no_files = self.out.is_none() && self.checkpoint.is_none();
                if self.json && no_files && self.format == Format::Text {
                    return self.ask(text, threads, output);
                }
                let game = read::game(&text)?;
                let max = read::max(&Heights(self.max.clone().unwrap_or_default()), &game)?;
                (game, max)
            }
        };
        let filter = Filter::new(&game, self.sum, self.zero.as_deref())?;
        if self.grundy && game.convention() == nimatron::Play::Misere {
            let message = "Grundy values are defined for normal play only".to_string();
            return Err(Failure::bad("misere", message));
        }
        let memory = self.memory.or_else(free_memory);
        let plan = Plan {
            values: match (self.grundy, self.remoteness) {
                (true, _) => Some(Values::Grundy),
                (_, true) => Some(Values::Remoteness),
                _ => None,
            },
            wanted: self.wanted(),
            // Parts are those of blocks; how long others will take is not known.
            engine: in_parts.then_some(TableEngine::Blocks).or(self.engine.map(Into::into)),
            workers: nimatron::crates::table::Crew::size(&threads),
            time: self.time.filter(|_| !in_parts),
            memory,
        };
        if let Some(refusal) = plan.refusal(&game, &max)? {
            let text = |palette: &_| table_refusal(&refusal, palette);
            output.answer(|| json::to_string(&refusal), text)?;
            return Ok(Status::Undecided);
        }
        let limits = Limits::unlimited().time(self.time).memory(memory).cancel(cancellation());
        let meter = Arc::new(Meter::new(&limits));
        let progress = Progress::metered(Arc::clone(&meter), output);
        let job = Job { args: &self, game, max, filter, threads, limits, meter, output, progress };
        match (self.grundy || self.remoteness, self.shard) {
            (_, Some(which)) => job.shard(which),
            (true, None) => job.values(),
            (false, None) => job.p_positions(),
        }
    }

    /// An answer in one JSON object, without files: as everybody gets it who asks.
    fn ask(self, game: String, threads: Threads, output: &Output) -> Result<Status, Failure> {
        let asked = Table {
            game,
            max: Heights(self.max.unwrap_or_default()),
            grundy: self.grundy,
            remoteness: self.remoteness,
            orbits: self.orbits,
            sum: self.sum,
            zero: self.zero,
            limit: self.limit.map(|limit| match limit {
                Limit::UpTo(n) => Most::UpTo(n),
                Limit::All => Most::All(All::All),
            }),
            engine: self.engine,
            time: self.time.map(Time),
            memory: self.memory.map(Size),
        };
        let limits = Limits::unlimited().time(self.time);
        let meter = Arc::new(Meter::new(&limits));
        let host = interruptible(output).threads(nimatron::crates::table::Crew::size(&threads));
        let host = host.listener(&*meter);
        let progress = Progress::metered(Arc::clone(&meter), output);
        let found = progress.during(|| asked.find(&host))?;
        output.found(&found, |_| String::new())
    }

    /// Complains about options that would do nothing.
    fn check_options(&self, output: &Output) -> Result<(), Failure> {
        let values = self.grundy || self.remoteness;
        let is_bfile = self.format == Format::Bfile;
        let prints_rows = self.out.is_none();
        let cuts = matches!(self.limit, Some(Limit::UpTo(_)));
        let bfile = "a b-file counts all P-positions of each box";
        for (is_useless, option, why) in [
            (is_bfile && values, "--format bfile", "it counts P-positions, it has no values"),
            (is_bfile && self.sum.is_some(), "--sum", bfile),
            (is_bfile && self.zero.is_some(), "--zero", bfile),
            (is_bfile && cuts, "--limit", bfile),
            (!prints_rows && cuts, "--limit", "all rows go to the file of --out"),
            (
                prints_rows && output.is_json() && self.format != Format::Text,
                "--format",
                "with --json rows are printed as JSON, if --limit asks for some; \
                 --out FILE writes them in this format",
            ),
            (
                self.force && self.out.is_none() && self.checkpoint.is_none(),
                "--force",
                "no file is written without --out or --checkpoint",
            ),
            (values && self.threads.is_some(), "--threads", "values are computed by one thread"),
            (self.every.is_some() && self.checkpoint.is_none(), "--every", "it needs --checkpoint"),
            (self.shard.is_some() && self.format != Format::Text, "--format", "parts have one of their own"),
        ] {
            if is_useless {
                return Err(Failure::useless(option, why));
            }
        }
        Ok(())
    }

    /// How many rows are printed.
    fn most(&self) -> u64 {
        match (self.limit, self.json) {
            (Some(Limit::UpTo(n)), _) => n,
            (Some(Limit::All), _) => u64::MAX,
            (None, true) => 0,
            (None, false) => 20,
        }
    }

    /// Whether rows are written at all, and so have an order.
    fn lists_rows(&self) -> bool {
        self.row_format().is_some() && (self.out.is_some() || self.most() > 0)
    }

    /// What the table is computed for.
    pub(super) fn wanted(&self) -> Wanted {
        match self.lists_rows() || self.sum.is_some() || self.zero.is_some() {
            false => Wanted::Counts,
            true if self.orbits => Wanted::Representatives,
            true => Wanted::All,
        }
    }

    fn row_format(&self) -> Option<RowFormat> {
        match self.format {
            Format::Text if self.json && self.out.is_none() => Some(RowFormat::JsonLines),
            Format::Text => Some(RowFormat::Text),
            Format::Csv => Some(RowFormat::Csv),
            Format::Jsonl => Some(RowFormat::JsonLines),
            Format::Bfile => None,
            Format::Latex => Some(RowFormat::Latex),
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
    progress: Progress,
}

/// How a run ended, and what that says about the state of its work.
#[derive(Default)]
struct Ending {
    stopped: Option<Stop>,
    /// Positions done before this run.
    resumed: Option<u128>,
    /// Where the state is kept.
    checkpoint: Option<String>,
    /// Threads that worked on it.
    threads: usize,
    /// The engine, if there is a choice.
    engine: Option<TableEngine>,
}

impl Job<'_> {
    fn p_positions(self) -> Result<Status, Failure> {
        let args = self.args;
        let beside = if args.orbits { Beside::Orbit(0) } else { Beside::Nothing };
        if args.orbits && !Tabulation::knows_orbits(&self.game) {
            let why = "symmetries of sums are known only if all summands are SetNim";
            return Err(Failure::useless("--orbits", why));
        }
        let mut rows = self.rows(beside)?;
        let wanted = args.wanted();
        let request = args.request(wanted != Wanted::Counts);
        let checkpoint = args.checkpoint.as_ref().map(|path| {
            let every = args.every.unwrap_or(TEN_MINUTES);
            Checkpoint { path: path.clone(), request, every, force: args.force }
        });
        let resumed = match &checkpoint {
            Some(c) => c.load(&self.game, &self.max, &mut rows)?,
            None => None,
        };
        let mut ending = Ending::default();
        let mut run = match resumed {
            Some(run) => {
                ending.resumed = Some(self.done(&run));
                run
            }
            None => match &args.join {
                Some(dir) => Tabulation::join(dir, wanted).map_err(parts_failure)?,
                None => {
                    let engine = args.engine.map(Into::into);
                    Tabulation::new(&self.game, &self.max, wanted, engine).map_err(failure)?
                }
            },
        };
        // Rows that are neither shown nor looked at need not be made.
        let looked_at = args.out.is_some() || args.sum.is_some() || args.zero.is_some();
        if !looked_at && args.most() < u64::MAX {
            run = run.at_most(args.most());
        }
        if let (Some(done), Some(c)) = (ending.resumed, &checkpoint) {
            let share = 100.0 * done as f64 / self.positions() as f64;
            let name = c.path.display();
            self.output.announce(&format!("resuming from {name}, {share:.1} % done"));
        }
        rows.begin()?;
        ending.stopped = match &checkpoint {
            Some(c) => c.finish(&mut run, &self, &mut rows)?,
            None => advance(&mut run, u32::MAX, &self.threads, &*self.meter, &mut rows)?,
        };
        ending.threads = run.threads(nimatron::crates::table::Crew::size(&self.threads));
        ending.engine = run.engine();
        let counts = run.counts();
        if ending.stopped.is_none() && !looked_at {
            let all = if args.orbits { counts.p_orbits } else { Some(counts.p_count) };
            rows.all_selected(all.unwrap_or(counts.p_count));
        }
        let mut summary = self.summary(&ending);
        if ending.stopped.is_some() {
            let kept = checkpoint.as_ref().map(|c| c.path.display().to_string());
            ending.checkpoint = kept;
            if args.checkpoint.is_some() {
                // What is kept is the state at the end of a step.
                summary.partial.iter_mut().for_each(|p| p.positions = self.done(&run));
            }
        }
        match &mut summary.partial {
            Some(partial) => {
                // Before the first is met nothing can be said: some engines tell them at the end.
                partial.p_count = Some(counts.p_count).filter(|&n| n > 0);
                partial.p_orbits = counts.p_orbits.filter(|&n| n > 0);
            }
            None => {
                summary.p_count = Some(counts.p_count);
                summary.p_orbits = counts.p_orbits;
            }
        }
        if ending.stopped.is_none() && args.format == Format::Bfile {
            let tallest = self.max.iter().copied().max().unwrap_or(0);
            let terms: &mut dyn Iterator<Item = u64> = match args.orbits {
                true => &mut counts.orbits_up_to(),
                false => &mut counts.up_to(),
            };
            rows.write_all(&bfile_header(&self.game, args.orbits))?;
            for (n, term) in (0..=tallest).zip(terms) {
                rows.write_all(&format!("{n} {term}\n"))?;
            }
        }
        let done = ending.stopped.is_none();
        let status = self.close(summary, rows, ending)?;
        if let (Some(checkpoint), true) = (&checkpoint, done) {
            checkpoint.remove();
        }
        Ok(status)
    }

    /// Where rows go, with what stands around them.
    fn rows(&self, beside: Beside) -> Result<Rows, Failure> {
        let (args, stacks) = (self.args, self.game.stacks());
        let rows = Rows::open(args, self.filter.clone(), stacks, beside, self.output)?;
        Ok(match args.format {
            Format::Latex => rows.framed(latex_frame(&self.game, &self.max, beside)),
            _ => rows,
        })
    }

    /// Positions of the box that a run has decided, about.
    fn done(&self, run: &Tabulation) -> u128 {
        let (done, of) = run.progress();
        self.positions() / u128::from(of.max(1)) * u128::from(done)
    }

    fn positions(&self) -> u128 {
        self.max.iter().fold(1u128, |v, &h| v.saturating_mul(u128::from(h) + 1))
    }

    fn values(self) -> Result<Status, Failure> {
        let args = self.args;
        let beside = match args.grundy {
            true => Beside::Grundy(0),
            false => Beside::Remoteness(0),
        };
        let mut rows = self.rows(beside)?;
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
                let held = 4 * table.entries().len() as u64;
                for (i, (position, value)) in table.iter().enumerate() {
                    if i % ROWS_BETWEEN_CHECKS == 0
                        && let Err(stop) = meter.check(held)
                    {
                        stopped = Some(stop);
                        break;
                    }
                    values.count_one(value);
                    let beside = match args.grundy {
                        true => Beside::Grundy(value),
                        false => Beside::Remoteness(value),
                    };
                    rows.push(&position, beside)?;
                }
            }
            Err(TableError::Stopped(stop)) => stopped = Some(stop),
            Err(error) => return Err(Failure::table(&error)),
        }
        let ending = Ending { stopped, threads: 1, ..Ending::default() };
        let mut summary = self.summary(&ending);
        // Of a table that was stopped no value has been looked at, or not all: nothing is told.
        let about = stopped.is_none().then(|| ValueSummary {
            max: values.max(),
            mean: values.mean(),
            histogram: values.histogram().to_vec(),
        });
        match args.grundy {
            true => {
                summary.p_count = about.as_ref().map(|_| values.count(0));
                summary.grundy = about;
            }
            false => summary.remoteness = about,
        }
        self.close(summary, rows, ending)
    }

    fn summary(&self, ending: &Ending) -> TableSummary {
        let positions = self.positions();
        let done = match ending.stopped {
            None => positions,
            Some(_) => self.meter.done().min(positions),
        };
        TableSummary {
            worked: done.saturating_sub(ending.resumed.unwrap_or(0)),
            partial: ending.stopped.map(|_| Partial { positions: done, ..Partial::default() }),
            checkpoint: None,
            resumed: ending.resumed.is_some(),
            game: self.game.to_string(),
            max: self.max.clone(),
            positions,
            p_count: None,
            p_orbits: None,
            selected: None,
            seconds: self.meter.elapsed().as_secs_f64(),
            threads: ending.threads,
            engine: ending.engine,
            rows: None,
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
        ending: Ending,
    ) -> Result<Status, Failure> {
        let selects = self.args.sum.is_some() || self.args.zero.is_some();
        let selected = selects.then(|| rows.selected());
        match &mut summary.partial {
            Some(partial) => partial.selected = selected,
            None => summary.selected = selected,
        }
        summary.limit = ending.stopped.map(LimitAnswer::from);
        if self.args.format == Format::Latex {
            let shown = rows.selected().min(self.args.most());
            let shown = if self.args.out.is_some() { rows.selected() } else { shown };
            rows.end(&latex_total(&summary, shown))?;
        }
        summary.checkpoint = ending.checkpoint;
        match ending.stopped {
            None => summary.out = rows.finish()?,
            Some(_) => rows.flush()?,
        }
        drop(self.progress);
        let alone = self.args.format == Format::Text || self.args.out.is_some();
        let printed = rows.printed(self.output, ending.stopped.is_some());
        if self.args.limit.is_some() && self.args.out.is_none() {
            summary.rows = Some(rows.objects());
        }
        match (alone, self.output.is_json()) {
            (_, true) | (true, _) => {
                let text = |palette: &_| printed + &table_summary(&summary, palette);
                self.output.answer(|| json::to_string(&summary), text)?;
            }
            // Rows for a program: nothing else belongs on standard output.
            (false, false) => {
                self.output.raw(printed.as_bytes())?;
                if let Some(stop) = ending.stopped {
                    self.output.warning(&format!("these are not all rows: {stop}"));
                }
            }
        }
        Ok(Status::of(ending.stopped))
    }
}

/// How often a state is saved.
const TEN_MINUTES: Duration = Duration::from_secs(600);

/// Rows between two looks at the limits.
const ROWS_BETWEEN_CHECKS: usize = 1 << 12;

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
