//! Attempts to refute the lemmas of `docs/peeling.md` on random games of class C, up to 16 stacks.
//! Each test is named after the lemma it is about.

use super::tests::random_member;
use super::*;
use crate::testing::Random;
use nimatron_game::{Height, Outcome, Play, Rule, SetFamily, StackSet};

/// A random game of the class without stacks that merge, so that places are stacks.
fn random_circle(random: &mut Random) -> Circle {
    loop {
        let n = 3 + random.below(14) as usize;
        let rule = random_member(random, n);
        let circle = Circle::of(&rule, Play::Normal).expect("a member");
        if circle.len() == n && n > 2 {
            return circle;
        }
    }
}

/// A random set of places, large or small.
fn random_places(random: &mut Random, n: usize) -> u32 {
    let all = u32::MAX >> (32 - n);
    match random.below(3) {
        0 => random.next() as u32 & all,
        1 => (random.next() | random.next()) as u32 & all,
        _ => all,
    }
}

fn places(set: u32) -> impl Iterator<Item = usize> {
    StackSet::from_bits(set).iter()
}

/// `r_S(i)`: the last place of S up to `r(i)`, at `i` or ahead.
fn r_within(circle: &Circle, set: u32, i: usize) -> usize {
    (i..=circle.r(i)).rev().find(|&j| set >> (j % circle.len()) & 1 == 1).expect("i is in S")
}

fn gaps(circle: &Circle, set: u32) -> Vec<usize> {
    places(set).filter(|&i| r_within(circle, set, i) == i).collect()
}

/// Periodic orbits of `r_S`, each with its winding number.
fn orbits(circle: &Circle, set: u32) -> Vec<(u32, usize)> {
    let n = circle.len();
    let mut orbits = Vec::new();
    for start in places(set) {
        let (mut at, mut orbit) = (start, 0u32);
        loop {
            orbit |= 1 << (at % n);
            at = r_within(circle, set, at);
            if at % n == start || orbit >> (at % n) & 1 == 1 {
                break;
            }
        }
        if at % n == start && at > start && !orbits.contains(&(orbit, (at - start) / n)) {
            orbits.push((orbit, (at - start) / n));
        }
    }
    orbits
}

/// A sum of peels, each one of the support up to then: an element of P*. With each peel its number
/// `p`: 0 for a pair at a gap, else the winding number.
struct Sum {
    heights: Vec<Height>,
    peels: Vec<(u32, usize)>,
}

fn random_sum(random: &mut Random, circle: &Circle) -> Sum {
    let n = circle.len();
    let mut sum = Sum { heights: vec![0; n], peels: Vec::new() };
    let mut support = 0u32;
    for _ in 0..1 + random.below(6) {
        let wider = support | random_places(random, n);
        if circle.facet(wider).is_some() {
            continue;
        }
        let start = places(wider).nth(random.below(wider.count_ones().into()) as usize).unwrap();
        let peel = circle.peel_from(wider, start as u32);
        let winding = orbits(circle, support | peel).into_iter().find(|(orbit, _)| *orbit == peel);
        support |= peel;
        for _ in 0..1 + random.below(3) {
            places(peel).for_each(|place| sum.heights[place] += 1);
            sum.peels.push((peel, winding.map_or(0, |(_, p)| p)));
        }
    }
    sum
}

impl Sum {
    fn support(&self) -> u32 {
        (0..self.heights.len()).filter(|&i| self.heights[i] > 0).fold(0, |set, i| set | 1 << i)
    }

    fn is_pair_free(&self) -> bool {
        self.peels.iter().all(|&(_, p)| p > 0)
    }

    /// The tokens on `s+1..=r(s)`.
    fn beyond(&self, circle: &Circle, s: usize) -> Height {
        (s + 1..=circle.r(s)).map(|i| self.heights[i % circle.len()]).sum()
    }

    fn tight(&self, circle: &Circle) -> Vec<usize> {
        let least: Height = self.peels.iter().map(|&(_, p)| p as Height).sum();
        (0..circle.len()).filter(|&s| self.beyond(circle, s) == least).collect()
    }
}

/// In the order of the circle, for the stacks of a game whose places are its stacks.
fn in_stacks(circle: &Circle, heights: &[Height]) -> Vec<Height> {
    let mut by_stack = vec![0; heights.len()];
    for (place, stacks) in circle.places().iter().enumerate() {
        by_stack[stacks.lowest().expect("a stack")] = heights[place];
    }
    by_stack
}

const ROUNDS: usize = 400;

#[test]
fn heredity() {
    let mut random = Random::new(1);
    for _ in 0..ROUNDS {
        let circle = random_circle(&mut random);
        let keep: Vec<usize> = places(random_places(&mut random, circle.len())).collect();
        let stacks: StackSet = keep.iter().filter_map(|&p| circle.places()[p].lowest()).collect();
        if stacks.is_empty() {
            continue;
        }
        let mut image = vec![0; 32];
        stacks.iter().enumerate().for_each(|(i, s)| image[s] = i);
        let sets = circle.facets().iter().map(|&f| (f & stacks).relabel(&image));
        let sets = SetFamily::listed(stacks.len(), sets.collect::<Vec<_>>()).maximal();
        let rule = Rule::set_nim(sets);
        assert!(Circle::of(&rule, Play::Normal).is_some(), "{circle:?} on {stacks}");
    }
}

#[test]
fn orbits_have_one_length_and_winding() {
    let mut random = Random::new(2);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..ROUNDS {
        let circle = random_circle(&mut random);
        let set = random_places(&mut random, circle.len());
        if set == 0 || circle.facet(set).is_some() || !gaps(&circle, set).is_empty() {
            continue;
        }
        let orbits = orbits(&circle, set);
        let (first, p) = orbits[0];
        let q = first.count_ones() as usize;
        assert!(orbits.iter().all(|&(o, w)| (o.count_ones() as usize, w) == (q, p)));
        assert!((3 * p..=3 * p + 2).contains(&q) && (q > 3 * p || p == 1), "{q} {p}");
        seen.insert((q, p));
        for i in 0..circle.len() {
            let arc = (i..=circle.r(i)).fold(0u32, |set, j| set | 1 << (j % circle.len()));
            assert!(orbits.iter().all(|&(o, _)| (o & arc).count_ones() as usize <= p + 1));
        }
    }
    assert!(seen.len() >= 4, "{seen:?}");
}

#[test]
fn a_peel_stays_a_peel_of_fewer_stacks() {
    let mut random = Random::new(3);
    for _ in 0..ROUNDS {
        let circle = random_circle(&mut random);
        let set = random_places(&mut random, circle.len());
        if circle.facet(set).is_some() {
            continue;
        }
        let peel = circle.peel(set);
        let fewer = peel | set & random.next() as u32;
        assert!(circle.facet(fewer).is_none());
        let is_orbit = orbits(&circle, fewer).iter().any(|&(o, _)| o == peel);
        let is_gap =
            peel.count_ones() == 2 && gaps(&circle, fewer).iter().any(|&i| peel >> i & 1 == 1);
        let expected = !gaps(&circle, set).is_empty();
        assert_eq!((is_gap, is_orbit && gaps(&circle, fewer).is_empty()), (expected, !expected));
    }
}

#[test]
fn gaps_stay_and_decide() {
    let mut random = Random::new(4);
    let mut balanced = 0;
    for _ in 0..8 * ROUNDS {
        let circle = random_circle(&mut random);
        let n = circle.len();
        let set = random_places(&mut random, n) & random.next() as u32;
        if circle.facet(set).is_some() || gaps(&circle, set).is_empty() {
            continue;
        }
        let fewer = set & random.next() as u32;
        assert!(circle.facet(fewer).is_some() || !gaps(&circle, fewer).is_empty());
        // P exactly if the stacks are two arcs that share no facet, with equally many tokens.
        let mut heights = vec![0; n];
        places(set).for_each(|place| heights[place] = 1 + random.below(3));
        let both = gaps(&circle, set);
        let expected = match both[..] {
            [one, two] => {
                let side: Height = (one + 1..=two).map(|place| heights[place]).sum();
                2 * side == heights.iter().sum::<Height>()
            }
            _ => false,
        };
        balanced += usize::from(expected);
        let outcome = circle.outcome(&in_stacks(&circle, &heights));
        assert_eq!(outcome == Outcome::P, expected, "{circle:?} {heights:?}");
    }
    assert!(balanced > 5, "{balanced}");
}

#[test]
fn no_move_leads_from_a_sum_of_peels_to_another() {
    let mut random = Random::new(5);
    for _ in 0..4 * ROUNDS {
        let circle = random_circle(&mut random);
        let sum = random_sum(&mut random, &circle);
        assert_eq!(circle.outcome(&in_stacks(&circle, &sum.heights)), Outcome::P);
        let start = random.below(circle.len() as u64) as usize;
        let mut to = sum.heights.clone();
        for i in start..=circle.r(start) {
            let height = &mut to[i % circle.len()];
            *height -= if random.below(3) > 0 { random.below(*height + 1) } else { 0 };
        }
        if to != sum.heights {
            assert_eq!(circle.outcome(&in_stacks(&circle, &to)), Outcome::N, "{sum:?} {to:?}");
        }
    }
}

impl std::fmt::Debug for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} by {:?}", self.heights, self.peels)
    }
}

#[test]
fn the_least_co_facet_counts_the_windings() {
    let mut random = Random::new(6);
    for _ in 0..4 * ROUNDS {
        let circle = random_circle(&mut random);
        let sum = random_sum(&mut random, &circle);
        let least = (0..circle.len()).map(|s| sum.beyond(&circle, s)).min().unwrap();
        let windings: usize = sum.peels.iter().map(|&(_, p)| p).sum();
        assert_eq!(least, windings as Height, "{circle:?} {sum:?}");
    }
}

#[test]
fn without_pairs_tight_places_are_everywhere() {
    let mut random = Random::new(7);
    let mut met = 0;
    for _ in 0..4 * ROUNDS {
        let circle = random_circle(&mut random);
        let n = circle.len();
        let sum = random_sum(&mut random, &circle);
        if !sum.is_pair_free() || sum.peels.is_empty() {
            continue;
        }
        met += 1;
        let tight = sum.tight(&circle);
        let arc = |from: usize, to: usize| (from..=to).fold(0u32, |set, i| set | 1 << (i % n));
        let beyond = |s: usize| arc(s + 1, circle.r(s));
        for i in 0..n {
            let facet = arc(i, circle.r(i));
            assert!(tight.iter().any(|&s| beyond(s) & facet == 0), "{circle:?} {sum:?} {i}");
            let meets = (i..circle.r(i)).any(|c| tight.contains(&(c % n)));
            assert!(meets || circle.r(i) == i, "{circle:?} {sum:?} {i}");
        }
        let covered = tight.iter().fold(0, |set, &s| set | beyond(s));
        for (orbit, _) in orbits(&circle, sum.support()) {
            assert_eq!(orbit & !covered, 0, "{circle:?} {sum:?}");
        }
    }
    assert!(met > 100, "{met}");
}

#[test]
fn the_number_of_peels_does_not_depend_on_the_chain() {
    let mut random = Random::new(8);
    for _ in 0..ROUNDS {
        let circle = random_circle(&mut random);
        let sum = random_sum(&mut random, &circle);
        let peeled = circle.peeled(&in_stacks(&circle, &sum.heights));
        let count: Height = peeled.peels.iter().map(|&(_, times)| times).sum();
        assert_eq!(count, sum.peels.len() as Height, "{circle:?} {sum:?}");
    }
}
