//! Formulas evaluated at many points at once.

use nimatron_formula::{Formula, Relation, Term};

/// A set of points by their numbers, 64 to a word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Marks(Vec<u64>);

impl Marks {
    pub(super) fn new(size: usize, test: impl Fn(usize) -> bool) -> Self {
        let word = |start: usize| {
            let here = start..(start + 64).min(size);
            here.filter(|&at| test(at)).fold(0, |word, at| word | 1 << (at - start))
        };
        Marks((0..size).step_by(64).map(word).collect())
    }

    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn count_both(&self, other: &Marks) -> usize {
        self.0.iter().zip(&other.0).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    pub(super) fn both(&self, other: &Marks) -> Marks {
        Marks(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Adds a number beyond the others; `size` is how many there were.
    pub(super) fn push(&mut self, size: usize, holds: bool) {
        if size.is_multiple_of(64) {
            self.0.push(0);
        }
        if let Some(last) = self.0.last_mut() {
            *last |= u64::from(holds) << (size % 64);
        }
    }

    pub(super) fn has(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }
}

/// The values of a term at all points. Terms here have stacks, numbers, sums, multiples, minima,
/// maxima, exclusive ors and remainders, and heights are far from the bounds of the type.
fn values(term: &Term, points: &[Vec<i64>]) -> Vec<i64> {
    let fold = |items: &[Term], with: fn(i64, i64) -> i64| {
        let mut lists = items.iter().map(|item| values(item, points));
        let first = lists.next().unwrap_or_else(|| vec![0; points.len()]);
        lists.fold(first, |mut all, list| {
            all.iter_mut().zip(list).for_each(|(a, b)| *a = with(*a, b));
            all
        })
    };
    let each = |of: &dyn Fn(&Vec<i64>) -> i64| points.iter().map(of).collect();
    match term {
        Term::Constant(c) => vec![*c; points.len()],
        Term::Stack(stack) => each(&|p| p[*stack]),
        Term::Sum(items) => fold(items, |a, b| a + b),
        Term::Min(items) => fold(items, i64::min),
        Term::Max(items) => fold(items, i64::max),
        Term::Xor(items) => fold(items, |a, b| a ^ b),
        Term::Scale(factor, inner) => {
            values(inner, points).into_iter().map(|x| factor * x).collect()
        }
        Term::Mod(inner, modulus) => {
            let modulus = i64::try_from(*modulus).unwrap_or(i64::MAX);
            values(inner, points).into_iter().map(|x| x.rem_euclid(modulus)).collect()
        }
        Term::Total => each(&|p| p.iter().sum()),
        Term::Odds => each(&|p| p.iter().map(|x| x & 1).sum()),
        Term::Least => each(&|p| p.iter().copied().min().unwrap_or(0)),
        Term::Greatest => each(&|p| p.iter().copied().max().unwrap_or(0)),
        Term::Name(_) => vec![0; points.len()],
    }
}

/// Where a comparison holds.
pub(super) fn compared(
    left: &Term,
    relation: Relation,
    right: &Term,
    points: &[Vec<i64>],
) -> Marks {
    let (left, right) = (values(left, points), values(right, points));
    Marks::new(points.len(), |at| relation.holds(left[at], right[at]))
}

/// Where a formula made of comparisons, `and`, `or` and `not` holds.
pub(super) fn holds(formula: &Formula, points: &[Vec<i64>]) -> Marks {
    let size = points.len();
    match formula {
        Formula::Compare(left, relation, right) => compared(left, *relation, right, points),
        Formula::And(items) => {
            items.iter().fold(Marks::new(size, |_| true), |all, f| all.both(&holds(f, points)))
        }
        Formula::Or(items) => {
            let parts: Vec<Marks> = items.iter().map(|f| holds(f, points)).collect();
            Marks::new(size, |at| parts.iter().any(|p| p.has(at)))
        }
        Formula::Not(inner) => {
            let part = holds(inner, points);
            Marks::new(size, |at| !part.has(at))
        }
        _ => Marks::new(size, |_| false),
    }
}
