//! The move relation of a game as a finite union of polyhedra.

use super::linear::Row;
use nimatron_game::{Amounts, Choice, Game, StackSet};

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

/// All plays of a game, in the order of their sets as numbers; `None` if there are more than
/// `limit`.
///
/// Summand by summand, set by set. Where any stacks of a set may be played and any positive
/// amounts taken there is one play per set; where amounts are restricted, one per non-empty
/// subset; where all stacks are played, one per set.
pub(super) fn plays(game: &Game, limit: usize) -> Option<Vec<Play>> {
    let mut found: Vec<Play> = Vec::new();
    for summand in game.summands() {
        let (rule, first) = (summand.rule(), summand.stacks().start);
        let (each, total) = (rule.each(), rule.total());
        let any = rule.choice() == Choice::Any && each == Amounts::POSITIVE;
        for set in rule.sets().iter() {
            let sets: Vec<StackSet> = match rule.choice() {
                Choice::Any if !any && set.len() > 16 => return None,
                Choice::Any if !any => set.subsets().filter(|s| !s.is_empty()).collect(),
                _ => vec![set],
            };
            for stacks in sets {
                let play = Play { stacks: stacks.shifted(first), any, each, total };
                if !found.contains(&play) {
                    found.push(play);
                }
            }
            if found.len() > limit {
                return None;
            }
        }
    }
    found.sort_by_key(|play| play.stacks.bits());
    Some(found)
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
    pub(super) fn rows(&self, after: &[usize], stay: bool) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut total = vec![0; after.iter().max().map_or(0, |v| v + 1)];
        let within = |taken: &[i128], amounts: Amounts, least: i128| {
            let negative = taken.iter().map(|c| -c).collect();
            let lower = Row { coefficients: taken.to_vec(), ..Row::constant(-least) };
            match amounts.most().map(i128::from) {
                Some(most) if most == least => vec![Row { equation: true, ..lower }],
                Some(most) => vec![lower, Row { coefficients: negative, ..Row::constant(most) }],
                None => vec![lower],
            }
        };
        for stack in self.stacks {
            let new = after[stack];
            let mut taken = vec![0; total.len()];
            (taken[stack], taken[new]) = (1, -1);
            (total[stack], total[new]) = (1, -1);
            rows.push(Row::variable(new));
            let least = if self.any { 0 } else { self.each.least().into() };
            rows.extend(within(&taken, self.each, least));
        }
        if !stay {
            rows.extend(within(&total, self.total, self.total.least().into()));
        }
        rows
    }
}
