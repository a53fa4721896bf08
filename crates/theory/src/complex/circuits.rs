//! Listing circuits one at a time.

use super::Complex;
use nimatron_game::{Sizes, StackSet, subsets_of_size};
use std::fmt;

/// Lazy iterator over the circuits of a complex; see [`Complex::circuits`].
///
/// A set is no face when it meets the complement of every facet: circuits are the minimal
/// transversals of these complements. They are found by the depth-first search of Murakami and
/// Uno: a partial transversal grows by stacks of a complement not yet met, as long as each of its
/// stacks is the only one to meet some complement. No dead end lasts longer than one step of the
/// search, and no transversal is found twice.
pub struct Circuits(Search);

enum Search {
    /// All sets of one size.
    Uniform(Box<dyn Iterator<Item = StackSet> + Send>),
    Transversals(Transversals),
}

impl fmt::Debug for Circuits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Circuits").finish_non_exhaustive()
    }
}

impl Circuits {
    pub(super) fn new(complex: &Complex) -> Self {
        let n = complex.stacks();
        if let Some(k) = complex.facets().sizes().and_then(Sizes::greatest) {
            return Circuits(Search::Uniform(Box::new(subsets_of_size(StackSet::first(n), k + 1))));
        }
        let all = StackSet::first(n);
        let mut complements: Vec<_> = complex.facets().iter().map(|facet| all - facet).collect();
        if complements.is_empty() {
            // Only the empty set is a face.
            complements.push(all);
        }
        Circuits(Search::Transversals(Transversals::new(complements, all)))
    }
}

impl Iterator for Circuits {
    type Item = StackSet;

    fn next(&mut self) -> Option<StackSet> {
        match &mut self.0 {
            Search::Uniform(sets) => sets.next(),
            Search::Transversals(search) => search.next(),
        }
    }
}

/// The minimal sets of stacks that meet every one of the given sets, lazily, each once.
///
/// ```
/// use nimatron_game::StackSet;
/// use nimatron_theory::complex::transversals;
/// // The invariant vectors of H: what can be empty when neither can be subtracted any more.
/// let vectors = [0b101011, 0b110101].map(StackSet::from_bits);
/// let mut zeros: Vec<String> = transversals(&vectors).map(|t| t.to_string()).collect();
/// zeros.sort();
/// assert_eq!(zeros, ["a", "bc", "be", "cd", "de", "f"]);
/// ```
pub fn transversals(sets: &[StackSet]) -> impl Iterator<Item = StackSet> + use<> {
    let all = sets.iter().fold(StackSet::EMPTY, |a, &b| a | b);
    let mut search = Transversals::new(sets.to_vec(), all);
    std::iter::from_fn(move || search.next())
}

struct Transversals {
    edges: Vec<StackSet>,
    stack: Vec<Frame>,
}

/// A partial transversal, the stacks to try next, and the stacks that may still be used.
struct Frame {
    set: StackSet,
    branches: StackSet,
    candidates: StackSet,
}

enum Node {
    Found,
    Dead,
    Open(Frame),
}

impl Transversals {
    fn new(edges: Vec<StackSet>, all: StackSet) -> Self {
        let mut search = Transversals { edges, stack: Vec::new() };
        if let Node::Open(root) = search.node(StackSet::EMPTY, all) {
            search.stack.push(root);
        }
        search
    }

    /// Looks at a partial transversal that may grow by `candidates`.
    fn node(&self, set: StackSet, candidates: StackSet) -> Node {
        let mut critical = StackSet::EMPTY;
        let mut open: Option<StackSet> = None;
        for &edge in &self.edges {
            let met = edge & set;
            if met.is_empty() {
                let choice = edge & candidates;
                if open.is_none_or(|best| choice.len() < best.len()) {
                    open = Some(choice);
                }
            } else if met.len() == 1 {
                critical = critical | met;
            }
        }
        match open {
            _ if critical != set => Node::Dead,
            None => Node::Found,
            Some(branches) => {
                Node::Open(Frame { set, branches, candidates: candidates - branches })
            }
        }
    }

    fn next(&mut self) -> Option<StackSet> {
        while let Some(frame) = self.stack.last_mut() {
            let Some(stack) = frame.branches.lowest() else {
                self.stack.pop();
                continue;
            };
            frame.branches = frame.branches.without(stack);
            let (set, candidates) = (frame.set.with(stack), frame.candidates);
            // Later branches may use this stack, earlier ones may not use later stacks: so every
            // transversal has one path only.
            frame.candidates = candidates.with(stack);
            match self.node(set, candidates) {
                Node::Found => return Some(set),
                Node::Dead => {}
                Node::Open(next) => self.stack.push(next),
            }
        }
        None
    }
}
