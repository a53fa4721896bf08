//! `nimatron game`

use crate::certificate::LibraryArgs;
use crate::host::{knowing, quick};
use crate::input::GameText;
use crate::output::Output;
use nimatron::render::game;
use nimatron_service::asks::game::Game;
use nimatron_service::{Failure, Status};


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
        let asked = Game { game: self.game.text()? };
        let known = knowing(&self.library);
        let info = asked.find(&quick(output).knowing(&known))?;
        output.found(&info, |palette| game(&info, palette))
    }
}
