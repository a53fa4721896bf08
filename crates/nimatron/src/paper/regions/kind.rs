//! Kinds of moves, and what is known of the heights after one.

use super::row::Row;
use nimatron_draw::document::Text;
use nimatron_game::{Amounts, Choice, Game, StackSet};
use std::collections::BTreeMap;

/// A kind of move.
pub(super) struct Kind {
    pub(super) stacks: StackSet,
    pub(super) any: bool,
    pub(super) each: Amounts,
    pub(super) total: Amounts,
}

impl Kind {
    /// The kinds of moves of a game, in the order of their sets as numbers.
    pub(super) fn all(game: &Game) -> Vec<Kind> {
        let mut found: BTreeMap<u32, Kind> = BTreeMap::new();
        for summand in game.summands() {
            let (rule, first) = (summand.rule(), summand.stacks().start);
            let (each, total) = (rule.each(), rule.total());
            let any = rule.choice() == Choice::Any && each == Amounts::POSITIVE;
            let subsets = rule.choice() == Choice::Any && !any;
            for set in rule.sets().iter() {
                let others = set.subsets().filter(|s| subsets && *s != set);
                for stacks in std::iter::once(set).chain(others) {
                    let stacks = stacks.shifted(first);
                    found.insert(stacks.bits(), Kind { stacks, any, each, total });
                }
            }
        }
        found.into_values().collect()
    }

    /// The variable of each height after the move, the new ones from `first` on.
    pub(super) fn after(&self, n: usize, first: usize) -> Vec<usize> {
        let new = |s: usize| first + self.stacks.iter().take_while(|&other| other < s).count();
        (0..n).map(|s| if self.stacks.contains(s) { new(s) } else { s }).collect()
    }

    /// The constraints of the move.
    pub(super) fn rows(&self, after: &[usize], stay: bool) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut total =
            Row { constant: 0, terms: BTreeMap::new(), equation: false, why: Text::default() };
        let within = |taken: &Row, amounts: Amounts, least: i128, why: &str| {
            let mut lower = taken.clone();
            lower.constant -= least;
            lower.why = why.into();
            match amounts.most().map(i128::from) {
                Some(most) if most == least => vec![Row { equation: true, ..lower }],
                Some(most) => {
                    let terms = taken.terms.iter().map(|(&v, &c)| (v, -c)).collect();
                    let upper = Row {
                        constant: most - taken.constant,
                        terms,
                        equation: false,
                        why: why.into(),
                    };
                    vec![lower, upper]
                }
                None => vec![lower],
            }
        };
        for stack in self.stacks {
            let new = Row::variable(after[stack], "heights are not negative");
            let mut taken = Row::variable(stack, "");
            taken.add(-1, &new);
            total.add(1, &taken);
            rows.push(new);
            let least = if self.any { 0 } else { self.each.least().into() };
            let why = match (self.each.least(), self.each.most()) {
                (1, Some(1)) if !self.any => "the move takes one token",
                _ => "a move takes tokens off",
            };
            rows.extend(within(&taken, self.each, least, why));
        }
        if !stay {
            rows.extend(within(
                &total,
                self.total,
                self.total.least().into(),
                "a move takes a token",
            ));
        }
        rows
    }
}
