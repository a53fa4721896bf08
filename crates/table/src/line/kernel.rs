//! The kernel: all rows of a slab, which is what the four outermost heights leave.

use super::Plan;
use super::block::{Block, Store};
use super::isa::{Isa, MOST_JOINED};
use super::lines::{Found, Lines, Slices};
use super::tables::{Draft, Source};
use super::worker::{Site, Terms, chunk_slices};
use nimatron_game::{MAX_STACKS, Stop};

/// Tables that may be asked for in advance: this many of the first ones.
const AHEAD: usize = 8;
/// Positions between two looks at the watch.
const WATCHED: u128 = 1 << 24;

/// Computes the P-positions at the site's heights and enters them into all tables.
#[inline(always)]
pub(crate) fn slab<I: Isa, L: Lines>(
    isa: I,
    mut lines: L,
    terms: &Terms<'_>,
    site: &mut Site<'_>,
) -> Result<(), Stop> {
    let plan = terms.plan;
    let (shape, draft) = (plan.shape(), plan.draft());
    let row_place = shape.row_place();
    let row_blocks = shape.row() * shape.blocks;
    let rows = shape.rows_after(3) as usize;
    let between = (WATCHED / (shape.slice_positions() * shape.row() as u128)).max(1) as usize;
    let mut x = [0u32; MAX_STACKS];
    let x = &mut x[..row_place];
    x.iter_mut().zip(site.at).for_each(|(x, at)| *x = at);
    // Where the current row starts in the tables of each place, and where they end. Tables at
    // places 1 and 2 are whole; the others begin at the slab.
    let mut starts = [0usize; MAX_STACKS];
    let mut ends = [usize::MAX; MAX_STACKS];
    let fourths = if row_place > 3 { shape.outer[3] } else { 1 };
    starts[1] = (site.at[2] * fourths + site.at[3]) as usize * rows * row_blocks;
    starts[2] = site.at[3] as usize * rows * row_blocks;
    for (place, end) in ends.iter_mut().enumerate().take(row_place).skip(3) {
        *end = shape.rows_after(place) as usize * row_blocks;
    }
    let slices = chunk_slices(shape, draft);
    for row in 0..rows {
        if row > 0 && row % between == 0 {
            terms.watch.check(terms.memory)?;
        }
        site.scratch.row.copy_from_slice(&site.scratch.padding);
        let mut first = 0;
        while first < shape.row() {
            let count = slices.min(shape.row() - first);
            let chunk = Chunk {
                first,
                start: first * shape.blocks,
                blocks: count * shape.blocks,
                is_last: row + 1 == rows && first + count == shape.row(),
                row_starts: &starts,
            };
            advance(site, isa, &lines, draft, x, &chunk);
            if terms.blocked.is_some() || (terms.misere && x.iter().all(|&h| h == 0)) {
                block(site, &lines, terms, x, &chunk);
            }
            settle(site, isa, &mut lines, draft, &chunk);
            enter(site, isa, &lines, draft, &chunk);
            report(site, plan, x);
            first += count;
        }
        for (start, &end) in starts.iter_mut().zip(&ends).take(row_place) {
            *start = if *start + row_blocks == end { 0 } else { *start + row_blocks };
        }
        for place in (4..row_place).rev() {
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
    /// Whether it is the last one of the slab.
    is_last: bool,
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

    /// The chunk's part of what is read.
    #[inline(always)]
    fn of<'a>(&self, draft: &Draft, near: &Near<'a>, source: Source) -> &'a [Block] {
        match source {
            Source::View(view) => &near.views[view][..self.blocks],
            Source::Table(table) => match draft.tables[table].place {
                0 => &near.ground[self.range(0)],
                1 => &near.layer[table][self.range(1)],
                2 => &near.step[table][self.range(2)],
                place => &near.cell[table][self.range(place)],
            },
        }
    }
}

/// What can be read.
struct Near<'a> {
    ground: &'a [Block],
    layer: &'a [Store],
    step: &'a [Store],
    cell: &'a [Store],
    views: &'a [Store],
}

/// Brings the tables to the current heights and collects the marks.
#[inline(always)]
fn advance<I: Isa, L: Lines>(
    site: &mut Site<'_>,
    isa: I,
    lines: &L,
    draft: &Draft,
    x: &[u32],
    chunk: &Chunk<'_>,
) {
    let mut views = draft.views.iter().enumerate().peekable();
    for (i, table) in draft.tables.iter().enumerate() {
        let fresh = x[table.place] == 0;
        if table.place > 0 && (fresh || !table.sources.is_empty()) {
            // Sources come before the tables they feed.
            let views = &site.scratch.views;
            let mut near = Near { ground: site.ground, layer: &[], step: &[], cell: &[], views };
            let into = match table.place {
                1 => {
                    let (before, from) = site.layer.split_at_mut(i);
                    near.layer = before;
                    &mut from[0]
                }
                2 => {
                    let (before, from) = site.step.split_at_mut(i);
                    (near.layer, near.step) = (&*site.layer, before);
                    &mut from[0]
                }
                _ => {
                    let (before, from) = site.cell.split_at_mut(i);
                    (near.layer, near.step, near.cell) = (&*site.layer, &*site.step, before);
                    &mut from[0]
                }
            };
            let into = &mut into[chunk.range(table.place)];
            join(isa, into, &table.sources, fresh, |s| chunk.of(draft, &near, s));
        }
        while let Some((v, view)) = views.next_if(|(_, view)| view.table == i) {
            let (before, from) = site.scratch.views.split_at_mut(v);
            let (layer, step, cell) = (&*site.layer, &*site.step, &*site.cell);
            let near = Near { ground: site.ground, layer, step, cell, views: before };
            let from_chunk = chunk.of(draft, &near, view.from);
            lines.lower(isa, &mut from[0][..chunk.blocks], from_chunk, view.apply);
        }
    }
    let scratch = &mut *site.scratch;
    let (layer, step, cell) = (&*site.layer, &*site.step, &*site.cell);
    let near = Near { ground: site.ground, layer, step, cell, views: &scratch.views };
    join(isa, &mut scratch.marks[..chunk.blocks], &draft.finals, true, |s| {
        chunk.of(draft, &near, s)
    });
    if draft.row_sources.len() > 1 {
        let feed = &mut scratch.feed[..chunk.blocks];
        join(isa, feed, &draft.row_sources, true, |s| chunk.of(draft, &near, s));
    }
}

/// Joins what the sources bring; afresh, or with what is there.
#[inline(always)]
fn join<'a, I: Isa>(
    isa: I,
    into: &mut [Block],
    sources: &[Source],
    fresh: bool,
    chunk: impl Fn(Source) -> &'a [Block],
) {
    let mut fresh = fresh;
    for sources in sources.chunks(MOST_JOINED) {
        let mut chunks: [&[Block]; MOST_JOINED] = [&[]; MOST_JOINED];
        for (c, &source) in chunks.iter_mut().zip(sources) {
            *c = chunk(source);
        }
        isa.join(into, &chunks[..sources.len()], fresh);
        fresh = false;
    }
    if fresh {
        into.fill(Block::ZERO);
    }
}

/// Marks what is blocked.
#[inline(never)]
fn block<L: Lines>(
    site: &mut Site<'_>,
    lines: &L,
    terms: &Terms<'_>,
    x: &[u32],
    chunk: &Chunk<'_>,
) {
    let (plan, shape) = (terms.plan, terms.plan.shape());
    let marks = &mut site.scratch.marks[..chunk.blocks];
    if terms.misere && chunk.first == 0 && x.iter().all(|&h| h == 0) {
        lines.mark_line(&mut marks[..shape.blocks], 0, &[1]);
    }
    let Some(blocked) = terms.blocked else { return };
    let mut marked = vec![0u64; shape.width.bits().div_ceil(64)];
    let mut heights = vec![0u32; plan.heights().len()];
    for (s, slice) in marks.chunks_exact_mut(shape.blocks).enumerate() {
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
    site: &mut Site<'_>,
    isa: I,
    lines: &mut L,
    draft: &Draft,
    chunk: &Chunk<'_>,
) {
    let scratch = &mut *site.scratch;
    scratch.finds.clear(site.listed.is_some() || site.harvest.by_max.is_some());
    let (layer, step, cell) = (&*site.layer, &*site.step, &*site.cell);
    let near = Near { ground: site.ground, layer, step, cell, views: &scratch.views };
    let feed = match draft.row_sources[..] {
        [] => None,
        [only] => Some(chunk.of(draft, &near, only)),
        _ => Some(&scratch.feed[..chunk.blocks]),
    };
    let mut ahead = [std::ptr::null::<Block>(); AHEAD];
    let mut far = 0;
    for (i, table) in draft.tables.iter().enumerate().take(AHEAD) {
        let blocks = match table.place {
            0 if site.leads[0] => near.ground,
            1 if site.leads[1] => &near.layer[i],
            2 if site.leads[2] => &near.step[i],
            _ => continue,
        };
        ahead[far] = blocks[chunk.range(table.place).end..].as_ptr();
        far += 1;
    }
    let slices = Slices {
        first: chunk.first as u32,
        ahead: if chunk.is_last { site.ahead } else { &ahead[..far] },
        marks: &scratch.marks[..chunk.blocks],
        feed,
        enter: draft.row_enter,
    };
    lines.settle(isa, &slices, &mut scratch.row, &mut scratch.finds);
}

/// Enters the P-positions of a chunk into all tables.
#[inline(always)]
fn enter<I: Isa, L: Lines>(
    site: &mut Site<'_>,
    isa: I,
    lines: &L,
    draft: &Draft,
    chunk: &Chunk<'_>,
) {
    if site.scratch.finds.total() == 0 {
        return;
    }
    for (i, table) in draft.tables.iter().enumerate() {
        let range = chunk.range(table.place);
        let slices = match table.place {
            0 => &mut site.ground[range],
            1 => &mut site.layer[i][range],
            2 => &mut site.step[i][range],
            _ => &mut site.cell[i][range],
        };
        lines.enter(isa, slices, chunk.first as u32, table.enter, &site.scratch.finds);
    }
}

/// Counts and lists what was found.
#[inline(always)]
fn report(site: &mut Site<'_>, plan: &Plan, x: &[u32]) {
    let found = site.scratch.finds.all();
    site.harvest.count += site.scratch.finds.total() as u64;
    if let Some(by_max) = &mut site.harvest.by_max {
        let outer = x.iter().copied().max().unwrap_or(0);
        for f in found {
            by_max[outer.max(f.slice).max(f.lane).max(f.bit) as usize] += 1;
        }
    }
    if let Some(listed) = site.listed {
        let n = plan.heights().len();
        for f in found {
            let start = listed.len();
            listed.resize(start + n, 0);
            place(plan, x, f, &mut listed[start..]);
        }
    }
}

/// The heights of a P-position, in the order of the stacks. `x` holds those of the places before
/// the row's.
#[inline(always)]
fn place(plan: &Plan, x: &[u32], found: &Found, heights: &mut [u32]) {
    let (order, places) = (plan.order(), &plan.shape().places[..]);
    for (&place, &stack) in places.iter().zip(order) {
        heights[stack] = x.get(place).copied().unwrap_or(found.slice);
    }
    if let [lanes, _] = order[places.len()..] {
        heights[lanes] = found.lane;
    }
    heights[order[order.len() - 1]] = found.bit;
}
