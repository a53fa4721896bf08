//! The P-positions of a box, in steps.

use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Game, Height, MAX_STACKS, Outcome, SetFamily, StackSet, Stop, Watch};
use nimatron_table::line::{LineError, Order, Plan, Run, Sink};
use nimatron_table::{Crew, TableError, outcomes};

/// What is known before a box is tabulated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Forecast {
    /// Positions in the box.
    pub positions: u128,
    /// Bytes needed.
    pub memory: u128,
    /// Seconds of one processor, roughly.
    pub seconds: f64,
}

/// What was counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// P-positions.
    pub p_count: u64,
    /// P-positions up to the symmetries of the game that leave the box as it is; `None` for sums
    /// of games that are not SetNim, whose symmetries are not looked for.
    pub p_orbits: Option<u64>,
    /// The same by greatest height: entry `h` counts those whose greatest height is `h`.
    pub by_height: Vec<u64>,
    /// Orbits by greatest height.
    pub orbits_by_height: Vec<u64>,
}

/// A P-position on its way out.
#[derive(Clone, Copy, Debug)]
pub struct PRow<'a> {
    /// The heights.
    pub heights: &'a [Height],
    /// Whether it is the least position of its orbit.
    pub is_least: bool,
}

/// Why a box cannot be tabulated, or why that ended early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TabulationError {
    /// The greatest heights are not one per stack.
    #[error("the game has {stacks} stacks, but {found} greatest heights were given")]
    Stacks {
        /// Stacks of the game.
        stacks: usize,
        /// Heights given.
        found: usize,
    },
    /// Boxes of this height are beyond every machine.
    #[error("stack {} of the box is {height} tall, beyond what can be tabulated", stack + 1)]
    TooTall {
        /// The stack, from 0.
        stack: usize,
        /// Its greatest height.
        height: Height,
    },
    /// The engine for SetNim cannot go on.
    #[error(transparent)]
    Line(LineError),
    /// The engine for other rules cannot go on.
    #[error(transparent)]
    Table(TableError),
    /// A limit was reached, or somebody asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

impl From<LineError> for TabulationError {
    fn from(error: LineError) -> Self {
        match error {
            LineError::Stopped(stop) => TabulationError::Stopped(stop),
            other => TabulationError::Line(other),
        }
    }
}

impl From<TableError> for TabulationError {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Stopped(stop) => TabulationError::Stopped(stop),
            other => TabulationError::Table(other),
        }
    }
}

impl From<TabulationError> for TableError {
    fn from(error: TabulationError) -> Self {
        match error {
            TabulationError::Stopped(stop) => TableError::Stopped(stop),
            TabulationError::Stacks { stacks, found } => {
                TableError::Stacks { expected: stacks, found }
            }
            TabulationError::Table(error) => error,
            TabulationError::Line(_) | TabulationError::TooTall { .. } => {
                TableError::TooLarge { positions: None }
            }
        }
    }
}

/// How the box is computed.
pub(super) enum Engine {
    /// SetNim and sums of SetNim games: the line kernel.
    Line(Box<Run<'static>>),
    /// Everything else: the table of all outcomes, in one step.
    Outcomes { finished: bool },
}

/// The P-positions of a box, computed in steps.
///
/// ```
/// use nimatron::game::Unlimited;
/// use nimatron::tables::{Tabulation, Threads};
/// let game = "CN(5,2)".parse().unwrap();
/// let mut run = Tabulation::counting(&game, &[5; 5]).unwrap();
/// run.finish(&Threads::new(1), &Unlimited, &mut |_| Ok(())).unwrap();
/// assert_eq!(run.counts().p_count, 181);
/// ```
pub struct Tabulation {
    pub(super) game: Game,
    pub(super) max: Vec<Height>,
    pub(super) engine: Engine,
    pub(super) counts: Counts,
    symmetry: Option<Symmetry>,
}

/// Rows are handed to this; an error stops the run.
pub type RowSink<'a> = dyn FnMut(PRow<'_>) -> Result<(), Stop> + Send + 'a;

impl Tabulation {
    /// For counting: rows come in no particular order, which may depend on the crew.
    pub fn counting(game: &Game, max: &[Height]) -> Result<Self, TabulationError> {
        Tabulation::new(game, max, Order::Fastest)
    }

    /// For listing: rows come in lexicographic order.
    pub fn listing(game: &Game, max: &[Height]) -> Result<Self, TabulationError> {
        Tabulation::new(game, max, Order::AsGiven)
    }

    fn new(game: &Game, max: &[Height], order: Order) -> Result<Self, TabulationError> {
        let engine = match set_nim(game) {
            None => {
                check(game, max)?;
                Engine::Outcomes { finished: false }
            }
            Some(sets) => {
                let heights = check(game, max)?;
                let plan = Plan::with_order(&sets, &heights, order)?;
                let run = Run::new(plan)?.under(game.convention());
                let run = if order == Order::Fastest { run.in_any_order() } else { run };
                Engine::Line(Box::new(run))
            }
        };
        Ok(Tabulation::with_engine(game, max, engine))
    }

    pub(super) fn with_engine(game: &Game, max: &[Height], engine: Engine) -> Self {
        let symmetry = symmetry(game).map(|s| s.stabiliser(max));
        let tallest = max.iter().max().map_or(0, |&h| h as usize);
        let counts = Counts {
            p_count: 0,
            p_orbits: symmetry.as_ref().map(|_| 0),
            by_height: vec![0; tallest + 1],
            orbits_by_height: vec![0; if symmetry.is_some() { tallest + 1 } else { 0 }],
        };
        Tabulation { game: game.clone(), max: max.to_vec(), engine, counts, symmetry }
    }

    /// What the box will need, before anything is allocated.
    pub fn forecast(
        game: &Game,
        max: &[Height],
        workers: usize,
    ) -> Result<Forecast, TabulationError> {
        let heights = check(game, max)?;
        match set_nim(game) {
            Some(sets) => {
                let estimate = Plan::new(&sets, &heights)?.estimate(workers);
                // A block of 512 bits takes about half a nanosecond from the cache, and two from
                // memory once the tables have left it.
                let per_block = if estimate.memory < 4_000_000 { 0.6e-9 } else { 2e-9 };
                let seconds = estimate.operations as f64 * per_block;
                Ok(Forecast { positions: estimate.positions, memory: estimate.memory, seconds })
            }
            None => {
                let positions = max.iter().fold(1u128, |v, &h| v.saturating_mul(u128::from(h) + 1));
                let seconds = positions as f64 * 30e-9;
                Ok(Forecast { positions, memory: positions.saturating_mul(2), seconds })
            }
        }
    }

    /// The greatest height, the same for all stacks, for which the box takes at most so much
    /// memory and time.
    pub fn largest_max(game: &Game, memory: u128, seconds: f64) -> Option<Height> {
        let fits = |h: Height| {
            let forecast = Tabulation::forecast(game, &vec![h; game.stacks()], 1);
            forecast.is_ok_and(|f| f.memory <= memory && f.seconds <= seconds)
        };
        fits(0).then(|| {
            let (mut low, mut high) = (0, 1 << 20);
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if fits(middle) { low = middle } else { high = middle }
            }
            low
        })
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The greatest height of each stack.
    pub fn max(&self) -> &[Height] {
        &self.max
    }

    /// What was counted so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Knows the sizes of orbits while the run goes on.
    pub fn sizes(&self) -> OrbitSizes {
        OrbitSizes(self.symmetry.clone())
    }

    /// How much is done: layers done, and all layers.
    pub fn progress(&self) -> (u32, u32) {
        match &self.engine {
            Engine::Line(run) => (run.next_layer(), run.plan().layers()),
            Engine::Outcomes { finished } => (u32::from(*finished), 1),
        }
    }

    /// Whether everything is done.
    pub fn is_finished(&self) -> bool {
        let (done, of) = self.progress();
        done == of
    }

    /// Does all that is left and returns the number of P-positions, without looking at each of
    /// them: the counts by height and symmetry stay as they are.
    pub fn count_only(
        &mut self,
        crew: &dyn Crew,
        watch: &dyn Watch,
    ) -> Result<u64, TabulationError> {
        match &mut self.engine {
            Engine::Line(run) => Ok(run.finish(crew, watch, None)?.count),
            Engine::Outcomes { .. } => {
                self.finish(crew, watch, &mut |_| Ok(()))?;
                Ok(self.counts.p_count)
            }
        }
    }

    /// Does all that is left.
    pub fn finish(
        &mut self,
        crew: &dyn Crew,
        watch: &dyn Watch,
        rows: &mut RowSink,
    ) -> Result<(), TabulationError> {
        self.step(u32::MAX, crew, watch, rows)
    }

    /// Does at most so many layers. Afterwards the run can be saved.
    pub fn step(
        &mut self,
        layers: u32,
        crew: &dyn Crew,
        watch: &dyn Watch,
        rows: &mut RowSink,
    ) -> Result<(), TabulationError> {
        let symmetry = self.symmetry.as_ref();
        let mut counts = self.counts.clone();
        match &mut self.engine {
            Engine::Line(run) => {
                let until = run.next_layer().saturating_add(layers);
                let mut heights = Vec::new();
                let is_least = |found: &[u32]| {
                    let mut heights = [0; MAX_STACKS];
                    let heights = &mut heights[..found.len()];
                    heights.iter_mut().zip(found).for_each(|(height, &h)| *height = h.into());
                    symmetry.is_none_or(|s| s.is_canonical(heights))
                };
                let mut sink = Counting(|found: &[u32], is_least| {
                    heights.clear();
                    heights.extend(found.iter().map(|&h| Height::from(h)));
                    rows(count(&mut counts, &heights, is_least))
                });
                run.advance_noting(until, crew, watch, Some(&mut sink), Some(&is_least))?;
            }
            Engine::Outcomes { finished: true } => {}
            Engine::Outcomes { finished } => {
                let table = outcomes::table(&self.game, &self.max, watch)?;
                for (position, outcome) in table.iter() {
                    if outcome == Outcome::P {
                        let is_least = symmetry.is_none_or(|s| s.is_canonical(&position));
                        rows(count(&mut counts, &position, is_least))?;
                    }
                }
                *finished = true;
            }
        }
        self.counts = counts;
        Ok(())
    }
}

/// The symmetries of a game that leave its box as it is.
#[derive(Clone, Debug)]
pub struct OrbitSizes(Option<Symmetry>);

impl OrbitSizes {
    /// How many positions are equal to this one up to symmetry; 1 if symmetries are not known.
    pub fn size(&self, heights: &[Height]) -> u128 {
        self.0.as_ref().map_or(1, |s| s.orbit_size(heights))
    }
}

/// A sink that may stop the run, and is told whether a position is the least of its orbit.
struct Counting<F>(F);

impl<F: FnMut(&[u32], bool) -> Result<(), Stop> + Send> Sink for Counting<F> {
    fn p_position(&mut self, heights: &[u32]) -> Result<(), Stop> {
        self.noted(heights, false)
    }

    fn noted(&mut self, heights: &[u32], is_least: bool) -> Result<(), Stop> {
        (self.0)(heights, is_least)
    }
}

/// Enters a P-position into the counts.
fn count<'a>(counts: &mut Counts, heights: &'a [Height], is_least: bool) -> PRow<'a> {
    let tallest = heights.iter().max().map_or(0, |&h| h as usize);
    counts.p_count += 1;
    counts.by_height[tallest] += 1;
    if is_least && let Some(orbits) = &mut counts.p_orbits {
        *orbits += 1;
        counts.orbits_by_height[tallest] += 1;
    }
    PRow { heights, is_least }
}

/// The greatest heights as the engines take them.
pub(crate) fn check(game: &Game, max: &[Height]) -> Result<Vec<u32>, TabulationError> {
    let stacks = game.stacks();
    if max.len() != stacks {
        return Err(TabulationError::Stacks { stacks, found: max.len() });
    }
    let narrow = |(stack, &height): (usize, &Height)| {
        let narrow = u32::try_from(height).ok().filter(|&h| h < 1 << 30);
        narrow.ok_or(TabulationError::TooTall { stack, height })
    };
    max.iter().enumerate().map(narrow).collect()
}

/// The facets, if the game is SetNim or a sum of SetNim games.
pub(crate) fn set_nim(game: &Game) -> Option<Vec<StackSet>> {
    if !game.summands().iter().all(|s| s.rule().is_set_nim()) {
        return None;
    }
    let sets = game.summands().iter().flat_map(|s| {
        let first = s.stacks().start;
        s.rule().sets().iter().map(move |set| set.shifted(first)).collect::<Vec<_>>()
    });
    Some(sets.collect())
}

/// The symmetries of a game: of its rule, or of all facets together if all is SetNim.
fn symmetry(game: &Game) -> Option<Symmetry> {
    match game.single() {
        Some(rule) => Some(Symmetry::of(rule)),
        None => {
            let sets = SetFamily::listed(game.stacks(), set_nim(game)?);
            Some(Symmetry::of_sets(&sets))
        }
    }
}

impl Counts {
    /// |P| in the boxes 0, 1, 2, ...: how many P-positions have all heights up to `h`.
    pub fn up_to(&self) -> Vec<u64> {
        running_sums(&self.by_height)
    }

    /// The same up to symmetry.
    pub fn orbits_up_to(&self) -> Vec<u64> {
        running_sums(&self.orbits_by_height)
    }
}

fn running_sums(counts: &[u64]) -> Vec<u64> {
    let sums = counts.iter().scan(0, |sum, count| {
        *sum += count;
        Some(*sum)
    });
    sums.collect()
}
