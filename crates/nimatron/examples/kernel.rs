//! Has the Coq kernel check every certificate of the atlas and of the table of proofs, and writes what it
//! says into a page.
//!
//! `cargo run --release -p nimatron --example kernel docs/kernel.md [--all]`
//!
//! The part of the page between two marks is made anew. Times are those of the kernel on a processor, without
//! reading the file. What takes minutes is checked with `--all` only.
#![allow(clippy::print_stderr)]

use nimatron::atlas::Atlas;
use nimatron::crates::coq;
use nimatron::crates::formula::{Context, Formula};
use nimatron::crates::theory::recognise;
use nimatron::crates::verify::{Certificate, Proof};
use nimatron::kernel::Kernel;
use nimatron::proofs::{DiscoverMethod, Judgement, ProveMethod, discover, prove};
use nimatron::{Game, Limits, Unlimited};
use std::error::Error;
use std::fmt::Write;
use std::time::Duration;

const BEGIN: &str = "<!-- made by examples/kernel.rs: begin -->\n";
const END: &str = "<!-- made by examples/kernel.rs: end -->\n";

/// Certificates that take minutes, and where they are from.
const LONG: [(&str, &str); 3] =
    [("CN(11,4)", "atlas"), ("CN(7,4)", "discovered"), ("NN(10,5)", "theorem")];

/// Games whose automata are looked for under misere play, and others that take more or less than any amounts.
const FURTHER: [&str; 8] = [
    "misere Nim(3)",
    "misere PN(4,2)",
    "misere CN(5,2)",
    "misere Exact(3,2)",
    "misere Slow(3,{2})",
    "misere Nim(2)+Nim(1)",
    "Nim(1)+Nim(2)",
    "Slow(3,{1,2})",
];

/// Formulas that are proved by automata: stars with their bases, and some others.
const FORMULAS: [(&str, &str); 6] = [
    ("Set(ab,ac,ad,bcd)", "2a = b+c+d, xor(b,c,d) = 0"),
    ("Set(ab,ac,ad,ae,bcde)", "2a = b+c+d+e, xor(b,c,d,e) = 0"),
    ("Set(ab,ac,ad,ae,af,bcdef)", "2a = b+c+d+e+f, xor(b,c,d,e,f) = 0"),
    ("Nim(3)", "xor(a,b,c) = 0"),
    ("CN(4,2)", "a = c, b = d"),
    ("PN(3,2)", "a = c, b = 0"),
];

/// Theorems that are shown in full, besides those by formulas.
const SHOWN: [(&str, &str); 6] = [
    ("CN(5,3)", "theorem"),
    ("CN(7,4)", "theorem"),
    ("CN(9,4)", "atlas"),
    ("CN(12,5)", "atlas"),
    ("NN(6,3)", "theorem"),
    ("NN(6,3)", "discovered"),
];

/// A certificate, and where it is from.
struct Candidate {
    certificate: Certificate,
    from: &'static str,
}

impl Candidate {
    fn is_among(&self, list: &[(&str, &str)]) -> bool {
        list.contains(&(self.certificate.game.to_string().as_str(), self.from))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let page = arguments.next().ok_or("which page?")?;
    let all = arguments.next().is_some_and(|text| text == "--all");
    let text = std::fs::read_to_string(&page)?;
    let (before, rest) = text.split_once(BEGIN).ok_or("the page has no mark")?;
    let (_, after) = rest.split_once(END).ok_or("the page has no second mark")?;
    let cache = std::env::temp_dir().join("nimatron-gallery");
    std::fs::create_dir_all(&cache)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let kernel = Kernel::find(&path, &cache, &Unlimited)?;
    let (mut list, mut missing) = candidates()?;
    let is_long = |candidate: &Candidate| candidate.is_among(&LONG);
    for candidate in list.iter().filter(|candidate| !all && is_long(candidate)) {
        missing
            .push(format!("{} ({}): it takes minutes", candidate.certificate.game, candidate.from));
    }
    list.retain(|candidate| all || !is_long(candidate));
    let made = gallery(&kernel, &list, &missing)?;
    Ok(std::fs::write(&page, format!("{before}{BEGIN}{made}{END}{after}"))?)
}

/// The certificates, and what is missing and why.
fn candidates() -> Result<(Vec<Candidate>, Vec<String>), Box<dyn Error>> {
    let (mut list, mut missing): (Vec<Candidate>, Vec<String>) = (Vec::new(), Vec::new());
    for (game, formula) in FORMULAS {
        let game: Game = game.parse()?;
        let formula = Formula::parse(formula, &Context::of_game(&game))?;
        let proving = prove(&game, &formula, ProveMethod::Automata, &Limits::unlimited());
        let Judgement::Proved(found) = proving.judgement else { return Err("not proved".into()) };
        let certificate = found.proved.certificate().clone();
        list.push(Candidate { certificate, from: "formula" });
    }
    let atlas = Atlas::shipped();
    for entry in atlas.entries() {
        let certificate = atlas.certificate(entry)?;
        list.extend(certificate.map(|certificate| Candidate { certificate, from: "atlas" }));
    }
    for text in table_games() {
        let game: Game = text.parse()?;
        let known = |other: &Candidate| other.from == "atlas" && other.certificate.game == game;
        if !list.iter().any(known) {
            let limits = Limits::unlimited().time(Duration::from_secs(60));
            let found = discover(&game, DiscoverMethod::Auto, &limits).found;
            match found {
                Some(found) => {
                    let certificate = found.proved.certificate().clone();
                    list.push(Candidate { certificate, from: "discovered" });
                }
                None => missing.push(format!("{game}: no proof was found within a minute")),
            }
        }
    }
    for text in table_games().into_iter().chain(["NN(10,5)".to_string()]) {
        let game: Game = text.parse()?;
        if let Some(formula) = known(&game) {
            let limits = Limits::unlimited().time(Duration::from_secs(60));
            let Judgement::Proved(found) =
                prove(&game, &formula, ProveMethod::Regions, &limits).judgement
            else {
                missing.push(format!("{game} (theorem): not proved by regions within a minute"));
                continue;
            };
            let certificate = found.proved.certificate().clone();
            list.push(Candidate { certificate, from: "theorem" });
        }
    }
    for text in FURTHER {
        let game: Game = text.parse()?;
        let found = discover(&game, DiscoverMethod::Automata, &Limits::unlimited()).found;
        let certificate = found.ok_or("no automaton")?.proved.certificate().clone();
        list.push(Candidate { certificate, from: "discovered" });
    }
    let mut text = Vec::new();
    list.retain(|candidate| {
        let written = coq::write(&candidate.certificate, &mut text);
        text.clear();
        missing.extend(
            written.as_ref().err().map(|why| format!("{}: {why}", candidate.certificate.game)),
        );
        written.is_ok()
    });
    Ok((list, missing))
}

/// What the theorem library says, if it can be written without xor.
fn known(game: &Game) -> Option<Formula> {
    let found = recognise(game.single()?, game.convention())?;
    let text = found.solution().formula().filter(|text| !text.contains("xor"))?;
    Formula::parse(&text, &Context::of_game(game)).ok()
}

fn gallery(
    kernel: &Kernel,
    list: &[Candidate],
    missing: &[String],
) -> Result<String, Box<dyn Error>> {
    // Two halves at a time, of every second certificate.
    let halves: Vec<Vec<Certificate>> = (0..2)
        .map(|half| list.iter().skip(half).step_by(2).map(|c| c.certificate.clone()).collect())
        .collect();
    let times: Vec<Result<Vec<f64>, String>> = std::thread::scope(|scope| {
        let runs: Vec<_> =
            halves.iter().map(|half| scope.spawn(|| checked(kernel, half))).collect();
        runs.into_iter().map(|run| run.join().unwrap_or(Err("it broke off".into()))).collect()
    });
    let times = times.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut made = String::new();
    let total: f64 = times.iter().flatten().sum();
    writeln!(
        made,
        "{}: {} certificates, each accepted; the kernel took {total:.0} s. For each of them `Print Assumptions` says `Closed\n\
         under the global context`.\n",
        kernel.version(),
        list.len(),
    )?;
    if !missing.is_empty() {
        writeln!(made, "Not in this run:\n")?;
        for what in missing {
            writeln!(made, "* {what}")?;
        }
        writeln!(made)?;
    }
    writeln!(made, "| game | from | size | kernel, s |\n| --- | --- | --- | ---: |")?;
    for (number, candidate) in list.iter().enumerate() {
        let Candidate { certificate, from } = candidate;
        let size = match &certificate.proof {
            Proof::Matryoshka(proof) => {
                let cells = proof.parts.last().map_or(0, |part| part.cells.len());
                format!("{} parts, {cells} cells", proof.parts.len())
            }
            Proof::Automaton(proof) => {
                format!("{} states, {} macrostates", proof.dfa.states(), proof.macrostates.len())
            }
            Proof::Regions(proof) => {
                let (branches, rules) = (proof.branches.len(), proof.rules.len());
                format!("{branches} branches, {rules} rules, {} nodes", proof.coverage.len())
            }
            _ => String::new(),
        };
        let took = times[number % 2][number / 2];
        writeln!(made, "| {} | {from} | {size} | {took:.2} |", certificate.game)?;
    }
    writeln!(made, "\n### Some of the theorems\n")?;
    for candidate in list {
        if candidate.is_among(&SHOWN) || candidate.from == "formula" {
            let mut text = Vec::new();
            coq::write(&candidate.certificate, &mut text)?;
            let text = String::from_utf8(text)?;
            let from = text.rfind("Definition F ").or_else(|| text.rfind("Theorem "));
            let from = from.ok_or("no theorem")?;
            let theorem = text[from..].split("\nProof.").next().unwrap_or_default();
            writeln!(made, "```coq\n{theorem}\n```\n")?;
        }
    }
    Ok(made)
}

/// Has certificates checked, all in one file; by certificate the seconds that the kernel took.
fn checked(kernel: &Kernel, certificates: &[Certificate]) -> Result<Vec<f64>, String> {
    let mut text = Vec::new();
    coq::write_all(certificates, &mut text).map_err(|error| error.to_string())?;
    let text = String::from_utf8(text).map_err(|error| error.to_string())?;
    let text = text.replace("(eq_refl true). Qed.", "(eq_refl true). Time Qed.");
    let said = kernel.compile_text(&text, &Unlimited).map_err(|error| error.to_string())??;
    let (mut times, mut took) = (Vec::new(), 0.0);
    for line in said.lines() {
        if line.starts_with("Finished transaction") {
            // Finished transaction in 0.25 secs (0.24u,0.01s) (successful)
            let used = line.split('(').nth(1).and_then(|rest| rest.split('u').next());
            took += used.and_then(|used| used.parse::<f64>().ok()).ok_or("a time is missing")?;
        }
        if line.trim() == "Closed under the global context" {
            times.push(std::mem::take(&mut took));
        }
    }
    eprintln!("{} of {}", times.len(), certificates.len());
    if times.len() == certificates.len() { Ok(times) } else { Err(said) }
}

/// The games of the table of proofs.
fn table_games() -> Vec<String> {
    let named = "CN(3,2) CN(4,2) CN(5,2) CN(5,3) CN(6,3) CN(7,3) CN(8,3) CN(9,4) CN(10,4) CN(11,4) \
                 CN(12,5) CN(8,6) CN(7,4) CN(6,4) H Moore(4,2) Moore(5,2) Exact(4,2)";
    let mut games: Vec<String> = named.split(' ').map(str::to_string).collect();
    for n in 3..=8usize {
        games.extend((n.div_ceil(2)..n).map(|k| format!("PN({n},{k})")));
    }
    for n in 4..=9usize {
        games.extend(((n - 1).div_ceil(2)..n).map(|k| format!("NN({n},{k})")));
    }
    games
}
