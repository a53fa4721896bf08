//! The automaton that guesses a move into S while it reads a position.
//!
//! Its states are (state of the option, stacks lowered so far) and, under misere play,
//! "terminal so far" with the stacks that are not empty. It accepts a position that lies in S,
//! has a move into S, or (misere) is terminal.

use super::moves::Moves;
use nimatron_verify::automaton::{Dfa, StateSymmetry};

/// A state of the guessing automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guessing {
    /// A move that has lowered these stacks, and the state of its option.
    Move { state: u32, lowered: u32 },
    /// No move yet: only these stacks have tokens.
    Terminal { tokens: u32 },
}

pub(super) struct Nfa<'a> {
    pub(super) moves: &'a Moves,
    pub(super) dfa: &'a Dfa,
    /// By state of the option: whether S can still be reached.
    live: Vec<bool>,
    /// The sets of stacks that moves can lower, the empty one first.
    faces: Vec<u32>,
    /// By set: its place among the faces.
    places: Vec<u32>,
    /// The sets that leave no move, if terminal positions count; by set, their places.
    terminals: Vec<u32>,
    terminal_places: Vec<u32>,
    /// The symmetries of the game that the automaton has as well; the identity first.
    pub(super) symmetries: Vec<StateSymmetry>,
}

impl<'a> Nfa<'a> {
    pub(super) fn new(moves: &'a Moves, dfa: &'a Dfa) -> Self {
        let sets = 0..moves.letters();
        let faces: Vec<u32> = sets.clone().filter(|&set| moves.is_within(set)).collect();
        let terminals: Vec<u32> =
            sets.filter(|&set| moves.is_misere() && moves.is_terminal(set)).collect();
        let places = |list: &[u32]| {
            let mut places = vec![u32::MAX; moves.letters() as usize];
            list.iter().zip(0..).for_each(|(&set, place)| places[set as usize] = place);
            places
        };
        Nfa {
            moves,
            dfa,
            live: live(dfa),
            places: places(&faces),
            terminal_places: places(&terminals),
            faces,
            terminals,
            symmetries: symmetries(moves, dfa),
        }
    }

    /// The number of states.
    pub(super) fn len(&self) -> usize {
        self.dfa.states() * self.faces.len() + self.terminals.len()
    }

    pub(super) fn state(&self, number: u32) -> Guessing {
        let (faces, moves) = (self.faces.len(), self.dfa.states() * self.faces.len());
        match (number as usize).checked_sub(moves) {
            Some(place) => Guessing::Terminal { tokens: self.terminals[place] },
            None => Guessing::Move {
                state: number / faces as u32,
                lowered: self.faces[number as usize % faces],
            },
        }
    }

    pub(super) fn number(&self, state: Guessing) -> u32 {
        match state {
            Guessing::Move { state, lowered } => {
                state * self.faces.len() as u32 + self.places[lowered as usize]
            }
            Guessing::Terminal { tokens } => {
                let moves = self.dfa.states() * self.faces.len();
                moves as u32 + self.terminal_places[tokens as usize]
            }
        }
    }

    pub(super) fn initial(&self) -> Vec<u32> {
        let start = Guessing::Move { state: self.dfa.initial, lowered: 0 };
        let terminal = Guessing::Terminal { tokens: 0 };
        let terminal = (!self.terminals.is_empty()).then_some(terminal);
        [start].into_iter().chain(terminal).map(|state| self.number(state)).collect()
    }

    pub(super) fn accepts(&self, number: u32) -> bool {
        match self.state(number) {
            Guessing::Terminal { .. } => true,
            Guessing::Move { state, lowered } => {
                let ends = lowered == 0 || self.moves.may_end(lowered);
                ends && self.dfa.accepting[state as usize]
            }
        }
    }

    /// Shows the states after a letter from which something can still be accepted, perhaps more
    /// than once.
    pub(super) fn successors(&self, number: u32, letter: u32, mut show: impl FnMut(u32)) {
        match self.state(number) {
            Guessing::Terminal { tokens } => {
                let tokens = tokens | letter;
                if self.terminal_places[tokens as usize] != u32::MAX {
                    show(self.number(Guessing::Terminal { tokens }));
                }
            }
            Guessing::Move { state, lowered } => {
                let row = &self.dfa.next[state as usize];
                self.moves.replies(lowered, letter, |y, lowered| {
                    let state = row[y as usize];
                    if self.live[state as usize] {
                        show(self.number(Guessing::Move { state, lowered }));
                    }
                });
            }
        }
    }

    /// Whether S can be reached from a state of the option.
    pub(super) fn is_live(&self, state: u32) -> bool {
        self.live[state as usize]
    }

    /// The image of a state under symmetry number `by`.
    pub(super) fn image(&self, by: usize, number: u32) -> u32 {
        let symmetry = &self.symmetries[by];
        self.number(match self.state(number) {
            Guessing::Move { state, lowered } => Guessing::Move {
                state: symmetry.states[state as usize],
                lowered: relabel(symmetry, lowered),
            },
            Guessing::Terminal { tokens } => {
                Guessing::Terminal { tokens: relabel(symmetry, tokens) }
            }
        })
    }
}

/// The image of a set of stacks.
pub(super) fn relabel(symmetry: &StateSymmetry, set: u32) -> u32 {
    let stacks = symmetry.stacks.iter().enumerate().filter(|&(stack, _)| set >> stack & 1 == 1);
    stacks.fold(0, |image, (_, &to)| image | 1 << to)
}

/// By state: whether an accepting state can be reached.
pub(super) fn live(dfa: &Dfa) -> Vec<bool> {
    let mut before = vec![Vec::new(); dfa.states()];
    for (q, row) in dfa.next.iter().enumerate() {
        row.iter().for_each(|&r| before[r as usize].push(q));
    }
    let mut live = dfa.accepting.clone();
    let mut open: Vec<usize> = (0..dfa.states()).filter(|&q| live[q]).collect();
    while let Some(state) = open.pop() {
        for &q in &before[state] {
            if !std::mem::replace(&mut live[q], true) {
                open.push(q);
            }
        }
    }
    live
}

/// The symmetries of the game that extend to the states of the automaton, which must be minimal.
fn symmetries(moves: &Moves, dfa: &Dfa) -> Vec<StateSymmetry> {
    let extend = |stacks: Vec<u32>| {
        let mut symmetry = StateSymmetry { stacks, states: vec![u32::MAX; dfa.states()] };
        symmetry.states[dfa.initial as usize] = dfa.initial;
        let mut open = vec![dfa.initial];
        while let Some(q) = open.pop() {
            let image = symmetry.states[q as usize];
            if dfa.accepting[q as usize] != dfa.accepting[image as usize] {
                return None;
            }
            for letter in 0..moves.letters() {
                let to = dfa.next[q as usize][letter as usize];
                let to_image = dfa.next[image as usize][relabel(&symmetry, letter) as usize];
                match &mut symmetry.states[to as usize] {
                    new if *new == u32::MAX => {
                        *new = to_image;
                        open.push(to);
                    }
                    known if *known != to_image => return None,
                    _ => {}
                }
            }
        }
        Some(symmetry)
    };
    let stacks = moves.symmetries().iter().map(|g| g.images().map(|s| s as u32).collect());
    stacks.filter_map(extend).collect()
}
