//! What is foreseen of a table's memory is what it takes, within a quarter.
//!
//! Every box is tabulated in a process of its own, which tells its peak. The part of the forecast that
//! is for the program itself, as the smallest of all boxes tells it, is replaced by what a process of
//! this test has with that box: it is not the program that people run.
#![cfg(target_os = "linux")]
#![allow(missing_docs, clippy::print_stdout)]

use nimatron::crates::game::Unlimited;
use nimatron::tables::{TableEngine, Tabulation, Threads, Wanted};
use nimatron::{Game, Height};
use std::process::Command;

/// Game, greatest heights (one for all or one per stack), engine, threads.
type Case = (&'static str, &'static [Height], TableEngine, usize);

use TableEngine::{Blocks, Line};

const CASES: [Case; 16] = [
    ("Nim(1)", &[0], Line, 1),
    ("CN(8,3)", &[23], Blocks, 1),
    ("CN(6,2)", &[47], Blocks, 1),
    ("CN(6,2)", &[47], Line, 1),
    ("CN(6,2)", &[63], Blocks, 2),
    ("CN(7,3)", &[31], Blocks, 1),
    ("CN(7,3)", &[23], Line, 2),
    ("CN(8,3)", &[15], Blocks, 1),
    ("CN(8,3)", &[15], Line, 1),
    ("CN(9,4)", &[9], Line, 1),
    ("Moore(6,3)", &[47], Blocks, 1),
    ("CN(4,2)", &[127, 127, 127, 2000], Line, 1),
    ("CN(5,2)", &[63, 63, 63, 63, 200], Blocks, 1),
    ("Set(abc,bcd,cde,def,af,be)", &[31], Line, 1),
    ("Set(abc,bcd,cde,def,af,be)", &[31], Blocks, 1),
    ("PN(6,3)", &[40, 40, 40, 40, 40, 40], Blocks, 1),
];

const WHICH: &str = "NIMATRON_FORECAST_CASE";

fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() * 1024.0
}

fn read((game, max, ..): Case) -> (Game, Vec<Height>) {
    let game: Game = game.parse().unwrap();
    let max = if let [max] = max { vec![*max; game.stacks()] } else { max.to_vec() };
    (game, max)
}

/// The other half of the test below: tabulates one box and tells the peak.
#[test]
fn tabulate() {
    let Ok(which) = std::env::var(WHICH) else { return };
    let case = CASES[which.parse::<usize>().unwrap()];
    let (game, max) = read(case);
    let mut run = Tabulation::new(&game, &max, Wanted::Counts, Some(case.2)).unwrap();
    run.finish(&Threads::new(case.3), &Unlimited, &mut |_| Ok(())).unwrap();
    println!("peak {}", peak());
}

fn measured(which: usize) -> f64 {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["tabulate", "--exact", "--nocapture"]).env(WHICH, which.to_string());
    let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let peak = output.split("peak ").nth(1).and_then(|rest| rest.split_whitespace().next());
    peak.unwrap_or_else(|| panic!("{output}")).parse().unwrap()
}

#[test]
fn memory_is_foreseen_within_a_quarter() {
    let foreseen = |case: Case| {
        let (game, max) = read(case);
        let engine = Some(case.2);
        let forecast = Tabulation::forecast_for(&game, &max, case.3, Wanted::Counts, engine);
        forecast.unwrap().memory as f64
    };
    let program = measured(0) - foreseen(CASES[0]);
    let mut wrong = Vec::new();
    for (i, case) in CASES.into_iter().enumerate().skip(1) {
        let (foreseen, taken) = (foreseen(case) + program, measured(i));
        let (ratio, megabytes) = (foreseen / taken, [foreseen, taken].map(|bytes| bytes / 1e6));
        println!("{case:?}: foreseen and taken {megabytes:.1?} MB, {ratio:.2}");
        if !(0.75..=1.25).contains(&ratio) {
            wrong.push(format!("{case:?}: {ratio:.2}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Of a tall box there is little to compute, but much to hold: that takes its time, too.
#[test]
fn memory_takes_time() {
    let game: Game = "CN(5,2)".parse().unwrap();
    let tall = Tabulation::forecast(&game, &[1, 1, 1, 1, 50_000_000], 1).unwrap();
    assert!((0.1..10.0).contains(&tall.seconds), "{tall:?}");
}
