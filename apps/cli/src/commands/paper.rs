//! `nimatron paper`

use crate::certificate::LibraryArgs;
use crate::input::{OptionalFormulaText, OptionalGameText};
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use clap::ValueEnum;
use nimatron::crates::draw::document::style;
use nimatron::paper::{self, Article, ArticleError};
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
  nimatron paper \"CN(8,6)\" --out cn86 --pages all
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
    /// Cut a proof that needs more pages than this, about, or print `all` of it
    #[arg(long, value_name = "N", default_value = "30", value_parser = pages)]
    pages: Pages,
    /// Print the style file that LaTeX output needs, and nothing else
    #[arg(long, conflicts_with_all = ["game", "formula", "out", "format", "pages", "json"])]
    style: bool,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

/// How long an article may be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pages {
    UpTo(u32),
    All,
}

fn pages(text: &str) -> Result<Pages, String> {
    match (text, text.parse()) {
        ("all", _) => Ok(Pages::All),
        (_, Ok(n @ 5..=10_000)) => Ok(Pages::UpTo(n)),
        _ => Err("expected a number from 5 to 10000, or `all`".to_string()),
    }
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

impl From<Format> for paper::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Latex => paper::Format::Latex,
            Format::Markdown => paper::Format::Markdown,
            Format::Html => paper::Format::Html,
            Format::Text => paper::Format::Text,
        }
    }
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
        let pages = match self.pages {
            Pages::UpTo(n) => Some(n),
            Pages::All => None,
        };
        let article = Article::within(&game, formula.as_ref(), pages, &knowledge, &limits);
        drop(progress);
        for problem in knowledge.problems() {
            output.warning(&format!("a stored proof is not used: {problem}"));
        }
        let article = article.map_err(|error| match error {
            ArticleError::Refuted { .. } => Failure::bad("refuted", error.to_string()),
            error => Failure::open("undecided", error.to_string()),
        })?;
        write(out, &article.files(self.format.into()))?;
        output.answer(String::new, |_| {
            format!("{game}\nan article was written to {}\n", out.display())
        })?;
        Ok(Status::Answered)
    }
}

/// Writes the files beside their place and moves them there when all are complete.
fn write(out: &Path, files: &[(String, Vec<u8>)]) -> Result<(), Failure> {
    let mut name = out.as_os_str().to_os_string();
    name.push(format!(".{}.partial", std::process::id()));
    let partial = PathBuf::from(name);
    let fail = |error: std::io::Error| Failure::file(&out.display().to_string(), &error);
    let fill = || {
        fs::create_dir(&partial)?;
        files.iter().try_for_each(|(name, text)| fs::write(partial.join(name), text))?;
        fs::rename(&partial, out)
    };
    let written = fill();
    if written.is_err() {
        // What cannot be removed is left behind: the error itself is told.
        let _ = fs::remove_dir_all(&partial);
    }
    written.map_err(fail)
}
