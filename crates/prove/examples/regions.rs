//! Proves the linear theorems of the library and prints a table of figures.
//!
//! `cargo run --release -p nimatron-prove --example regions [GAME FORMULA | NAME..]`
#![allow(clippy::print_stdout)]
#![allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "a program has a clock")]

use nimatron_formula::{Context, Formula};
use nimatron_game::{Game, Unlimited};
use nimatron_prove::regions::{Limits, Strategy, prove};
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut cases: Vec<(String, String)> = Vec::new();
    match &arguments[..] {
        [game, formula] if formula.parse::<Game>().is_err() => {
            cases.push((game.clone(), formula.clone()));
        }
        names => {
            cases = theorems();
            if !names.is_empty() {
                cases.retain(|(game, _)| names.contains(game));
            }
        }
    }
    println!(
        "game         prove s  check s  branches sources regions orbits rules  nodes leaves  programs  json kB  moves/s"
    );
    for (name, text) in cases {
        let game: Game = name.parse().expect("a game");
        let formula = Formula::parse(&text, &Context::of_game(&game)).expect("a formula");
        let start = Instant::now();
        match prove(&game, &formula, &Unlimited, &Limits::default()) {
            Ok(proof) => {
                let found = start.elapsed().as_secs_f64();
                let s = proof.statistics;
                let json = serde_json::to_string(&proof.certificate).expect("JSON");
                let start = Instant::now();
                let checked = nimatron_verify::verify(&proof.certificate);
                let check = start.elapsed().as_secs_f64();
                println!(
                    "{name:<12} {found:7.3} {check:8.3} {:9} {:7} {:7} {:6} {:5} {:6} {:6} {:9} {:8} {:8.0}{}",
                    s.branches,
                    s.sources,
                    s.regions,
                    s.regions_used,
                    s.rules,
                    s.nodes,
                    s.leaves,
                    s.programs,
                    json.len() / 1000,
                    speed(&proof.strategy, game.stacks()),
                    match checked {
                        Ok(_) => String::new(),
                        Err(flaw) => format!("  REJECTED {flaw}"),
                    },
                );
            }
            Err(failure) => {
                println!("{name:<12} {:7.3} {failure:?}", start.elapsed().as_secs_f64())
            }
        }
    }
}

/// Winning moves per second at random positions with heights below 2^30.
fn speed(strategy: &Strategy, stacks: usize) -> f64 {
    let mut seed = 1u64;
    let mut found = 0u64;
    let start = Instant::now();
    for _ in 0..20_000 {
        let mut random = || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            seed >> 34
        };
        let heights: Vec<u64> = (0..stacks).map(|_| random()).collect();
        found += u64::from(strategy.winning_move(&heights).is_some());
    }
    assert!(found <= 20_000);
    20_000.0 / start.elapsed().as_secs_f64()
}

/// The texts of the library without xor, and the families PN and NN.
fn theorems() -> Vec<(String, String)> {
    let text = include_str!("../../../corpus/formula/theorems.txt");
    let mut cases: Vec<(String, String)> = Vec::new();
    for line in text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#')) {
        if line.starts_with(char::is_whitespace) {
            if let Some(last) = cases.last_mut() {
                last.1.push_str(line);
            }
            continue;
        }
        let parts: Vec<&str> = line.splitn(4, ';').map(str::trim).collect();
        cases.push((parts[0].to_string(), parts[3].to_string()));
    }
    cases.retain(|(_, f)| !f.contains("xor") && !f.contains("reduced"));
    for n in 2..=8usize {
        for k in n.div_ceil(2)..n {
            cases.push((format!("PN({n},{k})"), path(n, k)));
        }
    }
    for (n, k) in [(6, 3), (9, 5), (10, 5)] {
        cases.push((format!("NN({n},{k})"), necklace(n, k)));
    }
    cases
}

fn letters(range: std::ops::Range<usize>) -> String {
    let names: Vec<String> = range.map(|s| ((b'a' + s as u8) as char).to_string()).collect();
    names.join("+")
}

/// k-1 consecutive zeros with equal sums on both sides (KDH26 Thm 4.1).
fn path(n: usize, k: usize) -> String {
    let case = |i: usize| {
        let zeros = letters(i..i + k - 1).replace('+', " = ");
        let zeros = if k > 1 { format!("{zeros} = 0, ") } else { String::new() };
        format!("({zeros}{} = {})", letters(0..i), letters(i + k - 1..n))
    };
    (1..=n - k).map(case).collect::<Vec<_>>().join(" or ")
}

/// Equal halves, and the lesser end equals the least window (Necklace26 Thm 2.3).
fn necklace(n: usize, k: usize) -> String {
    let h = n / 2;
    let windows: Vec<String> = (1..=n - k).map(|j| letters(j..j + k - 1)).collect();
    let last = (b'a' + n as u8 - 1) as char;
    format!(
        "{} = {}, min(a,{last}) = min({})",
        letters(0..h),
        letters(n - h..n),
        windows.join(", ")
    )
}
