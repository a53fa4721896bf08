//! What is known for all heights: by the theorem library, by stored proofs, and by the atlas.

use crate::atlas::Atlas;
use crate::proofs::{Proved, Source, Store, StoreError, Stored};
use nimatron_game::{Height, Known, Outcome, Play, Rule};
use nimatron_theory::{Recognition, partial, recognise};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// The theorems and proofs that cover the rules met so far. Recognising a rule takes a while;
/// afterwards the answer is at hand.
#[derive(Default)]
pub struct Knowledge {
    recognised: [Remembered<Recognition>; 2],
    /// Whether the atlas counts.
    without_atlas: bool,
    store: Option<Store>,
    proved: [Remembered<Stored>; 2],
    problems: Mutex<Vec<StoreError>>,
}

/// By rule: what is known, if anything is.
type Remembered<T> = RwLock<HashMap<Rule, Option<Arc<T>>>>;

impl Knowledge {
    /// The theorem library alone, without the proofs of the atlas.
    pub fn theorems() -> Self {
        Knowledge { without_atlas: true, ..Knowledge::default() }
    }

    /// The theorem library, the atlas, and the proofs of a store.
    pub fn with_store(store: Store) -> Self {
        Knowledge { store: Some(store), ..Knowledge::default() }
    }

    /// The theorem that covers a rule, if there is one.
    pub fn theorem(&self, rule: &Rule, play: Play) -> Option<Arc<Recognition>> {
        remember(&self.recognised[place(play)], rule, || recognise(rule, play))
    }

    /// The proof about a rule that is kept in the store or the atlas, if there is one.
    pub fn proof(&self, rule: &Rule, play: Play) -> Option<Arc<Stored>> {
        let stored = || match self.store.as_ref()?.find(rule, play) {
            Ok(found) => found,
            Err(problem) => {
                self.problems.lock().unwrap_or_else(PoisonError::into_inner).push(problem);
                None
            }
        };
        let in_atlas = || if self.without_atlas { None } else { from_atlas(rule, play) };
        remember(&self.proved[place(play)], rule, || stored().or_else(in_atlas))
    }

    /// The stored proofs that could not be used, each told once.
    pub fn problems(&self) -> Vec<StoreError> {
        std::mem::take(&mut self.problems.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The proof of the atlas about a rule.
fn from_atlas(rule: &Rule, play: Play) -> Option<Stored> {
    let atlas = Atlas::shipped();
    let certificate = atlas.certificate(atlas.find(rule, play)?).ok()??;
    // The certificates that come with the program were accepted before, by its tests.
    Stored::new(rule, play, Proved::trusting(certificate)?, Source::Atlas)
}

fn place(play: Play) -> usize {
    usize::from(play == Play::Misere)
}

fn remember<T>(
    memory: &Remembered<T>,
    rule: &Rule,
    find: impl FnOnce() -> Option<T>,
) -> Option<Arc<T>> {
    let known = memory.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known.get(rule) {
        return found.clone();
    }
    drop(known);
    let found = find().map(Arc::new);
    let mut known = memory.write().unwrap_or_else(PoisonError::into_inner);
    known.insert(rule.clone(), found.clone());
    found
}

impl Known for Knowledge {
    fn outcome(&self, rule: &Rule, play: Play, heights: &[Height]) -> Option<Outcome> {
        match self.theorem(rule, play) {
            Some(theorem) => Some(theorem.outcome(heights)),
            None => match self.proof(rule, play) {
                Some(proof) => Some(proof.outcome(heights)),
                None => partial(rule, play, heights).map(|(_, outcome)| outcome),
            },
        }
    }

    fn grundy(&self, rule: &Rule, heights: &[Height]) -> Option<u64> {
        match self.theorem(rule, Play::Normal) {
            Some(theorem) => u64::try_from(theorem.grundy(heights)?).ok(),
            None => {
                let proof = self.proof(rule, Play::Normal)?;
                (proof.outcome(heights) == Outcome::P).then_some(0)
            }
        }
    }
}
