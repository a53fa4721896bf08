//! The P-positions of a game as a finite automaton, found and proved with or without a formula.
//!
//! The automaton reads the binary digits of all heights in parallel, the most significant first.
//! Games solved by xor and games solved by linear equations look alike to it: Nim needs two
//! states, CN(5,2) 22, CN(7,3) 688.
//!
//! 1. *Data* ([`discover`]): the P-positions of the cubes `[0, 2^m)^n`, m = 1, 2, 3, ..., as shared
//!    decision diagrams.
//! 2. *Guess*: what can follow the first digits, up to a certain length, tells states apart. When
//!    no new states turn up, they make an automaton.
//! 3. *Proof* ([`prove`]): no move leads from an accepted position to another, and from every other
//!    position some move leads to an accepted one, for all heights. The proof does not look at the
//!    data, so it serves any automaton; a wrong one is refuted by a position.
//!    So a formula, with xor or without, need only be made into an automaton ([`prove_formula`]).
//! 4. *Use* ([`Automaton`]): outcome and winning move of any position; export to other tools.
//!
//! If no automaton is found this proves nothing: it may have more states than the data
//! show.
//!
//! ```
//! use nimatron_game::{Game, Outcome, Unlimited};
//! use nimatron_prove::automata::{Discovery, Effort, discover};
//!
//! let game: Game = "CN(5,2)".parse().unwrap();
//! let Ok(Discovery::Found(found)) = discover(&game, Effort::default(), &Unlimited) else {
//!     panic!("CN(5,2) has an automaton with 22 states")
//! };
//! assert!(nimatron_verify::verify(&found.certificate).is_ok());
//! let heights = [3 << 60, 8, 5 << 60, 9, 6 << 60];
//! assert_eq!(found.automaton.outcome(&heights), Outcome::N);
//! let take = found.automaton.winning_move(&heights).unwrap();
//! assert!(game.is_legal(&heights, &take));
//! ```

mod answer;
mod conflict;
mod cover;
mod dfa;
mod diagram;
mod export;
mod formula;
mod guess;
mod moves;
mod nfa;
mod proof;

pub use answer::Automaton;
pub(crate) use dfa::{minimised, shortest};
pub(crate) use formula::{Builder, complement};
pub use formula::{NoAutomaton, UnprovedFormula, formula_automaton, prove_formula};
pub use moves::Unsupported;
pub use proof::{AutomatonCounterexample, Unproved, prove};

use diagram::Diagrams;
use guess::best_guess;
use moves::Moves;
use nimatron_game::{Game, Stop, Watch};
use nimatron_verify::automaton::Dfa;
use nimatron_verify::{Certificate, Proof};

/// How far a search for an automaton goes, apart from the limits of the [`Watch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Heights below 2 to this power are looked at.
    pub bits: u32,
    /// The most states an automaton may have.
    pub states: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { bits: 16, states: 20_000 }
    }
}

/// What came of a search for an automaton.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Discovery {
    /// An automaton, proved.
    Found(Box<Found>),
    /// None was found, which proves nothing.
    NotFound(NotFound),
}

/// A proved automaton.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found {
    /// Answers questions about any position.
    pub automaton: Automaton,
    /// For the independent checker.
    pub certificate: Certificate,
    /// What it took.
    pub statistics: Statistics,
}

/// What it took to find and prove an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// The data were the positions with heights below 2 to this power; 0 if a formula was given.
    pub bits: u32,
    /// States of the automaton.
    pub states: usize,
    /// Macrostates of the proof.
    pub macrostates: usize,
    /// Bytes held for the data; 0 if a formula was given.
    pub data_bytes: u64,
}

/// How far a search went that found no automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no automaton found from heights below 2^{reached_bits} ({states_seen} states seen): {reason}"
)]
#[non_exhaustive]
pub struct NotFound {
    /// All positions with heights below 2 to this power were looked at.
    pub reached_bits: u32,
    /// The most states that the data told apart.
    pub states_seen: usize,
    /// Why the search ended there.
    pub reason: Reason,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The watch stopped it while it was collecting data.
    #[error("{0}")]
    Stopped(Stop),
    /// The watch stopped the proof of an automaton that fits the data.
    #[error("{stop} while an automaton with {states} states was being proved")]
    Unproved {
        /// Why it was stopped.
        stop: Stop,
        /// The states of the automaton.
        states: usize,
    },
    /// The heights that [`Effort`] allows were used up.
    #[error("taller stacks were not looked at")]
    Bits,
    /// The states that [`Effort`] allows were used up.
    #[error("there are too many states")]
    States,
}

/// Looks for an automaton that accepts the P-positions of a game, and proves it.
pub fn discover(game: &Game, effort: Effort, watch: &dyn Watch) -> Result<Discovery, Unsupported> {
    let moves = Moves::new(game)?;
    let mut diagrams = Diagrams::new(&moves, watch);
    let (mut cubes, mut states_seen) = (Vec::new(), 0);
    let mut refuted = None;
    let not_found = |bits: u32, states_seen, reason| {
        let reached_bits = bits.saturating_sub(1);
        Ok(Discovery::NotFound(NotFound { reached_bits, states_seen, reason }))
    };
    let most_bits = effort.bits.min(MOST_BITS);
    for bits in 0..=most_bits {
        watch.progress(bits.into(), most_bits.into());
        match diagrams.p_positions(bits) {
            Ok(cube) => cubes.push(cube),
            Err(stop) => return not_found(bits, states_seen, Reason::Stopped(stop)),
        }
        let guessed = match best_guess(&diagrams, moves.letters(), &cubes, effort.states) {
            Ok(guessed) => guessed,
            Err(stop) => return not_found(bits + 1, states_seen, Reason::Stopped(stop)),
        };
        states_seen = states_seen.max(guessed.states);
        if states_seen > effort.states {
            return not_found(bits + 1, states_seen, Reason::States);
        }
        let Some(dfa) = guessed.dfa.filter(|dfa| refuted.as_ref() != Some(dfa)) else { continue };
        let data_bytes = diagrams.memory();
        diagrams.forget();
        match prove(game, &dfa, &Holding { watch, bytes: diagrams.memory() }) {
            Ok(certificate) => {
                let found = found(moves, certificate, bits, data_bytes);
                return Ok(Discovery::Found(Box::new(found)));
            }
            Err(Unproved::Refuted(_)) => refuted = Some(dfa),
            Err(Unproved::Stopped(stop)) => {
                let reason = Reason::Unproved { stop, states: dfa.states() };
                return not_found(bits + 1, states_seen, reason);
            }
            Err(Unproved::TooLarge { .. }) => {
                return not_found(bits + 1, states_seen, Reason::States);
            }
            Err(Unproved::Unsupported(unsupported)) => return Err(unsupported),
            Err(Unproved::Malformed) => unreachable!("the guess has a row for every state"),
        }
    }
    not_found(most_bits + 1, states_seen, Reason::Bits)
}

/// Taller stacks than this do not exist.
const MOST_BITS: u32 = 63;

fn found(moves: Moves, certificate: Certificate, bits: u32, data_bytes: u64) -> Found {
    let (dfa, macrostates): (Dfa, usize) = match &certificate.proof {
        Proof::Automaton(proof) => (proof.dfa.clone(), proof.macrostates.len()),
        _ => unreachable!("the proof is by an automaton"),
    };
    let statistics = Statistics { bits, states: dfa.states(), macrostates, data_bytes };
    let automaton = Automaton::new(certificate.game.clone(), moves, dfa);
    Found { automaton, certificate, statistics }
}

/// A watch over a computation while other data are held as well.
struct Holding<'a> {
    watch: &'a dyn Watch,
    bytes: u64,
}

impl Watch for Holding<'_> {
    fn check(&self, memory: u64) -> Result<(), Stop> {
        self.watch.check(memory + self.bytes)
    }
}
