//! The P-positions of a box, in steps.

use super::cost::{Chosen, Costs, TableEngine};
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Game, Height, MAX_STACKS, Rule, SetFamily, StackSet, Stop, Watch};
use nimatron_table::line::{LineError, Run, Sink};
use nimatron_table::{Crew, TableError, blocks, grundy, outcomes, remoteness};
use std::fmt;

/// What is known before a box is tabulated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Forecast {
    /// Positions in the box.
    pub positions: u128,
    /// Bytes needed.
    pub memory: u128,
    /// Seconds of one processor, roughly.
    pub seconds: f64,
    /// The engine that will compute it, if the game is SetNim.
    pub engine: Option<TableEngine>,
}

/// What a table is computed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Wanted {
    /// Counting: rows come in no particular order, which may depend on the crew, or not at all.
    Counts,
    /// The least position of every orbit, in lexicographic order.
    Representatives,
    /// All rows, in lexicographic order.
    All,
}

/// Values of all positions of a box.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// Grundy values.
    Grundy,
    /// How many moves best play lasts.
    Remoteness,
}

/// What was counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// P-positions.
    pub p_count: u64,
    /// P-positions up to the symmetries of the game that leave the box as it is; `None` for sums
    /// of games that are not SetNim, whose symmetries are not looked for.
    pub p_orbits: Option<u64>,
    /// The same by greatest height: entry `h` counts those whose greatest height is `h`. Heights
    /// that none has may be missing at the end: a box may be far taller than its P-positions.
    pub by_height: Vec<u64>,
    /// Orbits by greatest height, as many entries.
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
    /// The block engine cannot do this game.
    #[error("blocks are for SetNim games of at most 15 stacks, and boxes of at most 2e9 blocks")]
    Blocks,
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
            TabulationError::Line(_)
            | TabulationError::Blocks
            | TabulationError::TooTall { .. } => TableError::TooLarge { positions: None },
        }
    }
}

/// How the box is computed.
pub(in crate::tables) enum Engine {
    /// SetNim and sums of SetNim games: the line kernel.
    Line(Box<Run<'static>>),
    /// The same, by blocks. Rows are handed out in a last step of their own.
    Blocks { run: Box<blocks::Run>, handed_out: bool },
    /// Everything else: the table of all outcomes, in one step.
    Outcomes { finished: bool },
}

/// The P-positions of a box, computed in steps.
///
/// ```
/// use nimatron::crates::game::Unlimited;
/// use nimatron::tables::{Tabulation, Threads};
/// let game = "CN(5,2)".parse().unwrap();
/// let mut run = Tabulation::counting(&game, &[5; 5]).unwrap();
/// run.finish(&Threads::new(1), &Unlimited, &mut |_| Ok(())).unwrap();
/// assert_eq!(run.counts().p_count, 181);
/// ```
pub struct Tabulation {
    pub(super) game: Game,
    pub(super) max: Vec<Height>,
    pub(in crate::tables) engine: Engine,
    pub(super) counts: Counts,
    pub(super) wanted: Wanted,
    most: u64,
    symmetry: Option<Symmetry>,
}

impl fmt::Debug for Tabulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (game, progress) = (self.game.to_string(), self.progress());
        let mut shown = f.debug_struct("Tabulation");
        shown.field("game", &game).field("max", &self.max).field("progress", &progress);
        shown.finish_non_exhaustive()
    }
}

/// Rows are handed to this; an error stops the run.
pub type RowSink<'a> = dyn FnMut(PRow<'_>) -> Result<(), Stop> + Send + 'a;

impl Tabulation {
    /// For counting: rows come in no particular order, which may depend on the crew, or not at
    /// all.
    pub fn counting(game: &Game, max: &[Height]) -> Result<Self, TabulationError> {
        Tabulation::new(game, max, Wanted::Counts, None)
    }

    /// For listing: rows come in lexicographic order.
    pub fn listing(game: &Game, max: &[Height]) -> Result<Self, TabulationError> {
        Tabulation::new(game, max, Wanted::All, None)
    }

    /// For any purpose, by a certain engine if one is asked for.
    pub fn new(
        game: &Game,
        max: &[Height],
        wanted: Wanted,
        engine: Option<TableEngine>,
    ) -> Result<Self, TabulationError> {
        let heights = check(game, max)?;
        let engine = match (costs(game), engine) {
            (None, Some(TableEngine::Blocks)) => return Err(TabulationError::Blocks),
            (None, _) => Engine::Outcomes { finished: false },
            (Some(costs), engine) => match costs.choose(&heights, wanted, engine, 1)?.0 {
                Chosen::Line(plan) => {
                    let run = Run::new(plan)?.under(game.convention());
                    let run = if wanted == Wanted::Counts { run.in_any_order() } else { run };
                    Engine::Line(Box::new(run))
                }
                Chosen::Blocks(plan) => {
                    let run = blocks::Run::new(plan).under(game.convention());
                    Engine::Blocks { run: Box::new(run), handed_out: false }
                }
            },
        };
        Ok(Tabulation::with_engine(game, max, wanted, engine))
    }

    /// Only so many rows are needed: the first ones. Some engines can end early then.
    #[must_use]
    pub fn at_most(mut self, rows: u64) -> Self {
        self.most = rows;
        self
    }

    /// The engine, if the game is SetNim.
    pub fn engine(&self) -> Option<TableEngine> {
        match &self.engine {
            Engine::Line(_) => Some(TableEngine::Line),
            Engine::Blocks { .. } => Some(TableEngine::Blocks),
            Engine::Outcomes { .. } => None,
        }
    }

    /// Whether a run that was stopped can be saved as it is: it loses nothing that is done, as
    /// long as it has not begun to hand out rows.
    pub fn stops_anywhere(&self) -> bool {
        matches!(&self.engine, Engine::Blocks { run, .. } if !run.is_finished())
    }

    pub(in crate::tables) fn with_engine(
        game: &Game,
        max: &[Height],
        wanted: Wanted,
        engine: Engine,
    ) -> Self {
        let symmetry = symmetry(game).map(|s| s.stabiliser(max));
        let p_orbits = symmetry.as_ref().map(|_| 0);
        let counts = Counts { p_orbits, ..Counts::default() };
        let (game, max) = (game.clone(), max.to_vec());
        Tabulation { game, max, engine, counts, wanted, most: u64::MAX, symmetry }
    }

    /// What counting will need, before anything is allocated.
    pub fn forecast(
        game: &Game,
        max: &[Height],
        workers: usize,
    ) -> Result<Forecast, TabulationError> {
        Tabulation::forecast_for(game, max, workers, Wanted::Counts, None)
    }

    /// What the box will need for any purpose, by a certain engine if one is asked for.
    pub fn forecast_for(
        game: &Game,
        max: &[Height],
        workers: usize,
        wanted: Wanted,
        engine: Option<TableEngine>,
    ) -> Result<Forecast, TabulationError> {
        forecast(costs(game).as_ref(), game, max, workers, wanted, engine)
    }

    /// The greatest height, the same for all stacks, for which the box takes at most so much
    /// memory and time.
    pub fn largest_max(
        game: &Game,
        wanted: Wanted,
        workers: usize,
        memory: u128,
        seconds: f64,
    ) -> Option<Height> {
        let costs = costs(game);
        let forecast = |max: &[Height]| forecast(costs.as_ref(), game, max, workers, wanted, None);
        largest(game, forecast, memory, seconds * workers as f64)
    }

    /// What a table of Grundy values or of remoteness will need.
    pub fn forecast_values(
        game: &Game,
        max: &[Height],
        values: Values,
    ) -> Result<Forecast, TabulationError> {
        check(game, max)?;
        let positions = volume(max);
        let least = positions.saturating_mul(4);
        let memory = match values {
            _ if positions > LAID_OUT => Ok(least),
            Values::Grundy => held(grundy::memory(game, max), least),
            Values::Remoteness => held(remoteness::memory(game, max), least),
        };
        let seconds = positions as f64 * 30e-9;
        Ok(Forecast { positions, memory: memory?, seconds, engine: None })
    }

    /// As [`Tabulation::largest_max`], for values.
    pub fn largest_max_of_values(
        game: &Game,
        values: Values,
        memory: u128,
        seconds: f64,
    ) -> Option<Height> {
        let forecast = |max: &[Height]| Tabulation::forecast_values(game, max, values);
        largest(game, forecast, memory, seconds)
    }

    /// Whether P-positions can be counted up to symmetry.
    pub fn knows_orbits(game: &Game) -> bool {
        game.single().is_some() || set_nim(game).is_some()
    }

    /// How many threads of a crew of so many worked on it since it was begun or loaded.
    pub fn threads(&self, crew: usize) -> usize {
        match &self.engine {
            Engine::Line(run) => run.workers(),
            Engine::Blocks { .. } => crew,
            Engine::Outcomes { .. } => 1,
        }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The greatest height of each stack.
    pub fn max(&self) -> &[Height] {
        &self.max
    }

    /// What was counted so far: after a step that was stopped, also what it had met.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Knows the sizes of orbits while the run goes on.
    pub fn sizes(&self) -> OrbitSizes {
        OrbitSizes(self.symmetry.clone())
    }

    /// How much is done: layers or levels done, and all of them.
    pub fn progress(&self) -> (u32, u32) {
        match &self.engine {
            Engine::Line(run) => (run.next_layer(), run.plan().layers()),
            Engine::Blocks { run, handed_out } => {
                let done = run.next_level() as u32 + u32::from(*handed_out);
                (done, run.levels() as u32 + 1)
            }
            Engine::Outcomes { finished } => (u32::from(*finished), 1),
        }
    }

    /// Whether everything is done.
    pub fn is_finished(&self) -> bool {
        let (done, of) = self.progress();
        done == of
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

    /// Does at most so many layers or levels. Afterwards the run can be saved.
    pub fn step(
        &mut self,
        layers: u32,
        crew: &dyn Crew,
        watch: &dyn Watch,
        rows: &mut RowSink,
    ) -> Result<(), TabulationError> {
        let symmetry = self.symmetry.as_ref();
        let counts = &mut self.counts;
        let tallest = self.max.iter().max().map_or(1, |&h| h as usize + 1);
        let only_least = self.wanted == Wanted::Representatives;
        match &mut self.engine {
            Engine::Blocks { run, handed_out } => {
                let (next, levels) = (run.next_level(), run.levels());
                let until = next.saturating_add(layers as usize);
                let advanced = run.advance(until, crew, watch);
                if advanced.is_err() || until > levels {
                    match run.census() {
                        Ok(census) => {
                            self.counts = Counts {
                                p_count: census.count,
                                p_orbits: Some(census.orbits),
                                by_height: census.by_max,
                                orbits_by_height: census.orbits_by_max,
                            }
                        }
                        Err(error) => return Err(advanced.err().unwrap_or(error).into()),
                    }
                }
                advanced?;
                if until > levels && !*handed_out {
                    hand_out(run, self.wanted, self.most, symmetry, watch, rows)?;
                    *handed_out = true;
                }
                return Ok(());
            }
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
                    let row = count(counts, tallest, &heights, is_least)?;
                    if only_least && !is_least { Ok(()) } else { rows(row) }
                });
                run.advance_noting(until, crew, watch, Some(&mut sink), Some(&is_least))?;
            }
            Engine::Outcomes { finished: true } => {}
            Engine::Outcomes { finished } => {
                outcomes::p_positions(&self.game, &self.max, watch, &mut |position| {
                    let is_least = symmetry.is_none_or(|s| s.is_canonical(position));
                    let row = count(counts, tallest, position, is_least)?;
                    if only_least && !is_least { Ok(()) } else { rows(row) }
                })?;
                *finished = true;
            }
        }
        Ok(())
    }
}

/// The costs of a game's tables, if it is SetNim.
pub(super) fn costs(game: &Game) -> Option<Costs> {
    Some(Costs::new(set_nim(game)?, game.stacks(), game.convention()))
}

fn forecast(
    costs: Option<&Costs>,
    game: &Game,
    max: &[Height],
    workers: usize,
    wanted: Wanted,
    engine: Option<TableEngine>,
) -> Result<Forecast, TabulationError> {
    let heights = check(game, max)?;
    match (costs, engine) {
        (Some(costs), _) => match costs.choose(&heights, wanted, engine, workers) {
            Ok((_, forecast)) => Ok(forecast),
            // What is too large to be laid out needs more than there is.
            Err(TabulationError::Line(LineError::Memory(memory))) => {
                let positions = volume(max);
                let seconds = positions as f64 * 1e-9;
                Ok(Forecast { positions, memory, seconds, engine: None })
            }
            Err(error) => Err(error),
        },
        (None, Some(TableEngine::Blocks)) => Err(TabulationError::Blocks),
        (None, _) => {
            let positions = volume(max);
            let seconds = positions as f64 * 30e-9;
            let memory = match positions > LAID_OUT {
                true => positions / 8,
                false => held(outcomes::p_positions_memory(game, max), positions / 8)?,
            };
            // The counts by height, too.
            let counts = 16 * (u128::from(max.iter().copied().max().unwrap_or(0)) + 1);
            let memory = memory.saturating_add(counts);
            Ok(Forecast { positions, memory, seconds, engine: None })
        }
    }
}

/// Boxes of more positions are not laid out to learn what exactly they need: it is too much.
const LAID_OUT: u128 = 1 << 32;

/// The bytes that are needed; what is too large to be laid out needs at least so many.
fn held(memory: Result<u64, TableError>, at_least: u128) -> Result<u128, TabulationError> {
    match memory {
        Ok(bytes) => Ok(bytes.into()),
        Err(TableError::TooLarge { .. }) => Ok(at_least),
        Err(error) => Err(TabulationError::from(error)),
    }
}

fn volume(max: &[Height]) -> u128 {
    max.iter().fold(1u128, |v, &h| v.saturating_mul(u128::from(h) + 1))
}

/// The greatest height for which the forecast stays within the limits.
fn largest(
    game: &Game,
    forecast: impl Fn(&[Height]) -> Result<Forecast, TabulationError>,
    memory: u128,
    seconds: f64,
) -> Option<Height> {
    let fits = |h: Height| {
        let forecast = forecast(&vec![h; game.stacks()]);
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

/// Hands out the rows of a run by blocks.
fn hand_out(
    run: &blocks::Run,
    wanted: Wanted,
    most: u64,
    symmetry: Option<&Symmetry>,
    watch: &dyn Watch,
    rows: &mut RowSink,
) -> Result<(), LineError> {
    let mut left = most;
    let mut heights = Vec::new();
    let mut sink = Counting(|found: &[u32], _| {
        left = left.checked_sub(1).ok_or(Stop::Cancelled)?;
        heights.clear();
        heights.extend(found.iter().map(|&h| Height::from(h)));
        let known = wanted == Wanted::Representatives;
        let is_least = known || symmetry.is_none_or(|s| s.is_canonical(&heights));
        rows(PRow { heights: &heights, is_least })?;
        // The last one that is needed ends the listing.
        if left == 0 { Err(Stop::Cancelled) } else { Ok(()) }
    });
    let handed = match (wanted, most) {
        (Wanted::Counts, _) | (_, 0) => Ok(()),
        (Wanted::Representatives, _) => run.representatives(watch, &mut sink),
        (Wanted::All, _) => run.positions(watch, &mut sink),
    };
    if left == 0 { Ok(()) } else { handed }
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

/// Enters a P-position into the counts. Lists grow as they are needed, up to the height of the box.
fn count<'a>(
    counts: &mut Counts,
    most: usize,
    heights: &'a [Height],
    is_least: bool,
) -> Result<PRow<'a>, Stop> {
    let tallest = heights.iter().max().map_or(0, |&h| h as usize);
    counts.p_count += 1;
    if tallest >= counts.by_height.len() {
        let length = (2 * counts.by_height.len()).clamp(tallest + 1, most.max(tallest + 1));
        for list in [&mut counts.by_height, &mut counts.orbits_by_height] {
            list.try_reserve_exact(length - list.len()).map_err(|_| Stop::Memory)?;
            list.resize(length, 0);
        }
    }
    counts.by_height[tallest] += 1;
    if is_least && let Some(orbits) = &mut counts.p_orbits {
        *orbits += 1;
        counts.orbits_by_height[tallest] += 1;
    }
    Ok(PRow { heights, is_least })
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

/// More sets than this are not listed: the engine for all rules does without.
const MOST_SETS: u64 = 10_000;

/// The facets, if the game is SetNim or a sum of SetNim games, and these are not too many.
pub(crate) fn set_nim(game: &Game) -> Option<Vec<StackSet>> {
    let listed = |rule: &Rule| rule.is_set_nim() && rule.sets().len() <= MOST_SETS;
    if !game.summands().iter().all(|s| listed(s.rule())) {
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
    /// |P| in the boxes 0, 1, 2, ...: how many P-positions have all heights up to `h`, without end.
    pub fn up_to(&self) -> impl Iterator<Item = u64> {
        running_sums(&self.by_height)
    }

    /// The same up to symmetry.
    pub fn orbits_up_to(&self) -> impl Iterator<Item = u64> {
        running_sums(&self.orbits_by_height)
    }
}

fn running_sums(counts: &[u64]) -> impl Iterator<Item = u64> {
    counts.iter().chain(std::iter::repeat(&0)).scan(0, |sum, count| {
        *sum += count;
        Some(*sum)
    })
}
