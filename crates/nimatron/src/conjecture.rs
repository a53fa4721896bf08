//! What is conjectured where nothing is proved.

use crate::verdict::{Conjecture, Reason, WinningMove};
use nimatron_game::{Game, Position};
use nimatron_reduce::{Chain, State};
use nimatron_theory::peeling::{self, Circle, Peeled};
use std::sync::Arc;

/// Larger boxes are not searched where a conjecture answers at once.
const MOST_POSITIONS: f64 = 1e9;

/// What is conjectured about all positions of a game. Whether it is proved, for some of them or for all, is for
/// others to say.
///
/// ```
/// use nimatron::structure::conjecture_about;
/// assert!(conjecture_about(&"CN(14,5)".parse().unwrap()).is_some());
/// assert!(conjecture_about(&"CN(14,6)".parse().unwrap()).is_none());
/// ```
pub fn conjecture_about(game: &Game) -> Option<&'static str> {
    Circle::of(game.single()?, game.convention()).map(|_| peeling::STATEMENT)
}

/// What is conjectured about the position that a chain starts from.
pub(crate) fn conjectured(chain: &Chain, position: &Position) -> Option<Conjecture> {
    let (taken, peeled) = first(chain)?;
    let (state, outcome) = (Arc::clone(chain.after(taken)), peeled.outcome());
    let steps = chain.steps()[..taken].iter().cloned();
    let mut reasons: Vec<Reason> = steps.map(Reason::Reduction).collect();
    reasons.push(Reason::Conjecture { state, outcome, facts: peeled.reasons() });
    let winning = peeled.take().and_then(|take| {
        let mut known = chain.clone();
        known.truncate(taken);
        let take = known.lift(&take);
        Some(WinningMove { to: position.after(&take)?, take })
    });
    Some(Conjecture { statement: peeling::STATEMENT, outcome, winning, reasons })
}

/// Whether searching is not worth while: the box is large, and a conjecture says what to expect.
pub(crate) fn is_too_large(chain: &Chain) -> bool {
    let positions: f64 = chain.end().heights().iter().map(|&h| h as f64 + 1.0).product();
    positions > MOST_POSITIONS && first(chain).is_some()
}

/// The first state of a chain about which there is a conjecture.
fn first(chain: &Chain) -> Option<(usize, Peeled)> {
    let about = |state: &State| match &state.parts[..] {
        [part] => peeling::conjecture(&part.rule, state.play, &part.heights),
        _ => None,
    };
    (0..=chain.steps().len()).find_map(|taken| Some((taken, about(chain.after(taken))?)))
}
