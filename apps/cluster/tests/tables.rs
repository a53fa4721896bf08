//! Tables over MPI are those of one machine, to the byte, on any number of ranks.
#![allow(missing_docs, clippy::print_stderr)]

mod common;

use common::{alone, contents, folder, json, run, text};
use nimatron::tables::{Shards, TableEngine, Tabulation, Threads, Wanted};
use nimatron::{Game, Height, Unlimited};
use std::fs;
use std::path::Path;

/// All rows of a table, and which of them are the least of their orbits.
fn rows(mut table: Tabulation) -> (Vec<(Vec<Height>, bool)>, nimatron::tables::Counts) {
    let mut rows = Vec::new();
    let mut push = |row: nimatron::tables::PRow<'_>| {
        rows.push((row.heights.to_vec(), row.is_least));
        Ok(())
    };
    table.finish(&Threads::new(1), &Unlimited, &mut push).unwrap();
    let counts = table.counts().clone();
    (rows, counts)
}

/// The parts as processes make them that only share a directory.
fn by_shards(game: &Game, max: &[Height], parts: usize, dir: &Path) {
    std::thread::scope(|scope| {
        for part in 0..parts {
            scope.spawn(move || {
                let mut shards = Shards::open(game, max, dir, (part, parts)).unwrap();
                shards.finish(&Threads::new(1), &Unlimited).unwrap();
            });
        }
    });
}

/// A set system by chance, always the same one: some of its stacks lie in few sets.
fn random_system(seed: u64, n: usize) -> String {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (state >> 33) as usize
    };
    let set = |bits: usize| -> String {
        (0..n).filter(|s| bits >> s & 1 == 1).map(|s| (b'a' + s as u8) as char).collect()
    };
    let mut sets: Vec<usize> = (0..n + 1).map(|_| next() % ((1 << n) - 1) + 1).collect();
    // Every stack is in some set, and no set is within another.
    let missing = !sets.iter().fold(0, |all, set| all | set) & ((1 << n) - 1);
    sets.push(missing);
    let all = sets.clone();
    sets.retain(|&set| set != 0 && !all.iter().any(|&other| other != set && other & set == set));
    sets.sort_unstable();
    sets.dedup();
    let sets: Vec<String> = sets.into_iter().map(set).collect();
    format!("Set({})", sets.join(","))
}

#[test]
fn any_number_of_ranks_makes_the_table() {
    let random = random_system(19, 5);
    for (game, max) in [
        ("CN(5,2)", "17"),
        ("CN(6,3)", "11"),
        ("CN(7,3)", "9"),
        ("misere CN(5,2)", "13"),
        (random.as_str(), "9,14,8,6,11"),
        ("CN(3,2)", "2"),
    ] {
        let parsed: Game = game.parse().unwrap();
        let heights: Vec<Height> = match max.parse() {
            Ok(height) => vec![height; parsed.stacks()],
            Err(_) => max.split(',').map(|height| height.parse().unwrap()).collect(),
        };
        let line = Some(TableEngine::Line);
        let direct = rows(Tabulation::new(&parsed, &heights, Wanted::All, line).unwrap());
        for ranks in 1..=5 {
            let place = folder(&format!("tables-{}-{ranks}", game.replace(['(', ')'], "-")));
            let (over_mpi, by_shard) = (place.join("mpi"), place.join("shard"));
            let threads = (1 + ranks % 2).to_string();
            let done = run(
                ranks,
                &["table", game, "--max", max, "--out", text(&over_mpi), "--threads", &threads],
            );
            assert_eq!(done.status, Some(0), "{game} on {ranks} ranks: {done:?}");
            by_shards(&parsed, &heights, ranks, &by_shard);
            assert!(contents(&over_mpi) == contents(&by_shard), "{game} on {ranks} ranks");
            let joined = rows(Tabulation::join(&over_mpi, Wanted::All).unwrap());
            assert!(joined == direct, "{game} on {ranks} ranks");
            fs::remove_dir_all(&place).unwrap();
        }
    }
}

#[test]
fn what_ranks_did_is_told() {
    let place = folder("tables-told");
    let dir = place.join("parts");
    let table = ["table", "CN(6,2)", "--max", "31", "--out", text(&dir), "--threads", "1"];
    let told = json(&run(3, &[&table[..], &["--json"]].concat()));
    let mut known = Tabulation::counting(&"CN(6,2)".parse().unwrap(), &[31; 6]).unwrap();
    known.finish(&Threads::new(1), &Unlimited, &mut |_| Ok(())).unwrap();
    let known = known.counts();
    assert_eq!(told["p_count"], known.p_count);
    assert_eq!(told["p_orbits"].as_u64(), known.p_orbits);
    let ranks = told["ranks"].as_array().unwrap();
    assert_eq!(ranks.len(), 3);
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    // Whatever one sends goes to both others, and all of it is received, but for the last words.
    let sum = |name: &str| ranks.iter().map(|rank| number(&rank[name])).sum::<f64>();
    assert!((sum("sent") - sum("received")).abs() < 5000.0, "{told}");
    for rank in ranks {
        let (received, foreseen) =
            (number(&rank["received"]), number(&told["forecast"]["received"]));
        assert!((0.4..2.5).contains(&(received / foreseen)), "{received} of {foreseen}");
        let (lists, foreseen) = (number(&rank["lists"]), number(&told["forecast"]["lists"]));
        assert!((0.4..2.5).contains(&(lists / foreseen)), "{lists} of {foreseen}");
    }
    // It is complete: there is nothing left to do but to tell.
    let again = run(2, &table);
    assert_eq!(again.status, Some(0), "{again:?}");
    assert!(again.stdout.contains("P-positions     822,462"), "{}", again.stdout);
    let ranks: Vec<&str> = again.stdout.lines().filter(|l| l.starts_with("  foreseen")).collect();
    assert_eq!(ranks.len(), 1, "{}", again.stdout);
}

/// The figures of docs/cluster.md: `cargo test --release -- --ignored --nocapture`.
#[test]
#[ignore = "takes a minute"]
fn a_large_table_needs_what_was_foreseen() {
    for ranks in [1, 2, 4] {
        let place = folder(&format!("tables-large-{ranks}"));
        let dir = place.join("parts");
        let table = ["table", "CN(8,3)", "--max", "31", "--threads", "1", "--json", "--out"];
        let told = json(&run(ranks, &[&table[..], &[text(&dir)]].concat()));
        assert_eq!(
            (&told["p_count"], &told["p_orbits"]),
            (&429_846_528.into(), &27_067_744.into())
        );
        let foreseen = |name: &str| told["forecast"][name].as_f64().unwrap();
        let all = ["fixed", "lists", "letters", "arrays"].into_iter().map(foreseen).sum::<f64>();
        for rank in told["ranks"].as_array().unwrap() {
            let used = |name: &str| rank[name].as_f64().unwrap();
            eprintln!("{ranks} ranks: {rank}, {all:.0} bytes of memory foreseen");
            assert!((0.75..1.1).contains(&(used("memory") / all)), "{rank} of {all}");
            assert!((0.8..1.2).contains(&(used("lists") / foreseen("lists"))), "{rank}");
            let received = (used("received"), foreseen("received"));
            assert!((received.0 - received.1).abs() <= 0.2 * received.1 + 1e4, "{received:?}");
        }
        fs::remove_dir_all(&place).unwrap();
    }
}

#[test]
fn what_does_not_fit_is_refused_with_numbers() {
    let place = folder("tables-refused");
    let dir = place.join("parts");
    let table = ["table", "CN(8,3)", "--max", "31", "--out", text(&dir), "--threads", "1"];
    let small = run(2, &[&table[..], &["--memory", "60MB"]].concat());
    assert_eq!(small.status, Some(3), "{small:?}");
    for told in ["Not begun", "rank 0", "rank 1", "60.0 MB allowed"] {
        assert!(small.stdout.contains(told), "{told}: {}", small.stdout);
    }
    let object = json(&run(2, &[&table[..], &["--memory", "60MB", "--json"]].concat()));
    assert_eq!(object["refused"].as_array().unwrap().len(), 2);
    assert_eq!(object["limit"]["kind"], "memory");
    assert!(!dir.exists(), "nothing was begun");
}

#[test]
fn lists_that_do_not_fit_are_spilled() {
    let place = folder("tables-spilled");
    let [held, spilled, spill] = ["held", "spilled", "spill"].map(|name| place.join(name));
    let table = ["table", "CN(6,2)", "--max", "47", "--threads", "1", "--json"];
    let told = json(&run(2, &[&table[..], &["--out", text(&held)]].concat()));
    let number = |name: &str| told["forecast"][name].as_f64().unwrap();
    let needed = number("fixed") + number("lists") + number("letters") + number("arrays");
    let less = format!("{}kB", ((needed - 0.8 * number("lists")) / 1e3) as u64);
    let limited = [&table[..], &["--out", text(&spilled), "--memory", &less]].concat();
    let refused = run(2, &limited);
    assert_eq!(refused.status, Some(3), "{refused:?}");
    let done = run(2, &[&limited[..], &["--spill", text(&spill)]].concat());
    assert_eq!(done.status, Some(0), "{done:?}");
    assert!(contents(&held) == contents(&spilled));
    assert!(contents(&spill).is_empty(), "what was spilled is gone");
    let kept = json(&done)["ranks"][0]["lists"].as_u64().unwrap();
    assert!(kept < told["ranks"][0]["lists"].as_u64().unwrap(), "{kept}");
}

#[test]
fn what_was_typed_is_checked_before_anything_is_started() {
    for args in [
        &["table", "CN(3,7)", "--max", "3", "--out", "nowhere"][..],
        &["table", "CN(5,2)", "--max", "3,3", "--out", "nowhere"],
        &["table", "CN(5,2)", "--max", "3"],
        &["table", "CN(5,2)", "--max", "3", "--out", "nowhere", "--threads", "0"],
        &["table", "Exact(4,2)", "--max", "3", "--out", "nowhere"],
        &["sweep", "atlas", "--stacks", "7"],
        &["sweep", "discover", "CN(5,2)"],
        &["verify"],
        &["plan", "CN(5,2)", "--max", "3", "--ranks", "0"],
        &[],
    ] {
        let wrong = run(2, args);
        assert_eq!(wrong.status, Some(2), "{args:?}: {wrong:?}");
        // One rank speaks for all.
        let errors =
            wrong.stderr.matches("error: ").count() + wrong.stderr.matches("Usage:").count();
        assert!((1..=2).contains(&errors), "{args:?}: {}", wrong.stderr);
    }
    assert!(!Path::new("nowhere").exists());
}

#[test]
fn plans_need_no_ranks() {
    let told = alone(&["plan", "CN(6,2)", "--max", "31", "--ranks", "1,16", "--json"]);
    assert_eq!(told.status, Some(0), "{told:?}");
    let ranks = &json(&told)["ranks"];
    assert_eq!(ranks[0]["received"].as_f64(), Some(0.0));
    assert!(ranks[1]["work"].as_f64().unwrap() < ranks[0]["work"].as_f64().unwrap());
    let text = alone(&["plan", "CN(6,2)", "--max", "31"]).stdout;
    assert_eq!(text.lines().count(), 10, "{text}");
}
