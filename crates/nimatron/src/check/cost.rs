//! Which way to compare, and how large a box takes how long.

use super::group::has_sym;
use super::lines::LinePlan;
use super::{Conjecture, set_nim, volume};
use crate::tables::Tabulation;
use nimatron_game::{Amounts, Choice, Height, Rule, StackSet};

/// A way to compute outcomes.
pub(super) enum Engine {
    /// The line kernel on these sets.
    Kernel(Vec<StackSet>),
    /// The table of all outcomes.
    Outcomes,
    /// The table of all sorted positions.
    Sorted,
}

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
    pub(super) fn engine(&self, max: &[Height]) -> Engine {
        let listed = set_nim(&self.game);
        let by_lines = match listed {
            Some(sets) => Engine::Kernel(sets),
            None => Engine::Outcomes,
        };
        let sorted = self.sorted_seconds(max);
        match sorted.is_some_and(|seconds| seconds < self.line_seconds(max)) {
            true => Engine::Sorted,
            false => by_lines,
        }
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
        let formula = LinePlan::visited(max, symmetry) * words * 80e-9 * (1.0 + images);
        if formula > 10.0 {
            // Too long whatever the table takes, which need not be planned then.
            return formula;
        }
        let forecast = Tabulation::forecast(&self.game, max, 1);
        formula + forecast.map_or(f64::INFINITY, |f| f.seconds)
    }

    /// The same over sorted positions, if these will do.
    fn sorted_seconds(&self, max: &[Height]) -> Option<f64> {
        let rule = self.game.single()?;
        let uniform = max.windows(2).all(|w| w[0] == w[1]);
        let height = *max.first()?;
        if !self.kept || !uniform || rule.sets().sizes().is_none() {
            return None;
        }
        let factor = |i: usize| (height as f64 + i as f64) / i as f64;
        let positions: f64 = (1..=max.len()).map(factor).product();
        // How many positions are P: about one on a line where a single stack can be played.
        let share = if rule.is_set_nim() { 1.0 / (height as f64 + 1.0) } else { 0.5 };
        let moves = moves(rule, height).min(volume(max) as f64);
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
    let all: f64 = sizes.iter().map(|&k| subsets(k) * amounts.powi(k as i32).min(total)).sum();
    all
}
