//! Ranks that are killed, files that are damaged, disks that are full: nothing is lost that was kept.
#![allow(missing_docs)]

mod common;

use common::{contents, ended, folder, json, ranks_of, run, signal, start, text, wait_until};
use nimatron::Unlimited;
use nimatron::tables::{Manifest, Shards, Tabulation, Threads};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, Instant};

/// A table that takes some seconds, kept after every level.
const TABLE: [&str; 8] = ["table", "CN(8,3)", "--max", "23", "--threads", "1", "--every", "1ms"];

fn table<'a>(dir: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    [&TABLE[..], &["--out", text(dir)], more].concat()
}

/// Levels that are kept.
fn done(dir: &Path) -> usize {
    Manifest::read(dir).map_or(0, |manifest| manifest.done)
}

#[test]
fn a_killed_rank_ends_the_job_and_any_number_of_ranks_goes_on() {
    let place = folder("faults-killed");
    let [dir, whole] = ["parts", "whole"].map(|name| place.join(name));
    let (mut before, mut rest) = (0, 4);
    // One rank after the other, and each time another number of them goes on.
    for (ranks, killed) in [(3, 1), (4, 0), (2, 1)] {
        let job = start(ranks, &table(&dir, &[]));
        wait_until("a level", || done(&dir) >= before + rest);
        (before, rest) = (done(&dir), 2);
        let pids = ranks_of(&job);
        assert_eq!(pids.len(), ranks);
        let asked = Instant::now();
        signal("-KILL", pids[killed]);
        let killed = ended(job);
        assert!(asked.elapsed() < Duration::from_secs(20), "{:?}", asked.elapsed());
        assert!(killed.status != Some(0), "{killed:?}");
        assert!(killed.stderr.contains("signal 9"), "{}", killed.stderr);
        assert!(killed.stderr.contains("the same command goes on"), "{}", killed.stderr);
        assert_eq!(Manifest::read(&dir).unwrap().parts.len(), ranks);
    }
    let finished = json(&run(5, &table(&dir, &["--json"])));
    assert!(finished["levels_resumed"].as_u64().unwrap() as usize >= before);
    let mut known = Tabulation::counting(&"CN(8,3)".parse().unwrap(), &[23; 8]).unwrap();
    known.finish(&Threads::new(1), &Unlimited, &mut |_| Ok(())).unwrap();
    assert_eq!(finished["p_count"], known.counts().p_count, "{finished}");
    // What the others left is gone, and the rest is what a run makes that nobody disturbs.
    let direct = run(5, &table(&whole, &[]));
    assert_eq!(direct.status, Some(0), "{direct:?}");
    assert!(contents(&dir) == contents(&whole));
}

#[test]
fn ranks_that_are_asked_to_stop_keep_what_they_have() {
    let place = folder("faults-asked");
    let dir = place.join("parts");
    // As a batch system asks: every rank, some time before it kills them.
    let job = start(3, &table(&dir, &[]));
    wait_until("a level", || done(&dir) >= 3);
    ranks_of(&job).into_iter().for_each(|pid| signal("-TERM", pid));
    let stopped = ended(job);
    assert_eq!(stopped.status, Some(130), "{stopped:?}");
    assert!(stopped.stdout.contains("saved to"), "{stopped:?}");
    let kept = done(&dir);
    // Time that is over stops at the end of a level, too.
    let late = run(2, &table(&dir, &["--time", "1ms", "--json"]));
    assert_eq!(late.status, Some(3), "{late:?}");
    let late = json(&late);
    assert_eq!(late["limit"]["kind"], "time");
    assert_eq!(late["levels_resumed"], kept);
    assert!(late["p_count"].is_null() && done(&dir) == kept + 1);
}

#[test]
fn damage_is_named() {
    let place = folder("faults-damaged");
    let dir = place.join("parts");
    let small = |max: &'static str, game: &'static str| {
        vec!["table", game, "--max", max, "--every", "1ms", "--threads", "1", "--out"]
    };
    let again = |ranks: usize, max: &'static str, game: &'static str| {
        run(ranks, &[&small(max, game)[..], &[text(&dir)]].concat())
    };
    assert_eq!(again(3, "15", "CN(5,2)").status, Some(0));
    let kept = contents(&dir);
    let part = dir.join("part-2-of-3.lists");
    let bytes = fs::read(&part).unwrap();
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 16;
    for (damaged, ranks) in [(flipped, 3), (bytes[..bytes.len() - 9].to_vec(), 2)] {
        fs::write(&part, damaged).unwrap();
        let refused = again(ranks, "15", "CN(5,2)");
        assert_eq!(refused.status, Some(4), "{refused:?}");
        assert!(refused.stderr.contains("part-2-of-3.lists is damaged"), "{}", refused.stderr);
    }
    fs::remove_file(&part).unwrap();
    let gone = again(4, "15", "CN(5,2)");
    assert_eq!(gone.status, Some(4), "{gone:?}");
    assert!(gone.stderr.contains("part-2-of-3.lists"), "{}", gone.stderr);
    fs::write(&part, &bytes).unwrap();
    // Parts of another table are not touched.
    for (max, game) in [("14", "CN(5,2)"), ("15", "CN(5,3)"), ("15", "misere CN(5,2)")] {
        let other = again(3, max, game);
        assert_eq!(other.status, Some(2), "{other:?}");
        assert!(other.stderr.contains("holds another table"), "{}", other.stderr);
    }
    // Nor are those of processes that have not ended.
    fs::rename(dir.join("manifest.json"), place.join("kept.json")).unwrap();
    assert_eq!(again(3, "15", "CN(5,2)").status, Some(2));
    fs::rename(place.join("kept.json"), dir.join("manifest.json")).unwrap();
    let known = |name: &str| kept.iter().find(|file| file.0 == name).map(|file| &file.1);
    for name in ["part-1-of-3.lists", "part-2-of-3.lists", "manifest.json"] {
        assert!(known(name) == fs::read(dir.join(name)).ok().as_ref(), "{name}");
    }
    // Processes without MPI must be as many as there are parts.
    let game = "CN(5,2)".parse().unwrap();
    assert!(Shards::open(&game, &[15; 5], &dir, (0, 2)).is_err());
    assert!(Shards::open(&game, &[15; 5], &dir, (0, 3)).is_ok());
}

#[test]
fn a_full_disk_ends_the_job_with_a_clear_word() {
    let place = folder("faults-full");
    let dir = place.join("parts");
    fs::create_dir(&dir).unwrap();
    // The disk of one rank: whatever is written there does not fit.
    symlink("/dev/full", dir.join("part-2-of-3.lists")).unwrap();
    let args = ["table", "CN(6,2)", "--max", "31", "--threads", "1", "--out", text(&dir)];
    let full = run(3, &args);
    assert_eq!(full.status, Some(4), "{full:?}");
    assert!(full.stderr.contains("rank 1"), "{}", full.stderr);
    assert!(full.stderr.contains("part-2-of-3.lists: No space left on device"), "{}", full.stderr);
    let object = json(&run(3, &[&args[..], &["--json"]].concat()));
    assert_eq!(object["error"]["kind"], "rank");
    // Somewhere else there is room, with what was kept.
    let done = run(2, &args);
    assert_eq!(done.status, Some(0), "{done:?}");
    assert!(Path::new("/dev/full").exists());
}
