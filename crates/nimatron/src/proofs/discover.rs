//! Finding the P-positions of a game, with no formula given.

use super::guess::Guess;
use super::prove::{Judgement, ProveMethod, how_to_win, prove};
use super::proved::{NotAccepted, Proved};
use crate::limits::{Limits, Stopwatch};
use nimatron_formula::{Context, Formula};
use nimatron_game::{Game, Height, Position, Stop, Watch};
use nimatron_prove::automata::{self, Effort};
use nimatron_prove::matryoshka;
use nimatron_prove::synthesis::{Synthesis, synthesise};
use nimatron_verify::{Budget, Certificate, Proof};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DiscoverMethod {
    /// Matryoshka, and automata where it finds nothing.
    #[default]
    Auto,
    /// By games within games.
    Matryoshka,
    /// By automata.
    Automata,
}

/// What to look for, and how.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// By which method.
    pub method: DiscoverMethod,
    /// How far to go by automata.
    pub effort: Effort,
    /// Whether to look for a formula that describes what an automaton accepts, or for equations and
    /// inequalities that describe what vectors span.
    pub formula: bool,
}

impl Default for Search {
    fn default() -> Self {
        let (method, effort) = (DiscoverMethod::default(), Effort::default());
        Search { method, effort, formula: true }
    }
}

/// What came of a search for the P-positions of a game.
#[derive(Debug)]
#[non_exhaustive]
pub struct Discovery {
    /// The game.
    pub game: Game,
    /// The P-positions, proved.
    pub found: Option<Box<Found>>,
    /// What was tried in vain, in this order.
    pub attempts: Vec<Attempt>,
    /// If nothing was found: what a table suggests, as evidence.
    pub guess: Option<Box<Guess>>,
    /// What stopped the search, if something did.
    pub stop: Option<Stop>,
    /// How long it took.
    pub time: Duration,
}

/// P-positions that have been found, proved and checked.
#[derive(Debug)]
#[non_exhaustive]
pub struct Found {
    /// The proof.
    pub proved: Proved,
    /// How large it is.
    pub size: Size,
    /// The winning strategy in words, where the proof gives one.
    pub strategy: Option<String>,
    /// Linear equations that hold at every P-position, where there are any.
    pub equations: Option<Equations>,
    /// If a formula was looked for in vain: how many cells of one were found.
    pub in_vain: Option<usize>,
    /// The games within games, if these were found.
    pub games: Option<Box<matryoshka::Solution>>,
    /// The bytes of the certificate.
    pub bytes: usize,
    /// The time to find the proof.
    pub search: Duration,
    /// The time to check it.
    pub check: Duration,
}

/// Linear equations that hold at every P-position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Equations {
    /// The equations, independent of each other: `a+b = d+e`.
    pub list: Vec<String>,
    /// Whether only P-positions satisfy them all; `None` if that was not decided.
    pub suffice: Option<bool>,
}

/// How large a proof is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Size {
    /// By regions.
    Regions {
        /// Branches of the formula.
        branches: usize,
        /// Rules of the strategy, up to symmetry.
        rules: usize,
        /// Nodes of the coverage.
        nodes: usize,
    },
    /// By games within games.
    Matryoshka {
        /// The number of games.
        games: usize,
        /// Cells of the game itself.
        cells: usize,
        /// Weights of all games.
        weights: usize,
    },
    /// By an automaton.
    Automaton {
        /// Its states.
        states: usize,
        /// Macrostates of the proof.
        macrostates: usize,
    },
}

/// Something that was tried in vain.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Attempt {
    /// Matryoshka is impossible: this multiple of a P-position is an N-position.
    Obstructed {
        /// The P-position.
        position: Position,
        /// The factor.
        factor: Height,
    },
    /// Matryoshka found nothing.
    Matryoshka(matryoshka::NotFound),
    /// Matryoshka does not apply.
    NoMatryoshka(matryoshka::Unsupported),
    /// No automaton was found.
    Automata(automata::NotFound),
    /// Automata do not apply.
    NoAutomata(automata::Unsupported),
    /// The checker did not accept the proof that was found.
    NotAccepted(NotAccepted),
}

impl Discovery {
    /// The greatest height up to which the P-positions of the whole box were computed.
    pub fn largest_box(&self) -> Option<Height> {
        let known = |attempt: &Attempt| match attempt {
            Attempt::Automata(missing) => (1u64 << missing.reached_bits.min(62)).checked_sub(1),
            Attempt::Matryoshka(
                matryoshka::NotFound::NoVectors { game, bound }
                | matryoshka::NotFound::NotInvariant { game, bound },
            ) if *game == self.game => Some(*bound),
            _ => None,
        };
        self.attempts.iter().filter_map(known).max().filter(|&height| height > 0)
    }
}

/// Looks for the P-positions of a game and proves them. Nothing is taken from the theorem library.
pub fn discover(game: &Game, method: DiscoverMethod, limits: &Limits) -> Discovery {
    discover_with(game, &Search { method, ..Search::default() }, limits)
}

/// As [`discover`], with more to choose from.
pub fn discover_with(game: &Game, search: &Search, limits: &Limits) -> Discovery {
    // Some of the time is kept for laws, to be told where nothing is found.
    let kept = match search.formula {
        true => limits.time.map(|time| time / 8),
        false => None,
    };
    let whole = limits;
    let time = limits.time.map(|time| time - kept.unwrap_or_default());
    let limits = &Limits { time, ..limits.clone() };
    let watch = limits.stopwatch();
    let method = search.method;
    let mut discovery = Discovery {
        game: game.clone(),
        found: None,
        attempts: Vec::new(),
        guess: None,
        stop: None,
        time: Duration::ZERO,
    };
    if method != DiscoverMethod::Automata {
        // Where automata are to come, they shall have their part of the time.
        let share = match method {
            DiscoverMethod::Auto => limits.time.map(|time| time / 2),
            _ => limits.time,
        };
        discovery.by_matryoshka(search, &Limits { time: share, ..limits.clone() });
    }
    if method != DiscoverMethod::Matryoshka && discovery.found.is_none() {
        let cancelled = discovery.stop == Some(Stop::Cancelled);
        if !cancelled {
            discovery.stop = None;
            discovery.by_automata(search, limits, &watch);
        }
    }
    let cancelled = discovery.stop == Some(Stop::Cancelled);
    if search.formula && discovery.found.is_none() && !cancelled {
        let limits = Limits { time: kept, looks: Some(FOR_LAWS), ..whole.clone() };
        discovery.guess =
            Guess::laws(game, Some(HEIGHT_OF_LAWS), &limits.start()).ok().map(Box::new);
    }
    discovery.time = watch.elapsed();
    discovery
}

/// The most looks at the limits for laws where nothing is proved, and the height up to which these are learned.
const FOR_LAWS: u64 = 100_000;
const HEIGHT_OF_LAWS: Height = 7;

impl Discovery {
    fn by_matryoshka(&mut self, search: &Search, limits: &Limits) {
        let watch = &limits.stopwatch();
        match matryoshka::discover(&self.game, watch) {
            Err(unsupported) => self.attempts.push(Attempt::NoMatryoshka(unsupported)),
            Ok(matryoshka::Discovery::Found(solution)) => {
                let size = solution.statistics();
                let size = Size::Matryoshka {
                    games: size.games,
                    cells: size.cells,
                    weights: size.weights,
                };
                let formula = match search.formula {
                    true => solution.readable(watch).ok().flatten(),
                    false => None,
                };
                self.accept_told(solution.certificate(), formula, size, watch);
                if let Some(found) = &mut self.found {
                    found.equations = Equations::of(&solution, limits);
                    found.games = Some(solution);
                }
            }
            Ok(matryoshka::Discovery::Obstructed { position, factor }) => {
                self.attempts.push(Attempt::Obstructed { position, factor });
            }
            Ok(matryoshka::Discovery::NotFound(reason)) => {
                if let matryoshka::NotFound::Stopped(stop) = reason {
                    self.stop = Some(stop);
                }
                self.attempts.push(Attempt::Matryoshka(reason));
            }
            Ok(_) => {}
        }
    }

    fn by_automata(&mut self, search: &Search, limits: &Limits, watch: &Stopwatch) {
        match automata::discover(&self.game, search.effort, watch as &dyn Watch) {
            Err(unsupported) => self.attempts.push(Attempt::NoAutomata(unsupported)),
            Ok(automata::Discovery::Found(found)) => {
                let size = Size::Automaton {
                    states: found.statistics.states,
                    macrostates: found.statistics.macrostates,
                };
                if !search.formula {
                    return self.accept(found.certificate, size, watch);
                }
                self.accept_described(found.certificate, size, limits, watch);
            }
            Ok(automata::Discovery::NotFound(missing)) => {
                self.stop = match missing.reason {
                    automata::Reason::Stopped(stop) => Some(stop),
                    automata::Reason::Unproved { stop, .. } => Some(stop),
                    _ => None,
                };
                self.attempts.push(Attempt::Automata(missing));
            }
            Ok(_) => {}
        }
    }

    /// With a formula, if there is one and the checker accepts it within its usual budget.
    fn accept_told(
        &mut self,
        certificate: Certificate,
        formula: Option<Formula>,
        size: Size,
        watch: &Stopwatch,
    ) {
        let told = formula.and_then(|formula| {
            let certificate = certificate.clone().with_formula(Some(formula.to_string()));
            Found::accept_within(certificate, size, Budget::default(), watch).ok()
        });
        match told {
            Some(found) => self.found = Some(Box::new(found)),
            None => self.accept(certificate, size, watch),
        }
    }

    fn accept(&mut self, certificate: Certificate, size: Size, watch: &Stopwatch) {
        match Found::accept(certificate, size, None, watch) {
            Ok(found) => self.found = Some(Box::new(found)),
            Err(error) => self.attempts.push(Attempt::NotAccepted(error)),
        }
    }
}

/// The usual budget of a check is for files from anywhere. What was found here may take so many times as much:
/// the proof about CN(13,5) needs it.
const FOR_OWN_PROOFS: u64 = 64;

impl Discovery {
    /// As [`Discovery::accept`], with a formula in the certificate if one is found.
    fn accept_described(
        &mut self,
        certificate: Certificate,
        size: Size,
        limits: &Limits,
        watch: &Stopwatch,
    ) {
        let synthesis = described(&certificate, watch);
        self.accept_told(certificate, synthesis.formula.clone(), size, watch);
        let Some(found) = &mut self.found else { return };
        match synthesis.formula.filter(|_| found.proved.has_formula()) {
            Some(formula) => {
                let left = limits.time.map(|time| time.saturating_sub(watch.elapsed()));
                found.strategy = how_to_win(&self.game, &formula, &limits.clone().time(left));
            }
            None => {
                let list: Vec<String> = synthesis.equations.iter().map(|e| e.to_string()).collect();
                found.in_vain = Some(synthesis.cells);
                found.equations = (!list.is_empty()).then_some(Equations { list, suffice: None });
            }
        }
    }
}

/// What can be said about the positions that the automaton of a certificate accepts, within the limits.
fn described(certificate: &Certificate, watch: &dyn Watch) -> Synthesis {
    let Proof::Automaton(proof) = &certificate.proof else { return Synthesis::default() };
    synthesise(&certificate.game, &proof.dfa, watch).unwrap_or_default()
}

impl Found {
    /// Hands a certificate that has just been found to the checker.
    pub(super) fn accept(
        certificate: Certificate,
        size: Size,
        strategy: Option<String>,
        watch: &Stopwatch,
    ) -> Result<Self, NotAccepted> {
        let budget = Budget::times(FOR_OWN_PROOFS);
        Ok(Found { strategy, ..Found::accept_within(certificate, size, budget, watch)? })
    }

    fn accept_within(
        certificate: Certificate,
        size: Size,
        budget: Budget,
        watch: &Stopwatch,
    ) -> Result<Self, NotAccepted> {
        let search = watch.elapsed();
        let proved = Proved::accept_within(certificate, budget)?;
        let check = watch.elapsed().saturating_sub(search);
        let bytes = proved.text().len();
        Ok(Found {
            proved,
            size,
            strategy: None,
            equations: None,
            in_vain: None,
            games: None,
            bytes,
            search,
            check,
        })
    }
}

/// The looks at the limits to find out whether equations suffice.
const FOR_EQUATIONS: u64 = 20_000;

impl Equations {
    /// The equations of a solution, if there are any. Whether they suffice is another theorem about the
    /// game, proved in another way.
    fn of(solution: &matryoshka::Solution, limits: &Limits) -> Option<Self> {
        let list = solution.equations();
        let game = solution.game();
        let formula = Formula::parse(&list.join(", "), &Context::of_game(game)).ok()?;
        let limits = Limits { looks: Some(FOR_EQUATIONS), ..limits.clone() };
        let suffice = match prove(game, &formula, ProveMethod::Regions, &limits).judgement {
            Judgement::Proved(_) => Some(true),
            Judgement::Refuted(_) => Some(false),
            Judgement::Undecided(_) => None,
        };
        Some(Equations { list, suffice })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_that_suffice_and_equations_that_do_not() {
        let equations = |text: &str| {
            let game = text.parse().unwrap();
            discover(&game, DiscoverMethod::Matryoshka, &Limits::default()).found.unwrap().equations
        };
        let both = equations("CN(6,3)").unwrap();
        assert_eq!((both.list.len(), both.suffice), (2, Some(true)));
        let one = equations("PN(4,2)").unwrap();
        assert_eq!((&one.list[..], one.suffice), (&["a+b = c+d".to_string()][..], Some(false)));
        assert_eq!(equations("CN(5,2)"), None);
    }
}
