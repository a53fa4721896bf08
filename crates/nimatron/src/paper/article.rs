//! An article with all its files, from nothing but the game.

use super::{Before, How, PaperOptions, paper};
use crate::boxes::{A_SECOND, affordable_box};
use crate::figures::{Theme, formula_of, pens};
use crate::knowledge::Knowledge;
use crate::limits::Limits;
use crate::open_games::said_to_be_solved;
use crate::proofs::{
    DiscoverMethod, Found, Judgement, ProofKind, ProveMethod, Proved, Stored, discover,
    proof_of_strategy, prove,
};
use nimatron_draw::document::{Document, STYLE_NAME, style};
use nimatron_formula::{Context, Formula};
use nimatron_game::Game;
use nimatron_theory::{Scope, publications};
use std::sync::Arc;

/// An article about the P-positions of a game, with the certificate of its proof.
#[derive(Debug)]
#[non_exhaustive]
pub struct Article {
    /// The article.
    pub document: Document,
    /// The certificate.
    pub certificate: Vec<u8>,
    /// The certificate of another proof, which has the strategy, where the first has none.
    pub strategy: Option<Vec<u8>>,
}

/// How an article is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// For pdflatex, with figures and the style file beside it.
    Latex,
    /// With SVG figures beside it.
    Markdown,
    /// One page with everything in it.
    Html,
    /// Plain text.
    Text,
}

/// Why there is no article.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArticleError {
    /// The formula is wrong.
    #[error("{formula}: this does not describe the P-positions of {game}")]
    Refuted {
        /// The formula.
        formula: String,
        /// The game.
        game: String,
    },
    /// The formula was not proved.
    #[error("{0}: not proved within the limits")]
    Undecided(String),
    /// No proof was found.
    #[error("no proof about {0} was found within the limits")]
    NoProof(String),
}

/// Pages of an article, about, unless more are asked for.
pub const PAGES: u32 = 30;

/// What the certificate is called in the article and beside it.
const CERTIFICATE: &str = "certificate.json";

/// What that of the strategy is called.
const STRATEGY: &str = "strategy.json";

impl Article {
    /// An article about a game. Without a formula, the one that a theorem or a stored proof gives is proved, or
    /// one is found. It is cut after some [`PAGES`].
    ///
    /// ```
    /// use nimatron::paper::{Article, Format};
    /// use nimatron::{Knowledge, Limits};
    /// let game = "CN(4,2)".parse().unwrap();
    /// let article = Article::of(&game, None, &Knowledge::default(), &Limits::default()).unwrap();
    /// let files = article.files(Format::Text);
    /// let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    /// assert_eq!(names, ["certificate.json", "article.txt"]);
    /// ```
    pub fn of(
        game: &Game,
        formula: Option<&Formula>,
        knowledge: &Knowledge,
        limits: &Limits,
    ) -> Result<Self, ArticleError> {
        Article::within(game, formula, Some(PAGES), knowledge, limits)
    }

    /// The same with a proof cut after so many pages, about, or printed whole.
    pub fn within(
        game: &Game,
        formula: Option<&Formula>,
        pages: Option<u32>,
        knowledge: &Knowledge,
        limits: &Limits,
    ) -> Result<Self, ArticleError> {
        let proof = proof(game, formula, knowledge, limits)?;
        let proved = proof.get();
        let (strategy, by) = match strategy(&proof, limits) {
            Some((strategy, by)) => (Some(strategy), by),
            None => (None, None),
        };
        let height = affordable_box(game, A_SECOND / 8.0).unwrap_or(3).clamp(2, 12);
        let options = PaperOptions::new(CERTIFICATE, height)
            .strategy(strategy)
            .strategy_certificate(by.is_some().then(|| STRATEGY.to_string()))
            .pages(pages)
            .before(before(game, knowledge));
        let document = paper(proved, &options, &limits.start());
        Ok(Article { document, certificate: proved.text(), strategy: by })
    }

    /// The name of the file with the article itself.
    pub fn name(format: Format) -> &'static str {
        match format {
            Format::Latex => "article.tex",
            Format::Markdown => "article.md",
            Format::Html => "article.html",
            Format::Text => "article.txt",
        }
    }

    /// All files with their names: the certificates, what the article needs, and last the article.
    pub fn files(&self, format: Format) -> Vec<(String, Vec<u8>)> {
        let mut files = vec![(CERTIFICATE.to_string(), self.certificate.clone())];
        files.extend(self.strategy.iter().map(|text| (STRATEGY.to_string(), text.clone())));
        let mut put = |name: String, text: String| files.push((name, text.into_bytes()));
        for (name, drawing) in self.document.figures() {
            match format {
                Format::Latex => {
                    put(format!("{name}.tex"), pens::tikz(drawing, pens::Frame::Input));
                }
                Format::Markdown => put(format!("{name}.svg"), pens::svg(drawing, Theme::Auto)),
                Format::Html | Format::Text => {}
            }
        }
        if format == Format::Latex {
            put(STYLE_NAME.to_string(), style());
        }
        let text = match format {
            Format::Latex => self.document.latex(),
            Format::Markdown => self.document.markdown(),
            Format::Html => self.document.html(),
            Format::Text => self.document.text(80),
        };
        put(Article::name(format).to_string(), text);
        files
    }
}

/// Who proved what is the theorem before, or who says that it is known.
fn before(game: &Game, knowledge: &Knowledge) -> Option<Before> {
    let told = || {
        let citation = said_to_be_solved(game)?.to_string();
        Some(Before { citation, how: How::Announced })
    };
    let proved = || {
        let rule = game.single()?;
        let theorem = knowledge.theorem(rule, game.convention())?;
        // What was proved with this program alone can be read nowhere else.
        let citations: Vec<String> = theorem
            .theorem
            .solved_in(theorem.family.as_ref())
            .iter()
            .filter(|c| publications().iter().any(|p| c.key.starts_with(p.key)))
            .map(ToString::to_string)
            .collect();
        let same = theorem.scope == Scope::Game && theorem.solution().formula().is_some();
        (!citations.is_empty()).then(|| Before {
            citation: citations.join("; "),
            how: if same { How::Same } else { How::InOtherWords },
        })
    };
    proved().or_else(told)
}

/// How to win by the formula of a proof, where linear arithmetic proves it, and the certificate if that is another
/// proof. Whether there was time left for it before must not be seen in the article.
fn strategy(proof: &Kept, limits: &Limits) -> Option<(String, Option<Vec<u8>>)> {
    let proved = proof.get();
    if let (ProofKind::Regions, Kept::Found(found)) = (proved.kind(), proof) {
        return Some((found.strategy.clone()?, None));
    }
    let game = proved.game();
    let formula = Formula::parse(&proved.formula()?, &Context::of_game(game)).ok()?;
    let other = proof_of_strategy(game, &formula, limits)?;
    let by = (proved.kind() != ProofKind::Regions).then(|| other.proved.text());
    Some((other.strategy?, by))
}

/// A proof that was just found, or one that is kept.
enum Kept {
    Found(Box<Found>),
    Stored(Arc<Stored>),
}

impl Kept {
    fn get(&self) -> &Proved {
        match self {
            Kept::Found(found) => &found.proved,
            Kept::Stored(stored) => stored.proved(),
        }
    }
}

/// A proof about the game.
fn proof(
    game: &Game,
    formula: Option<&Formula>,
    knowledge: &Knowledge,
    limits: &Limits,
) -> Result<Kept, ArticleError> {
    if let Some(formula) = formula {
        return match prove(game, formula, ProveMethod::Auto, limits).judgement {
            Judgement::Proved(proof) => Ok(Kept::Found(proof)),
            Judgement::Refuted(_) => {
                let (formula, game) = (formula.to_string(), game.to_string());
                Err(ArticleError::Refuted { formula, game })
            }
            _ => Err(ArticleError::Undecided(formula.to_string())),
        };
    }
    // A formula that comes from a proof is proved already.
    let known = formula_of(game, knowledge).filter(|(_, by)| !by.starts_with("the proof"));
    if let Some((formula, _)) = known
        && let Judgement::Proved(proof) = prove(game, &formula, ProveMethod::Auto, limits).judgement
    {
        return Ok(Kept::Found(proof));
    }
    let rule = game.single();
    if let Some(stored) = rule.and_then(|rule| knowledge.proof(rule, game.convention())) {
        return Ok(Kept::Stored(stored));
    }
    match discover(game, DiscoverMethod::Auto, limits).found {
        Some(proof) => Ok(Kept::Found(proof)),
        None => Err(ArticleError::NoProof(game.to_string())),
    }
}
