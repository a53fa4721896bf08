//! The steps that make a game or a position smaller.

use super::{Found, request};
use crate::failure::Failure;
use crate::heights::Heights;
use crate::host::Host;
use crate::read;
use crate::status::Status;
use nimatron::Game;
use nimatron::crates::game::StackSet;
use nimatron::crates::reduce::{Chain, State};
use nimatron::render::{Heights as Shown, json};
use nimatron::structure::invariance_process;

request! {
    /// How a game, or a position, becomes a smaller one.
    pub struct Reduce {
        /// The game.
        pub game: String,
        /// The position; without one, the reductions are those of the game itself.
        pub position: Option<Heights>,
        /// Also drop stacks that lie in every set.
        #[serde(default)]
        pub cone: bool,
        /// Also take tokens off along invariant vectors.
        #[serde(default)]
        pub invariance: bool,
        /// The vectors to take off first, in this order: `"110101,101011"` or `"abdf,acef"`.
        pub vectors: Option<String>,
    }
}

/// The reductions.
#[derive(Debug)]
pub struct Reduction {
    /// The game asked about.
    pub game: Game,
    /// Its reductions.
    pub chain: Chain,
    /// Whether there are heights to show.
    pub heights: Shown,
}

impl Reduce {
    /// The reductions.
    pub fn find(&self, host: &Host) -> Result<Reduction, Failure> {
        let game = read::game(&self.game)?;
        let position = match &self.position {
            Some(text) => Some(read::position(text, &game)?),
            None => None,
        };
        let by_vectors = self.invariance || self.vectors.is_some();
        if by_vectors && self.cone {
            return Err(Failure::useless("cone", "invariance drops such stacks anyway"));
        }
        if by_vectors && position.is_none() {
            return Err(Failure::useless("invariance", "it needs a position"));
        }
        let (chain, heights) = match position {
            None => (start(State::generic(&game), self.cone), Shown::Hidden),
            Some(position) if by_vectors => {
                let vectors =
                    self.vectors.as_deref().map(|v| read_vectors(v, &game)).transpose()?;
                let knowledge = host.knowledge();
                let chain = invariance_process(&game, &position, vectors.as_deref(), &knowledge);
                host.problems(&knowledge);
                (chain.map_err(|e| Failure::bad("vectors", e.to_string()))?, Shown::Shown)
            }
            Some(position) => {
                let state = State::new(&game, &position);
                let state = state.map_err(|e| Failure::bad("wrong-count", e.to_string()))?;
                (start(state, self.cone), Shown::Shown)
            }
        };
        Ok(Reduction { game, chain, heights })
    }
}

fn start(state: State, cone: bool) -> Chain {
    if cone { Chain::reduce_with_cone(state) } else { Chain::reduce(state) }
}

impl Found for Reduction {
    fn status(&self) -> Status {
        Status::Answered
    }

    fn json(&self) -> String {
        json::to_string(&json::Reduce::new(&self.game, &self.chain, self.heights))
    }
}

/// Vectors written as zeros and ones, or as the stacks they have ones at.
fn read_vectors(text: &str, game: &Game) -> Result<Vec<StackSet>, Failure> {
    text.split(',').map(|word| read_vector(word.trim(), game)).collect()
}

fn read_vector(word: &str, game: &Game) -> Result<StackSet, Failure> {
    let n = game.stacks();
    let bad = || {
        let message = format!("{word:?} is no vector of this game: write 0 or 1 for each stack");
        Failure::bad("vectors", message)
    };
    if word.is_empty() {
        return Err(bad());
    }
    if word.chars().all(|c| c == '0' || c == '1') {
        let ones = word.chars().enumerate().filter(|(_, c)| *c == '1');
        return if word.len() == n { Ok(ones.map(|(i, _)| i).collect()) } else { Err(bad()) };
    }
    let stack = |c: char| match c {
        'a'..='z' => Some(usize::from(c as u8 - b'a')).filter(|&s| s < n && n <= 26),
        _ => None,
    };
    let stacks: Option<Vec<usize>> = word.chars().map(stack).collect();
    stacks.map(|s| s.into_iter().collect()).ok_or_else(bad)
}
