//! Grids and graphs of positions.

use super::{Found, request};
use crate::failure::Failure;
use crate::heights::Heights;
use crate::host::Host;
use crate::read;
use crate::status::Status;
use crate::units::{Size, Time};
use nimatron::crates::table::TableError;
use nimatron::graph::{GameGraph, GraphError, GraphKind};
use nimatron::grid::{Grid as PositionGrid, GridError};
use nimatron::render::{graph_json, grid_json, grid_stopped_json};
use nimatron::{Game, Stop};
use std::num::NonZeroU32;

request! {
    /// The position grid of a slow game.
    pub struct Grid {
        /// The game.
        pub game: String,
        /// Compute all positions up to this height, even if a theorem knows the cells.
        pub max: Option<u64>,
        /// Stop after this time; 10 seconds if not given.
        pub time: Option<Time>,
        /// Stop when this much memory is used; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

/// A grid, or what stopped it.
#[derive(Debug)]
pub enum Gridded {
    /// The grid.
    Grid(Box<PositionGrid>),
    /// The limit reached.
    Stopped(Game, Stop),
}

impl Grid {
    /// The grid.
    pub fn find(&self, host: &Host) -> Result<Gridded, Failure> {
        let game = read::game(&self.game)?;
        let watch = host.metered(&host.usual(self.time, self.memory));
        match PositionGrid::of(&game, self.max, &watch) {
            Ok(grid) => Ok(Gridded::Grid(Box::new(grid))),
            Err(GridError::Table(TableError::Stopped(stop))) => Ok(Gridded::Stopped(game, stop)),
            Err(error) => Err(Failure::bad("grid", error.to_string())),
        }
    }
}

impl Found for Gridded {
    fn status(&self) -> Status {
        match self {
            Gridded::Grid(_) => Status::Answered,
            Gridded::Stopped(_, stop) => Status::of(Some(*stop)),
        }
    }

    fn json(&self) -> String {
        match self {
            Gridded::Grid(grid) => grid_json(grid),
            Gridded::Stopped(game, stop) => grid_stopped_json(game, *stop),
        }
    }
}

request! {
    /// All positions that can be reached, with their moves and outcomes.
    pub struct Graph {
        /// The game.
        pub game: String,
        /// The position.
        pub position: Heights,
        /// Keep unplayable tokens.
        #[serde(default)]
        pub full: bool,
        /// Give up if more positions than this can be reached; 200 if not given.
        pub limit: Option<NonZeroU32>,
    }
}

/// Positions of a graph, at the most.
pub const MOST_POSITIONS: u32 = 100_000;

impl Graph {
    /// The graph.
    pub fn find(&self, _: &Host) -> Result<GameGraph, Failure> {
        let game = read::game(&self.game)?;
        let position = read::position(&self.position, &game)?;
        let kind = if self.full { GraphKind::Full } else { GraphKind::Playable };
        let limit = self.limit.map_or(200, NonZeroU32::get);
        if limit > MOST_POSITIONS {
            let message = format!("limit must be from 1 to {MOST_POSITIONS}");
            return Err(Failure::bad("limit", message));
        }
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        GameGraph::of(&game, &position, kind, most).map_err(|error| {
            let advice = match error {
                GraphError::Stacks { .. } => String::new(),
                _ if limit >= MOST_POSITIONS => "; no larger --limit is allowed".to_string(),
                _ => format!("; ask for more with --limit N, up to {MOST_POSITIONS}"),
            };
            Failure::bad("too-large", format!("{error}{advice}"))
        })
    }
}

impl Found for GameGraph {
    fn status(&self) -> Status {
        Status::Answered
    }

    fn json(&self) -> String {
        graph_json(self)
    }
}
