//! Theorems about single games, written in the formula language.
//!
//! Each is a data file in the folder `theorems`: the game, where it was proved, the formula for
//! its P-positions, a second one where another form is of interest, the same in words, the invariant vectors
//! if it has any, and what the publication calls the alternatives of the formula and the cases of its proof:
//! by the number of empty stacks, or by a condition for each. The formula is what is evaluated, shown, checked and proved; there is no second version of it in code.

use crate::by_formula::FormulaSolution;
use crate::publication::Publication;
use crate::reason::Reason;
use crate::theorem::{Citation, Solution, Statement, Theorem, WinningMove};
use nimatron_formula::{Context, Formula, Term};
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Family, Game, Height, Outcome, Play, Rule, StackSet, Take};
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
    /// Another formula for the same set.
    second_form: Option<&'static str>,
    text: &'static str,
    citation: Citation,
    invariants: Vec<StackSet>,
    /// The names of the alternatives, in the order of the formula.
    cases: Vec<&'static str>,
    /// Which part of the proof gives the move, by the number of empty stacks.
    lemmas: Vec<&'static str>,
    /// The parts of the proof, each with a condition for N-positions that it takes care of.
    parts: Vec<(&'static str, Formula)>,
    solution: OnceLock<Arc<Told>>,
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

    /// The parts of the proof that every N-position has a move to a P-position, each with a condition for the
    /// positions that it takes care of, where they have such conditions.
    pub fn parts(&self) -> &[(&'static str, Formula)] {
        &self.parts
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
        let publication = Publication::by_key(key).unwrap_or_else(|| panic!("{id}: no `{key}`"));
        let mut citation = Citation::item(*publication, item);
        citation.credit = field("credit").map(Cow::Borrowed);
        let text = required("text");
        let part = |part: &'static str| {
            let (name, condition) = part.split_once(": ").expect("a name and a condition");
            let read = Formula::parse(condition, &Context::of_rule(&rule));
            (name, read.unwrap_or_else(|e| panic!("{id}: {e}")))
        };
        let parts = field("proof").map_or(Vec::new(), |list| list.split(" | ").map(part).collect());
        FixedTheorem {
            parts,
            id,
            family,
            rule,
            formula,
            formula_text,
            second_form: field("second form"),
            text,
            citation,
            invariants,
            cases: field("cases").map_or(Vec::new(), |list| list.split(", ").collect()),
            lemmas: field("lemmas").map_or(Vec::new(), |list| list.split("; ").collect()),
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
        let n = self.rule.stacks();
        let names: Vec<String> = (0..n).map(|s| Term::Stack(s).to_latex()).collect();
        let row = names.join(",");
        let (symmetric, inner) = match &self.formula {
            Formula::Sym(inner) => (", after a symmetry of the game, are", &**inner),
            other => (" are", other),
        };
        let formula = inner.spelled_out(n).to_latex();
        let set = r"the set $\mathcal{P}$ consists of the positions that";
        let latex =
            format!(r"In ${game}$ {set}{symmetric} of the form $({row})$ with ${formula}$.");
        Statement { text: Cow::Borrowed(self.text), latex: Cow::Owned(latex) }
    }

    fn text(&self) -> Cow<'static, str> {
        Cow::Borrowed(self.text)
    }

    fn second_form(&self) -> Option<Cow<'static, str>> {
        self.second_form.map(Cow::Borrowed)
    }

    fn applies(&self, rule: &Rule, play: Play) -> Option<Box<dyn Solution>> {
        if play != Play::Normal || *rule != self.rule {
            return None;
        }
        let solution = self.solution.get_or_init(|| {
            let solution = FormulaSolution::new(&self.family, &self.formula, self.formula_text);
            let symmetries = Symmetry::of(&self.rule).elements();
            Arc::new(Told {
                solution: solution.expect("the formulas of the library are linear"),
                formula: self.formula.clone(),
                symmetries: symmetries.map(|g| g.images().collect()).collect(),
                cases: self.cases.clone(),
                lemmas: self.lemmas.clone(),
                parts: self.parts.clone(),
            })
        });
        Some(Box::new(Arc::clone(solution)))
    }
}

/// The solution by a formula, told in the words of the publication.
#[derive(Debug)]
struct Told {
    solution: FormulaSolution,
    formula: Formula,
    symmetries: Vec<Vec<usize>>,
    cases: Vec<&'static str>,
    lemmas: Vec<&'static str>,
    parts: Vec<(&'static str, Formula)>,
}

impl Told {
    /// Why the formula holds: which alternative, and how the position is read.
    fn holds(&self, heights: &[Height]) -> Option<Reason> {
        let witness = self.formula.witness(heights, &self.symmetries)?;
        let case = witness.alternatives.first().and_then(|&number| self.cases.get(number)).copied();
        Some(Reason::Holds { case, witness, heights: heights.to_vec() })
    }

    /// The part of the proof that a position without a move to itself belongs to.
    fn lemma(&self, heights: &[Height]) -> Option<Reason> {
        let of_part = |(name, condition): &(&'static str, Formula)| {
            let witness = condition.witness(heights, &self.symmetries)?;
            Some(Reason::Holds { case: Some(name), witness, heights: heights.to_vec() })
        };
        if let Some(part) = self.parts.iter().find_map(of_part) {
            return Some(part);
        }
        let empty = heights.iter().filter(|&&height| height == 0).count();
        let lemma = self.lemmas.get(empty).or(self.lemmas.last())?;
        Some(Reason::Case(lemma))
    }
}

impl Solution for Told {
    fn stacks(&self) -> usize {
        self.solution.stacks()
    }

    fn family(&self) -> Option<Family> {
        self.solution.family()
    }

    fn outcome(&self, heights: &[Height]) -> Outcome {
        self.solution.outcome(heights)
    }

    fn winning_move(&self, heights: &[Height]) -> Option<WinningMove> {
        let mut won = self.solution.winning_move(heights)?;
        won.reasons.splice(0..0, self.lemma(heights));
        Some(won)
    }

    fn winning_take(&self, heights: &[Height]) -> Option<Take> {
        self.solution.winning_take(heights)
    }

    fn explain(&self, heights: &[Height]) -> Vec<Reason> {
        match self.holds(heights) {
            Some(holds) => vec![holds],
            None => self.solution.explain(heights),
        }
    }

    fn explain_option(&self, heights: &[Height]) -> Vec<Reason> {
        self.holds(heights).into_iter().collect()
    }

    fn formula(&self) -> Option<String> {
        self.solution.formula()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::boxed;

    /// On small boxes a formula has a witness exactly where it holds, and the conditions hold there.
    #[test]
    fn witnesses_are_found_where_formulas_hold() {
        for theorem in all() {
            let told = theorem.applies(&theorem.rule, Play::Normal).unwrap();
            let max = if theorem.rule.stacks() > 6 { 2 } else { 3 };
            for heights in boxed(theorem.rule.stacks(), max) {
                let lost = told.outcome(&heights) == Outcome::P;
                let holds = matches!(&told.explain(&heights)[..], [Reason::Holds { .. }]);
                assert_eq!(holds, lost, "{} at {heights:?}", theorem.id);
            }
        }
    }

    #[test]
    fn the_families_of_dhv21_are_named() {
        let theorem = all().iter().find(|t| t.id == "cn-7-4").unwrap();
        let told = theorem.applies(&theorem.rule, Play::Normal).unwrap();
        let text = |heights: &[Height]| {
            let facts = told.explain(heights).into_iter().map(|r| r.to_string());
            facts.collect::<Vec<_>>().join("; ")
        };
        assert_eq!(
            text(&[1, 1, 3, 2, 2, 2, 3]),
            "case S3: a = 1 = min, a = 1 = b, c = 3 = g, d = 2 = f, a+c = 1+3 = 2+2 = d+e, \
             0 < a < e (0 < 1 < 2)"
        );
        assert!(
            text(&[2, 2, 2, 3, 1, 1, 3]).starts_with("case S3, read from f, backwards"),
            "{}",
            text(&[2, 2, 2, 3, 1, 1, 3])
        );
        let moved = |heights: &[Height]| told.winning_move(heights).unwrap().reasons[0].to_string();
        assert_eq!(moved(&[1, 2, 3, 4, 5, 6, 7]), "Lemma 4 (Maximum Lemma)");
        assert_eq!(moved(&[0, 2, 3, 0, 5, 0, 7]), "Lemma 2 (Multiple Zeros Lemma)");
    }

    /// Every N-position of CN(8,6) belongs to one of the lemmas, also where stacks are equally high.
    #[test]
    fn the_lemmas_of_dh13_are_named() {
        let theorem = all().iter().find(|t| t.id == "cn-8-6").unwrap();
        let told = theorem.applies(&theorem.rule, Play::Normal).unwrap();
        for heights in boxed(8, 2) {
            if let Some(won) = told.winning_move(&heights) {
                let first = won.reasons[0].to_string();
                assert!(first.starts_with("Lemma 4."), "{heights:?}: {first}");
            }
        }
        let won = told.winning_move(&[4, 12, 11, 9, 10, 16, 1, 17]).unwrap();
        assert!(won.reasons[0].to_string().starts_with("Lemma 4.10 (Clean-up Lemma): f >= "));
        let won = told.winning_move(&[9, 1, 2, 8, 7, 6, 7, 8]).unwrap();
        let valley = "Lemma 4.4 (Valley Lemma): b+c <= min(a,d) (1+2 <= min(9,8))";
        assert_eq!(won.reasons[0].to_string(), valley);
    }
}
