//! `nimatron atlas`

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn nimatron(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nimatron")).args(arguments).output().unwrap()
}

#[test]
fn the_page_about_circular_games_is_what_the_command_prints() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/circular.md");
    let printed = nimatron(&["atlas", "--circular", "--markdown"]);
    assert!(printed.status.success());
    assert_eq!(fs::read_to_string(page).unwrap(), String::from_utf8(printed.stdout).unwrap());
}

#[test]
fn what_is_not_in_the_atlas_and_what_is_open() {
    assert_eq!(nimatron(&["atlas", "6"]).status.code(), Some(2));
    assert_eq!(nimatron(&["atlas", "--game", "CN(3,7)"]).status.code(), Some(2));
    let missing = nimatron(&["atlas", "--game", "misere CN(5,2)", "--json"]);
    assert_eq!(missing.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&missing.stdout).starts_with("{\"error\""));
    let open = nimatron(&["atlas", "--game", "CN(6,2)"]);
    assert_eq!(open.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&open.stdout).contains("(0,1,0,2,0,3) is P, 3 times it is N"));
    let nothing = nimatron(&["atlas", "--game", "CN(6,2)", "--out", "unwritten.json"]);
    assert_eq!(nothing.status.code(), Some(3));
    assert!(!Path::new("unwritten.json").exists());
}
