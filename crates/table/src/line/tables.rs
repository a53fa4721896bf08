//! Which tables a game needs when its stacks are taken in a certain order.
//!
//! A facet meets the outer places in increasing order, `a < b < ... < z`, and perhaps the lanes
//! and the bits. A table at `a` holds the P-positions reached by lowering stack `a`; a table at
//! `b` holds those reached by lowering `a` and `b`, fed from the first one, and so on. Facets
//! that come from the same table share the next one; so do facets that have the same places
//! still to come. After its last outer place a facet only has lanes and bits left to lower, and
//! its table is *final*: it goes into the marks. What is lowered along lanes and bits (its
//! [`Form`]) is applied where P-positions are entered if all facets of a table agree on it,
//! else where the table is read.

use super::shape::Shape;

/// What is lowered within a slice: [`LANES`], [`BITS`], both or nothing.
pub(crate) type Form = u32;
/// The stack along the lanes. (Bits of outer places are below.)
pub(crate) const LANES: Form = 1 << 30;
/// The stack along the bits.
pub(crate) const BITS: Form = 1 << 31;
/// Both.
pub(crate) const SLICE: Form = LANES | BITS;

/// A table read by another one or by the marks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Edge {
    table: usize,
    /// What is yet to be lowered on the way.
    apply: Form,
}

/// What is read: a table as it is, or with something lowered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Source {
    Table(usize),
    View(usize),
}

/// A table with something lowered within each slice; made anew for every few slices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct View {
    /// The table it is a view of.
    pub(crate) table: usize,
    /// What it is made from: that table, or another view of it.
    pub(crate) from: Source,
    /// What is lowered on the way.
    pub(crate) apply: Form,
}

/// A running table: P-positions reached by lowering the stack of its place and others before.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// The outer place it runs along.
    pub(crate) place: usize,
    /// What feeds it: tables before it and their views.
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
    /// Views of tables, in the order of the tables.
    pub(crate) views: Vec<View>,
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
struct Group {
    from: Vec<Option<usize>>,
    facets: Vec<usize>,
}

/// The tables for these facets (outer places from bit 0 on, [`LANES`], [`BITS`]).
pub(crate) fn draft(facets: &[u32], shape: &Shape) -> Draft {
    let mut tables: Vec<(usize, Vec<Edge>, Enter)> = Vec::new();
    let mut finals: Vec<Edge> = Vec::new();
    let mut row: (Vec<Edge>, Option<Enter>) = (Vec::new(), None);
    // The table each facet was last entered into, and the form in which each table is kept.
    let mut at: Vec<Option<usize>> = vec![None; facets.len()];
    let mut kept: Vec<Form> = Vec::new();
    for place in 0..shape.outer.len() {
        let here = |&i: &usize| facets[i] >> place & 1 == 1;
        let rest = |i: usize| facets[i] & !SLICE & (!1 << place);
        let (last, going): (Vec<usize>, Vec<usize>) =
            (0..facets.len()).filter(here).partition(|&i| rest(i) == 0);
        // Tables without sources cost next to nothing, so each form gets its own: except at
        // place 0, whose table is by far the largest.
        let split = |i: usize| if place > 0 { facets[i] & SLICE } else { 0 };
        let mut groups = group(&going, &at, rest, split);
        let mut direct: Vec<(usize, usize)> = Vec::new();
        let mut closing: Vec<usize> = Vec::new();
        for &i in &last {
            let same = |g: &Group| g.from == [at[i]] && (place == 0 || at[i].is_some());
            match groups.iter().position(same) {
                Some(g) => direct.push((g, i)),
                None => closing.push(i),
            }
        }
        let first = tables.len();
        for (g, group) in groups.iter_mut().enumerate() {
            let served =
                group.facets.iter().chain(direct.iter().filter(|d| d.0 == g).map(|d| &d.1));
            let form = served.fold(SLICE, |form, &i| form & facets[i]);
            let sources = group.from.iter().flatten();
            let sources = sources.map(|&t| Edge { table: t, apply: form & !kept[t] }).collect();
            let enter = Enter::of([form].into_iter());
            for &i in &group.facets {
                at[i] = Some(tables.len());
            }
            kept.push(form);
            tables.push((place, sources, enter));
        }
        for (g, i) in direct {
            let table = first + g;
            finals.push(Edge { table, apply: facets[i] & SLICE & !kept[table] });
        }
        if !closing.is_empty() {
            let enter = Enter::of(closing.iter().map(|&i| facets[i]));
            let mut sources = Vec::new();
            for &i in &closing {
                let form = facets[i] & SLICE;
                sources.extend(at[i].map(|t| Edge { table: t, apply: form & !kept[t] }));
            }
            reduce(&mut sources);
            if place == shape.row_place() {
                row = (sources, Some(enter));
            } else {
                finals.push(Edge { table: tables.len(), apply: 0 });
                kept.push(0);
                tables.push((place, sources, enter));
            }
        }
    }
    reduce(&mut finals);
    let all = tables.iter().flat_map(|t| &t.1).chain(&finals).chain(&row.0);
    let views = views(all);
    let sources = |edges: &[Edge]| edges.iter().map(|e| source(&views, e)).collect();
    let mut draft = Draft {
        tables: tables
            .iter()
            .map(|(place, edges, enter)| Table {
                place: *place,
                sources: sources(edges),
                enter: *enter,
            })
            .collect(),
        finals: sources(&finals),
        row_sources: sources(&row.0),
        row_enter: row.1,
        together: facets.iter().any(|f| f & SLICE == SLICE),
        cost: 0.0,
        views,
    };
    draft.cost = cost(&draft, shape);
    draft
}

/// The views that some edges need.
fn views<'e>(edges: impl Iterator<Item = &'e Edge>) -> Vec<View> {
    let mut wanted: Vec<Edge> = edges.filter(|e| e.apply != 0).copied().collect();
    wanted.sort_unstable();
    wanted.dedup();
    // Both lanes and bits come last: what has the lanes lowered already can be used.
    let view = |e: &Edge| match wanted.iter().position(|w| w.table == e.table) {
        Some(lanes) if e.apply == SLICE && wanted[lanes].apply == LANES => {
            View { table: e.table, from: Source::View(lanes), apply: BITS }
        }
        _ => View { table: e.table, from: Source::Table(e.table), apply: e.apply },
    };
    wanted.iter().map(view).collect()
}

/// Where an edge reads.
fn source(views: &[View], edge: &Edge) -> Source {
    if edge.apply == 0 {
        return Source::Table(edge.table);
    }
    let lowered = |v: &View| match v.from {
        Source::Table(_) => v.apply,
        Source::View(_) => SLICE,
    };
    let here = |v: &View| v.table == edge.table && lowered(v) == edge.apply;
    Source::View(views.iter().position(here).expect("there is a view for every edge"))
}

/// Groups the facets that go on after a place: those that come from the same table, or those
/// that have the same places to come, whichever needs fewer tables.
fn group(
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

/// Drops edges that another edge from the same table makes superfluous.
fn reduce(edges: &mut Vec<Edge>) {
    edges.sort_unstable();
    edges.dedup();
    let all = edges.clone();
    edges.retain(|e| {
        !all.iter().any(|o| o.table == e.table && o.apply != e.apply && e.apply & !o.apply == 0)
    });
}

/// Rough cycles for the whole box: what each block of a slice costs, times the blocks.
fn cost(draft: &Draft, shape: &Shape) -> f64 {
    let far = |table: &Table| match shape.table_blocks(table.place) {
        0..=400 => 0.0,
        401..=8000 => 1.0,
        _ => 4.0,
    };
    let read = |sources: &[Source]| sources.len() as f64;
    let view = |v: &View| {
        (if v.apply & LANES != 0 { 9.0 } else { 0.0 })
            + (if v.apply & BITS != 0 { 2.0 } else { 0.0 })
            + 3.0
    };
    let enter = |enter: Enter| if enter.spreads() { 1.0 } else { 0.3 };
    let mut block = read(&draft.finals) + draft.views.iter().map(view).sum::<f64>();
    for table in &draft.tables {
        block += enter(table.enter) + far(table);
        if !table.sources.is_empty() {
            block += 3.0 + far(table) + read(&table.sources);
        }
    }
    if !draft.row_sources.is_empty() {
        block += 3.0 + read(&draft.row_sources);
    }
    (block * shape.blocks as f64 + 30.0) * shape.slices() as f64
}
