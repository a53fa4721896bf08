//! The one path from a question to its verdict.

use crate::limits::Limits;
use crate::verdict::{By, Reason, Unknown, Verdict, WinningMove};
use nimatron_game::{Game, Known, Nothing, Outcome, Play, Position, StackSet, Stop, Take, Watch};
use nimatron_reduce::{Chain, Cone, Reduction, State, StateError};
use nimatron_table::search::{Memory, Search};
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
    /// The reductions, by which stacks are playable.
    chains: RwLock<HashMap<StackSet, Chain>>,
}

impl Prepared {
    /// Prepares a game.
    pub fn new(game: Game) -> Self {
        Prepared { game, memory: Mutex::default(), chains: RwLock::default() }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
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
        let mut solver = Solver { memory: &mut memory, known: &Nothing, watch: &watch };
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

/// One question at work.
struct Solver<'a> {
    memory: &'a mut Memory,
    known: &'a dyn Known,
    watch: &'a dyn Watch,
}

/// What was found out about a state.
struct Decision {
    outcome: Outcome,
    by: By,
    /// A winning move. An N-position has one, unless it is misere and has no moves at all.
    take: Option<Take>,
}

impl Solver<'_> {
    fn one_move(&mut self, chain: Chain, verdict: &mut Verdict) -> Result<(), Stop> {
        let Decision { outcome, by, take } = self.decide(chain, verdict)?;
        verdict.outcome = Some(outcome);
        verdict.by = Some(by);
        if outcome == Outcome::P && verdict.game.convention() == Play::Normal {
            verdict.grundy = Some(0);
        }
        match take {
            None => verdict.moves_total = Some(0),
            Some(take) => {
                verdict.reasons.push(Reason::Lift { take: take.clone() });
                push_move(verdict, take);
            }
        }
        Ok(())
    }

    /// All winning moves, as far as they can be listed. Moves of the reduced game stand for all
    /// the moves that lift to them, so the reductions that preserve all values are enough. The
    /// outcome and one move come first: they are known even if the list cannot be finished.
    fn all_moves(&mut self, chain: Chain, limit: usize, verdict: &mut Verdict) -> Result<(), Stop> {
        self.one_move(chain.clone(), verdict)?;
        let Some(first) = verdict.moves.first().map(|m| m.take.clone()) else { return Ok(()) };
        let end = chain.end();
        let mut total = Some(0u128);
        for take in moves(end) {
            if self.outcome_after(end, &take)? == Outcome::N {
                continue;
            }
            let room = limit.saturating_sub(verdict.moves.len());
            let others = chain.lifts(&take).filter(|lifted| *lifted != first);
            others.take(room).for_each(|lifted| push_move(verdict, lifted));
            total = total.and_then(|t| t.checked_add(chain.lift_count(&take)?));
        }
        verdict.moves_total = total;
        Ok(())
    }

    /// The outcome at the start of a chain, and a winning move there if it is N. The reasons go
    /// into the verdict.
    fn decide(&mut self, chain: Chain, verdict: &mut Verdict) -> Result<Decision, Stop> {
        push_steps(&chain, verdict);
        let end = chain.end();
        if let Some(step) = Cone.apply(end) {
            // N whatever the rest is: empty the cone stack, and win the rest if it is N.
            verdict.reasons.push(Reason::Reduction(Box::new(step.clone())));
            let rest = self.decide(Chain::reduce(step.after.clone()), verdict)?;
            let pass = || Take::new(vec![0; step.after.stacks()]);
            let take = step.lift(&rest.take.unwrap_or_else(pass));
            let take = Some(chain.lift(&take));
            // What is known about the rest is not the value of the whole.
            verdict.grundy = None;
            return Ok(Decision { outcome: Outcome::N, by: rest.by, take });
        }
        let mut winning = None;
        for take in moves(end) {
            if self.outcome_after(end, &take)? == Outcome::P {
                winning = Some(take);
                break;
            }
        }
        let outcome = match winning {
            Some(_) => Outcome::N,
            None => without_winning_moves(end),
        };
        let by = self.settled(end, outcome, verdict)?;
        if let Some(take) = &winning {
            verdict.reasons.push(Reason::Move { state: end.clone(), take: take.clone() });
        }
        Ok(Decision { outcome, by, take: winning.map(|take| chain.lift(&take)) })
    }

    /// The outcome after a move. The limits are looked at each time: tall stacks have more
    /// moves than anybody can wait for, however quickly each of them is settled.
    fn outcome_after(&mut self, state: &State, take: &Take) -> Result<Outcome, Stop> {
        self.watch.check(self.memory.bytes())?;
        let reached = option(state, take);
        Search::new(self.memory, self.known, self.watch).outcome(&reached)
    }

    fn grundy(&mut self, state: &State) -> Result<u64, Stop> {
        Search::new(self.memory, self.known, self.watch).grundy(state)
    }

    /// Says in the verdict why a reduced state has its outcome.
    fn settled(
        &mut self,
        end: &State,
        outcome: Outcome,
        verdict: &mut Verdict,
    ) -> Result<By, Stop> {
        let by = By::Search { positions: self.memory.positions() };
        if end.parts.is_empty() {
            verdict.reasons.push(Reason::Terminal);
        } else if end.play == Play::Normal && end.parts.len() > 1 {
            let mut values = Vec::new();
            for part in &end.parts {
                let part = State { play: end.play, parts: vec![part.clone()] };
                let grundy = self.grundy(&part)?;
                values.push(grundy);
                verdict.reasons.push(Reason::Value { part, grundy, by: by.clone() });
            }
            let grundy = values.iter().fold(0, |a, b| a ^ b);
            verdict.reasons.push(Reason::Sum { values, grundy });
            verdict.grundy = Some(grundy);
        } else {
            let (state, by) = (end.clone(), by.clone());
            verdict.reasons.push(Reason::Settled { state, outcome, by });
        }
        Ok(by)
    }
}

/// All moves of a state, lazily, over all its stacks.
fn moves(state: &State) -> impl Iterator<Item = Take> + '_ {
    let stacks = state.stacks();
    state.parts.iter().zip(state.ranges()).flat_map(move |(part, at)| {
        part.rule.moves(&part.heights).map(move |local| {
            let mut take = vec![0; stacks];
            take[at.clone()].copy_from_slice(&local);
            Take::new(take)
        })
    })
}

/// The state reached by a move.
fn option(state: &State, take: &Take) -> State {
    let mut reached = state.clone();
    for (part, at) in reached.parts.iter_mut().zip(state.ranges()) {
        part.heights.iter_mut().zip(&take[at]).for_each(|(h, t)| *h -= t);
    }
    reached
}

/// The outcome of a state from which no move wins.
fn without_winning_moves(state: &State) -> Outcome {
    match moves(state).next() {
        None => state.play.terminal(),
        Some(_) => Outcome::P,
    }
}

fn push_steps(chain: &Chain, verdict: &mut Verdict) {
    let steps = chain.steps().iter().cloned();
    verdict.reasons.extend(steps.map(|step| Reason::Reduction(Box::new(step))));
}

fn push_move(verdict: &mut Verdict, take: Take) {
    let to = verdict.position.after(&take).expect("a lifted move leaves no stack below zero");
    verdict.moves.push(WinningMove { take, to });
}
