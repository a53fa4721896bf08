//! What can be asked. Each question is a struct with what it needs, and `find`, which answers it with a
//! finished value: front ends show that as text, or as its JSON.

pub mod atlas;
pub mod check;
pub mod compare;
pub mod conjecture;
pub mod discover;
pub mod draw;
pub mod game;
pub mod guess;
pub mod moves;
pub mod pictures;
pub mod play;
pub mod prove;
pub mod reduce;
mod side;
pub mod slice;
pub mod solve;
pub mod structure;
pub mod table;
pub mod theorems;
pub mod verify;

use crate::failure::Failure;
use crate::host::Host;
use crate::status::Status;
use serde::Deserialize;

/// An answer that was found.
pub trait Found {
    /// How it ended.
    fn status(&self) -> Status;
    /// The JSON of the command line: one line, without its end.
    fn json(&self) -> String;
}

/// A question: read from JSON, where fields that it does not know are refused.
macro_rules! request {
    ($(#[$about:meta])* pub struct $name:ident { $($fields:tt)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        pub struct $name { $($fields)* }
    };
}
use request;

/// Declares the questions and their dispatch from one list.
macro_rules! asks {
    ($($name:ident: $request:ty),* $(,)?) => {
        /// A question, told apart by its field `ask`.
        #[derive(Clone, Debug, Deserialize)]
        #[serde(tag = "ask", rename_all = "lowercase")]
        #[allow(missing_docs, reason = "each is told by its own type")]
        pub enum Request {
            $($name($request),)*
        }

        impl Request {
            /// Its name.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Request::$name(_) => stringify!($name),)*
                }
            }

            /// The schemas of all questions, by name.
            #[cfg(test)]
            pub(crate) fn schemas() -> Vec<(&'static str, schemars::Schema)> {
                vec![$((stringify!($name), schemars::schema_for!($request))),*]
            }

            /// The answer, as a finished value.
            pub fn find(&self, host: &Host) -> Result<Box<dyn Found>, Failure> {
                match self {
                    $(Request::$name(request) => {
                        request.find(host).map(|found| Box::new(found) as Box<dyn Found>)
                    })*
                }
            }
        }
    };
}

asks! {
    Solve: solve::Solve,
    Moves: moves::Moves,
    Reduce: reduce::Reduce,
    Game: game::Game,
    Table: table::Table,
    Growth: table::Growth,
    Slice: slice::Slice,
    Check: check::Check,
    Prove: prove::Prove,
    Discover: discover::Discover,
    Guess: guess::Guess,
    Conjecture: conjecture::Conjecture,
    Verify: verify::Verify,
    Compare: compare::Compare,
    Atlas: atlas::Atlas,
    Theorems: theorems::Theorems,
    Invariants: structure::Invariants,
    Cheatsheet: structure::Cheatsheet,
    Subgames: structure::Subgames,
    Circuits: structure::Circuits,
    Draw: draw::Draw,
    Grid: pictures::Grid,
    Graph: pictures::Graph,
    Play: play::Play,
    Hint: play::Hint,
    Review: play::Review,
    Puzzle: play::Puzzle,
    Lessons: play::Lessons,
}

impl Request {
    /// Whether the answer may take long: work on whole boxes, and on proofs. Hosts that answer many questions
    /// let the others go first.
    pub fn is_long(&self) -> bool {
        match self {
            Request::Solve(_) | Request::Moves(_) | Request::Reduce(_) | Request::Game(_) => false,
            Request::Play(_) | Request::Hint(_) | Request::Review(_) => false,
            Request::Puzzle(_) | Request::Lessons(_) => false,
            Request::Atlas(atlas) => atlas.verify,
            Request::Theorems(theorems) => theorems.check,
            Request::Cheatsheet(sheet) => sheet.detect,
            Request::Draw(draw) => draw.is_long(),
            _ => true,
        }
    }
}
