//! `nimatron draw`

use crate::certificate::{LibraryArgs, is_taken, test_writing, write};
use crate::host::{interruptible, knowing};
use crate::input::{GameText, OptionalPositionText, fetch, word};
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use nimatron::Height;
use nimatron::render::Diagnostic;
use nimatron_service::asks::draw::{self, Draw, Drawn, Layout, Shown, Theme, Values, What};
use nimatron_service::{Failure, Heights as HeightsText, Status};
use std::path::PathBuf;

/// Figures of games, positions and answers
///
/// Prints SVG, or TikZ for LaTeX, or with --json the geometry for programs that draw by themselves.
/// Without --what, a game is drawn if no position is given, a move if one is named, and otherwise
/// the position.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron draw \"CN(7,3)\" --out game.svg
  nimatron draw \"CN(7,3)\" 3,5,4,2,1,6,3 --theme dark
  nimatron draw \"CN(7,3)\" 3,5,4,2,1,6,3 --take 1,2,0,0,0,0,2 --tikz
  nimatron draw \"PN(5,3)\" 2,4,1,2,4 --heights numbers --standalone
  nimatron draw \"CN(5,3)\" --what structure
  nimatron draw \"CN(7,3)\" 3,5,4,2,1,6,3 --what process
  nimatron draw \"CN(4,2)\" 0,4,0,4 --what slice --axes ac --max 9")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    #[command(flatten)]
    position: OptionalPositionText,
    /// What is drawn
    #[arg(long, value_parser = word::<What>())]
    what: Option<What>,
    /// The move, written like a position: how many tokens are taken from each stack
    #[arg(long, value_name = "MOVE", allow_hyphen_values = true, requires = "position")]
    take: Option<String>,
    /// How heights are shown [default: both where tokens have a place]
    #[arg(long, requires = "position", value_parser = word::<Shown>())]
    heights: Option<Shown>,
    /// How stacks are arranged [default: as suits the game]
    #[arg(long, value_parser = word::<Layout>())]
    layout: Option<Layout>,
    /// Stacks to point out, as in abd
    #[arg(long, value_name = "STACKS")]
    point: Option<String>,
    /// The formula whose structure is drawn [default: that of the theorem or proof]
    #[arg(long, value_name = "FORMULA")]
    formula: Option<String>,
    /// The stacks along the axes of a slice, as in ac [default: the first two]
    #[arg(long, value_name = "STACKS")]
    axes: Option<String>,
    /// The greatest height of a slice or of growth, the most stacks of the frontier
    #[arg(long, value_name = "H")]
    max: Option<Height>,
    /// What the cells of a slice show
    #[arg(long, value_parser = word::<Values>())]
    values: Option<Values>,
    #[command(flatten)]
    pen: Pen,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

/// How a figure is written, and where to.
#[derive(Debug, clap::Args)]
pub(crate) struct Pen {
    /// Print a TikZ picture, to be read with \\input
    #[arg(long, group = "format", conflicts_with_all = ["json", "theme"])]
    tikz: bool,
    /// Print a LaTeX document with the TikZ picture and nothing else
    #[arg(long, group = "format", conflicts_with_all = ["json", "theme"])]
    standalone: bool,
    /// Paint a PNG picture into this file; only in a program built with the feature `png`
    #[arg(long, value_name = "FILE", group = "format", conflicts_with_all = ["json", "out"])]
    png: Option<PathBuf>,
    /// Colours of SVG: for light or dark pages, for both, or for print
    #[arg(long, default_value = "auto", conflicts_with = "json", value_parser = word::<Theme>())]
    theme: Theme,
    /// Write to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let (time, memory) = self.limits.asked();
        let pen = self.pen.pen(output);
        let asked = Draw {
            game: self.game.text()?,
            position: self.position.text()?,
            what: self.what,
            take: self.take.as_deref().map(fetch).transpose()?.map(HeightsText),
            heights: self.heights,
            layout: self.layout,
            point: self.point.clone(),
            formula: self.formula.as_deref().map(fetch).transpose()?,
            axes: self.axes.clone(),
            max: self.max,
            values: self.values,
            pen,
            theme: (pen == draw::Pen::Svg).then_some(self.pen.theme),
            time,
            memory,
        };
        self.pen.check()?;
        let known = knowing(&self.library);
        let host = interruptible(output).knowing(&known);
        let progress = Progress::start("drawing", self.limits.time(), output);
        let found = progress.during(|| asked.find(&host))?;
        self.pen.write(&found, output)?;
        Ok(Status::Answered)
    }
}

impl Pen {
    /// Complains about what would fail later, before any work is done.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if cfg!(not(feature = "png")) && self.png.is_some() {
            let message = "this program was built without the painter of PNG pictures".to_string();
            let hint = "SVG has all that PNG has; or build it with `cargo build --features png`";
            let diagnostic = Diagnostic { message, place: None, hint: Some(hint.to_string()) };
            return Err(Failure::Missing { diagnostic: Box::new(diagnostic) });
        }
        let file = self.file();
        if self.force && file.is_none() {
            return Err(Failure::useless("--force", "no file is asked for"));
        }
        let Some(path) = file else { return Ok(()) };
        if is_taken(path) && !self.force {
            return Err(Failure::exists(&path.display().to_string()));
        }
        test_writing(path)
    }

    fn file(&self) -> Option<&PathBuf> {
        self.png.as_ref().or(self.out.as_ref())
    }

    /// How the figure is told.
    pub(crate) fn pen(&self, output: &Output) -> draw::Pen {
        match (output.is_json(), self.tikz, self.standalone) {
            (true, ..) => draw::Pen::Json,
            (_, true, _) => draw::Pen::Tikz,
            (_, _, true) => draw::Pen::Standalone,
            _ => draw::Pen::Svg,
        }
    }

    /// Writes the figure to where it was asked for.
    fn write(&self, found: &Drawn, output: &Output) -> Result<(), Failure> {
        #[cfg(feature = "png")]
        if let Some(path) = &self.png {
            let painted = nimatron::figures::png(&found.drawing, self.theme.into(), 2.0);
            let bytes = painted.map_err(|error| Failure::bad("figure", error.to_string()))?;
            return write(path, &bytes);
        }
        let text = match found.pen {
            draw::Pen::Json => found.text() + "\n",
            _ => found.text(),
        };
        match &self.out {
            Some(path) => write(path, text.as_bytes()),
            None => output.raw(text.as_bytes()),
        }
    }
}
