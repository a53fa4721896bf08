//! Games without a name that are solved games with some stacks empty.
//!
//! When stacks of a solved game are empty, what is left is solved too, whether it has a name or
//! not. A table of such games, up to the names of the stacks, is made from a few hosts when it is
//! first needed.

use crate::library::find;
use crate::reason::Reason;
use crate::theorem::{Solution, Theorem, WinningMove};
use nimatron_game::symmetry::canonical_form;
use nimatron_game::{
    Family, Game, Height, Outcome, Play, Position, Rule, SetFamily, StackSet, Take,
};
use nimatron_reduce::{Chain, State};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The solved games whose parts are looked for, the smallest first.
const HOSTS: [Family; 8] = [
    Family::Necklace { n: 6, k: 3, l: 2 },
    Family::Circular { n: 6, k: 4 },
    Family::Circular { n: 7, k: 3 },
    Family::Circular { n: 7, k: 4 },
    Family::Necklace { n: 8, k: 4, l: 2 },
    Family::Circular { n: 8, k: 3 },
    Family::Circular { n: 8, k: 6 },
    Family::Necklace { n: 10, k: 5, l: 2 },
];

/// Where a game sits in a host.
struct Place {
    host: usize,
    /// For each stack in the canonical order, a stack of the host that stands for it.
    stacks: Vec<usize>,
}

static PLACES: LazyLock<HashMap<SetFamily, Place>> = LazyLock::new(|| {
    let mut places = HashMap::new();
    for host in 0..HOSTS.len() {
        collect(host, &mut places);
    }
    places
});

/// Adds the games that are left of a host when stacks are empty.
fn collect(host: usize, places: &mut HashMap<SetFamily, Place>) {
    let game = Game::new(HOSTS[host].clone()).expect("hosts are games");
    let n = game.stacks();
    let mut waiting = vec![StackSet::EMPTY];
    let mut seen: HashSet<SetFamily> = HashSet::new();
    while let Some(zeros) = waiting.pop() {
        let heights = (0..n).map(|s| u64::from(!zeros.contains(s))).collect();
        let position = Position::new(heights).expect("low stacks");
        let state = State::new(&game, &position).expect("one height per stack");
        let chain = Chain::shrink(state);
        let [part] = &chain.end().parts[..] else { continue };
        let (form, renaming) = canonical_form(part.rule.sets(), None);
        if form.is_empty() || !seen.insert(form.clone()) {
            continue;
        }
        let members = chain.members();
        waiting.extend(members.iter().map(|m| zeros | m.iter().copied().collect()));
        let first: Vec<usize> = members.iter().map(|m| m[0]).collect();
        let stacks = renaming.apply(&first);
        places.entry(form).or_insert(Place { host, stacks });
    }
}

/// The theorem about a host in which the game sits, with the game's solution.
pub(crate) fn find_host(
    rule: &Rule,
    play: Play,
) -> Option<(&'static dyn Theorem, Box<dyn Solution>)> {
    let most = HOSTS.iter().map(Family::stacks).max().unwrap_or(0);
    let listed = rule.sets().sizes().is_none() && rule.stacks() < most;
    if !listed || play != Play::Normal || !rule.is_set_nim() {
        return None;
    }
    let (form, renaming) = canonical_form(rule.sets(), None);
    let place = PLACES.get(&form)?;
    let family = HOSTS[place.host].clone();
    let stacks: Vec<usize> = renaming.images().map(|i| place.stacks[i]).collect();
    let (theorem, host) = find(&family.rule(), play)?;
    Some((theorem, Box::new(Embedded { family, host, stacks })))
}

/// A game as part of a solved one.
struct Embedded {
    family: Family,
    host: Box<dyn Solution>,
    /// The stack of the host for each stack of the game.
    stacks: Vec<usize>,
}

impl Embedded {
    fn heights(&self, heights: &[Height]) -> Vec<Height> {
        let mut whole = vec![0; self.host.stacks()];
        for (&stack, &height) in self.stacks.iter().zip(heights) {
            whole[stack] = height;
        }
        whole
    }

    fn within(&self, heights: &[Height]) -> Reason {
        let heights = Position::new(self.heights(heights)).expect("heights of a position");
        Reason::Within { game: self.family.clone(), heights, stacks: self.stacks.clone() }
    }
}

impl Solution for Embedded {
    fn stacks(&self) -> usize {
        self.stacks.len()
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        self.host.outcome(&self.heights(heights))
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        let won = self.host.winning_move(&self.heights(heights))?;
        let take = self.stacks.iter().map(|&s| won.take[s]).collect();
        let reasons = [self.within(heights)].into_iter().chain(won.reasons).collect();
        Some(WinningMove { take: Take::new(take), reasons })
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        let facts = self.host.explain(&self.heights(heights));
        [self.within(heights)].into_iter().chain(facts).collect()
    }

    fn explain_option(&self, heights: &[Height]) -> Vec<Reason> {
        let facts = self.host.explain_option(&self.heights(heights));
        let within = (!facts.is_empty()).then(|| self.within(heights));
        within.into_iter().chain(facts).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Sieve, boxed};

    #[test]
    fn parts_of_solved_games_are_solved() {
        let mut checked = 0;
        for form in PLACES.keys().filter(|form| form.stacks() <= 6) {
            let rule = Rule::set_nim(form.clone());
            let Some((_, solution)) = find_host(&rule, Play::Normal) else { continue };
            let max = [0, 9, 9, 6, 4, 3, 2][rule.stacks()];
            let sieve = Sieve::new(&rule, Play::Normal, max);
            for heights in boxed(rule.stacks(), max) {
                let outcome = sieve.outcome(&heights);
                assert_eq!(solution.outcome(&heights), outcome, "{rule:?} at {heights:?}");
                if let Some(won) = solution.winning_move(&heights) {
                    assert!(rule.is_legal(&heights, &won.take), "{rule:?} at {heights:?}");
                    let to = Rule::option(&heights, &won.take);
                    assert_eq!(sieve.outcome(&to), Outcome::P, "{rule:?} at {heights:?}");
                }
            }
            checked += 1;
        }
        assert!(checked > 12, "{checked}");
    }

    #[test]
    fn open_games_are_not_found() {
        for family in [Family::Circular { n: 6, k: 2 }, Family::Path { n: 5, k: 2 }] {
            assert!(find_host(&family.rule(), Play::Normal).is_none());
        }
    }
}
