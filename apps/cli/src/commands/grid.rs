//! `nimatron grid`

use crate::host::interruptible;
use crate::input::GameText;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use nimatron::figures::{self, Drawing, Theme, pens};
use nimatron::render::{grid, grid_stopped};
use nimatron_service::asks::pictures::{Grid, Gridded};
use nimatron_service::{Failure, Found, Status};


/// The position grid of a slow game
///
/// Rows are the total mod 2k, with k the least number of stacks in a move; columns the number of
/// odd stacks; both after unplayable tokens have been taken off. Where no theorem knows the cells
/// they are computed for heights up to a bound, and cells with both P- and N-positions are marked.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron grid \"Slow(9,{8})\"
  nimatron grid \"Slow(9,{6,7,8,9})\" --max 12
  nimatron grid \"Slow(9,{8,9})\" --svg > grid.svg
  nimatron grid \"Slow(9,{8,9})\" --latex > grid.tex")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    /// Compute all positions up to this height, even if a theorem knows the cells
    #[arg(long, value_name = "HEIGHT")]
    max: Option<u64>,
    /// Print an SVG picture
    #[arg(long, group = "format", conflicts_with = "json")]
    svg: bool,
    /// Print a TikZ picture for LaTeX
    #[arg(long, group = "format", conflicts_with = "json")]
    latex: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let (time, memory) = self.limits.asked();
        let asked = Grid { game: self.game.text()?, max: self.max, time, memory };
        let host = interruptible(output);
        let progress = Progress::start("computing", self.limits.time(), output);
        let found = progress.during(|| asked.find(&host))?;
        match (&found, self.svg, self.latex) {
            (Gridded::Grid(found), true, _) => {
                output.raw(pens::svg(&drawn(found)?, Theme::Auto).as_bytes())?;
            }
            (Gridded::Grid(found), _, true) => {
                output.raw(pens::tikz(&drawn(found)?, pens::Frame::Input).as_bytes())?;
            }
            _ => {
                let text = |palette: &_| match &found {
                    Gridded::Grid(found) => grid(found, palette),
                    Gridded::Stopped(game, stop) => grid_stopped(game, *stop, palette),
                };
                output.answer(|| found.json(), text)?;
            }
        }
        Ok(found.status())
    }
}

fn drawn(grid: &nimatron::grid::Grid) -> Result<Drawing, Failure> {
    figures::grid(grid, None).map_err(|error| Failure::bad("figure", error.to_string()))
}
