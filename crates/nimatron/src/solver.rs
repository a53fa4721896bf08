//! How one question is answered: reductions, theorems, search.

use crate::by_table;
use crate::conjecture::is_too_large;
use crate::knowledge::{Cover, Knowledge, ProofCover};
use crate::process;
use crate::proofs::Answer;
use crate::sum;
use crate::verdict::{By, Reason, Verdict, WinningMove};
use nimatron_game::symmetry::Relabelling;
use nimatron_game::{Height, Outcome, Play, Stop, Take, Watch};
use nimatron_reduce::members::gather;
use nimatron_reduce::{Chain, Cone, Part, Reduction, State};
use nimatron_table::Table;
use nimatron_table::search::{Memory, Search};
use nimatron_theory::{Recognition, partial};
use std::sync::Arc;

/// One question at work.
pub(crate) struct Solver<'a> {
    pub(crate) memory: &'a mut Memory,
    pub(crate) knowledge: &'a Knowledge,
    pub(crate) watch: &'a dyn Watch,
}

/// What was found out about a state.
struct Decision {
    outcome: Outcome,
    by: By,
    /// A winning move. An N-position has one, unless it is misere and has no moves at all.
    take: Option<Take>,
}

/// Winning moves, and whether these are all.
struct Listed {
    winning: Vec<Take>,
    complete: bool,
    /// What cut the list short, if something did.
    stopped: Option<Stop>,
}

impl Solver<'_> {
    /// The outcome and one winning move.
    pub(crate) fn one_move(&mut self, chain: Chain, verdict: &mut Verdict) -> Result<(), Stop> {
        verdict.grundy = self.known_value(chain.end());
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
    pub(crate) fn all_moves(
        &mut self,
        chain: Chain,
        limit: usize,
        verdict: &mut Verdict,
    ) -> Result<(), Stop> {
        self.one_move(chain.clone(), verdict)?;
        let Some(first) = verdict.moves.first().map(|m| m.take.clone()) else { return Ok(()) };
        let end = chain.end();
        let Listed { winning, complete, stopped } = self.list(end, limit)?;
        let mut total = complete.then_some(0u128);
        for take in winning {
            let room = limit.saturating_sub(verdict.moves.len());
            let others = chain.lifts(&take).filter(|lifted| *lifted != first);
            others.take(room).for_each(|lifted| push_move(verdict, lifted));
            total = total.and_then(|t| t.checked_add(chain.lift_count(&take)?));
        }
        verdict.moves_total = total;
        stopped.map_or(Ok(()), Err)
    }

    /// The winning moves of a reduced state: from the table of its box, by the formula of a
    /// theorem, or by trying every move. The latter two stop when there are too many to list.
    fn list(&mut self, end: &State, limit: usize) -> Result<Listed, Stop> {
        if let Some(table) = by_table::settle(end, self.watch)? {
            return Ok(Listed { winning: table.winning, complete: true, stopped: None });
        }
        if let Some(Cover::Theorem(theorem)) = process::cover(end, self.knowledge)
            && let Some((winning, complete)) =
                theorem.winning_moves(&end.parts[0].heights, limit.saturating_add(1))
        {
            return Ok(Listed { winning, complete, stopped: None });
        }
        let mut winning = Vec::new();
        for take in end.moves() {
            match self.outcome_after(end, &take) {
                Ok(Outcome::P) => winning.push(take),
                Ok(Outcome::N) => {}
                Err(stop) => return Ok(Listed { winning, complete: false, stopped: Some(stop) }),
            }
        }
        Ok(Listed { winning, complete: true, stopped: None })
    }

    /// The Grundy value, where theorems give it at once.
    fn known_value(&self, end: &State) -> Option<u64> {
        if end.play != Play::Normal {
            return None;
        }
        end.parts.iter().try_fold(0, |value, part| {
            let theorem = self.knowledge.theorem(&part.rule, Play::Normal)?;
            Some(value ^ u64::try_from(theorem.grundy(&part.heights)?).ok()?)
        })
    }

    /// The outcome at the start of a chain, and a winning move there if it is N. The reasons go
    /// into the verdict.
    fn decide(&mut self, mut chain: Chain, verdict: &mut Verdict) -> Result<Decision, Stop> {
        if let Some(decision) = self.known(&mut chain, verdict)? {
            return Ok(decision);
        }
        if let Some(decision) = by_partial(&chain, verdict) {
            return Ok(decision);
        }
        if let Some(decision) = self.by_cone(&chain, verdict, false)? {
            return Ok(decision);
        }
        if is_too_large(&chain) {
            return Err(Stop::Work);
        }
        push_steps(&chain, verdict);
        let end = chain.end();
        let (outcome, by, winning) = match &end.parts[..] {
            [] => {
                verdict.reasons.push(Reason::Terminal);
                (end.play.terminal(), By::Search { positions: 0 }, None)
            }
            [_, _, ..] if end.play == Play::Normal => self.sum(end, verdict)?,
            _ => self.compute(end, verdict)?,
        };
        if let Some(take) = &winning {
            verdict.reasons.push(Reason::Move { state: Arc::clone(end), take: take.clone() });
        }
        Ok(Decision { outcome, by, take: winning.map(|take| chain.lift(&take)) })
    }

    /// With tokens on a stack that lies in every set a position is N whatever the rest is: empty
    /// the stack, and win the rest if it is N. If the rest is to be `known`, this is taken only where
    /// it is.
    fn by_cone(
        &mut self,
        chain: &Chain,
        verdict: &mut Verdict,
        known: bool,
    ) -> Result<Option<Decision>, Stop> {
        let Some(step) = Cone.apply(chain.end()) else { return Ok(None) };
        let below = self.knowledge.reduced(Arc::clone(&step.after));
        let over = below.end().parts.is_empty();
        if known && !over && process::last_covered(&below, self.knowledge).is_none() {
            return Ok(None);
        }
        push_steps(chain, verdict);
        let step = Arc::new(step);
        verdict.reasons.push(Reason::Reduction(Arc::clone(&step)));
        let rest = self.decide(below, verdict)?;
        let pass = || Take::new(vec![0; step.after.stacks()]);
        let take = step.lift(&rest.take.unwrap_or_else(pass));
        let take = Some(chain.lift(&take));
        // What is known about the rest is not the value of the whole.
        verdict.grundy = None;
        Ok(Some(Decision { outcome: Outcome::N, by: rest.by, take }))
    }

    /// The answer of whoever knows the game, or one that it reduces to. While the game has invariant
    /// vectors, tokens are taken off along them and what is left is reduced again: the Invariance
    /// Reduction Process of KDH26. `None`, with the chain cut where somebody should have known, if
    /// nobody does.
    fn known(
        &mut self,
        chain: &mut Chain,
        verdict: &mut Verdict,
    ) -> Result<Option<Decision>, Stop> {
        let Some((taken, first)) = process::last_covered(chain, self.knowledge) else {
            return Ok(None);
        };
        chain.truncate(taken);
        let mut cover = first.clone();
        while !process::tells_all(&cover)
            && let Some((further, next)) = process::round(chain.end(), &cover, self.knowledge)
        {
            chain.append(further);
            cover = next;
        }
        let before = verdict.reasons.len();
        let decision = match &cover {
            Cover::Theorem(theorem) => Some(by_theorem(chain, theorem, verdict)),
            Cover::Proof(proof) => match self.by_cone(chain, verdict, true)? {
                Some(decision) => Some(decision),
                None => self.by_proof(chain, proof, verdict),
            },
        };
        // What follows from the vectors of a proof is tested against the proof itself.
        let Cover::Proof(proof) = &first else { return Ok(decision) };
        if chain.steps().len() == taken && decision.is_some() {
            return Ok(decision);
        }
        if let Some(decision) = decision
            && self.stands(chain, taken, &decision)
        {
            // Whoever settled the game that was left, it rests on the proof.
            return Ok(Some(Decision { by: proof.by().clone(), ..decision }));
        }
        verdict.reasons.truncate(before);
        chain.truncate(taken);
        Ok(self.by_proof(chain, proof, verdict))
    }

    /// Whether the proof about the state after so many steps says the same: the outcome, and that the
    /// move leads to a P-position.
    fn stands(&self, chain: &Chain, taken: usize, decision: &Decision) -> bool {
        let state = chain.after(taken);
        let part = &state.parts[0];
        let answer =
            |heights: &[Height]| Some(self.knowledge.answer(&part.rule, state.play, heights)?.1);
        let same = answer(&part.heights).is_some_and(|a| a.outcome == decision.outcome);
        let Some(take) = decision.take.as_ref().filter(|_| same) else { return same };
        // The heights that the move leaves, through the steps that were taken.
        let heights = chain.start().heights().iter().zip(take.iter()).map(|(h, t)| h - t).collect();
        let left = chain.steps()[..taken]
            .iter()
            .try_fold(heights, |left: Vec<Height>, step| gather(&step.members, &left));
        left.and_then(|left| answer(&left)).is_some_and(|a| a.outcome == Outcome::P)
    }

    /// The answer of a proof at the end of a chain, carried back to its start. `None` if the proof
    /// has no answer where there must be one.
    fn by_proof(
        &self,
        chain: &Chain,
        proof: &ProofCover,
        verdict: &mut Verdict,
    ) -> Option<Decision> {
        let state = Arc::clone(chain.end());
        let part = &state.parts[0];
        let (_, answer) = self.knowledge.answer(&part.rule, state.play, &part.heights)?;
        let Answer { outcome, take, .. } = answer;
        push_steps(chain, verdict);
        let by = proof.by().clone();
        let (proved, position) = (proof.stored().proved(), proof.position(&part.heights));
        let left = take.as_ref().map(|take| {
            let left: Vec<Height> = part.heights.iter().zip(&**take).map(|(h, t)| h - t).collect();
            proof.position(&left)
        });
        let (facts, reached) = match (outcome, left) {
            // Stacks of a larger game would have to go by its letters.
            _ if proof.is_part() => (Vec::new(), Vec::new()),
            (Outcome::P, _) => (proved.why(&position), Vec::new()),
            (_, Some(left)) => (proved.rule(&position), proved.why(&left)),
            (_, None) => (Vec::new(), Vec::new()),
        };
        verdict.reasons.push(Reason::Proof {
            state: Arc::clone(&state),
            outcome,
            by: by.clone(),
            set: proved.set(),
            formula: proved.telling(),
            facts,
            reached,
            stacks: proof.stacks(),
            position,
        });
        let lifted = take.as_ref().map(|take| chain.lift(take));
        verdict.reasons.extend(take.map(|take| Reason::Move { state, take }));
        Some(Decision { outcome, by, take: lifted })
    }

    /// The outcome after a move. The limits are looked at each time: tall stacks have more
    /// moves than anybody can wait for, however quickly each of them is settled.
    fn outcome_after(&mut self, state: &State, take: &Take) -> Result<Outcome, Stop> {
        self.watch.check(self.memory.bytes())?;
        let reached = state.option(take);
        Search::new(self.memory, self.knowledge, self.watch).outcome(&reached)
    }

    /// The Grundy value of a state.
    pub(crate) fn grundy(&mut self, state: &State) -> Result<u64, Stop> {
        self.watch.check(self.memory.bytes())?;
        Search::new(self.memory, self.knowledge, self.watch).grundy(state)
    }

    /// The outcome by computing, with a winning move: from the table of the box below if that is
    /// small enough, else by looking at all options.
    fn compute(
        &mut self,
        end: &Arc<State>,
        verdict: &mut Verdict,
    ) -> Result<(Outcome, By, Option<Take>), Stop> {
        if let Some(table) = by_table::settle(end, self.watch)? {
            let (outcome, by) = (table.outcome, By::Table { positions: table.positions });
            let state = Arc::clone(end);
            verdict.reasons.push(Reason::Settled { state, outcome, by: by.clone() });
            return Ok((outcome, by, table.winning.into_iter().next()));
        }
        let mut winning = None;
        for take in end.moves() {
            if self.outcome_after(end, &take)? == Outcome::P {
                winning = Some(take);
                break;
            }
        }
        let outcome = match winning {
            Some(_) => Outcome::N,
            None if end.moves().next().is_none() => end.play.terminal(),
            None => Outcome::P,
        };
        let by = By::Search { positions: self.memory.positions() };
        let state = Arc::clone(end);
        verdict.reasons.push(Reason::Settled { state, outcome, by: by.clone() });
        Ok((outcome, by, winning))
    }

    /// The outcome of a sum by the values of its parts, with a winning move.
    fn sum(
        &mut self,
        end: &State,
        verdict: &mut Verdict,
    ) -> Result<(Outcome, By, Option<Take>), Stop> {
        let mut parts = Vec::new();
        for (part, stacks) in end.parts.iter().zip(end.ranges()) {
            let value = self.value(part)?;
            let (grundy, by) = (value.grundy, value.by.clone());
            let part = Arc::new(State { play: end.play, parts: vec![part.clone()] });
            verdict.reasons.push(Reason::Value { part, stacks, grundy, by });
            parts.push(value);
        }
        let values: Vec<u64> = parts.iter().map(|v| v.grundy).collect();
        let grundy = values.iter().fold(0, |a, b| a ^ b);
        verdict.reasons.push(Reason::Sum { values, grundy });
        verdict.grundy = Some(grundy);
        let winning = sum::winning_move(self, end, &parts)?;
        let outcome = if grundy == 0 { Outcome::P } else { Outcome::N };
        // The sum is known as well as its least certain part.
        let rank = |by: &By| match by {
            By::Theorem { .. } => 0,
            By::Proof { .. } => 1,
            By::Table { .. } => 2,
            By::Search { .. } => 3,
        };
        let by = parts.into_iter().map(|v| v.by).max_by_key(rank);
        let by = by.unwrap_or(By::Search { positions: self.memory.positions() });
        Ok((outcome, by, winning))
    }

    /// The Grundy value of a part: by theorem, by the table of its box, or by search.
    fn value(&mut self, part: &Part) -> Result<Value, Stop> {
        if let Some(theorem) = self.knowledge.theorem(&part.rule, Play::Normal)
            && let Some(Ok(grundy)) = theorem.grundy(&part.heights).map(u64::try_from)
        {
            return Ok(Value { grundy, by: By::theorem(&theorem), table: None });
        }
        if let Some(table) = by_table::values(part, self.watch)? {
            let grundy = table.get(&part.heights).unwrap_or(0).into();
            let by = By::Table { positions: table.cells().len() as u128 };
            return Ok(Value { grundy, by, table: Some(table) });
        }
        let state = State { play: Play::Normal, parts: vec![part.clone()] };
        let grundy = self.grundy(&state)?;
        let by = By::Search { positions: self.memory.positions() };
        Ok(Value { grundy, by, table: None })
    }
}

/// The value of a part of a sum.
pub(crate) struct Value {
    pub(crate) grundy: u64,
    pub(crate) by: By,
    /// All values of the box below, if they were computed.
    pub(crate) table: Option<Table<u32>>,
}

/// The answer of a theorem at the end of a chain, carried back to its start.
fn by_theorem(chain: &Chain, theorem: &Recognition, verdict: &mut Verdict) -> Decision {
    push_steps(chain, verdict);
    let state = chain.end();
    let heights = &state.parts[0].heights;
    let relabelled = theorem.relabelled(heights);
    let won = theorem.solution().winning_move(&relabelled);
    let outcome = theorem.solution().outcome(&relabelled);
    let take = won.as_ref().map(|w| theorem.unlabelled(&w.take));
    let by = By::theorem(theorem);
    verdict.reasons.push(Reason::Theorem {
        state: Arc::clone(state),
        outcome,
        by: by.clone(),
        statement: Arc::clone(&theorem.label.statement),
        relabelling: theorem.relabelling,
        facts: theorem.solution().explain(&relabelled),
        reached: won.as_ref().map_or(Vec::new(), |won| {
            let left = relabelled.iter().zip(won.take.iter()).map(|(h, t)| h - t);
            theorem.solution().explain_option(&left.collect::<Vec<_>>())
        }),
        construction: won.map_or(Vec::new(), |w| w.reasons),
    });
    if let Some(take) = &take {
        verdict.reasons.push(Reason::Move { state: Arc::clone(state), take: take.clone() });
    }
    Decision { outcome, by, take: take.map(|take| chain.lift(&take)) }
}

/// The answer of a theorem that decides some positions only, if one on the chain is among them.
fn by_partial(chain: &Chain, verdict: &mut Verdict) -> Option<Decision> {
    let mut chain = chain.clone();
    let (taken, theorem, outcome) = (0..=chain.steps().len()).find_map(|taken| {
        let state = chain.after(taken);
        let [part] = &state.parts[..] else { return None };
        let (theorem, outcome) = partial(&part.rule, state.play, &part.heights)?;
        Some((taken, theorem, outcome))
    })?;
    chain.truncate(taken);
    push_steps(&chain, verdict);
    let state = Arc::clone(chain.end());
    let part = &state.parts[0];
    let won = theorem.winning_move(&part.rule, state.play, &part.heights);
    let take = won.as_ref().map(|won| won.take.clone());
    let by = By::partial(theorem);
    verdict.reasons.push(Reason::Theorem {
        outcome,
        by: by.clone(),
        statement: (*theorem.statement().text).into(),
        relabelling: Relabelling::identity(part.heights.len()),
        facts: theorem.explain(&part.rule, &part.heights),
        construction: won.map_or(Vec::new(), |won| won.reasons),
        reached: Vec::new(),
        state: Arc::clone(&state),
    });
    if let Some(take) = &take {
        verdict.reasons.push(Reason::Move { state, take: take.clone() });
    }
    Some(Decision { outcome, by, take: take.map(|take| chain.lift(&take)) })
}

fn push_steps(chain: &Chain, verdict: &mut Verdict) {
    verdict.reasons.extend(chain.steps().iter().cloned().map(Reason::Reduction));
}

fn push_move(verdict: &mut Verdict, take: Take) {
    let to = verdict.position.after(&take).expect("a lifted move leaves no stack below zero");
    verdict.moves.push(WinningMove { take, to });
}
