//! `nimatron draw`

use crate::certificate::{LibraryArgs, is_taken, test_writing, write};
use crate::input::{GameText, OptionalPositionText, fetch};
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use clap::ValueEnum;
use nimatron::figures::{self, BoardOptions, Drawing, FigureError, SliceValues, pens};
use nimatron::graph::{GameGraph, GraphKind};
use nimatron::grid::{Grid, GridError};
use nimatron::structure::{A_SECOND, Circuits, Subgames, affordable_box};
use nimatron::{Game, Height, Knowledge, Options, Position, Prepared, StackSet};
use nimatron_service::{Failure, Heights as HeightsText, Status, read};
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
    #[arg(long, value_enum)]
    what: Option<What>,
    /// The move, written like a position: how many tokens are taken from each stack
    #[arg(long, value_name = "MOVE", allow_hyphen_values = true, requires = "position")]
    take: Option<String>,
    /// How heights are shown [default: both where tokens have a place]
    #[arg(long, value_enum, requires = "position")]
    heights: Option<Heights>,
    /// How stacks are arranged [default: as suits the game]
    #[arg(long, value_enum)]
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
    #[arg(long, value_enum)]
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
    /// Paint a PNG picture into this file
    #[cfg(feature = "png")]
    #[arg(long, value_name = "FILE", group = "format", conflicts_with_all = ["json", "out"])]
    png: Option<PathBuf>,
    /// Colours of SVG: for light or dark pages, for both, or for print
    #[arg(long, value_enum, default_value = "auto", conflicts_with = "json")]
    theme: Theme,
    /// Write to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// The stacks and sets
    Game,
    /// The heights
    Position,
    /// A position, what is taken, and the position after
    Move,
    /// Which stacks of P-positions are equal, which sums balance
    Structure,
    /// How a position is reduced, and how the winning move comes back
    Process,
    /// The games that are left when stacks are empty
    Subgames,
    /// The circuits of the sets, up to symmetry
    Circuits,
    /// Two stacks as axes, the others as in the position
    Slice,
    /// How the number of P-positions grows with the height
    Growth,
    /// Which circular games are solved
    Frontier,
    /// The transitions of an automaton that accepts the P-positions
    Automaton,
    /// The position grid of a slow game, with the moves of a position
    Grid,
    /// All positions that can be reached
    Graph,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Values {
    Grundy,
    Outcomes,
    Remoteness,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Heights {
    Numbers,
    Tokens,
    Both,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Layout {
    /// On a circle
    Ring,
    /// Side by side
    Row,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Theme {
    /// Light or dark as the reader has it
    Auto,
    Light,
    Dark,
    Print,
}

impl From<Theme> for figures::Theme {
    fn from(theme: Theme) -> Self {
        match theme {
            Theme::Auto => figures::Theme::Auto,
            Theme::Light => figures::Theme::Light,
            Theme::Dark => figures::Theme::Dark,
            Theme::Print => figures::Theme::Print,
        }
    }
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let game = read::game(&self.game.text()?)?;
        let position = self.position.text()?;
        let position = position.map(|text| read::position(&text, &game)).transpose()?;
        self.pen.check()?;
        let drawing = self.figure(&game, position.as_ref(), output)?;
        self.pen.write(&drawing, output)?;
        Ok(Status::Answered)
    }

    fn figure(
        &self,
        game: &Game,
        position: Option<&Position>,
        output: &Output,
    ) -> Result<Drawing, Failure> {
        let what = self.what.unwrap_or(match (position, &self.take) {
            (None, _) => What::Game,
            (Some(_), Some(_)) => What::Move,
            (Some(_), None) => What::Position,
        });
        self.refuse_useless(what, position.is_some())?;
        let limits = self.limits.limits();
        let wanted = || {
            let message = "a position is needed for this figure".to_string();
            position.ok_or_else(|| Failure::bad("no-position", message))
        };
        let _progress = Progress::start("drawing", limits.time, output);
        let drawn: Result<Drawing, FigureErrorOr> = match what {
            What::Game => lift(figures::game(game, &self.options(game)?)),
            What::Position => {
                lift(figures::position(game, wanted()?, &self.options(game)?))
            }
            What::Move => self.step(game, wanted()?),
            What::Structure => self.structure(game, &self.library.knowledge()),
            What::Process => {
                let options = Options::default().limits(limits);
                let prepared = Prepared::knowing(game.clone(), self.library.knowledge());
                let verdict = prepared.ask(wanted()?, &options);
                let verdict =
                    verdict.map_err(|error| Failure::bad("wrong-count", error.to_string()))?;
                lift(figures::process(&verdict))
            }
            What::Subgames => {
                let found = Subgames::of(game, &self.library.knowledge(), &limits.start());
                lift(figures::subgames(game, &found))
            }
            What::Circuits => match Circuits::of(game, 2000, &limits.start()) {
                Some(found) => lift(figures::circuits(&found)),
                None if game.single().is_none() => Err(FigureError::Sum.into()),
                None => Err(FigureError::NoCircuits.into()),
            },
            What::Slice => {
                let axes = self.axes(game)?;
                let values = match self.values {
                    None | Some(Values::Grundy) => SliceValues::Grundy,
                    Some(Values::Outcomes) => SliceValues::Outcomes,
                    Some(Values::Remoteness) => SliceValues::Remoteness,
                };
                let zero = Position::zero(game.stacks());
                let heights = position.unwrap_or(&zero);
                lift(figures::slice(game, heights, axes, self.max.unwrap_or(12), values, &limits.start()))
            }
            What::Growth => {
                let quick = || affordable_box(game, A_SECOND / 4.0).unwrap_or(4);
                lift(figures::growth(game, self.max.unwrap_or_else(quick), &limits.start()))
            }
            What::Frontier => {
                lift(figures::frontier(usize::try_from(self.max.unwrap_or(16)).unwrap_or(usize::MAX)))
            }
            What::Automaton => lift(self.automaton(game)),
            What::Grid => match Grid::of(game, self.max, &limits.start()) {
                Ok(found) => lift(figures::grid(&found, position)),
                Err(GridError::Table(error)) => Err(FigureError::Table(error).into()),
                Err(error) => return Err(Failure::bad("grid", error.to_string())),
            },
            What::Graph => {
                let found = GameGraph::of(game, wanted()?, GraphKind::Playable, 200)
                    .map_err(|error| Failure::bad("too-large", error.to_string()))?;
                lift(figures::graph(&found))
            }
        };
        drawn.map_err(failure)
    }

    /// Complains about options that do nothing for this figure.
    fn refuse_useless(&self, what: What, position: bool) -> Result<(), Failure> {
        use What::{Frontier, Game, Graph, Grid, Growth, Move, Position, Process, Slice, Structure};
        let only = |given: bool, option: &str, of: &[What], why: &str| match given && !of.contains(&what) {
            true => Err(Failure::useless(option, why)),
            false => Ok(()),
        };
        let boards = "only boards have it";
        only(self.take.is_some(), "--take", &[Move], "only a move needs it")?;
        only(self.heights.is_some(), "--heights", &[Position, Move], boards)?;
        only(self.layout.is_some(), "--layout", &[Game, Position, Move], boards)?;
        only(self.point.is_some(), "--point", &[Game, Position], boards)?;
        only(self.formula.is_some(), "--formula", &[Structure], "only a structure needs it")?;
        only(self.axes.is_some(), "--axes", &[Slice], "only a slice has axes")?;
        only(self.values.is_some(), "--values", &[Slice], "only a slice shows values")?;
        let bounded = "this figure has no bound";
        only(self.max.is_some(), "--max", &[Slice, Growth, Frontier, Grid], bounded)?;
        let needs = [Position, Move, Process, Slice, Grid, Graph];
        only(position, "POSITION", &needs, "this figure is about the game alone")
    }

    fn step(&self, game: &Game, position: &Position) -> Result<Drawing, FigureErrorOr> {
        let Some(text) = &self.take else {
            let message = "name the move with --take".to_string();
            return Err(Failure::bad("no-move", message).into());
        };
        let take = read::take(&HeightsText(fetch(text)?), game)?;
        if let Err(error) = game.play(position.clone(), &take) {
            return Err(Failure::bad("illegal-move", error.to_string()).into());
        }
        Ok(figures::step(game, position, &take, &self.options(game)?).map_err(FigureError::from)?)
    }

    fn structure(&self, game: &Game, knowledge: &Knowledge) -> Result<Drawing, FigureErrorOr> {
        let formula = match &self.formula {
            Some(text) => read::formula(&fetch(text)?, game)?,
            None => match figures::formula_of(game, knowledge) {
                Some((formula, _)) => formula,
                None => return Err(FigureError::NoFormula(game.to_string()).into()),
            },
        };
        Ok(figures::structure(game, &formula)?)
    }

    fn automaton(&self, game: &Game) -> Result<Drawing, FigureError> {
        let rule = game.single().ok_or(FigureError::Sum)?;
        let stored = self.library.knowledge().proof(rule, game.convention());
        let found = stored.as_ref().and_then(|s| Some((s.proved().game(), s.proved().automaton()?)));
        match found {
            Some((game, automaton)) => figures::automaton(game, automaton.dfa()),
            None => Err(FigureError::NoAutomaton(game.to_string())),
        }
    }

    fn axes(&self, game: &Game) -> Result<(usize, usize), Failure> {
        let Some(text) = &self.axes else { return Ok((0, 1)) };
        let stacks = stacks(text, game, "--axes")?;
        match &stacks[..] {
            [across, up] => Ok((*across, *up)),
            _ => Err(Failure::bad("axes", "--axes names two stacks, as in ac".to_string())),
        }
    }

    fn options(&self, game: &Game) -> Result<BoardOptions, Failure> {
        let heights = self.heights.map(|heights| match heights {
            Heights::Numbers => figures::Heights::Numbers,
            Heights::Tokens => figures::Heights::Tokens,
            Heights::Both => figures::Heights::Both,
        });
        let layout = self.layout.map(|layout| match layout {
            Layout::Ring => figures::Layout::Ring,
            Layout::Row => figures::Layout::Row,
        });
        let pointed: StackSet = match &self.point {
            Some(text) => stacks(text, game, "--point")?.into_iter().collect(),
            None => StackSet::EMPTY,
        };
        Ok(BoardOptions::default().heights(heights).layout(layout).pointing(pointed))
    }
}

/// Stacks by their letters.
fn stacks(text: &str, game: &Game, option: &str) -> Result<Vec<usize>, Failure> {
    let stack = |letter: char| {
        let found = ('a'..='z').take(game.stacks()).position(|c| c == letter);
        found.ok_or_else(|| {
            let message = format!("{option} names stacks by their letters, but {game} has no {letter:?}");
            Failure::bad("unknown-name", message)
        })
    };
    text.chars().map(stack).collect()
}

/// The same with room for wrong input.
fn lift<E: Into<FigureError>>(drawn: Result<Drawing, E>) -> Result<Drawing, FigureErrorOr> {
    drawn.map_err(|error| FigureErrorOr::Figure(error.into()))
}

/// A figure that cannot be drawn, or input that is wrong.
enum FigureErrorOr {
    Figure(FigureError),
    Failure(Failure),
}

impl From<FigureError> for FigureErrorOr {
    fn from(error: FigureError) -> Self {
        FigureErrorOr::Figure(error)
    }
}

impl From<Failure> for FigureErrorOr {
    fn from(failure: Failure) -> Self {
        FigureErrorOr::Failure(failure)
    }
}

fn failure(error: FigureErrorOr) -> Failure {
    match error {
        FigureErrorOr::Failure(failure) => failure,
        FigureErrorOr::Figure(error) => match error {
            FigureError::Table(error) => Failure::table(&error),
            FigureError::Stopped(stop) => Failure::stopped(stop),
            FigureError::Undecided => Failure::open("undecided", error.to_string()),
            FigureError::NoFormula(_) | FigureError::NoAutomaton(_) => {
                Failure::open("unknown", error.to_string())
            }
            error => Failure::bad("figure", error.to_string()),
        },
    }
}

impl Pen {
    /// Complains about what would fail later, before any work is done.
    pub(crate) fn check(&self) -> Result<(), Failure> {
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
        #[cfg(feature = "png")]
        if self.png.is_some() {
            return self.png.as_ref();
        }
        self.out.as_ref()
    }

    /// Writes the figure to where it was asked for.
    pub(crate) fn write(&self, drawing: &Drawing, output: &Output) -> Result<(), Failure> {
        #[cfg(feature = "png")]
        if let Some(path) = &self.png {
            let painted = figures::png(drawing, self.theme.into(), 2.0);
            let bytes = painted.map_err(|error| Failure::bad("figure", error.to_string()))?;
            return write(path, &bytes);
        }
        let text = match (output.is_json(), self.tikz, self.standalone) {
            (true, ..) => pens::json(drawing) + "\n",
            (_, true, _) => pens::tikz(drawing, pens::Frame::Input),
            (_, _, true) => pens::tikz(drawing, pens::Frame::Standalone),
            _ => pens::svg(drawing, self.theme.into()),
        };
        match &self.out {
            Some(path) => write(path, text.as_bytes()),
            None => output.raw(text.as_bytes()),
        }
    }
}
