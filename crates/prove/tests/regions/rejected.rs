//! Certificates that were tampered with.

use super::common::proved;
use nimatron_verify::regions::{Form, Inclusion, Node, RegionsProof};
use nimatron_verify::{Certificate, Proof, verify};

const CIRCLE: &str = "sym(b = e, a+b = c+d, a = max)";
const H: &str = "sym(a <= f, a+b+c = d+e+f, a = d+min(c,e))";

fn tampered(game: &str, formula: &str, tamper: impl Fn(&mut RegionsProof)) -> &'static str {
    let mut certificate = proved(game, formula).certificate;
    let Proof::Regions(proof) = &mut certificate.proof else { panic!("regions") };
    let before = proof.clone();
    tamper(proof);
    assert_ne!(before, *proof, "nothing was changed");
    verify(&certificate).unwrap_err().obligation()
}

fn leaf(proof: &mut RegionsProof) -> &mut Node {
    proof.coverage.iter_mut().find(|n| matches!(n, Node::Rule { .. })).unwrap()
}

#[test]
fn another_game_or_convention() {
    for (from, formula, to) in [
        ("CN(5,2)", CIRCLE, "CN(5,3)"),
        ("CN(5,2)", CIRCLE, "misere CN(5,2)"),
        ("CN(5,2)", CIRCLE, "Set(ab,bc,cd,de,ae,ac)"),
        ("CN(5,2)", CIRCLE, "PN(5,2)"),
        ("CN(5,2)", CIRCLE, "CN(6,2)"),
        ("misere Nim(2)", "a+b = 1 or (a = b, a >= 2)", "Nim(2)"),
        ("PN(3,2)", "b = 0, a = c", "Nim(3)"),
        ("Exact(3,2)", "a = b = 0 or a = c = 0 or b = c = 0", "Moore(3,2)"),
    ] {
        let certificate = proved(from, formula).certificate;
        let moved = Certificate::new(to.parse().unwrap(), certificate.proof);
        assert!(verify(&moved).is_err(), "{from} as {to}");
    }
}

#[test]
fn another_formula() {
    let formula =
        |text: &'static str| tampered("CN(5,2)", CIRCLE, move |p| p.formula = text.into());
    assert_eq!(formula("sym(b = e, a+b = c+d)"), "branches");
    assert_eq!(formula("sym(b = e, a+b = c+d, a >= max-1)"), "branches");
    assert_eq!(formula("sym(b = e, a+b = c+d, a = max, c < 1000)"), "branches");
    assert_eq!(formula("sym(b = e, a+b ="), "formula");
    assert_eq!(formula("xor(a,b) = 0"), "formula");
    // A weakened inequality of a listed branch.
    let weaker = |p: &mut RegionsProof| {
        p.branches[0].constraints.iter_mut().find(|c| !c.equation).unwrap().form.0 += 1;
    };
    assert_eq!(tampered("CN(5,2)", CIRCLE, weaker), "branches");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| drop(p.branches[0].constraints.pop())), "branches");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| drop(p.branches.pop())), "branches");
}

#[test]
fn missing_parts() {
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| drop(p.expansion.pop())), "branches");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| drop(p.listed.pop())), "branches");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| drop(p.sources.pop())), "separation");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| drop(p.sources[0].trees.pop())), "separation");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| p.sources[0].trees[3].clear()), "separation");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| drop(p.rules.remove(0))), "coverage");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| drop(p.coverage.pop())), "coverage");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| p.coverage.push(Node::Empty(vec![]))), "coverage");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| drop(p.rules[0].proofs.pop())), "rule");
    let misere = "a+b = 1 or (a = b, a >= 2)";
    assert_eq!(tampered("misere Nim(2)", misere, |p| drop(p.playable.pop())), "terminal");
    assert_eq!(tampered("misere Nim(2)", misere, |p| p.playable[0].clear()), "terminal");
}

#[test]
fn wrong_multipliers() {
    let flip = |p: &mut RegionsProof| {
        let Node::Rule { proofs, .. } = leaf(p) else { panic!() };
        proofs[0][0].1 *= -1;
    };
    assert_eq!(tampered("H", H, flip), "coverage");
    let more = |p: &mut RegionsProof| {
        let Node::Rule { proofs, .. } = leaf(p) else { panic!() };
        proofs[0][0].1 += 1;
    };
    assert_eq!(tampered("H", H, more), "coverage");
    // Products and sums beyond 127 bits.
    let huge = |p: &mut RegionsProof| {
        let rule = &mut p.rules[0];
        rule.constraints[0].form.1.iter_mut().for_each(|t| t.1 = i64::MAX);
        rule.proofs[0] = vec![(6, i64::MAX); 9];
    };
    assert_eq!(tampered("H", H, huge), "rule");
    let flaw = {
        let mut certificate = proved("H", H).certificate;
        let Proof::Regions(proof) = &mut certificate.proof else { panic!("regions") };
        huge(proof);
        verify(&certificate).unwrap_err().to_string()
    };
    assert!(flaw.contains("too large"), "{flaw}");
    // Multiples of a proof are proofs.
    let mut certificate = proved("H", H).certificate;
    let Proof::Regions(proof) = &mut certificate.proof else { panic!("regions") };
    let Node::Rule { proofs, .. } = leaf(proof) else { panic!() };
    proofs[0].iter_mut().for_each(|m| m.1 *= 5);
    assert!(verify(&certificate).is_ok());
    let separation = |p: &mut RegionsProof| {
        let Node::Empty(farkas) = &mut p.sources[0].trees[0][0] else { panic!() };
        farkas[0].1 += 1;
    };
    assert_eq!(tampered("H", H, separation), "separation");
    let beyond = |p: &mut RegionsProof| {
        let Node::Empty(farkas) = &mut p.sources[0].trees[0][0] else { panic!() };
        farkas[0].0 = 1_000;
    };
    assert_eq!(tampered("H", H, beyond), "separation");
}

#[test]
fn wrong_rules() {
    // A witness that raises a stack, or leaves the facet.
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| p.rules[0].heights[0].0 += 1), "rule");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| p.rules[0].heights.push(Form(0, vec![]))), "rule");
    assert_eq!(
        tampered("CN(5,2)", CIRCLE, |p| p.rules[0].heights[0] = Form(0, vec![(9, 1)])),
        "rule"
    );
    assert_eq!(
        tampered("CN(5,2)", CIRCLE, |p| p.rules[0].play = Some(p.rules[0].play.unwrap() ^ 1)),
        "rule"
    );
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| p.rules[0].play = Some(99)), "rule");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| p.rules[0].extras = usize::MAX), "rule");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| drop(p.rules[0].constraints.pop())), "rule");
    // A rule that only says that a move exists covers nothing.
    let idle = |p: &mut RegionsProof| {
        let rows = p.rules[0].heights.len() * 2;
        p.rules[0].branch = None;
        p.rules[0].proofs.truncate(rows);
    };
    assert!(["rule", "coverage"].contains(&tampered("CN(5,2)", CIRCLE, idle)));
}

#[test]
fn wrong_symmetries_and_domains() {
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| p.symmetries[0].image.swap(0, 1)), "symmetry");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| p.symmetries[0].image[0] = 7), "symmetry");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| p.symmetries.clear()), "separation");
    // A set of branches that is not closed.
    let open = |p: &mut RegionsProof| {
        let nimatron_verify::regions::Closed::Images(images) = &mut p.symmetries[0].closed else {
            panic!()
        };
        let Inclusion::Into { branch, .. } = &mut images[0] else { panic!() };
        *branch = (*branch + 1) % 5;
    };
    assert_eq!(tampered("CN(5,2)", CIRCLE, open), "symmetry");
    let domain = |a: usize, b: usize| {
        tampered("CN(5,2)", CIRCLE, move |p| {
            let (_, _, g) = p.domain.exchange.unwrap();
            p.domain.exchange = Some((a, b, g));
        })
    };
    assert_eq!(domain(0, 1), "domain");
    assert_eq!(domain(1, 1), "domain");
    assert_eq!(domain(1, 77), "domain");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| p.domain.least = Some(9)), "domain");
    // There is no place for a second inequality.
    let text = serde_json::to_string(&proved("CN(5,2)", CIRCLE).certificate).unwrap();
    let two = text.replace("\"exchange\":[", "\"exchange\":[[1,4,0],");
    assert!(text != two && Certificate::read(two.as_bytes()).is_err());
}

#[test]
fn truncated_and_reordered_files() {
    let certificate = proved("H", H).certificate;
    let text = serde_json::to_string(&certificate).unwrap();
    assert_eq!(Certificate::read(text.as_bytes()).unwrap(), certificate);
    for part in 1..20 {
        assert!(Certificate::read(&text.as_bytes()[..text.len() * part / 20]).is_err());
    }
    assert_eq!(tampered("H", H, |p| p.coverage.reverse()), "coverage");
    assert_eq!(tampered("H", H, |p| p.rules.reverse()), "coverage");
    assert!(
        ["branches", "separation", "symmetry"]
            .contains(&tampered("H", H, |p| p.branches.reverse()))
    );
}

/// Changes the `at`-th number of a JSON value; the number of numbers seen.
fn mutate(value: &mut serde_json::Value, at: usize, by: i64, seen: &mut usize) {
    match value {
        serde_json::Value::Number(number) => {
            if *seen == at {
                let changed = number.as_i64().unwrap_or(0).wrapping_add(by);
                *value = changed.into();
            }
            *seen += 1;
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(|v| mutate(v, at, by, seen)),
        serde_json::Value::Object(map) => map.values_mut().for_each(|v| mutate(v, at, by, seen)),
        _ => {}
    }
}

#[test]
fn random_mutants_are_rejected_or_prove_the_same() {
    let (mut rejected, mut harmless) = (0, 0);
    for (game, formula) in [
        ("CN(5,2)", CIRCLE),
        ("H", H),
        ("Slow(4,{1,4})", "even(total), even(min)"),
        ("misere PN(3,2)", "total = 1 or (b = 0, a = c, a >= 2)"),
    ] {
        let certificate = proved(game, formula).certificate;
        let text = serde_json::to_value(&certificate).unwrap();
        let mut count = 0;
        mutate(&mut text.clone(), usize::MAX, 0, &mut count);
        let mut seed = 7u64;
        for _ in 0..60 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let at = (seed >> 33) as usize % count;
            let by = [1, -1, 2, -3, 1_000, i64::MAX][(seed >> 20) as usize % 6];
            let mut changed = text.clone();
            mutate(&mut changed, at, by, &mut 0);
            let Ok(read) = serde_json::from_value::<Certificate>(changed) else {
                rejected += 1;
                continue;
            };
            match verify(&read) {
                Err(rejection) => {
                    assert!(!rejection.obligation().is_empty());
                    rejected += 1;
                }
                // Accepted: then it is a proof of the same claim. Game and formula hold no
                // numbers, so the claim is what it was, and it is true.
                Ok(accepted) => {
                    assert_eq!(
                        (accepted.game, accepted.set),
                        (certificate.game.clone(), formula_of(&certificate))
                    );
                    harmless += 1;
                }
            }
        }
    }
    assert!(rejected >= 150, "{rejected} rejected, {harmless} harmless");
}

fn formula_of(certificate: &Certificate) -> String {
    match &certificate.proof {
        Proof::Regions(proof) => proof.formula.clone(),
        _ => String::new(),
    }
}
