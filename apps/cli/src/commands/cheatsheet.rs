//! `nimatron cheatsheet`

use crate::failure::Failure;
use crate::input::GameText;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use crate::status::Status;
use nimatron::{A_SECOND, CheatSheet, Evidence, Game, Invariants, Knowledge, affordable_box};
use nimatron_render::{CheatSheetAnswer, cheatsheet, cheatsheet_latex, json};

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
  nimatron cheatsheet \"CN(9,4)\" --detect")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    /// Print tables in LaTeX
    #[arg(long, conflicts_with = "json")]
    latex: bool,
    /// Where no theorem gives vectors, use those that a table does not refute
    #[arg(long)]
    detect: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let game = self.game.read()?;
        let knowledge = Knowledge::default();
        let mut sheets = CheatSheet::all(&game, &knowledge).unwrap_or_default();
        if sheets.is_empty() && self.detect {
            let _progress = Progress::start("computing a table", None, output);
            sheets.extend(self.detected(&game, &knowledge)?);
        }
        if self.latex {
            output.raw(cheatsheet_latex(&sheets).as_bytes())?;
        } else {
            output.answer(
                || json::to_string(&CheatSheetAnswer::new(&game, &sheets)),
                |palette| match sheets.is_empty() {
                    true => format!("{game}\nno invariant vectors are known\n"),
                    false => cheatsheet(&sheets, palette),
                },
            )?;
        }
        Ok(if sheets.is_empty() { Status::Undecided } else { Status::Answered })
    }

    /// The sheet by vectors that hold on a box, if there are any.
    fn detected(&self, game: &Game, knowledge: &Knowledge) -> Result<Option<CheatSheet>, Failure> {
        let Some(max) = affordable_box(game, A_SECOND) else { return Ok(None) };
        let watch = self.limits.limits().start();
        let found = Invariants::of(game, Some(max), knowledge, &watch);
        let found = found.map_err(|error| Failure::table(&error))?;
        let tested = found.and_then(|f| f.tested).map(|t| t.basis()).unwrap_or_default();
        let evidence = Evidence::Box { max };
        let sheet = || CheatSheet::of(game, &tested, evidence, knowledge);
        Ok((!tested.is_empty()).then(sheet).flatten())
    }
}
