//! What a table over MPI amounts to.

use nimatron::render::Palette;
use nimatron::render::json::{self, Limit};
use nimatron::render::table::{Partial, TableSummary, table_summary};
use nimatron::tables::{Manifest, Network, PartForecast, TableEngine};
use nimatron::{Game, Height, Stop};
use nimatron_service::Failure;
use nimatron_service::asks::table::parts_failure;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Duration;

/// What a rank did.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RankReport {
    pub(crate) rank: usize,
    pub(crate) node: String,
    pub(crate) threads: usize,
    /// The most bytes that the process ever had.
    pub(crate) memory: Option<u64>,
    /// The most bytes of lists in memory.
    pub(crate) lists: u64,
    /// Bytes to and from other ranks.
    pub(crate) sent: u64,
    pub(crate) received: u64,
    /// Seconds of work and of waiting.
    pub(crate) worked: f64,
    pub(crate) waited: f64,
    /// Bytes of its part.
    pub(crate) part: u64,
}

/// How a run ended.
pub(crate) struct Ending {
    pub(crate) progress: (usize, usize),
    /// Levels that were done before.
    pub(crate) resumed: usize,
    pub(crate) stopped: Option<Stop>,
    pub(crate) seconds: f64,
    pub(crate) forecast: PartForecast,
}

/// What a table over MPI amounts to.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    #[serde(flatten)]
    table: TableSummary,
    levels: usize,
    levels_done: usize,
    levels_resumed: usize,
    ranks: Vec<RankReport>,
    /// What each rank was foreseen to need.
    forecast: PartForecast,
}

impl Summary {
    pub(crate) fn new(
        game: &Game,
        max: &[Height],
        dir: &Path,
        ending: &Ending,
        ranks: Vec<RankReport>,
    ) -> Result<Self, Failure> {
        let positions = max.iter().fold(1u128, |v, &h| v.saturating_mul(u128::from(h) + 1));
        let (done, levels) = ending.progress;
        let about = |done: usize| positions / levels.max(1) as u128 * done as u128;
        let counts = Manifest::read(dir).map_err(parts_failure)?.counts;
        let name = dir.display().to_string();
        let stopped = ending.stopped;
        let table = TableSummary {
            worked: about(done).saturating_sub(about(ending.resumed)),
            partial: stopped.map(|_| Partial { positions: about(done), ..Partial::default() }),
            checkpoint: stopped.map(|_| name.clone()),
            resumed: ending.resumed > 0,
            game: game.to_string(),
            max: max.to_vec(),
            positions,
            p_count: counts.as_ref().map(|counts| counts.p_count),
            p_orbits: counts.as_ref().map(|counts| counts.p_orbits),
            selected: None,
            seconds: ending.seconds,
            threads: ranks.iter().map(|rank| rank.threads).sum(),
            engine: Some(TableEngine::Blocks),
            rows: None,
            peak_memory: ranks.iter().filter_map(|rank| rank.memory).max(),
            grundy: None,
            remoteness: None,
            out: stopped.is_none().then_some(name),
            limit: stopped.map(Limit::from),
        };
        Ok(Summary {
            table,
            levels,
            levels_done: done,
            levels_resumed: ending.resumed,
            ranks,
            forecast: ending.forecast,
        })
    }

    /// As text, or as one line of JSON.
    pub(crate) fn told(&self, json: bool) -> String {
        if json {
            return json::to_string(self) + "\n";
        }
        let mut text = table_summary(&self.table, &Palette::PLAIN);
        text += &format!("\n{}\n", header());
        for rank in &self.ranks {
            let memory = rank.memory.map_or("?".to_string(), |bytes| megabytes(bytes as f64));
            let numbers = [
                memory,
                megabytes(rank.lists as f64),
                megabytes(rank.sent as f64),
                megabytes(rank.received as f64),
                format!("{:.2}", rank.worked),
                format!("{:.2}", rank.waited),
            ];
            text += &format!("{}  {}\n", row(&rank.rank.to_string(), &numbers), rank.node);
        }
        let f = &self.forecast;
        let foreseen = [
            megabytes(f.memory()),
            megabytes(f.lists),
            megabytes(f.received),
            megabytes(f.received),
            format!("{:.2}", f.work),
            format!("{:.2}", f.seconds(Network::SHARED_MEMORY) - f.work),
        ];
        text + &row("foreseen", &foreseen) + "\n"
    }
}

/// The line above what ranks did.
fn header() -> String {
    row("rank", &["MB", "lists", "sent", "received", "worked s", "waited s"].map(str::to_string))
}

fn row(name: &str, numbers: &[String]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|number| format!("{number:>9}")).collect();
    format!("  {name:<9}{}", numbers.concat())
}

pub(crate) fn megabytes(bytes: f64) -> String {
    format!("{:.1}", bytes / 1e6)
}

/// A rank on which the table does not fit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Refusal {
    pub(crate) rank: usize,
    pub(crate) node: String,
    /// Bytes needed.
    pub(crate) memory: f64,
    /// Bytes needed besides lists, which may be spilled.
    pub(crate) least: f64,
    /// Bytes allowed.
    pub(crate) limit: u64,
}

/// A table that was not begun.
#[derive(Debug, Serialize)]
pub(crate) struct Refused<'a> {
    game: String,
    max: &'a [Height],
    positions: f64,
    refused: &'a [Refusal],
    limit: Limit,
    #[serde(skip)]
    spills: bool,
}

/// Why a table was not begun.
pub(crate) fn refused<'a>(
    game: &Game,
    max: &'a [Height],
    positions: f64,
    refused: &'a [Refusal],
    spills: bool,
) -> Refused<'a> {
    Refused { game: game.to_string(), max, positions, refused, limit: Stop::Memory.into(), spills }
}

/// Ranks that are listed.
const MOST: usize = 8;

impl Refused<'_> {
    /// As text, or as one line of JSON.
    pub(crate) fn told(&self, json: bool) -> String {
        if json {
            return json::to_string(self) + "\n";
        }
        let mut text = "Not begun: this table is too large.\n".to_string();
        text += &format!("  positions       {:.1e}\n", self.positions);
        for refusal in self.refused.iter().take(MOST) {
            let Refusal { rank, node, memory, least, limit } = refusal;
            text += &format!(
                "  rank {rank:<11}{} MB needed, {} MB besides lists, {} MB allowed ({node})\n",
                megabytes(*memory),
                megabytes(*least),
                megabytes(*limit as f64),
            );
        }
        if self.refused.len() > MOST {
            text += &format!("  ... and {} more ranks\n", self.refused.len() - MOST);
        }
        let spilling = self.refused.iter().all(|refusal| refusal.least < refusal.limit as f64);
        if spilling && !self.spills {
            text += "  would fit       with --spill DIR, on a local disk\n";
        }
        text
    }
}

/// How far a run is.
pub(crate) fn progress(done: usize, levels: usize, resumed: usize, time: Duration) -> String {
    // Levels in the middle are the largest: what is done of the work is not what is done of the levels.
    let work = |level: usize| {
        let part = level as f64 / levels.max(1) as f64;
        part * part * (3.0 - 2.0 * part)
    };
    let part = (work(done) - work(resumed)) / (1.0 - work(resumed)).max(1e-9);
    let seconds = time.as_secs_f64();
    match part > 0.01 {
        true => {
            let left = seconds * (1.0 - part) / part;
            format!("{done} of {levels} levels, {seconds:.0} s, about {left:.0} s left")
        }
        false => format!("{done} of {levels} levels, {seconds:.0} s"),
    }
}
