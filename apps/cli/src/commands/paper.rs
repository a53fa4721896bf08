//! `nimatron paper`

use crate::certificate::LibraryArgs;
use crate::input::{OptionalFormulaText, OptionalGameText};
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use clap::ValueEnum;
use nimatron::crates::draw::document::{Document, STYLE_NAME, style};
use nimatron::crates::formula::Formula;
use nimatron::figures::{Theme, formula_of, pens};
use nimatron::paper::{PaperOptions, paper};
use nimatron::proofs::{DiscoverMethod, Found, Judgement, ProveMethod, Proved, discover, prove};
use nimatron::structure::{A_SECOND, affordable_box};
use nimatron::{Game, Knowledge, Limits};
use nimatron_service::{Failure, Status, read};
use std::fs;
use std::path::{Path, PathBuf};

/// An article about the P-positions of a game, with its proof
///
/// Writes a directory with the article, its figures and the certificate. Without a formula the one
/// that a theorem or a stored proof gives is proved, or one is found.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron paper \"CN(5,3)\" --out cn53
  nimatron paper \"CN(9,4)\" --out cn94 --format html
  nimatron paper \"CN(4,2)\" \"a = c, b = d\" --out cn42
  nimatron paper --style > nimatron.sty")]
pub(crate) struct Args {
    #[command(flatten)]
    game: OptionalGameText,
    #[command(flatten)]
    formula: OptionalFormulaText,
    /// The directory to write, which must not exist
    #[arg(long, value_name = "DIR", required_unless_present = "style")]
    out: Option<PathBuf>,
    /// How the article is written
    #[arg(long, value_enum, default_value = "latex")]
    format: Format,
    /// Print the style file that LaTeX output needs, and nothing else
    #[arg(long, conflicts_with_all = ["game", "formula", "out", "format", "json"])]
    style: bool,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// An article for pdflatex
    Latex,
    /// Markdown with SVG figures
    Markdown,
    /// One HTML page
    Html,
    /// Plain text
    Text,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        if self.style {
            output.raw(style().as_bytes())?;
            return Ok(Status::Answered);
        }
        if output.is_json() {
            return Err(Failure::useless("--json", "an article is written to files"));
        }
        let (Some(game), Some(out)) = (self.game.text()?, &self.out) else {
            return Err(Failure::bad("no-game", "a game is needed".to_string()));
        };
        let game = read::game(&game)?;
        let formula = self.formula.text()?;
        let formula = formula.map(|text| read::formula(&text, &game)).transpose()?;
        if out.exists() {
            let name = out.display().to_string();
            return Err(Failure::file(&name, &std::io::ErrorKind::AlreadyExists.into()));
        }
        let limits = self.limits.limits();
        let knowledge = self.library.knowledge();
        let progress = Progress::start("proving", limits.time, output);
        let (proved, strategy) = proof(&game, formula.as_ref(), &knowledge, &limits)?;
        drop(progress);
        for problem in knowledge.problems() {
            output.warning(&format!("a stored proof is not used: {problem}"));
        }
        let height = affordable_box(&game, A_SECOND / 8.0).unwrap_or(3).clamp(2, 12);
        let options = PaperOptions::new("certificate.json", height)
            .strategy(strategy)
            .before(formula_of(&game, &knowledge).map(|(_, by)| by).filter(|by| !by.starts_with("the ")));
        let article = paper(proved.get(), &options, &limits.start());
        write(out, &article, self.format, &proved.get().text())?;
        output.answer(String::new, |_| {
            format!("{game}\nan article was written to {}\n", out.display())
        })?;
        Ok(Status::Answered)
    }
}

/// A proof that was just found, or one that is kept.
enum Kept {
    Found(Box<Found>),
    Stored(std::sync::Arc<nimatron::proofs::Stored>),
}

impl Kept {
    fn get(&self) -> &Proved {
        match self {
            Kept::Found(found) => &found.proved,
            Kept::Stored(stored) => stored.proved(),
        }
    }
}

/// A proof about the game, and its strategy if it has one.
fn proof(
    game: &Game,
    formula: Option<&Formula>,
    knowledge: &Knowledge,
    limits: &Limits,
) -> Result<(Kept, Option<String>), Failure> {
    let found = |found: Box<Found>| {
        let strategy = found.strategy.clone();
        (Kept::Found(found), strategy)
    };
    if let Some(formula) = formula {
        return match prove(game, formula, ProveMethod::Auto, limits).judgement {
            Judgement::Proved(proof) => Ok(found(proof)),
            Judgement::Refuted(_) => {
                let message = format!("{formula}: this does not describe the P-positions of {game}");
                Err(Failure::bad("refuted", message))
            }
            _ => {
                let message = format!("{formula}: not proved within the limits");
                Err(Failure::open("undecided", message))
            }
        };
    }
    // A formula that comes from a proof is proved already.
    let known = formula_of(game, knowledge).filter(|(_, by)| !by.starts_with("the proof"));
    if let Some((formula, _)) = known
        && let Judgement::Proved(proof) = prove(game, &formula, ProveMethod::Auto, limits).judgement
    {
        return Ok(found(proof));
    }
    let rule = game.single();
    if let Some(stored) = rule.and_then(|rule| knowledge.proof(rule, game.convention())) {
        return Ok((Kept::Stored(stored), None));
    }
    match discover(game, DiscoverMethod::Auto, limits).found {
        Some(proof) => Ok(found(proof)),
        None => {
            let message = format!("no proof about {game} was found within the limits");
            Err(Failure::open("undecided", message))
        }
    }
}

/// Writes the article beside its place and moves it there when it is complete.
fn write(out: &Path, article: &Document, format: Format, certificate: &[u8]) -> Result<(), Failure> {
    let mut name = out.as_os_str().to_os_string();
    name.push(format!(".{}.partial", std::process::id()));
    let partial = PathBuf::from(name);
    let fail = |error: std::io::Error| Failure::file(&out.display().to_string(), &error);
    let written = fill(&partial, article, format, certificate)
        .and_then(|()| fs::rename(&partial, out));
    if written.is_err() {
        // What cannot be removed is left behind: the error itself is told.
        let _ = fs::remove_dir_all(&partial);
    }
    written.map_err(fail)
}

fn fill(
    directory: &Path,
    article: &Document,
    format: Format,
    certificate: &[u8],
) -> std::io::Result<()> {
    fs::create_dir(directory)?;
    fs::write(directory.join("certificate.json"), certificate)?;
    let put = |name: &str, text: String| fs::write(directory.join(name), text);
    for (name, drawing) in article.figures() {
        match format {
            Format::Latex => put(&format!("{name}.tex"), pens::tikz(drawing, pens::Frame::Input))?,
            Format::Markdown => put(&format!("{name}.svg"), pens::svg(drawing, Theme::Auto))?,
            Format::Html | Format::Text => {}
        }
    }
    match format {
        Format::Latex => {
            put(STYLE_NAME, style())?;
            put("article.tex", article.latex())
        }
        Format::Markdown => put("article.md", article.markdown()),
        Format::Html => put("article.html", article.html()),
        Format::Text => put("article.txt", article.text(80)),
    }
}
