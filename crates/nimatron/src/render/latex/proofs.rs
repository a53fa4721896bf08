//! What was proved, found or checked, for papers.

use super::answers::write_verdict;
use super::body;
use super::prose::{game_math, text};
use super::statement::{inline, said, statement};
use super::strategy::strategy_table;
use crate::check::Side;
use crate::kernel::Opinion;
use crate::proofs::{
    Comparison, Discovery, Examination, Found, Judgement, OneSided, ProofKind, Proving,
    SidedJudgement,
};
use crate::render::one_sided::{refuted, why};
use crate::render::proof::{Written, by, in_sum, refutation, size, tried};
use crate::render::verdict::capital;
use crate::render::words::{count, thousands};
use crate::{Game, Investigation, Stop, Try};
use nimatron_draw::document::{Block, Document, Statement, Table, Text};
use nimatron_formula::{Context, Formula};
use nimatron_game::StackSet;
use nimatron_prove::matryoshka::Solution;

/// What became of an attempt to prove a formula.
pub fn proving_latex(p: &Proving, written: &Written) -> String {
    let mut document = Document::default();
    let told = Text::of("The formula ").formula(inline(&p.formula, p.game.stacks()));
    match &p.judgement {
        Judgement::Proved(found) => {
            theorem(&mut document, statement(&p.game, &p.formula));
            how_to_win(&mut document, found.strategy.as_deref());
            let verified =
                found.proved.kind() != ProofKind::Automaton || found.proved.has_formula();
            account(&mut document, found, written, verified);
        }
        Judgement::Refuted(example) => document.paragraph(
            told.say(" does not describe the P-positions of ")
                .formula(game_math(&p.game.to_string()))
                .say(". ")
                .then(text(&refutation(example))),
        ),
        Judgement::Undecided(why) => document.paragraph(
            told.say(" is neither proved nor refuted. ")
                .then(text(&format!("{}.", capital(&why.to_string())))),
        ),
    }
    body(&document)
}

/// What became of a search for the P-positions of a game.
pub fn discovery_latex(d: &Discovery, written: &Written) -> String {
    let mut document = Document::default();
    write_discovery(&mut document, d, written);
    body(&document)
}

fn write_discovery(document: &mut Document, d: &Discovery, written: &Written) {
    let game = game_math(&d.game.to_string());
    let Some(found) = &d.found else {
        document.paragraph(Text::of("No proof about ").formula(game).say(" was found."));
        let items: Vec<Text> = d.attempts.iter().map(|a| text(&capital(&tried(a)))).collect();
        if !items.is_empty() {
            document.push(Block::List { numbered: false, items });
        }
        if let Some(height) = d.largest_box() {
            document.paragraph(format!(
                "The P-positions with heights up to {height} were computed. Nothing is proved about taller stacks."
            ));
        }
        return;
    };
    let formula = found.proved.formula().and_then(|f| read(&f, &d.game));
    theorem(
        document,
        match &formula {
            Some(formula) => statement(&d.game, formula),
            None => by_program(&d.game, &found.proved.set()),
        },
    );
    let in_words = found.games.is_some() && found.proved.has_formula();
    if let Some(equations) = found.equations.as_ref().filter(|_| !in_words) {
        let text = Text::of("All P-positions satisfy ").maths(&equations.list);
        document.paragraph(match equations.suffice {
            Some(true) => text.say(", and no other position does."),
            Some(false) => text.say(", and so do N-positions."),
            None => text.say("."),
        });
    }
    how_to_win(document, found.strategy.as_deref());
    if let Some(solution) = &found.games {
        sheets(document, solution);
    }
    account(document, found, written, formula.is_some());
}

/// The answer about a position, with a proof that was looked for.
pub fn investigation_latex(i: &Investigation, written: &Written) -> String {
    let mut document = Document::default();
    write_verdict(&mut document, &i.verdict);
    if !i.tries.is_empty() {
        document.paragraph("No move helps; for example:");
        let row = |one: &Try| {
            let math = |plain: String| Text::default().math(&plain);
            let (take, to) = (math(one.take.to_string()), math(one.to.to_string()));
            let reply = &one.reply;
            vec![take, to, math(reply.take.to_string()), math(reply.to.to_string())]
        };
        document.push(Block::Table(Table {
            head: vec!["take".into(), "leaving".into(), "reply".into(), "leaving".into()],
            rows: i.tries.iter().map(row).collect(),
            ..Table::default()
        }));
    }
    if let Some(discovery) = &i.discovery {
        write_discovery(&mut document, discovery, written);
    }
    body(&document)
}

/// What the checker says about a certificate, and what came of a comparison with a table and of asking the Coq
/// kernel.
pub fn examination_latex(
    e: &Examination,
    name: &str,
    compared: Option<&Comparison>,
    stop: Option<Stop>,
    kernel: Option<(&Opinion, &str)>,
) -> String {
    let mut document = Document::default();
    let file = Text::of("The certificate ").code(name);
    if let Some(refusal) = &e.refusal {
        document
            .paragraph(file.say(format!(" is rejected ({}): {refusal}.", refusal.obligation())));
        return body(&document);
    }
    let Some(game) = &e.game else { return body(&document) };
    let formula = e.formula.as_ref().and_then(|f| read(f, game));
    theorem(
        &mut document,
        match &formula {
            Some(formula) => statement(game, formula),
            None => by_program(game, e.set.as_deref().unwrap_or_default()),
        },
    );
    let kind = e.kind.map_or("by a certificate", by);
    let mut proof =
        Text::of(format!("The proof is {kind}. ")).then(file).say(" was accepted by the checker");
    proof = match e.kind {
        Some(ProofKind::Matryoshka | ProofKind::Automaton) if formula.is_some() => {
            proof.say(", which has verified the formula as well.")
        }
        _ => proof.say("."),
    };
    if let Some(c) = compared {
        proof = proof.say(match &c.differs {
            None => format!(
                " It agrees with a table of all {} with heights up to {}, {} of them P-positions.",
                count(c.positions, "position"),
                c.max,
                thousands(c.p_positions.into())
            ),
            Some(position) => {
                format!(" But it differs from the table of heights up to {} at {position}.", c.max)
            }
        });
    }
    if let Some(stop) = stop {
        proof = proof.say(format!(" The comparison with a table was not finished: {stop}."));
    }
    if let Some((opinion, version)) = kernel {
        proof = proof.say(match opinion {
            Opinion::Accepted => format!(" The kernel of {version} accepts it as well."),
            Opinion::Rejected(words) => format!(" But the kernel of {version} rejects it: {words}"),
        });
    }
    document.push(Block::Proof(vec![Block::Paragraph(proof)]));
    body(&document)
}

/// What became of an attempt to prove one direction, or something about some positions only.
pub fn one_sided_latex(o: &OneSided, written: &Written) -> String {
    let mut document = Document::default();
    let n = o.game.stacks();
    let mut head = Text::of(match o.side {
        Side::Necessary => "If a position of ",
        _ => "A position of ",
    });
    head = head.formula(game_math(&o.game.to_string()));
    if let Some(condition) = &o.within {
        head = head.say(" with ").formula(inline(condition, n));
    }
    let head = match o.side {
        Side::Necessary => head.say(" is a P-position then "),
        Side::Sufficient => head.say(" is a P-position if "),
        _ => head.say(" is a P-position if and only if "),
    };
    let claim = said(&o.game, &o.formula, head);
    match &o.judgement {
        SidedJudgement::Proved(proofs) => {
            theorem(&mut document, claim);
            for proof in proofs {
                let why = Block::Paragraph(text(&why(o, proof)));
                document.push(Block::Proof(vec![why]));
                account(&mut document, &proof.found, written, true);
            }
        }
        SidedJudgement::Refuted { position, kind, take } => {
            document.paragraph("The following is wrong.");
            document.blocks.extend(claim);
            document.paragraph(text(&refuted(position, *kind, take.as_ref())));
        }
        SidedJudgement::Undecided(why) => {
            document.paragraph("The following is neither proved nor refuted.");
            document.blocks.extend(claim);
            document.paragraph(text(&format!("{}.", capital(&why.to_string()))));
        }
    }
    body(&document)
}

fn read(formula: &str, game: &Game) -> Option<Formula> {
    Formula::parse(formula, &Context::of_game(game)).ok()
}

fn theorem(document: &mut Document, body: Vec<Block>) {
    document.push(Block::Statement { kind: Statement::Theorem, note: None, body });
}

/// A set that no formula tells.
fn by_program(game: &Game, set: &str) -> Vec<Block> {
    vec![Block::Paragraph(
        Text::of("The P-positions of ")
            .formula(game_math(&game.to_string()))
            .say(format!(" are those {set}; it reads the binary digits of all heights at once.")),
    )]
}

fn how_to_win(document: &mut Document, strategy: Option<&str>) {
    if let Some((words, table)) = strategy.and_then(strategy_table) {
        document.paragraph(words);
        document.push(Block::Table(table));
    }
}

/// How the proof was found and who accepted it.
fn account(document: &mut Document, found: &Found, written: &Written, verified: bool) {
    let bytes = thousands(found.bytes as u128);
    let mut text = Text::of(format!(
        "The proof is {} ({}). It was found by program; its certificate of {bytes} bytes",
        by(found.proved.kind()),
        size(found.size),
    ));
    if let Some(file) = written.out.as_ref().or(written.saved.as_ref()).or(written.kept.as_ref()) {
        text = text.say(", ").code(file.as_str()).say(",");
    }
    let text = text.say(match verified {
        true => " was accepted by an independent checker.",
        false => {
            " was accepted by an independent checker. It is about the automaton alone: that the formula says the same \
             rests on the program that finds proofs."
        }
    });
    document.push(Block::Proof(vec![Block::Paragraph(text)]));
}

/// Games within games: their invariant vectors, and what is left where stacks are empty.
fn sheets(document: &mut Document, solution: &Solution) {
    document.paragraph(
        "The game is won by games within games: in each the vectors, written as the sets of their ones, are subtracted as \
         often as it goes; then stacks are empty, and a smaller game is left.",
    );
    let mut rows = Vec::new();
    for (number, sheet) in solution.sheets().iter().enumerate().rev() {
        let vectors: Vec<String> = sheet.vectors.iter().map(|v| v.to_string()).collect();
        let name = match &sheet.game {
            Some(game) => Text::of(format!("{number}: ")).formula(game_math(&game.to_string())),
            None => Text::of(number.to_string()),
        };
        let mut head = Some((name, Text::default().maths(&vectors)));
        let empty = |set: StackSet| Text::default().math(&set.to_string());
        for row in &sheet.rows {
            let (name, vectors) = head.take().unwrap_or_default();
            let sums: Vec<String> = row.sums.iter().map(|&sum| in_sum(sum)).collect();
            let left = match sums.is_empty() {
                true => Text::of("nothing"),
                false => {
                    Text::of(format!("{} at ", row.sheet)).math(&format!("({})", sums.join(", ")))
                }
            };
            let zeros = match row.everywhere.is_empty() {
                true => empty(row.stacks),
                false => empty(row.stacks).say(", also ").then(empty(row.everywhere)),
            };
            rows.push(vec![name, vectors, zeros, left]);
        }
        if let Some((name, vectors)) = head.filter(|_| sheet.game.is_some()) {
            rows.push(vec![name, vectors, Text::default(), Text::default()]);
        }
    }
    document.push(Block::Table(Table {
        head: vec!["game".into(), "vectors".into(), "empty".into(), "game left".into()],
        rows,
        ..Table::default()
    }));
}
