//! Forms are applied where P-positions are entered if all facets of a table agree on it, else
//! where the table is read.

use super::{Draft, Enter, Form, Group, SLICE, Source, Table, group, reduce};
use crate::line::shape::Shape;

/// The tables for these facets, their forms applied early.
pub(super) fn draft(facets: &[u32], shape: &Shape) -> Draft {
    let mut tables: Vec<Table> = Vec::new();
    let mut finals: Vec<Source> = Vec::new();
    let mut row: (Vec<Source>, Option<Enter>) = (Vec::new(), None);
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
            let sources = sources.map(|&t| Source { table: t, apply: form & !kept[t] }).collect();
            let enter = Enter::of([form].into_iter());
            for &i in &group.facets {
                at[i] = Some(tables.len());
            }
            kept.push(form);
            tables.push(Table { place, sources, enter });
        }
        for (g, i) in direct {
            let table = first + g;
            finals.push(Source { table, apply: facets[i] & SLICE & !kept[table] });
        }
        if !closing.is_empty() {
            let enter = Enter::of(closing.iter().map(|&i| facets[i]));
            let mut sources = Vec::new();
            for &i in &closing {
                let form = facets[i] & SLICE;
                sources.extend(at[i].map(|t| Source { table: t, apply: form & !kept[t] }));
            }
            reduce(&mut sources);
            if place == shape.row_place() {
                row = (sources, Some(enter));
            } else {
                finals.push(Source { table: tables.len(), apply: 0 });
                kept.push(0);
                tables.push(Table { place, sources, enter });
            }
        }
    }
    reduce(&mut finals);
    Draft {
        tables,
        finals,
        row_sources: row.0,
        row_enter: row.1,
        together: facets.iter().any(|f| f & SLICE == SLICE),
        cost: 0.0,
    }
}
