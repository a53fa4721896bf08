//! `nimatron game`

use crate::certificate::LibraryArgs;
use crate::failure::Failure;
use crate::input::GameText;
use crate::output::Output;
use crate::status::Status;
use nimatron::structure::GameInfo;
use nimatron::render::{game, json};

/// A game's moves, sets, symmetries and reductions
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron game \"CN(7,3)\"
  nimatron game \"Set(ad,abc,bcd)\"
  nimatron game \"misere PN(3,2) + Nim(1)\" --json")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    #[command(flatten)]
    library: LibraryArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let knowledge = self.library.knowledge();
        let info = GameInfo::knowing(&self.game.read()?, &knowledge);
        output.problems(&knowledge);
        output.answer(
            || json::to_string(&json::GameAnswer::from(&info)),
            |palette| game(&info, palette),
        )?;
        Ok(Status::Answered)
    }
}
