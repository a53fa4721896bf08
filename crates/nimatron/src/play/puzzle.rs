//! Puzzles: positions with just one way to win.

use super::dice::Dice;
use crate::ask::{Options, Prepared, WantedMoves};
use crate::limits::Limits;
use crate::verdict::{Reason, Verdict, WinningMove};
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Game, Outcome, Position, Stop, Watch};

/// The hardest puzzles have this rating.
pub const MAX_RATING: u8 = 5;

/// What kind of puzzle is wanted.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PuzzleWish {
    /// The game; any of [`puzzle_games`] without one.
    pub game: Option<Game>,
    /// The rating, 1 to [`MAX_RATING`]; any without one.
    pub rating: Option<u8>,
    /// Each seed gives another puzzle.
    pub seed: u64,
}

impl PuzzleWish {
    /// Any puzzle, as the seed says.
    pub fn new(seed: u64) -> Self {
        PuzzleWish { seed, ..PuzzleWish::default() }
    }

    /// Of this game.
    #[must_use]
    pub fn game(self, game: impl Into<Option<Game>>) -> Self {
        PuzzleWish { game: game.into(), ..self }
    }

    /// With this rating.
    #[must_use]
    pub fn rating(self, rating: impl Into<Option<u8>>) -> Self {
        PuzzleWish { rating: rating.into(), ..self }
    }
}

/// A position with exactly one winning move, up to symmetries that leave the position as it is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Puzzle {
    /// The game.
    pub game: Game,
    /// The position: it is won for who moves.
    pub position: Position,
    /// How hard it is, from 1 to [`MAX_RATING`]: how deep the reason is, and on how many stacks the move plays.
    pub rating: u8,
    /// The winning moves: one, and those that are the same by symmetry.
    pub solution: Vec<WinningMove>,
    /// The whole answer.
    pub verdict: Box<Verdict>,
}

/// Why there is no puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PuzzleError {
    /// None was found among many positions.
    #[error("no such puzzle was found among {0} positions; another seed or rating may have one")]
    None(usize),
    /// A limit was reached.
    #[error("{0}")]
    Stopped(Stop),
    /// There is no such rating.
    #[error("ratings go from 1 to {MAX_RATING}")]
    Rating,
}

/// The games of puzzles, the easier ones first.
pub fn puzzle_games() -> Vec<Game> {
    let parse = |text: &&str| text.parse().expect("these games are written as they should be");
    GAMES.iter().map(parse).collect()
}

const GAMES: [&str; 12] = [
    "Nim(3)",
    "CN(3,2)",
    "PN(3,2)",
    "CN(4,2)",
    "Nim(4)",
    "PN(4,2)",
    "CN(5,3)",
    "CN(5,2)",
    "H",
    "CN(6,3)",
    "CN(7,3)",
    "Moore(4,2)",
];

/// So many positions are looked at.
const TRIED: usize = 3000;

/// A puzzle as wished, the same for the same wish.
///
/// ```
/// use nimatron::Limits;
/// use nimatron::play::{PuzzleWish, puzzle};
/// let found = puzzle(&PuzzleWish::new(1), &Limits::default()).unwrap();
/// assert_eq!(found.verdict.position, found.position);
/// assert!(!found.solution.is_empty());
/// ```
pub fn puzzle(wish: &PuzzleWish, limits: &Limits) -> Result<Puzzle, PuzzleError> {
    if wish.rating.is_some_and(|rating| !(1..=MAX_RATING).contains(&rating)) {
        return Err(PuzzleError::Rating);
    }
    let games: Vec<Prepared> = match &wish.game {
        Some(game) => vec![Prepared::new(game.clone())],
        None => puzzle_games().into_iter().map(Prepared::new).collect(),
    };
    let watch = limits.start();
    let mut dice = Dice::new(wish.seed, 0);
    for _ in 0..TRIED {
        watch.check(0).map_err(PuzzleError::Stopped)?;
        let which = usize::try_from(dice.below(games.len() as u64)).unwrap_or(0);
        let Some(game) = games.get(which) else { continue };
        let tallest = 2 + dice.below(8);
        let heights = (0..game.game().stacks()).map(|_| dice.below(tallest + 1)).collect();
        let Ok(position) = Position::new(heights) else { continue };
        if let Some(found) = game.as_puzzle(&position, limits)
            && wish.rating.is_none_or(|rating| rating == found.rating)
        {
            return Ok(found);
        }
    }
    Err(PuzzleError::None(TRIED))
}

/// Winning moves of a puzzle, at the most: with more, symmetry has too much to say.
const MOST_ALIKE: usize = 24;

impl Prepared {
    /// The position as a puzzle, if it is one.
    pub fn as_puzzle(&self, position: &Position, limits: &Limits) -> Option<Puzzle> {
        let wanted = WantedMoves::AllUpTo(MOST_ALIKE + 1);
        let options = Options::default().limits(limits.clone()).moves(wanted);
        let verdict = self.ask(position, &options).ok()?;
        let all = verdict.moves_total == Some(verdict.moves.len() as u128);
        if verdict.outcome != Some(Outcome::N) || !all || verdict.unknown.is_some() {
            return None;
        }
        let (first, others) = verdict.moves.split_first()?;
        // Nobody is puzzled by the last move, or where there is hardly another one.
        if self.game().is_terminal(&first.to) || self.game().moves(position).take(4).count() < 4 {
            return None;
        }
        if !others.is_empty() {
            let alike = Symmetry::of(self.game().single()?).stabiliser(position);
            let form = alike.canonical(&first.to);
            if others.iter().any(|other| alike.canonical(&other.to) != form) {
                return None;
            }
        }
        Some(Puzzle {
            game: self.game().clone(),
            position: position.clone(),
            rating: rating(&verdict, first),
            solution: verdict.moves.clone(),
            verdict: Box::new(verdict),
        })
    }
}

/// How hard it is to see: the reductions on the way to the reason count, and the stacks of the move.
fn rating(verdict: &Verdict, winning: &WinningMove) -> u8 {
    let steps = verdict.reasons.iter().filter(|r| matches!(r, Reason::Reduction(_))).count();
    let stacks = winning.take.support().iter().count();
    let playable = verdict.position.support().iter().count();
    match steps + stacks + playable / 2 {
        0..=3 => 1,
        4 | 5 => 2,
        6 | 7 => 3,
        8 => 4,
        _ => MAX_RATING,
    }
}
