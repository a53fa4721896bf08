//! `digits(F)` and `F then G`: formulas about parts of the binary digits.

use super::{CompileError, Evaluator, Symmetries};
use nimatron_formula::{Context, Formula};
use nimatron_game::{Height, MAX_STACKS};
use std::hash::{Hash, Hasher};

/// A condition on the binary digits. Two are the same if their formulas are.
#[derive(Debug)]
pub(crate) struct Digits {
    formula: Formula,
    parts: Parts,
}

#[derive(Debug)]
enum Parts {
    /// This holds in every binary place.
    Places(Box<Evaluator>),
    /// The first holds for the digits before some place, the second for those after it.
    Cut(Box<(Evaluator, Evaluator)>),
}

/// Conditions on digits within others are tried at all places of all places, and so on: more than this
/// would take too long.
const MOST_DEPTH: usize = 3;

/// How deep conditions on digits stand within each other.
fn depth(formula: &Formula) -> usize {
    match formula {
        Formula::Digits(inner) => 1 + depth(inner),
        Formula::Then(high, low) => 1 + depth(high).max(depth(low)),
        Formula::And(items) | Formula::Or(items) => items.iter().map(depth).max().unwrap_or(0),
        Formula::Not(f) | Formula::Sym(f) | Formula::Reduced(f) | Formula::Let(_, _, f) => depth(f),
        Formula::Compare(..) | Formula::Span(_) => 0,
    }
}

impl PartialEq for Digits {
    fn eq(&self, other: &Self) -> bool {
        self.formula == other.formula
    }
}

impl Eq for Digits {}

impl Hash for Digits {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.formula.hash(state);
    }
}

impl Digits {
    /// The formula is a [`Formula::Digits`] or a [`Formula::Then`].
    pub(crate) fn new(
        formula: Formula,
        context: &Context,
        symmetries: &dyn Symmetries,
    ) -> Result<Self, CompileError> {
        if depth(&formula) > MOST_DEPTH {
            return Err(CompileError::TooDeep);
        }
        let parts = match &formula {
            Formula::Digits(inner) => {
                Parts::Places(Evaluator::new(inner, context, symmetries)?.into())
            }
            Formula::Then(high, low) => Parts::Cut(Box::new((
                Evaluator::new(high, context, symmetries)?,
                Evaluator::new(low, context, symmetries)?,
            ))),
            _ => return Err(CompileError::TooDeep),
        };
        Ok(Digits { formula, parts })
    }

    /// Whether it holds at the position.
    pub(crate) fn holds(&self, heights: &[Height]) -> bool {
        let all = heights.iter().fold(0, |bits, h| bits | h);
        let places = Height::BITS - all.leading_zeros();
        let mut part = [0; MAX_STACKS];
        let part = &mut part[..heights.len()];
        let mut set = |of: &dyn Fn(Height) -> Height, evaluator: &Evaluator| {
            part.iter_mut().zip(heights).for_each(|(to, &height)| *to = of(height));
            evaluator.holds(part)
        };
        match &self.parts {
            // There are zeros in front of all digits.
            Parts::Places(each) => (0..=places).all(|place| {
                let digit = |height: Height| height.checked_shr(place).unwrap_or(0) & 1;
                set(&digit, each)
            }),
            Parts::Cut(both) => (0..=places).any(|place| {
                let before = |height: Height| height.checked_shr(place).unwrap_or(0);
                let mask = 1u64.checked_shl(place).map_or(Height::MAX, |bit| bit - 1);
                set(&before, &both.0) && set(&|height| height & mask, &both.1)
            }),
        }
    }
}
