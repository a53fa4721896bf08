//! Small operations on automata.

use nimatron_table::hash::FastMap;
use nimatron_verify::automaton::Dfa;
use std::collections::VecDeque;

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
    let mut signatures: Vec<u32> = Vec::new();
    loop {
        // The class of a state and those that its letters lead to, state by state.
        signatures.clear();
        for (row, &own) in dfa.next.iter().zip(&class) {
            signatures.push(own);
            signatures.extend(row.iter().map(|&r| class[r as usize]));
        }
        let mut numbers: FastMap<&[u32], u32> = FastMap::default();
        let each = dfa.next.first().map_or(1, |row| row.len() + 1);
        let split = signatures.chunks_exact(each).map(|signature| {
            let fresh = numbers.len() as u32;
            *numbers.entry(signature).or_insert(fresh)
        });
        class = split.collect();
        if numbers.len() == count {
            break;
        }
        count = numbers.len();
    }
    let mut numbers = vec![u32::MAX; count];
    numbers[class[dfa.initial as usize] as usize] = 0;
    let mut members = vec![dfa.initial];
    let mut next: Vec<Vec<u32>> = Vec::new();
    while let Some(&q) = members.get(next.len()) {
        let row = dfa.next[q as usize].iter().map(|&r| {
            let number = &mut numbers[class[r as usize] as usize];
            if *number == u32::MAX {
                members.push(r);
                *number = members.len() as u32 - 1;
            }
            *number
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
    let mut came_from: FastMap<T, Option<(T, u32)>> = FastMap::from_iter([(start, None)]);
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
