//! What a table suggests, as text and JSON.

use crate::Game;
use crate::check::Check;
use crate::proofs::{FamilyGuess, Guess};
use crate::render::palette::{Palette, paint};
use crate::render::words::{count, thousands};
#[cfg(feature = "serde")]
use serde::Serialize;

/// What a table suggests about a game.
pub fn guess(g: &Guess, palette: &Palette) -> String {
    let mut out = paint(palette.title, &palette.wrap(&g.game.to_string(), "  ")) + "\n";
    out += &(paint(palette.open, "evidence, not a proof") + "\n");
    out += &format!("\n{}\n", paint(palette.heading, "Laws"));
    out += &laws(g, palette);
    out += &format!("\n{}\n", paint(palette.heading, "Candidate"));
    out += &candidate(g, palette);
    out
}

/// What all P-positions of the small box satisfy.
pub(crate) fn laws(g: &Guess, palette: &Palette) -> String {
    let among = format!(
        "{} with heights up to {}",
        count(g.p_positions as u128, "P-position"),
        thousands(g.learned.into())
    );
    let mut out = match g.laws.is_empty() {
        true => paragraph(palette, &format!("Nothing was noticed about the {among}.")),
        false => paragraph(palette, &format!("They hold at all {among}:")),
    };
    for law in &g.laws {
        out += &(palette.wrap(&format!("    {law}"), "      ") + "\n");
    }
    out
}

fn candidate(g: &Guess, palette: &Palette) -> String {
    let Some(check) = &g.candidate else {
        return paragraph(palette, "No formula.");
    };
    let mut out = paragraph(palette, &check.formula.to_string());
    out += &paragraph(palette, &standing(check, &g.game));
    out
}

/// How far a formula was tested, and with what result.
fn standing(check: &Check, game: &Game) -> String {
    let max = check.max.first().copied().unwrap_or(0);
    let far = format!(
        "{} with heights up to {}",
        count(check.positions, "position"),
        thousands(max.into())
    );
    match (check.counterexample(), check.stop) {
        (None, None) => format!(
            "It fits all {far}. Whether it holds for all heights is not known: `nimatron prove {:?} {:?}` \
             may tell.",
            game.to_string(),
            check.formula.to_string()
        ),
        (None, Some(stop)) => format!("It fits what was compared of {far}: {stop}."),
        (Some(smallest), _) => format!(
            "It does not fit all {far}: {} too many, {} missing; the smallest is {}.",
            thousands(check.claimed),
            thousands(check.missed),
            smallest.position
        ),
    }
}

/// What tables suggest about the games of a family.
pub fn family_guess(family: &str, g: &FamilyGuess, palette: &Palette) -> String {
    let mut out = paint(palette.title, &palette.wrap(family, "  ")) + "\n";
    out += &(paint(palette.open, "evidence, not a proof") + "\n");
    out += &format!("\n{}\n", paint(palette.heading, "Members"));
    for (n, guess) in &g.members {
        let text = match &guess.candidate {
            Some(check) => {
                let fits = match check.holds() {
                    Some(true) => "fits up to height",
                    Some(false) => "does not fit up to height",
                    None => "was not compared up to height",
                };
                let max = check.max.first().copied().unwrap_or(0);
                format!("{}: {} ({fits} {max})", guess.game, check.formula)
            }
            None => format!("{}: nothing was noticed", guess.game),
        };
        out += &(palette.wrap(&format!("  n = {n}: {text}"), "      ") + "\n");
    }
    out += &format!("\n{}\n", paint(palette.heading, "Agree up to the parameter"));
    let shared: Vec<_> = g.patterns.iter().filter(|(_, fits)| fits.len() > 1).collect();
    if shared.is_empty() {
        out += &paragraph(palette, "No two members.");
    }
    for (text, fits) in shared {
        let list: Vec<String> = fits.iter().map(usize::to_string).collect();
        out += &paragraph(palette, &format!("{text}  for n = {}", list.join(", ")));
    }
    out
}

fn paragraph(palette: &Palette, text: &str) -> String {
    palette.wrap(&format!("  {text}"), "  ") + "\n"
}

/// The answer to `guess`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct GuessAnswer {
    game: String,
    /// Always true: nothing here is proved.
    evidence_only: bool,
    /// The greatest height that the laws were learned from.
    learned: u64,
    p_positions: usize,
    laws: Vec<String>,
    /// The formula, if there is one.
    candidate: Option<String>,
    /// Up to which height it was tested.
    max: Option<u64>,
    /// Whether it fits the whole box; `null` if that was not finished.
    fits: Option<bool>,
    /// N-positions of the box that it claims, and P-positions that it misses.
    claimed: Option<u64>,
    missed: Option<u64>,
}

impl From<&Guess> for GuessAnswer {
    fn from(g: &Guess) -> Self {
        let check = g.candidate.as_ref();
        let number = |count: u128| u64::try_from(count).unwrap_or(u64::MAX);
        GuessAnswer {
            game: g.game.to_string(),
            evidence_only: true,
            learned: g.learned,
            p_positions: g.p_positions,
            laws: g.laws.clone(),
            candidate: check.map(|c| c.formula.to_string()),
            max: check.and_then(|c| c.max.first().copied()),
            fits: check.and_then(Check::holds),
            claimed: check.map(|c| number(c.claimed)),
            missed: check.map(|c| number(c.missed)),
        }
    }
}

/// The answer to `guess --family`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct FamilyGuessAnswer {
    family: String,
    members: Vec<GuessAnswer>,
    patterns: Vec<PatternAnswer>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct PatternAnswer {
    formula: String,
    parameters: Vec<usize>,
}

impl FamilyGuessAnswer {
    /// What was noticed about the members of this family.
    pub fn new(family: &str, g: &FamilyGuess) -> Self {
        let pattern = |(formula, parameters): &(String, Vec<usize>)| PatternAnswer {
            formula: formula.clone(),
            parameters: parameters.clone(),
        };
        FamilyGuessAnswer {
            family: family.to_string(),
            members: g.members.iter().map(|(_, guess)| GuessAnswer::from(guess)).collect(),
            patterns: g.patterns.iter().map(pattern).collect(),
        }
    }
}
