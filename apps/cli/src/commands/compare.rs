//! `nimatron compare`

use crate::certificate::LibraryArgs;
use crate::host::{interruptible, knowing};
use crate::input::fetch;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use nimatron::render::sameness;
use nimatron_service::asks::compare::Compare;
use nimatron_service::{Failure, Status};
use std::num::NonZeroU32;


/// Do two games have the same P-positions?
///
/// Compares them on a box; on few stacks, also under other names of the stacks. If they agree, a proof for
/// all heights is looked for: a formula that is known for one game is proved for the other. Without a proof
/// agreement is evidence only.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron compare \"CN(4,2)\" \"Set(ab,bc,cd,ad)\"
  nimatron compare \"CN(5,3)\" \"CN(5,2)\" --max 6
  nimatron compare \"Slow(3,{1})\" \"Slow(3,{1,3})\" --json

Exit status: 0 the same (proved, or in the box), 1 different, 3 stopped before
that was known.")]
pub(crate) struct Args {
    /// A game
    #[arg(value_name = "GAME")]
    first: String,
    /// Another, on as many stacks
    #[arg(value_name = "GAME")]
    second: String,
    /// Compare all heights up to this; by default what takes about a second
    #[arg(long, value_name = "H", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    max: Option<u32>,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let (time, memory) = self.limits.asked();
        let games = [fetch(&self.first)?, fetch(&self.second)?];
        let asked = Compare { games, max: self.max.and_then(NonZeroU32::new), time, memory };
        let known = knowing(&self.library);
        let host = interruptible(output).knowing(&known);
        let progress = Progress::start("comparing", self.limits.time(), output);
        let found = progress.during(|| asked.find(&host))?;
        output.found(&found, |palette| sameness(&found, palette))
    }
}
