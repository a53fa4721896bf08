//! `nimatron moves`

use crate::certificate::LibraryArgs;
use crate::host::{interruptible, knowing};
use crate::input::{GameText, PositionText};
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use nimatron::render::moves;
use nimatron_service::asks::moves::Moves;
use nimatron_service::{Failure, Status};
use nimatron_service::units::{count, number};
use std::num::NonZeroU32;


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
    #[arg(value_parser = count)]
    limit: u32,
    /// Pass over so many moves first
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number)]
    skip: u32,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let (time, memory) = self.limits.asked();
        let asked = Moves {
            game: self.game.text()?,
            position: self.position.text()?,
            limit: NonZeroU32::new(self.limit),
            skip: self.skip,
            time,
            memory,
        };
        let known = knowing(&self.library);
        let host = interruptible(output).knowing(&known);
        let progress = Progress::start("looking at moves", self.limits.time(), output);
        let found = progress.during(|| asked.find(&host))?;
        output.found(&found, |palette| moves(&found, palette))
    }
}
