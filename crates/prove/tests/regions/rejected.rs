//! Certificates that were tampered with.

use super::common::proved;
use nimatron_verify::regions::{
    Branch, Closed, Constraint, Farkas, Form, Member, Node, RegionsProof, Source,
};
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

/// The trees of the first branch moved from.
fn trees(proof: &mut RegionsProof) -> &mut Vec<Vec<Node>> {
    let (_, Source::Trees(trees)) = &mut proof.separation[0] else { panic!("trees") };
    trees
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
        let obligation = verify(&moved).unwrap_err().obligation();
        let named =
            ["formula", "branches", "symmetry", "separation", "terminal", "rule", "coverage"];
        assert!(named.contains(&obligation), "{from} as {to}: {obligation}");
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
    assert_eq!(tampered("CN(5,2)", CIRCLE, weaker), "symmetry");
    let stronger = |p: &mut RegionsProof| {
        p.branches[0].constraints.iter_mut().find(|c| !c.equation).unwrap().form.0 -= 1;
    };
    assert_eq!(tampered("CN(5,2)", CIRCLE, stronger), "branches");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| drop(p.branches[0].constraints.pop())), "branches");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| drop(p.branches.pop())), "branches");
}

#[test]
fn missing_parts() {
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| drop(p.expansion.pop())), "branches");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| drop(p.expansion.remove(0))), "branches");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| drop(p.separation.pop())), "separation");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| drop(p.separation.remove(0))), "separation");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| drop(trees(p).pop())), "separation");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| trees(p)[3].clear()), "separation");
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
        rule.region.constraints[0].form.1.iter_mut().for_each(|t| t.1 = i64::MAX);
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
        let Node::Empty(farkas) = &mut trees(p)[0][0] else { panic!() };
        farkas[0].1 += 1;
    };
    assert_eq!(tampered("H", H, separation), "separation");
    let beyond = |p: &mut RegionsProof| {
        let Node::Empty(farkas) = &mut trees(p)[0][0] else { panic!() };
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
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| p.rules[0].region.extras = usize::MAX), "coverage");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| drop(p.rules[0].region.constraints.pop())), "rule");
    // A rule that only says that a move exists covers nothing.
    let idle = |p: &mut RegionsProof| {
        p.rules[0].target = None;
    };
    assert_eq!(tampered("CN(5,2)", CIRCLE, idle), "rule");
    // A move that leads elsewhere, by other alternatives of the formula.
    let elsewhere = |p: &mut RegionsProof| p.rules[0].target.as_mut().unwrap().choices[0] ^= 1;
    assert_eq!(tampered("CN(5,2)", CIRCLE, elsewhere), "rule");
}

#[test]
fn wrong_symmetries_and_domains() {
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| p.symmetries[0].image.swap(0, 1)), "symmetry");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| p.symmetries[0].image[0] = 7), "symmetry");
    assert_eq!(tampered("CN(5,2)", CIRCLE, |p| p.symmetries.clear()), "separation");
    // A set of branches that is not closed.
    let open = |p: &mut RegionsProof| {
        let Closed::Images(images) = &mut p.symmetries[0].closed else { panic!() };
        images[0].choices[0] = (images[0].choices[0] + 2) % 10;
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

/// What is said about a formula that does not look the same from both sides of the path abc, as if
/// it did: the branches cover it, but the symmetry maps them elsewhere.
#[test]
fn a_formula_that_is_not_closed() {
    let height = |s: usize| Form(0, vec![(s, 1)]);
    let at_most = Constraint { form: Form(0, vec![(0, -1), (2, 1)]), equation: false };
    let empty = Constraint { form: height(1), equation: true };
    let lopsided = |p: &mut RegionsProof| {
        p.formula = "b = 0, a <= c".into();
        p.branches = vec![Branch { extras: 0, constraints: vec![empty.clone(), at_most.clone()] }];
        // The constraints 3, 4, 5 are b >= 0, b <= 0, a <= c; 6 is what is refuted.
        let proofs: Vec<Farkas> = (3..6).map(|i| vec![(i, 1), (6, 1)]).collect();
        p.expansion = vec![Node::Branch { branch: 0, extras: vec![], proofs }];
        // Of the branch, 3 is b = 0 and 4 is a <= c.
        let proofs = vec![vec![(3, 1), (5, 1)], vec![(3, -1), (5, 1)], vec![(4, 1), (5, 1)]];
        let member = Member { proofs, ..Member::default() };
        p.symmetries[0].closed = Closed::Images(vec![member]);
    };
    let both_sides = "b = 0, a = c";
    assert_eq!(tampered("PN(3,2)", both_sides, lopsided), "symmetry");
    // Everything before the symmetry is in order.
    let without = |p: &mut RegionsProof| {
        lopsided(p);
        p.symmetries.clear();
    };
    assert_eq!(tampered("PN(3,2)", both_sides, without), "separation");
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
