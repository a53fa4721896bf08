//! From the P-positions of cubes to an automaton that may describe them all.
//!
//! After some letters have been read, what matters is which continuations lead to P-positions
//! (Myhill-Nerode). The data show the continuations up to a certain length. Prefixes that agree
//! on all continuations of length at most r are taken for the same state; if every state reached
//! has all its transitions within the data, they form an automaton.

use super::diagram::{Diagrams, FULL, Set};
use nimatron_game::Stop;
use nimatron_verify::automaton::Dfa;
use std::collections::HashMap;

/// An automaton that may accept the P-positions, if the data show one.
pub(super) struct Guessed {
    /// The automaton: all its transitions are seen, and continuations that are longer by one
    /// split none of its states.
    pub(super) dfa: Option<Dfa>,
    /// The most states seen.
    pub(super) states: usize,
}

/// Tries all lengths of continuations; `cubes[h]` are the P-positions of `[0, 2^h)^n`.
pub(super) fn best_guess(
    diagrams: &Diagrams<'_>,
    letters: u32,
    cubes: &[Set],
    most: usize,
) -> Result<Guessed, Stop> {
    let (mut states, mut closed) = (0, None::<Dfa>);
    for depth in 0..cubes.len() {
        let (seen, dfa) = match guess(diagrams, letters, cubes, depth, most)? {
            Guess::Closed(dfa) => (dfa.states(), Some(dfa)),
            Guess::Open { states } => (states, None),
        };
        states = states.max(seen);
        if closed.as_ref().is_some_and(|shorter| shorter.states() == seen) {
            return Ok(Guessed { dfa: closed, states });
        }
        closed = dfa;
    }
    Ok(Guessed { dfa: None, states })
}

/// What the data say about states that agree on continuations up to some length.
enum Guess {
    /// All transitions stay among the states seen.
    Closed(Dfa),
    /// Some state lies too deep for its transitions to be seen.
    Open {
        /// The states seen.
        states: usize,
    },
}

/// States agree on continuations of length up to `depth`; at most `most` are looked at.
fn guess(
    diagrams: &Diagrams<'_>,
    letters: u32,
    cubes: &[Set],
    depth: usize,
    most: usize,
) -> Result<Guess, Stop> {
    // residuals[h]: which continuations of length h lead to P-positions, as far as known.
    let mut residuals: Vec<Vec<Set>> = vec![cubes.to_vec()];
    let mut numbers = HashMap::from([(cubes[..=depth].to_vec(), 0u32)]);
    let mut next = Vec::new();
    while next.len() < residuals.len() {
        let state = next.len();
        if residuals[state].len() < depth + 2 || residuals.len() > most {
            return Ok(Guess::Open { states: residuals.len() });
        }
        diagrams.check()?;
        let row = (0..letters).map(|letter| {
            let longer = residuals[state].iter().enumerate().skip(1);
            let after: Vec<Set> =
                longer.map(|(h, &set)| diagrams.child(h as u32, set, letter)).collect();
            *numbers.entry(after[..=depth].to_vec()).or_insert_with(|| {
                residuals.push(after);
                residuals.len() as u32 - 1
            })
        });
        let row = row.collect();
        next.push(row);
    }
    let accepting = residuals.iter().map(|known| known[0] == FULL).collect();
    Ok(Guess::Closed(Dfa { initial: 0, accepting, next }))
}
