//! Conjectures: a formula compared with the computed P-positions of a box.

mod cost;
mod found;
mod group;
mod lines;
mod sorted;
mod witness;

use crate::tables::{TabulationError, check as narrow_heights, set_nim};
use cost::Engine;
use found::Found;
use group::{Group, has_sym};
use lines::{Comparison, LinePlan, Single};
pub use nimatron_formula::{Context, Formula, FormulaError};
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Game, Height, Outcome, Position, StackSet, Stop, Watch};
pub use nimatron_meaning::CompileError;
use nimatron_meaning::Evaluator;
use nimatron_table::line::{LineError, Order, Plan, Run};
use nimatron_table::{Crew, TableError, outcomes};
use std::fmt;
use witness::Outcomes;
pub use witness::Witness;

/// A guess: that the P-positions of a game are exactly those that satisfy a formula.
///
/// ```
/// use nimatron::crates::game::Unlimited;
/// use nimatron::crates::table::Alone;
/// use nimatron::Game;
/// use nimatron::check::{Conjecture, MismatchKind};
/// use nimatron::crates::formula::{Context, Formula};
///
/// let game: Game = "CN(5,3)".parse()?;
/// let context = Context::of_game(&game);
/// // The P-positions (DH13 Thm 3.1), and the same with a condition forgotten.
/// let right = Formula::parse("sym(a = 0, b = e = c+d)", &context)?;
/// let check = Conjecture::new(&game, &right)?.check(&[9; 5], &Alone, &Unlimited)?;
/// assert_eq!(check.holds(), Some(true));
///
/// let wrong = Formula::parse("sym(b = e = c+d)", &context)?;
/// let check = Conjecture::new(&game, &wrong)?.check(&[9; 5], &Alone, &Unlimited)?;
/// let smallest = check.counterexample().unwrap();
/// assert_eq!(smallest.kind, MismatchKind::Claimed);
/// assert_eq!(smallest.position.to_string(), "(0,0,0,0,1)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Conjecture {
    game: Game,
    formula: Formula,
    side: Side,
    within: Option<(Formula, Evaluator)>,
    evaluator: Evaluator,
    group: Group,
    /// Whether the symmetries evidently keep the formula.
    kept: bool,
}

impl fmt::Debug for Conjecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (game, formula) = (self.game.to_string(), self.formula.to_string());
        let mut shown = f.debug_struct("Conjecture");
        shown.field("game", &game).field("formula", &formula).finish_non_exhaustive()
    }
}

/// What is claimed about a formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Side {
    /// The positions that satisfy it are the P-positions.
    #[default]
    Exact,
    /// Every P-position satisfies it.
    Necessary,
    /// Only P-positions satisfy it.
    Sufficient,
}

impl Side {
    /// As a word: `exact`, `necessary` or `sufficient`.
    pub fn as_str(self) -> &'static str {
        match self {
            Side::Exact => "exact",
            Side::Necessary => "necessary",
            Side::Sufficient => "sufficient",
        }
    }
}

/// How a formula can differ from the P-positions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MismatchKind {
    /// A P-position that does not satisfy the formula.
    Missed,
    /// An N-position that satisfies it.
    Claimed,
}

/// The smallest counterexample of a kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The kind.
    pub kind: MismatchKind,
    /// Where.
    pub position: Position,
    /// What shows it.
    pub evidence: Witness,
}

/// What came out of comparing a formula with the P-positions of a box.
///
/// Agreement is evidence, not a proof: nothing is said about positions outside the box.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Check {
    /// The game.
    pub game: Game,
    /// The formula.
    pub formula: Formula,
    /// What is claimed about it.
    pub side: Side,
    /// Only positions that satisfy this count, if there is such a condition.
    pub within: Option<Formula>,
    /// The greatest height of each stack.
    pub max: Vec<Height>,
    /// Positions in the box.
    pub positions: u128,
    /// Those of them that count.
    pub considered: u128,
    /// P-positions among those that count.
    pub p_count: u128,
    /// How many P-positions do not satisfy the formula.
    pub missed: u128,
    /// How many N-positions satisfy it.
    pub claimed: u128,
    /// The smallest counterexample of each kind that has any, the smaller one first: that with
    /// the lesser total, or of the same total the lexicographically lesser one.
    pub counterexamples: Vec<Mismatch>,
    /// Why not all was compared, if it was not. Counterexamples are true all the same, but
    /// there may be smaller ones, and the numbers count only what was met.
    pub stop: Option<Stop>,
}

impl Check {
    /// Whether formula and P-positions agree in the box; `None` if that is not known.
    pub fn holds(&self) -> Option<bool> {
        match (self.counterexamples.is_empty(), self.stop) {
            (false, _) => Some(false),
            (true, Some(_)) => None,
            (true, None) => Some(true),
        }
    }

    /// Whether agreement says next to nothing: at most one position was compared, or none that matters.
    pub fn is_empty(&self) -> bool {
        let satisfying = (self.p_count + self.claimed).saturating_sub(self.missed);
        self.considered <= 1
            || match self.side {
                Side::Exact => false,
                Side::Necessary => self.p_count == 0,
                Side::Sufficient => satisfying == 0,
            }
    }

    /// The smallest counterexample.
    pub fn counterexample(&self) -> Option<&Mismatch> {
        self.counterexamples.first()
    }
}

/// More symmetries than this are not gone through.
const MOST_SYMMETRIES: u128 = 1_000_000;

/// P-positions of so many lines are held at a time, if a layer has no more.
const LINES_HELD: usize = 1 << 20;

impl Conjecture {
    /// Makes a formula about a game ready to be checked. It must be one that
    /// [`Formula::parse`] returns for this game.
    pub fn new(game: &Game, formula: &Formula) -> Result<Self, CompileError> {
        let context = Context::of_game(game);
        let group = Group::of(game);
        if has_sym(formula) && group.order() > MOST_SYMMETRIES {
            return Err(CompileError::TooManyImages);
        }
        let evaluator = Evaluator::new(formula, &context, &group)?;
        let kept = group.keeps(formula, &context);
        let (game, formula) = (game.clone(), formula.clone());
        let (side, within) = (Side::Exact, None);
        Ok(Conjecture { game, formula, side, within, evaluator, group, kept })
    }

    /// The same formula, of which only this is claimed.
    #[must_use]
    pub fn side(self, side: Side) -> Self {
        Conjecture { side, ..self }
    }

    /// The same, about positions that satisfy a condition, of the same game; others do not count.
    pub fn within(self, condition: &Formula) -> Result<Self, CompileError> {
        let context = Context::of_game(&self.game);
        if has_sym(condition) && self.group.order() > MOST_SYMMETRIES {
            return Err(CompileError::TooManyImages);
        }
        let evaluator = Evaluator::new(condition, &context, &self.group)?;
        let kept = self.kept && self.group.keeps(condition, &context);
        Ok(Conjecture { within: Some((condition.clone(), evaluator)), kept, ..self })
    }

    fn within_evaluator(&self) -> Option<&Evaluator> {
        self.within.as_ref().map(|(_, evaluator)| evaluator)
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The formula.
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// Compares the formula with all positions up to `max`. Limits reached and requests to stop
    /// do not make an error: see [`Check::stop`].
    pub fn check(
        &self,
        max: &[Height],
        crew: &dyn Crew,
        watch: &dyn Watch,
    ) -> Result<Check, TabulationError> {
        let heights = narrow_heights(&self.game, max)?;
        let mut found = Found::default();
        let compared = match self.engine(max) {
            Engine::Sorted(rule, symmetry) => {
                self.by_sorted((rule, symmetry), max[0], watch, &mut found)
            }
            Engine::Kernel(sets) => self.by_kernel(&sets, &heights, (crew, watch), &mut found),
            Engine::Outcomes => self.by_outcomes(max, (crew, watch), &mut found),
        };
        let (outcomes, stop) = match compared {
            Ok(outcomes) => (outcomes, None),
            Err(error) => (Outcomes::Unknown, Some(reason(error)?)),
        };
        let counterexamples = self.counterexamples(&found, &outcomes, watch);
        let (considered, p_count) = match self.within {
            Some(_) => (found.inside.count, found.inside_p.count),
            None => (volume(max), found.p_count),
        };
        Ok(Check {
            game: self.game.clone(),
            formula: self.formula.clone(),
            side: self.side,
            within: self.within.as_ref().map(|(condition, _)| condition.clone()),
            max: max.to_vec(),
            positions: volume(max),
            considered,
            p_count,
            missed: found.missed.count,
            claimed: found.claimed.count,
            counterexamples,
            stop,
        })
    }

    /// SetNim: P-positions from the line kernel, some layers at a time.
    ///
    /// Always from the line kernel: formulas are compared line by line in the order in which it
    /// finds the lines, so that no more than some layers are held. Blocks have no line whole before
    /// all of them are done.
    fn by_kernel(
        &self,
        sets: &[StackSet],
        heights: &[u32],
        (crew, watch): (&dyn Crew, &dyn Watch),
        found: &mut Found,
    ) -> Result<Outcomes, TabulationError> {
        let max: Vec<Height> = heights.iter().map(|&h| h.into()).collect();
        let line_plan = LinePlan::new(&max, self.kept_symmetry()).ok_or(Stop::Memory)?;
        let plan = Plan::with_order(sets, heights, Order::AsGiven)?;
        let layers = plan.layers();
        let per_layer = line_plan.lines() / layers as usize;
        let at_once = (LINES_HELD / per_layer).clamp(1, layers as usize);
        let held = (per_layer as u64).saturating_mul(at_once as u64).saturating_mul(4);
        let tables = u64::try_from(plan.estimate(crew.size()).memory).unwrap_or(u64::MAX);
        let memory = held.saturating_add(tables);
        watch.check(memory)?;
        let mut run = Run::new(plan)?.under(self.game.convention());
        let evaluator = &self.evaluator;
        let within = self.within_evaluator();
        let comparison = Comparison { plan: &line_plan, evaluator, within, watch, memory };
        let mut p_lines = Single { first: 0, heights: Vec::new() };
        while !run.is_finished() {
            p_lines.first = run.next_layer() as usize * per_layer;
            let until = layers.min(run.next_layer() + at_once as u32);
            let lines = p_lines.first..until as usize * per_layer;
            p_lines.heights.clear();
            p_lines.heights.resize(lines.len(), Single::NONE);
            let mut enter = |heights: &[u32]| {
                if let Some(&last) = heights.last() {
                    p_lines.heights[line_plan.number(heights) - lines.start] = last;
                }
            };
            run.advance(until, crew, watch, Some(&mut enter))?;
            found.p_count = run.tally().count.into();
            comparison.run(lines, &p_lines, crew, found)?;
        }
        Ok(Outcomes::SetNim(sets.to_vec()))
    }

    /// Any rule: the outcomes of the whole box.
    fn by_outcomes(
        &self,
        max: &[Height],
        (crew, watch): (&dyn Crew, &dyn Watch),
        found: &mut Found,
    ) -> Result<Outcomes, TabulationError> {
        let plan = LinePlan::new(max, self.kept_symmetry()).ok_or(Stop::Memory)?;
        let table = outcomes::table(&self.game, max, watch)?;
        found.p_count = table.entries().iter().filter(|o| **o == Outcome::P).count() as u128;
        let memory = table.entries().len() as u64;
        let evaluator = &self.evaluator;
        let within = self.within_evaluator();
        let comparison = Comparison { plan: &plan, evaluator, within, watch, memory };
        comparison.run(0..plan.lines(), &table, crew, found)?;
        Ok(Outcomes::Table(table))
    }

    /// The symmetries, if they keep the formula.
    fn kept_symmetry(&self) -> Option<&Symmetry> {
        self.group.single().filter(|_| self.kept)
    }
}

/// The positions of a box.
fn volume(max: &[Height]) -> u128 {
    max.iter().fold(1u128, |v, &h| v.saturating_mul(u128::from(h) + 1))
}

/// What a comparison that ended early was stopped by: too little memory is a limit like others.
fn reason(error: TabulationError) -> Result<Stop, TabulationError> {
    match error {
        TabulationError::Stopped(stop) => Ok(stop),
        TabulationError::Line(LineError::Memory(_)) => Ok(Stop::Memory),
        TabulationError::Table(TableError::TooLarge { .. }) => Ok(Stop::Memory),
        other => Err(other),
    }
}
