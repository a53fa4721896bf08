//! Peeling against the definition, and the class against all orders of the stacks.

use super::*;
use crate::testing::{Random, Sieve, boxed, check_box, check_tall};
use nimatron_game::{Family, Height, Outcome, Play, Rule, SetFamily, StackSet};

fn is_member(family: Family) -> bool {
    Circle::of(&family.rule(), Play::Normal).is_some()
}

#[test]
fn the_class_holds_the_families_it_should() {
    for n in 1..=32 {
        for k in 1..=n {
            let circular = k == n / 3 + 1 || k == n;
            assert_eq!(is_member(Family::Circular { n, k }), circular, "CN({n},{k})");
            assert_eq!(is_member(Family::Path { n, k }), 2 * k >= n, "PN({n},{k})");
            if (2..=14).contains(&n) && k >= 2 {
                let necklace = 2 * k + 1 >= n;
                assert_eq!(is_member(Family::Necklace { n, k, l: 2 }), necklace, "NN({n},{k})");
            }
            for l in 3..=k.min(5) {
                if k <= 7 && n > k {
                    let clasped = (2 * k + l - 3..=2 * k + l - 1).contains(&n);
                    let member = is_member(Family::Necklace { n, k, l });
                    // Fewer stacks may merge to another game of the class.
                    assert!(member || !clasped, "NN({n},{k},{l})");
                    assert!(clasped || !member || n < 2 * k + l - 3, "NN({n},{k},{l})");
                }
            }
        }
    }
}

/// A random game of the class with `n` places, its stacks in a random order.
pub(super) fn random_member(random: &mut Random, n: usize) -> Rule {
    loop {
        let (low, wide) = (random.below(2 + n as u64 / 3), 1 + random.below(1 + n as u64 / 3));
        let mut facets = Vec::new();
        for start in 0..n {
            let length = (1 + low + random.below(wide)).min(n as u64) as usize;
            facets.push((0..length).map(|step| (start + step) % n).collect::<StackSet>());
        }
        let mut names: Vec<usize> = (0..n).collect();
        (0..n).for_each(|i| names.swap(i, i + random.below((n - i) as u64) as usize));
        let sets = SetFamily::listed(n, facets.iter().map(|f| f.relabel(&names))).maximal();
        let rule = Rule::set_nim(sets);
        if Circle::of(&rule, Play::Normal).is_some_and(|circle| circle.len() + 2 > n) {
            return rule;
        }
    }
}

#[test]
fn circular_games_agree_with_the_definition() {
    for (n, max) in [(3, 15), (4, 9), (5, 6), (6, 4), (7, 3), (8, 2), (9, 2), (10, 1), (11, 1)] {
        check_box(&PeelingNim, &Family::Circular { n, k: n / 3 + 1 }.rule(), max);
    }
    check_box(&PeelingNim, &Family::Circular { n: 12, k: 5 }.rule(), 1);
}

#[test]
fn paths_and_necklaces_agree_with_the_definition() {
    let necklaces = [(4, 3), (5, 2), (5, 3), (6, 3), (6, 4), (7, 3), (7, 4), (8, 4)];
    for (n, k) in necklaces {
        let max = [0, 0, 0, 0, 8, 5, 3, 2, 2][n];
        check_box(&PeelingNim, &Family::Necklace { n, k, l: 2 }.rule(), max);
    }
    for (n, k) in [(3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (7, 5), (8, 4)] {
        let max = [0, 0, 0, 9, 7, 5, 3, 2, 2][n];
        check_box(&PeelingNim, &Family::Path { n, k }.rule(), max);
    }
    check_box(&PeelingNim, &Family::Necklace { n: 8, k: 4, l: 3 }.rule(), 2);
}

#[test]
fn random_members_agree_with_the_definition() {
    let mut random = Random::new(200);
    for _ in 0..60 {
        let n = 3 + random.below(6) as usize;
        let rule = random_member(&mut random, n);
        check_box(&PeelingNim, &rule, [0, 0, 0, 7, 5, 3, 2, 2, 1][n]);
        check_tall(&PeelingNim, &rule, 20);
    }
}

#[test]
fn tall_positions_have_winning_moves() {
    for n in 3..=PROVED_CIRCULAR {
        check_tall(&PeelingNim, &Family::Circular { n, k: n / 3 + 1 }.rule(), 300);
    }
    for family in [Family::Circular { n: 20, k: 20 }, Family::Necklace { n: 32, k: 31, l: 2 }] {
        check_tall(&PeelingNim, &family.rule(), 300);
    }
}

/// Whether some circular order puts a game into the class, by trying them all.
fn exists(rule: &Rule) -> bool {
    fn go(order: &mut Vec<usize>, n: usize, facets: &[StackSet]) -> bool {
        if order.len() == n {
            return is_in_class(order, facets);
        }
        (1..n).any(|next| {
            if order.contains(&next) {
                return false;
            }
            order.push(next);
            let found = go(order, n, facets);
            order.pop();
            found
        })
    }
    let facets: Vec<StackSet> = rule.sets().iter().collect();
    go(&mut vec![0], rule.stacks(), &facets)
}

/// The definition of the class, word by word, for games without stacks that merge.
fn is_in_class(order: &[usize], facets: &[StackSet]) -> bool {
    let n = order.len();
    let stack = |place: usize| order[place % n];
    let arcs = facets.iter().all(|f| {
        n == 1
            || (0..n).filter(|&i| f.contains(stack(i)) && !f.contains(stack(i + n - 1))).count()
                == 1
    });
    let r = |i: usize| {
        let last = |f: &StackSet| (i..i + n).take_while(|&j| f.contains(stack(j))).last();
        facets.iter().filter_map(last).max().expect("each stack lies in a facet")
    };
    let beyond = |i: usize| r(i) + 1;
    arcs && (0..n).all(|i| n == 1 || r(r(r(i))) <= i + n && i + n < beyond(beyond(beyond(i))))
}

#[test]
fn the_class_does_not_depend_on_the_order_found() {
    let mut random = Random::new(7);
    let mut counts = [0, 0];
    for n in 1..=6usize {
        for _ in 0..800 {
            let count = 1 + random.below(n as u64);
            let all = StackSet::first(n);
            let sets: Vec<_> =
                (0..count).map(|_| StackSet::from_bits(random.next() as u32) & all).collect();
            let sets = SetFamily::listed(n, sets).maximal();
            let rule = Rule::set_nim(sets.clone());
            let merges = (0..n)
                .any(|a| (0..a).any(|b| sets.iter().all(|set| set.contains(a) == set.contains(b))));
            if sets.support() != all || merges {
                continue;
            }
            let found = Circle::of(&rule, Play::Normal).is_some();
            assert_eq!(found, exists(&rule), "{rule:?}");
            counts[usize::from(found)] += 1;
        }
    }
    assert!(counts.iter().all(|&c| c > 100), "{counts:?}");
}

#[test]
fn any_choice_of_peels_gives_the_same_outcome() {
    // Turning the circle makes the walk begin elsewhere, and so finds other orbits.
    let mut random = Random::new(9);
    for n in [6, 9, 10, 12] {
        let rule = Family::Circular { n, k: n / 3 + 1 }.rule();
        let circle = Circle::of(&rule, Play::Normal).unwrap();
        for _ in 0..200 {
            let heights: Vec<Height> = (0..n).map(|_| random.below(5)).collect();
            let outcome = circle.outcome(&heights);
            for turn in 1..n {
                let turned = [&heights[turn..], &heights[..turn]].concat();
                assert_eq!(circle.outcome(&turned), outcome, "{heights:?}");
            }
            let mirrored: Vec<Height> = heights.iter().rev().copied().collect();
            assert_eq!(circle.outcome(&mirrored), outcome, "{heights:?}");
        }
    }
}

#[test]
fn invariant_vectors_are_the_orbits_of_both_directions() {
    let vectors = |family: Family| {
        let circle = Circle::of(&family.rule(), Play::Normal).unwrap();
        circle.invariants().iter().map(|v| v.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(vectors(Family::Circular { n: 9, k: 4 }), ["adg", "beh", "cfi"]);
    assert_eq!(vectors(Family::Circular { n: 8, k: 3 }), ["aceg", "bdfh"]);
    assert_eq!(vectors(Family::Circular { n: 7, k: 3 }), ["abcdefg"]);
    assert_eq!(vectors(Family::Necklace { n: 6, k: 3, l: 2 }), ["abdf", "acef"]);
    assert_eq!(vectors(Family::Path { n: 4, k: 2 }), ["ad"]);
}

#[test]
fn what_is_proved_depends_on_the_stacks_that_are_not_empty() {
    let circle = Circle::of(&Family::Circular { n: 20, k: 7 }.rule(), Play::Normal).unwrap();
    let at = |empty: &[usize]| -> Vec<Height> {
        (0..20).map(|s| if empty.contains(&s) { 0 } else { 5 + s as Height % 3 }).collect()
    };
    assert_eq!(circle.peeled(&at(&[])).proof, None);
    let gap = circle.peeled(&at(&[0, 1, 2, 3, 4, 5]));
    assert_eq!(gap.proof, Some(Proof::Gap));
    let few = circle.peeled(&at(&[1, 3, 5, 7, 9, 11, 13, 15]));
    assert_eq!(few.proof, Some(Proof::Few { stacks: 12 }));
    // A P-position with one stack raised: the move goes back, to a few stacks.
    let mut heights: Vec<Height> = (0..20).map(|s| Height::from(s % 4 == 0)).collect();
    let p = circle.peeled(&heights);
    assert_eq!((p.outcome(), p.facet), (Outcome::P, StackSet::EMPTY));
    (1..=6).for_each(|s| heights[s] += 3);
    let raised = circle.peeled(&heights);
    assert_eq!(raised.outcome(), Outcome::N);
    assert!(raised.proof.is_some());
}

#[test]
fn merging_counts_as_the_reduction_does() {
    let mut random = Random::new(21);
    for _ in 0..200 {
        let n = 4 + random.below(12) as usize;
        let rule = random_member(&mut random, n);
        let circle = Circle::of(&rule, Play::Normal).unwrap();
        let alive =
            StackSet::from_bits(random.next() as u32 | random.next() as u32) & StackSet::first(n);
        let sets = SetFamily::listed(n, rule.sets().iter().map(|set| set & alive)).maximal();
        let classes: std::collections::BTreeSet<Vec<bool>> =
            alive.iter().map(|s| sets.iter().map(|set| set.contains(s)).collect()).collect();
        let places = circle.places().iter().enumerate();
        let met = places.filter(|(_, place)| !place.is_disjoint(alive));
        let met = met.fold(0u32, |set, (p, _)| set | 1 << p);
        assert_eq!(circle.merged(met), classes.len(), "{rule:?} without all but {alive}");
    }
}

#[test]
fn the_conjecture_agrees_with_small_tables_beyond_the_proof() {
    let rule = Family::Circular { n: 14, k: 5 }.rule();
    let sieve = Sieve::new(&rule, Play::Normal, 1);
    let mut conjectured = 0;
    for heights in boxed(14, 1) {
        let circle = Circle::of(&rule, Play::Normal).unwrap();
        assert_eq!(circle.outcome(&heights), sieve.outcome(&heights), "{heights:?}");
        conjectured += usize::from(conjecture(&rule, Play::Normal, &heights).is_some());
    }
    assert!(conjectured > 0);
}
