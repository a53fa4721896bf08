//! The shape of the JSON answers.

mod common;

use common::{json, nimatron};
use serde_json::{Value, json};

fn ask(args: &[&str]) -> Value {
    let run = nimatron(&[args, &["--json"]].concat());
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{args:?}");
    json(&run)
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// The keys without those that are there only if there is something to tell.
fn always(value: &Value) -> Vec<&str> {
    let mut keys = keys(value);
    keys.retain(|key| !["tries", "discovery"].contains(key));
    keys
}

const SOLVE: [&str; 11] = [
    "by",
    "explanation",
    "game",
    "grundy",
    "limit",
    "moves",
    "moves_total",
    "open",
    "outcome",
    "position",
    "truncated",
];

#[test]
fn solve_an_n_position() {
    let v = ask(&["solve", "Set(ad,abc,bcd)", "2,3,5,4", "--all-moves"]);
    assert_eq!(always(&v), SOLVE);
    assert_eq!(v["game"], "Set(ad,abc,bcd)");
    assert_eq!(v["position"], json!([2, 3, 5, 4]));
    assert_eq!((&v["outcome"], &v["moves_total"]), (&json!("N"), &json!(3)));
    assert_eq!(
        (&v["truncated"], &v["limit"], &v["grundy"]),
        (&json!(false), &Value::Null, &json!(14))
    );
    assert_eq!(keys(&v["by"]), ["kind", "name", "source"]);
    let moves = v["moves"].as_array().unwrap();
    let mut takes: Vec<&Value> = moves.iter().map(|m| &m["take"]).collect();
    takes.sort_by_key(|t| t.to_string());
    assert_eq!(takes, [&json!([0, 1, 5, 2]), &json!([0, 2, 4, 2]), &json!([0, 3, 3, 2])]);
    for m in moves {
        assert_eq!(keys(m), ["take", "to", "to_outcome", "winning"]);
        assert_eq!((&m["to_outcome"], &m["winning"]), (&json!("P"), &json!(true)));
    }
    let merge = &v["explanation"][0];
    assert_eq!((&merge["step"], &merge["game"]), (&json!("merge"), &json!("CN(3,2)")));
    assert_eq!(merge["position"], json!([2, 8, 4]));
    assert_eq!(merge["members"], json!([[1], [2, 3], [4]]));
    assert!(v["explanation"].as_array().unwrap().iter().all(|e| e["text"].is_string()));
}

#[test]
fn solve_lists_no_more_than_asked() {
    let v = ask(&["solve", "Set(ad,abc,bcd)", "2,3,5,4", "--all-moves", "--limit", "2"]);
    assert_eq!(v["moves"].as_array().unwrap().len(), 2);
    assert_eq!((&v["moves_total"], &v["truncated"]), (&json!(3), &json!(true)));
}

#[test]
fn solve_a_p_position() {
    let v = ask(&["solve", "CN(3,2)", "2,2,2"]);
    assert_eq!(always(&v), SOLVE);
    assert_eq!((&v["outcome"], &v["moves"]), (&json!("P"), &json!([])));
    assert_eq!(
        (&v["moves_total"], &v["truncated"], &v["grundy"]),
        (&json!(0), &json!(false), &json!(0))
    );
    let v = ask(&["solve", "misere Nim(1)", "1"]);
    assert_eq!((&v["game"], &v["outcome"]), (&json!("misere Nim(1)"), &json!("P")));
}

#[test]
fn solve_a_sum() {
    let v = ask(&["solve", "PN(3,2) + Nim(1)", "1,2,1,3"]);
    assert_eq!((&v["outcome"], &v["grundy"]), (&json!("N"), &json!(7)));
}

#[test]
fn solve_without_a_decision() {
    let tall = "900000000,800000000,700000000,600000000,500000000,400000000,300000000,200000000";
    let run = nimatron(&["solve", "CN(8,2)", tall, "--time", "50ms", "--json"]);
    assert_eq!((run.status, run.stderr.as_str()), (Some(3), ""));
    let v = json(&run);
    assert_eq!(always(&v), SOLVE);
    assert_eq!((&v["outcome"], &v["by"]), (&json!("unknown"), &Value::Null));
    assert_eq!((&v["moves"], &v["moves_total"]), (&json!([]), &Value::Null));
    assert_eq!(v["limit"]["kind"], "time");
    assert!(v["limit"]["text"].is_string());
    assert_eq!(v["open"]["game"], "CN(8,2)");
    assert_eq!(v["open"]["obstacles"], json!(["PN(3,2) + Nim(1)"]));
    assert_eq!(v["open"]["said_by"], "DH13 section 6, question 1");
    assert_eq!(v["discovery"]["proved"], json!(false));
    let text = nimatron(&["solve", "CN(8,2)", tall, "--time", "50ms"]);
    assert_eq!((text.status, text.stderr.as_str()), (Some(3), ""));
    assert!(text.stdout.contains("not decided"), "{}", text.stdout);
}

#[test]
fn reduce_a_position_and_a_game() {
    let v = ask(&["reduce", "CN(7,4)", "3,0,0,1,2,2,5"]);
    assert_eq!(keys(&v), ["game", "position", "reduced", "steps"]);
    assert_eq!(v["reduced"]["game"], "CN(3,2)");
    assert_eq!(v["reduced"]["position"], json!([3, 1, 9]));
    assert_eq!(v["reduced"]["members"], json!([[1], [4], [5, 6, 7]]));
    assert_eq!(v["steps"].as_array().unwrap().len(), 2);
    let v = ask(&["reduce", "Set(ad,abc,bcd)"]);
    assert_eq!((&v["position"], &v["reduced"]["game"]), (&Value::Null, &json!("CN(3,2)")));
    assert_eq!(v["reduced"]["position"], Value::Null);
    assert!(v["steps"][0].get("position").is_none());
    let v = ask(&["reduce", "Nim(2)", "0,0"]);
    assert_eq!((&v["reduced"]["game"], &v["reduced"]["position"]), (&Value::Null, &json!([])));
}

#[test]
fn describe_a_game() {
    let v = ask(&["game", "Set(ad,abc,bcd)"]);
    assert_eq!(
        keys(&v),
        ["game", "known", "misere", "open", "open_by", "reduced", "stacks", "summands", "theorems",]
    );
    assert_eq!(
        (&v["stacks"], &v["misere"], &v["reduced"]),
        (&json!(4), &json!(false), &json!("CN(3,2)"))
    );
    let summand = &v["summands"][0];
    assert_eq!(summand["sets"], json!([[1, 2, 3], [1, 4], [2, 3, 4]]));
    assert_eq!(summand["merges"], json!([[2, 3]]));
    // More symmetries and sets than a JSON number or list should hold.
    let v = ask(&["game", "Moore(32,16)"]);
    assert_eq!(v["summands"][0]["sets"], Value::Null);
    assert_eq!(v["summands"][0]["symmetries"], "263130836933693530167218012160000000");
}
