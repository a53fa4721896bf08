//! Limits and Ctrl-C: what was not finished says so, and is heard at once.
#![cfg(target_os = "linux")]

mod common;

use common::{after, folder, interrupted, json, nimatron};
use serde_json::Value;
use std::time::Duration;

const A_WHILE: Duration = Duration::from_millis(700);

#[test]
fn a_stopped_table_tells_what_is_partial() {
    // The line kernel hands on rows while it works; blocks do so at the end.
    let table = ["table", "CN(8,3)", "--max", "16", "--engine", "line"];
    let (run, _) = interrupted(&[&table[..], &["--limit", "1"]].concat(), A_WHILE);
    assert_eq!(run.status, Some(130), "{}", run.stdout);
    let text = &run.stdout;
    assert!(text.contains("\n  not finished    it was interrupted\n"), "{text}");
    let line = |label: &str| text.lines().find(|l| l.trim_start().starts_with(label));
    assert!(line("P-positions").unwrap().ends_with(" found so far"), "{text}");
    assert!(line("decided").unwrap().ends_with(" %"), "{text}");
    assert!(text.contains("... at least ") && text.contains(" rows not shown"), "{text}");

    let (run, _) = interrupted(&[&table[..], &["--json"]].concat(), A_WHILE);
    let answer = json(&run);
    assert_eq!((&answer["p_count"], &answer["p_orbits"]), (&Value::Null, &Value::Null));
    let partial = &answer["partial"];
    let [positions, found] = ["positions", "p_count"].map(|key| partial[key].as_u64().unwrap());
    assert!(0 < found && found < positions && positions < answer["positions"].as_u64().unwrap());
    assert_eq!(answer["limit"]["kind"], "cancelled");
}

#[test]
fn nothing_is_said_of_what_was_not_looked_at() {
    for args in [
        ["table", "Slow(6,{2,3})", "--max", "24"].as_slice(),
        &["table", "CN(6,2)", "--max", "19", "--grundy"],
    ] {
        let (run, _) = interrupted(args, A_WHILE);
        assert_eq!(run.status, Some(130), "{args:?}: {}", run.stdout);
        let lines = run.stdout.lines().map(str::trim_start);
        let counts = ["P-positions", "up to symmetry", "Grundy values"];
        assert!(!{ lines }.any(|l| counts.iter().any(|c| l.starts_with(c))), "{}", run.stdout);
        let (run, _) = interrupted(&[args, &["--json"]].concat(), A_WHILE);
        let answer = json(&run);
        assert_eq!(
            (&answer["p_count"], &answer["partial"]["p_count"]),
            (&Value::Null, &Value::Null)
        );
        assert!(answer["grundy"].is_null());
    }
}

/// Rows for a program have no room for a remark; it stands on the other stream.
#[test]
fn rows_of_a_stopped_table_are_not_taken_for_all() {
    // Blocks hand on rows at the end: there are none yet.
    for (engine, max, lines) in [("line", "16", 4), ("blocks", "31", 1)] {
        let table = ["table", "CN(8,3)", "--max", max, "--engine", engine];
        let (run, _) =
            interrupted(&[&table[..], &["--format", "csv", "--limit", "3"]].concat(), A_WHILE);
        assert_eq!((run.status, run.stdout.lines().count()), (Some(130), lines), "{engine}");
        assert!(run.stderr.contains("warning: these are not all rows: it was interrupted\n"));
    }
}

/// Blocks know their P-positions at the end: until then nothing is said of them.
#[test]
fn a_stopped_table_by_blocks_tells_what_is_partial() {
    let table = ["table", "CN(8,3)", "--max", "31", "--engine", "blocks"];
    let (run, _) = interrupted(&table, A_WHILE);
    assert_eq!(run.status, Some(130), "{}", run.stdout);
    let text = &run.stdout;
    assert!(text.contains("\n  not finished    it was interrupted\n"), "{text}");
    assert!(!text.contains("P-positions     0"), "{text}");
    let (run, _) = interrupted(&[&table[..], &["--json"]].concat(), A_WHILE);
    let answer = json(&run);
    assert_eq!((&answer["p_count"], &answer["p_orbits"]), (&Value::Null, &Value::Null));
    assert_ne!(answer["partial"]["p_count"], 0);
    let decided = answer["partial"]["positions"].as_u64().unwrap();
    assert!(decided < answer["positions"].as_u64().unwrap());
    assert_eq!(answer["limit"]["kind"], "cancelled");
}

#[test]
fn ctrl_c_is_heard_within_a_second() {
    let weak = ["check", "CN(6,2)", "true", "--max", "40"];
    for args in [
        ["table", "Slow(6,{2,3})", "--max", "24"].as_slice(),
        &["table", "CN(8,3)", "--max", "16", "--limit", "0", "--engine", "line"],
        &["table", "CN(8,3)", "--max", "31", "--limit", "0", "--engine", "blocks"],
        &["table", "CN(5,2)", "--max", "1,1,1,1,200000000"],
        &["table", "CN(6,2)", "--max", "19", "--grundy"],
        &["table", "CN(6,2)", "--max", "19", "--remoteness", "--limit", "all"],
        &weak,
        &["check", "Slow(7,{2,5})", "true", "--max", "48"],
        &["solve", "CN(8,2)", "91,92,93,94,95,96,97,98", "--time", "1m"],
        &["subgames", "CN(24,7)", "--time", "1m"],
        &["discover", "CN(6,2)", "--time", "1m"],
        &["theorems", "CN(7,3)", "--check", "--max", "14", "--time", "1m"],
        &["grid", "Slow(9,{4,6})", "--max", "40", "--time", "1m"],
        &["atlas", "--verify"],
        &["conjecture", "peeling", "--stacks", "14"],
        &["moves", "CN(12,5)", "90,80,70,60,50,40,90,80,70,60,50,41", "--time", "1m"],
    ] {
        // A machine that is busy with something else is asked again.
        let mut took = Duration::MAX;
        for _ in 0..3 {
            // What is verified in a moment is interrupted sooner.
            let wait = if args[0] == "atlas" { A_WHILE / 7 } else { A_WHILE };
            let (run, this_time) = interrupted(args, wait);
            assert_eq!(run.status, Some(130), "{args:?}: {}{}", run.stdout, run.stderr);
            took = took.min(this_time);
            if took < Duration::from_secs(1) {
                break;
            }
        }
        assert!(took < Duration::from_secs(1), "{args:?}: {took:?}");
    }
}

#[test]
fn the_memory_forecast_is_right_within_a_quarter() {
    let json = |args: &[&str]| json(&nimatron(args));
    let own = json(&["table", "CN(5,2)", "--max", "2", "--json"])["peak_memory"].as_u64().unwrap();
    for args in [
        ["CN(5,2)", "--max", "1,1,1,1,10000000", "--limit", "1"].as_slice(),
        &["CN(5,2)", "--max", "1,1,1,1,10000000"],
        &["CN(5,2)", "--max", "10000000,1,1,1,1"],
        &["Nim(2)", "--max", "20,5000000"],
        &["Exact(3,2)", "--max", "2,2,5000000"],
        &["Exact(3,2)", "--max", "2000000,2,2"],
        &["Nim(2)", "--max", "3000", "--grundy"],
        &["Slow(5,{1,2})", "--max", "19", "--remoteness"],
        &["CN(8,3)", "--max", "15", "--engine", "line"],
    ] {
        let table = [&["table"], args].concat();
        let mut plain = [&table[..], &["--json"]].concat();
        if !args.contains(&"--grundy") && !args.contains(&"--remoteness") {
            plain.extend(["--threads", "1"]);
        }
        let refused = json(&[&plain[..], &["--memory", "1kB"]].concat());
        let forecast = refused["refused"]["memory"].as_u64().unwrap() as f64;
        let used = json(&plain)["peak_memory"].as_u64().unwrap().saturating_sub(own) as f64;
        let ratio = used / forecast;
        assert!(forecast > 5e6 && (0.75..=1.25).contains(&ratio), "{args:?}: {used} of {forecast}");
    }
}

#[test]
fn memory_that_cannot_be_had_is_status_3() {
    let place = folder("limits-memory");
    for args in [
        ["CN(5,2)", "--max", "1,1,1,1,100000000"].as_slice(),
        &["CN(5,2)", "--max", "1,1,1,1,100000000", "--limit", "0"],
        &["CN(6,2)", "--max", "127", "--engine", "line"],
        &["Exact(3,2)", "--max", "2,2,100000000"],
        &["Slow(6,{2,3})", "--max", "30", "--grundy"],
        &["CN(5,2)", "--max", "60", "--grundy"],
        &["CN(5,2)", "--max", "60", "--remoteness"],
    ] {
        let args = [&["table"], args, &["--memory", "100GB"]].concat();
        let run = after("ulimit -v 400000", &args, &place);
        assert_eq!(run.status, Some(3), "{args:?}: {}{}", run.stdout, run.stderr);
    }
}

#[test]
fn a_size_that_would_fit_does_fit() {
    let args = ["table", "CN(5,2)", "--max", "999999999"];
    let run = nimatron(&args);
    assert_eq!(run.status, Some(3), "{}", run.stderr);
    assert!(run.stdout.contains("\n  would fit       --max "), "{}", run.stdout);
    let run = nimatron(&[&args[..], &["--memory", "50MB", "--time", "100ms", "--json"]].concat());
    let answer = json(&run);
    assert_eq!((run.status, answer["limit"]["kind"].as_str()), (Some(3), Some("memory")));
    let height = answer["refused"]["largest_max"].to_string();
    let run = nimatron(&["table", "CN(5,2)", "--max", &height, "--memory", "50MB", "--json"]);
    assert_eq!(run.status, Some(0), "{}", run.stdout);
    // Taller than any table can be.
    let run = nimatron(&["table", "CN(5,2)", "--max", "4000000000"]);
    assert_eq!(run.status, Some(3), "{}", run.stderr);
    assert!(run.stderr.contains("help: try --max "), "{}", run.stderr);
}

/// `limit` is the same object in every answer.
#[test]
fn limits_have_one_shape() {
    let place = folder("limits-shape");
    let cert = place.join("c.json").display().to_string();
    assert_eq!(nimatron(&["prove", "CN(5,3)", "--out", &cert]).status, Some(0));
    for (args, kind) in [
        (["solve", "CN(8,2)", "91,92,93,94,95,96,97,98", "--time", "50ms"].as_slice(), "time"),
        (&["check", "CN(6,2)", "a = 0", "--max", "40", "--time", "50ms"], "time"),
        (&["subgames", "CN(24,7)", "--time", "50ms"], "time"),
        (&["grid", "Slow(9,{4,6})", "--max", "40", "--time", "50ms"], "time"),
        (&["discover", "CN(6,2)", "--time", "50ms"], "time"),
        (&["prove", "CN(6,2)", "a = 0, xor(b,c) = d", "--method", "regions"], "unsupported"),
        (&["table", "CN(5,2)", "--max", "9999"], "memory"),
        (&["table", "CN(6,2)", "--max", "99", "--time", "1ms"], "time"),
        (&["verify", &cert, "--compare", "20", "--memory", "1kB"], "memory"),
    ] {
        let run = nimatron(&[args, &["--json"]].concat());
        let limit = &json(&run)["limit"];
        assert_eq!(limit["kind"], kind, "{args:?}: {}", run.stdout);
        assert!(limit["text"].is_string(), "{args:?}: {}", run.stdout);
        assert_eq!(limit.as_object().unwrap().len(), 2, "{args:?}");
    }
}

#[test]
fn a_comparison_that_ends_early_leaves_the_proof_accepted() {
    let place = folder("limits-compare");
    let cert = place.join("c.json").display().to_string();
    assert_eq!(nimatron(&["prove", "CN(5,3)", "--out", &cert]).status, Some(0));
    let args = ["verify", &cert, "--compare", "60", "--memory", "1kB"];
    let run = nimatron(&args);
    assert_eq!(run.status, Some(3), "{}", run.stderr);
    assert!(run.stdout.starts_with("CN(5,3)\naccepted\n"), "{}", run.stdout);
    let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("not finished: the memory limit was reached"), "{}", run.stdout);
    let answer = json(&nimatron(&[&args[..], &["--json"]].concat()));
    assert_eq!((&answer["accepted"], &answer["compared"]), (&Value::Bool(true), &Value::Null));
    let (run, _) = interrupted(&["verify", &cert, "--compare", "500"], A_WHILE);
    assert_eq!(run.status, Some(130), "{}", run.stderr);
    assert!(run.stdout.starts_with("CN(5,3)\naccepted\n"), "{}", run.stdout);
}

/// Nearly every position is a difference: the box is chosen smaller, and limits are kept.
#[test]
fn a_weak_formula_is_checked_in_its_own_time() {
    let heights = |formula: &str| {
        let run = nimatron(&["check", "CN(6,2)", formula, "--json"]);
        json(&run)["max"][0].as_u64().unwrap()
    };
    let (strong, weak) = (heights("a = b = c = d = e = f = 0"), heights("true"));
    assert!(weak > 3 && weak < strong, "{weak} and {strong}");
    let begun = std::time::Instant::now();
    let run = nimatron(&["check", "CN(4,2)", "true", "--max", "400", "--time", "500ms", "--json"]);
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    assert_eq!(json(&run)["limit"]["kind"], "time");
}

/// A long run says where it is kept, and the same command says that it goes on.
#[test]
fn checkpoints_announce_themselves() {
    let place = folder("limits-checkpoint");
    let state = place.join("p.ckpt").display().to_string();
    let table = [
        "table",
        "CN(7,3)",
        "--max",
        "31",
        "--engine",
        "line",
        "--limit",
        "0",
        "--checkpoint",
        &state,
    ];
    let (run, _) = interrupted(&[&table[..], &["--every", "0s"]].concat(), 4 * A_WHILE);
    assert_eq!(run.status, Some(130), "{}", run.stderr);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let told = words(&run.stdout);
    assert!(told.contains("p.ckpt; the same command goes on from there"), "{told}");
    assert!(run.stderr.lines().any(|l| l.starts_with("saved to ")), "{}", run.stderr);
    let (run, _) = interrupted(&table, A_WHILE);
    assert!(words(&run.stderr).starts_with("resuming from "), "{}", run.stderr);
    let (run, _) = interrupted(&[&table[..], &["--json", "--quiet"]].concat(), A_WHILE);
    assert_eq!(run.stderr, "");
    let answer = json(&run);
    assert_eq!((&answer["resumed"], &answer["checkpoint"]), (&Value::Bool(true), &state.into()));
    assert!(answer["partial"]["positions"].as_u64().unwrap() > 0);
}
