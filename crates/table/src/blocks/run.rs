//! A run: the canonical blocks of a box, level by level.

use super::fill::fill;
use super::kernel::{self, Worker};
use super::layout::Side;
use super::lists::Lists;
use super::orbits::Orbits;
use super::plan::Plan;
use super::share::{Alarm, Exchange, Nobody, Shares, lock};
use crate::crew::Crew;
use crate::line::{LineError, Path};
use nimatron_game::{Play, Watch};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Boxes with fewer positions up to symmetry are left to one worker: starting others takes longer.
const WORTH_SHARING: f64 = 1e8;

/// The P-positions of a box, computed level by level.
///
/// A level is all blocks with the same sum of indices. They do not depend on each other, only on
/// the P-positions of blocks of lower levels ([`Lists`]), and of these only canonical blocks are
/// kept. Whoever does a share of the levels, a thread, a process or a machine, needs nothing else
/// from the others ([`Exchange`]).
///
/// ```
/// use nimatron_game::{Family, Unlimited};
/// use nimatron_table::{Alone, blocks::{Plan, Run, Side}};
/// let facets: Vec<_> = Family::Circular { n: 5, k: 2 }.sets().iter().collect();
/// let plan = Plan::new(&facets, &[5; 5], Side::Four).unwrap();
/// let mut run = Run::new(plan);
/// run.finish(&Alone, &Unlimited).unwrap();
/// assert_eq!(run.census().unwrap().count, 181);
/// ```
pub struct Run {
    pub(crate) plan: Plan,
    pub(crate) orbits: Orbits,
    pub(crate) lists: Lists,
    pub(crate) play: Play,
    path: Path,
    sharing: bool,
    /// How fast the parties were in the last level.
    pub(crate) speeds: Vec<f64>,
    /// By level, the lists that are not needed from there on; and how many blocks are noted.
    pub(crate) expiring: Vec<Vec<u32>>,
    pub(crate) noted: usize,
    pub(crate) next: usize,
}

impl Run {
    /// A run that has not begun.
    pub fn new(plan: Plan) -> Self {
        let (orbits, lists) = (Orbits::default(), Lists::default());
        let sharing = plan.work() > WORTH_SHARING;
        let (play, path) = (Play::Normal, Path::best());
        let (speeds, expiring) = (Vec::new(), Vec::new());
        Run { plan, orbits, lists, play, path, sharing, speeds, expiring, noted: 0, next: 0 }
    }

    /// Finds the orbits of blocks, unless they are known.
    pub fn prepare(&mut self, watch: &dyn Watch) -> Result<(), LineError> {
        if self.orbits.canonical.is_empty() {
            let orbits = Orbits::new(&self.plan.layout, &self.plan.generators(), watch)?;
            self.lists = Lists::new(orbits.canonical.len())?;
            self.orbits = orbits;
        }
        Ok(())
    }

    /// Normal play, or misere play: there the position without tokens is not a P-position.
    #[must_use]
    pub fn under(mut self, play: Play) -> Self {
        self.play = play;
        self
    }

    /// Takes a certain path; one that this processor cannot take becomes the portable one.
    #[must_use]
    pub fn on(mut self, path: Path) -> Self {
        self.path = if path.is_available() { path } else { Path::Portable };
        self
    }

    /// Uses the whole crew, however small the box is.
    #[must_use]
    pub fn sharing_always(mut self) -> Self {
        self.sharing = true;
        self
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How many levels there are.
    pub fn levels(&self) -> usize {
        self.plan.layout.levels()
    }

    /// The first level that is not done.
    pub fn next_level(&self) -> usize {
        self.next
    }

    /// Whether all levels are done.
    pub fn is_finished(&self) -> bool {
        self.next == self.levels()
    }

    /// What is known so far.
    pub fn lists(&self) -> &Lists {
        &self.lists
    }

    /// Does all levels that are left.
    pub fn finish(&mut self, crew: &dyn Crew, watch: &dyn Watch) -> Result<(), LineError> {
        self.advance(self.levels(), crew, watch)
    }

    /// Does all levels before `level`. A run that was stopped can go on: blocks that were done
    /// stay so.
    pub fn advance(
        &mut self,
        level: usize,
        crew: &dyn Crew,
        watch: &dyn Watch,
    ) -> Result<(), LineError> {
        self.advance_with(level, crew, &Nobody, watch)
    }

    /// Does a share of all levels before `level`, and gets the lists of those who do the others.
    /// The crew is this party's.
    pub fn advance_with(
        &mut self,
        level: usize,
        crew: &dyn Crew,
        exchange: &dyn Exchange,
        watch: &dyn Watch,
    ) -> Result<(), LineError> {
        let until = level.min(self.levels());
        if until <= self.next {
            return Ok(());
        }
        self.prepare(watch)?;
        let workers = if self.sharing { crew.size().max(1) } else { 1 };
        let shares = Shares::new(self, exchange, self.next..until, workers);
        let parties = exchange.parties();
        let done = AtomicUsize::new(self.orbits.levels[self.next]);
        let error = Mutex::new(None);
        let sides = self.plan.heights().iter().map(|&h| u128::from(h) + 1);
        let positions = sides.fold(1, u128::saturating_mul).min(u128::from(u64::MAX));
        let work = |_: usize| {
            let stop = |reason: LineError| {
                lock(&error).get_or_insert(reason);
                shares.stop();
            };
            let _alarm = Alarm(&shares);
            let Some(mut worker) = Worker::new(&self.plan) else {
                return stop(LineError::Memory(Worker::words(&self.plan) * 8));
            };
            let mut found = Vec::new();
            loop {
                let block = match shares.claim() {
                    Ok(Some(block)) => block,
                    Ok(None) => return,
                    Err(reason) => return stop(reason),
                };
                if !self.lists.is_known(block) {
                    found.clear();
                    let computed = self.compute(&mut worker, block, watch, workers, &mut found);
                    if let Err(reason) = computed.and_then(|()| self.lists.copy(block, &found)) {
                        return stop(reason);
                    }
                }
                if let Err(reason) = shares.complete(block) {
                    return stop(reason);
                }
                // The others are about as far.
                let all = self.orbits.canonical.len();
                let done = (done.fetch_add(parties, Ordering::Relaxed) + parties).min(all);
                watch.progress(positions * done as u128 / all as u128, positions);
            }
        };
        match workers {
            1 => work(0),
            _ => crew.run(&|worker| {
                if worker < workers {
                    work(worker);
                }
            }),
        }
        let error = error.into_inner().unwrap_or_else(PoisonError::into_inner);
        let speeds = shares.speeds();
        match error {
            Some(error) => Err(error),
            None => {
                self.speeds = speeds;
                self.next = until;
                Ok(())
            }
        }
    }

    /// The P-positions of one canonical block; those of all blocks below must be known.
    fn compute(
        &self,
        worker: &mut Worker,
        block: usize,
        watch: &dyn Watch,
        workers: usize,
        found: &mut Vec<u32>,
    ) -> Result<(), LineError> {
        let held = Worker::words(&self.plan) as u64 * 8 * workers as u64;
        let memory = held + self.lists.bytes() + self.orbits.bytes() as u64;
        watch.check(memory)?;
        let at = self.orbits.indices(self.orbits.canonical[block].block);
        let at = &at[..self.plan.layout.places()];
        let job = Job { run: self, at, watch, memory };
        match self.path {
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 if Path::Avx512.is_available() => {
                // SAFETY: the processor has the instructions.
                unsafe { on_avx512(&job, worker, found) }
            }
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 if Path::Avx2.is_available() => {
                // SAFETY: the processor has the instructions.
                unsafe { on_avx2(&job, worker, found) }
            }
            _ => solve(&job, worker, found),
        }
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Run");
        shown.field("plan", &self.plan).field("play", &self.play).field("next", &self.next);
        shown.finish_non_exhaustive()
    }
}

/// One block to be computed.
struct Job<'a> {
    run: &'a Run,
    at: &'a [u32],
    watch: &'a dyn Watch,
    memory: u64,
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn on_avx512(job: &Job<'_>, worker: &mut Worker, found: &mut Vec<u32>) -> Result<(), LineError> {
    solve(job, worker, found)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn on_avx2(job: &Job<'_>, worker: &mut Worker, found: &mut Vec<u32>) -> Result<(), LineError> {
    solve(job, worker, found)
}

/// Compiled once for each set of instructions.
#[inline(always)]
fn solve(job: &Job<'_>, worker: &mut Worker, found: &mut Vec<u32>) -> Result<(), LineError> {
    let Run { plan, orbits, lists, play, .. } = job.run;
    fill(&mut worker.arrays, plan, orbits, lists, job.at, job.watch)?;
    let misere = *play == Play::Misere;
    let watch = (job.watch, job.memory);
    match plan.side() {
        Side::Four => kernel::block::<2, 4, 16>(worker, plan, job.at, misere, watch, found),
        Side::Eight => kernel::block::<3, 8, 64>(worker, plan, job.at, misere, watch, found),
        Side::Sixteen => kernel::block::<4, 4, 64>(worker, plan, job.at, misere, watch, found),
    }
    .map_err(LineError::from)
}
