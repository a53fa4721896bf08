//! Theorems against tables.

use crate::tables::p_positions;
use nimatron_game::symmetry::set_systems;
use nimatron_game::{Family, Game, Height, Outcome, Position, Rule, Sizes, StackSet, Watch};
use nimatron_table::{PositionBox, TableError};
use nimatron_theory::{Recognition, Theorem, library, recognise};
use std::collections::HashSet;

/// A theorem compared with all positions of a box.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TheoremCheck {
    /// The game it was applied to.
    pub game: Game,
    /// The greatest height.
    pub max: Height,
    /// How many positions were compared.
    pub positions: u64,
    /// How many of them are P-positions.
    pub p_positions: u64,
    /// The first position on which theorem and table differ. There is none, unless one of them
    /// is wrong.
    pub differs: Option<Position>,
}

impl TheoremCheck {
    /// Compares the theorem that covers a game with the table of the box `0..=max`.
    pub fn of(
        game: &Game,
        theorem: &Recognition,
        max: Height,
        watch: &dyn Watch,
    ) -> Result<Self, TableError> {
        let bounds = vec![max; game.stacks()];
        let lost = p_positions(game, &bounds, watch)?;
        let known: HashSet<&Position> = lost.iter().collect();
        let cells = PositionBox::new(&bounds)?;
        let mut differs = None;
        for (i, position) in cells.iter().enumerate() {
            if i % 4096 == 0 {
                watch.check(0)?;
            }
            if (theorem.outcome(&position) == Outcome::P) != known.contains(&position) {
                differs = Some(position);
                break;
            }
        }
        let (positions, p_positions) = (cells.len() as u64, lost.len() as u64);
        Ok(TheoremCheck { game: game.clone(), max, positions, p_positions, differs })
    }
}

/// Some games that a theorem is the first to answer for, small and large, in a fixed order.
pub fn examples_of(theorem: &dyn Theorem, most: usize) -> Vec<Game> {
    let answers = |rule: &Rule, play| {
        let found = library::find(rule, play).or_else(|| library::find_class(rule, play));
        let first = |id: &str| id == theorem.id();
        // Of a class, only what no theorem about a game answers for under any name.
        found.is_some_and(|(found, _)| first(found.id()))
            && recognise(rule, play).is_some_and(|found| first(found.theorem.id()))
    };
    let covered = |game: &Game| game.single().is_some_and(|rule| answers(rule, game.convention()));
    let all: Vec<Game> = candidates().into_iter().filter(covered).collect();
    let Some(last) = all.len().checked_sub(1) else { return all };
    let count = most.min(all.len());
    let place = |i: usize| if count > 1 { i * last / (count - 1) } else { last };
    (0..count).map(|i| all[place(i)].clone()).collect()
}

/// Named games on up to eight stacks, all set systems on four, a cone, and some under misere play.
fn candidates() -> Vec<Game> {
    let mut games = Vec::new();
    for n in 1..=8 {
        games.push(Family::Nim { n });
        for k in 1..=n {
            games.extend([Family::Circular { n, k }, Family::Path { n, k }]);
            games.extend((2..=k).map(|l| Family::Necklace { n, k, l }));
            games.push(Family::Moore { n, k });
            games.push(Family::Exact { n, k });
        }
        if n <= 5 {
            let sizes = StackSet::first(n).subsets();
            let slow = |s: StackSet| Sizes::new(s.iter().map(|i| i + 1));
            games.extend(sizes.map(|s| Family::Slow { n, sizes: slow(s) }));
        }
    }
    let mut games: Vec<Game> = games.into_iter().filter_map(|f| Game::new(f).ok()).collect();
    let systems = set_systems(4);
    let sets = systems.iter().map(|s| Game::set_nim(s.stacks(), s.iter().collect()));
    games.extend(sets.filter_map(Result::ok));
    let exact = |sets: &nimatron_game::SetFamily| {
        let family = Family::Sets { n: sets.stacks(), sets: sets.iter().collect() };
        Game::variant(family, nimatron_game::Variant::each_at_least(1)).ok()
    };
    games.extend(systems.iter().filter_map(exact));
    let misere = ["Nim(3)", "Moore(3,2)", "Moore(4,2)", "Moore(5,3)"];
    games.extend(misere.iter().filter_map(|text| format!("misere {text}").parse().ok()));
    games.extend(
        ["Matrix(2,3)", "Matrix(3,2)", "Matrix(4,2)"].iter().filter_map(|m| m.parse().ok()),
    );
    games.extend(
        ["CN(9,4)", "NN(8,4,3)", "NN(9,4)", "CN(10,4)"].iter().filter_map(|t| t.parse().ok()),
    );
    games.extend(
        ["Set(ab,ac,ad,ae,bcde)", "Set(ab,bc,bd,be,bf,acdef)"]
            .iter()
            .filter_map(|t| t.parse().ok()),
    );
    // A cone over a circle.
    games.extend("Set(abf,bcf,cdf,def,aef)".parse());
    let mut seen = HashSet::new();
    games.retain(|g| g.single().is_some_and(|rule| seen.insert((rule.clone(), g.convention()))));
    games
}
