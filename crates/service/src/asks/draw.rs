//! Figures of games, positions and answers.

use super::{Found, request};
use crate::failure::Failure;
use crate::heights::Heights;
use crate::host::Host;
use crate::read;
use crate::status::Status;
use crate::units::{Size, Time};
use crate::word::word;
use nimatron::figures::{self, BoardOptions, Drawing, FigureError, SliceValues, pens};
use nimatron::graph::{GameGraph, GraphKind};
use nimatron::grid::{Grid, GridError};
use nimatron::proofs::{DiscoverMethod, Judgement, ProveMethod, Proved, discover, prove};
use nimatron::render::json;
use nimatron::structure::{A_SECOND, Circuits, Subgames, affordable_box};
use nimatron::{Game, Height, Knowledge, Limits, Options, Position, Prepared, StackSet};
use serde::Serialize;

request! {
    /// A figure of a game, a position or an answer.
    pub struct Draw {
        /// The game.
        pub game: String,
        /// The position, where the figure needs one.
        pub position: Option<Heights>,
        /// What is drawn: if not given the game, or the position, or the move, as far as they are given.
        pub what: Option<What>,
        /// The move: how many tokens are taken from each stack.
        pub take: Option<Heights>,
        /// How heights are shown; both ways where tokens have a place, if not given.
        pub heights: Option<Shown>,
        /// How stacks are arranged; as suits the game, if not given.
        pub layout: Option<Layout>,
        /// Stacks to point out, by their letters.
        pub point: Option<String>,
        /// The formula whose structure is drawn; that of the theorem or proof, if not given.
        pub formula: Option<String>,
        /// The stacks along the axes of a slice, by their letters; the first two, if not given.
        pub axes: Option<String>,
        /// The greatest height of a slice or of growth, the most stacks of the frontier.
        pub max: Option<u64>,
        /// What the cells of a slice show; Grundy values, if not given.
        pub values: Option<Values>,
        /// How the figure is told: its geometry, or a picture as text.
        #[serde(default)]
        pub pen: Pen,
        /// The colours of an SVG picture.
        pub theme: Option<Theme>,
        /// Stop after this time; 10 seconds if not given.
        pub time: Option<Time>,
        /// Stop when this much memory is used; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

word! {
    /// What is drawn.
    pub enum What {
        /// The stacks and sets.
        Game = "game",
        /// The heights.
        Position = "position",
        /// A position, what is taken, and the position after.
        Move = "move",
        /// Which stacks of P-positions are equal, which sums balance.
        Structure = "structure",
        /// How a position is reduced, and how the winning move comes back.
        Process = "process",
        /// The games that are left when stacks are empty.
        Subgames = "subgames",
        /// The circuits of the sets, up to symmetry.
        Circuits = "circuits",
        /// Two stacks as axes, the others as in the position.
        Slice = "slice",
        /// How the number of P-positions grows with the height.
        Growth = "growth",
        /// Which circular games are solved.
        Frontier = "frontier",
        /// The transitions of an automaton that accepts the P-positions.
        Automaton = "automaton",
        /// The position grid of a slow game, with the moves of a position.
        Grid = "grid",
        /// All positions that can be reached.
        Graph = "graph",
    }
}

word! {
    /// What the cells of a slice show.
    pub enum Values {
        /// Grundy values.
        Grundy = "grundy",
        /// P or N.
        Outcomes = "outcomes",
        /// How many moves best play lasts.
        Remoteness = "remoteness",
    }
}

word! {
    /// How heights are shown.
    pub enum Shown {
        /// As numbers.
        Numbers = "numbers",
        /// As tokens.
        Tokens = "tokens",
        /// As tokens with numbers.
        Both = "both",
    }
}

word! {
    /// How stacks are arranged.
    pub enum Layout {
        /// On a circle.
        Ring = "ring",
        /// Side by side.
        Row = "row",
    }
}

word! {
    /// How a figure is told.
    #[derive(Default, Serialize)]
    pub enum Pen {
        /// Its geometry, for programs that draw by themselves.
        #[default]
        Json = "json",
        /// An SVG picture.
        Svg = "svg",
        /// A TikZ picture, to be read with \input.
        Tikz = "tikz",
        /// A LaTeX document with the TikZ picture and nothing else.
        Standalone = "standalone",
    }
}

word! {
    /// The colours of an SVG picture.
    pub enum Theme {
        /// Light or dark as the reader has it.
        Auto = "auto",
        /// For light pages.
        Light = "light",
        /// For dark pages.
        Dark = "dark",
        /// For print.
        Print = "print",
    }
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

/// A figure, and how it is told.
#[derive(Debug)]
pub struct Drawn {
    /// The figure.
    pub drawing: Drawing,
    /// How it is told.
    pub pen: Pen,
    /// The colours of an SVG picture.
    pub theme: Theme,
}

impl Drawn {
    /// The figure as text, without a line end where it is JSON.
    pub fn text(&self) -> String {
        match self.pen {
            Pen::Json => pens::json(&self.drawing),
            Pen::Svg => pens::svg(&self.drawing, self.theme.into()),
            Pen::Tikz => pens::tikz(&self.drawing, pens::Frame::Input),
            Pen::Standalone => pens::tikz(&self.drawing, pens::Frame::Standalone),
        }
    }
}

/// A picture as text, in JSON.
#[derive(Serialize)]
struct Picture<'a> {
    title: &'a str,
    pen: Pen,
    text: String,
}

impl Found for Drawn {
    fn status(&self) -> Status {
        Status::Answered
    }

    fn json(&self) -> String {
        match self.pen {
            Pen::Json => self.text(),
            pen => json::to_string(&Picture { title: &self.drawing.title, pen, text: self.text() }),
        }
    }
}

impl Draw {
    /// The figure.
    pub fn find(&self, host: &Host) -> Result<Drawn, Failure> {
        let game = read::game(&self.game)?;
        let position =
            self.position.as_ref().map(|text| read::position(text, &game)).transpose()?;
        if self.theme.is_some() && self.pen != Pen::Svg {
            return Err(Failure::useless("--theme", "only SVG has colours of its own"));
        }
        let what = self.what.unwrap_or(match (&position, &self.take) {
            (None, _) => What::Game,
            (Some(_), Some(_)) => What::Move,
            (Some(_), None) => What::Position,
        });
        self.refuse_useless(what, position.is_some())?;
        let drawing = self.figure(&game, position.as_ref(), what, host);
        let (pen, theme) = (self.pen, self.theme.unwrap_or(Theme::Auto));
        Ok(Drawn { drawing: drawing.map_err(Refused::failure)?, pen, theme })
    }

    fn figure(
        &self,
        game: &Game,
        position: Option<&Position>,
        what: What,
        host: &Host,
    ) -> Result<Drawing, Refused> {
        let limits = host.usual(self.time, self.memory);
        let prepared = Prepared::knowing(game.clone(), host.knowledge());
        let drawing = self.figure_of(&prepared, position, what, &limits);
        host.problems(prepared.knowledge());
        drawing
    }

    fn figure_of(
        &self,
        prepared: &Prepared,
        position: Option<&Position>,
        what: What,
        limits: &Limits,
    ) -> Result<Drawing, Refused> {
        let (game, knowledge) = (prepared.game(), prepared.knowledge());
        let wanted = || {
            let message = "a position is needed for this figure".to_string();
            position.ok_or_else(|| Failure::bad("no-position", message))
        };
        match what {
            What::Game => lift(figures::game(game, &self.options(game)?)),
            What::Position => lift(figures::position(game, wanted()?, &self.options(game)?)),
            What::Move => self.step(game, wanted()?),
            What::Structure => self.structure(game, knowledge),
            What::Process => {
                let options = Options::default().limits(limits.clone());
                let verdict = prepared.ask(wanted()?, &options);
                let verdict =
                    verdict.map_err(|error| Failure::bad("wrong-count", error.to_string()))?;
                lift(figures::process(&verdict))
            }
            What::Subgames => {
                let found = Subgames::of(game, knowledge, &limits.start());
                lift(figures::subgames(game, &found))
            }
            What::Circuits => match Circuits::of(game, 2000, &limits.start()) {
                Some(found) => lift(figures::circuits(&found)),
                None if game.single().is_none() => Err(FigureError::Sum.into()),
                None => Err(FigureError::NoCircuits.into()),
            },
            What::Slice => {
                let values = match self.values {
                    None | Some(Values::Grundy) => SliceValues::Grundy,
                    Some(Values::Outcomes) => SliceValues::Outcomes,
                    Some(Values::Remoteness) => SliceValues::Remoteness,
                };
                let zero = Position::zero(game.stacks());
                let (heights, axes) = (position.unwrap_or(&zero), self.axes(game)?);
                let max: Height = self.max.unwrap_or(12);
                lift(figures::slice(game, heights, axes, max, values, &limits.start()))
            }
            What::Growth => {
                let quick = || affordable_box(game, A_SECOND / 4.0).unwrap_or(4);
                lift(figures::growth(game, self.max.unwrap_or_else(quick), &limits.start()))
            }
            What::Frontier => {
                let most = usize::try_from(self.max.unwrap_or(16)).unwrap_or(usize::MAX);
                lift(figures::frontier(most))
            }
            What::Automaton => lift(automaton(game, knowledge, limits)),
            What::Grid => match Grid::of(game, self.max, &limits.start()) {
                Ok(found) => lift(figures::grid(&found, position)),
                Err(GridError::Table(error)) => Err(FigureError::Table(error).into()),
                Err(error) => Err(Failure::bad("grid", error.to_string()).into()),
            },
            What::Graph => {
                let found = GameGraph::of(game, wanted()?, GraphKind::Playable, 200)
                    .map_err(|error| Failure::bad("too-large", error.to_string()))?;
                lift(figures::graph(&found))
            }
        }
    }

    /// Whether the figure may take long: boards are drawn as they are.
    pub(super) fn is_long(&self) -> bool {
        !matches!(self.what, None | Some(What::Game | What::Position | What::Move | What::Process))
    }

    /// Complains about fields that do nothing for this figure.
    fn refuse_useless(&self, what: What, position: bool) -> Result<(), Failure> {
        use What::{
            Frontier, Game, Graph, Grid, Growth, Move, Position, Process, Slice, Structure,
        };
        let only = |given: bool, option: &str, of: &[What], why: &str| match given
            && !of.contains(&what)
        {
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

    fn step(&self, game: &Game, position: &Position) -> Result<Drawing, Refused> {
        let Some(text) = &self.take else {
            let message = "name the move with --take".to_string();
            return Err(Failure::bad("no-move", message).into());
        };
        let take = read::take(text, game)?;
        if let Err(error) = game.play(position.clone(), &take) {
            return Err(Failure::bad("illegal-move", error.to_string()).into());
        }
        lift(figures::step(game, position, &take, &self.options(game)?))
    }

    fn structure(&self, game: &Game, knowledge: &Knowledge) -> Result<Drawing, Refused> {
        let formula = match &self.formula {
            Some(text) => read::formula(text, game)?,
            None => match figures::formula_of(game, knowledge) {
                Some((formula, _)) => formula,
                None => return Err(FigureError::NoFormula(game.to_string()).into()),
            },
        };
        lift(figures::structure(game, &formula))
    }

    fn axes(&self, game: &Game) -> Result<(usize, usize), Failure> {
        let Some(text) = &self.axes else { return Ok((0, 1)) };
        match &stacks(text, game, "--axes")?[..] {
            [across, up] => Ok((*across, *up)),
            _ => Err(Failure::bad("axes", "--axes names two stacks, as in ac".to_string())),
        }
    }

    fn options(&self, game: &Game) -> Result<BoardOptions, Failure> {
        let heights = self.heights.map(|heights| match heights {
            Shown::Numbers => figures::Heights::Numbers,
            Shown::Tokens => figures::Heights::Tokens,
            Shown::Both => figures::Heights::Both,
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

/// The automaton of a proof that is kept, or else of one that is found within the limits: of the formula, where one is
/// known.
fn automaton(game: &Game, knowledge: &Knowledge, limits: &Limits) -> Result<Drawing, FigureError> {
    let rule = game.single().ok_or(FigureError::Sum)?;
    let drawn = |proved: &Proved| {
        let automaton = proved.automaton()?;
        Some(figures::automaton(proved.game(), automaton.dfa()))
    };
    let stored = knowledge.proof(rule, game.convention());
    if let Some(drawing) = stored.as_ref().and_then(|stored| drawn(stored.proved())) {
        return drawing;
    }
    let found = match figures::formula_of(game, knowledge) {
        Some((formula, _)) => {
            match prove(game, &formula, ProveMethod::Automata, limits).judgement {
                Judgement::Proved(found) => Some(found),
                _ => None,
            }
        }
        None => discover(game, DiscoverMethod::Automata, limits).found,
    };
    let drawing = found.as_ref().and_then(|found| drawn(&found.proved));
    drawing.unwrap_or_else(|| Err(FigureError::NoAutomaton(game.to_string())))
}

/// Stacks by their letters.
fn stacks(text: &str, game: &Game, option: &str) -> Result<Vec<usize>, Failure> {
    let stack = |letter: char| {
        let found = ('a'..='z').take(game.stacks()).position(|c| c == letter);
        found.ok_or_else(|| {
            let message =
                format!("{option} names stacks by their letters, but {game} has no {letter:?}");
            Failure::bad("unknown-name", message)
        })
    };
    text.chars().map(stack).collect()
}

/// A figure that cannot be drawn, or a question that makes no sense.
enum Refused {
    Figure(FigureError),
    Failure(Failure),
}

fn lift<E: Into<FigureError>>(drawn: Result<Drawing, E>) -> Result<Drawing, Refused> {
    drawn.map_err(|error| Refused::Figure(error.into()))
}

impl From<FigureError> for Refused {
    fn from(error: FigureError) -> Self {
        Refused::Figure(error)
    }
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Self {
        Refused::Failure(failure)
    }
}

impl Refused {
    fn failure(self) -> Failure {
        let error = match self {
            Refused::Failure(failure) => return failure,
            Refused::Figure(error) => error,
        };
        match error {
            FigureError::Table(error) => Failure::table(&error),
            FigureError::Stopped(stop) => Failure::stopped(stop),
            FigureError::Undecided => Failure::open("undecided", error.to_string()),
            FigureError::NoFormula(_) | FigureError::NoAutomaton(_) => {
                Failure::open("unknown", error.to_string())
            }
            error => Failure::bad("figure", error.to_string()),
        }
    }
}
