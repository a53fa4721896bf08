//! Runs the built program.
#![allow(dead_code)] // Every test file uses a part of this.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What a run left behind.
pub(crate) struct Run {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `nimatron` with these arguments and nothing on standard input.
pub(crate) fn nimatron(args: &[&str]) -> Run {
    with_input(args, b"")
}

/// Runs `nimatron` with these arguments and this on standard input.
pub(crate) fn with_input(args: &[&str], input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_nimatron"))
        .args(args)
        .env_remove("NO_COLOR")
        .env("XDG_DATA_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/no-data"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { status: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Standard output of a run that answers.
pub(crate) fn answer(args: &[&str]) -> String {
    let run = nimatron(args);
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{args:?}");
    run.stdout
}

/// The one JSON object on standard output.
pub(crate) fn json(run: &Run) -> serde_json::Value {
    assert!(run.stdout.ends_with('\n'));
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
    let value: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(value.is_object());
    value
}

/// Whether a text is at most one screen.
pub(crate) fn fits_the_screen(text: &str) -> bool {
    text.lines().count() <= 24 && text.lines().all(|line| line.chars().count() <= 80)
}

/// A file for one test.
pub(crate) fn file(name: &str, content: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).unwrap();
    path
}
