//! Forms are applied where tables are read.
//!
//! The lanes and the bits are like places that come last. A table only keeps something lowered
//! if all its facets want that, and all it is fed from keeps it too, so that tables feed each
//! other as they are.

use super::{Draft, Enter, Form, SLICE, Source, Table, group, reduce};
use crate::line::shape::Shape;

/// The tables for these facets, their forms applied late.
pub(super) fn draft(facets: &[u32], shape: &Shape) -> Draft {
    let mut tables: Vec<Table> = Vec::new();
    let mut kept: Vec<Form> = Vec::new();
    let mut finals: Vec<Source> = Vec::new();
    let mut at: Vec<Option<usize>> = vec![None; facets.len()];
    let holding = |place: usize| (0..facets.len()).filter(move |&i| facets[i] >> place & 1 == 1);
    for place in 0..shape.row_place() {
        let rest = |i: usize| facets[i] & (!1 << place);
        let here: Vec<usize> = holding(place).collect();
        for group in group(&here, &at, rest, |_| 0) {
            let sources = group.from.iter().flatten();
            let form = group.facets.iter().fold(SLICE, |form, &i| form & facets[i]);
            let form = sources.clone().fold(form, |form, &t| form & kept[t]);
            for &i in &group.facets {
                at[i] = Some(tables.len());
                if rest(i) & !SLICE == 0 {
                    finals.push(Source { table: tables.len(), apply: facets[i] & SLICE & !form });
                }
            }
            kept.push(form);
            let sources = sources.map(|&table| Source { table, apply: 0 }).collect();
            tables.push(Table { place, sources, enter: Enter::of([form].into_iter()) });
        }
    }
    let closing: Vec<usize> = holding(shape.row_place()).collect();
    let fed = closing.iter().filter_map(|&i| at[i].map(|table| (table, facets[i] & SLICE)));
    let mut row: Vec<Source> =
        fed.map(|(table, form)| Source { table, apply: form & !kept[table] }).collect();
    let row_enter = Enter::of(closing.iter().map(|&i| facets[i]));
    reduce(&mut finals);
    reduce(&mut row);
    Draft {
        tables,
        finals,
        row_sources: row,
        row_enter: (!closing.is_empty()).then_some(row_enter),
        together: facets.iter().any(|f| f & SLICE == SLICE),
        cost: 0.0,
    }
}
