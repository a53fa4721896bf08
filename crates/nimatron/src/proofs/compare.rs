//! A proved set against the table of a box.
//!
//! A proof that the checker accepted needs no comparison. Comparing tests the checker and the table
//! engine, which have nothing in common: here the proved set is listed from its own description
//! (sums of vectors, accepted words), and the table is computed from the moves.

use super::proved::{ProofKind, Proved};
use crate::limits::Limits;
use crate::tables::{Tabulation, TabulationError};
use nimatron_game::{Height, Position, StackSet, Stop, Watch};
use nimatron_table::{Alone, PositionBox};
use nimatron_verify::automaton::Dfa;
use std::time::Duration;

/// A proved set compared with all positions of a box.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comparison {
    /// The greatest height.
    pub max: Height,
    /// How many positions the box has.
    pub positions: u128,
    /// How many of them are P-positions by the table.
    pub p_positions: u64,
    /// The first position on which proof and table differ. There is none, unless the checker or the
    /// table is wrong.
    pub differs: Option<Position>,
}

impl Proved {
    /// Compares the proved set with the table of the box `0..=max`.
    pub fn compare(&self, max: Height, watch: &dyn Watch) -> Result<Comparison, TabulationError> {
        let n = self.game().stacks();
        let base = u128::from(max) + 1;
        let positions = (0..n).try_fold(1u128, |all, _| all.checked_mul(base));
        let positions = positions.ok_or(Stop::Memory)?;
        let members = Members { n, max, base, numbers: Vec::new(), watch };
        let members = members.of(self)?;
        let mut next = members.iter().copied();
        let mut expected = next.next();
        let (mut p_positions, mut differs) = (0, None);
        let mut run = Tabulation::listing(self.game(), &vec![max; n])?;
        run.finish(&Alone, watch, &mut |row| {
            p_positions += 1;
            let found = number(row.heights, base);
            if differs.is_none() && expected != Some(found) {
                differs = Some(expected.map_or(found, |expected| expected.min(found)));
            }
            expected = next.next();
            Ok(())
        })?;
        let differs = differs.or(expected).map(|number| position(number, n, base));
        Ok(Comparison { max, positions, p_positions, differs })
    }

    /// Compares on boxes that grow while this much time is left. Returns the largest; `None` if there
    /// was no time for any.
    pub fn compare_for(&self, time: Duration, limits: &Limits) -> Option<Comparison> {
        let clock = limits.stopwatch();
        let mut best: Option<Comparison> = None;
        let mut max = 1;
        loop {
            let Some(left) = time.checked_sub(clock.elapsed()) else { return best };
            let before = clock.elapsed();
            let watch = limits.clone().time(left).start();
            let Ok(comparison) = self.compare(max, &watch) else { return best };
            let differs = comparison.differs.is_some();
            best = Some(comparison);
            if differs {
                return best;
            }
            // The time grows at least with the number of positions.
            let took = clock.elapsed().saturating_sub(before).as_secs_f64().max(1e-4);
            let left = time.saturating_sub(clock.elapsed()).as_secs_f64();
            let growth = (left / took).powf(1.0 / self.game().stacks() as f64);
            let next = ((max as f64 + 1.0) * growth.min(2.0)) as Height;
            if next <= max + 1 {
                return best;
            }
            max = next - 1;
        }
    }
}

/// The place of a position in lexicographic order.
fn number(heights: &[Height], base: u128) -> u128 {
    heights.iter().fold(0, |number, &height| number * base + u128::from(height))
}

fn position(mut number: u128, n: usize, base: u128) -> Position {
    let mut heights = vec![0; n];
    for height in heights.iter_mut().rev() {
        *height = (number % base) as Height;
        number /= base;
    }
    Position::new(heights).expect("heights within a box")
}

/// Lists the members of a set within a box, by their places in lexicographic order.
struct Members<'a> {
    n: usize,
    max: Height,
    base: u128,
    numbers: Vec<u128>,
    watch: &'a dyn Watch,
}

impl Members<'_> {
    /// The members of a proved set, in order.
    fn of(mut self, proved: &Proved) -> Result<Vec<u128>, Stop> {
        match (proved.kind(), proved.games(), proved.automaton()) {
            (ProofKind::Matryoshka, Some(player), _) => {
                // A position may lie in several cells.
                let mut distinct = 1 << 16;
                for cell in player.cells() {
                    self.sums(&cell, &mut vec![0; self.n])?;
                    if self.numbers.len() > 2 * distinct {
                        self.numbers.sort_unstable();
                        self.numbers.dedup();
                        distinct = self.numbers.len();
                    }
                }
            }
            (ProofKind::Automaton, _, Some(automaton)) => {
                let digits = Height::BITS - self.max.leading_zeros();
                let alive = alive(automaton.dfa(), digits as usize);
                let dfa = automaton.dfa();
                self.words(dfa, &alive, dfa.initial, &mut vec![0; self.n], digits)?;
            }
            _ => {
                let cells = PositionBox::new(&vec![self.max; self.n]).map_err(|_| Stop::Memory)?;
                for (i, position) in cells.iter().enumerate() {
                    if i.is_multiple_of(4096) {
                        self.watch.check(self.numbers.len() as u64 * 16)?;
                    }
                    if proved.rules().is_some_and(|rules| rules.holds(&position)) {
                        self.push(&position)?;
                    }
                }
            }
        }
        self.numbers.sort_unstable();
        self.numbers.dedup();
        Ok(self.numbers)
    }

    fn push(&mut self, heights: &[Height]) -> Result<(), Stop> {
        if self.numbers.len().is_multiple_of(1024) {
            self.watch.check(self.numbers.len() as u64 * 16)?;
        }
        self.numbers.push(number(heights, self.base));
        Ok(())
    }

    /// The sums of the first heights with multiples of the generators.
    fn sums(&mut self, generators: &[StackSet], heights: &mut [Height]) -> Result<(), Stop> {
        let [first, rest @ ..] = generators else { return self.push(heights) };
        let room = first.iter().map(|s| self.max - heights[s]).min().unwrap_or(0);
        for _ in 0..=room {
            self.sums(rest, heights)?;
            first.iter().for_each(|s| heights[s] += 1);
        }
        first.iter().for_each(|s| heights[s] -= room + 1);
        Ok(())
    }

    /// The accepted words with these first digits and so many more.
    fn words(
        &mut self,
        dfa: &Dfa,
        alive: &[Vec<bool>],
        state: u32,
        heights: &mut [Height],
        digits: u32,
    ) -> Result<(), Stop> {
        if !alive[digits as usize][state as usize] {
            return Ok(());
        }
        let Some(digit) = digits.checked_sub(1) else { return self.push(heights) };
        for (letter, &next) in (0u64..).zip(&dfa.next[state as usize]) {
            let add = |heights: &mut [Height], height: Height| {
                let stacks = (0..heights.len()).filter(|s| letter >> s & 1 == 1);
                stacks.for_each(|s| heights[s] ^= height);
            };
            add(heights, 1 << digit);
            if heights.iter().all(|&h| h <= self.max) {
                self.words(dfa, alive, next, heights, digit)?;
            }
            add(heights, 1 << digit);
        }
        Ok(())
    }
}

/// By the number of letters to come, then by state: whether an accepting state can be reached.
fn alive(dfa: &Dfa, digits: usize) -> Vec<Vec<bool>> {
    let mut alive = vec![dfa.accepting.clone()];
    for _ in 0..digits {
        let before = &alive[alive.len() - 1];
        let leads = |row: &Vec<u32>| row.iter().any(|&next| before[next as usize]);
        alive.push(dfa.next.iter().map(leads).collect());
    }
    alive
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proofs::{DiscoverMethod, discover};
    use nimatron_game::{Game, Unlimited};
    use nimatron_verify::{Certificate, Proof};

    fn proved(text: &str, method: DiscoverMethod) -> Proved {
        let game: Game = text.parse().unwrap();
        discover(&game, method, &Limits::default()).found.unwrap().proved
    }

    #[test]
    fn proofs_of_both_kinds_agree_with_tables() {
        for (text, max, count) in [("CN(5,2)", 5, 181), ("CN(4,2)", 6, 49), ("PN(4,2)", 8, 0)] {
            for method in [DiscoverMethod::Matryoshka, DiscoverMethod::Automata] {
                let comparison = proved(text, method).compare(max, &Unlimited).unwrap();
                assert_eq!(comparison.differs, None, "{text}");
                assert!(count == 0 || comparison.p_positions == count, "{text}");
            }
        }
    }

    #[test]
    fn a_wrong_set_is_noticed() {
        // Nobody has accepted this one.
        let certificate = proved("CN(4,2)", DiscoverMethod::Automata).certificate().clone();
        let Proof::Automaton(mut proof) = certificate.proof else { panic!() };
        proof.dfa.accepting.iter_mut().for_each(|accepting| *accepting = !*accepting);
        let game = certificate.game.clone();
        let wrong = Certificate::new(game, Proof::Automaton(proof.clone()));
        let comparison = Proved::trusting(wrong).unwrap().compare(2, &Unlimited).unwrap();
        assert_eq!(comparison.differs, Some("0,0,0,0".parse().unwrap()));
        // Nothing accepted at all: the first P-position is missing.
        proof.dfa.accepting.fill(false);
        let empty = Certificate::new(certificate.game, Proof::Automaton(proof));
        let comparison = Proved::trusting(empty).unwrap().compare(2, &Unlimited).unwrap();
        assert_eq!(comparison.differs, Some("0,0,0,0".parse().unwrap()));
    }

    #[test]
    fn boxes_grow_while_there_is_time() {
        let proved = proved("CN(5,2)", DiscoverMethod::Matryoshka);
        let comparison = proved.compare_for(Duration::from_millis(300), &Limits::default());
        let comparison = comparison.unwrap();
        assert_eq!(comparison.differs, None);
        assert!(comparison.max >= 3, "{comparison:?}");
    }
}
