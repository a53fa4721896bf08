//! Papers: what is proved about a game as an article.
//!
//! The game with a figure, the theorem with its diagrams, the winning strategy, the proof written for a referee,
//! data, and how to check all of it again. The article is a [`Document`]: LaTeX, Markdown, HTML or text are made
//! of it by the same renderers as everything else.

mod article;
mod automaton;
mod games;
mod regions;
mod rules;

pub use article::{Article, ArticleError, Format, PAGES};

use crate::check::Conjecture;
use crate::figures;
use crate::proofs::{ProofKind, Proved};
use crate::render::words::thousands;
use crate::render::{count, latex, list};
use crate::tables::Tabulation;
use nimatron_draw::document::{Block, Cut, Document, Inline, Source, Statement, Table, Text};
use nimatron_formula::{Context, Formula};
use nimatron_game::{Game, Height, Watch};
use nimatron_table::Alone;
use nimatron_theory::publications;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// What an article is made of besides the proof.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PaperOptions {
    /// The winning strategy in words, one rule per line, where it is known.
    pub strategy: Option<String>,
    /// The file that the certificate of another proof is written to, which has the strategy.
    pub strategy_certificate: Option<String>,
    /// Who proved the theorem before.
    pub before: Option<Before>,
    /// The file that the certificate is written to.
    pub certificate: String,
    /// The greatest height of the counts.
    pub height: Height,
    /// How many pages the article may have, about; without a limit, everything is printed.
    pub pages: Option<u32>,
}

/// A theorem that tells the same P-positions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Before {
    /// Who proved it, and where: `DH13 Theorem 3.1`.
    pub citation: String,
    /// What is said there.
    pub how: How,
}

/// What a publication has of a theorem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum How {
    /// It is about this game, and tells its P-positions.
    Same,
    /// It is about a class of games, or tells them otherwise than by the formula.
    InOtherWords,
    /// It says that there are results which are not published.
    Announced,
}

impl Before {
    fn cited(&self) -> Text {
        latex::text(&self.citation)
    }
}

impl PaperOptions {
    /// With the certificate in this file and counts up to this height.
    pub fn new(certificate: impl Into<String>, height: Height) -> Self {
        PaperOptions { certificate: certificate.into(), height, ..PaperOptions::default() }
    }

    /// With so many pages at the most, about.
    #[must_use]
    pub fn pages(mut self, pages: Option<u32>) -> Self {
        self.pages = pages;
        self
    }

    /// With this strategy.
    #[must_use]
    pub fn strategy(mut self, strategy: Option<String>) -> Self {
        self.strategy = strategy;
        self
    }

    /// With the proof of the strategy in this file.
    #[must_use]
    pub fn strategy_certificate(mut self, file: Option<String>) -> Self {
        self.strategy_certificate = file;
        self
    }

    /// With who proved it before.
    #[must_use]
    pub fn before(mut self, before: Option<Before>) -> Self {
        self.before = before;
        self
    }
}

/// An article about a game and the proof that its P-positions are those that the certificate says.
pub fn paper(proved: &Proved, options: &PaperOptions, watch: &dyn Watch) -> Document {
    let game = proved.game();
    let formula = proved.formula().and_then(|f| Formula::parse(&f, &Context::of_game(game)).ok());
    let name = game.to_string().replace("misere", "mis\u{e8}re");
    let mut document = Document::new(format!("The P-positions of {name}"));
    let kind = match proved.kind() {
        ProofKind::Regions => "linear arithmetic",
        ProofKind::Matryoshka => "games within games",
        ProofKind::Automaton => "a finite automaton",
    };
    document.summary = Some(Text::of(format!(
        "The positions of {name} from which the player to move loses are determined, for stacks of any height. \
         The proof is by {kind}; it was found by program, and a separate checker, part of the same program, has \
         verified every step of it."
    )));
    let known = options.before.as_ref().map(|before| match before.how {
        How::Same => Text::of(" They are known from ")
            .then(before.cited())
            .say("; the proof is another one."),
        How::InOtherWords => Text::of(" They are known, told in other words, from ")
            .then(before.cited())
            .say("; the proof is another one."),
        How::Announced => {
            Text::of(" Results on this game that are not published are mentioned in ")
                .then(before.cited())
                .say(".")
        }
    });
    if let Some(known) = known {
        document.summary = document.summary.map(|summary| summary.then(known));
    }
    rules::write(&mut document, game);
    theorem(&mut document, proved, formula.as_ref(), options);
    strategy(&mut document, proved.kind(), options);
    document.section("The proof");
    let mut proof = Document::default();
    // No more is made than there may be room for.
    let room = options.pages.map_or(usize::MAX, |pages| 12 * pages as usize);
    let mut left = regions::Left::default();
    match &proved.certificate().proof {
        nimatron_verify::Proof::Regions(found) => {
            left = regions::write(&mut proof, game, found, room);
        }
        nimatron_verify::Proof::Matryoshka(found) => {
            left.cases = games::write(&mut proof, game, found, room);
        }
        nimatron_verify::Proof::Automaton(found) => automaton::write(&mut proof, game, found),
        _ => proof.paragraph("The proof is in the certificate."),
    }
    let mut cut = match options.pages {
        Some(pages) => proof.shorten((f64::from(pages) - document.pages() - AFTER).max(1.0)),
        None => Cut::default(),
    };
    cut.sums += left.sums;
    cut.cases += left.cases;
    if !cut.is_empty() {
        let whole = Cut::of(&proof.blocks);
        document.paragraph(left_out(game, &cut, &whole, options));
        document.summary = document.summary.map(|summary| {
            summary.say(" Only its first cases are printed here; the rest is in the certificate.")
        });
    }
    document.blocks.extend(proof.blocks);
    if left.untold > 0 {
        let steps = count(left.untold as u128, "step");
        document.paragraph(format!("{steps} of the proof are told by the certificate alone."));
    }
    data(&mut document, proved, formula.as_ref(), options.height, watch);
    check_again(&mut document, proved, options);
    sources(&mut document);
    document
}

/// A case of a proof; what is said first stands on its line.
fn case(number: &str, assumption: Text, mut body: Vec<Block>) -> Block {
    let assumption = match body.first_mut() {
        Some(Block::Paragraph(said)) => {
            let said = std::mem::take(said);
            body.remove(0);
            assumption.say(" ").then(said)
        }
        _ => assumption,
    };
    Block::Case { name: format!("Case {number}"), assumption, body }
}

/// The number of a case below another: a number is added for each decision.
fn deeper(path: &str, child: usize) -> String {
    match path.ends_with(|c: char| c.is_ascii_digit()) {
        true => format!("{path}.{}", child + 1),
        false => format!("{path}{}", child + 1),
    }
}

/// Words among which these names are mathematics.
fn symbols(names: &[&str], words: &str) -> Text {
    let mut out = Text::default();
    for part in words.split_inclusive(' ') {
        let name = part.trim_end_matches([',', '.', ':', ';', ' ']);
        match (names.contains(&name), out.0.last_mut()) {
            (true, _) => out = out.math(name).say(&part[name.len()..]),
            (false, Some(Inline::Words(before))) => before.push_str(part),
            (false, _) => out = out.say(part),
        }
    }
    out
}

/// Pages of what comes after the proof, about.
const AFTER: f64 = 1.0;

/// What is not printed, and where it is.
fn left_out(game: &Game, cut: &Cut, kept: &Cut, options: &PaperOptions) -> Text {
    let mut parts = Vec::new();
    // Where cases are closed by sums, these are counted.
    let cases = if cut.sums > 0 { (0, 0) } else { (cut.cases, kept.cases) };
    for (what, (left, kept)) in
        [("sum", (cut.sums, kept.sums)), ("case", cases), ("listed part", (cut.items, kept.items))]
    {
        if left > 0 {
            let all = count((left + kept) as u128, what);
            parts.push(format!("{} of {all}", thousands(left as u128)));
        }
    }
    let text = format!(
        "The proof is too long to be printed whole. The first cases of each part are below; left out are {}. All of \
         them are in the certificate ",
        list(&parts)
    );
    Text::of(text)
        .code(options.certificate.as_str())
        .say(", and ")
        .code(format!("nimatron paper \"{game}\" --pages all --out DIR"))
        .say(" prints them.")
}

/// What a formula says about a position, as blocks: up to symmetry in words, alternatives by cases or as a list.
pub fn statement(game: &Game, formula: &Formula) -> Vec<Block> {
    latex::statement(game, formula)
}

fn theorem(
    document: &mut Document,
    proved: &Proved,
    formula: Option<&Formula>,
    options: &PaperOptions,
) {
    let game = proved.game();
    document.section("The theorem");
    let body = match formula {
        Some(formula) => statement(game, formula),
        None => vec![Block::Paragraph(Text::of(format!(
            "A position of {game} is a P-position if and only if the automaton below accepts the binary digits of \
             its heights."
        )))],
    };
    let drawing = formula.and_then(|formula| figures::structure(game, formula).ok());
    document.push(Block::Statement {
        kind: Statement::Theorem,
        note: options.before.as_ref().filter(|b| b.how == How::Same).map(Before::cited),
        body,
    });
    let told = options.before.as_ref().map(|before| (before.how, before.cited()));
    match told {
        Some((How::InOtherWords, cited)) => document.paragraph(
            Text::of("The same P-positions, told in other words, are those of earlier theorems: ")
                .then(cited)
                .say("."),
        ),
        Some((How::Announced, cited)) => document.paragraph(
            Text::of("That there are results on this game which are not published is said in ")
                .then(cited)
                .say("; whether they are the theorem above cannot be seen there."),
        ),
        _ => {}
    }
    let (Some(drawing), Some(formula)) = (drawing, formula) else { return };
    document.paragraph(Text::default().figure("structure").say(" shows what the theorem says."));
    document.push(Block::Figure {
        drawing: Box::new(drawing),
        caption: meant(game, formula).into(),
        name: "structure".into(),
    });
}

/// What the signs of the figure of a formula mean, as far as they are in it.
fn meant(game: &Game, formula: &Formula) -> String {
    let (up_to, inner) = match formula {
        Formula::Sym(inner) => (", up to symmetry", &**inner),
        other => ("", other),
    };
    let mut out = format!("The P-positions{up_to}.");
    if inner.any(&mut |f| matches!(f, Formula::Span(_))) {
        return out + " Each vector is drawn as the set of its ones.";
    }
    let cells = figures::cells(game, formula);
    let own = nimatron_draw::board::letters(game.stacks());
    let shared = |cell: &nimatron_draw::structure::Structure| {
        let letter = |w: &&String| **w != "0" && !own.contains(w);
        cell.words.iter().any(|w| cell.words.iter().filter(letter).filter(|o| *o == w).count() > 1)
    };
    if cells.iter().any(shared) {
        out += " Stacks with the same letter are equal.";
    }
    if cells.iter().any(|cell| !cell.groups.is_empty()) {
        out += " Stacks that are encircled are added up; sums with the same letter are equal.";
    }
    out
}

fn strategy(document: &mut Document, kind: ProofKind, options: &PaperOptions) {
    let Some((words, table)) = options.strategy.as_deref().and_then(latex::strategy_table) else {
        return;
    };
    document.section("How to win");
    document.paragraph(words.say(" The rules are in ").table("strategy").say(match kind {
        ProofKind::Regions => "; they sum up those of the proof.",
        _ => "; another proof, by linear arithmetic, has shown that they win.",
    }));
    if let Some(file) =
        options.strategy_certificate.as_deref().filter(|_| kind != ProofKind::Regions)
    {
        document.paragraph(
            Text::of("That proof is not printed here; it is the certificate ").code(file).say("."),
        );
    }
    document.push(Block::Table(Table {
        caption: Text::of("A winning strategy.").named("strategy"),
        ..table
    }));
}

/// P-positions that are listed.
const FIRST: usize = 12;

/// Whether a table and the theorem say the same about all positions of a box; nothing if that was not found out.
fn agrees(
    proved: &Proved,
    formula: Option<&Formula>,
    height: Height,
    watch: &dyn Watch,
) -> Option<bool> {
    // What is proved, in the words of the certificate, and what the theorem says, position by position.
    let proof = proved.compare(height, watch).ok()?.differs.is_none();
    let Some(formula) = formula else { return Some(proof) };
    let game = proved.game();
    let conjecture = Conjecture::new(game, formula).ok()?;
    let told = conjecture.check(&vec![height; game.stacks()], &Alone, watch).ok()?;
    Some(proof && told.holds()?)
}

fn data(
    document: &mut Document,
    proved: &Proved,
    formula: Option<&Formula>,
    height: Height,
    watch: &dyn Watch,
) {
    let game = proved.game();
    let Ok(mut run) = Tabulation::listing(game, &vec![height; game.stacks()]) else { return };
    // By the greatest height, and then as the table has them.
    let mut first: BTreeSet<(Height, Vec<Height>)> = BTreeSet::new();
    let mut more = false;
    let done = run.finish(&Alone, watch, &mut |row| {
        if row.is_least {
            first.insert((row.heights.iter().copied().max().unwrap_or(0), row.heights.to_vec()));
            if first.len() > FIRST {
                more = true;
                first.pop_last();
            }
        }
        Ok(())
    });
    if done.is_err() {
        return;
    }
    document.section("Data");
    let compared = match agrees(proved, formula, height, watch) {
        Some(true) => {
            " They were compared with the theorem, position by position, and agree with it."
        }
        _ => "",
    };
    document.paragraph(Text::of("The counts in ").table("counts").say(format!(
        " were computed by brute force, without the theorem; they are evidence only.{compared}"
    )));
    let upto = usize::try_from(height).unwrap_or(usize::MAX).saturating_add(1);
    let counts: Vec<u64> = run.counts().up_to().take(upto).collect();
    let orbits: Vec<u64> = run.counts().orbits_up_to().take(upto).collect();
    let known = run.counts().p_orbits.is_some();
    let rows = counts.iter().zip(&orbits).enumerate().map(|(h, (count, orbits))| {
        let mut row: Vec<Text> = vec![h.to_string().into(), count.to_string().into()];
        if known {
            row.push(orbits.to_string().into());
        }
        row
    });
    let mut head: Vec<Text> = vec!["height".into(), "P-positions".into()];
    if known {
        head.push("up to symmetry".into());
    }
    let caption = Text::of("P-positions with all heights up to the height in the first column.")
        .named("counts");
    document.push(Block::Table(Table {
        caption,
        head,
        rows: rows.collect(),
        right: vec![0, 1, 2],
    }));
    let first: Vec<String> = first
        .iter()
        .map(|(_, heights)| {
            let heights: Vec<String> = heights.iter().map(Height::to_string).collect();
            format!("({})", heights.join(","))
        })
        .collect();
    let said = match more {
        true => {
            "The first P-positions, up to symmetry, ordered by their greatest height: ".to_string()
        }
        false => format!("The P-positions with heights up to {height}, up to symmetry: "),
    };
    document.paragraph(Text::of(said).maths(&first).say("."));
}

fn check_again(document: &mut Document, proved: &Proved, options: &PaperOptions) {
    document.section("How to check this again");
    let text = proved.text();
    let sum: String = Sha256::digest(&text).iter().map(|b| format!("{b:02x}")).collect();
    let file = &options.certificate;
    document.paragraph(
        Text::of("The complete proof is the certificate ")
            .code(file.as_str())
            .say(format!(", {} bytes, with the SHA-256 checksum", text.len())),
    );
    document.push(Block::Code(sum));
    document.paragraph("These commands check it, by a part of the program that knows nothing of how it was found, and compare it with a table:");
    let mut commands = format!("nimatron verify {file}\nnimatron verify {file} --compare");
    if let Some(strategy) = &options.strategy_certificate {
        commands += &format!("\nnimatron verify {strategy}");
    }
    document.push(Block::Code(commands));
}

/// What is cited, in the order of the years.
fn sources(document: &mut Document) {
    let cited = document.cited();
    for publication in publications().iter().filter(|p| cited.contains(&p.key.to_string())) {
        let text = publication.to_string();
        document.sources.push(Source { key: publication.key.to_string(), text });
    }
}
