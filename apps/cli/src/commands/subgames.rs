//! `nimatron subgames`

use crate::certificate::LibraryArgs;
use crate::failure::Failure;
use crate::input::GameText;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use crate::status::Status;
use nimatron::Stop;
use nimatron::structure::Subgames;
use nimatron::render::{SubgamesAnswer, json, subgames};

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
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let game = self.game.read()?;
        let limits = self.limits.limits();
        let progress = Progress::start("emptying stacks", limits.time, output);
        let knowledge = self.library.knowledge();
        let found = Subgames::of(&game, &knowledge, &limits.start());
        drop(progress);
        output.problems(&knowledge);
        let limit = self.limit.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        output.answer(
            || json::to_string(&SubgamesAnswer::new(&game, &found, limit.unwrap_or(usize::MAX))),
            |palette| subgames(&game, &found, limit.unwrap_or(30), palette),
        )?;
        Ok(match found.stopped {
            None => Status::Answered,
            Some(Stop::Cancelled) => Status::Interrupted,
            Some(_) => Status::Undecided,
        })
    }
}
