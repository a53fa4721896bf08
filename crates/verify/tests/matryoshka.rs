//! Certificates by games within games, written by hand: what is accepted, and what is not.

use nimatron_verify::{Certificate, verify};
use serde_json::{Value, json};

/// `accepted`, or the obligation that fails.
fn result(game: &str, proof: &Value) -> String {
    let text = json!({
        "format": "nimatron-certificate", "version": 3, "game": game, "proof": {"matryoshka": proof},
    });
    let Ok(certificate) = Certificate::read(text.to_string().as_bytes()) else {
        return "unreadable".into();
    };
    verify(&certificate).map_or_else(|why| why.obligation().into(), |_| "accepted".into())
}

/// Two single stacks: subtract ab, then one of them is empty, and the other is emptied.
fn nim() -> Value {
    json!({
        "parts": [{
            "stacks": 2, "facets": [1, 2], "cells": [[3]],
            "tree": [
                {"subtract": 3}, {"move": {"facet": 2, "cell": 0}}, {"move": {"facet": 1, "cell": 0}},
            ],
        }],
        "symmetries": [[1, 0]],
        "weights": [{"facet": 1, "weight": [1, -1]}],
    })
}

/// The same by cases instead of vectors: a stack is empty or not, the least one is found, and a part
/// that knows which one it is says what is taken.
fn by_cases() -> Value {
    let ones = json!([[[1, 0], -1], [[0, 1], -1]]);
    json!({
        "parts": [
            {
                // p_0 >= 1, p_1 >= 1, p_1 >= p_0: play stack 1 to p_0.
                "stacks": 2, "facets": [1, 2], "cells": [[3]],
                "rows": [ones[0], ones[1], [[-1, 1], 0]],
                "tree": [
                    {"split": [1, -1]},
                    {"move": {"facet": 2, "cell": 0, "times": [[3, [1, 0]]]}},
                    {"split": [-1, 1]},
                    {"move": {"facet": 2, "cell": 0, "times": [[3, [1, 0]]]}},
                    // p_0 >= p_1 + 1 and p_1 >= p_0 + 1.
                    {"none": [[4, 1], [6, 1]]},
                ],
            },
            {
                "stacks": 2, "facets": [1, 2], "cells": [[3]],
                "tree": [
                    {"zero": 0}, {"move": {"facet": 2, "cell": 0}},
                    {"zero": 1}, {"move": {"facet": 1, "cell": 0}},
                    {"least": 3},
                    {"part": {"part": 0, "names": [0, 1], "cells": [0]}},
                    {"part": {"part": 0, "names": [1, 0], "cells": [0]}},
                ],
            },
        ],
        "symmetries": [[1, 0]],
        "weights": [{"facet": 1, "weight": [1, -1]}],
    })
}

#[test]
fn two_proofs_of_the_same() {
    assert_eq!(result("Nim(2)", &nim()), "accepted");
    assert_eq!(result("Nim(2)", &by_cases()), "accepted");
    for (game, obligation) in [
        ("misere Nim(2)", "rule"),
        ("Nim(1) + Nim(1)", "rule"),
        ("Nim(2) any=1", "rule"),
        ("Nim(3)", "game"),
        ("CN(2,2)", "game"),
    ] {
        assert_eq!(result(game, &nim()), obligation, "{game}");
        assert_eq!(result(game, &by_cases()), obligation, "{game}");
    }
}

/// What becomes of a proof when a value in it, found by a path, is replaced; or taken away, if it is
/// replaced by the word "nothing".
fn changed(mut proof: Value, path: &str, value: Value) -> String {
    let (parent, key) = path.rsplit_once('/').unwrap();
    let parent = proof.pointer_mut(parent).unwrap_or_else(|| panic!("{path}"));
    match (parent, value == "nothing") {
        (Value::Array(items), true) => drop(items.remove(key.parse().unwrap())),
        (Value::Array(items), false) if key == "-" => items.push(value),
        (Value::Array(items), false) => items[key.parse::<usize>().unwrap()] = value,
        (Value::Object(fields), true) => drop(fields.remove(key).unwrap()),
        (Value::Object(fields), false) => drop(fields.insert(key.into(), value)),
        other => panic!("{other:?}"),
    }
    result("Nim(2)", &proof)
}

#[test]
fn every_step_counts() {
    for (path, value, obligation) in [
        ("/parts/0/stacks", json!(33), "well-formed"),
        ("/parts/0/stacks", json!(3), "well-formed"),
        ("/parts/0/facets/-", json!(1), "well-formed"),
        ("/parts/0/facets", json!([]), "well-formed"),
        ("/parts/0/facets/0", json!(0), "well-formed"),
        ("/parts/0/facets/0", json!(3), "game"),
        ("/parts/0/cells/-", json!([3]), "well-formed"),
        ("/parts/0/cells/0", json!([3, 3]), "well-formed"),
        ("/parts/0/cells/0", json!([4]), "well-formed"),
        ("/parts/0/cells/-", json!([1]), "cells"),
        ("/parts/0/cells/0", json!([]), "cells"),
        ("/parts/0/cells/0", json!([1, 2]), "stability"),
        ("/parts/0/rows", json!([[[1, 0], 0]]), "game"),
        ("/parts/0/rows", json!([[[1], 0]]), "well-formed"),
        ("/parts/0/tree", json!([]), "tree"),
        ("/parts/0/tree/2", json!("nothing"), "tree"),
        ("/parts/0/tree/-", json!({"none": []}), "tree"),
        ("/parts/0/tree/0", json!({"subtract": 0}), "vector"),
        ("/parts/0/tree/0", json!({"subtract": 7}), "vector"),
        ("/parts/0/tree/0", json!({"least": 0}), "least"),
        ("/parts/0/tree/0", json!({"least": 4}), "least"),
        ("/parts/0/tree/0", json!({"zero": 2}), "zero"),
        ("/parts/0/tree/0", json!({"zero": 99}), "zero"),
        ("/parts/0/tree/0", json!({"empty": 0}), "empty"),
        ("/parts/0/tree/0", json!({"empty": 40}), "empty"),
        ("/parts/0/tree/0", json!({"split": [1]}), "split"),
        ("/parts/0/tree/0", json!({"split": [1, 0]}), "move"),
        ("/parts/0/tree/1", json!({"move": {"facet": 3, "cell": 0}}), "move"),
        ("/parts/0/tree/1", json!({"move": {"facet": 1, "cell": 0}}), "move"),
        ("/parts/0/tree/1", json!({"move": {"facet": 0, "cell": 0}}), "move"),
        ("/parts/0/tree/1", json!({"move": {"facet": 4, "cell": 0}}), "move"),
        ("/parts/0/tree/1", json!({"move": {"facet": 2, "cell": 1}}), "cells"),
        (
            "/parts/0/tree/1",
            json!({"move": {"facet": 2, "cell": 0, "times": [[3, [0, 1]]]}}),
            "move",
        ),
        (
            "/parts/0/tree/1",
            json!({"move": {"facet": 2, "cell": 0, "times": [[2, [0, 1]]]}}),
            "cells",
        ),
        (
            "/parts/0/tree/1",
            json!({"move": {"facet": 2, "cell": 0, "times": [[3, [1, 0]]]}}),
            "move",
        ),
        ("/parts/0/tree/1", json!({"none": [[0, 1]]}), "none"),
        ("/parts/0/tree/1", json!({"none": [[2, 1]]}), "none"),
        ("/parts/0/tree/1", json!({"none": [[usize::MAX, 1]]}), "none"),
        ("/parts/0/tree/1", json!({"part": {"part": 0, "names": [0, 1], "cells": [0]}}), "part"),
        ("/symmetries/0", json!([0, 0]), "symmetry"),
        ("/symmetries/0", json!([0, 2]), "symmetry"),
        ("/symmetries/0", json!([0]), "symmetry"),
        ("/symmetries", json!([]), "stability"),
        ("/weights", json!([]), "stability"),
        ("/weights/0/facet", json!(3), "weight"),
        ("/weights/0/facet", json!(1u64 << 31), "weight"),
        ("/weights/0/weight", json!([1]), "weight"),
        ("/weights/0/weight", json!([0, -1]), "weight"),
        ("/weights/0/weight", json!([1, -2]), "stability"),
        ("/weights/0/weight", json!([i64::MAX, i64::MIN]), "stability"),
        ("/further", json!(1), "unreadable"),
    ] {
        assert_eq!(changed(nim(), path, value.clone()), obligation, "{path} {value}");
    }
}

#[test]
fn every_case_counts() {
    let part = |part: u32, names: Value, cells: Value| json!({"part": {"part": part, "names": names, "cells": cells}});
    for (path, value, obligation) in [
        // What is assumed must be known where the part is used.
        ("/parts/1/tree/6", part(0, json!([0, 1]), json!([0])), "part"),
        ("/parts/0/rows/2", json!([[-1, 1], -1]), "part"),
        ("/parts/0/rows/2", json!([[-1, 2], 0]), "move"),
        ("/parts/1/tree/5", part(0, json!([0, 0]), json!([0])), "part"),
        ("/parts/1/tree/5", part(0, json!([0]), json!([0])), "part"),
        ("/parts/1/tree/5", part(0, json!([0, 2]), json!([0])), "part"),
        ("/parts/1/tree/5", part(0, json!([0, 1]), json!([])), "part"),
        ("/parts/1/tree/5", part(0, json!([0, 1]), json!([1])), "cells"),
        ("/parts/1/tree/5", part(1, json!([0, 1]), json!([0])), "part"),
        ("/parts/1/tree/5", part(9, json!([0, 1]), json!([0])), "part"),
        // A row that does not hold any more, or one of another case.
        ("/parts/0/tree/4", json!({"none": [[4, 1], [5, 1]]}), "none"),
        ("/parts/0/tree/4", json!({"none": [[4, 1], [6, -1]]}), "none"),
        ("/parts/0/tree/4", json!({"none": [[4, 1], [7, 1]]}), "none"),
        (
            "/parts/0/tree/1",
            json!({"move": {"facet": 1, "cell": 0, "times": [[3, [1, 0]]]}}),
            "move",
        ),
        (
            "/parts/0/tree/1",
            json!({"move": {"facet": 2, "cell": 0, "times": [[3, [2, 0]]]}}),
            "move",
        ),
        ("/parts/0/facets", json!([3]), "part"),
        ("/parts/-", nim()["parts"][0].clone(), "part"),
    ] {
        assert_eq!(changed(by_cases(), path, value.clone()), obligation, "{path} {value}");
    }
    // Rows are forgotten when the position changes: p_0 >= 1 does not outlive a subtraction.
    let forgotten = json!({
        "parts": [{
            "stacks": 2, "facets": [1, 2], "cells": [[3]],
            "tree": [
                {"zero": 0}, {"move": {"facet": 2, "cell": 0}},
                {"subtract": 3}, {"none": [[2, 1]]}, {"move": {"facet": 1, "cell": 0}},
            ],
        }],
        "symmetries": [[1, 0]], "weights": [{"facet": 1, "weight": [1, -1]}],
    });
    assert_eq!(result("Nim(2)", &forgotten), "none");
}

/// A moveless game, whose every position would be a P-position, in place of what is left.
#[test]
fn a_game_without_moves_is_no_part() {
    let mut proof = nim();
    let moveless = json!({
        "stacks": 2, "facets": [], "cells": [[1, 2]],
        "tree": [
            {"subtract": 1}, {"subtract": 2}, {"move": {"facet": 0, "cell": 0}},
        ],
    });
    let parts = proof["parts"].as_array_mut().unwrap();
    parts.insert(0, moveless);
    parts[1]["tree"] = json!([{"part": {"part": 0, "names": [0, 1], "cells": [0]}}]);
    assert_eq!(result("Nim(2)", &proof), "well-formed");
    // With facets it leads to cells that are not those of the game.
    proof["parts"][0]["facets"] = json!([1, 2]);
    assert_eq!(result("Nim(2)", &proof), "cells");
    proof["parts"][1]["cells"] = json!([[1, 2]]);
    assert_eq!(result("Nim(2)", &proof), "stability");
}

#[test]
fn versions_are_told_apart() {
    let text = |version: u32| {
        json!({
            "format": "nimatron-certificate", "version": version, "game": "Nim(2)",
            "proof": {"matryoshka": nim()},
        })
    };
    for (version, expected) in
        [(3, None), (1, Some("version")), (2, Some("version")), (4, Some("version"))]
    {
        let certificate = Certificate::read(text(version).to_string().as_bytes()).unwrap();
        let why = verify(&certificate).err().map(|why| why.obligation());
        assert_eq!(why, expected, "{version}");
    }
}
