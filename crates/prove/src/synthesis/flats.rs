//! Where parts are looked for: tall positions, and the flats of some of their relations.

use super::relations::{Basis, Form, Relations, all_relations, cost, equation};
use super::table::Table;
use super::values::{Marks, Points, all_holding, holds};
use nimatron_formula::Formula;
use nimatron_game::{Stop, Watch};

/// P-positions around which a part is looked for.
const SEEDS: usize = 4;

/// How many flats around each of them are tried: those with few N-positions, and those with much of what is left.
const PRECISE: usize = 4;
const BROAD: usize = 3;

/// The most orbits whose relations are looked at to choose these.
const LOOKED_AT: usize = 300;

/// The most relations of a position from which the equations of a flat are chosen, and how many choices
/// are followed at once.
const RELATIONS: usize = 200;
const WIDTH: usize = 12;

/// How many words of P-positions are looked at for each relation.
const WORDS: usize = 1 << 10;

/// Some equations on the way to a flat.
struct Draft {
    chosen: Vec<usize>,
    /// Where they hold: image by image, the orbits.
    images: Vec<u64>,
    strangers: Marks,
    figures: Figures,
}

/// What can be told of some equations in numbers.
#[derive(Clone, Copy)]
struct Figures {
    /// How many of the N-positions they leave.
    left: usize,
    /// How much of what is to be described they keep.
    share: f64,
    /// How long they are.
    cost: usize,
}

type Score = fn(&Figures) -> f64;

impl Figures {
    /// How bad it is to be left with N-positions, and to describe little.
    fn precise(&self) -> f64 {
        14.0 * ((self.left + 1) as f64).ln() - 40.0 * self.share + self.cost as f64
    }

    /// The same where it counts more that much is described: comparisons may exclude the N-positions.
    fn broad(&self) -> f64 {
        14.0 * ((self.left + 1) as f64).ln() - 25.0 * self.share.ln() + self.cost as f64
    }

    fn same(&self, other: &Figures) -> bool {
        (self.left, self.share) == (other.left, other.share)
    }
}

/// Equations that hold at a position, at much of what is to be described and at few N-positions. The laws are
/// among them.
pub(super) fn flats(
    seed: &[i64],
    laws: &[Form],
    sample: &Sample,
    strangers: &[Vec<i64>],
    watch: &dyn Watch,
) -> Result<Vec<Vec<Form>>, Stop> {
    let mut forms = all_relations(seed);
    forms.truncate(RELATIONS);
    forms.splice(..0, laws.iter().cloned());
    let equations: Vec<Formula> = forms.iter().map(|form| equation(form)).collect();
    let outside = all_holding(equations.iter(), &Points::new(strangers));
    let inside: Vec<Vec<u64>> = equations.iter().map(|formula| sample.images(formula)).collect();
    let all = Marks::new(strangers.len(), |_| true);
    let strangers = outside[..laws.len()].iter().fold(all, |left, law| left.both(law));
    let mut beam = vec![Draft {
        chosen: (0..laws.len()).collect(),
        images: sample.all(),
        figures: Figures { left: strangers.count(), share: 1.0, cost: 0 },
        strangers,
    }];
    let mut good: Vec<(Figures, Vec<usize>)> = Vec::new();
    for _ in 0..seed.len() {
        let mut next: Vec<Draft> = Vec::new();
        for draft in &beam {
            watch.check(0)?;
            good.push((draft.figures, draft.chosen.clone()));
            for (at, form) in forms.iter().enumerate() {
                let left = draft.strangers.count_both(&outside[at]);
                let mut figures =
                    Figures { left, cost: draft.figures.cost + cost(form) + 2, ..draft.figures };
                let worst = next.get(WIDTH - 1).map_or(f64::INFINITY, |d| d.figures.precise());
                // At best it keeps what the draft keeps.
                if left == draft.figures.left || figures.precise() > worst {
                    continue;
                }
                figures.share = sample.share_of_both(&draft.images, &inside[at]);
                let badness = figures.precise();
                if figures.share == 0.0 || badness > worst {
                    continue;
                }
                // No two with the same figures.
                let place = next.partition_point(|known| known.figures.precise() <= badness);
                if next[..place].iter().any(|known| known.figures.same(&figures)) {
                    continue;
                }
                next.retain(|known| !known.figures.same(&figures));
                let images = draft.images.iter().zip(&inside[at]).map(|(a, b)| a & b).collect();
                let strangers = draft.strangers.both(&outside[at]);
                let chosen = draft.chosen.iter().copied().chain([at]).collect();
                next.insert(place, Draft { chosen, images, strangers, figures });
                next.truncate(WIDTH);
            }
        }
        beam = next;
        if beam.is_empty() {
            break;
        }
    }
    let mut flats: Vec<Vec<Form>> = Vec::new();
    let scores: [(Score, usize); 2] =
        [(Figures::precise, PRECISE), (Figures::broad, PRECISE + BROAD)];
    for (score, most) in scores {
        good.sort_by(|(a, x), (b, y)| score(a).total_cmp(&score(b)).then_with(|| x.cmp(y)));
        let mut seen: Vec<Figures> = Vec::new();
        for (figures, chosen) in &good {
            if flats.len() == most {
                break;
            }
            if seen.iter().any(|known| known.same(figures)) {
                continue;
            }
            let basis = shortest_basis(&forms, chosen);
            if !flats.contains(&basis) {
                seen.push(*figures);
                flats.push(basis);
            }
        }
    }
    Ok(flats)
}

/// The simplest of the forms that say the same as the chosen ones.
fn shortest_basis(forms: &[Form], chosen: &[usize]) -> Vec<Form> {
    let mut span = Basis::default();
    chosen.iter().for_each(|&at| {
        span.add(&forms[at]);
    });
    let mut basis = Basis::default();
    let simplest = forms.iter().filter(|form| !span.clone().add(form) && basis.add(form));
    simplest.cloned().collect()
}

/// Tall positions of different kinds with few relations.
pub(super) fn seeds(table: &Table, remaining: &[usize]) -> Vec<Vec<i64>> {
    let mut tall: Vec<Vec<i64>> = remaining.iter().map(|&at| table.point(at)).collect();
    let least = |p: &Vec<i64>| p.iter().copied().filter(|&h| h > 0).min();
    tall.sort_by_cached_key(|p| std::cmp::Reverse((p.iter().sum::<i64>(), least(p), p.clone())));
    let half = tall.len().div_ceil(2);
    let step = half.div_ceil(LOOKED_AT).max(1);
    let mut finder = Relations::default();
    let mut kinds: Vec<(usize, Vec<Form>, Vec<i64>)> = Vec::new();
    for point in tall.into_iter().take(half).step_by(step) {
        let forms = finder.of(&point);
        if !kinds.iter().any(|(_, known, _)| *known == forms) {
            kinds.push((forms.len(), forms, point));
        }
    }
    // Few relations are those of a large part, but of an empty stack nothing else is known than that it is empty.
    let empty = |p: &Vec<i64>| p.iter().filter(|&&h| h == 0).count();
    kinds.sort_by_key(|(relations, ..)| *relations);
    let mut others: Vec<usize> = (0..kinds.len()).collect();
    others.sort_by_key(|&at| (empty(&kinds[at].2), at));
    let mut chosen: Vec<usize> = Vec::new();
    for (at, other) in others.into_iter().enumerate() {
        for next in [other, at] {
            if !chosen.contains(&next) {
                chosen.push(next);
            }
        }
    }
    chosen.into_iter().take(SEEDS).map(|at| kinds[at].2.clone()).collect()
}

/// Some of the orbits that are to be described, with all their images.
pub(super) struct Sample {
    orbits: usize,
    words: usize,
    /// Image by image.
    points: Vec<Points>,
}

impl Sample {
    pub(super) fn new(table: &Table, remaining: &[usize]) -> Self {
        let most = 64 * (WORDS / table.group.len()).max(1);
        let step = remaining.len().div_ceil(most).max(1);
        let some: Vec<Vec<i64>> =
            remaining.iter().step_by(step).map(|&at| table.point(at)).collect();
        let image = |g: &Vec<usize>| {
            let moved = |p: &Vec<i64>| g.iter().map(|&s| p[s]).collect::<Vec<i64>>();
            Points::new(&some.iter().map(moved).collect::<Vec<_>>())
        };
        let points = table.group.iter().map(image).collect();
        Sample { orbits: some.len(), words: some.len().div_ceil(64).max(1), points }
    }

    /// Where a formula holds: for each image as many words.
    fn images(&self, formula: &Formula) -> Vec<u64> {
        let marks = self.points.iter().map(|points| holds(formula, points));
        marks.flat_map(|marks| (0..self.words).map(move |at| marks.word(at))).collect()
    }

    fn all(&self) -> Vec<u64> {
        vec![u64::MAX; self.words * self.points.len()]
    }

    /// The part of the orbits that have an image in both.
    fn share_of_both(&self, some: &[u64], others: &[u64]) -> f64 {
        let mut any = vec![0u64; self.words];
        for (some, others) in some.chunks(self.words).zip(others.chunks(self.words)) {
            any.iter_mut().zip(some.iter().zip(others)).for_each(|(any, (a, b))| *any |= a & b);
        }
        let count: usize = any.iter().map(|word| word.count_ones() as usize).sum();
        count as f64 / self.orbits.max(1) as f64
    }

    /// The part of the orbits that a cell describes.
    pub(super) fn share(&self, cell: &[Formula]) -> f64 {
        let images = self.images(&Formula::and(cell.iter().cloned()));
        self.share_of_both(&images, &images)
    }
}
