//! Random changes to certificates. Each is rejected by a named obligation, or it leaves a proof of the
//! same claim, for a reason that is found without asking the checker. `--nocapture` shows the list.
#![allow(clippy::print_stdout)]

use super::super::problem::Problem;
use super::super::{Limits, cert, prove};
use super::places::system;
use super::points::{coverage_is_right, rule_is_right, same_branch};
use cert::RegionsProof;
use nimatron_formula::{Context, Formula};
use nimatron_game::{Game, Unlimited};
use nimatron_linear::{Constraint, Form};
use nimatron_verify::{Certificate, Proof, verify};
use serde_json::Value;
use std::collections::BTreeMap;

const CASES: [(&str, &str); 6] = [
    ("CN(5,2)", "sym(b = e, a+b = c+d, a = max)"),
    ("CN(5,3)", "sym(a = 0, b = e = c+d)"),
    ("CN(6,3)", "span(ad, be, cf, ace, bdf)"),
    ("H", "sym(a <= f, a+b+c = d+e+f, a = d+min(c,e))"),
    ("Slow(4,{1,4})", "even(total), even(min)"),
    ("misere PN(3,2)", "total = 1 or (b = 0, a = c, a >= 2)"),
];

/// The obligations that may be named.
const OBLIGATIONS: [&str; 7] =
    ["branches", "symmetry", "separation", "terminal", "rule", "domain", "coverage"];

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// The places of numbers, flags and lists.
fn places(value: &Value, at: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    let mut inner = |key: String, item: &Value, found: &mut Vec<Vec<String>>| {
        at.push(key);
        places(item, at, found);
        at.pop();
    };
    match value {
        Value::Object(map) => map.iter().for_each(|(key, item)| inner(key.clone(), item, found)),
        Value::Array(items) => {
            let numbered = items.iter().enumerate();
            numbered.for_each(|(i, item)| inner(i.to_string(), item, found));
            found.push(at.clone());
        }
        Value::Number(_) | Value::Bool(_) => found.push(at.clone()),
        _ => {}
    }
}

/// Changes a number or flag; drops, repeats or exchanges items of a list.
fn change(value: &mut Value, random: &mut Random) -> Option<()> {
    match value {
        Value::Number(number) => {
            let by = [1, -1, 2, -3, 1_000, i64::MAX][random.below(6)];
            *value = number.as_i64()?.checked_add(by)?.into();
        }
        Value::Bool(flag) => *flag = !*flag,
        Value::Array(items) if !items.is_empty() => {
            let (i, j) = (random.below(items.len()), random.below(items.len()));
            match random.below(4) {
                0 => drop(items.remove(i)),
                1 => items.insert(j, items[i].clone()),
                2 if items[i] != items[j] => items.swap(i, j),
                3 if terms(&Value::Array(items.clone())).is_some() => {
                    items
                        .iter_mut()
                        .for_each(|pair| pair[1] = (pair[1].as_i64().unwrap() * 3).into());
                }
                _ => return None,
            }
        }
        _ => return None,
    }
    Some(())
}

/// A list of pairs of a number and a multiplier, added up; what is multiplied by 0 is left out.
fn terms(value: &Value) -> Option<BTreeMap<u64, i64>> {
    let mut sums: BTreeMap<u64, i64> = BTreeMap::new();
    for pair in value.as_array()? {
        let [at, times] = &pair.as_array()?[..] else { return None };
        let sum = sums.entry(at.as_u64()?).or_insert(0);
        *sum = sum.checked_add(times.as_i64()?)?;
    }
    sums.retain(|_, times| *times != 0);
    Some(sums)
}

/// One vector is a positive multiple of the other.
fn multiple(a: &BTreeMap<u64, i64>, b: &BTreeMap<u64, i64>) -> bool {
    let (Some(x), Some(y)) = (a.values().next(), b.values().next()) else { return false };
    let (x, y) = (i128::from(*x), i128::from(*y));
    x.signum() == y.signum()
        && a.keys().eq(b.keys())
        && a.values().zip(b.values()).all(|(c, d)| i128::from(*c) * y == i128::from(*d) * x)
}

struct Case {
    problem: Problem,
    certificate: Certificate,
}

impl Case {
    fn new(game: &str, formula: &str) -> Case {
        let game: Game = game.parse().unwrap();
        let formula = Formula::parse(formula, &Context::of_game(&game)).unwrap();
        let proof = prove(&game, &formula, &Unlimited, &Limits::default()).unwrap();
        let problem = Problem::new(&game, &formula, &Unlimited).unwrap();
        Case { problem, certificate: proof.certificate }
    }

    /// Which obligation the changed certificate fails, or why it proves the same. What is read is
    /// what was written.
    fn judge(&self, mutant: &Certificate, path: &[String]) -> Result<&'static str, &'static str> {
        let mut written = Vec::new();
        mutant.write(&mut written).unwrap();
        let read = Certificate::read(&written[..]).unwrap();
        let place = path.join("/");
        match verify(&read) {
            Err(rejection) => {
                let name = rejection.obligation();
                assert!(OBLIGATIONS.contains(&name), "{} {place}: {name}", mutant.game);
                Err(name)
            }
            Ok(accepted) => {
                assert_eq!(accepted.game, self.certificate.game);
                assert_eq!(accepted.set, Case::proof(&self.certificate).formula);
                let reason = self.reason(mutant, path);
                Ok(reason.unwrap_or_else(|| panic!("{} {place}: accepted", mutant.game)))
            }
        }
    }

    fn proof(certificate: &Certificate) -> &RegionsProof {
        let Proof::Regions(proof) = &certificate.proof else { panic!("regions") };
        proof
    }

    /// Why the changed certificate proves the same, if the reason is one of those known.
    fn reason(&self, mutant: &Certificate, path: &[String]) -> Option<&'static str> {
        let (original, mutant) = (Case::proof(&self.certificate), Case::proof(mutant));
        let texts = [original, mutant].map(|proof| serde_json::to_value(proof).unwrap());
        // The list of terms around the change.
        let around = (0..=path.len()).rev().find_map(|length| {
            let pointer = path[..length].iter().map(|key| format!("/{key}")).collect::<String>();
            let [before, after] = [&texts[0], &texts[1]].map(|text| text.pointer(&pointer));
            Some((&path[..length], terms(before?)?, terms(after?)?))
        });
        if let Some((place, before, after)) = around {
            if before == after {
                return Some("the same terms in another order");
            }
            let vector =
                place.iter().any(|key| ["proofs", "empty", "terminal"].contains(&&key[..]));
            if vector {
                return match multiple(&before, &after) {
                    true => Some("a multiple of the same vector"),
                    false => (self.contradicts(original, place, &after)?
                        && self.contradicts(original, place, &before)?)
                    .then_some("other constraints that add up to a contradiction"),
                };
            }
        }
        let keys: Vec<&str> = path.iter().map(|key| &key[..]).collect();
        match keys[..] {
            ["branches", branch, "extras"] => {
                let n = self.problem.stacks;
                let number: usize = branch.parse().unwrap();
                let count = original.branches[number].extras.min(mutant.branches[number].extras);
                let forms = mutant.branches[number].constraints.iter().map(|c| &c.form);
                let unused = forms.flat_map(|form| &form.1).all(|&(v, _)| v < n + count);
                unused.then_some("a further integer that no constraint mentions")
            }
            ["branches", branch, "constraints", ..] => {
                let number: usize = branch.parse().unwrap();
                let [before, after] = [original, mutant].map(|proof| &proof.branches[number]);
                same_branch(&self.problem, before, after)
                    .then_some("a branch with the same positions")
            }
            ["coverage", _, "split" | "residue", ..] => coverage_is_right(&self.problem, mutant)
                .then_some("another division into cases, each of which is right"),
            ["rules", rule, ..] => {
                let right =
                    rule_is_right(&self.problem, &mutant.rules[rule.parse::<usize>().unwrap()])
                        && coverage_is_right(&self.problem, mutant);
                right.then_some("another rule that is right")
            }
            ["separation"] => {
                let listed = |proof: &RegionsProof| {
                    let mut list: Vec<String> =
                        proof.separation.iter().map(|s| format!("{s:?}")).collect();
                    list.sort();
                    list.dedup();
                    list
                };
                (listed(original) == listed(mutant)).then_some("the same list in another order")
            }
            [list @ ("symmetries" | "rules" | "branches")] => {
                let [before, after] = [&texts[0], &texts[1]].map(|text| text[list].as_array());
                let (before, after) = (before?, after?);
                let again = after.starts_with(before)
                    && after[before.len()..].iter().all(|item| before.contains(item));
                again.then_some("an item again at the end of its list")
            }
            _ => None,
        }
    }

    /// Whether the vector adds up to a contradiction, by the prover's own reading of what it speaks of.
    fn contradicts(
        &self,
        proof: &RegionsProof,
        place: &[String],
        vector: &BTreeMap<u64, i64>,
    ) -> Option<bool> {
        let constraints = system(&self.problem, proof, place)?;
        let mut sum = Form::default();
        for (&number, &times) in vector {
            let Constraint { form, equation } = constraints.get(number as usize)?;
            if times < 0 && !equation {
                return Some(false);
            }
            sum = sum.combine(1, form, times).ok()?;
        }
        Some(sum.is_number() && sum.constant < 0)
    }
}

#[test]
fn random_mutants_are_rejected_or_prove_the_same() {
    let mut random = Random(7);
    let (mut rejected, mut survived) = (BTreeMap::new(), BTreeMap::new());
    for (game, formula) in CASES {
        let case = Case::new(game, formula);
        let text = serde_json::to_value(&case.certificate).unwrap();
        let mut found = Vec::new();
        places(&text["proof"]["regions"], &mut Vec::new(), &mut found);
        let mut count = 0;
        while count < 100 {
            let path = &found[random.below(found.len())];
            let mut changed = text.clone();
            let place = changed.pointer_mut(&format!("/proof/regions/{}", path.join("/"))).unwrap();
            if change(place, &mut random).is_none() {
                continue;
            }
            // A change of the parsed certificate: what cannot be parsed is none.
            let mutant = match serde_json::from_value::<Certificate>(changed) {
                Ok(mutant) if mutant != case.certificate => mutant,
                _ => continue,
            };
            count += 1;
            match case.judge(&mutant, path) {
                Err(obligation) => *rejected.entry(obligation).or_insert(0) += 1,
                Ok(reason) => {
                    println!("{game} {}: {reason}", path.join("/"));
                    *survived.entry(reason).or_insert(0) += 1;
                }
            }
        }
    }
    let [by_obligation, by_reason] = [&rejected, &survived].map(|counts| {
        let rows = counts.iter().map(|(name, count)| format!("{count:5}  {name}\n"));
        (counts.values().sum::<usize>(), rows.collect::<String>())
    });
    println!("{} rejected, by obligation\n{}", by_obligation.0, by_obligation.1);
    println!("{} that prove the same, by reason\n{}", by_reason.0, by_reason.1);
    assert_eq!(by_obligation.0 + by_reason.0, 100 * CASES.len());
    // The figures are those of the documentation.
    let documented = include_str!("../../../../../docs/proofs.md");
    for (name, count) in rejected.iter().chain(&survived) {
        assert!(documented.contains(&format!("| {name} | {count} |")), "{name}: {count}");
    }
    assert!(by_obligation.0 >= 80 * CASES.len(), "{}", by_obligation.0);
    // Every obligation is met but that of the domain, which few numbers describe.
    assert!(OBLIGATIONS.iter().all(|name| *name == "domain" || rejected.contains_key(name)));
}

/// Every inequality of every branch and every rule, weakened by one.
#[test]
fn weakened_inequalities_are_rejected_or_not_needed() {
    let (mut rejected, mut survived) = (0, BTreeMap::new());
    for (game, formula) in CASES {
        let case = Case::new(game, formula);
        let text = serde_json::to_value(&case.certificate).unwrap();
        let mut found = Vec::new();
        places(&text["proof"]["regions"], &mut Vec::new(), &mut found);
        let constant = |path: &&Vec<String>| {
            let constraint = path.len() >= 4 && path[path.len() - 4] == "constraints";
            constraint && path.ends_with(&["form".to_string(), "0".to_string()])
        };
        for path in found.iter().filter(constant) {
            let mut changed = text.clone();
            let place = format!("/proof/regions/{}", path.join("/"));
            let number = changed.pointer_mut(&place).unwrap();
            *number = (number.as_i64().unwrap() + 1).into();
            match case.judge(&serde_json::from_value(changed).unwrap(), path) {
                Err(_) => rejected += 1,
                Ok(reason) => *survived.entry(reason).or_insert(0) += 1,
            }
        }
    }
    println!("{rejected} rejected, and by reason {survived:?}");
    // Nearly all of them are needed.
    let kept: usize = survived.values().sum();
    assert!(rejected >= 15 * kept && rejected > 250, "{rejected} of {}", rejected + kept);
}
