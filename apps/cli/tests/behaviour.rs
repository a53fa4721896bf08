//! Statuses, streams, files, colours, interruption.

mod common;

use common::{answer, file, nimatron, with_input};
use std::process::{Command, Stdio};

#[test]
fn the_games_of_the_papers() {
    let text = answer(&["solve", "Set(ad,abc,bcd)", "2,3,5,4", "--all-moves"]);
    assert!(text.contains("N-position"), "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("b and c play as one stack of 8"), "{text}");
    assert!(words.contains("CN(3,2) at (a,b+c,d) = (2,8,4)"), "{text}");
    for take in ["(0,1,5,2)", "(0,2,4,2)", "(0,3,3,2)"] {
        assert!(text.contains(&format!("  take {take}  leaving ")), "{text}");
    }
    for (game, position, end) in [
        ("CN(6,3)", "0,0,3,1,2,4", "PN(3,2) at (3,3,4)"),
        ("CN(9,3)", "0,1,2,0,3,4,0,5,6", "CN(6,2) at (1,2,3,4,5,6)"),
        ("CN(7,4)", "3,0,0,1,2,2,5", "CN(3,2) at (3,1,9)"),
    ] {
        let text = answer(&["reduce", game, position]);
        let (name, heights) = end.split_once(" at ").unwrap();
        let result = text.split("\nResult\n  ").nth(1).unwrap();
        let result = result.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(result.starts_with(&format!("{name} at (")), "{text}");
        assert!(result.contains(heights), "{text}");
    }
    let text = answer(&["solve", "CN(7,3)", "3,5,4,2,1,6,3"]);
    assert!(text.contains("\nN-position: the player to move wins.\n"), "{text}");
}

#[test]
fn text_fits_the_terminal() {
    let many = |height: &str| [height; 32].join(",");
    let (tall, low) = (many("9223372036854775807"), many("1"));
    let zeros = ["1", "0"].repeat(16).join(",");
    let cases: [&[&str]; 11] = [
        &["solve", "CN(32,32)", &low],
        &["solve", "CN(32,32)", &low, "--all-moves"],
        &["solve", "Moore(32,5)", &tall, "--time", "50ms"],
        &["solve", "misere CN(32,3)", &zeros, "--time", "50ms"],
        &["solve", "Nim(32)", &tall, "--time", "50ms"],
        &["solve", "CN(3,3)", "9223372036854775807,9223372036854775807,9223372036854775807"],
        &["reduce", "CN(32,16)", &zeros],
        &["reduce", "NN(32,20,5)"],
        &["game", "CN(32,16)"],
        &["game", "Moore(32,16)"],
        &["game", "Matrix(7,4) each>=3 + Slow(4,{1,2})"],
    ];
    for args in cases {
        let run = nimatron(args);
        assert!(matches!(run.status, Some(0 | 2 | 3)), "{args:?}: {}", run.stderr);
        let wide = run.stdout.lines().chain(run.stderr.lines()).find(|l| l.chars().count() > 80);
        assert_eq!(wide, None, "{args:?}");
        assert!(run.stdout.lines().all(|l| l == l.trim_end()), "{args:?}: blanks at a line's end");
    }
}

#[test]
fn games_without_a_position_have_no_heights() {
    for args in [["reduce", "Set(ad,abc,bcd)"].as_slice(), &["reduce", "PN(5,3)", "--cone"]] {
        let text = answer(args);
        // Stacks have names there, not heights.
        let heights = text.split(" at").skip(1).any(|t| t.trim_start().starts_with("(0"));
        assert!(!heights && !text.contains(" of "), "{text}");
    }
}

#[test]
fn files_and_standard_input() {
    let expected = answer(&["solve", "CN(3,2)", "1,2,3"]);
    let game = file("game.txt", b"CN(3,2)\n");
    let position = file("position.txt", b"1, 2, 3\r\n");
    let game = format!("@{}", game.display());
    let position = format!("@{}", position.display());
    assert_eq!(answer(&["solve", &game, &position]), expected);
    let run = with_input(&["solve", "-", "1,2,3"], b"CN(3,2)");
    assert_eq!((run.status, run.stdout), (Some(0), expected.clone()));
    let run = with_input(&["solve", "CN(3,2)", "-"], b"1 2 3\n");
    assert_eq!((run.status, run.stdout), (Some(0), expected));
}

#[test]
fn colours_only_where_they_are_wanted() {
    let styled = |args: &[&str]| answer(args).contains('\u{1b}');
    assert!(!styled(&["solve", "CN(3,2)", "1,2,3"]), "not a terminal");
    assert!(!styled(&["solve", "CN(3,2)", "1,2,3", "--color", "never"]));
    assert!(styled(&["solve", "CN(3,2)", "1,2,3", "--color", "always"]));
    assert!(!styled(&["solve", "CN(3,2)", "1,2,3", "--color", "always", "--json"]));
    let error = nimatron(&["game", "CN", "--color", "always"]).stderr;
    assert!(error.contains('\u{1b}'), "{error}");
}

#[test]
fn help_and_version() {
    assert!(answer(&["--version"]).starts_with("nimatron "));
    assert!(answer(&["--help"]).contains("Exit status"));
    let commands = [
        "solve",
        "game",
        "reduce",
        "table",
        "check",
        "bench",
        "draw",
        "paper",
        "grid",
        "graph",
        "invariants",
        "cheatsheet",
        "circuits",
        "subgames",
        "theorems",
        "completions",
        "man",
    ];
    for command in commands {
        let help = answer(&[command, "--help"]);
        assert!(help.contains("Examples:\n  nimatron "), "{command}: {help}");
        assert!(help.lines().all(|l| l.chars().count() <= 80), "{command}: {help}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(answer(&["completions", shell]).contains("nimatron"), "{shell}");
    }
    assert!(answer(&["man"]).contains(".TH nimatron 1"));
    assert!(answer(&["man", "solve"]).contains(".TH nimatron-solve 1"));
    assert_eq!(nimatron(&["man", "nonsense"]).status, Some(2));
}

/// A reader that goes away, as in `nimatron ... | head -1`.
#[test]
fn a_closed_pipe_is_no_error() {
    for args in [["completions", "bash"].as_slice(), &["man"], &["game", "CN(9,4)"], &["--help"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_nimatron"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(output.stderr.is_empty(), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_file_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_nimatron"))
        .args(["solve", "CN(3,2)", "1,2,3"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(4));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.starts_with("error: standard output: "), "{text}");
}

/// Ctrl-C while it works: what is known is printed, and the status tells.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_search_ends_cleanly() {
    let tall = "900000000,800000000,700000000,600000000,500000000,400000000,300000000,200000000";
    for json in [false, true] {
        let mut args = vec!["solve", "CN(8,2)", tall, "--time", "60s"];
        args.extend(json.then_some("--json"));
        let (run, _) = common::interrupted(&args, std::time::Duration::ZERO);
        let text = run.stdout;
        assert_eq!((run.status, run.stderr.as_str()), (Some(130), ""), "{text}");
        match json {
            true => {
                let value: serde_json::Value = serde_json::from_str(&text).unwrap();
                assert_eq!(value["limit"]["kind"], "cancelled");
                assert_eq!(value["outcome"], "unknown");
            }
            false => assert!(text.contains("It was interrupted after "), "{text}"),
        }
    }
}
