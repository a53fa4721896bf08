//! LaTeX of everything that is stated, and that it compiles.

mod gallery;

use gallery::GALLERY;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nimatron")).args(args).output().unwrap()
}

/// What a command prints, whatever its status.
fn printed(args: &[&str]) -> String {
    let output = run(args);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.stdout.is_empty(), "{args:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// Commands with `--latex`, what they print among other things, and their status.
const STATED: [(&[&str], &str, i32); 18] = [
    (&["solve", "CN(7,3)", "3,5,4,2,1,6,3"], r"A winning move takes $(1,2,0,0,0,0,2)$", 0),
    (&["solve", "CN(7,4)", "1,1,3,2,2,2,3"], r"take & leaving & reply & leaving \\", 0),
    (&["solve", "Set(ad,abc,bcd)", "2,3,5,4", "--all-moves"], r"\toprule", 0),
    (&["solve", "CN(7,4)", "1,1,3,2,2,2,3", "--after", "0,0,1,0,0,0,0"], "is a move. It loses", 0),
    (&["solve", "PN(3,2) + Nim(1)", "1,2,1,3"], r"$\mathrm{PN}(3,2) + \mathrm{Nim}(1)$", 0),
    (&["prove", "CN(5,3)"], r"\[ a = 0,\; b = e = c+d. \]", 0),
    (&["prove", "CN(5,3)", "sym(a = 0, b = e)"], "does not describe the P-positions", 1),
    (&["prove", "CN(4,2)", "a = c", "--necessary"], "is a P-position then it is of the form", 0),
    (&["discover", "CN(6,3)"], r"\begin{theorem}", 0),
    (&["discover", "Nim(3)"], r"$\oplus$ adds binary digits", 0),
    (&["discover", "CN(6,2)", "--time", "200ms"], "was found", 3),
    (&["table", "CN(5,2)", "--max", "4", "--orbits"], r"$a$ & $b$ & $c$ & $d$ & $e$ & orbit \\", 0),
    (&["table", "CN(3,2)", "--max", "2", "--grundy", "--limit", "all"], r"\end{longtable}", 0),
    (&["cheatsheet", "H"], r"\cite[Theorem~4.1]{KDH26}", 0),
    (&["theorems"], r"\begin{theorem}[{\cite[Theorem~3.1]{DH13}}]", 0),
    (&["theorems", "CN(7,4)"], r"\text{(4)}\enspace a = f,\; b+c = d+e = g+a", 0),
    (&["invariants", "CN(6,3)", "--max", "4"], "$ad$, $be$, $cf$, $ace$, $bdf$", 0),
    (&["invariants", "CN(32,16)"], "even a small box is too large", 3),
];

#[test]
fn everything_that_is_stated_has_latex() {
    for (args, expected, status) in STATED {
        let output = run(&[args, &["--latex"]].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(status), "{args:?}: {text}");
        assert!(text.contains(expected), "{args:?}: {text}");
        assert_eq!(text.matches('$').count() % 2, 0, "{args:?}: {text}");
        assert_eq!(text.matches("\\begin{").count(), text.matches("\\end{").count(), "{args:?}");
        let opened = text.matches('{').count() - text.matches("\\{").count();
        let closed = text.matches('}').count() - text.matches("\\}").count();
        assert_eq!(opened, closed, "{args:?}: {text}");
        assert!(
            text.chars().all(|c| !('\u{1d622}'..='\u{1d63b}').contains(&c)),
            "{args:?}: {text}"
        );
        // One form at a time.
        let both = run(&[args, &["--latex", "--json"]].concat());
        assert_eq!(both.status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn certificates_have_latex() {
    let place = place("certificate");
    let file = place.join("cn42.json");
    let path = file.to_str().unwrap();
    assert!(run(&["prove", "CN(4,2)", "--out", path]).status.success());
    let text = printed(&["verify", path, "--latex", "--compare", "3"]);
    assert!(text.contains(r"\begin{theorem}") && text.contains(r"\[ a = c,\; b = d. \]"), "{text}");
    assert!(text.contains("It agrees with a table of all 256 positions"), "{text}");
    let wrong = fs::read_to_string(&file).unwrap().replace("CN(4,2)", "CN(5,2)");
    fs::write(&file, wrong).unwrap();
    let output = run(&["verify", path, "--latex"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("is rejected"));
    fs::remove_dir_all(&place).unwrap();
}

/// Nothing in LaTeX is printed for those who did not ask for it.
#[test]
fn theorems_are_told_in_words() {
    for args in [&["theorems"][..], &["theorems", "--show", "cn-5-3"], &["theorems", "CN(6,4)"]] {
        let text = printed(args);
        assert!(!text.contains('$') && !text.contains('\\'), "{args:?}: {text}");
    }
    let twice = run(&["table", "CN(3,2)", "--max", "2", "--latex", "--format", "csv"]);
    assert_eq!(twice.status.code(), Some(2));
}

/// All macros that are used are defined in the style file, or are LaTeX's.
#[test]
fn macros_are_defined() {
    let style = printed(&["paper", "--style"]);
    for (args, ..) in STATED {
        let text = printed(&[args, &["--latex"]].concat());
        for used in text.split("\\nim").skip(1) {
            let name: String = used.chars().take_while(char::is_ascii_alphabetic).collect();
            assert!(style.contains(&format!("{{\\nim{name}}}")), "{args:?}: \\nim{name}");
        }
    }
}

fn place(name: &str) -> PathBuf {
    let place = std::env::temp_dir().join(format!("nimatron-latex-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    place
}

fn tex(directory: &Path, program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).current_dir(directory).output().ok()?;
    let log = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}: {log}", directory.display());
    Some(log)
}

/// Compiles a file as often as said; `None` if there is no LaTeX.
fn compile(directory: &Path, file: &str, often: usize) -> Option<String> {
    let args = ["-interaction=nonstopmode", "-halt-on-error", file];
    let mut log = String::new();
    for _ in 0..often {
        log = tex(directory, "pdflatex", &args)?;
    }
    if often > 1 {
        assert!(!log.contains("undefined"), "{log}");
    }
    Some(log)
}

/// Points by which lines stick out of the text.
fn widest(log: &str) -> f64 {
    let over = log.split("Overfull \\hbox (").skip(1).filter_map(|l| l.split("pt").next());
    over.filter_map(|points| points.parse::<f64>().ok()).fold(0.0, f64::max)
}

fn pages(log: &str) -> usize {
    let after = log.split("Output written on").nth(1).unwrap_or_default().replace('\n', "");
    let before = after.split(" page").next().unwrap_or_default();
    before.rsplit('(').next().and_then(|n| n.trim().parse().ok()).unwrap_or(0)
}

#[allow(clippy::print_stderr, reason = "what was skipped is said")]
fn papers(games: &[&str]) {
    for game in games {
        // Tests that run at the same time have places of their own.
        let name: String = game.chars().filter(char::is_ascii_alphanumeric).collect();
        let out = place(&format!("paper-{name}")).join("article");
        printed(&["paper", game, "--out", out.to_str().unwrap(), "--time", "1m"]);
        let Some(log) = compile(&out, "article.tex", 2) else {
            return eprintln!("skipped: pdflatex is not installed");
        };
        assert!(widest(&log) < 20.0, "{game}: lines stick out by {} points", widest(&log));
        assert!(pages(&log) <= 34, "{game}: {} pages", pages(&log));
        fs::remove_dir_all(out.parent().unwrap()).unwrap();
    }
}

/// A paper for each kind of proof, everything that is stated with its bibliography, and every figure.
#[test]
#[ignore = "needs LaTeX"]
#[allow(clippy::print_stderr, reason = "what was skipped is said")]
fn every_kind_of_document_compiles() {
    papers(&["CN(5,3)", "CN(9,4)", "Set(ab,ac,bc,ad)", "misere CN(4,2)"]);
    let out = place("stated");
    fs::write(out.join("nimatron.sty"), printed(&["paper", "--style"])).unwrap();
    fs::write(out.join("nim.bib"), printed(&["theorems", "--bibtex"])).unwrap();
    let mut all =
        String::from("\\documentclass{article}\n\\usepackage{nimatron}\n\\begin{document}\n");
    for (i, (args, ..)) in STATED.iter().enumerate() {
        fs::write(out.join(format!("s{i}.tex")), printed(&[args, &["--latex"][..]].concat()))
            .unwrap();
        all += &format!("\\section{{{}}}\\input{{s{i}}}\n", args[0]);
    }
    for (name, args) in GALLERY {
        let file = out.join(format!("{name}.tex"));
        let output = run(&[&["draw"], args, &["--tikz", "--out", file.to_str().unwrap()]].concat());
        assert!(output.status.success(), "{name}");
        all += &format!("\\clearpage\\nimfigure{{{name}}}\n");
    }
    all += "\\bibliographystyle{plain}\n\\bibliography{nim}\n\\end{document}\n";
    fs::write(out.join("all.tex"), all).unwrap();
    if compile(&out, "all.tex", 1).is_none() {
        return eprintln!("skipped: pdflatex is not installed");
    }
    if tex(&out, "bibtex", &["all"]).is_some() {
        let log = compile(&out, "all.tex", 2).unwrap_or_default();
        assert!(widest(&log) < 20.0, "lines stick out by {} points", widest(&log));
    }
    fs::remove_dir_all(&out).unwrap();
}

#[test]
#[ignore = "needs LaTeX, and takes a minute"]
fn the_longest_papers_compile() {
    papers(&["CN(6,3)", "CN(7,3)", "CN(7,4)", "CN(8,3)", "CN(8,6)", "NN(6,3)"]);
    papers(&["Slow(4,{1,2})", "CN(6,4)"]);
}
