//! What a run will need, known before it starts.

use super::kernel::Worker;
use super::orbits::{Canonical, Origin};
use super::plan::Plan;
use nimatron_game::symmetry::Relabelling;

/// Groups with more elements are not listed.
const FEW: usize = 2000;

/// Bytes of a list besides its P-positions, and what the allocator needs for it.
const LIST_BYTES: f64 = 40.0;
/// Bytes of a permutation that was met, with its number and its products.
const PERMUTATION: f64 = 100.0;

/// Seconds per operation of the kernel on a word, per vector, per operation on a word of an array,
/// per P-position entered, per list.
const KERNEL: f64 = 0.13e-9;
const VECTOR: f64 = 5.0e-9;
const FILL: f64 = 0.32e-9;
const ENTRY: f64 = 1.1e-9;
const LIST: f64 = 20e-9;

/// What a run will need, as far as it can be foreseen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Positions in the box.
    pub positions: f64,
    /// Blocks, and canonical blocks among them.
    pub blocks: f64,
    /// Canonical blocks.
    pub canonical: f64,
    /// P-positions in canonical blocks.
    pub kept: f64,
    /// Operations on words by the kernel.
    pub kernel: f64,
    /// Operations on words by filling the arrays.
    pub fill: f64,
    /// Vectors in all canonical blocks.
    pub vectors: f64,
    /// P-positions entered into arrays.
    pub entries: f64,
    /// Lists that these come from.
    pub lists: f64,
    /// Bytes.
    pub memory: f64,
}

impl Estimate {
    /// Seconds of one processor.
    pub fn seconds(&self) -> f64 {
        KERNEL * self.kernel
            + VECTOR * self.vectors
            + FILL * self.fill
            + ENTRY * self.entries
            + LIST * self.lists
    }
}

impl Plan {
    /// What a run will need with so many workers if the box holds so many P-positions.
    pub fn estimate(&self, p_positions: f64, workers: usize) -> Estimate {
        let layout = &self.layout;
        let places = 0..layout.places();
        let positions: f64 = self.heights().iter().map(|&h| f64::from(h) + 1.0).product();
        let blocks: f64 = layout.blocks.iter().map(|&b| f64::from(b)).product();
        let canonical = self.canonical_blocks();
        let kept = p_positions * (canonical / blocks).min(1.0);
        let words = layout.side.words() as f64;
        let inner: f64 = (layout.outer()..layout.places())
            .map(|p| f64::from(layout.tallest[p] + 1) / f64::from(layout.blocks[p]))
            .product();
        let vectors = canonical * positions / blocks / inner;
        // How many blocks are below at a place on average.
        let below = |p: usize| (f64::from(layout.blocks[p]) - 1.0) / 2.0;
        let faces = places.clone().flat_map(|p| self.draft.incoming[p].faces.iter());
        let sources: f64 = faces
            .map(|face| places.clone().filter(|p| face >> p & 1 == 1).map(below).product::<f64>())
            .sum();
        // Arrays are filled where there are blocks below.
        let some = |p: usize| 1.0 - 1.0 / f64::from(layout.blocks[p]);
        let share = places.clone().map(some).sum::<f64>() / layout.places() as f64;
        let array = layout.array_words() as f64;
        // Four bytes each; blocks that symmetries keep hold a quarter more than their share.
        let memory = 5.0 * kept
            + 8.0 * Worker::words(self) as f64 * workers as f64
            + size_of::<Origin>() as f64 * blocks
            + (size_of::<Canonical>() as f64 + LIST_BYTES) * canonical
            + PERMUTATION * (self.symmetry().order() as f64).min(blocks);
        Estimate {
            positions,
            blocks,
            canonical,
            kept,
            kernel: vectors * words * self.draft.kernel,
            fill: canonical * share * self.draft.fill * array,
            vectors,
            entries: kept * sources,
            lists: canonical * sources,
            memory,
        }
    }

    /// Nanoseconds for the block with these indices, about, at least one: by these costs work is shared
    /// out. How many P-positions it meets is not looked up but supposed, from how many a block of some
    /// circular game has, so that everybody comes to the same number.
    pub(crate) fn cost_of(&self, at: &[u32]) -> u64 {
        let layout = &self.layout;
        let places = 0..layout.places();
        let outer = (0..layout.outer()).map(|p| f64::from(layout.heights_in(p, at[p])));
        let vectors: f64 = outer.product();
        let faces = places.clone().flat_map(|p| self.draft.incoming[p].faces.iter());
        let below = |p: usize| f64::from(at[p]);
        let lists: f64 = faces
            .map(|face| places.clone().filter(|p| face >> p & 1 == 1).map(below).product::<f64>())
            .sum();
        let stacks = self.heights().len() as i32;
        let supposed = 0.5 * f64::from(layout.side.heights()).powi((stacks - 2).max(0));
        let filled = places.clone().filter(|&p| at[p] > 0).count() as f64;
        let share = filled / layout.places() as f64;
        let seconds = vectors * (VECTOR + KERNEL * layout.side.words() as f64 * self.draft.kernel)
            + FILL * share * self.draft.fill * layout.array_words() as f64
            + lists * (LIST + ENTRY * supposed);
        (seconds * 1e9) as u64 + 1
    }

    /// How many orbits of blocks there are: by counting what each symmetry keeps, or, if there
    /// are too many, by what stacks in the same sets alone do.
    fn canonical_blocks(&self) -> f64 {
        let layout = &self.layout;
        let blocks = |stack: usize| f64::from(self.heights()[stack] / layout.side.heights() + 1);
        let n = self.heights().len();
        let symmetry = self.symmetry();
        match symmetry.elements_up_to(FEW) {
            Some(elements) => {
                let kept = |g: &Relabelling| -> f64 {
                    let mut seen = vec![false; n];
                    let mut product = 1.0;
                    for stack in 0..n {
                        if !seen[stack] {
                            product *= blocks(stack);
                            let mut at = stack;
                            while !std::mem::replace(&mut seen[at], true) {
                                at = g.image(at);
                            }
                        }
                    }
                    product
                };
                elements.iter().map(kept).sum::<f64>() / elements.len() as f64
            }
            None => {
                let mut order = symmetry.order() as f64;
                let mut product = 1.0;
                let mut left: Vec<usize> = (0..n).collect();
                for class in symmetry.twin_classes() {
                    let b = class.iter().next().map_or(1.0, blocks);
                    for i in 0..class.len() {
                        product *= (b + i as f64) / (i as f64 + 1.0);
                        order /= i as f64 + 1.0;
                    }
                    left.retain(|&stack| !class.contains(stack));
                }
                let rest: f64 = left.into_iter().map(blocks).product();
                (product * rest / order).max(1.0)
            }
        }
    }
}
