//! Formulas evaluated at many points at once.

use nimatron_formula::{Formula, Relation, Term};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

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

    /// The words that are not empty, each with its place.
    pub(super) fn words(&self) -> Vec<(usize, u64)> {
        self.0.iter().copied().enumerate().filter(|&(_, word)| word != 0).collect()
    }

    /// How many of it belong to a set that is given by such words.
    pub(super) fn count_within(&self, words: &[(usize, u64)]) -> usize {
        words.iter().map(|&(at, word)| (self.0[at] & word).count_ones() as usize).sum()
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

/// Points, stack by stack.
pub(super) struct Points {
    size: usize,
    columns: Vec<Vec<i64>>,
    /// The values of terms that were asked for: many comparisons are made of few terms.
    known: RefCell<HashMap<Term, Rc<[i64]>>>,
}

impl Points {
    pub(super) fn new(points: &[Vec<i64>]) -> Self {
        let stacks = points.first().map_or(0, Vec::len);
        let column = |stack: usize| points.iter().map(|point| point[stack]).collect();
        let columns = (0..stacks).map(column).collect();
        Points { size: points.len(), columns, known: RefCell::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.size
    }

    /// The values of a term at all points.
    fn values(&self, term: &Term) -> Rc<[i64]> {
        if let Some(known) = self.known.borrow().get(term) {
            return known.clone();
        }
        let found: Rc<[i64]> = values(term, self).into();
        self.known.borrow_mut().insert(term.clone(), found.clone());
        found
    }

    /// All stacks put together.
    fn joined(&self, with: impl Fn(i64, i64) -> i64) -> Cow<'_, [i64]> {
        let lists = self.columns.iter().map(|column| Cow::Borrowed(&column[..]));
        folded(lists, self.size, with)
    }
}

fn folded<'a>(
    mut lists: impl Iterator<Item = Cow<'a, [i64]>>,
    size: usize,
    with: impl Fn(i64, i64) -> i64,
) -> Cow<'a, [i64]> {
    let Some(first) = lists.next() else { return vec![0; size].into() };
    let mut all = first.into_owned();
    for list in lists {
        all.iter_mut().zip(&*list).for_each(|(a, b)| *a = with(*a, *b));
    }
    all.into()
}

/// The values of a term at all points. Terms here have stacks, numbers, sums, multiples, minima,
/// maxima, exclusive ors and remainders, and heights are far from the bounds of the type.
fn values<'a>(term: &Term, points: &'a Points) -> Cow<'a, [i64]> {
    let all = |items: &'_ [Term]| {
        items.iter().map(|item| values(item, points)).collect::<Vec<_>>().into_iter()
    };
    let each = |inner: &Term, of: &dyn Fn(i64) -> i64| -> Cow<'a, [i64]> {
        values(inner, points).iter().map(|&x| of(x)).collect()
    };
    match term {
        Term::Constant(c) => vec![*c; points.size].into(),
        Term::Stack(stack) => points.columns.get(*stack).map_or_else(Cow::default, |c| c.into()),
        Term::Sum(items) => folded(all(items), points.size, |a, b| a + b),
        Term::Min(items) => folded(all(items), points.size, i64::min),
        Term::Max(items) => folded(all(items), points.size, i64::max),
        Term::Xor(items) => folded(all(items), points.size, |a, b| a ^ b),
        Term::Scale(factor, inner) => each(inner, &|x| factor * x),
        Term::Mod(inner, 2) => each(inner, &|x| x & 1),
        Term::Mod(inner, modulus) => {
            let modulus = i64::try_from(*modulus).unwrap_or(i64::MAX);
            each(inner, &|x| x.rem_euclid(modulus))
        }
        Term::Total => points.joined(|a, b| a + b),
        Term::Odds => points.columns.iter().fold(vec![0; points.size].into(), |sum, column| {
            sum.iter().zip(column).map(|(s, x)| s + (x & 1)).collect()
        }),
        Term::Least => points.joined(i64::min),
        Term::Greatest => points.joined(i64::max),
        Term::Name(_) => vec![0; points.size].into(),
    }
}

/// Where a comparison holds.
fn compared(left: &Term, relation: Relation, right: &Term, points: &Points) -> Marks {
    let (left, right) = (points.values(left), points.values(right));
    // One loop for each relation: what is decided inside of a loop is decided at every point.
    match relation {
        Relation::Equal => marked(&left, &right, |a, b| a == b),
        Relation::NotEqual => marked(&left, &right, |a, b| a != b),
        Relation::Less => marked(&left, &right, |a, b| a < b),
        Relation::AtMost => marked(&left, &right, |a, b| a <= b),
        Relation::Greater => marked(&left, &right, |a, b| a > b),
        Relation::AtLeast => marked(&left, &right, |a, b| a >= b),
    }
}

fn marked(left: &[i64], right: &[i64], holds: impl Fn(i64, i64) -> bool) -> Marks {
    let word = |(left, right): (&[i64], &[i64])| {
        let pairs = left.iter().zip(right).enumerate();
        pairs.fold(0, |word, (at, (&a, &b))| word | u64::from(holds(a, b)) << at)
    };
    Marks(left.chunks(64).zip(right.chunks(64)).map(word).collect())
}

/// Where a formula made of comparisons, `and`, `or` and `not` holds.
pub(super) fn holds(formula: &Formula, points: &Points) -> Marks {
    let size = points.size;
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
