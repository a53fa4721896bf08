//! Small files that are made to keep the checker busy: each is refused or answered soon, and without much
//! memory. Each has a process of its own, which tells what it took.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the processes tell what they took")]

use nimatron::crates::verify::verify;
use nimatron::proofs::read_certificate;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Command;

/// Where the process finds its certificate.
const FILE: &str = "NIMATRON_HOSTILE";

/// A file, and how many seconds of a processor it may take.
struct Case {
    name: &'static str,
    text: String,
    seconds: f64,
}

const MEGABYTES: u64 = 200;

/// A certificate, and in which version.
fn certificate(version: u32, game: &str, proof: Value) -> String {
    let format = "nimatron-certificate";
    json!({"format": format, "version": version, "game": game, "proof": proof}).to_string()
}

fn case(name: &'static str, text: String) -> Case {
    Case { name, text, seconds: 2.0 }
}

/// The sets with one stack each.
fn ones(stacks: u32) -> Vec<u32> {
    (0..stacks).map(|stack| 1 << stack).collect()
}

/// Games within games as version 1 wrote them.
fn older(game: &str, games: Vec<Value>, names: u32) -> String {
    let outermost =
        json!({"emptied": 0, "game": games.len() - 1, "names": (0..names).collect::<Vec<u32>>()});
    certificate(1, game, json!({"matryoshka": {"games": games, "outermost": outermost}}))
}

fn nested(stacks: u32, facets: &[u32], cells: &Value, reason: Value) -> Value {
    json!({"stacks": stacks, "facets": facets, "cells": cells, "reason": reason})
}

/// Vectors with children, each as the stacks emptied and the number of a game on the others.
fn vectors(vectors: &[u32], children: Vec<Value>) -> Value {
    let none: [u32; 0] = [];
    json!({"vectors": {
        "vectors": vectors, "symmetries": none, "weights": none, "children": children,
    }})
}

/// Very many cells on ten stacks, all of which say the same.
fn redundant_cells() -> Vec<Case> {
    let cells: Vec<Vec<u32>> = (0..9_000).map(|i| vec![1 + i % 500, 501 + i / 500]).collect();
    let cells = json!(cells);
    let none = nested(0, &[], &json!([[]]), json!("empty"));
    let child = json!({"emptied": 1023, "game": 0, "names": []});
    let outer = nested(10, &ones(10), &cells, vectors(&ones(10), vec![child]));
    let tree: Vec<Value> = (0..8_999)
        .flat_map(|cell| {
            [json!({"split": vec![0; 10]}), json!({"move": {"facet": 0, "cell": cell}})]
        })
        .chain([json!({"none": []})])
        .collect();
    let part = json!({"stacks": 10, "facets": ones(10), "cells": cells, "tree": tree});
    let empty: [u32; 0] = [];
    let proof = json!({"matryoshka": {"parts": [part], "symmetries": empty, "weights": empty}});
    // Every pair of cells has to be served by some weight.
    let leaf = json!({"move": {"facet": 1, "cell": 0}});
    let weights: Vec<Value> = (0..2_000)
        .map(|i| json!({"facet": 1, "weight": (0..10).map(|s| 1 + (i >> s) % 2).collect::<Vec<_>>()}))
        .collect();
    let pairs = json!({"stacks": 10, "facets": [1023], "cells": cells, "tree": [leaf]});
    let weighed =
        json!({"matryoshka": {"parts": [pairs], "symmetries": empty, "weights": weights}});
    vec![
        case("redundant cells, version 1", older("Nim(10)", vec![none, outer], 10)),
        case("redundant cells", certificate(3, "Nim(10)", proof)),
        case("redundant cells and many weights", certificate(3, "CN(10,10)", weighed)),
    ]
}

/// A hundred games without moves, on 32 stacks each.
fn moveless() -> Vec<Case> {
    let cells = json!([ones(32)]);
    let all = u64::from(u32::MAX);
    let none = nested(0, &[], &json!([[]]), json!("empty"));
    let child = json!({"emptied": all, "game": 0, "names": []});
    let game = nested(32, &[], &cells, vectors(&ones(32), vec![child]));
    let games = [vec![none], vec![game; 100]].concat();
    let part = json!({"stacks": 32, "facets": [], "cells": cells, "tree": [{"none": []}]});
    let empty: [u32; 0] = [];
    let parts = vec![part; 100];
    let proof = json!({"matryoshka": {"parts": parts, "symmetries": empty, "weights": empty}});
    vec![
        case("moveless games, version 1", older("Nim(32)", games, 32)),
        case("moveless games", certificate(3, "Nim(32)", proof)),
    ]
}

/// Vectors that are no sums of the generators, in very many ways.
fn sums() -> Vec<Case> {
    let pairs: Vec<u32> = (0..31).flat_map(|i| (0..i).map(move |j| 1u32 << i | 1 << j)).collect();
    let mut pairs = pairs;
    pairs.sort_unstable();
    let all = (1u32 << 31) - 1;
    let none = nested(0, &[], &json!([[]]), json!("empty"));
    let child = json!({"emptied": all, "game": 0, "names": []});
    let game = nested(31, &ones(31), &json!([pairs]), vectors(&[all], vec![child]));
    // Merged stacks: one generator stands for very many.
    let merged: Vec<u32> = (0..10).map(|s| 7 << (3 * s)).collect();
    let small = nested(10, &ones(10), &json!([[1023]]), vectors(&[1023], vec![]));
    let child = json!({"emptied": 0, "game": 1, "names": (0..10).collect::<Vec<u32>>()});
    let none2 = none.clone();
    let large = nested(30, &merged, &json!([[all >> 1]]), vectors(&[], vec![child]));
    vec![
        case("sums that are looked for, version 1", older("Nim(31)", vec![none, game], 31)),
        case("merged stacks, version 1", older("Nim(30)", vec![none2, small, large], 30)),
    ]
}

/// Many facets, and children that have to compare them.
fn facets() -> Vec<Case> {
    let facets: Vec<u32> = (1..6_000).collect();
    let none = nested(0, &[], &json!([[]]), json!("empty"));
    let child = json!({"emptied": 1, "game": 0, "names": []});
    let game =
        |facets: &[u32]| nested(13, facets, &json!([[1]]), vectors(&[1], vec![child.clone(); 500]));
    vec![
        case("facets, version 1", older("Nim(13)", vec![none.clone(), game(&facets)], 13)),
        case("fewer facets, version 1", older("Nim(13)", vec![none, game(&facets[..4_000])], 13)),
    ]
}

fn regions(game: &str, changes: Value) -> String {
    let mut proof = json!({
        "formula": "false", "branches": [], "expansion": [{"cases": 0}], "symmetries": [],
        "separation": [], "rules": [], "domain": {}, "coverage": [],
    });
    for (name, value) in changes.as_object().unwrap() {
        proof[name] = value.clone();
    }
    certificate(3, game, json!({ "regions": proof }))
}

/// Branches that are wide but short to write, and very many trees about moves between them.
fn wide_branches() -> Vec<Case> {
    let rows = vec![json!({"form": [0, [[999, 1]]]}); 1_500];
    let mut branches = vec![json!({"extras": 998, "constraints": rows})];
    branches.extend(vec![json!({"extras": 0, "constraints": []}); 700]);
    let trees: Vec<Value> = (0..2 * 701).map(|_| json!([{"empty": [[0, 1]]}])).collect();
    let changes = json!({"branches": branches, "separation": [[0, {"trees": trees}]]});
    // A tree whose root is wide, and divided again and again.
    let deep = vec![json!({"residue": [[0, []], 4096]}); 3_000];
    let splits = vec![json!({"split": [0, [[1, 1]]]}); 3_000];
    vec![
        case("wide branches", regions("Nim(2)", changes)),
        case("residues", regions("Nim(2)", json!({"coverage": deep}))),
        case("splits", regions("Nim(2)", json!({"coverage": splits}))),
    ]
}

/// Macrostates that repeat each other, and ones that differ but are very many.
fn macrostates() -> Vec<Case> {
    let letters = 1 << 12;
    let automaton = |macrostates: Value| {
        let stacks: Vec<u32> = (0..12).collect();
        let dfa = json!({"initial": 0, "accepting": [true], "next": [vec![0; letters]]});
        let symmetries = json!([{"stacks": stacks, "states": [0]}]);
        let proof = json!({"dfa": dfa, "symmetries": symmetries, "macrostates": macrostates});
        certificate(3, "Nim(12)", json!({ "automaton": proof }))
    };
    let empty: [u32; 0] = [];
    let same = json!({"moves": [[0, 0]], "next": empty});
    let listed =
        json!([{"moves": vec![json!([0, 0]); 6_000], "next": vec![json!([0, 0]); letters]}]);
    vec![
        case("duplicate macrostates", automaton(json!(vec![same; 6_000]))),
        case("a macrostate with duplicates", automaton(listed)),
    ]
}

/// Remainders of remainders, and moves without number.
fn in_few_words() -> Vec<Case> {
    let rest = |first: &str| {
        (0..40).fold(first.to_string(), |term, i| format!("({term}) mod {}", 1_000_003 - 2 * i))
    };
    let formula = format!("{} = {}", rest("a"), rest("b"));
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
    let mut cases = vec![
        case("nested mod, by regions", regions("Nim(2)", json!({ "formula": formula }))),
        case("nested mod, by an automaton", certificate(3, "Nim(2)", json!({"automaton": proof}))),
    ];
    for game in ["Moore(32,16) any=2", "CN(32,16) any=2", "Moore(16,16) any<=3", "CN(32,31) any>=2"]
    {
        cases.push(case("any", regions(game, json!({}))));
    }
    cases
}

/// Short formulas that mean very much, beside an automaton that accepts everything.
fn formulas() -> Vec<Case> {
    let doubled = |first: &str, times: usize| {
        let doubles = (1..=times).map(|i| format!("let k{i} = k{0}+k{0}, ", i - 1));
        format!("let k0 = {first}, {}k{times} >= 0", doubles.collect::<String>())
    };
    let sum = |items: &dyn Fn(u32) -> String| (0..30).map(items).collect::<Vec<_>>().join("+");
    let minima = sum(&|i| format!("min({}a,{i})", i + 2));
    let xors = sum(&|i| format!("xor(a+{i},{i})"));
    let automaton = |formula: &str| {
        // One stack: the empty one is the P-position.
        let proof = json!({
            "formula": formula,
            "dfa": {"initial": 0, "accepting": [true, false], "next": [[0, 1], [1, 1]]},
            "symmetries": [{"stacks": [0], "states": [0, 1]}],
            "macrostates": [
                {"moves": [[0, 0]], "next": [[0, 0], [1, 0]]},
                {"moves": [[0, 1]], "next": [[1, 0], [1, 0]]},
            ],
        });
        certificate(3, "Nim(1)", json!({ "automaton": proof }))
    };
    let formulas = [
        ("a doubled fifty times", doubled("a", 50)),
        ("a minimum doubled fifty times", doubled("min(a,1)", 50)),
        ("a minimum doubled nine times", doubled("min(a,1)", 9)),
        ("a remainder doubled fifty times", doubled("a mod 7", 50)),
        ("an exclusive or doubled four times", doubled("xor(a+1,a)", 4)),
        ("thirty minima", format!("{minima} >= 0")),
        ("thirty exclusive ors", format!("{xors} >= 0")),
        ("a remainder of these", format!("({xors}+{minima}) mod 2 >= 0")),
        ("an exclusive or with many digits", "xor(a,99999999) >= 0".to_string()),
        ("a modulus with many residues", "a mod 1000000007 = 0".to_string()),
    ];
    let longer = |name, text: &str| Case { seconds: 10.0, ..case(name, automaton(text)) };
    let by_automaton = formulas.iter().map(|(name, text)| longer(name, text));
    let by_regions = formulas.iter().map(|(name, text)| {
        let changes = json!({"formula": text});
        case(name, regions("Nim(1)", changes))
    });
    by_automaton.chain(by_regions).collect()
}

/// What was once accepted, and answered wrongly.
fn forged() -> Vec<Case> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/certificates/CN-9-4.v1.json");
    let text = std::fs::read_to_string(path).unwrap();
    let mut forged: Value = serde_json::from_str(&text).unwrap();
    let games = forged["proof"]["matryoshka"]["games"].as_array_mut().unwrap();
    let place = games.len() - 1;
    let child = json!({"emptied": 511, "game": 0, "names": []});
    games.insert(place, nested(9, &[], &json!([ones(9)]), vectors(&ones(9), vec![child])));
    let names: Vec<u32> = (0..9).collect();
    let first = json!({"emptied": 0, "game": place, "names": names});
    let children = &mut games[place + 1]["reason"]["vectors"]["children"];
    children.as_array_mut().unwrap().insert(0, first);
    forged["proof"]["matryoshka"]["outermost"]["game"] = json!(place + 1);
    let newer = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/certificates/CN-5-2.json");
    let newer = std::fs::read_to_string(newer).unwrap();
    let blanks = newer + &" ".repeat(60_000_000);
    let padded = Case { seconds: 10.0, ..case("a long file of blanks", blanks) };
    vec![case("further children", forged.to_string()), case("a true one", text), padded]
}

fn cases() -> Vec<Case> {
    [
        redundant_cells(),
        moveless(),
        sums(),
        facets(),
        wide_branches(),
        macrostates(),
        in_few_words(),
        formulas(),
        forged(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Nanoseconds of this thread on a processor.
fn used() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    stat.split(' ').next().unwrap().parse().unwrap()
}

/// The process: reads the file and checks what it holds.
#[test]
fn one_file() {
    let Some(path) = std::env::var_os(FILE) else { return };
    let before = used();
    let file = std::fs::File::open(path).unwrap();
    let found = match read_certificate(file) {
        Ok(read) => verify(&read).map_or_else(|why| why.obligation(), |_| "accepted"),
        Err(_) => "unreadable",
    };
    let nanoseconds = used() - before;
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().strip_suffix("kB").unwrap().trim().parse().unwrap();
    println!("took {nanoseconds} {peak} {found}");
}

#[test]
fn small_files_take_little() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("hostile.json");
    let mut wrong = Vec::new();
    for Case { name, text, seconds } in cases() {
        std::fs::write(&path, &text).unwrap();
        let run = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "one_file", "--nocapture"])
            .env(FILE, &path)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&run.stdout);
        let line = said.lines().find_map(|line| Some(line.split_once("took ")?.1));
        let line = line.unwrap_or_else(|| panic!("{name}: {said}"));
        let words: Vec<&str> = line.split(' ').collect();
        let (took, peak) =
            (words[0].parse::<f64>().unwrap() / 1e9, words[1].parse::<u64>().unwrap());
        eprintln!(
            "{name}: {} kB, {took:.2} s, {} MB, {}",
            text.len() / 1000,
            peak / 1000,
            words[2]
        );
        let fine = ["a true one", "a long file of blanks"].contains(&name);
        if took >= seconds || peak >= MEGABYTES * 1000 || (words[2] == "accepted") != fine {
            wrong.push(format!("{name}: {line}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
