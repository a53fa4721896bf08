//! The Invariance Reduction Process (KDH26 section 3), step by step.

use crate::knowledge::Knowledge;
use nimatron_game::{Family, Game, Position, StackSet};
use nimatron_reduce::{Chain, Invariance, Reduction, State, StateError};
use nimatron_theory::Recognition;
use std::sync::Arc;

/// Why the process cannot be carried out as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProcessError {
    /// The position does not fit the game.
    #[error(transparent)]
    Position(#[from] StateError),
    /// No theorem says that the vector is invariant.
    #[error("no theorem says that {0} is an invariant vector of this game")]
    NotInvariant(StackSet),
}

/// Reduces a position as far as theorems allow: tokens are taken off along invariant vectors, what
/// is left is made smaller, and so on until a game is reached whose theorem gives the move at once.
///
/// The vectors of the game itself are used in the order given, or else in that of the theorem. A
/// different order may lead elsewhere, never to another outcome.
///
/// ```
/// use nimatron::{Knowledge, invariance_process};
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
    let state = State::new(game, position)?;
    let mut chain = Chain::new(state);
    if let Some(vectors) = vectors {
        let known = theorem(chain.end(), knowledge).map_or(Vec::new(), |t| t.invariants.clone());
        if let Some(&unknown) = vectors.iter().find(|v| !known.contains(v)) {
            return Err(ProcessError::NotInvariant(unknown));
        }
        if let Some(step) = (Invariance { vectors: vectors.to_vec() }).apply(chain.end()) {
            chain.push_step(step);
        }
    } else if let Some(theorem) = theorem(chain.end(), knowledge)
        && let Some(step) = (Invariance { vectors: theorem.invariants.clone() }).apply(chain.end())
    {
        chain.push_step(step);
    }
    chain.append(Chain::reduce(chain.end().clone()));
    while let Some(theorem) = theorem(chain.end(), knowledge)
        && let Some((further, _)) = round(chain.end(), &theorem, knowledge)
    {
        chain.append(further);
    }
    Ok(chain)
}

/// The theorem about a state that is not a sum.
pub(crate) fn theorem(state: &State, knowledge: &Knowledge) -> Option<Arc<Recognition>> {
    let [part] = &state.parts[..] else { return None };
    knowledge.theorem(&part.rule, state.play)
}

/// The last state of a chain, after at least so many steps, that a theorem covers. A theorem about
/// the game itself is better than one about a larger game of which it is a part; the latter
/// counts only if `parts` are allowed.
pub(crate) fn last_covered(
    chain: &Chain,
    least: usize,
    parts: bool,
    knowledge: &Knowledge,
) -> Option<(usize, Arc<Recognition>)> {
    let mut part = None;
    for taken in (least..=chain.steps().len()).rev() {
        match theorem(chain.after(taken), knowledge) {
            Some(found) if !found.is_part => return Some((taken, found)),
            Some(found) if parts && part.is_none() => part = Some((taken, found)),
            _ => {}
        }
    }
    part
}

/// Whether the theorem gives the winning move so plainly that invariant vectors would be a detour.
pub(crate) fn wins_at_once(theorem: &Recognition) -> bool {
    match theorem.family {
        Some(Family::Path { .. }) => true,
        Some(Family::Circular { n, k } | Family::Moore { n, k }) => k + 1 == n || (n, k) == (4, 2),
        _ => false,
    }
}

/// One round of the process, if it leads to another game covered by a theorem.
pub(crate) fn round(
    end: &State,
    covered: &Recognition,
    knowledge: &Knowledge,
) -> Option<(Chain, Arc<Recognition>)> {
    if wins_at_once(covered) || covered.invariants.is_empty() {
        return None;
    }
    let step = Invariance { vectors: covered.invariants.clone() }.apply(end)?;
    let rest = Chain::reduce(step.after.clone());
    let mut chain = Chain::new(end.clone());
    chain.push_step(step);
    chain.append(rest);
    // Without a theorem about what is left the round was in vain.
    let (taken, next) = last_covered(&chain, 2, false, knowledge)?;
    chain.truncate(taken);
    Some((chain, next))
}
