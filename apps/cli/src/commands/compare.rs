//! `nimatron compare`

use crate::certificate::LibraryArgs;
use crate::failure::Failure;
use crate::input::read_game;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use crate::status::Status;
use nimatron::proofs::Sameness;
use nimatron::render::{SamenessAnswer, json, sameness};
use nimatron::structure::{A_SECOND, affordable_box};

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

Exit status: 0 the same (proved, or in the box), 1 different, 3 stopped before either.")]
pub(crate) struct Args {
    /// A game
    #[arg(value_name = "GAME")]
    first: String,
    /// Another, on as many stacks
    #[arg(value_name = "GAME")]
    second: String,
    /// Compare all heights up to this; by default what takes about a second
    #[arg(long, value_name = "H", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    max: Option<u64>,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let (first, second) = (read_game(&self.first)?, read_game(&self.second)?);
        if first.stacks() != second.stacks() {
            let message = format!(
                "{first} has {} stacks and {second} has {}: positions of one are none of the other",
                first.stacks(),
                second.stacks()
            );
            return Err(Failure::bad("wrong-count", message));
        }
        let limits = self.limits.limits();
        let affordable = || affordable_box(&first, A_SECOND).min(affordable_box(&second, A_SECOND));
        let Some(max) = self.max.or_else(affordable) else {
            let message = "no box of these games is small enough; name one with --max".to_string();
            return Err(Failure::open("too-large", message));
        };
        let knowledge = self.library.knowledge();
        let progress = Progress::start("comparing", limits.time, output);
        let found = Sameness::of([&first, &second], max, &knowledge, &limits, &limits.start());
        drop(progress);
        output.problems(&knowledge);
        let found = found.map_err(|error| Failure::table(&error))?;
        output.answer(
            || json::to_string(&SamenessAnswer::from(&found)),
            |palette| sameness(&found, palette),
        )?;
        Ok(if found.is_equal() { Status::Answered } else { Status::Negative })
    }
}
