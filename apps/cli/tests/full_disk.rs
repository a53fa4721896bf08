//! Disks that are full: nothing that was found is lost, and nothing useless is left behind.
//!
//! A limit on the size of files stands for a full disk: files can be made, but nothing can be
//! written into them.
#![cfg(target_os = "linux")]

mod common;

use common::{Run, after, folder};
use std::fs;
use std::path::Path;

const FULL: &str = "trap '' XFSZ; ulimit -f 0";

fn files(place: &Path) -> Vec<String> {
    let names = fs::read_dir(place).unwrap();
    names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn proves(run: &Run) {
    assert_eq!(run.status, Some(4), "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("\nproved for all heights\n"), "{}", run.stdout);
    assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
}

/// The certificate at the end of an answer is accepted.
fn is_accepted(certificate: &str, place: &Path) {
    let path = place.join("kept.json");
    fs::write(&path, certificate).unwrap();
    let run = common::nimatron(&["verify", path.to_str().unwrap()]);
    assert_eq!(run.status, Some(0), "{}", run.stdout);
}

#[test]
fn a_proof_is_kept_in_another_place() {
    let place = folder("full-kept");
    fs::create_dir(place.join("tmp")).unwrap();
    let commands = "export TMPDIR=\"$PWD/tmp\"";
    for args in [["prove", "CN(5,3)", "--out"], ["discover", "CN(5,3)", "--out"]] {
        let run = after(commands, &[&args[..], &["/dev/full"]].concat(), &place);
        proves(&run);
        let [kept] = &files(&place.join("tmp"))[..] else { panic!("{:?}", files(&place)) };
        let words = run.stdout.split_whitespace().collect::<Vec<_>>().concat();
        assert!(words.contains(kept.as_str()), "{}", run.stdout);
        is_accepted(&fs::read_to_string(place.join("tmp").join(kept)).unwrap(), &place);
        fs::remove_file(place.join("tmp").join(kept)).unwrap();
    }
    assert!(Path::new("/dev/full").exists());
}

#[test]
fn a_proof_without_any_place_is_printed() {
    let place = folder("full-printed");
    for args in [["prove", "CN(5,3)", "--out"], ["discover", "CN(5,3)", "--out"]] {
        let run = after(FULL, &[&args[..], &["x.json"]].concat(), &place);
        proves(&run);
        let at = run.stdout.find("\n{").expect("the certificate is printed");
        is_accepted(&run.stdout[at..], &place);
        fs::remove_file(place.join("kept.json")).unwrap();
        assert_eq!(files(&place), Vec::<String>::new());
        let run = after(FULL, &[&args[..], &["x.json", "--json"]].concat(), &place);
        assert_eq!(run.status, Some(4));
        let answer = common::json(&run);
        assert_eq!(answer["proved"], true);
        is_accepted(answer["certificate_text"].as_str().unwrap(), &place);
        fs::remove_file(place.join("kept.json")).unwrap();
    }
}

/// A place that cannot be written to is told before the search: this one would take long.
#[test]
fn places_are_tried_before_the_search() {
    let place = folder("full-before");
    let begun = std::time::Instant::now();
    for args in [
        ["discover", "CN(6,2)", "--time", "10m", "--out", "nowhere/x.json"],
        ["discover", "CN(6,2)", "--time", "10m", "--out", "."],
        ["discover", "CN(6,2)", "--time", "10m", "--dot", "nowhere/x.dot"],
        ["prove", "CN(5,3)", "--time", "10m", "--out", "nowhere/x.json"],
    ] {
        let run = after(":", &args, &place);
        assert_eq!((run.status, run.stdout.as_str()), (Some(4), ""), "{args:?}");
        assert!(run.stderr.starts_with("error: "), "{args:?}: {}", run.stderr);
    }
    let args = ["discover", "CN(6,2)", "--time", "10m", "--save", "--library", "/proc/no"];
    assert_eq!(after(":", &args, &place).status, Some(4));
    let args = ["discover", "PN(3,2) + Nim(1)", "--time", "10m", "--save"];
    assert_eq!(after(":", &args, &place).status, Some(2));
    assert!(begun.elapsed().as_secs() < 60);
    assert_eq!(files(&place), Vec::<String>::new());
}

#[test]
fn checkpoints_and_rows_leave_no_empty_files() {
    let place = folder("full-table");
    let table = ["table", "CN(5,2)", "--max", "12"];
    for args in [
        &["--checkpoint", "p.ckpt"][..],
        &["--checkpoint", "p.ckpt", "--out", "p.csv", "--format", "csv"],
        &["--out", "p.csv", "--format", "csv"],
        &["--out", "p.txt", "--format", "bfile"],
    ] {
        let run = after(FULL, &[&table[..], args].concat(), &place);
        assert_eq!(run.status, Some(4), "{args:?}: {}", run.stderr);
        assert_eq!(files(&place), Vec::<String>::new(), "{args:?}");
    }
}
