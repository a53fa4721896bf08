//! `nimatron invariants`

use crate::certificate::LibraryArgs;
use crate::host::{interruptible, knowing};
use crate::input::GameText;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use nimatron::render::{invariants, invariants_latex};
use nimatron_service::asks::structure::Invariants;
use nimatron_service::{Failure, Found, Status};
use std::num::NonZeroU32;


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
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    max: Option<u32>,
    /// Print LaTeX for a document with nimatron.sty (`nimatron paper --style`)
    #[arg(long, conflicts_with = "json")]
    latex: bool,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let (time, memory) = self.limits.asked();
        let max = self.max.and_then(NonZeroU32::new);
        let asked = Invariants { game: self.game.text()?, max, time, memory };
        let known = knowing(&self.library);
        let host = interruptible(output).knowing(&known);
        let progress = Progress::start("computing a table", None, output);
        let found = progress.during(|| asked.find(&host))?;
        if self.latex {
            output.raw(invariants_latex(&found.vectors).as_bytes())?;
            return Ok(found.status());
        }
        output.found(&found, |palette| invariants(&found.vectors, palette))
    }
}
