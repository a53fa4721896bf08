//! The P-positions of a whole box, or all its Grundy values or remotenesses.

mod filter;
mod refusal;

pub use filter::Filter;
pub use refusal::{Plan, failure, parts_failure};

use super::{Found, request};
use crate::failure::Failure;
use crate::heights::Heights;
use crate::host::{Host, Metered};
use crate::read;
use crate::status::Status;
use crate::units::{Size, Time};
use crate::word::word;
use nimatron::crates::game::{Stop, Watch};
use nimatron::crates::table::{Summary, TableError, grundy, remoteness};
use nimatron::render::json::{self, Limit};
use nimatron::render::table::{
    Beside, Partial, RowFormat, TableRefusal, TableSummary, ValueSummary, row,
};
use nimatron::tables::{TableEngine, Tabulation, TabulationError, Values, Wanted};
use nimatron::{Game, Height, Limits, Play};
use serde::Deserialize;
use std::num::NonZeroU32;

request! {
    /// The P-positions of a whole box, or all its Grundy values or remotenesses.
    pub struct Table {
        /// The game.
        pub game: String,
        /// The greatest height, for all stacks or one per stack.
        pub max: Heights,
        /// Tabulate Grundy values.
        #[serde(default)]
        pub grundy: bool,
        /// Tabulate the remoteness: how many moves best play lasts.
        #[serde(default)]
        pub remoteness: bool,
        /// One P-position per orbit, with the size of the orbit.
        #[serde(default)]
        pub orbits: bool,
        /// Only positions with so many tokens in total.
        pub sum: Option<u64>,
        /// Only positions with this pattern of empty stacks: one sign per stack, 0, + or `.`.
        pub zero: Option<String>,
        /// List at most so many rows, or `"all"`; none if not given.
        pub limit: Option<Most>,
        /// Compute P-positions by this engine instead of the one that promises to be faster.
        pub engine: Option<Engine>,
        /// Stop after this time.
        pub time: Option<Time>,
        /// Use at most this much memory.
        pub memory: Option<Size>,
    }
}

/// How many rows are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Most {
    /// At most so many.
    UpTo(u64),
    /// All.
    All(All),
}

/// The word for all rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum All {
    /// All rows.
    All,
}

word! {
    /// Who computes a table.
    pub enum Engine {
        /// All positions of the box, line by line.
        Line = "line",
        /// One block of positions per orbit under the symmetries of the game.
        Blocks = "blocks",
    }
}

impl From<Engine> for TableEngine {
    fn from(engine: Engine) -> Self {
        match engine {
            Engine::Line => TableEngine::Line,
            Engine::Blocks => TableEngine::Blocks,
        }
    }
}

/// A table, or why it would not fit.
#[derive(Debug)]
pub enum Tabulated {
    /// What the table amounts to.
    Table(Box<TableSummary>, Option<Stop>),
    /// It would not fit.
    Refused(Box<TableRefusal>),
}

impl Table {
    /// The table.
    pub fn find(&self, host: &Host) -> Result<Tabulated, Failure> {
        let game = read::game(&self.game)?;
        let max = read::max(&self.max, &game)?;
        let filter = Filter::new(&game, self.sum, self.zero.as_deref())?;
        self.check(&game)?;
        let limits = host.limits((self.time, self.memory), (None, host.free_memory()));
        let crew = host.crew();
        let plan = Plan {
            values: self.values(),
            wanted: self.wanted(),
            engine: self.engine.map(Into::into),
            workers: crew.size(),
            time: limits.time,
            memory: limits.memory,
        };
        if let Some(refusal) = plan.refusal(&game, &max)? {
            return Ok(Tabulated::Refused(Box::new(refusal)));
        }
        let rows = Rows { filter, most: self.most(), selected: 0, shown: String::new() };
        let job = Job { table: self, game, max, rows, watch: host.metered(&limits), host };
        let (summary, stop) = match self.values() {
            Some(values) => job.values(values)?,
            None => job.p_positions(&plan)?,
        };
        Ok(Tabulated::Table(Box::new(summary), stop))
    }

    /// Complains about what makes no sense together.
    fn check(&self, game: &Game) -> Result<(), Failure> {
        let values = self.values().is_some();
        let by_values = "values are told of all positions, by one engine";
        for (is_useless, option, why) in [
            (self.grundy && self.remoteness, "remoteness", "grundy is asked for"),
            (values && self.orbits, "orbits", by_values),
            (values && self.engine.is_some(), "engine", by_values),
            (
                self.orbits && !Tabulation::knows_orbits(game),
                "orbits",
                "symmetries of sums are known only if all summands are SetNim",
            ),
        ] {
            if is_useless {
                return Err(Failure::useless(option, why));
            }
        }
        if self.grundy && game.convention() == Play::Misere {
            let message = "Grundy values are defined for normal play only".to_string();
            return Err(Failure::bad("misere", message));
        }
        Ok(())
    }

    /// The values asked for, if any.
    fn values(&self) -> Option<Values> {
        match (self.grundy, self.remoteness) {
            (true, _) => Some(Values::Grundy),
            (_, true) => Some(Values::Remoteness),
            _ => None,
        }
    }

    fn most(&self) -> u64 {
        match self.limit {
            None => 0,
            Some(Most::UpTo(n)) => n,
            Some(Most::All(_)) => u64::MAX,
        }
    }

    fn selects(&self) -> bool {
        self.sum.is_some() || self.zero.is_some()
    }

    /// What the table is computed for.
    fn wanted(&self) -> Wanted {
        match self.most() > 0 || self.selects() {
            false => Wanted::Counts,
            true if self.orbits => Wanted::Representatives,
            true => Wanted::All,
        }
    }
}

/// Rows on their way into an answer.
struct Rows {
    filter: Filter,
    most: u64,
    selected: u64,
    shown: String,
}

impl Rows {
    fn push(&mut self, heights: &[Height], beside: Beside) {
        if self.filter.selects(heights) {
            self.selected += 1;
            if self.selected <= self.most {
                row(RowFormat::JsonLines, heights, beside, &mut self.shown);
            }
        }
    }

    /// Bytes that the rows will need, about: they are text now and objects then.
    fn bytes(&self) -> u64 {
        self.shown.len() as u64 * 8
    }

    fn objects(&self) -> Vec<serde_json::Value> {
        self.shown.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }
}

/// A table at work.
struct Job<'a> {
    table: &'a Table,
    game: Game,
    max: Vec<Height>,
    rows: Rows,
    watch: Metered<'a>,
    host: &'a Host<'a>,
}

/// Rows between two looks at the limits.
const ROWS_BETWEEN_CHECKS: usize = 1 << 12;

impl Job<'_> {
    fn p_positions(mut self, plan: &Plan) -> Result<(TableSummary, Option<Stop>), Failure> {
        let new = Tabulation::new(&self.game, &self.max, plan.wanted, plan.engine);
        let mut run = new.map_err(failure)?;
        // Rows that are neither shown nor looked at need not be made.
        if !self.table.selects() && self.rows.most < u64::MAX {
            run = run.at_most(self.rows.most);
        }
        let (orbits, sizes) = (self.table.orbits, run.sizes());
        let (rows, watch) = (&mut self.rows, &self.watch);
        let mut taken = 0usize;
        let result = run.finish(&*self.host.crew(), watch, &mut |found| {
            taken += 1;
            if taken.is_multiple_of(ROWS_BETWEEN_CHECKS) {
                watch.check(rows.bytes())?;
            }
            match orbits {
                true if !found.is_least => {}
                true => rows.push(found.heights, Beside::Orbit(sizes.size(found.heights))),
                false => rows.push(found.heights, Beside::Nothing),
            }
            Ok(())
        });
        let stop = match result {
            Ok(()) => None,
            Err(TabulationError::Stopped(stop)) => Some(stop),
            Err(error) => return Err(failure(error)),
        };
        let counts = run.counts();
        let mut summary = self.summary(stop);
        summary.threads = run.threads(plan.workers);
        summary.engine = run.engine();
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
        Ok((summary, stop))
    }

    fn values(mut self, kind: Values) -> Result<(TableSummary, Option<Stop>), Failure> {
        let (game, max) = (&self.game, &self.max[..]);
        let table = match kind {
            Values::Grundy => grundy::table(game, max, &self.watch),
            Values::Remoteness => remoteness::table(game, max, &self.watch),
        };
        let mut stop = None;
        let mut values = Summary::default();
        match table {
            Ok(table) => {
                let held = 4 * table.entries().len() as u64;
                for (i, (position, value)) in table.iter().enumerate() {
                    if i % ROWS_BETWEEN_CHECKS == 0
                        && let Err(reached) = self.watch.check(held + self.rows.bytes())
                    {
                        stop = Some(reached);
                        break;
                    }
                    values.count_one(value);
                    let beside = match kind {
                        Values::Grundy => Beside::Grundy(value),
                        Values::Remoteness => Beside::Remoteness(value),
                    };
                    self.rows.push(&position, beside);
                }
            }
            Err(TableError::Stopped(reached)) => stop = Some(reached),
            Err(error) => return Err(Failure::table(&error)),
        }
        let mut summary = self.summary(stop);
        // Of a table that was stopped no value has been looked at, or not all: nothing is told.
        let about = stop.is_none().then(|| ValueSummary {
            max: values.max(),
            mean: values.mean(),
            histogram: values.histogram().to_vec(),
        });
        match kind {
            Values::Grundy => {
                summary.p_count = about.as_ref().map(|_| values.count(0));
                summary.grundy = about;
            }
            Values::Remoteness => summary.remoteness = about,
        }
        Ok((summary, stop))
    }

    fn summary(&self, stop: Option<Stop>) -> TableSummary {
        let positions = self.max.iter().fold(1u128, |v, &h| v.saturating_mul(u128::from(h) + 1));
        let done = match stop {
            None => positions,
            Some(_) => self.watch.done().min(positions),
        };
        let selected = self.table.selects().then_some(self.rows.selected);
        let partial = stop.map(|_| Partial { positions: done, selected, ..Partial::default() });
        TableSummary {
            worked: done,
            selected: selected.filter(|_| partial.is_none()),
            partial,
            checkpoint: None,
            resumed: false,
            game: self.game.to_string(),
            max: self.max.clone(),
            positions,
            p_count: None,
            p_orbits: None,
            seconds: self.watch.elapsed().as_secs_f64(),
            threads: 1,
            engine: None,
            rows: self.table.limit.map(|_| self.rows.objects()),
            peak_memory: self.host.peak_memory(),
            grundy: None,
            remoteness: None,
            out: None,
            limit: stop.map(Limit::from),
        }
    }
}

impl Found for Tabulated {
    fn status(&self) -> Status {
        match self {
            Tabulated::Table(_, stop) => Status::of(*stop),
            Tabulated::Refused(_) => Status::Undecided,
        }
    }

    fn json(&self) -> String {
        match self {
            Tabulated::Table(summary, _) => json::to_string(summary),
            Tabulated::Refused(refusal) => json::to_string(refusal),
        }
    }
}

request! {
    /// How many P-positions there are up to each height.
    pub struct Growth {
        /// The game.
        pub game: String,
        /// The greatest height.
        pub max: NonZeroU32,
        /// Stop after this time; 10 seconds if not given.
        pub time: Option<Time>,
        /// Use at most this much memory; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

/// How many P-positions there are up to each height.
#[derive(Debug, serde::Serialize)]
pub struct Grown {
    game: String,
    max: u32,
    /// Entry `h`: those with all heights up to `h`; empty if the work was stopped.
    p_counts: Vec<u64>,
    /// The same up to symmetry; `null` where symmetries are not known.
    p_orbits: Option<Vec<u64>>,
    limit: Option<Limit>,
    #[serde(skip)]
    stop: Option<Stop>,
}

impl Growth {
    /// The counts.
    pub fn find(&self, host: &Host) -> Result<Grown, Failure> {
        let game = read::game(&self.game)?;
        let max = vec![Height::from(self.max.get()); game.stacks()];
        let limits: Limits = host.usual(self.time, self.memory);
        let crew = host.crew();
        let plan = Plan {
            values: None,
            wanted: Wanted::Counts,
            engine: None,
            workers: crew.size(),
            time: limits.time,
            memory: limits.memory,
        };
        let (mut p_counts, mut p_orbits, mut stop) = (Vec::new(), None, None);
        if let Some(refusal) = plan.refusal(&game, &max)? {
            let (game, max, limit) = (refusal.game, self.max.get(), Some(refusal.limit));
            return Ok(Grown { game, max, p_counts, p_orbits, limit, stop: Some(Stop::Work) });
        }
        let mut run = Tabulation::new(&game, &max, Wanted::Counts, None).map_err(failure)?;
        match run.finish(&*crew, &host.metered(&limits), &mut |_| Ok(())) {
            Ok(()) => {
                let heights = usize::try_from(self.max.get()).unwrap_or(usize::MAX);
                let counts = run.counts();
                p_counts = counts.up_to().take(heights + 1).collect();
                let orbits = || counts.orbits_up_to().take(heights + 1).collect();
                p_orbits = counts.p_orbits.map(|_| orbits());
            }
            Err(TabulationError::Stopped(reached)) => stop = Some(reached),
            Err(error) => return Err(failure(error)),
        }
        let (limit, max) = (stop.map(Limit::from), self.max.get());
        Ok(Grown { game: game.to_string(), max, p_counts, p_orbits, limit, stop })
    }
}

impl Found for Grown {
    fn status(&self) -> Status {
        Status::of(self.stop)
    }

    fn json(&self) -> String {
        json::to_string(self)
    }
}
