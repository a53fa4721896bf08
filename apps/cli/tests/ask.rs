//! One protocol: `nimatron ask` says what the commands say with `--json`.

mod common;

use common::nimatron as run;

/// Numbers that differ from run to run: times, and the memory of the process.
fn masked(text: &str) -> String {
    let mut value: serde_json::Value = serde_json::from_str(text).unwrap();
    mask(&mut value);
    value.to_string()
}

fn mask(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(fields) => {
            for (name, inner) in fields {
                match name.as_str() {
                    "seconds" | "check_seconds" | "peak_memory" | "threads" => *inner = 0.into(),
                    _ => mask(inner),
                }
            }
        }
        serde_json::Value::Array(list) => list.iter_mut().for_each(mask),
        _ => {}
    }
}

#[test]
fn the_commands_say_the_same() {
    for (question, command) in [
        (
            r#"{"ask":"solve","game":"CN(7,3)","position":[3,5,4,2,1,6,3]}"#,
            &["solve", "CN(7,3)", "3,5,4,2,1,6,3"][..],
        ),
        (
            r#"{"ask":"solve","game":"Nim(3)","position":[3,4,5],"all_moves":true,"limit":2}"#,
            &["solve", "Nim(3)", "3,4,5", "--all-moves", "--limit", "2"],
        ),
        (
            r#"{"ask":"solve","game":"Nim(2)","position":[2,1],"after":[1,0]}"#,
            &["solve", "Nim(2)", "2,1", "--after", "1,0"],
        ),
        (
            r#"{"ask":"moves","game":"Nim(2)","position":[9223372036854775807,1],"limit":3}"#,
            &["moves", "Nim(2)", "9223372036854775807,1", "--limit", "3"],
        ),
        (r#"{"ask":"reduce","game":"PN(5,3)","cone":true}"#, &["reduce", "PN(5,3)", "--cone"]),
        (r#"{"ask":"game","game":"H"}"#, &["game", "H"]),
        (
            r#"{"ask":"table","game":"CN(5,2)","max":5,"orbits":true,"limit":4}"#,
            &["table", "CN(5,2)", "--max", "5", "--orbits", "--limit", "4"],
        ),
        (
            r#"{"ask":"check","game":"CN(4,2)","formula":"a = c","max":4}"#,
            &["check", "CN(4,2)", "a = c", "--max", "4"],
        ),
        (
            r#"{"ask":"prove","game":"CN(4,2)","formula":"a = c, b = d"}"#,
            &["prove", "CN(4,2)", "a = c, b = d"],
        ),
        (r#"{"ask":"discover","game":"CN(4,2)"}"#, &["discover", "CN(4,2)"]),
        (r#"{"ask":"atlas","circular":true}"#, &["atlas", "--circular"]),
        (r#"{"ask":"theorems","game":"CN(6,4)"}"#, &["theorems", "CN(6,4)"]),
        (
            r#"{"ask":"invariants","game":"CN(5,3)","max":4}"#,
            &["invariants", "CN(5,3)", "--max", "4"],
        ),
        (r#"{"ask":"cheatsheet","game":"H"}"#, &["cheatsheet", "H"]),
        (r#"{"ask":"subgames","game":"CN(6,2)"}"#, &["subgames", "CN(6,2)"]),
        (r#"{"ask":"circuits","game":"H"}"#, &["circuits", "H"]),
        (
            r#"{"ask":"compare","games":["CN(4,2)","Nim(4)"],"max":3}"#,
            &["compare", "CN(4,2)", "Nim(4)", "--max", "3"],
        ),
        (r#"{"ask":"grid","game":"Slow(4,{3})"}"#, &["grid", "Slow(4,{3})"]),
        (
            r#"{"ask":"graph","game":"Slow(4,{3})","position":[1,2,5,6]}"#,
            &["graph", "Slow(4,{3})", "1,2,5,6"],
        ),
        (r#"{"ask":"puzzle","seed":5}"#, &["puzzle", "--seed", "5"]),
        (r#"{"ask":"lessons"}"#, &["learn"]),
        (r#"{"ask":"game","game":"CN(3,7)"}"#, &["game", "CN(3,7)"]),
        (r#"{"ask":"solve","game":"Nim(2)","position":[1]}"#, &["solve", "Nim(2)", "1"]),
    ] {
        let asked = run(&["ask", question]);
        let typed = run(&[command, &["--json"]].concat());
        assert_eq!(asked.status, typed.status, "{question}");
        assert_eq!(masked(&asked.stdout), masked(&typed.stdout), "{question}");
    }
}
