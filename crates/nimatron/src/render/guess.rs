//! What a table suggests, as text and JSON.

use crate::Game;
use crate::check::Check;
use crate::proofs::{FamilyGuess, Guess};
use crate::render::json::Limit;
use crate::render::palette::{Palette, paint};
use crate::render::words::{count, thousands};
use nimatron_formula::Formula;
use nimatron_game::symmetry::Symmetry;
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

/// What all P-positions of the box satisfy.
pub(crate) fn laws(g: &Guess, palette: &Palette) -> String {
    let among = format!(
        "{} with heights up to {}",
        count(g.p_positions as u128, "P-position"),
        thousands(g.learned.into())
    );
    let images = match has_symmetries(&g.game) {
        true => ", and so do their images under the symmetries",
        false => "",
    };
    let mut out = match g.laws.is_empty() {
        true => paragraph(palette, &format!("Nothing was noticed about the {among}.")),
        false => paragraph(palette, &format!("They hold at all {among}{images}:")),
    };
    for law in &g.laws {
        out += &(palette.wrap(&format!("    {law}"), "      ") + "\n");
    }
    out
}

fn has_symmetries(game: &Game) -> bool {
    game.single().is_some_and(|rule| !Symmetry::of(rule).generators().is_empty())
}

fn candidate(g: &Guess, palette: &Palette) -> String {
    if let Some(check) = &g.candidate {
        let mut out = paragraph(palette, &check.formula.to_string());
        out += &paragraph(palette, &standing(check, g));
        return out;
    }
    let mut none = match g.orbits {
        0 if g.stop.is_none() => {
            format!("None was looked for: heights up to {} say too little.", g.learned)
        }
        _ => format!("No formula was found for all P-positions with heights up to {}.", g.learned),
    };
    if let Some(stop) = g.stop {
        none += &format!(" Not everything was tried: {stop}.");
    }
    let mut out = paragraph(palette, &none);
    if g.refuted > 0 {
        let refuted = format!(
            "{} of a part of them did not outlast the test up to height {}.",
            count(g.refuted as u128, "description"),
            thousands(g.compared.into())
        );
        out += &paragraph(palette, &refuted);
    }
    if g.parts.is_empty() {
        return out;
    }
    out += &format!("\n{}\n", paint(palette.heading, "Parts"));
    let told = format!(
        "These hold at no N-position with heights up to {}. In front, the part of the {} up to symmetry \
         that each of them adds:",
        thousands(g.compared.into()),
        count(g.orbits as u128, "P-position"),
    );
    out += &paragraph(palette, &told);
    for (formula, of) in &g.parts {
        out +=
            &(palette.wrap(&format!("  {}  {formula}", share(*of, g.orbits)), "         ") + "\n");
    }
    out
}

/// A part of a whole, in per cent; all and nothing are told only where they are true.
fn share(part: usize, whole: usize) -> String {
    let percent = 100.0 * part as f64 / whole.max(1) as f64;
    let percent = if part < whole { percent.min(99.9) } else { percent };
    format!("{percent:>5.1}%")
}

/// How far a formula was tested, and with what result.
fn standing(check: &Check, g: &Guess) -> String {
    let game = &g.game;
    let max = check.max.first().copied().unwrap_or(0);
    let far = format!(
        "{} with heights up to {}",
        count(check.positions, "position"),
        thousands(max.into())
    );
    match (check.counterexample(), check.stop) {
        (None, None) => {
            let learned = match g.learned < max {
                true => format!("; it was learned from those up to {}", g.learned),
                false => ", from which it was learned".to_string(),
            };
            format!(
                "It fits all {far}{learned}. This says nothing about taller stacks: `nimatron prove {:?} {:?}` may.",
                game.to_string(),
                check.formula.to_string()
            )
        }
        (None, Some(stop)) => format!("It fits what was compared of {far}: {stop}."),
        (Some(smallest), _) => format!(
            "It was learned from heights up to {}, and does not fit all {far}: {} too many, {} missing; the \
             smallest is {}.",
            g.learned,
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
    let mut members: Vec<(usize, String)> = g
        .missing
        .iter()
        .map(|(n, message)| (*n, format!("no game, {message}")))
        .chain(g.members.iter().map(|(n, guess)| (*n, one_of_family(guess))))
        .collect();
    members.sort();
    for (n, text) in members {
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

fn one_of_family(guess: &Guess) -> String {
    let game = &guess.game;
    let Some(check) = &guess.candidate else {
        return match guess.stop {
            Some(stop) => format!("{game}: no formula was found, not everything was tried: {stop}"),
            None => format!("{game}: no formula was found"),
        };
    };
    let fits = match check.holds() {
        Some(true) => "fits up to height",
        Some(false) => "does not fit up to height",
        None => "was not compared up to height",
    };
    let max = check.max.first().copied().unwrap_or(0);
    format!("{game}: {} ({fits} {max})", check.formula)
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
    /// How many P-positions there are up to symmetry, and formulas that hold at P-positions only.
    orbits: usize,
    parts: Vec<PartAnswer>,
    /// The greatest height up to which they were compared with N-positions.
    compared: u64,
    /// How many more did not hold up to there.
    refuted: usize,
    limit: Option<Limit>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct PartAnswer {
    formula: String,
    /// How many of the P-positions up to symmetry satisfy it and none before it.
    orbits: usize,
}

impl From<&Guess> for GuessAnswer {
    fn from(g: &Guess) -> Self {
        let check = g.candidate.as_ref();
        let part = |(formula, orbits): &(Formula, usize)| PartAnswer {
            formula: formula.to_string(),
            orbits: *orbits,
        };
        let number = |count: u128| u64::try_from(count).unwrap_or(u64::MAX);
        GuessAnswer {
            game: g.game.to_string(),
            evidence_only: true,
            learned: g.learned,
            p_positions: g.p_positions,
            laws: g.laws.iter().map(Formula::to_string).collect(),
            candidate: check.map(|c| c.formula.to_string()),
            max: check.and_then(|c| c.max.first().copied()),
            fits: check.and_then(Check::holds),
            claimed: check.map(|c| number(c.claimed)),
            missed: check.map(|c| number(c.missed)),
            orbits: g.orbits,
            parts: g.parts.iter().map(part).collect(),
            compared: g.compared,
            refuted: g.refuted,
            limit: g.stop.map(Limit::from),
        }
    }
}

/// The answer to `guess --family`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct FamilyGuessAnswer {
    family: String,
    members: Vec<GuessAnswer>,
    /// Parameters that make no game.
    missing: Vec<MissingAnswer>,
    patterns: Vec<PatternAnswer>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct PatternAnswer {
    formula: String,
    parameters: Vec<usize>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct MissingAnswer {
    parameter: usize,
    message: String,
}

impl FamilyGuessAnswer {
    /// What was noticed about the members of this family.
    pub fn new(family: &str, g: &FamilyGuess) -> Self {
        let pattern = |(formula, parameters): &(String, Vec<usize>)| PatternAnswer {
            formula: formula.clone(),
            parameters: parameters.clone(),
        };
        let missing = |(parameter, message): &(usize, String)| MissingAnswer {
            parameter: *parameter,
            message: message.clone(),
        };
        FamilyGuessAnswer {
            family: family.to_string(),
            members: g.members.iter().map(|(_, guess)| GuessAnswer::from(guess)).collect(),
            missing: g.missing.iter().map(missing).collect(),
            patterns: g.patterns.iter().map(pattern).collect(),
        }
    }
}
