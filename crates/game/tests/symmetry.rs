//! Symmetries, isomorphisms and canonical forms against plain trial of all permutations.

use nimatron_game::symmetry::{
    Relabelling, Symmetry, canonical_form, find_isomorphism, find_isomorphism_coloured,
};
use nimatron_game::{Height, SetFamily, Sizes, StackSet};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// All permutations of `0..n`.
fn permutations(n: usize) -> Vec<Relabelling> {
    let mut all = vec![vec![]];
    for _ in 0..n {
        let longer = |p: &Vec<usize>| {
            let p = p.clone();
            let unused = (0..n).filter(|s| !p.contains(s));
            unused.map(|s| [&p[..], &[s]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.iter().map(|images| Relabelling::new(images).unwrap()).collect()
}

/// Those permutations that leave the sets as they are.
fn automorphisms(sets: &SetFamily, permutations: &[Relabelling]) -> Vec<Relabelling> {
    let keeps = |p: &&Relabelling| sets.iter().all(|set| sets.contains(p.set(set)));
    permutations.iter().filter(keeps).copied().collect()
}

/// All antichains of non-empty sets that cover `n` stacks.
fn covering_antichains(n: usize) -> Vec<SetFamily> {
    fn extend(n: usize, from: u32, chosen: &mut Vec<StackSet>, found: &mut Vec<SetFamily>) {
        if from == 1 << n {
            let sets = SetFamily::listed(n, chosen.iter().copied());
            if sets.support() == StackSet::first(n) {
                found.push(sets);
            }
            return;
        }
        extend(n, from + 1, chosen, found);
        let set = StackSet::from_bits(from);
        if !chosen.iter().any(|c| c.is_subset(set) || set.is_subset(*c)) {
            chosen.push(set);
            extend(n, from + 1, chosen, found);
            chosen.pop();
        }
    }
    let mut found = Vec::new();
    extend(n, 1, &mut Vec::new(), &mut found);
    found
}

/// All positions with heights up to `most`.
fn positions(n: usize, most: Height) -> Vec<Vec<Height>> {
    let longer = |p: Vec<Height>| (0..=most).map(move |h| [&p[..], &[h]].concat());
    (0..n).fold(vec![vec![]], |all, _| all.into_iter().flat_map(longer).collect())
}

/// Everything a [`Symmetry`] says about its group, against the list of automorphisms.
fn check_group(symmetry: &Symmetry, expected: &[Relabelling]) {
    let n = symmetry.stacks();
    assert_eq!(symmetry.order(), expected.len() as u128);
    let elements = symmetry.elements_up_to(expected.len()).unwrap();
    assert!(elements[0].is_identity());
    assert_eq!(elements.len(), expected.len());
    assert_eq!(symmetry.elements_up_to(expected.len() - 1), None);
    let elements: BTreeSet<_> = elements.into_iter().collect();
    assert_eq!(elements, expected.iter().copied().collect());

    let orbit = |s| expected.iter().map(|g| g.image(s)).collect::<StackSet>();
    let orbits: BTreeSet<_> = (0..n).map(orbit).collect();
    assert_eq!(symmetry.orbits().len(), orbits.len());
    assert!(symmetry.orbits().is_sorted_by_key(|o| o.lowest()));
    assert_eq!(symmetry.orbits().into_iter().collect::<BTreeSet<_>>(), orbits);

    let generators = symmetry.generators();
    let mut generated = BTreeSet::from([Relabelling::identity(n)]);
    let mut waiting: Vec<_> = generated.iter().copied().collect();
    while let Some(element) = waiting.pop() {
        for generator in &generators {
            let next = element.then(generator);
            if generated.insert(next) {
                waiting.push(next);
            }
        }
    }
    assert_eq!(generated, elements);
    assert_eq!(symmetry.is_trivial(), expected.len() == 1);
    assert_eq!(symmetry.is_full(), expected.len() == (1..=n).product::<usize>());
}

/// Everything a [`Symmetry`] says about a position, against the list of automorphisms.
fn check_position(symmetry: &Symmetry, expected: &[Relabelling], heights: &[Height]) {
    let orbit: BTreeSet<_> = expected.iter().map(|g| g.apply(heights)).collect();
    let least = orbit.first().unwrap();
    assert_eq!(&symmetry.canonical(heights), least);
    let way = symmetry.to_canonical(heights);
    assert_eq!(&way.apply(heights), least);
    assert!(expected.contains(&way));
    assert_eq!(symmetry.is_canonical(heights), heights == least);
    assert_eq!(symmetry.orbit_size(heights), orbit.len() as u128);
    let fixing = expected.iter().filter(|g| g.apply(heights) == heights).count();
    assert_eq!(symmetry.stabiliser(heights).order(), fixing as u128);
}

#[test]
fn all_games_on_up_to_five_stacks() {
    let mut classes = Vec::new();
    for n in 1..=5 {
        let permutations = permutations(n);
        let mut forms: BTreeSet<SetFamily> = BTreeSet::new();
        for sets in covering_antichains(n) {
            let symmetry = Symmetry::of_sets(&sets);
            let expected = automorphisms(&sets, &permutations);
            assert_eq!(symmetry.order(), expected.len() as u128, "{sets:?}");

            let (form, renaming) = canonical_form(&sets, None);
            let renamed = SetFamily::listed(n, sets.iter().map(|s| renaming.set(s)));
            assert_eq!(renamed, SetFamily::listed(n, form.iter()), "{sets:?}");
            if forms.insert(form) {
                check_group(&symmetry, &expected);
                for heights in positions(n, if n == 5 { 2 } else { 3 }) {
                    check_position(&symmetry, &expected, &heights);
                }
            }
        }
        for a in &forms {
            for b in &forms {
                assert_eq!(find_isomorphism(a, b).is_some(), a == b, "{a:?} {b:?}");
            }
        }
        classes.push(forms.len());
    }
    assert_eq!(classes, [1, 2, 5, 20, 180]);
}

#[test]
fn canonical_forms_are_equal_exactly_for_isomorphic_games() {
    let permutations = permutations(4);
    let games = covering_antichains(4);
    for a in &games {
        let image = |p: &Relabelling| SetFamily::listed(4, a.iter().map(|s| p.set(s)));
        let images: BTreeSet<_> = permutations.iter().map(image).collect();
        for b in &games {
            let isomorphic = images.contains(b);
            assert_eq!(canonical_form(a, None).0 == canonical_form(b, None).0, isomorphic);
            let found = find_isomorphism(a, b);
            assert_eq!(found.is_some(), isomorphic);
            assert!(found.is_none_or(|i| i.family(a) == *b));
        }
    }
}

#[test]
fn all_lists_of_sets_on_up_to_four_stacks() {
    // Rules that play all stacks of a set keep every set, also one inside another. There are
    // 2, 6, 40, 1992 classes of such lists (OEIS A000612).
    let mut classes = Vec::new();
    for n in 1..=4 {
        let permutations = permutations(n);
        let mut forms = BTreeSet::new();
        for list in 0u32..1 << ((1 << n) - 1) {
            let chosen = StackSet::from_bits(list);
            let sets =
                SetFamily::listed(n, chosen.iter().map(|i| StackSet::from_bits(i as u32 + 1)));
            if forms.insert(canonical_form(&sets, None).0) {
                let symmetry = Symmetry::of_sets(&sets);
                let expected = automorphisms(&sets, &permutations);
                check_group(&symmetry, &expected);
                check_position(&symmetry, &expected, &[2, 0, 1, 0][..n]);
                check_position(&symmetry, &expected, &[1, 1, 0, 1][..n]);
            }
        }
        classes.push(forms.len());
    }
    assert_eq!(classes, [2, 6, 40, 1992]);
}

#[test]
fn families_by_size_are_the_same_as_their_lists() {
    for n in 0..=5 {
        for bits in 0u32..1 << n {
            let sizes = Sizes::new(StackSet::from_bits(bits).iter().map(|s| s + 1));
            let by_size = SetFamily::by_size(n, sizes);
            let listed = SetFamily::listed(n, by_size.iter());
            assert!(Symmetry::of_sets(&listed).is_full());
            assert_eq!(canonical_form(&listed, None).0, by_size);
            assert!(find_isomorphism(&listed, &by_size).is_some());
            let heights: Vec<u64> = (0..n as u64).map(|s| s * 3 % 5).collect();
            let (form, renaming) = canonical_form(&by_size, Some(&heights));
            assert_eq!(form, by_size);
            assert!(renaming.apply(&heights).is_sorted());
        }
    }
}

/// Random sets, half of the time closed under a permutation, so that symmetries are not rare.
fn systems(n: usize) -> impl Strategy<Value = SetFamily> {
    let sets = proptest::collection::vec(1u32..1 << n, 1..4);
    (sets, relabellings(n), any::<bool>(), any::<bool>()).prop_map(
        move |(sets, permutation, closed, facets)| {
            let mut all: Vec<StackSet> = sets.into_iter().map(StackSet::from_bits).collect();
            let mut next = 0;
            while closed && next < all.len() {
                let image = permutation.set(all[next]);
                if !all.contains(&image) {
                    all.push(image);
                }
                next += 1;
            }
            let sets = SetFamily::listed(n, all);
            if facets { sets.maximal() } else { sets }
        },
    )
}

fn relabellings(n: usize) -> impl Strategy<Value = Relabelling> {
    let images = Just((0..n).collect::<Vec<_>>()).prop_shuffle();
    images.prop_map(|images| Relabelling::new(&images).unwrap())
}

/// Compares with all permutations: a system with heights, the same heights moved about, a
/// renamed copy, and another system.
fn check_random(
    sets: &SetFamily,
    heights: &[Height],
    moving: &Relabelling,
    renaming: &Relabelling,
    other: &SetFamily,
) {
    let permutations = permutations(sets.stacks());
    let expected = automorphisms(sets, &permutations);
    let symmetry = Symmetry::of_sets(sets);
    assert_eq!(symmetry.order(), expected.len() as u128);
    check_position(&symmetry, &expected, heights);

    let copy = renaming.family(sets);
    let copied = renaming.apply(heights);
    let form = canonical_form(sets, None).0;
    assert_eq!(canonical_form(&copy, None).0, form);
    let (coloured, way) = canonical_form(sets, Some(heights));
    assert_eq!(canonical_form(&copy, Some(&copied)).0, coloured);
    let mut sorted = heights.to_vec();
    sorted.sort_unstable();
    assert_eq!(way.apply(heights), sorted);
    let found = find_isomorphism_coloured(sets, heights, &copy, &copied).unwrap();
    assert_eq!(found.family(sets), copy);
    assert_eq!(found.apply(heights), copied);

    let moved = moving.apply(heights);
    let in_orbit = expected.iter().any(|g| g.apply(heights) == moved);
    assert_eq!(find_isomorphism_coloured(sets, heights, sets, &moved).is_some(), in_orbit);
    assert_eq!(canonical_form(sets, Some(&moved)).0 == coloured, in_orbit);

    let isomorphic = sets.len() == other.len()
        && permutations.iter().any(|p| sets.iter().all(|s| other.contains(p.set(s))));
    assert_eq!(find_isomorphism(sets, other).is_some(), isomorphic);
    assert_eq!(canonical_form(other, None).0 == form, isomorphic);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_systems_on_six_stacks(
        sets in systems(6),
        heights in proptest::collection::vec(0u64..3, 6),
        moving in relabellings(6),
        renaming in relabellings(6),
        other in systems(6),
    ) {
        check_random(&sets, &heights, &moving, &renaming, &other);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn random_systems_on_seven_stacks(
        sets in systems(7),
        heights in proptest::collection::vec(0u64..3, 7),
        moving in relabellings(7),
        renaming in relabellings(7),
        other in systems(7),
    ) {
        check_random(&sets, &heights, &moving, &renaming, &other);
    }
}
