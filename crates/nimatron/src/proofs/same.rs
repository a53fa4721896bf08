//! Do two games have the same P-positions?

use super::known_formula::known_formula;
use super::prove::{Judgement, ProveMethod, prove};
use crate::knowledge::Knowledge;
use crate::limits::Limits;
use crate::tables::{p_positions, set_nim};
use crate::verdict::By;
use nimatron_formula::Formula;
use nimatron_game::symmetry::{Relabelling, Symmetry};
use nimatron_game::{Game, Height, Position, StackSet, Watch};
use nimatron_table::TableError;
use std::collections::HashSet;

/// What came of comparing the P-positions of two games on equally many stacks.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sameness {
    /// The games.
    pub games: [Game; 2],
    /// How the stacks of the second are called in the first; the identity, unless other names had to be
    /// looked for.
    pub relabelling: Relabelling,
    /// The greatest height of the box that was compared.
    pub max: Height,
    /// How many P-positions each has there.
    pub counts: [u128; 2],
    /// The smallest P-position of each in the box that is none of the other, in the stacks of the first.
    pub only: [Option<Position>; 2],
    /// What shows that they are the same for all heights, if something does.
    pub proof: Option<SameBy>,
}

/// Why two games have the same P-positions for all heights.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SameBy {
    /// They are the same game.
    Game,
    /// This formula, known to describe those of the game with this number, was proved for the other.
    Formula {
        /// Which game it was known for: 0 or 1.
        known: usize,
        /// The formula, in the stacks of the first game.
        formula: String,
        /// Who knows it.
        by: By,
    },
}

impl Sameness {
    /// Whether all P-positions of the box are shared.
    pub fn is_equal(&self) -> bool {
        self.only.iter().all(Option::is_none)
    }

    /// Whether the games are the same under the names that their stacks have: then no box need be compared.
    pub fn is_evident(games: [&Game; 2]) -> bool {
        let [first, second] = games;
        let n = first.stacks();
        n == second.stacks() && same_game(first, second, &Relabelling::identity(n))
    }

    /// Compares the boxes `0..=max`. If the P-positions differ under the names that the stacks have, other names
    /// for those of the second game are tried, on few stacks. If they are the same, a proof is looked for
    /// within the limits: a formula that is known for one game is proved for the other.
    ///
    /// # Panics
    /// If the games do not have equally many stacks.
    pub fn of(
        games: [&Game; 2],
        max: Height,
        knowledge: &Knowledge,
        limits: &Limits,
        watch: &dyn Watch,
    ) -> Result<Self, TableError> {
        let n = games[0].stacks();
        assert_eq!(n, games[1].stacks(), "games on equally many stacks");
        let bounds = vec![max; n];
        let first = p_positions(games[0], &bounds, watch)?;
        let second = p_positions(games[1], &bounds, watch)?;
        let counts = [first.len() as u128, second.len() as u128];
        let known: HashSet<&[Height]> = first.iter().map(|p| &p[..]).collect();
        let plain = Relabelling::identity(n);
        let agrees = |r: &Relabelling| second.iter().all(|p| known.contains(&r.apply(p)[..]));
        let relabelling = match counts[0] == counts[1] && !agrees(&plain) && n <= MOST_RELABELLED {
            true => relabellings(n).find(agrees).unwrap_or(plain),
            false => plain,
        };
        let renamed: HashSet<Vec<Height>> = second.iter().map(|p| relabelling.apply(p)).collect();
        let least = |positions: &mut dyn Iterator<Item = Vec<Height>>| {
            let found = positions.min_by_key(|p| (p.iter().sum::<Height>(), p.clone()));
            found.and_then(|heights| Position::new(heights).ok())
        };
        let only = [
            least(&mut first.iter().map(|p| p.to_vec()).filter(|p| !renamed.contains(p))),
            least(&mut renamed.iter().filter(|p| !known.contains(&p[..])).cloned()),
        ];
        let games = games.map(Game::clone);
        let mut found = Sameness { games, relabelling, max, counts, only, proof: None };
        if found.is_equal() {
            found.proof = found.proved(knowledge, limits);
        }
        Ok(found)
    }

    /// What shows that the games have the same P-positions for all heights.
    fn proved(&self, knowledge: &Knowledge, limits: &Limits) -> Option<SameBy> {
        let [first, second] = &self.games;
        let back = self.relabelling.inverse();
        if same_game(first, second, &self.relabelling) {
            return Some(SameBy::Game);
        }
        let image = |r: &Relabelling| r.images().collect::<Vec<_>>();
        for (known, to) in [(0, &back), (1, &self.relabelling)] {
            let (game, other) = (&self.games[known], &self.games[1 - known]);
            let Some((formula, by)) = known_formula(game, knowledge) else { continue };
            // Some words of the language mean what the game says.
            let depends = formula.any(&mut |f| matches!(f, Formula::Reduced(_)));
            let by_symmetry = formula.any(&mut |f| matches!(f, Formula::Sym(_)));
            if depends || by_symmetry && !self.symmetries_agree() {
                continue;
            }
            let moved = formula.relabel(&image(to));
            let proving = prove(other, &moved, ProveMethod::Auto, limits);
            if let Judgement::Proved(_) = proving.judgement {
                let own = if known == 0 { formula } else { moved };
                return Some(SameBy::Formula { known, formula: own.to_string(), by });
            }
        }
        None
    }
}

/// Whether the second game is the first, if its stacks are called so. A sum of SetNim games is the game on all of
/// their sets.
fn same_game(first: &Game, second: &Game, relabelling: &Relabelling) -> bool {
    let same_rule = || {
        let (Some(one), Some(other)) = (first.single(), second.single()) else { return false };
        one.sets() == &relabelling.family(other.sets()) && one.on(other.sets().clone()) == *other
    };
    let same_sets = || {
        let (Some(mut one), Some(other)) = (set_nim(first), set_nim(second)) else { return false };
        let mut other: Vec<StackSet> = other.into_iter().map(|set| relabelling.set(set)).collect();
        one.sort_unstable_by(StackSet::by_size);
        other.sort_unstable_by(StackSet::by_size);
        one == other
    };
    first.convention() == second.convention() && (same_rule() || same_sets())
}

impl Sameness {
    /// Whether the games have the same symmetries.
    fn symmetries_agree(&self) -> bool {
        let [first, second] = &self.games;
        let (Some(one), Some(other)) = (first.single(), second.single()) else { return false };
        let renamed = other.on(self.relabelling.family(other.sets()));
        let symmetry = Symmetry::of(one);
        let kept = |g: &Relabelling| g.family(renamed.sets()) == *renamed.sets();
        symmetry.order() == Symmetry::of(&renamed).order() && symmetry.generators().iter().all(kept)
    }
}

/// On more stacks other names are not tried.
const MOST_RELABELLED: usize = 7;

/// All ways to rename so many stacks.
fn relabellings(n: usize) -> impl Iterator<Item = Relabelling> {
    let mut images: Vec<usize> = (0..n).collect();
    let mut done = false;
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        let found = Relabelling::new(&images);
        // The next order in lexicographic order.
        match (1..n).rev().find(|&i| images[i - 1] < images[i]) {
            None => done = true,
            Some(i) => {
                let j =
                    (i..n).rev().find(|&j| images[j] > images[i - 1]).expect("images[i] is larger");
                images.swap(i - 1, j);
                images[i..].reverse();
            }
        }
        found
    })
}
