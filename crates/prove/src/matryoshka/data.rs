//! All P-positions of a small box, and what they suggest.

use nimatron_game::symmetry::Symmetry;
use nimatron_game::{Height, SetFamily, StackSet, Stop, Watch};
use nimatron_table::Alone;
use nimatron_table::line::{LineError, Plan, Run};
use std::collections::HashSet;

/// The P-positions of a SetNim game with all heights up to some bound.
///
/// A position is a number with one digit per stack, the digits of stack 0 counting ones.
pub(super) struct Data {
    stacks: usize,
    /// The number of heights: one more than the bound.
    base: u32,
    /// Bit by bit: whether the position with this number is a P-position.
    is_p: Vec<u64>,
    p_positions: Vec<Found>,
}

/// A P-position.
struct Found {
    number: u32,
    /// The stacks with tokens, and the stacks that cannot grow within the box.
    tokens: StackSet,
    full: StackSet,
}

impl Data {
    /// The number of positions of the box, if it can be tabulated.
    pub(super) fn positions(stacks: usize, bound: Height) -> Option<u64> {
        let positions = (bound + 1).checked_pow(stacks as u32)?;
        (positions <= 1 << 30).then_some(positions)
    }

    /// Computes them.
    ///
    /// # Panics
    /// If the box has too many positions.
    pub(super) fn new(sets: &SetFamily, bound: Height, watch: &dyn Watch) -> Result<Self, Stop> {
        let (n, base) = (sets.stacks(), bound as u32 + 1);
        let positions = Data::positions(n, bound).expect("the box can be tabulated");
        let mut is_p = vec![0u64; (positions as usize).div_ceil(64)];
        let mut p_positions = Vec::new();
        let mut sink = |heights: &[u32]| {
            let number = heights.iter().rev().fold(0, |number, height| number * base + height);
            is_p[number as usize / 64] |= 1 << (number % 64);
            let with = |test: &dyn Fn(u32) -> bool| -> StackSet {
                (0..n).filter(|&s| test(heights[s])).collect()
            };
            let (tokens, full) = (with(&|h| h > 0), with(&|h| h + 1 == base));
            p_positions.push(Found { number, tokens, full });
        };
        let facets: Vec<StackSet> = sets.iter().collect();
        let run = Plan::new(&facets, &vec![bound as u32; n]).and_then(Run::new);
        let done = run.and_then(|mut run| run.finish(&Alone, watch, Some(&mut sink)).map(drop));
        match done {
            Ok(()) => Ok(Data { stacks: n, base, is_p, p_positions }),
            Err(LineError::Stopped(stop)) => Err(stop),
            // The facets make up the stacks of the box, so it is the memory.
            Err(_) => Err(Stop::Memory),
        }
    }

    fn memory(&self) -> u64 {
        (self.is_p.len() * 8 + self.p_positions.len() * size_of::<Found>()) as u64
    }

    fn is_p(&self, number: u32) -> bool {
        self.is_p[number as usize / 64] >> (number % 64) & 1 == 1
    }

    fn heights(&self, mut number: u32) -> Vec<u32> {
        let digit = |_| {
            let digit = number % self.base;
            number /= self.base;
            digit
        };
        (0..self.stacks).map(digit).collect()
    }

    /// The inclusion-minimal 0/1 vectors that no P-position of the box speaks against, with all
    /// their images under the symmetries: adding or subtracting one leads from P-positions to
    /// P-positions.
    pub(super) fn vectors(&self, symmetry: &Symmetry, watch: &dyn Watch) -> Result<Vec<u32>, Stop> {
        let generators = symmetry.generators();
        let mut candidates: Vec<StackSet> = StackSet::first(self.stacks).subsets().collect();
        candidates.sort_unstable_by(StackSet::by_size);
        let mut seen: HashSet<StackSet> = HashSet::new();
        let mut found: Vec<StackSet> = Vec::new();
        for vector in candidates {
            if seen.contains(&vector) || found.iter().any(|smaller| smaller.is_subset(vector)) {
                continue;
            }
            watch.check(self.memory())?;
            let holds = self.is_invariant(vector);
            let mut next = vec![vector];
            while let Some(image) = next.pop() {
                if seen.insert(image) {
                    next.extend(generators.iter().map(|g| g.set(image)));
                    found.extend(holds.then_some(image));
                }
            }
        }
        let mut found: Vec<u32> = found.into_iter().map(StackSet::bits).collect();
        found.sort_unstable();
        Ok(found)
    }

    fn is_invariant(&self, vector: StackSet) -> bool {
        let step: u32 = vector.iter().map(|s| self.base.pow(s as u32)).sum();
        self.p_positions.iter().all(|p| {
            let down = !vector.is_subset(p.tokens) || self.is_p(p.number - step);
            down && (!vector.is_disjoint(p.full) || self.is_p(p.number + step))
        })
    }

    /// Whether every P-position of the box has an empty stack.
    pub(super) fn has_zeros(&self) -> bool {
        let all = StackSet::first(self.stacks);
        self.p_positions.iter().all(|p| p.tokens != all)
    }

    /// A P-position of which some multiple is an N-position, with the factor: the one of
    /// least total, then the first in lexicographic order.
    pub(super) fn obstruction(&self) -> Option<(Vec<Height>, Height)> {
        let mut best: Option<(u32, Vec<u32>, u32)> = None;
        for p in &self.p_positions {
            let heights = self.heights(p.number);
            let tallest = heights.iter().copied().max().unwrap_or(0);
            // A multiple has the same digits times the factor, as long as it stays in the box.
            let factors = 2..=(self.base - 1).checked_div(tallest).unwrap_or(0);
            let Some(factor) = factors.into_iter().find(|f| !self.is_p(p.number * f)) else {
                continue;
            };
            let candidate = (heights.iter().sum(), heights, factor);
            if best.as_ref().is_none_or(|best| candidate < *best) {
                best = Some(candidate);
            }
        }
        let (_, heights, factor) = best?;
        Some((heights.into_iter().map(Height::from).collect(), factor.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nimatron_game::{Family, Game, Outcome, Unlimited};
    use nimatron_table::naive;

    #[test]
    fn they_are_those_of_the_oracle() {
        for name in ["CN(5,2)", "CN(5,3)", "PN(5,2)", "NN(5,3)", "Nim(3)", "Set(ab,bc,cd,ae)"] {
            let game: Game = name.parse().unwrap();
            let n = game.stacks();
            let table = naive::outcomes(&game, &vec![3; n]).unwrap();
            let data = Data::new(game.single().unwrap().sets(), 3, &Unlimited).unwrap();
            for (position, outcome) in table.iter() {
                let number = (0..n).map(|s| position[s] as u32 * 4u32.pow(s as u32)).sum();
                assert_eq!(data.is_p(number), outcome == Outcome::P, "{name} {position}");
            }
        }
    }

    #[test]
    fn multiples_are_found() {
        let nim = Family::Nim { n: 3 }.sets();
        assert_eq!(Data::new(&nim, 8, &Unlimited).unwrap().obstruction(), None);
        let data = Data::new(&nim, 9, &Unlimited).unwrap();
        assert_eq!(data.obstruction(), Some((vec![1, 2, 3], 3)));
    }

    #[test]
    fn vectors_of_the_hexagon() {
        let rule = Family::Circular { n: 6, k: 3 }.rule();
        let data = Data::new(rule.sets(), 3, &Unlimited).unwrap();
        let vectors = data.vectors(&Symmetry::of(&rule), &Unlimited).unwrap();
        assert_eq!(vectors, [0b001001, 0b010010, 0b010101, 0b100100, 0b101010]);
    }
}
