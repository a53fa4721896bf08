//! The kernel: the P-positions of one block, when those of all blocks below it are known.
//!
//! Vectors are taken in rows along the last outer place. For a row, every table is brought to the
//! current heights; then what is read in the end is put together form by form and lowered along
//! the inner places. That leaves the marks of the row but for what its own P-positions mark. These
//! are found vector by vector: the lowest position that is not marked is a P-position, and marks
//! positions of its own vector (`within`) and of the later ones of the row (`along`).

use super::draft::{Draft, Form, Table};
use super::fill::Arrays;
use super::layout::Layout;
use super::plan::Plan;
use super::words::{join, lower, spread, sweep};
use crate::line::{Store, words, words_mut};
use nimatron_game::{Stop, Watch};

/// Rows between two looks at the watch.
const WATCHED: usize = 1 << 12;

/// Where a block is worked on.
pub(crate) struct Worker {
    pub(crate) arrays: Arrays,
    /// The tables, over the places after their own. Those of the last outer place hold a row.
    tables: Vec<Store>,
    /// For each form the marks of a row.
    forms: Vec<Store>,
    /// For each position of a vector what it marks there, and in later vectors of the row.
    within: Store,
    along: Store,
}

impl Worker {
    /// `None` if there is not enough memory.
    pub(crate) fn new(plan: &Plan) -> Option<Self> {
        let (layout, draft) = (&plan.layout, &plan.draft);
        let row = row_words(layout).div_ceil(8);
        let table = |(i, t): (usize, &Table)| match t.place + 1 < layout.outer() {
            true => Store::zeroed(layout.table_words(t.place).div_ceil(8), 40 + 3 * i),
            false => Store::zeroed(row, i),
        };
        Some(Worker {
            arrays: Arrays::new(plan)?,
            tables: draft.tables.iter().enumerate().map(table).collect::<Option<_>>()?,
            forms: draft.forms.iter().map(|_| Store::zeroed(row, 0)).collect::<Option<_>>()?,
            within: patterns(&draft.within, layout)?,
            along: patterns(&draft.along, layout)?,
        })
    }

    /// Words of all parts together.
    pub(crate) fn words(plan: &Plan) -> u128 {
        let (layout, draft) = (&plan.layout, &plan.draft);
        let row = row_words(layout) as u128;
        let table = |t: &Table| match t.place + 1 < layout.outer() {
            true => layout.table_words(t.place) as u128,
            false => row,
        };
        let tables: u128 = draft.tables.iter().map(table).sum();
        let arrays = Arrays::count(plan) as u128 * layout.array_words() as u128;
        let patterns = 2 * 64 * (layout.side.words() as u128).pow(2);
        arrays + tables + draft.forms.len() as u128 * row + patterns
    }
}

/// Words of a row of vectors.
fn row_words(layout: &Layout) -> usize {
    layout.side.words() << layout.k()
}

/// For each position of a vector those of which it is an option by lowering one of these sets of
/// inner places, and itself.
fn patterns(sets: &[u32], layout: &Layout) -> Option<Store> {
    let (w, k) = (layout.side.words(), layout.k());
    let mut store = Store::zeroed((64 * w * w).div_ceil(8), 0)?;
    let all = words_mut(&mut store);
    for (p, pattern) in all.chunks_exact_mut(w).enumerate().take(64 * w) {
        pattern[p / 64] |= 1 << (p % 64);
        let mut above = vec![0; w];
        for &set in sets {
            above.fill(0);
            above[p / 64] |= 1 << (p % 64);
            for place in (0..layout.places()).filter(|&place| set >> place & 1 == 1) {
                // A vector by itself has only the fields of its own places.
                sweep(&mut above, layout.at(place), k);
            }
            join(pattern, &above);
        }
    }
    Some(store)
}

/// How the marks of a row are put together in a certain block: tables of the last outer place that
/// nothing feeds are empty, and what reads only them falls away.
struct Program {
    /// For each table whether it may hold anything.
    live: Vec<bool>,
    /// Forms that begin as the join of some tables.
    forms: Vec<(usize, Vec<usize>)>,
    steps: Vec<Step>,
}

/// Marks are lowered along a place and join those of a form, or begin it.
struct Step {
    from: Source,
    place: usize,
    into: usize,
    fresh: bool,
}

/// Where marks are taken from: a form of a single table need not be copied.
enum Source {
    Table(usize),
    Form(usize),
}

impl Program {
    fn new(draft: &Draft, last: usize, at: &[u32]) -> Self {
        let is_live = |t: &Table| t.place < last || at[t.place] > 0 || !t.sources.is_empty();
        let live: Vec<bool> = draft.tables.iter().map(is_live).collect();
        let reads = |form: &Form| -> Vec<usize> {
            form.tables.iter().copied().filter(|&t| live[t]).collect()
        };
        let reads: Vec<Vec<usize>> = draft.forms.iter().map(reads).collect();
        let mut used: Vec<bool> = reads.iter().map(|tables| !tables.is_empty()).collect();
        let alone = |form: usize| match reads[form][..] {
            [t] if form > 0 && draft.lowerings.iter().all(|l| l.into != form) => Some(t),
            _ => None,
        };
        let mut steps = Vec::new();
        for l in draft.lowerings.iter() {
            if used[l.from] {
                let from = alone(l.from).map_or(Source::Form(l.from), Source::Table);
                let fresh = !std::mem::replace(&mut used[l.into], true);
                steps.push(Step { from, place: l.place, into: l.into, fresh });
            }
        }
        // The marks themselves are cleared if nothing else begins them.
        let begun = |form: usize| match form {
            0 => !used[0] || !reads[0].is_empty(),
            _ => !reads[form].is_empty() && alone(form).is_none(),
        };
        let forms: Vec<usize> = (0..reads.len()).filter(|&form| begun(form)).collect();
        let forms = forms.into_iter().map(|form| (form, reads[form].clone())).collect();
        Program { live, forms, steps }
    }
}

/// Finds the P-positions of the block at these indices; `found` gets their numbers in order.
#[inline(always)]
pub(crate) fn block<const K: u32, const W: usize, const L: usize>(
    worker: &mut Worker,
    plan: &Plan,
    at: &[u32],
    misere: bool,
    watch: (&dyn Watch, u64),
    found: &mut Vec<u32>,
) -> Result<(), Stop> {
    let (layout, draft) = (&plan.layout, &plan.draft);
    let side = 1usize << K;
    debug_assert_eq!(L, side * W);
    let outer = layout.outer();
    let last = outer - 1;
    let Worker { arrays, tables, forms, within, along } = worker;
    let (within, along) = (words(within).as_chunks::<W>().0, words(along).as_chunks::<W>().0);
    let outside: [u64; W] = outside(layout, at);
    let is_corner = misere && at.iter().all(|&b| b == 0);
    let vectors = layout.heights_in(last, at[last]) as usize;
    // Number of the row: the local heights of the places before the last outer one.
    let mut row = 0usize;
    let mut x = [0u32; 16];
    let mut starts = vec![0usize; draft.tables.len()];
    let program = Program::new(draft, last, at);
    let mut rows = 0usize;
    loop {
        rows += 1;
        if rows.is_multiple_of(WATCHED) {
            watch.0.check(watch.1)?;
        }
        // Bring the tables to the current heights.
        for (t, table) in draft.tables.iter().enumerate() {
            let place = table.place;
            let low = row & ((1usize << (K as usize * last.saturating_sub(1 + place))) - 1);
            if place < last {
                starts[t] = low * L;
            }
            let (before, rest) = tables.split_at_mut(t);
            let mut sources = table.sources.iter().map(|&s| strip::<L>(&before[s], starts[s]));
            if place < last {
                let into = strip_mut::<L>(&mut rest[0], starts[t]);
                if x[place] > 0 {
                    join_all(into, sources, false);
                } else if at[place] > 0 {
                    let high = row >> (K as usize * (last - place));
                    let from = (high << (K as usize * (last - 1 - place)) | low) * L;
                    let start = strip::<L>(&arrays.tables[t], from);
                    join_all(into, std::iter::once(start).chain(sources), true);
                } else {
                    join_all(into, sources, true);
                }
            } else if program.live[t] {
                let into = strip_mut::<L>(&mut rest[0], 0);
                let mut start = [0; W];
                if at[place] > 0 {
                    start.copy_from_slice(&words(&arrays.tables[t])[row * W..row * W + W]);
                }
                match (sources.next(), sources.len()) {
                    (Some(only), 0) => run_along(into, only, start),
                    (first, _) => {
                        join_all(into, first.into_iter().chain(sources), true);
                        let joined = *into;
                        run_along(into, &joined, start);
                    }
                }
            }
        }
        // Put the marks together.
        for (form, reads) in &program.forms {
            let sources = reads.iter().map(|&t| strip::<L>(&tables[t], starts[t]));
            join_all(strip_mut::<L>(&mut forms[*form], 0), sources, true);
        }
        for step in &program.steps {
            let (from, into) = match step.from {
                Source::Table(t) => (strip::<L>(&tables[t], starts[t]), &mut forms[step.into]),
                Source::Form(f) => match forms.get_disjoint_mut([f, step.into]) {
                    Ok([from, into]) => (strip::<L>(from, 0), into),
                    Err(_) => continue,
                },
            };
            let into = strip_mut::<L>(into, 0);
            match step.fresh {
                true => lower::<K, L, true>(into, from, layout.at(step.place)),
                false => lower::<K, L, false>(into, from, layout.at(step.place)),
            }
        }
        let marks = strip_mut::<L>(&mut forms[0], 0).as_chunks_mut::<W>().0;
        for place in (outer..layout.places()).filter(|&place| at[place] > 0) {
            let from = words(&arrays.inner[place - outer]);
            match (K, place - outer) {
                (4, inner) => {
                    for (c, marks) in marks.iter_mut().enumerate() {
                        let sub = from[(row * side + c) / 4] >> (16 * (c % 4)) & 0xffff;
                        match inner {
                            0 => spread::<K, W>(marks, sub, 0),
                            _ => spread::<K, W>(marks, sub, 1),
                        }
                    }
                }
                (_, inner) => {
                    let from = &from[row * side..row * side + side];
                    for (&sub, marks) in from.iter().zip(marks.iter_mut()) {
                        match inner {
                            0 => spread::<K, W>(marks, sub, 0),
                            1 => spread::<K, W>(marks, sub, 1),
                            2 => spread::<K, W>(marks, sub, 2),
                            _ => spread::<K, W>(marks, sub, 3),
                        }
                    }
                }
            }
        }
        if is_corner && row == 0 {
            marks[0][0] |= 1;
        }
        // Find the P-positions, of which every line along the last place has one at most.
        found.try_reserve(L * 64 / side).map_err(|_| Stop::Memory)?;
        let mut taken = outside;
        for (c, marks) in marks.iter().enumerate().take(vectors) {
            let mut marked = *marks;
            let mut full = !0u64;
            for (marked, &taken) in marked.iter_mut().zip(&taken) {
                *marked |= taken;
                full &= *marked;
            }
            if full == !0 {
                continue;
            }
            let mut new = [0u64; W];
            for w in 0..W {
                while marked[w] != !0 {
                    let bit = (!marked[w]).trailing_zeros();
                    let p = 64 * w + bit as usize;
                    new[w] |= 1 << bit;
                    found.push((((row << K | c) * W) << 6 | p) as u32);
                    for i in 0..W {
                        marked[i] |= within[p][i];
                        taken[i] |= along[p][i];
                    }
                }
            }
            for (t, table) in draft.tables.iter().enumerate() {
                if table.place < last {
                    let at = starts[t] + c * W;
                    join(&mut words_mut(&mut tables[t])[at..at + W], &new);
                }
            }
        }
        // The next row.
        let mut place = last;
        loop {
            if place == 0 {
                return Ok(());
            }
            place -= 1;
            x[place] += 1;
            let by = K as usize * (last - 1 - place);
            if x[place] < layout.heights_in(place, at[place]) {
                row += 1 << by;
                break;
            }
            row -= (x[place] as usize - 1) << by;
            x[place] = 0;
        }
    }
}

/// A row of a table.
#[inline(always)]
fn strip<const L: usize>(table: &Store, start: usize) -> &[u64; L] {
    words(table)[start..].first_chunk().expect("a table holds whole rows")
}

#[inline(always)]
fn strip_mut<const L: usize>(table: &mut Store, start: usize) -> &mut [u64; L] {
    words_mut(table)[start..].first_chunk_mut().expect("a table holds whole rows")
}

/// Every vector of a row becomes the join of `start` and of all vectors of `from` up to it.
#[inline(always)]
fn run_along<const W: usize, const L: usize>(
    into: &mut [u64; L],
    from: &[u64; L],
    start: [u64; W],
) {
    let mut sum = start;
    for (into, from) in into.as_chunks_mut::<W>().0.iter_mut().zip(from.as_chunks::<W>().0) {
        for i in 0..W {
            sum[i] |= from[i];
        }
        *into = sum;
    }
}

/// Joins rows, two at a time; afresh, or with what is there.
#[inline(always)]
fn join_all<'a, const L: usize>(
    into: &mut [u64; L],
    mut sources: impl Iterator<Item = &'a [u64; L]>,
    mut fresh: bool,
) {
    while let Some(a) = sources.next() {
        match (sources.next(), fresh) {
            (Some(b), true) => {
                for i in 0..L {
                    into[i] = a[i] | b[i];
                }
            }
            (Some(b), false) => {
                for i in 0..L {
                    into[i] |= a[i] | b[i];
                }
            }
            (None, true) => *into = *a,
            (None, false) => {
                for i in 0..L {
                    into[i] |= a[i];
                }
            }
        }
        fresh = false;
    }
    if fresh {
        *into = [0; L];
    }
}

/// The positions of a vector that lie outside the box.
fn outside<const W: usize>(layout: &Layout, at: &[u32]) -> [u64; W] {
    let mut outside = [0; W];
    #[allow(clippy::needless_range_loop)] // Places index several lists.
    for place in layout.outer()..layout.places() {
        let heights = layout.heights_in(place, at[place]);
        if heights == layout.side.heights() {
            continue;
        }
        for p in 0..64 * W {
            let height = (p as u32 >> layout.at(place)) & (layout.side.heights() - 1);
            if height >= heights {
                outside[p / 64] |= 1 << (p % 64);
            }
        }
    }
    outside
}
