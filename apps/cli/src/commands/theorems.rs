//! `nimatron theorems`

use crate::certificate::LibraryArgs;
use crate::host::{interruptible, knowing};
use crate::input::OptionalGameText;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use nimatron::render::{bibliography, theorem, theorems, theorems_latex};
use nimatron_service::asks::theorems::Theorems;
use nimatron_service::{Failure, Found, Status};
use std::num::NonZeroU32;


/// The theorems on which answers rest, with their sources
///
/// With a game, only the theorem that covers it, whatever its stacks are called; if there is none,
/// the exit status is 3.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron theorems
  nimatron theorems \"Set(ac,ce,be,bd,ad)\"
  nimatron theorems --show cn-7-4
  nimatron theorems \"CN(7,3)\" --check
  nimatron theorems --check --json
  nimatron theorems --bibtex")]
pub(crate) struct Args {
    #[command(flatten)]
    game: OptionalGameText,
    /// Show all about the theorem with this name
    #[arg(long, value_name = "ID", conflicts_with = "game")]
    show: Option<String>,
    /// Compare with computed tables; exit status 1 if they differ
    #[arg(long)]
    check: bool,
    /// Compare on all heights up to this; by default what takes about a second
    #[arg(long, value_name = "H", requires = "check")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    max: Option<u32>,
    /// Print the statements in LaTeX, for a document with nimatron.sty (`nimatron paper --style`)
    #[arg(long, conflicts_with_all = ["json", "check"])]
    latex: bool,
    /// Print the bibliography in BibTeX: all of it, or what the theorem cites
    #[arg(long, conflicts_with_all = ["json", "latex", "check"])]
    bibtex: bool,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let (time, memory) = self.limits.asked();
        let asked = Theorems {
            game: self.game.text()?,
            show: self.show,
            check: self.check,
            max: self.max.and_then(NonZeroU32::new),
            time,
            memory,
        };
        let known = knowing(&self.library);
        let host = interruptible(output).knowing(&known);
        let progress = Progress::start("comparing", None, output);
        let found = progress.during(|| asked.find(&host))?;
        if self.bibtex {
            output.raw(bibliography(&found.entries).as_bytes())?;
            return Ok(found.status());
        }
        if self.latex {
            output.raw(theorems_latex(&found.entries).as_bytes())?;
            return Ok(found.status());
        }
        output.found(&found, |palette| match (&found.entries[..], &found.game) {
            ([], Some(game)) => match found.solved.iter().flat_map(|s| s.by()).next() {
                Some(by) => {
                    format!("{game}\nno theorem covers this game, but {} does\n", by.cited())
                }
                None => format!("{game}\nno theorem covers this game\n"),
            },
            ([entry], _) => theorem(entry, palette),
            _ => theorems(&found.entries, palette),
        })
    }
}
