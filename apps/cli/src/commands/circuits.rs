//! `nimatron circuits`

use crate::host::interruptible;
use crate::input::GameText;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use nimatron::render::{circuits, circular_circuits};
use nimatron_service::asks::structure::{Around, Circuits};
use nimatron_service::units::number;
use nimatron_service::{Failure, Status};
use std::num::NonZeroU32;

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
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number)]
    limit: u32,
    /// List circuits of this size only
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(u32).range(1..))]
    size: Option<u32>,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let (time, memory) = self.limits.asked();
        let size = self.size.and_then(NonZeroU32::new);
        let asked =
            Circuits { game: self.game.text()?, size, limit: Some(self.limit), time, memory };
        let host = interruptible(output);
        let progress = Progress::start("counting", self.limits.time(), output);
        let found = progress.during(|| asked.find(&host))?;
        output.found(&found, |palette| match &found {
            Around::Complex(found) => circuits(found, palette),
            Around::Circular(found) => circular_circuits(found, palette),
        })
    }
}
