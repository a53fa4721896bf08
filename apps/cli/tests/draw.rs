//! Figures and articles.

mod gallery;
#[path = "../../../crates/draw/tests/support/boxes.rs"]
mod text;

use gallery::GALLERY;
use nimatron::crates::draw::{Anchor, Point, Run, measure};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use text::boxes;

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nimatron")).args(args).output().unwrap()
}

fn printed(args: &[&str]) -> String {
    let output = run(args);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{args:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/figures")
}

/// With NIMATRON_BLESS set, the gallery is written anew.
#[test]
fn the_gallery_is_current_and_no_label_lies_on_another() {
    for (name, args) in GALLERY {
        let svg = printed(&[&["draw"], args].concat());
        let boxes = boxes(&svg);
        for (i, (text, area)) in boxes.iter().enumerate() {
            for (other, beside) in &boxes[i + 1..] {
                assert!(!area.meets(beside), "{name}: {text:?} on {other:?}");
            }
        }
        assert!(svg.contains("<title>") && svg.contains("<desc>"));
        let file = docs().join(format!("{name}.svg"));
        if std::env::var_os("NIMATRON_BLESS").is_some() {
            std::fs::create_dir_all(docs()).unwrap();
            std::fs::write(&file, &svg).unwrap();
        }
        let kept = std::fs::read_to_string(&file).unwrap();
        assert_eq!(kept, svg, "{name}: NIMATRON_BLESS=1 writes the gallery anew");
    }
}

#[test]
fn figures_as_tikz_and_json() {
    for (name, args) in GALLERY {
        let tikz = printed(&[&["draw"], args, &["--tikz"]].concat());
        assert!(tikz.contains("\\begin{tikzpicture}") && !tikz.contains("documentclass"), "{name}");
        let alone = printed(&[&["draw"], args, &["--standalone"]].concat());
        assert!(alone.starts_with("\\documentclass"), "{name}");
        let json: serde_json::Value =
            serde_json::from_str(&printed(&[&["draw"], args, &["--json"]].concat())).unwrap();
        assert!(json["width"].as_f64().unwrap() > 0.0, "{name}");
        assert!(json["items"].as_array().unwrap().iter().all(|i| i["shape"].is_string()), "{name}");
    }
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let cases: &[(&[&str], i32, &str)] = &[
        (&["draw", "CN(20,3)", "--layout", "ring"], 2, "do not fit on a circle"),
        (
            &["draw", "Nim(3)", "--what", "structure", "--formula", "xor(a,b,c) = 0"],
            2,
            "no structure",
        ),
        (&["draw", "CN(6,2)", "--what", "structure"], 3, "no formula"),
        (&["draw", "CN(6,2)", "--what", "automaton", "--time", "0.1s"], 3, "is known, and none"),
        (&["draw", "CN(7,3)", "3,5,4,2,1,6,3", "--take", "1,0,0,1,0,0,0"], 2, "error"),
        (&["draw", "CN(7,3)", "--what", "position"], 2, "a position is needed"),
        (&["draw", "CN(7,3)", "--axes", "ab"], 2, "--axes does nothing here"),
        (&["draw", "CN(7,3)", "--point", "z"], 2, "no 'z'"),
        (&["draw", "CN(4,2)", "--what", "slice", "--max", "9999"], 2, "at most 64"),
        (&["draw", "CN(14,2)", "--what", "subgames"], 2, "subgames"),
        (&["draw", "Slow(4,{3})", "--what", "circuits"], 2, "circuits"),
        (&["draw", "CN(5,3)", "--out", "/nonexistent/a.svg"], 4, "/nonexistent/a.svg"),
        (&["draw", "CN(5,3)", "--force"], 2, "--force does nothing here"),
        (&["paper", "CN(5,3)", "--out", "/nonexistent/a"], 4, "/nonexistent/a"),
        (&["paper", "CN(5,3)", "a = 0", "--out", "nowhere-at-all"], 2, "does not describe"),
    ];
    for (args, status, message) in cases {
        let output = run(args);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(*status), "{args:?}: {error}");
        assert!(error.contains(message), "{args:?}: {error}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    assert!(!Path::new("nowhere-at-all").exists());
}

/// What fails leaves nothing behind: neither a file, nor a part of one, nor a directory.
#[test]
fn nothing_is_half_written() {
    let place = place("half");
    std::fs::create_dir_all(&place).unwrap();
    let file = place.join("file");
    std::fs::write(&file, "kept").unwrap();
    let path = |name: &str| place.join(name).to_str().unwrap().to_string();
    let cases: &[(&[&str], i32)] = &[
        (&["paper", "CN(5,3)", "--out", &path("file/article")], 4),
        (&["paper", "CN(5,3)", "--out", &path("file")], 4),
        (&["paper", "CN(5,3)", "--out", &path("missing/article")], 4),
        (&["paper", "CN(5,3)", "a = 0", "--out", &path("wrong")], 2),
        (&["paper", "CN(6,2)", "--out", &path("open"), "--time", "200ms"], 3),
        (&["paper", "CN(5,3)", "--pages", "2", "--out", &path("short")], 2),
        (&["draw", "CN(20,3)", "--layout", "ring", "--out", &path("large.svg")], 2),
        (&["draw", "CN(14,2)", "--what", "subgames", "--out", &path("many.svg")], 2),
        (
            &[
                "draw",
                "Nim(3)",
                "--what",
                "structure",
                "--formula",
                "xor(a,b,c) = 0",
                "--out",
                &path("s.svg"),
            ],
            2,
        ),
        (&["draw", "CN(5,3)", "--out", &path("file/a.svg")], 4),
        (&["draw", "CN(5,3)", "--out", &path("file")], 4),
        (&["graph", "Nim(3)", "9,9,9", "--limit", "2000", "--svg"], 2),
    ];
    for (args, status) in cases {
        let output = run(args);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(*status), "{args:?}: {error}");
        assert!(error.starts_with("error: "), "{args:?}: {error}");
        assert!(output.stdout.is_empty(), "{args:?}");
        let left: Vec<_> =
            std::fs::read_dir(&place).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(left, ["file"], "{args:?}");
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "kept");
    std::fs::remove_dir_all(&place).unwrap();
}

/// A program without the painter says so; one with it paints.
#[test]
fn png_is_painted_or_refused() {
    let place = place("png");
    std::fs::create_dir_all(&place).unwrap();
    let file = place.join("position.png");
    let output = run(&["draw", "CN(5,3)", "0,3,1,2,3", "--png", file.to_str().unwrap()]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    if cfg!(feature = "png") && !error.contains("no font is installed") {
        assert!(output.status.success(), "{error}");
        let bytes = std::fs::read(&file).unwrap();
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.len() > 3000);
    } else {
        let status = if cfg!(feature = "png") { 2 } else { 5 };
        assert_eq!(output.status.code(), Some(status), "{error}");
        assert!(error.contains("PNG") || error.contains("no font"), "{error}");
        assert!(!file.exists());
    }
    std::fs::remove_dir_all(&place).unwrap();
}

/// A proof that is too long is cut, and the article says so.
#[test]
fn long_proofs_are_cut() {
    let article = |pages: &str| {
        let out = place(&format!("pages-{pages}"));
        printed(&[
            "paper",
            "NN(6,3)",
            "--pages",
            pages,
            "--out",
            out.to_str().unwrap(),
            "--format",
            "text",
        ]);
        let text = std::fs::read_to_string(out.join("article.txt")).unwrap();
        std::fs::remove_dir_all(&out).unwrap();
        text
    };
    let (all, some, few) = (article("all"), article("12"), article("6"));
    assert!(all.len() > 2 * some.len() && some.len() > few.len(), "{} {}", all.len(), some.len());
    for text in [&some, &few] {
        let told = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains("The proof is too long to be printed whole."));
        assert!(told.contains("`nimatron paper \"NN(6,3)\" --pages all --out DIR` prints them."));
        let (right, sums) = sums(text);
        assert_eq!(right, sums);
        // What is told to be left out and what is printed is all there is.
        let of = told.split("left out are ").nth(1).unwrap();
        let number = |word: &str| {
            let before: Vec<&str> = of.split(word).next().unwrap().split(' ').collect();
            let digits = |text: &str| text.replace(',', "").parse::<usize>().unwrap();
            let [left, _, whole, ..] = before[before.len() - 4..] else { panic!() };
            (digits(left), digits(whole))
        };
        let (left, whole) = number("sums");
        assert_eq!(left + sums, whole);
        assert_eq!(whole, self::sums(&all).1);
    }
    assert!(!all.contains("too long to be printed"));
    // What is printed of a case is all of it, and rules say where they lead.
    let whole = cases(&all);
    for text in [&some, &few] {
        let printed = cases(text);
        assert!(printed.len() > 10 && printed.len() < whole.len(), "{}", printed.len());
        for (name, said) in printed {
            assert_eq!(Some(&said), whole.get(&name), "{name}");
            if name.starts_with("Rule") {
                assert!(said.contains(", in B"), "{name}: {said}");
            }
        }
    }
}

/// Cases and rules of an article as text, each up to the next one.
fn cases(article: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut open: Option<String> = None;
    for line in article.lines() {
        let inside = line.trim();
        let name = inside.split_once(". ").map(|(name, _)| name);
        let begins = |word: &str| name.is_some_and(|name| name.starts_with(word));
        if inside.starts_with('(')
            || line.starts_with(char::is_alphabetic)
            || inside.starts_with("Symmetries")
        {
            open = None;
        }
        if begins("Case ") || begins("Rule R") {
            open = name.map(str::to_string);
        }
        if let Some(name) = &open {
            let said: &mut String = found.entry(name.clone()).or_default();
            said.push_str(inside);
            said.push('\n');
        }
    }
    found.into_iter().map(|(name, said)| (name, said.trim().to_string())).collect()
}

/// A linear form as it is printed: `2a-b'+3`.
fn form(text: &str) -> BTreeMap<String, i128> {
    let mut found = BTreeMap::new();
    let spaced = text.replace('-', " -").replace('+', " +");
    for term in spaced.split_whitespace() {
        let (sign, rest) = match term.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, term.trim_start_matches('+')),
        };
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let name = rest[digits.len()..].to_string();
        let factor = if digits.is_empty() { 1 } else { digits.parse::<i128>().unwrap() };
        *found.entry(name).or_insert(0) += sign * factor;
    }
    found
}

/// How many sums of an article add up to the contradictions that they claim, and how many there are. All is read
/// from the text.
fn sums(article: &str) -> (usize, usize) {
    let (mut right, mut all) = (0, 0);
    let mut total: BTreeMap<String, i128> = BTreeMap::new();
    let mut legal = true;
    for line in article.lines().map(str::trim) {
        if let Some((times, rest)) = line.split_once(" * (") {
            let times: i128 = times.parse().unwrap();
            let (inside, _) = rest.split_once(" 0)").unwrap();
            let inequality = inside.ends_with(">=");
            legal &= times >= 0 || !inequality;
            for (name, c) in form(inside.trim_end_matches(">=").trim_end_matches('=')) {
                *total.entry(name).or_insert(0) += times * c;
            }
        } else if let Some(rest) = line.strip_prefix("sum: ") {
            let claimed: i128 = rest.split_whitespace().next().unwrap().parse().unwrap();
            let constant = total.remove("").unwrap_or(0);
            let vanishes = total.values().all(|c| *c == 0);
            all += 1;
            right += usize::from(legal && vanishes && constant == claimed && claimed < 0);
            total.clear();
            legal = true;
        }
    }
    (right, all)
}

fn place(name: &str) -> PathBuf {
    let place = std::env::temp_dir().join(format!("nimatron-paper-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&place);
    place
}

/// What is left out of a proof is said at its end, and what is printed is said in words that hold.
#[test]
fn papers_say_what_they_leave_out() {
    let out = place("words");
    let paper = |game: &str| {
        printed(&["paper", game, "--out", out.to_str().unwrap(), "--pages", "5"]);
        let article = std::fs::read_to_string(out.join("article.tex")).unwrap();
        std::fs::remove_dir_all(&out).unwrap();
        article
    };
    let cut = paper("CN(5,2)");
    assert!(cut.contains("(The remaining cases, with "), "{cut}");
    assert!(cut.contains("\\begin{proof}\\renewcommand{\\qedsymbol}{}"), "{cut}");
    assert!(cut.contains("what is shown for these holds for all parts."), "{cut}");
    let misere = paper("misere CN(4,2)");
    assert!(misere.contains("does not accept and that has a move some move leads"), "{misere}");
    let automaton = paper("CN(6,4)");
    assert!(!automaton.contains("can be drawn"), "{automaton}");
    assert!(automaton.contains("The transitions of the automaton."), "{automaton}");
    let slow = paper("Slow(4,{1,2})");
    assert!(slow.contains("exactly one token from each stack of one set"), "{slow}");
    assert!(!slow.contains("& a P-position"), "{slow}");
}

/// What is not kept is looked for: CN(6,4) has a theorem with xor and no proof in the atlas.
#[test]
fn an_automaton_is_looked_for() {
    let drawn = printed(&["draw", "CN(6,4)", "--what", "automaton"]);
    assert!(drawn.contains("An automaton for the P-positions of CN(6,4)"), "{drawn}");
    assert_eq!(drawn.matches("data-role=\"state\"").count(), 2 * 16, "two bands of 16 states");
}

#[test]
fn every_printed_sum_is_a_contradiction() {
    // How many sums there are: nothing is shown twice.
    for (game, count) in [("CN(5,3)", 16), ("CN(6,3)", 7), ("CN(5,2)", 13), ("NN(6,3)", 133)] {
        let out = place("sums");
        printed(&["paper", game, "--out", out.to_str().unwrap(), "--format", "text"]);
        let article = std::fs::read_to_string(out.join("article.txt")).unwrap();
        let (right, all) = sums(&article);
        assert_eq!(all, count, "{game}");
        assert_eq!(right, all, "{game}");
        // A number changed is seen.
        let changed = article.replacen(" 1 * (", " 2 * (", 1);
        assert_ne!(sums(&changed).0, all, "{game}");
        assert!(run(&["verify", out.join("certificate.json").to_str().unwrap()]).status.success());
        std::fs::remove_dir_all(&out).unwrap();
    }
}

#[test]
fn articles_in_every_format() {
    let files = [("latex", "article.tex"), ("markdown", "article.md"), ("html", "article.html")];
    for (format, file) in files {
        let out = place(format);
        let args = ["paper", "CN(9,4)", "--out", out.to_str().unwrap(), "--format", format];
        printed(&args);
        let article = std::fs::read_to_string(out.join(file)).unwrap();
        assert!(article.contains("Game 1") && article.contains("certificate.json"), "{format}");
        let again = run(&args);
        assert_eq!(again.status.code(), Some(4), "{format}: the directory exists");
        std::fs::remove_dir_all(&out).unwrap();
    }
    assert!(printed(&["paper", "--style"]).contains("\\ProvidesPackage{nimatron}"));
}
