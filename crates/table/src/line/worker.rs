//! One worker: computes a band of layers, one tile after the other.

use super::block::{Block, Store};
#[cfg(target_arch = "x86_64")]
use super::isa::x86;
use super::isa::{Path, Portable};
use super::kernel;
use super::lines::{Finds, Lines};
use super::narrow::Narrow;
use super::shape::{Shape, Width};
use super::tables::Draft;
use super::wide::Wide;
use super::{Blocked, Plan};
use nimatron_game::{Stop, Watch};

/// Blocks of each table handled at a time, at most.
const CHUNK: usize = 64;
/// Blocks of all tables handled at a time, so that they stay in the nearest cache.
const NEAREST: usize = 400;

/// What holds for a whole run.
pub(crate) struct Terms<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) path: Path,
    /// What may not be a P-position.
    pub(crate) blocked: Option<&'a dyn Blocked>,
    /// Whether the position without tokens is not a P-position.
    pub(crate) misere: bool,
    pub(crate) watch: &'a dyn Watch,
    /// Bytes held by the whole run.
    pub(crate) memory: u64,
}

/// What was found in a layer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Harvest {
    pub(crate) count: u64,
    /// P-positions by their greatest height, if wanted.
    pub(crate) by_max: Option<Vec<u64>>,
    /// All heights of all P-positions, in the order of the stacks, if wanted.
    pub(crate) listed: Option<Vec<u32>>,
}

/// A band of layers. The table at place 0 is not part of it: all layers share that one.
pub(crate) struct Worker {
    layers: Vec<Layer>,
    scratch: Scratch,
}

/// The tables at place 1, and the parts of a layer that are worked on together.
struct Layer {
    /// By the numbers of the tables; those of other places are empty.
    tables: Vec<Store>,
    steps: Vec<Part>,
    harvest: Harvest,
}

/// The tables at places from 2 on.
struct Part {
    tables: Vec<Store>,
    listed: Option<Vec<u32>>,
}

/// Where slices are worked on.
pub(crate) struct Scratch {
    /// What is reached from outside the row, for the slices of a chunk.
    pub(crate) marks: Store,
    /// What joins the row's table.
    pub(crate) feed: Store,
    /// Tables with something lowered.
    pub(crate) views: Vec<Store>,
    /// The row's table, and what it starts from.
    pub(crate) row: Store,
    pub(crate) padding: Vec<Block>,
    pub(crate) finds: Finds,
}

/// Where the kernel works: the tables at the current heights of the outermost places.
pub(crate) struct Site<'s> {
    /// The heights of the three outermost places; the third is 0 if it is the row's.
    pub(crate) at: [u32; 3],
    /// Whether this is the first of its tile to use the shared table, and the layer's tables.
    pub(crate) leads: [bool; 2],
    /// The shared table at these heights (of the second and third place).
    pub(crate) ground: &'s mut [Block],
    /// The tables at place 1, whole.
    pub(crate) layer: &'s mut [Store],
    /// The tables at the other places.
    pub(crate) part: &'s mut [Store],
    pub(crate) scratch: &'s mut Scratch,
    pub(crate) harvest: &'s mut Harvest,
    /// The list that P-positions are appended to, if wanted.
    pub(crate) listed: &'s mut Option<Vec<u32>>,
}

impl Worker {
    /// `None` if there is not enough memory.
    pub(crate) fn new(plan: &Plan) -> Option<Self> {
        let (shape, tile) = (plan.shape(), plan.tile());
        let tables = |places: std::ops::Range<usize>| {
            let blocks = |place| match places.contains(&place) {
                true => shape.table_blocks(place),
                false => 0,
            };
            let each = plan.draft().tables.iter().enumerate();
            let each =
                each.map(|(i, t)| Store::zeroed(usize::try_from(blocks(t.place)).ok()?, i + 1));
            each.collect::<Option<Vec<_>>>()
        };
        let part = || Some(Part { tables: tables(2..shape.outer.len())?, listed: None });
        let layer = || {
            let steps = (0..tile.steps).map(|_| part()).collect::<Option<_>>()?;
            Some(Layer { tables: tables(1..2)?, steps, harvest: Harvest::default() })
        };
        let draft = plan.draft();
        let slices = chunk_slices(shape, draft);
        let blocks = slices.checked_mul(shape.blocks)?;
        let chunk = |number: usize| Store::zeroed(blocks, draft.tables.len() + 1 + number);
        let scratch = Scratch {
            marks: chunk(0)?,
            feed: chunk(1)?,
            views: (0..draft.views.len()).map(|v| chunk(2 + v)).collect::<Option<_>>()?,
            row: Store::zeroed(shape.blocks, 0)?,
            padding: padding(plan),
            finds: Finds::with_room(slices.checked_mul(shape.lanes)?),
        };
        let layers = (0..tile.layers).map(|_| layer()).collect::<Option<_>>()?;
        Some(Worker { layers, scratch })
    }

    /// Makes ready for a band of layers.
    pub(crate) fn begin(&mut self, harvest: &Harvest) {
        for layer in &mut self.layers {
            layer.harvest = harvest.clone();
            for part in &mut layer.steps {
                part.listed = harvest.listed.clone();
            }
        }
    }

    /// What was found in the `i`th layer of the band.
    pub(crate) fn harvest(&mut self, i: usize) -> &mut Harvest {
        &mut self.layers[i].harvest
    }

    /// Computes a tile: `layers` layers from `first.0` on, at the heights of the second place
    /// from `first.1` on for which the shared table's parts are given.
    pub(crate) fn tile(
        &mut self,
        terms: &Terms<'_>,
        first: (u32, u32),
        layers: usize,
        ground: &mut [&mut [Block]],
    ) -> Result<(), Stop> {
        let shape = terms.plan.shape();
        let thirds = if shape.row_place() > 2 { shape.outer[2] } else { 1 };
        for third in 0..thirds {
            terms.watch.check(terms.memory)?;
            for (i, layer) in self.layers[..layers].iter_mut().enumerate() {
                for (j, part) in layer.steps[..ground.len()].iter_mut().enumerate() {
                    let slab = ground[j].len() / thirds as usize;
                    let start = slab * third as usize;
                    let mut site = Site {
                        at: [first.0 + i as u32, first.1 + j as u32, third],
                        leads: [i == 0, j == 0],
                        ground: &mut ground[j][start..start + slab],
                        layer: &mut layer.tables,
                        part: &mut part.tables,
                        scratch: &mut self.scratch,
                        harvest: &mut layer.harvest,
                        listed: &mut part.listed,
                    };
                    compute(terms, &mut site)?;
                }
            }
        }
        for layer in &mut self.layers[..layers] {
            for part in &mut layer.steps[..ground.len()] {
                if let (Some(all), Some(new)) = (&mut layer.harvest.listed, &mut part.listed) {
                    all.append(new);
                }
            }
        }
        Ok(())
    }
}

/// Slices handled at a time.
pub(crate) fn chunk_slices(shape: &Shape, draft: &Draft) -> usize {
    let chunks = draft.tables.len() + draft.views.len() + 2;
    let blocks = (NEAREST / chunks).min(CHUNK);
    (blocks / shape.blocks).clamp(1, shape.row())
}

fn padding(plan: &Plan) -> Vec<Block> {
    let shape = plan.shape();
    match shape.width {
        Width::W16 => Narrow::<16>::new(shape, false).padding(),
        Width::W32 => Narrow::<32>::new(shape, false).padding(),
        Width::W64 => Narrow::<64>::new(shape, false).padding(),
        Width::Words(_) => Wide::new(shape, false).padding(),
    }
}

/// Calls `$run(isa, lines, terms, site)` with the lines of the plan's width.
macro_rules! by_width {
    ($run:expr, $isa:expr, $terms:expr, $site:expr) => {{
        let (shape, together) = ($terms.plan.shape(), $terms.plan.draft().together);
        match shape.width {
            Width::W16 => $run($isa, Narrow::<16>::new(shape, together), $terms, $site),
            Width::W32 => $run($isa, Narrow::<32>::new(shape, together), $terms, $site),
            Width::W64 => $run($isa, Narrow::<64>::new(shape, together), $terms, $site),
            Width::Words(_) => $run($isa, Wide::new(shape, together), $terms, $site),
        }
    }};
}

/// Hands on to the kernel for the path and the width.
fn compute(terms: &Terms<'_>, site: &mut Site<'_>) -> Result<(), Stop> {
    match terms.path {
        #[cfg(target_arch = "x86_64")]
        Path::Avx512 if let Some(isa) = x86::Avx512::detect() => {
            // SAFETY: `isa` exists, so the processor has the instructions.
            unsafe { by_width!(on_avx512, isa, terms, site) }
        }
        #[cfg(target_arch = "x86_64")]
        Path::Avx2 if let Some(isa) = x86::Avx2::detect() => {
            // SAFETY: `isa` exists, so the processor has the instructions.
            unsafe { by_width!(on_avx2, isa, terms, site) }
        }
        _ => by_width!(kernel::slab, Portable, terms, site),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn on_avx512<L: Lines>(
    isa: x86::Avx512,
    lines: L,
    terms: &Terms<'_>,
    site: &mut Site<'_>,
) -> Result<(), Stop> {
    kernel::slab(isa, lines, terms, site)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn on_avx2<L: Lines>(
    isa: x86::Avx2,
    lines: L,
    terms: &Terms<'_>,
    site: &mut Site<'_>,
) -> Result<(), Stop> {
    kernel::slab(isa, lines, terms, site)
}
