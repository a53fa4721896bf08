//! What a terminal shows: lines that fit, progress that goes away, examples that can be pasted.
#![cfg(target_os = "linux")]

mod common;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Commands whose text has all kinds of shapes.
const TEXTS: [&[&str]; 46] = [
    &["solve", "CN(7,3)", "3,5,4,2,1,6,3"],
    &["solve", "Set(ad,abc,bcd)", "2,3,5,4", "--all-moves"],
    &["solve", "CN(12,12)", "91,92,93,94,95,96,97,98,99,90,91,92"],
    &["solve", "CN(8,2)", "101,102,103,104,105,106,107,108", "--time", "20ms"],
    &["solve", "CN(3,7)", "1,2,3"],
    &["solve", "CN(8,3)", "1,2,3,4,5,6,7"],
    &["game", "misere CN(4,2) + Exact(2,2)"],
    &["game", "CN(32,16)"],
    &["reduce", "CN(9,3)", "0,1,2,0,3,4,0,5,6"],
    &["reduce", "H", "4,3,9,12,2,8", "--invariance"],
    &["table", "CN(5,2)", "--max", "9"],
    &["table", "CN(12,4)", "--max", "1", "--orbits"],
    &["table", "CN(5,2)", "--max", "3,2,1,1,30", "--grundy"],
    &["table", "CN(9,4)", "--max", "63", "--memory", "1GB"],
    &["table", "CN(5,2)", "--max", "9", "--format", "bfile", "--sum", "3"],
    &["check", "CN(5,3)", "sym(a = 0, b = e)", "--max", "6"],
    &["check", "CN(5,3)", "sym(a = 0, b = $)", "--max", "6"],
    &["prove", "CN(5,3)"],
    &["prove", "CN(5,3)", "sym(a = 0, b = e)"],
    &["discover", "CN(5,3)"],
    &["discover", "CN(6,2)", "--time", "100ms"],
    &["atlas"],
    &["atlas", "4"],
    &["atlas", "--circular"],
    &["atlas", "--game", "CN(9,4)"],
    &["invariants", "CN(5,3)"],
    &["cheatsheet", "H"],
    &["circuits", "H"],
    &["subgames", "CN(6,2)"],
    &["theorems"],
    &["theorems", "CN(6,4)", "--check", "--max", "2"],
    &["grid", "Slow(16,{15})"],
    &["graph", "Slow(4,{3})", "1,2,5,6", "--full"],
    &["solve", "CN(12,5)", "9,8,7,6,5,4,9,8,7,6,5,4"],
    &["solve", "CN(9,4)", "9,8,7,6,5,4,9,8,7", "--after", "1,0,0,0,0,0,0,0,0"],
    &["solve", "CN(9,4)", "9,8,7,6,5,4,9,8,7", "--after", "1,0,0,0,0,0,0,0"],
    &["solve", "CN(4,2)", "1,2,3,4", "--all-moves", "--limit", "all"],
    &["moves", "CN(5,2)", "11,12,10,2,1", "--limit", "4"],
    &["compare", "CN(5,3)", "CN(5,2)"],
    &["compare", "CN(3,2)", "Set(ab,bc,ac)"],
    &["conjecture", "peeling", "--stacks", "4"],
    &["cheatsheet", "CN(12,5)"],
    &["atlas", "--slow"],
    &["export", "nothing.json", "--coq", "nothing.v"],
    &["nonsense"],
    &[],
];

/// Every command that the program has, by its own word.
fn commands() -> Vec<String> {
    let help = at_width(80, &["--help"]);
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    // Descriptions that go on in the next line stand further to the right.
    let names = lines.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_string).collect()
}

/// Both streams at a width that the environment names.
fn at_width(columns: usize, args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_nimatron"))
        .args(args)
        .env("COLUMNS", columns.to_string())
        .env("XDG_DATA_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/no-data"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    text(output.stdout) + &text(output.stderr)
}

#[test]
fn text_fits_every_width() {
    for columns in [30, 40, 61, 80, 200] {
        for args in TEXTS {
            let text = at_width(columns, args);
            assert!(!text.is_empty(), "{args:?}");
            let wide = text.lines().find(|line| line.chars().count() > columns);
            assert_eq!(wide, None, "{args:?} at {columns} columns");
        }
    }
}

#[test]
fn odd_widths_are_brought_into_bounds() {
    let at = |columns| at_width(columns, TEXTS[0]);
    assert_eq!(at(1), at(30));
    assert_eq!(at(9999), at(200));
    assert_ne!(at(30), at(40));
    assert_eq!(at(0), at(80), "there is no such terminal");
}

/// The examples at the end of a command's help, as the shell reads them.
fn examples(help: &str) -> Vec<String> {
    let joined = help.replace("\\\n", "");
    let lines = joined.lines().skip_while(|line| *line != "Examples:").skip(1);
    lines
        .take_while(|line| line.starts_with("  nimatron "))
        .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn help_fits_and_its_examples_can_be_pasted() {
    let commands = commands();
    assert!(commands.iter().any(|name| name == "man") && commands.len() > 20, "{commands:?}");
    for command in commands {
        let wide = at_width(80, &[&command, "--help"]);
        let expected = examples(&wide);
        assert!(!expected.is_empty(), "{command}: {wide}");
        assert!(expected.iter().all(|line| wide.contains(&format!("  {line}\n"))), "{command}");
        for columns in [30, 40, 60, 200] {
            let help = at_width(columns, &[&command, "--help"]);
            let long = help.lines().find(|line| line.chars().count() > columns);
            assert_eq!(long, None, "{command} at {columns} columns");
            assert_eq!(examples(&help), expected, "{command} at {columns} columns");
        }
    }
    assert!(at_width(30, &["--help"]).lines().all(|line| line.chars().count() <= 30));
}

/// A command without what comes after it: a pipe or a file. In quotes such signs mean something else.
fn first_command(line: &str) -> &str {
    let mut quote = None;
    let end = line.find(|c| match (quote, c) {
        (None, '|' | '<' | '>') => true,
        (None, '"' | '\'') => {
            quote = Some(c);
            false
        }
        (open, c) => {
            quote = open.filter(|&open| open != c);
            false
        }
    });
    line[..end.unwrap_or(line.len())].trim_end()
}

/// The examples are commands that this program understands.
#[test]
fn examples_are_understood() {
    for command in commands() {
        for example in examples(&at_width(80, &[&command, "--help"])) {
            // A request for help ends the reading before anything is done.
            let first = first_command(&example);
            let line = format!("{first} --help");
            let output = Command::new("sh")
                .args(["-c", &line.replacen("nimatron", "\"$0\"", 1)])
                .arg(env!("CARGO_BIN_EXE_nimatron"))
                .output()
                .unwrap();
            assert!(output.status.success(), "{line}");
            assert!(first.starts_with(&format!("nimatron {command}")), "{line}");
        }
    }
}

/// Runs a command on a terminal of its own, presses Ctrl-C after a while, and returns all that the
/// terminal was sent.
fn on_a_terminal(columns: u16, args: &[&str], a_while: Duration) -> String {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    tcsetwinsize(&terminal, size).unwrap();
    let clone = || Stdio::from(terminal.try_clone().unwrap());
    let mut child = Command::new(env!("CARGO_BIN_EXE_nimatron"))
        .args(args)
        .env_remove("COLUMNS")
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .stdout(clone())
        .stderr(clone())
        .spawn()
        .unwrap();
    drop(terminal);
    let reader = std::thread::spawn(move || {
        let (mut master, mut all) = (File::from(master), Vec::new());
        // When nobody holds the terminal any more, reading fails.
        let _ = master.read_to_end(&mut all);
        String::from_utf8_lossy(&all).into_owned()
    });
    std::thread::sleep(a_while);
    let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    child.wait().unwrap();
    reader.join().unwrap()
}

/// What stays on the screen: a carriage return goes back, and what follows it is cleared.
fn screen(sent: &str) -> Vec<String> {
    let plain = |line: &str| {
        let shown = line.rsplit('\r').find(|part| !part.is_empty()).unwrap_or("");
        shown
            .replace("\u{1b}[K", "")
            .split('\u{1b}')
            .enumerate()
            .map(|(i, part)| match i {
                0 => part.to_string(),
                _ => part.split_once('m').map_or("", |(_, rest)| rest).to_string(),
            })
            .collect::<String>()
    };
    sent.split('\n').map(|line| plain(line.trim_end_matches('\r'))).collect()
}

#[test]
fn the_line_of_progress_is_cleared() {
    let table = ["table", "CN(8,3)", "--max", "23", "--limit", "1", "--engine", "line"];
    for args in [table.as_slice(), &["discover", "CN(6,2)"]] {
        let sent = on_a_terminal(40, args, Duration::from_millis(2600));
        let progress = |line: &str| {
            line.contains("s left") || line.contains("Ctrl-C stops") || line.contains("[=")
        };
        assert!(sent.contains("\r\u{1b}[K"), "progress was shown: {sent:?}");
        let left = screen(&sent);
        assert!(left.iter().any(|line| line.contains("CN(")), "{left:?}");
        assert!(!left.iter().any(|line| progress(line)), "{left:?}");
        assert!(left.iter().all(|line| line.chars().count() <= 40), "{left:?}");
        // Each line of progress fits, so that it can be cleared.
        let shown = sent.split('\r').filter(|part| progress(part));
        assert!({ shown }.all(|part| part.trim_end_matches("\u{1b}[K").chars().count() < 40));
    }
}

#[test]
fn the_terminal_tells_its_width() {
    let sent = on_a_terminal(45, TEXTS[0], Duration::from_millis(1500));
    let lines = screen(&sent);
    assert!(lines.iter().all(|line| line.chars().count() <= 45), "{lines:?}");
    assert!(lines.iter().any(|line| line.chars().count() > 40), "{lines:?}");
}
