//! Theorems about single games, written in the formula language.
//!
//! Each is a data file in the folder `theorems`: the game, where it was proved, the formula for
//! its P-positions, the same in words, and the invariant vectors if it has any. The formula is
//! what is evaluated, shown, checked and proved; there is no second version of it in code.

use super::sources;
use crate::linear::FormulaSolution;
use crate::theorem::{Citation, Solution, Statement, Theorem};
use nimatron_formula::{Context, Formula};
use nimatron_game::{Family, Game, Play, Rule, StackSet};
use std::borrow::Cow;
use std::sync::{Arc, LazyLock, OnceLock};

const FILES: [(&str, &str); 8] = [
    ("cn-4-2", include_str!("../../theorems/cn-4-2.txt")),
    ("cn-5-2", include_str!("../../theorems/cn-5-2.txt")),
    ("cn-5-3", include_str!("../../theorems/cn-5-3.txt")),
    ("cn-6-3", include_str!("../../theorems/cn-6-3.txt")),
    ("cn-7-3", include_str!("../../theorems/cn-7-3.txt")),
    ("cn-7-4", include_str!("../../theorems/cn-7-4.txt")),
    ("cn-8-3", include_str!("../../theorems/cn-8-3.txt")),
    ("cn-8-6", include_str!("../../theorems/cn-8-6.txt")),
];

static ALL: LazyLock<Vec<FixedTheorem>> =
    LazyLock::new(|| FILES.iter().map(|(id, text)| FixedTheorem::read(id, text)).collect());

/// All theorems about single games.
pub fn all() -> &'static [FixedTheorem] {
    &ALL
}

/// A theorem about one game.
#[derive(Debug)]
pub struct FixedTheorem {
    id: &'static str,
    family: Family,
    rule: Rule,
    formula: Formula,
    formula_text: &'static str,
    text: &'static str,
    citation: Citation,
    invariants: Vec<StackSet>,
    solution: OnceLock<Arc<FormulaSolution>>,
}

impl FixedTheorem {
    /// The game.
    pub fn family(&self) -> &Family {
        &self.family
    }

    /// The formula for its P-positions.
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// The formula as it is written in the data file.
    pub fn formula_text(&self) -> &'static str {
        self.formula_text
    }

    /// Vectors that can be added and subtracted without changing the outcome.
    pub fn invariants(&self) -> &[StackSet] {
        &self.invariants
    }

    /// Reads a data file.
    ///
    /// # Panics
    /// If the file is not well-formed; a test reads them all.
    fn read(id: &'static str, text: &'static str) -> Self {
        let field = |name: &str| {
            let lines = text.lines().filter_map(|line| line.split_once(": "));
            let mut found = lines.filter(|(key, _)| *key == name).map(|(_, value)| value);
            found.next()
        };
        let required = |name| field(name).unwrap_or_else(|| panic!("{id}: no line `{name}: `"));
        let game: Game = required("game").parse().unwrap_or_else(|e| panic!("{id}: {e}"));
        let family = game.summands()[0].family().clone();
        let rule = family.rule();
        let formula_text = required("formula");
        let formula = Formula::parse(formula_text, &Context::of_rule(&rule));
        let formula = formula.unwrap_or_else(|e| panic!("{id}: {e}"));
        let vector = |word: &str| word.trim().bytes().map(|b| usize::from(b - b'a')).collect();
        let invariants =
            field("invariants").map_or(Vec::new(), |list| list.split(',').map(vector).collect());
        let (key, item) = required("source").split_once(' ').expect("a key and an item");
        let citation = Citation::item(key, sources::by_key(key), item);
        let text = required("text");
        FixedTheorem {
            id,
            family,
            rule,
            formula,
            formula_text,
            text,
            citation,
            invariants,
            solution: OnceLock::new(),
        }
    }
}

impl Theorem for FixedTheorem {
    fn id(&self) -> &str {
        self.id
    }

    fn games(&self) -> Cow<'static, str> {
        self.family.to_string().into()
    }

    fn citation(&self) -> Citation {
        self.citation.clone()
    }

    fn statement(&self) -> Statement {
        let game = self.family.to_string().replace("CN", r"\mathrm{CN}");
        let latex = format!(
            r"In ${game}$ the set $\mathcal{{P}}$ consists of the positions with ${}$.",
            self.formula.to_latex()
        );
        Statement { text: Cow::Borrowed(self.text), latex: Cow::Owned(latex) }
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        if play != Play::Normal || *rule != self.rule {
            return None;
        }
        let solution = self.solution.get_or_init(|| {
            let solution = FormulaSolution::new(&self.family, &self.formula, self.formula_text);
            Arc::new(solution.expect("the formulas of the library are linear"))
        });
        Some(Box::new(Arc::clone(solution)))
    }
}
