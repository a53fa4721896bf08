//! `nimatron invariants`

use crate::certificate::LibraryArgs;
use crate::failure::Failure;
use crate::input::GameText;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use crate::status::Status;
use nimatron::structure::{A_SECOND, Invariants, affordable_box};
use nimatron::render::{InvariantsAnswer, invariants, json};

/// The invariant vectors of a game, by theorem and by table
///
/// A 0/1 vector is invariant when adding or subtracting it never changes the outcome. Theorems
/// give some; a table of all P-positions up to a height refutes others. What it does not refute
/// is evidence, no proof.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron invariants \"CN(6,3)\"
  nimatron invariants \"CN(5,3)\"
  nimatron invariants \"CN(7,4)\" --max 3 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    /// Test on all heights up to this; by default what takes about a second
    #[arg(long, value_name = "H")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    max: Option<u64>,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let game = self.game.read()?;
        let max = self.max.or_else(|| affordable_box(&game, A_SECOND));
        let progress = Progress::start("computing a table", None, output);
        let watch = self.limits.limits().start();
        let knowledge = self.library.knowledge();
        let found = Invariants::of(&game, max, &knowledge, &watch);
        drop(progress);
        output.problems(&knowledge);
        let found = found.map_err(|error| Failure::table(&error))?;
        let Some(found) = found else {
            return Err(Failure::bad("sum", "a sum has no invariant vectors of its own".into()));
        };
        output.answer(
            || json::to_string(&InvariantsAnswer::new(&game, &found)),
            |palette| invariants(&found, palette),
        )?;
        Ok(match found.known.is_empty() && found.tested.is_none() {
            true => Status::Undecided,
            false => Status::Answered,
        })
    }
}
