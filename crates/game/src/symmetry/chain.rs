//! The group of all symmetries of a set system.

use super::blocks::Blocks;
use super::canonical::Orbits;
use super::elements::Elements;
use super::isomorphism::equivalent;
use super::partition::{Partition, System, ranks};
use super::relabelling::Relabelling;
use crate::position::Height;
use crate::rule::Rule;
use crate::sets::SetFamily;
use crate::stacks::StackSet;
use std::sync::{Arc, OnceLock};

/// All relabellings that leave a set system as it is.
///
/// The group may be huge (32! for Moore's Nim on 32 stacks) and is never listed as a whole. It
/// is kept as the product of two subgroups that meet in the identity only: the permutations
/// within the classes of *twins* (stacks any two of which may be exchanged), and the *frame*,
/// the symmetries that keep the order within every class. The frame is a chain of
/// stabilisers: first where the least stack can go, then where the next can go when the first
/// stays, and so on.
#[derive(Clone, Debug)]
pub struct Symmetry {
    pub(super) system: Arc<System>,
    pub(super) root: Partition,
    /// The twin classes of two stacks and more.
    pub(super) twins: Vec<StackSet>,
    pub(super) frame: Vec<Level>,
    /// Generators of the frame.
    generators: Vec<Relabelling>,
    /// All elements of the frame, if these are few: made when first needed.
    pub(super) frame_origins: OnceLock<Option<Arc<[u8]>>>,
    /// Blocks to be sorted where the frame is large: found when first needed.
    pub(super) blocks: OnceLock<Option<Arc<Blocks>>>,
}

/// One step of a stabiliser chain.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// The least stack that moves in this step; the twin classes that begin before it stay as
    /// they are.
    pub(super) base: usize,
    /// For each place that `base` can go to, an element of the step's group that brings it
    /// there; the identity first.
    pub(super) transversal: Vec<Relabelling>,
}

impl Symmetry {
    /// The symmetries of a rule: those of its sets.
    pub fn of(rule: &Rule) -> Self {
        Symmetry::of_sets(rule.sets())
    }

    /// The symmetries of a family of sets.
    pub fn of_sets(sets: &SetFamily) -> Self {
        let system = System::new(sets);
        let root = Partition::new(&system, &vec![0; sets.stacks()]);
        Symmetry::keeping(Arc::new(system), root)
    }

    /// The symmetries that also keep all heights as they are.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    #[must_use]
    pub fn stabiliser(&self, heights: &[Height]) -> Self {
        assert_eq!(heights.len(), self.stacks(), "heights must match the stacks");
        let key = |s: usize| (self.root.colour(s), heights[s]);
        let keys: Vec<_> = (0..self.stacks()).map(key).collect();
        let root = Partition::new(&self.system, &ranks(&keys));
        Symmetry::keeping(Arc::clone(&self.system), root)
    }

    /// The symmetries that keep the cells of a partition.
    fn keeping(system: Arc<System>, root: Partition) -> Self {
        let classes = twin_classes(&system, &root);
        let (frame, generators) = frame(&system, root, &classes);
        let twins = classes.into_iter().filter(|class| class.len() > 1).collect();
        let (frame_origins, blocks) = (OnceLock::new(), OnceLock::new());
        Symmetry { system, root, twins, frame, generators, frame_origins, blocks }
    }

    /// The number of stacks.
    pub fn stacks(&self) -> usize {
        self.system.stacks()
    }

    /// The number of symmetries, the identity included.
    pub fn order(&self) -> u128 {
        self.twins.iter().map(|class| factorial(class.len())).product::<u128>() * self.frame_order()
    }

    /// The number of symmetries that keep the order within every twin class.
    pub(super) fn frame_order(&self) -> u128 {
        self.frame.iter().map(|level| level.transversal.len() as u128).product()
    }

    /// Whether there is no symmetry but the identity.
    pub fn is_trivial(&self) -> bool {
        self.twins.is_empty() && self.frame.is_empty()
    }

    /// Whether every permutation of the stacks is a symmetry.
    pub fn is_full(&self) -> bool {
        self.stacks() <= 1 || self.twins.first().is_some_and(|class| class.len() == self.stacks())
    }

    /// Symmetries of which all others are products; none for the trivial group.
    pub fn generators(&self) -> Vec<Relabelling> {
        let n = self.stacks();
        let neighbours = |class: &StackSet| {
            let members: Vec<usize> = class.iter().collect();
            let exchange = |pair: &[usize]| Relabelling::exchange(n, pair[0], pair[1]);
            members.windows(2).map(exchange).collect::<Vec<_>>()
        };
        let exchanges = self.twins.iter().flat_map(neighbours);
        exchanges.chain(self.generators.iter().copied()).collect()
    }

    /// The orbits: which stacks can be moved to each other's place, by their least stacks.
    pub fn orbits(&self) -> Vec<StackSet> {
        let mut orbits = Orbits::new(&self.system, &self.root);
        orbits.join(&self.generators);
        (0..self.stacks()).filter(|&s| orbits.least(s) == s).map(|s| orbits.of(s)).collect()
    }

    /// The classes of two and more stacks that may be permuted in any way while all others
    /// stay in place.
    pub fn twin_classes(&self) -> &[StackSet] {
        &self.twins
    }

    /// All symmetries, lazily, each once, the identity first. There may be up to 32! of them.
    pub fn elements(&self) -> Elements {
        let n = self.stacks();
        // Within a class: bring any stack to the first place, then any other to the second...
        let twins = self.twins.iter().flat_map(|&class| {
            class.iter().map(move |s| {
                let later = class.iter().filter(move |&t| t >= s);
                later.map(|t| Relabelling::exchange(n, s, t)).collect()
            })
        });
        let frame = self.frame.iter().map(|level| level.transversal.clone());
        Elements::new(n, twins.chain(frame).collect())
    }

    /// All symmetries, if they are at most `limit`.
    pub fn elements_up_to(&self, limit: usize) -> Option<Vec<Relabelling>> {
        (self.order() <= limit as u128).then(|| self.elements().collect())
    }
}

/// The stacks by classes of twins within a cell, by their least stacks.
fn twin_classes(system: &System, root: &Partition) -> Vec<StackSet> {
    let orbits = Orbits::new(system, root);
    (0..system.stacks()).filter(|&s| orbits.least(s) == s).map(|s| orbits.of(s)).collect()
}

/// The chain of stabilisers of the least stacks of the classes, and generators: symmetries
/// that keep the order within the classes and the cells of `root`.
fn frame(system: &System, root: Partition, classes: &[StackSet]) -> (Vec<Level>, Vec<Relabelling>) {
    let least: StackSet = classes.iter().filter_map(|class| class.lowest()).collect();
    // Going down: the stacks that may move, each with the partition in which the earlier ones
    // are singled out.
    let mut steps = Vec::new();
    let mut partition = root;
    for base in least {
        if (partition.cell(partition.colour(base)) & least).len() > 1 {
            let fixed = partition.individualised(system, base);
            steps.push((base, partition, fixed));
            partition = fixed;
        }
    }
    // Going up: the symmetries found so far keep all earlier stacks, so they show images of
    // the next one that need not be searched for.
    let mut generators: Vec<Relabelling> = Vec::new();
    let mut levels = Vec::new();
    let mut orbits = Orbits::new(system, &root);
    for (base, partition, fixed) in steps.into_iter().rev() {
        let mut impossible = StackSet::EMPTY;
        for image in (partition.cell(partition.colour(base)) & least).without(base) {
            orbits.join(&generators);
            if orbits.same(base, image) || !(orbits.of(image) & impossible).is_empty() {
                continue;
            }
            let moved = partition.individualised(system, image);
            match equivalent(system, &fixed, system, &moved) {
                Some(symmetry) => generators.push(in_order(&symmetry, classes)),
                None => impossible = impossible.with(image),
            }
        }
        let transversal = transversal(system.stacks(), base, &generators);
        if transversal.len() > 1 {
            levels.push(Level { base, transversal });
        }
    }
    levels.reverse();
    (levels, generators)
}

/// The symmetry that maps the classes as the given one does, but keeps the order within them.
fn in_order(symmetry: &Relabelling, classes: &[StackSet]) -> Relabelling {
    let mut images = vec![0; symmetry.stacks()];
    for &class in classes {
        for (s, image) in class.iter().zip(symmetry.set(class)) {
            images[s] = image;
        }
    }
    Relabelling::from_fn(symmetry.stacks(), |s| images[s])
}

/// Products of the generators that bring `base` to all places it can go to.
fn transversal(stacks: usize, base: usize, generators: &[Relabelling]) -> Vec<Relabelling> {
    let mut reached = StackSet::single(base);
    let mut transversal = vec![Relabelling::identity(stacks)];
    let mut next = 0;
    while let Some(way) = transversal.get(next).copied() {
        next += 1;
        for generator in generators {
            let longer = way.then(generator);
            if !reached.contains(longer.image(base)) {
                reached = reached.with(longer.image(base));
                transversal.push(longer);
            }
        }
    }
    transversal
}

/// The number of permutations of `n <= 32` things.
pub(super) fn factorial(n: usize) -> u128 {
    (1..=n as u128).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_within_classes_is_restored() {
        let class = |stacks: &[usize]| stacks.iter().copied().collect::<StackSet>();
        let classes = [class(&[0, 2, 3]), class(&[1, 4, 5])];
        let mixed = Relabelling::new(&[4, 3, 5, 1, 0, 2]).unwrap();
        let ordered = Relabelling::new(&[1, 0, 4, 5, 2, 3]).unwrap();
        assert_eq!(in_order(&mixed, &classes), ordered);
    }
}
