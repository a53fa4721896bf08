//! Circular-arc games, and the class that peeling wins.

use super::order::circular;
use crate::shape::is_normal_set_nim;
use nimatron_game::{MAX_STACKS, Play, Rule, StackSet, maximal};

/// A game of class C: stacks on a circle, whose facets are arcs.
///
/// Stacks that lie in the same facets share one *place*; places are numbered around the circle, which
/// is thought of as the integers modulo their number `n`. For a place `i` let `r(i) >= i` be the last place
/// of the facet that reaches farthest from `i`, and `R = r+1` the first place beyond. The
/// game is in class C if, for all `i`,
///
/// ```text
/// r(r(r(i))) <= i+n < R(R(R(i)))
/// ```
///
/// The right half says that among any three stacks two lie in a common facet. CN(n,k) is in C exactly
/// if `k` is the integer part of `n/3`, plus 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circle {
    /// The stacks at each place.
    places: Vec<StackSet>,
    /// `r(i) - i` for each place.
    reach: [u8; MAX_STACKS],
    /// The facets, as sets of places.
    facets: Vec<u32>,
    /// The same, as sets of stacks.
    facets_of_stacks: Vec<StackSet>,
}

impl Circle {
    /// The game as one of class C, whatever its stacks are called.
    pub fn of(rule: &Rule, play: Play) -> Option<Self> {
        // In the class each facet begins at a place of its own.
        if !is_normal_set_nim(rule, play) || rule.sets().len() > MAX_STACKS as u64 {
            return None;
        }
        let facets = maximal(&rule.sets().iter().collect::<Vec<_>>());
        let classes = classes(rule.stacks(), &facets);
        let merged = |facet: &StackSet| {
            let meets = |&i: &usize| !classes[i].is_disjoint(*facet);
            (0..classes.len()).filter(meets).fold(0u32, |set, i| set | 1 << i)
        };
        let merged: Vec<u32> = facets.iter().map(merged).collect();
        let order = from_first(circular(classes.len(), &merged)?);
        let along = |set: &u32| {
            let holds = |&place: &usize| set >> order[place] & 1 == 1;
            (0..order.len()).filter(holds).fold(0u32, |set, place| set | 1 << place)
        };
        let circle = Circle {
            places: order.iter().map(|&i| classes[i]).collect(),
            reach: reach(order.len(), &merged.iter().map(along).collect::<Vec<_>>()),
            facets: merged.iter().map(along).collect(),
            facets_of_stacks: facets,
        };
        circle.is_in_class().then_some(circle)
    }

    /// The number of places: of stacks, when those that lie in the same facets are merged.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Never: a game has a stack.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The stacks at each place around the circle.
    pub fn places(&self) -> &[StackSet] {
        &self.places
    }

    /// The facets, as sets of stacks.
    pub fn facets(&self) -> &[StackSet] {
        &self.facets_of_stacks
    }

    /// Whether this is CN(n,k), for some k, when stacks are merged.
    pub(super) fn is_circular(&self) -> bool {
        self.reach[..self.len()].iter().all(|&reach| reach == self.reach[0])
    }

    /// A facet that holds all of these places.
    #[inline]
    pub(super) fn facet(&self, places: u32) -> Option<usize> {
        self.facets.iter().position(|facet| places & !facet == 0)
    }

    /// `r(i)`, for any integer `i` from 0 on: places are counted on around the circle.
    #[cfg(test)]
    pub(super) fn r(&self, i: usize) -> usize {
        i + usize::from(self.reach[i % self.len()])
    }

    fn is_in_class(&self) -> bool {
        let n = self.len();
        let walk = |from: usize, beyond: usize| {
            (0..3).fold(from, |at, _| at + usize::from(self.reach[at % n]) + beyond)
        };
        (0..n).all(|i| walk(i, 0) <= i + n && i + n < walk(i, 1))
    }

    /// How far the last non-empty place is that lies in a facet with this one, among those
    /// ahead of it; 0 if there is none. `twice` is the set of non-empty places, written twice.
    #[inline]
    fn step(&self, twice: u64, at: u32) -> u32 {
        let ahead = twice >> (at + 1) & ((1u64 << self.reach[at as usize]) - 1);
        u64::BITS - ahead.leading_zeros()
    }

    #[inline]
    fn twice(&self, places: u32) -> u64 {
        u64::from(places) | u64::from(places) << self.len()
    }

    /// The next non-empty place.
    #[inline]
    fn next(&self, twice: u64, at: u32) -> u32 {
        (at + 1 + (twice >> (at + 1)).trailing_zeros()) % self.len() as u32
    }

    /// A peel of a set of non-empty places that lies in no facet: two neighbours that share no
    /// facet, if there are any, else a periodic orbit of `r`.
    #[inline]
    pub(super) fn peel(&self, places: u32) -> u32 {
        self.peel_from(places, places.trailing_zeros())
    }

    /// The peel that the walk from a non-empty place leads to.
    #[inline]
    pub(super) fn peel_from(&self, places: u32, start: u32) -> u32 {
        let (n, twice) = (self.len() as u32, self.twice(places));
        let mut at = start;
        let mut seen = 0u32;
        // Where there is a gap the walk ends at one: no step leaps over it.
        while seen >> at & 1 == 0 {
            seen |= 1 << at;
            let step = self.step(twice, at);
            if step == 0 {
                return 1 << at | 1 << self.next(twice, at);
            }
            at += step;
            at -= if at >= n { n } else { 0 };
        }
        let mut orbit = 0u32;
        while orbit >> at & 1 == 0 {
            orbit |= 1 << at;
            at += self.step(twice, at);
            at -= if at >= n { n } else { 0 };
        }
        orbit
    }

    /// Whether two neighbours among the non-empty places share no facet.
    pub(super) fn has_gap(&self, places: u32) -> bool {
        let twice = self.twice(places);
        StackSet::from_bits(places).iter().any(|at| self.step(twice, at as u32) == 0)
    }

    /// How many stacks are left when the places that lie in the same facets, as far as these are not
    /// empty, are merged.
    pub(super) fn merged(&self, places: u32) -> usize {
        if self.facet(places).is_some() {
            return usize::from(places != 0);
        }
        let (n, twice) = (self.len() as u32, self.twice(places));
        let here = || StackSet::from_bits(places).iter().map(|at| at as u32);
        let last = |at: u32| at + self.step(twice, at);
        let ends = here().fold(0u32, |ends, at| ends | 1 << (last(at) % n));
        // A facet ends between neighbours, or one begins there, or they are alike.
        let apart = |at: &u32| {
            let next = self.next(twice, *at);
            let next_last = last(next) + if next < *at { n } else { 0 };
            ends >> at & 1 == 1 || last(*at) != next_last
        };
        here().filter(apart).count()
    }

    /// The invariant vectors that peeling gives for positions without empty stacks, as sets of
    /// stacks: the peels of the circle and of its mirror image. None where stacks can be merged.
    pub fn invariants(&self) -> Vec<StackSet> {
        let n = self.len();
        if self.places.iter().any(|place| place.len() > 1) || self.facets.len() < 2 {
            return Vec::new();
        }
        let mirror = self.mirror();
        let mut vectors: Vec<StackSet> = Vec::new();
        for (circle, flipped) in [(self, false), (&mirror, true)] {
            for start in 0..n as u32 {
                let peel = StackSet::from_bits(circle.peel_from(u32::MAX >> (32 - n), start));
                let stack = |place: usize| {
                    let place = if flipped { n - 1 - place } else { place };
                    self.places[place].lowest().expect("a place has a stack")
                };
                vectors.push(peel.iter().map(stack).collect());
            }
        }
        vectors.sort_unstable_by(StackSet::by_size_and_name);
        vectors.dedup();
        vectors
    }

    /// The circle counted backwards.
    fn mirror(&self) -> Circle {
        let n = self.len();
        let flip = |set: u32| set.reverse_bits() >> (32 - n);
        let facets: Vec<u32> = self.facets.iter().map(|&set| flip(set)).collect();
        let places = self.places.iter().rev().copied().collect();
        Circle { places, reach: reach(n, &facets), facets, ..self.clone() }
    }
}

/// The same circular order, from the first class on, in the direction of the lower neighbour. Classes are
/// numbered by their first stacks.
fn from_first(mut order: Vec<usize>) -> Vec<usize> {
    if let Some(first) = order.iter().position(|&class| class == 0) {
        order.rotate_left(first);
    }
    if order.len() > 2 && order[1] > order[order.len() - 1] {
        order[1..].reverse();
    }
    order
}

/// The classes of stacks that lie in the same facets.
fn classes(stacks: usize, facets: &[StackSet]) -> Vec<StackSet> {
    let mut classes: Vec<StackSet> = Vec::new();
    for stack in 0..stacks {
        let alike = |class: &&mut StackSet| {
            let other = class.lowest().expect("a class has a stack");
            facets.iter().all(|f| f.contains(stack) == f.contains(other))
        };
        match classes.iter_mut().find(alike) {
            Some(class) => *class = class.with(stack),
            None => classes.push(StackSet::single(stack)),
        }
    }
    classes
}

/// `r(i) - i` for each of `n` places, where the facets are arcs of them.
fn reach(n: usize, facets: &[u32]) -> [u8; MAX_STACKS] {
    let mut reach = [0u8; MAX_STACKS];
    for &facet in facets.iter().filter(|f| f.count_ones() < n as u32) {
        for (i, reach) in reach.iter_mut().enumerate().take(n) {
            let holds = |step: &usize| facet >> ((i + step) % n) & 1 == 1;
            let length = (0..n).take_while(holds).count();
            *reach = (*reach).max(length.saturating_sub(1) as u8);
        }
    }
    reach
}
