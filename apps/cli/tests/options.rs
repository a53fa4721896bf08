//! Options that would do nothing are refused, before any work is done.

mod common;

use common::{folder, json, nimatron};
use serde_json::Value;

/// Command lines with an option that cannot be honoured, and what the complaint names.
const USELESS: [(&[&str], &str); 36] = [
    (&["table", "CN(4,2)", "--max", "3", "--format", "bfile", "--sum", "3"], "--sum"),
    (&["table", "CN(4,2)", "--max", "3", "--format", "bfile", "--zero", "0..."], "--zero"),
    (&["table", "CN(4,2)", "--max", "3", "--format", "bfile", "--limit", "3"], "--limit"),
    (&["table", "CN(4,2)", "--max", "3", "--format", "bfile", "--grundy"], "bfile"),
    (&["table", "CN(4,2)", "--max", "3", "--json", "--format", "csv"], "--format"),
    (&["table", "CN(4,2)", "--max", "3", "--json", "--format", "jsonl"], "--format"),
    (&["table", "CN(4,2)", "--max", "3", "--json", "--format", "bfile"], "--format"),
    (&["table", "CN(4,2)", "--max", "3", "--limit", "3", "--out", "x"], "--limit"),
    (&["table", "CN(4,2)", "--max", "3", "--force"], "--force"),
    (&["table", "CN(4,2)", "--max", "3", "--every", "1s"], "--every"),
    (&["table", "CN(4,2)", "--max", "3", "--every", "1s", "--grundy"], "--every"),
    (&["table", "CN(4,2)", "--max", "3", "--grundy", "--threads", "2"], "--threads"),
    (&["table", "CN(4,2)", "--max", "3", "--remoteness", "--orbits"], "--orbits"),
    (&["table", "Exact(2,2) + Nim(1)", "--max", "3", "--orbits"], "--orbits"),
    (&["discover", "CN(5,3)", "--method", "matryoshka", "--dot", "x.dot"], "--dot"),
    (&["discover", "CN(5,3)", "--method", "matryoshka", "--walnut", "x"], "--walnut"),
    (&["discover", "CN(5,3)", "--force"], "--force"),
    (&["discover", "CN(5,3)", "--library", "somewhere"], "--library"),
    (&["prove", "CN(5,3)", "--force"], "--force"),
    (&["prove", "CN(5,3)", "--library", "somewhere"], "--library"),
    (&["atlas", "--out", "x.json"], "--game"),
    (&["atlas", "4", "--out", "x.json"], "--out"),
    (&["atlas", "--circular", "--out", "x.json"], "--out"),
    (&["atlas", "--markdown", "--game", "CN(5,3)"], "--markdown"),
    (&["atlas", "--markdown", "4"], "--markdown"),
    (&["atlas", "--force"], "--out"),
    (&["grid", "Slow(4,{3})", "--svg", "--json"], "--json"),
    (&["grid", "Slow(4,{3})", "--latex", "--json"], "--json"),
    (&["graph", "Slow(4,{3})", "1,2,5,6", "--svg", "--json"], "--json"),
    (&["graph", "Slow(4,{3})", "1,2,5,6", "--dot", "--json"], "--json"),
    (&["theorems", "CN(5,3)", "--time", "5s"], "--time"),
    (&["theorems", "CN(5,3)", "--latex", "--check"], "--check"),
    (&["cheatsheet", "H", "--memory", "1GB"], "--memory"),
    (&["verify", "x.json", "--memory", "1GB"], "--compare"),
    (&["man", "--json"], "--json"),
    (&["completions", "bash", "--json"], "--json"),
];

#[test]
fn options_that_do_nothing_are_refused() {
    for (args, named) in USELESS {
        let run = nimatron(args);
        assert_eq!(run.status, Some(2), "{args:?}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(named), "{args:?}: {}", run.stderr);
    }
    // Only what was typed is named.
    let run = nimatron(USELESS[0].0);
    assert!(!run.stderr.contains("--zero"), "{}", run.stderr);
}

#[test]
fn an_automaton_is_looked_for_if_it_is_to_be_drawn() {
    let folder = folder("options-dot");
    let [dot, walnut] = ["a.dot", "a.txt"].map(|f| folder.join(f).display().to_string());
    // A game whose proof by matryoshka would come first.
    let args = ["discover", "CN(5,3)", "--dot", &dot, "--walnut", &walnut, "--json"];
    let run = nimatron(&args);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert_eq!(json(&run)["method"], "automaton");
    assert!(std::fs::read_to_string(&dot).unwrap().starts_with("digraph"));
    assert!(!std::fs::read_to_string(&walnut).unwrap().is_empty());
}

#[test]
fn a_limit_is_honoured_in_json() {
    let run = nimatron(&["table", "CN(4,2)", "--max", "3", "--limit", "2", "--json"]);
    let rows = serde_json::json!([{"position": [0, 0, 0, 0]}, {"position": [0, 1, 0, 1]}]);
    assert_eq!(json(&run)["rows"], rows);
    let run = nimatron(&["table", "CN(4,2)", "--max", "3", "--json"]);
    assert!(json(&run).get("rows").is_none());
    let run = nimatron(&["subgames", "CN(6,2)", "--limit", "2", "--json"]);
    let answer = json(&run);
    assert_eq!(answer["subgames"].as_array().unwrap().len(), 2);
    assert_eq!(answer["total"], 8);
}

/// Rows for a program have no room for a remark; it stands on the other stream.
#[test]
fn rows_left_out_are_told() {
    let run = nimatron(&["table", "Nim(3)", "--max", "7", "--format", "csv"]);
    assert_eq!((run.status, run.stdout.lines().count()), (Some(0), 21));
    assert_eq!(run.stderr, "warning: 44 rows not shown (--limit all, --out FILE)\n");
}

#[test]
fn moves_left_out_are_told() {
    let run = nimatron(&["solve", "Nim(3)", "7,7,7", "--all-moves", "--limit", "2"]);
    assert!(run.stdout.contains("\nThe first 2 of 3 winning moves\n"), "{}", run.stdout);
    // A formula is not searched for more moves than are listed: how many there are is not known.
    let tall = [10, 9, 5, 8, 4, 3].map(|h: u64| (h + 1_000_000_000_000).to_string()).join(",");
    let solve = ["solve", "CN(6,3)", &tall, "--all-moves", "--limit", "2"];
    let run = nimatron(&solve);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("\nAt least 2 winning moves\n"), "{}", run.stdout);
    let answer = json(&nimatron(&[&solve[..], &["--json"]].concat()));
    assert_eq!(answer["moves"].as_array().unwrap().len(), 2);
    assert_eq!((&answer["moves_total"], &answer["truncated"]), (&Value::Null, &Value::Bool(true)));
}

#[test]
fn a_large_graph_asks_for_a_limit_and_destinations_are_marked() {
    let run = nimatron(&["graph", "CN(3,2)", "9,9,9"]);
    assert_eq!(run.status, Some(2));
    let told = run.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("--limit N, up to 100000"), "{told}");
    let run = nimatron(&["graph", "CN(3,2)", "9,9,9", "--limit", "5000"]);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let run = nimatron(&["graph", "Slow(4,{3})", "1,2,5,6"]);
    assert!(run.stdout.contains("-b to P (0,2,2,2); -a to N (1,1,2,2)"), "{}", run.stdout);
}

#[test]
fn no_sheet_is_told_in_latex_too() {
    let run = nimatron(&["cheatsheet", "CN(7,4)", "--latex"]);
    assert_eq!((run.status, run.stdout.as_str()), (Some(3), ""));
    assert!(run.stderr.starts_with("error: no invariant vectors of CN(7,4) are known"));
}

#[test]
fn standard_input_is_read_once() {
    let run = common::with_input(&["reduce", "CN(6,3)", "-"], b"0,0,3,1,2,4\n");
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("PN(3,2) at (c,d+e,f) = (3,3,4)"), "{}", run.stdout);
    let run = common::with_input(&["reduce", "H", "-", "--invariance"], b"4,3,9,12,2,8");
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    for args in
        [["solve", "-", "-"].as_slice(), &["check", "-", "-"], &["verify", "-", "--game", "-"]]
    {
        let run = common::with_input(args, b"CN(6,3)\n");
        assert_eq!(run.status, Some(2), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains("only once"), "{args:?}: {}", run.stderr);
    }
}

#[test]
fn a_formula_beyond_smt_is_proved_all_the_same() {
    let folder = folder("options-smt");
    let place = folder.join("smt").display().to_string();
    let run = nimatron(&["prove", "CN(6,4)", "--smt", &place, "--json"]);
    assert_eq!(run.status, Some(0), "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.starts_with("warning: --smt writes no files: "), "{}", run.stderr);
    assert_eq!(json(&run)["proved"], true);
}
