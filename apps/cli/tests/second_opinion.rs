//! The obligations of a proof, decided by another program where one is at hand.
#![allow(clippy::print_stdout, reason = "whoever runs the test is told that it was skipped")]

mod common;

use common::nimatron;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

#[test]
fn an_smt_solver_agrees() {
    if Command::new("z3").arg("--version").output().is_err() {
        println!("skipped: z3 is not on the path");
        return;
    }
    for (game, name) in [("CN(5,3)", "cn-5-3"), ("CN(6,3)", "cn-6-3"), ("H", "h")] {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("smt-{name}"));
        let _ = fs::remove_dir_all(&folder);
        let run = nimatron(&["prove", game, "--smt", folder.to_str().unwrap()]);
        assert_eq!(run.status, Some(0), "{}", run.stderr);
        let mut obligations = 0;
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            let expected = text.lines().find_map(|line| line.strip_prefix("; expected: "));
            let output = Command::new("z3").arg("-T:60").arg(&path).output().unwrap();
            let answer = String::from_utf8(output.stdout).unwrap();
            assert_eq!(Some(answer.trim()), expected, "{}", path.display());
            obligations += 1;
        }
        assert!(obligations >= 6, "{game}: {obligations} obligations");
    }
}
