//! Comparing over sorted positions, where the order of the stacks matters neither to the game nor
//! to the formula.

use super::Conjecture;
use super::found::{Differences, Found};
use super::witness::Outcomes;
use crate::tables::TabulationError;
use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Height, Outcome, Rule, Watch};
use nimatron_table::sorted;

/// Positions between two looks at the watch.
const BETWEEN_CHECKS: usize = 1 << 12;

impl Conjecture {
    /// Games given by sizes of sets, with a formula that all permutations keep.
    pub(super) fn by_sorted(
        &self,
        (rule, symmetry): (&Rule, &Symmetry),
        max: Height,
        watch: &dyn Watch,
        found: &mut Found,
    ) -> Result<Outcomes, TabulationError> {
        let table = sorted::outcomes(rule, self.game.convention(), max, watch)?;
        let memory = table.len() as u64 / 8;
        for (i, (position, outcome)) in table.iter().enumerate() {
            if i % BETWEEN_CHECKS == 0 {
                watch.check(memory)?;
            }
            let size = symmetry.orbit_size(&position);
            let add = |differences: &mut Differences| {
                differences.count += size;
                // Ascending heights are the lexicographically least ones.
                differences.consider(position.total(), &position);
            };
            let losing = outcome == Outcome::P;
            found.p_count += if losing { size } else { 0 };
            if let Some(within) = self.within_evaluator() {
                if !within.holds(&position) {
                    continue;
                }
                add(&mut found.inside);
                if losing {
                    add(&mut found.inside_p);
                }
            }
            match (losing, self.evaluator.holds(&position)) {
                (true, false) => add(&mut found.missed),
                (false, true) => add(&mut found.claimed),
                (true, true) | (false, false) => {}
            }
        }
        Ok(Outcomes::Sorted(table))
    }
}
