//! Which way to compare, and how large a box takes how long.

use super::group::has_sym;
use super::lines::LinePlan;
use super::{Conjecture, set_nim};
use crate::tables::Tabulation;
use nimatron_formula::{Formula, Term};
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Amounts, Choice, Height, Rule, StackSet};

/// A way to compute outcomes.
pub(super) enum Engine<'a> {
    /// The line kernel on these sets.
    Kernel(Vec<StackSet>),
    /// The table of all outcomes.
    Outcomes,
    /// The table of all sorted positions, under all permutations of the stacks.
    Sorted(&'a Rule, &'a Symmetry),
}

/// Seconds to count a position that is claimed.
const DIFFERENCE: f64 = 40e-9;

/// Positions tried to learn how weak a formula is.
const SAMPLES: usize = 128;

/// More sets than this are not listed for the kernel.
const MOST_SETS: u64 = 10_000;

impl Conjecture {
    /// The greatest height, the same for all stacks, for which a check takes about a second.
    pub fn suggested_max(&self) -> Height {
        let stacks = self.game.stacks();
        let fits = |h: Height| self.seconds(&vec![h; stacks]) <= 1.0;
        let (mut low, mut high) = (0, 1);
        while high < 1 << 20 && fits(high) {
            (low, high) = (high, 2 * high);
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if fits(middle) { low = middle } else { high = middle }
        }
        low
    }

    /// The quickest way for a box.
    pub(super) fn engine(&self, max: &[Height]) -> Engine<'_> {
        let sorted = self.sorted_seconds(max);
        if sorted.is_some_and(|seconds| seconds < self.line_seconds(max))
            && let Some((rule, symmetry)) = self.permutable()
        {
            return Engine::Sorted(rule, symmetry);
        }
        match self.lists_sets().then(|| set_nim(&self.game)).flatten() {
            Some(sets) => Engine::Kernel(sets),
            None => Engine::Outcomes,
        }
    }

    /// Whether the sets are few enough to be listed.
    fn lists_sets(&self) -> bool {
        self.game.summands().iter().all(|s| s.rule().sets().len() <= MOST_SETS)
    }

    /// The rule and all permutations, if the order of the stacks evidently matters neither to the
    /// game nor to the formula.
    fn permutable(&self) -> Option<(&Rule, &Symmetry)> {
        let rule = self.game.single().filter(|rule| rule.sets().sizes().is_some())?;
        Some((rule, self.kept_symmetry()?))
    }

    /// How long a check will take, roughly, on one processor.
    fn seconds(&self, max: &[Height]) -> f64 {
        let sorted = self.sorted_seconds(max).unwrap_or(f64::INFINITY);
        if sorted <= 1.0 { sorted } else { self.line_seconds(max).min(sorted) }
    }

    /// The same by lines.
    fn line_seconds(&self, max: &[Height]) -> f64 {
        let symmetry = self.kept_symmetry();
        let words = max.last().map_or(1.0, |&m| (m / 64 + 1) as f64);
        let images = match has_sym(&self.formula) {
            true => (self.group.order() as f64 / 4.0).min(100.0),
            false => 0.0,
        };
        let word = if jumps(&self.formula) { 200e-9 } else { 80e-9 };
        let visited = LinePlan::visited(max, symmetry);
        let length = max.last().map_or(1.0, |&m| m as f64 + 1.0);
        let claimed = visited * length * self.claimed_share(max) * DIFFERENCE;
        let formula = visited * words * word * (1.0 + images) + claimed;
        if formula > 10.0 {
            // Too long whatever the table takes, which need not be planned then.
            return formula;
        }
        if !self.lists_sets() {
            return f64::INFINITY;
        }
        let forecast = Tabulation::forecast(&self.game, max, 1);
        formula + forecast.map_or(f64::INFINITY, |f| f.seconds)
    }

    /// The part of the box that is claimed wrongly, roughly, if almost nothing in it is P: a weak
    /// formula is satisfied nearly everywhere, and every difference is counted.
    fn claimed_share(&self, max: &[Height]) -> f64 {
        if !self.game.summands().iter().all(|s| s.rule().is_set_nim()) {
            return 0.0;
        }
        // Positions all over the box, the same each time.
        let mut state = 1u64;
        let mut spread = |max: &Height| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % max.saturating_add(1)
        };
        let position = |_| max.iter().map(&mut spread).collect::<Vec<Height>>();
        let satisfied = (0..SAMPLES).map(position).filter(|at| self.evaluator.holds(at)).count();
        satisfied as f64 / SAMPLES as f64
    }

    /// The same over sorted positions, if these will do.
    fn sorted_seconds(&self, max: &[Height]) -> Option<f64> {
        let (rule, _) = self.permutable()?;
        let height = *max.first()?;
        if max.iter().any(|&h| h != height) {
            return None;
        }
        let factor = |i: usize| (height as f64 + i as f64) / i as f64;
        let positions: f64 = (1..=max.len()).map(factor).product();
        // How many positions are P: about one on a line where a single stack can be played.
        let share = if rule.is_set_nim() { 1.0 / (height as f64 + 1.0) } else { 0.5 };
        let moves = moves(rule, height).min(positions);
        Some(positions * (150e-9 + share * moves * 15e-9))
    }
}

/// How many moves lead to a position, at most.
fn moves(rule: &Rule, height: Height) -> f64 {
    let n = rule.stacks();
    let sizes: Vec<usize> = rule.sets().sizes().map_or(Vec::new(), |s| s.iter().collect());
    let amounts = match rule.each().most() {
        Some(most) => (most - rule.each().least() + 1).min(height.max(1)) as f64,
        None => height as f64,
    };
    let amounts = match rule.choice() {
        Choice::Any => amounts + 1.0,
        Choice::All => amounts,
    };
    let total = match rule.total() == Amounts::POSITIVE {
        true => f64::INFINITY,
        false => {
            rule.total().most().map_or(f64::INFINITY, |most| (most as f64 + 1.0).powi(n as i32))
        }
    };
    let subsets = |k: usize| (0..k).map(|i| (n - i) as f64 / (i as f64 + 1.0)).product::<f64>();
    sizes.iter().map(|&k| subsets(k) * amounts.powi(k as i32).min(total)).sum()
}

/// Whether the formula has a term that jumps from one height to the next, so that lines take
/// longer.
fn jumps(formula: &Formula) -> bool {
    formula.any(&mut |part| match part {
        Formula::Compare(left, _, right) => jumps_in(left) || jumps_in(right),
        Formula::Let(_, value, _) => jumps_in(value),
        _ => false,
    })
}

fn jumps_in(term: &Term) -> bool {
    match term {
        Term::Xor(_) | Term::Mod(..) | Term::Odds => true,
        Term::Sum(items) | Term::Min(items) | Term::Max(items) => items.iter().any(jumps_in),
        Term::Scale(_, inner) => jumps_in(inner),
        _ => false,
    }
}
