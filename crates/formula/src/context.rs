//! What a formula is about.

use nimatron_game::{Game, MAX_STACKS, Rule, slow};

/// The game a formula speaks of, as far as the language needs to know it.
///
/// ```
/// use nimatron_formula::{Context, Formula};
/// let context = Context::new(5);
/// assert!(Formula::parse("a+b = c", &context).is_ok());
/// assert!(Formula::parse("a+b = f", &context).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Context {
    stacks: usize,
    least_move: Option<usize>,
}

impl Context {
    /// Positions of `stacks` stacks, of a game that is not slow.
    ///
    /// # Panics
    /// If there are more than [`MAX_STACKS`] stacks.
    pub fn new(stacks: usize) -> Self {
        assert!(stacks <= MAX_STACKS, "at most {MAX_STACKS} stacks are supported");
        Context { stacks, least_move: None }
    }

    /// Positions of a game with this rule.
    pub fn of_rule(rule: &Rule) -> Self {
        Context { stacks: rule.stacks(), least_move: slow::least_move(rule) }
    }

    /// Positions of this game. A sum of games is never slow.
    pub fn of_game(game: &Game) -> Self {
        match game.single() {
            Some(rule) => Context::of_rule(rule),
            None => Context::new(game.stacks()),
        }
    }

    /// The number of stacks.
    pub fn stacks(&self) -> usize {
        self.stacks
    }

    /// The least number of stacks in a move, if the game is slow.
    pub fn least_move(&self) -> Option<usize> {
        self.least_move
    }
}
