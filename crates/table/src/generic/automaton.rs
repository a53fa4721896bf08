//! The moves of a rule as an automaton that reads the stacks one after the other.
//!
//! A move plays on some stacks and passes over the others. What it may still do after the first
//! stacks depends only on the *family of remainders* (which further stacks would complete an
//! allowed set) and, where the total is restricted, on the tokens taken so far. These are the
//! states. For Slow, Exact and Moore games only the number of stacks played counts, so there are
//! quadratically many states where the sets are exponentially many.
//!
//! Each state after stack j becomes a table: for every choice of the stacks after j, what can be
//! reached by lowering stacks up to j along paths to this state. A [`Step`] says how its line is
//! brought up to date when stack j has reached a new height.

use nimatron_game::{Amounts, Height, Rule};
use std::collections::BTreeMap;

use crate::naive::supports;

/// Where something reachable is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The positions themselves: no stack has been played yet.
    Found,
    /// A table.
    Table(usize),
}

/// A source, read where the stack is lower by `shift`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Feed {
    pub(super) source: Source,
    pub(super) shift: usize,
}

/// Where amounts have no upper bound: what has been collected while the stack climbs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) table: usize,
    /// Runs whose lines at the height one below are carried over.
    pub(super) carried: Vec<usize>,
    pub(super) feeds: Vec<Feed>,
}

/// How one table is brought up to date at a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The stack the table has been read up to.
    pub(super) level: usize,
    pub(super) target: usize,
    /// May collect in the target itself.
    pub(super) run: Option<Run>,
    /// Where amounts are bounded: one feed per amount.
    pub(super) feeds: Vec<Feed>,
    /// Tables of states that pass over the stack on their way here.
    pub(super) passed: Vec<usize>,
}

/// Moves that lower the last stack by an amount from `least` to `most`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Closing {
    pub(super) least: usize,
    /// `None`: as much as there is.
    pub(super) most: Option<usize>,
    /// Tables from which they start.
    pub(super) tables: Vec<usize>,
    /// Whether the last stack may be played alone in this way.
    pub(super) alone: bool,
}

/// All moves of a game, ready to be followed along lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Automaton {
    /// The level of each table.
    pub(super) levels: Vec<usize>,
    /// Every step comes after those it reads from.
    pub(super) steps: Vec<Step>,
    /// Tables whose moves leave the last stack alone.
    pub(super) open: Vec<usize>,
    pub(super) closings: Vec<Closing>,
}

/// Tables an automaton may have.
const MOST_TABLES: usize = 1 << 20;

/// The automaton is too large to be of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooManyTables;

/// Remainders of allowed sets, as bits from the current stack on; sorted, each once.
type Family = Vec<u32>;

/// The tables of a state, one for each class of totals that can occur.
type State = Vec<Option<usize>>;

/// How the tokens taken so far are counted.
struct Totals {
    least: usize,
    most: Option<usize>,
    /// Classes 0, 1, ..., `top`.
    top: usize,
    /// Whether the top class stands for `top` or more.
    open: bool,
}

impl Totals {
    /// As coarse as the rule allows when no amount is below `each` and no total above `tokens`.
    fn new(total: Amounts, each: Amounts, tokens: u128) -> Self {
        let small = |amount: Height| usize::try_from(amount).unwrap_or(usize::MAX);
        let most = total.most().filter(|&most| u128::from(most) < tokens).map(small);
        let least = if total.least() <= each.least() { 0 } else { small(total.least()) };
        match most {
            Some(most) => Totals { least, most: Some(most), top: most, open: false },
            None => Totals { least, most: None, top: least, open: true },
        }
    }

    /// The classes from which `taken` further tokens lead to class `to`.
    fn before(&self, to: usize, taken: usize) -> std::ops::RangeInclusive<usize> {
        match to.checked_sub(taken) {
            _ if self.open && to == self.top => to.saturating_sub(taken)..=self.top,
            Some(from) => from..=from,
            #[allow(clippy::reversed_empty_ranges)]
            None => 1..=0,
        }
    }
}

impl Automaton {
    /// Adds the moves of a rule on the stacks from `first` on, in a box up to `max` (of all
    /// stacks). Fails if there would be more tables, or more feeds of a state, than
    /// [`MOST_TABLES`].
    pub(super) fn add(
        &mut self,
        rule: &Rule,
        first: usize,
        max: &[Height],
    ) -> Result<(), TooManyTables> {
        let own = &max[first..first + rule.stacks()];
        let tokens = own.iter().map(|&m| u128::from(m)).sum();
        let mut builder = Builder {
            automaton: self,
            each: rule.each(),
            totals: Totals::new(rule.total(), rule.each(), tokens),
            max,
        };
        let last = max.len() - 1;
        let amounts = |stack| {
            let (least, most) = builder.amounts(stack);
            most.map_or(1, |most| most - least + 1)
        };
        let widest = (first..first + rule.stacks()).map(amounts).max().unwrap_or(1);
        if builder.totals.top.saturating_mul(widest) > MOST_TABLES {
            return Err(TooManyTables);
        }
        let mut unplayed: Family =
            supports(rule, own).iter().map(|set| set.bits() << first).collect();
        unplayed.sort_unstable();
        let mut states: BTreeMap<Family, State> = BTreeMap::new();
        for level in 0..last {
            states = builder.read(level, states, &unplayed);
            unplayed = remainders(&unplayed, 0);
            if builder.automaton.levels.len() > MOST_TABLES {
                return Err(TooManyTables);
            }
        }
        builder.finish(&states, &unplayed);
        Ok(())
    }
}

struct Builder<'a> {
    automaton: &'a mut Automaton,
    each: Amounts,
    totals: Totals,
    max: &'a [Height],
}

/// The states that lead to a new one.
#[derive(Default)]
struct Before {
    played: Vec<State>,
    /// Whether the stack may be the first one played.
    first: bool,
    passed: Vec<State>,
}

impl Builder<'_> {
    fn table(&mut self, level: usize) -> usize {
        self.automaton.levels.push(level);
        self.automaton.levels.len() - 1
    }

    /// The amounts that may be taken from a stack, no upper bound if it does not matter.
    fn amounts(&self, stack: usize) -> (usize, Option<usize>) {
        let most = self.each.most().filter(|&most| most < self.max[stack]);
        let small = |amount: Height| usize::try_from(amount).unwrap_or(usize::MAX);
        (small(self.each.least()), most.map(small))
    }

    /// Reads one stack.
    fn read(
        &mut self,
        level: usize,
        states: BTreeMap<Family, State>,
        unplayed: &Family,
    ) -> BTreeMap<Family, State> {
        let mut next: BTreeMap<Family, Before> = BTreeMap::new();
        for (family, state) in states {
            let (played, passed) = (remainders(&family, 1), remainders(&family, 0));
            if !played.is_empty() {
                next.entry(played).or_default().played.push(state.clone());
            }
            if !passed.is_empty() {
                next.entry(passed).or_default().passed.push(state);
            }
        }
        let first = remainders(unplayed, 1);
        if !first.is_empty() {
            next.entry(first).or_default().first = true;
        }
        let state = |(family, before)| (family, self.state(level, before));
        next.into_iter().map(state).collect()
    }

    /// The tables of a new state, and the steps that fill them.
    fn state(&mut self, level: usize, mut before: Before) -> State {
        if before.played.is_empty() && !before.first && before.passed.len() == 1 {
            // The stack does not matter here: the state stays what it was.
            return before.passed.swap_remove(0);
        }
        let (least, most) = self.amounts(level);
        let classes = 0..=self.totals.top;
        let amounts = least..=most.unwrap_or(least);
        let feeds = |class| self.feeds(&before, class, amounts.clone());
        let feeds: Vec<Vec<Feed>> = classes.clone().map(feeds).collect();
        let passed = |class: usize| -> Vec<usize> {
            before.passed.iter().filter_map(|state| state[class]).collect()
        };
        let passed: Vec<Vec<usize>> = classes.clone().map(passed).collect();
        let mut runs: Vec<Option<usize>> = vec![None; self.totals.top + 1];
        if most.is_none() {
            for class in classes.clone() {
                let carried = class > 0 && runs[class - 1].is_some();
                if carried || !feeds[class].is_empty() {
                    runs[class] = Some(self.table(level));
                }
            }
        }
        let mut state: State = vec![None; self.totals.top + 1];
        // From the top class down, for a class takes over what the one below it held before.
        let parts = feeds.into_iter().zip(passed).enumerate().rev();
        for (class, (feeds, passed)) in parts {
            if runs[class].is_none() && feeds.is_empty() && passed.is_empty() {
                continue;
            }
            let target = match runs[class] {
                Some(run) if passed.is_empty() => run,
                _ => self.table(level),
            };
            state[class] = Some(target);
            let (run, feeds) = match runs[class] {
                Some(table) => {
                    let below = class.checked_sub(1).and_then(|below| runs[below]);
                    let itself = (self.totals.open && class == self.totals.top).then_some(table);
                    let carried = itself.into_iter().chain(below).collect();
                    (Some(Run { table, carried, feeds }), Vec::new())
                }
                None => (None, feeds),
            };
            self.automaton.steps.push(Step { level, target, run, feeds, passed });
        }
        state
    }

    /// The feeds of one class of totals when these amounts are taken from the stack.
    fn feeds(
        &self,
        before: &Before,
        class: usize,
        amounts: std::ops::RangeInclusive<usize>,
    ) -> Vec<Feed> {
        let mut feeds = Vec::new();
        for shift in amounts {
            for from in self.totals.before(class, shift) {
                let tables = before.played.iter().filter_map(|state| state[from]);
                let found = (before.first && from == 0).then_some(Source::Found);
                let sources = tables.map(Source::Table).chain(found);
                feeds.extend(sources.map(|source| Feed { source, shift }));
            }
        }
        feeds
    }

    /// Sorts the states by what they may do with the last stack.
    fn finish(&mut self, states: &BTreeMap<Family, State>, unplayed: &Family) {
        let last = self.max.len() - 1;
        let none_left = 0;
        let last_left = 1;
        for (family, state) in states {
            for (class, &table) in state.iter().enumerate() {
                let Some(table) = table else { continue };
                if family.contains(&none_left) && class >= self.totals.least {
                    self.automaton.open.push(table);
                }
                if family.contains(&last_left) {
                    self.close(last, class, Source::Table(table));
                }
            }
        }
        if unplayed.contains(&last_left) {
            self.close(last, 0, Source::Found);
        }
    }

    /// Lets moves from a source end on the last stack.
    fn close(&mut self, last: usize, taken: usize, source: Source) {
        let (each_least, each_most) = self.amounts(last);
        let least = each_least.max(self.totals.least.saturating_sub(taken));
        let room = self.totals.most.map(|most| most - taken);
        let most = [each_most, room].into_iter().flatten().min();
        let height = usize::try_from(self.max[last]).unwrap_or(usize::MAX);
        if least > height.min(most.unwrap_or(height)) {
            return;
        }
        let most = most.filter(|&most| most < height);
        let closings = &mut self.automaton.closings;
        let same = |c: &Closing| c.least == least && c.most == most;
        let at = closings.iter().position(same).unwrap_or_else(|| {
            closings.push(Closing { least, most, tables: Vec::new(), alone: false });
            closings.len() - 1
        });
        match source {
            Source::Found => closings[at].alone = true,
            Source::Table(table) => closings[at].tables.push(table),
        }
    }
}

/// What remains of the sets that contain (`bit` 1) or do not contain (0) the current stack.
fn remainders(family: &[u32], bit: u32) -> Family {
    let mut left: Family = family.iter().filter(|&r| r & 1 == bit).map(|r| r >> 1).collect();
    left.sort_unstable();
    left.dedup();
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use nimatron_game::{Family as Named, Game, Sizes, Variant};

    fn tables(game: &Game, h: u64) -> usize {
        let mut automaton = Automaton::default();
        let max = vec![h; game.stacks()];
        automaton.add(game.single().unwrap(), 0, &max).unwrap();
        automaton.levels.len()
    }

    #[test]
    fn symmetric_games_have_few_states() {
        let slow = Named::Slow { n: 8, sizes: Sizes::new([3, 4, 5, 6, 7, 8]) };
        assert!(tables(&Game::new(slow).unwrap(), 9) <= 28);
        let exact = Game::new(Named::Exact { n: 12, k: 6 }).unwrap();
        assert!(tables(&exact, 3) <= 144);
    }

    #[test]
    fn totals_multiply_the_states() {
        let moore = Named::Moore { n: 4, k: 2 };
        let plain = tables(&Game::variant(moore.clone(), Variant::each_at_least(1)).unwrap(), 9);
        let total = tables(&Game::variant(moore.clone(), Variant::total(3)).unwrap(), 9);
        assert!(total > plain);
        // A total that every move reaches anyway costs nothing.
        let trivial = tables(&Game::variant(moore, Variant::total_at_least(1)).unwrap(), 9);
        assert!(trivial < total);
    }
}
