//! Theorems that decide some positions of a game and leave the others open.

use crate::library::slow_parity::SlowParity;
use crate::peeling::PeelingSupport;
use crate::reason::Reason;
use crate::theorem::{Citation, Statement, WinningMove};
use nimatron_game::{Height, Outcome, Play, Rule};

/// A theorem that answers where it can. Like a [`crate::Theorem`] it never guesses; unlike one it
/// may have nothing to say about a position of a game that it is about.
pub trait PartialTheorem: Send + Sync {
    /// A short fixed name, unique in the library.
    fn id(&self) -> &str;

    /// Where the theorem was proved.
    fn citation(&self) -> Citation;

    /// What it says.
    fn statement(&self) -> Statement;

    /// Who wins, where the theorem knows it.
    ///
    /// # Panics
    /// May panic if there are not as many heights as stacks.
    fn outcome(&self, rule: &Rule, play: Play, heights: &[Height]) -> Option<Outcome>;

    /// The facts that decide the outcome, where it is known.
    fn explain(&self, rule: &Rule, heights: &[Height]) -> Vec<Reason>;

    /// A move to a P-position, wherever the outcome is known to be N.
    fn winning_move(&self, rule: &Rule, play: Play, heights: &[Height]) -> Option<WinningMove>;
}

/// All theorems of this kind.
pub fn partial_theorems() -> &'static [&'static dyn PartialTheorem] {
    &[&SlowParity, &PeelingSupport]
}

/// The first theorem that decides a position, with the outcome.
///
/// ```
/// use nimatron_game::{Game, Outcome, Play};
/// use nimatron_theory::partial;
/// let game: Game = "Slow(6,{3})".parse().unwrap();
/// let rule = game.single().unwrap();
/// let (theorem, outcome) = partial(rule, Play::Normal, &[7, 2, 5, 4, 1, 6]).unwrap();
/// assert_eq!((theorem.id(), outcome), ("slow-parity", Outcome::N));
/// assert!(partial(rule, Play::Normal, &[7, 2, 4, 4, 2, 6]).is_none());
/// ```
pub fn partial(
    rule: &Rule,
    play: Play,
    heights: &[Height],
) -> Option<(&'static dyn PartialTheorem, Outcome)> {
    let theorems = partial_theorems().iter();
    theorems.filter_map(|&t| Some((t, t.outcome(rule, play, heights)?))).next()
}
