//! The count behind DH13 Theorem 4.1: which lemmas take care of which orders of eight stacks.
//!
//! The last part of the proof for CN(8,6) is a computation. Eight stacks of different heights can stand
//! around the circle in 7!/2 = 2520 orders, up to rotation and reflection, and each of these has to satisfy the
//! condition of one of four lemmas. These speak of heights only by comparing them, so that heights 1 to 8
//! stand for all. (Lemma 4.4 adds heights; it is used inside the proofs of the others.)

use crate::library::fixed;
use nimatron_formula::{Context, Formula};
use nimatron_game::Height;
use nimatron_game::symmetry::Symmetry;
use nimatron_meaning::Evaluator;

/// How the lemmas share the order types.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OrderTypes {
    /// How many order types there are.
    pub total: usize,
    /// The lemmas, by their names.
    pub lemmas: Vec<&'static str>,
    /// By the lemmas that apply, those with a bit set: how many order types. Like the regions of a diagram of
    /// sets.
    pub shared: Vec<usize>,
    /// The first order type, as heights, that no lemma takes care of.
    pub left_over: Option<Vec<Height>>,
}

impl OrderTypes {
    /// The order types that this lemma takes care of, alone or with others.
    pub fn covered(&self, lemma: usize) -> usize {
        self.sum(|applied| applied >> lemma & 1 == 1)
    }

    /// The order types that only this lemma takes care of.
    pub fn only(&self, lemma: usize) -> usize {
        self.sum(|applied| applied == 1 << lemma)
    }

    fn sum(&self, counts: impl Fn(usize) -> bool) -> usize {
        let regions = self.shared.iter().enumerate();
        regions.filter(|(applied, _)| counts(*applied)).map(|(_, count)| count).sum()
    }
}

/// Goes through all order types of CN(8,6).
///
/// ```
/// let found = nimatron_theory::order_types::count();
/// assert_eq!((found.total, found.covered(0)), (2520, 2248));
/// assert_eq!(found.left_over, None);
/// ```
///
/// # Panics
/// If the data of the theorem are not what they should be; a test counts.
pub fn count() -> OrderTypes {
    let theorem = fixed::all().iter().find(|t| t.family().to_string() == "CN(8,6)");
    let theorem = theorem.expect("CN(8,6) is in the library");
    let rule = theorem.family().rule();
    let images: Vec<Vec<usize>> =
        Symmetry::of(&rule).elements().map(|g| g.images().collect()).collect();
    let compares = |(_, condition): &&(&str, Formula)| !adds(condition);
    let (lemmas, conditions): (Vec<&'static str>, Vec<Evaluator>) = theorem
        .parts()
        .iter()
        .filter(compares)
        .map(|(name, condition)| {
            let evaluator = Evaluator::new(condition, &Context::of_rule(&rule), &images);
            (*name, evaluator.expect("short formulas"))
        })
        .unzip();
    let mut found =
        OrderTypes { total: 0, shared: vec![0; 1 << lemmas.len()], lemmas, left_over: None };
    // The tallest stack first, and its neighbours in order: one of each type.
    let mut order: Vec<Height> = (1..=7).collect();
    loop {
        if order[0] < order[6] {
            let heights: Vec<Height> = std::iter::once(8).chain(order.iter().copied()).collect();
            let applies =
                |(i, condition): (usize, &Evaluator)| usize::from(condition.holds(&heights)) << i;
            let applied: usize = conditions.iter().enumerate().map(applies).sum();
            found.total += 1;
            found.shared[applied] += 1;
            if applied == 0 && found.left_over.is_none() {
                found.left_over = Some(heights);
            }
        }
        let Some(i) = (1..7).rev().find(|&i| order[i - 1] < order[i]) else { return found };
        let j = (i..7).rev().find(|&j| order[j] > order[i - 1]).expect("order[i] is larger");
        order.swap(i - 1, j);
        order[i..].reverse();
    }
}

/// Whether the formula adds heights.
fn adds(formula: &Formula) -> bool {
    formula.to_string().contains('+')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_dh13() {
        let found = count();
        let short: Vec<&str> = found.lemmas.iter().map(|l| &l[..9]).collect();
        assert_eq!(short, ["Lemma 4.5", "Lemma 4.6", "Lemma 4.7", "Lemma 4.1"]);
        assert_eq!(found.total, 2520);
        assert_eq!(found.covered(0), 2248);
        assert_eq!(found.covered(3), 62);
        assert_eq!(found.only(3), 42);
        assert_eq!(found.left_over, None);
        assert_eq!(found.shared.iter().sum::<usize>(), 2520);
    }
}
