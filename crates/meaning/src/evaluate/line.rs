//! Whole lines of positions at once.
//!
//! A line fixes all stacks but the last. Along 64 consecutive heights of the last stack a term is
//! nearly always *affine*, `slope * i + start` for `i = 0..64`, or it bends once (a minimum with
//! the last stack in it). A comparison of such terms holds on an interval, or on one either side
//! of the bend, found by a division, and conditions become operations on 64-bit words. Terms
//! that bend more often or jump (remainders) are computed for all 64 heights in one sweep.

use super::Evaluator;
use super::arrange::Tree;
use super::graph::{Combination, Condition, Literal, Value, ValueId};
use super::span;
use nimatron_game::{Height, MAX_STACKS};

/// How many positions are treated at once.
const LANES: usize = 64;

/// Evaluates a formula along lines of positions; see [`Evaluator::lines`].
#[derive(Debug)]
pub struct Lines<'a> {
    evaluator: &'a Evaluator,
    /// The heights of the block at hand; the last one is that of its first position.
    heights: Vec<Height>,
    /// What is known of each value, if its stamp is that of the current block.
    shapes: Vec<(u64, Shape)>,
    stamp: u64,
    /// The values of the block that are neither affine nor bent once.
    lists: Vec<List>,
}

/// The values on all lanes.
type List = [i64; LANES];

/// How a value behaves along a block.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Affine(Affine),
    /// The first before this lane, the second from it on.
    Bent(u32, Affine, Affine),
    /// Listed in [`Lines::lists`].
    Listed(u32),
}

/// `slope * lane + start`
#[derive(Clone, Copy, Debug)]
struct Affine {
    slope: i64,
    start: i64,
}

impl Affine {
    fn fixed(start: i64) -> Self {
        Affine { slope: 0, start }
    }

    fn plus(self, factor: i64, other: Affine) -> Affine {
        let slope = self.slope + factor * other.slope;
        Affine { slope, start: self.start + factor * other.start }
    }

    fn at(self, lane: usize) -> i64 {
        self.start + self.slope * lane as i64
    }
}

impl<'a> Lines<'a> {
    pub(super) fn new(evaluator: &'a Evaluator) -> Self {
        let values = evaluator.values.len();
        Lines {
            evaluator,
            heights: vec![0; evaluator.stacks()],
            shapes: vec![(0, Shape::Listed(0)); values],
            stamp: 0,
            lists: Vec::new(),
        }
    }

    /// Where the formula holds on the line with these heights of all stacks but the last, for
    /// last heights `0..=most`: bit `i` of word `w` is set if it holds at height `64 * w + i`.
    ///
    /// # Panics
    /// If there is not exactly one height less than stacks, or if `words` is too short for
    /// `most + 1` bits.
    pub fn holds(&mut self, prefix: &[Height], most: Height, words: &mut [u64]) {
        let n = self.evaluator.stacks();
        assert_eq!(prefix.len() + 1, n, "all heights but the last are needed");
        assert!(words.len() as u64 > most / 64, "{} words are too few", words.len());
        self.heights[..n - 1].copy_from_slice(prefix);
        let narrow = self.evaluator.is_narrow(prefix, most.saturating_add(LANES as u64));
        for (block, word) in words.iter_mut().enumerate() {
            let first = 64 * block as u64;
            let Some(last) = most.checked_sub(first) else {
                *word = 0;
                continue;
            };
            let all = if last >= 63 { u64::MAX } else { (1 << (last + 1)) - 1 };
            self.heights[n - 1] = first;
            *word = if narrow {
                self.stamp += 1;
                self.lists.clear();
                self.tree(&self.evaluator.tree, all)
            } else {
                self.one_by_one(all)
            };
        }
    }

    fn one_by_one(&mut self, all: u64) -> u64 {
        let evaluator = self.evaluator;
        self.each(all, |heights| evaluator.holds(heights))
    }

    /// The lanes of a mask whose positions satisfy the predicate.
    fn each(&mut self, mask: u64, predicate: impl Fn(&[Height]) -> bool) -> u64 {
        let mut result = 0;
        let mut heights = [0; MAX_STACKS];
        let heights = &mut heights[..self.heights.len()];
        heights.copy_from_slice(&self.heights);
        let last = heights.len() - 1;
        for lane in (0..LANES).filter(|lane| mask >> lane & 1 == 1) {
            heights[last] = self.heights[last] + lane as u64;
            result |= u64::from(predicate(heights)) << lane;
        }
        result
    }

    /// The lanes of the mask where the conditions hold.
    fn tree(&mut self, tree: &'a Tree, mask: u64) -> u64 {
        match tree {
            Tree::Constant(true) => mask,
            Tree::Constant(false) => 0,
            Tree::Leaf(literal) => self.test(*literal, mask),
            Tree::All(items) => {
                let mut left = mask;
                for item in items {
                    left = self.tree(item, left);
                    if left == 0 {
                        break;
                    }
                }
                left
            }
            Tree::Any(items) => {
                let mut open = mask;
                for item in items {
                    open &= !self.tree(item, open);
                    if open == 0 {
                        break;
                    }
                }
                mask & !open
            }
        }
    }

    fn test(&mut self, literal: Literal, mask: u64) -> u64 {
        let evaluator = self.evaluator;
        let holds = match &evaluator.conditions[literal.condition as usize] {
            Condition::Zero(form) => self.word(form, where_zero, |x| x == 0),
            Condition::NonNegative(form) => self.word(form, where_non_negative, |x| x >= 0),
            Condition::Span { generators, .. } => {
                self.each(mask, |heights| span::search(heights, generators))
            }
            Condition::Digits { what, .. } => self.each(mask, |heights| what.holds(heights)),
            Condition::True => u64::MAX,
            Condition::And(_) | Condition::Or(_) => 0,
        };
        mask & if literal.positive { holds } else { !holds }
    }

    /// The lanes where a combination satisfies a test, given for affine values and for single
    /// numbers.
    fn word(
        &mut self,
        form: &Combination,
        affine: impl Fn(Affine) -> u64,
        single: impl Fn(i64) -> bool,
    ) -> u64 {
        match self.combination(form) {
            Shape::Affine(value) => affine(value),
            Shape::Bent(at, before, after) => {
                let early = first_lanes(at.into());
                affine(before) & early | affine(after) & !early
            }
            Shape::Listed(index) => {
                let lanes = self.lists[index as usize].iter().enumerate();
                let bits = lanes.map(|(lane, &x)| u64::from(single(x)) << lane);
                bits.fold(0, |word, bit| word | bit)
            }
        }
    }

    fn combination(&mut self, form: &Combination) -> Shape {
        // Coefficients and sums fit, or the line would not be evaluated in 64 bits.
        let mut sum = Affine::fixed(form.constant as i64);
        let mut bent: Option<(u32, Affine, Affine)> = None;
        let mut listed = false;
        for &(id, coefficient) in &form.terms {
            let c = coefficient as i64;
            match self.shape(id) {
                Shape::Affine(value) => sum = sum.plus(c, value),
                Shape::Bent(at, before, after) => match &mut bent {
                    None => {
                        let zero = Affine::fixed(0);
                        bent = Some((at, zero.plus(c, before), zero.plus(c, after)));
                    }
                    Some((known, first, second)) if *known == at => {
                        (*first, *second) = (first.plus(c, before), second.plus(c, after));
                    }
                    Some(_) => listed = true,
                },
                Shape::Listed(_) => listed = true,
            }
        }
        if listed {
            let mut list = [form.constant as i64; LANES];
            for &(id, coefficient) in &form.terms {
                let shape = self.shape(id);
                let more = self.list_of(shape);
                list.iter_mut().zip(more).for_each(|(x, y)| *x += coefficient as i64 * y);
            }
            return self.list(list);
        }
        match bent {
            None => Shape::Affine(sum),
            Some((at, before, after)) => Shape::Bent(at, sum.plus(1, before), sum.plus(1, after)),
        }
    }

    fn shape(&mut self, id: ValueId) -> Shape {
        let (stamp, shape) = self.shapes[id as usize];
        if stamp == self.stamp {
            return shape;
        }
        let shape = self.compute(id);
        self.shapes[id as usize] = (self.stamp, shape);
        shape
    }

    fn compute(&mut self, id: ValueId) -> Shape {
        let evaluator = self.evaluator;
        let last = self.heights.len() - 1;
        match &evaluator.values[id as usize] {
            Value::Stack(stack) => Shape::Affine(Affine {
                slope: i64::from(*stack == last),
                start: self.heights[*stack] as i64,
            }),
            Value::Linear(form) => self.combination(form),
            Value::Min(ids) => self.fold(ids, i64::min, Some(Extreme::Least)),
            Value::Max(ids) => self.fold(ids, i64::max, Some(Extreme::Greatest)),
            Value::Xor(ids) => self.fold(ids, |x, y| x ^ y, None),
            Value::Mod(of, modulus) => {
                let modulus = *modulus as i64;
                match self.shape(*of) {
                    Shape::Affine(Affine { slope: 0, start }) => {
                        Shape::Affine(Affine::fixed(start.rem_euclid(modulus)))
                    }
                    shape => {
                        let list = self.list_of(shape);
                        self.list(if modulus & (modulus - 1) == 0 {
                            list.map(|x| x & (modulus - 1))
                        } else {
                            list.map(|x| x.rem_euclid(modulus))
                        })
                    }
                }
            }
            Value::Odds { .. } => {
                let others: u64 = self.heights[..last].iter().map(|h| h & 1).sum();
                let first = self.heights[last];
                let odd = |lane| (others + (first + lane as u64) % 2) as i64;
                self.list(std::array::from_fn(odd))
            }
        }
    }

    /// Folds the operands by an operation, which is perhaps the least or greatest of two.
    fn fold(
        &mut self,
        ids: &[ValueId],
        operation: impl Fn(i64, i64) -> i64,
        extreme: Option<Extreme>,
    ) -> Shape {
        // First what does not change along the block, then the rest.
        let mut fixed: Option<i64> = None;
        let mut changing: Option<Shape> = None;
        for &id in ids {
            let shape = self.shape(id);
            if let Shape::Affine(Affine { slope: 0, start }) = shape {
                fixed = Some(fixed.map_or(start, |f| operation(f, start)));
                continue;
            }
            changing = Some(match changing {
                None => shape,
                Some(others) => {
                    let mut list = self.list_of(others);
                    let more = self.list_of(shape);
                    list.iter_mut().zip(more).for_each(|(x, y)| *x = operation(*x, y));
                    self.list(list)
                }
            });
        }
        match (changing, fixed, extreme) {
            (None, _, _) => Shape::Affine(Affine::fixed(fixed.unwrap_or(0))),
            (Some(shape), None, _) => shape,
            (Some(Shape::Affine(value)), Some(bound), Some(extreme)) => extreme.bound(value, bound),
            (Some(shape), Some(bound), _) => {
                let list = self.list_of(shape).map(|x| operation(x, bound));
                self.list(list)
            }
        }
    }

    fn list_of(&self, shape: Shape) -> List {
        match shape {
            Shape::Affine(value) => std::array::from_fn(|lane| value.at(lane)),
            Shape::Bent(at, before, after) => std::array::from_fn(|lane| {
                if lane < at as usize { before.at(lane) } else { after.at(lane) }
            }),
            Shape::Listed(index) => self.lists[index as usize],
        }
    }

    fn list(&mut self, list: List) -> Shape {
        self.lists.push(list);
        Shape::Listed(self.lists.len() as u32 - 1)
    }
}

/// Which of two values an operation selects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extreme {
    Least,
    Greatest,
}

impl Extreme {
    /// The least (or greatest) of a value that changes along the block and a bound.
    fn bound(self, value: Affine, bound: i64) -> Shape {
        let above = where_non_negative(value.plus(-1, Affine::fixed(bound)));
        let rising = value.slope > 0;
        let at = if rising { above.trailing_zeros() } else { above.trailing_ones() };
        // A rising value is the lesser one before the bend, a falling one after it.
        let fixed = Affine::fixed(bound);
        let value_first = rising == (self == Extreme::Least);
        let (before, after) = if value_first { (value, fixed) } else { (fixed, value) };
        match at {
            0 => Shape::Affine(after),
            64 => Shape::Affine(before),
            _ => Shape::Bent(at, before, after),
        }
    }
}

/// The lanes where the value is 0.
fn where_zero(value: Affine) -> u64 {
    let Affine { slope, start } = value;
    match slope {
        0 if start == 0 => u64::MAX,
        0 => 0,
        _ => match -start / slope {
            lane @ 0..64 if lane * slope == -start => 1 << lane,
            _ => 0,
        },
    }
}

/// The lanes where the value is at least 0.
fn where_non_negative(value: Affine) -> u64 {
    let Affine { slope, start } = value;
    match slope {
        0 if start >= 0 => u64::MAX,
        0 => 0,
        // From the least lane with slope * lane >= -start on.
        1.. => !first_lanes(-start.div_euclid(slope)),
        _ => first_lanes(start.div_euclid(-slope) + 1),
    }
}

/// The lanes below `count`.
fn first_lanes(count: i64) -> u64 {
    match count {
        ..=0 => 0,
        1..64 => (1 << count) - 1,
        64.. => u64::MAX,
    }
}
