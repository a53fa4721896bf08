//! Slow games: one token from each played stack.
//!
//! * [`sizes`]: how many stacks a move may play on, if the game is Slow(n,A).
//! * [`Cell`]: where a position stands in the position grid (Slow26 section 4).
//! * [`playable`]: play on reduced positions (Slow26 section 3).
//! * [`m_rule`]: the shortest way to win Slow(n,{n-1}).
//! * [`extension`]: how a solved game helps to solve one with more moves (Slow26 Proposition 7).
//! * [`at_least`]: what is conjectured about play on at least k stacks.

pub mod at_least;
mod cell;
pub mod extension;
pub mod m_rule;
pub mod playable;

pub use cell::Cell;

use nimatron_game::{Amounts, Choice, Height, Play, Rule, Sizes};

/// How many stacks a move may play on, if this is a game Slow(n,A), also if it is written as
/// Moore(n,k) with exactly one token from each played stack.
///
/// ```
/// use nimatron_game::{Game, Sizes};
/// use nimatron_theory::slow;
/// let sizes = |text: &str| slow::sizes(text.parse::<Game>().unwrap().single().unwrap());
/// assert_eq!(sizes("Slow(5,{2,4})"), Some(Sizes::new([2, 4])));
/// assert_eq!(sizes("Moore(5,2) any=1"), Some(Sizes::new([1, 2])));
/// assert_eq!(sizes("CN(5,2) each=1"), None);
/// ```
pub fn sizes(rule: &Rule) -> Option<Sizes> {
    let slow = rule.each() == Amounts::exactly(1) && rule.total() == Amounts::POSITIVE;
    let sizes = rule.sets().sizes().filter(|s| slow && s.least().is_some())?;
    Some(match rule.choice() {
        Choice::All => sizes,
        Choice::Any => Sizes::new(1..=sizes.greatest()?),
    })
}

/// The sizes of a slow game under normal play.
pub(crate) fn normal_sizes(rule: &Rule, play: Play) -> Option<Sizes> {
    sizes(rule).filter(|_| play == Play::Normal)
}

/// How many stacks are odd.
pub fn odds(heights: &[Height]) -> usize {
    heights.iter().filter(|&&h| h % 2 == 1).count()
}
