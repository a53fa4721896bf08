//! The line kernel finds the P-positions that brute force finds.

mod line_common;

use line_common::{Random, brute_force, brute_force_without, circular, set_systems};
use nimatron_game::{Family, Outcome, Play, StackSet, Unlimited};
use nimatron_table::Alone;
use nimatron_table::line::{Blocked, LineError, List, Order, Path, Plan, Run, answer};

const PATHS: [Path; 3] = [Path::Portable, Path::Avx2, Path::Avx512];

fn listed(plan: &Plan, path: Path, play: Play) -> Vec<Vec<u32>> {
    let mut list = List::default();
    let mut run = Run::new(plan.clone()).unwrap().on(path).under(play);
    let count = run.finish(&Alone, &Unlimited, Some(&mut list)).unwrap().count;
    assert_eq!(count, list.len() as u64);
    list.sort();
    list.iter().map(<[u32]>::to_vec).collect()
}

fn check(sets: &[StackSet], heights: &[u32]) {
    for play in [Play::Normal, Play::Misere] {
        let expected = brute_force(sets, heights, play);
        for order in [Order::Fastest, Order::AsGiven] {
            let plan = Plan::with_order(sets, heights, order).unwrap();
            for path in PATHS.into_iter().filter(|p| p.is_available()) {
                let found = listed(&plan, path, play);
                assert!(
                    found == expected,
                    "{sets:?} in {heights:?}, order {:?}, {path:?}, {play:?}: {found:?}, not \
                     {expected:?}",
                    plan.order()
                );
            }
        }
    }
}

#[test]
fn every_set_system_on_up_to_four_stacks() {
    assert_eq!(set_systems(4).len(), 114);
    for n in 1..=4 {
        for system in set_systems(n) {
            check(&system, &vec![6; n]);
        }
    }
}

#[test]
fn random_systems_in_uneven_boxes() {
    let mut random = Random(2026);
    for round in 0..120 {
        let n = 5 + round % 3;
        let system = random.system(n);
        let heights = random.heights(n, 4000);
        check(&system, &heights);
    }
}

#[test]
fn heights_across_the_bounds_of_words() {
    for h in [15, 16, 31, 32, 63, 64, 65, 127, 128] {
        check(&circular(1, 1), &[h]);
        check(&circular(2, 1), &[h, h + 1]);
        check(&circular(2, 2), &[h, 3]);
        if h <= 65 {
            check(&circular(3, 2), &[h, 4, h]);
            check(&circular(3, 1), &[5, h, h]);
            for system in [circular(4, 1), circular(4, 2), circular(4, 3)] {
                check(&system, &[h, 1, 2, h / 3]);
            }
        }
    }
    check(&circular(3, 1), &[5, 130, 140]);
    check(&circular(4, 2), &[2, 70, 2, 129]);
}

#[test]
fn many_stacks() {
    check(&circular(12, 5), &[1; 12]);
    let one = [StackSet::first(9)];
    check(&one, &[2; 9]);
    check(&circular(10, 1), &[1; 10]);
    // Thirty-two stacks, most of them empty.
    let mut heights = vec![0; 32];
    for s in [0, 3, 8, 13, 21, 31] {
        heights[s] = 3;
    }
    check(&circular(32, 9), &heights);
}

/// Blocks every third position by the sum of a few heights.
struct Thirds(usize);

fn third(heights: &[u32]) -> bool {
    heights.iter().enumerate().map(|(s, &h)| (s as u32 + 1) * h).sum::<u32>() % 3 == 1
}

impl Blocked for Thirds {
    fn line(&self, heights: &[u32], words: &mut [u64]) {
        assert_eq!(heights[self.0], 0);
        let mut heights = heights.to_vec();
        for x in 0..words.len() * 64 {
            heights[self.0] = x as u32;
            words[x / 64] |= u64::from(third(&heights)) << (x % 64);
        }
    }
}

#[test]
fn blocked_positions_are_left_out() {
    let boxes: [(Vec<StackSet>, Vec<u32>); 4] = [
        (circular(5, 2), vec![5, 4, 3, 5, 6]),
        (circular(4, 2), vec![3, 17, 4, 20]),
        (circular(3, 2), vec![9, 40, 70]),
        (circular(6, 3), vec![3; 6]),
    ];
    for (system, heights) in boxes {
        let expected = brute_force_without(&system, &heights, third);
        let plan = Plan::new(&system, &heights).unwrap();
        let blocked = Thirds(*plan.order().last().unwrap());
        let mut list = List::default();
        let mut run = Run::new(plan).unwrap().blocking(&blocked);
        run.finish(&Alone, &Unlimited, Some(&mut list)).unwrap();
        list.sort();
        assert_eq!(list.iter().map(<[u32]>::to_vec).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn the_order_as_given_lists_lexicographically() {
    let plan = Plan::with_order(&circular(5, 2), &[7; 5], Order::AsGiven).unwrap();
    let mut list = List::default();
    Run::new(plan).unwrap().finish(&Alone, &Unlimited, Some(&mut list)).unwrap();
    assert!(list.iter().is_sorted());
}

#[test]
fn counts_by_greatest_height_are_those_of_all_smaller_cubes() {
    for (n, k) in [(4, 2), (5, 2), (5, 3), (6, 2)] {
        let plan = Plan::new(&circular(n, k), &vec![9; n]).unwrap();
        let mut run = Run::new(plan).unwrap().counting_by_max();
        let up_to = run.finish(&Alone, &Unlimited, None).unwrap().up_to().unwrap();
        for (h, &count) in up_to.iter().enumerate() {
            let plan = Plan::new(&circular(n, k), &vec![h as u32; n]).unwrap();
            let smaller = Run::new(plan).unwrap().finish(&Alone, &Unlimited, None).unwrap().count;
            assert_eq!(count, smaller, "CN({n},{k}), h = {h}");
        }
    }
}

#[test]
fn an_answer_lists_the_winning_moves() {
    let sets = circular(5, 2);
    for heights in [[3, 8, 5, 9, 6], [0, 0, 0, 0, 0], [5, 3, 4, 4, 3], [1, 1, 1, 1, 1]] {
        let p = brute_force(&sets, &heights, Play::Normal);
        let found = answer(&sets, Play::Normal, &heights, &Unlimited).unwrap();
        let is_p = p.iter().any(|q| q[..] == heights);
        assert_eq!(found.outcome == Outcome::P, is_p);
        let reached = |q: &&Vec<u32>| {
            let lowered = (0..5).filter(|&s| q[s] < heights[s]).collect::<StackSet>();
            !lowered.is_empty() && sets.iter().any(|&f| lowered.is_subset(f))
        };
        let expected: Vec<_> = p.iter().filter(reached).map(|q| &q[..]).collect();
        assert_eq!(found.winning.iter().collect::<Vec<_>>(), expected);
        assert_eq!(found.winning.is_empty(), is_p);
    }
}

#[test]
fn what_is_not_a_game_is_refused() {
    assert_eq!(Plan::new(&[], &[]).err(), Some(LineError::Stacks(0)));
    let covered = StackSet::from_bits(0b11);
    assert_eq!(Plan::new(&[covered], &[3; 3]).err(), Some(LineError::Cover(covered)));
    assert_eq!(Plan::new(&[covered], &[3]).err(), Some(LineError::Cover(covered)));
    let huge = Plan::new(&circular(32, 3), &[u32::MAX; 32]);
    assert!(matches!(huge, Err(LineError::Memory(_))), "{huge:?}");
}

#[test]
fn estimates_are_those_of_the_tables() {
    let sets: Vec<_> = Family::Circular { n: 7, k: 3 }.sets().iter().collect();
    let estimate = Plan::new(&sets, &[31; 7]).unwrap().estimate(1);
    assert_eq!(estimate.positions, 1 << 35);
    assert!(estimate.memory > 128 << 20 && estimate.memory < 200_000_000, "{estimate:?}");
    let taller = Plan::new(&sets, &[32; 7]).unwrap().estimate(1);
    assert!(taller.memory > estimate.memory, "{taller:?}");
}
