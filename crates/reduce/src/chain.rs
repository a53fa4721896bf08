//! Reductions one after the other.

use crate::chop::Chop;
use crate::components::Components;
use crate::cone::Cone;
use crate::floor::Floor;
use crate::idle::Idle;
use crate::merge::Merge;
use crate::name::{Naming, name_in_place};
use crate::state::State;
use crate::step::{Change, Preserves, Reduction, Step};
use crate::zero::Zero;
use nimatron_game::{Height, Take};
use std::sync::Arc;

/// A state and the steps that make it smaller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    start: Arc<State>,
    steps: Vec<Arc<Step>>,
}

impl Chain {
    /// Only the state, not reduced.
    pub fn new(start: impl Into<Arc<State>>) -> Self {
        Chain { start: start.into(), steps: Vec::new() }
    }

    /// Reduces as far as values allow, and names what is left and what is met on the way. The
    /// cone reduction, which preserves only the outcome, is left out.
    pub fn reduce(start: impl Into<Arc<State>>) -> Self {
        let mut chain = Chain::shrink(start);
        chain.name();
        chain
    }

    /// Reduces as far as values allow, without looking for names.
    pub fn shrink(start: impl Into<Arc<State>>) -> Self {
        let mut chain = Chain::new(start);
        chain.exhaust(&[&Floor, &Chop, &Zero, &Idle, &Components, &Merge]);
        chain
    }

    /// Like [`Chain::shrink`], but without merging.
    pub fn shrink_unmerged(start: impl Into<Arc<State>>) -> Self {
        let mut chain = Chain::new(start);
        chain.exhaust(&[&Floor, &Chop, &Zero, &Idle, &Components]);
        chain
    }

    /// Reduces with the cone reduction as well, and names what is left.
    pub fn reduce_with_cone(start: impl Into<Arc<State>>) -> Self {
        let mut chain = Chain::new(start);
        chain.exhaust(&[&Floor, &Chop, &Zero, &Idle, &Components, &Merge, &Cone]);
        chain.name();
        chain
    }

    /// Names every state whose stacks already are in the order of the name, and renames the
    /// stacks of the last one if need be.
    fn name(&mut self) {
        for i in 0..self.steps.len() {
            let mut named = State::clone(&self.steps[i].after);
            name_in_place(&mut named);
            let named = Arc::new(named);
            Arc::make_mut(&mut self.steps[i]).after = Arc::clone(&named);
            if let Some(next) = self.steps.get_mut(i + 1) {
                Arc::make_mut(next).before = named;
            }
        }
        self.exhaust(&[&Naming]);
    }

    /// Applies the first reduction that changes something, again and again.
    fn exhaust(&mut self, reductions: &[&dyn Reduction]) {
        while let Some(step) = reductions.iter().find_map(|r| r.apply(self.end())) {
            self.steps.push(Arc::new(step));
        }
    }

    /// Adds the step of a reduction, if it changes something.
    pub fn push(&mut self, reduction: &dyn Reduction) -> bool {
        let step = reduction.apply(self.end());
        let changed = step.is_some();
        self.steps.extend(step.map(Arc::new));
        changed
    }

    /// Adds the steps of another chain that starts where this one ends.
    ///
    /// # Panics
    /// If it starts elsewhere.
    pub fn append(&mut self, next: Chain) {
        assert_eq!(self.end(), &next.start, "chains must meet");
        self.steps.extend(next.steps);
    }

    /// Adds a step that starts where the chain ends.
    ///
    /// # Panics
    /// If it starts elsewhere.
    pub fn push_step(&mut self, step: Step) {
        assert_eq!(self.end(), &step.before, "steps must meet");
        self.steps.push(Arc::new(step));
    }

    /// Keeps only the first steps.
    pub fn truncate(&mut self, steps: usize) {
        self.steps.truncate(steps);
    }

    /// The state after the first steps.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn after(&self, steps: usize) -> &Arc<State> {
        match steps {
            0 => &self.start,
            _ => &self.steps[steps - 1].after,
        }
    }

    /// The state at the start.
    pub fn start(&self) -> &Arc<State> {
        &self.start
    }

    /// The steps, in order.
    pub fn steps(&self) -> &[Arc<Step>] {
        &self.steps
    }

    /// The state at the end.
    pub fn end(&self) -> &Arc<State> {
        self.steps.last().map_or(&self.start, |s| &s.after)
    }

    /// The same reductions from other heights of the start's game. Which stacks are playable must
    /// not differ: that alone decides the steps, so a chain found once serves all such positions.
    /// `None` if it differs, if a merged height would exceed the limit, or if a part may hold
    /// unplayable tokens: there the heights themselves decide.
    pub fn at(&self, heights: &[Height]) -> Option<Chain> {
        let start = Arc::new(self.start.at(heights)?);
        if self.may_chop() {
            return None;
        }
        let playable = |state: &State| -> Vec<_> {
            state.parts.iter().map(|p| p.rule.playable(&p.heights)).collect()
        };
        if playable(&start) != playable(&self.start) {
            return None;
        }
        let mut steps: Vec<Arc<Step>> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let before = steps.last().map_or(&start, |s| &s.after);
            steps.push(Arc::new(step.from(Arc::clone(before))?));
        }
        Some(Chain { start, steps })
    }

    fn may_chop(&self) -> bool {
        let states = self.steps.iter().map(|s| &s.after).chain([&self.start]);
        let mut parts = states.flat_map(|state| &state.parts);
        parts.any(|part| Chop::least_move(&part.rule).is_some())
    }

    /// What the whole chain leaves the same.
    pub fn preserves(&self) -> Preserves {
        let weakest = |a: Preserves, s: &Arc<Step>| match (a, s.preserves) {
            (Preserves::Game, b) => b,
            (Preserves::Values, Preserves::Outcome) => Preserves::Outcome,
            (a, _) => a,
        };
        self.steps.iter().fold(Preserves::Game, weakest)
    }

    /// For each stack at the end, the stacks at the start that it stands for.
    pub fn members(&self) -> Vec<Vec<usize>> {
        let start = (0..self.start.stacks()).map(|s| vec![s]).collect();
        self.steps.iter().fold(start, |before: Vec<Vec<usize>>, step| {
            let gather = |m: &Vec<usize>| m.iter().flat_map(|&s| before[s].clone()).collect();
            step.members.iter().map(gather).collect()
        })
    }

    /// A move at the end as a move at the start; merged amounts from the smallest stacks first.
    pub fn lift(&self, take: &Take) -> Take {
        self.steps.iter().rev().fold(take.clone(), |take, step| step.lift(&take))
    }

    /// All moves at the start that amount to this move at the end, lazily.
    pub fn lifts(&self, take: &Take) -> Box<dyn Iterator<Item = Take> + '_> {
        let end: Box<dyn Iterator<Item = Take>> = Box::new(std::iter::once(take.clone()));
        self.steps
            .iter()
            .rev()
            .fold(end, |takes, step| Box::new(takes.flat_map(move |take| step.lifts(&take))))
    }

    /// How many moves at the start amount to this move at the end; `None` if that is too much to
    /// count.
    pub fn lift_count(&self, take: &Take) -> Option<u128> {
        let heights = self.start.heights();
        let members = self.members();
        let played = members.iter().zip(take.iter()).filter(|&(_, &amount)| amount > 0);
        let merged = played.into_iter().try_fold(1u128, |count, (members, &amount)| {
            let tokens: Vec<Height> = members.iter().map(|&s| heights[s]).collect();
            count.checked_mul(count_splits(amount, &tokens)?)
        })?;
        // Stacks counted in bundles never merge, so the two ways to choose are independent.
        let mut take = take.clone();
        self.steps.iter().rev().try_fold(merged, |count, step| {
            let bundled = match step.change {
                Change::Floor { .. } => {
                    step.bundled_counts(&take).try_fold(1, u128::checked_mul)?
                }
                _ => 1,
            };
            take = step.lift(&take);
            count.checked_mul(bundled)
        })
    }
}

/// In how many ways `amount` can be taken in total from stacks of these heights: inclusion and
/// exclusion over the stacks that would be overdrawn. `None` if the number, or the number of
/// stacks, is too large.
fn count_splits(amount: Height, heights: &[Height]) -> Option<u128> {
    // Ways to write `amount` as an ordered sum of `parts` non-negative numbers.
    let compositions = |amount: u128, parts: usize| -> Option<i128> {
        let mut ways = 1u128;
        for i in 1..parts as u128 {
            ways = ways.checked_mul(amount + i)? / i;
        }
        i128::try_from(ways).ok()
    };
    let parts = heights.len();
    if parts > 20 {
        return None;
    }
    let mut count = 0i128;
    for overdrawn in 0u32..1 << parts {
        let stacks = (0..parts).filter(|i| overdrawn >> i & 1 == 1);
        let surplus: u128 = stacks.map(|i| u128::from(heights[i]) + 1).sum();
        let Some(rest) = u128::from(amount).checked_sub(surplus) else { continue };
        let ways = compositions(rest, parts)?;
        let sign = if overdrawn.count_ones() % 2 == 0 { 1 } else { -1 };
        count = count.checked_add(sign * ways)?;
    }
    u128::try_from(count).ok()
}
