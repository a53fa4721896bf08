//! A match between two players.

use crate::ask::Prepared;
use nimatron_game::{Game, IllegalMove, Play, Position, Take};

/// A match: a game, where it began, and the moves that were made. The player who begins has number 0, the
/// other 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    game: Game,
    /// The positions from the start to the last that is known.
    positions: Vec<Position>,
    takes: Vec<Take>,
    /// How many of the moves are made; the others were taken back and can be made again.
    made: usize,
}

/// Why there is no such match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// The position does not fit the game.
    #[error("{game} has {stacks} stacks, but the position has {heights}")]
    Stacks {
        /// The game.
        game: String,
        /// Its stacks.
        stacks: usize,
        /// The heights given.
        heights: usize,
    },
    /// A move that is none.
    #[error("move {number}: {error}")]
    Illegal {
        /// The number of the move, from 1.
        number: usize,
        /// What is wrong with it.
        error: IllegalMove,
    },
}

impl Match {
    /// A match that begins at a position.
    pub fn new(game: &Prepared, start: Position) -> Result<Self, MatchError> {
        let game = game.game();
        if start.len() != game.stacks() {
            let (stacks, heights) = (game.stacks(), start.len());
            return Err(MatchError::Stacks { game: game.to_string(), stacks, heights });
        }
        Ok(Match { game: game.clone(), positions: vec![start], takes: Vec::new(), made: 0 })
    }

    /// A match that has gone on for some moves.
    pub fn after(game: &Prepared, start: Position, takes: Vec<Take>) -> Result<Self, MatchError> {
        let mut played = Match::new(game, start)?;
        for take in takes {
            played.play(take)?;
        }
        Ok(played)
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Where the match began.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// Where the match is.
    pub fn position(&self) -> &Position {
        &self.positions[self.made]
    }

    /// The moves that were made and not taken back.
    pub fn takes(&self) -> &[Take] {
        &self.takes[..self.made]
    }

    /// The positions from the start to the present one.
    pub fn positions(&self) -> &[Position] {
        &self.positions[..=self.made]
    }

    /// Whose turn it is: 0 for the player who began.
    pub fn turn(&self) -> usize {
        self.made % 2
    }

    /// Whether no move is left.
    pub fn is_over(&self) -> bool {
        self.game.is_terminal(self.position())
    }

    /// Who has won, if the match is over: who made the last move; under misere play the other.
    pub fn winner(&self) -> Option<usize> {
        let next = self.turn();
        self.is_over().then(|| match self.game.convention() {
            Play::Normal => 1 - next,
            Play::Misere => next,
        })
    }

    /// Makes a move. What was taken back before is forgotten.
    pub fn play(&mut self, take: Take) -> Result<(), MatchError> {
        let next = self.game.play(self.position().clone(), &take);
        let number = self.made + 1;
        let next = next.map_err(|error| MatchError::Illegal { number, error })?;
        self.takes.truncate(self.made);
        self.positions.truncate(self.made + 1);
        self.takes.push(take);
        self.positions.push(next);
        self.made += 1;
        Ok(())
    }

    /// Takes the last move back; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        let there_is = self.made > 0;
        self.made -= usize::from(there_is);
        there_is
    }

    /// Makes a move again that was taken back; `false` if there is none.
    pub fn redo(&mut self) -> bool {
        let there_is = self.made < self.takes.len();
        self.made += usize::from(there_is);
        there_is
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(amounts: &[u64]) -> Take {
        Take::new(amounts.to_vec())
    }

    #[test]
    fn moves_are_taken_back_and_made_again() {
        let game = Prepared::new("Nim(2)".parse().unwrap());
        let mut played = Match::new(&game, "2,1".parse().unwrap()).unwrap();
        assert!(!played.undo() && !played.redo());
        played.play(take(&[1, 0])).unwrap();
        played.play(take(&[0, 1])).unwrap();
        assert_eq!((played.turn(), played.winner()), (0, None));
        assert!(played.undo() && played.undo() && !played.undo());
        assert_eq!(played.position().to_string(), "(2,1)");
        assert!(played.redo());
        assert_eq!((played.turn(), played.takes().len()), (1, 1));
        // A new move forgets the old ones.
        played.play(take(&[1, 0])).unwrap();
        assert!(!played.redo());
        assert_eq!(played.position().to_string(), "(0,1)");
        played.play(take(&[0, 1])).unwrap();
        assert_eq!(played.winner(), Some(0));
    }

    #[test]
    fn what_is_no_move_is_refused() {
        let game = Prepared::new("Nim(2)".parse().unwrap());
        let start: Position = "2,1".parse().unwrap();
        let illegal = Match::after(&game, start.clone(), vec![take(&[1, 0]), take(&[2, 0])]);
        assert!(matches!(illegal, Err(MatchError::Illegal { number: 2, .. })));
        assert!(Match::new(&game, "1,2,3".parse().unwrap()).is_err());
        let misere = Prepared::new("misere Nim(2)".parse().unwrap());
        let over = Match::after(&misere, "1,0".parse().unwrap(), vec![take(&[1, 0])]).unwrap();
        assert_eq!(over.winner(), Some(1));
    }
}
