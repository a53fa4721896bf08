//! `nimatron moves`

use crate::certificate::LibraryArgs;
use crate::failure::Failure;
use crate::input::{GameText, PositionText};
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use crate::status::Status;
use nimatron::render::{MovesAnswer, json, moves};
use nimatron::{Page, Prepared, Stop};

/// Every move from a position and the outcome it leads to, best first
///
/// Moves that win come first, then those that are not decided, then those that lose. The Grundy value
/// and the remoteness of the position reached are told where they are known. From tall positions more
/// moves lead than anybody can compare; then only the winning moves are sure to come first.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron moves \"CN(5,2)\" 1,2,0,2,1
  nimatron moves \"CN(7,3)\" 3,5,4,2,1,6,3 --limit 10
  nimatron moves \"Nim(3)\" 3,4,5 --skip 10 --limit 10 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    #[command(flatten)]
    position: PositionText,
    /// List at most so many moves
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Pass over so many moves first
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: u32,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let game = self.game.read()?;
        let position = self.position.read(&game)?;
        let limits = self.limits.limits();
        let size = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
        let page = Page { skip: size(self.skip), limit: size(self.limit) };
        let prepared = Prepared::knowing(game, self.library.knowledge());
        let progress = Progress::start("looking at moves", limits.time, output);
        let found = prepared.moves(&position, page, &limits);
        drop(progress);
        output.problems(prepared.knowledge());
        let found = found.map_err(|error| Failure::bad("wrong-count", error.to_string()))?;
        output.answer(
            || json::to_string(&MovesAnswer::from(&found)),
            |palette| moves(&found, palette),
        )?;
        Ok(match &found.unknown {
            Some(unknown) if unknown.stop == Stop::Cancelled => Status::Interrupted,
            Some(_) => Status::Undecided,
            None if found.outcome.is_none() => Status::Undecided,
            None => Status::Answered,
        })
    }
}
