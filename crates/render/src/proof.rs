//! Proofs as text and JSON: what was proved, discovered, or checked.

use crate::json::{self, Limit};
use crate::palette::{Palette, paint};
use crate::verdict::capital;
use crate::words::{count, list, thousands, wrap};
use nimatron::proofs::{
    Attempt, Comparison, Counterexample, Discovery, Examination, Found, Judgement, Kind, Proving,
    Size, Undecided,
};
use nimatron::prove::matryoshka::Sheet;
use nimatron::{Height, Position, Stop};
use serde::Serialize;
use std::time::Duration;

/// Where a proof was written to.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The file asked for.
    pub out: Option<String>,
    /// The file in the store.
    pub saved: Option<String>,
}

/// What became of an attempt to prove a formula.
pub fn proving(p: &Proving, written: &Written, palette: &Palette) -> String {
    let mut out = paint(palette.title, &wrap(&p.game.to_string(), "  ")) + "\n";
    out += &(wrap(&format!("  {}", p.formula), "    ") + "\n\n");
    match &p.judgement {
        Judgement::Proved(found) => {
            out += &(paint(palette.win, "proved for all heights") + "\n");
            if let Some(strategy) = &found.strategy {
                out += &section("How to win", palette);
                strategy
                    .lines()
                    .for_each(|line| out += &(wrap(&format!("  {line}"), "      ") + "\n"));
            }
            out += &account(found, written, palette);
            if found.proved.kind() == Kind::Automaton {
                out += &paragraph(match found.proved.formula() {
                    Some(_) => "The formula is verified too.",
                    None => {
                        "The certificate is about the automaton alone: to verify the formula too is \
                         beyond the limits of the checker. That the one was made from the other \
                         rests on the program that finds proofs."
                    }
                });
            }
        }
        Judgement::Refuted(example) => {
            out += &(paint(palette.loss, "not the P-positions") + "\n");
            out += &paragraph(&refutation(example));
        }
        Judgement::Undecided(why) => {
            out += &(paint(palette.open, "not decided") + "\n");
            out += &paragraph(&format!("{}.", capital(&why.to_string())));
        }
        _ => {}
    }
    out
}

/// What became of a search for the P-positions of a game.
pub fn discovery(d: &Discovery, written: &Written, palette: &Palette) -> String {
    let mut out = paint(palette.title, &wrap(&d.game.to_string(), "  ")) + "\n";
    let Some(found) = &d.found else {
        out += &(paint(palette.open, "not found") + "\n");
        out += &section("Tried", palette);
        d.attempts.iter().for_each(|attempt| out += &paragraph(&capital(&tried(attempt))));
        if let Some(height) = d.largest_box() {
            out += &section("Known", palette);
            out += &paragraph(&format!(
                "The P-positions with heights up to {height} were computed; `nimatron table` lists \
                 them. Nothing is proved about taller stacks."
            ));
        }
        return out;
    };
    out += &(paint(palette.win, "proved for all heights") + "\n");
    out += &section("P-positions", palette);
    out += &paragraph(&match found.proved.formula() {
        Some(formula) => formula,
        None => {
            capital(&found.proved.set())
                + " that reads the binary digits of all heights \
                 in parallel, the most significant first."
        }
    });
    if let Some(equations) = &found.equations {
        let list = list(&equations.list);
        out += &paragraph(&match equations.suffice {
            Some(true) => format!("The same by equations: {list}."),
            Some(false) => format!("All of them satisfy {list}, and so do N-positions."),
            None => format!("All of them satisfy {list}."),
        });
    }
    if let Some(solution) = found.proved.solution() {
        out += &cheat_sheets(&solution.sheets(), palette);
    }
    out + &account(found, written, palette)
}

/// What the checker says about a certificate.
pub fn examination(e: &Examination, name: &str, palette: &Palette) -> String {
    let game = e.game.as_ref().map_or(name.to_string(), |game| game.to_string());
    let mut out = paint(palette.title, &wrap(&game, "  ")) + "\n";
    if let Some(refusal) = &e.refusal {
        out += &(paint(palette.loss, "rejected") + "\n");
        return out + &paragraph(&format!("{}: {refusal}.", refusal.obligation()));
    }
    out += &(paint(palette.win, "accepted") + "\n");
    let kind = e.kind.map_or("", by);
    out += &paragraph(&format!(
        "Exactly the following positions are the P-positions, for all heights. The proof is {kind}."
    ));
    let set = e.set.as_deref().unwrap_or_default();
    if e.kind != Some(Kind::Automaton) {
        return out + "\n" + &paragraph(set);
    }
    match &e.formula {
        Some(formula) => {
            out += &("\n".to_string() + &paragraph(formula) + "\n");
            out + &paragraph(&format!(
                "The formula is verified too: it holds at the positions {set}, and nowhere else."
            ))
        }
        None => {
            out += &("\n".to_string() + &paragraph(set) + "\n");
            out + &paragraph("The certificate has no formula; it is about the automaton alone.")
        }
    }
}

/// What a comparison with a table says.
pub fn comparison(c: &Comparison, palette: &Palette) -> String {
    let heights = format!("heights 0 to {}", c.max);
    let text = match &c.differs {
        None => format!(
            "The same P-positions as in the table of {}, {heights}: {}.",
            count(c.positions, "position"),
            thousands(c.p_positions.into())
        ),
        Some(position) => format!("It differs from the table, {heights}, at {position}."),
    };
    section("Compared", palette) + &paragraph(&text)
}

fn section(title: &str, palette: &Palette) -> String {
    format!("\n{}\n", paint(palette.heading, title))
}

fn paragraph(text: &str) -> String {
    wrap(&format!("  {text}"), "  ") + "\n"
}

/// The kind of proof, after "the proof is".
fn by(kind: Kind) -> &'static str {
    match kind {
        Kind::Regions => "by regions: linear arithmetic",
        Kind::Matryoshka => "by games within games",
        Kind::Automaton => "by an automaton",
        _ => "of another kind",
    }
}

/// How the proof was found, how large it is, and where it went.
fn account(found: &Found, written: &Written, palette: &Palette) -> String {
    let size = match found.size {
        Size::Regions { branches, rules, nodes } => format!(
            "{}, {} up to symmetry, {}",
            count(branches as u128, "branch").replace("branchs", "branches"),
            count(rules as u128, "rule"),
            count(nodes as u128, "node")
        ),
        Size::Matryoshka { games, cells, weights } => format!(
            "{}, {}, {}",
            count(games as u128, "game"),
            count(cells as u128, "cell"),
            count(weights as u128, "weight")
        ),
        Size::Automaton { states, macrostates } => {
            format!(
                "{}, {}",
                count(states as u128, "state"),
                count(macrostates as u128, "macrostate")
            )
        }
        _ => String::new(),
    };
    let mut out = section("Proof", palette);
    let (search, check) = (seconds(found.search), seconds(found.check));
    let bytes = thousands(found.bytes as u128);
    out += &paragraph(&format!("{}: {size}.", capital(by(found.proved.kind()))));
    out += &paragraph(&format!("Found in {search} s, accepted by the checker in {check} s."));
    out += &paragraph(&format!("The certificate has {bytes} bytes."));
    for (verb, path) in [("Written to", &written.out), ("Saved as", &written.saved)] {
        if let Some(path) = path {
            out += &paragraph(&format!("{verb} {path}"));
        }
    }
    out
}

fn seconds(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64())
}

/// The games within each other, the outermost first.
fn cheat_sheets(sheets: &[Sheet], palette: &Palette) -> String {
    let mut out = section("Cheat sheet", palette);
    for (number, sheet) in sheets.iter().enumerate().rev() {
        for (i, line) in sheet.to_string().lines().enumerate() {
            let line = match i {
                0 => format!("  game {number}, {line}"),
                _ => format!("  {line}"),
            };
            out += &(wrap(&line, "        ") + "\n");
        }
    }
    out
}

fn refutation(example: &Counterexample) -> String {
    match example {
        Counterexample::Claimed { position, take, to } => format!(
            "The formula holds at {position}, but taking {take} leaves {to}, where it holds as well."
        ),
        Counterexample::Missed { position } => format!(
            "The formula does not hold at {position}, but no move leads to a position where it does."
        ),
        Counterexample::Terminal { position } => format!(
            "The formula holds at {position}, where no move is left, which wins under misere play."
        ),
        _ => String::new(),
    }
}

/// The method that was tried, and why it was in vain.
fn tried(attempt: &Attempt) -> String {
    match attempt {
        Attempt::Obstructed { position, factor } => {
            let times = multiple(position, *factor);
            format!(
                "games within games are impossible: such P-positions are closed under multiples, but \
                 {position} is a P-position and {factor} times it, {times}, is not."
            )
        }
        Attempt::Matryoshka(why) => format!("games within games: {why}."),
        Attempt::NoMatryoshka(why) => format!("games within games do not apply: {why}."),
        Attempt::Automata(why) => {
            format!("automata: {why}. This does not prove that there is none.")
        }
        Attempt::NoAutomata(why) => format!("automata do not apply: {why}."),
        Attempt::NotAccepted(why) => format!("a proof was found, but the checker says: {why}."),
        _ => String::new(),
    }
}

fn multiple(position: &Position, factor: Height) -> String {
    let heights: Vec<String> =
        position.iter().map(|&h| (u128::from(h) * u128::from(factor)).to_string()).collect();
    format!("({})", heights.join(","))
}

/// The answer to `prove` and `discover`.
#[derive(Clone, Debug, Serialize)]
pub struct ProofAnswer {
    game: String,
    proved: bool,
    /// The kind of proof.
    method: Option<&'static str>,
    /// The formula asked about, or that of the P-positions found.
    formula: Option<String>,
    /// Whether the checker has verified that the formula describes the P-positions.
    formula_verified: Option<bool>,
    /// Linear equations that hold at every P-position found.
    equations: Vec<String>,
    /// Whether only P-positions satisfy them all, if that is known.
    equations_suffice: Option<bool>,
    /// Where the certificate was written to.
    certificate: Option<String>,
    saved: Option<String>,
    counterexample: Option<CounterexampleAnswer>,
    strategy: Option<String>,
    size: Option<SizeAnswer>,
    bytes: Option<usize>,
    seconds: f64,
    check_seconds: Option<f64>,
    attempts: Vec<AttemptAnswer>,
    largest_box: Option<u64>,
    limit: Option<Limit>,
}

#[derive(Clone, Debug, Serialize)]
struct CounterexampleAnswer {
    position: Vec<u64>,
    kind: &'static str,
    #[serde(rename = "move")]
    shown: Option<MoveAnswer>,
}

#[derive(Clone, Debug, Serialize)]
struct MoveAnswer {
    take: Vec<u64>,
    to: Vec<u64>,
}

/// Only what the kind of proof has.
#[derive(Clone, Debug, Default, Serialize)]
struct SizeAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    branches: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    macrostates: Option<usize>,
}

#[derive(Clone, Debug, Serialize)]
struct AttemptAnswer {
    method: &'static str,
    text: String,
    /// A P-position of which the multiple by `factor` is an N-position.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<Vec<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    factor: Option<u64>,
}

impl ProofAnswer {
    fn new(game: String, found: Option<&Found>, time: Duration, written: &Written) -> Self {
        let equations = found.and_then(|f| f.equations.as_ref());
        ProofAnswer {
            game,
            proved: found.is_some(),
            method: found.map(|f| f.proved.kind().as_str()),
            formula: found.and_then(|f| f.proved.formula()),
            formula_verified: found.map(|f| f.proved.formula().is_some()),
            equations: equations.map_or(Vec::new(), |e| e.list.clone()),
            equations_suffice: equations.and_then(|e| e.suffice),
            certificate: written.out.clone(),
            saved: written.saved.clone(),
            counterexample: None,
            strategy: found.and_then(|f| f.strategy.clone()),
            size: found.map(|f| size(f.size)),
            bytes: found.map(|f| f.bytes),
            seconds: time.as_secs_f64(),
            check_seconds: found.map(|f| f.check.as_secs_f64()),
            attempts: Vec::new(),
            largest_box: None,
            limit: None,
        }
    }

    /// A formula proved, refuted, or neither.
    pub fn of_proving(p: &Proving, written: &Written) -> Self {
        let found = match &p.judgement {
            Judgement::Proved(found) => Some(&**found),
            _ => None,
        };
        let mut answer = ProofAnswer::new(p.game.to_string(), found, p.time, written);
        answer.formula = Some(p.formula.to_string());
        match &p.judgement {
            Judgement::Refuted(example) => answer.counterexample = counterexample(example),
            Judgement::Undecided(why) => {
                let kind = match why {
                    Undecided::Stopped(stop) => json::stop(*stop),
                    Undecided::Xor | Undecided::Unsupported(_) | Undecided::NoAutomaton(_) => {
                        "unsupported"
                    }
                    _ => "method",
                };
                answer.limit = Some(Limit { kind, text: why.to_string() });
            }
            _ => {}
        }
        answer
    }

    /// P-positions found, or not.
    pub fn of_discovery(d: &Discovery, written: &Written) -> Self {
        let found = d.found.as_deref();
        let mut answer = ProofAnswer::new(d.game.to_string(), found, d.time, written);
        answer.attempts = d.attempts.iter().map(attempt).collect();
        answer.largest_box = d.largest_box();
        let limit = |stop: Stop| Limit { kind: json::stop(stop), text: stop.to_string() };
        answer.limit = d.stop.filter(|_| found.is_none()).map(limit);
        answer
    }
}

fn counterexample(example: &Counterexample) -> Option<CounterexampleAnswer> {
    let (position, kind, shown) = match example {
        Counterexample::Claimed { position, take, to } => {
            let shown = MoveAnswer { take: take.to_vec(), to: to.to_vec() };
            (position, "claimed", Some(shown))
        }
        Counterexample::Missed { position } => (position, "missed", None),
        Counterexample::Terminal { position } => (position, "terminal", None),
        _ => return None,
    };
    Some(CounterexampleAnswer { position: position.to_vec(), kind, shown })
}

fn size(size: Size) -> SizeAnswer {
    let mut answer = SizeAnswer::default();
    match size {
        Size::Regions { branches, rules, nodes } => {
            answer.branches = Some(branches);
            answer.rules = Some(rules);
            answer.nodes = Some(nodes);
        }
        Size::Matryoshka { games, cells, weights } => {
            answer.games = Some(games);
            answer.cells = Some(cells);
            answer.weights = Some(weights);
        }
        Size::Automaton { states, macrostates } => {
            answer.states = Some(states);
            answer.macrostates = Some(macrostates);
        }
        _ => {}
    }
    answer
}

fn attempt(attempt: &Attempt) -> AttemptAnswer {
    let method = match attempt {
        Attempt::Automata(_) | Attempt::NoAutomata(_) => "automata",
        _ => "matryoshka",
    };
    let (position, factor) = match attempt {
        Attempt::Obstructed { position, factor } => (Some(position.to_vec()), Some(*factor)),
        _ => (None, None),
    };
    AttemptAnswer { method, text: tried(attempt), position, factor }
}

/// The answer to `verify`.
#[derive(Clone, Debug, Serialize)]
pub struct VerifyAnswer {
    accepted: bool,
    game: Option<String>,
    formula: Option<String>,
    kind: Option<&'static str>,
    /// The P-positions in words.
    set: Option<String>,
    /// The obligation that failed.
    failed: Option<&'static str>,
    message: Option<String>,
    /// What a comparison with a table said, if one was asked for.
    compared: Option<ComparisonAnswer>,
}

#[derive(Clone, Debug, Serialize)]
struct ComparisonAnswer {
    agrees: bool,
    max: u64,
    positions: u128,
    p_count: u64,
    differs: Option<Vec<u64>>,
}

impl VerifyAnswer {
    /// With what a comparison said.
    pub fn compared(mut self, comparison: Option<&Comparison>) -> Self {
        self.compared = comparison.map(|c| ComparisonAnswer {
            agrees: c.differs.is_none(),
            max: c.max,
            positions: c.positions,
            p_count: c.p_positions,
            differs: c.differs.as_ref().map(|position| position.to_vec()),
        });
        self
    }
}

impl From<&Examination> for VerifyAnswer {
    fn from(e: &Examination) -> Self {
        VerifyAnswer {
            accepted: e.refusal.is_none(),
            game: e.game.as_ref().map(|game| game.to_string()),
            formula: e.formula.clone(),
            kind: e.kind.map(Kind::as_str),
            set: e.set.clone(),
            failed: e.refusal.as_ref().map(|refusal| refusal.obligation()),
            message: e.refusal.as_ref().map(|refusal| refusal.to_string()),
            compared: None,
        }
    }
}
