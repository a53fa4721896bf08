//! `nimatron reduce`

use crate::failure::Failure;
use crate::input::{GameText, OptionalPositionText};
use crate::output::Output;
use crate::status::Status;
use nimatron::reduce::{Chain, State};
use nimatron_render::{Heights, json, reduction};

/// How a game, or a position, becomes a smaller one
///
/// Every step keeps the outcome, the Grundy value and the remoteness; only the cone step, taken
/// with --cone, keeps less.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron reduce \"Set(ad,abc,bcd)\"
  nimatron reduce \"CN(6,3)\" 0,0,3,1,2,4
  nimatron reduce \"PN(5,3)\" 1,2,3,4,5 --cone")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    #[command(flatten)]
    position: OptionalPositionText,
    /// Also drop stacks that lie in every set: they are empty in every P-position
    #[arg(long)]
    cone: bool,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let game = self.game.read()?;
        let (start, heights) = match self.position.read(&game)? {
            None => (State::generic(&game), Heights::Hidden),
            Some(position) => {
                let state = State::new(&game, &position);
                let state = state.map_err(|e| Failure::bad("wrong-count", e.to_string()))?;
                (state, Heights::Shown)
            }
        };
        let chain = match self.cone {
            true => Chain::reduce_with_cone(start),
            false => Chain::reduce(start),
        };
        output.answer(
            || json::to_string(&json::Reduce::new(&game, &chain, heights)),
            |palette| reduction(&game, &chain, heights, palette),
        )?;
        Ok(Status::Answered)
    }
}
