//! Random games, rules and positions for the property tests.
#![allow(dead_code, reason = "each test file uses a part")]

use nimatron_game::{
    Amounts, Choice, CubePart, Family, Game, Height, MAX_STACKS, Play, Rule, SetFamily, Sizes,
    StackSet, Variant,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// A family of any kind on at most `most` stacks (the cube has six all the same).
pub(crate) fn family(most: usize) -> BoxedStrategy<Family> {
    let pair = (1..=most).prop_flat_map(|n| (Just(n), 1..=n));
    let sizes = |n: usize| vec(1..=n, 1..4).prop_map(Sizes::new);
    prop_oneof![
        (1..=most).prop_map(|n| Family::Nim { n }),
        pair.clone().prop_map(|(n, k)| Family::Moore { n, k }),
        pair.clone().prop_map(|(n, k)| Family::Circular { n, k }),
        pair.clone().prop_map(|(n, k)| Family::Path { n, k }),
        pair.prop_map(|(n, k)| Family::Exact { n, k }),
        (2..=most.max(2))
            .prop_flat_map(|n| (Just(n), 2..=n))
            .prop_flat_map(|(n, k)| (Just(n), Just(k), 2..=k))
            .prop_map(|(n, k, l)| Family::Necklace { n, k, l }),
        (1..=most)
            .prop_flat_map(move |n| (Just(n), sizes(n)))
            .prop_map(|(n, sizes)| Family::Slow { n, sizes }),
        listed(most),
        (1..=most)
            .prop_flat_map(move |rows| (Just(rows), 1..=most / rows))
            .prop_map(|(rows, columns)| Family::Matrix { rows, columns }),
        vec((0u32..9, 1u32..9), 1..=most).prop_map(|edges| {
            Family::Graph { edges: edges.into_iter().map(|(u, d)| (u, u + d)).collect() }
        }),
        prop_oneof![Just(CubePart::Vertex), Just(CubePart::Edge), Just(CubePart::Face)]
            .prop_map(|part| Family::Cube { part }),
    ]
    .boxed()
}

/// Listed sets, in any order, perhaps repeated or contained in each other, that cover the stacks.
pub(crate) fn listed(most: usize) -> impl Strategy<Value = Family> {
    let sets = |n: usize| vec(any::<u32>(), 1..7).prop_map(move |bits| (n, bits));
    (1..=most).prop_flat_map(sets).prop_map(|(n, bits)| {
        let all = StackSet::first(n);
        let mut sets: Vec<_> = bits.into_iter().map(|b| StackSet::from_bits(b) & all).collect();
        let covered = sets.iter().fold(StackSet::EMPTY, |a, &s| a | s);
        sets.push(all - covered);
        sets.retain(|s| !s.is_empty());
        Family::Sets { n, sets }
    })
}

/// A range of amounts, mostly small, sometimes up to the limits of the type.
pub(crate) fn amounts(small: Height, large: bool) -> impl Strategy<Value = Amounts> {
    let one = move || match large {
        true => prop_oneof![3 => 0..=small, 1 => any::<Height>()].boxed(),
        false => (0..=small).boxed(),
    };
    prop_oneof![
        2 => Just(Amounts::POSITIVE),
        1 => one().prop_map(Amounts::exactly),
        1 => one().prop_map(Amounts::at_least),
        1 => (one(), one()).prop_map(|(a, b)| Amounts::between(a, Some(b))),
    ]
}

/// A variant of any kind.
pub(crate) fn variant(small: Height, large: bool) -> impl Strategy<Value = Variant> {
    let choice = prop_oneof![Just(Choice::Any), Just(Choice::All)];
    (choice, amounts(small, large), amounts(small, large))
        .prop_map(|(choice, each, total)| Variant { choice, each, total })
}

/// A single game, played in its own way or as a variant.
pub(crate) fn single(most: usize, small: Height, large: bool) -> impl Strategy<Value = Game> {
    (family(most), proptest::option::of(variant(small, large))).prop_map(|(family, variant)| {
        match variant {
            Some(variant) if !family.has_own_moves() => Game::variant(family, variant),
            _ => Game::new(family),
        }
        .expect("a valid family")
    })
}

/// A game of any kind: sums too, under either convention.
pub(crate) fn game() -> impl Strategy<Value = Game> {
    let summands = prop_oneof![
        3 => vec(single(MAX_STACKS, 5, true), 1..2),
        2 => vec(single(8, 5, true), 2..4),
    ];
    (summands, any::<bool>()).prop_map(|(summands, misere)| {
        let sum = summands.into_iter().map(Ok).reduce(|sum, next| sum?.plus(next?));
        let sum = sum.expect("at least one summand").expect("few stacks");
        sum.under(if misere { Play::Misere } else { Play::Normal })
    })
}

/// A rule that no family needs to have: stacks outside every set, several sizes, any ranges.
pub(crate) fn rule(most: usize) -> impl Strategy<Value = Rule> {
    let by_size =
        |n: usize| vec(1..=n + 1, 0..4).prop_map(move |s| SetFamily::by_size(n, Sizes::new(s)));
    let listed = |n: usize| {
        vec(any::<u32>(), 0..6).prop_map(move |bits| {
            let all = StackSet::first(n);
            SetFamily::listed(n, bits.into_iter().map(|b| StackSet::from_bits(b) & all))
        })
    };
    let sets = (1..=most).prop_flat_map(move |n| prop_oneof![by_size(n), listed(n)]);
    (sets, variant(4, false))
        .prop_map(|(sets, Variant { choice, each, total })| Rule::new(sets, choice, each, total))
}
