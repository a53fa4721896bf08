//! What is known for all heights, and from where. There is one lookup, and everybody asks it:
//! [`Knowledge::cover`] about a rule as it is, [`Knowledge::solved`] about a game, which may be
//! known under a reduction or as a sum.

mod cover;
#[cfg(feature = "prove")]
mod parts;

pub use cover::{Cover, ProofCover};

use crate::proofs::{Answer, Stored};
#[cfg(feature = "prove")]
use crate::proofs::{Proved, Source, Store, StoreError};
use crate::subgames::{Solved, Subgame};
use crate::verdict::By;
use nimatron_game::{Game, Height, Known, Outcome, Play, Rule, StackSet};
use nimatron_reduce::{Chain, State};
use nimatron_theory::{Recognition, partial, recognise};
#[cfg(feature = "prove")]
use nimatron_verify::Certificate;
#[cfg(feature = "prove")]
use parts::Parts;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
#[cfg(feature = "prove")]
use std::sync::{Mutex, OnceLock};

/// The theorems and proofs that cover the rules met so far. Recognising a rule takes a while;
/// afterwards the answer is at hand.
#[derive(Debug, Default)]
pub struct Knowledge {
    recognised: [Remembered<Recognition>; 2],
    /// Whose memory is used, as long as nothing was learned.
    parent: Option<Arc<Knowledge>>,
    /// Whether the atlas counts.
    without_atlas: bool,
    /// Whether proofs are asked before theorems.
    proofs_first: bool,
    #[cfg(feature = "prove")]
    store: Option<Store>,
    /// Proofs that were found while this was in use.
    #[cfg(feature = "prove")]
    learned: RwLock<Vec<Certificate>>,
    proved: [Remembered<Stored>; 2],
    covered: [Remembered<ProofCover>; 2],
    /// The reductions of states met before, by rule and by which stacks can be played on.
    chains: RwLock<HashMap<Rule, Chains>>,
    /// The games inside those of the store.
    #[cfg(feature = "prove")]
    in_store: OnceLock<Parts>,
    #[cfg(feature = "prove")]
    problems: Mutex<Problems>,
}

/// Stored proofs that could not be used.
#[cfg(feature = "prove")]
#[derive(Debug, Default)]
struct Problems {
    /// Those that nobody has asked for yet.
    untold: Vec<StoreError>,
    /// All that were ever met: a file may be asked for under several names of the stacks.
    met: std::collections::HashSet<String>,
}

/// By which stacks can be played on; one for each name under which the rule was met, for reductions start
/// from the name.
type Chains = HashMap<(StackSet, Play), Vec<Chain>>;

/// So many reductions are remembered.
const MOST_CHAINS: usize = 10_000;

/// So many rules are remembered.
const MOST_RULES: usize = 20_000;

/// By rule: what is known, if anything is.
type Remembered<T> = RwLock<HashMap<Rule, Option<Arc<T>>>>;

impl Knowledge {
    /// The theorem library alone, without the proofs of the atlas.
    pub fn theorems() -> Self {
        Knowledge { without_atlas: true, ..Knowledge::default() }
    }

    /// What another knows, with its memory: for many questions, none of which is to change what others are
    /// answered. What is learned here is not known there.
    pub fn sharing(parent: Arc<Knowledge>) -> Self {
        let (without_atlas, proofs_first) = (parent.without_atlas, parent.proofs_first);
        Knowledge { without_atlas, proofs_first, parent: Some(parent), ..Knowledge::default() }
    }

    /// Who remembers for this, if somebody does.
    fn elder(&self) -> Option<&Knowledge> {
        #[cfg(feature = "prove")]
        if !self.learned.read().unwrap_or_else(PoisonError::into_inner).is_empty() {
            return None;
        }
        self.parent.as_deref()
    }

    /// The theorem library, the atlas, and the proofs of a store.
    #[cfg(feature = "prove")]
    pub fn with_store(store: Store) -> Self {
        Knowledge { store: Some(store), ..Knowledge::default() }
    }

    /// The theorem library and the atlas, where proofs are asked before theorems: for the stories
    /// that proofs tell about games that theorems cover as well.
    pub fn proofs_first() -> Self {
        Knowledge::default().preferring_proofs()
    }

    /// The same, where proofs are asked before theorems.
    #[must_use]
    pub fn preferring_proofs(self) -> Self {
        Knowledge { proofs_first: true, ..self }
    }

    pub(crate) fn asks_proofs_first(&self) -> bool {
        self.proofs_first
    }

    /// Who knows the P-positions of a game with this rule, as it is: a theorem about it or about a
    /// game that contains it, else a proof about it or about a game that contains it.
    ///
    /// ```
    /// use nimatron::{Game, Knowledge};
    /// let knowledge = Knowledge::default();
    /// let known = |text: &str| {
    ///     let game: Game = text.parse().unwrap();
    ///     knowledge.cover(game.single().unwrap(), game.convention()).is_some()
    /// };
    /// assert!(known("CN(7,3)") && known("CN(9,4)") && known("NN(9,4,3)"));
    /// assert!(!known("CN(6,2)") && !known("misere CN(5,2)"));
    /// ```
    pub fn cover(&self, rule: &Rule, play: Play) -> Option<Cover> {
        let theorem = || self.theorem(rule, play).map(Cover::Theorem);
        let proof = || self.proof_cover(rule, play).map(Cover::Proof);
        match self.proofs_first {
            true => proof().or_else(theorem),
            false => theorem().or_else(proof),
        }
    }

    /// Who solved a game: as it is, after reductions, or as a sum of games with known values.
    /// `None` if nobody did as far as is known here.
    pub fn solved(&self, game: &Game) -> Option<Solved> {
        Subgame::of(game, StackSet::EMPTY, self).solved
    }

    /// Vectors that can be added and subtracted without changing the outcome, and who says so. A
    /// theorem is asked first; where it gives none, a proof may.
    pub fn vectors(&self, rule: &Rule, play: Play) -> Option<(Vec<StackSet>, By)> {
        if play != Play::Normal {
            return None;
        }
        let theorem = self.theorem(rule, play).map(Cover::Theorem);
        let proof = || self.proof_cover(rule, play).map(Cover::Proof);
        let has_some = |cover: &Cover| !cover.vectors().is_empty();
        let cover = theorem.filter(has_some).or_else(|| proof().filter(has_some))?;
        Some((cover.vectors().to_vec(), cover.by()))
    }

    /// The theorem that covers a rule, if there is one.
    pub fn theorem(&self, rule: &Rule, play: Play) -> Option<Arc<Recognition>> {
        if let Some(parent) = &self.parent {
            return parent.theorem(rule, play);
        }
        remember(&self.recognised[place(play)], rule, || recognise(rule, play))
    }

    /// The reductions of a state, from memory where its rule and pattern of playable stacks were met before.
    pub(crate) fn reduced(&self, state: Arc<State>) -> Chain {
        if let Some(parent) = &self.parent {
            return parent.reduced(state);
        }
        let [part] = &state.parts[..] else { return Chain::reduce(state) };
        let pattern = (part.rule.playable(&part.heights), state.play);
        let known = self.chains.read().unwrap_or_else(PoisonError::into_inner);
        let named =
            |chain: &&Chain| matches!(&chain.start().parts[..], [own] if own.family == part.family);
        let chains = known.get(&part.rule).and_then(|chains| chains.get(&pattern));
        let chain = chains.and_then(|chains| chains.iter().find(named));
        if let Some(chain) = chain.and_then(|chain| chain.at(&part.heights)) {
            return chain;
        }
        let known_already = chain.is_some();
        drop(known);
        let rule = part.rule.clone();
        let chain = Chain::reduce(state);
        if known_already {
            // What depends on the heights is not worth remembering.
            return chain;
        }
        let mut known = self.chains.write().unwrap_or_else(PoisonError::into_inner);
        if known.values().flat_map(HashMap::values).map(Vec::len).sum::<usize>() >= MOST_CHAINS {
            known.clear();
        }
        known.entry(rule).or_default().entry(pattern).or_default().push(chain.clone());
        chain
    }

    /// The proof about a rule that is kept in the store or the atlas, or was found just now, if
    /// there is one.
    pub fn proof(&self, rule: &Rule, play: Play) -> Option<Arc<Stored>> {
        if let Some(elder) = self.elder() {
            return elder.proof(rule, play);
        }
        let in_atlas = || if self.without_atlas { None } else { from_atlas(rule, play) };
        remember(&self.proved[place(play)], rule, || self.kept(rule, play).or_else(in_atlas))
    }

    /// A proof of the store, or one that was found just now.
    #[cfg(feature = "prove")]
    fn kept(&self, rule: &Rule, play: Play) -> Option<Stored> {
        if let Some(kept) = self.parent.as_ref().and_then(|parent| parent.kept(rule, play)) {
            return Some(kept);
        }
        let stored = self.store.as_ref().map_or(Ok(None), |store| store.find(rule, play));
        let stored = stored.unwrap_or_else(|problem| {
            self.problem(problem);
            None
        });
        stored.or_else(|| self.found(rule, play))
    }

    #[cfg(not(feature = "prove"))]
    fn kept(&self, _: &Rule, _: Play) -> Option<Stored> {
        None
    }

    /// The proof that answers for a rule: about it, or about a game of which it is a part.
    pub fn proof_cover(&self, rule: &Rule, play: Play) -> Option<Arc<ProofCover>> {
        if let Some(elder) = self.elder() {
            return elder.proof_cover(rule, play);
        }
        remember(&self.covered[place(play)], rule, || {
            let whole = self.proof(rule, play).map(ProofCover::whole);
            whole.or_else(|| self.part(rule, play))
        })
    }

    /// The answer of the proof about a rule, or about a game of which it is a part. A proof that does not
    /// stand the test at this position is refused from now on, and counts as a problem.
    pub fn answer(
        &self,
        rule: &Rule,
        play: Play,
        heights: &[Height],
    ) -> Option<(Arc<ProofCover>, Answer)> {
        let cover = self.proof_cover(rule, play)?;
        if let Some(answer) = cover.answer(heights) {
            return Some((cover, answer));
        }
        let mut proved = self.proved[place(play)].write().unwrap_or_else(PoisonError::into_inner);
        proved.insert(rule.clone(), None);
        drop(proved);
        let mut covered = self.covered[place(play)].write().unwrap_or_else(PoisonError::into_inner);
        if covered.insert(rule.clone(), None).flatten().is_some() {
            self.unreliable(cover.stored(), heights);
        }
        None
    }

    /// Notes that a proof did not stand the test.
    #[cfg(feature = "prove")]
    fn unreliable(&self, stored: &Stored, heights: &[Height]) {
        let Ok(position) = nimatron_game::Position::new(heights.to_vec()) else { return };
        self.problem(StoreError::Unreliable { place: stored.source().clone(), position });
    }

    #[cfg(not(feature = "prove"))]
    fn unreliable(&self, stored: &Stored, _: &[Height]) {
        match *stored {}
    }

    /// From now on the proof counts. It has been accepted by the checker.
    #[cfg(feature = "prove")]
    pub fn learn(&self, proved: &Proved) {
        let mut learned = self.learned.write().unwrap_or_else(PoisonError::into_inner);
        learned.push(proved.certificate().clone());
        drop(learned);
        // What was not known before may be now.
        for known in &self.proved {
            known.write().unwrap_or_else(PoisonError::into_inner).retain(|_, p| p.is_some());
        }
        for known in &self.covered {
            known.write().unwrap_or_else(PoisonError::into_inner).retain(|_, p| p.is_some());
        }
    }

    /// The stored proofs that could not be used, each told once.
    #[cfg(feature = "prove")]
    pub fn problems(&self) -> Vec<StoreError> {
        std::mem::take(&mut self.problems.lock().unwrap_or_else(PoisonError::into_inner).untold)
    }

    #[cfg(feature = "prove")]
    fn problem(&self, problem: StoreError) {
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        if problems.met.insert(problem.to_string()) {
            problems.untold.push(problem);
        }
    }

    /// A proof found just now.
    #[cfg(feature = "prove")]
    fn found(&self, rule: &Rule, play: Play) -> Option<Stored> {
        let learned = self.learned.read().unwrap_or_else(PoisonError::into_inner);
        learned.iter().find_map(|certificate| {
            let own = certificate.game.single()?;
            let alike = own.stacks() == rule.stacks() && certificate.game.convention() == play;
            let proved = alike.then(|| Proved::trusting(certificate.clone()))??;
            Stored::new(rule, play, proved, Source::Found)
        })
    }

    /// The rule as a part of a larger game: one of the atlas, or one of the store.
    #[cfg(feature = "prove")]
    fn part(&self, rule: &Rule, play: Play) -> Option<ProofCover> {
        let of_atlas = Parts::of_atlas().filter(|_| !self.without_atlas);
        if let Some(parts) = of_atlas.filter(|_| rule.is_set_nim() && play == Play::Normal)
            && let Some(found) = self.place_in(parts, rule, play)
        {
            return Some(found);
        }
        let store = self.store.as_ref()?;
        let parts = self.in_store.get_or_init(|| Parts::of(&store.games()));
        self.place_in(parts, rule, play)
    }

    #[cfg(not(feature = "prove"))]
    fn part(&self, _: &Rule, _: Play) -> Option<ProofCover> {
        None
    }

    #[cfg(feature = "prove")]
    fn place_in(&self, parts: &Parts, rule: &Rule, play: Play) -> Option<ProofCover> {
        let (host, stacks) = parts.find(rule, play)?;
        let proof = self.proof(host.single()?, play)?;
        Some(ProofCover::part(proof, stacks))
    }
}

/// The proof of the atlas about a rule.
#[cfg(feature = "atlas")]
fn from_atlas(rule: &Rule, play: Play) -> Option<Stored> {
    use crate::atlas::Atlas;
    let atlas = Atlas::shipped();
    let certificate = atlas.certificate(atlas.find(rule, play)?).ok()??;
    // The certificates that come with the program were accepted before, by its tests.
    Stored::new(rule, play, Proved::trusting(certificate)?, Source::Atlas)
}

#[cfg(not(feature = "atlas"))]
fn from_atlas(_: &Rule, _: Play) -> Option<Stored> {
    None
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
    if known.len() >= MOST_RULES {
        known.clear();
    }
    known.insert(rule.clone(), found.clone());
    found
}

impl Known for Knowledge {
    fn outcome(&self, rule: &Rule, play: Play, heights: &[Height]) -> Option<Outcome> {
        match self.theorem(rule, play) {
            Some(theorem) => Some(theorem.outcome(heights)),
            None => match self.answer(rule, play, heights) {
                Some((_, answer)) => Some(answer.outcome),
                None => partial(rule, play, heights).map(|(_, outcome)| outcome),
            },
        }
    }

    fn grundy(&self, rule: &Rule, heights: &[Height]) -> Option<u64> {
        match self.theorem(rule, Play::Normal) {
            Some(theorem) => u64::try_from(theorem.grundy(heights)?).ok(),
            None => {
                let (_, answer) = self.answer(rule, Play::Normal, heights)?;
                (answer.outcome == Outcome::P).then_some(0)
            }
        }
    }
}
