//! The one path from a question to its verdict.

use crate::knowledge::Knowledge;
use crate::limits::Limits;
use crate::solver::Solver;
use crate::verdict::{Unknown, Verdict};
use nimatron_game::{Game, Position, StackSet, Stop};
use nimatron_reduce::{Chain, State, StateError};
use nimatron_table::search::Memory;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError, RwLock};

/// Which winning moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WantedMoves {
    /// One, if there is one.
    #[default]
    One,
    /// All, but no more than this many are listed.
    AllUpTo(usize),
}

/// How a question is to be answered.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Time, memory and cancellation.
    pub limits: Limits,
    /// One winning move or all.
    pub moves: WantedMoves,
}

/// A question that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The position does not fit the game.
    #[error(transparent)]
    Position(#[from] StateError),
}

/// Who wins `game` at `position`? To ask about many positions, use [`Prepared`].
pub fn ask(game: &Game, position: &Position, options: &Options) -> Result<Verdict, AskError> {
    Prepared::new(game.clone()).ask(position, options)
}

/// A game ready for many questions. What one answer needed is remembered for the next.
pub struct Prepared {
    game: Game,
    memory: Mutex<Memory>,
    knowledge: Knowledge,
    /// The reductions, by which stacks are playable.
    chains: RwLock<HashMap<StackSet, Chain>>,
}

impl Prepared {
    /// Prepares a game.
    pub fn new(game: Game) -> Self {
        Prepared::knowing(game, Knowledge::default())
    }

    /// Prepares a game, with more knowledge than the theorem library.
    pub fn knowing(game: Game, knowledge: Knowledge) -> Self {
        Prepared { game, memory: Mutex::default(), knowledge, chains: RwLock::default() }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What is known for all heights.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// The reductions of a position, from memory where its pattern of playable stacks was met
    /// before.
    pub fn reductions(&self, position: &Position) -> Result<Chain, AskError> {
        let state = State::new(&self.game, position)?;
        let parts = state.parts.iter().zip(state.ranges());
        let playable = parts.map(|(p, at)| p.rule.playable(&p.heights).shifted(at.start));
        let playable = playable.fold(StackSet::EMPTY, |a, b| a | b);
        let known = self.chains.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(chain) = known.get(&playable).and_then(|chain| chain.at(position)) {
            return Ok(chain);
        }
        drop(known);
        let chain = Chain::reduce(state);
        let mut known = self.chains.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(playable, chain.clone());
        Ok(chain)
    }

    /// Who wins at `position`?
    pub fn ask(&self, position: &Position, options: &Options) -> Result<Verdict, AskError> {
        let chain = self.reductions(position)?;
        let watch = options.limits.start();
        // A panic in an earlier question leaves nothing half-written that could mislead.
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let mut verdict = Verdict {
            game: self.game.clone(),
            position: position.clone(),
            outcome: None,
            grundy: None,
            by: None,
            moves: Vec::new(),
            moves_total: None,
            reasons: Vec::new(),
            unknown: None,
        };
        let knowledge = &self.knowledge;
        let mut solver = Solver { memory: &mut memory, knowledge, watch: &watch };
        let answered = match options.moves {
            WantedMoves::One => solver.one_move(chain, &mut verdict),
            WantedMoves::AllUpTo(limit) => solver.all_moves(chain, limit, &mut verdict),
        };
        if let Err(stop) = answered {
            let positions = memory.positions();
            verdict.unknown = Some(Unknown { stop, positions });
            if stop == Stop::Memory {
                *memory = Memory::default();
            }
        }
        Ok(verdict)
    }
}
