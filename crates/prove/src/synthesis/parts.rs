//! Parts of a set of P-positions, learned from a table where there is no automaton.
//!
//! What an automaton says about giants and about all positions, a table says about the positions of a cube: a
//! cell is learned on the flat of some of the relations that hold at a tall P-position, and is then compared
//! with the whole table. Low positions satisfy relations by accident, so that those are looked for which
//! describe much of what is left and few of the N-positions. All that comes out is evidence.

use super::atoms::{atoms, cost as length, of_set};
use super::cell::Study;
use super::columns;
use super::exact::closure;
use super::flats::{Sample, flats, seeds};
use super::relations::{Basis, Form, all_relations, equation, form_of};
use super::sample::Chance;
use super::simplify::{in_order, least_image, tidy};
use super::table::{Answer, Table};
use super::values::{Points, holds};
use nimatron_formula::{Formula, Relation, Term};
use nimatron_game::{Stop, Watch};
use std::collections::HashSet;

/// The most parts.
const MOST_PARTS: usize = 10;

/// How many N-positions flats are compared with.
const STRANGERS: usize = 2_000;

/// How many points of a flat are looked at, and how many of these the search for comparisons knows.
const POINTS: usize = 1 << 17;
const STUDIED: usize = 2_000;

/// How often a counterexample may be learned from.
const MOST_ROUNDS: usize = 6;

/// How many conjunctions are looked for in all, times the comparisons from which they are made. The same table
/// always gives the same parts.
const MOST_WORK: usize = 600_000;

/// The total may leave a remainder on division by so much.
const MODULI: std::ops::RangeInclusive<u64> = 3..=8;

/// A part is worth telling if it describes one orbit in so many.
const RARE: usize = 50;

/// What was learned about the P-positions of a cube.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parts {
    /// Formulas that hold at P-positions only, each with the number of orbits of P-positions that satisfy it,
    /// up to symmetry, and that satisfy none before it; the first describes the most.
    pub cells: Vec<(Formula, usize)>,
    /// How many orbits there are, up to symmetry.
    pub orbits: usize,
    /// All of the parts in one formula, if nothing is left.
    pub formula: Option<Formula>,
    /// What ended the search, if it was a limit; what was found before counts.
    pub stop: Option<Stop>,
}

/// A watch that only an interruption can move: what was found is to be told.
struct Patient<'a>(&'a dyn Watch);

impl Watch for Patient<'_> {
    fn check(&self, memory: u64) -> Result<(), Stop> {
        match self.0.check(memory) {
            Err(Stop::Cancelled) => Err(Stop::Cancelled),
            _ => Ok(()),
        }
    }
}

/// Looks for parts of the P-positions of a cube. They are closed under the symmetries, and the laws, which hold at
/// all of them, may be all that there is to say.
pub fn parts(
    stacks: usize,
    max: u64,
    inside: &[Vec<i64>],
    laws: &[Formula],
    symmetries: &[Vec<usize>],
    watch: &dyn Watch,
) -> Result<Parts, Stop> {
    let group = closure(stacks, symmetries);
    let mut table = Table::new(stacks, max as usize, inside, group);
    if inside.is_empty() {
        return Ok(Parts::default());
    }
    let mut short = by_laws(&table, laws, watch)?;
    if let (None, Some(columns)) = (&short, table.columns()) {
        short = columns::formula(stacks, &columns, || watch.check(0))?;
    }
    if let Some(formula) = short {
        let orbits = table.orbits.len();
        let cells = vec![(formula.clone(), orbits)];
        return Ok(Parts { cells, orbits, formula: Some(formula), stop: None });
    }
    let mut basis = Basis::default();
    let images = table.group.iter().flat_map(|g| laws.iter().map(|law| law.relabel(g)));
    let linear = images.filter_map(|law| form_of(&law, stacks)).filter(|form| basis.add(form));
    let laws: Vec<Form> = linear.collect();
    let mut learner = Learner { watch, work: 0, laws, strangers: strangers(&table) };
    let mut cells: Vec<Vec<Formula>> = Vec::new();
    let mut stop = None;
    while cells.len() < MOST_PARTS && !table.remaining().is_empty() {
        match learner.next(&table) {
            Ok(Some((cell, described))) => {
                table.describe(&described);
                cells.push(cell);
            }
            Ok(None) => break,
            Err(Stop::Cancelled) => return Err(Stop::Cancelled),
            Err(limit) => {
                stop = Some(limit);
                break;
            }
        }
    }
    let watch: &dyn Watch = &Patient(watch);
    learner.watch = watch;
    for cell in &mut cells {
        learner.drop_atoms(&table, cell)?;
    }
    let counted = counted(&mut table, cells, watch)?;
    let mut found = Parts { orbits: table.orbits.len(), stop, ..Parts::default() };
    let cells = counted.iter().map(|(cell, count)| (least_image(&table.group, cell), *count));
    let mut cells: Vec<(Formula, usize)> = cells.collect();
    let is_symmetric = table.group.len() > 1;
    let sym = |formula: Formula| match is_symmetric {
        true => Formula::Sym(formula.into()),
        false => formula,
    };
    if cells.iter().map(|(_, count)| count).sum::<usize>() == found.orbits {
        let plain = in_order(cells.iter().map(|(cell, _)| cell.clone()).collect());
        let all = Formula::or(plain.iter().cloned());
        found.formula = Some(sym(all.clone()));
        if covers(&mut table, &plain, watch)? {
            found.formula = Some(all);
        }
    }
    if found.formula.is_none() {
        cells.retain(|(_, count)| count * RARE >= found.orbits);
    }
    found.cells = cells.into_iter().map(|(cell, count)| (sym(cell), count)).collect();
    Ok(found)
}

/// All of the laws and their images, if they are equations and hold at no N-position.
fn by_laws(table: &Table, laws: &[Formula], watch: &dyn Watch) -> Result<Option<Formula>, Stop> {
    let is_equation = |law: &Formula| matches!(law, Formula::Compare(_, Relation::Equal, _));
    if laws.is_empty() || !laws.iter().all(is_equation) {
        return Ok(None);
    }
    let images = table.group.iter().flat_map(|g| laws.iter().map(|law| law.relabel(g)));
    let mut all: Vec<Formula> = images.map(|law| tidy(&law)).collect();
    all.sort_by_cached_key(|law| (length(law), law.to_string()));
    all.dedup();
    // Linear ones that follow from others say nothing.
    let mut basis = Basis::default();
    all.retain(|law| form_of(law, table.stacks).is_none_or(|form| basis.add(&form)));
    match table.ask(&all, watch)? {
        Answer::Right(_) => Ok(Some(least_image(&table.group, &all))),
        Answer::Wrong(_) => Ok(None),
    }
}

/// Whether each P-position is in one of the cells, and not only an image of it.
fn covers(table: &mut Table, cells: &[Formula], watch: &dyn Watch) -> Result<bool, Stop> {
    table.forget();
    for cell in cells {
        let Answer::Right(described) = table.ask(&comparisons(cell), watch)? else {
            return Ok(false);
        };
        table.remove(&described);
    }
    Ok(table.is_described())
}

/// The comparisons of a conjunction.
fn comparisons(cell: &Formula) -> Vec<Formula> {
    match cell {
        Formula::And(items) => items.iter().flat_map(comparisons).collect(),
        other => vec![other.clone()],
    }
}

/// The cells in order of what they describe, those left out that the others make superfluous.
fn counted(
    table: &mut Table,
    mut cells: Vec<Vec<Formula>>,
    watch: &dyn Watch,
) -> Result<Vec<(Vec<Formula>, usize)>, Stop> {
    table.forget();
    let mut numbers: Vec<Vec<usize>> = Vec::new();
    for cell in &cells {
        let Answer::Right(here) = table.ask(cell, watch)? else {
            return Ok(Vec::new());
        };
        numbers.push(here);
    }
    // The longest first: what the others describe without it needs it not.
    let mut order: Vec<usize> = (0..cells.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse((cost_of(&cells[at]), at)));
    let mut gone = vec![false; cells.len()];
    let mut remain = |gone: &[bool]| {
        table.forget();
        let kept = (0..cells.len()).filter(|&at| !gone[at]);
        kept.for_each(|at| table.describe(&numbers[at]));
        table.remaining().len()
    };
    let least = remain(&gone);
    for &at in &order {
        gone[at] = true;
        gone[at] = remain(&gone) == least;
    }
    table.forget();
    let mut found = Vec::new();
    let mut rest: Vec<usize> = (0..cells.len()).filter(|&at| !gone[at]).collect();
    let mut before = table.orbits.len();
    while !rest.is_empty() {
        let new = |&at: &usize| numbers[at].iter().filter(|&&p| table.is_left(p)).count();
        let best = (0..rest.len()).max_by_key(|&r| (new(&rest[r]), std::cmp::Reverse(r)));
        let at = rest.remove(best.unwrap_or(0));
        table.describe(&numbers[at]);
        let now = table.remaining().len();
        if now < before {
            found.push((std::mem::take(&mut cells[at]), before - now));
        }
        before = now;
    }
    Ok(found)
}

fn cost_of(cell: &[Formula]) -> usize {
    cell.iter().map(length).sum()
}

/// N-positions here and there, and those next to P-positions.
fn strangers(table: &Table) -> Vec<Vec<i64>> {
    let mut chance = Chance::new(1);
    let mut found: Vec<Vec<i64>> = Vec::new();
    let mut known: HashSet<usize> = HashSet::new();
    for round in 0..4 * STRANGERS {
        if found.len() == STRANGERS {
            break;
        }
        let mut point = table.point(chance.below(table.size()));
        if round % 2 == 1 && !table.orbits.is_empty() {
            point = table.point(table.orbits[chance.below(table.orbits.len())]);
            for _ in 0..=round / 2 % 2 {
                let stack = chance.below(table.stacks);
                point[stack] += if chance.below(2) == 0 { 1 } else { -1 };
            }
        }
        if !table.contains(&point) {
            continue;
        }
        let at = table.number(point.iter().copied());
        if !table.is_wanted(at) && known.insert(at) {
            found.push(point);
        }
    }
    found
}

/// The comparisons of a cell, and the positions not described before that it describes.
type Described = (Vec<Formula>, Vec<usize>);

/// What was learned so far.
struct Learner<'a> {
    watch: &'a dyn Watch,
    work: usize,
    /// Linear equations that hold at all P-positions.
    laws: Vec<Form>,
    /// N-positions.
    strangers: Vec<Vec<i64>>,
}

impl Learner<'_> {
    /// The best of a few cells that describe some of what remains, with the positions of it that it
    /// describes.
    fn next(&mut self, table: &Table) -> Result<Option<Described>, Stop> {
        let remaining = table.remaining();
        let sample = Sample::new(table, &remaining);
        let mut best: Option<(f64, Vec<Formula>, Vec<usize>)> = None;
        let mut whole = false;
        for seed in seeds(table, &remaining) {
            for flat in flats(&seed, &self.laws, &sample, &self.strangers, self.watch)? {
                if self.work >= MOST_WORK {
                    break;
                }
                let Some((cell, described)) = self.cell(table, &seed, &flat)? else { continue };
                let share = sample.share(&cell);
                let score = 60.0 * share - cost_of(&cell) as f64;
                if best.as_ref().is_none_or(|(b, ..)| score > *b) {
                    best = Some((score, cell, described));
                }
                whole |= share == 1.0;
            }
            // Nothing larger is to be had.
            if whole {
                break;
            }
        }
        Ok(best.map(|(_, cell, described)| (cell, described)))
    }

    /// A cell on a flat, and what of the positions that are left it describes.
    fn cell(
        &mut self,
        table: &Table,
        seed: &[i64],
        flat: &[Form],
    ) -> Result<Option<Described>, Stop> {
        let equations: Vec<Formula> = flat.iter().map(|form| equation(form)).collect();
        let mut basis = Basis::default();
        flat.iter().for_each(|form| {
            basis.add(form);
        });
        let (mut near, mut far) = (Vec::new(), Vec::new());
        for point in basis.points(table.stacks, POINTS) {
            if !table.contains(&point) {
                continue;
            }
            let at = table.number(point.iter().copied());
            if table.is_left(at) {
                near.push(point);
            } else if !table.is_wanted(at) {
                far.push(point);
            }
        }
        let on_flat = holds(&Formula::And(equations.clone()), &Points::new(&self.strangers));
        let known = self.strangers.iter().enumerate().filter(|(at, _)| on_flat.has(*at));
        let mut strangers: Vec<Vec<i64>> = some_of(&far);
        strangers.extend(known.map(|(_, point)| point.clone()));
        strangers.sort_unstable();
        strangers.dedup();
        let mut study = Study::new(words(seed), &some_of(&near), strangers);
        let everywhere = Points::new(&far);
        for _ in 0..MOST_ROUNDS {
            self.work += study.comparisons();
            let Some(chosen) = study.conjunction(|| self.watch.check(0))? else { return Ok(None) };
            // First all that is known of the flat, then the whole table.
            let wrong = holds(&Formula::And(chosen.clone()), &everywhere);
            let wrong: Vec<usize> = (0..far.len()).filter(|&at| wrong.has(at)).collect();
            let mut new: Vec<Vec<i64>> = wrong
                .iter()
                .step_by(wrong.len().div_ceil(12).max(1))
                .map(|&at| far[at].clone())
                .collect();
            if new.is_empty() {
                let cell: Vec<Formula> = equations.iter().cloned().chain(chosen).collect();
                match table.ask(&cell, self.watch)? {
                    Answer::Right(described) if described.is_empty() => return Ok(None),
                    Answer::Right(described) => {
                        let cell = hull(table, &cell, &described);
                        return Ok(Some((cell, described)));
                    }
                    Answer::Wrong(wrong) => {
                        new = wrong;
                        self.strangers.extend(new.iter().cloned());
                    }
                }
            }
            new.retain(|point| !study.knows(point));
            if new.is_empty() {
                return Ok(None);
            }
            study.add(new);
        }
        Ok(None)
    }

    /// Leaves out what a cell does not need to stay within the set.
    fn drop_atoms(&mut self, table: &Table, cell: &mut Vec<Formula>) -> Result<(), Stop> {
        let mut at = cell.len();
        while at > 0 {
            at -= 1;
            let mut fewer = cell.clone();
            let gone = fewer.remove(at);
            if self.stays(table, &fewer)? {
                *cell = fewer;
                continue;
            }
            // The bound itself may belong to it.
            if let Formula::Compare(left, Relation::Less, right) = gone {
                let mut weaker = cell.clone();
                weaker[at] = Formula::Compare(left, Relation::AtMost, right);
                if self.stays(table, &weaker)? {
                    *cell = weaker;
                }
            }
        }
        Ok(())
    }

    /// Whether a conjunction holds at no N-position.
    fn stays(&mut self, table: &Table, cell: &[Formula]) -> Result<bool, Stop> {
        let formula = Formula::and(cell.iter().cloned());
        if !holds(&formula, &Points::new(&self.strangers)).is_empty() {
            return Ok(false);
        }
        match table.ask(cell, self.watch)? {
            Answer::Right(_) => Ok(true),
            Answer::Wrong(wrong) => {
                self.strangers.extend(wrong);
                Ok(false)
            }
        }
    }
}

/// The comparisons that hold at a position and are worth trying.
fn words(seed: &[i64]) -> Vec<Formula> {
    let total: i64 = seed.iter().sum();
    let term = match seed.len() {
        0..=2 => of_set((1 << seed.len()) - 1),
        _ => Term::Total,
    };
    let remainder = |m: u64| {
        let value = Term::Constant(total.rem_euclid(m as i64));
        Formula::Compare(Term::Mod(term.clone().into(), m), Relation::Equal, value)
    };
    let mut words = atoms(seed);
    words.extend(MODULI.map(remainder));
    words
}

/// The cell with the simplest equations that hold at all that it describes in front: what follows from them can be
/// left out.
fn hull(table: &Table, cell: &[Formula], inside: &[usize]) -> Vec<Formula> {
    let points: Vec<Vec<i64>> = inside.iter().map(|&at| table.point(at)).collect();
    let zero = |form: &Form, p: &Vec<i64>| {
        p.iter().zip(form).map(|(x, c)| x * c).sum::<i64>() + form[table.stacks] == 0
    };
    let mut basis = Basis::default();
    // Of an empty stack nothing else is known than that it is empty.
    let key = |p: &&Vec<i64>| (p.iter().filter(|&&h| h > 0).count(), p.iter().sum::<i64>());
    let Some(generic) = points.iter().max_by_key(key) else { return cell.to_vec() };
    let forms = all_relations(generic).into_iter();
    let forms = forms.filter(|form| points.iter().all(|p| zero(form, p)) && basis.add(form));
    let equations: Vec<Formula> = forms.map(|form| equation(&form)).collect();
    let others = cell.iter().filter(|atom| !equations.contains(atom)).cloned();
    let others: Vec<Formula> = others.collect();
    equations.into_iter().chain(others).collect()
}

/// Some of many points, evenly.
fn some_of(points: &[Vec<i64>]) -> Vec<Vec<i64>> {
    points.iter().step_by(points.len().div_ceil(STUDIED).max(1)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nimatron_game::{Stop, Unlimited};

    /// All points of a cube that satisfy a condition.
    fn cube(stacks: usize, max: i64, is_p: impl Fn(&[i64]) -> bool) -> Vec<Vec<i64>> {
        let mut found = Vec::new();
        let mut point = vec![0; stacks];
        loop {
            if is_p(&point) {
                found.push(point.clone());
            }
            let Some(at) = point.iter().position(|&h| h < max) else { return found };
            point[..at].iter_mut().for_each(|h| *h = 0);
            point[at] += 1;
        }
    }

    fn learned(
        stacks: usize,
        max: i64,
        is_p: impl Fn(&[i64]) -> bool,
        symmetries: &[Vec<usize>],
    ) -> Parts {
        let inside = cube(stacks, max, is_p);
        parts(stacks, max as u64, &inside, &[], symmetries, &Unlimited).unwrap()
    }

    #[test]
    fn a_union_is_learned() {
        let is_p =
            |p: &[i64]| p[0] == 0 && p[3] == p[1] + p[2] || p[1] == p[2] && p[1] == p[0] + p[3];
        let found = learned(4, 12, is_p, &[vec![0, 2, 1, 3]]);
        assert_eq!(found.formula.unwrap().to_string(), "b = c = a+d or (a = 0, d = b+c)");
        assert_eq!(found.cells.iter().map(|(_, count)| count).sum::<usize>(), found.orbits);
    }

    #[test]
    fn images_need_sym() {
        let is_p = |p: &[i64]| {
            (0..5).any(|s| {
                let at = |by: usize| p[(s + by) % 5];
                at(0) == 0 && at(1) == at(4) && at(1) == at(2) + at(3)
            })
        };
        let dihedral = [vec![1, 2, 3, 4, 0], vec![4, 3, 2, 1, 0]];
        let found = learned(5, 7, is_p, &dihedral);
        assert_eq!(found.formula.unwrap().to_string(), "sym(a = 0, b = e = c+d)");
    }

    #[test]
    fn laws_of_binary_places() {
        let is_p =
            |p: &[i64]| (0..4).all(|bit| p.iter().map(|h| h >> bit & 1).sum::<i64>() % 3 == 0);
        let found = learned(4, 9, is_p, &[]);
        assert_eq!(found.formula.unwrap().to_string(), "digits(total mod 3 = 0)");
    }

    #[test]
    fn what_has_no_formula_is_told_in_parts() {
        // Where a = b nothing is to be understood.
        let noise = |p: &[i64]| (p[0] * 7919 + p[2] * 104_729 + p[0] * p[2] * 31) % 11 == 0;
        let is_p = |p: &[i64]| p[0] == p[1] + p[2] && p[2] > 0 || p[0] == p[1] && noise(p);
        let found = learned(3, 20, is_p, &[]);
        assert!(found.formula.is_none());
        let (first, count) = &found.cells[0];
        assert_eq!(first.to_string(), "a = b+c, c > 0");
        assert_eq!(*count, 210);
        for (cell, _) in &found.cells {
            let points = cube(3, 20, |_| true);
            let marks = holds(cell, &Points::new(&points));
            let wrong = points.iter().enumerate().find(|(at, p)| marks.has(*at) && !is_p(p));
            assert!(wrong.is_none(), "{cell}: {wrong:?}");
        }
    }

    #[test]
    fn nothing_and_limits() {
        let none = learned(2, 5, |_| false, &[]);
        assert_eq!((none.orbits, none.formula), (0, None));
        struct Never;
        impl Watch for Never {
            fn check(&self, _: u64) -> Result<(), Stop> {
                Err(Stop::Cancelled)
            }
        }
        let inside = cube(3, 9, |p| p[0] == p[1] && p[2] > p[0]);
        assert_eq!(parts(3, 9, &inside, &[], &[], &Never), Err(Stop::Cancelled));
    }
}
