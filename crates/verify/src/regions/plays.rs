//! The move relation of a game as a finite union of polyhedra.

use crate::flaw::{Budget, Rejection, require};
use crate::row::Row;
use nimatron_game::{Amounts, Choice, Game, StackSet};
use std::collections::BTreeMap;

/// The most kinds of moves: there is a tree for each of them and any two branches.
const MAX_PLAYS: usize = 10_000;

/// Moves that lower stacks of one set, described by linear constraints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Play {
    /// The stacks that may be lowered. No other play of the game has the same.
    pub(super) stacks: StackSet,
    /// Whether stacks of the set may be left as they are.
    any: bool,
    /// What is taken from a stack that is lowered.
    each: Amounts,
    /// What is taken in total.
    total: Amounts,
}

/// All plays of a game, in the order of their sets as numbers.
///
/// Summand by summand, set by set. Where any stacks of a set may be played and any positive
/// amounts taken there is one play per set; where amounts are restricted, one per non-empty
/// subset; where all stacks are played, one per set.
pub(super) fn plays(game: &Game, budget: &mut Budget) -> Result<Vec<Play>, Rejection> {
    let mut found: BTreeMap<u32, Play> = BTreeMap::new();
    for summand in game.summands() {
        let (rule, first) = (summand.rule(), summand.stacks().start);
        let (each, total) = (rule.each(), rule.total());
        let any = rule.choice() == Choice::Any && each == Amounts::POSITIVE;
        for set in rule.sets().iter() {
            let subsets = rule.choice() == Choice::Any && !any;
            let others = set.subsets().filter(|subset| subsets && *subset != set);
            for stacks in std::iter::once(set).chain(others) {
                let stacks = stacks.shifted(first);
                found.insert(stacks.bits(), Play { stacks, any, each, total });
                budget.spend(16)?;
                require(found.len() <= MAX_PLAYS, "limit", || "there are too many moves".into())?;
                if !subsets {
                    break;
                }
            }
        }
    }
    Ok(found.into_values().collect())
}

impl Play {
    /// The play under new names of the stacks.
    pub(super) fn relabel(&self, image: &[usize]) -> Play {
        Play { stacks: self.stacks.relabel(image), ..*self }
    }

    /// Whether a witness that leaves the position as it is does no harm: any amounts may be
    /// taken, so the new heights are those of a move, or the position itself lies in the target.
    pub(super) fn may_stay(&self) -> bool {
        self.any && self.total == Amounts::POSITIVE
    }

    /// The variable of each height after the play, if the new heights of the stacks played are
    /// the variables from `first` on.
    pub(super) fn after(&self, stacks: usize, first: usize) -> Vec<usize> {
        let new = |s: usize| first + self.stacks.iter().take_while(|&other| other < s).count();
        (0..stacks).map(|s| if self.stacks.contains(s) { new(s) } else { s }).collect()
    }

    /// The constraints of the play, where `after` says which variables the heights after it are:
    /// for each stack of the play that it is at least zero, then the bounds on what is taken from
    /// it; then, unless `stay`, the bounds on the total. Equal bounds are one equation.
    pub(super) fn rows(&self, after: &[usize], stay: bool) -> Result<Vec<Row>, Rejection> {
        let mut rows = Vec::new();
        let mut total = Row::constant(0);
        let within = |taken: &Row, amounts: Amounts, least: i128| {
            let lower = taken.clone().plus(-least, &Row::constant(1))?;
            Ok(match amounts.most().map(i128::from) {
                Some(most) if most == least => vec![Row { equation: true, ..lower }],
                Some(most) => vec![lower, Row::constant(most).plus(-1, taken)?],
                None => vec![lower],
            })
        };
        for stack in self.stacks {
            let new = Row::variable(after[stack]);
            let taken = Row::variable(stack).plus(-1, &new)?;
            total = total.plus(1, &taken)?;
            rows.push(new);
            let least = if self.any { 0 } else { self.each.least().into() };
            rows.extend(within(&taken, self.each, least)?);
        }
        if !stay {
            rows.extend(within(&total, self.total, self.total.least().into())?);
        }
        Ok(rows)
    }
}
