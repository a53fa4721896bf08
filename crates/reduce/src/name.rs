//! The name of a set system.

use crate::state::{Part, State};
use crate::step::{Change, Preserves, Reduction, Step};
use nimatron_game::symmetry::{Relabelling, find_isomorphism};
use nimatron_game::{CubePart, Family, SetFamily};
use std::sync::Arc;

/// Isomorphism to a named game: the stacks of a part are renamed so that its sets are those of
/// a named family. Valid for every rule and convention: the game is the same.
#[derive(Clone, Copy, Debug, Default)]
pub struct Naming;

impl Reduction for Naming {
    fn name(&self) -> &'static str {
        "naming"
    }

    fn preserves(&self) -> Preserves {
        Preserves::Game
    }

    fn apply(&self, state: &Arc<State>) -> Option<Step> {
        let unnamed = |part: &Part| match needs_name(part) {
            true => name(part.rule.sets()),
            false => None,
        };
        let found = state.parts.iter().enumerate().find_map(|(i, p)| Some((i, unnamed(p)?)));
        let (index, (family, relabelling)) = found?;
        let inverse = relabelling.inverse();
        let mut after = State::clone(state);
        let part = &mut after.parts[index];
        let old = state.parts[index].heights.len();
        part.heights = (0..old).map(|s| state.parts[index].heights[inverse.image(s)]).collect();
        part.rule = part.rule.on(family.sets());
        part.family = Some(family.clone());
        let at = state.ranges()[index].clone();
        let source = |s: usize| match at.contains(&s) {
            true => at.start + inverse.image(s - at.start),
            false => s,
        };
        let members = (0..state.stacks()).map(|s| vec![source(s)]).collect();
        let change = Change::Naming { part: index, family };
        Some(self.step(change, state, after, members))
    }
}

/// A named family with these sets, and the relabelling that maps them onto it. When several
/// names fit, one that needs no relabelling is taken (but no Matrix or Cube); otherwise Nim comes before CN, PN, NN and
/// Moore, and these before Matrix and Cube.
pub fn name(sets: &SetFamily) -> Option<(Family, Relabelling)> {
    if let Some(family) = name_as_is(sets) {
        return Some((family, Relabelling::identity(sets.stacks())));
    }
    first_name(sets)
}

/// The first named family, in a fixed order, that has these sets up to relabelling, and the
/// relabelling that maps them onto it. Unlike [`name`] it does not depend on the order of the
/// stacks.
pub fn first_name(sets: &SetFamily) -> Option<(Family, Relabelling)> {
    same_count(sets).find_map(|family| {
        let relabelling = find_isomorphism(sets, &family.sets())?;
        Some((family, relabelling))
    })
}

/// A named family with exactly these sets, stack by stack. A matrix or a cube is not called so
/// if its stacks can be renamed to those of a circle, path or the like.
fn name_as_is(sets: &SetFamily) -> Option<Family> {
    let as_is = same_count(sets).find(|family| family.sets() == *sets)?;
    let last = |f: &Family| matches!(f, Family::Matrix { .. } | Family::Cube { .. });
    let mut better = same_count(sets).take_while(|family| !last(family));
    match last(&as_is) && better.any(|f| find_isomorphism(sets, &f.sets()).is_some()) {
        true => None,
        false => Some(as_is),
    }
}

/// Exact and Slow games, and their variants on all sets of certain sizes, have their own names.
fn needs_name(part: &Part) -> bool {
    let by_size = part.rule.sets().sizes().is_some();
    part.family.is_none() && (part.rule.is_set_nim() || !by_size)
}

/// Names the parts whose stacks are already in the order of a name.
pub(crate) fn name_in_place(state: &mut State) {
    for part in state.parts.iter_mut().filter(|p| needs_name(p)) {
        part.family = name_as_is(part.rule.sets());
        if let Some(family) = &part.family {
            part.rule = part.rule.on(family.sets());
        }
    }
}

/// The named families with as many stacks and sets as these.
fn same_count(sets: &SetFamily) -> impl Iterator<Item = Family> {
    let count = sets.len();
    candidates(sets.stacks()).filter(move |family| family.sets().len() == count)
}

/// The named families on `n` stacks, in order of preference.
fn candidates(n: usize) -> impl Iterator<Item = Family> {
    let sizes = move || 1..=n;
    let circular = sizes().map(move |k| Family::Circular { n, k });
    let path = sizes().map(move |k| Family::Path { n, k });
    let necklace = (2..=n).flat_map(move |k| (2..=k).map(move |l| Family::Necklace { n, k, l }));
    let moore = sizes().map(move |k| Family::Moore { n, k });
    let matrix = (2..n)
        .filter(move |rows| n.is_multiple_of(*rows))
        .map(move |rows| Family::Matrix { rows, columns: n / rows });
    let cube = [CubePart::Vertex, CubePart::Edge, CubePart::Face];
    let cube = cube.into_iter().filter(move |_| n == 6).map(|part| Family::Cube { part });
    (n > 0)
        .then_some(Family::Nim { n })
        .into_iter()
        .chain(circular)
        .chain(path)
        .chain(necklace)
        .chain(moore)
        .chain(matrix)
        .chain(cube)
}
