//! Automata joined, relabelled and projected. All results are minimal.

use super::super::dfa::minimised;
use super::NoAutomaton;
use nimatron_game::Watch;
use nimatron_table::hash::FastMap;
use nimatron_verify::automaton::Dfa;
use std::cmp::Reverse;
use std::hash::Hash;

/// The most transitions of an automaton before it is minimised.
const MOST_TRANSITIONS: usize = 1 << 24;

/// The most images of a formula under symmetries.
const MOST_IMAGES: usize = 1000;

/// The number of digits in a letter, and who watches.
pub(super) struct Tracks<'a> {
    pub(super) count: usize,
    pub(super) watch: &'a dyn Watch,
}

impl Tracks<'_> {
    fn letters(&self) -> u32 {
        1 << self.count
    }

    /// The most states of an automaton before it is minimised.
    pub(super) fn most_states(&self) -> usize {
        MOST_TRANSITIONS / self.letters() as usize
    }

    /// The automaton whose states are all that can be reached from a start, step by step.
    pub(super) fn explore<T: Clone + Eq + Hash>(
        &self,
        start: T,
        step: impl Fn(&T, u32) -> T,
        accepts: impl Fn(&T) -> bool,
    ) -> Result<Dfa, NoAutomaton> {
        let letters = self.letters() as usize;
        let most = self.most_states();
        let between_checks = (4096 / letters).max(1);
        let mut numbers = FastMap::from_iter([(start.clone(), 0u32)]);
        let mut states = vec![start];
        let mut next: Vec<Vec<u32>> = Vec::new();
        while let Some(from) = states.get(next.len()).cloned() {
            if next.len().is_multiple_of(between_checks) {
                // The rows, and as much again for the places and for making it minimal.
                self.watch.check(3 * (states.len() * letters * size_of::<u32>()) as u64)?;
            }
            let row = (0..self.letters()).map(|letter| {
                let to = step(&from, letter);
                *numbers.entry(to).or_insert_with_key(|to| {
                    states.push(to.clone());
                    states.len() as u32 - 1
                })
            });
            next.push(row.collect());
            if states.len() > most {
                return Err(NoAutomaton::States { most });
            }
        }
        let accepting = states.iter().map(accepts).collect();
        Ok(minimised(&Dfa { initial: 0, accepting, next }))
    }

    /// Accepts what all of the automata accept, or what at least one of them does.
    pub(super) fn combine(&self, all: bool, mut parts: Vec<Dfa>) -> Result<Dfa, NoAutomaton> {
        // The two smallest first, so that little is built before it is restricted.
        while parts.len() > 1 {
            if let Some(decisive) = parts.iter().find(|dfa| is_constant(dfa, !all)) {
                return Ok(decisive.clone());
            }
            parts.sort_by_key(|dfa| Reverse(dfa.states()));
            let (Some(a), Some(b)) = (parts.pop(), parts.pop()) else {
                unreachable!("there are two")
            };
            parts.push(if a == b { a } else { self.pair(all, &a, &b)? });
        }
        Ok(parts.pop().unwrap_or_else(|| self.constant(all)))
    }

    fn pair(&self, all: bool, a: &Dfa, b: &Dfa) -> Result<Dfa, NoAutomaton> {
        // Once one of the two is certain to accept, or not to, the other does not matter.
        let decisive = |dfa: &Dfa| -> Vec<bool> {
            let rows = (0..).zip(dfa.next.iter().zip(&dfa.accepting));
            rows.map(|(q, (row, &a))| a != all && row.iter().all(|&r| r == q)).collect()
        };
        let (ends_a, ends_b) = (decisive(a), decisive(b));
        let place = |p: u32, q: u32| (!ends_a[p as usize] && !ends_b[q as usize]).then_some((p, q));
        let step = |&at: &Option<(u32, u32)>, letter: u32| {
            let (p, q) = at?;
            let letter = letter as usize;
            place(a.next[p as usize][letter], b.next[q as usize][letter])
        };
        let accepts = |&at: &Option<(u32, u32)>| match at {
            Some((p, q)) if all => a.accepting[p as usize] && b.accepting[q as usize],
            Some((p, q)) => a.accepting[p as usize] || b.accepting[q as usize],
            None => !all,
        };
        self.explore(place(a.initial, b.initial), step, accepts)
    }

    /// Accepts everything, or nothing.
    fn constant(&self, accepts: bool) -> Dfa {
        Dfa { initial: 0, accepting: vec![accepts], next: vec![vec![0; self.letters() as usize]] }
    }

    /// The automaton and its images under a group of relabellings, given by generators; each once.
    pub(super) fn images(
        &self,
        dfa: Dfa,
        generators: &[Vec<usize>],
    ) -> Result<Vec<Dfa>, NoAutomaton> {
        let mut images = vec![dfa];
        let mut done = 0;
        while done < images.len() {
            for generator in generators {
                self.watch.check(0)?;
                // Minimal automata for the same words are equal.
                let image = self.image(&images[done], generator);
                if !images.contains(&image) {
                    images.push(image);
                }
            }
            done += 1;
            if images.len() > MOST_IMAGES {
                return Err(NoAutomaton::Images { most: MOST_IMAGES });
            }
        }
        Ok(images)
    }

    /// Accepts q if the automaton accepts the p with `p[s] = q[image[s]]`.
    fn image(&self, dfa: &Dfa, image: &[usize]) -> Dfa {
        let before = |letter: u32| {
            (0..).zip(image).fold(0, |p, (s, &i)| p | (letter >> i & 1) << s) as usize
        };
        let before: Vec<usize> = (0..self.letters()).map(before).collect();
        let row = |row: &Vec<u32>| before.iter().map(|&letter| row[letter]).collect();
        let next = dfa.next.iter().map(row).collect();
        minimised(&Dfa { initial: dfa.initial, accepting: dfa.accepting.clone(), next })
    }

    /// Accepts a word if the automaton accepts each of its letters by itself, and zeros.
    pub(super) fn places(&self, dfa: &Dfa) -> Result<Dfa, NoAutomaton> {
        let row = &dfa.next[dfa.initial as usize];
        let holds = |q: u32| dfa.accepting[q as usize];
        let step = |&so_far: &bool, letter: u32| so_far && holds(row[letter as usize]);
        self.explore(holds(dfa.initial), step, |&so_far| so_far)
    }

    /// Accepts a word if it can be cut so that the first automaton accepts what is before and the
    /// second what is after.
    pub(super) fn then(&self, high: &Dfa, low: &Dfa) -> Result<Dfa, NoAutomaton> {
        let cut = |before: u32, mut after: Vec<u32>| {
            if high.accepting[before as usize] {
                after.push(low.initial);
            }
            after.sort_unstable();
            after.dedup();
            (before, after)
        };
        let step = |(before, after): &(u32, Vec<u32>), letter: u32| {
            let after = after.iter().map(|&q| low.next[q as usize][letter as usize]).collect();
            cut(high.next[*before as usize][letter as usize], after)
        };
        let accepts =
            |(_, after): &(u32, Vec<u32>)| after.iter().any(|&q| low.accepting[q as usize]);
        self.explore(cut(high.initial, Vec::new()), step, accepts)
    }

    /// From an automaton with one more track: accepts what it accepts for some number on the
    /// last track.
    pub(super) fn without_last(&self, dfa: &Dfa) -> Result<Dfa, NoAutomaton> {
        let last = self.letters();
        let step = |from: &Vec<u32>, letter: u32| {
            let rows = from.iter().map(|&q| &dfa.next[q as usize]);
            let both = rows.flat_map(|row| [row[letter as usize], row[(letter | last) as usize]]);
            let mut to: Vec<u32> = both.collect();
            to.sort_unstable();
            to.dedup();
            to
        };
        // The number may have more digits than the heights. Zeros in front of all of them do not
        // matter, so this only ever adds states.
        let mut start = vec![dfa.initial];
        loop {
            let longer = step(&start, 0);
            if longer == start {
                break;
            }
            start = longer;
        }
        let accepts = |states: &Vec<u32>| states.iter().any(|&q| dfa.accepting[q as usize]);
        self.explore(start, step, accepts)
    }
}

/// Accepts what the automaton does not accept.
pub(crate) fn complement(mut dfa: Dfa) -> Dfa {
    dfa.accepting.iter_mut().for_each(|a| *a = !*a);
    dfa
}

fn is_constant(dfa: &Dfa, accepts: bool) -> bool {
    dfa.accepting == [accepts]
}
