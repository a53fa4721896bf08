//! The commands about theorems: statuses, JSON and sizes.

mod common;

use common::{answer, json, nimatron};
use serde_json::{Value, json};

fn ask(args: &[&str]) -> Value {
    let run = nimatron(&[args, &["--json"]].concat());
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{args:?}");
    json(&run)
}

#[test]
fn cheat_sheets() {
    let v = ask(&["cheatsheet", "H"]);
    let cases = v["sheets"][0]["cases"].as_array().unwrap();
    let games: Vec<&str> = cases.iter().map(|c| c["game"].as_str().unwrap()).collect();
    assert_eq!(games, ["PN(5,3)", "PN(3,2)", "PN(4,2)", "CN(4,2)"]);
    assert_eq!(cases[1]["members"], json!([[1], [6], [4, 5]]));
    assert_eq!((&cases[1]["zeros"], &cases[1]["alike"]), (&json!([2, 3]), &json!([[4, 5]])));
    let none = nimatron(&["cheatsheet", "CN(5,3)", "--json"]);
    assert_eq!(none.status, Some(3));
    assert_eq!(json(&none)["sheets"], json!([]));
    assert_eq!(nimatron(&["cheatsheet", "CN(5,3)", "--detect"]).status, Some(3));
    let by = json!({"name": "peeling", "source": "peeling, proved here"});
    let rule = ask(&["cheatsheet", "CN(9,4)"]);
    assert_eq!((&rule["peeling"]["theorem"], &rule["sheets"]), (&by, &json!([])));
    assert_eq!(rule["peeling"]["peels"], json!([[1, 4, 7], [2, 5, 8], [3, 6, 9]]));
    assert_eq!(rule["peeling"]["places"][8], json!([9]));
    let cases = ask(&["cheatsheet", "CN(9,4)", "--cases"]);
    assert_eq!(cases["sheets"][0]["theorem"], by);
    assert_eq!(cases["sheets"][0]["cases"].as_array().unwrap().len(), 3);
    assert_eq!(nimatron(&["cheatsheet", "H", "--cases"]).status, Some(2));
    // Vectors that no box with two tokens on a stack refutes, and one with three does.
    assert_eq!(nimatron(&["cheatsheet", "NN(10,4)", "--detect"]).status, Some(3));
    let detected = ask(&["cheatsheet", "NN(13,6)", "--detect"]);
    assert_eq!(detected["sheets"][0]["theorem"], Value::Null);
    assert!(detected["sheets"][0]["evidence_up_to"].as_u64() > Some(1));
}

#[test]
fn invariant_vectors() {
    let v = ask(&["invariants", "CN(5,3)"]);
    assert_eq!((&v["known"], &v["tested"]["basis"]), (&json!([]), &json!([])));
    let refuted = v["tested"]["refuted"].as_array().unwrap();
    let ones = refuted.iter().find(|r| r["vector"] == json!([1, 2, 3, 4, 5])).unwrap();
    assert_eq!((&ones["p"], &ones["n"]), (&json!([0, 0, 0, 0, 0]), &json!([1, 1, 1, 1, 1])));
    let v = ask(&["invariants", "CN(7,3)", "--max", "2"]);
    assert_eq!(v["known"], json!([[1, 2, 3, 4, 5, 6, 7]]));
    assert_eq!(v["known"], v["tested"]["basis"]);
    assert_eq!(nimatron(&["invariants", "CN(5,3)", "--max", "0"]).status, Some(2));
    let large = nimatron(&["invariants", "CN(20,3)", "--max", "1000000"]);
    assert_eq!(large.status, Some(3), "{}", large.stdout);
    let large = nimatron(&["invariants", "CN(7,4)", "--max", "90", "--json"]);
    assert_eq!((large.status, &json(&large)["error"]["kind"]), (Some(3), &json!("limit")));
}

#[test]
fn circuit_sizes() {
    assert_eq!(ask(&["circuits", "CN(31,27)"])["sizes"], json!([8, 9, 10, 11, 12]));
    assert_eq!(ask(&["circuits", "CN(31,26)"])["sizes"], json!([7, 8, 9, 10]));
    let h = ask(&["circuits", "H"]);
    assert_eq!((&h["circuits"], &h["faces"]), (&json!(5), &json!(21)));
    assert_eq!(h["listed"], json!([[1, 4], [1, 5], [2, 5], [2, 6], [3, 6]]));
    assert_eq!(h["pointed"], json!([[1, 4], [3, 6]]));
    // Too many circuits for a moment.
    let run = nimatron(&["circuits", "Matrix(4,8)", "--time", "1ms", "--json"]);
    assert_eq!((run.status, &json(&run)["circuits"]), (Some(3), &Value::Null));
    assert_eq!(json(&run)["listed"].as_array().map(Vec::len), Some(20));
}

#[test]
fn games_inside_games() {
    let v = ask(&["subgames", "CN(6,2)"]);
    assert_eq!(v["obstacles"], json!(["PN(3,2) + Nim(1)"]));
    let v = ask(&["subgames", "CN(9,3)"]);
    assert_eq!(v["obstacles"], json!(["PN(3,2) + Nim(1)"]));
    let games = v["subgames"].as_array().unwrap();
    assert!(games.iter().any(|g| g["game"] == "CN(6,2)" && g["open"] == true));
    assert!(games.iter().any(|g| g["game"] == "Nim(3)" && g["open"] == false));
    assert_eq!(ask(&["subgames", "H"])["open"], json!(0));
    // All of it would take long: what was found is told.
    let run = nimatron(&["subgames", "CN(32,13)", "--time", "100ms", "--json"]);
    assert_eq!(run.status, Some(3));
    assert!(json(&run)["limit"].is_object());
}

#[test]
fn the_library() {
    let v = ask(&["theorems"]);
    let theorems = v["theorems"].as_array().unwrap();
    assert!(theorems.len() >= 20, "{}", theorems.len());
    for t in theorems {
        for key in ["id", "games", "source", "publication", "text", "latex"] {
            assert!(t[key].as_str().is_some_and(|s| !s.is_empty()), "{key} of {t}");
        }
    }
    let v = ask(&["theorems", "Set(ac,ce,be,bd,ad)", "--check", "--max", "3"]);
    assert_eq!(v["theorems"][0]["id"], "cn-5-2");
    let check = &v["theorems"][0]["checks"][0];
    assert_eq!(
        (&check["max"], &check["positions"], &check["agrees"]),
        (&json!(3), &json!(1024), &json!(true))
    );
    let open = nimatron(&["theorems", "CN(6,2)", "--json"]);
    assert_eq!((open.status, &json(&open)["theorems"]), (Some(3), &json!([])));
    assert_eq!(nimatron(&["theorems", "--show", "nonsense"]).status, Some(2));
}

#[test]
fn every_theorem_is_compared() {
    let v = ask(&["theorems", "--check", "--max", "2"]);
    for t in v["theorems"].as_array().unwrap() {
        let checks = t["checks"].as_array().unwrap();
        assert!(!checks.is_empty(), "{}", t["id"]);
        assert!(checks.iter().all(|c| c["agrees"] == true), "{t}");
    }
}

#[test]
fn vectors_in_either_order() {
    let left = |vectors: &str| {
        let v = ask(&["reduce", "H", "4,3,9,12,2,8", "--vectors", vectors]);
        v["steps"][0]["position"].clone()
    };
    assert_eq!(left("110101,101011"), json!([0, 0, 8, 9, 1, 4]));
    assert_eq!(left("acef, abdf"), json!([0, 1, 7, 10, 0, 4]));
    assert!(answer(&["reduce", "H", "2,6,11,8,3,12", "--invariance"]).contains("PN(5,3)"));
    for bad in ["abc", "", "111111", "xyz", "10101"] {
        let run = nimatron(&["reduce", "H", "1,1,1,1,1,1", "--vectors", bad]);
        assert_eq!(run.status, Some(2), "{bad:?}");
    }
}

#[test]
fn lines_fit_the_terminal() {
    let commands: &[&[&str]] = &[
        &["cheatsheet", "NN(16,8)"],
        &["cheatsheet", "PN(32,16)"],
        &["invariants", "CN(12,4)", "--max", "1"],
        &["circuits", "CN(31,27)"],
        &["subgames", "CN(12,5)"],
        &["theorems"],
        &["theorems", "--show", "cn-7-4"],
        &["theorems", "NN(20,10)"],
    ];
    for args in commands {
        let text = answer(args);
        assert!(text.lines().all(|l| l.chars().count() <= 80), "{args:?}: {text}");
    }
}

#[test]
fn two_games_compared() {
    let v = ask(&["compare", "PN(3,2)", "Set(ac,ab)"]);
    assert_eq!((&v["relation"], &v["proved"]), (&json!("equal"), &json!(true)));
    assert_eq!(v["renamed"], json!(["b", "a", "c"]));
    // The same set, for all heights, though the games differ.
    let v = ask(&["compare", "Slow(3,{1})", "Slow(3,{1,3})", "--max", "5"]);
    assert_eq!((&v["proved"], &v["formula"]), (&json!(true), &json!("even(total)")));
    // Agreement on a low box proves nothing: these differ from height 2 on.
    let low = ask(&["compare", "Nim(3)", "Slow(3,{1})", "--max", "1"]);
    assert_eq!((&low["relation"], &low["proved"]), (&json!("equal"), &json!(false)));
    let higher = nimatron(&["compare", "Nim(3)", "Slow(3,{1})", "--max", "2", "--json"]);
    let v = json(&higher);
    assert_eq!((higher.status, &v["only_second"]), (Some(1), &json!([0, 0, 2])));
    let v = json(&nimatron(&["compare", "CN(5,3)", "CN(5,2)", "--max", "3", "--json"]));
    assert_eq!((&v["relation"], &v["only_second"]), (&json!("different"), &json!([0, 0, 1, 0, 1])));
    assert_eq!(nimatron(&["compare", "Nim(2)", "Nim(3)"]).status, Some(2));
    let stopped = nimatron(&["compare", "CN(7,3)", "CN(7,4)", "--max", "40", "--time", "1ms"]);
    assert_eq!(stopped.status, Some(3));
}

#[test]
fn all_moves_with_outcomes() {
    let v = ask(&["moves", "CN(5,2)", "1,2,0,2,1", "--limit", "3"]);
    assert_eq!((&v["total"], &v["truncated"]), (&json!(11), &json!(true)));
    let first = &v["moves"][0];
    assert_eq!((&first["to"], &first["to_outcome"]), (&json!([0, 2, 0, 2, 0]), &json!("P")));
    assert_eq!((&first["winning"], &first["remoteness"]), (&json!(true), &json!(4)));
    let rest = ask(&["moves", "CN(5,2)", "1,2,0,2,1", "--skip", "3"]);
    assert_eq!(rest["moves"].as_array().unwrap().len(), 8);
    assert_eq!(nimatron(&["moves", "CN(5,2)", "1,2"]).status, Some(2));
}
