//! A sum of rules at given heights.

use nimatron_game::{Family, Game, Height, Play, Position, Rule, StackSet, Take};
use std::fmt;
use std::ops::Range;

/// One summand at its heights.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Part {
    /// The rule; it may have stacks in no set until they are reduced away.
    pub rule: Rule,
    /// One height per stack of the rule.
    pub heights: Vec<Height>,
    /// The name of the sets, if one is known in this order of the stacks.
    pub family: Option<Family>,
}

impl Part {
    /// A part whose sets have no known name.
    pub fn new(rule: Rule, heights: Vec<Height>) -> Self {
        debug_assert_eq!(rule.stacks(), heights.len());
        Part { rule, heights, family: None }
    }

    /// The game played in this part, under its name if it has one. `None` when some stack lies
    /// in no set.
    pub fn game(&self) -> Option<Game> {
        let listed = Game::from_rule(&self.rule).ok()?;
        let Some(family) = &self.family else { return Some(listed) };
        if family.rule() == self.rule {
            return Game::new(family.clone()).ok();
        }
        let variant = nimatron_game::Variant {
            choice: self.rule.choice(),
            each: self.rule.each(),
            total: self.rule.total(),
        };
        Game::variant(family.clone(), variant).ok().or(Some(listed))
    }
}

/// A sum of rules, each at its heights, under a play convention: what reductions work on. Its
/// stacks are those of the parts, one part after the other.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct State {
    /// Who wins when no move is left.
    pub play: Play,
    /// The summands. A move plays in one of them; without parts there is no move.
    pub parts: Vec<Part>,
}

/// A position that does not fit its game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game has {stacks} stacks, but the position has {heights} heights")]
pub struct StateError {
    /// Stacks of the game.
    pub stacks: usize,
    /// Heights of the position.
    pub heights: usize,
}

impl State {
    /// A game at a position.
    pub fn new(game: &Game, position: &Position) -> Result<Self, StateError> {
        if game.stacks() != position.len() {
            return Err(StateError { stacks: game.stacks(), heights: position.len() });
        }
        let part = |s: &nimatron_game::Summand| Part {
            rule: s.rule().clone(),
            heights: position[s.stacks()].to_vec(),
            family: match s.family() {
                Family::Sets { .. } => None,
                named => Some(named.clone()),
            },
        };
        Ok(State { play: game.convention(), parts: game.summands().iter().map(part).collect() })
    }

    /// The game at a position where every stack is playable: it stands for the game itself, and
    /// its reductions are those of the game.
    pub fn generic(game: &Game) -> Self {
        let heights = game.summands().iter().flat_map(|s| {
            let least = s.rule().each().least();
            std::iter::repeat_n(least, s.rule().stacks())
        });
        let position = Position::new(heights.collect()).expect("least amounts are heights");
        State::new(game, &position).expect("one height per stack")
    }

    /// The same rules at other heights; `None` if their number differs.
    pub fn at(&self, heights: &[Height]) -> Option<State> {
        if heights.len() != self.stacks() {
            return None;
        }
        let mut state = self.clone();
        for (part, at) in state.parts.iter_mut().zip(self.ranges()) {
            part.heights.copy_from_slice(&heights[at]);
        }
        Some(state)
    }

    /// The game as one sum, its parts under their names; `None` when there are no parts, or some stack
    /// lies in no set.
    ///
    /// ```
    /// use nimatron_game::{Game, Position, Take};
    /// use nimatron_reduce::State;
    /// let game: Game = "misere CN(3,2) + Nim(1)".parse().unwrap();
    /// let position: Position = "1,1,0,1".parse().unwrap();
    /// let state = State::new(&game, &position).unwrap();
    /// assert_eq!(state.game(), Some(game));
    /// let moves: Vec<Take> = state.moves().collect();
    /// assert_eq!(moves.len(), 4);
    /// assert!(moves.iter().all(|take| state.option(take).stacks() == 4));
    /// ```
    pub fn game(&self) -> Option<Game> {
        let games: Option<Vec<Game>> = self.parts.iter().map(Part::game).collect();
        let sum = games?.into_iter().map(Some).reduce(|a, b| a?.plus(b?).ok())??;
        Some(sum.under(self.play))
    }

    /// All moves, lazily, over all stacks.
    pub fn moves(&self) -> impl Iterator<Item = Take> + '_ {
        let stacks = self.stacks();
        self.parts.iter().zip(self.ranges()).flat_map(move |(part, at)| {
            part.rule.moves(&part.heights).map(move |local| {
                let mut take = vec![0; stacks];
                take[at.clone()].copy_from_slice(&local);
                Take::new(take)
            })
        })
    }

    /// The state that a move leads to.
    ///
    /// # Panics
    /// If more is taken than there is.
    #[must_use]
    pub fn option(&self, take: &Take) -> State {
        let mut reached = self.clone();
        for (part, at) in reached.parts.iter_mut().zip(self.ranges()) {
            part.heights.iter_mut().zip(&take[at]).for_each(|(h, t)| *h -= t);
        }
        reached
    }

    /// The only part, under normal play: what is said of outcomes alone holds for no summand of several.
    pub(crate) fn only_normal_part(&self) -> Option<&Part> {
        match &self.parts[..] {
            [part] if self.play == Play::Normal => Some(part),
            _ => None,
        }
    }

    /// The number of stacks.
    pub fn stacks(&self) -> usize {
        self.parts.iter().map(|p| p.heights.len()).sum()
    }

    /// All heights, part after part.
    pub fn heights(&self) -> Vec<Height> {
        self.parts.iter().flat_map(|p| p.heights.iter().copied()).collect()
    }

    /// The stacks of each part among those of the whole.
    pub fn ranges(&self) -> Vec<Range<usize>> {
        let mut next = 0;
        let range = |p: &Part| {
            let start = next;
            next += p.heights.len();
            start..next
        };
        self.parts.iter().map(range).collect()
    }

    /// The sets of all parts, as sets of the whole's stacks. Families given by their sizes are
    /// left out: they may be too many to list.
    pub(crate) fn listed_sets(&self) -> Vec<StackSet> {
        let ranges = self.ranges();
        let parts = self.parts.iter().zip(ranges);
        let listed = parts.filter(|(part, _)| part.rule.sets().sizes().is_none());
        listed
            .flat_map(|(part, at)| part.rule.sets().iter().map(move |s| s.shifted(at.start)))
            .collect()
    }
}

/// `CN(3,2) at (2,8,4)`, summands joined by ` + `.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.play == Play::Misere {
            f.write_str("misere ")?;
        }
        if self.parts.is_empty() {
            return f.write_str("no moves");
        }
        for (i, part) in self.parts.iter().enumerate() {
            f.write_str(if i > 0 { " + " } else { "" })?;
            match part.game() {
                Some(game) => write!(f, "{game}")?,
                None => f.write_str("a game with unplayable stacks")?,
            }
        }
        write!(f, " at {}", Position::new(self.heights()).expect("heights of a state"))
    }
}
