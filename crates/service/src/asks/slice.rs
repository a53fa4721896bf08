//! A slice of the positions of a game: two stacks are the axes, the others are as they are.

use super::{Found, request};
use crate::failure::Failure;
use crate::heights::Heights;
use crate::host::Host;
use crate::read;
use crate::status::Status;
use crate::units::{Size, Time};
use crate::word::word;
use nimatron::crates::game::{Known, Watch};
use nimatron::crates::table::{Table, TableError, grundy, outcomes, remoteness};
use nimatron::render::json::{self, Limit};
use nimatron::render::stack;
use nimatron::{By, Explain, Game, Height, Options, Outcome, Play, Position, Prepared, Stop};
use serde::Serialize;

request! {
    /// Outcomes, Grundy values or remotenesses of a slice: two stacks are the axes.
    pub struct Slice {
        /// The game.
        pub game: String,
        /// The heights of the stacks; those of the two axes are not looked at.
        pub position: Heights,
        /// The stack along the rows, by letter or by number from 1.
        pub x: String,
        /// The stack along the columns.
        pub y: String,
        /// The greatest height of both axes, at most 255.
        pub max: u8,
        /// What is told of each position.
        #[serde(default)]
        pub of: Of,
        /// Stop after this time; 10 seconds if not given.
        pub time: Option<Time>,
        /// Stop when this much memory is used; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

word! {
    /// What is told of each position.
    #[derive(Default, Serialize)]
    pub enum Of {
        /// `"P"` or `"N"`.
        #[default]
        Outcomes = "outcomes",
        /// The Grundy value.
        Grundy = "grundy",
        /// How many moves best play lasts.
        Remoteness = "remoteness",
    }
}

/// What is told of one position, `null` where it is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
enum Cell {
    Outcome(&'static str),
    Value(u64),
}

/// A slice.
#[derive(Debug, Serialize)]
pub struct Sliced {
    game: String,
    position: Vec<Height>,
    x: String,
    y: String,
    max: u8,
    of: Of,
    /// Where the values come from: `"table"`, or `"theorem"` for what is known for all heights.
    by: &'static str,
    /// One row for each height of `y`, from 0; in it one entry for each height of `x`.
    rows: Vec<Vec<Option<Cell>>>,
    limit: Option<Limit>,
    #[serde(skip)]
    stop: Option<Stop>,
}

/// Where the box below a slice is larger, it is not tabulated.
const MOST_TABULATED: u128 = 20_000_000;

impl Slice {
    /// The slice.
    pub fn find(&self, host: &Host) -> Result<Sliced, Failure> {
        let game = read::game(&self.game)?;
        let position = read::position(&self.position, &game)?;
        let (x, y) = (axis(&self.x, &game)?, axis(&self.y, &game)?);
        if x == y {
            return Err(Failure::bad("axes", "the two axes must be different stacks".into()));
        }
        if self.of == Of::Grundy && game.convention() == Play::Misere {
            let message = "Grundy values are defined for normal play only".to_string();
            return Err(Failure::bad("misere", message));
        }
        let limits = host.usual(self.time, self.memory);
        let watch = host.metered(&limits);
        let mut corner = position.to_vec();
        (corner[x], corner[y]) = (self.max.into(), self.max.into());
        let at = |i: u8, j: u8| {
            let mut heights = position.to_vec();
            (heights[x], heights[y]) = (i.into(), j.into());
            heights
        };
        let mut sliced = Sliced {
            game: game.to_string(),
            position: at(0, 0),
            x: stack(x, game.stacks()),
            y: stack(y, game.stacks()),
            max: self.max,
            of: self.of,
            by: if self.of == Of::Remoteness { "table" } else { "theorem" },
            rows: vec![vec![None; usize::from(self.max) + 1]; usize::from(self.max) + 1],
            limit: None,
            stop: None,
        };
        let volume = corner.iter().fold(1u128, |v, &h| v.saturating_mul(u128::from(h) + 1));
        let prepared = Prepared::knowing(game, host.knowledge());
        let small = volume <= MOST_TABULATED;
        let known = prepared.knowledge().solved(prepared.game()).is_some();
        let table = match self.of {
            Of::Outcomes if known || !small => {
                let options = Options::default().limits(limits.clone());
                Ok(Source::Asking(options.explain(Explain::Nothing)))
            }
            Of::Outcomes => outcomes::table(prepared.game(), &corner, &watch).map(Source::Outcomes),
            Of::Grundy if !small => Ok(Source::Theorem),
            Of::Grundy => grundy::table(prepared.game(), &corner, &watch).map(Source::Values),
            Of::Remoteness if !small => return Ok(sliced.stopped(Stop::Work)),
            Of::Remoteness => {
                remoteness::table(prepared.game(), &corner, &watch).map(Source::Values)
            }
        };
        let source = match table {
            Ok(source) => source,
            Err(TableError::Stopped(stop)) => return Ok(sliced.stopped(stop)),
            Err(TableError::TooLarge { .. }) => return Ok(sliced.stopped(Stop::Memory)),
            Err(error) => return Err(Failure::table(&error)),
        };
        // What is known for all heights is not tabulated.
        if matches!(source, Source::Values(_) | Source::Outcomes(_)) {
            sliced.by = "table";
        }
        for j in 0..=self.max {
            watch.progress(j.into(), u128::from(self.max) + 1);
            for i in 0..=self.max {
                let heights = at(i, j);
                let Ok(place) = Position::new(heights) else { continue };
                let cell = match &source {
                    Source::Values(table) => table.get(&place).map(|v| Cell::Value(v.into())),
                    Source::Outcomes(table) => table.get(&place).map(told),
                    Source::Theorem => value(&prepared, &place).map(Cell::Value),
                    Source::Asking(options) => {
                        if let Err(stop) = watch.check(0) {
                            return Ok(sliced.stopped(stop));
                        }
                        let verdict = prepared.ask(&place, options);
                        let verdict =
                            verdict.map_err(|e| Failure::bad("wrong-count", e.to_string()))?;
                        if !matches!(verdict.by, Some(By::Theorem { .. } | By::Proof { .. })) {
                            sliced.by = "table";
                        }
                        if let Some(unknown) = &verdict.unknown {
                            return Ok(sliced.stopped(unknown.stop));
                        }
                        verdict.outcome.map(told)
                    }
                };
                if let Some(row) = sliced.rows.get_mut(usize::from(j))
                    && let Some(entry) = row.get_mut(usize::from(i))
                {
                    *entry = cell;
                }
            }
        }
        host.problems(prepared.knowledge());
        Ok(sliced)
    }
}

/// Where the entries of a slice come from.
enum Source {
    Values(Table<u32>),
    Outcomes(Table<Outcome>),
    Theorem,
    Asking(Options),
}

fn told(outcome: Outcome) -> Cell {
    Cell::Outcome(if outcome == Outcome::P { "P" } else { "N" })
}

/// The Grundy value that theorems give.
fn value(prepared: &Prepared, at: &Position) -> Option<u64> {
    prepared.game().summands().iter().try_fold(0, |value, summand| {
        let part = prepared.knowledge().grundy(summand.rule(), &at[summand.stacks()])?;
        Some(value ^ part)
    })
}

/// A stack by its letter, or by its number from 1.
fn axis(text: &str, game: &Game) -> Result<usize, Failure> {
    let n = game.stacks();
    let named = (0..n).find(|&s| stack(s, n) == text.trim());
    let number = || text.trim().parse::<usize>().ok()?.checked_sub(1).filter(|&s| s < n);
    named.or_else(number).ok_or_else(|| {
        Failure::bad("axes", format!("{text:?} is no stack of {game}, which has {n}"))
    })
}

impl Sliced {
    fn stopped(self, stop: Stop) -> Self {
        Sliced { limit: Some(stop.into()), stop: Some(stop), ..self }
    }
}

impl Found for Sliced {
    fn status(&self) -> Status {
        Status::of(self.stop)
    }

    fn json(&self) -> String {
        json::to_string(self)
    }
}
