//! Papers: what is proved about a game as an article.
//!
//! The game with a figure, the theorem with its diagrams, the winning strategy, the proof written for a referee,
//! data, and how to check all of it again. The article is a [`Document`]: LaTeX, Markdown, HTML or text are made
//! of it by the same renderers as everything else.

mod article;
mod automaton;
mod games;
mod regions;

pub use article::{Article, ArticleError, Format};

use crate::figures::{self, BoardOptions};
use crate::proofs::{ProofKind, Proved};
use crate::render::{Names, list};
use crate::tables::Tabulation;
use nimatron_draw::document::{Block, Document, Math, Source, Statement, Table, Text};
use nimatron_formula::{Context, Formula, Term};
use nimatron_game::{Choice, Game, Height, Play, Watch};
use nimatron_table::Alone;
use nimatron_theory::publications;
use sha2::{Digest, Sha256};

/// What an article is made of besides the proof.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PaperOptions {
    /// The winning strategy in words, one rule per line, where it is known.
    pub strategy: Option<String>,
    /// Who proved the theorem before: `DH13 Theorem 3.1`.
    pub before: Option<String>,
    /// The file that the certificate is written to.
    pub certificate: String,
    /// The greatest height of the counts.
    pub height: Height,
}

impl PaperOptions {
    /// With the certificate in this file and counts up to this height.
    pub fn new(certificate: impl Into<String>, height: Height) -> Self {
        PaperOptions { certificate: certificate.into(), height, ..PaperOptions::default() }
    }

    /// With this strategy.
    #[must_use]
    pub fn strategy(mut self, strategy: Option<String>) -> Self {
        self.strategy = strategy;
        self
    }

    /// With who proved it before.
    #[must_use]
    pub fn before(mut self, before: Option<String>) -> Self {
        self.before = before;
        self
    }
}

/// An article about a game and the proof that its P-positions are those that the certificate says.
pub fn paper(proved: &Proved, options: &PaperOptions, watch: &dyn Watch) -> Document {
    let game = proved.game();
    let formula = proved.formula().and_then(|f| Formula::parse(&f, &Context::of_game(game)).ok());
    let mut document = Document::new(format!("The P-positions of {game}"));
    let kind = match proved.kind() {
        ProofKind::Regions => "linear arithmetic",
        ProofKind::Matryoshka => "games within games",
        ProofKind::Automaton => "a finite automaton",
    };
    document.summary = Some(Text::of(format!(
        "The positions of {game} from which the player to move loses are determined, for stacks of any height. \
         The proof is by {kind}; it was found by program, and a separate program has checked every step of it."
    )));
    the_game(&mut document, game);
    theorem(&mut document, proved, formula.as_ref(), options);
    strategy(&mut document, options);
    document.section("The proof");
    match &proved.certificate().proof {
        nimatron_verify::Proof::Regions(proof) => regions::write(&mut document, game, proof),
        nimatron_verify::Proof::Matryoshka(proof) => games::write(&mut document, proof),
        nimatron_verify::Proof::Automaton(proof) => automaton::write(&mut document, game, proof),
        _ => document.paragraph("The proof is in the certificate."),
    }
    data(&mut document, game, options.height, watch);
    check_again(&mut document, proved, options);
    sources(&mut document, options);
    document
}

fn the_game(document: &mut Document, game: &Game) {
    document.section("The game");
    let n = game.stacks();
    let names = Names::of(n);
    let mut rule = format!("There are {n} stacks of tokens. ");
    match game.single() {
        Some(rules) => {
            let amounts = match (rules.is_set_nim(), rules.choice()) {
                (true, _) => {
                    "takes any number of tokens, at least one in all, from stacks of one of the sets"
                }
                (false, Choice::Any) => {
                    "plays on stacks of one of the sets, within the amounts that the game allows"
                }
                (false, Choice::All) => {
                    "plays on all stacks of one of the sets, within the amounts that the game allows"
                }
            };
            rule += &format!("A move {amounts} ");
            let count = rules.sets().len();
            rule += &match count {
                0..=40 => {
                    let sets: Vec<String> = rules.sets().iter().map(|s| names.set(s)).collect();
                    format!("{}. ", list(&sets))
                }
                _ => format!("of the family, {count} in number. "),
            };
        }
        None => rule += "The game is a sum: a move is a move in one of the summands. ",
    }
    rule += match game.convention() {
        Play::Normal => "Whoever makes the last move wins. ",
        Play::Misere => "Whoever makes the last move loses. ",
    };
    rule += "A P-position is one from which the player to move loses if the opponent plays well; all others are \
             N-positions. ";
    let letters = format!("({})", names.row());
    document.paragraph(Text::of(rule).say("A position is written ").math(&letters).say("."));
    if let Ok(drawing) = figures::game(game, &BoardOptions::default()) {
        let caption = Text::of(format!(
            "The game {game}: its stacks, and its sets as lines with a dot on each member."
        ));
        document.push(Block::Figure { drawing: Box::new(drawing), caption, name: "game".into() });
    }
}

/// A formula without abbreviations that need the number of stacks.
fn spelled(term: &Term, n: usize) -> Term {
    let all = || (0..n).map(Term::Stack).collect();
    let each = |items: &[Term]| items.iter().map(|t| spelled(t, n)).collect();
    match term {
        Term::Least => Term::Min(all()),
        Term::Greatest => Term::Max(all()),
        Term::Sum(items) => Term::Sum(each(items)),
        Term::Min(items) => Term::Min(each(items)),
        Term::Max(items) => Term::Max(each(items)),
        Term::Xor(items) => Term::Xor(each(items)),
        Term::Scale(factor, term) => Term::Scale(*factor, spelled(term, n).into()),
        Term::Mod(term, modulus) => Term::Mod(spelled(term, n).into(), *modulus),
        other => other.clone(),
    }
}

fn spell(formula: &Formula, n: usize) -> Formula {
    let each = |items: &[Formula]| items.iter().map(|f| spell(f, n)).collect();
    match formula {
        Formula::Compare(l, relation, r) => {
            Formula::Compare(spelled(l, n), *relation, spelled(r, n))
        }
        Formula::And(items) => Formula::And(each(items)),
        Formula::Or(items) => Formula::Or(each(items)),
        Formula::Not(inner) => Formula::Not(spell(inner, n).into()),
        Formula::Sym(inner) => Formula::Sym(spell(inner, n).into()),
        Formula::Let(name, value, body) => {
            Formula::Let(name.clone(), spelled(value, n), spell(body, n).into())
        }
        other => other.clone(),
    }
}

/// What a formula says about a position, as blocks: up to symmetry in words, alternatives as a list.
pub fn statement(game: &Game, formula: &Formula) -> Vec<Block> {
    let n = game.stacks();
    let (symmetric, inner) = match formula {
        Formula::Sym(inner) => (true, &**inner),
        other => (false, other),
    };
    let math = |f: &Formula| {
        let f = spell(f, n);
        Math { latex: f.to_latex(), plain: f.to_string() }
    };
    let row = format!("({})", Names::of(n).row());
    let head =
        Text::of("A position of ").math(&game.to_string()).say(" is a P-position if and only if ");
    let head = match symmetric {
        true => head
            .say("it can be written as ")
            .math(&row)
            .say(", after a symmetry of the game, such that "),
        false => head.say("it is of the form ").math(&row).say(" with "),
    };
    match inner {
        Formula::Or(items) if items.len() > 1 => vec![
            Block::Paragraph(head.say("one of the following holds:")),
            Block::List {
                numbered: true,
                items: items.iter().map(|f| Text::default().formula(math(f)).say(";")).collect(),
            },
        ],
        other => {
            vec![Block::Paragraph(head.say("the following holds:")), Block::Display(math(other))]
        }
    }
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
    document.push(Block::Statement {
        kind: Statement::Theorem,
        note: options.before.clone(),
        body,
    });
    if let Some(formula) = formula
        && let Ok(drawing) = figures::structure(game, formula)
    {
        let caption = Text::of(
            "The P-positions, up to symmetry. Stacks with the same letter are equal; stacks that are encircled are \
             added up.",
        );
        document.push(Block::Figure {
            drawing: Box::new(drawing),
            caption,
            name: "structure".into(),
        });
    }
}

fn strategy(document: &mut Document, options: &PaperOptions) {
    let Some(strategy) = &options.strategy else { return };
    let rules: Vec<(&str, &str)> = strategy
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(condition, play)| (condition.trim_start_matches("if ").trim(), play.trim()))
        .collect();
    if rules.is_empty() {
        return;
    }
    document.section("How to win");
    document.paragraph(
        "From every position that is not a P-position one of these rules, or its image under a symmetry of the game, \
         gives a winning move. A prime marks a height after the move.",
    );
    let row = |(i, (condition, play)): (usize, &(&str, &str))| {
        let play = match play.strip_prefix("play ").and_then(|p| p.split_once(" to ")) {
            Some((set, heights)) => Text::of("play ").math(set).say(" to ").math(heights),
            None => Text::of(*play),
        };
        vec![Text::of(format!("R{}", i + 1)), Text::default().math(condition), play]
    };
    let table = Table {
        caption: Text::of("A winning strategy."),
        head: vec!["".into(), "if".into(), "then".into()],
        rows: rules.iter().enumerate().map(row).collect(),
        right: Vec::new(),
    };
    document.push(Block::Table(table));
}

fn data(document: &mut Document, game: &Game, height: Height, watch: &dyn Watch) {
    let Ok(mut run) = Tabulation::listing(game, &vec![height; game.stacks()]) else { return };
    let mut first: Vec<String> = Vec::new();
    let done = run.finish(&Alone, watch, &mut |row| {
        if row.is_least && first.len() < 12 {
            let heights: Vec<String> = row.heights.iter().map(Height::to_string).collect();
            first.push(format!("({})", heights.join(",")));
        }
        Ok(())
    });
    if done.is_err() {
        return;
    }
    document.section("Data");
    document.paragraph(
        "These counts were computed by brute force, without the theorem; they agree with it, and are evidence only.",
    );
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
    let caption = Text::of("P-positions with all heights up to the height in the first column.");
    document.push(Block::Table(Table {
        caption,
        head,
        rows: rows.collect(),
        right: vec![0, 1, 2],
    }));
    document.paragraph(format!("The first P-positions, up to symmetry: {}.", first.join(", ")));
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
    document.paragraph("These commands check it with a program that knows nothing of how it was found, and compare it with a table:");
    document.push(Block::Code(format!("nimatron verify {file}\nnimatron verify {file} --compare")));
}

fn sources(document: &mut Document, options: &PaperOptions) {
    let Some(before) = &options.before else { return };
    for publication in publications().iter().filter(|p| before.starts_with(p.key)) {
        let authors = publication.authors.join(", ");
        let journal = publication.journal.map_or(String::new(), |j| format!(". {j}"));
        let volume = publication.volume.map_or(String::new(), |v| format!(" {v}"));
        let text =
            format!("{authors}: {}{journal}{volume}, {}", publication.title, publication.year);
        document.sources.push(Source { key: publication.key.to_string(), text });
        document.paragraph(
            Text::of("The theorem was proved before in ").cite(publication.key).say("."),
        );
    }
}
