//! The Invariance Reduction Process (KDH26 section 3), step by step.

use crate::knowledge::{Cover, Knowledge};
use nimatron_game::{Family, Game, Position, StackSet};
use nimatron_reduce::{Chain, Invariance, Reduction, State, StateError};
use nimatron_theory::{Recognition, Scope};
use std::sync::Arc;

/// Why the process cannot be carried out as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProcessError {
    /// The position does not fit the game.
    #[error(transparent)]
    Position(#[from] StateError),
    /// Neither a theorem nor a proof says that the vector is invariant.
    #[error("neither a theorem nor a proof says that {0} is an invariant vector of this game")]
    NotInvariant(StackSet),
}

/// Reduces a position as far as theorems and proofs allow: tokens are taken off along invariant
/// vectors, what is left is made smaller, and so on until a game is reached whose theorem gives the
/// move at once.
///
/// The vectors of the game itself are used in the order given, or else in that of the theorem. A
/// different order may lead elsewhere, never to another outcome.
///
/// ```
/// use nimatron::Knowledge;
/// use nimatron::structure::invariance_process;
/// let (game, position) = ("H".parse().unwrap(), "8,2,4,6,5,7".parse().unwrap());
/// let chain = invariance_process(&game, &position, None, &Knowledge::default()).unwrap();
/// assert_eq!(chain.after(1).to_string(), "NN(6,3) at (2,0,0,4,1,1)");
/// assert_eq!(chain.end().to_string(), "PN(3,2) at (2,1,5)");
/// ```
pub fn invariance_process(
    game: &Game,
    position: &Position,
    vectors: Option<&[StackSet]>,
    knowledge: &Knowledge,
) -> Result<Chain, ProcessError> {
    let mut chain = Chain::new(State::new(game, position)?);
    let known = game.single().and_then(|rule| knowledge.vectors(rule, game.convention()));
    if let Some(vectors) = vectors {
        let known = known.as_ref().map_or(&[][..], |(known, _)| known);
        if let Some(&unknown) = vectors.iter().find(|v| !known.contains(v)) {
            return Err(ProcessError::NotInvariant(unknown));
        }
    }
    if let Some((known, by)) = known {
        let vectors = vectors.map_or(known, <[StackSet]>::to_vec);
        let invariance = Invariance { vectors, by: by.cited() };
        if let Some(step) = invariance.apply(chain.end()) {
            chain.push_step(step);
        }
    }
    chain.append(knowledge.reduced(chain.end().clone()));
    while let Some(cover) = cover(chain.end(), knowledge)
        && let Some((further, _)) = round(chain.end(), &cover, knowledge)
    {
        chain.append(further);
    }
    Ok(chain)
}

/// Who knows a state that is not a sum.
pub(crate) fn cover(state: &State, knowledge: &Knowledge) -> Option<Cover> {
    let [part] = &state.parts[..] else { return None };
    knowledge.cover(&part.rule, state.play)
}

/// The state of a chain, after at least so many steps, about which most is known, and who knows it.
/// Among those that `value` finds equally good it is the last; those without a value do not count.
fn best_covered(
    chain: &Chain,
    least: usize,
    knowledge: &Knowledge,
    value: impl Fn(&Cover) -> Option<u8>,
) -> Option<(usize, Cover)> {
    let mut best: Option<(u8, usize, Cover)> = None;
    for taken in (least..=chain.steps().len()).rev() {
        let Some(cover) = cover(chain.after(taken), knowledge) else { continue };
        let Some(value) = value(&cover) else { continue };
        if best.as_ref().is_none_or(|(known, ..)| value > *known) {
            best = Some((value, taken, cover));
        }
    }
    best.map(|(_, taken, cover)| (taken, cover))
}

/// Where a chain of reductions is best left to who knows the game reached, and who that is. A theorem
/// about the game itself comes first, then one about a larger game of which it is a part, then one about a
/// whole class of games, then a proof.
pub(crate) fn last_covered(chain: &Chain, knowledge: &Knowledge) -> Option<(usize, Cover)> {
    let proofs_first = knowledge.asks_proofs_first();
    best_covered(chain, 0, knowledge, |cover| match cover {
        Cover::Theorem(theorem) => Some(nearness(theorem)),
        Cover::Proof(_) => Some(if proofs_first { NEAREST } else { 0 }),
    })
}

fn nearness(theorem: &Recognition) -> u8 {
    match theorem.scope {
        Scope::Game => NEAREST - 1,
        Scope::Part => 2,
        _ => 1,
    }
}

const NEAREST: u8 = 4;

/// Where the reductions are left after tokens were taken off along vectors that `before` gives. A
/// proof may lead to games that are known because it contains them, and a theorem about a class to others
/// of the class: they have vectors for these, too. Another theorem that did so would only come back to
/// itself.
pub(crate) fn next_covered(
    chain: &Chain,
    least: usize,
    before: &Cover,
    knowledge: &Knowledge,
) -> Option<(usize, Cover)> {
    let proofs_first = knowledge.asks_proofs_first();
    best_covered(chain, least, knowledge, |cover| match (before, cover) {
        (_, Cover::Theorem(theorem)) if theorem.scope == Scope::Game => Some(NEAREST - 1),
        (Cover::Theorem(before), Cover::Theorem(theorem)) if before.scope == Scope::Class => {
            Some(nearness(theorem))
        }
        (Cover::Theorem(_), _) => None,
        (Cover::Proof(_), Cover::Theorem(_)) => Some(0),
        (Cover::Proof(_), Cover::Proof(_)) => Some(if proofs_first { NEAREST } else { 1 }),
    })
}

/// Whether the theorem gives the winning move so plainly that invariant vectors would be a detour.
pub(crate) fn wins_at_once(theorem: &Recognition) -> bool {
    match theorem.family {
        Some(Family::Path { .. }) => true,
        Some(Family::Circular { n, k } | Family::Moore { n, k }) => k + 1 == n || (n, k) == (4, 2),
        _ => false,
    }
}

/// Whether who knows the game tells the whole story by itself, without smaller games.
pub(crate) fn tells_all(cover: &Cover) -> bool {
    matches!(cover, Cover::Theorem(theorem) if theorem.scope == Scope::Class)
}

/// Whether tokens are to be taken off along the vectors known.
pub(crate) fn goes_on(cover: &Cover) -> bool {
    let at_once = match cover {
        Cover::Theorem(theorem) => wins_at_once(theorem),
        Cover::Proof(_) => false,
    };
    !at_once && !cover.vectors().is_empty()
}

/// One round of the process, if it leads to another game that is known.
pub(crate) fn round(
    end: &Arc<State>,
    covered: &Cover,
    knowledge: &Knowledge,
) -> Option<(Chain, Cover)> {
    if !goes_on(covered) {
        return None;
    }
    let by = covered.by().cited();
    let step = Invariance { vectors: covered.vectors().to_vec(), by }.apply(end)?;
    let rest = knowledge.reduced(Arc::clone(&step.after));
    let mut chain = Chain::new(Arc::clone(end));
    chain.push_step(step);
    chain.append(rest);
    // If nothing is known about what is left the round was in vain.
    let (taken, next) = next_covered(&chain, 2, covered, knowledge)?;
    chain.truncate(taken);
    Some((chain, next))
}
