//! Grundy tables against the oracle and the reference counts.

mod common;

use nimatron_game::{Family, Game, Play, Stop, Unlimited, Watch};
use nimatron_table::{TableError, grundy, naive};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn set_nim_agrees_with_the_oracle((game, max) in common::boxed(common::set_nim())) {
        let expected = naive::grundy(&game, &max).unwrap();
        prop_assert_eq!(grundy::table(&game, &max, &Unlimited).unwrap(), expected);
    }
}

#[test]
fn elements_of_any_number_of_words() {
    // Up to 63, 127, 191, 255 and 321 tokens.
    for max in [[30, 33], [63, 64], [90, 101], [127, 128], [160, 161]] {
        let nim = Game::new(Family::Nim { n: 2 }).unwrap();
        for (p, value) in grundy::table(&nim, &max, &Unlimited).unwrap().iter() {
            assert_eq!(u64::from(value), p[0] ^ p[1]);
        }
        let one = Game::new(Family::Path { n: 2, k: 2 }).unwrap();
        for (p, value) in grundy::table(&one, &max, &Unlimited).unwrap().iter() {
            assert_eq!(u128::from(value), p.total());
        }
    }
}

/// The rows of the reference file: game, height, greatest and mean value, number of zeros.
fn reference() -> impl Iterator<Item = (usize, usize, u64, u32, f64, u64)> {
    let rows = include_str!("../../../corpus/reference/grundy.csv").lines().skip(1);
    rows.map(|row| {
        let (name, rest) = row[1..].split_once("\",").unwrap();
        let (n, k) =
            name.strip_prefix("CN(").unwrap().strip_suffix(')').unwrap().split_once(',').unwrap();
        let fields: Vec<_> = rest.split(',').collect();
        (
            n.parse().unwrap(),
            k.parse().unwrap(),
            fields[0].parse().unwrap(),
            fields[1].parse().unwrap(),
            fields[3].parse().unwrap(),
            fields[4].parse().unwrap(),
        )
    })
}

#[test]
fn the_reference_counts() {
    let mut rows = 0;
    for (n, k, h, max, mean, zeros) in reference() {
        let game = common::circular(n, k);
        let summary = grundy::summary(&game, &vec![h; n], &Unlimited).unwrap();
        assert_eq!((summary.max(), summary.count(0)), (max, zeros), "CN({n},{k}) {h}");
        assert!((summary.mean() - mean).abs() < 0.0051, "CN({n},{k}) {h}: {}", summary.mean());
        assert_eq!(summary.positions(), (h + 1).pow(n as u32));
        rows += 1;
    }
    assert_eq!(rows, 42);
}

#[test]
fn lines_show_every_position_once() {
    let game = common::circular(4, 2);
    let max = [3, 1, 4, 2];
    let table = naive::grundy(&game, &max).unwrap();
    let mut seen = std::collections::HashSet::new();
    let mut sink = |line: nimatron_table::ValueLine<'_>| {
        assert_eq!(line.foot()[line.along()], 0);
        line.for_each(|heights, value| {
            assert_eq!(table.get(heights), Some(value));
            assert!(seen.insert(heights.to_vec()));
        });
    };
    grundy::scan(&game, &max, &Unlimited, &mut sink).unwrap();
    assert_eq!(seen.len(), table.cells().len());
}

/// Stops when more than so many bytes are held.
struct Memory(u64);

impl Watch for Memory {
    fn check(&self, memory: u64) -> Result<(), Stop> {
        if memory > self.0 { Err(Stop::Memory) } else { Ok(()) }
    }
}

#[test]
fn limits_are_kept() {
    let game = common::circular(5, 2);
    let stopped = Err(TableError::Stopped(Stop::Memory));
    assert_eq!(grundy::summary(&game, &[9; 5], &Memory(1000)), stopped);
    assert!(grundy::summary(&game, &[4; 5], &Memory(1 << 20)).is_ok());
    let misere = game.under(Play::Misere);
    assert_eq!(grundy::summary(&misere, &[1; 5], &Unlimited), Err(TableError::Misere));
}
