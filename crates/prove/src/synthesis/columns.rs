//! Sets that look the same in every binary place.
//!
//! An automaton with one state from which acceptance can be reached tells which *columns*, digits of
//! one place, are allowed, and nothing else. If they form a linear space over the field of two
//! elements, exclusive ors describe it. Otherwise `digits(F)` does, where F is about 0 and 1 only.

use super::atoms::{cost, xor_of};
use super::relations::{equation, sides};
use super::simplify::arranged;
use super::values::{Marks, Points, holds};
use nimatron_formula::{Formula, Relation, Term};
use nimatron_verify::automaton::Dfa;
use std::collections::HashMap;

/// The letters that lead from the initial state back to it.
pub(super) fn loops(dfa: &Dfa) -> Vec<u32> {
    let row = &dfa.next[dfa.initial as usize];
    (0..).zip(row).filter(|&(_, &to)| to == dfa.initial).map(|(letter, _)| letter).collect()
}

/// A formula for the positions all of whose columns are among these.
pub(super) fn formula<E>(
    n: usize,
    columns: &[u32],
    check: impl Fn() -> Result<(), E>,
) -> Result<Option<Formula>, E> {
    let is_allowed: Vec<bool> = (0..1u32 << n).map(|column| columns.contains(&column)).collect();
    let closed = |x: &u32| columns.iter().all(|y| is_allowed[(x ^ y) as usize]);
    if columns.iter().all(closed) {
        return Ok(Some(space(n, columns)));
    }
    let Some(conditions) = conditions(n, &is_allowed, check)? else { return Ok(None) };
    Ok(Some(Formula::Digits(arranged(conditions).into())))
}

/// Exclusive ors for a linear space.
fn space(n: usize, columns: &[u32]) -> Formula {
    let even =
        |set: &u32| columns.iter().all(|column| (column & set).count_ones().is_multiple_of(2));
    let mut sets: Vec<u32> = (1..1u32 << n).filter(even).collect();
    sets.sort_by_key(|set| (set.count_ones(), *set));
    let mut echelon: Vec<u32> = Vec::new();
    let (mut laws, mut equal) = (Vec::new(), 0u32);
    for set in sets {
        // What is left of the set once the pivots of the others are cleared.
        let left = echelon.iter().fold(set, |left, row| left.min(left ^ row));
        if left == 0 {
            continue;
        }
        echelon.push(left);
        echelon.sort_unstable_by(|a, b| b.cmp(a));
        let mut stacks = (0..n).filter(|s| set >> s & 1 == 1);
        let law = match (stacks.next(), stacks.next()) {
            (Some(a), None) => (Term::Stack(a), Term::Constant(0)),
            (Some(a), Some(b)) if set.count_ones() == 2 => {
                equal |= set;
                (Term::Stack(a), Term::Stack(b))
            }
            // With a stack that is said to be equal to another one, the law joins the chain.
            (Some(a), _) => {
                let chained = (0..n).find(|s| set & equal & 1 << s != 0).unwrap_or(a);
                (Term::Stack(chained), xor_of(set & !(1 << chained)))
            }
            _ => continue,
        };
        laws.push(Formula::Compare(law.0, Relation::Equal, law.1));
    }
    arranged(laws)
}

/// The most forms whose conditions are tried.
const MOST_FORMS: i64 = 100_000;

/// Conditions that hold at all allowed columns and exclude all others, few and short ones.
fn conditions<E>(
    n: usize,
    is_allowed: &[bool],
    check: impl Fn() -> Result<(), E>,
) -> Result<Option<Vec<Formula>>, E> {
    let point = |column: usize| (0..n).map(|s| (column >> s & 1) as i64).collect::<Vec<i64>>();
    let columns = 0..is_allowed.len();
    let inside: Vec<Vec<i64>> = columns.clone().filter(|&c| is_allowed[c]).map(point).collect();
    let outside: Vec<Vec<i64>> = columns.filter(|&c| !is_allowed[c]).map(point).collect();
    let (here, there) = (Points::new(&inside), Points::new(&outside));
    let mut shortest: HashMap<Marks, (usize, String, Formula)> = HashMap::new();
    let mut offer = |formula: Formula| {
        if holds(&formula, &here).count() < here.len() {
            return;
        }
        let left = holds(&formula, &there);
        if left.count() == there.len() {
            return;
        }
        let offer = (cost(&formula), formula.to_string(), formula);
        match shortest.get_mut(&left) {
            Some(known) if (known.0, &known.1) <= (offer.0, &offer.1) => {}
            Some(known) => *known = offer,
            None => drop(shortest.insert(left, offer)),
        }
    };
    for modulus in 2..=4u64 {
        for set in 1..1u32 << n {
            let term = match set.count_ones() as usize == n {
                true => Term::Total,
                false => super::atoms::of_set(set),
            };
            let zero = Term::Constant(0);
            offer(Formula::Compare(Term::Mod(term.into(), modulus), Relation::Equal, zero));
        }
    }
    let few = |m: &i64| (2 * m + 1).checked_pow(n as u32).is_some_and(|all| all <= MOST_FORMS);
    let most = (1..=3).rev().find(few).unwrap_or(0);
    let mut form = vec![-most; n + 1];
    form[n] = 0;
    for number in 0.. {
        if number % 256 == 0 {
            check()?;
        }
        let values: Vec<i64> =
            inside.iter().map(|p| p.iter().zip(&form).map(|(x, c)| x * c).sum()).collect();
        let weight: i64 = form.iter().map(|c| c.abs()).sum();
        if weight > 0 && weight <= 8 {
            if values.iter().all(|&v| v == 0) {
                offer(equation(&form));
            } else if values.iter().all(|&v| v <= 0) {
                let (left, right) = sides(&form);
                offer(Formula::Compare(left, Relation::AtMost, right));
            }
        }
        let Some(at) = form[..n].iter().position(|&c| c < most) else { break };
        form[..at].iter_mut().for_each(|c| *c = -most);
        form[at] += 1;
    }
    let mut offers: Vec<(usize, String, Formula, Marks)> =
        shortest.into_iter().map(|(marks, (cost, text, f))| (cost, text, f, marks)).collect();
    offers.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    Ok(cover(&offers, outside.len()))
}

/// The cheapest conditions that exclude everything together: one, two or three exactly, more by greed.
fn cover(offers: &[(usize, String, Formula, Marks)], all: usize) -> Option<Vec<Formula>> {
    let formulas = |list: &[usize]| list.iter().map(|&at| offers[at].2.clone()).collect();
    let mut best: Option<(usize, Vec<usize>)> = None;
    for (i, (cost, _, _, left)) in offers.iter().enumerate() {
        if left.is_empty() {
            return Some(formulas(&[i]));
        }
        if best.as_ref().is_some_and(|(b, _)| cost >= b) {
            break;
        }
        for (j, (more, _, _, other)) in offers[..i].iter().enumerate() {
            let total = cost + more;
            if best.as_ref().is_some_and(|(b, _)| total >= *b) {
                break;
            }
            if left.count_both(other) == 0 {
                best = Some((total, vec![j, i]));
            }
        }
    }
    let mut left = Marks::new(all, |_| true);
    let mut chosen = Vec::new();
    while !left.is_empty() {
        let gain = |at: usize| {
            let gone = left.count() - left.count_both(&offers[at].3);
            gone * 1000 / offers[at].0
        };
        let at = (0..offers.len()).rev().max_by_key(|&at| gain(at))?;
        if gain(at) == 0 {
            break;
        }
        left = left.both(&offers[at].3);
        chosen.push(at);
    }
    // What others exclude as well is not needed.
    for at in (0..chosen.len()).rev() {
        let others = chosen.iter().enumerate().filter(|(other, _)| *other != at);
        let left = others.fold(Marks::new(all, |_| true), |left, (_, &o)| left.both(&offers[o].3));
        if left.is_empty() {
            chosen.remove(at);
        }
    }
    let greedy = left.is_empty().then_some(chosen);
    let cost = |list: &[usize]| list.iter().map(|&at| offers[at].0).sum::<usize>();
    match (best, greedy) {
        (Some((pair, _)), Some(list)) if cost(&list) < pair => Some(formulas(&list)),
        (Some((_, pair)), _) => Some(formulas(&pair)),
        (None, Some(list)) => Some(formulas(&list)),
        (None, None) => None,
    }
}
