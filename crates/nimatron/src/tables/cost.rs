//! What a table costs by each engine, and so which one computes it.
//!
//! Both engines say how many operations of each kind a box takes ([`line::Estimate`],
//! [`blocks::Estimate`]); here these become seconds. The block engine's work also depends on how
//! many P-positions there are. That is foreseen from two small boxes of the same proportions, whose
//! numbers of P-positions tell how they grow.

use super::run::{Forecast, TabulationError, Wanted};
use nimatron_game::{Play, StackSet, Unlimited};
use nimatron_table::Alone;
use nimatron_table::blocks::{self, Side};
use nimatron_table::line::{self, LineError, Order};
use std::cell::OnceCell;

/// The engines for SetNim games. Both find the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum TableEngine {
    /// The line kernel: all positions of the box, at memory speed.
    Line,
    /// One block per orbit of blocks under the symmetries of the game.
    Blocks,
}

/// Boxes with fewer positions are left to the line kernel: there is nothing to be gained, and
/// it needs no estimate of P-positions.
const SMALL: f64 = 1e8;
/// Positions of the larger of the two boxes that tell how P-positions grow, about.
const PROBE: f64 = 2e7;
/// Stacks with so many heights at most stay as they are in these boxes, if that leaves them small.
const LOW: [f64; 4] = [8.0, 4.0, 2.0, 1.0];
/// How much faster the block engine must promise to be, since estimates are estimates.
const MARGIN: f64 = 0.85;

/// Seconds of the line kernel per block of 512 bits: while its tables are in the cache, when
/// they are not, and when they are far larger.
const LINE: [(u128, f64); 3] = [(4_000_000, 0.8e-9), (100_000_000, 2.2e-9), (u128::MAX, 3.6e-9)];
/// The same where lines have several words, which the vectors are of no use for.
const WIDE: [(u128, f64); 3] = [(4_000_000, 30e-9), (100_000_000, 40e-9), (u128::MAX, 52e-9)];
/// Seconds per P-position that the line kernel finds: each is looked at, for the counts.
const LINE_FOUND: f64 = 80e-9;
/// Seconds per byte that is asked of the system, at least: of tall boxes there is little to compute,
/// but much to hold.
const BYTE: f64 = 1e-9;
/// Bytes that may be used to be faster, even if the line kernel needs fewer.
const ROOMY: u128 = 2_000_000_000;
/// With more symmetries than this, listings are not made from representatives.
const MOST_IMAGES: u128 = 1000;
/// Blocks that can be numbered.
const MOST_BLOCKS: f64 = 2e9;
/// Bytes of the program itself.
const PROGRAM: f64 = 8e6;
/// Bytes per P-position that is put in order, and the most of them at a time.
const SORTED: f64 = 16.0;

/// What is planned for a box.
pub(super) enum Chosen {
    Line(line::Plan),
    Blocks(blocks::Plan),
}

/// The costs of one game's tables.
pub(super) struct Costs {
    sets: Vec<StackSet>,
    stacks: usize,
    play: Play,
    growth: OnceCell<Growth>,
    /// A plan for each side, whatever the box.
    plans: [OnceCell<Option<blocks::Plan>>; 3],
}

/// P-positions in a small box of so many positions, and by which power of the positions they grow.
#[derive(Clone, Copy)]
struct Growth {
    positions: f64,
    count: f64,
    power: f64,
}

impl Costs {
    pub(super) fn new(sets: Vec<StackSet>, stacks: usize, play: Play) -> Self {
        let (growth, plans) = (OnceCell::new(), [const { OnceCell::new() }; 3]);
        Costs { sets, stacks, play, growth, plans }
    }

    /// The engine for a box, or the one that is asked for, with what it will need.
    pub(super) fn choose(
        &self,
        heights: &[u32],
        wanted: Wanted,
        engine: Option<TableEngine>,
        workers: usize,
    ) -> Result<(Chosen, Forecast), TabulationError> {
        if engine == Some(TableEngine::Line) || (engine.is_none() && volume(heights) < SMALL) {
            return self.line(heights, wanted, workers).map_err(Into::into);
        }
        let blocks = self.blocks(heights, wanted, workers);
        if engine == Some(TableEngine::Blocks) {
            return blocks.ok_or(TabulationError::Blocks);
        }
        match (self.line(heights, wanted, workers), blocks) {
            (Ok(line), Some(blocks)) => {
                let fits = blocks.1.memory <= line.1.memory.max(ROOMY);
                let faster = blocks.1.seconds < line.1.seconds * MARGIN;
                Ok(if fits && faster { blocks } else { line })
            }
            (Err(_), Some(blocks)) => Ok(blocks),
            (line, None) => line.map_err(Into::into),
        }
    }

    fn line(
        &self,
        heights: &[u32],
        wanted: Wanted,
        workers: usize,
    ) -> Result<(Chosen, Forecast), LineError> {
        let order = if wanted == Wanted::Counts { Order::Fastest } else { Order::AsGiven };
        let plan = line::Plan::with_order(&self.sets, heights, order)?;
        let estimate = plan.estimate(workers);
        let seconds = if estimate.is_wide { WIDE } else { LINE };
        let per_block =
            seconds.iter().find(|(most, _)| estimate.memory <= *most).map_or(0.0, |l| l.1);
        let found = match estimate.positions as f64 >= SMALL {
            true => LINE_FOUND * self.p_positions(heights),
            false => 0.0,
        };
        let seconds = estimate.operations as f64 * per_block + found;
        let forecast = Forecast {
            positions: estimate.positions,
            memory: estimate.memory + PROGRAM as u128,
            seconds: seconds.max(estimate.memory as f64 * BYTE),
            engine: Some(TableEngine::Line),
        };
        Ok((Chosen::Line(plan), forecast))
    }

    /// Blocks of the side that promises to be fastest; `None` if there is none for this game.
    fn blocks(
        &self,
        heights: &[u32],
        wanted: Wanted,
        workers: usize,
    ) -> Option<(Chosen, Forecast)> {
        let (plan, _, forecast) = self.best_blocks(heights, wanted, workers)?;
        Some((Chosen::Blocks(plan), forecast))
    }

    /// The same, with how the forecast comes about.
    pub(super) fn best_blocks(
        &self,
        heights: &[u32],
        wanted: Wanted,
        workers: usize,
    ) -> Option<(blocks::Plan, blocks::Estimate, Forecast)> {
        let p_positions = self.p_positions(heights);
        let mut best: Option<(blocks::Plan, blocks::Estimate, Forecast)> = None;
        for (side, plan) in Side::ALL.into_iter().zip(&self.plans) {
            let large = vec![4 * side.heights(); self.stacks];
            let plan = plan.get_or_init(|| blocks::Plan::new(&self.sets, &large, side).ok());
            let Some(plan) = plan.as_ref().and_then(|plan| plan.for_box(heights).ok()) else {
                continue;
            };
            let e = plan.estimate(p_positions, workers);
            // Images under so many symmetries are too many to be made one by one.
            let listed = wanted == Wanted::All && plan.symmetry().order() > MOST_IMAGES;
            if e.blocks > MOST_BLOCKS || listed {
                continue;
            }
            let sorted = match wanted {
                Wanted::Counts => 0.0,
                Wanted::Representatives => SORTED * 1.5 * e.kept,
                Wanted::All => SORTED * p_positions.min(blocks::AT_A_TIME as f64),
            };
            let seconds = e.seconds();
            let forecast = Forecast {
                positions: e.positions as u128,
                memory: (PROGRAM + e.memory + sorted) as u128,
                seconds,
                engine: Some(TableEngine::Blocks),
            };
            if best.as_ref().is_none_or(|(_, _, known)| seconds < known.seconds) {
                best = Some((plan, e, forecast));
            }
        }
        best
    }

    /// How many P-positions a box holds, about.
    fn p_positions(&self, heights: &[u32]) -> f64 {
        // Of many stacks not even the smallest cube can be computed in passing.
        if 2f64.powi(self.stacks as i32) > PROBE {
            return volume(heights).sqrt();
        }
        let is_cube = heights.iter().all(|h| Some(h) == heights.first());
        // Cubes are asked for often, by those who look for the largest one that fits.
        let growth = match is_cube {
            true => *self.growth.get_or_init(|| {
                let side = PROBE.powf(1.0 / self.stacks as f64).clamp(2.0, 64.0) as u32;
                // Powers of 2, for xor likes them.
                let side = 1 << side.ilog2();
                self.probe([side / 2, side].map(|side| vec![side - 1; self.stacks]))
            }),
            false => self.probe([0.5, 1.0].map(|part| shrunk(heights, part))),
        };
        growth.count * (volume(heights) / growth.positions).powf(growth.power)
    }

    /// Counts the P-positions of two boxes, the smaller one first.
    fn probe(&self, boxes: [Vec<u32>; 2]) -> Growth {
        let count = |heights: &Vec<u32>| {
            let run = line::Plan::new(&self.sets, heights).and_then(line::Run::new);
            let count = run
                .and_then(|run| Ok(run.under(self.play).finish(&Alone, &Unlimited, None)?.count));
            count.map_or(1.0, |count| count.max(1) as f64)
        };
        let [small, large] = [0, 1].map(|i| (volume(&boxes[i]), count(&boxes[i])));
        let power = (large.1 / small.1).ln() / (large.0 / small.0).ln();
        let power = if power.is_finite() { power.clamp(0.0, 1.0) } else { 1.0 };
        Growth { positions: large.0, count: large.1, power }
    }
}

fn volume(heights: &[u32]) -> f64 {
    heights.iter().map(|&h| f64::from(h) + 1.0).product()
}

/// A small box of about the same proportions, and part of it: stacks with few heights keep them,
/// the others are lower by the same factor.
fn shrunk(heights: &[u32], part: f64) -> Vec<u32> {
    let with = |low: f64| -> Vec<u32> {
        let is_tall = |h: u32| f64::from(h) + 1.0 > low;
        let tall = heights.iter().filter(|&&h| is_tall(h)).count().max(1) as f64;
        let factor = (PROBE / volume(heights)).min(1.0).powf(1.0 / tall) * part;
        let lower = |&h: &u32| match is_tall(h) {
            true => ((f64::from(h) + 1.0) * factor).round().max(2.0) as u32 - 1,
            false => h,
        };
        heights.iter().map(lower).collect()
    };
    let mut boxes = LOW.iter().map(|&low| with(low));
    boxes.find(|small| volume(small) <= 4.0 * PROBE).unwrap_or_else(|| vec![1; heights.len()])
}
