//! From an automaton to a certificate, or to a position that refutes it.

use super::conflict::conflict;
use super::cover::{NoCover, Part, cover};
use super::dfa::{is_well_formed, minimised, shortest};
use super::moves::{Moves, Unsupported};
use super::nfa::{Guessing, Nfa};
use nimatron_game::{Game, Height, Position, Stop, Take, Watch};
use nimatron_verify::automaton::{AutomatonProof, Dfa, MAX_VISITS, Macrostate};
use nimatron_verify::{Certificate, Proof};

/// Why an automaton does not accept exactly the P-positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AutomatonCounterexample {
    /// Both ends of a move are accepted.
    #[error("{from} is accepted, and so is {to}, which a move reaches", to = reached(from, take))]
    Move {
        /// The position.
        from: Position,
        /// The move.
        take: Take,
    },
    /// A position that is not accepted, from which no move leads to an accepted one (under misere
    /// play it is not terminal).
    #[error("{position} is not accepted, and no move from it leads to an accepted position")]
    Stuck {
        /// The position.
        position: Position,
    },
    /// Misere play: a terminal position that is accepted.
    #[error("{position} is accepted, but it is terminal, which wins under misere play")]
    Terminal {
        /// The position.
        position: Position,
    },
    /// Whether the position is accepted depends on the zeros in front of its digits.
    #[error("zeros in front of the digits decide whether {position} is accepted")]
    LeadingZeros {
        /// The position.
        position: Position,
    },
    /// One of the above with heights that are beyond what positions can hold.
    #[error("a counterexample has heights of {bits} binary digits")]
    Tall {
        /// The digits of its tallest stack, at most.
        bits: usize,
    },
}

fn reached(from: &Position, take: &Take) -> Position {
    from.after(take).unwrap_or_default()
}

/// Why an automaton was not proved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unproved {
    /// It does not accept exactly the P-positions.
    #[error(transparent)]
    Refuted(#[from] AutomatonCounterexample),
    /// Automata cannot follow the moves of the game.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// Rows are missing or entries out of range.
    #[error("the automaton does not fit the number of stacks")]
    Malformed,
    /// More states than the checker accepts.
    #[error("an automaton with {states} states is too large to be checked")]
    TooLarge {
        /// The states of the least automaton for the same set.
        states: usize,
    },
    /// A limit was reached.
    #[error("{0}")]
    Stopped(#[from] Stop),
}

/// Proves that an automaton accepts exactly the P-positions of a game, or finds a counterexample.
///
/// The automaton reads one binary digit of every stack at a time, the most significant first; see
/// [`nimatron_verify::automaton`]. The certificate holds the least automaton for the same set.
///
/// ```
/// use nimatron_game::{Game, Unlimited};
/// use nimatron_prove::automata::{AutomatonCounterexample, Unproved, prove};
/// use nimatron_verify::{automaton::Dfa, verify};
///
/// // Two stacks with equal digits: the P-positions of Nim(2).
/// let next = vec![vec![0, 1, 1, 0], vec![1; 4]];
/// let equal = Dfa { initial: 0, accepting: vec![true, false], next };
/// let nim: Game = "Nim(2)".parse().unwrap();
/// assert!(verify(&prove(&nim, &equal, &Unlimited).unwrap()).is_ok());
///
/// // Playing on both stacks at once is another game.
/// let both: Game = "Moore(2,2)".parse().unwrap();
/// match prove(&both, &equal, &Unlimited) {
///     Err(Unproved::Refuted(AutomatonCounterexample::Move { from, take })) => {
///         assert_eq!((from.to_string(), take.to_string()), ("(1,1)".into(), "(1,1)".into()));
///     }
///     other => panic!("{other:?}"),
/// }
/// ```
pub fn prove(game: &Game, dfa: &Dfa, watch: &dyn Watch) -> Result<Certificate, Unproved> {
    let moves = Moves::new(game)?;
    if !is_well_formed(dfa, moves.letters()) {
        return Err(Unproved::Malformed);
    }
    let dfa = minimised(dfa);
    let states = dfa.states();
    let visits = (states as u128).pow(2) * u128::from(moves.letters());
    if visits > MAX_VISITS || usize::try_from(visits).is_err() {
        return Err(Unproved::TooLarge { states });
    }
    let next = |q: u32, letter: u32| dfa.next[q as usize][letter as usize];
    let accepts = |q: u32| dfa.accepting[q as usize];
    let n = moves.stacks();

    let zeros = (dfa.initial, next(dfa.initial, 0));
    let both = |(p, q), letter| (next(p, letter), next(q, letter));
    if let Some(word) = shortest(zeros, moves.letters(), both, |(p, q)| accepts(p) != accepts(q)) {
        return Err(refuted(n, &word, |position| AutomatonCounterexample::LeadingZeros {
            position,
        }));
    }
    if moves.is_misere() {
        let step = |(q, tokens), letter| (next(q, letter), tokens | letter);
        let bad = |(q, tokens)| accepts(q) && moves.is_terminal(tokens);
        if let Some(word) = shortest((dfa.initial, 0), moves.letters(), step, bad) {
            return Err(refuted(n, &word, |position| AutomatonCounterexample::Terminal {
                position,
            }));
        }
    }
    let nfa = Nfa::new(&moves, &dfa);
    if let Some((from, to)) = conflict(&nfa, watch)? {
        return Err(refuted(n, &from, |from| match position(n, &to) {
            Some(to) => {
                let take = from.iter().zip(to.iter()).map(|(x, y)| x - y).collect();
                AutomatonCounterexample::Move { from, take: Take::new(take) }
            }
            None => AutomatonCounterexample::Tall { bits: to.len() },
        }));
    }
    let parts = match cover(&nfa, watch) {
        Ok(parts) => parts,
        Err(NoCover::Stopped(stop)) => return Err(stop.into()),
        Err(NoCover::Rejected(word)) => {
            return Err(refuted(n, &word, |position| AutomatonCounterexample::Stuck { position }));
        }
    };
    let macrostates = parts.into_iter().map(|part| macrostate(&nfa, part)).collect();
    let symmetries = nfa.symmetries.clone();
    let proof = AutomatonProof { formula: None, symmetries, macrostates, dfa };
    Ok(Certificate::new(game.clone(), Proof::Automaton(proof)))
}

fn refuted(
    stacks: usize,
    word: &[u32],
    with: impl FnOnce(Position) -> AutomatonCounterexample,
) -> Unproved {
    let tall = AutomatonCounterexample::Tall { bits: word.len() };
    Unproved::Refuted(position(stacks, word).map_or(tall, with))
}

/// The position that a word stands for, unless it is too tall.
fn position(stacks: usize, word: &[u32]) -> Option<Position> {
    let mut heights: Vec<Height> = vec![0; stacks];
    for &letter in word {
        for (stack, height) in heights.iter_mut().enumerate() {
            *height = height.checked_mul(2)? | Height::from(letter >> stack & 1);
        }
    }
    Position::new(heights).ok()
}

fn macrostate(nfa: &Nfa<'_>, part: Part) -> Macrostate {
    let (mut moves, mut terminal) = (Vec::new(), None);
    for state in part.states {
        match nfa.state(state) {
            Guessing::Move { state, lowered } => moves.push((state, lowered)),
            // All come from the same word, so there is at most one.
            Guessing::Terminal { tokens } => terminal = Some(tokens),
        }
    }
    Macrostate { moves, terminal, next: part.next }
}
