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
        .env_remove("COLUMNS")
        .env("XDG_DATA_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/no-data"))
        .env("XDG_STATE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/no-state"))
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

/// Runs `nimatron` by the shell, after some of its commands, in a directory.
#[cfg(unix)]
pub(crate) fn after(commands: &str, args: &[&str], place: &std::path::Path) -> Run {
    let output = Command::new("sh")
        .args(["-c", &format!("{commands}; exec \"$@\""), "sh", env!("CARGO_BIN_EXE_nimatron")])
        .args(args)
        .env_remove("COLUMNS")
        .env("XDG_DATA_HOME", place.join("data"))
        .current_dir(place)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { status: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Starts `nimatron`, presses Ctrl-C after a while, and tells how long it took to end then: by the clock,
/// or, where that is less, the processor time of all its threads, for the machine may be busy with other
/// tests.
#[cfg(target_os = "linux")]
pub(crate) fn interrupted(
    args: &[&str],
    a_while: std::time::Duration,
) -> (Run, std::time::Duration) {
    use std::time::{Duration, Instant};
    let mut child = Command::new(env!("CARGO_BIN_EXE_nimatron"))
        .args(args)
        .env_remove("COLUMNS")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (out, err) = (read_all(child.stdout.take()), read_all(child.stderr.take()));
    let about = |name: &str| {
        let path = format!("/proc/{}/{name}", child.id());
        std::fs::read_to_string(path).unwrap_or_default()
    };
    // The handler must be in place before the signal comes.
    let ready = || {
        let status = about("status");
        let caught = status.lines().find_map(|l| l.strip_prefix("SigCgt:"));
        let mask = caught.and_then(|m| u64::from_str_radix(m.trim(), 16).ok());
        mask.is_some_and(|m| m >> 1 & 1 == 1)
    };
    for _ in 0..2000 {
        if ready() {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    // Whether it has ended, and its processor time so far: hundredths of a second, counted by the system.
    let state = || {
        let stat = about("stat");
        let fields: Vec<&str> =
            stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |at: usize| fields.get(at).and_then(|f| f.parse::<u64>().ok()).unwrap_or(0);
        let ended = fields.first().is_none_or(|state| *state == "Z");
        (ended, Duration::from_millis(10 * (ticks(11) + ticks(12))))
    };
    // A busy machine may not have let it work at all yet.
    let started = Instant::now();
    std::thread::sleep(a_while);
    while state().1 < a_while && !state().0 && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let (asked, before) = (Instant::now(), state().1);
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let worked = loop {
        match state() {
            (true, worked) => break worked.saturating_sub(before),
            (false, _) => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let took = asked.elapsed().min(worked.max(Duration::from_millis(10)));
    assert!(asked.elapsed() < Duration::from_secs(60), "{args:?}: {:?}", asked.elapsed());
    let status = child.wait().unwrap().code();
    (Run { status, stdout: out.join().unwrap(), stderr: err.join().unwrap() }, took)
}

/// Reads to the end, beside what else is done.
#[cfg(target_os = "linux")]
fn read_all(
    stream: Option<impl std::io::Read + Send + 'static>,
) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut text = String::new();
        stream.unwrap().read_to_string(&mut text).unwrap();
        text
    })
}

/// An empty folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
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
