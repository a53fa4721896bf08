//! The P-positions of a cube, bit by bit, and questions about formulas that are answered by looking at all of it.

use super::relations::{Basis, form_of};
use super::values::{Points, holds};
use nimatron_formula::Formula;
use nimatron_game::{Stop, Watch};

/// Points are looked at so many at a time.
const CHUNK: usize = 1 << 12;

/// All positions with heights up to a bound, numbered with the first stack as the quickest.
pub(super) struct Table {
    pub(super) stacks: usize,
    side: usize,
    /// Where P-positions are.
    wanted: Vec<u64>,
    /// Those that are not yet described.
    left: Vec<u64>,
    /// The first of each orbit of P-positions under the symmetries.
    pub(super) orbits: Vec<usize>,
    /// All products of the symmetries, the identity first; just the identity if there are too many.
    pub(super) group: Vec<Vec<usize>>,
}

/// What a formula says about the positions of a table.
pub(super) enum Answer {
    /// N-positions at which it holds, some of them.
    Wrong(Vec<Vec<i64>>),
    /// It holds at no N-position; the numbers of the P-positions not yet described at which it does.
    Right(Vec<usize>),
}

/// How many N-positions are told.
const TOLD: usize = 12;

fn has(bits: &[u64], at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 == 1
}

impl Table {
    /// The P-positions are closed under the group.
    pub(super) fn new(
        stacks: usize,
        max: usize,
        inside: &[Vec<i64>],
        group: Vec<Vec<usize>>,
    ) -> Self {
        let side = max + 1;
        let size = side.pow(stacks as u32);
        let mut wanted = vec![0u64; size.div_ceil(64)];
        let mut table =
            Table { stacks, side, wanted: Vec::new(), left: Vec::new(), orbits: Vec::new(), group };
        for point in inside {
            let at = table.number(point.iter().copied());
            wanted[at / 64] |= 1 << (at % 64);
        }
        table.left = wanted.clone();
        table.wanted = wanted;
        // The first of each orbit: it takes the others away.
        for at in 0..size {
            if has(&table.left, at) {
                table.orbits.push(at);
                table.take(at);
            }
        }
        table.left = table.wanted.clone();
        table
    }

    pub(super) fn size(&self) -> usize {
        self.side.pow(self.stacks as u32)
    }

    pub(super) fn number(&self, point: impl DoubleEndedIterator<Item = i64>) -> usize {
        point.rev().fold(0, |number, h| number * self.side + h as usize)
    }

    pub(super) fn point(&self, number: usize) -> Vec<i64> {
        let mut rest = number;
        let digit = |_| {
            let digit = rest % self.side;
            rest /= self.side;
            digit as i64
        };
        (0..self.stacks).map(digit).collect()
    }

    pub(super) fn contains(&self, point: &[i64]) -> bool {
        point.iter().all(|&h| h >= 0 && (h as usize) < self.side)
    }

    /// Whether a position of the cube is a P-position.
    pub(super) fn is_wanted(&self, number: usize) -> bool {
        has(&self.wanted, number)
    }

    /// Whether it is a P-position that is not yet described.
    pub(super) fn is_left(&self, number: usize) -> bool {
        has(&self.left, number)
    }

    /// The orbits that are not yet described.
    pub(super) fn remaining(&self) -> Vec<usize> {
        self.orbits.iter().copied().filter(|&at| self.is_left(at)).collect()
    }

    /// The positions of the cube whose binary digits in every place are those of a P-position with no more than one
    /// token on a stack, if these are just the P-positions.
    pub(super) fn columns(&self) -> Option<Vec<u32>> {
        // One place says nothing about the others.
        if self.side < 4 || self.stacks >= 32 {
            return None;
        }
        let letter = |point: &[i64], place: u32| -> usize {
            (0..self.stacks).map(|s| ((point[s] >> place & 1) as usize) << s).sum()
        };
        let mut is_allowed = vec![false; 1 << self.stacks];
        let low = self.orbits.iter().map(|&at| self.point(at)).filter(|p| p.iter().all(|&h| h < 2));
        for point in low {
            for g in &self.group {
                let image: Vec<i64> = g.iter().map(|&s| point[s]).collect();
                is_allowed[letter(&image, 0)] = true;
            }
        }
        let places = usize::BITS - (self.side - 1).leading_zeros();
        let fits = |at: usize| {
            let point = self.point(at);
            let allowed = (0..places).all(|place| is_allowed[letter(&point, place)]);
            allowed == self.is_wanted(at)
        };
        let all = (0..self.size()).all(fits);
        all.then(|| (0..1 << self.stacks).filter(|&c| is_allowed[c as usize]).collect())
    }

    /// Takes all images of a position away from what is left.
    fn take(&mut self, number: usize) {
        let point = self.point(number);
        let mut image = vec![0; self.stacks];
        for g in 0..self.group.len() {
            for (own, &s) in image.iter_mut().zip(&self.group[g]) {
                *own = point[s];
            }
            let at = self.number(image.iter().copied());
            self.left[at / 64] &= !(1 << (at % 64));
        }
    }

    /// Takes what was described away from what is left, with all images.
    pub(super) fn describe(&mut self, numbers: &[usize]) {
        for &at in numbers {
            if self.is_left(at) {
                self.take(at);
            }
        }
    }

    /// Starts again with everything to be described.
    pub(super) fn forget(&mut self) {
        self.left.clone_from(&self.wanted);
    }

    /// Takes just these positions away from what is left.
    pub(super) fn remove(&mut self, numbers: &[usize]) {
        for &at in numbers {
            self.left[at / 64] &= !(1 << (at % 64));
        }
    }

    /// Whether nothing is left.
    pub(super) fn is_described(&self) -> bool {
        self.left.iter().all(|&word| word == 0)
    }

    /// Asks about all positions of the table at which these comparisons hold. Only those are looked at that
    /// satisfy the linear equations among them.
    pub(super) fn ask(&self, cell: &[Formula], watch: &dyn Watch) -> Result<Answer, Stop> {
        let mut basis = Basis::default();
        let mut others = Vec::new();
        for atom in cell {
            match form_of(atom, self.stacks) {
                Some(form) => drop(basis.add(&form)),
                None => others.push(atom.clone()),
            }
        }
        let others = Formula::And(others);
        let mut asked = Asked { table: self, others, wrong: vec![], right: vec![] };
        let (mut points, mut stop) = (Points::new(&[]), None);
        basis.each_point(self.stacks, self.side as i64 - 1, |point| {
            if stop.is_none() && self.contains(point) {
                points.push(point);
                if points.len() == CHUNK {
                    stop = watch.check(0).err();
                    asked.look_at(&mut points);
                }
            }
        });
        asked.look_at(&mut points);
        if let Some(stop) = stop {
            return Err(stop);
        }
        let Asked { wrong, right, .. } = asked;
        if wrong.is_empty() {
            return Ok(Answer::Right(right));
        }
        // Low ones and tall ones.
        let step = wrong.len().div_ceil(TOLD);
        Ok(Answer::Wrong(wrong.into_iter().step_by(step).map(|at| self.point(at)).collect()))
    }
}

/// What is known so far about the positions at which a formula holds.
struct Asked<'a> {
    table: &'a Table,
    others: Formula,
    wrong: Vec<usize>,
    right: Vec<usize>,
}

impl Asked<'_> {
    fn look_at(&mut self, points: &mut Points) {
        let marks = holds(&self.others, points);
        for at in (0..points.len()).filter(|&at| marks.has(at)) {
            let number = self.table.number(points.get(at));
            if !self.table.is_wanted(number) {
                self.wrong.push(number);
            } else if self.table.is_left(number) {
                self.right.push(number);
            }
        }
        points.clear();
    }
}
