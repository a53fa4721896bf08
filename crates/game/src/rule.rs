//! The one schema that all games here follow.

use crate::moves::Moves;
use crate::position::{Height, Take};
use crate::sets::SetFamily;
use crate::stacks::StackSet;

/// Whether a move plays on any stacks of the chosen set, or on all of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Choice {
    /// Any non-empty selection from the set (SetNim).
    Any,
    /// Every stack of the set (Exact and Slow games).
    All,
}

/// An allowed number of tokens: at least `least`, at most `most` if that is given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Amounts {
    least: Height,
    most: Option<Height>,
}

impl Amounts {
    /// Any positive number.
    pub const POSITIVE: Amounts = Amounts { least: 1, most: None };

    /// Exactly `amount`, which is taken as 1 if it is 0.
    pub const fn exactly(amount: Height) -> Self {
        Amounts::between(amount, Some(amount))
    }

    /// At least `least`, which is taken as 1 if it is 0.
    pub const fn at_least(least: Height) -> Self {
        Amounts::between(least, None)
    }

    /// From `least` (1 if it is 0) to `most`; an empty range becomes exactly `least`.
    pub const fn between(least: Height, most: Option<Height>) -> Self {
        let least = if least == 0 { 1 } else { least };
        match most {
            Some(m) if m < least => Amounts { least, most: Some(least) },
            most => Amounts { least, most },
        }
    }

    /// The least amount allowed, at least 1.
    pub const fn least(self) -> Height {
        self.least
    }

    /// The greatest amount allowed, if there is a bound.
    pub const fn most(self) -> Option<Height> {
        self.most
    }

    /// Whether `amount` is allowed.
    pub fn allows(self, amount: u128) -> bool {
        amount >= u128::from(self.least) && self.most.is_none_or(|m| amount <= u128::from(m))
    }

    /// The greatest amount allowed from a stack of this height.
    pub(crate) fn cap(self, height: Height) -> Height {
        self.most.map_or(height, |m| m.min(height))
    }
}

/// The rules of one game: choose a set of the family, play on any or all of its stacks, from
/// each played stack an allowed number of tokens, in total an allowed number of tokens.
///
/// | game | choice | each stack | total |
/// | --- | --- | --- | --- |
/// | SetNim (Nim, Moore, CN, PN, NN, ...) | any | >= 1 | >= 1 |
/// | Exact Nim | all | >= 1 | >= 1 |
/// | Slow Nim | all | = 1 | >= 1 |
/// | variants of DH13 section 6 | any or all | = a or >= a | >= a or = a |
///
/// Where any stacks of a set may be played only inclusion-maximal sets (facets) are kept, for
/// the others add no move; where all are played every set counts. Stacks in no set are allowed
/// here (a reduction may leave them); [`crate::Game`] refuses them.
///
/// Equality is equality of the schema, not of the games it describes up to relabelling.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Rule {
    sets: SetFamily,
    choice: Choice,
    each: Amounts,
    total: Amounts,
}

impl Rule {
    /// A rule of the schema.
    pub fn new(sets: SetFamily, choice: Choice, each: Amounts, total: Amounts) -> Self {
        let sets = match choice {
            Choice::Any => sets.maximal(),
            Choice::All => sets,
        };
        Rule { sets, choice, each, total }
    }

    /// SetNim: any amounts from the stacks of one facet.
    pub fn set_nim(sets: SetFamily) -> Self {
        Rule::new(sets, Choice::Any, Amounts::POSITIVE, Amounts::POSITIVE)
    }

    /// The same way of playing on other sets.
    #[must_use]
    pub fn on(&self, sets: SetFamily) -> Self {
        Rule::new(sets, self.choice, self.each, self.total)
    }

    /// The number of stacks.
    pub fn stacks(&self) -> usize {
        self.sets.stacks()
    }

    /// The move sets; facets where any stacks of a set may be played.
    pub fn sets(&self) -> &SetFamily {
        &self.sets
    }

    /// Any stacks of the set, or all.
    pub fn choice(&self) -> Choice {
        self.choice
    }

    /// What may be taken from a played stack.
    pub fn each(&self) -> Amounts {
        self.each
    }

    /// What may be taken in total.
    pub fn total(&self) -> Amounts {
        self.total
    }

    /// Whether this is SetNim: any positive amounts from one facet.
    pub fn is_set_nim(&self) -> bool {
        self.choice == Choice::Any
            && self.each == Amounts::POSITIVE
            && self.total == Amounts::POSITIVE
    }

    /// Whether the stacks of `set` can be the ones played in a move.
    pub fn allows_support(&self, set: StackSet) -> bool {
        !set.is_empty()
            && match self.choice {
                Choice::Any => self.sets.covers(set),
                Choice::All => self.sets.contains(set),
            }
    }

    /// The first reason why `take` is no move from `heights`, if there is one.
    pub fn violation(&self, heights: &[Height], take: &[Height]) -> Option<Violation> {
        if heights.len() != self.stacks() || take.len() != self.stacks() {
            let found = if take.len() == self.stacks() { heights.len() } else { take.len() };
            return Some(Violation::Length { expected: self.stacks(), found });
        }
        let support = crate::position::support(take);
        if support.is_empty() {
            return Some(Violation::Nothing);
        }
        for stack in support {
            let amount = take[stack];
            if amount > heights[stack] {
                return Some(Violation::TooFew { stack, height: heights[stack], amount });
            }
            if !self.each.allows(amount.into()) {
                return Some(Violation::Each { stack, amount });
            }
        }
        if !self.allows_support(support) {
            return Some(Violation::Stacks(support));
        }
        let total = take.iter().map(|&t| u128::from(t)).sum();
        (!self.total.allows(total)).then_some(Violation::Total(total))
    }

    /// Whether `take` is a move from `heights`.
    pub fn is_legal(&self, heights: &[Height], take: &[Height]) -> bool {
        self.violation(heights, take).is_none()
    }

    /// All moves from `heights`, lazily, each once, in an unspecified but fixed order. Their
    /// number is astronomical for tall stacks: never collect them without a bound.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn moves(&self, heights: &[Height]) -> Moves {
        assert_eq!(heights.len(), self.stacks(), "heights must match the stacks");
        Moves::new(self, heights)
    }

    /// Whether no move is left.
    pub fn is_terminal(&self, heights: &[Height]) -> bool {
        self.moves(heights).next().is_none()
    }

    /// The stacks from which a token can ever be taken: in a set, and tall enough.
    pub fn playable(&self, heights: &[Height]) -> StackSet {
        let tall = (0..self.stacks()).filter(|&s| heights[s] >= self.each.least);
        tall.collect::<StackSet>() & self.sets.support()
    }

    /// The option reached by `take`.
    pub fn option(heights: &[Height], take: &Take) -> Vec<Height> {
        heights.iter().zip(take.iter()).map(|(h, t)| h - t).collect()
    }
}

/// Why a take is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// The vectors do not have one entry per stack.
    #[error("the game has {expected} stacks, but {found} numbers were given")]
    Length {
        /// The number of stacks.
        expected: usize,
        /// The number of entries.
        found: usize,
    },
    /// No token is taken.
    #[error("a move takes at least one token")]
    Nothing,
    /// More tokens than the stack holds.
    #[error("stack {} holds {height}, not {amount}", stack + 1)]
    TooFew {
        /// The stack, from 0.
        stack: usize,
        /// What it holds.
        height: Height,
        /// What was to be taken.
        amount: Height,
    },
    /// An amount outside the range per played stack.
    #[error("{amount} may not be taken from stack {}", stack + 1)]
    Each {
        /// The stack, from 0.
        stack: usize,
        /// What was to be taken.
        amount: Height,
    },
    /// These stacks may not be played together.
    #[error("stacks {0} may not be played together")]
    Stacks(StackSet),
    /// A total outside its range.
    #[error("{0} tokens in total may not be taken")]
    Total(u128),
    /// A move in a sum plays in one summand only.
    #[error("a move plays in one summand of a sum")]
    Summands,
}
