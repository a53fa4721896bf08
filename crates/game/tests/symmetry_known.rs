//! Symmetry groups that are known, and systems of up to 32 stacks.

use nimatron_game::symmetry::{Relabelling, Symmetry, canonical_form, find_isomorphism};
use nimatron_game::{CubePart, Family, SetFamily, StackSet};
use std::collections::BTreeSet;

fn order(family: Family) -> u128 {
    Symmetry::of(&family.rule()).order()
}

fn factorial(n: u128) -> u128 {
    (1..=n).product()
}

/// The game on the edges of the complete graph.
fn complete_graph(vertices: u32) -> Family {
    Family::Graph { edges: (0..vertices).flat_map(|u| (0..u).map(move |v| (u, v))).collect() }
}

/// Cycles of these lengths side by side: the stacks are their vertices, the sets their edges.
fn cycles(lengths: &[usize]) -> SetFamily {
    let mut sets = Vec::new();
    let mut first = 0;
    for &length in lengths {
        let edge = |i: usize| [first + i, first + (i + 1) % length].into_iter().collect();
        sets.extend((0..length).map(edge).collect::<Vec<StackSet>>());
        first += length;
    }
    SetFamily::listed(first, sets)
}

/// A graph of 16 vertices: the stacks are its vertices, the sets its edges.
fn graph(adjacent: impl Fn(usize, usize) -> bool) -> Vec<StackSet> {
    let pairs = (0..16).flat_map(|u| (0..u).map(move |v| (u, v)));
    pairs.filter(|&(u, v)| adjacent(u, v)).map(|(u, v)| [u, v].into_iter().collect()).collect()
}

/// The 4 by 4 rook's graph: strongly regular, 1152 symmetries.
fn rook() -> Vec<StackSet> {
    graph(|u, v| u / 4 == v / 4 || u % 4 == v % 4)
}

/// Shrikhande's graph: the same parameters as the rook's, but 192 symmetries.
fn shrikhande() -> Vec<StackSet> {
    graph(|u, v| {
        let difference = ((u / 4 + 4 - v / 4) % 4, (u % 4 + 4 - v % 4) % 4);
        [(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)].contains(&difference)
    })
}

fn side_by_side(a: Vec<StackSet>, b: Vec<StackSet>) -> SetFamily {
    SetFamily::listed(32, a.into_iter().chain(b.into_iter().map(|s| s.shifted(16))))
}

/// Some permutation of the stacks without a pattern.
fn shuffle(n: usize, seed: u64) -> Relabelling {
    let mut images: Vec<usize> = (0..n).collect();
    let mut state = seed;
    for i in (1..n).rev() {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        images.swap(i, (state >> 33) as usize % (i + 1));
    }
    Relabelling::new(&images).unwrap()
}

#[test]
fn orders_of_the_named_families() {
    for n in 2..=16u128 {
        let stacks = n as usize;
        assert_eq!(order(Family::Nim { n: stacks }), factorial(n));
        assert_eq!(order(Family::Circular { n: stacks, k: stacks - 1 }), factorial(n), "{n}");
        assert_eq!(order(Family::Circular { n: stacks, k: stacks }), factorial(n));
        for k in 2..stacks - 1 {
            assert_eq!(order(Family::Circular { n: stacks, k }), 2 * n, "CN({n},{k})");
        }
    }
    assert_eq!(order(Family::Circular { n: 31, k: 15 }), 62);
    assert_eq!(order(Family::Circular { n: 32, k: 31 }), factorial(32));
    assert_eq!(order(Family::Moore { n: 32, k: 16 }), factorial(32));
    assert_eq!(order(Family::Path { n: 6, k: 3 }), 2);
    // The inner stacks of a path with two sets all lie in both.
    assert_eq!(order(Family::Path { n: 6, k: 5 }), 2 * factorial(4));
    assert_eq!(order(Family::Necklace { n: 6, k: 3, l: 2 }), 2);
    for part in [CubePart::Vertex, CubePart::Edge] {
        assert_eq!(order(Family::Cube { part }), 48);
    }
    assert_eq!(order(Family::Cube { part: CubePart::Face }), factorial(6));
    for vertices in 4..=8 {
        assert_eq!(order(complete_graph(vertices)), factorial(vertices.into()));
    }
    // Rows and columns are permuted independently.
    assert_eq!(order(Family::Matrix { rows: 3, columns: 2 }), factorial(3) * factorial(2));
    assert_eq!(order(Family::Matrix { rows: 4, columns: 8 }), factorial(4) * factorial(8));
}

#[test]
fn projective_planes() {
    for (q, n) in [(2u128, 7), (3, 13), (5, 31)] {
        let all = (0..q * q * q).map(|i| [i / q / q, i / q % q, i % q]);
        let points: Vec<[u128; 3]> =
            all.filter(|p| p.iter().find(|&&x| x != 0) == Some(&1)).collect();
        assert_eq!(points.len(), n);
        let line = |l: &[u128; 3]| -> StackSet {
            let on = |p: &[u128; 3]| p.iter().zip(l).map(|(x, y)| x * y).sum::<u128>() % q == 0;
            (0..n).filter(|&i| on(&points[i])).collect()
        };
        let plane = SetFamily::listed(n, points.iter().map(line));
        let symmetry = Symmetry::of_sets(&plane);
        let cube = q * q * q;
        assert_eq!(symmetry.order(), (cube - 1) * (cube - q) * (cube - q * q) / (q - 1));
        assert_eq!(symmetry.orbits(), [StackSet::first(n)]);
        let renamed = shuffle(n, 7).family(&plane);
        assert_eq!(canonical_form(&plane, None).0, canonical_form(&renamed, None).0);
    }
}

#[test]
fn many_equal_components() {
    let pair = |i: usize| StackSet::from_bits(0b11 << (2 * i));
    let path = |i: usize| [0b11, 0b110, 0b1100].map(|s| StackSet::from_bits(s << (4 * i)));
    let cases: [(&str, SetFamily, u128); 6] = [
        ("pairs", SetFamily::listed(32, (0..16).map(pair)), 2u128.pow(16) * factorial(16)),
        ("paths", SetFamily::listed(32, (0..8).flat_map(path)), 2u128.pow(8) * factorial(8)),
        ("triangles", cycles(&[3; 10]), 6u128.pow(10) * factorial(10)),
        ("squares", cycles(&[4; 8]), 8u128.pow(8) * factorial(8)),
        ("pentagons", cycles(&[5; 6]), 10u128.pow(6) * factorial(6)),
        ("lone stacks", SetFamily::listed(32, path(0)), 2 * factorial(28)),
    ];
    for (name, sets, order) in cases {
        let n = sets.stacks();
        let symmetry = Symmetry::of_sets(&sets);
        assert_eq!(symmetry.order(), order, "{name}");
        let renamed = shuffle(n, 3).family(&sets);
        assert_eq!(canonical_form(&sets, None).0, canonical_form(&renamed, None).0, "{name}");
        let found = find_isomorphism(&sets, &renamed).unwrap();
        assert_eq!(found.family(&sets), renamed, "{name}");

        // Half of the heights are equal, so that many candidates stay alike for long.
        let height = |s: u64| if s.is_multiple_of(2) { 1 } else { s % 7 };
        let heights: Vec<u64> = (0..n as u64).map(height).collect();
        let least = symmetry.canonical(&heights);
        assert!(symmetry.is_canonical(&least));
        assert_eq!(symmetry.to_canonical(&heights).apply(&heights), least);
        for (i, generator) in symmetry.generators().iter().enumerate() {
            assert_eq!(generator.family(&sets), sets);
            let moved = generator.apply(&heights);
            assert!(moved >= least, "{name}");
            if i % 5 == 0 {
                assert_eq!(symmetry.canonical(&moved), least, "{name}");
                assert_eq!(symmetry.orbit_size(&moved), symmetry.orbit_size(&least));
            }
        }
    }
}

#[test]
fn orbit_sizes_in_large_groups() {
    let pairs = (0..16).map(|i| StackSet::from_bits(0b11 << (2 * i)));
    let pairs = Symmetry::of_sets(&SetFamily::listed(32, pairs));
    let mut heights = vec![0; 32];
    assert_eq!(pairs.orbit_size(&heights), 1);
    heights[4] = 1;
    assert_eq!(pairs.orbit_size(&heights), 32);
    heights[5] = 2;
    assert_eq!(pairs.orbit_size(&heights), 32);
    heights[31] = 1;
    assert_eq!(pairs.orbit_size(&heights), 32 * 30);
    assert_eq!(pairs.canonical(&heights)[28..], [0, 1, 1, 2]);

    let graphs = Symmetry::of(&complete_graph(8).rule());
    let with = |edges: &[usize]| {
        let mut heights = vec![0; 28];
        edges.iter().for_each(|&e| heights[e] = 1);
        heights
    };
    // Edges 0, 1 and 5 are 1-0, 2-0 and 3-2.
    assert_eq!(graphs.orbit_size(&with(&[5])), 28);
    assert_eq!(graphs.orbit_size(&with(&[0, 1])), 28 * 12 / 2);
    assert_eq!(graphs.orbit_size(&with(&[0, 5])), 28 * 15 / 2);
    let complement: Vec<u64> = with(&[0, 1, 7]).iter().map(|h| 1 - h).collect();
    assert_eq!(graphs.orbit_size(&complement), graphs.orbit_size(&with(&[0, 1, 7])));

    let nim = Symmetry::of(&Family::Nim { n: 32 }.rule());
    let distinct: Vec<u64> = (0..32).rev().collect();
    assert_eq!(nim.orbit_size(&distinct), factorial(32));
    assert!(nim.canonical(&distinct).is_sorted());
}

#[test]
fn graphs_are_the_orbits_of_sets_of_edges() {
    // The numbers of graphs by edges are OEIS A008406.
    let symmetry = Symmetry::of(&complete_graph(5).rule());
    let (mut graphs, mut labelled) = ([0; 11], [0; 11]);
    for edges in (0u32..1 << 10).map(StackSet::from_bits) {
        let heights: Vec<u64> = (0..10).map(|i| edges.contains(i).into()).collect();
        if symmetry.is_canonical(&heights) {
            graphs[edges.len()] += 1;
            labelled[edges.len()] += symmetry.orbit_size(&heights);
        }
    }
    assert_eq!(graphs, [1, 1, 2, 4, 6, 6, 6, 4, 2, 1, 1]);
    assert_eq!(labelled, [1, 10, 45, 120, 210, 252, 210, 120, 45, 10, 1]);

    // On eight vertices the group is too large to be listed.
    let symmetry = Symmetry::of(&complete_graph(8).rule());
    let mut forms = BTreeSet::from([vec![0; 28]]);
    for expected in [1, 2, 5, 11, 24, 56] {
        let mut larger = BTreeSet::new();
        for heights in forms {
            for edge in (0..28).filter(|&e| heights[e] == 0) {
                let mut more = heights.clone();
                more[edge] = 1;
                larger.insert(symmetry.canonical(&more));
            }
        }
        assert_eq!(larger.len(), expected);
        forms = larger;
    }
}

#[test]
fn strongly_regular_components_are_told_apart() {
    let order = |a, b| Symmetry::of_sets(&side_by_side(a, b)).order();
    assert_eq!(order(rook(), rook()), 1152 * 1152 * 2);
    assert_eq!(order(rook(), shrikhande()), 1152 * 192);
    assert_eq!(order(shrikhande(), shrikhande()), 192 * 192 * 2);

    let mixed = side_by_side(rook(), shrikhande());
    let swapped = shuffle(32, 11).family(&side_by_side(shrikhande(), rook()));
    assert!(find_isomorphism(&mixed, &swapped).is_some());
    assert_eq!(canonical_form(&mixed, None).0, canonical_form(&swapped, None).0);
    for same in [side_by_side(rook(), rook()), side_by_side(shrikhande(), shrikhande())] {
        assert!(find_isomorphism(&mixed, &same).is_none());
        assert_ne!(canonical_form(&mixed, None).0, canonical_form(&same, None).0);
    }
}

#[test]
fn cycles_of_different_lengths_are_told_apart() {
    // Every stack lies in two sets of two, whatever the lengths.
    let a = cycles(&[6, 6, 6, 6, 4, 4]);
    let b = cycles(&[6, 6, 6, 4, 4, 3, 3]);
    let c = shuffle(32, 5).family(&cycles(&[4, 6, 6, 4, 6, 6]));
    assert!(find_isomorphism(&a, &b).is_none());
    assert!(find_isomorphism(&a, &c).is_some());
    let form = |sets| canonical_form(sets, None).0;
    assert_ne!(form(&a), form(&b));
    assert_eq!(form(&a), form(&c));
    let order = 12u128.pow(4) * factorial(4) * 8u128.pow(2) * 2;
    assert_eq!(Symmetry::of_sets(&a).order(), order);
}

#[test]
fn values_are_shared_between_threads() {
    fn shared<T: Send + Sync + Clone + std::fmt::Debug>() {}
    shared::<Symmetry>();
    shared::<Relabelling>();
}
