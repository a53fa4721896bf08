//! The block engine finds the P-positions that brute force and the line kernel find.

mod line_common;

use line_common::{Random, Threads, brute_force, circular, set_systems};
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Family, Height, Play, SetFamily, StackSet, Stop, Unlimited, Watch};
use nimatron_table::Alone;
use nimatron_table::blocks::{Plan, Run, Side};
use nimatron_table::line::{self, LineError, List, Path};
use std::sync::atomic::{AtomicU32, Ordering};

const PATHS: [Path; 3] = [Path::Portable, Path::Avx2, Path::Avx512];
const PLAYS: [Play; 2] = [Play::Normal, Play::Misere];

fn list(found: impl Fn(&mut List)) -> Vec<Vec<u32>> {
    let mut list = List::default();
    found(&mut list);
    list.iter().map(<[u32]>::to_vec).collect()
}

/// Everything a run says about its box is right.
fn compare(run: &Run, expected: &[Vec<u32>], name: &str) {
    let all = list(|list| run.positions(&Unlimited, list).unwrap());
    assert!(all == expected, "{name}: {} are not {} positions", all.len(), expected.len());
    let tall = |p: &Vec<u32>| p.iter().map(|&h| h.into()).collect::<Vec<Height>>();
    let heights = run.plan().heights();
    let sets = SetFamily::listed(heights.len(), run.plan().facets().iter().copied());
    let symmetry = Symmetry::of_sets(&sets).stabiliser(&tall(&heights.to_vec()));
    let least: Vec<_> =
        expected.iter().filter(|p| symmetry.is_canonical(&tall(p))).cloned().collect();
    let representatives = list(|list| run.representatives(&Unlimited, list).unwrap());
    assert!(representatives == least, "{name}: {representatives:?}, not {least:?}");
    let by_max = |list: &[Vec<u32>]| {
        let mut counts = vec![0; heights.iter().max().map_or(0, |&h| h as usize) + 1];
        list.iter().for_each(|p| counts[p.iter().max().map_or(0, |&h| h as usize)] += 1);
        counts
    };
    let census = run.census().unwrap();
    let counted = (census.count, census.orbits);
    assert_eq!(counted, (expected.len() as u64, least.len() as u64), "{name}");
    assert_eq!(census.by_max, by_max(expected), "{name}");
    assert_eq!(census.orbits_by_max, by_max(&least), "{name}");
}

/// On every path with every side against a list of P-positions.
fn check_against(sets: &[StackSet], heights: &[u32], play: Play, expected: &[Vec<u32>]) {
    for side in Side::ALL.into_iter().filter(|s| s.takes(heights.len())) {
        let plan = Plan::new(sets, heights, side).unwrap();
        for path in PATHS.into_iter().filter(|p| p.is_available()) {
            let mut run = Run::new(plan.clone()).on(path).under(play);
            run.finish(&Alone, &Unlimited).unwrap();
            let order = plan.order();
            let name = format!("{sets:?} in {heights:?}, {side:?}, {order:?}, {path:?}, {play:?}");
            compare(&run, expected, &name);
        }
    }
}

fn check(sets: &[StackSet], heights: &[u32]) {
    for play in PLAYS {
        check_against(sets, heights, play, &brute_force(sets, heights, play));
    }
}

/// What the line kernel lists.
fn by_lines(sets: &[StackSet], heights: &[u32], play: Play) -> Vec<Vec<u32>> {
    let mut found = List::default();
    let plan = line::Plan::new(sets, heights).unwrap();
    line::Run::new(plan).unwrap().under(play).finish(&Alone, &Unlimited, Some(&mut found)).unwrap();
    found.sort();
    found.iter().map(<[u32]>::to_vec).collect()
}

#[test]
fn every_set_system_on_up_to_four_stacks() {
    for n in 1..=4 {
        for system in set_systems(n) {
            check(&system, &vec![6; n]);
        }
    }
}

#[test]
fn random_systems_in_uneven_boxes() {
    let mut random = Random(2027);
    for round in 0..200 {
        let n = 5 + round % 4;
        let (system, heights) = (random.system(n), random.heights(n, 3000));
        let play = PLAYS[round / 4 % 2];
        check_against(&system, &heights, play, &brute_force(&system, &heights, play));
    }
}

#[test]
fn heights_across_the_bounds_of_blocks() {
    for h in [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33] {
        check(&circular(1, 1), &[h]);
        check(&circular(2, 1), &[h, h + 1]);
        check(&circular(2, 2), &[h, 3]);
        check(&circular(3, 2), &[h, 4, h]);
        check(&circular(3, 1), &[5, h, h]);
        for system in [circular(4, 1), circular(4, 2), circular(4, 3)] {
            check(&system, &[h, 1, 2, h / 3]);
            check(&system, &[2, h, 1, h]);
        }
        check(&circular(5, 2), &[h, 2, 1, 3, 1]);
    }
    check(&circular(2, 1), &[130, 140]);
    check(&circular(1, 1), &[2000]);
    check(&circular(3, 2), &[300, 1, 70]);
}

#[test]
fn symmetries_that_keep_the_box() {
    check(&circular(4, 2), &[9, 3, 9, 3]);
    check(&circular(5, 2), &[8, 4, 5, 4, 8]);
    check(&circular(6, 3), &[4, 5, 4, 5, 4, 5]);
    let moore: Vec<_> = Family::Moore { n: 5, k: 3 }.rule().sets().iter().collect();
    check(&moore, &[4, 4, 5, 5, 5]);
    check(&circular(5, 1), &[5, 5, 5, 4, 8]);
    // Two components, and two stacks that are in the same sets.
    let sets =
        |names: &[&[usize]]| names.iter().map(|s| s.iter().copied().collect()).collect::<Vec<_>>();
    check(&sets(&[&[0, 1], &[1, 2], &[3, 4]]), &[5, 8, 5, 4, 4]);
    check(&sets(&[&[0, 1, 2], &[2, 3], &[3, 4]]), &[6, 6, 4, 4, 5]);
}

#[test]
fn many_stacks() {
    for (system, heights) in
        [(circular(9, 4), [2; 9].to_vec()), (circular(10, 3), [1; 10].to_vec())]
    {
        check(&system, &heights);
    }
    // Blocks of eight heights would take too long here without optimisation.
    for (n, k) in [(11, 4), (12, 5)] {
        let (system, heights) = (circular(n, k), vec![1; n]);
        let expected = brute_force(&system, &heights, Play::Normal);
        let mut run = Run::new(Plan::new(&system, &heights, Side::Four).unwrap());
        run.finish(&Alone, &Unlimited).unwrap();
        compare(&run, &expected, "twelve stacks");
    }
}

#[test]
fn larger_boxes_as_the_line_kernel_finds_them() {
    let dense: Vec<_> = Family::Moore { n: 4, k: 3 }.rule().sets().iter().collect();
    let games = [
        (circular(5, 2), vec![17; 5]),
        (circular(4, 2), vec![37; 4]),
        (circular(6, 3), vec![9, 8, 9, 7, 9, 8]),
        (dense, vec![33, 33, 33, 20]),
    ];
    for (system, heights) in games {
        for play in PLAYS {
            check_against(&system, &heights, play, &by_lines(&system, &heights, play));
        }
    }
}

#[test]
fn any_number_of_workers_finds_the_same() {
    let (system, heights) = (circular(6, 2), [19; 6]);
    let expected = by_lines(&system, &heights, Play::Misere);
    for workers in 1..=4 {
        let plan = Plan::new(&system, &heights, Side::Eight).unwrap();
        let mut run = Run::new(plan).under(Play::Misere).sharing_always();
        run.finish(&Threads(workers), &Unlimited).unwrap();
        compare(&run, &expected, &format!("{workers} workers"));
    }
}

/// Stops after so many looks.
struct Impatient(AtomicU32);

impl Watch for Impatient {
    fn check(&self, _memory: u64) -> Result<(), Stop> {
        let looks = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        looks.map(|_| ()).map_err(|_| Stop::Cancelled)
    }
}

#[test]
fn a_run_that_was_stopped_goes_on() {
    let (system, heights) = (circular(5, 2), [14; 5]);
    let expected = by_lines(&system, &heights, Play::Normal);
    for looks in [0, 1, 7, 40] {
        for workers in [1, 3] {
            let plan = Plan::new(&system, &heights, Side::Four).unwrap();
            let mut run = Run::new(plan).sharing_always();
            let stopped = run.finish(&Threads(workers), &Impatient(looks.into()));
            assert_eq!(stopped, Err(LineError::Stopped(Stop::Cancelled)));
            assert!(!run.is_finished());
            run.advance(2, &Threads(workers), &Unlimited).unwrap();
            assert_eq!(run.next_level(), 2);
            run.finish(&Threads(workers), &Unlimited).unwrap();
            compare(&run, &expected, "stopped");
        }
    }
}

#[test]
fn a_run_is_stopped_while_blocks_are_numbered() {
    // Fourteen million blocks, before the first of them is computed.
    let plan = Plan::new(&circular(2, 1), &[60_000; 2], Side::Sixteen).unwrap();
    let mut run = Run::new(plan);
    let stopped = run.finish(&Alone, &Impatient(5.into()));
    assert_eq!(stopped, Err(LineError::Stopped(Stop::Cancelled)));
    assert_eq!(run.census().unwrap().count, 0);
    // What is not begun can be saved, too.
    let mut state = Vec::new();
    run.save(&mut state).unwrap();
    assert_eq!(Run::load(&state[..]).unwrap().next_level(), 0);
}

#[test]
fn what_cannot_be_done_is_refused() {
    let sets = circular(5, 2);
    assert_eq!(Plan::new(&sets, &[], Side::Eight).err(), Some(LineError::Stacks(0)));
    let short = Plan::new(&sets, &[3; 4], Side::Eight).err();
    assert!(matches!(short, Some(LineError::Cover(_))));
    assert_eq!(Plan::new(&sets, &[3; 16], Side::Four).err(), Some(LineError::Stacks(16)));
    let plan = Plan::new(&sets, &[1 << 29; 5], Side::Four).unwrap();
    let refused = Run::new(plan).finish(&Alone, &Unlimited);
    assert!(matches!(refused, Err(LineError::Memory(_))));
}

#[test]
fn a_state_comes_back() {
    let (system, heights) = (circular(5, 2), [18, 18, 18, 18, 18]);
    for side in Side::ALL {
        let plan = Plan::new(&system, &heights, side).unwrap();
        let mut whole = Run::new(plan.clone()).under(Play::Misere);
        whole.finish(&Alone, &Unlimited).unwrap();
        for level in [0, 1, 3, whole.levels()] {
            let mut run = Run::new(plan.clone()).under(Play::Misere);
            run.advance(level, &Alone, &Unlimited).unwrap();
            // Part of a level is kept as well.
            let _ = run.finish(&Alone, &Impatient(9.into()));
            let mut state = Vec::new();
            run.save(&mut state).unwrap();
            let mut back = Run::load(&state[..]).unwrap();
            let mut again = Vec::new();
            back.save(&mut again).unwrap();
            assert!(state == again, "a state is written as it was read");
            back.finish(&Threads(2), &Unlimited).unwrap();
            assert_eq!(back.census().unwrap(), whole.census().unwrap());
        }
    }
}

#[test]
fn damaged_states_are_refused() {
    let plan = Plan::new(&circular(4, 2), &[9; 4], Side::Four).unwrap();
    let mut run = Run::new(plan);
    run.advance(4, &Alone, &Unlimited).unwrap();
    let mut state = Vec::new();
    run.save(&mut state).unwrap();
    for at in 0..state.len() {
        let mut bytes = state.clone();
        bytes[at] ^= 1 << (at % 8);
        assert!(Run::load(&bytes[..]).is_err(), "byte {at}");
    }
    for length in [0, 7, 8, 100, state.len() - 1] {
        assert!(Run::load(&state[..length]).is_err(), "cut off at {length}");
    }
    let mut line = Vec::new();
    let plan = line::Plan::new(&circular(4, 2), &[9; 4]).unwrap();
    line::Run::new(plan).unwrap().save(&mut line).unwrap();
    assert!(matches!(Run::load(&line[..]).err(), Some(line::StateError::Magic)));
}
