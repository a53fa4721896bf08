//! Cheat sheets as text and JSON.

use crate::render::palette::{Palette, paint};
use crate::render::subgame::{SubgameAnswer, TheoremName, left, numbers, status, zeros};
use crate::render::words::{Names, count};
use crate::structure::{Case, CheatSheet, Evidence, PeelingRule};
use nimatron_game::StackSet;
#[cfg(feature = "serde")]
use serde::Serialize;

/// How many patterns that are equal by symmetry are named.
const IMAGES_SHOWN: usize = 3;

const PROVED: &str = "proved in docs/peeling.md";

/// How to win by peeling, in numbered steps.
pub fn peeling_rule(rule: &PeelingRule, palette: &Palette) -> String {
    let names = Names::of(rule.game.stacks());
    let mut out = paint(palette.title, &palette.wrap(&rule.game.to_string(), "  ")) + "\n";
    let place = |stacks: &StackSet| match stacks.len() {
        1 => names.set(*stacks),
        _ => format!("({})", names.stacks(*stacks)),
    };
    let around: Vec<String> = rule.places.iter().map(place).collect();
    let text = format!(
        "Peeling wins, as is {PROVED}. Think of the stacks on a circle, in the order {}.",
        around.join(",")
    );
    out += &(palette.wrap(&text, "") + "\n\n");
    let whole = match &rule.peels[..] {
        [] => String::new(),
        peels => format!(" While no stack is empty these are {}.", names.sets(peels)),
    };
    let steps = [
        "If the non-empty stacks lie in one facet, go to 4.".to_string(),
        "If two neighbours among the non-empty stacks share no facet, subtract one token from both, as \
         often as it goes. Go to 1."
            .to_string(),
        format!(
            "Otherwise start at any non-empty stack and go, round the circle, to the last non-empty stack \
             that shares a facet with it; go on like this. Subtract one token from each of the stacks that \
             are met again and again, as often as it goes.{whole} Go to 1."
        ),
        "If nothing is left, the position is P. Otherwise taking exactly what is left wins.".to_string(),
    ];
    for (i, step) in steps.iter().enumerate() {
        out += &(palette.wrap(&format!("{:>3}. {step}", i + 1), "     ") + "\n");
    }
    out
}

/// The sheet of a game and those of the games it leads to.
pub fn cheatsheet(sheets: &[CheatSheet], palette: &Palette) -> String {
    let mut out = String::new();
    for (i, sheet) in sheets.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        out += &one(sheet, palette);
    }
    out
}

fn one(sheet: &CheatSheet, palette: &Palette) -> String {
    let n = sheet.game.stacks();
    let names = Names::of(n);
    let mut out = paint(palette.title, &palette.wrap(&sheet.game.to_string(), "  ")) + "\n";
    let evidence = match &sheet.evidence {
        Evidence::Known(by) => by.cited().to_string(),
        Evidence::Box { max } => format!("only evidence: nothing up to height {max} is against it"),
    };
    let (vectors, are) = match &sheet.vectors[..] {
        [one] => (names.set(*one), "is an invariant vector"),
        many => (names.sets(many), "are invariant vectors"),
    };
    let each = if sheet.vectors.len() == 1 { "it" } else { "each" };
    let text = format!(
        "{vectors} {are} ({evidence}). Subtract {each} as often as it goes. Then, up to symmetry, \
         one of these is left; a winning move there wins in the whole game."
    );
    out += &(palette.wrap(&text, "") + "\n\n");
    let row = |case: &Case| {
        let also: Vec<String> = case.images.iter().map(|&i| zeros(i, n)).collect();
        let also = match also.len() {
            0 => String::new(),
            1..=IMAGES_SHOWN => format!("also {}", also.join(", ")),
            many => format!("and {} alike", count(many as u128, "pattern")),
        };
        vec![zeros(case.left.zeros, n), left(&case.left, n), status(&case.left), also]
    };
    out + &palette.columns(&sheet.cases.iter().map(row).collect::<Vec<_>>())
}

/// The answer to `cheatsheet`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct CheatSheetAnswer {
    game: String,
    /// How to win by peeling, where that is the theorem about the game.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    peeling: Option<PeelingAnswer>,
    /// Empty if no vectors are known, or if only the rule of peeling was asked for.
    sheets: Vec<Sheet>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct PeelingAnswer {
    theorem: TheoremName,
    /// The stacks at each place of the circle, from 1.
    places: Vec<Vec<usize>>,
    /// The peels while no stack is empty, from 1.
    peels: Vec<Vec<usize>>,
}

impl From<&PeelingRule> for PeelingAnswer {
    fn from(rule: &PeelingRule) -> Self {
        PeelingAnswer {
            theorem: (&rule.by).into(),
            places: rule.places.iter().copied().map(numbers).collect(),
            peels: rule.peels.iter().copied().map(numbers).collect(),
        }
    }
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct Sheet {
    game: String,
    vectors: Vec<Vec<usize>>,
    theorem: Option<TheoremName>,
    /// The box on which vectors were tested that no theorem gives.
    evidence_up_to: Option<u64>,
    cases: Vec<CaseAnswer>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
struct CaseAnswer {
    #[cfg_attr(feature = "serde", serde(flatten))]
    left: SubgameAnswer,
    alike: Vec<Vec<usize>>,
}

impl CheatSheetAnswer {
    /// The sheets of a game, the first being its own.
    pub fn new(game: &crate::Game, rule: Option<&PeelingRule>, sheets: &[CheatSheet]) -> Self {
        let case = |case: &Case| CaseAnswer {
            left: SubgameAnswer::from(&case.left),
            alike: case.images.iter().copied().map(numbers).collect(),
        };
        let sheet = |sheet: &CheatSheet| Sheet {
            game: sheet.game.to_string(),
            vectors: sheet.vectors.iter().copied().map(numbers).collect(),
            theorem: match &sheet.evidence {
                Evidence::Known(by) => Some(by.into()),
                _ => None,
            },
            evidence_up_to: match sheet.evidence {
                Evidence::Box { max } => Some(max),
                _ => None,
            },
            cases: sheet.cases.iter().map(case).collect(),
        };
        CheatSheetAnswer {
            game: game.to_string(),
            peeling: rule.map(PeelingAnswer::from),
            sheets: sheets.iter().map(sheet).collect(),
        }
    }
}
