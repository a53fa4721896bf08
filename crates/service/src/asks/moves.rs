//! Every move from a position, best first.

use super::{Found, request};
use crate::failure::Failure;
use crate::heights::Heights;
use crate::host::Host;
use crate::read;
use crate::status::Status;
use crate::units::{Size, Time};
use nimatron::render::{MovesAnswer, json};
use nimatron::{Page, Prepared};
use std::num::NonZeroU32;

request! {
    /// Every move from a position and the outcome it leads to, best first.
    pub struct Moves {
        /// The game.
        pub game: String,
        /// The position.
        pub position: Heights,
        /// List at most so many moves; 50 if not given.
        pub limit: Option<NonZeroU32>,
        /// Pass over so many moves first.
        #[serde(default)]
        pub skip: u32,
        /// Stop after this time; 10 seconds if not given.
        pub time: Option<Time>,
        /// Stop when this much memory is used; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

impl Moves {
    /// The moves.
    pub fn find(&self, host: &Host) -> Result<nimatron::Moves, Failure> {
        let game = read::game(&self.game)?;
        let position = read::position(&self.position, &game)?;
        let size = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
        let limit = self.limit.map_or(Page::default().limit, |n| size(n.get()));
        let page = Page { skip: size(self.skip), limit };
        let prepared = Prepared::knowing(game, host.knowledge());
        let found = prepared.moves(&position, page, &host.usual(self.time, self.memory));
        host.problems(prepared.knowledge());
        found.map_err(|error| Failure::bad("wrong-count", error.to_string()))
    }
}

impl Found for nimatron::Moves {
    fn status(&self) -> Status {
        match &self.unknown {
            None if self.outcome.is_none() => Status::Undecided,
            unknown => Status::of(unknown.as_ref().map(|u| u.stop)),
        }
    }

    fn json(&self) -> String {
        json::to_string(&MovesAnswer::from(self))
    }
}
