//! Small operations on automata.

use nimatron_verify::automaton::Dfa;
use std::collections::{HashMap, VecDeque};

/// Whether every list has its length and every entry its range.
pub(super) fn is_well_formed(dfa: &Dfa, letters: u32) -> bool {
    let states = dfa.states();
    let is_state = |&q: &u32| (q as usize) < states;
    let row = |row: &Vec<u32>| row.len() == letters as usize && row.iter().all(is_state);
    is_state(&dfa.initial) && dfa.next.len() == states && dfa.next.iter().all(row)
}

/// The least automaton for the same words, its states numbered in the order in which they are met
/// (Moore 1956).
pub(crate) fn minimised(dfa: &Dfa) -> Dfa {
    // Classes of states that no word up to some length tells apart, until none splits any more.
    let mut class: Vec<u32> = dfa.accepting.iter().map(|&a| u32::from(a)).collect();
    let mut count = 0;
    loop {
        let mut numbers = HashMap::new();
        let signature = |q: usize| -> Vec<u32> {
            let next = dfa.next[q].iter().map(|&r| class[r as usize]);
            [class[q]].into_iter().chain(next).collect()
        };
        let split: Vec<u32> = (0..dfa.states())
            .map(|q| {
                let fresh = numbers.len() as u32;
                *numbers.entry(signature(q)).or_insert(fresh)
            })
            .collect();
        if numbers.len() == count {
            break;
        }
        count = numbers.len();
        class = split;
    }
    let mut numbers = HashMap::from([(class[dfa.initial as usize], 0u32)]);
    let mut members = vec![dfa.initial];
    let mut next: Vec<Vec<u32>> = Vec::new();
    while let Some(&q) = members.get(next.len()) {
        let row = dfa.next[q as usize].iter().map(|&r| {
            *numbers.entry(class[r as usize]).or_insert_with(|| {
                members.push(r);
                members.len() as u32 - 1
            })
        });
        next.push(row.collect());
    }
    let accepting = members.iter().map(|&q| dfa.accepting[q as usize]).collect();
    Dfa { initial: 0, accepting, next }
}

/// A shortest word that leads from a state to a place the test likes, where `step` follows what
/// else has to be remembered.
pub(crate) fn shortest<T: Copy + Eq + std::hash::Hash>(
    start: T,
    letters: u32,
    step: impl Fn(T, u32) -> T,
    found: impl Fn(T) -> bool,
) -> Option<Vec<u32>> {
    let mut came_from = HashMap::from([(start, None)]);
    let mut open = VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        if found(at) {
            let steps = std::iter::successors(came_from[&at], |(before, _)| came_from[before]);
            let mut word: Vec<u32> = steps.map(|(_, letter)| letter).collect();
            word.reverse();
            return Some(word);
        }
        for letter in 0..letters {
            let to = step(at, letter);
            came_from.entry(to).or_insert_with(|| {
                open.push_back(to);
                Some((at, letter))
            });
        }
    }
    None
}
