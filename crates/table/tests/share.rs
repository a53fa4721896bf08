//! Parties that share nothing but what they send each other find what one party finds.

mod line_common;

use line_common::{Random, Threads, circular};
use nimatron_game::{Play, StackSet, Unlimited};
use nimatron_table::Alone;
use nimatron_table::blocks::{Census, Exchange, Frame, Plan, Run, Shelf, Side, Take};
use nimatron_table::line::{LineError, List, StateError};
use std::io;
use std::sync::{Arc, Condvar, Mutex};

type Lists = Vec<(usize, Vec<u32>)>;

/// Parties in one process, each a thread: what is offered is put on a table for all.
struct Table {
    parties: usize,
    levels: Mutex<Vec<Vec<Option<Lists>>>>,
    changed: Condvar,
}

struct Party<'a> {
    table: &'a Table,
    me: usize,
    offered: Mutex<Lists>,
    /// Speeds that are told after each level.
    speeds: Vec<f64>,
}

impl Exchange for Party<'_> {
    fn parties(&self) -> usize {
        self.table.parties
    }

    fn me(&self) -> usize {
        self.me
    }

    fn offer(&self, block: usize, list: &[u32]) -> Result<(), LineError> {
        self.offered.lock().unwrap().push((block, list.to_vec()));
        Ok(())
    }

    fn complete(&self, level: usize, _: u64, take: &mut Take<'_>) -> Result<Vec<f64>, LineError> {
        let mut levels = self.table.levels.lock().unwrap();
        if levels.len() <= level {
            levels.resize(level + 1, vec![None; self.table.parties]);
        }
        levels[level][self.me] = Some(std::mem::take(&mut *self.offered.lock().unwrap()));
        self.table.changed.notify_all();
        while levels[level].iter().any(Option::is_none) {
            levels = self.table.changed.wait(levels).unwrap();
        }
        for (party, lists) in levels[level].iter().enumerate() {
            for (block, list) in lists.iter().flatten().filter(|_| party != self.me) {
                take(*block, list)?;
            }
        }
        Ok(self.speeds.clone())
    }
}

fn plan(sets: &[StackSet], heights: &[u32], side: Side) -> Plan {
    Plan::new(sets, heights, side).unwrap()
}

/// All frames of all parts, and what the parts amount to together.
fn in_parts(plan: &Plan, play: Play, parties: usize, speeds: &[f64]) -> (Vec<Vec<u8>>, Census) {
    let table = Table { parties, levels: Mutex::default(), changed: Condvar::new() };
    let mut parts = Vec::new();
    #[allow(clippy::disallowed_methods, reason = "a test has threads")]
    std::thread::scope(|scope| {
        let work = |me: usize| {
            let table = &table;
            let offered = Mutex::default();
            let party = Party { table, me, offered, speeds: speeds[..parties].to_vec() };
            move || {
                let mut run = Run::new(plan.clone()).under(play).sharing_always();
                let (mut file, mut census) = (Vec::new(), Census::default());
                for level in 0..run.levels() {
                    run.advance_with(level + 1, &Threads(1 + me % 2), &party, &Unlimited).unwrap();
                    run.write_frame(level, me, parties, &mut file).unwrap();
                    census.add(&run.census_of_part(level, me, parties).unwrap());
                    run.forget();
                }
                (file, census)
            }
        };
        let working: Vec<_> = (0..parties).map(|me| scope.spawn(work(me))).collect();
        parts.extend(working.into_iter().map(|party| party.join().unwrap()));
    });
    let mut census = Census::default();
    parts.iter().for_each(|part| census.add(&part.1));
    (parts.into_iter().map(|part| part.0).collect(), census)
}

fn frames(parts: &[Vec<u8>]) -> Result<Vec<Vec<Frame>>, StateError> {
    let mut inputs: Vec<&[u8]> = parts.iter().map(|part| &part[..]).collect();
    let mut levels = Vec::new();
    loop {
        let read = inputs.iter_mut().map(Frame::read);
        let level: Vec<Option<Frame>> = read.collect::<Result<_, _>>()?;
        match level.into_iter().collect::<Option<Vec<Frame>>>() {
            Some(level) => levels.push(level),
            None => return Ok(levels),
        }
    }
}

fn joined(parts: &[Vec<u8>]) -> Result<Run, StateError> {
    let levels = frames(parts)?;
    let mut run = levels[0][0].begin()?;
    for level in levels {
        run.take_level(level)?;
    }
    Ok(run)
}

fn state(run: &Run) -> Vec<u8> {
    let mut state = Vec::new();
    run.save(&mut state).unwrap();
    state
}

#[test]
fn any_number_of_parties_finds_the_same() {
    let mut random = Random(15);
    let mut games = vec![
        (circular(5, 2), vec![18; 5], Side::Four),
        (circular(6, 3), vec![11; 6], Side::Four),
        (circular(4, 2), vec![37; 4], Side::Eight),
        (circular(4, 2), vec![9, 40, 9, 3], Side::Sixteen),
    ];
    for n in 4..=5 {
        games.push((random.system(n), random.heights(n, 90_000), Side::Four));
    }
    for (i, (sets, heights, side)) in games.into_iter().enumerate() {
        let play = [Play::Normal, Play::Misere][i % 2];
        let plan = plan(&sets, &heights, side);
        let mut whole = Run::new(plan.clone()).under(play);
        whole.finish(&Alone, &Unlimited).unwrap();
        let alone = in_parts(&plan, play, 1, &[1.0]).0;
        for parties in 1..=5 {
            // Nobody minds if some are said to be fast and others to be slow.
            for speeds in [[1.0; 5], [1.0, 3.0, 0.5, 0.0, 9.0]] {
                let (parts, census) = in_parts(&plan, play, parties, &speeds);
                assert_eq!(census, whole.census().unwrap());
                let run = joined(&parts).unwrap();
                assert!(run.is_finished());
                assert!(state(&run) == state(&whole), "{sets:?} in {parties} parts");
                // The parts are the same whoever is fast; and one part is all of it.
                assert!(parts == in_parts(&plan, play, parties, &[1.0; 5]).0);
                assert!(parties > 1 || parts == alone);
            }
        }
    }
}

#[test]
fn what_is_not_needed_is_dropped_and_not_counted_as_if_it_were_there() {
    let plan = plan(&circular(5, 2), &[18; 5], Side::Four);
    let mut run = Run::new(plan.clone());
    run.prepare(&Unlimited).unwrap();
    assert!((0.2..0.95).contains(&run.most_held()), "{}", run.most_held());
    assert!((0.999..1.001).contains(&run.imbalance(1)) && run.imbalance(7) > 1.0);
    let mut whole = Run::new(plan);
    whole.finish(&Alone, &Unlimited).unwrap();
    while !run.is_finished() {
        run.advance(run.next_level() + 1, &Alone, &Unlimited).unwrap();
        run.forget();
    }
    assert!(run.lists().bytes() < whole.lists().bytes());
    assert_eq!(run.census().err(), Some(LineError::Dropped));
    assert_eq!(run.positions(&Unlimited, &mut List::default()).err(), Some(LineError::Dropped));
    let none = run.representatives(&Unlimited, &mut List::default());
    assert_eq!(none.err(), Some(LineError::Dropped));
    assert!(run.save(io::sink()).is_err());
    assert!(run.write_frame(0, 0, 1, io::sink()).is_err());
}

/// A shelf in memory, which fails when it is full.
struct Board(Arc<Mutex<Vec<u32>>>, usize);

impl Shelf for Board {
    fn put(&self, list: &[u32]) -> io::Result<u64> {
        let mut board = self.0.lock().unwrap();
        if board.len() + list.len() > self.1 {
            return Err(io::Error::other("the disk is full"));
        }
        board.extend_from_slice(list);
        Ok((board.len() - list.len()) as u64)
    }

    fn get(&self, at: u64, into: &mut [u32]) -> io::Result<()> {
        into.copy_from_slice(&self.0.lock().unwrap()[at as usize..][..into.len()]);
        Ok(())
    }
}

#[test]
fn lists_on_a_shelf_are_as_good() {
    let plan = plan(&circular(5, 2), &[18; 5], Side::Four);
    let mut whole = Run::new(plan.clone());
    whole.finish(&Alone, &Unlimited).unwrap();
    let expected = in_parts(&plan, Play::Normal, 1, &[1.0]).0;
    let all = whole.lists().bytes();
    for most in [0, all / 10, all] {
        let board = Arc::new(Mutex::new(Vec::new()));
        let mut run = Run::new(plan.clone()).sharing_always();
        run.prepare(&Unlimited).unwrap();
        run.shelve(Box::new(Board(Arc::clone(&board), usize::MAX)), most);
        let mut file = Vec::new();
        for level in 0..run.levels() {
            run.advance(level + 1, &Threads(2), &Unlimited).unwrap();
            run.write_frame(level, 0, 1, &mut file).unwrap();
            run.make_room().unwrap();
            assert!(run.lists().bytes() <= most);
        }
        assert!(file == expected[0]);
        assert_eq!(board.lock().unwrap().is_empty(), most == all);
    }
    let mut run = Run::new(plan);
    run.advance(5, &Alone, &Unlimited).unwrap();
    run.shelve(Box::new(Board(Arc::default(), 3)), 0);
    assert_eq!(run.make_room().err(), Some(LineError::Outside("the disk is full".to_string())));
}

#[test]
fn damaged_parts_are_refused() {
    let plan = plan(&circular(4, 2), &[9; 4], Side::Four);
    let (parts, _) = in_parts(&plan, Play::Normal, 2, &[1.0; 2]);
    for at in 0..parts[1].len() {
        let mut damaged = parts.clone();
        damaged[1][at] ^= 1 << (at % 8);
        assert!(joined(&damaged).is_err(), "byte {at}");
    }
    for length in [0, 7, 100, parts[1].len() - 1] {
        let cut = [parts[0].clone(), parts[1][..length].to_vec()];
        assert!(frames(&cut).map_or(true, |levels| levels.len() < 9), "cut off at {length}");
    }
    // A part twice, a part of another table, and of another number of parts.
    assert!(joined(&[parts[0].clone(), parts[0].clone()]).is_err());
    let other =
        in_parts(&self::plan(&circular(4, 2), &[10; 4], Side::Four), Play::Normal, 2, &[1.0; 2]);
    assert!(joined(&[parts[0].clone(), other.0[1].clone()]).is_err());
    let misere = in_parts(&plan, Play::Misere, 2, &[1.0; 2]);
    assert!(joined(&[parts[0].clone(), misere.0[1].clone()]).is_err());
    assert!(joined(&parts[..1]).is_err());
}
