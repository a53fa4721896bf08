//! What the theorem library knows, remembered by rule.

use nimatron_game::{Height, Known, Outcome, Play, Rule};
use nimatron_theory::{Recognition, partial, recognise};
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// The theorems that cover the rules met so far. Recognising a rule takes a while; afterwards the
/// answer is at hand.
#[derive(Default)]
pub struct Knowledge {
    recognised: [RwLock<HashMap<Rule, Option<Arc<Recognition>>>>; 2],
}

impl Knowledge {
    /// The theorem that covers a rule, if there is one.
    pub fn theorem(&self, rule: &Rule, play: Play) -> Option<Arc<Recognition>> {
        let recognised = &self.recognised[usize::from(play == Play::Misere)];
        let known = recognised.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(rule) {
            return found.clone();
        }
        drop(known);
        let found = recognise(rule, play).map(Arc::new);
        let mut known = recognised.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(rule.clone(), found.clone());
        found
    }
}

impl Known for Knowledge {
    fn outcome(&self, rule: &Rule, play: Play, heights: &[Height]) -> Option<Outcome> {
        match self.theorem(rule, play) {
            Some(theorem) => Some(theorem.outcome(heights)),
            None => partial(rule, play, heights).map(|(_, outcome)| outcome),
        }
    }

    fn grundy(&self, rule: &Rule, heights: &[Height]) -> Option<u64> {
        let value = self.theorem(rule, Play::Normal)?.grundy(heights)?;
        u64::try_from(value).ok()
    }
}
