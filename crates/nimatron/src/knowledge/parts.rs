//! Games that are proved games with some stacks empty.
//!
//! A proof about a game is one about all the games that are left of it when stacks are empty: their
//! positions are positions of the larger game. A table of these, up to the names of the stacks, is
//! made when it is first needed; the proofs themselves are opened only when they are to answer.

#[cfg(feature = "atlas")]
use nimatron_game::symmetry::MAX_LISTED;
use nimatron_game::symmetry::canonical_form;
use nimatron_game::{Game, Play, Rule, StackSet};
use nimatron_reduce::Chain;
use std::collections::{HashMap, HashSet};
#[cfg(feature = "atlas")]
use std::sync::LazyLock;

/// Where games sit in larger ones.
#[derive(Debug)]
pub(super) struct Parts {
    hosts: Vec<Game>,
    places: HashMap<(Rule, Play), Place>,
    /// The most stacks that a part has.
    most: usize,
}

/// Where a game sits in a larger one.
#[derive(Debug)]
struct Place {
    host: usize,
    /// For each stack in the canonical order, a stack of the larger game that stands for it.
    stacks: Vec<usize>,
}

#[cfg(feature = "atlas")]
static OF_ATLAS: LazyLock<Parts> = LazyLock::new(|| {
    use crate::atlas::{Atlas, Entry};
    // Smaller games are all in the atlas themselves.
    let large = |e: &&Entry| e.proof.is_some() && e.game.stacks() > MAX_LISTED;
    let entries = Atlas::shipped().entries().iter().filter(large);
    Parts::of(&entries.map(|e| e.game.clone()).collect::<Vec<_>>())
});

impl Parts {
    /// The parts of the games that the atlas has proofs about.
    #[cfg(feature = "atlas")]
    pub(super) fn of_atlas() -> Option<&'static Parts> {
        Some(&OF_ATLAS)
    }

    #[cfg(not(feature = "atlas"))]
    pub(super) fn of_atlas() -> Option<&'static Parts> {
        None
    }

    /// The parts of these games; where a part has several places, in the smallest.
    pub(super) fn of(games: &[Game]) -> Self {
        let mut hosts: Vec<Game> = games.iter().filter(|g| g.single().is_some()).cloned().collect();
        hosts.sort_by_key(Game::stacks);
        let mut parts = Parts { hosts: Vec::new(), places: HashMap::new(), most: 0 };
        for (host, game) in hosts.iter().enumerate() {
            parts.collect(host, game);
        }
        parts.hosts = hosts;
        parts
    }

    /// Adds the games that are left of a game when stacks are empty.
    fn collect(&mut self, host: usize, game: &Game) {
        let mut waiting = vec![StackSet::EMPTY];
        let mut seen: HashSet<Rule> = HashSet::new();
        while let Some(zeros) = waiting.pop() {
            let chain = Chain::shrink(crate::subgames::emptied(game, zeros));
            let [part] = &chain.end().parts[..] else { continue };
            if part.rule.sets().is_empty() {
                continue;
            }
            let (form, renaming) = canonical_form(part.rule.sets(), None);
            let rule = part.rule.on(form);
            if !seen.insert(rule.clone()) {
                continue;
            }
            let members = chain.members();
            waiting.extend(members.iter().map(|m| zeros | m.iter().copied().collect()));
            let first: Vec<usize> = members.iter().map(|m| m[0]).collect();
            self.most = self.most.max(first.len());
            let stacks = renaming.apply(&first);
            let key = (rule, game.convention());
            self.places.entry(key).or_insert(Place { host, stacks });
        }
    }

    /// A larger game, and the stacks of it that stand for those of the rule.
    pub(super) fn find(&self, rule: &Rule, play: Play) -> Option<(&Game, Vec<usize>)> {
        if rule.stacks() > self.most || rule.sets().sizes().is_some() {
            return None;
        }
        let (form, renaming) = canonical_form(rule.sets(), None);
        let place = self.places.get(&(rule.on(form), play))?;
        let stacks = renaming.images().map(|i| place.stacks[i]).collect();
        Some((&self.hosts[place.host], stacks))
    }
}
