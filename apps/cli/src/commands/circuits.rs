//! `nimatron circuits`

use crate::failure::Failure;
use crate::input::GameText;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use crate::status::Status;
use nimatron::Stop;
use nimatron::structure::Circuits;
use nimatron::render::{CircuitsAnswer, circuits, json};

/// The faces and circuits of a game's move sets
///
/// Faces are the sets of stacks that a move can play on; circuits are the minimal sets that are no
/// faces. A circuit is pointed if it owns a stack that lies in no other.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron circuits H
  nimatron circuits \"CN(31,27)\"
  nimatron circuits \"Moore(32,16)\" --limit 5 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    /// List at most so many circuits
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: u32,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let game = self.game.read()?;
        let limits = self.limits.limits();
        let progress = Progress::start("counting", limits.time, output);
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let found = Circuits::of(&game, limit, &limits.start());
        drop(progress);
        let Some(found) = found else {
            let message = "circuits are those of one game in which parts of a set can be played";
            return Err(Failure::bad("no-complex", message.into()));
        };
        output.answer(
            || json::to_string(&CircuitsAnswer::from(&found)),
            |palette| circuits(&found, palette),
        )?;
        Ok(match found.stopped {
            None => Status::Answered,
            Some(Stop::Cancelled) => Status::Interrupted,
            Some(_) => Status::Undecided,
        })
    }
}
