//! Random games of every family, sum and play convention, with boxes small enough for the
//! oracle.
#![allow(dead_code)]

use nimatron_game::{Amounts, Choice, Family, Game, Height, Play, Sizes, StackSet, Variant};
use proptest::prelude::*;

pub(crate) fn circular(n: usize, k: usize) -> Game {
    Game::new(Family::Circular { n, k }).unwrap()
}

pub(crate) fn slow(n: usize, sizes: &[usize]) -> Game {
    Game::new(Family::Slow { n, sizes: Sizes::new(sizes.iter().copied()) }).unwrap()
}

pub(crate) fn exact(n: usize, k: usize) -> Game {
    Game::new(Family::Exact { n, k }).unwrap()
}

/// Sets on `n` stacks, at least one; stacks in none of them are added as a set of their own.
fn sets(n: usize) -> impl Strategy<Value = Family> {
    prop::collection::vec(1u32..1 << n, 1..5).prop_map(move |bits| {
        let mut sets: Vec<_> = bits.into_iter().map(StackSet::from_bits).collect();
        let covered = sets.iter().fold(StackSet::EMPTY, |a, &s| a | s);
        sets.extend(Some(StackSet::first(n) - covered).filter(|s| !s.is_empty()));
        Family::Sets { n, sets }
    })
}

fn amounts() -> impl Strategy<Value = Amounts> {
    prop_oneof![
        3 => Just(Amounts::POSITIVE),
        1 => (1u64..4).prop_map(Amounts::exactly),
        1 => (1u64..4).prop_map(Amounts::at_least),
        2 => (1u64..4, 0u64..4).prop_map(|(a, b)| Amounts::between(a, Some(a + b))),
    ]
}

pub(crate) fn set_nim() -> impl Strategy<Value = Game> {
    (1usize..=5).prop_flat_map(sets).prop_map(|family| Game::new(family).unwrap())
}

pub(crate) fn variant() -> impl Strategy<Value = Game> {
    let choice = prop_oneof![Just(Choice::Any), Just(Choice::All)];
    let family = (1usize..=4).prop_flat_map(sets);
    (family, choice, amounts(), amounts()).prop_map(|(family, choice, each, total)| {
        Game::variant(family, Variant { choice, each, total }).unwrap()
    })
}

pub(crate) fn named_variant() -> impl Strategy<Value = Game> {
    let families = prop_oneof![
        (2usize..=4, 1usize..=4).prop_map(|(n, k)| Family::Circular { n, k: k.min(n) }),
        (2usize..=4, 1usize..=4).prop_map(|(n, k)| Family::Moore { n, k: k.min(n) }),
        (2usize..=4, 1usize..=4).prop_map(|(n, k)| Family::Path { n, k: k.min(n) }),
    ];
    let variant = (0..5, 1u64..4).prop_map(|(kind, a)| match kind {
        0 => Variant::any(a),
        1 => Variant::each(a),
        2 => Variant::each_at_least(a),
        3 => Variant::total_at_least(a),
        _ => Variant::total(a),
    });
    (families, variant).prop_map(|(family, variant)| Game::variant(family, variant).unwrap())
}

pub(crate) fn symmetric() -> impl Strategy<Value = Game> {
    let sizes = |n: usize| {
        prop::collection::vec(1..=n, 1..=n)
            .prop_map(move |sizes| Family::Slow { n, sizes: Sizes::new(sizes) })
    };
    let exact = (1usize..=5, 1usize..=5).prop_map(|(n, k)| Family::Exact { n, k: k.min(n) });
    let moore = (1usize..=5, 1usize..=5).prop_map(|(n, k)| Family::Moore { n, k: k.min(n) });
    prop_oneof![2 => (1usize..=5).prop_flat_map(sizes), 1 => exact, 1 => moore]
        .prop_map(|family| Game::new(family).unwrap())
}

/// One game that is not a sum, normal play.
pub(crate) fn single() -> impl Strategy<Value = Game> {
    prop_oneof![set_nim(), variant(), named_variant(), symmetric()]
}

pub(crate) fn play() -> impl Strategy<Value = Play> {
    prop_oneof![Just(Play::Normal), Just(Play::Misere)]
}

/// Any game: one or two summands, normal or misere play.
pub(crate) fn game() -> impl Strategy<Value = Game> {
    let sum = (single(), single()).prop_map(|(a, b)| {
        let joined = a.clone().plus(b).unwrap();
        if joined.stacks() <= 6 { joined } else { a }
    });
    (prop_oneof![3 => single(), 1 => sum], play()).prop_map(|(game, play)| game.under(play))
}

/// A game with a box of about a thousand positions, stacks of unequal heights.
pub(crate) fn boxed(
    game: impl Strategy<Value = Game>,
) -> impl Strategy<Value = (Game, Vec<Height>)> {
    (game, prop::collection::vec(0u64..3, 32)).prop_map(|(game, extra)| {
        let n = game.stacks();
        let base = [0, 40, 20, 8, 4, 3, 2][n.min(6)];
        let max = extra[..n].iter().map(|e| base - base.min(*e)).collect();
        (game, max)
    })
}
