//! Sweeps over MPI say what one machine says, in order, and survive what happens to their processes.
#![allow(missing_docs)]

mod common;

use common::{contents, ended, folder, hands_of, ranks_of, run, signal, start, text, wait_until};
use nimatron::atlas::{Atlas, Entry, FILES, Place};
use std::fs;
use std::path::Path;

/// The atlas that a sweep wrote.
fn read(dir: &Path) -> Atlas {
    let lines = fs::read_to_string(dir.join(FILES[0])).unwrap();
    Atlas::read(&lines, fs::read(dir.join(FILES[1])).unwrap()).unwrap()
}

/// An entry without where its certificate is: that is another file.
fn placeless(entry: &Entry) -> Entry {
    let mut entry = entry.clone();
    if let Some(proof) = &mut entry.proof {
        proof.place = Place { offset: 0, length: 0 };
    }
    entry
}

#[test]
fn the_systems_on_four_stacks_are_those_of_the_atlas() {
    let place = folder("sweeps-atlas");
    let dir = place.join("four");
    let sweep =
        ["sweep", "atlas", "--stacks", "4", "--time", "60s", "--threads", "1", "--out", text(&dir)];
    let done = run(3, &sweep);
    assert_eq!(done.status, Some(0), "{done:?}");
    assert!(done.stderr.contains("20 of 20: 18 proved, 2 open"), "{}", done.stderr);
    let (swept, shipped) = (read(&dir), Atlas::shipped());
    let known: Vec<&Entry> = shipped.systems(4).collect();
    assert_eq!(swept.entries().len(), known.len());
    for (entry, known) in swept.entries().iter().zip(known) {
        assert_eq!(placeless(entry), placeless(known));
        let texts = (swept.certificate_text(entry), shipped.certificate_text(known));
        assert!(texts.0.unwrap() == texts.1.unwrap(), "{}", entry.game);
    }
    // What was half written is cut off, and the rest is done again: to the byte.
    let whole = contents(&dir);
    let lines = fs::read_to_string(dir.join(FILES[0])).unwrap();
    let half: Vec<&str> = lines.split_inclusive('\n').take(12).collect();
    let half = half.concat();
    fs::write(dir.join(FILES[0]), &half[..half.len() - 20]).unwrap();
    let again = run(2, &sweep);
    assert_eq!(again.status, Some(0), "{again:?}");
    assert!(again.stderr.contains("11 of 20 are done"), "{}", again.stderr);
    assert!(contents(&dir) == whole);
    // Another sweep does not go on with it.
    let other = [&sweep[..3], &["3", "--time", "60s", "--out", text(&dir)]].concat();
    assert_eq!(run(2, &other).status, Some(2));
}

#[test]
fn few_stacks_and_one_rank() {
    let lines = run(1, &["sweep", "atlas", "--stacks", "3", "--time", "60s", "--quiet"]);
    assert_eq!((lines.status, lines.stderr.as_str()), (Some(0), ""), "{lines:?}");
    let entries: Vec<Entry> =
        lines.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let known: Vec<&Entry> = Atlas::shipped().systems(3).collect();
    assert_eq!(entries.len(), 5);
    assert!(entries.iter().zip(known).all(|(a, b)| placeless(a) == placeless(b)));
}

#[test]
fn games_are_found_checked_and_told_in_order() {
    let place = folder("sweeps-discover");
    let games = place.join("games.txt");
    let names = ["CN(6,3)", "PN(4,2)", "CN(3,2)", "misere Nim(2)", "CN(5,3)", "Nim(2)"];
    fs::write(&games, format!("# six games\n\n{}\n", names.join("\n"))).unwrap();
    let file = format!("@{}", text(&games));
    let out = place.join("found.jsonl");
    let sweep =
        ["sweep", "discover", &file, "--time", "60s", "--threads", "2", "--out", text(&out)];
    let done = run(2, &sweep);
    assert_eq!(done.status, Some(0), "{done:?}");
    let lines = fs::read_to_string(&out).unwrap();
    let told: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(told.iter().map(|line| line["game"].as_str().unwrap()).eq(names));
    assert!(told.iter().all(|line| line["proved"] == true && line["checked"] == true), "{lines}");
    // The certificates are what verify accepts; one that was changed is not, nor is no file.
    let mut files = Vec::new();
    for (i, line) in told.iter().enumerate() {
        let path = place.join(format!("{i}.json"));
        fs::write(&path, line["certificate_text"].as_str().unwrap()).unwrap();
        files.push(path);
    }
    let verify =
        |files: &[&str]| run(3, &[&["verify", "--threads", "1", "--quiet"], files].concat());
    let mut paths: Vec<&str> = files.iter().map(|path| text(path)).collect();
    let accepted = verify(&paths);
    assert_eq!(accepted.status, Some(0), "{accepted:?}");
    let wrong = place.join("wrong.json");
    let changed = fs::read_to_string(&files[0]).unwrap().replacen("CN(6,3)", "CN(6,2)", 1);
    fs::write(&wrong, changed).unwrap();
    let missing = place.join("missing.json");
    paths.insert(2, text(&wrong));
    paths.insert(5, text(&missing));
    let mixed = verify(&paths);
    assert_eq!(mixed.status, Some(1), "{mixed:?}");
    let lines: Vec<serde_json::Value> =
        mixed.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.iter().map(|line| line["file"].as_str().unwrap()).eq(paths.iter().copied()));
    for (line, path) in lines.iter().zip(&paths) {
        let good = *path != text(&wrong) && *path != text(&missing);
        assert_eq!(line["accepted"] == true, good, "{line}");
    }
    assert_eq!(lines[5]["error"]["kind"], "file");
    // Other games do not go on with the file.
    fs::write(&games, "CN(6,3)\nCN(3,2)\n").unwrap();
    assert_eq!(run(2, &sweep).status, Some(4));
    let full = ["sweep", "discover", &file, "--time", "60s", "--out", "/dev/full"];
    let full = run(2, &full);
    assert_eq!(full.status, Some(4), "{full:?}");
    assert!(full.stderr.contains("No space left on device"), "{}", full.stderr);
}

#[test]
fn a_sweep_that_is_asked_to_stop_goes_on() {
    let place = folder("sweeps-asked");
    let [dir, whole] = ["asked", "whole"].map(|name| place.join(name));
    let sweep = |out| ["sweep", "atlas", "--stacks", "4", "--threads", "1", "--out", out];
    let job = start(2, &sweep(text(&dir)));
    wait_until("a line", || fs::read(dir.join(FILES[0])).is_ok_and(|lines| !lines.is_empty()));
    // As a batch system does: to all processes there are.
    for rank in ranks_of(&job) {
        hands_of(rank).into_iter().chain([rank]).for_each(|pid| signal("-TERM", pid));
    }
    let stopped = ended(job);
    assert_eq!(stopped.status, Some(130), "{stopped:?}");
    assert_eq!(stopped.stderr.matches("the same command goes on").count(), 1, "{stopped:?}");
    let done = run(3, &sweep(text(&dir)));
    assert_eq!(done.status, Some(0), "{done:?}");
    assert!(done.stderr.contains("going on"), "{done:?}");
    assert_eq!(run(1, &sweep(text(&whole))).status, Some(0));
    assert!(contents(&dir) == contents(&whole));
}

#[test]
fn a_game_that_ends_its_process_does_not_end_the_rank() {
    let place = folder("sweeps-killed");
    let games = place.join("games.txt");
    fs::write(&games, "CN(6,2)\nCN(3,2)\nPN(4,2)\n").unwrap();
    let file = format!("@{}", text(&games));
    let job = start(1, &["sweep", "discover", &file, "--time", "5m", "--threads", "1"]);
    // The only hand has the first game, which takes all its time. The system holds it to its memory.
    let most = (3_750_000_000u64 + (1 << 30)).to_string();
    let is_held = |pid: u32| {
        let limits = fs::read_to_string(format!("/proc/{pid}/limits")).unwrap_or_default();
        limits.lines().any(|line| line.starts_with("Max address space") && line.contains(&most))
    };
    let mut hand = None;
    wait_until("a hand", || {
        hand = ranks_of(&job).into_iter().flat_map(hands_of).find(|&pid| is_held(pid));
        hand.is_some()
    });
    std::thread::sleep(std::time::Duration::from_millis(500));
    signal("-KILL", hand.unwrap());
    let done = ended(job);
    assert_eq!(done.status, Some(3), "{done:?}");
    let lines: Vec<serde_json::Value> =
        done.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3, "{done:?}");
    assert!(lines[0]["failed"].as_str().unwrap().contains("signal: 9"), "{}", lines[0]);
    assert!(lines[1]["checked"] == true && lines[2]["checked"] == true);
}
