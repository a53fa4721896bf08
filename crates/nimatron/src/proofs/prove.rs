//! Proving that a formula describes the P-positions of a game.

use super::discover::{Found, Size};
use super::proved::NotAccepted;
use crate::limits::{Limits, Stopwatch};
use nimatron_formula::{Context, Formula};
use nimatron_game::{Game, Position, Stop, Take};
use nimatron_meaning::BranchError;
use nimatron_prove::{automata, regions};
use nimatron_theory::recognise;
use nimatron_verify::Certificate;
use std::time::Duration;

/// How to prove.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum ProveMethod {
    /// By regions, and by an automaton where these do not do.
    #[default]
    Auto,
    /// By linear arithmetic; for formulas without xor.
    Regions,
    /// By an automaton.
    Automata,
}

/// What came of an attempt to prove a formula.
#[derive(Debug)]
#[non_exhaustive]
pub struct Proving {
    /// The game.
    pub game: Game,
    /// The formula.
    pub formula: Formula,
    /// Whether it describes the P-positions.
    pub judgement: Judgement,
    /// How long it took.
    pub time: Duration,
}

/// Whether a formula describes the P-positions of a game.
#[derive(Debug)]
#[non_exhaustive]
pub enum Judgement {
    /// It does, for all heights.
    Proved(Box<Found>),
    /// It does not.
    Refuted(Refutation),
    /// That is not known.
    Undecided(Undecided),
}

/// A position that shows that a formula does not describe the P-positions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refutation {
    /// The formula holds here, and after this move as well.
    Claimed {
        /// The position.
        position: Position,
        /// The move.
        take: Take,
        /// Where it leads.
        to: Position,
    },
    /// The formula fails here, but no move leads to where it holds.
    Missed {
        /// The position.
        position: Position,
    },
    /// Misere play: the formula holds here, but no move is left.
    Terminal {
        /// The position.
        position: Position,
    },
}

/// What kept a formula from being proved or refuted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Undecided {
    /// A limit was reached.
    #[error("{0}")]
    Stopped(Stop),
    /// The proof was not finished.
    #[error(transparent)]
    Regions(regions::Reason),
    /// The formula has an xor, or speaks of digits.
    #[error("the formula has an xor or speaks of digits, which linear arithmetic cannot deal with")]
    Xor,
    /// The method does not apply.
    #[error(transparent)]
    Unsupported(regions::Unsupported),
    /// No automaton could be made of the formula.
    #[error(transparent)]
    NoAutomaton(automata::NoAutomaton),
    /// The automaton of the formula was not proved.
    #[error(transparent)]
    Unproved(automata::Unproved),
    /// The checker did not accept the proof that was found.
    #[error("the proof that was found is not accepted: {0}")]
    NotAccepted(NotAccepted),
    /// A kind of failure that is not known here.
    #[error("the proof failed")]
    Other,
}

/// What the theorem library says about the game, as a formula in the game's own order of stacks.
pub fn known_formula(game: &Game) -> Option<Formula> {
    let found = recognise(game.single()?, game.convention())?;
    let family = found.family.as_ref().map(|family| family.rule());
    let context = family.as_ref().map_or_else(|| Context::of_game(game), Context::of_rule);
    let formula = Formula::parse(&found.solution().formula()?, &context).ok()?;
    let images: Vec<usize> = found.relabelling.inverse().images().collect();
    Some(formula.relabel(&images))
}

/// Proves that the formula describes exactly the P-positions of the game, for all heights, or
/// refutes it.
///
/// ```
/// use nimatron::crates::formula::{Context, Formula};
/// use nimatron::proofs::{Refutation, Judgement, ProveMethod, prove};
/// use nimatron::{Game, Limits};
///
/// let game: Game = "CN(4,2)".parse().unwrap();
/// let formula = |text| Formula::parse(text, &Context::of_game(&game)).unwrap();
/// let right = prove(&game, &formula("a = c, b = d"), ProveMethod::Auto, &Limits::default());
/// assert!(matches!(right.judgement, Judgement::Proved(_)));
/// let wrong = prove(&game, &formula("a = c"), ProveMethod::Auto, &Limits::default());
/// let Judgement::Refuted(Refutation::Claimed { position, .. }) = wrong.judgement else {
///     panic!("from (0,1,0,0) the empty position is reached")
/// };
/// assert_eq!(position.total(), 1);
/// ```
pub fn prove(game: &Game, formula: &Formula, method: ProveMethod, limits: &Limits) -> Proving {
    let watch = limits.stopwatch();
    let judgement = match method {
        ProveMethod::Regions => by_regions(game, formula, SEARCH, &watch),
        ProveMethod::Automata => by_automata(game, formula, &watch),
        ProveMethod::Auto => match by_regions(game, formula, SEARCH, &watch) {
            Judgement::Undecided(Undecided::Stopped(stop)) => {
                Judgement::Undecided(Undecided::Stopped(stop))
            }
            Judgement::Undecided(first) => match by_automata(game, formula, &watch) {
                // What regions say is about the formula as it stands.
                Judgement::Undecided(Undecided::NoAutomaton(_)) if first != Undecided::Xor => {
                    Judgement::Undecided(first)
                }
                decided => decided,
            },
            decided => decided,
        },
    };
    Proving { game: game.clone(), formula: formula.clone(), judgement, time: watch.elapsed() }
}

/// The looks at the limits to find out how to win by a formula.
const FOR_STRATEGY: u64 = 20_000;

/// How to win by a formula that is known to be right, where linear arithmetic proves it as well.
pub(crate) fn how_to_win(game: &Game, formula: &Formula, limits: &Limits) -> Option<String> {
    proof_of_strategy(game, formula, limits)?.strategy
}

/// The same with its proof.
pub(crate) fn proof_of_strategy(
    game: &Game,
    formula: &Formula,
    limits: &Limits,
) -> Option<Box<Found>> {
    let limits = Limits { looks: Some(FOR_STRATEGY), ..limits.clone() };
    // There is no counterexample to look for.
    match by_regions(game, formula, 0, &limits.stopwatch()) {
        Judgement::Proved(found) => Some(found),
        _ => None,
    }
}

/// The options looked at in search of a small counterexample before a proof is tried.
const SEARCH: u64 = regions::Limits::SEARCH;

fn by_regions(game: &Game, formula: &Formula, search: u64, watch: &Stopwatch) -> Judgement {
    use regions::{Failure, Reason, Unsupported};
    let limits = regions::Limits { search, ..regions::Limits::default() };
    let failure = match regions::prove(game, formula, watch, &limits) {
        Ok(proof) => {
            let size = Size::Regions {
                branches: proof.statistics.branches,
                rules: proof.strategy.len(),
                nodes: proof.statistics.nodes,
            };
            let strategy = Some(proof.strategy.to_string()).filter(|text| !text.is_empty());
            return accept(proof.certificate, size, strategy, watch);
        }
        Err(failure) => failure,
    };
    match failure {
        Failure::Refuted(example) => match counterexample(example) {
            Some(example) => Judgement::Refuted(example),
            None => Judgement::Undecided(Undecided::Other),
        },
        Failure::Undecided(Reason::Stopped(stop)) => Judgement::Undecided(Undecided::Stopped(stop)),
        Failure::Undecided(reason) => Judgement::Undecided(Undecided::Regions(reason)),
        Failure::Unsupported(Unsupported::Branches(BranchError::Xor | BranchError::Digits)) => {
            Judgement::Undecided(Undecided::Xor)
        }
        Failure::Unsupported(why) => Judgement::Undecided(Undecided::Unsupported(why)),
        _ => Judgement::Undecided(Undecided::Other),
    }
}

/// The certificate holds the formula and its automaton. Where it is beyond the limits of the checker to
/// compare the two, the formula is left out, and the proof is about the automaton alone
/// ([`Proved::formula`](super::Proved::formula) is `None`).
fn by_automata(game: &Game, formula: &Formula, watch: &Stopwatch) -> Judgement {
    use automata::{AutomatonCounterexample as Found, NoAutomaton, Unproved, UnprovedFormula};
    let undecided = |why| Judgement::Undecided(why);
    match automata::prove_formula(game, formula, watch) {
        Ok(found) => {
            let size = Size::Automaton {
                states: found.statistics.states,
                macrostates: found.statistics.macrostates,
            };
            match accept(found.certificate.clone(), size, None, watch) {
                Judgement::Undecided(Undecided::NotAccepted(NotAccepted::Rejected(why)))
                    if why.obligation() == "limit" =>
                {
                    accept(found.certificate.with_formula(None), size, None, watch)
                }
                judgement => judgement,
            }
        }
        Err(UnprovedFormula::NoAutomaton(NoAutomaton::Stopped(stop))) => {
            undecided(Undecided::Stopped(stop))
        }
        Err(UnprovedFormula::NoAutomaton(why)) => undecided(Undecided::NoAutomaton(why)),
        Err(UnprovedFormula::Unproved(Unproved::Stopped(stop))) => {
            undecided(Undecided::Stopped(stop))
        }
        Err(UnprovedFormula::Unproved(Unproved::Refuted(example))) => match example {
            Found::Move { from: position, take } => match position.after(&take) {
                Some(to) => Judgement::Refuted(Refutation::Claimed { position, take, to }),
                None => undecided(Undecided::Other),
            },
            Found::Stuck { position } => Judgement::Refuted(Refutation::Missed { position }),
            Found::Terminal { position } => Judgement::Refuted(Refutation::Terminal { position }),
            other => undecided(Undecided::Unproved(Unproved::Refuted(other))),
        },
        Err(UnprovedFormula::Unproved(why)) => undecided(Undecided::Unproved(why)),
        Err(_) => undecided(Undecided::Other),
    }
}

/// Hands a certificate to the checker.
fn accept(
    certificate: Certificate,
    size: Size,
    strategy: Option<String>,
    watch: &Stopwatch,
) -> Judgement {
    match Found::accept(certificate, size, strategy, watch) {
        Ok(found) => Judgement::Proved(Box::new(found)),
        Err(error) => Judgement::Undecided(Undecided::NotAccepted(error)),
    }
}

fn counterexample(example: regions::FormulaCounterexample) -> Option<Refutation> {
    Some(match example {
        regions::FormulaCounterexample::Claimed { position, take } => {
            let to = position.after(&take)?;
            Refutation::Claimed { position, take, to }
        }
        regions::FormulaCounterexample::Missed { position } => Refutation::Missed { position },
        regions::FormulaCounterexample::Terminal { position } => Refutation::Terminal { position },
        _ => return None,
    })
}
