//! `nimatron cheatsheet`

use crate::certificate::LibraryArgs;
use crate::failure::Failure;
use crate::input::GameText;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use crate::status::Status;
use nimatron::{Game, Knowledge};
use nimatron::render::{
    CheatSheetAnswer, Diagnostic, cheatsheet, cheatsheet_latex, json, peeling_rule,
};
use nimatron::structure::{
    A_SECOND, CheatSheet, Evidence, Invariants, PeelingRule, affordable_box,
};

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
    /// Print tables in LaTeX
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
        if self.limits.is_given() && !self.detect {
            return Err(Failure::useless("--time or --memory", "only --detect takes long"));
        }
        let game = self.game.read()?;
        let knowledge = self.library.knowledge();
        let rule = PeelingRule::of(&game, &knowledge);
        if self.cases && rule.is_none() {
            return Err(Failure::useless("--cases", "the cases are the whole sheet of this game"));
        }
        // The rule of peeling is shorter than its table of cases.
        let mut sheets = match rule.is_none() || self.cases || self.latex {
            true => CheatSheet::all(&game, &knowledge).unwrap_or_default(),
            false => Vec::new(),
        };
        if sheets.is_empty() && self.detect && rule.is_none() {
            let _progress = Progress::start("computing a table", None, output);
            sheets.extend(self.detected(&game, &knowledge)?);
        }
        output.problems(&knowledge);
        if self.latex && sheets.is_empty() {
            let message = format!("no invariant vectors of {game} are known, so there is no sheet");
            let hint = (!self.detect).then(|| format!("nimatron cheatsheet \"{game}\" --detect"));
            let diagnostic = Box::new(Diagnostic { message, place: None, hint });
            return Err(Failure::Open { kind: "no-vectors", diagnostic });
        }
        if self.latex {
            output.raw(cheatsheet_latex(&sheets).as_bytes())?;
        } else {
            output.answer(
                || json::to_string(&CheatSheetAnswer::new(&game, rule.as_ref(), &sheets)),
                |palette| match (&rule, sheets.is_empty()) {
                    (None, true) => format!("{game}\nno invariant vectors are known\n"),
                    (None, false) => cheatsheet(&sheets, palette),
                    (Some(rule), true) => {
                        let more = format!("`nimatron cheatsheet \"{game}\" --cases` lists the smaller \
                             games that are left when stacks are empty.");
                        peeling_rule(rule, palette) + "\n" + &palette.wrap(&more, "") + "\n"
                    }
                    (Some(rule), false) => {
                        peeling_rule(rule, palette) + "\n" + &cheatsheet(&sheets, palette)
                    }
                },
            )?;
        }
        let known = rule.is_some() || !sheets.is_empty();
        Ok(if known { Status::Answered } else { Status::Undecided })
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
