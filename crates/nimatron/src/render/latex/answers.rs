//! Verdicts, theorems, cheat sheets and invariant vectors for papers.

use super::prose::{game_math, text};
use super::{body, stacks, statement};
use crate::render::invariants::{REFUTED_SHOWN, pair, shown};
use crate::render::reasons::sentences_for_print;
use crate::render::subgame::{status, zeros};
use crate::render::theorems::Entry;
use crate::render::verdict::{capital, open_sentence, worth_saying};
use crate::render::words::{Names, count, thousands};
use crate::structure::{Case, CheatSheet, Evidence, Invariants};
use crate::{After, By, Game, Outcome, Play, Verdict};
use nimatron_draw::document::{Block, Document, Math, Statement, Table, Text};
use nimatron_formula::{Context, Formula};
use nimatron_game::StackSet;
use nimatron_theory::invariance::Vector;

/// An answer about a position: the outcome, winning moves, and why.
pub fn verdict_latex(verdict: &Verdict) -> String {
    let mut document = Document::default();
    write_verdict(&mut document, verdict);
    body(&document)
}

/// A move and the answer about the position it leaves.
pub fn after_latex(after: &After) -> String {
    let mut document = Document::default();
    let says = match after.verdict.outcome {
        Some(Outcome::P) => "It wins.",
        Some(Outcome::N) => "It loses: there is a reply that wins.",
        None => "What follows is not known.",
    };
    document.paragraph(
        Text::of("Taking ")
            .math(&after.take.to_string())
            .say(" from the position ")
            .math(&after.from.to_string())
            .say(" of ")
            .formula(game_math(&after.verdict.game.to_string()))
            .say(format!(" is a move. {says}")),
    );
    write_verdict(&mut document, &after.verdict);
    body(&document)
}

/// Writes what is known about a position.
pub(super) fn write_verdict(document: &mut Document, v: &Verdict) {
    let misere = match v.game.convention() {
        Play::Normal => "",
        Play::Misere => " under mis\u{e8}re play",
    };
    let says = match (v.outcome, &v.conjecture) {
        (Some(Outcome::P), _) => format!(" is a P-position: the player to move loses{misere}."),
        (Some(Outcome::N), _) => format!(" is an N-position: the player to move wins{misere}."),
        (None, Some(c)) if c.outcome == Outcome::P => {
            " is not decided; it is conjectured to be a P-position.".into()
        }
        (None, Some(_)) => " is not decided; it is conjectured to be an N-position.".into(),
        (None, None) => " is not decided.".into(),
    };
    let mut head = Text::of("The position ")
        .math(&v.position.to_string())
        .say(" of ")
        .formula(game_math(&v.game.to_string()))
        .say(says);
    if let Some(grundy) = v.grundy.filter(|&g| g > 0) {
        head = head.say(format!(" Its Grundy value is {grundy}."));
    }
    match (&v.moves[..], v.moves_total) {
        ([], _) => document.paragraph(head),
        ([one], total) => {
            let words = if total == Some(1) { " The only winning move" } else { " A winning move" };
            document.paragraph(
                head.say(format!("{words} takes "))
                    .math(&one.take.to_string())
                    .say(" and leaves ")
                    .math(&one.to.to_string())
                    .say("."),
            );
        }
        (many, total) => {
            let words = match total {
                Some(total) if total == many.len() as u128 => {
                    format!(" All {} winning moves:", thousands(total))
                }
                Some(total) => {
                    format!(" The first {} of {} winning moves:", many.len(), thousands(total))
                }
                None => format!(" At least {} moves win:", many.len()),
            };
            document.paragraph(head.say(words));
            let row = |m: &crate::WinningMove| {
                vec![
                    Text::default().math(&m.take.to_string()),
                    Text::default().math(&m.to.to_string()),
                ]
            };
            document.push(Block::Table(Table {
                head: vec!["take".into(), "leaving".into()],
                rows: many.iter().map(row).collect(),
                ..Table::default()
            }));
        }
    }
    if let Some(conjecture) = &v.conjecture {
        document.paragraph(text(conjecture.statement).say(" This is not proved."));
    }
    if let Some(unknown) = v.unknown.as_ref().filter(|_| v.conjecture.is_none()) {
        let positions = count(unknown.positions.into(), "position");
        document.paragraph(format!("{} after {positions}.", capital(&unknown.stop.to_string())));
    }
    if let Some(open) = &v.open {
        document.paragraph(text(&open_sentence(open)));
    }
    let told = v.reasons.iter().zip(sentences_for_print(&v.reasons));
    let items: Vec<Text> =
        told.filter(|(r, _)| worth_saying(v, r)).map(|(_, told)| text(&capital(&told))).collect();
    if !items.is_empty() {
        let why = if v.outcome.is_some() { "This is why." } else { "This is known." };
        document.paragraph(why);
        document.push(Block::List { numbered: true, items });
    }
}

/// Theorems, one environment each.
pub fn theorems_latex(entries: &[Entry]) -> String {
    let mut document = Document::default();
    for entry in entries {
        let theorem = entry.theorem;
        let (citation, statement) = (theorem.citation(), theorem.statement());
        let said = match formula_of(entry) {
            Some((game, formula)) => statement::statement(&game, &formula),
            None => vec![Block::Paragraph(running(&statement.latex))],
        };
        document.push(Block::Statement {
            kind: Statement::Theorem,
            note: Some(text(&citation.to_string())),
            body: said,
        });
    }
    body(&document)
}

/// The game and the formula of a theorem about a single game.
fn formula_of(entry: &Entry) -> Option<(Game, Formula)> {
    let game: Game = entry.theorem.games().parse().ok()?;
    let solution = entry.theorem.applies(game.single()?, game.convention())?;
    let formula = Formula::parse(&solution.formula()?, &Context::of_game(&game)).ok()?;
    Some((game, formula))
}

/// Running text of the library, in which formulas stand between dollar signs.
fn running(latex: &str) -> Text {
    let one_line = latex.split_whitespace().collect::<Vec<_>>().join(" ").replace(r"\`e", "\u{e8}");
    // Positions are named as everywhere else.
    let one_line = one_line
        .replace(r"$\mathcal{P}$-position", "P-position")
        .replace(r"$\mathcal{N}$-position", "N-position");
    let mut out = Text::default();
    for (i, part) in one_line.split('$').enumerate() {
        out = match i % 2 {
            0 => out.say(part),
            _ => out.formula(Math { latex: part.to_string(), plain: part.to_string() }),
        };
    }
    out
}

/// Cheat sheets, a table each.
pub fn cheatsheet_latex(sheets: &[CheatSheet]) -> String {
    let mut document = Document::default();
    for sheet in sheets {
        let n = sheet.game.stacks();
        let names = Names::of(n);
        let vectors: Vec<String> = sheet.vectors.iter().map(|&v| names.set(v)).collect();
        let is =
            if vectors.len() == 1 { " is an invariant vector" } else { " are invariant vectors" };
        let evidence = match &sheet.evidence {
            Evidence::Known(by) => text(&by.cited()),
            Evidence::Box { max } => {
                Text::of(format!("only evidence: nothing up to height {max} is against it"))
            }
        };
        document.paragraph(
            Text::of("In ")
                .formula(game_math(&sheet.game.to_string()))
                .say(" ")
                .maths(&vectors)
                .say(format!("{is} ("))
                .then(evidence)
                .say(
                    "), each written as the set of its ones. When they have been subtracted as often as it goes, one of \
                     these is left, up to symmetry; a winning move there wins in the whole game.",
                ),
        );
        let row = |case: &Case| {
            let left = match case.left.game() {
                None => Text::of("no move"),
                Some(game) => {
                    let position = names.gathered(&case.left.members);
                    Text::default()
                        .formula(game_math(&game.to_string()))
                        .say(" at ")
                        .math(&stacks(&position))
                }
            };
            let empty = zeros(case.left.zeros, n).replace('=', " = ");
            vec![Text::default().math(&empty), left, text(&status(&case.left))]
        };
        document.push(Block::Table(Table {
            head: vec!["empty stacks".into(), "reduced game".into(), "theorem".into()],
            rows: sheet.cases.iter().map(row).collect(),
            ..Table::default()
        }));
    }
    body(&document)
}

/// Invariant vectors by theorem and by table.
pub fn invariants_latex(found: &Invariants) -> String {
    let mut document = Document::default();
    let names = Names::of(found.game.stacks());
    let sets = |sets: &[StackSet]| sets.iter().map(|&s| names.set(s)).collect::<Vec<_>>();
    let game = game_math(&found.game.to_string());
    let head = Text::of(
        "A 0/1 vector, written as the set of its ones, is invariant if adding it never changes the outcome. ",
    );
    let said = match (&found.known[..], &found.theorem) {
        ([], None) => head
            .say("Neither a theorem nor a proof about ")
            .formula(game)
            .say(" is known that gives such vectors."),
        ([], Some(by)) => {
            let by = text(&by.cited());
            head.formula(game).say(" is solved (").then(by).say("), but no such vector is known.")
        }
        (known, by) => {
            let by = by.as_ref().map_or(Text::of("known"), |by| text(&by.cited()));
            let kind = match &found.theorem {
                Some(By::Proof { .. }) => "a proof",
                _ => "a theorem",
            };
            head.say("In ")
                .formula(game)
                .say(format!(" {kind} gives "))
                .maths(&sets(known))
                .say(" (")
                .then(by)
                .say(").")
        }
    };
    document.paragraph(said);
    let Some(tested) = &found.tested else {
        document.paragraph("No table was computed: even a small box is too large.");
        return body(&document);
    };
    let basis = tested.basis();
    let box_text = format!(
        "Among the {} with heights up to {} ",
        count(tested.p_positions as u128, "P-position"),
        tested.max
    );
    document.paragraph(match basis.is_empty() {
        true => Text::of(format!("{box_text}every 0/1 vector is refuted.")),
        false => Text::of(format!("{box_text}nothing speaks against "))
            .maths(&sets(&basis))
            .say(", nor against sums of them. This is evidence, not a proof."),
    });
    if tested.refuted.is_empty() {
        return body(&document);
    }
    let all = tested.refuted.len();
    document.paragraph(match all > REFUTED_SHOWN {
        true => format!(
            "Up to symmetry {} others are refuted; the first of them:",
            thousands(all as u128)
        ),
        false => "All others are refuted, up to symmetry:".to_string(),
    });
    let row = |vector: &&Vector| {
        let (low, high, p_is_low) = pair(vector)?;
        let (p, n) = if p_is_low { (low, high) } else { (high, low) };
        let math = |plain: &str| Text::default().math(plain);
        Some(vec![math(&names.set(vector.stacks)), math(&p.to_string()), math(&n.to_string())])
    };
    document.push(Block::Table(Table {
        head: vec!["vector".into(), "a P-position".into(), "an N-position".into()],
        rows: shown(tested).iter().filter_map(row).collect(),
        ..Table::default()
    }));
    body(&document)
}
