//! Runs: the same results with any crew, from any saved state, and a clean end when stopped.

mod line_common;

use line_common::{Random, Threads, circular};
use nimatron_game::{Play, StackSet, Stop, Unlimited, Watch};
use nimatron_table::line::{LineError, List, Plan, Run, Sink, StateError, Tally};
use nimatron_table::{Alone, Crew};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Games in boxes large enough to be shared among workers.
fn shared_boxes() -> Vec<(Vec<StackSet>, Vec<u32>)> {
    vec![
        (circular(6, 2), vec![21; 6]),
        (circular(5, 3), vec![45, 39, 40, 41, 50]),
        (circular(5, 1), vec![9, 70, 40, 70, 50]),
        (circular(7, 4), vec![13; 7]),
    ]
}

fn listed(run: &mut Run<'_>, crew: &dyn Crew) -> (List, Tally) {
    let mut list = List::default();
    let tally = run.finish(crew, &Unlimited, Some(&mut list)).unwrap().clone();
    (list, tally)
}

#[test]
fn any_crew_lists_the_same_in_the_same_order() {
    for (sets, heights) in shared_boxes() {
        let plan = Plan::new(&sets, &heights).unwrap();
        assert!(plan.estimate(1).positions > 100_000_000);
        let new = || Run::new(plan.clone()).unwrap().counting_by_max();
        let expected = listed(&mut new(), &Alone);
        let order: Vec<_> = expected.0.iter().map(|p| in_order(&plan, p)).collect();
        assert!(order.is_sorted());
        for size in 2..=4 {
            assert!(listed(&mut new(), &Threads(size)) == expected, "{heights:?}, {size} threads");
        }
        // In any order the list holds the same.
        let (mut list, tally) = listed(&mut new().in_any_order(), &Threads(3));
        let mut sorted = expected.0.clone();
        list.sort();
        sorted.sort();
        assert!(list == sorted && tally == expected.1, "{heights:?} in any order");
        // Without a list the count is the same.
        let counted = new().finish(&Threads(3), &Unlimited, None).unwrap().clone();
        assert_eq!(counted, expected.1);
    }
}

fn in_order(plan: &Plan, heights: &[u32]) -> Vec<u32> {
    plan.order().iter().map(|&s| heights[s]).collect()
}

#[test]
fn a_crew_that_works_one_after_the_other_is_a_crew() {
    struct Turns;
    impl Crew for Turns {
        fn size(&self) -> usize {
            3
        }
        fn run(&self, job: &(dyn Fn(usize) + Sync)) {
            (0..3).for_each(job);
        }
    }
    let plan = Plan::new(&circular(6, 2), &[21; 6]).unwrap();
    let alone = listed(&mut Run::new(plan.clone()).unwrap(), &Alone);
    assert!(listed(&mut Run::new(plan).unwrap(), &Turns) == alone);
}

#[test]
fn a_saved_run_goes_on_as_if_nothing_had_happened() {
    let mut random = Random(5);
    for round in 0..12 {
        let n = 3 + round % 5;
        let sets = random.system(n);
        let heights = random.heights(n, 60_000);
        let play = if round % 2 == 0 { Play::Normal } else { Play::Misere };
        let plan = Plan::new(&sets, &heights).unwrap();
        let new = || Run::new(plan.clone()).unwrap().under(play).counting_by_max();
        let (list, tally) = listed(&mut new(), &Alone);
        let mut whole = new();
        whole.finish(&Alone, &Unlimited, None).unwrap();
        let mut bytes = Vec::new();
        whole.save(&mut bytes).unwrap();
        for layer in 0..=plan.layers() {
            let mut pieces = List::default();
            let mut run = new();
            run.advance(layer, &Alone, &Unlimited, Some(&mut pieces)).unwrap();
            assert_eq!(run.next_layer(), layer);
            let mut state = Vec::new();
            run.save(&mut state).unwrap();
            let mut run = Run::load(&state[..]).unwrap();
            assert_eq!(run.plan().order(), plan.order());
            let found = run.finish(&Alone, &Unlimited, Some(&mut pieces)).unwrap();
            assert_eq!(*found, tally);
            assert!(pieces == list);
            let mut again = Vec::new();
            run.save(&mut again).unwrap();
            assert!(again == bytes);
        }
    }
}

#[test]
fn damaged_states_are_refused() {
    let plan = Plan::new(&circular(5, 2), &[3, 4, 3, 4, 5]).unwrap();
    let mut run = Run::new(plan).unwrap().counting_by_max();
    run.advance(2, &Alone, &Unlimited, None).unwrap();
    let mut state = Vec::new();
    run.save(&mut state).unwrap();
    assert!(Run::load(&state[..]).is_ok());
    for len in (0..state.len()).filter(|len| len % 97 == 0 || *len < 200) {
        assert!(matches!(Run::load(&state[..len]), Err(StateError::Truncated)), "{len} bytes");
    }
    for at in (0..state.len()).filter(|at| at % 31 == 0 || *at < 400) {
        let mut damaged = state.clone();
        damaged[at] ^= 1 << (at % 8);
        match Run::load(&damaged[..]) {
            Err(StateError::Magic) => assert!(at < 8),
            Err(StateError::Version(_)) => assert!((8..16).contains(&at)),
            Err(StateError::Damaged | StateError::Truncated | StateError::Run(_)) => {}
            Err(other) => panic!("byte {at}: {other}"),
            Ok(_) => panic!("byte {at} may be anything"),
        }
    }
}

/// Allows so many looks.
struct Looks(AtomicU64);

impl Watch for Looks {
    fn check(&self, memory: u64) -> Result<(), Stop> {
        assert!(memory > 0);
        let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        left.map(|_| ()).map_err(|_| Stop::Time)
    }
}

#[test]
fn a_watch_stops_all_workers() {
    let plan = Plan::new(&circular(6, 2), &[21; 6]).unwrap();
    for size in 1..=4 {
        for looks in [0, 1, 7, 100] {
            let mut run = Run::new(plan.clone()).unwrap();
            let watch = Looks(AtomicU64::new(looks));
            let stopped = run.finish(&Threads(size), &watch, None).err();
            assert_eq!(stopped, Some(LineError::Stopped(Stop::Time)));
            let again = run.finish(&Threads(size), &Unlimited, None).err();
            assert_eq!(again, Some(LineError::Spoiled));
            assert!(matches!(run.save(Vec::new()), Err(StateError::Run(LineError::Spoiled))));
        }
    }
}

/// Stops, or panics, at a certain P-position.
struct Until(u64, bool);

impl Sink for Until {
    fn p_position(&mut self, _: &[u32]) -> Result<(), Stop> {
        self.0 -= 1;
        match (self.0, self.1) {
            (0, false) => Err(Stop::Work),
            (0, true) => panic!("the sink has had enough"),
            _ => Ok(()),
        }
    }
}

#[test]
fn a_sink_stops_all_workers() {
    let plan = Plan::new(&circular(6, 2), &[21; 6]).unwrap();
    for size in 1..=4 {
        for count in [1, 1000, 150_000] {
            let mut sink = Until(count, false);
            let mut run = Run::new(plan.clone()).unwrap();
            let stopped = run.finish(&Threads(size), &Unlimited, Some(&mut sink)).err();
            assert_eq!(stopped, Some(LineError::Stopped(Stop::Work)));
            assert_eq!(sink.0, 0);
        }
    }
}

#[test]
fn a_panic_of_one_worker_ends_the_others() {
    let plan = Plan::new(&circular(6, 2), &[21; 6]).unwrap();
    let mut run = Run::new(plan).unwrap();
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut sink = Until(1000, true);
        run.finish(&Threads(4), &Unlimited, Some(&mut sink)).map(|_| ())
    }));
    assert!(result.is_err());
    assert_eq!(run.finish(&Alone, &Unlimited, None).err(), Some(LineError::Spoiled));
}

#[test]
fn progress_ends_with_everything_done() {
    struct Last(Mutex<(u128, u128)>);
    impl Watch for Last {
        fn check(&self, _: u64) -> Result<(), Stop> {
            Ok(())
        }
        fn progress(&self, done: u128, of: u128) {
            let mut last = self.0.lock().unwrap();
            *last = (last.0.max(done), of);
        }
    }
    let plan = Plan::new(&circular(6, 2), &[21; 6]).unwrap();
    let watch = Last(Mutex::new((0, 0)));
    Run::new(plan).unwrap().finish(&Threads(2), &watch, None).unwrap();
    assert_eq!(watch.0.into_inner().unwrap(), (22u128.pow(6), 22u128.pow(6)));
}
