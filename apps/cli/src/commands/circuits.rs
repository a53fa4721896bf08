//! `nimatron circuits`

use crate::host::interruptible;
use crate::input::GameText;
use crate::limits::{LimitArgs, cancellation};
use crate::output::Output;
use crate::progress::Progress;
use nimatron::Limits;
use nimatron::render::{CircularCircuitsAnswer, circuits, circular_circuits, json};
use nimatron::structure::{Circuits as Complex, CircularCircuits};
use nimatron_service::asks::structure::Circuits;
use nimatron_service::{Failure, Status, read};

/// The faces and circuits of a game's move sets
///
/// Faces are the sets of stacks that a move can play on; circuits are the minimal sets that are no
/// faces. A circuit is pointed if it owns a stack that lies in no other. For CN(n,k) with more than 32
/// stacks, sizes and examples come by arithmetic.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron circuits H
  nimatron circuits \"CN(31,27)\"
  nimatron circuits \"CN(31,27)\" --size 10 --limit 3
  nimatron circuits \"CN(100,93)\"
  nimatron circuits \"Moore(32,16)\" --limit 5 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    /// List at most so many circuits
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: u32,
    /// List circuits of this size only
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(u32).range(1..))]
    size: Option<u32>,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let text = self.game.text()?;
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let size = self.size.and_then(|size| usize::try_from(size).ok());
        if let Some(large) = CircularCircuits::read(&text) {
            let found = CircularCircuits::of(large, size, limit);
            output.answer(
                || json::to_string(&CircularCircuitsAnswer::from(&found)),
                |palette| circular_circuits(&found, palette),
            )?;
            return Ok(Status::Answered);
        }
        let (time, memory) = self.limits.asked();
        if size.is_some() {
            let game = read::game(&text)?;
            let limits = Limits::default().time(self.limits.time()).cancel(cancellation());
            let limits = match memory {
                Some(memory) => limits.memory(memory.0),
                None => limits,
            };
            let progress = Progress::start("counting", limits.time, output);
            let found = Complex::of_size(&game, size, limit, &limits.start());
            drop(progress);
            let Some(found) = found else {
                let message =
                    "circuits are those of one game in which parts of a set can be played";
                return Err(Failure::bad("no-complex", message.into()));
            };
            return output.found(&found, |palette| circuits(&found, palette));
        }
        let asked = Circuits { game: text, limit: Some(self.limit), time, memory };
        let host = interruptible(output);
        let progress = Progress::start("counting", self.limits.time(), output);
        let found = asked.find(&host);
        drop(progress);
        let found = found?;
        output.found(&found, |palette| circuits(&found, palette))
    }
}
