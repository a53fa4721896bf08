//! The part of the proof of peeling that is done by computer: see `docs/peeling.md`.

use super::discover::{Found, Size};
use crate::invariants::is_sum;
use crate::limits::Limits;
use nimatron_game::symmetry::canonical_form;
use nimatron_game::{Game, Play, Rule, SetFamily, StackSet, Stop, Watch};
use nimatron_prove::matryoshka::{Discovery, NotFound, discover};
use nimatron_theory::peeling::{Circle, types, types_by_ends};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// For all games of class C on some number of stacks that cannot be made smaller: are the P-positions
/// found and proved, does the checker accept that, and are the peels invariant vectors?
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PeelingCheck {
    /// The number of stacks.
    pub stacks: usize,
    /// How many such games there are, up to rotation and reflection.
    pub types: usize,
    /// Whether two ways of listing them agree.
    pub lists_agree: bool,
    /// The games that were looked at, in the order of the list.
    pub checked: Vec<PeelingType>,
    /// What stopped the work, if something did.
    pub stop: Option<Stop>,
}

/// One of these games.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PeelingType {
    /// The game.
    pub game: Game,
    /// The cells of its proof.
    pub cells: usize,
    /// The bytes of its certificate.
    pub bytes: usize,
    /// The time to find the proof.
    pub search: Duration,
    /// The time to check it.
    pub check: Duration,
    /// What is wrong, if something is.
    pub flaw: Option<PeelingFlaw>,
}

/// Why one of the games does not support the statement.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PeelingFlaw {
    /// No proof was found.
    #[error("no proof was found: {0}")]
    NotFound(String),
    /// The checker refuses the proof.
    #[error("the proof was not accepted: {0}")]
    NotAccepted(String),
    /// A peel is no sum of invariant vectors of the proof. That refutes nothing by itself.
    #[error("the peel {0} is no sum of vectors of the proof")]
    NotInvariant(StackSet),
}

impl PeelingCheck {
    /// Goes through all games on `stacks` stacks, on so many threads. `watch` hears how many are done.
    /// If it stops the work before the games are listed, there is nothing to tell.
    ///
    /// ```
    /// use nimatron::proofs::PeelingCheck;
    /// use nimatron::{Limits, Unlimited};
    /// let check = PeelingCheck::of(7, 1, &Limits::unlimited(), &Unlimited).unwrap();
    /// assert!(check.is_proved());
    /// assert_eq!((check.types, check.checked.len()), (12, 12));
    /// ```
    pub fn of(
        stacks: usize,
        threads: usize,
        limits: &Limits,
        watch: &dyn Watch,
    ) -> Result<Self, Stop> {
        let families = types(stacks, watch)?;
        let canonical: BTreeSet<SetFamily> =
            families.iter().map(|sets| canonical_form(sets, None).0).collect();
        let lists_agree = canonical == types_by_ends(stacks, watch)?;
        let checked: Vec<Mutex<Option<PeelingType>>> =
            families.iter().map(|_| Mutex::new(None)).collect();
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let stopped: Mutex<Option<Stop>> = Mutex::new(None);
        let work = || {
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(family) = families.get(place) else { break };
                match watch.check(0).and_then(|()| PeelingType::of(family, limits, watch)) {
                    Ok(found) => *lock(&checked[place]) = Some(found),
                    Err(stop) => {
                        *lock(&stopped) = Some(stop);
                        break;
                    }
                }
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                watch.progress(done as u128, families.len() as u128);
            }
        };
        match threads {
            0 | 1 => work(),
            _ => std::thread::scope(|scope| {
                (0..threads).for_each(|_| {
                    scope.spawn(work);
                });
            }),
        }
        let checked = checked.into_iter().filter_map(|c| lock(&c).take()).collect();
        let stop = *lock(&stopped);
        Ok(PeelingCheck { stacks, types: families.len(), lists_agree, checked, stop })
    }

    /// Whether every game was looked at and nothing is wrong with any.
    pub fn is_proved(&self) -> bool {
        let all = self.lists_agree && self.checked.len() == self.types;
        all && self.flaws().next().is_none()
    }

    /// The games with which something is wrong.
    pub fn flaws(&self) -> impl Iterator<Item = (&Game, &PeelingFlaw)> {
        self.checked.iter().filter_map(|one| Some((&one.game, one.flaw.as_ref()?)))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PeelingType {
    fn of(family: &SetFamily, limits: &Limits, watch: &dyn Watch) -> Result<Self, Stop> {
        let rule = Rule::set_nim(family.clone());
        let game = Game::from_rule(&rule).expect("a game on few stacks");
        let none = |flaw: PeelingFlaw| PeelingType {
            game: game.clone(),
            cells: 0,
            bytes: 0,
            search: Duration::ZERO,
            check: Duration::ZERO,
            flaw: Some(flaw),
        };
        let clock = limits.stopwatch();
        let solution = match discover(&game, watch) {
            Ok(Discovery::Found(solution)) => solution,
            Ok(Discovery::NotFound(NotFound::Stopped(stop))) => return Err(stop),
            Ok(Discovery::NotFound(why)) => {
                return Ok(none(PeelingFlaw::NotFound(why.to_string())));
            }
            Ok(Discovery::Obstructed { position, factor }) => {
                let why = format!("{position} is P, {factor} times it is not");
                return Ok(none(PeelingFlaw::NotFound(why)));
            }
            Ok(_) => return Ok(none(PeelingFlaw::NotFound("for no known reason".to_string()))),
            Err(unsupported) => {
                return Ok(none(PeelingFlaw::NotFound(unsupported.to_string())));
            }
        };
        let size = solution.statistics();
        let cells = size.cells;
        let size = Size::Matryoshka { games: size.games, cells, weights: size.weights };
        let found = match Found::accept(solution.certificate(), size, None, &clock) {
            Ok(found) => found,
            Err(flaw) => return Ok(none(PeelingFlaw::NotAccepted(flaw.to_string()))),
        };
        let known = found.proved.games().map_or(Vec::new(), |p| p.vectors(StackSet::EMPTY));
        let peels = Circle::of(&rule, Play::Normal).map_or(Vec::new(), |c| c.invariants());
        let flaw = peels.iter().find(|&&peel| !is_sum(peel, &known));
        let flaw = flaw.map(|&peel| PeelingFlaw::NotInvariant(peel));
        let (bytes, search, check) = (found.bytes, found.search, found.check);
        Ok(PeelingType { game, cells, bytes, search, check, flaw })
    }
}
