//! Certificates that were tampered with are rejected, and the obligation is named.

use nimatron_game::{Game, Outcome, Play, Unlimited};
use nimatron_prove::matryoshka::{Discovery, discover};
use nimatron_table::naive;
use nimatron_verify::matryoshka::{MatryoshkaProof, Nested, Reason, Region, Vectors};
use nimatron_verify::{Certificate, Proof, verify};
use proptest::prelude::*;
use proptest::sample::Index;

fn certificate(name: &str) -> Certificate {
    let game: Game = name.parse().unwrap();
    match discover(&game, &Unlimited).unwrap() {
        Discovery::Found(solution) => solution.certificate(),
        other => panic!("{name}: {other:?}"),
    }
}

fn proof(certificate: &mut Certificate) -> &mut MatryoshkaProof {
    match &mut certificate.proof {
        Proof::Matryoshka(proof) => proof,
        other => panic!("{other:?}"),
    }
}

fn vectors(nested: &mut Nested) -> &mut Vectors {
    match &mut nested.reason {
        Reason::Vectors(vectors) => vectors,
        other => panic!("{other:?}"),
    }
}

/// The outermost game of a proof.
fn outermost(proof: &mut MatryoshkaProof) -> &mut Nested {
    proof.games.last_mut().unwrap()
}

/// What becomes of the certificate of a game when it is changed.
fn after(name: &str, change: impl FnOnce(&mut MatryoshkaProof)) -> &'static str {
    let mut certificate = certificate(name);
    assert!(verify(&certificate).is_ok());
    change(proof(&mut certificate));
    match verify(&certificate) {
        Ok(_) => "accepted",
        Err(why) => why.obligation(),
    }
}

#[test]
fn the_certificate_of_another_game() {
    for (of, used_for) in [("CN(5,2)", "CN(5,3)"), ("CN(6,3)", "CN(6,4)"), ("PN(4,2)", "CN(4,2)")] {
        let mut certificate = certificate(of);
        certificate.game = used_for.parse().unwrap();
        assert_eq!(verify(&certificate).unwrap_err().obligation(), "child", "{of} for {used_for}");
    }
}

#[test]
fn misere_play_variants_and_sums() {
    let certificate = certificate("CN(5,2)");
    let rejected = |game: Game| {
        let changed = Certificate::new(game, certificate.proof.clone());
        verify(&changed).unwrap_err().obligation()
    };
    assert_eq!(rejected(certificate.game.clone().under(Play::Misere)), "rule");
    assert_eq!(rejected("CN(5,2) any=1".parse().unwrap()), "rule");
    assert_eq!(rejected("PN(3,2) + Nim(2)".parse().unwrap()), "rule");
}

#[test]
fn a_facet_added_or_removed() {
    // In the game of the certificate.
    let mut changed = certificate("CN(5,2)");
    changed.game = "Set(ab,bc,cd,de)".parse().unwrap();
    assert_eq!(verify(&changed).unwrap_err().obligation(), "child");
    changed.game = "Set(ab,bc,cd,de,ea,ac)".parse().unwrap();
    assert_eq!(verify(&changed).unwrap_err().obligation(), "child");
    // In the list.
    let removed = |proof: &mut MatryoshkaProof| outermost(proof).facets.truncate(4);
    assert_ne!(after("CN(5,2)", removed), "accepted");
    let added = |proof: &mut MatryoshkaProof| outermost(proof).facets.push(0b111);
    assert_ne!(after("CN(5,2)", added), "accepted");
    let inner = |proof: &mut MatryoshkaProof| proof.games[1].facets[0] = 0b1111;
    assert_ne!(after("CN(5,2)", inner), "accepted");
}

#[test]
fn something_left_out() {
    let child = |proof: &mut MatryoshkaProof| drop(vectors(outermost(proof)).children.remove(2));
    assert_eq!(after("CN(5,2)", child), "transversal");
    let cell = |proof: &mut MatryoshkaProof| drop(outermost(proof).cells.remove(0));
    assert_eq!(after("CN(5,2)", cell), "cells");
    let generator =
        |proof: &mut MatryoshkaProof| outermost(proof).cells[0].retain(|&g| g == 0b11111);
    assert_eq!(after("CN(5,2)", generator), "cells");
    let weights = |proof: &mut MatryoshkaProof| vectors(outermost(proof)).weights.clear();
    assert_eq!(after("CN(5,2)", weights), "stability");
    let symmetries = |proof: &mut MatryoshkaProof| vectors(outermost(proof)).symmetries.clear();
    assert_eq!(after("CN(5,2)", symmetries), "stability");
    let vector = |proof: &mut MatryoshkaProof| {
        let vectors = &mut vectors(outermost(proof)).vectors;
        vectors.truncate(vectors.len() - 1);
    };
    assert_eq!(after("CN(5,2)", vector), "well-formed");
    assert_eq!(after("CN(6,3)", vector), "transversal");
    let game = |proof: &mut MatryoshkaProof| drop(proof.games.pop());
    assert_eq!(after("CN(5,2)", game), "child");
    let game = |proof: &mut MatryoshkaProof| drop(proof.games.remove(0));
    assert_eq!(after("CN(5,2)", game), "child");
}

/// Each weight that is left out leaves some pair without one, or is not needed; at least one is.
#[test]
fn every_pair_needs_a_weight() {
    let certificate = certificate("CN(7,3)");
    let Proof::Matryoshka(whole) = &certificate.proof else { panic!() };
    let mut needed = 0;
    let mut last = whole.games.last().unwrap().clone();
    for number in 0..vectors(&mut last).weights.len() {
        let mut changed = certificate.clone();
        vectors(outermost(proof(&mut changed))).weights.remove(number);
        match verify(&changed) {
            Ok(_) => {}
            Err(why) => {
                assert_eq!(why.obligation(), "stability");
                needed += 1;
            }
        }
    }
    assert!(needed > 0);
}

#[test]
fn changed_weights() {
    let sign = |proof: &mut MatryoshkaProof| {
        let weight = &mut vectors(outermost(proof)).weights[0];
        weight.weight.iter_mut().for_each(|y| *y = -*y);
    };
    assert_eq!(after("CN(5,2)", sign), "weight");
    let zero = |proof: &mut MatryoshkaProof| {
        let weight = &mut vectors(outermost(proof)).weights[0];
        weight.weight[weight.facet.trailing_zeros() as usize] = 0;
    };
    assert_eq!(after("CN(5,2)", zero), "weight");
    let facet = |proof: &mut MatryoshkaProof| vectors(outermost(proof)).weights[0].facet = 0b101;
    assert_eq!(after("CN(5,2)", facet), "weight");
    let short =
        |proof: &mut MatryoshkaProof| vectors(outermost(proof)).weights[0].weight.truncate(4);
    assert_eq!(after("CN(5,2)", short), "well-formed");
    let positive = |proof: &mut MatryoshkaProof| {
        let weights = &mut vectors(outermost(proof)).weights;
        weights.iter_mut().for_each(|weight| weight.weight.fill(1));
    };
    assert_eq!(after("CN(5,2)", positive), "stability");
    // Sums of extreme weights do not wrap around.
    let extreme = |proof: &mut MatryoshkaProof| {
        let weights = &mut vectors(outermost(proof)).weights;
        weights.iter_mut().for_each(|weight| weight.weight.fill(i64::MAX));
    };
    assert_eq!(after("CN(5,2)", extreme), "stability");
}

#[test]
fn changed_generators() {
    // A cell that is too large: (1,0,0,0,0) is a P-position now.
    let larger = |proof: &mut MatryoshkaProof| outermost(proof).cells[0].push(0b00001);
    assert_eq!(after("CN(5,2)", larger), "symmetry");
    let all_larger = |proof: &mut MatryoshkaProof| {
        let cells = &mut outermost(proof).cells;
        cells.iter_mut().for_each(|cell| cell.extend([0b1, 0b10, 0b100, 0b1000, 0b10000]));
    };
    assert_eq!(after("CN(5,2)", all_larger), "stability");
    let beyond = |proof: &mut MatryoshkaProof| outermost(proof).cells[0].push(1 << 5);
    assert_eq!(after("CN(5,2)", beyond), "well-formed");
    let zero = |proof: &mut MatryoshkaProof| outermost(proof).cells[0].push(0);
    assert_eq!(after("CN(5,2)", zero), "well-formed");
    let base = |proof: &mut MatryoshkaProof| {
        let pair = |nested: &&mut Nested| nested.reason == Reason::Pair;
        proof.games.iter_mut().find(pair).unwrap().cells = vec![vec![0b01, 0b10]];
    };
    assert_eq!(after("CN(5,2)", base), "base");
}

#[test]
fn wrong_base_cases() {
    let empty = |proof: &mut MatryoshkaProof| outermost(proof).reason = Reason::Empty;
    assert_eq!(after("CN(5,2)", empty), "base");
    let pair = |proof: &mut MatryoshkaProof| outermost(proof).reason = Reason::Pair;
    assert_eq!(after("CN(5,2)", pair), "base");
    let sum = |proof: &mut MatryoshkaProof| {
        // Three single stacks are not two.
        let game = &mut proof.games[0];
        (game.stacks, game.facets) = (3, vec![1, 2, 4]);
    };
    assert_eq!(after("PN(4,2)", sum), "base");
}

#[test]
fn wrong_relabellings() {
    let repeated =
        |proof: &mut MatryoshkaProof| proof.outermost.names[1] = proof.outermost.names[0];
    assert_eq!(after("CN(5,2)", repeated), "child");
    let swapped = |proof: &mut MatryoshkaProof| proof.outermost.names.swap(0, 1);
    assert_eq!(after("CN(5,2)", swapped), "child");
    let emptied = |proof: &mut MatryoshkaProof| proof.outermost.emptied = 1;
    assert_eq!(after("CN(5,2)", emptied), "child");
    let swapped = |proof: &mut MatryoshkaProof| {
        let children = &mut vectors(outermost(proof)).children;
        children[0].names.swap(0, 1);
    };
    assert_eq!(after("CN(5,2)", swapped), "child");
    let itself = |proof: &mut MatryoshkaProof| {
        let last = proof.games.len() as u32 - 1;
        vectors(outermost(proof)).children[0].game = last;
    };
    assert_eq!(after("CN(5,2)", itself), "child");
    let nowhere = |proof: &mut MatryoshkaProof| proof.outermost.game = u32::MAX;
    assert_eq!(after("CN(5,2)", nowhere), "child");
}

#[test]
fn wrong_automorphisms() {
    let not = |proof: &mut MatryoshkaProof| {
        vectors(outermost(proof)).symmetries.push(vec![1, 0, 2, 3, 4]);
    };
    assert_eq!(after("CN(5,2)", not), "symmetry");
    let repeated = |proof: &mut MatryoshkaProof| vectors(outermost(proof)).symmetries[0].fill(0);
    assert_eq!(after("CN(5,2)", repeated), "well-formed");
    // An automorphism of the facets that does not permute the cells.
    let cells = |proof: &mut MatryoshkaProof| {
        let cell = outermost(proof).cells[0].clone();
        outermost(proof).cells.push([&cell[..], &[0b1]].concat());
    };
    assert_eq!(after("CN(5,2)", cells), "symmetry");
}

/// The tree of the forced set of CN(5,3).
fn tree(proof: &mut MatryoshkaProof) -> &mut Vec<Region> {
    &mut vectors(outermost(proof)).forced[0].tree
}

#[test]
fn forced_zeros_that_are_not_shown() {
    let check = |change: fn(&mut MatryoshkaProof)| after("CN(5,3)", change);
    assert_eq!(check(|proof| vectors(outermost(proof)).forced.clear()), "well-formed");
    assert_eq!(check(|proof| tree(proof).clear()), "forced");
    assert_eq!(check(|proof| drop(tree(proof).pop())), "forced");
    assert_eq!(check(|proof| drop(tree(proof).remove(0))), "forced");
    let repeated = |proof: &mut MatryoshkaProof| {
        let node = tree(proof)[0].clone();
        tree(proof).push(node);
    };
    assert_eq!(check(repeated), "forced");
    assert_eq!(check(|proof| vectors(outermost(proof)).forced[0].least = None), "forced");
    assert_eq!(check(|proof| vectors(outermost(proof)).forced[0].least = Some(7)), "forced");
    assert_eq!(check(|proof| vectors(outermost(proof)).forced[0].stacks = 0b01111), "forced");
    // The least stack is only meaningful where the symmetries are listed.
    assert_ne!(check(|proof| vectors(outermost(proof)).symmetries.clear()), "accepted");
}

/// Each number of the tree matters: a change is rejected unless the node remains valid by itself.
#[test]
fn changed_trees() {
    let original = certificate("CN(5,3)");
    let mut copy = original.clone();
    let nodes = tree(proof(&mut copy)).len();
    let mut rejected = [0, 0, 0];
    for node in 0..nodes {
        let mut changed = original.clone();
        let kind = match &mut tree(proof(&mut changed))[node] {
            Region::Split(form) => {
                form[0] += 1;
                0
            }
            Region::Empty(multiples) => {
                multiples[0].1 = -multiples[0].1;
                1
            }
            Region::Play { times, .. } => {
                times[0][1] += 1;
                2
            }
        };
        let why = verify(&changed).unwrap_err();
        assert_eq!(why.obligation(), "forced", "node {node}");
        rejected[kind] += 1;
    }
    assert!(rejected.iter().all(|&count| count > 0), "{rejected:?}");
    for (node, extreme) in (0..nodes).flat_map(|node| [(node, i64::MAX), (node, i64::MIN)]) {
        let mut changed = original.clone();
        match &mut tree(proof(&mut changed))[node] {
            Region::Split(form) => form.fill(extreme),
            // All multiples times the same number would be as good as before.
            Region::Empty(multiples) if multiples.len() == 1 => multiples[0].1 = i64::MIN,
            Region::Empty(multiples) => multiples[0].1 = extreme,
            Region::Play { times, .. } => times.iter_mut().for_each(|form| form.fill(extreme)),
        }
        assert_eq!(verify(&changed).unwrap_err().obligation(), "forced", "node {node}");
    }
}

#[test]
fn truncated_and_unknown_text() {
    let mut text = Vec::new();
    certificate("CN(5,2)").write(&mut text).unwrap();
    for length in 0..text.len() - 1 {
        assert!(Certificate::read(&text[..length]).is_err(), "{length}");
    }
    let text = String::from_utf8(text).unwrap();
    let changed = |from: &str, to: &str| Certificate::read(text.replacen(from, to, 1).as_bytes());
    assert!(changed("\"emptied\":", "\"empty\":").is_err());
    assert!(changed("\"stacks\":", "\"extra\":0,\"stacks\":").is_err());
    assert!(changed("\"facet\":", "\"facet\":-").is_err());
    let version = changed("\"version\":2", "\"version\":1").unwrap();
    assert_eq!(verify(&version).unwrap_err().obligation(), "version");
}

/// One random change somewhere in a proof.
#[derive(Clone, Debug)]
struct Change {
    kind: u8,
    game: Index,
    place: Index,
    inner: Index,
    bits: u32,
    amount: i64,
}

fn changes() -> impl Strategy<Value = Change> {
    let places = (any::<Index>(), any::<Index>(), any::<Index>());
    (0..16u8, places, 0..512u32, -3..=3i64).prop_map(
        |(kind, (game, place, inner), bits, amount)| Change {
            kind,
            game,
            place,
            inner,
            bits,
            amount,
        },
    )
}

fn apply(change: &Change, proof: &mut MatryoshkaProof) {
    let Change { kind, game, place, inner, bits, amount } = change;
    let count = proof.games.len();
    let number = game.index(count);
    let nested = &mut proof.games[number];
    let one = |list: &mut Vec<u32>, by: u32| {
        if !list.is_empty() {
            let at = inner.index(list.len());
            list[at] ^= by;
        }
    };
    let flip = 1 << (bits % nested.stacks.max(1));
    match (kind, &mut nested.reason) {
        (0, _) => one(&mut nested.facets, flip),
        (1, _) => one(place.get_mut(&mut nested.cells), flip),
        (2, _) => drop(nested.cells.remove(place.index(nested.cells.len()))),
        (3, _) => nested.cells.push(vec![*bits]),
        (4, _) => nested.stacks ^= flip,
        (5, _) => proof.games.swap(number, place.index(count)),
        (6, _) => one(&mut proof.outermost.names, 1),
        (_, Reason::Vectors(v)) => match kind {
            7 => one(&mut v.vectors, flip),
            8 => one(&mut place.get_mut(&mut v.children).names, 1),
            9 => place.get_mut(&mut v.children).emptied ^= flip,
            10 => place.get_mut(&mut v.children).game ^= bits & 3,
            11 if !v.symmetries.is_empty() => {
                let symmetry = place.get_mut(&mut v.symmetries);
                symmetry.swap(0, inner.index(nested.stacks as usize));
            }
            12 => {
                let weight = place.get_mut(&mut v.weights);
                weight.weight[inner.index(nested.stacks as usize)] += amount;
            }
            13 if !v.forced.is_empty() => {
                let tree = &mut place.get_mut(&mut v.forced).tree;
                drop(tree.remove(inner.index(tree.len())));
            }
            14 if !v.forced.is_empty() => match inner.get_mut(&mut v.forced[0].tree) {
                Region::Split(form) => *place.get_mut(form) += amount,
                Region::Empty(multiples) => place.get_mut(multiples).1 += amount,
                Region::Play { facet, cell, times } => match bits % 3 {
                    0 => *facet ^= flip,
                    1 => *cell = place.index(nested.cells.len()),
                    _ => place.get_mut(times)[0] += amount,
                },
            },
            _ => drop(v.weights.remove(place.index(v.weights.len()))),
        },
        _ => nested.reason = if bits % 2 == 0 { Reason::Empty } else { Reason::Pair },
    }
}

/// Whether a position is a sum of generators of one cell: a plain search.
fn in_cells(cells: &[Vec<u32>], heights: &mut Vec<u64>) -> bool {
    fn is_sum(cell: &[u32], heights: &mut Vec<u64>) -> bool {
        let Some(stack) = heights.iter().position(|&h| h > 0) else { return true };
        cell.iter().filter(|&&g| g >> stack & 1 == 1).any(|&g| {
            let stacks: Vec<usize> = (0..heights.len()).filter(|s| g >> s & 1 == 1).collect();
            if stacks.iter().any(|&s| heights[s] == 0) {
                return false;
            }
            stacks.iter().for_each(|&s| heights[s] -= 1);
            let found = is_sum(cell, heights);
            stacks.iter().for_each(|&s| heights[s] += 1);
            found
        })
    }
    cells.iter().any(|cell| is_sum(cell, heights))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// A changed proof is rejected, or it still describes the P-positions.
    #[test]
    fn random_changes(change in changes(), game in 0..5usize) {
        let name = ["CN(5,2)", "NN(6,3)", "PN(6,3)", "CN(6,3)", "CN(5,3)"][game];
        let mut changed = certificate(name);
        apply(&change, proof(&mut changed));
        if let Ok(accepted) = verify(&changed) {
            prop_assert_eq!(accepted.game.to_string(), name);
            let proof = proof(&mut changed);
            let cells = proof.games[proof.outermost.game as usize].cells.clone();
            let names = proof.outermost.names.clone();
            let table = naive::outcomes(&accepted.game, &vec![2; names.len()]).unwrap();
            for (position, outcome) in table.iter() {
                let mut heights = vec![0; names.len()];
                names.iter().zip(position.iter()).for_each(|(&s, &h)| heights[s as usize] = h);
                let inside = in_cells(&cells, &mut heights);
                prop_assert_eq!(inside, outcome == Outcome::P, "{}", position);
            }
        }
    }
}

#[test]
fn most_random_changes_are_rejected() {
    // The strategy is not vacuous: among many changes only a few leave the proof valid.
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let original = certificate("CN(5,2)");
    let mut accepted = 0;
    for _ in 0..300 {
        let change = changes().new_tree(&mut runner).unwrap().current();
        let mut changed = original.clone();
        apply(&change, proof(&mut changed));
        accepted += usize::from(verify(&changed).is_ok());
    }
    assert!(accepted < 100, "{accepted} of 300");
}
