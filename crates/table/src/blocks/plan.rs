//! What is settled before a run: the order of the stacks, the side of the blocks, the tables.

use super::draft::{Draft, draft};
use super::layout::{Layout, Side};
use super::orbits::Images;
use crate::line::LineError;
use crate::order;
use nimatron_game::symmetry::{Relabelling, Symmetry};
use nimatron_game::{Height, MAX_STACKS, SetFamily, StackSet, maximal};

/// How the P-positions of a box will be computed by blocks.
///
/// ```
/// use nimatron_game::Family;
/// use nimatron_table::blocks::{Plan, Side};
/// let facets: Vec<_> = Family::Circular { n: 5, k: 2 }.sets().iter().collect();
/// let plan = Plan::new(&facets, &[20; 5], Side::Eight).unwrap();
/// assert_eq!(plan.symmetry().order(), 10);
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    facets: Vec<StackSet>,
    heights: Vec<u32>,
    order: Vec<usize>,
    symmetry: Symmetry,
    pub(crate) layout: Layout,
    pub(crate) draft: Draft,
}

impl Plan {
    /// A plan for the box `0..=heights[s]` of every stack `s`, in blocks of this side. The sets
    /// are the move sets; each stack must lie in one.
    pub fn new(sets: &[StackSet], heights: &[u32], side: Side) -> Result<Self, LineError> {
        let n = heights.len();
        if n == 0 || n > MAX_STACKS || !side.takes(n) {
            return Err(LineError::Stacks(n));
        }
        let facets = maximal(sets);
        let covered = facets.iter().fold(StackSet::EMPTY, |all, &f| all | f);
        if covered != StackSet::first(n) {
            return Err(LineError::Cover(covered));
        }
        let positions: f64 = heights.iter().map(|&h| f64::from(h) + 1.0).product();
        let trials = (positions / 1e6).clamp(16.0, 1000.0) as usize;
        // Which layout an order has makes no difference to the tables, but for its places.
        let layout = Layout::new(heights, &(0..n).collect::<Vec<_>>(), side)?;
        let order = order::search(n, trials, |order| {
            draft(&places(&facets, order, layout.empty), &layout).operations(&layout)
        });
        Plan::in_order(facets, heights, order, side)
    }

    /// The same plan for a box of other heights.
    pub fn for_box(&self, heights: &[u32]) -> Result<Self, LineError> {
        if heights.len() != self.heights.len() {
            return Err(LineError::Stacks(heights.len()));
        }
        Plan::in_order(self.facets.clone(), heights, self.order.clone(), self.side())
    }

    /// The plan for facets that were checked, in a given order of the stacks.
    pub(crate) fn in_order(
        facets: Vec<StackSet>,
        heights: &[u32],
        order: Vec<usize>,
        side: Side,
    ) -> Result<Self, LineError> {
        let layout = Layout::new(heights, &order, side)?;
        let draft = draft(&places(&facets, &order, layout.empty), &layout);
        let tall: Vec<Height> = heights.iter().map(|&h| h.into()).collect();
        let family = SetFamily::listed(heights.len(), facets.iter().copied());
        let symmetry = Symmetry::of_sets(&family).stabiliser(&tall);
        Ok(Plan { facets, heights: heights.to_vec(), order, symmetry, layout, draft })
    }

    /// The facets: the inclusion-maximal move sets.
    pub fn facets(&self) -> &[StackSet] {
        &self.facets
    }

    /// The tallest height of every stack.
    pub fn heights(&self) -> &[u32] {
        &self.heights
    }

    /// The stacks, outermost first.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The side of the blocks.
    pub fn side(&self) -> Side {
        self.layout.side
    }

    /// The symmetries of the game that leave the box as it is.
    pub fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }

    /// Positions up to symmetry, about.
    pub(crate) fn work(&self) -> f64 {
        let positions: f64 = self.heights.iter().map(|&h| f64::from(h) + 1.0).product();
        positions / self.symmetry.order() as f64
    }

    /// Generators of the symmetries as permutations of places.
    pub(crate) fn generators(&self) -> Vec<Images> {
        self.symmetry.generators().iter().map(|g| self.on_places(g)).collect()
    }

    /// A symmetry as a permutation of places.
    pub(crate) fn on_places(&self, symmetry: &Relabelling) -> Images {
        let mut images: Images = std::array::from_fn(|p| p as u8);
        for (i, &stack) in self.order.iter().enumerate() {
            let to = symmetry.image(stack);
            let place = self.order.iter().position(|&s| s == to);
            let place = place.expect("an order holds every stack");
            images[self.layout.empty + i] = (self.layout.empty + place) as u8;
        }
        images
    }

    /// The heights of a P-position of a block, in the order of the stacks.
    #[inline(always)]
    pub(crate) fn heights_of(&self, at: &[u32], number: u32, heights: &mut [u32]) {
        let layout = &self.layout;
        for (i, &stack) in self.order.iter().enumerate() {
            let place = layout.empty + i;
            let local = number >> layout.at(place) & (layout.side.heights() - 1);
            heights[stack] = at[place] << layout.k() | local;
        }
    }
}

/// The facets as sets of places.
fn places(facets: &[StackSet], order: &[usize], empty: usize) -> Vec<u32> {
    let mut bit = [0u32; MAX_STACKS];
    for (i, &stack) in order.iter().enumerate() {
        bit[stack] = 1 << (empty + i);
    }
    facets.iter().map(|f| f.iter().fold(0, |all, stack| all | bit[stack])).collect()
}
