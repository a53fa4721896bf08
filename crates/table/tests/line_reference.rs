//! Counts of P-positions, computed elsewhere by independent programs.

mod line_common;

use line_common::circular;
use nimatron_game::{Play, Unlimited};
use nimatron_table::Alone;
use nimatron_table::blocks::{self, Side};
use nimatron_table::line::{Plan, Run};

/// Least among its rotations and reflections.
fn is_least(p: &[u32]) -> bool {
    let n = p.len();
    (0..n).all(|r| {
        let turned = (0..n).map(|i| p[(r + i) % n]);
        let reflected = (0..n).map(|i| p[(r + n - i) % n]);
        p.iter().copied().le(turned) && p.iter().copied().le(reflected)
    })
}

fn check(csv: &str, play: Play) {
    let mut rows = 0;
    for row in csv.lines().skip(1) {
        let (game, row) = row.split_once(')').expect("a quoted game");
        let (n, k) = game.trim_start_matches("\"CN(").split_once(',').expect("two numbers");
        let (n, k): (usize, usize) = (n.parse().unwrap(), k.parse().unwrap());
        let mut columns = row.trim_start_matches("\",").split(',');
        let mut number = || columns.next().unwrap().parse::<u64>().unwrap();
        let (h, count, orbits) = (number() as u32, number(), number());
        let plan = Plan::new(&circular(n, k), &vec![h; n]).unwrap();
        let mut least = 0;
        let mut sink = |p: &[u32]| least += u64::from(is_least(p));
        let mut run = Run::new(plan).unwrap().under(play);
        let found = run.finish(&Alone, &Unlimited, Some(&mut sink)).unwrap().count;
        assert_eq!((found, least), (count, orbits), "CN({n},{k}), h = {h}, {play:?}");
        let plan = blocks::Plan::new(&circular(n, k), &vec![h; n], Side::Four).unwrap();
        let mut run = blocks::Run::new(plan).under(play);
        run.finish(&Alone, &Unlimited).unwrap();
        let census = run.census().unwrap();
        assert_eq!(
            (census.count, census.orbits),
            (count, orbits),
            "CN({n},{k}), h = {h}, {play:?}"
        );
        rows += 1;
    }
    assert!(rows > 100);
}

#[test]
fn counts_in_boxes() {
    check(include_str!("../../../corpus/reference/counts.csv"), Play::Normal);
}

#[test]
fn counts_under_misere_play() {
    check(include_str!("../../../corpus/reference/misere.csv"), Play::Misere);
}

/// Large boxes that only blocks reach in seconds; half a minute and 200 MB with optimisation.
#[test]
#[ignore = "for release builds"]
fn counts_in_large_boxes() {
    let cases = [(6, 2, 95, Side::Sixteen, 73_206_494), (8, 3, 31, Side::Eight, 429_846_528u64)];
    for (n, k, h, side, count) in cases {
        let plan = blocks::Plan::new(&circular(n, k), &vec![h; n], side).unwrap();
        let mut run = blocks::Run::new(plan);
        run.finish(&Alone, &Unlimited).unwrap();
        assert_eq!(run.census().unwrap().count, count, "CN({n},{k}), h = {h}");
    }
}
