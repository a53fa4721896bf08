//! What each of several parties will need for a table in parts, known before it is begun.
//!
//! The model, for `p` parties of `t` threads each and a table with `K` P-positions in its `B` canonical
//! blocks, on `L` levels:
//!
//! * *memory* of a party: who computes which block is known to all (a few bytes per block); lists are
//!   kept by all parties as long as a later level can need them, which is the share `h` of all; the
//!   lists of one level, at most the share `g` of all, are on their way to others while they are kept
//!   already; and each thread has its arrays. So `orbits + 4 K (h + g) + arrays t`.
//! * *bytes received* by a party: all lists but its own, `(4 K + 8 B) (p-1)/p`; and a word from every
//!   other party about each level. As much is sent.
//! * *time*: the work shared out, as evenly as blocks can be dealt; then what the network takes for
//!   these bytes, as if nothing of it were hidden behind work, and for one exchange per level.

use super::{PartsError, plan};
use crate::tables::run::{check, costs};
use crate::tables::{TabulationError, Wanted};
use nimatron_game::{Game, Height, Watch};
use nimatron_table::blocks::{Estimate, Run};

/// Bytes of the program, and of MPI.
const PROGRAM: f64 = 8e6;
const MPI: f64 = 18e6;
/// How many more P-positions canonical blocks hold than their share of all blocks: those that symmetries keep
/// hold more than others.
const MORE: f64 = 1.25;
/// Bytes of a list on its way, besides its P-positions.
const HEAD: f64 = 8.0;
/// Bytes of what a party tells every other one about a level.
const WORD: f64 = 48.0;

/// How fast parties can talk.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Network {
    /// Bytes per second that a party can receive.
    pub bytes_per_second: f64,
    /// Seconds until a short letter is there.
    pub latency: f64,
}

impl Network {
    /// Processes of one machine.
    pub const SHARED_MEMORY: Network = Network { bytes_per_second: 1e9, latency: 5e-4 };
    /// Ethernet with ten gigabits per second.
    pub const TEN_GIGABIT: Network = Network { bytes_per_second: 1e9, latency: 6e-4 };
}

/// A table in parts that is not begun, and what it will need with any number of parties.
///
/// ```
/// use nimatron::Unlimited;
/// use nimatron::tables::{Network, PartPlan};
/// let mut plan = PartPlan::new(&"CN(6,2)".parse().unwrap(), &[31; 6]).unwrap();
/// plan.prepare(&Unlimited).unwrap();
/// let [one, four] = [1, 4].map(|parties| plan.each_of(parties, 1));
/// assert!(one.received == 0.0 && four.received > 0.0);
/// assert!(four.work < one.work && four.seconds(Network::SHARED_MEMORY) > four.work);
/// ```
#[derive(Debug)]
pub struct PartPlan {
    pub(super) run: Run,
    pub(super) game: Game,
    pub(super) max: Vec<Height>,
    estimate: Estimate,
    arrays: f64,
    prepared: bool,
}

/// What each party will need.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PartForecast {
    /// How many parties there are.
    pub parties: usize,
    /// Threads of each.
    pub threads: usize,
    /// Bytes for the program and for knowing who computes what.
    pub fixed: f64,
    /// Bytes of lists that are held at a time.
    pub lists: f64,
    /// Bytes of lists on their way.
    pub letters: f64,
    /// Bytes of the arrays of all threads.
    pub arrays: f64,
    /// Bytes received, and as many sent.
    pub received: f64,
    /// Seconds of work.
    pub work: f64,
    /// How much longer the work takes than if it could be shared out evenly.
    pub imbalance: f64,
    /// Levels: as often all wait for each other.
    pub levels: usize,
}

impl PartForecast {
    /// Bytes of memory of each party.
    pub fn memory(&self) -> f64 {
        self.fixed + self.lists + self.letters + self.arrays
    }

    /// Seconds by the clock.
    pub fn seconds(&self, network: Network) -> f64 {
        // Nobody waits for himself. Letters to all others leave one after the other.
        let waits = match self.parties {
            1 => 0.0,
            parties => network.latency * (1.0 + (parties as f64).log2()),
        };
        self.work + self.received / network.bytes_per_second + waits * self.levels as f64
    }
}

impl PartPlan {
    /// The plan of a box.
    pub fn new(game: &Game, max: &[Height]) -> Result<Self, PartsError> {
        let heights = check(game, max)?;
        let costs = costs(game).ok_or(TabulationError::Blocks)?;
        let best = |threads| costs.best_blocks(&heights, Wanted::Counts, threads);
        let (_, one, _) = best(1).ok_or(TabulationError::Blocks)?;
        let (_, two, _) = best(2).ok_or(TabulationError::Blocks)?;
        let arrays = two.memory - one.memory;
        let run = plan(game, max)?;
        let (game, max) = (game.clone(), max.to_vec());
        Ok(PartPlan { run, game, max, estimate: one, arrays, prepared: false })
    }

    /// The least memory that a party needs whatever is done about its lists: to know who computes what,
    /// and to compute.
    pub fn least_memory(&self, threads: usize) -> f64 {
        // Lists are a part of the estimate.
        let fixed = PROGRAM + MPI + self.estimate.memory - self.lists() - self.arrays;
        fixed + self.arrays * threads as f64
    }

    /// Positions in the box.
    pub fn positions(&self) -> f64 {
        self.estimate.positions
    }

    /// P-positions in canonical blocks, about: what is listed.
    pub fn listed(&self) -> f64 {
        MORE * self.estimate.kept
    }

    /// Bytes of all lists.
    fn lists(&self) -> f64 {
        4.0 * self.listed()
    }

    /// Finds out which blocks there are. Before that it is supposed that all lists are held, that all of them
    /// may be on their way, and that work is shared out evenly.
    pub fn prepare(&mut self, watch: &dyn Watch) -> Result<(), PartsError> {
        self.run.prepare(watch)?;
        self.prepared = true;
        Ok(())
    }

    /// What each of so many parties with so many threads will need.
    pub fn each_of(&self, parties: usize, threads: usize) -> PartForecast {
        let (parties, threads) = (parties.max(1), threads.max(1));
        let (held, level, imbalance) = match self.prepared {
            true => {
                let (run, all) = (&self.run, parties * threads);
                (run.most_held(), run.largest_level(), run.imbalance(all))
            }
            false => (1.0, 1.0, 1.0),
        };
        let (lists, others) = (self.lists(), (parties - 1) as f64);
        let share = others / parties as f64;
        PartForecast {
            parties,
            threads,
            fixed: self.least_memory(0),
            lists: lists * held,
            letters: if parties > 1 { lists * level } else { 0.0 },
            arrays: self.arrays * threads as f64,
            received: (lists + HEAD * self.estimate.canonical) * share
                + WORD * others * self.run.levels() as f64,
            work: self.estimate.seconds() * imbalance / (parties * threads) as f64,
            imbalance,
            levels: self.run.levels(),
        }
    }
}
