//! `nimatron subgames`

use crate::certificate::LibraryArgs;
use crate::host::{interruptible, knowing};
use crate::input::GameText;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use nimatron::render::subgames;
use nimatron_service::asks::structure::Subgames;
use nimatron_service::{Failure, Status};
use nimatron_service::units::number;


/// The games that arise when stacks are empty, solved and open
///
/// A game cannot be solved before the games it contains. Each is listed once, up to the names of
/// the stacks, with the theorem that solves it and a pattern of empty stacks that leads to it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron subgames \"CN(6,2)\"
  nimatron subgames \"CN(9,3)\" --limit 50
  nimatron subgames \"CN(9,4)\" --json")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    /// List at most so many; 30 if not given, with --json all
    #[arg(long, value_name = "N", value_parser = number)]
    limit: Option<u32>,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let (time, memory) = self.limits.asked();
        let asked = Subgames { game: self.game.text()?, limit: self.limit, time, memory };
        let known = knowing(&self.library);
        let host = interruptible(output).knowing(&known);
        let progress = Progress::start("emptying stacks", self.limits.time(), output);
        let found = progress.during(|| asked.find(&host))?;
        output.found(&found, |palette| {
            subgames(&found.game, &found.inside, found.limit.unwrap_or(30), palette)
        })
    }
}
