//! Linear equations that hold at all positions of a set.

use super::relations::equation;
use crate::automata::shortest;
use nimatron_formula::Formula;
use nimatron_linear::echelon;
use nimatron_verify::automaton::Dfa;
use std::collections::BTreeSet;

/// About so many words are read.
const MOST_WORDS: usize = 1 << 14;

/// Equations that hold at every position that an automaton accepts, independent of each other.
pub(super) fn equations(stacks: usize, dfa: &Dfa) -> Vec<Formula> {
    let letters = 1usize << stacks;
    let length = (1..=3).rev().find(|&m| letters.pow(m) <= MOST_WORDS).unwrap_or(1);
    // Few of the positions say as much as all of them: those that make the rank grow.
    let mut kept: Vec<Vec<i64>> = Vec::new();
    let mut forms = echelon::equations(stacks, Vec::new()).unwrap_or_default();
    let mut level = BTreeSet::from([(vec![0i64; stacks], dfa.initial)]);
    for _ in 0..length {
        let mut next = BTreeSet::new();
        for (heights, q) in &level {
            for (letter, &r) in (0u32..).zip(&dfa.next[*q as usize]) {
                let digit = |(s, h): (usize, &i64)| 2 * h + i64::from(letter >> s & 1);
                let heights: Vec<i64> = heights.iter().enumerate().map(digit).collect();
                let holds = |form: &Vec<i64>| value(form, &heights) == 0;
                if dfa.accepting[r as usize] && !forms.iter().all(holds) {
                    kept.push(heights.clone());
                    forms = echelon::equations(stacks, kept.clone()).unwrap_or_default();
                }
                next.insert((heights, r));
            }
        }
        level = next;
    }
    forms.retain(|form| is_law(stacks, form, dfa));
    let with_constant = |form: Vec<i64>| form.into_iter().chain([0]).collect::<Vec<i64>>();
    forms.into_iter().map(|form| equation(&with_constant(form))).collect()
}

fn value(form: &[i64], heights: &[i64]) -> i64 {
    form.iter().zip(heights).map(|(c, h)| c * h).sum()
}

/// Whether a form is zero at all accepted positions: its value so far is followed, and once it is
/// too large to come back, no position may be accepted any more.
fn is_law(stacks: usize, form: &[i64], dfa: &Dfa) -> bool {
    let bound: i64 = form.iter().map(|c| c.abs()).sum::<i64>() + 1;
    let digit = |letter: u32| -> i64 {
        (0..stacks).filter(|s| letter >> s & 1 == 1).map(|s| form[s]).sum()
    };
    let step = |(q, value): (u32, i64), letter: u32| {
        let to = match value.abs() >= bound {
            true => value,
            false => (2 * value + digit(letter)).clamp(-bound, bound),
        };
        (dfa.next[q as usize][letter as usize], to)
    };
    let wrong = |(q, value): (u32, i64)| value != 0 && dfa.accepting[q as usize];
    shortest((dfa.initial, 0), 1 << stacks, step, wrong).is_none()
}
