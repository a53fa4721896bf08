//! How many positions per second: plain loop and line kernel, in one run.
//!
//! `cargo bench -p nimatron-table` prints a line per box: seconds, positions per second, and how
//! many times faster than the plain loop that is. Every count is checked. The bandwidth of the
//! memory, measured in the same run, says how near its limit the kernel comes: it has to read
//! its largest table once per layer, one bit per position of a layer.
#![allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "a bench has a clock")]
#![allow(missing_docs, clippy::print_stdout)]

use nimatron_game::{Family, StackSet, Unlimited};
use nimatron_table::line::{Plan, Run};
use nimatron_table::{Alone, Crew};
use std::hint::black_box;
use std::time::Instant;

struct Threads(usize);

impl Crew for Threads {
    fn size(&self) -> usize {
        self.0
    }
    fn run(&self, job: &(dyn Fn(usize) + Sync)) {
        std::thread::scope(|scope| {
            for worker in 0..self.0 {
                scope.spawn(move || job(worker));
            }
        });
    }
}

fn circular(n: usize, k: usize) -> Vec<StackSet> {
    Family::Circular { n, k }.rule().sets().iter().collect()
}

/// The least time of some tries.
fn best<T: PartialEq + std::fmt::Debug>(tries: usize, work: impl Fn() -> T) -> (f64, T) {
    let time = || {
        let start = Instant::now();
        let result = black_box(work());
        (start.elapsed().as_secs_f64(), result)
    };
    let mut least = time();
    for _ in 1..tries {
        let next = time();
        assert_eq!(next.1, least.1, "two runs differ");
        least.0 = least.0.min(next.0);
    }
    least
}

/// The number of P-positions in a cube, by trying options until one is a P-position.
fn plain_loop(sets: &[StackSet], n: usize, h: usize) -> u64 {
    fn reaches(is_p: &[bool], stride: &[usize], p: &[usize], set: StackSet, at: usize) -> bool {
        let Some(stack) = set.lowest() else { return is_p[at] };
        (0..=p[stack])
            .any(|less| reaches(is_p, stride, p, set.without(stack), at - less * stride[stack]))
    }
    let stride: Vec<usize> = (0..n).map(|s| (h + 1).pow((n - 1 - s) as u32)).collect();
    let mut is_p = vec![false; (h + 1).pow(n as u32)];
    for at in 0..is_p.len() {
        let p: Vec<usize> = stride.iter().map(|&s| at / s % (h + 1)).collect();
        is_p[at] = !sets.iter().any(|&set| reaches(&is_p, &stride, &p, set, at));
    }
    is_p.iter().filter(|&&p| p).count() as u64
}

fn kernel(sets: &[StackSet], n: usize, h: u32, crew: &dyn Crew) -> u64 {
    let plan = Plan::new(sets, &vec![h; n]).expect("a game");
    let mut run = Run::new(plan).expect("enough memory");
    run.finish(crew, &Unlimited, None).expect("nobody stops it").count
}

/// Bytes per second read from memory by one thread.
fn bandwidth() -> f64 {
    let words = vec![1u64; 1 << 25];
    let sum = || {
        let mut sums = [0u64; 8];
        for chunk in words.chunks_exact(8) {
            sums.iter_mut().zip(chunk).for_each(|(sum, word)| *sum |= word);
        }
        sums
    };
    (words.len() * 8) as f64 / best(5, sum).0
}

fn main() {
    // `cargo test --benches` only wants to know that it runs.
    let quick = std::env::args().any(|arg| arg == "--test");
    let gigabytes = bandwidth() / 1e9;
    println!("memory: {gigabytes:.1} GB/s read by one thread");
    let loop_h = if quick { 5 } else { 13 };
    let (seconds, count) = best(2, || plain_loop(&circular(5, 2), 5, loop_h));
    assert_eq!(count, kernel(&circular(5, 2), 5, loop_h as u32, &Alone));
    let plain = ((loop_h + 1) as f64).powi(5) / seconds;
    println!("plain loop CN(5,2) h={loop_h}: {plain:.2e} positions/s");
    let boxes: [(usize, usize, u32, usize, u64); 10] = [
        (5, 2, 23, 1, 11_524),
        (7, 3, 7, 1, 14_484),
        (6, 2, 47, 1, 4_238_060),
        (6, 2, 47, 2, 4_238_060),
        (6, 2, 63, 1, 13_716_154),
        (6, 3, 47, 1, 2_655_360),
        (6, 1, 47, 1, 191_889_408),
        (7, 3, 31, 1, 14_689_616),
        (7, 3, 31, 2, 14_689_616),
        (8, 3, 23, 1, 76_551_936),
    ];
    for (n, k, h, threads, expected) in boxes {
        let positions = f64::from(h + 1).powi(n as i32);
        if quick && positions > 1e8 {
            continue;
        }
        let tries = if positions < 1e8 { 20 } else { 3 };
        let (seconds, count) = best(tries, || kernel(&circular(n, k), n, h, &Threads(threads)));
        assert_eq!(count, expected, "CN({n},{k}) h={h}");
        let rate = positions / seconds;
        println!(
            "line kernel CN({n},{k}) h={h}, threads: {threads}: {seconds:.4} s, {rate:.2e} \
             positions/s, {:.0} times the loop",
            rate / plain
        );
    }
}
