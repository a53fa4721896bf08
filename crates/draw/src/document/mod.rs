//! Documents: sections, theorems, cases, formulas, figures and tables as data, written as LaTeX, Markdown, HTML or
//! text.
//!
//! ```
//! use nimatron_draw::document::{Block, Document, Text};
//! let mut document = Document::new("A game");
//! document.section("The game");
//! document.paragraph(Text::of("A move takes tokens from ").math("a+b >= 1").say(" stacks."));
//! assert!(document.latex().contains("$a+b \\ge 1$"));
//! assert!(document.text(80).contains("a+b >= 1"));
//! ```

mod html;
mod latex;
mod length;
mod markdown;
mod text;

pub use latex::{STYLE_NAME, cite_key, math as latex_math, style, table_frame};
pub use length::Cut;

use crate::drawing::Drawing;

/// A piece of mathematics: as LaTeX in math mode, and as plain text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Math {
    /// LaTeX, for math mode.
    pub latex: String,
    /// Plain text.
    pub plain: String,
}

impl Math {
    /// From plain text in the language of formulas, without words: `a+b >= c`.
    pub fn of(plain: &str) -> Self {
        Math { latex: latex::math(plain), plain: plain.to_string() }
    }
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Words.
    Words(String),
    /// Mathematics.
    Math(Math),
    /// Something to be typed.
    Code(String),
    /// A publication, by its key, and a place in it.
    Cite(String, Option<String>),
    /// The number of a figure, by its name.
    Figure(String),
    /// The number of a table, by its name.
    Table(String),
    /// In the caption of a table: its name.
    Name(String),
}

/// A line of text, as long as it takes.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Text(pub Vec<Inline>);

impl Text {
    /// Words to begin with.
    pub fn of(words: impl Into<String>) -> Self {
        Text(vec![Inline::Words(words.into())])
    }

    /// Then these words.
    #[must_use]
    pub fn say(mut self, words: impl Into<String>) -> Self {
        self.0.push(Inline::Words(words.into()));
        self
    }

    /// Then mathematics, from plain text.
    #[must_use]
    pub fn math(mut self, plain: &str) -> Self {
        self.0.push(Inline::Math(Math::of(plain)));
        self
    }

    /// Then mathematics that has a LaTeX of its own.
    #[must_use]
    pub fn formula(mut self, math: Math) -> Self {
        self.0.push(Inline::Math(math));
        self
    }

    /// Then something to be typed.
    #[must_use]
    pub fn code(mut self, code: impl Into<String>) -> Self {
        self.0.push(Inline::Code(code.into()));
        self
    }

    /// Then a publication, and a place in it: `Theorem 3.1`.
    #[must_use]
    pub fn cite(mut self, key: impl Into<String>, place: Option<&str>) -> Self {
        self.0.push(Inline::Cite(key.into(), place.map(str::to_string)));
        self
    }

    /// Then the number of a figure: `Figure 2`.
    #[must_use]
    pub fn figure(mut self, name: &str) -> Self {
        self.0.push(Inline::Figure(name.to_string()));
        self
    }

    /// Then the number of a table: `Table 2`.
    #[must_use]
    pub fn table(mut self, name: &str) -> Self {
        self.0.push(Inline::Table(name.to_string()));
        self
    }

    /// As the caption of a table, with its name.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.0.push(Inline::Name(name.to_string()));
        self
    }

    /// Then several pieces of mathematics, with commas between them. Lines are broken there, and nowhere else.
    #[must_use]
    pub fn maths<S: AsRef<str>>(mut self, plain: &[S]) -> Self {
        for (i, one) in plain.iter().enumerate() {
            if i > 0 {
                self = self.say(", ");
            }
            self = self.math(one.as_ref());
        }
        self
    }

    /// How many letters it has, about.
    pub fn letters(&self) -> usize {
        text::line(self, &Counter::of(&Document::default())).chars().count()
    }

    /// Then all of another text.
    #[must_use]
    pub fn then(mut self, other: Text) -> Self {
        self.0.extend(other.0);
        self
    }
}

impl From<&str> for Text {
    fn from(words: &str) -> Self {
        Text::of(words)
    }
}

impl From<String> for Text {
    fn from(words: String) -> Self {
        Text::of(words)
    }
}

/// What a statement is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A theorem.
    Theorem,
    /// A lemma.
    Lemma,
    /// A definition.
    Definition,
}

/// A sum of inequalities that contradicts itself: for each, its multiplier, the inequality as a form that is at
/// least 0 (or equal to 0), and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// Multiplier, form, whether it is an equation, and why it holds.
    pub rows: Vec<(i64, String, bool, Text)>,
    /// What the sum is: a negative number.
    pub sum: i128,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Table {
    /// What it shows.
    pub caption: Text,
    /// The first row.
    pub head: Vec<Text>,
    /// The others.
    pub rows: Vec<Vec<Text>>,
    /// Columns of numbers, which end at the right.
    pub right: Vec<usize>,
}

/// A part of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A heading: level 1 for sections, 2 for parts of them.
    Section(u8, String),
    /// Some sentences.
    Paragraph(Text),
    /// A formula on a line of its own.
    Display(Math),
    /// Alternatives or items, numbered if so said.
    List {
        /// Whether they have numbers.
        numbered: bool,
        /// The items.
        items: Vec<Text>,
    },
    /// A statement, and where it comes from.
    Statement {
        /// What it is called.
        kind: Statement,
        /// Who proved it, or what it is about.
        note: Option<Text>,
        /// What it says.
        body: Vec<Block>,
    },
    /// A proof. One that is not printed whole says so ([`Block::LeftOut`]) and has no sign at its end.
    Proof(Vec<Block>),
    /// What of a proof is not printed, but is in a file beside it.
    LeftOut(Cut),
    /// A case of a proof, with its name, what is assumed, and what follows.
    Case {
        /// Its name: `Case 1.2`.
        name: String,
        /// What is assumed.
        assumption: Text,
        /// What follows.
        body: Vec<Block>,
    },
    /// Inequalities that cannot hold together.
    Contradiction(Contradiction),
    /// A table.
    Table(Table),
    /// A figure with its caption; its name is that of a file, and of what is said about it ([`Inline::Figure`]).
    Figure {
        /// The figure.
        drawing: Box<Drawing>,
        /// What it shows.
        caption: Text,
        /// A short name for files.
        name: String,
    },
    /// Lines to be typed or read as they are.
    Code(String),
}

/// A publication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// By which it is cited.
    pub key: String,
    /// Who, what, where.
    pub text: String,
}

/// A whole document.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Document {
    /// Its title.
    pub title: String,
    /// What it shows, in some sentences.
    pub summary: Option<Text>,
    /// The parts.
    pub blocks: Vec<Block>,
    /// What is cited.
    pub sources: Vec<Source>,
}

impl Document {
    /// A document with nothing in it yet.
    pub fn new(title: impl Into<String>) -> Self {
        Document { title: title.into(), ..Document::default() }
    }

    /// Begins a section.
    pub fn section(&mut self, title: impl Into<String>) {
        self.blocks.push(Block::Section(1, title.into()));
    }

    /// Begins a part of a section.
    pub fn subsection(&mut self, title: impl Into<String>) {
        self.blocks.push(Block::Section(2, title.into()));
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: impl Into<Text>) {
        self.blocks.push(Block::Paragraph(text.into()));
    }

    /// Adds a block.
    pub fn push(&mut self, block: Block) {
        self.blocks.push(block);
    }

    /// The figures, by their names.
    pub fn figures(&self) -> Vec<(&str, &Drawing)> {
        fn within<'a>(blocks: &'a [Block], found: &mut Vec<(&'a str, &'a Drawing)>) {
            for block in blocks {
                match block {
                    Block::Figure { drawing, name, .. } => found.push((name, drawing)),
                    Block::Statement { body, .. }
                    | Block::Proof(body)
                    | Block::Case { body, .. } => {
                        within(body, found);
                    }
                    _ => {}
                }
            }
        }
        let mut found = Vec::new();
        within(&self.blocks, &mut found);
        found
    }

    /// The keys of the publications that are cited in the summary, in paragraphs and statements.
    pub fn cited(&self) -> Vec<String> {
        fn keys(text: &Text, found: &mut Vec<String>) {
            found.extend(text.0.iter().filter_map(|part| match part {
                Inline::Cite(key, _) => Some(key.clone()),
                _ => None,
            }));
        }
        fn within(blocks: &[Block], found: &mut Vec<String>) {
            for block in blocks {
                match block {
                    Block::Paragraph(text) => keys(text, found),
                    Block::Statement { note, body, .. } => {
                        note.iter().for_each(|note| keys(note, found));
                        within(body, found);
                    }
                    _ => {}
                }
            }
        }
        let mut found = Vec::new();
        self.summary.iter().for_each(|summary| keys(summary, &mut found));
        within(&self.blocks, &mut found);
        found
    }

    /// A LaTeX article; it needs `nimatron.sty` ([`style`]) beside it. Figures are read from files `NAME.tex`.
    pub fn latex(&self) -> String {
        latex::document(self)
    }

    /// The blocks alone as LaTeX, to be read with `\input` where `nimatron.sty` is loaded.
    pub fn latex_body(&self) -> String {
        latex::blocks(&self.blocks)
    }

    /// Markdown; figures are files `NAME.svg`.
    pub fn markdown(&self) -> String {
        markdown::document(self)
    }

    /// One HTML page with its figures in it.
    pub fn html(&self) -> String {
        html::document(self)
    }

    /// Text for a terminal of this width. Figures are named.
    pub fn text(&self, width: usize) -> String {
        text::document(self, width)
    }
}

/// A numbered name of a statement; the names of figures and tables in their order.
struct Counter {
    statements: usize,
    figures: usize,
    tables: usize,
    named: Vec<String>,
    tabled: Vec<String>,
}

impl Counter {
    fn of(document: &Document) -> Self {
        let name = |caption: &Text| {
            let own = |part: &Inline| match part {
                Inline::Name(name) => Some(name.clone()),
                _ => None,
            };
            caption.0.iter().find_map(own).unwrap_or_default()
        };
        let named = document.figures().iter().map(|(name, _)| (*name).to_string()).collect();
        let tables = document.blocks.iter().filter_map(|b| match b {
            Block::Table(table) if !table.caption.0.is_empty() => Some(name(&table.caption)),
            _ => None,
        });
        let tabled = tables.collect();
        Counter { statements: 0, figures: 0, tables: 0, named, tabled }
    }

    /// `Figure 2`, by its name.
    fn figure(&self, name: &str) -> String {
        numbered("Figure", &self.named, name)
    }

    /// `Table 2`, by its name.
    fn table(&self, name: &str) -> String {
        numbered("Table", &self.tabled, name)
    }

    fn statement(&mut self, kind: Statement) -> String {
        self.statements += 1;
        let word = match kind {
            Statement::Theorem => "Theorem",
            Statement::Lemma => "Lemma",
            Statement::Definition => "Definition",
        };
        format!("{word} {}", self.statements)
    }
}

fn numbered(word: &str, names: &[String], name: &str) -> String {
    match names.iter().position(|n| n == name) {
        Some(at) => format!("{word} {}", at + 1),
        None => format!("the {}", word.to_lowercase()),
    }
}

/// What is left out, in brackets.
fn left_out(cut: &Cut) -> String {
    let number = |count: usize, what: &str| match count {
        1 => format!("one {what}"),
        _ => format!("{count} {what}s"),
    };
    let (one, what) = match (cut.cases, cut.sums, cut.items) {
        (0, 0, 0) => return "(The rest is in the certificate.)".into(),
        (0, 0, items) => (items, number(items, "part")),
        // Where cases are closed by sums, these are counted.
        (cases, 0, _) => (cases, number(cases, "case")),
        (_, sums, _) => (0, format!("cases, with {},", number(sums, "sum"))),
    };
    let are = if one == 1 { "is" } else { "are" };
    format!("(The remaining {what} {are} in the certificate.)")
}
