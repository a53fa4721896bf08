//! Tables over sorted positions against the oracle.

mod common;

use nimatron_game::{Choice, Family, Game, Outcome, Play, Sizes, Stop, Unlimited, Variant, Watch};
use nimatron_table::{TableError, naive, sorted};
use proptest::prelude::*;

fn agrees(game: &Game, max: u64) {
    let table =
        sorted::outcomes(game.single().unwrap(), game.convention(), max, &Unlimited).unwrap();
    let oracle = naive::outcomes(game, &vec![max; game.stacks()]).unwrap();
    for (position, outcome) in oracle.iter() {
        assert_eq!(table.get(&position), Some(outcome), "{game:?} {position}");
    }
}

fn symmetric_variant() -> impl Strategy<Value = Game> {
    let amounts = || {
        (1u64..4, prop::option::of(0u64..4))
            .prop_map(|(a, b)| nimatron_game::Amounts::between(a, b.map(|b| a + b)))
    };
    let choice = prop_oneof![Just(Choice::Any), Just(Choice::All)];
    (1usize..=4, 1usize..=4, choice, amounts(), amounts()).prop_map(
        |(n, k, choice, each, total)| {
            let family = Family::Moore { n, k: k.min(n) };
            Game::variant(family, Variant { choice, each, total }).unwrap()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn agrees_with_the_oracle(
        game in prop_oneof![common::symmetric(), symmetric_variant()],
        play in common::play(),
    ) {
        let max = [0, 30, 15, 8, 5, 3][game.stacks()];
        agrees(&game.under(play), max);
    }
}

#[test]
fn numbers_positions_in_order() {
    let rule = Family::Slow { n: 4, sizes: Sizes::new([2]) }.rule();
    let table = sorted::outcomes(&rule, Play::Normal, 6, &Unlimited).unwrap();
    assert_eq!(table.len(), 210);
    let all: Vec<_> = table.iter().collect();
    assert_eq!(all.len(), 210);
    let reversed = |p: &nimatron_game::Position| p.iter().rev().copied().collect::<Vec<_>>();
    assert!(all.windows(2).all(|w| reversed(&w[0].0) < reversed(&w[1].0)));
    for (position, outcome) in &all {
        assert!(position.is_sorted());
        assert_eq!(table.get(&reversed(position)), Some(*outcome));
    }
    let p = all.iter().filter(|(_, outcome)| *outcome == Outcome::P).count();
    assert_eq!(p as u64, table.p_count());
    assert_eq!(table.get(&[7, 0, 0, 0]), None);
    assert_eq!(table.get(&[1, 1, 1]), None);
}

#[test]
fn even_stacks_lose_in_any_slow_game() {
    // Slow26 Proposition 1, and: a number of odd stacks that may be played wins.
    let sizes = Sizes::new([3, 4, 5, 6]);
    let rule = Family::Slow { n: 6, sizes }.rule();
    let table = sorted::outcomes(&rule, Play::Normal, 8, &Unlimited).unwrap();
    for (position, outcome) in table.iter() {
        let odd = position.iter().filter(|h| *h % 2 == 1).count();
        if odd == 0 {
            assert_eq!(outcome, Outcome::P, "{position}");
        } else if sizes.contains(odd) {
            assert_eq!(outcome, Outcome::N, "{position}");
        }
    }
}

struct Never;

impl Watch for Never {
    fn check(&self, _: u64) -> Result<(), Stop> {
        Err(Stop::Time)
    }
}

#[test]
fn errors_are_typed() {
    let circular = Family::Circular { n: 4, k: 2 }.rule();
    let table = sorted::outcomes(&circular, Play::Normal, 3, &Unlimited);
    assert_eq!(table, Err(TableError::NotSymmetric));
    let slow = Family::Slow { n: 32, sizes: Sizes::new([3]) }.rule();
    for max in [1 << 20, u64::MAX] {
        let table = sorted::outcomes(&slow, Play::Normal, max, &Unlimited);
        assert!(matches!(table, Err(TableError::TooLarge { .. })));
    }
    let stopped = Err(TableError::Stopped(Stop::Time));
    assert_eq!(sorted::outcomes(&slow, Play::Normal, 2, &Never), stopped);
}
