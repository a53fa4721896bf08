//! Who does which block: levels, shares of them, and how the shares come together.
//!
//! A run is done by *parties* that may share nothing but what they send each other: processes, or
//! machines. Every party has workers, its threads. Level by level the blocks are dealt to the
//! parties by what they cost; within a party the workers claim blocks one after the other, the
//! dearest first; and when a party has done its share of a level it gets the lists of the others
//! ([`Exchange`]). One machine by itself is a single party ([`Nobody`]): this is the only
//! scheduler there is.

use super::run::Run;
use crate::line::LineError;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Hands over the list of a block to this party.
pub type Take<'a> = dyn FnMut(usize, &[u32]) -> Result<(), LineError> + 'a;

/// The other parties of a run.
///
/// All parties must have the same plan. Whatever the blocks are dealt by, the lists are the same in
/// the end, for a list depends only on those of the levels below.
pub trait Exchange: Sync {
    /// How many parties there are, at least one.
    fn parties(&self) -> usize;

    /// Which of them this is, from 0.
    fn me(&self) -> usize;

    /// A block of this party's share is done. Workers call this at the same time, while others
    /// still compute.
    fn offer(&self, block: usize, list: &[u32]) -> Result<(), LineError>;

    /// This party has done its share of a level, which was to cost so many nanoseconds. Hands over
    /// the lists of all others and returns when there are no more, with how fast each party is: the
    /// next level is dealt by that, so all parties must be told the same numbers.
    fn complete(&self, level: usize, cost: u64, take: &mut Take<'_>)
    -> Result<Vec<f64>, LineError>;
}

/// No others: one party does everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Exchange for Nobody {
    fn parties(&self) -> usize {
        1
    }

    fn me(&self) -> usize {
        0
    }

    fn offer(&self, _: usize, _: &[u32]) -> Result<(), LineError> {
        Ok(())
    }

    fn complete(&self, _: usize, _: u64, _: &mut Take<'_>) -> Result<Vec<f64>, LineError> {
        Ok(vec![1.0])
    }
}

/// Deals blocks with these costs to parties with these speeds: the dearest first, each to the one
/// that is done with it first. Says for each block whose it is.
pub(crate) fn deal(costs: &[u64], speeds: &[f64]) -> Vec<usize> {
    let mut dearest: Vec<usize> = (0..costs.len()).collect();
    dearest.sort_by_key(|&i| (Reverse(costs[i]), i));
    // When each party will be done, in nanoseconds, by whole numbers that can be compared.
    let pace = |party: usize| if speeds[party] > 0.0 { 1.0 / speeds[party] } else { 1.0 };
    let mut free: BinaryHeap<Reverse<(u64, usize)>> =
        (0..speeds.len()).map(|party| Reverse((0, party))).collect();
    let mut dealt = vec![0; costs.len()];
    for i in dearest {
        let Some(Reverse((at, party))) = free.pop() else { break };
        dealt[i] = party;
        let takes = (costs[i] as f64 * pace(party)) as u64 + 1;
        free.push(Reverse((at.saturating_add(takes), party)));
    }
    dealt
}

impl Run {
    /// The canonical blocks of a level; the orbits must be known.
    pub(crate) fn level(&self, level: usize) -> Range<usize> {
        self.orbits.levels[level]..self.orbits.levels[level + 1]
    }

    /// What the blocks of a level cost.
    pub(crate) fn costs(&self, level: usize) -> Vec<u64> {
        let cost = |block: usize| {
            self.plan.cost_of(&self.orbits.indices(self.orbits.canonical[block].block))
        };
        self.level(level).map(cost).collect()
    }

    /// Which of so many parts each block of a level belongs to where the table is kept in parts:
    /// always the same one, whoever computes it.
    pub(crate) fn homes(&self, level: usize, parts: usize) -> Vec<usize> {
        match parts {
            1 => vec![0; self.level(level).len()],
            _ => deal(&self.costs(level), &vec![1.0; parts]),
        }
    }
}

/// The share of this party: what is done, what is claimed, what is left.
pub(crate) struct Shares<'a> {
    run: &'a Run,
    exchange: &'a dyn Exchange,
    until: usize,
    /// Whether the dearest blocks come first.
    sorted: bool,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    level: usize,
    /// This party's blocks of the level, and what they cost.
    blocks: Vec<usize>,
    cost: u64,
    next: usize,
    done: usize,
    /// Somebody is getting the lists of the others.
    closing: bool,
    stopped: bool,
    /// How fast each party is, as they were told last.
    speeds: Vec<f64>,
}

impl<'a> Shares<'a> {
    /// The levels from `first` to before `until`.
    pub(crate) fn new(
        run: &'a Run,
        exchange: &'a dyn Exchange,
        levels: Range<usize>,
        workers: usize,
    ) -> Self {
        let sorted = workers > 1 || exchange.parties() > 1;
        let state = State {
            level: levels.start,
            blocks: Vec::new(),
            cost: 0,
            next: 0,
            done: 0,
            closing: false,
            stopped: false,
            speeds: match run.speeds.len() == exchange.parties() {
                true => run.speeds.clone(),
                false => vec![1.0; exchange.parties()],
            },
        };
        let state = Mutex::new(state);
        let until = levels.end;
        let shares = Shares { run, exchange, until, sorted, state, changed: Condvar::new() };
        shares.begin(&mut lock(&shares.state));
        shares
    }

    /// How fast each party is, as far as is known: the next level is dealt by that.
    pub(crate) fn speeds(self) -> Vec<f64> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).speeds
    }

    /// The next block, or `None` if there is none left or the run was stopped.
    pub(crate) fn claim(&self) -> Result<Option<usize>, LineError> {
        let mut state = lock(&self.state);
        loop {
            if state.stopped || state.level == self.until {
                return Ok(None);
            }
            if let Some(&block) = state.blocks.get(state.next) {
                state.next += 1;
                return Ok(Some(block));
            }
            if state.done == state.blocks.len() && !state.closing {
                state.closing = true;
                let (level, cost) = (state.level, state.cost);
                drop(state);
                let closed = self.close(level, cost);
                state = lock(&self.state);
                state.closing = false;
                match closed {
                    Ok(speeds) => {
                        state.level += 1;
                        state.speeds = speeds;
                        self.begin(&mut state);
                        self.changed.notify_all();
                    }
                    Err(error) => {
                        state.stopped = true;
                        self.changed.notify_all();
                        return Err(error);
                    }
                }
                continue;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A claimed block is done, with this list.
    pub(crate) fn complete(&self, block: usize) -> Result<(), LineError> {
        self.exchange.offer(block, self.run.lists.get(block))?;
        let mut state = lock(&self.state);
        state.done += 1;
        if state.done == state.blocks.len() {
            self.changed.notify_all();
        }
        Ok(())
    }

    /// Nothing more is to be claimed.
    pub(crate) fn stop(&self) {
        lock(&self.state).stopped = true;
        self.changed.notify_all();
    }

    /// Gets the lists of the others.
    fn close(&self, level: usize, cost: u64) -> Result<Vec<f64>, LineError> {
        let blocks = self.run.level(level);
        let lists = &self.run.lists;
        let speeds = self.exchange.complete(level, cost, &mut |block, list| match blocks
            .contains(&block)
        {
            true => lists.copy(block, list),
            false => Err(LineError::Outside(format!("block {block} is not of level {level}"))),
        })?;
        match blocks.clone().find(|&block| !lists.is_known(block)) {
            None if speeds.len() == self.exchange.parties() => Ok(speeds),
            None => Err(LineError::Outside("parties came or went".to_string())),
            Some(block) => Err(LineError::Outside(format!("nobody did block {block}"))),
        }
    }

    /// Deals a level, if there is one left.
    fn begin(&self, state: &mut State) {
        (state.next, state.done, state.cost) = (0, 0, 0);
        state.blocks.clear();
        if state.level == self.until {
            return;
        }
        let blocks = self.run.level(state.level);
        if !self.sorted {
            state.blocks.extend(blocks);
            return;
        }
        let costs = self.run.costs(state.level);
        let whose = deal(&costs, &state.speeds);
        let mine = (0..costs.len()).filter(|&i| whose[i] == self.exchange.me());
        let mut mine: Vec<usize> = mine.collect();
        mine.sort_by_key(|&i| (Reverse(costs[i]), i));
        state.cost = mine.iter().map(|&i| costs[i]).sum();
        state.blocks.extend(mine.into_iter().map(|i| blocks.start + i));
    }
}

/// Stops the others when a worker ends in a panic.
pub(crate) struct Alarm<'x, 'a>(pub(crate) &'x Shares<'a>);

impl Drop for Alarm<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// A lock, whether or not somebody panicked holding it: the run is given up then anyway.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_dealt_by_cost_and_speed() {
        // Seven each; where both have the same, the first is dealt the next.
        assert_eq!(deal(&[5, 3, 3, 1, 1, 1], &[1.0, 1.0]), [0, 1, 1, 0, 0, 1]);
        // One that is twice as fast gets twice as much.
        let whose = deal(&[1000; 30], &[1.0, 2.0]);
        assert_eq!(whose.iter().filter(|&&party| party == 0).count(), 10);
        // More parties than blocks, and speeds that say nothing.
        assert_eq!(deal(&[7], &[0.0, f64::NAN, 1.0]), [0]);
        assert!(deal(&[], &[1.0]).is_empty());
    }
}
