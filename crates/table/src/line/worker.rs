//! One worker: computes a band of layers, one tile after the other.

use super::block::{Block, Store};
#[cfg(target_arch = "x86_64")]
use super::isa::x86;
use super::isa::{Path, Portable};
use super::kernel;
use super::lines::Finds;
#[cfg(target_arch = "x86_64")]
use super::lines::Lines;
use super::narrow::Narrow;
use super::packed::Packed;
use super::shape::{Shape, Width};
use super::tables::Draft;
use super::wide::{self, Room, Wide};
use super::{Blocked, Plan};
use nimatron_game::{Stop, Watch};

/// Blocks of each table handled at a time, at most.
const CHUNK: usize = 64;
/// Blocks of all tables handled at a time, so that they stay in the nearest cache.
const NEAREST: usize = 800;

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
    /// All P-positions, in the order of the stacks, if wanted.
    pub(crate) listed: Option<Packed>,
}

/// A band of layers. The table at place 0 is not part of it: all layers share that one.
///
/// Tables at place 1 belong to a layer, those at place 2 to a step (a height of the second
/// place in a layer), the others to a cell (a height of the third place in a step). Each keeps
/// as many as a tile has, by the numbers of the tables; those of other places are empty.
pub(crate) struct Worker {
    layers: Vec<Layer>,
    scratch: Scratch,
}

struct Layer {
    tables: Vec<Store>,
    steps: Vec<StepTables>,
    harvest: Harvest,
}

struct StepTables {
    tables: Vec<Store>,
    cells: Vec<Cell>,
    listed: Option<Packed>,
}

struct Cell {
    tables: Vec<Store>,
    listed: Option<Packed>,
}

/// Where slices are worked on.
pub(crate) struct Scratch {
    /// For the slices of a chunk what is marked, what joins the row's own table, and what is
    /// blocked.
    pub(crate) marks: Store,
    pub(crate) feed: Store,
    pub(crate) blocked: Store,
    /// What came in along the row and is to be lowered: a slice for each form.
    pub(crate) sums: Store,
    /// The row's own table, and what it starts from.
    pub(crate) own: Store,
    pub(crate) padding: Vec<Block>,
    pub(crate) finds: Finds,
    /// For lines of several words.
    pub(crate) room: Room,
}

/// Where the kernel works: the tables at the current heights of the outermost places.
pub(crate) struct Site<'s> {
    /// The heights of the four outermost places; the fourth is 0 if it is the row's.
    pub(crate) at: [u32; 4],
    /// Whether this is the first slab of its tile to use the tables at places 0, 1 and 2.
    pub(crate) leads: [bool; 3],
    /// Where the tables start that the next slab will be the first to use.
    pub(crate) ahead: &'s [*const Block],
    /// The shared table at these heights.
    pub(crate) ground: &'s mut [Block],
    /// The tables at places 1 and 2, whole, and at the others.
    pub(crate) layer: &'s mut [Store],
    pub(crate) step: &'s mut [Store],
    pub(crate) cell: &'s mut [Store],
    pub(crate) scratch: &'s mut Scratch,
    pub(crate) harvest: &'s mut Harvest,
    /// The list that P-positions are appended to, if wanted.
    pub(crate) listed: &'s mut Option<Packed>,
}

impl Worker {
    /// `None` if there is not enough memory, or it is not to go on: tables may be large.
    pub(crate) fn new(plan: &Plan, goes_on: &dyn Fn() -> bool) -> Option<Self> {
        let (shape, draft, tile) = (plan.shape(), plan.draft(), plan.tile());
        let tables = |places: std::ops::Range<usize>| {
            let blocks = |place| match places.contains(&place) {
                true => shape.table_blocks(place),
                false => 0,
            };
            let each = draft.tables.iter().enumerate();
            let table = |place, number| match goes_on() {
                true => Store::zeroed(usize::try_from(blocks(place)).ok()?, number),
                false => None,
            };
            let each = each.map(|(i, t)| table(t.place, i + 1));
            each.collect::<Option<Vec<_>>>()
        };
        let cell = |_| Some(Cell { tables: tables(3..shape.outer.len())?, listed: None });
        let step = |_| {
            let cells = (0..tile[2]).map(cell).collect::<Option<_>>()?;
            Some(StepTables { tables: tables(2..3)?, cells, listed: None })
        };
        let layer = |_| {
            let steps = (0..tile[1]).map(step).collect::<Option<_>>()?;
            Some(Layer { tables: tables(1..2)?, steps, harvest: Harvest::default() })
        };
        let slices = chunk_slices(shape, draft);
        let blocks = slices.checked_mul(shape.blocks)?;
        let store = |blocks, number| match goes_on() {
            true => Store::zeroed(blocks, draft.tables.len() + number),
            false => None,
        };
        let scratch = Scratch {
            marks: store(blocks, 1)?,
            feed: store(blocks, 2)?,
            blocked: store(blocks, 3)?,
            sums: store(shape.blocks.checked_mul(4)?, 4)?,
            own: store(shape.blocks, 5)?,
            padding: padding(plan)?,
            finds: Finds::with_room(slices.checked_mul(shape.lanes)?)?,
            room: Room::new(shape)?,
        };
        let layers = (0..tile[0]).map(layer).collect::<Option<_>>()?;
        Some(Worker { layers, scratch })
    }

    /// Makes ready for a band of layers.
    pub(crate) fn begin(&mut self, harvest: &Harvest) {
        for layer in &mut self.layers {
            layer.harvest = harvest.clone();
            for step in &mut layer.steps {
                step.listed = harvest.listed.clone();
                step.cells.iter_mut().for_each(|cell| cell.listed = harvest.listed.clone());
            }
        }
    }

    /// What was found in the `i`th layer of the band.
    pub(crate) fn harvest(&mut self, i: usize) -> &mut Harvest {
        &mut self.layers[i].harvest
    }

    /// Computes `layers` layers from `first.0` on, at the heights of the second place from
    /// `first.1` on for which the shared table's parts are given.
    pub(crate) fn advance(
        &mut self,
        terms: &Terms<'_>,
        first: (u32, u32),
        layers: usize,
        ground: &mut [&mut [Block]],
    ) -> Result<(), Stop> {
        let thirds = terms.plan.shape().outer[2];
        let cells = terms.plan.tile()[2];
        for third in (0..thirds).step_by(cells) {
            let cells = cells.min((thirds - third) as usize);
            self.tile(terms, [first.0, first.1, third], [layers, ground.len(), cells], ground)?;
            for step in self.layers[..layers].iter_mut().flat_map(|l| &mut l.steps) {
                for cell in &mut step.cells[..cells] {
                    append(&mut step.listed, &mut cell.listed);
                }
            }
        }
        for layer in &mut self.layers[..layers] {
            for step in &mut layer.steps {
                append(&mut layer.harvest.listed, &mut step.listed);
            }
        }
        Ok(())
    }

    /// Computes the tile of these sizes that starts at these heights.
    fn tile(
        &mut self,
        terms: &Terms<'_>,
        first: [u32; 3],
        [layers, steps, cells]: [usize; 3],
        ground: &mut [&mut [Block]],
    ) -> Result<(), Stop> {
        let (shape, draft) = (terms.plan.shape(), terms.plan.draft());
        let fourths = if shape.row_place() > 3 { shape.outer[3] as usize } else { 1 };
        let slab = shape.rows_after(3) as usize * shape.row() * shape.blocks;
        let mut ahead = Vec::new();
        let far = terms.plan.far();
        // Slab by slab: the fourth place outermost, then layer, step and cell.
        let sizes = [fourths, layers, steps, cells];
        let mut at = Some([0; 4]);
        while let Some([fourth, i, j, k]) = at {
            if (i, j, k) == (0, 0, 0) {
                terms.watch.check(terms.memory)?;
            }
            at = next([fourth, i, j, k], sizes);
            ahead.clear();
            if let Some([fourth, i, j, k]) = at {
                let start = slab * ((first[2] as usize + k) * fourths + fourth);
                for (t, table) in draft.tables.iter().enumerate() {
                    match table.place {
                        0 if far[0] && i == 0 => ahead.push(ground[j][start..].as_ptr()),
                        1 if far[1] && j == 0 => {
                            ahead.push(self.layers[i].tables[t][start..].as_ptr())
                        }
                        2 if far[2] && k == 0 => {
                            let step = &self.layers[i].steps[j].tables[t];
                            ahead.push(step[slab * fourth..].as_ptr());
                        }
                        _ => {}
                    }
                }
            }
            let layer = &mut self.layers[i];
            let step = &mut layer.steps[j];
            let cell = &mut step.cells[k];
            let third = first[2] as usize + k;
            let start = slab * (third * fourths + fourth);
            let shared = match draft.has_ground() {
                true => &mut ground[j][start..start + slab],
                false => &mut [],
            };
            let mut site = Site {
                at: [first[0] + i as u32, first[1] + j as u32, third as u32, fourth as u32],
                leads: [far[0] && i == 0, far[1] && j == 0, far[2] && k == 0],
                ahead: &ahead,
                ground: shared,
                layer: &mut layer.tables,
                step: &mut step.tables,
                cell: &mut cell.tables,
                scratch: &mut self.scratch,
                harvest: &mut layer.harvest,
                listed: &mut cell.listed,
            };
            compute(terms, &mut site)?;
        }
        Ok(())
    }
}

/// The next of all combinations below `sizes`, in lexicographic order.
fn next<const N: usize>(mut at: [usize; N], sizes: [usize; N]) -> Option<[usize; N]> {
    for place in (0..N).rev() {
        at[place] += 1;
        if at[place] < sizes[place] {
            return Some(at);
        }
        at[place] = 0;
    }
    None
}

fn append(all: &mut Option<Packed>, new: &mut Option<Packed>) {
    if let (Some(all), Some(new)) = (all, new) {
        all.append(new);
    }
}

/// Slices handled at a time.
pub(crate) fn chunk_slices(shape: &Shape, draft: &Draft) -> usize {
    let chunks = draft.tables.len() + 2;
    let blocks = (NEAREST / chunks).min(CHUNK);
    let most = (blocks / shape.blocks).clamp(1, shape.row());
    shape.row().div_ceil(shape.row().div_ceil(most))
}

/// A slice in which everything that lies outside the box is marked, or `None` if there is not
/// enough memory.
fn padding(plan: &Plan) -> Option<Vec<Block>> {
    let shape = plan.shape();
    match shape.width {
        Width::W16 => Narrow::<16>::new(shape, false).padding(),
        Width::W32 => Narrow::<32>::new(shape, false).padding(),
        Width::W64 => Narrow::<64>::new(shape, false).padding(),
        Width::Words(_) => wide::padding(shape),
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
            Width::Words(_) => {
                let mut room = std::mem::take(&mut $site.scratch.room);
                let watch = ($terms.watch, $terms.memory);
                let lines = Wide::new(shape, together, &mut room, watch);
                let result = $run($isa, lines, $terms, $site);
                $site.scratch.room = room;
                result
            }
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
