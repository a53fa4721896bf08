//! How many verdicts with a winning move theorems give in a second, on one core.
//!
//! `cargo bench -p nimatron --bench verdicts`: for each game, random positions with heights to
//! 10^12 are asked about through [`Prepared::ask`]; every move is checked afterwards.
#![allow(clippy::print_stdout)]

use nimatron::game::{Outcome, Play};
use nimatron::theory::recognise;
use nimatron::{Explain, Game, Options, Position, Prepared, Verdict};
use std::time::Instant;

const GAMES: [&str; 8] =
    ["CN(5,2)", "CN(6,3)", "CN(7,3)", "CN(7,4)", "CN(8,6)", "H", "PN(12,6)", "NN(12,6)"];
const POSITIONS: usize = 20_000;
const ROUNDS: usize = 20;

fn main() {
    let mut seed = 1u64;
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed >> 20
    };
    for text in GAMES {
        let game: Game = text.parse().expect("a game");
        let n = game.stacks();
        let heights =
            |next: &mut dyn FnMut() -> u64| (0..n).map(|_| next() % 1_000_000_000_000).collect();
        let positions: Vec<Position> = (0..POSITIONS)
            .map(|_| Position::new(heights(&mut next)).expect("low enough"))
            .collect();
        let prepared = Prepared::new(game.clone());
        let options = Options { explain: Explain::Nothing, ..Options::default() };
        let mut verdicts: Vec<Verdict> = Vec::new();
        let started = Clock::start();
        for _ in 0..ROUNDS {
            verdicts.clear();
            verdicts.extend(positions.iter().map(|p| prepared.ask(p, &options).expect("it fits")));
        }
        let seconds = started.seconds();
        check(&game, &verdicts);
        println!("{text:<10} {:>10.0} verdicts per second", (ROUNDS * POSITIONS) as f64 / seconds);
    }
}

/// Time used by this thread where the system tells it, so that other work on the machine does not
/// count; else the time that has passed.
struct Clock {
    started: Instant,
    used: Option<u64>,
}

impl Clock {
    fn start() -> Self {
        Clock { started: Instant::now(), used: Clock::used() }
    }

    /// Nanoseconds on a processor.
    fn used() -> Option<u64> {
        let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        stat.split(' ').next()?.parse().ok()
    }

    fn seconds(&self) -> f64 {
        match (self.used, Clock::used()) {
            (Some(before), Some(after)) => (after - before) as f64 / 1e9,
            _ => self.started.elapsed().as_secs_f64(),
        }
    }
}

/// Random positions are N as good as always: each has a move to a P-position.
fn check(game: &Game, verdicts: &[Verdict]) {
    let theorem = recognise(game.single().expect("one game"), Play::Normal).expect("solved");
    for verdict in verdicts {
        assert_eq!(verdict.outcome, Some(theorem.outcome(&verdict.position)));
        for winning in &verdict.moves {
            assert!(game.is_legal(&verdict.position, &winning.take));
            assert_eq!(theorem.outcome(&winning.to), Outcome::P);
        }
    }
}
