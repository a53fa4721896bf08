//! Playing: a match, opponents, hints, what went wrong, puzzles and lessons.
//!
//! ```
//! use nimatron::play::{Match, Opponent, Player};
//! use nimatron::{Limits, Prepared};
//! let game = Prepared::new("CN(5,2)".parse().unwrap());
//! let mut played = Match::new(&game, "1,2,0,2,1".parse().unwrap()).unwrap();
//! let (machine, fool) = (Player::new(Opponent::Perfect, 0), Player::new(Opponent::Random, 7));
//! while !played.is_over() {
//!     let player = if played.turn() == 0 { &machine } else { &fool };
//!     let choice = player.choose(&game, &played, &Limits::default()).unwrap();
//!     played.play(choice.unwrap().take).unwrap();
//! }
//! assert_eq!(played.winner(), Some(0)); // (1,2,0,2,1) is an N-position
//! ```
//!
//! Nothing here is left to chance: an opponent that throws dice throws them by its seed and the number of the
//! move, so that the same match with the same seed goes the same way.

mod dice;
mod hint;
#[cfg(feature = "serde")]
mod lesson;
mod matches;
mod notation;
mod opening;
mod opponent;
mod puzzle;
mod review;

pub use hint::{Hint, MAX_HINT};
#[cfg(feature = "serde")]
pub use lesson::{
    Judged, Lesson, LessonAnswer, LessonError, Page as LessonPage, Task, TaskKind, lessons,
};
pub use matches::{Match, MatchError};
pub use notation::{TakeError, parse_take};
pub use opponent::{Choice, Manner, Opponent, Player};
pub use puzzle::{MAX_RATING, Puzzle, PuzzleError, PuzzleWish, puzzle, puzzle_games};
pub use review::{Judgement, Review, Reviewed};
