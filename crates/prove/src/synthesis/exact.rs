//! Questions about candidates that are answered exactly, by automata.

use crate::automata::{Builder, NoAutomaton, complement, minimised, shortest};
use nimatron_formula::Formula;
use nimatron_game::{Game, Stop, Watch};
use nimatron_verify::automaton::Dfa;

/// The most relabellings of the stacks that are looked at.
const MOST_RELABELLINGS: usize = 1000;

/// The set that is to be described, and how candidates compare with it.
pub(super) struct Exact<'a> {
    builder: Builder<'a>,
    pub(super) target: Dfa,
    pub(super) stacks: usize,
    /// All relabellings over which `sym` ranges, the identity first; just the identity if there are
    /// too many.
    pub(super) group: Vec<Vec<usize>>,
    pub(super) watch: &'a dyn Watch,
}

/// A question that has no answer within the limits of automata, or that was stopped.
pub(super) enum Unanswered {
    Stopped(Stop),
    TooLarge,
}

impl From<NoAutomaton> for Unanswered {
    fn from(error: NoAutomaton) -> Self {
        match error {
            NoAutomaton::Stopped(stop) => Unanswered::Stopped(stop),
            _ => Unanswered::TooLarge,
        }
    }
}

impl<'a> Exact<'a> {
    /// `None` if automata cannot follow the moves of the game.
    pub(super) fn new(game: &Game, target: &Dfa, watch: &'a dyn Watch) -> Option<Self> {
        let builder = Builder::new(game, watch).ok()?;
        let stacks = game.stacks();
        let group = closure(stacks, builder.symmetries());
        Some(Exact { builder, target: target.clone(), stacks, group, watch })
    }

    /// The images of a position under all relabellings.
    pub(super) fn images(&self, heights: &[i64]) -> Vec<Vec<i64>> {
        self.group.iter().map(|g| g.iter().map(|&s| heights[s]).collect()).collect()
    }

    /// The least automaton for the same set.
    pub(super) fn minimal(&self, dfa: &Dfa) -> Result<Dfa, Unanswered> {
        self.check()?;
        Ok(minimised(dfa))
    }

    /// The automaton of a formula.
    pub(super) fn automaton(&mut self, formula: &Formula) -> Result<Dfa, Unanswered> {
        let plain = formula.plain(self.stacks).map_err(|_| Unanswered::TooLarge)?;
        Ok(self.builder.formula(&plain)?)
    }

    /// A position that an automaton accepts and the target does not; `Ok(None)` if there is none.
    pub(super) fn outside(&self, dfa: &Dfa) -> Option<Vec<i64>> {
        difference(self.stacks, dfa, &self.target, |own, target| own && !target)
    }

    /// Accepts what the first automaton accepts and no image of the second.
    pub(super) fn without(&self, dfa: &Dfa, taken: &Dfa) -> Result<Dfa, Unanswered> {
        let mut left = dfa.clone();
        for image in self.builder.images(taken.clone())? {
            left = self.builder.combine(true, vec![left, complement(image)])?;
        }
        Ok(left)
    }

    /// Accepts what an automaton accepts and the target does not.
    pub(super) fn rest_of(&self, dfa: &Dfa) -> Result<Dfa, Unanswered> {
        let parts = vec![dfa.clone(), complement(self.target.clone())];
        Ok(self.builder.combine(true, parts)?)
    }

    pub(super) fn check(&self) -> Result<(), Unanswered> {
        self.watch.check(0).map_err(Unanswered::Stopped)
    }
}

/// Whether an automaton accepts nothing; it is minimal.
pub(super) fn is_empty(dfa: &Dfa) -> bool {
    dfa.accepting == [false]
}

/// Whether an automaton accepts a position.
pub(super) fn accepts(dfa: &Dfa, heights: &[i64]) -> bool {
    let all = heights.iter().fold(0, |a, h| a | h);
    let bits = i64::BITS - all.leading_zeros();
    let letter = |bit: u32| {
        let ones = heights.iter().enumerate().map(|(s, h)| ((h >> bit & 1) as usize) << s);
        ones.fold(0, |a, b| a | b)
    };
    let end = (0..bits).rev().fold(dfa.initial, |q, bit| dfa.next[q as usize][letter(bit)]);
    dfa.accepting[end as usize]
}

/// A shortest position at which two automata differ in this way.
pub(super) fn difference(
    stacks: usize,
    left: &Dfa,
    right: &Dfa,
    differ: impl Fn(bool, bool) -> bool,
) -> Option<Vec<i64>> {
    let step = |(p, q): (u32, u32), letter: u32| {
        (left.next[p as usize][letter as usize], right.next[q as usize][letter as usize])
    };
    let found =
        |(p, q): (u32, u32)| differ(left.accepting[p as usize], right.accepting[q as usize]);
    let word = shortest((left.initial, right.initial), 1 << stacks, step, found)?;
    let mut heights = vec![0i64; stacks];
    // Words as long as that do not occur with automata as small as these; if one does, what is left
    // of it is no counterexample, and the candidate is dropped for lack of one.
    for &letter in word.iter().skip(word.len().saturating_sub(56)) {
        for (stack, height) in heights.iter_mut().enumerate() {
            *height = *height << 1 | i64::from(letter >> stack & 1);
        }
    }
    Some(heights)
}

/// All products of some relabellings, the identity first.
pub(crate) fn closure(stacks: usize, generators: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let identity: Vec<usize> = (0..stacks).collect();
    let mut group = vec![identity.clone()];
    let mut seen = std::collections::HashSet::from([identity.clone()]);
    let mut at = 0;
    while at < group.len() {
        for generator in generators {
            let product: Vec<usize> = group[at].iter().map(|&s| generator[s]).collect();
            if seen.insert(product.clone()) {
                group.push(product);
            }
        }
        if group.len() > MOST_RELABELLINGS {
            return vec![identity];
        }
        at += 1;
    }
    group
}
