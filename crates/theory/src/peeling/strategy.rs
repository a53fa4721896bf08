//! The strategy: subtract peels until what is left lies in one facet.

use super::circle::Circle;
use crate::reason::Reason;
use nimatron_game::{Height, MAX_STACKS, Outcome, StackSet, Take};

/// Up to so many stacks, after merging, the statement is proved for all games of class C.
///
/// For each of the finitely many games of the class with so many stacks, none of which can be merged
/// and no two neighbours of which share no facet, there is an accepted certificate, and its
/// invariant vectors are the peels; see `docs/peeling.md`.
pub const PROVED_STACKS: usize = 12;

/// Up to so many stacks the statement is proved for CN(n,k) of class C: the largest by a certificate of
/// its own, for with a stack empty fewer are left.
pub const PROVED_CIRCULAR: usize = 13;

/// What peeling says about a position, and how sure that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peeled {
    /// The peels, in the order in which they were subtracted, and how often each was.
    pub peels: Vec<(StackSet, Height)>,
    /// What is left: taking it wins. All zero if the position is P.
    pub left: Vec<Height>,
    /// A facet that holds what is left; empty if nothing is.
    pub facet: StackSet,
    /// Why this is the outcome; `None` where it is a conjecture.
    pub proof: Option<Proof>,
}

/// Why peeling is known to be right at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Proof {
    /// The non-empty stacks merge to few.
    Few {
        /// To how many.
        stacks: usize,
    },
    /// Two neighbours among the non-empty stacks share no facet.
    Gap,
    /// The move leads to a position of one of these kinds.
    Reached,
}

impl Peeled {
    /// The outcome that peeling gives.
    pub fn outcome(&self) -> Outcome {
        outcome(&self.left)
    }

    /// The move: exactly what is left.
    pub fn take(&self) -> Option<Take> {
        (self.outcome() == Outcome::N).then(|| Take::new(self.left.clone()))
    }

    /// The story.
    pub fn reasons(&self) -> Vec<Reason> {
        let peel = |&(stacks, times): &(StackSet, Height)| Reason::Peel { stacks, times };
        let left = Reason::Left { heights: self.left.clone(), facet: self.facet };
        self.peels.iter().map(peel).chain([left]).collect()
    }
}

fn outcome(left: &[Height]) -> Outcome {
    if left.iter().all(|&h| h == 0) { Outcome::P } else { Outcome::N }
}

impl Circle {
    /// Whether the statement is proved for all positions of the game.
    pub fn is_proved(&self) -> bool {
        let n = self.len();
        n <= PROVED_STACKS || n <= PROVED_CIRCULAR && self.is_circular()
    }

    /// What peeling says about a position, with its story.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn peeled(&self, heights: &[Height]) -> Peeled {
        let mut left = heights.to_vec();
        let mut peels = Vec::new();
        self.subtract(&mut left, |stacks, times| peels.push((stacks, times)));
        let held =
            |facet: &&StackSet| left.iter().enumerate().all(|(s, &h)| h == 0 || facet.contains(s));
        let facet = match outcome(&left) {
            Outcome::P => StackSet::EMPTY,
            Outcome::N => *self.facets().iter().find(held).expect("peeling ends in a facet"),
        };
        let proof = self.proof(heights, &left);
        Peeled { peels, left, facet, proof }
    }

    /// What is left of a position when peels are subtracted, each as often as it goes.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn left(&self, heights: &[Height]) -> Vec<Height> {
        let mut left = heights.to_vec();
        self.subtract(&mut left, |_, _| {});
        left
    }

    /// The outcome that peeling gives.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn outcome(&self, heights: &[Height]) -> Outcome {
        let mut left = [0; MAX_STACKS];
        let left = &mut left[..heights.len()];
        left.copy_from_slice(heights);
        self.subtract(left, |_, _| {});
        outcome(left)
    }

    /// Subtracts peels until what is left lies in one facet, and tells of each.
    ///
    /// Of stacks that share a place one after the other is used up, so no sum is ever taken and every
    /// peel is one of stacks.
    #[inline]
    fn subtract(&self, heights: &mut [Height], mut tell: impl FnMut(StackSet, Height)) {
        let mut tops = [0u8; MAX_STACKS];
        let mut alive = 0u32;
        for (place, (stacks, top)) in self.places().iter().zip(&mut tops).enumerate() {
            if let Some(stack) = stacks.iter().find(|&s| heights[s] > 0) {
                *top = stack as u8;
                alive |= 1 << place;
            }
        }
        while self.facet(alive).is_none() {
            let peel = StackSet::from_bits(self.peel(alive));
            let top = |place: usize| usize::from(tops[place]);
            let times = peel.iter().map(|p| heights[top(p)]).min().unwrap_or(0);
            let stacks = peel.iter().map(top).collect();
            for place in peel {
                let stack = usize::from(tops[place]);
                heights[stack] -= times;
                if heights[stack] == 0 {
                    match self.places()[place].iter().find(|&s| heights[s] > 0) {
                        Some(next) => tops[place] = next as u8,
                        None => alive &= !(1 << place),
                    }
                }
            }
            tell(stacks, times);
        }
    }

    /// Why peeling is right at a position of which this is left; `None` where it is a conjecture.
    pub fn proof(&self, heights: &[Height], left: &[Height]) -> Option<Proof> {
        let at = self.proof_at(self.alive(|s| heights[s] > 0));
        let moves = || left.iter().any(|&h| h > 0).then(|| self.alive(|s| heights[s] > left[s]));
        at.or_else(|| moves().and_then(|places| self.proof_at(places)).map(|_| Proof::Reached))
    }

    /// The places with a stack of this kind.
    fn alive(&self, holds: impl Fn(usize) -> bool) -> u32 {
        let places = self.places().iter().enumerate();
        places.filter(|(_, stacks)| stacks.iter().any(&holds)).fold(0, |set, (p, _)| set | 1 << p)
    }

    fn proof_at(&self, places: u32) -> Option<Proof> {
        if self.facet(places).is_none() && self.has_gap(places) {
            return Some(Proof::Gap);
        }
        let stacks = self.merged(places);
        let few = stacks <= PROVED_STACKS || self.is_proved();
        few.then_some(Proof::Few { stacks })
    }
}
