//! Which tables and which arrays a game needs when its stacks are taken in a certain order.
//!
//! Sets are bit sets of places here, place `p` at bit `p`.

use super::layout::Layout;
use crate::line::{Group, group};

/// A running table: what is reached by lowering the stack of its place and others before.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// The outer place it runs along.
    pub(crate) place: usize,
    /// The tables that feed it; they come before it.
    pub(crate) sources: Vec<usize>,
    /// What the facets it serves hold up to its place.
    pub(crate) traces: Vec<u32>,
}

/// Marks that are lowered along the same inner places.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    /// Those places.
    pub(crate) places: u32,
    /// The tables that are read.
    pub(crate) tables: Vec<usize>,
}

/// One step of putting marks together: those of form `from` are lowered along a place and then
/// join those of form `into`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lowering {
    pub(crate) from: usize,
    pub(crate) place: usize,
    pub(crate) into: usize,
}

/// What comes in from blocks below along one place.
#[derive(Clone, Debug)]
pub(crate) struct Incoming {
    /// All faces whose last place this is: a block below differs in one of them.
    pub(crate) faces: Vec<u32>,
    /// For an inner place, the facets that hold it.
    pub(crate) facets: Vec<u32>,
}

/// All tables and arrays, and the marks within a vector.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    /// The tables, by their places.
    pub(crate) tables: Vec<Table>,
    /// The forms; the first one is not lowered.
    pub(crate) forms: Vec<Form>,
    pub(crate) lowerings: Vec<Lowering>,
    /// For every place.
    pub(crate) incoming: Vec<Incoming>,
    /// What facets hold within a vector.
    pub(crate) within: Vec<u32>,
    /// The same for facets that hold the last outer place.
    pub(crate) along: Vec<u32>,
    /// Operations on each vector of a block, about.
    pub(crate) kernel: f64,
    /// Operations on each vector of an array, for all arrays together, about.
    pub(crate) fill: f64,
}

/// The tables for these facets.
pub(crate) fn draft(facets: &[u32], layout: &Layout) -> Draft {
    let outer = layout.outer();
    let inner_mask = !0u32 << outer;
    let mut tables: Vec<Table> = Vec::new();
    let mut finals: Vec<(usize, u32)> = Vec::new();
    let mut at: Vec<Option<usize>> = vec![None; facets.len()];
    let holding =
        |place: usize| facets.iter().enumerate().filter(move |(_, f)| *f >> place & 1 == 1);
    for place in 0..outer {
        let rest = |i: usize| facets[i] & (!1 << place);
        let here: Vec<usize> = holding(place).map(|(i, _)| i).collect();
        for Group { from, facets: members } in group(&here, &at, rest, |_| 0) {
            let mut traces: Vec<u32> = Vec::new();
            for &i in &members {
                traces.push(facets[i] & !(!1 << place));
                at[i] = Some(tables.len());
                if rest(i) & !inner_mask == 0 {
                    finals.push((tables.len(), facets[i] & inner_mask));
                }
            }
            unique(&mut traces);
            tables.push(Table { place, sources: from.into_iter().flatten().collect(), traces });
        }
    }
    let faces = |place: usize, of: &dyn Fn(u32) -> u32| {
        let mut found = Vec::new();
        for (_, &facet) in holding(place) {
            let others = of(facet) & !(!0 << place);
            let mut rest = others;
            loop {
                found.push(rest | 1 << place);
                if rest == 0 {
                    break;
                }
                rest = (rest - 1) & others;
            }
        }
        unique(&mut found);
        found
    };
    let incoming = (0..layout.places()).map(|place| {
        let mut whole: Vec<u32> = holding(place).map(|(_, &f)| f).collect();
        if place < outer {
            whole.clear();
        }
        unique(&mut whole);
        Incoming { faces: faces(place, &|facet| facet), facets: whole }
    });
    let incoming: Vec<Incoming> = incoming.collect();
    let (forms, lowerings) = forms(&mut finals, layout);
    let within = maximal(facets.iter().map(|f| f & inner_mask));
    let along = holding(outer - 1).map(|(_, f)| f & inner_mask);
    let along = maximal(along);
    let mut draft =
        Draft { tables, forms, lowerings, incoming, within, along, kernel: 0.0, fill: 0.0 };
    (draft.kernel, draft.fill) = operations(&draft);
    draft
}

/// The forms of what is read in the end, and how they are lowered: place by place, those that are
/// lowered along the same places joined as early as possible.
fn forms(finals: &mut Vec<(usize, u32)>, layout: &Layout) -> (Vec<Form>, Vec<Lowering>) {
    finals.sort_unstable();
    finals.dedup();
    // What is also read in a larger form need not be read by itself.
    let all = finals.clone();
    finals.retain(|&(t, f)| !all.iter().any(|&(u, g)| u == t && g != f && f & !g == 0));
    let mut forms = vec![Form { places: 0, tables: Vec::new() }];
    let number =
        |forms: &mut Vec<Form>, places: u32| match forms.iter().position(|f| f.places == places) {
            Some(i) => i,
            None => {
                forms.push(Form { places, tables: Vec::new() });
                forms.len() - 1
            }
        };
    for &mut (table, places) in finals {
        let form = number(&mut forms, places);
        forms[form].tables.push(table);
    }
    // Where moving along a place is dear, it comes last, when few forms are left.
    let outer = layout.outer();
    let mut inner: Vec<usize> = (outer..layout.places()).collect();
    inner.rotate_left(1);
    let mut lowerings = Vec::new();
    let mut left = !0u32;
    for place in inner {
        let mut from = 1;
        // Forms that are added on the way do not hold this place any more.
        while from < forms.len() {
            let places = forms[from].places;
            if places >> place & 1 == 1 && places & !left == 0 {
                let into = number(&mut forms, places & !(1 << place));
                lowerings.push(Lowering { from, place, into });
            }
            from += 1;
        }
        left &= !(1 << place);
    }
    (forms, lowerings)
}

fn unique(sets: &mut Vec<u32>) {
    sets.sort_unstable();
    sets.dedup();
}

fn maximal(sets: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut sets: Vec<u32> = sets.filter(|&s| s != 0).collect();
    unique(&mut sets);
    let all = sets.clone();
    sets.retain(|s| !all.iter().any(|o| o != s && s & !o == 0));
    sets
}

impl Draft {
    /// Operations on each vector of a block when there are blocks below it along all places.
    pub(crate) fn operations(&self, layout: &Layout) -> f64 {
        self.kernel + self.fill / f64::from(layout.side.heights())
    }
}

/// What the kernel does with a vector, and what filling the arrays takes.
fn operations(draft: &Draft) -> (f64, f64) {
    let mut kernel = 6.0;
    for table in &draft.tables {
        kernel += 1.0 + table.sources.len() as f64;
    }
    for form in &draft.forms {
        kernel += form.tables.len() as f64;
    }
    kernel += 3.0 * draft.lowerings.len() as f64;
    let mut fill = 0.0;
    for table in &draft.tables {
        for trace in &table.traces {
            let faces = draft.incoming[table.place].faces.iter().filter(|&f| f & !trace == 0);
            fill += 1.0 + faces.count() as f64 + 2.0 * f64::from(trace.count_ones() - 1);
        }
    }
    for incoming in &draft.incoming {
        fill += incoming.faces.len() as f64;
        for facet in &incoming.facets {
            fill += 2.0 + 2.0 * f64::from(facet.count_ones() - 1);
        }
    }
    (kernel, fill)
}
