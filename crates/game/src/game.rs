//! A game: one or more rules played side by side, and who wins at the end.

use crate::family::{Family, FamilyError, MAX_SETS};
use crate::outcome::Play;
use crate::position::{Height, Position, Take};
use crate::rule::{Amounts, Choice, Rule, Violation};
use crate::stacks::{MAX_STACKS, StackSet};
use std::ops::Range;
use std::sync::Arc;

/// How the sets of a family are played when not in the usual way (DH13 section 6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Variant {
    /// Any stacks of the set, or all.
    pub choice: Choice,
    /// What may be taken from a played stack.
    pub each: Amounts,
    /// What may be taken in total.
    pub total: Amounts,
}

impl Variant {
    /// `any=a`: exactly `a` from each of one or more stacks of the set.
    pub const fn any(a: Height) -> Self {
        let total = Amounts::POSITIVE;
        Variant { choice: Choice::Any, each: Amounts::exactly(a), total }
    }

    /// `each=a`: exactly `a` from each stack of the set.
    pub const fn each(a: Height) -> Self {
        let total = Amounts::POSITIVE;
        Variant { choice: Choice::All, each: Amounts::exactly(a), total }
    }

    /// `each>=a`: at least `a` from each stack of the set.
    pub const fn each_at_least(a: Height) -> Self {
        let total = Amounts::POSITIVE;
        Variant { choice: Choice::All, each: Amounts::at_least(a), total }
    }

    /// `total>=a`: at least `a` tokens in total.
    pub const fn total_at_least(a: Height) -> Self {
        let each = Amounts::POSITIVE;
        Variant { choice: Choice::Any, each, total: Amounts::at_least(a) }
    }

    /// `total=a`: exactly `a` tokens in total.
    pub const fn total(a: Height) -> Self {
        let each = Amounts::POSITIVE;
        Variant { choice: Choice::Any, each, total: Amounts::exactly(a) }
    }
}

/// One summand of a game: a named family, perhaps played as a variant.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Summand {
    family: Family,
    variant: Option<Variant>,
    rule: Rule,
    first: usize,
}

impl Summand {
    /// The named family.
    pub fn family(&self) -> &Family {
        &self.family
    }

    /// The variant, if it is not played in the family's usual way.
    pub fn variant(&self) -> Option<Variant> {
        self.variant
    }

    /// The rule on the summand's own stacks.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// Where the summand's stacks stand among those of the whole game.
    pub fn stacks(&self) -> Range<usize> {
        self.first..self.first + self.rule.stacks()
    }
}

/// A game as it can be written down: a sum of named games under normal or misere play.
///
/// A move plays in one summand. The stacks of the summands are concatenated. Equality is
/// equality of what is written: `CN(3,2)` and `Moore(3,2)` are different values with the same
/// moves.
///
/// ```
/// use nimatron_game::{Game, Position, Take};
/// let game: Game = "CN(5,2)".parse().unwrap();
/// let start = Position::new(vec![3, 8, 5, 9, 6]).unwrap();
/// let reached = game.play(start, &Take::new(vec![0, 0, 2, 4, 0])).unwrap();
/// assert_eq!(reached.to_string(), "(3,8,3,5,6)");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Game {
    play: Play,
    /// Shared, for every answer holds a copy of its game.
    summands: Arc<[Summand]>,
}

impl Game {
    /// A single game of a named family, normal play.
    pub fn new(family: Family) -> Result<Self, FamilyError> {
        family.check()?;
        let rule = family.rule();
        Ok(Game::one(Summand { family, variant: None, rule, first: 0 }))
    }

    fn one(summand: Summand) -> Self {
        Game { play: Play::Normal, summands: [summand].into() }
    }

    /// A variant of a named family. A variant that plays as the family always does is dropped.
    pub fn variant(family: Family, variant: Variant) -> Result<Self, FamilyError> {
        if family.has_own_moves() {
            return Err(FamilyError::NoVariants);
        }
        family.check()?;
        let Variant { choice, each, total } = variant;
        let rule = Rule::new(family.sets(), choice, each, total);
        let variant = Some(variant).filter(|_| rule != family.rule());
        Ok(Game::one(Summand { family, variant, rule, first: 0 }))
    }

    /// SetNim on the listed sets of `n` stacks.
    pub fn set_nim(n: usize, sets: Vec<StackSet>) -> Result<Self, FamilyError> {
        Game::new(Family::Sets { n, sets })
    }

    /// A game with these moves. All sets of certain sizes become Nim, Moore, Exact or Slow
    /// games where one of them fits; other rules become a list of sets. Stacks in no set are an
    /// error, and so are more than [`crate::MAX_SETS`] sets that cannot be named.
    pub fn from_rule(rule: &Rule) -> Result<Self, FamilyError> {
        let (n, sets) = (rule.stacks(), rule.sets());
        let variant = Variant { choice: rule.choice(), each: rule.each(), total: rule.total() };
        if let Some(sizes) = sets.sizes() {
            if variant == Variant::each(1) {
                return Game::new(Family::Slow { n, sizes });
            }
            if let Some(k) = sizes.least().filter(|_| sizes.least() == sizes.greatest()) {
                return match k {
                    _ if variant == Variant::each_at_least(1) => Game::new(Family::Exact { n, k }),
                    1 => Game::variant(Family::Nim { n }, variant),
                    _ => Game::variant(Family::Moore { n, k }, variant),
                };
            }
        }
        if sets.len() > MAX_SETS as u64 {
            let count = usize::try_from(sets.len()).unwrap_or(usize::MAX);
            return Err(FamilyError::TooManySets(count));
        }
        Game::variant(Family::Sets { n, sets: sets.iter().collect() }, variant)
    }

    /// The sum of two games: a move plays in one of them. The play convention is that of
    /// `self`.
    pub fn plus(self, other: Game) -> Result<Self, FamilyError> {
        let first = self.stacks();
        if first + other.stacks() > MAX_STACKS {
            return Err(FamilyError::TooManyStacks(first + other.stacks()));
        }
        let moved = |s: &Summand| Summand { first: first + s.first, ..s.clone() };
        let (own, others) = (self.summands.iter().cloned(), other.summands.iter().map(moved));
        Ok(Game { play: self.play, summands: own.chain(others).collect() })
    }

    /// The same game under another play convention.
    #[must_use]
    pub fn under(mut self, play: Play) -> Self {
        self.play = play;
        self
    }

    /// Who wins when no move is left.
    pub fn convention(&self) -> Play {
        self.play
    }

    /// The summands, in the order of their stacks.
    pub fn summands(&self) -> &[Summand] {
        &self.summands
    }

    /// The rule, if the game is not a sum.
    pub fn single(&self) -> Option<&Rule> {
        match &self.summands[..] {
            [one] => Some(&one.rule),
            _ => None,
        }
    }

    /// The number of stacks.
    pub fn stacks(&self) -> usize {
        self.summands.last().map_or(0, |s| s.stacks().end)
    }

    /// The first reason why `take` is no move from `position`, if there is one.
    pub fn violation(&self, position: &[Height], take: &[Height]) -> Option<Violation> {
        let expected = self.stacks();
        for found in [position.len(), take.len()] {
            if found != expected {
                return Some(Violation::Length { expected, found });
            }
        }
        let played = |s: &&Summand| take[s.stacks()].iter().any(|&t| t > 0);
        let mut played = self.summands.iter().filter(played);
        match (played.next(), played.next()) {
            (None, _) => Some(Violation::Nothing),
            (Some(_), Some(_)) => Some(Violation::Summands),
            (Some(summand), None) => {
                let (at, rule) = (summand.stacks(), summand.rule());
                let local = rule.violation(&position[at.clone()], &take[at.clone()])?;
                Some(local.shifted(at.start))
            }
        }
    }

    /// Whether `take` is a move from `position`.
    pub fn is_legal(&self, position: &[Height], take: &[Height]) -> bool {
        self.violation(position, take).is_none()
    }

    /// All moves, lazily, each once; see [`Rule::moves`] about their number. Where there are not as
    /// many heights as stacks nothing is a move.
    pub fn moves<'a>(&'a self, position: &'a [Height]) -> impl Iterator<Item = Take> + 'a {
        let fits = position.len() == self.stacks();
        let summands = if fits { &self.summands[..] } else { &[] };
        summands.iter().flat_map(move |summand| {
            let at = summand.stacks();
            summand.rule.moves(&position[at.clone()]).map(move |local| {
                let mut take = vec![0; position.len()];
                take[at.clone()].copy_from_slice(&local);
                Take::new(take)
            })
        })
    }

    /// Whether no move is left.
    pub fn is_terminal(&self, position: &[Height]) -> bool {
        self.moves(position).next().is_none()
    }

    /// Plays a move. If it is not legal the position comes back unchanged, with the reason.
    pub fn play(&self, position: Position, take: &Take) -> Result<Position, IllegalMove> {
        match self.violation(&position, take) {
            Some(violation) => Err(IllegalMove { position, violation }),
            None => Ok(position.after(take).expect("a legal take leaves no stack below zero")),
        }
    }
}

impl Violation {
    /// The same violation in a game whose stacks start at `first`.
    fn shifted(self, first: usize) -> Self {
        match self {
            Violation::TooFew { stack, height, amount } => {
                Violation::TooFew { stack: stack + first, height, amount }
            }
            Violation::Each { stack, amount } => Violation::Each { stack: stack + first, amount },
            Violation::Stacks(set) => Violation::Stacks(set.shifted(first)),
            other => other,
        }
    }
}

/// A take that is not a move, with the position it was tried on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a move from {position}: {violation}")]
pub struct IllegalMove {
    /// The position, unchanged.
    pub position: Position,
    /// What is wrong with the take.
    pub violation: Violation,
}

#[cfg(feature = "serde")]
mod serde_impl {
    use super::Game;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// As its notation.
    impl Serialize for Game {
        fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            s.collect_str(self)
        }
    }
    impl<'de> Deserialize<'de> for Game {
        fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
            String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::{SetFamily, Sizes};

    #[test]
    fn rules_on_all_sets_of_certain_sizes_get_their_names() {
        let name = |n: usize, sizes: &[usize], Variant { choice, each, total }: Variant| {
            let sets = SetFamily::by_size(n, Sizes::new(sizes.iter().copied()));
            Game::from_rule(&Rule::new(sets, choice, each, total)).map(|game| game.to_string())
        };
        let usual = Variant::total_at_least(1);
        assert_eq!(name(4, &[1], usual).unwrap(), "Nim(4)");
        assert_eq!(name(4, &[1, 2], usual).unwrap(), "Moore(4,2)");
        assert_eq!(name(4, &[2], Variant::any(3)).unwrap(), "Moore(4,2) any=3");
        assert_eq!(name(4, &[2], Variant::each_at_least(1)).unwrap(), "Exact(4,2)");
        assert_eq!(name(4, &[1], Variant::each_at_least(1)).unwrap(), "Exact(4,1)");
        assert_eq!(name(4, &[1, 3], Variant::each(1)).unwrap(), "Slow(4,{1,3})");
        assert_eq!(name(4, &[2], Variant::each(2)).unwrap(), "Moore(4,2) each=2");
        let one_of_two = Variant { total: Amounts::exactly(2), ..Variant::each(1) };
        assert_eq!(name(4, &[2], one_of_two).unwrap(), "Moore(4,2) each=1 total=2");
        let listed = "Set(a,b,c,ab,ac,bc) each>=1";
        assert_eq!(name(3, &[1, 2], Variant::each_at_least(1)).unwrap(), listed);
        let many = name(32, &[15, 16], Variant::each_at_least(1));
        assert_eq!(many, Err(FamilyError::TooManySets(1_166_803_110)));
        assert_eq!(name(4, &[], usual), Err(FamilyError::EmptyList));
    }
}
