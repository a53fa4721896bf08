//! How right the forecasts of time are: boxes of different kinds, by both engines, on one core.
//!
//! `cargo bench -p nimatron --bench forecast` prints seconds foreseen, seconds of the processor, and
//! their ratio; the last line says how far off the worst is. After `--`, `--parts` tells for blocks of
//! every side what the forecast is made of, for whoever sets its constants.
#![allow(missing_docs, clippy::print_stdout)]

use nimatron::crates::game::Unlimited;
use nimatron::crates::table::Alone;
use nimatron::crates::table::blocks::{Plan, Run, Side};
use nimatron::tables::{TableEngine, Tabulation, Wanted};
use nimatron::{Game, Height};
use std::time::Instant;

use TableEngine::{Blocks, Line};

/// Game, greatest heights (one for all or one per stack), engine.
const CASES: [(&str, &[Height], TableEngine); 16] = [
    ("CN(6,2)", &[47], Blocks),
    ("CN(6,2)", &[47], Line),
    ("CN(6,2)", &[95], Blocks),
    ("CN(6,3)", &[47], Blocks),
    ("CN(7,3)", &[31], Blocks),
    ("CN(7,3)", &[23], Line),
    ("CN(8,3)", &[15], Blocks),
    ("CN(8,3)", &[15], Line),
    ("CN(8,3)", &[23], Blocks),
    ("CN(9,4)", &[9], Line),
    ("CN(9,4)", &[11], Blocks),
    ("Moore(6,3)", &[47], Blocks),
    ("CN(4,2)", &[127, 127, 127, 2000], Line),
    ("CN(5,2)", &[95, 95, 95, 95, 200], Blocks),
    ("Set(abc,bcd,cde,def,af,be)", &[47], Line),
    ("PN(6,3)", &[47], Blocks),
];

/// Seconds of the processor that this thread has had, or of the clock where they are not told.
fn now(begun: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begun.elapsed().as_secs_f64(), |ns| ns * 1e-9)
}

/// The least time of three rounds.
fn best(work: impl Fn()) -> f64 {
    let begun = Instant::now();
    let round = |_| {
        let start = now(begun);
        work();
        now(begun) - start
    };
    (0..3).map(round).fold(f64::INFINITY, f64::min)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --benches` only wants to know that it runs.
    if words.iter().any(|word| word == "--test") {
        return;
    }
    let parts = words.iter().any(|word| word == "--parts");
    let mut worst: f64 = 1.0;
    for (text, max, engine) in CASES {
        let game: Game = text.parse().expect("a game");
        let heights = if let [max] = max { vec![*max; game.stacks()] } else { max.to_vec() };
        let forecast = Tabulation::forecast_for(&game, &heights, 1, Wanted::Counts, Some(engine))
            .expect("a box");
        let count = std::cell::Cell::new(0);
        let seconds = best(|| {
            let run = Tabulation::new(&game, &heights, Wanted::Counts, Some(engine));
            let mut run = run.expect("a box");
            run.finish(&Alone, &Unlimited, &mut |_| Ok(())).expect("nobody stops it");
            count.set(run.counts().p_count);
        });
        let ratio = forecast.seconds / seconds;
        worst = worst.max(ratio.max(1.0 / ratio));
        let foreseen = forecast.seconds;
        println!(
            "{text} {max:?}, {engine:?}: {foreseen:.3} s foreseen, {seconds:.3} s, {ratio:.2}"
        );
        if parts && engine == Blocks {
            let sets: Vec<_> = game.single().expect("one rule").sets().iter().collect();
            let narrow: Vec<u32> = heights.iter().map(|&h| h as u32).collect();
            for side in Side::ALL.into_iter().filter(|side| side.takes(narrow.len())) {
                let plan = Plan::new(&sets, &narrow, side).expect("a game");
                let foreseen = plan.estimate(count.get() as f64, 1);
                let seconds = best(|| {
                    let mut run = Run::new(plan.clone());
                    run.finish(&Alone, &Unlimited).expect("nobody stops it");
                    run.census().expect("memory");
                });
                println!("  {side:?}: {seconds:.4} s, {foreseen:?}");
            }
        }
    }
    println!("off by a factor {worst:.2} at most");
}
