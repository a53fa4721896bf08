//! Which tables a game needs when its stacks are taken in a certain order.
//!
//! A facet meets the outer places in increasing order, `a < b < ... < z`, and perhaps the lanes
//! and the bits. A table at `a` holds the P-positions reached by lowering stack `a`; a table at
//! `b` holds those reached by lowering `a` and `b`, fed from the first one, and so on. Facets
//! that come from the same table share the next one; so do facets that have the same places
//! still to come. After its last outer place a facet only has lanes and bits left to lower, and
//! its table is *final*: it goes into the marks.
//!
//! What is lowered along lanes and bits (the [`Form`] of a facet) can be applied where
//! P-positions are entered or where tables are read. Module `early` prefers the former: tables
//! are mostly read as they are, but facets of different forms need tables of their own. Module
//! `late` prefers the latter: few tables do whatever the facets are, and there is not much to lower
//! in the end, because what is read from several tables is lowered at once (module `steps`).
//! Games with few facets are faster early, those with many late: both are drafted and the cheaper
//! one is taken.

mod early;
mod late;

use super::shape::Shape;

/// What is lowered within a slice: [`LANES`], [`BITS`], both or nothing.
pub(crate) type Form = u32;
/// The stack along the lanes. (Bits of outer places are below.)
pub(crate) const LANES: Form = 1 << 30;
/// The stack along the bits.
pub(crate) const BITS: Form = 1 << 31;
/// Both.
pub(crate) const SLICE: Form = LANES | BITS;

/// A table read by another one, by the marks or by the row's table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Source {
    pub(crate) table: usize,
    /// What is yet to be lowered on the way.
    pub(crate) apply: Form,
}

/// A running table: P-positions reached by lowering the stack of its place and others before.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// The outer place it runs along.
    pub(crate) place: usize,
    /// What feeds it: tables before it.
    pub(crate) sources: Vec<Source>,
    /// How a P-position is entered: lowered in each of these ways.
    pub(crate) enter: Enter,
}

/// How a P-position is entered into a table: lowered along lanes or bits, or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Enter {
    /// By itself.
    Plain,
    /// Along the bits.
    Bits,
    /// Along the lanes.
    Lanes,
    /// Along the lanes, and along the bits, but not both at once.
    Either,
    /// Along both at once.
    Both,
}

impl Enter {
    /// All that these forms enter.
    fn of(forms: impl Iterator<Item = Form>) -> Self {
        let (mut lanes, mut bits, mut both) = (false, false, false);
        for form in forms {
            match form & SLICE {
                SLICE => both = true,
                LANES => lanes = true,
                BITS => bits = true,
                _ => {}
            }
        }
        match (both, lanes, bits) {
            (true, _, _) => Enter::Both,
            (_, true, true) => Enter::Either,
            (_, true, false) => Enter::Lanes,
            (_, false, true) => Enter::Bits,
            (_, false, false) => Enter::Plain,
        }
    }

    /// Whether lanes above are entered too.
    pub(crate) fn spreads(self) -> bool {
        matches!(self, Enter::Lanes | Enter::Either | Enter::Both)
    }
}

/// All tables of a plan, in the order of their places.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    /// The tables of all places but the row's.
    pub(crate) tables: Vec<Table>,
    /// What goes into the marks.
    pub(crate) finals: Vec<Source>,
    /// What feeds the table of the row's place.
    pub(crate) row_sources: Vec<Source>,
    /// How P-positions are entered into that table, if there is one.
    pub(crate) row_enter: Option<Enter>,
    /// Whether one facet holds the stacks of lanes and bits.
    pub(crate) together: bool,
    /// Estimated cycles for the whole box.
    pub(crate) cost: f64,
}

impl Draft {
    /// Whether the first table is the one shared by all layers.
    pub(crate) fn has_ground(&self) -> bool {
        self.tables.first().is_some_and(|t| t.place == 0)
    }
}

/// Facets that will share a table, and where they come from.
pub(crate) struct Group {
    pub(crate) from: Vec<Option<usize>>,
    pub(crate) facets: Vec<usize>,
}

/// The tables for these facets (outer places from bit 0 on, [`LANES`], [`BITS`]).
pub(crate) fn draft(facets: &[u32], shape: &Shape) -> Draft {
    let (mut early, mut late) = (early::draft(facets, shape), late::draft(facets, shape));
    early.cost = cost(&early, shape);
    late.cost = cost(&late, shape);
    // Saved states hold the table at place 0: it must not depend on what something costs.
    let ground = |draft: &Draft| draft.tables.first().filter(|t| t.place == 0).map(|t| t.enter);
    if late.cost < early.cost && ground(&late) == ground(&early) { late } else { early }
}

/// Groups the facets that go on after a place: those that come from the same table, or those
/// that have the same places to come, whichever needs fewer tables.
pub(crate) fn group(
    going: &[usize],
    at: &[Option<usize>],
    rest: impl Fn(usize) -> u32,
    split: impl Fn(usize) -> Form,
) -> Vec<Group> {
    let mut by_source: Vec<(Option<usize>, Form, Vec<usize>)> = Vec::new();
    let mut by_rest: Vec<(u32, Form, Vec<usize>)> = Vec::new();
    for &i in going {
        let form = if at[i].is_none() { split(i) } else { 0 };
        push(&mut by_source, at[i], form, i);
        push(&mut by_rest, rest(i), split(i), i);
    }
    let mut merged: Vec<(Vec<Option<usize>>, Form, Vec<usize>)> = Vec::new();
    for (_, form, facets) in by_rest {
        let mut from: Vec<_> = facets.iter().map(|&i| at[i]).collect();
        from.sort_unstable();
        from.dedup();
        let form = if from == [None] { form } else { 0 };
        match merged.iter_mut().find(|(f, s, _)| *f == from && *s == form) {
            Some((_, _, all)) => all.extend(facets),
            None => merged.push((from, form, facets)),
        }
    }
    let fed = merged.iter().filter(|(from, _, _)| from.iter().any(Option::is_some)).count();
    if fed < by_source.iter().filter(|(from, _, _)| from.is_some()).count() {
        merged.into_iter().map(|(from, _, facets)| Group { from, facets }).collect()
    } else {
        by_source.into_iter().map(|(from, _, facets)| Group { from: vec![from], facets }).collect()
    }
}

fn push<K: PartialEq>(groups: &mut Vec<(K, Form, Vec<usize>)>, key: K, form: Form, facet: usize) {
    match groups.iter_mut().find(|(k, f, _)| *k == key && *f == form) {
        Some((_, _, facets)) => facets.push(facet),
        None => groups.push((key, form, vec![facet])),
    }
}

/// Drops what another source from the same table makes superfluous.
fn reduce(sources: &mut Vec<Source>) {
    sources.sort_unstable();
    sources.dedup();
    let all = sources.clone();
    sources.retain(|s| {
        !all.iter().any(|o| o.table == s.table && o.apply != s.apply && s.apply & !o.apply == 0)
    });
}

/// Rough cycles for the whole box: what each block of a slice costs, times the blocks.
fn cost(draft: &Draft, shape: &Shape) -> f64 {
    let far = |table: &Table| match shape.table_blocks(table.place) {
        0..=400 => 0.0,
        401..=8000 => 1.0,
        _ => 4.0,
    };
    let wants = |sources: &[Source], form: Form| sources.iter().any(|s| s.apply == form);
    // A store, the reads, up to two sweeps along the lanes, and the bits.
    let step = |sources: &[Source]| {
        let sweeps = [LANES, SLICE].iter().filter(|&&form| wants(sources, form)).count();
        let closes = wants(sources, BITS) || wants(sources, SLICE);
        3.0 + sources.len() as f64 + 7.0 * sweeps as f64 + if closes { 2.0 } else { 0.0 }
    };
    let enter = |enter: Enter| if enter.spreads() { 2.5 } else { 0.3 };
    let mut block = step(&draft.finals);
    for table in &draft.tables {
        block += enter(table.enter) + far(table);
        if !table.sources.is_empty() {
            block += 1.0 + far(table) + step(&table.sources);
        }
    }
    if !draft.row_sources.is_empty() {
        block += step(&draft.row_sources);
    }
    (block * shape.blocks as f64 + 30.0) * shape.slices() as f64
}
