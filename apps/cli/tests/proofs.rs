//! `prove`, `discover`, `verify`, and proofs that `solve` uses.

mod common;

use common::{Run, answer, file, json, nimatron};
use serde_json::{Value, json};
use std::path::PathBuf;

fn place(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("proofs-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn with_json(args: &[&str]) -> (Option<i32>, Value) {
    let run = nimatron(&[args, &["--json"]].concat());
    (run.status, json(&run))
}

const PROOF: [&str; 18] = [
    "attempts",
    "bytes",
    "certificate",
    "check_seconds",
    "counterexample",
    "equations",
    "equations_suffice",
    "formula",
    "formula_verified",
    "game",
    "largest_box",
    "limit",
    "method",
    "proved",
    "saved",
    "seconds",
    "size",
    "strategy",
];

#[test]
fn prove_write_and_verify() {
    let place = place("write");
    let cert = place.join("cn53.json");
    let cert = cert.to_str().unwrap();
    let claim = "sym(a = 0, b = e = c+d)";
    let (status, v) = with_json(&["prove", "CN(5,3)", claim, "--out", cert]);
    assert_eq!((status, keys(&v)), (Some(0), PROOF.to_vec()));
    assert_eq!((&v["proved"], &v["method"]), (&json!(true), &json!("regions")));
    assert_eq!((&v["certificate"], &v["counterexample"]), (&json!(cert), &Value::Null));
    assert!(v["strategy"].is_string() && v["size"]["rules"].is_u64());
    // Nothing is overwritten unless that is asked for.
    let again = nimatron(&["prove", "CN(5,3)", claim, "--out", cert]);
    assert_eq!(again.status, Some(4));
    assert!(again.stderr.contains("exists already"), "{}", again.stderr);
    assert_eq!(nimatron(&["prove", "CN(5,3)", claim, "--out", cert, "--force"]).status, Some(0));
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 1);

    let (status, v) = with_json(&["verify", cert, "--game", "CN(5,3)", "--formula", claim]);
    assert_eq!(status, Some(0));
    assert_eq!(
        keys(&v),
        ["accepted", "compared", "failed", "formula", "game", "kind", "limit", "message", "set",]
    );
    assert_eq!((&v["accepted"], &v["failed"]), (&json!(true), &Value::Null));
    assert_eq!((&v["game"], &v["kind"]), (&json!("CN(5,3)"), &json!("regions")));
    let text = answer(&["verify", cert]);
    assert!(text.starts_with("CN(5,3)\naccepted\n"), "{text}");
    for (args, failed) in [
        (["--game", "CN(5,2)"], "game"),
        (["--game", "misere CN(5,3)"], "game"),
        (["--formula", "sym(a = 0, b = e)"], "formula"),
    ] {
        let (status, v) = with_json(&["verify", cert, args[0], args[1]]);
        assert_eq!((status, &v["accepted"]), (Some(1), &json!(false)));
        assert_eq!(v["failed"], failed);
    }
    assert_eq!(nimatron(&["verify", cert, "--formula", "a ="]).status, Some(2));
}

#[test]
fn the_formula_of_the_library_is_the_default() {
    let (status, v) = with_json(&["prove", "CN(4,2)"]);
    assert_eq!((status, &v["proved"]), (Some(0), &json!(true)));
    // Under other names of the stacks, too.
    let (status, v) = with_json(&["prove", "Set(ac,ce,be,bd,ad)"]);
    assert_eq!((status, &v["proved"]), (Some(0), &json!(true)), "{v}");
    let run = nimatron(&["prove", "CN(6,2)"]);
    assert_eq!(run.status, Some(3));
    assert!(run.stderr.contains("nimatron discover \"CN(6,2)\""), "{}", run.stderr);
    let (status, v) = with_json(&["prove", "CN(6,2)"]);
    assert_eq!((status, &v["error"]["kind"]), (Some(3), &json!("no-formula")));
}

#[test]
fn xor_and_smt() {
    let place = place("smt");
    let smt = place.join("files");
    let args = ["prove", "Nim(2)", "a = b", "--smt", smt.to_str().unwrap()];
    assert_eq!(nimatron(&args).status, Some(0));
    assert_eq!(std::fs::read_dir(&smt).unwrap().count(), 3);
    assert_eq!(nimatron(&args).status, Some(4));
    let (status, v) = with_json(&["prove", "Nim(3)", "xor(a,b,c) = 0"]);
    assert_eq!((status, &v["method"]), (Some(0), &json!("automaton")));
    assert_eq!((&v["formula"], &v["formula_verified"]), (&json!("xor(a,b,c) = 0"), &json!(true)));
    let (status, v) = with_json(&["prove", "Nim(3)", "xor(a,b,c) = 0", "--method", "regions"]);
    assert_eq!((status, &v["limit"]["kind"]), (Some(3), &json!("unsupported")));
}

#[test]
fn refuted_formulas_leave_no_file() {
    let place = place("refuted");
    let cert = place.join("wrong.json");
    let args = ["prove", "CN(4,2)", "a = c", "--out", cert.to_str().unwrap()];
    let (status, v) = with_json(&args);
    assert_eq!((status, &v["proved"]), (Some(1), &json!(false)));
    assert_eq!((&v["certificate"], &v["method"]), (&Value::Null, &Value::Null));
    let example = &v["counterexample"];
    assert_eq!(keys(example), ["kind", "move", "position"]);
    assert_eq!(example["kind"], "claimed");
    assert_eq!(keys(&example["move"]), ["take", "to"]);
    assert!(!cert.exists());
    let text = nimatron(&["prove", "CN(4,2)", "a = c"]);
    assert_eq!(text.status, Some(1));
    assert!(text.stdout.contains("not the P-positions"), "{}", text.stdout);
    let (status, v) = with_json(&["prove", "CN(4,2)", "a = b = c = d = 0"]);
    assert_eq!((status, &v["counterexample"]["kind"]), (Some(1), &json!("missed")));
    assert_eq!(v["counterexample"]["move"], Value::Null);
}

#[test]
fn discover_by_both_methods() {
    let place = place("discover");
    let path = |name: &str| place.join(name).to_str().unwrap().to_string();
    let (status, v) = with_json(&["discover", "CN(5,2)", "--out", &path("cells.json")]);
    let mut expected = [&PROOF[..], &["sheets", "whole"]].concat();
    expected.sort_unstable();
    assert_eq!((status, keys(&v)), (Some(0), expected));
    assert_eq!((&v["proved"], &v["method"]), (&json!(true), &json!("matryoshka")));
    assert_eq!(v["formula"], "sym(a = c, a+b = d+e, a <= min(d,e))");
    assert!(v["size"]["cells"].as_u64().unwrap() > 0);
    assert_eq!(nimatron(&["verify", &path("cells.json"), "--game", "CN(5,2)"]).status, Some(0));
    let text = answer(&["discover", "CN(5,2)"]);
    assert!(text.contains("\nCheat sheet\n") && text.contains("subtract"), "{text}");

    let automaton = [
        "discover",
        "Nim(3)",
        "--method",
        "automata",
        "--out",
        &path("nim.json"),
        "--dot",
        &path("nim.dot"),
        "--walnut",
        &path("nim.txt"),
    ];
    let (status, v) = with_json(&automaton);
    let told = json!("xor(a,b,c) = 0");
    assert_eq!((status, &v["method"], &v["formula"]), (Some(0), &json!("automaton"), &told));
    assert_eq!(v["formula_verified"], json!(true));
    assert_eq!(v["size"]["states"], 2);
    assert!(std::fs::read_to_string(path("nim.dot")).unwrap().starts_with("digraph"));
    assert!(std::fs::read_to_string(path("nim.txt")).unwrap().starts_with("msd_2 msd_2 msd_2"));
    assert_eq!(nimatron(&automaton).status, Some(4));
    // The same without a formula.
    let (nim, bare) = (path("nim.json"), path("bare.json"));
    let without = ["discover", "Nim(3)", "--method", "automata", "--no-formula", "--out", &bare];
    let (status, v) = with_json(&without);
    assert_eq!((status, &v["method"], &v["formula"]), (Some(0), &json!("automaton"), &Value::Null));
    for (file, formula) in [(&nim, &told), (&bare, &Value::Null)] {
        let (status, v) = with_json(&["verify", file]);
        assert_eq!((status, &v["kind"], &v["formula"]), (Some(0), &json!("automaton"), formula));
        for (formula, status) in [("xor(a,b,c) = 0", 0), ("xor(a,b) = 0, c = 0", 1)] {
            let run = nimatron(&["verify", file, "--formula", formula]);
            assert_eq!(run.status, Some(status), "{}", run.stdout);
            assert_eq!(run.stdout.contains("The formula is verified too"), status == 0);
        }
    }
}

#[test]
fn not_found_is_an_answer_with_evidence() {
    let (status, v) = with_json(&["discover", "CN(6,2)", "--time", "2s"]);
    let mut expected = [&PROOF[..], &["noticed"]].concat();
    expected.sort_unstable();
    assert_eq!((status, keys(&v)), (Some(3), expected));
    assert_eq!((&v["proved"], &v["formula"]), (&json!(false), &Value::Null));
    let obstruction = &v["attempts"][0];
    assert_eq!((&obstruction["method"], &obstruction["factor"]), (&json!("matryoshka"), &json!(3)));
    assert_eq!(obstruction["position"].as_array().unwrap().len(), 6);
    assert_eq!(v["attempts"][1]["method"], "automata");
    assert!(v["largest_box"].as_u64().unwrap() >= 3, "{v}");
    assert_eq!(v["limit"]["kind"], "time");
    let text = nimatron(&["discover", "CN(6,2)", "--method", "matryoshka"]);
    assert_eq!((text.status, text.stderr.as_str()), (Some(3), ""));
    assert!(text.stdout.starts_with("CN(6,2)\nnot found\n"), "{}", text.stdout);
}

#[test]
fn rejected_certificates() {
    let place = place("rejected");
    let cert = place.join("cert.json");
    let run = nimatron(&["discover", "CN(4,2)", "--out", cert.to_str().unwrap()]);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let text = std::fs::read_to_string(&cert).unwrap();
    let rejected = |name: &str, text: &str| -> (Option<i32>, Value) {
        let path = file(name, text.as_bytes());
        with_json(&["verify", path.to_str().unwrap()])
    };
    let (status, v) = rejected("truncated.json", &text[..text.len() - 9]);
    assert_eq!((status, &v["accepted"], &v["failed"]), (Some(1), &json!(false), &json!("format")));
    assert_eq!((&v["game"], &v["kind"]), (&Value::Null, &Value::Null));
    let (status, v) = rejected("other-game.json", &text.replace("CN(4,2)", "CN(4,3)"));
    assert_eq!((status, &v["accepted"], &v["game"]), (Some(1), &json!(false), &json!("CN(4,3)")));
    assert!(v["failed"].is_string() && v["message"].is_string());
    let (status, _) = rejected("version.json", &text.replace("\"version\":3", "\"version\":2"));
    assert_eq!(status, Some(1));
    let misere = text.replace("CN(4,2)", "misere CN(4,2)");
    let (status, v) = rejected("misere.json", &misere);
    assert_eq!((status, &v["failed"]), (Some(1), &json!("rule")));
    // A number changed somewhere within the proof.
    let mut value: Value = serde_json::from_str(&text).unwrap();
    let parts = value["proof"]["matryoshka"]["parts"].as_array_mut().unwrap();
    let cells = parts.last_mut().unwrap()["cells"].as_array_mut().unwrap();
    cells[0].as_array_mut().unwrap().pop();
    let (status, v) = rejected("tampered.json", &value.to_string());
    assert_eq!((status, &v["accepted"]), (Some(1), &json!(false)), "{v}");
    let Run { status, stdout, .. } = nimatron(&["verify", file("t.json", b"{").to_str().unwrap()]);
    assert_eq!(status, Some(1));
    assert!(stdout.contains("rejected\n  format: "), "{stdout}");
    let missing = nimatron(&["verify", place.join("missing.json").to_str().unwrap()]);
    assert_eq!(missing.status, Some(4));
}

#[test]
fn saved_proofs_are_used_by_solve() {
    let library = place("library");
    let library = library.to_str().unwrap();
    let tall = "1000000000001,7,1000000000002,7";
    let solve = ["solve", "misere CN(4,2)", tall, "--library", library];
    let (status, v) = with_json(&["discover", "misere CN(4,2)", "--save", "--library", library]);
    assert_eq!(status, Some(0));
    let saved = v["saved"].as_str().unwrap().to_string();
    assert!(saved.ends_with("misere-CN-4-2.json"), "{saved}");
    let (status, v) = with_json(&solve);
    assert_eq!((status, &v["outcome"]), (Some(0), &json!("N")));
    assert_eq!(v["by"], json!({"kind": "proof", "name": "misere CN(4,2)", "source": saved}));
    assert_eq!(v["moves"][0]["to"], json!([1_000_000_000_001_u64, 7, 1_000_000_000_001_u64, 7]));
    // A damaged proof is not used, and that is said.
    let text = std::fs::read_to_string(&saved).unwrap();
    std::fs::write(&saved, text.replace("true", "false")).unwrap();
    let run = nimatron(&solve);
    assert!(run.stderr.starts_with("warning: a stored proof is not used:"), "{}", run.stderr);
}
