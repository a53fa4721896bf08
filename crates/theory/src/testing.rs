//! What the tests of all theorems share: an oracle that plays by the definition only, and
//! random positions of any height.

use crate::theorem::{Solution, Theorem};
use nimatron_formula::{Context, Formula};
use nimatron_game::{Choice, Height, MAX_HEIGHT, Outcome, Play, Rule, StackSet};
use nimatron_meaning::{Evaluator, Symmetries};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// Every position with heights up to `max`, in an order in which options come first.
pub(crate) fn boxed(stacks: usize, max: Height) -> impl Iterator<Item = Vec<Height>> {
    let count = (max + 1).pow(stacks as u32);
    (0..count).map(move |index| digits(index, stacks, max + 1))
}

fn digits(mut index: u64, stacks: usize, base: u64) -> Vec<Height> {
    let digit = |_| {
        let digit = index % base;
        index /= base;
        digit
    };
    (0..stacks).map(digit).collect()
}

fn index(heights: &[Height], base: u64) -> usize {
    heights.iter().rev().fold(0, |i, &h| i * base as usize + h as usize)
}

/// The outcomes of SetNim, Exact or Slow Nim in a box, straight from the definition: a position not
/// yet marked is P, and marks every position from which it can be reached.
pub(crate) struct Sieve {
    base: u64,
    marked: Vec<bool>,
}

impl Sieve {
    pub(crate) fn new(rule: &Rule, play: Play, max: Height) -> Self {
        let (n, base) = (rule.stacks(), max + 1);
        let mut sieve = Sieve { base, marked: vec![false; base.pow(n as u32) as usize] };
        let sets: Vec<StackSet> = rule.sets().iter().collect();
        for position in boxed(n, max) {
            let at = index(&position, base);
            if play == Play::Misere && rule.is_terminal(&position) {
                sieve.marked[at] = true;
            } else if !sieve.marked[at] {
                for &set in &sets {
                    sieve.mark(&position, set, rule);
                }
                sieve.marked[at] = false;
            }
        }
        sieve
    }

    fn mark(&mut self, position: &[Height], set: StackSet, rule: &Rule) {
        let least = u64::from(rule.choice() == Choice::All);
        let most = rule.each().most().unwrap_or(self.base);
        let stacks: Vec<usize> = set.iter().collect();
        let mut raised = position.to_vec();
        fn go(sieve: &mut Sieve, raised: &mut [Height], stacks: &[usize], by: (u64, u64)) {
            let Some((&stack, rest)) = stacks.split_first() else {
                let at = index(raised, sieve.base);
                sieve.marked[at] = true;
                return;
            };
            let from = raised[stack];
            for height in from + by.0..(from + by.1 + 1).min(sieve.base) {
                raised[stack] = height;
                go(sieve, raised, rest, by);
            }
            raised[stack] = from;
        }
        go(self, &mut raised, &stacks, (least, most));
    }

    pub(crate) fn outcome(&self, heights: &[Height]) -> Outcome {
        if self.marked[index(heights, self.base)] { Outcome::N } else { Outcome::P }
    }
}

pub(crate) fn solve(theorem: &dyn Theorem, rule: &Rule, play: Play) -> Box<dyn Solution> {
    let solution = theorem.applies(rule, play);
    let solution = solution.unwrap_or_else(|| panic!("{} on {rule:?}", theorem.id()));
    assert_eq!(solution.stacks(), rule.stacks());
    solution
}

/// Checks one position: the winning move is legal and lands on a P-position, and is there
/// exactly for N, unless play is over. Returns the P-position at hand, if there is one.
fn check_move(solution: &dyn Solution, rule: &Rule, heights: &[Height]) -> Option<Vec<Height>> {
    let outcome = solution.outcome(heights);
    assert!(!solution.explain(heights).is_empty());
    match solution.winning_move(heights) {
        None if outcome == Outcome::N => {
            assert!(rule.is_terminal(heights), "no move from {heights:?}");
            None
        }
        None => Some(heights.to_vec()),
        Some(won) => {
            assert_eq!(outcome, Outcome::N, "a move from the P-position {heights:?}");
            assert!(!won.reasons.is_empty());
            let violation = rule.violation(heights, &won.take);
            assert_eq!(violation, None, "{} from {heights:?}", won.take);
            let to = Rule::option(heights, &won.take);
            assert_eq!(solution.outcome(&to), Outcome::P, "{heights:?} to {to:?}");
            Some(to)
        }
    }
}

/// Compares outcome and winning move with the oracle on all positions of a box, under normal play.
pub(crate) fn check_box(theorem: &dyn Theorem, rule: &Rule, max: Height) {
    check_play(theorem, rule, Play::Normal, max);
}

/// Compares outcome and winning move with the oracle on all positions of a box.
pub(crate) fn check_play(theorem: &dyn Theorem, rule: &Rule, play: Play, max: Height) {
    let solution = solve(theorem, rule, play);
    let sieve = Sieve::new(rule, play, max);
    for heights in boxed(rule.stacks(), max) {
        let found = solution.outcome(&heights);
        assert_eq!(found, sieve.outcome(&heights), "{} at {heights:?}", theorem.id());
        check_move(&*solution, rule, &heights);
    }
}

/// Compares Grundy values, where the theorem knows them, with their definition. Returns how many
/// were known.
pub(crate) fn check_grundy(theorem: &dyn Theorem, rule: &Rule, max: Height) -> usize {
    let solution = solve(theorem, rule, Play::Normal);
    let mut values: Vec<u128> = Vec::new();
    let mut known = 0;
    for heights in boxed(rule.stacks(), max) {
        let option = |take| values[index(&Rule::option(&heights, &take), max + 1)];
        let options: HashSet<u128> = rule.moves(&heights).map(option).collect();
        let value = (0..).find(|v| !options.contains(v)).unwrap();
        if let Some(found) = solution.grundy(&heights) {
            assert_eq!(found, value, "Grundy value of {} at {heights:?}", theorem.id());
            known += 1;
        }
        values.push(value);
    }
    known
}

/// Compares the solution's formula with its outcomes on a box.
pub(crate) fn check_formula(theorem: &dyn Theorem, rule: &Rule, max: Height) {
    check_formula_under(theorem, rule, Play::Normal, max);
}

/// The same under either convention.
pub(crate) fn check_formula_under(theorem: &dyn Theorem, rule: &Rule, play: Play, max: Height) {
    let solution = solve(theorem, rule, play);
    let context = Context::of_rule(rule);
    let text = solution.formula().expect("the game has a formula");
    let formula = Formula::parse(&text, &context).unwrap_or_else(|e| panic!("{text}: {e}"));
    let evaluator = Evaluator::new(&formula, &context, &Permutations(rule.stacks())).unwrap();
    for heights in boxed(rule.stacks(), max) {
        let p = solution.outcome(&heights) == Outcome::P;
        assert_eq!(evaluator.holds(&heights), p, "{text} at {heights:?}");
    }
}

/// All permutations of so many stacks.
struct Permutations(usize);

impl Symmetries for Permutations {
    fn each(&self, visit: &mut dyn FnMut(&[usize]) -> ControlFlow<()>) -> ControlFlow<()> {
        fn go(
            image: &mut Vec<usize>,
            n: usize,
            visit: &mut dyn FnMut(&[usize]) -> ControlFlow<()>,
        ) -> ControlFlow<()> {
            if image.len() == n {
                return visit(image);
            }
            for next in 0..n {
                if !image.contains(&next) {
                    image.push(next);
                    go(image, n, visit)?;
                    image.pop();
                }
            }
            ControlFlow::Continue(())
        }
        go(&mut Vec::new(), self.0, visit)
    }
}

/// The remoteness of a position, straight from the definition.
pub(crate) fn remoteness(
    rule: &Rule,
    play: Play,
    heights: &[Height],
    seen: &mut HashMap<Vec<Height>, u64>,
) -> u64 {
    if let Some(&known) = seen.get(heights) {
        return known;
    }
    let p_parity = u64::from(play == Play::Misere);
    let options: Vec<u64> = rule
        .moves(heights)
        .map(|take| remoteness(rule, play, &Rule::option(heights, &take), seen))
        .collect();
    let hurry = options.iter().filter(|&&r| r % 2 == p_parity).min();
    let value = hurry.or(options.iter().max()).map_or(0, |r| r + 1);
    seen.insert(heights.to_vec(), value);
    value
}

/// Checks random positions of all sizes, half of them made by undoing a random move from a
/// P-position: these must be N.
pub(crate) fn check_tall(theorem: &dyn Theorem, rule: &Rule, count: usize) {
    check_tall_under(theorem, rule, Play::Normal, count);
}

/// The same under either convention.
pub(crate) fn check_tall_under(theorem: &dyn Theorem, rule: &Rule, play: Play, count: usize) {
    let solution = solve(theorem, rule, play);
    let mut random = Random::new(count as u64 ^ (rule.stacks() as u64) << 32 ^ rule.sets().len());
    for _ in 0..count {
        let top = random.scale();
        let heights: Vec<_> = (0..rule.stacks()).map(|_| random.height(top)).collect();
        let Some(p) = check_move(&*solution, rule, &heights) else { continue };
        let mut raised = p.clone();
        let set = random.pick(rule);
        for stack in set {
            let room = (MAX_HEIGHT - p[stack]).min(top);
            raised[stack] += match rule.each().most() {
                Some(amount) => amount.min(room),
                None => random.height(room),
            };
        }
        let undone = match rule.choice() {
            Choice::Any => raised != p,
            Choice::All => set.iter().all(|s| raised[s] > p[s]),
        };
        if undone {
            assert_eq!(solution.outcome(&raised), Outcome::N, "{raised:?} has a move to {p:?}");
            check_move(&*solution, rule, &raised);
        }
    }
}

/// A small deterministic generator (splitmix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    /// A bound for heights: often about 10^15, sometimes small, sometimes the greatest.
    pub(crate) fn scale(&mut self) -> Height {
        match self.below(8) {
            0 => 3,
            1 => 40,
            2 => MAX_HEIGHT,
            3 => 1 << self.below(62),
            _ => 1_000_000_000_000_000,
        }
    }

    /// A height up to `top`; zeros and extremes are frequent.
    pub(crate) fn height(&mut self, top: Height) -> Height {
        match self.below(10) {
            0 => 0,
            1 => top,
            2 => self.below(3).min(top),
            _ => self.below(top).saturating_add(self.below(2)).min(top),
        }
    }

    fn pick(&mut self, rule: &Rule) -> StackSet {
        match rule.sets().sizes() {
            None => {
                let sets = rule.sets().len();
                rule.sets().iter().nth(self.below(sets) as usize).unwrap()
            }
            Some(sizes) => {
                let mut stacks: Vec<usize> = (0..rule.stacks()).collect();
                for i in 0..stacks.len() {
                    let j = i + self.below((stacks.len() - i) as u64) as usize;
                    stacks.swap(i, j);
                }
                let sizes: Vec<usize> = sizes.iter().collect();
                let size = sizes[self.below(sizes.len() as u64) as usize];
                stacks.into_iter().take(size).collect()
            }
        }
    }
}
