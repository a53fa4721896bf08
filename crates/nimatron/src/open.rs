//! What can be said about a game about which neither a theorem nor a proof is known here.

use crate::knowledge::Knowledge;
use crate::open_games::said_to_be_open;
use crate::subgames::Subgames;
use nimatron_game::{Game, Stop, Watch};
use nimatron_reduce::{Chain, State};
use std::sync::atomic::{AtomicU32, Ordering};

/// A game about which neither a theorem nor a proof is known here. It is open if somebody says so;
/// otherwise it is just not in the library.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Open {
    /// The game, as small as reductions make it at the position asked about.
    pub game: Game,
    /// Who says that the game is open, if somebody does: `KDH26 Open Problem 3`.
    pub said_by: Option<&'static str>,
    /// The games inside it about which nothing is known either, and that contain no smaller such
    /// game: it cannot be solved before these. Empty if all games inside it are known.
    pub obstacles: Vec<Game>,
}

impl Open {
    /// What is open at the end of a chain; `None` if a theorem or a proof covers some state on the
    /// way.
    pub(crate) fn of(chain: &Chain, knowledge: &Knowledge) -> Option<Self> {
        let covered = |state: &State| match &state.parts[..] {
            [part] => knowledge.cover(&part.rule, state.play).is_some(),
            _ => false,
        };
        if (0..=chain.steps().len()).any(|taken| covered(chain.after(taken))) {
            return None;
        }
        let end = chain.end();
        let game = end.game()?;
        // A sum may be known by the values of its parts.
        if knowledge.solved(&game).is_some() {
            return None;
        }
        let inside = Subgames::of(&game, knowledge, &Work::default());
        let smaller = inside.obstacles.iter().filter(|&&place| place > 0);
        let obstacles = smaller.filter_map(|&place| inside.found[place].game()).collect();
        Some(Open { said_by: said_to_be_open(&game), game, obstacles })
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
