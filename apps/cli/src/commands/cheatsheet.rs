//! `nimatron cheatsheet`

use crate::certificate::LibraryArgs;
use crate::host::{interruptible, knowing};
use crate::input::GameText;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use nimatron::render::{Diagnostic, cheatsheet, cheatsheet_latex, peeling_rule};
use nimatron_service::asks::structure::Cheatsheet;
use nimatron_service::{Failure, Found, Status};


/// How to play a game that has invariant vectors
///
/// Lists the patterns of empty stacks that can be left when the vectors have been subtracted, the
/// smaller game that each leaves, and the theorem that solves it. Without known vectors the exit
/// status is 3.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron cheatsheet H
  nimatron cheatsheet \"NN(8,4)\"
  nimatron cheatsheet \"CN(8,3)\" --latex
  nimatron cheatsheet \"CN(9,4)\" --cases
  nimatron cheatsheet \"CN(9,3)\" --detect")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    /// Where a game is won by peeling, print the table of cases as well
    #[arg(long)]
    cases: bool,
    /// Print tables in LaTeX, for a document with nimatron.sty (`nimatron paper --style`)
    #[arg(long, conflicts_with = "json")]
    latex: bool,
    /// Where no theorem gives vectors, use those that a table does not refute
    #[arg(long)]
    detect: bool,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let (time, memory) = self.limits.asked();
        let (cases, detect) = (self.cases, self.detect);
        let asked = Cheatsheet { game: self.game.text()?, cases, detect, time, memory };
        let known = knowing(&self.library);
        let host = interruptible(output).knowing(&known);
        let progress = Progress::start("computing a table", None, output);
        let found = progress.during(|| asked.find_all(self.latex, &host))?;
        let (game, rule, sheets) = (&found.game, &found.rule, &found.sheets);
        if self.latex && sheets.is_empty() {
            let message = format!("no invariant vectors of {game} are known, so there is no sheet");
            let hint = (!self.detect).then(|| format!("nimatron cheatsheet \"{game}\" --detect"));
            let diagnostic = Box::new(Diagnostic { message, place: None, hint });
            return Err(Failure::Open { kind: "no-vectors", diagnostic });
        }
        if self.latex {
            output.raw(cheatsheet_latex(sheets).as_bytes())?;
            return Ok(found.status());
        }
        output.found(&found, |palette| match (rule, sheets.is_empty()) {
            (None, true) => format!("{game}\nno invariant vectors are known\n"),
            (None, false) => cheatsheet(sheets, palette),
            (Some(rule), true) => {
                let more = format!(
                    "`nimatron cheatsheet \"{game}\" --cases` lists the smaller games that are left \
                     when stacks are empty."
                );
                peeling_rule(rule, palette) + "\n" + &palette.wrap(&more, "") + "\n"
            }
            (Some(rule), false) => peeling_rule(rule, palette) + "\n" + &cheatsheet(sheets, palette),
        })
    }
}
