//! Tables in parts: processes that share a directory make the table that one makes.
#![allow(missing_docs)]

mod common;

use common::{folder, json, nimatron};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn start(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nimatron"));
    command.args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// All parts at the same time, but for those that are done.
fn in_parts(game: &str, max: &str, parts: usize, dir: &Path) {
    let shards: Vec<String> = (1..=parts).map(|part| format!("{part}/{parts}")).collect();
    let children: Vec<Child> = shards
        .iter()
        .map(|shard| {
            start(&[
                "table",
                game,
                "--max",
                max,
                "--threads",
                "1",
                "--shard",
                shard,
                "--out",
                text(dir),
            ])
        })
        .collect();
    for mut child in children {
        assert_eq!(child.wait().unwrap().code(), Some(0), "{game} in {parts} parts");
    }
}

#[test]
fn parts_make_the_table() {
    for (game, max, parts) in [
        ("CN(5,2)", "17", 1),
        ("CN(5,2)", "17", 3),
        ("CN(6,3)", "9,9,9,9,9,9", 2),
        ("misere CN(5,2)", "13", 4),
        ("Set(abc,bcd,cde,ae)", "9,8,12,9,7", 5),
    ] {
        let dir = folder(&format!("parts-{}-{parts}", game.len()));
        let dir = dir.join("parts");
        in_parts(game, max, parts, &dir);
        for rows in
            [&["--limit", "all"][..], &["--orbits", "--limit", "all"], &["--format", "bfile"]]
        {
            let joined = nimatron(&[&["table", "--join", text(&dir)], rows].concat());
            let direct = nimatron(&[&["table", game, "--max", max], rows].concat());
            assert_eq!((joined.status, direct.status), (Some(0), Some(0)), "{}", joined.stderr);
            let lines = |text: &str| {
                let told = text.lines().filter(|line| !line.starts_with("  "));
                told.map(str::to_string).collect::<Vec<_>>()
            };
            assert!(lines(&joined.stdout) == lines(&direct.stdout), "{game} in {parts} parts");
        }
        let summary = json(&nimatron(&["table", "--join", text(&dir), "--json"]));
        let manifest = fs::read_to_string(dir.join("manifest.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        assert_eq!(summary["p_count"], manifest["counts"]["p_count"]);
        assert_eq!(summary["p_orbits"], manifest["counts"]["p_orbits"]);
        assert_eq!(manifest["parts"].as_array().unwrap().len(), parts);
    }
}

#[test]
fn a_part_goes_on_where_it_was_and_damage_is_named() {
    let folder = folder("parts-again");
    let [dir, whole] = ["parts", "whole"].map(|name| folder.join(name));
    in_parts("CN(5,2)", "19", 2, &whole);
    let read = |dir: &Path, name: &str| fs::read(dir.join(name)).unwrap();
    let names = ["part-1-of-2.lists", "part-2-of-2.lists", "manifest.json"];
    let parts = names.map(|name| read(&whole, name));
    // One part has half a frame at its end, the other is not there at all.
    fs::create_dir(&dir).unwrap();
    fs::write(dir.join(names[0]), &parts[0][..parts[0].len() / 2]).unwrap();
    let table = ["table", "CN(5,2)", "--max", "19", "--out", text(&dir), "--shard"];
    // Alone it waits for the other, as long as it may.
    let waiting = nimatron(&[&table[..], &["1/2", "--time", "1s", "--json"]].concat());
    assert_eq!(waiting.status, Some(3), "{}", waiting.stderr);
    assert_eq!(json(&waiting)["p_count"], serde_json::Value::Null);
    assert_eq!(nimatron(&["table", "--join", text(&dir)]).status, Some(4));
    in_parts("CN(5,2)", "19", 2, &dir);
    assert!(names.map(|name| read(&dir, name)) == parts, "the files are the same");

    // Another table, another number of parts.
    let other = ["table", "CN(5,2)", "--max", "18", "--out", text(&dir), "--shard", "1/2"];
    assert_eq!(nimatron(&other).status, Some(2));
    let three = nimatron(&[&table[..], &["1/3"]].concat());
    assert_ne!(three.status, Some(0));
    // A byte of a part, of the manifest; a part that is gone.
    let mut bytes = parts[1].clone();
    bytes[parts[1].len() / 3] ^= 4;
    fs::write(dir.join(names[1]), &bytes).unwrap();
    let damaged = nimatron(&["table", "--join", text(&dir)]);
    assert_eq!(damaged.status, Some(4));
    assert!(damaged.stderr.contains(names[1]), "{}", damaged.stderr);
    fs::remove_file(dir.join(names[1])).unwrap();
    let gone = nimatron(&["table", "--join", text(&dir)]);
    assert_eq!(gone.status, Some(4));
    assert!(gone.stderr.contains(names[1]), "{}", gone.stderr);
    fs::write(dir.join(names[1]), &parts[1]).unwrap();
    let manifest = String::from_utf8(parts[2].clone()).unwrap();
    let count = |text: &str| text.replacen("\"p_count\": ", "\"p_count\": 1", 1);
    fs::write(dir.join(names[2]), count(&manifest)).unwrap();
    assert_eq!(nimatron(&["table", "--join", text(&dir)]).status, Some(4));
}

#[test]
fn wrong_parts_are_refused() {
    for shard in ["0/2", "3/2", "1", "1/0", "x/2", "-1/2", "1/99999999"] {
        let shard = format!("--shard={shard}");
        let run = nimatron(&["table", "CN(5,2)", "--max", "9", "--out", "nowhere", &shard]);
        assert_eq!(run.status, Some(2), "{shard}");
    }
    let table = ["table", "CN(5,2)", "--max", "9"];
    for more in [
        &["--shard", "1/2"][..],
        &["--shard", "1/2", "--out", "nowhere", "--orbits"],
        &["--shard", "1/2", "--out", "nowhere", "--format", "csv"],
        &["--shard", "1/2", "--out", "nowhere", "--grundy"],
        &["--join", "nowhere"],
    ] {
        assert_eq!(nimatron(&[&table[..], more].concat()).status, Some(2), "{more:?}");
    }
    assert_eq!(nimatron(&["table"]).status, Some(2));
    let exact =
        nimatron(&["table", "Exact(4,2)", "--max", "9", "--out", "nowhere", "--shard", "1/2"]);
    assert_eq!(exact.status, Some(2), "{}", exact.stderr);
    assert_eq!(nimatron(&["table", "--join", "nowhere"]).status, Some(4));
}
