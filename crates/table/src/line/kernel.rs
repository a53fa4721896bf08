//! The kernel: all rows of a slab, which is what the four outermost heights leave.

use super::Plan;
use super::block::Block;
use super::isa::Isa;
use super::lines::{Finds, Found, Lines, Row, Slices};
use super::packed::Packed;
use super::steps::Strip;
use super::worker::{Harvest, Scratch, Site, Terms, chunk_slices};
use nimatron_game::{MAX_STACKS, Stop};
use std::cell::Cell;

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
    let Site { scratch, harvest, listed, .. } = site;
    let Scratch { marks, feed, blocked, sums, own, padding, finds, .. } = &mut **scratch;
    let (marks, feed, sums) = (cells(marks), cells(feed), cells(sums));
    let mut whole: Vec<&[Cell<Block>]> = Vec::with_capacity(draft.tables.len());
    let stores = site.layer.iter_mut().zip(&mut *site.step).zip(&mut *site.cell);
    let mut ground = Some(&mut *site.ground);
    for (table, ((layer, step), cell)) in draft.tables.iter().zip(stores) {
        whole.push(cells(match table.place {
            0 => ground.take().unwrap_or_default(),
            1 => layer,
            2 => step,
            _ => cell,
        }));
    }
    let mut strips: Vec<Strip<'_>> =
        whole.iter().map(|cells| Strip { cells, fresh: true }).collect();
    let slices = chunk_slices(shape, draft);
    for row in 0..rows {
        if row > 0 && row % between == 0 {
            terms.watch.check(terms.memory)?;
        }
        own.copy_from_slice(padding);
        for sum in sums {
            sum.set(Block::ZERO);
        }
        let mut first = 0;
        while first < shape.row() {
            let count = slices.min(shape.row() - first);
            finds.clear(listed.is_some() || harvest.by_max.is_some());
            let is_blocked = terms.blocked.is_some() || (terms.misere && x.iter().all(|&h| h == 0));
            let blocks = count * shape.blocks;
            let blocked = &mut blocked[..blocks];
            if is_blocked {
                block(blocked, &lines, terms, x, first);
            }
            let mut ahead = [std::ptr::null::<Block>(); AHEAD];
            let mut far = 0;
            for ((strip, table), whole) in strips.iter_mut().zip(&draft.tables).zip(&whole) {
                let start = starts[table.place] + first * shape.blocks;
                strip.cells = &whole[start..start + blocks];
                strip.fresh = x[table.place] == 0;
                if far < AHEAD && table.place < 3 && site.leads[table.place] {
                    ahead[far] = whole[start + blocks..].as_ptr().cast();
                    far += 1;
                }
            }
            let is_last = row + 1 == rows && first + count == shape.row();
            let chunk = Slices {
                first: first as u32,
                steps: plan.steps(),
                strips: &strips,
                blocked: is_blocked.then_some(blocked),
                ahead: if is_last { site.ahead } else { &ahead[..far] },
                enter: draft.row_enter,
            };
            let row = Row { marks: &marks[..blocks], feed: &feed[..blocks], sums, own };
            lines.settle(isa, &chunk, row, finds);
            lines.stopped()?;
            if finds.total() > 0 {
                for (strip, table) in strips.iter().zip(&draft.tables) {
                    lines.enter(isa, strip.cells, first as u32, table.enter, finds);
                }
                lines.stopped()?;
                report(harvest, listed, finds, plan, x)?;
            }
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

/// Blocks to be read and changed by turns.
#[inline(always)]
fn cells(blocks: &mut [Block]) -> &[Cell<Block>] {
    Cell::from_mut(blocks).as_slice_of_cells()
}

/// Marks what is blocked in some slices from `first` on.
#[inline(never)]
fn block<L: Lines>(marks: &mut [Block], lines: &L, terms: &Terms<'_>, x: &[u32], first: usize) {
    let (plan, shape) = (terms.plan, terms.plan.shape());
    marks.fill(Block::ZERO);
    if terms.misere && first == 0 && x.iter().all(|&h| h == 0) {
        lines.mark_line(&mut marks[..shape.blocks], 0, &[1]);
    }
    let Some(blocked) = terms.blocked else { return };
    let mut marked = vec![0u64; shape.width.bits().div_ceil(64)];
    let mut heights = vec![0u32; plan.heights().len()];
    for (s, slice) in marks.chunks_exact_mut(shape.blocks).enumerate() {
        for lane in 0..shape.lanes {
            let found = Found { slice: (first + s) as u32, lane: lane as u32, bit: 0 };
            place(plan, x, &found, &mut heights);
            marked.fill(0);
            blocked.line(&heights, &mut marked);
            lines.mark_line(slice, lane, &marked);
        }
    }
}

/// Counts and lists what was found.
#[inline(always)]
fn report(
    harvest: &mut Harvest,
    listed: &mut Option<Packed>,
    finds: &Finds,
    plan: &Plan,
    x: &[u32],
) -> Result<(), Stop> {
    let found = finds.all();
    harvest.count += finds.total() as u64;
    if let Some(by_max) = &mut harvest.by_max {
        let outer = x.iter().copied().max().unwrap_or(0);
        for f in found {
            by_max[outer.max(f.slice).max(f.lane).max(f.bit) as usize] += 1;
        }
    }
    if let Some(listed) = listed {
        let mut heights = [0; MAX_STACKS];
        let heights = &mut heights[..plan.heights().len()];
        if !listed.has_room(found.len(), heights.len()) {
            return Err(Stop::Memory);
        }
        for f in found {
            place(plan, x, f, heights);
            listed.push(heights);
        }
    }
    Ok(())
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
