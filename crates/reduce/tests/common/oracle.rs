//! Values by the definitions alone. This crate knows no tables.

use nimatron_game::{Game, Height, Outcome, Position, Rule};
use std::collections::HashMap;

/// What the definitions say about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Values {
    pub(crate) outcome: Outcome,
    /// Under normal play the Grundy value.
    pub(crate) grundy: u32,
    pub(crate) remoteness: u32,
}

/// The values of a game at the positions met so far.
pub(crate) struct Oracle<'a> {
    game: &'a Game,
    known: HashMap<Vec<Height>, Values>,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(game: &'a Game) -> Self {
        Oracle { game, known: HashMap::new() }
    }

    pub(crate) fn at(&mut self, heights: &[Height]) -> Values {
        if let Some(&values) = self.known.get(heights) {
            return values;
        }
        let takes: Vec<_> = self.game.moves(heights).collect();
        let options: Vec<Values> =
            takes.iter().map(|take| self.at(&Rule::option(heights, take))).collect();
        let values = match options.is_empty() {
            true => Values { outcome: self.game.convention().terminal(), grundy: 0, remoteness: 0 },
            false => of_options(&options),
        };
        self.known.insert(heights.to_vec(), values);
        values
    }
}

fn of_options(options: &[Values]) -> Values {
    let least_p = options.iter().filter(|o| o.outcome == Outcome::P).map(|o| o.remoteness).min();
    let longest = options.iter().map(|o| o.remoteness).max().unwrap_or(0);
    Values {
        outcome: if least_p.is_some() { Outcome::N } else { Outcome::P },
        grundy: (0..).find(|g| options.iter().all(|o| o.grundy != *g)).unwrap_or(0),
        remoteness: 1 + least_p.unwrap_or(longest),
    }
}

pub(crate) fn outcome(game: &Game, at: &Position) -> Outcome {
    Oracle::new(game).at(at).outcome
}
