//! False claims whose certificates are in order but for one step that proves nothing.

use nimatron_verify::{Certificate, verify};
use serde_json::{Value, json};

/// `accepted`, or the obligation that fails.
fn result(game: &str, proof: Value) -> &'static str {
    let text = json!({
        "format": "nimatron-certificate", "version": 1, "game": game, "proof": { "regions": proof },
    });
    let certificate = Certificate::read(text.to_string().as_bytes()).unwrap();
    verify(&certificate).map_or_else(|rejection| rejection.obligation(), |_| "accepted")
}

/// The proof with some of its fields replaced.
fn with(proof: &Value, changes: Value) -> Value {
    let mut changed = proof.clone();
    for (name, value) in changes.as_object().unwrap() {
        changed[name] = value.clone();
    }
    changed
}

/// Two equal stacks. Constraints 0 and 1 are `a >= 0` and `b >= 0` everywhere.
fn equal_stacks() -> Value {
    json!({
        "formula": "a = b",
        "branches": [{"extras": 0, "constraints": [{"form": [0, [[0, 1], [1, -1]]], "equation": true}]}],
        // 2 and 3 are a >= b and b >= a; 4 is what is refuted.
        "expansion": [{"branch": {"branch": 0, "proofs": [[[2, 1], [4, 1]], [[3, 1], [4, 1]]]}}],
        "symmetries": [{"image": [1, 0], "closed": {"images": [
            {"proofs": [[[2, -1], [3, 1]], [[2, 1], [3, 1]]]},
        ]}}],
        // 2 is a = b; 3, 4, 5 are the move; 6 is the same equation after it.
        "separation": [[0, {"trees": [
            [{"empty": [[2, -1], [5, 1], [6, 1]]}],
            [{"empty": [[2, 1], [5, 1], [6, -1]]}],
        ]}]],
        // Where a >= b, play a to b.
        "rules": [{
            "region": {"extras": 0, "constraints": [{"form": [0, [[0, 1], [1, -1]]]}]},
            "play": 1, "heights": [[0, [[1, 1]]]], "proofs": [[[1, 1], [3, 1]], [[2, 1], [3, 1]]],
            "target": {"proofs": [[[3, 1]], [[3, 1]]]},
        }],
        "domain": {"exchange": [1, 0, 0]},
        "coverage": [{"rule": {"rule": 0, "proofs": [[[2, 1], [3, 1]]]}}],
    })
}

/// Every position, or none: what is false about it is (I), or (II), alone.
fn everything() -> Value {
    json!({
        "formula": "true",
        "branches": [{"extras": 0, "constraints": []}],
        "expansion": [{"branch": {"branch": 0, "proofs": []}}],
        "symmetries": [{"image": [0, 1], "closed": {"images": [{"proofs": []}]}}],
        "separation": [],
        "rules": [{
            "region": {"extras": 0, "constraints": []},
            "play": null, "heights": [], "proofs": [], "target": {"proofs": []},
        }],
        "domain": {},
        "coverage": [{"rule": {"rule": 0, "proofs": []}}],
    })
}

fn nothing() -> Value {
    json!({
        "formula": "false", "branches": [], "expansion": [{"cases": 0}], "symmetries": [],
        "separation": [], "rules": [], "domain": {}, "coverage": [],
    })
}

#[test]
fn the_proof_that_the_others_are_measured_by() {
    assert_eq!(result("Nim(2)", equal_stacks()), "accepted");
    for other in ["misere Nim(2)", "PN(2,2)", "Nim(3)", "Nim(2) each=2", "Slow(2,{1})"] {
        assert_ne!(result(other, equal_stacks()), "accepted", "{other}");
    }
    // A branch that says the same is mapped into the first one, but not before that is done.
    let twice = |order: [usize; 2]| {
        let mut proof = equal_stacks();
        proof["branches"] = json!([proof["branches"][0], proof["branches"][0]]);
        let images = &proof["symmetries"][0]["closed"]["images"];
        proof["symmetries"][0]["closed"]["images"] = json!([images[0], images[0]]);
        let trees = &proof["separation"][0][1]["trees"];
        let trees = json!({"trees": [trees[0], trees[0], trees[1], trees[1]]});
        let image = json!({"image": {"symmetry": 0, "into": 0,
            "proofs": [[[2, -1], [3, 1]], [[2, 1], [3, 1]]]}});
        let sources = [json!([0, trees]), json!([1, image])];
        proof["separation"] = json!([sources[order[0]], sources[order[1]]]);
        result("Nim(2)", proof)
    };
    assert_eq!(twice([0, 1]), "accepted");
    assert_eq!(twice([1, 0]), "separation");
}

/// Branches that excuse themselves, or each other.
#[test]
fn circles_of_images() {
    let image = |from: usize, into: usize| json!([from, {"image": {"symmetry": 0, "into": into, "proofs": []}}]);
    let proof = with(&everything(), json!({"separation": [image(0, 0)]}));
    assert_eq!(result("Nim(2)", proof), "separation");
    let two = with(
        &everything(),
        json!({
            "branches": [{"extras": 0, "constraints": []}, {"extras": 0, "constraints": []}],
            "symmetries": [{"image": [0, 1], "closed": {"images": [{"proofs": []}, {"proofs": []}]}}],
        }),
    );
    for list in [json!([image(0, 1), image(1, 0)]), json!([image(1, 0), image(0, 1)]), json!([])] {
        assert_eq!(result("Nim(2)", with(&two, json!({"separation": list}))), "separation");
    }
    // A relabelling that is only said to be a product: of the identity and itself.
    let identity = json!({"image": [0, 1], "closed": {"images": [
        {"proofs": [[[2, 1], [3, 1]], [[2, -1], [3, 1]]]},
    ]}});
    let swap = json!({"image": [1, 0], "closed": {"product": [0, 1]}});
    let proof = with(&equal_stacks(), json!({"symmetries": [identity, swap]}));
    assert_eq!(result("Nim(2)", proof), "symmetry");
}

/// Trees without leaves, rules that show nothing, and what is said about no branch at all.
#[test]
fn nothing_is_shown_by_saying_nothing() {
    let coverage =
        |game: &str, nodes: Value| result(game, with(&nothing(), json!({"coverage": nodes})));
    for game in ["Nim(2)", "misere Nim(2)"] {
        for nodes in [
            json!([]),
            json!([{"residue": [[0, []], 0]}]),
            json!([{"residue": [[0, []], -2]}]),
            json!([{"cases": 0}]),
            json!([{"terminal": []}]),
            json!([{"terminal": [[], []]}]),
            json!([{"branch": {"branch": 0, "proofs": []}}]),
            json!([{"rule": {"rule": 0, "proofs": []}}]),
            json!([{"empty": []}]),
            json!([{"split": [0, [[2, 1]]]}, {"empty": [[2, 1]]}, {"empty": [[2, 1]]}]),
            json!([{"split": [-1, []]}, {"empty": [[2, 1]]}]),
        ] {
            assert_eq!(coverage(game, nodes.clone()), "coverage", "{game} {nodes}");
        }
    }
    // A move exists, but it leads nowhere; no alternative of "false" can be chosen.
    let idle = json!({
        "region": {"extras": 0, "constraints": [{"form": [-1, [[0, 1]]]}]},
        "play": 1, "heights": [[0, []]], "target": null,
        "proofs": [[[2, 1]], [[0, 1], [2, 1]], [[1, 1], [2, 1]]],
    });
    let leaves = json!([
        {"split": [-1, [[0, 1]]]}, {"rule": {"rule": 0, "proofs": [[[1, 1], [2, 1]]]}},
        {"terminal": [[[1, 1], [2, 1], [4, 1]]]},
    ]);
    let proof = with(&nothing(), json!({"rules": [idle], "coverage": leaves}));
    assert_eq!(result("misere Nim(1)", proof), "coverage");
    for target in [json!({"proofs": []}), json!({"choices": [0], "proofs": []})] {
        let mut leads = idle.clone();
        leads["target"] = target;
        leads["proofs"].as_array_mut().unwrap().pop();
        let proof = with(&nothing(), json!({"rules": [leads], "coverage": leaves}));
        assert_eq!(result("misere Nim(1)", proof), "rule");
    }
    assert_eq!(result("Nim(2)", with(&everything(), json!({"branches": []}))), "branches");
}

/// The P-position of one stack under misere play is 1. Under normal play nobody is excused from
/// moving from 0.
#[test]
fn positions_without_moves() {
    let one = json!({
        "formula": "a = 1",
        "branches": [{"extras": 0, "constraints": [{"form": [-1, [[0, 1]]], "equation": true}]}],
        "expansion": [{"branch": {"branch": 0, "proofs": [[[1, 1], [3, 1]], [[2, 1], [3, 1]]]}}],
        "symmetries": [],
        // 1 is a = 1; 2, 3, 4 are the move; 5 is a' = 1.
        "separation": [[0, {"trees": [[{"empty": [[1, -1], [4, 1], [5, 1]]}]]}]],
        "playable": [[{"rule": {"rule": 1, "proofs": [[[1, 1], [2, 1]]]}}]],
        "rules": [
            {"region": {"extras": 0, "constraints": [{"form": [-1, [[0, 1]]]}]},
             "play": 1, "heights": [[1, []]], "proofs": [[[2, 1]], [[1, 1], [2, 1]]],
             "target": {"proofs": [[[2, 1]], [[2, 1]]]}},
            {"region": {"extras": 0, "constraints": [{"form": [-1, [[0, 1]]]}]},
             "play": 1, "heights": [[0, []]], "target": null,
             "proofs": [[[2, 1]], [[0, 1], [2, 1]], [[1, 1], [2, 1]]]},
        ],
        "domain": {},
        // Where a < 1: 1 is -a >= 0; 2, 3, 4 are the move.
        "coverage": [
            {"split": [-1, [[0, 1]]]}, {"rule": {"rule": 0, "proofs": [[[1, 1], [2, 1]]]}},
            {"terminal": [[[1, 1], [2, 1], [4, 1]]]},
        ],
    });
    assert_eq!(result("misere Nim(1)", one.clone()), "accepted");
    assert_eq!(result("Nim(1)", one.clone()), "coverage");
    // That a move into S exists is not that a move exists, since the position may stay.
    let stay = json!([[{"rule": {"rule": 0, "proofs": [[[1, 1], [2, 1]]]}}]]);
    assert_eq!(result("misere Nim(1)", with(&one, json!({"playable": stay}))), "terminal");
    assert_eq!(result("misere Nim(1)", with(&one, json!({"playable": []}))), "terminal");
}

/// Further integers: a leaf may not speak of those of other cases, nor of ones that do not exist.
#[test]
fn integers_from_elsewhere() {
    let (even, odd) = (json!([0, [[0, 1], [1, -2]]]), json!([-1, [[0, 1], [1, -2]]]));
    // The even heights of a stack from which one token is taken at a time.
    let proof = json!({
        "formula": "even(a)",
        "branches": [{"extras": 1, "constraints": [{"form": even, "equation": true}]}],
        // 1 to 4: the rest a-2q is at least 0, at most 1, at least 0 and at most 0.
        "expansion": [{"branch": {"branch": 0, "extras": [[0, [[1, 1]]]],
            "proofs": [[[1, 1], [5, 1]], [[4, 1], [5, 1]]]}}],
        "symmetries": [],
        // Variables a, q, a', q'. 1 is a = 2q; 3 is a-a' = 1; 5 is a' = 2q'. If q-q' >= 1 then
        // a-a' >= 2, and otherwise a-a' <= 0.
        "separation": [[0, {"trees": [[
            {"split": [-1, [[1, 1], [3, -1]]]},
            {"empty": [[1, 1], [3, -1], [5, -1], [6, 2]]},
            {"empty": [[1, -1], [3, 1], [5, 1], [6, 2]]},
        ]]}]],
        "rules": [
            {"region": {"extras": 1, "constraints": [{"form": even, "equation": true}]},
             "play": null, "heights": [], "proofs": [],
             "target": {"extras": [[0, [[1, 1]]]], "proofs":
                [[[1, 1], [2, 1]], [[1, -1], [2, 1]], [[1, 1], [2, 1]], [[1, -1], [2, 1]]]}},
            {"region": {"extras": 1, "constraints":
                [{"form": odd, "equation": true}, {"form": [0, [[1, 1]]]}]},
             "play": 1, "heights": [[-1, [[0, 1]]]],
             "proofs": [[[1, 1], [2, 2], [3, 1]], [[3, 1]], [[3, 1]], [[3, 1]]],
             "target": {"extras": [[0, [[1, 1]]]], "proofs":
                [[[1, 1], [3, 1]], [[1, -1], [3, 1]], [[1, 1], [3, 1]], [[1, -1], [3, 1]]]}},
        ],
        "domain": {},
        "coverage": [
            {"residue": [[0, [[0, 1]]], 2]},
            {"rule": {"rule": 0, "bind": [1], "proofs": [[[1, 1], [2, 1]], [[1, -1], [2, 1]]]}},
            {"rule": {"rule": 1, "bind": [1],
                "proofs": [[[1, 1], [2, 1]], [[1, -1], [2, 1]], [[0, 1], [1, -1], [2, 2]]]}},
        ],
    });
    assert_eq!(result("Slow(1,{1})", proof.clone()), "accepted");
    // Any number of tokens, or two of them; and no excuse for the position without moves.
    assert_eq!(result("Nim(1)", proof.clone()), "separation");
    assert_eq!(result("Nim(1) each=2", proof.clone()), "separation");
    assert_eq!(result("misere Slow(1,{1})", proof.clone()), "terminal");
    // The residues exchanged, one of them left out, or the first twice.
    let nodes = |order: &[usize]| {
        let nodes: Vec<&Value> = order.iter().map(|&i| &proof["coverage"][i]).collect();
        result("Slow(1,{1})", with(&proof, json!({ "coverage": nodes })))
    };
    for order in [&[0, 2, 1][..], &[0, 1], &[0, 2], &[0, 1, 1], &[0, 1, 2, 2], &[1], &[2]] {
        assert_eq!(nodes(order), "coverage", "{order:?}");
    }
    // A quotient that no node has introduced.
    for bind in [0, 2, 1_000_000, usize::MAX] {
        let mut proof = proof.clone();
        proof["coverage"][1]["rule"]["bind"] = json!([bind]);
        assert_eq!(result("Slow(1,{1})", proof), "coverage");
    }
    // The integers of the set where it is left are not those where it is reached.
    let mut shared = proof.clone();
    shared["separation"][0][1]["trees"][0] = json!([{"empty": [[1, -1], [3, 1], [5, 1]]}]);
    assert_eq!(result("Slow(1,{1})", shared), "separation");
}

/// A form that names a variable that there is not, if only to multiply it by zero, is no form: who plays by the
/// rule would look for its value.
#[test]
fn variables_that_there_are_not() {
    let proof = equal_stacks();
    assert_eq!(result("Nim(2)", proof.clone()), "accepted");
    for (heights, expected) in [
        (json!([[0, [[0, 0], [1, 1]]]]), "accepted"),
        (json!([[0, [[1, 1], [2, 0]]]]), "rule"),
        (json!([[0, [[2, 0], [1, 1]]]]), "rule"),
        (json!([[0, [[1, 1], [2, 1], [2, -1]]]]), "rule"),
    ] {
        let mut changed = proof.clone();
        changed["rules"][0]["heights"] = heights.clone();
        assert_eq!(result("Nim(2)", changed), expected, "{heights}");
    }
}
