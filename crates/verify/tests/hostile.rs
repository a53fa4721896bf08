//! Certificates that are made to keep the checker busy, or to bring it down, are rejected, and soon.

use nimatron_verify::{Certificate, verify};
use serde_json::{Value, json};

fn obligation(game: &str, proof: Value) -> &'static str {
    let text = json!({
        "format": "nimatron-certificate", "version": 1, "game": game, "proof": proof,
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
        assert_eq!(regions("Nim(6)", json!({ "formula": formula })), "formula", "{start}");
    }
}

#[test]
fn trees_that_grow_and_grow() {
    let nodes = |node: Value, times: usize| json!({"coverage": vec![node; times]});
    assert_eq!(regions("Nim(2)", nodes(json!({"residue": [[0, []], 4096]}), 2_000)), "coverage");
    assert_eq!(regions("Nim(2)", nodes(json!({"residue": [[0, []], i64::MAX]}), 2)), "coverage");
    assert_eq!(regions("Nim(2)", nodes(json!({"split": [0, [[1, 1]]]}), 20_000)), "coverage");
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
        "rule"
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
        "rule"
    );
    assert_eq!(regions("Nim(2)", json!({"domain": {"least": usize::MAX}})), "domain");
    assert_eq!(regions("Nim(2)", json!({"domain": {"exchange": [usize::MAX, 0, 0]}})), "domain");
    assert_eq!(
        regions("Nim(2)", json!({"separation": [[usize::MAX, {"trees": []}]]})),
        "separation"
    );
}

/// A game that is proved by these vectors, after the empty one.
fn nested(stacks: usize, facets: Value, cells: Value, changes: Value) -> &'static str {
    let mut vectors = json!({"vectors": [], "children": [], "symmetries": [], "weights": []});
    for (name, value) in changes.as_object().unwrap() {
        vectors[name] = value.clone();
    }
    let nothing = json!({"emptied": 0, "game": 0, "names": []});
    obligation(
        "Nim(1)",
        json!({"matryoshka": {"outermost": nothing, "games": [
            {"stacks": 0, "facets": [], "cells": [[]], "reason": "empty"},
            {"stacks": stacks, "facets": facets, "cells": cells, "reason": {"vectors": vectors}},
        ]}}),
    )
}

#[test]
fn weights_of_stacks_that_do_not_exist() {
    let children = json!([
        {"emptied": 1, "game": 0, "names": []}, {"emptied": 2, "game": 0, "names": []},
    ]);
    for facet in [4, 1 << 31, u32::MAX] {
        let weights = json!([{"facet": facet, "weight": [1, 1]}]);
        let changes = json!({"vectors": [3], "children": children, "weights": weights});
        assert_eq!(nested(2, json!([1, 2]), json!([[3]]), changes), "weight");
    }
}

#[test]
fn forced_sets_with_deep_trees() {
    let children: Vec<Value> =
        (1..4).map(|set| json!({"emptied": set, "game": 0, "names": []})).collect();
    let forced = json!([{"stacks": 1, "tree": vec![json!({"split": [1, 0]}); 20_000]}]);
    let changes = json!({"vectors": [3], "children": children, "forced": forced});
    assert_eq!(nested(2, json!([1, 2]), json!([[3]]), changes), "forced");
}

/// All pairs of 31 stacks: in very many ways they do not add up to all of the stacks.
#[test]
#[ignore = "takes seconds even when optimised"]
fn sums_that_are_looked_for() {
    let pairs = (0..31).flat_map(|i| (0..i).map(move |j| 1u32 << i | 1 << j));
    let all = (1u32 << 31) - 1;
    let children: Vec<Value> =
        (0..31).map(|s| json!({"emptied": 1u32 << s, "game": 0, "names": []})).collect();
    let changes = json!({"vectors": [all], "children": children});
    assert_eq!(nested(31, json!([all]), json!([pairs.collect::<Vec<_>>()]), changes), "size");
}

/// Ten disjoint triples and many other sets: very many sets of stacks meet them all.
#[test]
#[ignore = "takes seconds even when optimised"]
fn sets_that_meet_many_vectors() {
    let triples = (0..10).map(|i| 7u32 << (3 * i));
    let others = (0..400u32).map(|i| 0x1234_5678u32.wrapping_mul(2 * i + 1) | 1 << (i % 31));
    let vectors: Vec<u32> = triples.chain(others).collect();
    let found = nested(32, json!([]), json!([[]]), json!({ "vectors": vectors }));
    assert!(["size", "transversal"].contains(&found), "{found}");
}
