//! Which tables to keep, in which order of the stacks: what is settled before a run.

use super::LineError;
use super::estimate::Estimate;
use super::shape::{Shape, places};
use super::steps::Steps;
use super::tables::{BITS, Draft, LANES, draft};
use super::tile::{Tile, tile};
use crate::order;
use nimatron_game::{MAX_STACKS, StackSet, maximal};

/// Blocks of a table that is not expected to stay near.
const FAR: u128 = 2000;

/// Whether the stacks may be taken in the order that is fastest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The order found to need the least work. P-positions are found in lexicographic order of
    /// *that* order.
    #[default]
    Fastest,
    /// The order given: P-positions are found in lexicographic order.
    AsGiven,
}

/// How the P-positions of a box will be computed: the order of the stacks, the tables, and the
/// shape of a slice. A plan depends on the facets and the heights alone and can be used again.
///
/// ```
/// use nimatron_game::Family;
/// use nimatron_table::line::Plan;
/// let facets: Vec<_> = Family::Circular { n: 5, k: 2 }.sets().iter().collect();
/// let plan = Plan::new(&facets, &[7; 5]).unwrap();
/// assert_eq!(plan.estimate(1).positions, 8u128.pow(5));
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    facets: Vec<StackSet>,
    heights: Vec<u32>,
    order: Vec<usize>,
    shape: Shape,
    draft: Draft,
    steps: Steps,
    tile: Tile,
}

impl Plan {
    /// A plan for the box `0..=heights[s]` of every stack `s`. The sets are the move sets; each
    /// stack must lie in one.
    pub fn new(sets: &[StackSet], heights: &[u32]) -> Result<Self, LineError> {
        Plan::with_order(sets, heights, Order::Fastest)
    }

    /// A plan that keeps the stacks as they are, or not; see [`Order`].
    pub fn with_order(sets: &[StackSet], heights: &[u32], order: Order) -> Result<Self, LineError> {
        let n = heights.len();
        if n == 0 || n > MAX_STACKS {
            return Err(LineError::Stacks(n));
        }
        let facets = maximal(sets);
        let covered = facets.iter().fold(StackSet::EMPTY, |all, &f| all | f);
        if covered != StackSet::first(n) {
            return Err(LineError::Cover(covered));
        }
        let order = match order {
            Order::AsGiven => (0..n).collect(),
            Order::Fastest => search(&facets, heights),
        };
        Plan::in_order(facets, heights, order)
    }

    /// The plan for facets that were checked, in a given order of the stacks.
    pub(crate) fn in_order(
        facets: Vec<StackSet>,
        heights: &[u32],
        order: Vec<usize>,
    ) -> Result<Self, LineError> {
        let shape = Shape::new(heights, &order);
        let draft = draft(&relabelled(&facets, &order), &shape);
        let (steps, tile) = (Steps::new(&draft), tile(&shape, &draft));
        let plan = Plan { facets, heights: heights.to_vec(), order, shape, draft, steps, tile };
        if plan.estimate(1).memory > isize::MAX as u128 {
            return Err(LineError::Memory(plan.estimate(1).memory));
        }
        Ok(plan)
    }

    /// The facets: the inclusion-maximal move sets.
    pub fn facets(&self) -> &[StackSet] {
        &self.facets
    }

    /// The tallest height of every stack.
    pub fn heights(&self) -> &[u32] {
        &self.heights
    }

    /// The stacks, outermost first. The last one runs within a line.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// How many outermost layers there are: the heights of the first stack of the order, unless
    /// there are too few stacks to make layers.
    pub fn layers(&self) -> u32 {
        self.shape.outer[0]
    }

    /// What a run will need with this many workers.
    pub fn estimate(&self, workers: usize) -> Estimate {
        Estimate::new(&self.shape, &self.draft, self.tile, workers)
    }

    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Whether the tables at places 0, 1 and 2 are too large to stay near.
    pub(crate) fn far(&self) -> [bool; 3] {
        [0, 1, 2].map(|place| self.shape.table_blocks(place) > FAR)
    }

    pub(crate) fn tile(&self) -> Tile {
        self.tile
    }

    pub(crate) fn steps(&self) -> &Steps {
        &self.steps
    }

    pub(crate) fn draft(&self) -> &Draft {
        &self.draft
    }
}

/// The facets in terms of places in the shape: the outer places, then lanes, then bits.
fn relabelled(facets: &[StackSet], order: &[usize]) -> Vec<u32> {
    let inner = order.len().min(2);
    let (outer, slice) = order.split_at(order.len() - inner);
    let mut bit = [0u32; MAX_STACKS];
    for (&stack, place) in outer.iter().zip(places(outer.len())) {
        bit[stack] = 1 << place;
    }
    for (&stack, form) in slice.iter().rev().zip([BITS, LANES]) {
        bit[stack] = form;
    }
    facets.iter().map(|f| f.iter().fold(0, |all, stack| all | bit[stack])).collect()
}

/// Looks for an order of little work. The effort follows the size of the box, so that planning
/// never dominates.
fn search(facets: &[StackSet], heights: &[u32]) -> Vec<usize> {
    let positions: f64 = heights.iter().map(|&h| f64::from(h) + 1.0).product();
    let trials = (positions / 1e5).clamp(16.0, 4000.0) as usize;
    order::search(heights.len(), trials, |order| {
        draft(&relabelled(facets, order), &Shape::new(heights, order)).cost
    })
}
