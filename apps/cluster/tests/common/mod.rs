//! Runs the built program by mpirun, on more ranks than this machine has processors.
#![allow(dead_code)] // Every test file uses a part of this.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// `mpirun` with so many ranks of a program. Several that start and end in one directory at the same time get in
/// each other's way: each has its own, which Open MPI leaves empty.
fn mpirun(ranks: usize, program: &str, args: &[&str]) -> Command {
    static STARTED: AtomicUsize = AtomicUsize::new(0);
    let number = STARTED.fetch_add(1, Ordering::Relaxed);
    let own = std::env::temp_dir().join(format!("nimatron-mpi/{}-{number}", std::process::id()));
    fs::create_dir_all(&own).unwrap();
    let mut command = Command::new("mpirun");
    command.env("OMPI_MCA_orte_tmpdir_base", own);
    // Ranks may share processors, and the tests may be root's, as in a container.
    for (name, value) in [
        ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
        ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
        ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
        ("OMPI_MCA_hwloc_base_binding_policy", "none"),
        ("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"),
    ] {
        command.env(name, value);
    }
    command.args(["-n", &ranks.to_string(), program]).args(args);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs `nimatron-mpi` on so many ranks.
pub(crate) fn run(ranks: usize, args: &[&str]) -> Run {
    ended(start(ranks, args))
}

/// Starts it.
pub(crate) fn start(ranks: usize, args: &[&str]) -> Child {
    mpirun(ranks, env!("CARGO_BIN_EXE_nimatron-mpi"), args).spawn().unwrap()
}

/// Waits for it.
pub(crate) fn ended(child: Child) -> Run {
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    Run { status: output.status.code(), stdout, stderr }
}

/// Runs it without mpirun.
pub(crate) fn alone(args: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nimatron-mpi"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    ended(command.spawn().unwrap())
}

/// The processes that a process started, with their command lines.
fn children(parent: u32) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let read = |name: &str| fs::read(entry.path().join(name)).unwrap_or_default();
        let stat = String::from_utf8_lossy(&read("stat")).into_owned();
        let mut fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        if fields.nth(1).and_then(|ppid| ppid.parse::<u32>().ok()) == Some(parent) {
            let line = String::from_utf8_lossy(&read("cmdline")).replace('\0', " ");
            found.push((pid, line));
        }
    }
    found.sort_unstable();
    found
}

/// The processes of the ranks, in their order.
pub(crate) fn ranks_of(mpirun: &Child) -> Vec<u32> {
    let ranks = children(mpirun.id()).into_iter();
    ranks.filter(|(_, line)| line.contains("nimatron-mpi")).map(|(pid, _)| pid).collect()
}

/// The hands of a rank.
pub(crate) fn hands_of(rank: u32) -> Vec<u32> {
    let hands = children(rank).into_iter();
    hands.filter(|(_, line)| line.ends_with("hand ")).map(|(pid, _)| pid).collect()
}

/// Sends a signal.
pub(crate) fn signal(name: &str, pid: u32) {
    let status = Command::new("kill").args([name, &pid.to_string()]).status().unwrap();
    assert!(status.success(), "kill {name} {pid}");
}

/// Waits until something is so, five minutes at most: the machine may be busy.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(300), "{what} takes too long");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// An empty folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The one JSON object on standard output.
pub(crate) fn json(run: &Run) -> serde_json::Value {
    assert_eq!(run.stdout.lines().count(), 1, "{run:?}");
    serde_json::from_str(&run.stdout).unwrap()
}

/// All files of a directory with their contents, by name.
pub(crate) fn contents(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}
