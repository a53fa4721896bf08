//! Proofs as text and JSON: what was proved, discovered, or checked.

use crate::kernel::Opinion;
use crate::proofs::{
    Attempt, Comparison, Discovery, Examination, Found, Judgement, ProofKind, Proving, Refutation,
    Size, Undecided,
};
use crate::render::guess::{GuessAnswer, laws};
use crate::render::json::{self, CounterexampleAnswer, Limit};
use crate::render::palette::{Palette, paint};
use crate::render::verdict::capital;
use crate::render::words::{count, list, thousands};
use crate::{Height, Position, Stop};
use nimatron_game::StackSet;
use nimatron_prove::matryoshka::{Emptied, Sheet, Solution};
#[cfg(feature = "serde")]
use serde::Serialize;
use std::time::Duration;

/// Where a proof was written to.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The file asked for.
    pub out: Option<String>,
    /// The file in the store.
    pub saved: Option<String>,
    /// The file it was kept in because it could not be written to where it was asked for.
    pub kept: Option<String>,
    /// The certificate itself, if there was no place for it at all.
    pub text: Option<String>,
}

/// What became of an attempt to prove a formula.
pub fn proving(p: &Proving, written: &Written, palette: &Palette) -> String {
    let mut out = paint(palette.title, &palette.wrap(&p.game.to_string(), "  ")) + "\n";
    out += &(palette.wrap(&format!("  {}", p.formula), "    ") + "\n\n");
    match &p.judgement {
        Judgement::Proved(found) => {
            out += &(paint(palette.win, "proved for all heights") + "\n");
            out += &how_to_win(found, palette);
            out += &account(found, written, palette);
            if found.proved.kind() == ProofKind::Automaton {
                out += &paragraph(
                    palette,
                    match found.proved.formula() {
                        Some(_) => "The formula is verified too.",
                        None => {
                            "The certificate is about the automaton alone: to verify the formula too is \
                         beyond the limits of the checker. That the one was made from the other \
                         rests on the program that finds proofs."
                        }
                    },
                );
            }
            out += &homeless(written, palette);
        }
        Judgement::Refuted(example) => {
            out += &(paint(palette.loss, "not the P-positions") + "\n");
            out += &paragraph(palette, &refutation(example));
        }
        Judgement::Undecided(why) => {
            out += &(paint(palette.open, "not decided") + "\n");
            out += &paragraph(palette, &format!("{}.", capital(&why.to_string())));
        }
    }
    out
}

/// What became of a search for the P-positions of a game.
pub fn discovery(d: &Discovery, written: &Written, palette: &Palette) -> String {
    let mut out = paint(palette.title, &palette.wrap(&d.game.to_string(), "  ")) + "\n";
    let Some(found) = &d.found else {
        out += &(paint(palette.open, "not found") + "\n");
        out += &section("Tried", palette);
        d.attempts.iter().for_each(|attempt| out += &paragraph(palette, &capital(&tried(attempt))));
        if let Some(height) = d.largest_box() {
            out += &section("Known", palette);
            out += &paragraph(
                palette,
                &format!(
                    "The P-positions with heights up to {height} were computed; `nimatron table` lists \
                 them. Nothing is proved about taller stacks."
                ),
            );
        }
        if let Some(guess) = d.guess.as_deref().filter(|guess| !guess.laws.is_empty()) {
            out += &section("Noticed, as evidence", palette);
            out += &laws(guess, palette);
        }
        return out;
    };
    out += &(paint(palette.win, "proved for all heights") + "\n");
    out += &section("P-positions", palette);
    out += &paragraph(
        palette,
        &match found.proved.formula() {
            Some(formula) => formula,
            None => {
                capital(&found.proved.set())
                    + " that reads the binary digits of all heights \
                 in parallel, the most significant first."
            }
        },
    );
    let in_words = found.games.is_some() && found.proved.has_formula();
    if let Some(equations) = found.equations.as_ref().filter(|_| !in_words) {
        let list = list(&equations.list);
        out += &paragraph(
            palette,
            &match equations.suffice {
                Some(true) => format!("The same by equations: {list}."),
                Some(false) => format!("All of them satisfy {list}, and so do N-positions."),
                None => format!("All of them satisfy {list}."),
            },
        );
    }
    if let Some(cells) = found.in_vain {
        let far = match cells {
            0 => String::new(),
            _ => format!(", {} apart", count(cells as u128, "cell")),
        };
        out += &paragraph(
            palette,
            &format!("No formula was found for all of them within the limits{far}."),
        );
    }
    out += &how_to_win(found, palette);
    if let Some(solution) = &found.games {
        out += &cheat_sheets(solution, palette);
    }
    out += &account(found, written, palette);
    if found.proved.has_formula() {
        out += &paragraph(palette, "The formula is verified too.");
    }
    out + &homeless(written, palette)
}

/// The strategy in words, if there is one.
fn how_to_win(found: &Found, palette: &Palette) -> String {
    let Some(strategy) = &found.strategy else { return String::new() };
    let lines = strategy.lines().map(|line| palette.wrap(&format!("  {line}"), "      ") + "\n");
    section("How to win", palette) + &lines.collect::<String>()
}

/// What became of a search for a proof in the course of a question.
pub(crate) fn searched(d: &Discovery, written: &Written, palette: &Palette) -> String {
    let Some(found) = &d.found else {
        return d
            .attempts
            .iter()
            .map(|attempt| paragraph(palette, &capital(&tried(attempt))))
            .collect();
    };
    let keep = match &written.saved {
        Some(path) => format!("It is kept in {path}."),
        None => "Keep it with --save.".to_string(),
    };
    let set = match found.proved.formula() {
        Some(formula) => formula,
        None => found.proved.set().to_string(),
    };
    let (game, kind) = (&d.game, by(found.proved.kind()));
    let what = format!("The P-positions of {game}, for all heights, {kind}: {set}.");
    paragraph(palette, &what) + &paragraph(palette, &keep)
}

/// What the checker says about a certificate.
pub fn examination(e: &Examination, name: &str, palette: &Palette) -> String {
    let game = e.game.as_ref().map_or(name.to_string(), |game| game.to_string());
    let mut out = paint(palette.title, &palette.wrap(&game, "  ")) + "\n";
    if let Some(refusal) = &e.refusal {
        out += &(paint(palette.loss, "rejected") + "\n");
        return out + &paragraph(palette, &format!("{}: {refusal}.", refusal.obligation()));
    }
    out += &(paint(palette.win, "accepted") + "\n");
    let kind = e.kind.map_or("", by);
    out += &paragraph(
        palette,
        &format!(
            "Exactly the following positions are the P-positions, for all heights. The proof is {kind}."
        ),
    );
    let set = e.set.as_deref().unwrap_or_default();
    if e.kind == Some(ProofKind::Matryoshka) && e.formula.as_deref() != Some(set) {
        let formula = e.formula.as_deref().unwrap_or_default();
        out += &("\n".to_string() + &paragraph(palette, formula) + "\n");
        let text = format!(
            "The formula is verified too: it holds at the sums of generators {set}, and nowhere else."
        );
        return out + &paragraph(palette, &text);
    }
    if e.kind != Some(ProofKind::Automaton) {
        return out + "\n" + &paragraph(palette, set);
    }
    match &e.formula {
        Some(formula) => {
            out += &("\n".to_string() + &paragraph(palette, formula) + "\n");
            out + &paragraph(
                palette,
                &format!(
                    "The formula is verified too: it holds at the positions {set}, and nowhere else."
                ),
            )
        }
        None => {
            out += &("\n".to_string() + &paragraph(palette, set) + "\n");
            out + &paragraph(
                palette,
                "The certificate has no formula; it is about the automaton alone.",
            )
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
    section("Compared", palette) + &paragraph(palette, &text)
}

/// A comparison that ended early: what the checker said still stands.
pub fn comparison_stopped(stop: Stop, palette: &Palette) -> String {
    let text = format!("The comparison with the table was not finished: {stop}.");
    section("Compared", palette) + &paragraph(palette, &text)
}

/// What the Coq kernel says.
pub fn opinion(o: &Opinion, version: &str, palette: &Palette) -> String {
    let (title, text) = (section("Coq kernel", palette), format!("{version}: "));
    title
        + &paragraph(
            palette,
            &match o {
                Opinion::Accepted => {
                    text + "accepted. The theorem is closed under the global context: it rests on no axiom."
                }
                Opinion::Rejected(words) => format!("{text}rejected. {words}"),
            },
        )
}

fn section(title: &str, palette: &Palette) -> String {
    format!("\n{}\n", paint(palette.heading, title))
}

fn paragraph(palette: &Palette, text: &str) -> String {
    palette.wrap(&format!("  {text}"), "  ") + "\n"
}

/// The kind of proof, after "the proof is".
pub(super) fn by(kind: ProofKind) -> &'static str {
    match kind {
        ProofKind::Regions => "by regions: linear arithmetic",
        ProofKind::Matryoshka => "by games within games",
        ProofKind::Automaton => "by an automaton",
    }
}

/// How large a proof is, in words.
pub(super) fn size(size: Size) -> String {
    match size {
        Size::Regions { branches, rules, nodes } => format!(
            "{}, {} up to symmetry, {}",
            count(branches as u128, "branch"),
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
    }
}

/// How the proof was found, how large it is, and where it went.
pub(super) fn account(found: &Found, written: &Written, palette: &Palette) -> String {
    let mut out = section("Proof", palette);
    let (search, check) = (seconds(found.search), seconds(found.check));
    let bytes = thousands(found.bytes as u128);
    let (kind, size) = (capital(by(found.proved.kind())), size(found.size));
    out += &paragraph(palette, &format!("{kind}: {size}."));
    out +=
        &paragraph(palette, &format!("Found in {search} s, accepted by the checker in {check} s."));
    out += &paragraph(palette, &format!("The certificate has {bytes} bytes."));
    for (verb, path) in [("Written to", &written.out), ("Saved as", &written.saved)] {
        if let Some(path) = path {
            out += &paragraph(palette, &format!("{verb} {path}"));
        }
    }
    if let Some(path) = &written.kept {
        let text = format!("It could not be written to where it was asked for. Kept in {path}");
        out += &paragraph(palette, &text);
    }
    out
}

/// The certificate itself, if there was no place for it. It stands at the end, where it is easily cut off.
fn homeless(written: &Written, palette: &Palette) -> String {
    let Some(text) = &written.text else { return String::new() };
    paragraph(palette, "It could not be written anywhere:") + text.trim_end() + "\n"
}

fn seconds(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64())
}

/// The games within each other, the outermost first.
fn cheat_sheets(solution: &Solution, palette: &Palette) -> String {
    let mut out = section("Cheat sheet", palette);
    let (sheets, whole) = (solution.sheets(), solution.whole());
    let sums: Vec<String> = whole.sums.iter().map(|&sum| in_sum(sum)).collect();
    let own = (0..solution.game().stacks()).map(|s| in_sum(StackSet::single(s)));
    if !own.eq(sums.iter().cloned()) {
        let game = solution.game();
        let empty = match whole.everywhere.is_empty() {
            true => String::new(),
            false => format!(" if {} must be empty", whole.everywhere),
        };
        let (number, at) = (whole.sheet, sums.join(","));
        out += &paragraph(palette, &format!("{game} is game {number} at ({at}){empty}"));
    }
    for (number, sheet) in sheets.iter().enumerate().rev() {
        for (i, line) in sheet.to_string().lines().enumerate() {
            let line = match i {
                0 => format!("  game {number}, {line}"),
                _ => format!("  {line}"),
            };
            out += &(palette.wrap(&line, "        ") + "\n");
        }
    }
    out
}

/// The stacks that are added up: `d+e`.
pub(super) fn in_sum(stacks: StackSet) -> String {
    let each: Vec<String> = stacks.iter().map(|s| StackSet::single(s).to_string()).collect();
    each.join("+")
}

pub(super) fn refutation(example: &Refutation) -> String {
    match example {
        Refutation::Claimed { position, take, to } => format!(
            "The formula holds at {position}, but taking {take} leaves {to}, where it holds as well."
        ),
        Refutation::Missed { position } => format!(
            "The formula does not hold at {position}, but no move leads to a position where it does."
        ),
        Refutation::Terminal { position } => format!(
            "The formula holds at {position}, where no move is left, which wins under misere play."
        ),
    }
}

/// The method that was tried, and why it was in vain.
pub(super) fn tried(attempt: &Attempt) -> String {
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
    }
}

fn multiple(position: &Position, factor: Height) -> String {
    let heights: Vec<String> =
        position.iter().map(|&h| (u128::from(h) * u128::from(factor)).to_string()).collect();
    format!("({})", heights.join(","))
}

/// The answer to `prove` and `discover`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
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
    /// The games within each other, smaller ones first; each in its own letters.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    sheets: Vec<SheetAnswer>,
    /// Which of them is the game itself with all reductions applied, and what its stacks stand for.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    whole: Option<RowAnswer>,
    /// Where the certificate was written to.
    certificate: Option<String>,
    saved: Option<String>,
    /// Where it was kept because it could not be written there.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    kept: Option<String>,
    /// The certificate as text, if it could not be written anywhere.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    certificate_text: Option<String>,
    counterexample: Option<CounterexampleAnswer<MoveAnswer>>,
    strategy: Option<String>,
    size: Option<SizeAnswer>,
    bytes: Option<usize>,
    seconds: f64,
    check_seconds: Option<f64>,
    attempts: Vec<AttemptAnswer>,
    largest_box: Option<u64>,
    /// If nothing was found: laws that hold at all P-positions of a small box, if there was the time to look
    /// for them. Evidence only.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    noticed: Option<Option<GuessAnswer>>,
    limit: Option<Limit>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct SheetAnswer {
    game: Option<String>,
    /// The invariant vectors.
    vectors: Vec<String>,
    /// Whether every P-position has an empty stack.
    some_stack_empty: bool,
    rows: Vec<RowAnswer>,
}

/// What is left of a game when stacks are empty.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct RowAnswer {
    empty: String,
    /// Stacks that lie in every set then: they are empty in P-positions.
    everywhere: String,
    /// The number of the game that is left, from 0.
    sheet: usize,
    /// For each of its stacks, the stacks whose sum it holds.
    at: Vec<String>,
}

impl From<&Sheet> for SheetAnswer {
    fn from(sheet: &Sheet) -> Self {
        SheetAnswer {
            game: sheet.game.as_ref().map(|game| game.to_string()),
            vectors: sheet.vectors.iter().map(|v| v.to_string()).collect(),
            some_stack_empty: sheet.positive,
            rows: sheet.rows.iter().map(RowAnswer::from).collect(),
        }
    }
}

impl From<&Emptied> for RowAnswer {
    fn from(row: &Emptied) -> Self {
        RowAnswer {
            empty: row.stacks.to_string(),
            everywhere: row.everywhere.to_string(),
            sheet: row.sheet,
            at: row.sums.iter().map(|&sum| in_sum(sum)).collect(),
        }
    }
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct MoveAnswer {
    take: Vec<u64>,
    to: Vec<u64>,
}

/// Only what the kind of proof has.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct SizeAnswer {
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    branches: Option<usize>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    rules: Option<usize>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    nodes: Option<usize>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    games: Option<usize>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    cells: Option<usize>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    weights: Option<usize>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    states: Option<usize>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    macrostates: Option<usize>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct AttemptAnswer {
    method: &'static str,
    text: String,
    /// A P-position of which the multiple by `factor` is an N-position.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    position: Option<Vec<u64>>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    factor: Option<u64>,
}

impl ProofAnswer {
    fn new(game: String, found: Option<&Found>, time: Duration, written: &Written) -> Self {
        let equations = found.and_then(|f| f.equations.as_ref());
        let solution = found.and_then(|f| f.games.as_deref());
        ProofAnswer {
            game,
            proved: found.is_some(),
            method: found.map(|f| f.proved.kind().as_str()),
            formula: found.and_then(|f| f.proved.formula()),
            formula_verified: found.map(|f| f.proved.formula().is_some()),
            equations: equations.map_or(Vec::new(), |e| e.list.clone()),
            equations_suffice: equations.and_then(|e| e.suffice),
            sheets: solution
                .map_or(Vec::new(), |s| s.sheets().iter().map(SheetAnswer::from).collect()),
            whole: solution.map(|s| RowAnswer::from(&s.whole())),
            certificate: written.out.clone(),
            saved: written.saved.clone(),
            kept: written.kept.clone(),
            certificate_text: written.text.clone(),
            counterexample: None,
            strategy: found.and_then(|f| f.strategy.clone()),
            size: found.map(|f| measures(f.size)),
            bytes: found.map(|f| f.bytes),
            seconds: time.as_secs_f64(),
            check_seconds: found.map(|f| f.check.as_secs_f64()),
            attempts: Vec::new(),
            largest_box: None,
            noticed: None,
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
        answer.noticed = found.is_none().then(|| d.guess.as_deref().map(GuessAnswer::from));
        answer.limit = d.stop.filter(|_| found.is_none()).map(Limit::from);
        answer
    }
}

fn counterexample(example: &Refutation) -> Option<CounterexampleAnswer<MoveAnswer>> {
    let (position, kind, shown) = match example {
        Refutation::Claimed { position, take, to } => {
            let shown = MoveAnswer { take: take.to_vec(), to: to.to_vec() };
            (position, "claimed", Some(shown))
        }
        Refutation::Missed { position } => (position, "missed", None),
        Refutation::Terminal { position } => (position, "terminal", None),
    };
    Some(CounterexampleAnswer { position: position.to_vec(), kind, shown })
}

fn measures(size: Size) -> SizeAnswer {
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
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
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
    /// What stopped the comparison, if something did.
    limit: Option<Limit>,
    /// What the Coq kernel said, if it was asked.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    kernel: Option<KernelAnswer>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[cfg_attr(not(feature = "serde"), allow(dead_code))]
struct KernelAnswer {
    accepted: bool,
    version: String,
    message: Option<String>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct ComparisonAnswer {
    agrees: bool,
    max: u64,
    positions: u128,
    p_count: u64,
    differs: Option<Vec<u64>>,
}

impl VerifyAnswer {
    /// With what stopped a comparison.
    pub fn stopped(mut self, stop: Option<Stop>) -> Self {
        self.limit = stop.map(Limit::from);
        self
    }

    /// With what the Coq kernel said; both must accept.
    pub fn kernel(mut self, opinion: Option<(&Opinion, &str)>) -> Self {
        self.kernel = opinion.map(|(opinion, version)| KernelAnswer {
            accepted: *opinion == Opinion::Accepted,
            version: version.to_string(),
            message: match opinion {
                Opinion::Accepted => None,
                Opinion::Rejected(words) => Some(words.clone()),
            },
        });
        let refused = self.kernel.as_ref().filter(|kernel| !kernel.accepted);
        if let Some(kernel) = refused.filter(|_| self.accepted) {
            self.accepted = false;
            self.failed = Some("kernel");
            self.message.clone_from(&kernel.message);
        }
        self
    }

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
            kind: e.kind.map(ProofKind::as_str),
            set: e.set.clone(),
            failed: e.refusal.as_ref().map(|refusal| refusal.obligation()),
            message: e.refusal.as_ref().map(|refusal| refusal.to_string()),
            compared: None,
            limit: None,
            kernel: None,
        }
    }
}
