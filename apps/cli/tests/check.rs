//! `nimatron check`: statuses, JSON and errors.

mod common;

use common::{file, fits_the_screen, json, nimatron, with_input};
use serde_json::{Value, json};
use std::time::Duration;

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

const KEYS: [&str; 11] = [
    "claimed",
    "counterexample",
    "counterexamples",
    "formula",
    "game",
    "holds",
    "limit",
    "max",
    "missed",
    "p_count",
    "positions",
];

fn check(args: &[&str], status: i32) -> Value {
    let run = nimatron(&[&["check"], args, &["--json"]].concat());
    assert_eq!((run.status, run.stderr.as_str()), (Some(status), ""), "{args:?}");
    let text = nimatron(&[&["check"], args].concat());
    assert_eq!((text.status, text.stderr.as_str()), (Some(status), ""), "{args:?}");
    assert!(text.stdout.lines().all(|l| l.chars().count() <= 80), "{}", text.stdout);
    let value = json(&run);
    assert_eq!(keys(&value), KEYS);
    value
}

#[test]
fn a_formula_that_stands() {
    let v = check(&["CN(5,3)", "sym(a=0, b=e=c+d)", "--max", "9"], 0);
    assert_eq!((&v["holds"], &v["max"]), (&json!(true), &json!([9, 9, 9, 9, 9])));
    assert_eq!((&v["counterexample"], &v["counterexamples"]), (&Value::Null, &json!([])));
    assert_eq!(
        (&v["positions"], &v["missed"], &v["claimed"]),
        (&json!(100_000), &json!(0), &json!(0))
    );
    assert_eq!((&v["game"], &v["formula"]), (&json!("CN(5,3)"), &json!("sym(a = 0, b = e = c+d)")));
    assert_eq!(v["limit"], Value::Null);
    let text = nimatron(&["check", "CN(5,3)", "sym(a=0, b=e=c+d)", "--max", "9"]).stdout;
    assert!(text.contains("evidence, not a proof"), "{text}");
}

#[test]
fn a_formula_that_falls() {
    let v = check(&["CN(7,3)", "min = 0", "--max", "2", "--threads", "2"], 1);
    assert_eq!(v["holds"], json!(false));
    assert_eq!(v["counterexample"], v["counterexamples"][0]);
    let claimed = json!({
        "position": [0, 0, 0, 0, 0, 0, 1],
        "kind": "claimed",
        "move": {
            "take": [0, 0, 0, 0, 0, 0, 1],
            "to": [0, 0, 0, 0, 0, 0, 0],
            "to_outcome": "P",
            "to_satisfies": true,
        },
    });
    assert_eq!(v["counterexample"], claimed);
    let missed = &v["counterexamples"][1];
    assert_eq!(
        (&missed["kind"], &missed["position"]),
        (&json!("missed"), &json!([1, 1, 1, 1, 1, 1, 1]))
    );
    assert_eq!(
        (&missed["move"]["to_outcome"], &missed["move"]["to_satisfies"]),
        (&json!("N"), &json!(true))
    );
    let v = check(&["Nim(2)", "total = 0", "--max", "1,3"], 1);
    assert_eq!(v["counterexample"], json!({"position": [1, 1], "kind": "missed", "move": null}));
}

#[test]
fn without_max_there_is_one() {
    let v = check(&["CN(9,4)", "false"], 1);
    assert!(v["max"][0].as_u64().unwrap() >= 2, "{v}");
}

#[test]
fn limits() {
    let v = check(&["CN(8,3)", "a = b", "--max", "60"], 3);
    assert_eq!((&v["holds"], &v["limit"]["kind"]), (&Value::Null, &json!("memory")));
    let run = nimatron(&["check", "CN(8,3)", "a = b", "--max", "14", "--time", "100ms", "--json"]);
    assert!(matches!(run.status, Some(1 | 3)), "{}", run.stdout);
    assert_eq!(json(&run)["limit"]["kind"], "time");
}

#[test]
fn files_and_standard_input() {
    let formula = file("formula.txt", "sym(a = 0,\n\tb = e = c+d)\r\n".as_bytes());
    let at = format!("@{}", formula.display());
    let expected = nimatron(&["check", "CN(5,3)", "sym(a = 0, b = e = c+d)", "--max", "5"]);
    assert_eq!(expected.status, Some(0));
    assert_eq!(nimatron(&["check", "CN(5,3)", &at, "--max", "5"]).stdout, expected.stdout);
    let run = with_input(&["check", "CN(5,3)", "-", "--max", "5"], b"sym(a = 0, b = e = c+d)");
    assert_eq!(run.stdout, expected.stdout);
    assert_eq!(nimatron(&["check", "CN(5,3)", "@/no/such/file"]).status, Some(4));
}

#[test]
fn errors_point_at_the_character() {
    let long = format!("{}a = b", "(".repeat(500));
    let cases = [
        ("a = z", "unknown-name", Some([4, 5])),
        ("a+b = minn", "unknown-name", Some([6, 10])),
        ("a = b é c = d", "unexpected", Some([6, 7])),
        ("é", "unexpected", Some([0, 1])),
        ("a = b, xor(c) • d", "unexpected", Some([14, 15])),
        ("a + b", "formula", Some([0, 5])),
        ("sym(a = b", "unexpected", Some([9, 9])),
        ("", "empty", Some([0, 0])),
        ("reduced(a = b)", "formula", Some([0, 7])),
        ("a = 99999999999999999999", "too-large", Some([4, 24])),
        (&long, "too-deep", None),
    ];
    for (formula, kind, span) in cases {
        let run = nimatron(&["check", "CN(4,2)", formula, "--json"]);
        assert_eq!(run.status, Some(2), "{formula}");
        let error = &json(&run)["error"];
        assert_eq!(error["kind"], kind, "{formula}: {error}");
        if let Some(span) = span {
            assert_eq!(error["span"], json!(span), "{formula}: {error}");
        }
        assert!(run.stderr.contains("\n  FORMULA |") && run.stderr.contains('^'), "{}", run.stderr);
        assert!(fits_the_screen(&run.stderr), "{}", run.stderr);
    }
    let junk = "x".repeat(100_000);
    let run = with_input(&["check", "CN(4,2)", "-"], junk.as_bytes());
    assert_eq!(run.status, Some(2));
    assert!(fits_the_screen(&run.stderr), "{}", run.stderr);
}

#[test]
fn boxes_that_are_none() {
    for (max, kind) in [
        ("4,4", "wrong-count"),
        ("x", "unexpected"),
        ("", "empty"),
        ("-1", "bad-number"),
        ("99999999999", "box"),
        ("99999999999999999999", "too-tall"),
    ] {
        let max = format!("--max={max}");
        let run = nimatron(&["check", "CN(4,2)", "a = b", &max, "--json"]);
        assert_eq!(run.status, Some(2), "{max}: {}", run.stdout);
        assert_eq!(json(&run)["error"]["kind"], kind, "{max}");
    }
    assert_eq!(nimatron(&["check", "CN(4,2)", "a = b", "--threads", "0"]).status, Some(2));
    let run = nimatron(&["check", "Nim(12)", "sym(a = b)", "--json"]);
    assert_eq!((run.status, &json(&run)["error"]["kind"]), (Some(2), &json!("formula")));
}

/// Odd texts put together from pieces of the language, all of which must be answered or refused.
#[test]
fn nothing_typed_makes_it_panic() {
    let pieces = [
        "a",
        "b",
        "+",
        " = ",
        "sym(",
        "(",
        ")",
        "min",
        "max(",
        ",",
        "not ",
        " or ",
        "let m = ",
        "m",
        "span(ab",
        "xor(",
        "2",
        " mod ",
        "total",
        "odds",
        "..",
        "-",
        "9223372036854775807",
        "even(",
        "<=",
        "reduced(",
    ];
    let mut seed = 5u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    for _ in 0..150 {
        let length = 1 + next(9);
        let text: String = (0..length).map(|_| pieces[next(pieces.len())]).collect();
        let game = ["CN(4,2)", "Slow(3,{1,2})", "misere Nim(2)"][next(3)];
        let run = nimatron(&["check", game, "--max", "3", "--", &text]);
        assert!(matches!(run.status, Some(0..=2)), "{text}: {:?}", run.status);
        assert!(!run.stderr.contains("panicked"), "{text}: {}", run.stderr);
        assert!(run.status != Some(2) || fits_the_screen(&run.stderr), "{}", run.stderr);
    }
}

/// Ctrl-C while it works.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_check_ends_cleanly() {
    let args = ["check", "CN(8,3)", "sym(a = b = c)", "--max", "14", "--json"];
    let (run, _) = common::interrupted(&args, Duration::ZERO);
    let value = json(&run);
    assert_eq!(run.status, Some(130), "{value}");
    assert_eq!(value["limit"]["kind"], "cancelled");
}
