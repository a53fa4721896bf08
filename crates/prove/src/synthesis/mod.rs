//! From an automaton to a formula that a person can read.
//!
//! An automaton with hundreds of states tells a mathematician nothing. What it accepts is often a
//! union of a few *cells*, each given by equations, inequalities and exclusive ors. They are learned
//! from positions and then compared with the automaton exactly, so that a guess need only be right:
//!
//! 1. A *giant*, a position with forty digits that the automaton spells out by chance, satisfies
//!    only the relations of its cell (modules `sample` and `relations`).
//! 2. On the flat of these relations the points of a small box are told apart by the automaton; a
//!    conjunction of short comparisons that hold at the giant is to exclude all that do not belong to
//!    the set and as few as possible of the others (`atoms`, `values`, `cell`, `tally`).
//! 3. The conjunction becomes an automaton. A position that it accepts wrongly is learned from; once
//!    there is none, the cell and its images under the symmetries are taken away, and what remains is
//!    described in the same way, until nothing does.
//! 4. What can be left out is left out, and the rest is written in normal order (`simplify`).
//!
//! All of this is evidence and haste: what is found counts when the checker has compared it with the
//! automaton by itself.

mod atoms;
mod cell;
mod columns;
mod exact;
mod flats;
mod laws;
mod noticed;
mod parts;
mod relations;
mod sample;
mod simplify;
mod table;
mod tally;
mod values;

pub use noticed::{kept, noticed};
pub use parts::{Parts, parts};

pub(crate) use exact::closure;
pub(crate) use relations::{Basis, Form, equation, sides};
pub(crate) use simplify::{arranged, ordered};

use cell::{Cell, learn};
use exact::{Exact, Unanswered, is_empty};
use nimatron_formula::Formula;
use nimatron_game::{Game, Stop, Watch};
use nimatron_verify::automaton::Dfa;
use sample::{Chance, Walks};
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use values::{Points, holds};

/// The giants that are looked at for each cell.
const SAMPLES: usize = 96;

/// About so many points of the flat of a giant are looked at: few at first, where these go high enough, and
/// more where few did not lead to all that there is on the flat.
const POINTS: [usize; 2] = [1_500, 12_000];

/// The most dimensions of a flat where few points go high enough.
const FEW_DIMENSIONS: usize = 3;

/// How many giants with different relations are tried for each cell.
const TRIES: usize = 3;

/// The most cells of a formula.
const MOST_CELLS: usize = 10;

/// The work that one attempt may take, in checks of the watch: the first ones are short, so that all
/// shapes of formulas have their turn. The same search always takes the same work, whatever the
/// machine.
const WORK: [u64; 2] = [3_000, 12_000];

/// A formula that is so short is not tried to be shortened.
const SHORT: usize = 50;

/// On so many stacks the first formula is good enough.
const MANY_STACKS: usize = 7;

/// What is said about the positions that an automaton accepts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Synthesis {
    /// A formula that holds at these positions and nowhere else, if one was found.
    pub formula: Option<Formula>,
    /// Without a formula: linear equations that hold at all of the positions, independent of each
    /// other.
    pub equations: Vec<Formula>,
    /// The cells that were found: all of the formula, or of what of the set could be described.
    pub cells: usize,
    /// The work that it took.
    pub work: u64,
}

/// Looks for a formula for the positions that an automaton accepts. The automaton is minimal, and that
/// of a set which the symmetries of the game preserve, like the set of its P-positions.
///
/// ```
/// use nimatron_game::{Game, Unlimited};
/// use nimatron_prove::automata::{Discovery, Effort, discover};
/// use nimatron_prove::synthesis::synthesise;
///
/// let game: Game = "Set(ab,ac,bc,ad)".parse().unwrap();
/// let Ok(Discovery::Found(found)) = discover(&game, Effort::default(), &Unlimited) else { panic!() };
/// let found = synthesise(&game, found.automaton.dfa(), &Unlimited).unwrap();
/// let text = found.formula.unwrap().to_string();
/// assert_eq!(text, "(a = 0, d = b+c) or (b = c = a+d, a > 0)");
/// ```
pub fn synthesise(game: &Game, dfa: &Dfa, watch: &dyn Watch) -> Result<Synthesis, Stop> {
    let work = Work { watch, done: AtomicU64::new(0), end: AtomicU64::new(u64::MAX) };
    let mut synthesis = Synthesis::default();
    let Some(mut exact) = Exact::new(game, dfa, &work) else { return Ok(synthesis) };
    search(&mut exact, &work, &mut synthesis)?;
    synthesis.work = work.done.load(Ordering::Relaxed);
    if synthesis.formula.is_none() {
        synthesis.equations = laws::equations(game.stacks(), dfa);
    }
    Ok(synthesis)
}

/// A watch that also counts.
struct Work<'a> {
    watch: &'a dyn Watch,
    done: AtomicU64,
    end: AtomicU64,
}

impl Work<'_> {
    /// Runs a part of the search with so much work at most; `None` if that was not enough, or if an
    /// automaton became too large.
    fn allow<T>(
        &self,
        work: u64,
        part: impl FnOnce() -> Result<Option<T>, Unanswered>,
    ) -> Result<Option<T>, Stop> {
        let end = self.done.load(Ordering::Relaxed) + work;
        self.end.store(end, Ordering::Relaxed);
        let result = part();
        self.end.store(u64::MAX, Ordering::Relaxed);
        match result {
            Ok(found) => Ok(found),
            Err(Unanswered::TooLarge) => Ok(None),
            Err(Unanswered::Stopped(Stop::Work)) if self.done.load(Ordering::Relaxed) >= end => {
                Ok(None)
            }
            Err(Unanswered::Stopped(stop)) => Err(stop),
        }
    }
}

impl Watch for Work<'_> {
    fn check(&self, memory: u64) -> Result<(), Stop> {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        match done >= self.end.load(Ordering::Relaxed) {
            true => Err(Stop::Work),
            false => self.watch.check(memory),
        }
    }
}

/// Looks for the shortest formula.
fn search(exact: &mut Exact<'_>, work: &Work<'_>, synthesis: &mut Synthesis) -> Result<(), Stop> {
    let target = exact.target.clone();
    let columns = columns::loops(&target);
    let head = match columns.len() > 1 {
        true => {
            work.allow(WORK[0], || columns::formula(exact.stacks, &columns, || exact.check()))?
        }
        false => None,
    };
    let is_dead =
        |q: u32| !target.accepting[q as usize] && target.next[q as usize].iter().all(|&r| r == q);
    let row = &target.next[target.initial as usize];
    if head.is_some() && row.iter().all(|&q| q == target.initial || is_dead(q)) {
        (synthesis.cells, synthesis.formula) = (1, head);
        return Ok(());
    }
    for (seed, most) in (1..).zip(WORK) {
        let reached = &mut synthesis.cells;
        let found = work.allow(most, || attempt(exact, &target, seed, reached))?;
        if let Some((cells, formula)) = found {
            synthesis.offer(cells, formula);
        }
        // A law for the first digits, and another one from some place on: what is left to say is about
        // positions whose first column is not one of the first law.
        if let Some(head) = head.as_ref().filter(|_| synthesis.formula.is_none()) {
            let low = headless(&target);
            let reached = &mut synthesis.cells;
            let found = work.allow(most, || {
                let Some((cells, low)) = attempt(exact, &low, seed, reached)? else {
                    return Ok(None);
                };
                let formula = Formula::Then(head.clone().into(), low.into());
                let right = exact.automaton(&formula)? == exact.target;
                Ok(right.then_some((cells, formula)))
            })?;
            if let Some((cells, formula)) = found {
                synthesis.offer(cells, formula);
                break;
            }
        }
        // On many stacks another attempt takes long.
        let enough = |f: &Formula| f.to_string().len() <= SHORT || exact.stacks >= MANY_STACKS;
        if synthesis.formula.as_ref().is_some_and(enough) {
            break;
        }
    }
    Ok(())
}

/// The automaton without the loops at its initial state, that of the zero letter apart.
fn headless(dfa: &Dfa) -> Dfa {
    let (mut dfa, dead) = (dfa.clone(), dfa.states() as u32);
    let letters = dfa.next[dfa.initial as usize].len();
    let row = dfa.next[dfa.initial as usize].iter().enumerate();
    let row =
        row.map(|(letter, &q)| if q == dfa.initial && letter > 0 { dead } else { q }).collect();
    dfa.next.push(vec![dead; letters]);
    dfa.accepting.push(false);
    dfa.next[dfa.initial as usize] = row;
    dfa
}

impl Synthesis {
    /// Keeps the shorter formula.
    fn offer(&mut self, cells: usize, formula: Formula) {
        let key = |formula: &Formula| {
            let text = formula.to_string();
            (text.len(), text)
        };
        if self.formula.as_ref().is_none_or(|known| key(&formula) < key(known)) {
            (self.cells, self.formula) = (cells, Some(formula));
        }
    }
}

/// The cells of a formula and the formula, if everything that is wanted is described. In `reached` is
/// the greatest number of cells so far.
fn attempt(
    exact: &mut Exact<'_>,
    wanted: &Dfa,
    seed: u64,
    reached: &mut usize,
) -> Result<Option<(usize, Formula)>, Unanswered> {
    let mut chance = Chance::new(seed);
    let mut cells: Vec<Cell> = Vec::new();
    let mut remaining = exact.minimal(wanted)?;
    while !is_empty(&remaining) {
        if cells.len() == MOST_CELLS {
            return Ok(None);
        }
        let Some(cell) = next_cell(exact, &remaining, &mut chance)? else { return Ok(None) };
        remaining = exact.without(&remaining, &cell.dfa)?;
        cells.push(cell);
        *reached = cells.len().max(*reached);
    }
    simplify::simplified(exact, wanted, cells).map(Some)
}

/// The best of a few cells that describe some of what remains.
fn next_cell(
    exact: &mut Exact<'_>,
    remaining: &Dfa,
    chance: &mut Chance,
) -> Result<Option<Cell>, Unanswered> {
    let Some(walks) = Walks::new(exact.stacks, remaining) else { return Ok(None) };
    let leave = [2, 10, 30, 60];
    let samples: Vec<Vec<i64>> =
        (0..SAMPLES).filter_map(|at| walks.giant(chance, leave[at % leave.len()])).collect();
    let mut seeds: Vec<(Vec<Form>, Vec<i64>)> = Vec::new();
    let mut known: HashSet<Vec<Form>> = HashSet::new();
    let mut finder = relations::Relations::default();
    for sample in &samples {
        exact.check()?;
        let own = finder.of(sample);
        if known.contains(&own) {
            continue;
        }
        let image = best_image(exact, sample, &own);
        known.insert(own);
        let relations = finder.of(&image);
        if !seeds.iter().any(|(known, _)| *known == relations) {
            seeds.push((relations, image));
        }
    }
    // Larger cells first; smaller ones only if these fail.
    seeds.sort_by_key(|(relations, _)| relations.len());
    let Some(least) = seeds.first().map(|(relations, _)| relations.len()) else { return Ok(None) };
    let mut best: Option<(f64, Cell)> = None;
    let orbits: Vec<Vec<Vec<i64>>> = samples.iter().map(|sample| exact.images(sample)).collect();
    let sizes: Vec<usize> = orbits.iter().map(Vec::len).collect();
    let images: Vec<Vec<i64>> = orbits.into_iter().flatten().collect();
    let everywhere = Points::new(&images);
    for points in POINTS {
        for (relations, giant) in seeds.iter().take(2 * TRIES) {
            if best.is_some() && relations.len() > least {
                break;
            }
            if points == POINTS[0] && exact.stacks > relations.len() + FEW_DIMENSIONS {
                continue;
            }
            let cell = learn(exact, remaining, giant, relations, &images, points)?;
            let Some(cell) = cell else { continue };
            let covered = coverage(&cell.formula(), &everywhere, &sizes);
            // All that there is on its flat: nothing larger is to be had.
            if covered == coverage(&cell.flat(), &everywhere, &sizes) && relations.len() == least {
                return Ok(Some(cell));
            }
            let score = 60.0 * covered - cell.cost() as f64;
            if points == POINTS[1] && best.as_ref().is_none_or(|(b, _)| score > *b) {
                best = Some((score, cell));
            }
        }
    }
    Ok(best.map(|(_, cell)| cell))
}

/// The image of a position with these relations under the symmetries whose relations come first in order, so
/// that positions of the same kind have the same relations.
fn best_image(exact: &Exact<'_>, sample: &[i64], forms: &[Form]) -> Vec<i64> {
    let signature = |g: &Vec<usize>| {
        let mut basis = relations::Basis::default();
        for form in forms {
            let constant = form.last().copied();
            let moved = g.iter().map(|&s| form[s]).chain(constant).collect::<Form>();
            basis.add(&moved);
        }
        basis.normal()
    };
    let best = exact.group.iter().min_by_key(|g| signature(g));
    best.map_or(sample.to_vec(), |g| g.iter().map(|&s| sample[s]).collect())
}

/// The part of the samples where a formula or an image of it holds, by the images of each, one after the other.
fn coverage(formula: &Formula, images: &Points, sizes: &[usize]) -> f64 {
    let marks = holds(formula, images);
    let mut from = 0;
    let covered = sizes.iter().filter(|&&size| {
        let own = from..from + size;
        from = own.end;
        own.into_iter().any(|at| marks.has(at))
    });
    covered.count() as f64 / sizes.len().max(1) as f64
}
