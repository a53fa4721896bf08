//! Comparing a formula with the P-positions of a box, line by line.
//!
//! A line fixes all stacks but the last; its P-positions and the positions that satisfy the
//! formula are bits of words. Where the symmetries keep the formula, only lines on which an orbit
//! may have its least position are looked at.

use super::found::{Differences, Found};
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Height, Outcome, StackSet, Stop, Watch};
use nimatron_meaning::Evaluator;
use nimatron_table::{Crew, Table};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Tells which positions of a line are P-positions. Lines are numbered in lexicographic order.
pub(super) trait PLines: Sync {
    /// Sets bit `x % 64` of word `x / 64` if the last stack may have height `x`; the words are
    /// zero before.
    fn mark(&self, line: usize, words: &mut [u64]);
}

/// Lines with at most one P-position each.
pub(super) struct Single {
    /// The number of the first line.
    pub(super) first: usize,
    /// The last height of each line's P-position, or [`Single::NONE`].
    pub(super) heights: Vec<u32>,
}

impl Single {
    pub(super) const NONE: u32 = u32::MAX;
}

impl PLines for Single {
    fn mark(&self, line: usize, words: &mut [u64]) {
        let height = self.heights[line - self.first];
        if height != Single::NONE {
            words[height as usize / 64] |= 1 << (height % 64);
        }
    }
}

impl PLines for Table<Outcome> {
    fn mark(&self, line: usize, words: &mut [u64]) {
        let length = self.cells().max().last().map_or(1, |&max| max as usize + 1);
        let outcomes = &self.entries()[line * length..(line + 1) * length];
        for (height, _) in outcomes.iter().enumerate().filter(|(_, o)| **o == Outcome::P) {
            words[height / 64] |= 1 << (height % 64);
        }
    }
}

/// The lines of a box that have to be looked at.
#[derive(Clone, Debug)]
pub(super) struct LinePlan {
    max: Vec<Height>,
    /// By how much the number of a line grows with each height but the last.
    strides: Vec<usize>,
    lines: usize,
    /// Symmetries that keep the box and the formula, if there are any.
    symmetry: Option<Symmetry>,
    /// Pairs of stacks, none the last, of which the first, an earlier one, is not the taller one
    /// in any position that is the least of its orbit.
    ordered: Vec<(usize, usize)>,
}

impl LinePlan {
    /// All lines of the box; only one of each orbit has to be seen if there are symmetries.
    /// `None` if the lines cannot be numbered.
    pub(super) fn new(max: &[Height], symmetry: Option<&Symmetry>) -> Option<Self> {
        let before_last = &max[..max.len().saturating_sub(1)];
        let mut strides = vec![1usize; before_last.len()];
        let mut lines = 1usize;
        for (stride, &max) in strides.iter_mut().zip(before_last).rev() {
            *stride = lines;
            lines = lines.checked_mul(usize::try_from(max).ok()?.checked_add(1)?)?;
        }
        let symmetry = symmetry.map(|s| s.stabiliser(max)).filter(|s| !s.is_trivial());
        let ordered = symmetry.as_ref().map_or(Vec::new(), |s| ordered(s, before_last.len()));
        Some(LinePlan { max: max.to_vec(), strides, lines, symmetry, ordered })
    }

    /// How many lines there are.
    pub(super) fn lines(&self) -> usize {
        self.lines
    }

    /// The number of the line through a position.
    pub(super) fn number(&self, heights: &[u32]) -> usize {
        self.strides.iter().zip(heights).map(|(stride, &h)| stride * h as usize).sum()
    }

    /// How many lines have to be looked at, roughly.
    pub(super) fn visited(max: &[Height], symmetry: Option<&Symmetry>) -> f64 {
        let before_last = &max[..max.len().saturating_sub(1)];
        let lines: f64 = before_last.iter().map(|&m| m as f64 + 1.0).product();
        let Some(symmetry) = symmetry else { return lines };
        let uniform = max.windows(2).all(|w| w[0] == w[1]);
        if !uniform {
            return lines;
        }
        match symmetry.is_full() {
            true => {
                let factor =
                    |(i, &m): (usize, &Height)| (m as f64 + i as f64 + 1.0) / (i as f64 + 1.0);
                before_last.iter().enumerate().map(factor).product()
            }
            false => {
                let longest = symmetry.orbits().iter().map(|o| o.len()).max().unwrap_or(1);
                lines / longest as f64 * 1.3
            }
        }
    }

    /// The least height that a stack of a line can have when those before it are given.
    fn least(&self, stack: usize, prefix: &[Height]) -> Height {
        let bounds = self.ordered.iter().filter(|&&(_, later)| later == stack);
        bounds.map(|&(earlier, _)| prefix[earlier]).max().unwrap_or(0)
    }

    /// Writes the first line to be looked at that has at least this number, and returns its
    /// number.
    fn start(&self, number: usize, prefix: &mut [Height]) -> usize {
        let mut left = number;
        for (height, stride) in prefix.iter_mut().zip(&self.strides) {
            *height = (left / stride) as Height;
            left %= stride;
        }
        let low = (0..prefix.len()).find(|&s| prefix[s] < self.least(s, prefix));
        match low {
            None => number,
            Some(stack) => {
                self.fill(stack, prefix);
                self.number_of(prefix)
            }
        }
    }

    /// Goes on to the next line to be looked at; `None` after the last.
    fn advance(&self, number: usize, prefix: &mut [Height]) -> Option<usize> {
        let stack = (0..prefix.len()).rev().find(|&s| prefix[s] < self.max[s])?;
        prefix[stack] += 1;
        match self.ordered.is_empty() {
            true => {
                prefix[stack + 1..].fill(0);
                Some(number + 1)
            }
            false => {
                self.fill(stack + 1, prefix);
                Some(self.number_of(prefix))
            }
        }
    }

    /// Gives all stacks from this one on their least heights.
    fn fill(&self, from: usize, prefix: &mut [Height]) {
        for stack in from..prefix.len() {
            prefix[stack] = self.least(stack, prefix);
        }
    }

    fn number_of(&self, prefix: &[Height]) -> usize {
        self.strides.iter().zip(prefix).map(|(stride, &h)| stride * h as usize).sum()
    }
}

/// What the least position of an orbit must satisfy: twins ascend, and the first stack that moves
/// at all is not taller than those it can be exchanged with. Only the first `stacks` stacks count.
fn ordered(symmetry: &Symmetry, stacks: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let twins = symmetry.twin_classes().iter().map(|class| class.iter().collect::<Vec<_>>());
    for class in twins {
        pairs.extend(class.windows(2).map(|w| (w[0], w[1])));
    }
    let moving = |orbit: &&StackSet| orbit.len() > 1;
    let first = symmetry.orbits().iter().filter(moving).min_by_key(|o| o.lowest()).copied();
    if let Some(orbit) = first
        && let Some(least) = orbit.lowest()
    {
        pairs.extend(orbit.without(least).iter().map(|stack| (least, stack)));
    }
    pairs.retain(|&(_, later)| later < stacks);
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Lines that a worker takes at a time.
const LINES_AT_A_TIME: usize = 1 << 11;

/// A comparison of lines.
pub(super) struct Comparison<'a> {
    pub(super) plan: &'a LinePlan,
    pub(super) evaluator: &'a Evaluator,
    /// Which positions count, if not all do.
    pub(super) within: Option<&'a Evaluator>,
    pub(super) watch: &'a dyn Watch,
    /// Bytes held by others, for the watch.
    pub(super) memory: u64,
}

impl Comparison<'_> {
    /// Compares the lines with these numbers. After a stop, `found` holds what was found until
    /// then.
    pub(super) fn run(
        &self,
        lines: Range<usize>,
        p_lines: &dyn PLines,
        crew: &dyn Crew,
        found: &mut Found,
    ) -> Result<(), Stop> {
        let next = AtomicUsize::new(lines.start);
        let stopped = AtomicBool::new(false);
        let result = Mutex::new((Found::default(), None));
        let work = || {
            let mut own = Found::default();
            let mut reason = None;
            let mut worker = Worker::new(self);
            while !stopped.load(Ordering::Relaxed) {
                let first = next.fetch_add(LINES_AT_A_TIME, Ordering::Relaxed);
                if first >= lines.end {
                    break;
                }
                if let Err(stop) = self.watch.check(self.memory) {
                    stopped.store(true, Ordering::Relaxed);
                    reason = Some(stop);
                    break;
                }
                let until = lines.end.min(first + LINES_AT_A_TIME);
                if let Err(stop) = worker.compare(first..until, p_lines, &mut own) {
                    stopped.store(true, Ordering::Relaxed);
                    reason = Some(stop);
                    break;
                }
            }
            let mut result = result.lock().unwrap_or_else(PoisonError::into_inner);
            result.0.join(own);
            result.1 = result.1.or(reason);
        };
        match lines.len() <= LINES_AT_A_TIME {
            true => work(),
            false => crew.run(&|_| work()),
        }
        let (new, stop) = result.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.join(new);
        stop.map_or(Ok(()), Err)
    }
}

/// Words and differences between two looks at the watch.
const WORK_BETWEEN_CHECKS: usize = 1 << 16;

/// One worker's room.
struct Worker<'a> {
    plan: &'a LinePlan,
    watch: &'a dyn Watch,
    memory: u64,
    /// Work since the watch was asked.
    unwatched: usize,
    lines: nimatron_meaning::Lines<'a>,
    within: Option<nimatron_meaning::Lines<'a>>,
    /// The heights of a position; all but the last are those of the line.
    heights: Vec<Height>,
    satisfying: Vec<u64>,
    losing: Vec<u64>,
    inside: Vec<u64>,
}

impl<'a> Worker<'a> {
    fn new(comparison: &Comparison<'a>) -> Self {
        let plan = comparison.plan;
        let words = plan.max.last().map_or(1, |&max| max as usize / 64 + 1);
        Worker {
            plan,
            watch: comparison.watch,
            memory: comparison.memory,
            unwatched: 0,
            lines: comparison.evaluator.lines(),
            within: comparison.within.map(Evaluator::lines),
            heights: vec![0; plan.max.len()],
            satisfying: vec![0; words],
            losing: vec![0; words],
            inside: vec![0; words],
        }
    }

    fn compare(
        &mut self,
        lines: Range<usize>,
        p_lines: &dyn PLines,
        found: &mut Found,
    ) -> Result<(), Stop> {
        let plan = self.plan;
        let last = self.heights.len() - 1;
        let most = plan.max[last];
        let mut number = plan.start(lines.start, &mut self.heights[..last]);
        while number < lines.end {
            self.losing.fill(0);
            p_lines.mark(number, &mut self.losing);
            self.lines.holds(&self.heights[..last], most, &mut self.satisfying);
            if let Some(within) = &mut self.within {
                within.holds(&self.heights[..last], most, &mut self.inside);
                self.restrict(found)?;
            }
            if self.losing != self.satisfying {
                self.differ(found)?;
            }
            self.worked(self.losing.len())?;
            match plan.advance(number, &mut self.heights[..last]) {
                Some(next) => number = next,
                None => break,
            }
        }
        Ok(())
    }

    /// Counts work, and asks the watch now and then: a weak formula differs almost everywhere.
    fn worked(&mut self, amount: usize) -> Result<(), Stop> {
        self.unwatched += amount;
        if self.unwatched < WORK_BETWEEN_CHECKS {
            return Ok(());
        }
        self.unwatched = 0;
        self.watch.check(self.memory)
    }

    /// Leaves out the positions of the current line that do not count, and counts the others.
    fn restrict(&mut self, found: &mut Found) -> Result<(), Stop> {
        for word in 0..self.inside.len() {
            let inside = self.inside[word];
            self.losing[word] &= inside;
            self.satisfying[word] &= inside;
            let losing = self.losing[word];
            self.record(word, inside, &mut found.inside);
            self.record(word, losing, &mut found.inside_p);
            self.worked(inside.count_ones() as usize)?;
        }
        Ok(())
    }

    /// Records how the current line differs.
    fn differ(&mut self, found: &mut Found) -> Result<(), Stop> {
        for word in 0..self.losing.len() {
            let (p, f) = (self.losing[word], self.satisfying[word]);
            self.record(word, p & !f, &mut found.missed);
            self.record(word, f & !p, &mut found.claimed);
            if self.plan.symmetry.is_some() {
                self.worked((p ^ f).count_ones() as usize)?;
            }
        }
        Ok(())
    }

    fn record(&mut self, word: usize, mut bits: u64, differences: &mut Differences) {
        if bits == 0 {
            return;
        }
        let last = self.heights.len() - 1;
        let at = |bit: u32| 64 * word as Height + Height::from(bit);
        // On a line, the least total is the lowest bit.
        self.heights[last] = at(bits.trailing_zeros());
        let total = self.heights.iter().map(|&h| u128::from(h)).sum();
        differences.consider(total, &self.heights);
        match &self.plan.symmetry {
            None => differences.count += u128::from(bits.count_ones()),
            Some(symmetry) => {
                while bits != 0 {
                    self.heights[last] = at(bits.trailing_zeros());
                    if symmetry.is_canonical(&self.heights) {
                        differences.count += symmetry.orbit_size(&self.heights);
                    }
                    bits &= bits - 1;
                }
            }
        }
    }
}
