//! Learning one cell: a conjunction that holds at a giant and only at positions of the set.

use super::atoms::{atoms, cost};
use super::exact::{Exact, Unanswered, accepts};
use super::relations::{Basis, Form, equation};
use super::sample::{Chance, Walks};
use super::tally::Tally;
use super::values::{Marks, Points, all_holding, holds};
use nimatron_formula::Formula;
use nimatron_verify::automaton::Dfa;
use std::collections::HashMap;

/// How many conjunctions are followed at once, and how long they may become.
const WIDTH: usize = 40;
const DEPTH: usize = 6;

/// How often a counterexample may be learned from.
const MOST_ROUNDS: usize = 24;

/// How many counterexamples are taken at a time.
const STRANGERS: usize = 12;

/// A part of the set.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// What holds in it, comparison by comparison; the linear equations first.
    pub(super) atoms: Vec<Formula>,
    /// How many of these are the linear equations.
    pub(super) equations: usize,
    /// Its automaton.
    pub(super) dfa: Dfa,
}

impl Cell {
    pub(super) fn formula(&self) -> Formula {
        Formula::and(self.atoms.iter().cloned())
    }

    /// The linear equations alone.
    pub(super) fn flat(&self) -> Formula {
        Formula::and(self.atoms[..self.equations].iter().cloned())
    }

    pub(super) fn cost(&self) -> usize {
        self.atoms.iter().map(cost).sum()
    }
}

/// What is known about the points around a giant.
pub(super) struct Study {
    /// Comparisons that hold at the giant, each with its cost, where it holds among the wanted positions
    /// and where among the strangers.
    atoms: Vec<(Formula, usize, Marks, Marks)>,
    /// The number of positions that are still to be described.
    wanted: usize,
    /// Positions that do not belong to the set.
    strangers: Vec<Vec<i64>>,
}

/// A conjunction on the way.
#[derive(Clone)]
struct Draft {
    chosen: Vec<usize>,
    wanted: Marks,
    strangers: Marks,
    kept: usize,
    left: usize,
    cost: usize,
}

/// How bad a conjunction is: 14 times the logarithm of how many strangers it leaves, and one, less 40 times the
/// part of what is wanted that it keeps, and its cost.
struct Scale {
    by_left: Vec<f64>,
    by_kept: Vec<f64>,
}

impl Scale {
    fn new(strangers: usize, wanted: usize) -> Self {
        Scale {
            by_left: (0..=strangers).map(|left| 14.0 * ((left + 1) as f64).ln()).collect(),
            by_kept: (0..=wanted).map(|kept| 40.0 * (kept as f64 / wanted.max(1) as f64)).collect(),
        }
    }

    fn badness(&self, left: usize, kept: usize, cost: usize) -> f64 {
        self.by_left[left] - self.by_kept[kept] + cost as f64
    }
}

/// The best drafts so far of those that leave strangers, no two with the same figures.
#[derive(Default)]
struct Leaders(Vec<(f64, usize, usize, usize)>);

impl Leaders {
    /// What is worse than that will not be followed.
    fn worst(&self) -> f64 {
        if self.0.len() < WIDTH { f64::INFINITY } else { self.0[WIDTH - 1].0 }
    }

    fn offer(&mut self, new: (f64, usize, usize, usize)) {
        let from = self.0.partition_point(|known| known.0 < new.0);
        if !self.0[from..].iter().take_while(|known| known.0 == new.0).any(|known| *known == new) {
            self.0.insert(from, new);
            self.0.truncate(WIDTH);
        }
    }
}

/// A cell around a giant with these relations, if one is found. The samples are positions still to
/// be described. About so many `points` of the flat of the giant are looked at.
pub(super) fn learn(
    exact: &mut Exact<'_>,
    remaining: &Dfa,
    giant: &[i64],
    relations: &[Form],
    samples: &[Vec<i64>],
    points: usize,
) -> Result<Option<Cell>, Unanswered> {
    let equations: Vec<Formula> = relations.iter().map(|form| equation(form)).collect();
    let mut basis = Basis::default();
    relations.iter().for_each(|form| {
        basis.add(form);
    });
    let on_flat = holds(&Formula::And(equations.clone()), &Points::new(samples));
    let on_flat = samples.iter().enumerate().filter(|(at, _)| on_flat.has(*at));
    let mut wanted: Vec<Vec<i64>> = on_flat.map(|(_, sample)| sample.clone()).collect();
    let mut strangers = Vec::new();
    for point in basis.points(exact.stacks, points) {
        if accepts(remaining, &point) {
            wanted.push(point);
        } else if !accepts(&exact.target, &point) {
            strangers.push(point);
        }
    }
    let mut study = Study::new(atoms(giant), &wanted, strangers);
    let mut chance = Chance::new(1);
    for _ in 0..MOST_ROUNDS {
        let Some(chosen) = study.conjunction(|| exact.check())? else { return Ok(None) };
        let mut cell = equations.clone();
        cell.extend(chosen);
        let dfa = match exact.automaton(&Formula::and(cell.iter().cloned())) {
            Ok(dfa) => dfa,
            Err(Unanswered::Stopped(stop)) => return Err(Unanswered::Stopped(stop)),
            Err(Unanswered::TooLarge) => return Ok(None),
        };
        let Some(stranger) = exact.outside(&dfa) else {
            return Ok(Some(Cell { atoms: cell, equations: equations.len(), dfa }));
        };
        if study.knows(&stranger) {
            return Ok(None);
        }
        let mut strangers = vec![stranger];
        if let Some(walks) = Walks::new(exact.stacks, &exact.rest_of(&dfa)?) {
            let more = (0..STRANGERS).filter_map(|at| walks.giant(&mut chance, 5 + 5 * at));
            strangers.extend(more);
        }
        study.add(strangers);
    }
    Ok(None)
}

impl Study {
    /// The comparisons hold at one position that is to be described.
    pub(super) fn new(atoms: Vec<Formula>, wanted: &[Vec<i64>], strangers: Vec<Vec<i64>>) -> Self {
        let (near, far) = (Points::new(wanted), Points::new(&strangers));
        let (inside, outside) = (all_holding(atoms.iter(), &near), all_holding(atoms.iter(), &far));
        let marks = inside.into_iter().zip(outside);
        let marked = |(atom, (inside, outside))| {
            let cost = cost(&atom);
            (atom, cost, inside, outside)
        };
        let atoms = atoms.into_iter().zip(marks).map(marked).collect();
        Study { atoms, wanted: wanted.len(), strangers }
    }

    /// How many comparisons there are.
    pub(super) fn comparisons(&self) -> usize {
        self.atoms.len()
    }

    /// Whether a position is among the strangers.
    pub(super) fn knows(&self, stranger: &Vec<i64>) -> bool {
        self.strangers.contains(stranger)
    }

    /// Adds positions that do not belong to the set.
    pub(super) fn add(&mut self, strangers: Vec<Vec<i64>>) {
        let size = self.strangers.len();
        let points = Points::new(&strangers);
        let marks = all_holding(self.atoms.iter().map(|(atom, ..)| atom), &points);
        for ((_, _, _, outside), holds) in self.atoms.iter_mut().zip(marks) {
            (0..strangers.len()).for_each(|at| outside.push(size + at, holds.has(at)));
        }
        self.strangers.extend(strangers);
    }

    /// The comparisons worth a try: of those that say the same here, the shortest.
    fn offers(&self) -> Vec<usize> {
        let mut distinct: HashMap<(&Marks, &Marks), (usize, usize)> = HashMap::new();
        for (at, (_, cost, inside, outside)) in self.atoms.iter().enumerate() {
            if outside.count() == self.strangers.len() {
                continue;
            }
            let best = distinct.entry((inside, outside)).or_insert((*cost, at));
            *best = (*best).min((*cost, at));
        }
        let mut offers: Vec<(usize, usize)> = distinct.into_values().collect();
        offers.sort_unstable();
        offers.into_iter().map(|(_, at)| at).collect()
    }

    /// The best conjunction that holds at no stranger, by a beam search that asks from time to time whether it
    /// may go on.
    pub(super) fn conjunction<E>(
        &self,
        check: impl Fn() -> Result<(), E>,
    ) -> Result<Option<Vec<Formula>>, E> {
        let strangers = self.strangers.len();
        if strangers == 0 {
            return Ok(Some(Vec::new()));
        }
        let mut beam = vec![Draft {
            chosen: Vec::new(),
            wanted: Marks::new(self.wanted, |_| true),
            strangers: Marks::new(strangers, |_| true),
            kept: self.wanted,
            left: strangers,
            cost: 0,
        }];
        let offers = self.offers();
        let columns: Vec<&Marks> = offers.iter().map(|&at| &self.atoms[at].3).collect();
        let tally = Tally::new(&columns, strangers);
        let scale = Scale::new(strangers, self.wanted);
        let mut best: Option<(f64, Vec<usize>)> = None;
        for _ in 0..DEPTH {
            let mut next: Vec<(f64, usize, usize, usize, usize)> = Vec::new();
            let mut leaders = Leaders::default();
            for (number, draft) in beam.iter().enumerate() {
                check()?;
                let counts = tally.counts(&draft.strangers);
                for (&offer, left) in offers.iter().zip(counts) {
                    let (_, cost, inside, _) = &self.atoms[offer];
                    let cost = draft.cost + cost;
                    // At best it keeps what the draft keeps.
                    let hopeless = scale.badness(left, draft.kept, cost) > leaders.worst();
                    if hopeless || left == draft.left || draft.chosen.contains(&offer) {
                        continue;
                    }
                    let kept = draft.wanted.count_both(inside);
                    if kept == 0 {
                        continue;
                    }
                    let score = scale.badness(left, kept, cost);
                    let better = best.as_ref().is_none_or(|(b, _)| score < *b || left > 0);
                    if better && score <= leaders.worst() {
                        next.push((score, number, offer, kept, left));
                        if left > 0 {
                            leaders.offer((score, kept, left, cost));
                        }
                    }
                }
            }
            next.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
            let mut seen: Vec<(usize, usize, usize)> = Vec::new();
            let mut drafts: Vec<Draft> = Vec::new();
            for (score, number, offer, kept, left) in next {
                if drafts.len() >= WIDTH {
                    break;
                }
                let (from, (_, more, inside, outside)) = (&beam[number], &self.atoms[offer]);
                let cost = from.cost + more;
                if seen.contains(&(kept, left, cost)) {
                    continue;
                }
                seen.push((kept, left, cost));
                let chosen: Vec<usize> = from.chosen.iter().copied().chain([offer]).collect();
                if left == 0 {
                    if best.as_ref().is_none_or(|(b, _)| score < *b) {
                        best = Some((score, chosen));
                    }
                    continue;
                }
                let wanted = from.wanted.both(inside);
                let strangers = from.strangers.both(outside);
                drafts.push(Draft { chosen, wanted, strangers, kept, left, cost });
            }
            beam = drafts;
            if beam.is_empty() {
                break;
            }
        }
        let formula = |at: usize| self.atoms[at].0.clone();
        Ok(best.map(|(_, chosen)| chosen.into_iter().map(formula).collect()))
    }
}
