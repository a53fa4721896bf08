//! One worker: computes a layer of the box, one step after the other.

use super::block::{Block, zeroed};
use super::isa::{Isa, Path, Portable};
use super::lines::{Finds, Found, Lines, Slices};
use super::narrow::Narrow;
use super::shape::{Shape, Width};
use super::tables::{Draft, Edge};
use super::wide::Wide;
use super::{Blocked, Plan};
use nimatron_game::{Stop, Watch};

/// Blocks of each table handled at a time, so that they stay in the nearest cache.
const CHUNK: usize = 64;
/// Positions between two looks at the watch.
const WATCHED: u128 = 1 << 23;

/// What a step is told.
pub(crate) struct Step<'a> {
    /// The heights of the two outermost places.
    pub(crate) at: [u32; 2],
    /// What may not be a P-position.
    pub(crate) blocked: Option<&'a dyn Blocked>,
    /// Whether the position without tokens is not a P-position.
    pub(crate) misere: bool,
    pub(crate) watch: &'a dyn Watch,
    /// Bytes held by the whole run.
    pub(crate) memory: u64,
}

/// What a worker has found since it was last asked.
#[derive(Debug, Default)]
pub(crate) struct Harvest {
    pub(crate) count: u64,
    /// P-positions by their greatest height, if wanted.
    pub(crate) by_max: Option<Vec<u64>>,
    /// All heights of all P-positions, in the order of the stacks, if wanted.
    pub(crate) listed: Option<Vec<u32>>,
}

/// The tables of one layer. Tables at place 0 are not among them: all layers share that one.
pub(crate) struct Worker {
    tables: Vec<Vec<Block>>,
    marks: Vec<Block>,
    /// What joins the row's table.
    feed: Vec<Block>,
    /// The row's table, and what it starts from.
    row: Vec<Block>,
    padding: Vec<Block>,
    finds: Finds,
    pub(crate) harvest: Harvest,
}

impl Worker {
    /// `None` if there is not enough memory.
    pub(crate) fn new(plan: &Plan) -> Option<Self> {
        let shape = plan.shape();
        let table = |place| match place {
            0 => Some(Vec::new()),
            _ => zeroed(usize::try_from(shape.table_blocks(place)).ok()?),
        };
        let tables = plan.draft().tables.iter().map(|t| table(t.place));
        Some(Worker {
            tables: tables.collect::<Option<_>>()?,
            marks: zeroed(chunk_slices(shape).checked_mul(shape.blocks)?)?,
            feed: zeroed(chunk_slices(shape).checked_mul(shape.blocks)?)?,
            row: zeroed(shape.blocks)?,
            padding: dispatch_padding(plan),
            finds: Finds::with_room(chunk_slices(shape) * shape.lanes),
            harvest: Harvest::default(),
        })
    }

    /// Computes the positions at `step.at`; `ground` is the shared table's part there.
    pub(crate) fn step(
        &mut self,
        plan: &Plan,
        path: Path,
        ground: &mut [Block],
        step: &Step<'_>,
    ) -> Result<(), Stop> {
        match path {
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 if let Some(isa) = super::isa::x86::Avx512::detect() => {
                // SAFETY: the instructions were detected just now.
                unsafe { on_avx512(self, isa, plan, ground, step) }
            }
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 if let Some(isa) = super::isa::x86::Avx2::detect() => {
                // SAFETY: the instructions were detected just now.
                unsafe { on_avx2(self, isa, plan, ground, step) }
            }
            _ => by_width(self, Portable, plan, ground, step),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn on_avx512(
    worker: &mut Worker,
    isa: super::isa::x86::Avx512,
    plan: &Plan,
    ground: &mut [Block],
    step: &Step<'_>,
) -> Result<(), Stop> {
    by_width(worker, isa, plan, ground, step)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn on_avx2(
    worker: &mut Worker,
    isa: super::isa::x86::Avx2,
    plan: &Plan,
    ground: &mut [Block],
    step: &Step<'_>,
) -> Result<(), Stop> {
    by_width(worker, isa, plan, ground, step)
}

#[inline(always)]
fn by_width<I: Isa>(
    worker: &mut Worker,
    isa: I,
    plan: &Plan,
    ground: &mut [Block],
    step: &Step<'_>,
) -> Result<(), Stop> {
    let (shape, together) = (plan.shape(), plan.draft().together);
    match shape.width {
        Width::W16 => run(worker, isa, Narrow::<16>::new(shape, together), plan, ground, step),
        Width::W32 => run(worker, isa, Narrow::<32>::new(shape, together), plan, ground, step),
        Width::W64 => run(worker, isa, Narrow::<64>::new(shape, together), plan, ground, step),
        Width::Words(_) => run(worker, isa, Wide::new(shape, together), plan, ground, step),
    }
}

fn dispatch_padding(plan: &Plan) -> Vec<Block> {
    let shape = plan.shape();
    match shape.width {
        Width::W16 => Narrow::<16>::new(shape, false).padding(),
        Width::W32 => Narrow::<32>::new(shape, false).padding(),
        Width::W64 => Narrow::<64>::new(shape, false).padding(),
        Width::Words(_) => Wide::new(shape, false).padding(),
    }
}

/// Slices handled at a time.
pub(crate) fn chunk_slices(shape: &Shape) -> usize {
    (CHUNK / shape.blocks).clamp(1, shape.row())
}

/// A step: all rows with the given two outermost heights.
#[inline(always)]
fn run<I: Isa, L: Lines>(
    worker: &mut Worker,
    isa: I,
    mut lines: L,
    plan: &Plan,
    ground: &mut [Block],
    step: &Step<'_>,
) -> Result<(), Stop> {
    let (shape, draft) = (plan.shape(), plan.draft());
    let row_place = shape.row_place();
    let row_blocks = shape.row() * shape.blocks;
    let rows = shape.rows_after(1) as usize;
    let between = (WATCHED / (shape.slice_positions() * shape.row() as u128)).max(1) as usize;
    let mut x = vec![0u32; shape.outer.len()];
    x[..2].copy_from_slice(&step.at);
    // Where the current row starts in the tables of each place, and where they end.
    let ends: Vec<usize> =
        (0..row_place).map(|p| shape.rows_after(p.max(1)) as usize * row_blocks).collect();
    let mut starts = vec![0usize; row_place];
    let slices = chunk_slices(shape);
    for row in 0..rows {
        if row % between == 0 {
            step.watch.check(step.memory)?;
        }
        worker.row.copy_from_slice(&worker.padding);
        let mut first = 0;
        while first < shape.row() {
            let count = slices.min(shape.row() - first);
            let chunk = Chunk {
                first,
                start: first * shape.blocks,
                blocks: count * shape.blocks,
                row_starts: &starts,
            };
            if draft.has_ground() {
                let next = chunk.range(0).end;
                for i in 0..chunk.blocks {
                    isa.prefetch(ground, next + i);
                }
            }
            advance(worker, isa, &lines, draft, ground, &x, &chunk);
            if step.blocked.is_some() || (step.misere && x.iter().all(|&h| h == 0)) {
                block(worker, &lines, plan, step, &x, &chunk);
            }
            settle(worker, isa, &mut lines, draft, ground, &chunk);
            enter(worker, isa, &lines, draft, ground, &chunk);
            report(&mut worker.harvest, &worker.finds, plan, &x);
            first += count;
        }
        for (start, &end) in starts.iter_mut().zip(&ends) {
            *start = if *start + row_blocks == end { 0 } else { *start + row_blocks };
        }
        for place in (2..row_place).rev() {
            x[place] += 1;
            if x[place] < shape.outer[place] {
                break;
            }
            x[place] = 0;
        }
    }
    Ok(())
}

/// Some consecutive slices of a row.
struct Chunk<'c> {
    /// The first slice.
    first: usize,
    /// Blocks before it in the row.
    start: usize,
    /// Blocks in all slices.
    blocks: usize,
    /// Where the row starts in the tables of each place.
    row_starts: &'c [usize],
}

impl Chunk<'_> {
    /// Where the chunk lies in tables of a place.
    #[inline(always)]
    fn range(&self, place: usize) -> std::ops::Range<usize> {
        let start = self.row_starts[place] + self.start;
        start..start + self.blocks
    }

    /// The chunk's part of a table.
    #[inline(always)]
    fn of<'a>(
        &self,
        draft: &Draft,
        tables: &'a [Vec<Block>],
        ground: &'a [Block],
        table: usize,
    ) -> &'a [Block] {
        match draft.tables[table].place {
            0 => &ground[self.range(0)],
            place => &tables[table][self.range(place)],
        }
    }
}

/// Brings the tables to the current heights and collects the marks.
#[inline(always)]
fn advance<I: Isa, L: Lines>(
    worker: &mut Worker,
    isa: I,
    lines: &L,
    draft: &Draft,
    ground: &[Block],
    x: &[u32],
    chunk: &Chunk<'_>,
) {
    for (i, table) in draft.tables.iter().enumerate() {
        let fresh = x[table.place] == 0;
        if table.place == 0 || (table.sources.is_empty() && !fresh) {
            continue;
        }
        let (before, from) = worker.tables.split_at_mut(i);
        let into = &mut from[0][chunk.range(table.place)];
        join_all(isa, lines, into, &table.sources, fresh, |t| chunk.of(draft, before, ground, t));
    }
    let source = |table| chunk.of(draft, &worker.tables, ground, table);
    let marks = &mut worker.marks[..chunk.blocks];
    join_all(isa, lines, marks, &draft.finals, true, source);
    if gathers_feed(draft) {
        let feed = &mut worker.feed[..chunk.blocks];
        join_all(isa, lines, feed, &draft.row_sources, true, source);
    }
}

/// Whether what joins the row's table has to be collected: a single table can be read in place.
fn gathers_feed(draft: &Draft) -> bool {
    match &draft.row_sources[..] {
        [] => false,
        [only] => only.apply != 0,
        _ => true,
    }
}

/// Joins what the edges bring; afresh, or with what is there.
#[inline(always)]
fn join_all<'a, I: Isa, L: Lines>(
    isa: I,
    lines: &L,
    into: &mut [Block],
    edges: &[Edge],
    fresh: bool,
    source: impl Fn(usize) -> &'a [Block],
) {
    let mut fresh = fresh;
    let plain = |e: &&Edge| e.apply == 0;
    let mut waiting: [&[Block]; 3] = [&[]; 3];
    let mut count = 0;
    for edge in edges.iter().filter(plain) {
        waiting[count] = source(edge.table);
        count += 1;
        if count == 3 {
            or_slices(into, waiting, fresh);
            (count, fresh) = (0, false);
        }
    }
    match count {
        1 => or_slices(into, [waiting[0]], fresh),
        2 => or_slices(into, [waiting[0], waiting[1]], fresh),
        _ if fresh => into.fill(Block::ZERO),
        _ => {}
    }
    for edge in edges.iter().filter(|e| !plain(e)) {
        lines.join(isa, into, source(edge.table), edge.apply);
    }
}

/// `into |= a | b | ...`, or `into = a | b | ...` when fresh.
#[inline(always)]
fn or_slices<const N: usize>(into: &mut [Block], sources: [&[Block]; N], fresh: bool) {
    let sources = sources.map(|s| &s[..into.len()]);
    if fresh {
        for (i, into) in into.iter_mut().enumerate() {
            *into = sources.iter().fold(Block::ZERO, |all, s| all.or(s[i]));
        }
    } else {
        for (i, into) in into.iter_mut().enumerate() {
            *into = sources.iter().fold(*into, |all, s| all.or(s[i]));
        }
    }
}

/// Marks what is blocked.
#[inline(never)]
fn block<L: Lines>(
    worker: &mut Worker,
    lines: &L,
    plan: &Plan,
    step: &Step<'_>,
    x: &[u32],
    chunk: &Chunk<'_>,
) {
    let shape = plan.shape();
    if step.misere && chunk.first == 0 && x.iter().all(|&h| h == 0) {
        lines.mark_line(&mut worker.marks[..shape.blocks], 0, &[1]);
    }
    let Some(blocked) = step.blocked else { return };
    let mut marked = vec![0u64; shape.width.bits().div_ceil(64)];
    let mut heights = vec![0u32; plan.heights().len()];
    let slices = worker.marks[..chunk.blocks].chunks_exact_mut(shape.blocks);
    for (s, slice) in slices.enumerate() {
        for lane in 0..shape.lanes {
            let found = Found { slice: (chunk.first + s) as u32, lane: lane as u32, bit: 0 };
            place(plan, x, &found, &mut heights);
            marked.fill(0);
            blocked.line(&heights, &mut marked);
            lines.mark_line(slice, lane, &marked);
        }
    }
}

/// Finds the P-positions of a chunk.
#[inline(always)]
fn settle<I: Isa, L: Lines>(
    worker: &mut Worker,
    isa: I,
    lines: &mut L,
    draft: &Draft,
    ground: &[Block],
    chunk: &Chunk<'_>,
) {
    worker.finds.clear();
    let feed = match &draft.row_sources[..] {
        [] => None,
        _ if gathers_feed(draft) => Some(&worker.feed[..chunk.blocks]),
        [only, ..] => Some(chunk.of(draft, &worker.tables, ground, only.table)),
    };
    let slices = Slices {
        first: chunk.first as u32,
        marks: &worker.marks[..chunk.blocks],
        feed,
        enter: draft.row_enter,
    };
    lines.settle(isa, &slices, &mut worker.row, &mut worker.finds);
}

/// Enters the P-positions of a chunk into all tables.
#[inline(always)]
fn enter<I: Isa, L: Lines>(
    worker: &mut Worker,
    isa: I,
    lines: &L,
    draft: &Draft,
    ground: &mut [Block],
    chunk: &Chunk<'_>,
) {
    if worker.finds.count == 0 {
        return;
    }
    for (i, table) in draft.tables.iter().enumerate() {
        let range = chunk.range(table.place);
        let slices = match table.place {
            0 => &mut ground[range],
            _ => &mut worker.tables[i][range],
        };
        lines.enter(isa, slices, chunk.first as u32, table.enter, &worker.finds);
    }
}

/// Counts and lists what was found.
#[inline(always)]
fn report(harvest: &mut Harvest, finds: &Finds, plan: &Plan, x: &[u32]) {
    let found = finds.all();
    harvest.count += found.len() as u64;
    if let Some(by_max) = &mut harvest.by_max {
        let outer = x[..x.len() - 1].iter().copied().max().unwrap_or(0);
        for f in found {
            by_max[outer.max(f.slice).max(f.lane).max(f.bit) as usize] += 1;
        }
    }
    if let Some(listed) = &mut harvest.listed {
        let n = plan.heights().len();
        for f in found {
            let start = listed.len();
            listed.resize(start + n, 0);
            place(plan, x, f, &mut listed[start..]);
        }
    }
}

/// The heights of a P-position, in the order of the stacks.
#[inline(always)]
fn place(plan: &Plan, x: &[u32], found: &Found, heights: &mut [u32]) {
    let (order, outer) = (plan.order(), plan.shape().stacks);
    for (place, &stack) in order[..outer].iter().enumerate() {
        heights[stack] = if place + 1 == x.len() { found.slice } else { x[place] };
    }
    if order.len() > outer + 1 {
        heights[order[outer]] = found.lane;
    }
    heights[order[order.len() - 1]] = found.bit;
}
