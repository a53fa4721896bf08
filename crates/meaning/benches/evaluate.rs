//! How many positions per second an evaluator decides, one by one and by lines. The count of
//! positions that satisfy the formula is checked each time.
#![allow(clippy::print_stdout)]
#![allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "a bench has a clock")]

use nimatron_formula::{Context, Formula};
use nimatron_meaning::{Evaluator, Lines};
use std::time::Instant;

fn main() {
    let dihedral = |n: usize| {
        let rotation = move |i| (0..n).map(|s| (s + i) % n).collect::<Vec<_>>();
        let reflection = move |i| (0..n).map(|s| (n + i - s) % n).collect::<Vec<_>>();
        (0..n).flat_map(|i| [rotation(i), reflection(i)]).collect::<Vec<_>>()
    };
    let cases = [
        (6, 15, "a+b = d+e, b+c = e+f", 32_896, 38_336),
        (6, 15, "span(ad, be, cf, ace, bdf)", 32_896, 38_336),
        (5, 15, "sym(b = e, a+b = c+d, a = max)", 3416, 4096),
        (7, 7, "sym(a = min, b <= g, a+b = e+min(d,f), b+c+d = e+f+g)", 14_484, 18_444),
        (6, 15, "sym(a+b = d+e, b+c = e+f, xor(a,c,e) = 0, a = min)", 2356, 2546),
        (8, 5, "sym(a = 0, b = h = c+d = f+g, e = min(b, c+g))", 451, 451),
    ];
    let begin = Instant::now();
    for (n, height, text, expected, expected_on_lines) in cases {
        let context = Context::new(n);
        let formula = Formula::parse(text, &context).expect("a formula");
        let evaluator = Evaluator::new(&formula, &context, &dihedral(n)).expect("a program");
        let mut best = f64::INFINITY;
        let mut count = 0;
        for _ in 0..3 {
            let start = seconds(begin);
            count = count_all(&evaluator, height);
            best = best.min(seconds(begin) - start);
        }
        let positions = (height as f64 + 1.0).powi(n as i32);
        assert_eq!(count, expected, "{text}");
        println!("{:8.1} million/s  {text}", positions / best / 1e6);

        let mut lines = evaluator.lines();
        let start = seconds(begin);
        let count = count_lines(&mut lines, n - 1, height, 63);
        let time = seconds(begin) - start;
        assert_eq!(count, expected_on_lines, "{text}");
        let positions = (height as f64 + 1.0).powi(n as i32 - 1) * 64.0;
        println!("{:8.1} million/s  by lines up to 63", positions / time / 1e6);
    }
}

/// The time this process has been running, where the system tells, else since the beginning:
/// other work on the machine does not count.
fn seconds(begin: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let running = text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok());
    running.map_or_else(|| begin.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

fn count_lines(lines: &mut Lines<'_>, n: usize, height: u64, most: u64) -> u64 {
    let mut heights = vec![0; n];
    let mut words = [0];
    let mut count = 0;
    loop {
        lines.holds(&heights, most, &mut words);
        count += u64::from(words[0].count_ones());
        if !advance(&mut heights, height) {
            return count;
        }
    }
}

/// Moves on to the next position of the box, if there is one.
fn advance(heights: &mut [u64], most: u64) -> bool {
    for height in heights.iter_mut().rev() {
        if *height < most {
            *height += 1;
            return true;
        }
        *height = 0;
    }
    false
}

fn count_all(evaluator: &Evaluator, height: u64) -> u64 {
    let mut heights = vec![0; evaluator.stacks()];
    let mut count = 0;
    loop {
        count += u64::from(evaluator.holds(&heights));
        if !advance(&mut heights, height) {
            return count;
        }
    }
}
