//! `nimatron grid`

use crate::failure::Failure;
use crate::input::GameText;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use crate::status::Status;
use nimatron::crates::game::Stop;
use nimatron::grid::{Grid, GridError};
use nimatron::crates::table::TableError;
use nimatron::render::{
    grid, grid_json, grid_latex, grid_stopped, grid_stopped_json, grid_svg,
};

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
        let game = self.game.read()?;
        let limits = self.limits.limits();
        let progress = Progress::start("computing", limits.time, output);
        let answer = Grid::of(&game, self.max, &limits.start());
        drop(progress);
        let found = match answer {
            Ok(found) => found,
            Err(GridError::Table(TableError::Stopped(stop))) => {
                let text = |palette: &_| grid_stopped(&game, stop, palette);
                output.answer(|| grid_stopped_json(&game, stop), text)?;
                return Ok(match stop {
                    Stop::Cancelled => Status::Interrupted,
                    _ => Status::Undecided,
                });
            }
            Err(error) => return Err(Failure::bad("grid", error.to_string())),
        };
        match (self.svg, self.latex) {
            (true, _) => output.raw(grid_svg(&found).as_bytes())?,
            (_, true) => output.raw(grid_latex(&found).as_bytes())?,
            _ => output.answer(|| grid_json(&found), |palette| grid(&found, palette))?,
        }
        Ok(Status::Answered)
    }
}
