//! Counting by orbits: how many P-positions there are, without looking at each.

use super::fill::Moves;
use super::orbits::{Canonical, Indices, reserve};
use super::run::Run;
use crate::line::LineError;
use nimatron_game::Height;
use nimatron_game::symmetry::Symmetry;

/// Stabilisers with more elements are not listed.
const FEW: usize = 64;

/// What was counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Census {
    /// P-positions.
    pub count: u64,
    /// P-positions up to the symmetries of the game that leave the box as it is.
    pub orbits: u64,
    /// P-positions by their greatest height.
    pub by_max: Vec<u64>,
    /// Orbits by their greatest height.
    pub orbits_by_max: Vec<u64>,
}

impl Census {
    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: &Census) {
        self.count += other.count;
        self.orbits += other.orbits;
        let lists = [(&mut self.by_max, &other.by_max)];
        for (all, some) in
            lists.into_iter().chain([(&mut self.orbits_by_max, &other.orbits_by_max)])
        {
            all.resize(all.len().max(some.len()), 0);
            all.iter_mut().zip(some).for_each(|(all, some)| *all += some);
        }
    }
}

impl Run {
    /// Counts what is known: every P-position of a canonical block stands for as many as there
    /// are blocks in its orbit.
    pub fn census(&self) -> Result<Census, LineError> {
        if !self.lists.are_held() {
            return Err(LineError::Dropped);
        }
        self.census_of(0..self.orbits.canonical.len())
    }

    /// Counts some canonical blocks.
    pub(crate) fn census_of(
        &self,
        blocks: impl Iterator<Item = usize>,
    ) -> Result<Census, LineError> {
        let tallest = self.plan.heights().iter().max().map_or(0, |&h| h as usize);
        let mut census = Census::default();
        for list in [&mut census.by_max, &mut census.orbits_by_max] {
            reserve(list, tallest + 1)?;
            list.resize(tallest + 1, 0);
        }
        for number in blocks {
            self.count(&self.orbits.canonical[number], self.lists.get(number), &mut census);
        }
        census.count = census.by_max.iter().sum();
        census.orbits = census.orbits_by_max.iter().sum();
        Ok(census)
    }

    fn count(&self, canonical: &Canonical, list: &[u32], census: &mut Census) {
        if list.is_empty() {
            return;
        }
        let at = self.orbits.indices(canonical.block);
        let tallest = Tallest::new(self, &at);
        let mut here = [0u64; 16];
        for &number in list {
            here[tallest.local(number)] += 1;
        }
        let order = self.plan.symmetry().order();
        let keeping = order / u128::from(canonical.orbit);
        let mut orbits = here;
        if keeping > 1 {
            orbits = self.orbits_here(&at, list, keeping, &tallest);
        }
        for local in 0..self.plan.side().heights() as usize {
            if let Some(all) = census.by_max.get_mut(tallest.base as usize + local) {
                *all += here[local] * u64::from(canonical.orbit);
                census.orbits_by_max[tallest.base as usize + local] += orbits[local];
            }
        }
    }

    /// How many orbits there are in a block that some symmetries keep, by local greatest height.
    ///
    /// Burnside: the mean number of P-positions that an element keeps.
    fn orbits_here(
        &self,
        at: &Indices,
        list: &[u32],
        keeping: u128,
        tallest: &Tallest,
    ) -> [u64; 16] {
        let stabiliser = self.stabiliser(at);
        debug_assert_eq!(stabiliser.order(), keeping);
        let mut counts = [0u64; 16];
        match stabiliser.elements_up_to(FEW) {
            Some(elements) => {
                for element in elements {
                    let moves = Moves::permuting(&self.plan.on_places(&element), &self.plan.layout);
                    let (chunks, rest) = list.as_chunks::<16>();
                    for chunk in chunks {
                        let moved = moves.apply(chunk);
                        for (&number, moved) in chunk.iter().zip(moved) {
                            if number == moved {
                                counts[tallest.local(number)] += 1;
                            }
                        }
                    }
                    for &number in rest {
                        if moves.apply(&[number]) == [number] {
                            counts[tallest.local(number)] += 1;
                        }
                    }
                }
                counts.map(|count| count / keeping as u64)
            }
            None => {
                let mut heights = vec![0u32; self.plan.heights().len()];
                for &number in list {
                    self.plan.heights_of(at, number, &mut heights);
                    let tall: Vec<Height> = heights.iter().map(|&h| h.into()).collect();
                    counts[tallest.local(number)] += u64::from(stabiliser.is_canonical(&tall));
                }
                counts
            }
        }
    }

    /// The symmetries that keep a block.
    pub(crate) fn stabiliser(&self, at: &[u32]) -> Symmetry {
        let mut indices: Vec<Height> = vec![0; self.plan.heights().len()];
        for (i, &stack) in self.plan.order().iter().enumerate() {
            indices[stack] = at[self.plan.layout.empty + i].into();
        }
        self.plan.symmetry().stabiliser(&indices)
    }
}

/// Finds the greatest height of P-positions of a block: it is at a place of greatest index.
struct Tallest {
    base: u32,
    fields: Vec<u32>,
    mask: u32,
}

impl Tallest {
    fn new(run: &Run, at: &[u32]) -> Self {
        let layout = &run.plan.layout;
        let places = layout.empty..layout.places();
        let top = places.clone().map(|p| at[p]).max().unwrap_or(0);
        let fields = places.filter(|&p| at[p] == top).map(|p| layout.at(p)).collect();
        Tallest { base: top << layout.k(), fields, mask: layout.side.heights() - 1 }
    }

    #[inline(always)]
    fn local(&self, number: u32) -> usize {
        let heights = self.fields.iter().map(|at| number >> at & self.mask);
        heights.fold(0, u32::max) as usize
    }
}
