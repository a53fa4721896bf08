//! What can be said about a game without solving it.

use crate::evidence::LongestPlay;
use crate::knowledge::Knowledge;
use crate::open_games::said_to_be_solved;
use crate::subgames::Solved;
use nimatron_game::symmetry::{Relabelling, Symmetry};
use nimatron_game::{Family, Game, Play, Rule, StackSet};
use nimatron_reduce::{Chain, Components, Cone, Merge, Part, State, name};

/// The structure of a game.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GameInfo {
    /// The game.
    pub game: Game,
    /// Its summands.
    pub summands: Vec<SummandInfo>,
    /// The reductions of the game itself, valid at every position without empty stacks.
    pub reduced: Chain,
    /// Who solved it; nobody, if it is open.
    pub solved: Option<Solved>,
    /// Who has announced results on it that are not published.
    pub announced: Option<&'static str>,
}

/// The structure of one summand. Stacks are its own, from 0.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SummandInfo {
    /// The rule.
    pub rule: Rule,
    /// The number of symmetries.
    pub symmetries: u128,
    /// The stacks that symmetries carry into each other.
    pub orbits: Vec<StackSet>,
    /// The connected parts, when there is more than one; lone stacks count together.
    pub components: Vec<StackSet>,
    /// Classes of stacks that play as one.
    pub merges: Vec<StackSet>,
    /// Stacks that lie in every facet. Under normal play, if there is no other summand, they are
    /// empty in every P-position.
    pub cone: StackSet,
    /// A named family with the same sets up to relabelling.
    pub named: Option<(Family, Relabelling)>,
    /// In an Exact game under normal play, what a small box says about the length of the longest
    /// play as Grundy value.
    pub longest_play: Option<LongestPlay>,
}

impl GameInfo {
    /// Looks at a game, with what comes with the program known about it.
    pub fn of(game: &Game) -> Self {
        GameInfo::knowing(game, &Knowledge::default())
    }

    /// Looks at a game, with this known about it.
    pub fn knowing(game: &Game, knowledge: &Knowledge) -> Self {
        let state = State::generic(game);
        let summands = state.parts.iter().map(|part| SummandInfo::of(part, game.convention()));
        let summands = summands.collect();
        let solved = knowledge.solved(game);
        let announced = said_to_be_solved(game);
        GameInfo { game: game.clone(), summands, reduced: Chain::reduce(state), solved, announced }
    }
}

impl SummandInfo {
    fn of(part: &Part, play: Play) -> Self {
        let rule = part.rule.clone();
        let symmetry = Symmetry::of(&rule);
        let components = Components::of(part);
        let merges = match Merge::valid(&rule) {
            true => Merge::classes(rule.sets()).into_iter().filter(|c| c.len() > 1).collect(),
            false => Vec::new(),
        };
        SummandInfo {
            symmetries: symmetry.order(),
            orbits: symmetry.orbits(),
            components: if components.len() > 1 { components } else { Vec::new() },
            merges,
            cone: Cone::stacks(part),
            named: name(rule.sets()),
            longest_play: LongestPlay::of(&rule).filter(|_| play == Play::Normal),
            rule,
        }
    }
}
