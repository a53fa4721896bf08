//! The console examples of the documentation, run as they stand.
//!
//! In a block marked `console`, a line `$ command` is run by the shell in an empty directory, and
//! the lines below it are what it prints on both streams. `...` stands for any text within a
//! line, and on a line of its own for any lines. A command must succeed, unless `$ echo $?` comes
//! next and shows its status.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// A command of a document and what it should print.
struct Example {
    line: usize,
    command: String,
    expected: Vec<String>,
}

#[test]
fn readme() {
    run_document(&root().join("README.md"), 4);
}

#[test]
fn documentation() {
    let files = documents("docs");
    assert!(files.iter().any(|path| path.ends_with("cli.md")));
    // These pages have no examples: one is the output of a command, compared as a whole elsewhere; the
    // examples of another are in Python; the others are about what goes on until it is ended.
    let without = ["circular.md", "python.md", "server.md", "web.md"];
    let written = files.iter().filter(|path| without.iter().all(|name| !path.ends_with(name)));
    written.for_each(|path| run_document(path, 1));
}

#[test]
fn corpus() {
    documents("corpus/cli").iter().for_each(|path| run_document(path, 1));
}

/// The documents of a folder, at least one.
fn documents(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root().join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs all examples of a document, of which there are at least so many.
fn run_document(path: &Path, least: usize) {
    let text = std::fs::read_to_string(path).unwrap();
    let examples = examples(&text);
    let run = examples.iter().filter(|e| e.command.contains("nimatron")).count();
    assert!(run >= least, "{}: {run} examples", path.display());
    // Documents of different folders may have the same name.
    let folder = path.parent().and_then(Path::file_name).and_then(|f| f.to_str()).unwrap_or("top");
    let name = format!("{folder}-{}", path.file_stem().unwrap().to_str().unwrap());
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("documents-{name}"));
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    let mut status = 0;
    for (i, example) in examples.iter().enumerate() {
        let at = format!("{}:{}: {}", path.display(), example.line, example.command);
        if example.command == "echo $?" {
            assert_eq!(example.expected, [status.to_string()], "{at}");
            continue;
        }
        let (found, code) = shell(&example.command, &place);
        assert!(
            matches(&example.expected, &found.lines().collect::<Vec<_>>()),
            "{at}\n--- expected\n{}\n--- found\n{found}",
            example.expected.join("\n")
        );
        let told = examples.get(i + 1).is_some_and(|next| next.command == "echo $?");
        assert!(told || code == 0, "{at}: status {code}");
        status = code;
    }
}

fn shell(command: &str, place: &Path) -> (String, i32) {
    let program = Path::new(env!("CARGO_BIN_EXE_nimatron")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .env("PATH", format!("{}:{path}", program.display()))
        .env_remove("COLUMNS")
        .env("XDG_DATA_HOME", place.join("data"))
        .env("XDG_STATE_HOME", place.join("state"))
        .current_dir(place)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (text, output.status.code().unwrap())
}

fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut in_console = false;
    for (i, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            in_console = !in_console && line == "```console";
        } else if in_console {
            match line.strip_prefix("$ ") {
                Some(command) => examples.push(Example {
                    line: i + 1,
                    command: command.to_string(),
                    expected: Vec::new(),
                }),
                None => {
                    let last = examples.last_mut().expect("a command comes first");
                    last.expected.push(line.to_string());
                }
            }
        }
    }
    // Blank lines before the next command are for the reader.
    for example in &mut examples {
        while example.expected.last().is_some_and(|l| l.is_empty()) {
            example.expected.pop();
        }
    }
    examples
}

/// Whether the lines found are the lines expected, `...` standing for anything.
fn matches(expected: &[String], found: &[&str]) -> bool {
    match expected {
        [] => found.is_empty(),
        [any, rest @ ..] if any == "..." => {
            (0..=found.len()).any(|skipped| matches(rest, &found[skipped..]))
        }
        [line, rest @ ..] => {
            found.first().is_some_and(|f| line_matches(line, f)) && matches(rest, &found[1..])
        }
    }
}

fn line_matches(expected: &str, found: &str) -> bool {
    match expected.split_once("...") {
        None => expected == found,
        Some((before, after)) => found.strip_prefix(before).is_some_and(|rest| {
            let ends = rest.char_indices().map(|(i, _)| i).chain([rest.len()]);
            ends.into_iter().any(|i| line_matches(after, &rest[i..]))
        }),
    }
}

#[test]
fn the_marker_stands_for_anything_and_nothing_else_does() {
    let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
    assert!(matches(&lines("a\n...\nz"), &["a", "b", "c", "z"]));
    assert!(matches(&lines("a\n...\nz"), &["a", "z"]));
    assert!(!matches(&lines("a\n...\nz"), &["a", "z", "y"]));
    assert!(matches(&lines("x ... y"), &["x 1,234 y"]));
    assert!(!matches(&lines("x ... y"), &["x 1,234 z"]));
    assert!(!matches(&lines("x"), &[]));
    assert!(!matches(&[], &["x"]));
    let found = examples("```console\n$ a\nb\n\n$ c\n```\ntext\n```rust\n$ d\n```\n");
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].line, found[0].command.as_str()), (2, "a"));
    assert_eq!(found[0].expected, ["b"]);
}
