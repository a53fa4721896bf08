//! How many positions per second a conjecture is compared at, on one processor. The answer is
//! checked each time.
#![allow(clippy::print_stdout)]

use nimatron::Game;
use nimatron::check::Conjecture;
use nimatron::crates::formula::{Context, Formula};
use nimatron::crates::game::Unlimited;
use nimatron::crates::table::Alone;
use std::time::Instant;

fn main() {
    let cases = [
        ("CN(6,3)", 40, "a+b = d+e, b+c = e+f", 1_413_721),
        ("CN(6,3)", 40, "span(ad, be, cf, ace, bdf)", 1_413_721),
        ("CN(7,3)", 15, "sym(a = min, b <= g, a+b = e+min(d,f), b+c+d = e+f+g)", 459_944),
        ("CN(6,4)", 20, "sym(a+b = d+e, b+c = e+f, xor(a,c,e) = 0, a = min)", 5171),
        ("CN(8,6)", 7, "sym(a = 0, b = h = c+d = f+g, e = min(b, c+g))", 1135),
        ("Slow(8,{1,3})", 19, "even(total)", 12_800_000_000),
        ("Nim(2) + CN(3,3) each=1", 30, "xor(a,b) = min(c,d,e) mod 2", 909_346),
    ];
    let begin = Instant::now();
    for (game, height, text, p_count) in cases {
        let game: Game = game.parse().expect("a game");
        let formula = Formula::parse(text, &Context::of_game(&game)).expect("a formula");
        let conjecture = Conjecture::new(&game, &formula).expect("a program");
        let max = vec![height; game.stacks()];
        let start = seconds(begin);
        let check = conjecture.check(&max, &Alone, &Unlimited).expect("a box");
        let time = seconds(begin) - start;
        assert_eq!((check.holds(), check.p_count), (Some(true), p_count), "{game}: {text}");
        let rate = check.positions as f64 / time / 1e6;
        println!("{rate:9.0} million/s {time:6.2} s  {game} to {height}  {text}");
    }
}

/// The time this process has been running, where the system tells, else since the beginning:
/// other work on the machine does not count.
fn seconds(begin: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let running = text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok());
    running.map_or_else(|| begin.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}
