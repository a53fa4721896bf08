//! What a proved automaton is good for: any position, answered at once.

use super::dfa::is_well_formed;
use super::moves::Moves;
use nimatron_game::{Game, Height, Outcome, Take};
use nimatron_verify::automaton::Dfa;
use nimatron_verify::{Certificate, Proof};

/// The P-positions of a game for all heights, as an automaton that has been proved.
#[derive(Clone, Debug)]
pub struct Automaton {
    game: Game,
    moves: Moves,
    dfa: Dfa,
}

impl Automaton {
    /// An automaton that has just been proved.
    pub(super) fn new(game: Game, moves: Moves, dfa: Dfa) -> Self {
        Automaton { game, moves, dfa }
    }

    /// The automaton of a certificate. What it answers is true if the checker accepts the
    /// certificate, which is not asked here. `None` if the proof is of another kind, or so
    /// malformed that the checker would not accept it.
    pub fn of_certificate(certificate: &Certificate) -> Option<Self> {
        let Proof::Automaton(proof) = &certificate.proof else { return None };
        let moves = Moves::new(&certificate.game).ok()?;
        let fits = is_well_formed(&proof.dfa, moves.letters());
        fits.then(|| Automaton::new(certificate.game.clone(), moves, proof.dfa.clone()))
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The automaton itself. It is minimal, and its initial state is 0.
    pub fn dfa(&self) -> &Dfa {
        &self.dfa
    }

    /// The outcome of a position: one step per binary digit.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.accepts(heights) { Outcome::P } else { Outcome::N }
    }

    /// Whether a position is one of the set.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn accepts(&self, heights: &[Height]) -> bool {
        assert_eq!(heights.len(), self.game.stacks(), "heights must match the stacks");
        let letters = Moves::letters_of(heights);
        let next = |state: u32, letter: u32| self.dfa.next[state as usize][letter as usize];
        let end = letters.into_iter().fold(self.dfa.initial, next);
        self.dfa.accepting[end as usize]
    }

    /// A move to a P-position, if there is one. It is found by following all beginnings of moves
    /// at once, digit by digit.
    ///
    /// # Panics
    /// If there are not as many heights as stacks.
    pub fn winning_move(&self, heights: &[Height]) -> Option<Take> {
        if self.accepts(heights) {
            return None;
        }
        let width = self.moves.letters() as usize;
        // The place in its layer where a state was last seen, and the number of that layer.
        let mut seen = vec![u32::MAX; self.dfa.states() * width];
        let start = Beginning { state: self.dfa.initial, lowered: 0, before: 0, letter: 0 };
        let mut layers = vec![vec![start]];
        for (number, letter) in (0..).zip(Moves::letters_of(heights)) {
            let last = layers.last().expect("there is a first layer");
            let mut layer = Vec::new();
            for (before, beginning) in (0..).zip(last) {
                let row = &self.dfa.next[beginning.state as usize];
                self.moves.replies(beginning.lowered, letter, |letter, lowered| {
                    let state = row[letter as usize];
                    let last_seen = &mut seen[state as usize * width + lowered as usize];
                    if std::mem::replace(last_seen, number) != number {
                        layer.push(Beginning { state, lowered, before, letter });
                    }
                });
            }
            layers.push(layer);
        }
        let end = layers.last()?;
        let wins = |end: &Beginning| {
            self.dfa.accepting[end.state as usize] && self.moves.may_end(end.lowered)
        };
        let mut at = end.iter().position(wins)?;
        let mut option = vec![0; heights.len()];
        for (bit, layer) in layers[1..].iter().rev().enumerate() {
            let beginning = layer[at];
            for (stack, height) in option.iter_mut().enumerate() {
                *height |= Height::from(beginning.letter >> stack & 1) << bit;
            }
            at = beginning.before as usize;
        }
        let take = heights.iter().zip(&option).map(|(height, left)| height - left);
        Some(Take::new(take.collect()))
    }
}

/// The beginning of a move: the state of its option, the stacks lowered so far.
#[derive(Clone, Copy)]
struct Beginning {
    state: u32,
    lowered: u32,
    /// Its place in the layer before, and the last letter of the option.
    before: u32,
    letter: u32,
}
