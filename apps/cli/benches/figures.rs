//! How long the figures of docs/figures.md and a paper take, whole commands.
//!
//! `cargo bench -p nimatron-cli --bench figures`: the best of seven runs each, in milliseconds.
#![allow(clippy::print_stdout)]

#[path = "../tests/gallery/mod.rs"]
mod gallery;

use std::process::{Command, Stdio};
use std::time::Instant;

fn milliseconds(args: &[&str]) -> f64 {
    let begun = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_nimatron"))
        .args(args)
        .stdout(Stdio::null())
        .status()
        .expect("the program runs");
    assert!(status.success(), "{args:?}");
    begun.elapsed().as_secs_f64() * 1e3
}

fn best(mut run: impl FnMut() -> f64) -> f64 {
    (0..7).map(|_| run()).fold(f64::INFINITY, f64::min)
}

fn main() {
    println!(
        "{:<16} {:>8}   milliseconds",
        "nothing",
        format!("{:.1}", best(|| milliseconds(&["--version"])))
    );
    for (name, args) in gallery::GALLERY {
        let args = [&["draw"], args].concat();
        println!("{name:<16} {:>8.1}", best(|| milliseconds(&args)));
    }
    for game in ["CN(5,3)", "CN(9,4)", "CN(8,6)"] {
        let out = std::env::temp_dir().join(format!("nimatron-bench-{}", std::process::id()));
        let path = out.to_str().expect("a usual name").to_string();
        let paper = best(|| {
            let taken = milliseconds(&["paper", game, "--out", &path]);
            std::fs::remove_dir_all(&out).expect("it was written");
            taken
        });
        println!("{:<16} {paper:>8.1}", format!("paper {game}"));
    }
}
