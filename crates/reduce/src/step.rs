//! One reduction applied, and how its moves are carried back.

use crate::members::{gather, spread};
use crate::state::State;
use nimatron_game::{Amounts, Choice, Family, Height, Rule, SetFamily, StackSet, Take};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// What a reduction leaves the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Preserves {
    /// The game itself: its moves correspond one to one.
    Game,
    /// Outcome under both conventions, Grundy value and remoteness: the options are the same up
    /// to repetition.
    Values,
    /// Only the outcome, under normal play.
    Outcome,
}

/// A way to make a state smaller.
pub trait Reduction {
    /// One word for it.
    fn name(&self) -> &'static str;

    /// What it leaves the same.
    fn preserves(&self) -> Preserves;

    /// The step, or `None` where the reduction changes nothing or is not valid.
    fn apply(&self, state: &Arc<State>) -> Option<Step>;
    /// The step of this reduction from a state to another; `members` as in [`Step`].
    fn step(
        &self,
        change: Change,
        before: &Arc<State>,
        after: State,
        members: Vec<Vec<usize>>,
    ) -> Step {
        let (before, after, members) = (Arc::clone(before), Arc::new(after), members.into());
        Step { change, preserves: self.preserves(), before, after, members }
    }
}

/// What a step did. Stacks are those of the state before.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Change {
    /// Stacks too low to be played on were removed. Sets that thereby became part of another
    /// set, or lost a stack they need, were dropped.
    Zero {
        /// The removed stacks.
        stacks: StackSet,
        /// What was left of the dropped sets; families given by their sizes are not listed.
        dropped: Vec<StackSet>,
    },
    /// Stacks in no set were removed.
    Idle {
        /// The removed stacks.
        stacks: StackSet,
    },
    /// Stacks that lie in the same sets became one.
    Merge {
        /// The classes of more than one stack.
        classes: Vec<StackSet>,
    },
    /// A part fell into several.
    Components {
        /// The stacks of each new part.
        parts: Vec<StackSet>,
    },
    /// A part was recognised, after renaming its stacks.
    Naming {
        /// Which part.
        part: usize,
        /// Its name.
        family: Family,
    },
    /// Tokens were taken off along invariant vectors.
    Invariance {
        /// The vectors used, and how many times each was subtracted.
        subtracted: Vec<(StackSet, Height)>,
        /// Who says that they are invariant: `KDH26 Theorem 5.1`.
        by: Arc<str>,
    },
    /// Tokens that no play can ever remove were taken off.
    Chop {
        /// How many, for each stack.
        unplayable: Vec<Height>,
    },
    /// Tokens are counted by the bundle.
    Floor {
        /// The size of a bundle, for each stack; 1 where nothing changed.
        bundles: Vec<Height>,
    },
    /// A stack that lies in every set was emptied: with tokens on it the position is N.
    Cone {
        /// The stack.
        stack: usize,
    },
}

/// A reduction applied to a state. What a chain of steps and the reasons of a verdict hold is shared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What was done.
    pub change: Change,
    /// What the step leaves the same.
    pub preserves: Preserves,
    /// The state before.
    pub before: Arc<State>,
    /// The state after.
    pub after: Arc<State>,
    /// For each stack of `after`, the stacks of `before` that it stands for.
    pub members: Arc<[Vec<usize>]>,
}

impl Step {
    /// The stack of `before` that every move empties in addition (only in a cone reduction).
    fn emptied(&self) -> Option<usize> {
        match self.change {
            Change::Cone { stack } => Some(stack),
            _ => None,
        }
    }

    /// The same step from other heights of the same game; `None` if a merged height would exceed
    /// the limit, or if the step depends on more than which stacks are playable.
    pub(crate) fn from(&self, before: Arc<State>) -> Option<Step> {
        if let Change::Invariance { .. } | Change::Chop { .. } = self.change {
            return None;
        }
        let mut heights = before.heights();
        if let Change::Floor { bundles } = &self.change {
            heights.iter_mut().zip(bundles).for_each(|(h, b)| *h /= b);
        }
        let after = self.after.at(&gather(&self.members, &heights)?)?;
        let (change, members) = (self.change.clone(), Arc::clone(&self.members));
        Some(Step { change, preserves: self.preserves, before, after: Arc::new(after), members })
    }

    /// A move of `after` as a move of `before`. An amount taken from a merged stack is taken
    /// from the smallest stacks first; bundles are taken as they are.
    ///
    /// # Panics
    /// If `take` does not fit the state after.
    pub fn lift(&self, take: &Take) -> Take {
        if let Change::Floor { bundles } = &self.change {
            return Take::new(take.iter().zip(bundles).map(|(t, b)| t * b).collect());
        }
        let heights = self.before.heights();
        assert_eq!(take.len(), self.members.len(), "a take of another state");
        let mut lifted = spread(&self.members, take, &heights);
        if let Some(stack) = self.emptied() {
            lifted[stack] = heights[stack];
        }
        Take::new(lifted)
    }

    /// All moves of `before` that amount to this move of `after`, lazily.
    ///
    /// # Panics
    /// If `take` does not fit the state after.
    pub fn lifts(&self, take: &Take) -> Box<dyn Iterator<Item = Take>> {
        if let Change::Floor { .. } = self.change {
            return self.bundled_lifts(take);
        }
        let heights = self.before.heights();
        let base = self.base(take, &heights);
        let start: Box<dyn Iterator<Item = Vec<Height>>> = Box::new(std::iter::once(base));
        let played = self.members.iter().zip(take.iter()).filter(|&(_, &amount)| amount > 0);
        let all = played.fold(start, |partial, (members, &amount)| {
            let members = members.clone();
            let tokens: Vec<Height> = members.iter().map(|&s| heights[s]).collect();
            Box::new(partial.flat_map(move |base| {
                let members = members.clone();
                splits(amount, &tokens).map(move |split| {
                    let mut lifted = base.clone();
                    members.iter().zip(split.iter()).for_each(|(&s, &t)| lifted[s] = t);
                    lifted
                })
            }))
        });
        Box::new(all.map(Take::new))
    }

    /// For each stack, the amounts that lower its number of bundles by what `take` says: one where
    /// whole bundles are taken; any amount of at least a bundle otherwise.
    fn bundled_amounts(&self, take: &Take) -> Vec<RangeInclusive<Height>> {
        let Change::Floor { bundles } = &self.change else { return Vec::new() };
        let free = self.before.parts.iter().flat_map(|p| {
            let free = p.rule.each().most().is_none();
            p.heights.iter().map(move |&height| (height, free))
        });
        let amounts = |((height, free), (&amount, &bundle)): ((Height, bool), (&u64, &u64))| {
            let exact = amount * bundle;
            if amount == 0 || bundle == 1 || !free {
                return exact..=exact;
            }
            // What is left holds between the wanted bundles and almost one more.
            let most = exact + height % bundle;
            most.saturating_sub(bundle - 1).max(bundle)..=most
        };
        free.zip(take.iter().zip(bundles)).map(amounts).collect()
    }

    /// In how many ways each stack can be lowered as [`Step::bundled_amounts`] says.
    pub(crate) fn bundled_counts(&self, take: &Take) -> impl Iterator<Item = u128> + use<> {
        let amounts = self.bundled_amounts(take).into_iter();
        amounts.map(|range| u128::from(range.end() - range.start()) + 1)
    }

    fn bundled_lifts(&self, take: &Take) -> Box<dyn Iterator<Item = Take>> {
        let none: Box<dyn Iterator<Item = Vec<Height>>> = Box::new(std::iter::once(Vec::new()));
        let all = self.bundled_amounts(take).into_iter().fold(none, |partial, amounts| {
            Box::new(partial.flat_map(move |base| {
                let longer = move |amount| base.iter().copied().chain([amount]).collect();
                amounts.clone().map(longer)
            }))
        });
        Box::new(all.map(Take::new))
    }

    fn base(&self, take: &Take, heights: &[Height]) -> Vec<Height> {
        assert_eq!(take.len(), self.members.len(), "a take of another state");
        let mut base = vec![0; heights.len()];
        if let Some(stack) = self.emptied() {
            base[stack] = heights[stack];
        }
        base
    }
}

/// All ways to take `amount` in total from stacks of these heights.
fn splits(amount: Height, heights: &[Height]) -> impl Iterator<Item = Take> + use<> {
    let all = SetFamily::listed(heights.len(), [StackSet::first(heights.len())]);
    let rule = Rule::new(all, Choice::Any, Amounts::POSITIVE, Amounts::exactly(amount));
    rule.moves(heights)
}
