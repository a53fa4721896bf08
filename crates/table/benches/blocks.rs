//! The block engine against the line kernel, both counting with orbits on one core.
//!
//! `cargo bench -p nimatron-table --bench blocks` prints a line per box: seconds of the processor,
//! best of five, of the line kernel and of blocks of the side that suits the box; how many times the
//! latter are faster, and how many times they are to be. Every count is checked. Rounds of both take
//! turns, so that both meet the same neighbours. Of boxes for which the line kernel takes minutes
//! only some layers are done by it; its time is then foreseen from the last of these.
//!
//! Words after `--` choose boxes by their names; `--rounds=N` does fewer rounds, `--sides` tells the
//! times of all sides instead.
#![allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "a bench has a clock")]
#![allow(missing_docs, clippy::print_stdout)]

use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Family, Height, SetFamily, StackSet, Stop, Unlimited};
use nimatron_table::Alone;
use nimatron_table::blocks::{self, Side};
use nimatron_table::line::{self, Path, Sink};
use std::time::Instant;

struct Box {
    name: &'static str,
    sets: Vec<StackSet>,
    heights: Vec<u32>,
    side: Side,
    count: u64,
    /// How many times faster blocks are to be.
    bar: f64,
    /// Layers that the line kernel does, if not all.
    layers: Option<u32>,
}

fn boxes() -> Vec<Box> {
    let of = |family: Family| family.rule().sets().iter().collect::<Vec<StackSet>>();
    let cube = |name, family: Family, (n, h): (usize, u32), side, count, bar, layers| {
        let (sets, heights) = (of(family), vec![h; n]);
        Box { name, sets, heights, side, count, bar, layers }
    };
    let circular = |n, k| Family::Circular { n, k };
    let moore = Family::Moore { n: 6, k: 3 };
    let (eight, sixteen) = (Side::Eight, Side::Sixteen);
    vec![
        cube("CN(6,2) 47", circular(6, 2), (6, 47), eight, 4_238_060, 5.0, None),
        cube("CN(7,3) 31", circular(7, 3), (7, 31), eight, 14_689_616, 5.0, None),
        cube("CN(8,3) 23", circular(8, 3), (8, 23), eight, 76_551_936, 12.0, None),
        cube("Moore(6,3) 47", moore, (6, 47), eight, 0, 8.0, None),
        cube("CN(6,2) 95", circular(6, 2), (6, 95), sixteen, 73_206_494, 100.0, Some(2)),
    ]
}

/// Seconds of the processor that this thread has had, or of the clock where they are not told.
fn seconds(begun: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begun.elapsed().as_secs_f64(), |ns| ns * 1e-9)
}

#[derive(Default)]
struct Orbits {
    count: u64,
    orbits: u64,
    by_max: Vec<u64>,
}

impl Sink for Orbits {
    fn p_position(&mut self, heights: &[u32]) -> Result<(), Stop> {
        self.noted(heights, false)
    }

    fn noted(&mut self, heights: &[u32], is_least: bool) -> Result<(), Stop> {
        self.count += 1;
        self.orbits += u64::from(is_least);
        let tallest = heights.iter().max().map_or(0, |&h| h as usize);
        if tallest >= self.by_max.len() {
            self.by_max.resize(tallest + 1, 0);
        }
        self.by_max[tallest] += 1;
        Ok(())
    }
}

fn by_lines(of: &Box) -> (f64, u64) {
    let begun = Instant::now();
    let start = seconds(begun);
    let family = SetFamily::listed(of.heights.len(), of.sets.iter().copied());
    let symmetry = Symmetry::of_sets(&family);
    let plan = line::Plan::with_order(&of.sets, &of.heights, line::Order::Fastest);
    let mut run = line::Run::new(plan.expect("a game")).expect("memory").in_any_order();
    let is_least = |found: &[u32]| {
        let mut heights = [0 as Height; 32];
        let heights = &mut heights[..found.len()];
        heights.iter_mut().zip(found).for_each(|(height, &h)| *height = h.into());
        symmetry.is_canonical(heights)
    };
    let mut sink = Orbits::default();
    let all = run.plan().layers();
    let mut advance = |run: &mut line::Run<'_>, until: u32| {
        run.advance_noting(until, &Alone, &Unlimited, Some(&mut sink), Some(&is_least))
            .expect("nobody stops it");
    };
    match of.layers {
        None => {
            advance(&mut run, all);
            (seconds(begun) - start, sink.count)
        }
        Some(some) => {
            advance(&mut run, some - 1);
            let before = seconds(begun);
            advance(&mut run, some);
            ((seconds(begun) - before) * f64::from(all), 0)
        }
    }
}

fn by_blocks(of: &Box, side: Side) -> (f64, u64) {
    let begun = Instant::now();
    let start = seconds(begun);
    let plan = blocks::Plan::new(&of.sets, &of.heights, side).expect("a game");
    let mut run = blocks::Run::new(plan);
    run.finish(&Alone, &Unlimited).expect("nobody stops it");
    let census = run.census().expect("memory");
    (seconds(begun) - start, census.count)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --benches` only wants to know that it runs.
    let quick = words.iter().any(|word| word == "--test");
    let sides = words.iter().any(|word| word == "--sides");
    let rounds = words.iter().find_map(|word| word.strip_prefix("--rounds=")?.parse().ok());
    let rounds: usize = rounds.unwrap_or(5);
    let names: Vec<&String> = words.iter().filter(|word| !word.starts_with("--")).collect();
    println!("one core, {:?}, best of {rounds}", Path::best());
    println!("| box | line kernel, s | blocks, s | times | at least |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    for of in boxes() {
        if quick || !(names.is_empty() || names.iter().any(|&name| name == of.name)) {
            continue;
        }
        if sides {
            for side in Side::ALL.into_iter().filter(|side| side.takes(of.heights.len())) {
                let times = (0..rounds).map(|_| by_blocks(&of, side).0);
                let least = times.fold(f64::INFINITY, f64::min);
                let plan = blocks::Plan::new(&of.sets, &of.heights, side).expect("a game");
                let foreseen = plan.estimate(of.count as f64, 1).seconds();
                println!("{}, {side:?}: {least:.3} s, {foreseen:.3} s foreseen", of.name);
            }
            continue;
        }
        let (mut line, mut blocks) = (f64::INFINITY, f64::INFINITY);
        for round in 0..rounds {
            // What is foreseen need not be foreseen often.
            if round == 0 || of.layers.is_none() {
                let (seconds, count) = by_lines(&of);
                line = line.min(seconds);
                assert!(of.count == 0 || of.layers.is_some() || of.count == count, "{}", of.name);
            }
            let (seconds, count) = by_blocks(&of, of.side);
            blocks = blocks.min(seconds);
            assert!(of.count == 0 || of.count == count, "{}", of.name);
        }
        let times = line / blocks;
        println!("| {} | {line:.3} | {blocks:.3} | {times:.1} | {:.0} |", of.name, of.bar);
    }
}
