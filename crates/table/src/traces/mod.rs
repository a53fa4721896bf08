//! The kernel for SetNim: sets of reachable values, kept along every stack at once.
//!
//! A *line* fixes all stacks but the last of the plan's order. An element is a set of values,
//! one bit per value, in as many 64-bit words as the greatest possible value needs; a line of a
//! table is one element for each height of the last stack.
//!
//! For each stored node of the plan there is a table with a line for each choice of the stacks
//! after its own stack j. While j climbs, the line collects the values met at lower heights of
//! j, together with what the nodes before it can reach; it starts empty again when j returns
//! to 0. At a line all nodes are brought up to date from the first to the last, and their union
//! is, for each height of the last stack, the set of values of all options. A value is picked
//! for each height in turn (see [`Pick`]), and the values found enter every table.
//!
//! Cost per position: two or three word operations per node and word of an element, whatever
//! the heights. CN(5,2) with heights to 19: five tables, two words, 1.1e8 positions per second,
//! a hundred times the oracle; CN(7,3) with heights to 7: 6e7.

mod plan;

use crate::boxes::{PositionBox, filled};
use crate::error::TableError;
use crate::pick::{Bits, Pick};
use crate::values::ValueLine;
use nimatron_game::{Height, Rule, StackSet, Watch, maximal};
use plan::Plan;

/// Computes a value for every position of the box up to `max` in SetNim, line by line, and hands
/// each line to `sink`. There must be at least one stack.
pub(crate) fn scan<P: Pick>(
    rule: &Rule,
    max: &[Height],
    pick: &P,
    watch: &dyn Watch,
    sink: &mut dyn FnMut(ValueLine<'_>),
) -> Result<(), TableError> {
    let cells = PositionBox::new(max)?;
    let words = cells.tokens()? as usize / 64 + 1;
    watch.check(0)?;
    let plan = Plan::new(&facets(rule, max), max);
    let mut kernel = Kernel::new(&plan, &cells, words, watch)?;
    match words {
        1 => kernel.run(&mut Narrow::<u64, P>::new(pick, plan.last_playable), watch, sink),
        2 => kernel.run(&mut Narrow::<u128, P>::new(pick, plan.last_playable), watch, sink),
        _ => kernel.run(&mut Wide::new(pick, words, plan.last_playable), watch, sink),
    }
}

/// The facets on the stacks that are not empty throughout the box.
fn facets(rule: &Rule, max: &[Height]) -> Vec<StackSet> {
    let playable = rule.playable(max);
    match rule.sets().sizes() {
        // All sets of one size, perhaps very many of them.
        Some(sizes) => {
            let size = sizes.greatest().unwrap_or(0).min(playable.len());
            playable.subsets().filter(|set| set.len() == size).collect()
        }
        None => maximal(&rule.sets().iter().map(|set| set & playable).collect::<Vec<_>>()),
    }
}

/// Words between two looks at the watch.
const WORDS_BETWEEN_CHECKS: usize = 1 << 20;

/// Words that are united together; lines are padded to a multiple of this.
const BLOCK: usize = 4;

/// The bytes that [`scan`] holds.
pub(crate) fn memory(rule: &Rule, max: &[Height]) -> Result<u64, TableError> {
    let cells = PositionBox::new(max)?;
    let words = cells.tokens()? as usize / 64 + 1;
    let plan = Plan::new(&facets(rule, max), max);
    Ok(Layout::new(&plan, &cells, words)?.memory)
}

/// What is settled before anything is allocated; see [`Kernel`].
struct Layout {
    heights: usize,
    width: usize,
    max: Vec<usize>,
    strides: Vec<Vec<usize>>,
    /// Words of the table of each node.
    lens: Vec<usize>,
    memory: u64,
}

impl Layout {
    fn new(plan: &Plan, cells: &PositionBox, words: usize) -> Result<Self, TableError> {
        let too_large = TableError::TooLarge { positions: Some(cells.len() as u128) };
        let max: Vec<usize> = plan.order.iter().map(|&s| cells.max()[s] as usize).collect();
        let last = max.len() - 1;
        let heights = max[last] + 1;
        let width = heights.checked_mul(words).and_then(|w| w.checked_next_multiple_of(BLOCK));
        let width = width.ok_or(too_large.clone())?;
        let (mut strides, mut lens) = (Vec::new(), Vec::new());
        for node in &plan.nodes {
            let mut stride = vec![0; last];
            let mut len = width;
            for i in (node.level + 1..last).rev() {
                stride[i] = len;
                len = len.checked_mul(max[i] + 1).ok_or(too_large.clone())?;
            }
            strides.push(stride);
            lens.push(if node.stored { len } else { 0 });
        }
        // The tables, and the lines brought up to date from them.
        let current = (2 * plan.nodes.len() as u128 + 4) * width as u128;
        let tables = lens.iter().map(|&len| len as u128).sum::<u128>();
        let memory = u64::try_from(8 * (tables + current)).map_err(|_| too_large)?;
        Ok(Layout { heights, width, max, strides, lens, memory })
    }
}

struct Kernel<'a> {
    plan: &'a Plan,
    /// Heights of the last stack.
    heights: usize,
    /// Words of a line.
    width: usize,
    /// The greatest heights of the stacks, in the order of the plan.
    max: Vec<usize>,
    /// `strides[node][i]` is what a token on the i-th stack counts in the table of the node.
    strides: Vec<Vec<usize>>,
    /// For each node a line for each choice of the stacks after its level.
    tables: Vec<Vec<u64>>,
    positions: usize,
    /// Bytes held.
    memory: u64,
}

impl<'a> Kernel<'a> {
    fn new(
        plan: &'a Plan,
        cells: &PositionBox,
        words: usize,
        watch: &dyn Watch,
    ) -> Result<Self, TableError> {
        let Layout { heights, width, max, strides, lens, memory } =
            Layout::new(plan, cells, words)?;
        watch.check(memory)?;
        let tables = lens.iter().map(|&len| filled(0u64, len)).collect::<Result<_, _>>()?;
        let positions = cells.len();
        Ok(Kernel { plan, heights, width, max, strides, tables, positions, memory })
    }

    fn run(
        &mut self,
        solver: &mut impl Solve,
        watch: &dyn Watch,
        sink: &mut dyn FnMut(ValueLine<'_>),
    ) -> Result<(), TableError> {
        let (plan, width) = (self.plan, self.width);
        let last = self.max.len() - 1;
        let mut heights: Vec<Height> = vec![0; last + 1];
        let mut at = vec![0usize; last];
        // Where the current line lies in each table.
        let mut offsets = vec![0usize; plan.nodes.len()];
        // What each node has collected along its own stack, and all that it reaches.
        let mut own = filled(0u64, plan.nodes.len() * width)?;
        let mut reach = filled(0u64, plan.nodes.len() * width)?;
        let nothing = filled(0u64, width)?;
        let (mut open_room, mut closing_room) = (filled(0u64, width)?, filled(0u64, width)?);
        let mut found = filled(0u64, width)?;
        let mut values = filled(0u32, self.heights)?;
        let between = (WORDS_BETWEEN_CHECKS / (width * (plan.nodes.len() + 1))).max(1);
        for line in 0..self.positions / self.heights {
            if line % between == 0 {
                watch.check(self.memory)?;
                watch.progress((line * self.heights) as u128, self.positions as u128);
            }
            for (i, node) in plan.nodes.iter().enumerate() {
                if node.is_source() {
                    continue;
                }
                let (before, rest) = reach.split_at_mut(i * width);
                let target = &mut rest[..width];
                let line_of = |node| self.line_of(node, before, &at, &offsets, &nothing);
                let collected = match node.stored && at[node.level] > 0 {
                    true => &self.tables[i][offsets[i]..][..width],
                    false => &nothing[..],
                };
                match *node.with {
                    [] => target.copy_from_slice(collected),
                    [first, ref rest @ ..] => {
                        unite_both(target, collected, line_of(first));
                        rest.iter().for_each(|&node| unite(target, line_of(node)));
                    }
                }
                if !node.without.is_empty() {
                    own[i * width..][..width].copy_from_slice(target);
                    node.without.iter().for_each(|&node| unite(target, line_of(node)));
                }
            }
            let line_of = |node| self.line_of(node, &reach, &at, &offsets, &nothing);
            let open = gather(&mut open_room, &plan.open, line_of);
            let closing = gather(&mut closing_room, &plan.closing, line_of);
            solver.solve(open, closing, &mut found, &mut values);
            for (i, node) in plan.nodes.iter().enumerate() {
                if !node.stored || at[node.level] == self.max[node.level] {
                    continue;
                }
                let table = &mut self.tables[i][offsets[i]..][..width];
                match (node.is_source(), at[node.level]) {
                    (true, 0) => table.copy_from_slice(&found),
                    (true, _) => unite(table, &found),
                    (false, _) => {
                        let own = if node.without.is_empty() { &reach } else { &own };
                        unite_both(table, &own[i * width..][..width], &found);
                    }
                }
            }
            sink(ValueLine { heights: &heights, along: plan.order[last], values: &values });
            for stack in (0..last).rev() {
                let next = if at[stack] < self.max[stack] { at[stack] + 1 } else { 0 };
                for (offset, strides) in offsets.iter_mut().zip(&self.strides) {
                    *offset = *offset + next * strides[stack] - at[stack] * strides[stack];
                }
                at[stack] = next;
                heights[plan.order[stack]] = next as Height;
                if next > 0 {
                    break;
                }
            }
        }
        watch.progress(self.positions as u128, self.positions as u128);
        Ok(())
    }

    /// All that a node reaches at the current line. Sources stand in their tables already.
    #[inline]
    fn line_of<'b>(
        &'b self,
        node: usize,
        reach: &'b [u64],
        at: &[usize],
        offsets: &[usize],
        nothing: &'b [u64],
    ) -> &'b [u64] {
        let width = self.width;
        match &self.plan.nodes[node] {
            n if !n.is_source() => &reach[node * width..][..width],
            n if at[n.level] == 0 => nothing,
            _ => &self.tables[node][offsets[node]..][..width],
        }
    }
}

/// Adds the elements of one line to those of another.
// Kept apart from the loops that call it: inlined there it came out a quarter slower.
#[inline(never)]
fn unite(into: &mut [u64], from: &[u64]) {
    for (a, b) in into.as_chunks_mut::<BLOCK>().0.iter_mut().zip(from.as_chunks::<BLOCK>().0) {
        for i in 0..BLOCK {
            a[i] |= b[i];
        }
    }
}

/// The union of two lines.
#[inline(never)]
fn unite_both(into: &mut [u64], a: &[u64], b: &[u64]) {
    let sources = a.as_chunks::<BLOCK>().0.iter().zip(b.as_chunks::<BLOCK>().0);
    for (into, (a, b)) in into.as_chunks_mut::<BLOCK>().0.iter_mut().zip(sources) {
        for i in 0..BLOCK {
            into[i] = a[i] | b[i];
        }
    }
}

/// The union of the lines of some nodes, written to `room` unless it stands somewhere already.
fn gather<'a>(
    room: &'a mut [u64],
    nodes: &[usize],
    line_of: impl Fn(usize) -> &'a [u64],
) -> &'a [u64] {
    match *nodes {
        [] => room.fill(0),
        [only] => return line_of(only),
        [a, b, ref rest @ ..] => {
            unite_both(room, line_of(a), line_of(b));
            rest.iter().for_each(|&node| unite(room, line_of(node)));
        }
    }
    room
}

/// Picks the values along a line: `open` is reached leaving the last stack alone, `closing`
/// with the last stack lowered or not. Writes the values, and each as the only one of a set.
trait Solve {
    fn solve(&mut self, open: &[u64], closing: &[u64], found: &mut [u64], values: &mut [u32]);
}

/// Elements that fit one machine integer.
struct Narrow<'a, E, P> {
    pick: &'a P,
    playable: bool,
    element: std::marker::PhantomData<E>,
}

impl<'a, E, P> Narrow<'a, E, P> {
    fn new(pick: &'a P, playable: bool) -> Self {
        Narrow { pick, playable, element: std::marker::PhantomData }
    }
}

impl<E: Bits, P: Pick> Solve for Narrow<'_, E, P> {
    #[inline(never)]
    fn solve(&mut self, open: &[u64], closing: &[u64], found: &mut [u64], values: &mut [u32]) {
        let mut running = E::EMPTY;
        let options = open.chunks_exact(E::WORDS).zip(closing.chunks_exact(E::WORDS));
        let results = found.chunks_exact_mut(E::WORDS).zip(values);
        for ((open, closing), (found, value)) in options.zip(results) {
            running = running.with(E::load(closing));
            let bit = self.pick.pick(running.with(E::load(open)));
            if self.playable {
                running = running.with(bit);
            }
            bit.store(found);
            *value = bit.least();
        }
    }
}

/// Elements of any number of words.
struct Wide<'a, P> {
    pick: &'a P,
    playable: bool,
    running: Vec<u64>,
    options: Vec<u64>,
}

impl<'a, P> Wide<'a, P> {
    fn new(pick: &'a P, words: usize, playable: bool) -> Self {
        Wide { pick, playable, running: vec![0; words], options: vec![0; words] }
    }
}

impl<P: Pick> Solve for Wide<'_, P> {
    fn solve(&mut self, open: &[u64], closing: &[u64], found: &mut [u64], values: &mut [u32]) {
        let (running, options) = (&mut self.running[..], &mut self.options[..]);
        let words = running.len();
        running.fill(0);
        let lines = open.chunks_exact(words).zip(closing.chunks_exact(words));
        let results = found.chunks_exact_mut(words).zip(values);
        for ((open, closing), (found, value)) in lines.zip(results) {
            for i in 0..words {
                running[i] |= closing[i];
                options[i] = running[i] | open[i];
            }
            *value = self.pick.pick_wide(options);
            let (word, bit) = (*value as usize / 64, 1u64 << (*value % 64));
            found.fill(0);
            found[word] = bit;
            if self.playable {
                running[word] |= bit;
            }
        }
    }
}
