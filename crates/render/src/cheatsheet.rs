//! Cheat sheets as text, LaTeX and JSON.

use crate::columns::columns;
use crate::latex::{citation, game as latex_game, stacks};
use crate::palette::{Palette, paint};
use crate::reasons::details;
use crate::subgame::{SubgameAnswer, TheoremName, left, numbers, status, zeros};
use crate::words::{Names, count, wrap};
use nimatron::{Case, CheatSheet, Evidence};
use serde::Serialize;

/// How many patterns that are equal by symmetry are named.
const IMAGES_SHOWN: usize = 3;

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
    let mut out = paint(palette.title, &wrap(&sheet.game.to_string(), "  ")) + "\n";
    let evidence = match &sheet.evidence {
        Evidence::Theorem(by) => details(by).unwrap_or_default(),
        Evidence::Box { max } => format!("only evidence: nothing up to height {max} is against it"),
        _ => String::new(),
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
    out += &(wrap(&text, "") + "\n\n");
    let row = |case: &Case| {
        let also: Vec<String> = case.images.iter().map(|&i| zeros(i, n)).collect();
        let also = match also.len() {
            0 => String::new(),
            1..=IMAGES_SHOWN => format!("also {}", also.join(", ")),
            many => format!("and {} alike", count(many as u128, "pattern")),
        };
        vec![zeros(case.left.zeros, n), left(&case.left, n), status(&case.left), also]
    };
    out + &columns(&sheet.cases.iter().map(row).collect::<Vec<_>>())
}

/// The sheets as tables in LaTeX.
pub fn cheatsheet_latex(sheets: &[CheatSheet]) -> String {
    let mut out = String::new();
    for sheet in sheets {
        let n = sheet.game.stacks();
        out += &format!("% {}\n\\begin{{tabular}}{{lll}}\n", sheet.game);
        out += "empty stacks & reduced game & theorem \\\\ \\hline\n";
        for case in &sheet.cases {
            let empty = zeros(case.left.zeros, n).replace('=', " = ");
            let left = match case.left.game() {
                None => "no move".to_string(),
                Some(game) => {
                    let position = Names::of(n).gathered(&case.left.members);
                    format!("{} at ${}$", latex_game(&game.to_string()), stacks(&position))
                }
            };
            let by = citation(&status(&case.left));
            out += &format!("${empty}$ & {left} & {by} \\\\\n");
        }
        out += "\\end{tabular}\n";
    }
    out
}

/// The answer to `cheatsheet`.
#[derive(Clone, Debug, Serialize)]
pub struct CheatSheetAnswer {
    game: String,
    /// Empty if no vectors are known.
    sheets: Vec<Sheet>,
}

#[derive(Clone, Debug, Serialize)]
struct Sheet {
    game: String,
    vectors: Vec<Vec<usize>>,
    theorem: Option<TheoremName>,
    /// The box on which vectors were tested that no theorem gives.
    evidence_up_to: Option<u64>,
    cases: Vec<CaseAnswer>,
}

#[derive(Clone, Debug, Serialize)]
struct CaseAnswer {
    #[serde(flatten)]
    left: SubgameAnswer,
    alike: Vec<Vec<usize>>,
}

impl CheatSheetAnswer {
    /// The sheets of a game, the first being its own.
    pub fn new(game: &nimatron::Game, sheets: &[CheatSheet]) -> Self {
        let case = |case: &Case| CaseAnswer {
            left: SubgameAnswer::from(&case.left),
            alike: case.images.iter().copied().map(numbers).collect(),
        };
        let sheet = |sheet: &CheatSheet| Sheet {
            game: sheet.game.to_string(),
            vectors: sheet.vectors.iter().copied().map(numbers).collect(),
            theorem: match &sheet.evidence {
                Evidence::Theorem(by) => Some(by.into()),
                _ => None,
            },
            evidence_up_to: match sheet.evidence {
                Evidence::Box { max } => Some(max),
                _ => None,
            },
            cases: sheet.cases.iter().map(case).collect(),
        };
        CheatSheetAnswer { game: game.to_string(), sheets: sheets.iter().map(sheet).collect() }
    }
}
