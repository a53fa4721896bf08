//! Ordered partitions of the stacks, refined as far as the sets tell stacks apart.

use super::relabelling::Relabelling;
use crate::sets::{SetFamily, Sizes, binomial};
use crate::stacks::{MAX_STACKS, StackSet};

/// How many sets there are of each size.
pub(super) fn profile(family: &SetFamily) -> [u64; MAX_STACKS + 1] {
    let mut counts = [0; MAX_STACKS + 1];
    match family.sizes() {
        Some(sizes) => sizes.iter().for_each(|s| counts[s] = binomial(family.stacks(), s)),
        None => family.iter().for_each(|set| counts[set.len()] += 1),
    }
    counts
}

/// The sizes, if the family consists of *all* sets of certain sizes, listed or not.
pub(super) fn uniform(family: &SetFamily) -> Option<Sizes> {
    let n = family.stacks();
    let counts = profile(family);
    let complete = |size: usize| counts[size] == 0 || counts[size] == binomial(n, size);
    let sizes = Sizes::new((1..=n).filter(|&size| counts[size] > 0));
    (1..=n).all(complete).then_some(sizes)
}

/// A set system made ready for refinement.
///
/// Only isomorphisms matter here. A family of all sets of certain sizes tells no stack from
/// another; it is represented by no sets at all, which has the same symmetries. Large sets are
/// represented by their complements, since small sets are faster to go through; this depends on
/// the [`profile`] alone, so that systems of the same profile may be compared.
#[derive(Clone, Debug)]
pub(super) struct System {
    stacks: usize,
    /// Sorted.
    sets: Vec<u32>,
    /// The least stack that each stack may be exchanged with, everything else in place.
    twins: [u8; MAX_STACKS],
}

impl System {
    pub(super) fn new(family: &SetFamily) -> Self {
        let stacks = family.stacks();
        let mut sets: Vec<u32> = match uniform(family) {
            Some(_) => Vec::new(),
            None => family.iter().map(StackSet::bits).collect(),
        };
        let incidences: usize = sets.iter().map(|set| set.count_ones() as usize).sum();
        if incidences > sets.len() * stacks / 2 {
            sets.iter_mut().for_each(|set| *set ^= StackSet::first(stacks).bits());
            sets.reverse();
        }
        let mut system = System { stacks, sets, twins: std::array::from_fn(|s| s as u8) };
        for s in 0..system.stacks {
            let earlier = (0..s).find(|&t| system.twin(t) == t && system.exchangeable(t, s));
            system.twins[s] = earlier.unwrap_or(s) as u8;
        }
        system
    }

    pub(super) fn stacks(&self) -> usize {
        self.stacks
    }

    pub(super) fn has(&self, set: u32) -> bool {
        self.sets.binary_search(&set).is_ok()
    }

    /// The least stack of the twin class of `stack`.
    pub(super) fn twin(&self, stack: usize) -> usize {
        self.twins[stack].into()
    }

    /// Of the stacks in `cell`, one for each twin class.
    pub(super) fn without_twins(&self, cell: StackSet) -> StackSet {
        let mut seen = StackSet::EMPTY;
        let first = |&s: &usize| {
            let new = !seen.contains(self.twin(s));
            seen = seen.with(self.twin(s));
            new
        };
        cell.iter().filter(first).collect()
    }

    /// Whether the exchange of two stacks maps the system onto itself.
    fn exchangeable(&self, a: usize, b: usize) -> bool {
        let exchange = 1 << a | 1 << b;
        let moved = |set: u32| (set >> a ^ set >> b) & 1 == 1;
        self.sets.iter().all(|&set| !moved(set) || self.has(set ^ exchange))
    }

    /// The sets under new names, sorted.
    pub(super) fn relabelled(&self, relabelling: &Relabelling) -> Vec<u32> {
        let image = |&set: &u32| relabelling.set(StackSet::from_bits(set)).bits();
        let mut sets: Vec<u32> = self.sets.iter().map(image).collect();
        sets.sort_unstable();
        sets
    }

    /// Whether `relabelling` maps this system onto `other`.
    pub(super) fn maps_onto(&self, relabelling: &Relabelling, other: &System) -> bool {
        let image = |set: u32| relabelling.set(StackSet::from_bits(set)).bits();
        self.sets.len() == other.sets.len() && self.sets.iter().all(|&s| other.has(image(s)))
    }
}

/// For each key, how many keys are smaller: equal for equal keys, and in their order.
pub(super) fn ranks<K: Ord>(keys: &[K]) -> Vec<u8> {
    let smaller = |key: &K| keys.iter().filter(|other| *other < key).count() as u8;
    keys.iter().map(smaller).collect()
}

/// The stacks in an ordered partition into cells.
///
/// The colour of a stack is the number of stacks in earlier cells. All steps depend only on
/// the system and its colouring, never on the names of the stacks: isomorphic coloured systems
/// give isomorphic partitions with the same trace. Cells are told apart by hashes; should two
/// collide, cells stay larger than they need to be, and the searches take longer but stay
/// exact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partition {
    colours: [u8; MAX_STACKS],
    /// Bit `c` is set when a cell has colour `c`.
    starts: u32,
    stacks: u8,
    trace: u64,
}

impl Partition {
    /// The coarsest refined partition that tells apart stacks of different `ranks`.
    pub(super) fn new(system: &System, ranks: &[u8]) -> Self {
        let mut colours = [0; MAX_STACKS];
        colours[..ranks.len()].copy_from_slice(ranks);
        let starts = ranks.iter().fold(0, |bits, &rank| bits | 1 << rank);
        let mut partition =
            Partition { colours, starts, stacks: system.stacks as u8, trace: starts.into() };
        partition.refine(system);
        partition
    }

    /// The partition after `stack` has been singled out, in front of the rest of its cell.
    pub(super) fn individualised(&self, system: &System, stack: usize) -> Self {
        let mut next = *self;
        let colour = self.colours[stack];
        for s in self.cell(colour).without(stack) {
            next.colours[s] = colour + 1;
            next.starts |= 1 << (colour + 1);
        }
        next.trace = mix(self.trace ^ u64::from(colour) << 32);
        next.refine(system);
        next
    }

    pub(super) fn colour(&self, stack: usize) -> u8 {
        self.colours[stack]
    }

    /// An invariant of the coloured system and the stacks singled out so far.
    pub(super) fn trace(&self) -> u64 {
        self.trace
    }

    /// Whether the two cannot be told apart by their cells and traces.
    pub(super) fn resembles(&self, other: &Partition) -> bool {
        self.trace == other.trace && self.starts == other.starts && self.stacks == other.stacks
    }

    /// The stacks of a colour.
    pub(super) fn cell(&self, colour: u8) -> StackSet {
        (0..self.stacks.into()).filter(|&s| self.colours[s] == colour).collect()
    }

    /// The first of the smallest cells that hold more than one stack.
    pub(super) fn target(&self) -> Option<u8> {
        let starts = StackSet::from_bits(self.starts);
        let ends = starts.iter().skip(1).chain([self.stacks.into()]);
        let sizes = starts.iter().zip(ends).map(|(start, end)| (end - start, start as u8));
        sizes.filter(|&(size, _)| size > 1).min().map(|(_, start)| start)
    }

    /// For a partition into single stacks: each stack renamed to its place.
    pub(super) fn places(&self) -> Relabelling {
        Relabelling::from_fn(self.stacks.into(), |s| self.colours[s].into())
    }

    /// Splits cells until sets and stacks tell no more about each other.
    fn refine(&mut self, system: &System) {
        loop {
            let weights = self.colours.map(|colour| mix(colour.into()));
            let mut seen = [0u64; MAX_STACKS];
            for &set in &system.sets {
                let set = StackSet::from_bits(set);
                let hash = mix(set.iter().fold(0, |sum: u64, s| sum.wrapping_add(weights[s])));
                for s in set {
                    seen[s] = seen[s].wrapping_add(hash);
                }
            }
            if !self.split(&seen) {
                return;
            }
        }
    }

    /// Splits the cells by what each stack has `seen`; whether there was anything to split.
    fn split(&mut self, seen: &[u64; MAX_STACKS]) -> bool {
        let n = usize::from(self.stacks);
        let mut order: [(u8, u64, u8); MAX_STACKS] =
            std::array::from_fn(|s| (self.colours[s], seen[s], s as u8));
        order[..n].sort_unstable();
        let before = self.starts;
        let mut colour = 0;
        for place in 0..n {
            let (old, hash, stack) = order[place];
            if place == 0 || (old, hash) != (order[place - 1].0, order[place - 1].1) {
                colour = place as u8;
                self.starts |= 1 << colour;
                self.trace = mix(self.trace ^ hash).wrapping_add(colour.into());
            }
            self.colours[usize::from(stack)] = colour;
        }
        self.starts != before && self.starts.count_ones() < n as u32
    }
}

/// A bijection of 64 bit words that leaves no pattern (the finaliser of SplitMix64).
fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
