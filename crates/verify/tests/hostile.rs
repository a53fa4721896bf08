//! Certificates that are made to keep the checker busy, or to bring it down, are rejected, and soon.

use nimatron_verify::{Certificate, verify};
use serde_json::{Value, json};

fn obligation(game: &str, proof: Value) -> &'static str {
    let text = json!({
        "format": "nimatron-certificate", "version": 3, "game": game, "proof": proof,
    });
    let certificate = Certificate::read(text.to_string().as_bytes()).unwrap();
    verify(&certificate).unwrap_err().obligation()
}

/// What is wrong with a proof by regions; its formula is read first.
fn regions(game: &str, changes: Value) -> &'static str {
    let mut proof = json!({
        "formula": "false", "branches": [], "expansion": [{"cases": 0}], "symmetries": [],
        "separation": [], "rules": [], "domain": {}, "coverage": [],
    });
    for (name, value) in changes.as_object().unwrap() {
        proof[name] = value.clone();
    }
    obligation(game, json!({ "regions": proof }))
}

#[test]
fn formulas_that_mean_very_much() {
    let doubled = |first: &str, double: &dyn Fn(&str) -> String| {
        let lets = (1..=50).map(|i| format!("let k{i} = {}, ", double(&format!("k{}", i - 1))));
        format!("let k0 = {first}, {}k50 >= 0", lets.collect::<String>())
    };
    for formula in [
        doubled("min(a,1)", &|k| format!("{k}+{k}")),
        doubled("min(a)", &|k| format!("{k}+{k}")),
        doubled("a", &|k| format!("max({k},{k})")),
        doubled("min(a,1)", &|k| format!("{k} mod 2+{k} mod 3+{k} mod 5+{k} mod 7+{k} mod 11")),
        format!("{} >= 0", vec!["min(a)"; 9_000].join("+")),
        format!("{}+{} >= 0", vec!["min(a)"; 400].join("+"), vec!["max(a,b)"; 30].join("+")),
        "sym(sym(sym(sym(true))))".to_string(),
        "sym(sym(sym(not sym(false))))".to_string(),
    ] {
        let start = &formula[..40.min(formula.len())];
        let found = regions("Nim(6)", json!({ "formula": formula }));
        assert!(["formula", "limit"].contains(&found), "{start}: {found}");
    }
}

#[test]
fn trees_that_grow_and_grow() {
    let nodes = |node: Value, times: usize| json!({"coverage": vec![node; times]});
    assert_eq!(regions("Nim(2)", nodes(json!({"residue": [[0, []], 4096]}), 2_000)), "limit");
    // Children are made one by one: what is missing is missing, and took nothing.
    assert_eq!(regions("Nim(2)", nodes(json!({"residue": [[0, []], i64::MAX]}), 2)), "coverage");
    for modulus in [0, -1, i64::MIN] {
        let node = json!({"residue": [[0, []], modulus]});
        assert_eq!(regions("Nim(2)", nodes(node, 1)), "coverage", "{modulus}");
    }
    assert_eq!(regions("Nim(2)", nodes(json!({"split": [0, [[1, 1]]]}), 20_000)), "limit");
    assert_eq!(regions("Nim(2)", nodes(json!({"cases": usize::MAX}), 2)), "coverage");
}

#[test]
fn numbers_out_of_range() {
    let far = json!({"extras": usize::MAX, "constraints": []});
    assert_eq!(
        regions(
            "Nim(2)",
            json!({"rules": [
                {"region": far, "play": null, "heights": [], "proofs": [], "target": null},
            ]})
        ),
        "coverage"
    );
    // Many long constraints.
    let wide =
        json!({"extras": 1_000, "constraints": vec![json!({"form": [0, [[1_001, 1]]]}); 40_000]});
    assert_eq!(
        regions(
            "Nim(2)",
            json!({"rules": [
                {"region": wide, "play": null, "heights": [], "proofs": [], "target": null},
            ]})
        ),
        "coverage"
    );
    assert_eq!(regions("Nim(2)", json!({"domain": {"least": usize::MAX}})), "domain");
    assert_eq!(regions("Nim(2)", json!({"domain": {"exchange": [usize::MAX, 0, 0]}})), "domain");
    assert_eq!(
        regions("Nim(2)", json!({"separation": [[usize::MAX, {"trees": []}]]})),
        "separation"
    );
}

/// What is wrong with a proof by games within games.
fn matryoshka(game: &str, parts: Value, weights: Value) -> &'static str {
    let proof = json!({"parts": parts, "symmetries": [], "weights": weights});
    obligation(game, json!({ "matryoshka": proof }))
}

/// Cells on ten stacks, very many of them for nothing.
#[test]
fn cells_that_nobody_needs() {
    let cells: Vec<Value> = (0..10_000u32).map(|i| json!([1 + i % 500, 501 + i / 500])).collect();
    let all: Vec<u32> = (0..10).map(|s| 1 << s).collect();
    let part = |tree: Value| json!([{"stacks": 10, "facets": all, "cells": cells, "tree": tree}]);
    assert_eq!(matryoshka("Nim(10)", part(json!([{"none": []}])), json!([])), "none");
    // Each is named, by a case of its own, and there are many weights.
    let splits: Vec<Value> = (0..9_999)
        .flat_map(|cell| {
            let times: Vec<Value> = Vec::new();
            let leaf = json!({"move": {"facet": 0, "cell": cell, "times": times}});
            [json!({"split": vec![0; 10]}), leaf]
        })
        .collect();
    assert_eq!(matryoshka("Nim(10)", part(json!(splits)), json!([])), "move");
}

/// A hundred games without moves.
#[test]
fn games_without_moves() {
    let cells = [(0..32).map(|s| 1u32 << s).collect::<Vec<_>>()];
    let game = json!({"stacks": 32, "facets": [], "cells": cells, "tree": []});
    assert_eq!(matryoshka("Nim(32)", json!(vec![game; 100]), json!([])), "well-formed");
}

/// All pairs of 31 stacks: in very many ways they do not add up to all of the stacks.
#[test]
fn sums_that_are_looked_for() {
    let pairs = (0..31).flat_map(|i| (0..i).map(move |j| 1u32 << i | 1 << j));
    let mut pairs: Vec<u32> = pairs.collect();
    pairs.sort_unstable();
    let all = (1u32 << 31) - 1;
    let tree = json!([{"move": {"facet": all, "cell": 0, "times": [[all, vec![0; 31]]]}}]);
    let part = json!([{"stacks": 31, "facets": [all], "cells": [pairs], "tree": tree}]);
    assert_eq!(matryoshka("CN(31,31)", part, json!([])), "limit");
}

/// Trees that go deep, and have many children that are never looked at.
#[test]
fn trees_without_an_end() {
    for node in [json!({"least": u32::MAX}), json!({"split": vec![1; 32]}), json!({"zero": 0})] {
        let all: Vec<u32> = (0..32).map(|s| 1 << s).collect();
        let tree = vec![node.clone(); 20_000];
        let part = json!([{"stacks": 32, "facets": all, "cells": [[]], "tree": tree}]);
        let found = matryoshka("Nim(32)", part, json!([]));
        assert!(["limit", "tree", "zero"].contains(&found), "{node}: {found}");
    }
}

/// The time and the bytes that a small file may take, with the loss of a build that is not optimised.
#[allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "a test has a clock")]
fn soon(check: impl FnOnce() -> &'static str) -> &'static str {
    let clock = std::time::Instant::now();
    let found = check();
    assert!(clock.elapsed().as_secs() < 10, "{:?}", clock.elapsed());
    found
}

/// Branches that are wide but short to write, and many trees about moves between them.
#[test]
fn wide_branches_and_many_trees() {
    let rows = vec![json!({"form": [0, [[999, 1]]]}); 1_500];
    let mut branches = vec![json!({"extras": 998, "constraints": rows})];
    branches.extend(vec![json!({"extras": 0, "constraints": []}); 700]);
    let trees: Vec<Value> = (0..2 * 701).map(|_| json!([{"empty": [[0, 1]]}])).collect();
    let found = soon(|| {
        let changes = json!({
            "formula": "false", "expansion": [{"cases": 0}],
            "branches": branches, "separation": [[0, {"trees": trees}]],
        });
        regions("Nim(2)", changes)
    });
    assert_eq!(found, "separation");
}

/// Remainders of remainders of remainders.
#[test]
fn nested_remainders() {
    let nested = |first: &str| {
        (0..40).fold(first.to_string(), |term, i| format!("({term}) mod {}", 1_000_003 - 2 * i))
    };
    let formula = format!("{} = {}", nested("a"), nested("b"));
    let automaton = |formula: &str| {
        let proof = json!({
            "formula": formula,
            "dfa": {"initial": 0, "accepting": [true, false], "next": [[0, 1, 1, 0], [1, 1, 1, 1]]},
            "symmetries": [{"stacks": [0, 1], "states": [0, 1]}],
            "macrostates": [
                {"moves": [[0, 0]], "next": [[0, 0], [1, 0], [2, 0], [0, 0]]},
                {"moves": [[0, 1]], "next": [[1, 0], [1, 0], [1, 0], [1, 0]]},
                {"moves": [[0, 2]], "next": [[2, 0], [2, 0], [2, 0], [2, 0]]},
            ],
        });
        obligation("Nim(2)", json!({ "automaton": proof }))
    };
    assert_eq!(soon(|| automaton(&formula)), "limit");
    assert_eq!(soon(|| regions("Nim(2)", json!({ "formula": formula }))), "branches");
}

/// Very many kinds of moves in few words.
#[test]
fn variants_with_many_moves() {
    for game in ["Moore(32,16) any=2", "CN(32,16) any=2", "Moore(16,16) any<=3", "CN(32,31) any>=2"]
    {
        let found = soon(|| regions(game, json!({"expansion": [{"cases": 0}]})));
        assert_eq!(found, "limit", "{game}");
    }
}

/// A macrostate that lists the same thousands of times, and the same macrostate twice.
#[test]
fn macrostates_with_repetitions() {
    let letters = 1 << 12;
    let all = |times: usize| vec![json!([0, 0]); times];
    let next = vec![json!([0, 0]); letters];
    let proof = |macrostates: Value| {
        json!({"automaton": {
            "dfa": {"initial": 0, "accepting": [true], "next": [vec![0; letters]]},
            "symmetries": [{"stacks": (0..12).collect::<Vec<u32>>(), "states": [0]}],
            "macrostates": macrostates,
        }})
    };
    let repeated = json!([{"moves": all(6_000), "next": next}]);
    assert_eq!(soon(|| obligation("Nim(12)", proof(repeated))), "well-formed");
    let one = json!({"moves": all(1), "next": next});
    assert_eq!(soon(|| obligation("Nim(12)", proof(json!([one, one])))), "well-formed");
}
