//! Answers by theorem or proof without the story, for many positions of one game.
//!
//! The steps are those of the explained answer: reductions, invariant vectors, a theorem. But
//! which stacks of a smaller game stand for which of a larger one depends, in SetNim, only on the
//! empty stacks, so it is found out once for each pattern and then looked up.

use crate::knowledge::{Cover, Knowledge};
use crate::process;
use crate::verdict::By;
use nimatron_game::{Game, Height, Outcome, Play, StackSet, Take, slow};
use nimatron_reduce::members::{gather, spread};
use nimatron_reduce::{Chain, Chop, Invariance, State};
use nimatron_theory::Recognition;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// The ways of one game into solved games, by the playable stacks.
#[derive(Default)]
pub(crate) struct Shortcuts {
    ways: Ways,
    /// The theorem about the game itself.
    own: OnceLock<Option<(Arc<Recognition>, By)>>,
}

/// A way for each pattern met; `None` where no theorem waits at the end.
type Ways = RwLock<HashMap<StackSet, Option<Arc<Way>>>>;

/// From a game, with certain stacks empty, to a smaller one that a theorem covers.
struct Way {
    /// For each stack of the smaller game, the stacks it stands for.
    members: Vec<Vec<usize>>,
    to: Node,
}

/// A game that a theorem covers.
struct Node {
    state: Arc<State>,
    covered: Cover,
    by: By,
    /// Whether invariant vectors are to be subtracted.
    goes_on: bool,
    ways: Ways,
}

/// An answer by theorem.
pub(crate) struct Answer {
    pub(crate) outcome: Outcome,
    pub(crate) take: Option<Take>,
    pub(crate) grundy: Option<u64>,
    pub(crate) by: By,
}

impl Shortcuts {
    /// Looks for all ways anew from now on.
    #[cfg(feature = "prove")]
    pub(crate) fn forget(&self) {
        self.ways.write().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The answer of the theorem about the game itself, where nothing makes it smaller but tokens that cannot be
    /// played: for rules under which reductions depend on the heights. No stack may be empty.
    pub(crate) fn own(
        &self,
        game: &Game,
        heights: &[Height],
        knowledge: &Knowledge,
    ) -> Option<Answer> {
        let (rule, play) = (game.single()?, game.convention());
        if knowledge.asks_proofs_first() {
            return None;
        }
        let mut heights = heights.to_vec();
        if let Some(least) = Chop::least_move(rule) {
            slow::reduce_heights(least, &mut heights);
        }
        if heights.contains(&0) {
            return None;
        }
        let heights = &heights[..];
        let own = self.own.get_or_init(|| {
            if !Chain::reduce(State::generic(game)).steps().is_empty() {
                return None;
            }
            let theorem = knowledge.theorem(rule, play)?;
            let by = By::theorem(&theorem);
            Some((theorem, by))
        });
        let (theorem, by) = own.as_ref()?;
        let take = theorem.winning_move(heights);
        let outcome = if take.is_some() { Outcome::N } else { theorem.outcome(heights) };
        let grundy = value(theorem, outcome, play, heights);
        Some(Answer { outcome, take, grundy, by: by.clone() })
    }

    /// The answer at a position with these playable stacks, whose reductions `chain` tells.
    /// `None` if no theorem gives it.
    pub(crate) fn answer(
        &self,
        heights: &[Height],
        playable: StackSet,
        chain: impl FnOnce() -> Option<Chain>,
        knowledge: &Knowledge,
    ) -> Option<Answer> {
        let mut way = find(&self.ways, playable, || first(chain()?, knowledge))?;
        let mut passed: Vec<(Arc<Way>, Vec<Height>)> = Vec::new();
        let mut here = heights.to_vec();
        let mut below = way.down(&here)?;
        loop {
            passed.push((Arc::clone(&way), here));
            here = below;
            let node = &way.to;
            let mut reduced = here.clone();
            let vectors = if node.goes_on { node.covered.vectors() } else { &[] };
            if Invariance::subtract(vectors, &mut reduced).is_empty() {
                break;
            }
            let left: StackSet = (0..reduced.len()).filter(|&s| reduced[s] > 0).collect();
            let next = find(&node.ways, left, || further(node, &reduced, knowledge));
            let Some((next, down)) = next.and_then(|w| w.down(&reduced).map(|d| (w, d))) else {
                break;
            };
            (below, here, way) = (down, reduced, next);
        }
        let node = &way.to;
        // A proof that does not stand the test is for the long way to deal with.
        let crate::proofs::Answer { outcome, take, .. } = node.covered.answer(&here)?;
        let grundy = match &node.covered {
            Cover::Theorem(theorem) => value(theorem, outcome, node.state.play, &here),
            Cover::Proof(_) => {
                (outcome == Outcome::P && node.state.play == Play::Normal).then_some(0)
            }
        };
        // Invariant vectors keep outcomes, but not values.
        let grundy = grundy.filter(|&g| g == 0 || passed.len() == 1);
        let by = node.by.clone();
        let take = take.map(|take| {
            let up =
                |take: Vec<Height>, (way, above): &(Arc<Way>, Vec<Height>)| way.up(&take, above);
            Take::new(passed.iter().rev().fold(take.into_vec(), up))
        });
        Some(Answer { outcome, take, grundy, by })
    }
}

/// The Grundy value, where the outcome or the theorem tells it.
fn value(theorem: &Recognition, outcome: Outcome, play: Play, heights: &[Height]) -> Option<u64> {
    match outcome {
        Outcome::P if play == Play::Normal => Some(0),
        _ if theorem.solution().knows_values() => {
            theorem.grundy(heights).and_then(|value| u64::try_from(value).ok())
        }
        _ => None,
    }
}

/// The way for a pattern, from memory or found now.
fn find(ways: &Ways, pattern: StackSet, search: impl FnOnce() -> Option<Way>) -> Option<Arc<Way>> {
    let known = ways.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(way) = known.get(&pattern) {
        return way.clone();
    }
    drop(known);
    let way = search().map(Arc::new);
    let mut known = ways.write().unwrap_or_else(PoisonError::into_inner);
    known.insert(pattern, way.clone());
    way
}

/// The reductions of a position up to the last game that a theorem covers.
fn first(mut chain: Chain, knowledge: &Knowledge) -> Option<Way> {
    let (taken, cover) = process::last_covered(&chain, knowledge)?;
    chain.truncate(taken);
    Some(Way { members: chain.members(), to: Node::new(chain.end().clone(), cover) })
}

/// What follows when invariant vectors have been subtracted.
fn further(node: &Node, reduced: &[Height], knowledge: &Knowledge) -> Option<Way> {
    let mut chain = knowledge.reduced(Arc::new(node.state.at(reduced)?));
    let (taken, cover) = process::next_covered(&chain, 1, &node.covered, knowledge)?;
    chain.truncate(taken);
    Some(Way { members: chain.members(), to: Node::new(chain.end().clone(), cover) })
}

impl Node {
    fn new(state: Arc<State>, covered: Cover) -> Self {
        // A proof is asked itself: its answers are tested.
        let by_theorem = matches!(covered, Cover::Theorem(_)) && !process::tells_all(&covered);
        let goes_on = by_theorem && process::goes_on(&covered) && state.play == Play::Normal;
        Node { state, by: covered.by(), covered, goes_on, ways: Ways::default() }
    }
}

impl Way {
    /// Heights of the smaller game; `None` if a sum exceeds the limit.
    fn down(&self, heights: &[Height]) -> Option<Vec<Height>> {
        gather(&self.members, heights)
    }

    /// A move of the smaller game as a move of the larger.
    fn up(&self, take: &[Height], heights: &[Height]) -> Vec<Height> {
        spread(&self.members, take, heights)
    }
}
