//! A formula for the P-positions of a game in which the order of the stacks does not matter,
//! compared with the table of its positions.

use nimatron_formula::{CompileError, Context, Evaluator, Formula, FormulaError, Symmetries};
use nimatron_game::{Game, Height, Outcome, Position, Watch};
use nimatron_table::{TableError, sorted};
use std::ops::ControlFlow;

/// What a comparison has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comparison {
    /// The greatest height.
    pub max: Height,
    /// How many positions were compared, heights in ascending order.
    pub positions: u64,
    /// The smallest position (by total, then lexicographically) where the formula is wrong, with
    /// its outcome.
    pub counterexample: Option<(Position, Outcome)>,
}

/// A comparison that could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ComparisonError {
    /// A sum of games.
    #[error("a sum is no game of its own")]
    Sum,
    /// The formula cannot be read.
    #[error(transparent)]
    Formula(#[from] FormulaError),
    /// The formula cannot be evaluated.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The table was not computed.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Compares a formula with the outcomes of all positions with heights up to `max`. The formula must
/// not depend on the order of the stacks; only ascending heights are looked at.
///
/// Agreement is evidence for taller stacks, not a proof.
///
/// ```
/// use nimatron::conjecture::compare;
/// use nimatron::game::Unlimited;
/// use nimatron::theory::slow::at_least::{Wording, formula};
/// let game = "Slow(4,{2,3,4})".parse().unwrap();
/// let printed = compare(&game, &formula(4, 2, Wording::Printed), 6, &Unlimited).unwrap();
/// assert_eq!(printed.counterexample.unwrap().0.to_string(), "(0,1,2,2)");
/// let corrected = compare(&game, &formula(4, 2, Wording::Corrected), 6, &Unlimited).unwrap();
/// assert_eq!(corrected.counterexample, None);
/// ```
pub fn compare(
    game: &Game,
    formula: &str,
    max: Height,
    watch: &dyn Watch,
) -> Result<Comparison, ComparisonError> {
    let rule = game.single().ok_or(ComparisonError::Sum)?;
    let context = Context::of_rule(rule);
    let formula = Formula::parse(formula, &context)?;
    let evaluator = Evaluator::new(&formula, &context, &Permutations(rule.stacks()))?;
    let table = sorted::outcomes(rule, game.convention(), max, watch)?;
    let mut smallest: Option<(Position, Outcome)> = None;
    for (position, outcome) in table.iter() {
        let smaller =
            |(p, _): &(Position, Outcome)| (position.total(), &position[..]) < (p.total(), &p[..]);
        let wrong = evaluator.holds(&position) != (outcome == Outcome::P);
        if wrong && smallest.as_ref().is_none_or(smaller) {
            smallest = Some((position, outcome));
        }
    }
    Ok(Comparison { max, positions: table.len() as u64, counterexample: smallest })
}

/// All permutations of so many stacks.
struct Permutations(usize);

impl Symmetries for Permutations {
    fn each(&self, visit: &mut dyn FnMut(&[usize]) -> ControlFlow<()>) -> ControlFlow<()> {
        extend(&mut Vec::new(), self.0, visit)
    }
}

fn extend(
    image: &mut Vec<usize>,
    n: usize,
    visit: &mut dyn FnMut(&[usize]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if image.len() == n {
        return visit(image);
    }
    for next in 0..n {
        if !image.contains(&next) {
            image.push(next);
            extend(image, n, visit)?;
            image.pop();
        }
    }
    ControlFlow::Continue(())
}
