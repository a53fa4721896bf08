//! What can be said about a game that neither a theorem nor a proof covers.

use crate::knowledge::Knowledge;
use crate::subgames::Subgames;
use nimatron_game::{Game, Stop, Watch};
use nimatron_reduce::{Chain, State};
use std::sync::atomic::{AtomicU32, Ordering};

/// An open game: neither a theorem nor a proof covers it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Open {
    /// The game, as small as reductions make it at the position asked about.
    pub game: Game,
    /// The open games inside it that contain no smaller open one: it cannot be solved before
    /// these. Empty if all games inside it are solved.
    pub obstacles: Vec<Game>,
}

impl Open {
    /// What is open at the end of a chain; `None` if a theorem or a proof covers some state on the
    /// way.
    pub(crate) fn of(chain: &Chain, knowledge: &Knowledge) -> Option<Self> {
        let covered = |state: &State| match &state.parts[..] {
            [part] => {
                knowledge.theorem(&part.rule, state.play).is_some()
                    || knowledge.proof(&part.rule, state.play).is_some()
            }
            _ => false,
        };
        if (0..=chain.steps().len()).any(|taken| covered(chain.after(taken))) {
            return None;
        }
        let end = chain.end();
        let games: Option<Vec<Game>> = end.parts.iter().map(|p| p.game()).collect();
        let sum = games?.into_iter().reduce(|a, b| a.plus(b).expect("no more stacks than before"));
        let game = sum?.under(end.play);
        let inside = Subgames::of(&game, knowledge, &Work::default());
        let smaller = inside.obstacles.iter().filter(|&&place| place > 0);
        let obstacles = smaller.filter_map(|&place| inside.found[place].game()).collect();
        Some(Open { game, obstacles })
    }
}

/// Allows so many subgames to be looked at: the same everywhere, whatever the clock says.
#[derive(Default)]
struct Work(AtomicU32);

const MOST_SUBGAMES: u32 = 300;

impl Watch for Work {
    fn check(&self, _: u64) -> Result<(), Stop> {
        match self.0.fetch_add(1, Ordering::Relaxed) < MOST_SUBGAMES {
            true => Ok(()),
            false => Err(Stop::Work),
        }
    }
}
