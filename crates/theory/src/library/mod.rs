//! The theorems, one file each.
//!
//! | id | games | P-positions |
//! | --- | --- | --- |
//! | [`nim`] | Nim(n) | xor 0 |
//! | [`single_facet`] | CN(n,n), any single facet | empty |
//! | [`all_but_one`] | CN(n,n-1) = Moore(n,n-1) | equal heights |
//! | [`moore`] | Moore(n,k) | ones divisible by k+1 in every digit |
//! | [`misere_moore`] | misere Nim(n), Moore(n,k) | as in normal play, until all stacks are low |
//! | [`matrix`] | Matrix(r,c) | equal column sums, xor of row minima 0 |
//! | [`path`] | PN(n,k), k >= n/2 | equal sides of an empty window |
//! | [`necklace`] | NN(n,k), k >= n/2 | equal halves, lower end = least window |
//! | [`cn64`] | CN(6,4) | equal differences over a triangle of xor 0 |
//! | [`fixed`] | CN(4,2), CN(5,2), CN(5,3), CN(6,3), CN(7,3), CN(7,4), CN(8,3), CN(8,6) | a formula each |
//! | [`pointed_circuits`] | every circuit owns a stack | sums of circuits |
//! | [`additive`] | P closed under addition | sums of circuits |
//! | [`nim_regular`] | finite certificate per digit | every digit in the base |
//! | [`join`] | joins of the above | P in every part |
//! | [`star_with_base`] | Set(ab,ac,..,az,bc..z) | twice the centre = sum of the leaves, xor 0 |
//! | [`tetris`] | Exact games with sets that meet | no move left |
//! | [`jm`] | Exact(2k,k) and its like | no move set above the least height |
//! | [`slow_total`] | Slow(n,A), 1 in A and A odd | total even |
//! | [`slow_all`] | Slow(n,{n}); Slow(n,{1,n}), n even | least stack, and total, even |
//! | [`slow_at_most`] | Slow(n,{1,..,k}), n <= k+2 and two more | parities in ascending order |
//! | [`slow_pairs`] | Slow(n,{2}), n = 3, 4 | parities of all but the tallest, or the total |
//! | [`slow_all_but_one`] | Slow(n,{n-1}), Slow(n,{n-1,n}) | cells of the position grid |
//! | [`mod@crate::peeling`] | circular-arc games of class C with few stacks | sums of peels |
//!
//! [`slow_parity`] decides some positions of every slow game; see [`crate::partial()`].

pub mod additive;
pub mod all_but_one;
pub mod cn64;
pub mod fixed;
pub mod jm;
pub mod join;
pub mod matrix;
pub mod misere_moore;
pub mod moore;
pub mod necklace;
pub mod nim;
pub mod nim_regular;
pub mod path;
pub mod pointed_circuits;
pub mod single_facet;
pub mod slow_all;
pub mod slow_all_but_one;
pub mod slow_at_most;
pub mod slow_pairs;
pub mod slow_parity;
pub mod slow_total;
pub mod star_with_base;
pub mod tetris;

use crate::peeling::PeelingNim;
use crate::theorem::{Solution, Theorem};
use nimatron_game::{Play, Rule};
use std::sync::LazyLock;

static ALL: LazyLock<Vec<&'static dyn Theorem>> = LazyLock::new(|| {
    let families: [&dyn Theorem; 9] = [
        &nim::BoutonNim,
        &single_facet::SingleFacet,
        &all_but_one::AllButOneNim,
        &moore::MooreNim,
        &misere_moore::MisereMooreNim,
        &matrix::MatrixNim,
        &path::PathNim,
        &necklace::NecklaceNim,
        &cn64::CircleSixFour,
    ];
    let complexes: [&dyn Theorem; 7] = [
        &pointed_circuits::PointedCircuitsNim,
        &additive::AdditiveNim,
        &nim_regular::NimRegularNim,
        &join::JoinNim,
        &star_with_base::StarWithBaseNim,
        &tetris::TetrisNim,
        &jm::TransversalFreeNim,
    ];
    let slow: [&dyn Theorem; 7] = [
        &slow_total::OddSlowNim,
        &slow_all::OneOrAllSlowNim,
        &slow_all_but_one::AllButOneSlowNim,
        &slow_all_but_one::AtLeastAllButOneSlowNim,
        &slow_at_most::OneOrTwoSlowNim,
        &slow_at_most::AtMostSlowNim,
        &slow_pairs::PairsSlowNim,
    ];
    let fixed = fixed::all().iter().map(|t| t as &dyn Theorem);
    // Where one game is in a family as well, the theorem about it alone comes first.
    let named = fixed.chain(families).chain(complexes).chain(slow);
    named.chain(CLASSES).collect()
});

/// Theorems about large classes of games, most of which other theorems cover as well and say more about.
static CLASSES: [&dyn Theorem; 1] = [&PeelingNim];

/// All theorems, those that say most about a game first.
pub fn theorems() -> &'static [&'static dyn Theorem] {
    &ALL
}

/// The first theorem that covers a game as it is labelled, with its solution. Those about whole classes
/// of games do not count: see [`find_class`].
///
/// ```
/// use nimatron_game::{Family, Play};
/// use nimatron_theory::library::find;
/// let (theorem, _) = find(&Family::Circular { n: 6, k: 4 }.rule(), Play::Normal).unwrap();
/// assert_eq!(theorem.citation().to_string(), "DH13 Theorem 3.5");
/// assert!(find(&Family::Circular { n: 6, k: 2 }.rule(), Play::Normal).is_none());
/// ```
pub fn find(rule: &Rule, play: Play) -> Option<(&'static dyn Theorem, Box<dyn Solution>)> {
    let named = &theorems()[..theorems().len() - CLASSES.len()];
    first(named, rule, play)
}

/// The theorem about a whole class of games that covers a game, whatever its stacks are called. It is
/// for games that no other theorem covers under any names of the stacks.
pub fn find_class(rule: &Rule, play: Play) -> Option<(&'static dyn Theorem, Box<dyn Solution>)> {
    first(&CLASSES, rule, play)
}

fn first(
    theorems: &[&'static dyn Theorem],
    rule: &Rule,
    play: Play,
) -> Option<(&'static dyn Theorem, Box<dyn Solution>)> {
    theorems.iter().find_map(|&theorem| Some((theorem, theorem.applies(rule, play)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::boxed;
    use nimatron_game::{Family, Height, Outcome, SetFamily, Sizes, StackSet};
    use std::collections::HashSet;

    #[test]
    fn ids_are_unique_and_statements_complete() {
        let partial = crate::partial_theorems();
        let ids = theorems().iter().map(|t| t.id()).chain(partial.iter().map(|t| t.id()));
        let ids: HashSet<_> = ids.collect();
        assert_eq!(ids.len(), theorems().len() + partial.len());
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
                for sizes in [vec![k], vec![1, k], (1..=k).collect(), (k..=n).collect()] {
                    rules.push(Family::Slow { n, sizes: Sizes::new(sizes) }.rule());
                }
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
        for (n, sizes) in
            [(6, vec![2]), (7, vec![2]), (5, vec![3]), (6, vec![1, 2]), (5, vec![2, 5])]
        {
            let sizes = Sizes::new(sizes);
            assert!(find(&Family::Slow { n, sizes }.rule(), Play::Normal).is_none());
        }
        assert!(find(&Family::Path { n: 5, k: 2 }.rule(), Play::Normal).is_none());
        assert!(find(&Family::Circular { n: 5, k: 2 }.rule(), Play::Misere).is_none());
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
                "a = 4 = d+e",
                "the sides are equal: the window between them is emptied",
                "b goes from 2 to 0",
                "c goes from 7 to 0",
            ]
        );
    }
}
