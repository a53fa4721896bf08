//! Automata that accept the P-positions.

use super::FigureError;
use nimatron_draw::Drawing;
use nimatron_draw::charts::{Transitions, transitions};
use nimatron_game::{Game, StackSet};
use nimatron_verify::automaton::Dfa;
use std::collections::BTreeMap;

/// The kinds of letters: where each state goes, and the letters that all states treat so.
pub(crate) fn kinds(dfa: &Dfa) -> Vec<(Vec<u32>, Vec<usize>)> {
    let letters = dfa.next.first().map_or(0, Vec::len);
    let mut kinds: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
    for letter in 0..letters {
        let column = dfa.next.iter().map(|row| row.get(letter).copied().unwrap_or(0)).collect();
        kinds.entry(column).or_default().push(letter);
    }
    let mut kinds: Vec<(Vec<u32>, Vec<usize>)> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, letters)| letters[0]);
    kinds
}

/// A letter by the stacks with digit 1.
pub(crate) fn digit(letter: usize) -> String {
    match letter {
        0 => "0".to_string(),
        bits => StackSet::from_bits(u32::try_from(bits).unwrap_or(0)).to_string(),
    }
}

/// The transitions of an automaton that reads the binary digits of all heights at once. Letters that all states
/// treat alike share a column; a letter is the set of stacks with digit 1.
pub fn automaton(game: &Game, dfa: &Dfa) -> Result<Drawing, FigureError> {
    let kinds = kinds(dfa);
    // A column is as narrow as it can be.
    let columns = kinds.iter().map(|(_, letters)| match letters.len() {
        0..=8 => letters.iter().map(|&l| digit(l)).collect(),
        many => {
            let mut shown: Vec<String> = letters[..7].iter().map(|&l| digit(l)).collect();
            shown.push(format!("and {} more", many - 7));
            shown
        }
    });
    let columns: Vec<Vec<String>> = columns.collect();
    let rows = (0..dfa.states()).map(|state| {
        (dfa.accepting[state], kinds.iter().map(|(column, _)| column[state]).collect())
    });
    let mut table = Transitions {
        title: format!("An automaton for the P-positions of {game}"),
        columns,
        rows: rows.collect(),
        initial: dfa.initial,
        notes: vec![
            "Rows: states; blue states accept. Columns: digits, named by the stacks that have a 1; 0 if none has.".into(),
            "Read the binary digits of all heights from the highest place; the position is P if the last state accepts.".into(),
        ],
    };
    if (0..dfa.states() as u32).any(|state| table.is_dead(state)) {
        table.notes.push("Grey: a state that does not accept and is never left.".into());
    }
    Ok(transitions(&table)?)
}
