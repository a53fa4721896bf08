//! Tables in parts: doing one of them, and reading them all.

use super::{Ending, Job};
use nimatron::crates::game::Stop;
use nimatron::render::json::{self, Limit as LimitAnswer};
use nimatron::render::table::table_summary;
use nimatron::tables::{Manifest, PartsError, Shards, TableEngine, TabulationError};
use nimatron::{Game, Height};
use nimatron_service::asks::table::parts_failure;
use nimatron_service::{Failure, Status};
use std::path::Path;

/// Reads `2/8`.
pub(super) fn shard(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once('/').and_then(|(part, parts)| {
        Some((part.parse::<usize>().ok()?, parts.parse::<usize>().ok()?))
    });
    match numbers {
        Some((part, parts)) if (1..=parts).contains(&part) && parts <= 65_536 => {
            Ok((part - 1, parts))
        }
        _ => Err("expected a part and the number of parts, such as 1/4".to_string()),
    }
}

/// The table that a directory holds.
pub(super) fn request(dir: &Path) -> Result<(Game, Vec<Height>), Failure> {
    Manifest::read(dir).and_then(|manifest| manifest.request(dir)).map_err(parts_failure)
}

impl Job<'_> {
    /// Does one part, together with those who do the others.
    pub(super) fn shard(self, which: (usize, usize)) -> Result<Status, Failure> {
        let dir = self.args.out.clone().unwrap_or_default();
        let mut shards = Shards::open(&self.game, &self.max, &dir, which).map_err(parts_failure)?;
        let threads = nimatron::crates::table::Crew::size(&self.threads);
        let engine = Some(TableEngine::Blocks);
        let mut ending = Ending { threads, engine, ..Ending::default() };
        let counts = match shards.finish(&self.threads, &*self.meter) {
            Ok(counts) => Some(counts),
            Err(PartsError::Run(TabulationError::Stopped(stop))) => {
                ending.stopped = Some(stop);
                None
            }
            Err(error) => return Err(parts_failure(error)),
        };
        let mut summary = self.summary(&ending);
        if let Some(counts) = counts {
            summary.p_count = Some(counts.p_count);
            summary.p_orbits = counts.p_orbits;
            summary.out = Some(dir.display().to_string());
        }
        summary.limit = ending.stopped.map(LimitAnswer::from);
        drop(self.progress);
        let text = |palette: &_| table_summary(&summary, palette);
        self.output.answer(|| json::to_string(&summary), text)?;
        Ok(match ending.stopped {
            None => Status::Answered,
            Some(Stop::Cancelled) => Status::Interrupted,
            Some(_) => Status::Undecided,
        })
    }
}
