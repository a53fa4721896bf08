//! What several test files share.
#![allow(dead_code)]

use nimatron_game::{Family, Game, Height, Play, Position, Rule, SetFamily, StackSet, Variant};
use proptest::prelude::*;

pub(crate) fn game(text: &str) -> Game {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

pub(crate) fn position(text: &str) -> Position {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// A family of sets on `n` stacks that covers every stack.
pub(crate) fn covering_sets(n: usize) -> impl Strategy<Value = Vec<StackSet>> {
    prop::collection::vec(1u32..1 << n, 1..=6).prop_map(move |bits| {
        let mut sets: Vec<StackSet> = bits.into_iter().map(StackSet::from_bits).collect();
        let covered = sets.iter().fold(StackSet::EMPTY, |a, &s| a | s);
        sets.extend((StackSet::first(n) - covered).iter().map(StackSet::single));
        sets
    })
}

/// SetNim on random sets, 3 to 6 stacks.
pub(crate) fn set_nim() -> impl Strategy<Value = Game> {
    (3usize..=6)
        .prop_flat_map(|n| covering_sets(n).prop_map(move |sets| Game::set_nim(n, sets).unwrap()))
}

/// Random sets played in any way the schema knows.
pub(crate) fn any_rule() -> impl Strategy<Value = Game> {
    let variant = prop_oneof![
        Just(None),
        (1u64..=3).prop_map(|a| Some(Variant::any(a))),
        (1u64..=3).prop_map(|a| Some(Variant::each(a))),
        (1u64..=3).prop_map(|a| Some(Variant::each_at_least(a))),
        (1u64..=3).prop_map(|a| Some(Variant::total_at_least(a))),
        (1u64..=3).prop_map(|a| Some(Variant::total(a))),
    ];
    let sized = prop_oneof![
        (3usize..=5, 1usize..=5).prop_map(|(n, k)| Family::Moore { n, k: k.min(n) }),
        (3usize..=5)
            .prop_flat_map(|n| { covering_sets(n).prop_map(move |sets| Family::Sets { n, sets }) }),
    ];
    (sized, variant).prop_map(|(family, variant)| match variant {
        Some(variant) => Game::variant(family, variant).unwrap(),
        None => Game::new(family).unwrap(),
    })
}

/// The same game under a random convention.
pub(crate) fn any_play(games: impl Strategy<Value = Game>) -> impl Strategy<Value = Game> {
    (games, any::<bool>())
        .prop_map(|(game, misere)| game.under(if misere { Play::Misere } else { Play::Normal }))
}

/// A position with heights up to `most`; empty stacks are likely.
pub(crate) fn heights(n: usize, most: Height) -> impl Strategy<Value = Position> {
    let height = prop_oneof![1 => Just(0), 2 => 0..=most];
    prop::collection::vec(height, n).prop_map(|h| Position::new(h).unwrap())
}

/// A game with a position.
pub(crate) fn with_position(
    games: impl Strategy<Value = Game>,
    most: Height,
) -> impl Strategy<Value = (Game, Position)> {
    games.prop_flat_map(move |game| {
        let n = game.stacks();
        heights(n, most).prop_map(move |p| (game.clone(), p))
    })
}

/// A rule as a game of its own, with a convention.
pub(crate) fn game_of(rule: &Rule, play: Play) -> Game {
    Game::from_rule(rule).unwrap().under(play)
}

pub(crate) fn set_nim_of(sets: &SetFamily) -> Game {
    Game::set_nim(sets.stacks(), sets.iter().collect()).unwrap()
}
