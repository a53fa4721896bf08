//! What comes in from the blocks below: their P-positions, entered into arrays.
//!
//! A P-position of a block below has lesser block indices at some places `S` and the same ones
//! elsewhere. Whatever its local heights at `S` are, they are lower; so it is entered with
//! local heights 0 there and then spread along `S`, and along the other places of a facet that
//! holds `S` it marks what lies above it. Each `S` is taken care of at its last place, along
//! which the array is the same everywhere: it is left out of the index.

use super::Lists;
use super::layout::Layout;
use super::orbits::{Images, Orbits};
use super::plan::Plan;
use super::words::{join, sweep};
use crate::line::{LineError, Store, words, words_mut};
use nimatron_game::Watch;

/// Words that are joined and spread at a time: they stay in the nearest cache.
const NEAR: usize = 1 << 10;

/// The arrays of a block, each over all places but one.
pub(crate) struct Arrays {
    /// What each table starts from.
    pub(crate) tables: Vec<Store>,
    /// What is marked, for each inner place.
    pub(crate) inner: Vec<Store>,
    /// For the faces of one place what was entered.
    faces: Vec<Store>,
    /// Where a trace is spread.
    spare: Store,
    /// Where lists are read to that are not held in memory.
    room: Vec<u32>,
}

impl Arrays {
    /// `None` if there is not enough memory.
    pub(crate) fn new(plan: &Plan) -> Option<Self> {
        let (layout, draft) = (&plan.layout, &plan.draft);
        let blocks = layout.array_words().div_ceil(8);
        let several = |count: usize, first: usize| {
            (0..count).map(|i| Store::zeroed(blocks, first + i)).collect::<Option<Vec<_>>>()
        };
        let faces = draft.incoming.iter().map(|i| i.faces.len()).max().unwrap_or(0);
        let tables = several(draft.tables.len(), 3)?;
        let inner = several(layout.side.inner(), 3 + tables.len())?;
        Some(Arrays {
            faces: several(faces, 3 + tables.len() + inner.len())?,
            tables,
            inner,
            spare: Store::zeroed(blocks, 1)?,
            room: Vec::new(),
        })
    }

    /// How many arrays there are.
    pub(crate) fn count(plan: &Plan) -> usize {
        let faces = plan.draft.incoming.iter().map(|i| i.faces.len()).max().unwrap_or(0);
        plan.draft.tables.len() + plan.layout.side.inner() + faces + 1
    }
}

/// Fills the arrays of all places along which there are blocks below.
#[inline(always)]
pub(crate) fn fill(
    arrays: &mut Arrays,
    plan: &Plan,
    orbits: &Orbits,
    lists: &Lists,
    at: &[u32],
    watch: &dyn Watch,
) -> Result<(), LineError> {
    let (layout, draft) = (&plan.layout, &plan.draft);
    let size = layout.array_words();
    for place in (0..layout.places()).filter(|&place| at[place] > 0) {
        watch.check(lists.bytes())?;
        let Arrays { tables, inner, faces, spare, room } = arrays;
        let incoming = &draft.incoming[place];
        let is_below = |face: u32| (0..layout.places()).all(|p| face >> p & 1 == 0 || at[p] > 0);
        for (&face, array) in incoming.faces.iter().zip(&mut *faces) {
            if is_below(face) {
                let array = &mut words_mut(array)[..size];
                array.fill(0);
                enter_face(array, face, place, layout, orbits, (lists, room), at)?;
            }
        }
        let entered = || incoming.faces.iter().copied().zip(&*faces).filter(|f| is_below(f.0));
        if place < layout.outer() {
            for (table, array) in draft.tables.iter().zip(tables) {
                if table.place == place {
                    let array = &mut words_mut(array)[..size];
                    for (i, &trace) in table.traces.iter().enumerate() {
                        if i == 0 {
                            gather(array, entered(), trace, place, layout);
                        } else {
                            let spare = &mut words_mut(spare)[..size];
                            gather(spare, entered(), trace, place, layout);
                            join(array, spare);
                        }
                    }
                }
            }
        } else {
            let array = &mut words_mut(&mut inner[place - layout.outer()])[..size];
            for (i, &facet) in incoming.facets.iter().enumerate() {
                if i == 0 {
                    gather(array, entered(), facet, place, layout);
                } else {
                    let spare = &mut words_mut(spare)[..size];
                    gather(spare, entered(), facet, place, layout);
                    join(array, spare);
                }
            }
        }
    }
    Ok(())
}

/// Joins what the faces within `set` entered, and spreads it along `set`.
///
/// Bit by bit, so that what is joined stays near while it is spread along places that are near
/// each other; the others follow.
#[inline(always)]
fn gather<'a>(
    into: &mut [u64],
    entered: impl Iterator<Item = (u32, &'a Store)> + Clone,
    set: u32,
    gone: usize,
    layout: &Layout,
) {
    let size = into.len().min(NEAR);
    let fields = (0..layout.places()).filter(|&p| p != gone && set >> p & 1 == 1);
    let fields = fields.map(|p| layout.at_without(p, gone));
    let is_near = |at: u32| 1usize << (at + layout.k()) <= size * 64;
    for (i, part) in into.chunks_exact_mut(size).enumerate() {
        let mut fresh = true;
        for (_, array) in entered.clone().filter(|(face, _)| face & !set == 0) {
            let array = &words(array)[i * size..(i + 1) * size];
            if fresh {
                part.copy_from_slice(array);
            } else {
                join(part, array);
            }
            fresh = false;
        }
        for at in fields.clone().filter(|&at| is_near(at)) {
            sweep(part, at, layout.k());
        }
    }
    for at in fields.filter(|&at| !is_near(at)) {
        sweep(into, at, layout.k());
    }
}

/// Enters the P-positions of all blocks that are below exactly at the places of a face.
#[inline(always)]
fn enter_face(
    array: &mut [u64],
    face: u32,
    gone: usize,
    layout: &Layout,
    orbits: &Orbits,
    (lists, room): (&Lists, &mut Vec<u32>),
    at: &[u32],
) -> Result<(), LineError> {
    let mut places = [0usize; 16];
    let mut count = 0;
    for p in (0..layout.places()).filter(|p| face >> p & 1 == 1) {
        places[count] = p;
        count += 1;
    }
    let places = &places[..count];
    let mut below = [0u32; 16];
    // All those places at index 0; then each in turn up to one less than here.
    let mut block = orbits.number(at);
    for &p in places {
        block -= at[p] as usize * orbits.stride(p);
    }
    'blocks: loop {
        let origin = orbits.origin(block);
        let list = lists.read(origin.canonical as usize, room)?;
        if !list.is_empty() {
            let moves = Moves::new(&orbits.permutations[origin.by as usize], face, gone, layout);
            moves.enter(array, list);
        }
        for &p in places {
            below[p] += 1;
            block += orbits.stride(p);
            if below[p] < at[p] {
                continue 'blocks;
            }
            block -= below[p] as usize * orbits.stride(p);
            below[p] = 0;
        }
        return Ok(());
    }
}

/// How the fields of a number move when its places are permuted: those that move by the same
/// distance together.
pub(crate) struct Moves {
    left: [(u32, u32); 16],
    lefts: usize,
    right: [(u32, u32); 16],
    rights: usize,
}

impl Moves {
    /// Places that go to `dropped` are left out, and the index has no field for `gone`, one of
    /// them.
    #[inline(always)]
    pub(crate) fn new(images: &Images, dropped: u32, gone: usize, layout: &Layout) -> Self {
        let mut moves = Moves { left: [(0, 0); 16], lefts: 0, right: [(0, 0); 16], rights: 0 };
        let field = (1u32 << layout.k()) - 1;
        for (p, &image) in images.iter().enumerate().take(layout.places()) {
            let image = usize::from(image);
            if dropped >> image & 1 == 0 {
                let (from, to) = (layout.at(p), layout.at_without(image, gone));
                moves.add(field << from, from, to);
            }
        }
        moves
    }

    /// Only permutes.
    pub(crate) fn permuting(images: &Images, layout: &Layout) -> Self {
        let mut moves = Moves { left: [(0, 0); 16], lefts: 0, right: [(0, 0); 16], rights: 0 };
        let field = (1u32 << layout.k()) - 1;
        for (p, &image) in images.iter().enumerate().take(layout.places()) {
            let (from, to) = (layout.at(p), layout.at(image.into()));
            moves.add(field << from, from, to);
        }
        moves
    }

    #[inline(always)]
    fn add(&mut self, mask: u32, from: u32, to: u32) {
        let (list, count, by) = match to >= from {
            true => (&mut self.left, &mut self.lefts, to - from),
            false => (&mut self.right, &mut self.rights, from - to),
        };
        for entry in &mut list[..*count] {
            if entry.1 == by {
                entry.0 |= mask;
                return;
            }
        }
        list[*count] = (mask, by);
        *count += 1;
    }

    /// Where some numbers go.
    #[inline(always)]
    pub(crate) fn apply<const N: usize>(&self, numbers: &[u32; N]) -> [u32; N] {
        let mut moved = [0u32; N];
        for &(mask, by) in &self.left[..self.lefts] {
            for (moved, number) in moved.iter_mut().zip(numbers) {
                *moved |= (number & mask) << by;
            }
        }
        for &(mask, by) in &self.right[..self.rights] {
            for (moved, number) in moved.iter_mut().zip(numbers) {
                *moved |= (number & mask) >> by;
            }
        }
        moved
    }

    #[inline(always)]
    fn enter(&self, array: &mut [u64], list: &[u32]) {
        if array.is_empty() {
            return;
        }
        // An array has 2^i words, and so the mask changes nothing: it tells the compiler that all is within.
        let mask = array.len() - 1;
        let mut enter = |index: u32| array[(index >> 6) as usize & mask] |= 1 << (index & 63);
        let (chunks, rest) = list.as_chunks::<16>();
        for chunk in chunks {
            self.apply(chunk).into_iter().for_each(&mut enter);
        }
        for number in rest {
            self.apply(&[*number]).into_iter().for_each(&mut enter);
        }
    }
}
