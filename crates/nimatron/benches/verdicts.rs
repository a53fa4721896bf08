//! How many verdicts with a winning move theorems and proofs give in a second, on one core, without
//! and with the reasons.
//!
//! `cargo bench -p nimatron --bench verdicts`: for each game, random positions with heights to
//! 10^12 are asked about through [`Prepared::ask`]; every move is checked afterwards. Where it says
//! `by proof`, the proofs of the atlas are asked before the theorems. Then, what of a verdict is the test of
//! its move; this alone with `-- testing`.
#![allow(clippy::print_stdout)]

use nimatron::crates::theory::peeling::Circle;
use nimatron::{
    Cover, Explain, Game, Knowledge, Options, Outcome, Play, Position, Prepared, Verdict,
};
use std::hint::black_box;
use std::time::Instant;

const GAMES: [&str; 11] = [
    "CN(5,2)", "CN(6,3)", "CN(7,3)", "CN(7,4)", "CN(8,6)", "CN(9,4)", "CN(12,5)", "CN(13,5)", "H",
    "PN(12,6)", "NN(12,6)",
];
/// Games whose proofs are timed with and without the test of what they answer.
const TESTED: [&str; 7] =
    ["CN(5,3)", "CN(9,4)", "CN(11,4)", "CN(12,5)", "Nim(3)", "Moore(4,2)", "Set(ab,acd,bcd,ace)"];
const POSITIONS: usize = 20_000;
const ROUNDS: usize = 5;

fn main() {
    // Named games only, if some are named.
    let named: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    if named != ["testing"] {
        println!("{:<20} {:>14} {:>14}   verdicts per second", "", "plain", "explained");
        for text in GAMES.iter().filter(|text| named.is_empty() || named.iter().any(|n| n == *text))
        {
            measure(text, text, Knowledge::default);
        }
        if !named.is_empty() {
            return;
        }
        measure("CN(9,4)", "CN(9,4) by proof", Knowledge::proofs_first);
        peeling("CN(12,5)");
        conjecture("CN(30,11)");
    }
    println!(
        "\n{:<20} {:>9} {:>9} {:>9}   microseconds, and the test's share",
        "", "test", "plain", "explained"
    );
    for text in TESTED {
        cost_of_testing(text);
    }
}

/// Random tall positions.
fn positions(n: usize, count: usize) -> Vec<Position> {
    let mut next = random();
    let mut heights = || (0..n).map(|_| next() % 1_000_000_000_000).collect();
    (0..count).map(|_| Position::new(heights()).expect("low enough")).collect()
}

/// The strategy itself, without what surrounds an answer: the move, and the story.
fn peeling(text: &str) {
    let game: Game = text.parse().expect("a game");
    let circle = Circle::of(game.single().expect("one game"), Play::Normal).expect("of the class");
    let positions = positions(game.stacks(), POSITIONS);
    let rate = |work: &dyn Fn(&Position) -> u64| {
        let started = Clock::start();
        for _ in 0..ROUNDS {
            black_box(positions.iter().map(work).fold(0u64, u64::wrapping_add));
        }
        (ROUNDS * POSITIONS) as f64 / started.seconds()
    };
    let plain = rate(&|p| circle.left(p)[0]);
    let told = rate(&|p| circle.peeled(p).reasons().len() as u64);
    println!("{:<20} {plain:>14.0} {told:>14.0}", format!("{text} peeled"));
}

/// How long questions take about a game of which most is conjectured.
fn conjecture(text: &str) {
    let prepared = Prepared::new(text.parse().expect("a game"));
    let ask = |p: &Position| {
        let started = Instant::now();
        let verdict = prepared.ask(p, &Options::default()).expect("it fits");
        assert!(verdict.outcome.is_some() || verdict.conjecture.is_some());
        started.elapsed()
    };
    let mut times: Vec<_> =
        positions(prepared.game().stacks(), POSITIONS / 10).iter().map(ask).collect();
    let first = times[0];
    times.sort_unstable();
    println!("{text}: conjecture in {:?} (median), {first:?} the first", times[times.len() / 2]);
}

/// What the test of the move, that it is legal and leads into the set that was checked, takes of a
/// verdict.
fn cost_of_testing(text: &str) {
    let game: Game = text.parse().expect("a game");
    let rule = game.single().expect("one game");
    let knowledge = Knowledge::proofs_first();
    let stored = knowledge.proof(rule, Play::Normal).expect("a proof");
    let proved = stored.proved();
    let positions = positions(game.stacks(), POSITIONS / 10);
    let prepared = Prepared::knowing(game.clone(), Knowledge::proofs_first());
    // The clock moves by ticks of some milliseconds, so that a short time cannot be told from none.
    let each = |work: &mut dyn FnMut(&Position)| {
        positions.iter().for_each(&mut *work);
        let (started, mut count) = (Clock::start(), 0);
        while started.seconds() < 1.0 {
            positions.iter().for_each(&mut *work);
            count += positions.len();
        }
        started.seconds() / count as f64 * 1e6
    };
    let [plain, explained] = [Explain::Nothing, Explain::Steps].map(|explain| {
        let options = Options::unlimited().explain(explain);
        each(&mut |p| drop(black_box(prepared.ask(p, &options).expect("it fits"))))
    });
    let test = match proved.games() {
        // With the test and without it, in turns, for the difference is small: the best of either.
        Some(player) => {
            let rounds = (0..5).map(|_| {
                let tested = each(&mut |p| drop(black_box(player.answer(p).expect("accepted"))));
                (tested, each(&mut |p| drop(black_box(player.untested(p).expect("accepted")))))
            });
            let (tested, untested): (Vec<_>, Vec<_>) = rounds.unzip();
            let best = |times: Vec<f64>| times.into_iter().fold(f64::INFINITY, f64::min);
            best(tested) - best(untested)
        }
        None => {
            let automaton = proved.automaton().expect("the other kind");
            let takes: Vec<_> = positions.iter().map(|p| proved.answer(p).unwrap().take).collect();
            let mut at = 0;
            each(&mut |p| {
                if let Some(take) = &takes[at % takes.len()] {
                    let left: Vec<u64> = p.iter().zip(take.iter()).map(|(h, t)| h - t).collect();
                    assert!(game.is_legal(p, take) && automaton.accepts(&left));
                }
                at += 1;
            })
        }
    };
    let share = |verdict: f64| 100.0 * test / verdict;
    let (of_plain, of_explained) = (share(plain), share(explained));
    println!(
        "{text:<20} {test:>9.2} {plain:>9.2} {explained:>9.2} {of_plain:>7.1}% {of_explained:>7.1}%"
    );
}

fn random() -> impl FnMut() -> u64 {
    let mut seed = 1u64;
    move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed >> 20
    }
}

fn measure(text: &str, label: &str, knowledge: impl Fn() -> Knowledge) {
    let game: Game = text.parse().expect("a game");
    let positions = positions(game.stacks(), POSITIONS);
    let prepared = Prepared::knowing(game.clone(), knowledge());
    let speeds = [Explain::Nothing, Explain::Steps].map(|explain| {
        let options = Options::unlimited().explain(explain);
        let ask = |p: &Position| prepared.ask(p, &options).expect("it fits");
        // The first round finds the ways and is checked. Then each verdict is dropped before the next is
        // asked for, as in a sweep.
        check(&game, &positions.iter().map(ask).collect::<Vec<_>>());
        let started = Clock::start();
        for _ in 0..ROUNDS {
            positions.iter().for_each(|p| drop(black_box(ask(p))));
        }
        (ROUNDS * POSITIONS) as f64 / started.seconds()
    });
    println!("{label:<20} {:>14.0} {:>14.0}", speeds[0], speeds[1]);
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
    let rule = game.single().expect("one game");
    let cover: Cover = Knowledge::default().cover(rule, Play::Normal).expect("known");
    let outcome = |position: &Position| cover.answer(position).expect("accepted").outcome;
    for verdict in verdicts {
        assert_eq!(verdict.outcome, Some(outcome(&verdict.position)));
        for winning in &verdict.moves {
            assert!(game.is_legal(&verdict.position, &winning.take));
            assert_eq!(outcome(&winning.to), Outcome::P);
        }
    }
}
