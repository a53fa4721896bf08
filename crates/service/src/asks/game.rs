//! What a game is like.

use super::{Found, request};
use crate::failure::Failure;
use crate::host::Host;
use crate::read;
use crate::status::Status;
use nimatron::render::json;
use nimatron::structure::GameInfo;

request! {
    /// A game's moves, sets, symmetries and reductions, and what is known about it.
    pub struct Game {
        /// The game.
        pub game: String,
    }
}

impl Game {
    /// What it is like.
    pub fn find(&self, host: &Host) -> Result<GameInfo, Failure> {
        let game = read::game(&self.game)?;
        let knowledge = host.knowledge();
        let info = GameInfo::knowing(&game, &knowledge);
        host.problems(&knowledge);
        Ok(info)
    }
}

impl Found for GameInfo {
    fn status(&self) -> Status {
        Status::Answered
    }

    fn json(&self) -> String {
        json::to_string(&json::GameAnswer::from(self))
    }
}
