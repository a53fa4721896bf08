//! The tables for all rules and sums against the oracle.

mod common;

use nimatron_game::{Amounts, Choice, Family, Game, Play, Stop, Unlimited, Variant, Watch};
use nimatron_table::{TableError, grundy, naive, outcomes, remoteness};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn agrees_with_the_oracle((game, max) in common::boxed(common::game())) {
        let table = outcomes::table(&game, &max, &Unlimited).unwrap();
        prop_assert_eq!(table, naive::outcomes(&game, &max).unwrap());
        let table = remoteness::table(&game, &max, &Unlimited).unwrap();
        prop_assert_eq!(table, naive::remoteness(&game, &max).unwrap());
        let normal = game.under(Play::Normal);
        let table = grundy::table(&normal, &max, &Unlimited).unwrap();
        prop_assert_eq!(table, naive::grundy(&normal, &max).unwrap());
    }
}

#[test]
fn lines_longer_than_a_word() {
    let two = Family::Moore { n: 2, k: 2 };
    for (choice, each, total) in [
        (Choice::Any, Amounts::POSITIVE, Amounts::POSITIVE),
        (Choice::All, Amounts::at_least(2), Amounts::between(5, Some(90))),
        (Choice::Any, Amounts::between(3, Some(70)), Amounts::at_least(66)),
        (Choice::All, Amounts::exactly(65), Amounts::POSITIVE),
        (Choice::Any, Amounts::POSITIVE, Amounts::exactly(7)),
    ] {
        let game = Game::variant(two.clone(), Variant { choice, each, total }).unwrap();
        for play in [Play::Normal, Play::Misere] {
            let (game, max) = (game.clone().under(play), [70, 140]);
            let table = outcomes::table(&game, &max, &Unlimited).unwrap();
            assert_eq!(table, naive::outcomes(&game, &max).unwrap(), "{game:?}");
        }
        let table = grundy::table(&game, &[40, 70], &Unlimited).unwrap();
        assert_eq!(table, naive::grundy(&game, &[40, 70]).unwrap(), "{game:?}");
    }
}

#[test]
fn many_empty_stacks() {
    let moore = Game::new(Family::Moore { n: 32, k: 16 }).unwrap();
    let slow = common::slow(32, &[1, 2, 16]);
    let mut max = [0; 32];
    (max[3], max[17], max[20]) = (3, 2, 4);
    for game in [moore, slow] {
        let table = outcomes::table(&game, &max, &Unlimited).unwrap();
        assert_eq!(table, naive::outcomes(&game, &max).unwrap());
        let table = grundy::table(&game, &max, &Unlimited).unwrap();
        assert_eq!(table, naive::grundy(&game, &max).unwrap());
    }
}

#[test]
fn the_variants_of_dh13_that_are_games_on_quotients() {
    // Exactly a (or at least a) from each played stack: only the heights divided by a count.
    let family = Family::Circular { n: 4, k: 2 };
    let pairs = [
        (Variant::any(3), Variant::any(1)),
        (Variant::each(3), Variant::each(1)),
        (Variant::each_at_least(3), Variant::each_at_least(1)),
    ];
    for (by_three, by_one) in pairs {
        let large = Game::variant(family.clone(), by_three).unwrap();
        let small = Game::variant(family.clone(), by_one).unwrap();
        let small = grundy::table(&small, &[3; 4], &Unlimited).unwrap();
        for (p, value) in grundy::table(&large, &[9; 4], &Unlimited).unwrap().iter() {
            let quotient: Vec<u64> = p.iter().map(|h| h / 3).collect();
            assert_eq!(Some(value), small.get(&quotient), "{p}");
        }
    }
}

struct Never;

impl Watch for Never {
    fn check(&self, _: u64) -> Result<(), Stop> {
        Err(Stop::Cancelled)
    }
}

#[test]
fn errors_are_typed() {
    let game = common::slow(4, &[2]);
    let stopped = TableError::Stopped(Stop::Cancelled);
    assert_eq!(outcomes::table(&game, &[3; 4], &Never), Err(stopped.clone()));
    assert_eq!(remoteness::table(&game, &[3; 4], &Never), Err(stopped.clone()));
    assert_eq!(grundy::table(&game, &[3; 4], &Never), Err(stopped));
    let stacks = TableError::Stacks { expected: 4, found: 1 };
    assert_eq!(outcomes::table(&game, &[3], &Unlimited), Err(stacks));
    let huge = outcomes::table(&game, &[u64::MAX; 4], &Unlimited);
    assert!(matches!(huge, Err(TableError::TooLarge { .. })));
}

#[test]
fn boxes_past_all_memory_are_refused() {
    struct Bytes(u64);
    impl Watch for Bytes {
        fn check(&self, memory: u64) -> Result<(), Stop> {
            if memory > self.0 { Err(Stop::Memory) } else { Ok(()) }
        }
    }
    let stopped = TableError::Stopped(Stop::Memory);
    let watch = Bytes(1 << 20);
    for max in [[1 << 20, 1 << 20], [i64::MAX as u64 - 1, 0], [(1 << 31) - 1, (1 << 31) - 1]] {
        for game in [common::circular(2, 1), common::slow(2, &[1])] {
            let memory = |error| error == stopped || matches!(error, TableError::TooLarge { .. });
            assert!(memory(outcomes::table(&game, &max, &watch).unwrap_err()));
            assert!(memory(grundy::table(&game, &max, &watch).unwrap_err()));
            assert!(memory(remoteness::table(&game, &max, &watch).unwrap_err()));
            let misere = game.clone().under(Play::Misere);
            assert!(memory(outcomes::table(&misere, &max, &watch).unwrap_err()));
            let rule = game.single().unwrap();
            let sorted = nimatron_table::sorted::outcomes(rule, Play::Normal, max[0], &watch);
            assert!(rule.sets().sizes().is_none() || memory(sorted.unwrap_err()));
        }
    }
}
