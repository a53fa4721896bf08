//! Whether a formula describes the P-positions, up to some height.

use super::side::{condition, side};
use super::{Found, request};
use crate::failure::Failure;
use crate::heights::Heights;
use crate::host::Host;
use crate::read;
use crate::status::Status;
use crate::units::{Size, Time};
use nimatron::Stop;
use nimatron::check::{Check as Checked, CompileError, Conjecture};
use nimatron::render::{CheckAnswer, json};

request! {
    /// Compare a formula with the computed P-positions, up to some height.
    pub struct Check {
        /// The game.
        pub game: String,
        /// The formula.
        pub formula: String,
        /// The greatest height, for all stacks or for each; about a second's work if not given.
        pub max: Option<Heights>,
        /// Claim only that every P-position satisfies the formula.
        #[serde(default)]
        pub necessary: bool,
        /// Claim only that no N-position satisfies the formula.
        #[serde(default)]
        pub sufficient: bool,
        /// Only positions that satisfy this formula count.
        #[serde(rename = "where")]
        pub condition: Option<String>,
        /// Stop after this time.
        pub time: Option<Time>,
        /// Stop when this much memory is used; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

impl Check {
    /// The comparison.
    pub fn find(&self, host: &Host) -> Result<Checked, Failure> {
        let game = read::game(&self.game)?;
        let formula = read::formula(&self.formula, &game)?;
        let bad = |error: CompileError| Failure::bad("formula", error.to_string());
        let side = side(self.necessary, self.sufficient)?;
        let conjecture = Conjecture::new(&game, &formula).map_err(bad)?.side(side);
        let conjecture = match condition(self.condition.as_ref(), &game)? {
            Some(condition) => conjecture.within(&condition).map_err(bad)?,
            None => conjecture,
        };
        let max = match &self.max {
            Some(max) => read::max(max, &game)?,
            None => vec![conjecture.suggested_max(); game.stacks()],
        };
        let watch = host.metered(&host.patient(self.time, self.memory));
        let checked = conjecture.check(&max, &*host.crew(), &watch);
        checked.map_err(|error| Failure::bad("box", error.to_string()))
    }
}

impl Found for Checked {
    fn status(&self) -> Status {
        match (self.holds(), self.stop) {
            (_, Some(Stop::Cancelled)) => Status::Interrupted,
            (Some(true), _) => Status::Answered,
            (Some(false), _) => Status::Negative,
            (None, _) => Status::Undecided,
        }
    }

    fn json(&self) -> String {
        json::to_string(&CheckAnswer::from(self))
    }
}
