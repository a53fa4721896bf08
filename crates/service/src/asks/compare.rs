//! Whether two games have the same P-positions.

use super::{Found, request};
use crate::failure::Failure;
use crate::host::Host;
use crate::read;
use crate::status::Status;
use crate::units::{Size, Time};
use nimatron::proofs::Sameness;
use nimatron::render::{SamenessAnswer, json};
use nimatron::structure::{A_SECOND, affordable_box};
use std::num::NonZeroU32;

request! {
    /// Do two games have the same P-positions?
    pub struct Compare {
        /// The two games.
        pub games: [String; 2],
        /// Compare all heights up to this; what takes about a second if not given.
        pub max: Option<NonZeroU32>,
        /// Stop after this time; 10 seconds if not given.
        pub time: Option<Time>,
        /// Stop when this much memory is used; 2 GB if not given.
        pub memory: Option<Size>,
    }
}

impl Compare {
    /// The comparison.
    pub fn find(&self, host: &Host) -> Result<Sameness, Failure> {
        let (first, second) = (read::game(&self.games[0])?, read::game(&self.games[1])?);
        if first.stacks() != second.stacks() {
            let message = format!(
                "{first} has {} stacks and {second} has {}: positions of one are none of the other",
                first.stacks(),
                second.stacks()
            );
            return Err(Failure::bad("wrong-count", message));
        }
        let limits = host.usual(self.time, self.memory);
        let affordable = || affordable_box(&first, A_SECOND).min(affordable_box(&second, A_SECOND));
        let asked = self.max.map(|n| n.get().into());
        // No box says more about two names of one game than that they are.
        let max = match Sameness::is_evident([&first, &second]) {
            true => affordable().unwrap_or(0).min(asked.unwrap_or(u64::MAX)),
            false => asked.or_else(affordable).ok_or_else(|| {
                let message = "no box of these games is small enough; name one with --max";
                Failure::open("too-large", message.to_string())
            })?,
        };
        let knowledge = host.knowledge();
        let watch = host.metered(&limits);
        let found = Sameness::of([&first, &second], max, &knowledge, &limits, &watch);
        host.problems(&knowledge);
        found.map_err(|error| Failure::table(&error))
    }
}

impl Found for Sameness {
    fn status(&self) -> Status {
        if self.is_equal() { Status::Answered } else { Status::Negative }
    }

    fn json(&self) -> String {
        json::to_string(&SamenessAnswer::from(self))
    }
}
