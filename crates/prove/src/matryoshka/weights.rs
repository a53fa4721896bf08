//! Weights that forbid moves between cells.

use super::cells::{Bits, Cells};
use super::rays::weight;
use nimatron_game::symmetry::{Relabelling, Symmetry};
use nimatron_game::{StackSet, Stop, Watch};
use nimatron_linear::Overflow;
use nimatron_verify::matryoshka::Weight;
use std::collections::HashSet;

/// Groups up to this order are listed, to get more weights from one.
const LISTED: usize = 5000;

/// Why there are no weights.
#[derive(Debug)]
pub(super) enum NoWeights {
    /// Some move by the facet leads from the first cell to the second.
    Move,
    /// The numbers became too large.
    Overflow,
    /// A limit was reached.
    Stopped(Stop),
}

impl From<Stop> for NoWeights {
    fn from(stop: Stop) -> Self {
        NoWeights::Stopped(stop)
    }
}

impl From<Overflow> for NoWeights {
    fn from(_: Overflow) -> Self {
        NoWeights::Overflow
    }
}

/// Weights for one facet of each class under the symmetries, that serve all ordered pairs of cells.
/// The cells must be closed under the symmetries.
pub(super) fn weights(
    facets: &[StackSet],
    cells: &Cells,
    symmetry: &Symmetry,
    watch: &dyn Watch,
) -> Result<Vec<Weight>, NoWeights> {
    let listed = symmetry.elements_up_to(LISTED).unwrap_or_default();
    let mut found = Vec::new();
    for facet in representatives(facets, symmetry) {
        let keeps = |g: &&Relabelling| g.set(facet) == facet;
        let stabiliser: Vec<Relabelling> = listed.iter().filter(keeps).copied().collect();
        found.extend(facet_weights(facet, cells, &stabiliser, watch)?);
    }
    Ok(found)
}

/// One facet of each class.
fn representatives(facets: &[StackSet], symmetry: &Symmetry) -> Vec<StackSet> {
    let generators = symmetry.generators();
    let mut seen = HashSet::new();
    let mut representatives = Vec::new();
    for &facet in facets {
        if !seen.contains(&facet) {
            representatives.push(facet);
        }
        let mut next = vec![facet];
        while let Some(facet) = next.pop() {
            if seen.insert(facet) {
                next.extend(generators.iter().map(|g| g.set(facet)));
            }
        }
    }
    representatives
}

fn facet_weights(
    facet: StackSet,
    cells: &Cells,
    stabiliser: &[Relabelling],
    watch: &dyn Watch,
) -> Result<Vec<Weight>, NoWeights> {
    let count = cells.len();
    let memory = (count as u64).pow(2) / 8;
    watch.check(memory)?;
    let mut served: Vec<Bits> = vec![Bits::new(count); count];
    let mut known: HashSet<Vec<i64>> = HashSet::new();
    let mut found = Vec::new();
    for from in 0..count {
        while let Some(to) = served[from].first_zero() {
            watch.check(memory)?;
            let y = weight(cells.stacks(), facet.bits(), cells.cell(from), cells.cell(to))?;
            let Some(y) = y else { return Err(NoWeights::Move) };
            let images = stabiliser.iter().map(|g| g.apply(&y));
            for y in images.chain([y.clone()]) {
                if known.insert(y.clone()) && serve(&y, cells, &mut served) {
                    found.push(Weight { facet: facet.bits(), weight: y });
                }
            }
        }
        watch.progress(from as u128 + 1, count as u128);
    }
    Ok(found)
}

/// Enters the pairs that a weight serves; whether there are new ones among them.
fn serve(y: &[i64], cells: &Cells, served: &mut [Bits]) -> bool {
    let (mut positive, mut negative) = (cells.no_generators(), cells.no_generators());
    for (number, &generator) in cells.generators().iter().enumerate() {
        let value: i64 = StackSet::from_bits(generator).iter().map(|s| y[s]).sum();
        if value > 0 {
            positive.set(number);
        }
        if value < 0 {
            negative.set(number);
        }
    }
    let mut to = Bits::new(cells.len());
    for cell in (0..cells.len()).filter(|&cell| cells.bits(cell).is_disjoint(&negative)) {
        to.set(cell);
    }
    let mut new = false;
    for (cell, row) in served.iter_mut().enumerate() {
        if cells.bits(cell).is_disjoint(&positive) {
            new |= row.join(&to);
        }
    }
    new
}
