//! Certificates that were tampered with are rejected, and the obligation is named.
#![allow(clippy::print_stdout)]

use nimatron_game::{Game, Outcome, Play, Unlimited};
use nimatron_prove::matryoshka::{Discovery, discover};
use nimatron_table::naive;
use nimatron_verify::matryoshka::{MatryoshkaProof, Nested, Reason, Region, Vectors};
use nimatron_verify::{Certificate, Proof, verify};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, BTreeSet};

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
    let version = changed("\"version\":1", "\"version\":2").unwrap();
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

/// The obligations that may be named.
const OBLIGATIONS: [&str; 11] = [
    "rule",
    "size",
    "well-formed",
    "base",
    "transversal",
    "child",
    "cells",
    "symmetry",
    "forced",
    "weight",
    "stability",
];

/// A set of stacks under new names.
fn moved(images: &[u32], set: u32) -> u32 {
    images.iter().enumerate().filter(|(s, _)| set >> s & 1 == 1).fold(0, |all, (_, i)| all | 1 << i)
}

/// Whatever the relabellings make of a set.
fn orbit(symmetries: &[Vec<u32>], set: u32) -> BTreeSet<u32> {
    let mut found = BTreeSet::from([set]);
    loop {
        let more = found.iter().flat_map(|&set| symmetries.iter().map(move |g| moved(g, set)));
        let more: BTreeSet<u32> = more.chain(found.iter().copied()).collect();
        if more == found {
            return found;
        }
        found = more;
    }
}

/// Whether the relabellings keep facets, cells and forced sets, and bring a least stack to the same
/// places as the others do.
fn symmetric(nested: &Nested, vectors: &Vectors, others: &[Vec<u32>]) -> bool {
    let facets: BTreeSet<u32> = nested.facets.iter().copied().collect();
    let set = |cell: &Vec<u32>| cell.iter().copied().collect::<BTreeSet<u32>>();
    let cells: BTreeSet<BTreeSet<u32>> = nested.cells.iter().map(set).collect();
    let kept = |g: &Vec<u32>| {
        let image = |cell: &BTreeSet<u32>| cell.iter().map(|&v| moved(g, v)).collect();
        facets.iter().map(|&facet| moved(g, facet)).collect::<BTreeSet<_>>() == facets
            && cells.iter().map(image).collect::<BTreeSet<BTreeSet<u32>>>() == cells
    };
    let forced = vectors.forced.iter().all(|forced| {
        let least = forced.least.map_or(0, |least| 1 << least);
        orbit(&vectors.symmetries, least) == orbit(others, least)
            && orbit(&vectors.symmetries, forced.stacks) == BTreeSet::from([forced.stacks])
    });
    forced && vectors.symmetries.iter().all(kept)
}

/// Whether a facet of every class has weights for all pairs of cells: pair by pair.
fn separated(nested: &Nested, vectors: &Vectors) -> bool {
    let value = |weight: &[i64], set: u32| -> i128 {
        let stacks = weight.iter().enumerate().filter(|(s, _)| set >> s & 1 == 1);
        stacks.map(|(_, &y)| i128::from(y)).sum()
    };
    let forbids = |facet: u32, from: &[u32], to: &[u32]| {
        vectors.weights.iter().filter(|weight| weight.facet == facet).any(|w| {
            let stacks = (0..nested.stacks).filter(|s| facet >> s & 1 == 1);
            stacks.into_iter().all(|s| w.weight[s as usize] >= 1)
                && from.iter().all(|&g| value(&w.weight, g) <= 0)
                && to.iter().all(|&g| value(&w.weight, g) >= 0)
        })
    };
    let served = |facet: &u32| {
        let cells = &nested.cells;
        cells.iter().all(|from| cells.iter().all(|to| forbids(*facet, from, to)))
    };
    nested.facets.iter().all(|&facet| orbit(&vectors.symmetries, facet).iter().any(served))
}

/// Why the changed proof is one as well, if the reason is one of those known. Nothing but a list of
/// relabellings or of weights may differ.
fn reason(original: &MatryoshkaProof, changed: &MatryoshkaProof) -> Option<&'static str> {
    if original.outermost != changed.outermost || original.games.len() != changed.games.len() {
        return None;
    }
    let mut differ = original.games.iter().zip(&changed.games).filter(|(a, b)| a != b);
    let (Some((before, after)), None) = (differ.next(), differ.next()) else { return None };
    let (Reason::Vectors(old), Reason::Vectors(new)) = (&before.reason, &after.reason) else {
        return None;
    };
    let mut same = before.clone();
    same.reason = Reason::Vectors(Vectors {
        symmetries: new.symmetries.clone(),
        weights: new.weights.clone(),
        ..old.clone()
    });
    if same != *after || !symmetric(after, new, &old.symmetries) || !separated(after, new) {
        return None;
    }
    match old.weights == new.weights {
        true => Some("another relabelling that keeps facets and cells"),
        false => Some("the weights still serve every pair of cells"),
    }
}

/// That the P-positions in a small box are what the proof says.
fn describes_the_p_positions(game: &Game, proof: &MatryoshkaProof) -> bool {
    let cells = &proof.games[proof.outermost.game as usize].cells;
    let names = &proof.outermost.names;
    let table = naive::outcomes(game, &vec![2; names.len()]).unwrap();
    table.iter().all(|(position, outcome)| {
        let mut heights = vec![0; names.len()];
        names.iter().zip(position.iter()).for_each(|(&s, &h)| heights[s as usize] = h);
        in_cells(cells, &mut heights) == (outcome == Outcome::P)
    })
}

/// Each change is rejected by a named obligation, or it leaves a proof for a known reason, which is
/// found without asking the checker. `--nocapture` shows the list.
#[test]
fn random_changes_are_rejected_or_prove_the_same() {
    let mut runner = TestRunner::deterministic();
    let mut rejected: BTreeMap<&str, usize> = BTreeMap::new();
    let mut survived: BTreeMap<&str, usize> = BTreeMap::new();
    for name in ["CN(5,2)", "NN(6,3)", "PN(6,3)", "CN(6,3)", "CN(5,3)"] {
        let original = certificate(name);
        let Proof::Matryoshka(before) = &original.proof else { panic!() };
        let mut count = 0;
        while count < 200 {
            let change = changes().new_tree(&mut runner).unwrap().current();
            let mut changed = original.clone();
            apply(&change, proof(&mut changed));
            if changed == original {
                continue;
            }
            count += 1;
            let mut written = Vec::new();
            changed.write(&mut written).unwrap();
            let mut read = Certificate::read(&written[..]).unwrap();
            match verify(&read) {
                Err(why) => {
                    let obligation = why.obligation();
                    assert!(OBLIGATIONS.contains(&obligation), "{name}: {change:?}: {obligation}");
                    *rejected.entry(obligation).or_insert(0) += 1;
                }
                Ok(accepted) => {
                    assert_eq!(accepted.game.to_string(), name);
                    let after = proof(&mut read);
                    assert!(describes_the_p_positions(&accepted.game, after), "{name}: {change:?}");
                    let reason = reason(before, after);
                    let reason = reason.unwrap_or_else(|| panic!("{name}: {change:?}: accepted"));
                    println!("{name}: game {:?}: {reason}", change.game.index(before.games.len()));
                    *survived.entry(reason).or_insert(0) += 1;
                }
            }
        }
    }
    println!("rejected {rejected:?}\nthat prove the same {survived:?}");
    let rejected: usize = rejected.values().sum();
    assert_eq!(rejected + survived.values().sum::<usize>(), 1000);
    assert!(rejected >= 900, "{rejected}");
}
