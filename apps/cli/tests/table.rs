//! `nimatron table`: counts, rows, refusals, and runs that survive being killed.

mod common;

use ::nimatron::Outcome;
use ::nimatron::crates::game::Unlimited;
use ::nimatron::crates::table::naive;
use ::nimatron::tables::{Tabulation, Threads};
use common::{answer, fits_the_screen, folder, json, nimatron};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn the_summary_counts_p_positions_and_orbits() {
    let run = nimatron(&["table", "CN(5,2)", "--max", "6", "--json"]);
    assert_eq!(run.status, Some(0));
    let summary = json(&run);
    assert_eq!(summary["game"], "CN(5,2)");
    assert_eq!(summary["max"], serde_json::json!([6, 6, 6, 6, 6]));
    assert_eq!(summary["positions"], 16807);
    assert_eq!(summary["p_count"], 287);
    assert_eq!(summary["p_orbits"], 50);
    assert!(summary["seconds"].as_f64().is_some());
}

#[test]
fn grundy_values_are_summed_up() {
    let run = nimatron(&["table", "CN(4,2)", "--max", "11", "--grundy", "--json"]);
    let summary = json(&run);
    assert_eq!(summary["grundy"]["max"], 38);
    assert_eq!(summary["p_count"], 144);
    assert_eq!(summary["grundy"]["histogram"][0], 144);
    assert!((summary["grundy"]["mean"].as_f64().unwrap() - 19.38).abs() < 0.005);
}

#[test]
fn rows_come_in_order_and_in_every_format() {
    let args = |format| ["table", "PN(3,2)", "--max", "2", "--limit", "all", "--format", format];
    assert_eq!(answer(&args("csv")), "a,b,c\n0,0,0\n1,0,1\n2,0,2\n");
    let lines = "{\"position\":[0,0,0]}\n{\"position\":[1,0,1]}\n{\"position\":[2,0,2]}\n";
    assert_eq!(answer(&args("jsonl")), lines);
    assert!(answer(&args("text")).starts_with("(0,0,0)\n(1,0,1)\n(2,0,2)\n\nPN(3,2), "));
    let bfile = answer(&args("bfile"));
    assert!(bfile.ends_with("\n0 1\n1 2\n2 3\n"), "{bfile}");
    let orbits = answer(&["table", "CN(3,1)", "--max", "3", "--orbits", "--format", "csv"]);
    assert_eq!(orbits, "a,b,c,orbit\n0,0,0,1\n0,1,1,3\n0,2,2,3\n0,3,3,3\n1,2,3,6\n");
}

#[test]
fn rows_can_be_selected() {
    let args = ["table", "Nim(3)", "--max", "3", "--sum", "6", "--format", "csv"];
    assert_eq!(answer(&args).lines().count(), 1 + 9);
    let args = ["table", "Nim(3)", "--max", "3", "--zero", "0+.", "--format", "csv"];
    assert_eq!(answer(&args), "a,b,c\n0,1,1\n0,2,2\n0,3,3\n");
    let wrong = nimatron(&["table", "Nim(3)", "--max", "3", "--zero", "0+"]);
    assert_eq!(wrong.status, Some(2));
}

#[test]
fn games_of_every_kind_are_tabulated() {
    for text in ["misere Nim(3)", "Exact(3,2)", "Slow(3,{1,2})", "PN(3,2) + Nim(1)"] {
        let game: ::nimatron::Game = text.parse().unwrap();
        let run = nimatron(&["table", text, "--max", "7", "--json"]);
        let oracle = naive::outcomes(&game, &vec![7; game.stacks()]).unwrap();
        let expected = oracle.iter().filter(|(_, o)| *o == Outcome::P).count();
        assert_eq!(json(&run)["p_count"], expected, "{text}");
    }
}

#[test]
fn a_box_that_cannot_fit_is_refused_with_the_numbers() {
    let run = nimatron(&["table", "CN(9,4)", "--max", "63"]);
    assert_eq!(run.status, Some(3));
    assert!(fits_the_screen(&run.stdout));
    assert!(run.stdout.contains("memory needed") && run.stdout.contains("--max"), "{}", run.stdout);
    let run = nimatron(&["table", "CN(9,4)", "--max", "63", "--memory", "1GB", "--json"]);
    assert_eq!(run.status, Some(3));
    let refused = &json(&run)["refused"];
    assert_eq!(refused["memory_limit"], 1_000_000_000);
    let fits = refused["largest_max"].as_u64().unwrap();
    assert!((12..=40).contains(&fits), "{fits}");
}

#[test]
fn wrong_boxes_are_refused() {
    for max in ["", "x", "-1", "1,2", "99999999999999999999", "4000000000"] {
        let run = nimatron(&["table", "CN(5,2)", &format!("--max={max}")]);
        assert!(run.status == Some(2) || run.status == Some(3), "{max}: {:?}", run.status);
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    }
}

#[test]
fn files_are_not_overwritten() {
    let folder = folder("table-out");
    let out = folder.join("p.csv");
    let args = ["table", "CN(4,2)", "--max", "4", "--format", "csv", "--out", text(&out)];
    assert_eq!(nimatron(&args).status, Some(0));
    let first = fs::read(&out).unwrap();
    assert_eq!(first.iter().filter(|&&b| b == b'\n').count(), 1 + 25);
    let again = nimatron(&args);
    assert_eq!(again.status, Some(4));
    assert!(again.stderr.contains("--force"), "{}", again.stderr);
    assert_eq!(fs::read(&out).unwrap(), first);
    assert_eq!(nimatron(&[&args[..], &["--force"]].concat()).status, Some(0));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left behind");
}

/// A run is killed in the middle, goes on, and writes the same bytes as one that was left alone.
/// By another name of the device, so that nothing is lost if it is replaced after all.
#[cfg(unix)]
#[test]
fn rows_for_a_device_go_there_and_it_stays() {
    let device = folder("device").join("nowhere");
    let _ = fs::remove_file(&device);
    std::os::unix::fs::symlink("/dev/null", &device).unwrap();
    let args = ["table", "PN(3,2)", "--max", "2", "--format", "csv", "--out", text(&device)];
    assert_eq!(nimatron(&args).status, Some(4), "it is there already");
    assert_eq!(nimatron(&[&args[..], &["--force"]].concat()).status, Some(0));
    assert!(fs::symlink_metadata(&device).unwrap().is_symlink());
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    killed_and_resumed("line");
    killed_and_resumed("blocks");
}

fn killed_and_resumed(engine: &str) {
    let folder = folder(&format!("table-kill-{engine}"));
    let [out, whole, checkpoint] = ["p.csv", "whole.csv", "p.ckpt"].map(|f| folder.join(f));
    let base = ["table", "CN(6,2)", "--max", "33", "--format", "csv", "--threads", "2"];
    let base = [&base[..], &["--engine", engine]].concat();
    let saving = ["--every", "0s", "--checkpoint", text(&checkpoint), "--out", text(&out)];
    let args = [&base[..], &saving[..]].concat();
    let mut child = Command::new(env!("CARGO_BIN_EXE_nimatron"))
        .args(&args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Some layers are done when the saved state knows of rows in the file.
    let begun = Instant::now();
    let partial = folder.join("p.csv.partial");
    while fs::metadata(&partial).map_or(0, |m| m.len()) < 200_000 {
        assert!(begun.elapsed() < Duration::from_secs(120), "the run does not get on");
        assert!(child.try_wait().unwrap().is_none(), "the run ended before it could be killed");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().code(), None, "the run ended before it was killed");
    assert!(!out.exists() && checkpoint.exists());

    // Another command does not touch what this one has saved.
    let other = [&["table", "CN(6,2)", "--max", "32"][..], &saving[..]].concat();
    assert_eq!(nimatron(&other).status, Some(2));

    let resumed = nimatron(&[&args[..], &["--json"]].concat());
    assert_eq!(resumed.status, Some(0), "{}", resumed.stderr);
    let alone = nimatron(&[&base[..8], &["--out", text(&whole), "--json"]].concat());
    assert_eq!(alone.status, Some(0), "{}", alone.stderr);
    assert_eq!(json(&resumed)["p_count"], json(&alone)["p_count"]);
    assert_eq!(json(&resumed)["p_orbits"], json(&alone)["p_orbits"]);
    assert!(fs::read(&out).unwrap() == fs::read(&whole).unwrap(), "the bytes differ");
    assert!(!checkpoint.exists() && !partial.exists());
}

/// Rows, counts and their order do not depend on the engine or on the threads.
#[test]
fn both_engines_write_the_same() {
    let folder = folder("table-engines");
    let games = [
        ("CN(5,2)", "19"),
        ("misere CN(5,2)", "17"),
        ("CN(4,2)", "9,3,9,20"),
        ("Nim(2)", "70"),
        ("Moore(5,3)", "9"),
        ("CN(3,2) + Nim(2)", "9"),
        ("Set(abc,bcd,de)", "12"),
    ];
    for (game, max) in games {
        for orbits in [&[][..], &["--orbits"]] {
            let mut files = Vec::new();
            for (i, (engine, threads)) in
                [("line", "1"), ("blocks", "1"), ("blocks", "3")].iter().enumerate()
            {
                let out = folder.join(format!("{i}.csv"));
                let args = ["table", game, "--max", max, "--format", "csv", "--force"];
                let how = ["--engine", engine, "--threads", threads, "--out", text(&out), "--json"];
                let run = nimatron(&[&args[..], &how[..], orbits].concat());
                assert_eq!(run.status, Some(0), "{}", run.stderr);
                let summary = json(&run);
                let counts = [&summary["p_count"], &summary["p_orbits"]].map(|v| v.as_u64());
                files.push((counts, fs::read_to_string(&out).unwrap()));
            }
            let rows = files[0].1.lines().count() as u64 - 1;
            assert_eq!(files[0].0[usize::from(!orbits.is_empty())], Some(rows), "{game}");
            assert!(files.iter().all(|f| *f == files[0]), "{game} up to {max}");
            let shown = |engine| {
                let args = ["table", game, "--max", max, "--limit", "7", "--engine", engine];
                let run = nimatron(&[&args[..], orbits].concat());
                let rows = |line: &&str| line.starts_with('(') || line.starts_with("...");
                run.stdout.lines().filter(rows).map(str::to_string).collect::<Vec<_>>()
            };
            assert_eq!(shown("line"), shown("blocks"), "{game}");
        }
    }
}

#[test]
fn engines_that_cannot_do_it_say_so() {
    let run = nimatron(&["table", "Exact(4,2)", "--max", "3", "--engine", "blocks"]);
    assert_eq!(run.status, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("SetNim"), "{}", run.stderr);
    let values = nimatron(&["table", "CN(4,2)", "--max", "3", "--engine", "line", "--grundy"]);
    assert_eq!(values.status, Some(2), "{}", values.stderr);
}

#[test]
fn damaged_checkpoints_are_detected() {
    let folder = folder("table-damage");
    let checkpoint = folder.join("p.ckpt");
    let args =
        ["table", "CN(5,2)", "--max", "40", "--limit", "0", "--checkpoint", text(&checkpoint)];
    // A state as the program saves it, after some layers.
    let mut run = Tabulation::counting(&"CN(5,2)".parse().unwrap(), &[40; 5]).unwrap();
    run.step(3, &Threads::new(1), &Unlimited, &mut |_| Ok(())).unwrap();
    let mut good = Vec::new();
    run.save(b"{}", &mut good).unwrap();
    assert!(good.len() > 1000, "the state holds a table");
    let flipped = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    };
    let last = good.len() - 1;
    let mut variants = vec![good[..good.len() / 2].to_vec(), b"something else".to_vec(), vec![]];
    variants.extend([0, 9, 40, good.len() / 2, last].map(flipped));
    for bytes in variants {
        fs::write(&checkpoint, &bytes).unwrap();
        let run = nimatron(&args);
        assert_eq!(run.status, Some(4), "{}", run.stderr);
        assert_eq!(fs::read(&checkpoint).unwrap(), bytes, "nothing is overwritten");
    }
    assert_eq!(nimatron(&[&args[..], &["--force"]].concat()).status, Some(0));
}

/// Rows that are handed on at once are those of a file, and the summary follows them.
#[test]
fn all_rows_can_be_printed_without_being_kept() {
    let out = folder("all-rows").join("p.csv").display().to_string();
    let table = ["table", "CN(5,2)", "--max", "9", "--format", "csv"];
    assert_eq!(nimatron(&[&table[..], &["--out", &out]].concat()).status, Some(0));
    let run = nimatron(&[&table[..], &["--limit", "all"]].concat());
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(run.stdout, std::fs::read_to_string(&out).unwrap());
    // As text there are the same rows, a line in between, and the summary.
    let text = nimatron(&["table", "CN(5,2)", "--max", "9", "--limit", "all"]).stdout;
    let (rows, summary) = text.split_once("\n\n").unwrap();
    assert_eq!(rows.lines().count(), run.stdout.lines().count() - 1);
    let few = nimatron(&["table", "CN(5,2)", "--max", "9", "--limit", "1"]).stdout;
    let label = |text: &str| text.lines().next().map(str::to_string);
    assert_eq!(label(summary), label(few.split_once("\n\n").unwrap().1));
}
