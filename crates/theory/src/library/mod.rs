//! The theorems, one file each.
//!
//! | id | games | P-positions |
//! | --- | --- | --- |
//! | [`nim`] | Nim(n) | xor 0 |
//! | [`single_facet`] | CN(n,n), any single facet | empty |
//! | [`all_but_one`] | CN(n,n-1) = Moore(n,n-1) | equal heights |
//! | [`moore`] | Moore(n,k) | ones divisible by k+1 in every digit |
//! | [`path`] | PN(n,k), k >= n/2 | equal sides of an empty window |
//! | [`necklace`] | NN(n,k), k >= n/2 | equal halves, lower end = least window |
//! | [`cn64`] | CN(6,4) | equal differences over a triangle of xor 0 |
//! | [`fixed`] | CN(4,2), CN(5,2), CN(5,3), CN(6,3), CN(7,3), CN(7,4), CN(8,3), CN(8,6) | a formula each |
//! | [`pointed_circuits`] | every circuit owns a stack | sums of circuits |
//! | [`additive`] | P closed under addition | sums of circuits |
//! | [`nim_regular`] | finite certificate per digit | every digit in the base |
//! | [`join`] | joins of the above | P in every part |
//! | [`tetris`] | Exact games with sets that meet | no move left |
//! | [`jm`] | Exact(2k,k) and its like | no move set above the least height |

pub mod additive;
pub mod all_but_one;
pub mod cn64;
pub mod fixed;
pub mod jm;
pub mod join;
pub mod moore;
pub mod necklace;
pub mod nim;
pub mod nim_regular;
pub mod path;
pub mod pointed_circuits;
pub mod single_facet;
mod sources;
pub mod tetris;

use crate::theorem::{Solution, Theorem};
use nimatron_game::{Play, Rule};
use std::sync::LazyLock;

static ALL: LazyLock<Vec<&'static dyn Theorem>> = LazyLock::new(|| {
    let families: [&dyn Theorem; 7] = [
        &nim::BoutonNim,
        &single_facet::SingleFacet,
        &all_but_one::AllButOneNim,
        &moore::MooreNim,
        &path::PathNim,
        &necklace::NecklaceNim,
        &cn64::CircleSixFour,
    ];
    let complexes: [&dyn Theorem; 6] = [
        &pointed_circuits::PointedCircuitsNim,
        &additive::AdditiveNim,
        &nim_regular::NimRegularNim,
        &join::JoinNim,
        &tetris::TetrisNim,
        &jm::TransversalFreeNim,
    ];
    let fixed = fixed::all().iter().map(|t| t as &dyn Theorem);
    // Where one game is in a family as well, the theorem about it alone comes first.
    fixed.chain(families).chain(complexes).collect()
});

/// All theorems, those that say most about a game first.
pub fn theorems() -> &'static [&'static dyn Theorem] {
    &ALL
}

/// The first theorem that covers a game as it is labelled, with its solution.
///
/// ```
/// use nimatron_game::{Family, Play};
/// use nimatron_theory::library::find;
/// let (theorem, _) = find(&Family::Circular { n: 6, k: 4 }.rule(), Play::Normal).unwrap();
/// assert_eq!(theorem.citation().to_string(), "DH13 Theorem 3.5");
/// assert!(find(&Family::Circular { n: 6, k: 2 }.rule(), Play::Normal).is_none());
/// ```
pub fn find(rule: &Rule, play: Play) -> Option<(&'static dyn Theorem, Box<dyn Solution>)> {
    let theorems = theorems().iter();
    theorems.filter_map(|&theorem| Some((theorem, theorem.applies(rule, play)?))).next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::boxed;
    use nimatron_game::{Family, Height, Outcome, SetFamily, StackSet};
    use std::collections::HashSet;

    #[test]
    fn ids_are_unique_and_statements_complete() {
        let ids: HashSet<_> = theorems().iter().map(|t| t.id()).collect();
        assert_eq!(ids.len(), theorems().len());
        for theorem in theorems() {
            let statement = theorem.statement();
            assert!(statement.text.len() > 30, "{}", theorem.id());
            assert_eq!(statement.latex.matches('$').count() % 2, 0, "{}", theorem.id());
            assert!(statement.latex.contains(r"\mathcal{P}"), "{}", theorem.id());
            assert!(theorem.citation().source.len() > 15, "{}", theorem.id());
        }
    }

    #[test]
    fn theorems_agree_where_several_apply() {
        let mut rules: Vec<Rule> = Vec::new();
        for n in 1..=5 {
            for k in 1..=n {
                rules.extend([Family::Circular { n, k }, Family::Path { n, k }].map(|f| f.rule()));
                rules.extend([Family::Moore { n, k }, Family::Exact { n, k }].map(|f| f.rule()));
                if k >= 2 {
                    rules.push(Family::Necklace { n, k, l: 2 }.rule());
                }
            }
        }
        let three = [0b011, 0b110, 0b1100, 0b1001].map(StackSet::from_bits);
        rules.push(Rule::set_nim(SetFamily::listed(4, three)));
        let mut compared = 0;
        for rule in &rules {
            let solutions: Vec<_> =
                theorems().iter().filter_map(|t| t.applies(rule, Play::Normal)).collect();
            compared += usize::from(solutions.len() > 1);
            for p in boxed(rule.stacks(), 3) {
                let outcomes: HashSet<Outcome> = solutions.iter().map(|s| s.outcome(&p)).collect();
                assert!(outcomes.len() <= 1, "{rule:?} at {p:?}");
                let values: HashSet<u128> = solutions.iter().filter_map(|s| s.grundy(&p)).collect();
                assert!(values.len() <= 1, "{rule:?} at {p:?}");
            }
        }
        assert!(compared > 30, "{compared}");
    }

    #[test]
    fn open_games_stay_open() {
        let open = [(6, 2), (7, 2), (7, 5), (8, 2), (8, 4), (8, 5), (9, 4)];
        for (n, k) in open {
            assert!(find(&Family::Circular { n, k }.rule(), Play::Normal).is_none());
        }
        assert!(find(&Family::Path { n: 5, k: 2 }.rule(), Play::Normal).is_none());
        assert!(find(&Family::Circular { n: 3, k: 2 }.rule(), Play::Misere).is_none());
    }

    #[test]
    fn reasons_read_as_sentences() {
        let (_, solution) = find(&Family::Path { n: 5, k: 3 }.rule(), Play::Normal).unwrap();
        let heights: [Height; 5] = [4, 2, 7, 1, 3];
        let reasons: Vec<String> = solution
            .winning_move(&heights)
            .unwrap()
            .reasons
            .iter()
            .map(|r| r.to_string())
            .collect();
        assert_eq!(
            reasons,
            [
                "the sum 4 of a equals the sum 4 of de",
                "the sides are equal: the window between them is emptied",
                "b goes from 2 to 0",
                "c goes from 7 to 0",
            ]
        );
    }
}
