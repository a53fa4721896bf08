//! A run: the layers of a box, one after the other or several at a time.

use super::LineError;
use super::block::{Block, Store};
use super::isa::Path;
use super::packed::Packed;
use super::plan::Plan;
use super::sink::{Blocked, Note, Sink};
use super::worker::{Harvest, Terms, Worker};
use crate::crew::Crew;
use nimatron_game::{Play, Stop, Watch};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Boxes below this many positions are left to one worker: starting others takes longer.
const WORTH_SHARING: u128 = 100_000_000;

/// What was counted so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// The number of P-positions.
    pub count: u64,
    /// The number of P-positions whose greatest height is the index, if this was asked for.
    pub by_max: Option<Vec<u64>>,
}

impl Tally {
    /// The number of P-positions whose heights are all at most the index, if heights were
    /// counted: for a cube, the counts of all smaller cubes.
    pub fn up_to(&self) -> Option<Vec<u64>> {
        let sums = self.by_max.as_ref()?.iter().scan(0, |sum, &count| {
            *sum += count;
            Some(*sum)
        });
        Some(sums.collect())
    }
}

/// The P-positions of a box, computed layer by layer.
///
/// A layer is a height of the first stack of the plan's order. Between layers the whole state
/// is one table and the counters, which can be written out and read back ([`Run::save`],
/// [`Run::load`]).
///
/// ```
/// use nimatron_game::{Family, Unlimited};
/// use nimatron_table::{Alone, line::{Plan, Run}};
/// let facets: Vec<_> = Family::Circular { n: 5, k: 2 }.sets().iter().collect();
/// let plan = Plan::new(&facets, &[5; 5]).unwrap();
/// let mut run = Run::new(plan).unwrap();
/// assert_eq!(run.finish(&Alone, &Unlimited, None).unwrap().count, 181);
/// ```
pub struct Run<'a> {
    pub(crate) plan: Plan,
    pub(crate) play: Play,
    path: Path,
    blocked: Option<&'a dyn Blocked>,
    any_order: bool,
    pub(crate) ground: Vec<Slot>,
    /// Blocks of each slot. They are made when they are needed first.
    pub(crate) slot_blocks: usize,
    pub(crate) next: u32,
    pub(crate) tally: Tally,
    pub(crate) spoiled: bool,
    workers: usize,
}

/// Blocks of the shared table at one height of the second place.
pub(crate) fn slot_blocks(plan: &Plan) -> u128 {
    if plan.draft().has_ground() { plan.shape().table_blocks(1) } else { 0 }
}

/// The part of the shared table at one height of the second place.
pub(crate) struct Slot {
    pub(crate) held: Mutex<Held>,
    changed: Condvar,
}

pub(crate) struct Held {
    pub(crate) blocks: Store,
    /// The layer that may use it next.
    layer: u32,
}

impl fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run").field("next", &self.next).finish_non_exhaustive()
    }
}

impl<'a> Run<'a> {
    /// A run that has not begun.
    pub fn new(plan: Plan) -> Result<Self, LineError> {
        Run::at(plan, 0)
    }

    /// A run whose next layer is `next`, with an empty table.
    pub(crate) fn at(plan: Plan, next: u32) -> Result<Self, LineError> {
        let mut run = Run::unfurnished(plan, next)?;
        let slots = run.plan.shape().outer[1] as usize;
        if run.ground.try_reserve_exact(slots).is_err() {
            return Err(LineError::Memory(run.plan.estimate(1).memory));
        }
        for _ in 0..slots {
            run.add_slot()?;
        }
        Ok(run)
    }

    /// A run whose table has no slots yet: they are to be added.
    pub(crate) fn unfurnished(plan: Plan, next: u32) -> Result<Self, LineError> {
        let slot_blocks = usize::try_from(slot_blocks(&plan));
        let slot_blocks = slot_blocks.map_err(|_| LineError::Memory(plan.estimate(1).memory))?;
        Ok(Run {
            plan,
            play: Play::Normal,
            path: Path::best(),
            blocked: None,
            any_order: false,
            ground: Vec::new(),
            slot_blocks,
            next,
            tally: Tally::default(),
            spoiled: false,
            workers: 1,
        })
    }

    /// Adds a slot, for the next height of the second place.
    pub(crate) fn add_slot(&mut self) -> Result<&mut Store, LineError> {
        let Some(blocks) = Store::reserved(self.slot_blocks) else {
            return Err(LineError::Memory(self.plan.estimate(1).memory));
        };
        let held = Mutex::new(Held { blocks, layer: self.next });
        self.ground.push(Slot { held, changed: Condvar::new() });
        let slot = self.ground.last_mut().expect("it was added");
        Ok(&mut slot.held.get_mut().unwrap_or_else(PoisonError::into_inner).blocks)
    }

    /// Normal play, or misere play: there the position without tokens is not a P-position.
    #[must_use]
    pub fn under(mut self, play: Play) -> Self {
        self.play = play;
        self
    }

    /// Excludes positions from being P-positions.
    #[must_use]
    pub fn blocking(mut self, blocked: &'a dyn Blocked) -> Self {
        self.blocked = Some(blocked);
        self
    }

    /// Counts P-positions by their greatest height as well.
    #[must_use]
    pub fn counting_by_max(mut self) -> Self {
        let tallest = self.plan.heights().iter().max().map_or(0, |&h| h as usize);
        self.tally.by_max = Some(vec![0; tallest + 1]);
        self
    }

    /// Hands P-positions to the sink as soon as they are found. Fewer of them are kept in memory,
    /// but their order depends on the crew: good for counting what only depends on each by itself.
    #[must_use]
    pub fn in_any_order(mut self) -> Self {
        self.any_order = true;
        self
    }

    /// Takes a certain path; one that this processor cannot take becomes the portable one.
    #[must_use]
    pub fn on(mut self, path: Path) -> Self {
        self.path = if path.is_available() { path } else { Path::Portable };
        self
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The first layer that is not done.
    pub fn next_layer(&self) -> u32 {
        self.next
    }

    /// Whether all layers are done.
    pub fn is_finished(&self) -> bool {
        self.next == self.plan.layers()
    }

    /// The most workers that were at it at the same time.
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// What was counted in the layers that are done.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Does all layers that are left.
    pub fn finish(
        &mut self,
        crew: &dyn Crew,
        watch: &dyn Watch,
        sink: Option<&mut dyn Sink>,
    ) -> Result<&Tally, LineError> {
        self.advance(self.plan.layers(), crew, watch, sink)?;
        Ok(&self.tally)
    }

    /// Does all layers before `layer`. The sink is given every P-position in lexicographic
    /// order of the plan's order, whatever the size of the crew.
    ///
    /// After an error the run cannot go on: the table holds part of a layer. Load the last
    /// state that was saved instead.
    pub fn advance(
        &mut self,
        layer: u32,
        crew: &dyn Crew,
        watch: &dyn Watch,
        sink: Option<&mut dyn Sink>,
    ) -> Result<(), LineError> {
        self.advance_noting(layer, crew, watch, sink, None)
    }

    /// As [`Run::advance`]; the sink is told what the workers noted about each P-position.
    pub fn advance_noting(
        &mut self,
        layer: u32,
        crew: &dyn Crew,
        watch: &dyn Watch,
        sink: Option<&mut dyn Sink>,
        note: Option<&Note<'_>>,
    ) -> Result<(), LineError> {
        if self.spoiled {
            return Err(LineError::Spoiled);
        }
        let until = layer.min(self.plan.layers());
        if until <= self.next {
            return Ok(());
        }
        let layers = until - self.next;
        let per_layer = self.plan.estimate(1).positions / u128::from(self.plan.layers());
        let workers = match per_layer * u128::from(layers) < WORTH_SHARING {
            true => 1,
            false => crew.size().clamp(1, layers as usize),
        };
        self.workers = self.workers.max(workers);
        self.spoiled = true;
        let shared = Shared {
            run: self,
            until,
            watch,
            memory: u64::try_from(self.plan.estimate(workers).memory).unwrap_or(u64::MAX),
            listing: sink.is_some(),
            note,
            claimed: AtomicU32::new(self.next),
            steps: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            error: Mutex::new(None),
            delivery: Mutex::new(Delivery { turn: self.next, sink, tally: self.tally.clone() }),
            delivered: Condvar::new(),
        };
        match workers {
            1 => shared.work(),
            _ => crew.run(&|worker| {
                if worker < workers {
                    shared.work();
                }
            }),
        }
        let delivery = shared.delivery.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = shared.error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        debug_assert_eq!(delivery.turn, until);
        self.tally = delivery.tally;
        self.next = until;
        self.spoiled = false;
        Ok(())
    }
}

/// What the workers share during [`Run::advance`].
///
/// A worker claims the next layer and goes through its steps in order. Step `(x, y)` waits
/// until layer `x - 1` is past `y`; layers are claimed in order, so whoever is waited for is at
/// work. The same holds for the delivery of what was found, which goes by layers.
struct Shared<'r, 'a, 's> {
    run: &'r Run<'a>,
    until: u32,
    watch: &'r dyn Watch,
    memory: u64,
    listing: bool,
    note: Option<&'r Note<'r>>,
    claimed: AtomicU32,
    steps: AtomicU64,
    stopped: AtomicBool,
    error: Mutex<Option<LineError>>,
    delivery: Mutex<Delivery<'s>>,
    delivered: Condvar,
}

struct Delivery<'s> {
    turn: u32,
    sink: Option<&'s mut dyn Sink>,
    tally: Tally,
}

/// Stops the others when a worker ends in a panic.
struct Alarm<'x, 'r, 'a, 's>(&'x Shared<'r, 'a, 's>);

impl Drop for Alarm<'_, '_, '_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop(LineError::Stopped(Stop::Cancelled));
        }
    }
}

impl Shared<'_, '_, '_> {
    /// One worker's part.
    fn work(&self) {
        let _alarm = Alarm(self);
        let check = || self.watch.check(self.memory);
        let Some(mut worker) = Worker::new(&self.run.plan, &|| check().is_ok()) else {
            let no_memory = LineError::Memory(self.memory.into());
            return self.stop(check().map_or_else(LineError::Stopped, |()| no_memory));
        };
        let band = self.run.plan.tile()[0] as u32;
        loop {
            let first = self.claimed.fetch_add(band, Ordering::Relaxed);
            if first >= self.until || self.stopped.load(Ordering::Relaxed) {
                return;
            }
            let layers = band.min(self.until - first);
            if let Err(error) = self.band(&mut worker, first, layers) {
                return self.stop(error);
            }
        }
    }

    /// Does `layers` layers from `first` on. Nothing is wrong if others stopped the run: they
    /// say why.
    fn band(&self, worker: &mut Worker, first: u32, layers: u32) -> Result<(), LineError> {
        let run = self.run;
        let stacks = run.plan.heights().len();
        let tallest = run.plan.heights().iter().copied().max().unwrap_or(0);
        let terms = Terms {
            plan: &run.plan,
            path: run.path,
            blocked: run.blocked,
            misere: run.play == Play::Misere,
            watch: self.watch,
            memory: self.memory,
        };
        worker.begin(&Harvest {
            count: 0,
            by_max: run.tally.by_max.as_ref().map(|counts| vec![0; counts.len()]),
            listed: self.listing.then(|| Packed::up_to(tallest)),
        });
        let steps = run.plan.tile()[1];
        for (t, slots) in run.ground.chunks(steps).enumerate() {
            let mut held = Vec::new();
            for slot in slots {
                let Some(mut slot) = self.wait(slot, first) else { return Ok(()) };
                slot.blocks.make(run.slot_blocks);
                self.watch.check(self.memory)?;
                held.push(slot);
            }
            let mut ground: Vec<&mut [Block]> =
                held.iter_mut().map(|h| &mut h.blocks[..]).collect();
            worker.advance(&terms, (first, (t * steps) as u32), layers as usize, &mut ground)?;
            held.iter_mut().for_each(|held| held.layer = first + layers);
            drop(held);
            slots.iter().for_each(|slot| slot.changed.notify_all());
            self.progress(u64::from(layers) * slots.len() as u64);
            if self.listing {
                if let Some(note) = self.note {
                    for i in 0..layers as usize {
                        worker.harvest(i).listed.iter_mut().for_each(|l| l.note(stacks, note));
                    }
                }
                let mut delivery = lock(&self.delivery);
                let ready = match (run.any_order, delivery.turn == first) {
                    (true, _) => layers as usize,
                    (false, true) => 1,
                    (false, false) => 0,
                };
                for i in 0..ready {
                    delivery.list(worker.harvest(i), stacks)?;
                }
            }
        }
        let mut delivery = lock(&self.delivery);
        while delivery.turn != first {
            if self.stopped.load(Ordering::Relaxed) {
                return Ok(());
            }
            delivery = self.delivered.wait(delivery).unwrap_or_else(PoisonError::into_inner);
        }
        for i in 0..layers as usize {
            delivery.list(worker.harvest(i), stacks)?;
            delivery.count(worker.harvest(i));
        }
        delivery.turn += layers;
        self.delivered.notify_all();
        Ok(())
    }

    /// The slot when it is the layer's turn; `None` if the run was stopped.
    fn wait<'x>(&self, slot: &'x Slot, layer: u32) -> Option<MutexGuard<'x, Held>> {
        let mut held = lock(&slot.held);
        loop {
            if self.stopped.load(Ordering::Relaxed) {
                return None;
            }
            if held.layer == layer {
                return Some(held);
            }
            held = slot.changed.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn progress(&self, steps: u64) {
        let done = self.steps.fetch_add(steps, Ordering::Relaxed) + steps;
        let steps = self.run.ground.len() as u128;
        let per_step =
            self.run.plan.estimate(1).positions / (steps * u128::from(self.run.plan.layers()));
        let done = u128::from(self.run.next) * steps + u128::from(done);
        self.watch.progress(done * per_step, self.run.plan.estimate(1).positions);
    }

    /// Ends the run; the first error is kept. Whoever waits is woken: each lock is taken once,
    /// so that nobody can have looked at the flag and not yet wait.
    fn stop(&self, error: LineError) {
        lock(&self.error).get_or_insert(error);
        self.stopped.store(true, Ordering::Relaxed);
        for slot in &self.run.ground {
            drop(lock(&slot.held));
            slot.changed.notify_all();
        }
        drop(lock(&self.delivery));
        self.delivered.notify_all();
    }
}

impl Delivery<'_> {
    fn list(&mut self, harvest: &mut Harvest, stacks: usize) -> Result<(), LineError> {
        if let (Some(sink), Some(listed)) = (&mut self.sink, &mut harvest.listed) {
            let each =
                |heights: &[u32], note| sink.noted(heights, note).map_err(LineError::Stopped);
            return listed.drain(stacks, each);
        }
        Ok(())
    }

    fn count(&mut self, harvest: &Harvest) {
        self.tally.count += harvest.count;
        if let (Some(all), Some(new)) = (&mut self.tally.by_max, &harvest.by_max) {
            all.iter_mut().zip(new).for_each(|(all, new)| *all += new);
        }
    }
}

/// A lock, whether or not somebody panicked holding it: the run is given up then anyway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
