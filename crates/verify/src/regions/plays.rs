//! The move relation of a game as a finite union of polyhedra.

use super::linear::Row;
use nimatron_game::{Amounts, Choice, Game, StackSet};

/// Moves that lower stacks of one set, described by linear constraints.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Play {
    /// The stacks that may be lowered.
    pub stacks: StackSet,
    /// Whether stacks of the set may be left as they are.
    pub any: bool,
    /// What is taken from a stack that is lowered.
    pub each: Amounts,
    /// What is taken in total.
    pub total: Amounts,
}

/// All plays of a game, or `None` if there are more than `limit`.
///
/// Summand by summand, set by set. Where any stacks of a set may be played and any positive
/// amounts taken there is one play per set; where amounts are restricted, one per non-empty
/// subset; where all stacks are played, one per set.
pub fn plays(game: &Game, limit: usize) -> Option<Vec<Play>> {
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
    Some(found)
}

impl Play {
    /// The play under new names of the stacks.
    pub(super) fn relabel(&self, image: &[usize]) -> Play {
        Play { stacks: self.stacks.relabel(image), ..*self }
    }

    /// Whether a witness that leaves the position as it is does no harm: any amounts may be
    /// taken, so the new heights are those of a move, or the position itself lies in the target.
    pub fn may_stay(&self) -> bool {
        self.any && self.total == Amounts::POSITIVE
    }

    /// The constraints of the play, over the heights and the new heights, of which `new` says
    /// which variables they are: for each stack of the play `new >= 0`, then the bounds on what is
    /// taken from it; then, unless `stay`, the bounds on the total. Equal bounds are one equation.
    pub fn rows(&self, variables: usize, new: impl Fn(usize) -> usize, stay: bool) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut taken = Row::zero(variables);
        let within = |taken: &Row, amounts: Amounts, from_zero: bool| {
            let least = if from_zero { 0 } else { i128::from(amounts.least()) };
            let mut lower = taken.clone();
            lower.constant -= least;
            match amounts.most().map(i128::from) {
                Some(most) if most == least => vec![Row { equation: true, ..lower }],
                Some(most) => {
                    let mut upper = taken.clone();
                    upper.coefficients.iter_mut().for_each(|c| *c = -*c);
                    upper.constant = most;
                    vec![lower, upper]
                }
                None => vec![lower],
            }
        };
        for stack in self.stacks {
            rows.push(Row::variable(variables, new(stack)));
            let mut here = Row::variable(variables, stack);
            here.coefficients[new(stack)] = -1;
            taken.coefficients[stack] += 1;
            taken.coefficients[new(stack)] -= 1;
            rows.extend(within(&here, self.each, self.any));
        }
        if !stay {
            rows.extend(within(&taken, self.total, false));
        }
        rows
    }
}
