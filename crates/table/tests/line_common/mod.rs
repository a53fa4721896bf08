//! Helpers of the line kernel's tests: brute force, set systems, a crew of threads.
#![allow(clippy::disallowed_methods, reason = "the tests are the caller, and bring their threads")]
#![allow(dead_code)]

use nimatron_game::{Family, Play, StackSet, maximal};
use nimatron_table::Crew;

/// All P-positions in lexicographic order, by looking at every option of every position.
pub(crate) fn brute_force(sets: &[StackSet], heights: &[u32], play: Play) -> Vec<Vec<u32>> {
    brute_force_without(sets, heights, |p| play == Play::Misere && p.iter().all(|&h| h == 0))
}

/// The same, with positions that may not be P-positions.
pub(crate) fn brute_force_without(
    sets: &[StackSet],
    heights: &[u32],
    blocked: impl Fn(&[u32]) -> bool,
) -> Vec<Vec<u32>> {
    let n = heights.len();
    let mut stride = vec![1usize; n];
    for s in (0..n - 1).rev() {
        stride[s] = stride[s + 1] * (heights[s + 1] as usize + 1);
    }
    let size = stride[0] * (heights[0] as usize + 1);
    let mut is_p = vec![false; size];
    let mut found = Vec::new();
    let mut p = vec![0u32; n];
    for index in 0..size {
        let reaches = |&set: &StackSet| reaches_p(&is_p, &stride, &p, set, index);
        if !blocked(&p) && !sets.iter().any(reaches) {
            is_p[index] = true;
            found.push(p.clone());
        }
        for s in (0..n).rev() {
            p[s] += 1;
            if p[s] <= heights[s] {
                break;
            }
            p[s] = 0;
        }
    }
    found
}

fn reaches_p(is_p: &[bool], stride: &[usize], p: &[u32], set: StackSet, index: usize) -> bool {
    let Some(stack) = set.lowest() else { return is_p[index] };
    let rest = set.without(stack);
    (0..=p[stack] as usize)
        .any(|less| reaches_p(is_p, stride, p, rest, index - less * stride[stack]))
}

/// All antichains of non-empty sets that cover the stacks `0..n`.
pub(crate) fn set_systems(n: usize) -> Vec<Vec<StackSet>> {
    let sets: Vec<StackSet> = StackSet::first(n).subsets().collect();
    let mut found = Vec::new();
    extend(&sets, &mut Vec::new(), StackSet::first(n), &mut found);
    found
}

fn extend(
    sets: &[StackSet],
    chosen: &mut Vec<StackSet>,
    all: StackSet,
    found: &mut Vec<Vec<StackSet>>,
) {
    let Some((&set, rest)) = sets.split_first() else {
        if chosen.iter().fold(StackSet::EMPTY, |a, &s| a | s) == all {
            found.push(chosen.clone());
        }
        return;
    };
    extend(rest, chosen, all, found);
    if !chosen.iter().any(|&c| c.is_subset(set) || set.is_subset(c)) {
        chosen.push(set);
        extend(rest, chosen, all, found);
        chosen.pop();
    }
}

/// A small generator of pseudo-random numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    /// Facets on `n` stacks that cover them.
    pub(crate) fn system(&mut self, n: usize) -> Vec<StackSet> {
        let mut sets = Vec::new();
        for _ in 0..1 + self.below(2 * n as u64) {
            let dense = 1 + self.below(3);
            let member = |r: &mut Self| r.below(4) < dense;
            sets.push((0..n).filter(|_| member(self)).collect::<StackSet>());
        }
        let covered = sets.iter().fold(StackSet::EMPTY, |a, &s| a | s);
        sets.extend((StackSet::first(n) - covered).iter().map(StackSet::single));
        maximal(&sets)
    }

    /// Heights of `n` stacks that make a box of at most `positions` positions.
    pub(crate) fn heights(&mut self, n: usize, positions: u64) -> Vec<u32> {
        let mut heights = vec![0u32; n];
        loop {
            let s = self.below(n as u64) as usize;
            heights[s] += 1 + self.below(3) as u32;
            if heights.iter().map(|&h| u64::from(h) + 1).product::<u64>() > positions {
                heights[s] = 0;
                return heights;
            }
        }
    }
}

/// The facets of CN(n,k).
pub(crate) fn circular(n: usize, k: usize) -> Vec<StackSet> {
    Family::Circular { n, k }.rule().sets().iter().collect()
}

/// So many threads.
pub(crate) struct Threads(pub(crate) usize);

impl Crew for Threads {
    fn size(&self) -> usize {
        self.0
    }

    fn run(&self, job: &(dyn Fn(usize) + Sync)) {
        std::thread::scope(|scope| {
            for worker in 0..self.0 {
                scope.spawn(move || job(worker));
            }
        });
    }
}
