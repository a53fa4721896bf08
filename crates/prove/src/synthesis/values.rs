//! Formulas evaluated at many points at once.

use nimatron_formula::{Formula, Relation, Term};
use std::collections::HashMap;

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

    /// One of the words; zero behind the last.
    pub(super) fn word(&self, at: usize) -> u64 {
        self.0.get(at).copied().unwrap_or(0)
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
    tallest: i64,
}

impl Points {
    pub(super) fn new(points: &[Vec<i64>]) -> Self {
        let stacks = points.first().map_or(0, Vec::len);
        let column = |stack: usize| points.iter().map(|point| point[stack]).collect();
        let tallest = points.iter().flatten().copied().max().unwrap_or(0);
        Points { size: points.len(), columns: (0..stacks).map(column).collect(), tallest }
    }

    pub(super) fn len(&self) -> usize {
        self.size
    }

    pub(super) fn push(&mut self, point: &[i64]) {
        self.columns.resize_with(point.len(), Vec::new);
        self.columns.iter_mut().zip(point).for_each(|(column, &height)| column.push(height));
        self.tallest = point.iter().copied().max().unwrap_or(0).max(self.tallest);
        self.size += 1;
    }

    /// The heights of one of them.
    pub(super) fn get(&self, at: usize) -> impl DoubleEndedIterator<Item = i64> {
        self.columns.iter().map(move |column| column[at])
    }

    pub(super) fn clear(&mut self) {
        self.columns.iter_mut().for_each(Vec::clear);
        (self.size, self.tallest) = (0, 0);
    }
}

/// Points are looked at so many at a time: the values of all terms at them stay in a near cache.
const BLOCK: usize = 256;

/// What values are computed with: points that are not tall need half of the bits, and half of the time.
trait Number:
    Copy
    + Default
    + Ord
    + TryFrom<i64>
    + std::ops::Add<Output = Self>
    + std::ops::BitXor<Output = Self>
    + std::ops::Mul<Output = Self>
{
    fn remainder(self, modulus: Self) -> Self;
}

impl Number for i32 {
    fn remainder(self, modulus: i32) -> i32 {
        self.rem_euclid(modulus)
    }
}

impl Number for i64 {
    fn remainder(self, modulus: i64) -> i64 {
        self.rem_euclid(modulus)
    }
}

fn number<N: Number>(value: i64) -> N {
    N::try_from(value).unwrap_or_default()
}

/// How the values of a term come from those of stacks and of terms before it.
enum Step {
    Constant(i64),
    Stack(usize),
    Sum(Vec<usize>),
    Min(Vec<usize>),
    Max(Vec<usize>),
    Xor(Vec<usize>),
    Scale(i64, usize),
    Mod(u64, usize),
}

/// Comparisons that are looked at together. They share their terms, which have stacks, numbers, sums,
/// multiples, minima, maxima, exclusive ors and remainders; heights are far from the bounds of the type.
struct Sheet<'a> {
    stacks: usize,
    steps: Vec<Step>,
    known: HashMap<&'a Term, usize>,
    compared: Vec<(usize, Relation, usize)>,
}

impl<'a> Sheet<'a> {
    fn new(stacks: usize) -> Self {
        let steps = (0..stacks).map(Step::Stack).collect();
        Sheet { stacks, steps, known: HashMap::new(), compared: Vec::new() }
    }

    fn push(&mut self, step: Step) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    fn compare(&mut self, left: &'a Term, relation: Relation, right: &'a Term) {
        let sides = (self.term(left), self.term(right));
        self.compared.push((sides.0, relation, sides.1));
    }

    /// The step of a term.
    fn term(&mut self, term: &'a Term) -> usize {
        if let Term::Stack(stack) = term
            && *stack < self.stacks
        {
            return *stack;
        }
        if let Some(&known) = self.known.get(term) {
            return known;
        }
        let all: Vec<usize> = (0..self.stacks).collect();
        let step = match term {
            Term::Constant(c) => Step::Constant(*c),
            Term::Sum(items) => Step::Sum(self.terms(items)),
            Term::Min(items) => Step::Min(self.terms(items)),
            Term::Max(items) => Step::Max(self.terms(items)),
            Term::Xor(items) => Step::Xor(self.terms(items)),
            Term::Scale(factor, inner) => Step::Scale(*factor, self.term(inner)),
            Term::Mod(inner, modulus) => Step::Mod(*modulus, self.term(inner)),
            Term::Total => Step::Sum(all),
            Term::Odds => {
                Step::Sum(all.into_iter().map(|stack| self.push(Step::Mod(2, stack))).collect())
            }
            Term::Least => Step::Min(all),
            Term::Greatest => Step::Max(all),
            // Nothing that has a height.
            Term::Stack(_) | Term::Name(_) => Step::Constant(0),
        };
        let at = self.push(step);
        self.known.insert(term, at);
        at
    }

    fn terms(&mut self, items: &'a [Term]) -> Vec<usize> {
        items.iter().map(|item| self.term(item)).collect()
    }

    /// Where each of the comparisons holds.
    fn marks(&self, points: &Points) -> Vec<Marks> {
        if self.bound(points.tallest) < 1 << 30 {
            self.marks_in::<i32>(points)
        } else {
            self.marks_in::<i64>(points)
        }
    }

    /// No number in here gets larger at heights up to this one.
    fn bound(&self, tallest: i64) -> i64 {
        let mut bounds: Vec<i64> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let of = |items: &[usize]| items.iter().map(|&at| bounds[at]).max().unwrap_or(0);
            bounds.push(match step {
                Step::Constant(c) => c.saturating_abs(),
                Step::Stack(_) => tallest,
                Step::Sum(items) => items.iter().fold(0, |sum, &at| bounds[at].saturating_add(sum)),
                Step::Min(items) | Step::Max(items) => of(items),
                // No longer in binary digits than the longest.
                Step::Xor(items) => of(items).saturating_mul(2),
                Step::Scale(factor, of) => bounds[*of].saturating_mul(factor.saturating_abs()),
                Step::Mod(modulus, of) => {
                    bounds[*of].max(i64::try_from(*modulus).unwrap_or(i64::MAX))
                }
            });
        }
        bounds.into_iter().max().unwrap_or(0)
    }

    fn marks_in<N: Number>(&self, points: &Points) -> Vec<Marks> {
        let words = points.size.div_ceil(64);
        let mut marks: Vec<Marks> =
            self.compared.iter().map(|_| Marks(Vec::with_capacity(words))).collect();
        let mut values: Vec<[N; BLOCK]> = vec![[N::default(); BLOCK]; self.steps.len()];
        for start in (0..points.size).step_by(BLOCK) {
            let size = BLOCK.min(points.size - start);
            for (at, step) in self.steps.iter().enumerate() {
                let (before, own) = values.split_at_mut(at);
                let own = &mut own[0];
                match step {
                    Step::Stack(stack) => {
                        let heights = &points.columns[*stack][start..start + size];
                        own.iter_mut().zip(heights).for_each(|(own, &x)| *own = number(x));
                    }
                    step => step.fill(own, before),
                }
            }
            for (marks, &(left, relation, right)) in marks.iter_mut().zip(&self.compared) {
                marks.extend(relation, &values[left], &values[right], size);
            }
        }
        marks
    }
}

impl Step {
    /// Computes the values at a block of points from those of the steps before.
    fn fill<N: Number>(&self, own: &mut [N; BLOCK], before: &[[N; BLOCK]]) {
        match self {
            Step::Constant(c) => own.fill(number(*c)),
            Step::Stack(_) => {}
            Step::Sum(items) => folded(own, items, before, |a, b| a + b),
            Step::Min(items) => folded(own, items, before, N::min),
            Step::Max(items) => folded(own, items, before, N::max),
            Step::Xor(items) => folded(own, items, before, |a, b| a ^ b),
            Step::Scale(factor, of) => {
                let factor: N = number(*factor);
                each(own, &before[*of], |x| factor * x);
            }
            Step::Mod(2, of) => each(own, &before[*of], |x| x.remainder(number(2))),
            Step::Mod(modulus, of) => {
                let modulus: N = number(i64::try_from(*modulus).unwrap_or(i64::MAX));
                each(own, &before[*of], |x| x.remainder(modulus));
            }
        }
    }
}

fn each<N: Number>(own: &mut [N; BLOCK], of: &[N; BLOCK], with: impl Fn(N) -> N) {
    own.iter_mut().zip(of).for_each(|(own, &x)| *own = with(x));
}

fn folded<N: Number>(
    own: &mut [N; BLOCK],
    items: &[usize],
    before: &[[N; BLOCK]],
    with: impl Fn(N, N) -> N,
) {
    let Some((first, others)) = items.split_first() else { return own.fill(N::default()) };
    own.copy_from_slice(&before[*first]);
    for other in others {
        own.iter_mut().zip(&before[*other]).for_each(|(a, &b)| *a = with(*a, b));
    }
}

impl Marks {
    /// Adds where a comparison of the values at so many further points holds, from a new word on.
    fn extend<N: Number>(
        &mut self,
        relation: Relation,
        left: &[N; BLOCK],
        right: &[N; BLOCK],
        size: usize,
    ) {
        // One loop for each relation: what is decided inside of a loop is decided at every point.
        match relation {
            Relation::Equal => self.extend_by(left, right, size, |a, b| a == b),
            Relation::NotEqual => self.extend_by(left, right, size, |a, b| a != b),
            Relation::Less => self.extend_by(left, right, size, |a, b| a < b),
            Relation::AtMost => self.extend_by(left, right, size, |a, b| a <= b),
            Relation::Greater => self.extend_by(left, right, size, |a, b| a > b),
            Relation::AtLeast => self.extend_by(left, right, size, |a, b| a >= b),
        }
    }

    fn extend_by<N: Number>(
        &mut self,
        left: &[N; BLOCK],
        right: &[N; BLOCK],
        size: usize,
        holds: impl Fn(N, N) -> bool,
    ) {
        // A byte for each point, in a loop of its own: it has no branches and fits vector instructions.
        let mut bytes = [0u8; BLOCK];
        let pairs = left.iter().zip(right);
        bytes.iter_mut().zip(pairs).for_each(|(byte, (&a, &b))| *byte = holds(a, b).into());
        bytes[size..].fill(0);
        let words = bytes.chunks(64).take(size.div_ceil(64));
        self.0.extend(words.map(|bytes| {
            let eights = bytes.chunks_exact(8).enumerate();
            eights.fold(0, |word, (at, eight)| word | u64::from(packed(eight)) << (8 * at))
        }));
    }
}

/// Eight bytes, each of them 0 or 1, as the bits of one: the product moves every one of them to its place.
fn packed(eight: &[u8]) -> u8 {
    let bytes = eight.try_into().map_or(0, u64::from_le_bytes);
    (bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Where each of some comparisons holds.
pub(super) fn all_holding<'a>(
    comparisons: impl Iterator<Item = &'a Formula>,
    points: &Points,
) -> Vec<Marks> {
    let mut sheet = Sheet::new(points.columns.len());
    for comparison in comparisons {
        if let Formula::Compare(left, relation, right) = comparison {
            sheet.compare(left, *relation, right);
        }
    }
    sheet.marks(points)
}

/// Where a formula made of comparisons, `and`, `or` and `not` holds.
pub(super) fn holds(formula: &Formula, points: &Points) -> Marks {
    let size = points.size;
    match formula {
        Formula::Compare(left, relation, right) => {
            let mut sheet = Sheet::new(points.columns.len());
            sheet.compare(left, *relation, right);
            sheet.marks(points).remove(0)
        }
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
