//! Whatever is typed, the answer is one screen that points at the problem.

mod common;

use common::{file, fits_the_screen, json, nimatron, with_input};

/// Checks a run on bad input, with and without JSON; returns the text and the error object.
fn refused(args: &[&str], input: &[u8]) -> (String, serde_json::Value) {
    let run = with_input(args, input);
    let short: Vec<String> = args.iter().map(|a| a.chars().take(60).collect()).collect();
    assert_eq!(run.status, Some(2), "{short:?}: {}", run.stderr);
    assert_eq!(run.stdout, "", "{short:?}");
    assert!(run.stderr.starts_with("error: "), "{short:?}: {}", run.stderr);
    assert!(fits_the_screen(&run.stderr), "{short:?}: {}", run.stderr);
    assert!(!run.stderr.contains("panicked"), "{short:?}: {}", run.stderr);
    let with_json: Vec<&str> = ["--json"].iter().chain(args).copied().collect();
    let again = with_input(&with_json, input);
    assert_eq!((again.status, &again.stderr), (Some(2), &run.stderr), "{short:?}");
    let value = json(&again);
    let keys: Vec<&String> = value["error"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["hint", "kind", "message", "span"]);
    assert_eq!(value.as_object().unwrap().len(), 1);
    (run.stderr, value["error"].clone())
}

#[test]
fn games_that_are_none() {
    let cases = [
        ("CN(3,7)", "set-size", Some("CN(7,3)")),
        ("CN(7)", "arguments", None),
        ("Set()", "empty-list", None),
        ("Slow(5,{6})", "set-size", None),
        ("", "empty", Some("CN(7,3)")),
        ("   ", "empty", Some("CN(7,3)")),
        ("Kn(3,2)", "unknown-name", None),
        ("Nim(33)", "too-many-stacks", None),
        ("CN(99999999999999999999,3)", "bad-number", None),
        ("CN(3,2", "unexpected", Some("CN(3,2)")),
        ("CN(3,2) each=0", "bad-amount", None),
        ("\u{1b}[31mCN(3,2)\u{202e}", "unexpected", None),
    ];
    for (text, kind, hint) in cases {
        for command in ["solve", "reduce", "game"] {
            let args = [command, text, "1,2,3"];
            let args = if command == "game" { &args[..2] } else { &args[..] };
            let (shown, error) = refused(args, b"");
            assert_eq!(error["kind"], kind, "{text}: {shown}");
            assert!(shown.contains("\n  GAME |") && shown.contains('^'), "{shown}");
            assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown:?}");
            if let Some(hint) = hint {
                assert_eq!(error["hint"], hint);
                assert!(shown.contains(&format!("  help: try {hint}\n")), "{shown}");
            }
        }
    }
}

#[test]
fn positions_that_are_none() {
    let seven = "1,2,3,4,5,6,7";
    let cases = [
        ("CN(3,2)", "1,2,-3", "bad-number", [4, 6]),
        ("CN(2,2)", "-3,2", "bad-number", [0, 2]),
        ("CN(2,2)", "-1", "bad-number", [0, 2]),
        ("CN(8,3)", seven, "wrong-count", [13, 13]),
        ("CN(3,2)", "1,2,9223372036854775808", "too-tall", [4, 23]),
        ("CN(3,2)", "", "empty", [0, 0]),
        ("CN(3,2)", "1,x,2", "unexpected", [2, 3]),
        ("CN(3,2)", "1,2.5,2", "bad-number", [2, 5]),
        ("CN(3,2)", "--bogus", "unexpected", [0, 1]),
        ("Nim(1)", "é", "unexpected", [0, 1]),
    ];
    for (game, position, kind, span) in cases {
        for command in ["solve", "reduce"] {
            let (shown, error) = refused(&[command, game, position], b"");
            assert_eq!(error["kind"], kind, "{position}: {shown}");
            assert_eq!(error["span"], serde_json::json!(span), "{position}: {shown}");
            assert!(shown.contains("\n  POSITION |") && shown.contains('^'), "{shown}");
        }
    }
}

#[test]
fn a_million_characters_of_junk() {
    for junk in ["x", "(", "1,", "CN(", "-", "\u{1F600}", " "] {
        let junk = junk.repeat(1_000_000 / junk.len());
        let name = format!("junk-{}", junk.chars().next().unwrap() as u32);
        let path = file(&name, junk.as_bytes());
        let at = format!("@{}", path.display());
        for args in [["game", &at].as_slice(), &["solve", "CN(3,2)", &at]] {
            assert_eq!(refused(args, b"").1["kind"], "too-long");
        }
        refused(&["game", "-"], junk.as_bytes());
        refused(&["solve", "CN(3,2)", "-"], junk.as_bytes());
        // Shorter texts reach the parser.
        let short: String = junk.chars().take(20_000).collect();
        refused(&["game", "--", &short], b"");
        refused(&["game", "-"], short.as_bytes());
        refused(&["solve", "CN(3,2)", "-"], short.as_bytes());
    }
}

#[test]
fn bytes_that_are_no_text() {
    let (shown, error) = refused(&["game", "-"], b"CN(7,\xff3)");
    assert_eq!(error["kind"], "not-text");
    assert!(shown.contains("standard input"), "{shown}");
    assert_eq!(refused(&["game", "-"], b"CN(7,3)\0").1["kind"], "unexpected");
}

#[test]
fn command_lines_that_are_none() {
    let cases: [&[&str]; 10] = [
        &[],
        &["nonsense"],
        &["solve"],
        &["solve", "CN(3,2)"],
        &["solve", "CN(3,2)", "1,2,3", "4"],
        &["solve", "CN(3,2)", "1,2,3", "--time", "soon"],
        &["solve", "CN(3,2)", "1,2,3", "--memory", "2"],
        &["solve", "CN(3,2)", "1,2,3", "--limit", "0", "--all-moves"],
        &["solve", "--bogus", "CN(3,2)", "1,2,3"],
        &["completions", "nonsense"],
    ];
    for args in cases {
        for more in [None, Some("--json")] {
            let args: Vec<&str> = args.iter().copied().chain(more).collect();
            let run = nimatron(&args);
            assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{args:?}");
            assert!(!run.stderr.is_empty(), "{args:?}");
        }
    }
}

#[test]
fn long_command_lines_are_cut() {
    let junk = format!("--{}", "x".repeat(50_000));
    let run = nimatron(&["game", &junk]);
    assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.lines().count() <= 12 && run.stderr.len() < 1000, "{}", run.stderr);
}

#[test]
fn file_errors() {
    for path in ["@/no/such/file", "@/", "@"] {
        let run = nimatron(&["solve", "CN(3,2)", path]);
        assert_eq!((run.status, run.stdout.as_str()), (Some(4), ""), "{path}");
        assert!(run.stderr.starts_with("error: file "), "{}", run.stderr);
        let run = nimatron(&["game", path, "--json"]);
        assert_eq!(run.status, Some(4), "{path}");
        assert_eq!(json(&run)["error"]["kind"], "file");
    }
}

/// Odd texts put together from pieces of the notation, all of which must be answered or refused.
#[test]
fn nothing_typed_makes_it_panic() {
    let pieces = [
        "CN(",
        "Set(",
        "ab",
        ",",
        "3",
        ")",
        "misere ",
        " + ",
        "Nim(1)",
        "{",
        "}",
        "each>=2",
        "0",
        "-",
        "é",
        "Slow(3,",
        "..",
        "[[1,2],[2,3]]",
        "total=1",
        "99999999999999999999",
        "Graph(0-1)",
    ];
    let mut seed = 3u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    for _ in 0..150 {
        let length = 1 + next(7);
        let game: String = (0..length).map(|_| pieces[next(pieces.len())]).collect();
        let heights: Vec<String> = (0..next(5)).map(|_| (next(6)).to_string()).collect();
        let heights = heights.join(",");
        for args in [
            vec!["solve", "--time", "50ms", "--", &game, &heights],
            vec!["reduce", "--", &game, &heights],
            vec!["game", "--", &game],
        ] {
            let run = nimatron(&args);
            assert!(matches!(run.status, Some(0 | 2 | 3)), "{args:?}: {:?}", run.status);
            assert!(!run.stderr.contains("panicked"), "{args:?}: {}", run.stderr);
            assert!(run.status == Some(0) || fits_the_screen(&run.stderr), "{}", run.stderr);
        }
    }
}
