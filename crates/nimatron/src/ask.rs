//! The one path from a question to its verdict.

use crate::conjecture::conjectured;
use crate::knowledge::Knowledge;
use crate::limits::Limits;
use crate::open::Open;
#[cfg(feature = "prove")]
use crate::proofs::Proved;
use crate::shortcut::Shortcuts;
use crate::solver::Solver;
use crate::verdict::{Unknown, Verdict, WinningMove};
use nimatron_game::{Game, Position, StackSet, Stop, Summand};
use nimatron_reduce::{Chain, State, StateError};
use nimatron_table::search::Memory;
use std::collections::HashMap;
use std::fmt;
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

/// Whether the way to the answer is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Explain {
    /// Step by step.
    #[default]
    Steps,
    /// Not at all, which is faster where a theorem answers.
    Nothing,
}

/// How a question is to be answered: by default with one winning move and the reasons, within the
/// default [`Limits`].
///
/// ```
/// use nimatron::{Explain, Options, WantedMoves};
/// let options = Options::default().moves(WantedMoves::AllUpTo(20)).explain(Explain::Nothing);
/// assert_eq!(options.moves, WantedMoves::AllUpTo(20));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// Time, memory and cancellation.
    pub limits: Limits,
    /// One winning move or all.
    pub moves: WantedMoves,
    /// With reasons or without.
    pub explain: Explain,
}

impl Options {
    /// Without limits: the work goes on until the answer is found, however long that takes.
    pub fn unlimited() -> Self {
        Options::default().limits(Limits::unlimited())
    }

    /// With these limits.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }

    /// With one winning move or all.
    #[must_use]
    pub fn moves(self, moves: WantedMoves) -> Self {
        Options { moves, ..self }
    }

    /// With reasons or without.
    #[must_use]
    pub fn explain(self, explain: Explain) -> Self {
        Options { explain, ..self }
    }
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
    shortcuts: Shortcuts,
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("game", &self.game.to_string()).finish_non_exhaustive()
    }
}

impl Prepared {
    /// Prepares a game.
    pub fn new(game: Game) -> Self {
        Prepared::knowing(game, Knowledge::default())
    }

    /// Prepares a game, with more knowledge than the theorem library.
    pub fn knowing(game: Game, knowledge: Knowledge) -> Self {
        Prepared {
            game,
            memory: Mutex::default(),
            knowledge,
            chains: RwLock::default(),
            shortcuts: Shortcuts::default(),
        }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What is known for all heights.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// From now on the proof counts, which the checker has accepted.
    #[cfg(feature = "prove")]
    pub fn learn(&self, proved: &Proved) {
        self.knowledge.learn(proved);
        // Where nothing was known before, something may be now.
        self.shortcuts.forget();
    }

    /// The reductions of a position, from memory where its pattern of playable stacks was met
    /// before.
    pub fn reductions(&self, position: &Position) -> Result<Chain, AskError> {
        let state = State::new(&self.game, position)?;
        let playable = self.playable(position);
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

    /// The stacks that can be played on.
    fn playable(&self, position: &Position) -> StackSet {
        let playable = |s: &Summand| s.rule().playable(&position[s.stacks()]);
        let of = |s: &Summand| playable(s).shifted(s.stacks().start);
        self.game.summands().iter().fold(StackSet::EMPTY, |all, s| all | of(s))
    }

    /// The answer of a theorem, without reasons.
    fn shortcut(&self, position: &Position) -> Option<Verdict> {
        if position.len() != self.game.stacks() {
            return None;
        }
        let answer = match self.game.summands().iter().all(|s| s.rule().is_set_nim()) {
            true => {
                let playable = self.playable(position);
                let chain = || self.reductions(position).ok();
                self.shortcuts.answer(position, playable, chain, &self.knowledge)?
            }
            // Under other rules a reduction may depend on the heights, not only on the empty stacks.
            false => self.shortcuts.own(&self.game, position, &self.knowledge)?,
        };
        let winning = match answer.take {
            None => Vec::new(),
            Some(take) => {
                let to = position.after(&take).expect("a lifted move leaves no stack below zero");
                vec![WinningMove { take, to }]
            }
        };
        Some(Verdict {
            game: self.game.clone(),
            position: position.clone(),
            outcome: Some(answer.outcome),
            grundy: answer.grundy,
            by: Some(answer.by),
            moves_total: winning.is_empty().then_some(0),
            moves: winning,
            reasons: Vec::new(),
            unknown: None,
            open: None,
            conjecture: None,
        })
    }

    /// Who wins at `position`?
    pub fn ask(&self, position: &Position, options: &Options) -> Result<Verdict, AskError> {
        if options.explain == Explain::Nothing
            && options.moves == WantedMoves::One
            && let Some(verdict) = self.shortcut(position)
        {
            return Ok(verdict);
        }
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
            open: None,
            conjecture: None,
        };
        let knowledge = &self.knowledge;
        let mut solver = Solver { memory: &mut memory, knowledge, watch: &watch };
        let answered = match options.moves {
            WantedMoves::One => solver.one_move(chain.clone(), &mut verdict),
            WantedMoves::AllUpTo(limit) => solver.all_moves(chain.clone(), limit, &mut verdict),
        };
        if let Err(stop) = answered {
            let positions = memory.positions();
            verdict.unknown = Some(Unknown { stop, positions });
            if verdict.outcome.is_none() {
                verdict.conjecture = conjectured(&chain, position);
                // Games with a conjecture are large, and so are the games inside them.
                if verdict.conjecture.is_none() {
                    verdict.open = Open::of(&chain, knowledge);
                }
            }
            if stop == Stop::Memory {
                *memory = Memory::default();
            }
        }
        if options.explain == Explain::Nothing {
            verdict.reasons.clear();
            verdict.conjecture.iter_mut().for_each(|conjecture| conjecture.reasons.clear());
        }
        Ok(verdict)
    }
}
