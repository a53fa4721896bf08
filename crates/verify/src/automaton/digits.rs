//! What must be remembered of a formula while the digits of all heights are read.
//!
//! A *track* is a number whose digits are read, the most significant first: those of the stacks and
//! of further numbers that are guessed. A formula is made of *parts*, and each part is followed by a
//! deterministic state. Two states are special in every part: [`FALSE`] and [`TRUE`] say that the
//! digits to come do not matter any more.

use super::form::{Form, too_large};
use crate::flaw::{Budget, Rejection};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;

/// The most tracks.
pub(super) const MAX_TRACKS: usize = 20;

/// The most parts of a formula.
const MAX_PARTS: usize = 1 << 14;

/// The most combinations of residues in one comparison.
const MAX_RESIDUES: i128 = 1 << 40;

/// What a state costs, in bytes, besides its own numbers and its transitions.
const COST: usize = 128;

pub(super) const FALSE: u32 = 0;
pub(super) const TRUE: u32 = 1;

/// A part of a formula. Other parts are named by number.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Part {
    /// The form is zero, or at least zero.
    Compare { form: Form, is_equation: bool },
    /// The part does not hold.
    Not(usize),
    /// All of the parts hold, or at least one does.
    Join { all: bool, of: Vec<usize> },
    /// The part holds for some numbers on the tracks `first..first + count`.
    Guess { first: usize, count: usize, of: usize },
    /// The part holds for some image of the tracks from `first` on under the symmetries.
    Image { first: usize, of: usize },
    /// The part holds for each single letter, and for zeros.
    Places { of: usize },
    /// The letters can be cut so that the first part holds for those before and the second for those
    /// after.
    Then { high: usize, low: usize },
    /// The part holds if the tracks after `height` are the lesser each of `height` and a stack, the
    /// stacks being the tracks from `first` on.
    Chop { first: usize, height: usize, of: usize },
}

/// What is remembered of a part.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum State {
    /// The digits to come do not matter.
    Decided(bool),
    /// A comparison: the value so far, what will be needed of the residues of its dividends, and
    /// whether it holds if this is all that is read.
    Values(Vec<i128>, bool),
    /// Any other part: the states of the parts it is made of, each with a number that says which part
    /// or symmetry it belongs to, or, for [`Part::Chop`], how the stacks compare. Sorted. For
    /// [`Part::Places`] nothing is remembered; for [`Part::Then`] 0 goes with the first part and 1 with
    /// the second, which may have begun at several places.
    Members(Vec<(u32, u32)>),
}

impl State {
    /// About how many numbers it holds, of 32 bits.
    fn size(&self) -> usize {
        match self {
            State::Decided(_) => 1,
            State::Values(values, _) => 4 * values.len(),
            State::Members(members) => 2 * members.len(),
        }
    }
}

/// A part with the states met so far.
struct Followed {
    part: Rc<Part>,
    /// It looks at these tracks only.
    tracks: Range<usize>,
    states: Vec<Rc<State>>,
    numbers: HashMap<Rc<State>, u32>,
    /// By state and letter, where they are known already.
    next: Vec<Vec<u32>>,
}

const UNKNOWN: u32 = u32::MAX;

const NO_TRACKS: Range<usize> = Range { start: MAX_TRACKS, end: 0 };

/// All parts of a formula.
pub(super) struct Parts<'b> {
    stacks: usize,
    list: Vec<Followed>,
    numbers: HashMap<Rc<Part>, usize>,
    /// Relabellings of the stacks: a group.
    symmetries: Vec<Vec<usize>>,
    budget: &'b mut Budget,
}

impl<'b> Parts<'b> {
    pub(super) fn new(stacks: usize, symmetries: Vec<Vec<usize>>, budget: &'b mut Budget) -> Self {
        Parts { stacks, list: Vec::new(), numbers: HashMap::new(), symmetries, budget }
    }

    /// The number of a part; the same part is followed only once.
    pub(super) fn add(&mut self, part: Part) -> Result<usize, Rejection> {
        if let Some(&known) = self.numbers.get(&part) {
            return Ok(known);
        }
        let few = |form: &Form| form.residues() <= MAX_RESIDUES;
        let small = !matches!(&part, Part::Compare { form, .. } if !few(form));
        if self.list.len() == MAX_PARTS || !small {
            return Err(too_large());
        }
        let tracks = self.tracks(&part);
        let part = Rc::new(part);
        let number = self.list.len();
        self.numbers.insert(Rc::clone(&part), number);
        let (states, numbers, next) = (Vec::new(), HashMap::new(), Vec::new());
        self.list.push(Followed { part, tracks, states, numbers, next });
        self.number(number, State::Decided(false))?;
        self.number(number, State::Decided(true))?;
        Ok(number)
    }

    /// All of the parts hold, or at least one does. Parts of the same kind are merged.
    pub(super) fn join(&mut self, all: bool, of: Vec<usize>) -> Result<usize, Rejection> {
        let mut merged = BTreeSet::new();
        for number in of {
            match &*self.list[number].part {
                Part::Join { all: same, of } if *same == all => merged.extend(of),
                _ => drop(merged.insert(number)),
            }
        }
        match (merged.len(), merged.first()) {
            (1, Some(&single)) => Ok(single),
            _ => self.add(Part::Join { all, of: merged.into_iter().collect() }),
        }
    }

    /// The tracks that a part looks at.
    fn tracks(&self, part: &Part) -> Range<usize> {
        let both = |a: Range<usize>, b: Range<usize>| a.start.min(b.start)..a.end.max(b.end);
        let of = |of: &usize| self.list[*of].tracks.clone();
        match part {
            Part::Compare { form, .. } => {
                let tracks = (0..MAX_TRACKS).filter(|track| form.tracks() >> track & 1 == 1);
                tracks.fold(NO_TRACKS, |all, track| both(all, track..track + 1))
            }
            Part::Not(inner) | Part::Places { of: inner } => of(inner),
            Part::Then { high, low } => both(of(high), of(low)),
            Part::Join { of: list, .. } => list.iter().map(of).fold(NO_TRACKS, both),
            Part::Guess { first, of: inner, .. } => of(inner).start..*first,
            Part::Image { first, of: inner } => both(of(inner), *first..first + self.stacks),
            Part::Chop { first, height, of: inner } => of(inner).start.min(*first)..height + 1,
        }
    }

    /// Counts steps, each of which stands for a few of the usual ones.
    pub(super) fn count(&mut self, steps: u64) -> Result<(), Rejection> {
        self.budget.spend(16 * steps as usize)
    }

    /// Counts a state, of a part or of something else, and so many numbers that are remembered with it.
    pub(super) fn remember(&mut self, numbers: usize) -> Result<(), Rejection> {
        self.budget.hold(COST + 4 * numbers)
    }

    /// The state before the first digit. Zeros in front do not change it.
    pub(super) fn start(&mut self, part: usize) -> Result<u32, Rejection> {
        let state = match &*Rc::clone(&self.list[part].part) {
            Part::Compare { form, is_equation } => form.start(*is_equation),
            Part::Not(of) => negated(self.start(*of)?),
            Part::Join { all, of } => {
                let starts: Result<Vec<u32>, Rejection> =
                    of.iter().map(|&i| self.start(i)).collect();
                joined(*all, (0..).zip(starts?).collect())
            }
            Part::Guess { of, .. } => {
                // The numbers may have more digits than the heights. Any number of zeros is read in
                // front of the heights until this adds no state any more; it never takes one away,
                // because zeros in front of all numbers change nothing.
                let mut at = joined(false, vec![(0, self.start(*of)?)]);
                loop {
                    let longer = self.step(part, &at, 0)?;
                    if longer == at {
                        break at;
                    }
                    at = longer;
                }
            }
            Part::Image { of, .. } => {
                let start = self.start(*of)?;
                joined(false, (0..).zip(&self.symmetries).map(|(g, _)| (g, start)).collect())
            }
            Part::Places { of } => {
                let start = self.start(*of)?;
                self.place(*of, start)
            }
            Part::Then { high, low } => {
                let start = self.start(*high)?;
                self.cut(*high, *low, start, Vec::new())?
            }
            Part::Chop { of, .. } => joined(false, vec![(0, self.start(*of)?)]),
        };
        self.number(part, state)
    }

    /// The state after one more letter.
    pub(super) fn next(&mut self, part: usize, state: u32, letter: u32) -> Result<u32, Rejection> {
        if state <= TRUE {
            return Ok(state);
        }
        let tracks = self.list[part].tracks.clone();
        let letters = 1 << tracks.len();
        let letter = letter >> tracks.start & (letters - 1);
        if self.list[part].next[state as usize].is_empty() {
            self.remember(letters as usize)?;
            self.list[part].next[state as usize].resize(letters as usize, UNKNOWN);
        }
        if self.list[part].next[state as usize][letter as usize] == UNKNOWN {
            let from = Rc::clone(&self.list[part].states[state as usize]);
            let to = self.step(part, &from, letter << tracks.start)?;
            let to = self.number(part, to)?;
            self.list[part].next[state as usize][letter as usize] = to;
        }
        Ok(self.list[part].next[state as usize][letter as usize])
    }

    fn step(&mut self, part: usize, from: &State, letter: u32) -> Result<State, Rejection> {
        self.count(from.size() as u64)?;
        Ok(match (&*Rc::clone(&self.list[part].part), from) {
            (Part::Compare { form, is_equation }, State::Values(values, _)) => {
                self.count(form.size() as u64 / 2)?;
                form.step(values, letter, *is_equation)
            }
            (Part::Not(of), State::Members(members)) => {
                negated(self.next(*of, members[0].1, letter)?)
            }
            (Part::Join { all, of }, State::Members(members)) => {
                let mut to = Vec::with_capacity(members.len());
                for &(i, state) in members {
                    to.push((i, self.next(of[i as usize], state, letter)?));
                }
                joined(*all, to)
            }
            (Part::Guess { first, count, of }, State::Members(members)) => {
                let mut to = Vec::new();
                for &(_, state) in members {
                    self.count(1 << count)?;
                    for digits in 0..1 << count {
                        to.push((0, self.next(*of, state, letter | digits << first)?));
                    }
                }
                joined(false, to)
            }
            (Part::Image { first, of }, State::Members(members)) => {
                let mut to = Vec::with_capacity(members.len());
                for &(g, state) in members {
                    let image = self.symmetries[g as usize].iter().enumerate();
                    let image = image
                        .fold(letter & !(((1 << self.stacks) - 1) << first), |to, (s, i)| {
                            to | (letter >> (first + i) & 1) << (first + s)
                        });
                    to.push((g, self.next(*of, state, image)?));
                }
                joined(false, to)
            }
            (Part::Places { of }, State::Members(_)) => {
                let start = self.start(*of)?;
                let after = self.next(*of, start, letter)?;
                self.place(*of, after)
            }
            (Part::Then { high, low }, State::Members(members)) => {
                let (mut before, mut after) = (FALSE, Vec::new());
                for &(which, state) in members {
                    match which {
                        0 => before = self.next(*high, state, letter)?,
                        _ => after.push(self.next(*low, state, letter)?),
                    }
                }
                self.cut(*high, *low, before, after)?
            }
            (Part::Chop { first, height, of }, State::Members(members)) => {
                let (order, state) = members[0];
                let (order, letter) = self.chop(order, letter, *first, *height);
                joined(false, vec![(order, self.next(*of, state, letter)?)])
            }
            (_, decided) => decided.clone(),
        })
    }

    /// The state of [`Part::Places`] if the part inside has this state after a single letter.
    fn place(&self, of: usize, state: u32) -> State {
        match self.holds(of, state) {
            true => State::Members(Vec::new()),
            false => State::Decided(false),
        }
    }

    /// The state of [`Part::Then`]: if the first part holds, the second may begin here.
    fn cut(
        &mut self,
        high: usize,
        low: usize,
        before: u32,
        mut after: Vec<u32>,
    ) -> Result<State, Rejection> {
        if self.holds(high, before) {
            after.push(self.start(low)?);
        }
        if after.contains(&TRUE) {
            return Ok(State::Decided(true));
        }
        let first = [before].into_iter().map(|state| (0, state));
        let all = first.chain(after.into_iter().map(|state| (1, state)));
        let mut members: Vec<(u32, u32)> = all.filter(|&(_, state)| state != FALSE).collect();
        members.sort_unstable();
        members.dedup();
        match members.is_empty() {
            true => Ok(State::Decided(false)),
            false => Ok(State::Members(members)),
        }
    }

    /// Adds to a letter the digits of [`Part::Chop`]. `order` has two bits for each stack: 0 if it has
    /// been equal to the height so far, 1 if it is less, 2 if it is greater.
    fn chop(&self, mut order: u32, mut letter: u32, first: usize, height: usize) -> (u32, u32) {
        let m = letter >> height & 1;
        for stack in 0..self.stacks {
            let x = letter >> (first + stack) & 1;
            let lesser = match order >> (2 * stack) & 3 {
                0 => {
                    order |= ((m & !x) | (x & !m) << 1) << (2 * stack);
                    x & m
                }
                1 => x,
                _ => m,
            };
            letter |= lesser << (height + 1 + stack);
        }
        (order, letter)
    }

    /// Whether the part holds if this is all that is read.
    pub(super) fn holds(&self, part: usize, state: u32) -> bool {
        let followed = &self.list[part];
        match (&*followed.part, &*followed.states[state as usize]) {
            (_, State::Decided(decided)) => *decided,
            (_, State::Values(_, holds)) => *holds,
            (Part::Not(of), State::Members(members)) => !self.holds(*of, members[0].1),
            (Part::Places { .. }, State::Members(_)) => true,
            (Part::Then { low, .. }, State::Members(members)) => {
                members.iter().any(|&(which, state)| which == 1 && self.holds(*low, state))
            }
            (Part::Join { all: true, of }, State::Members(members)) => {
                members.iter().all(|&(i, state)| self.holds(of[i as usize], state))
            }
            (Part::Join { of, .. }, State::Members(members)) => {
                members.iter().any(|&(i, state)| self.holds(of[i as usize], state))
            }
            (
                Part::Guess { of, .. } | Part::Image { of, .. } | Part::Chop { of, .. },
                State::Members(members),
            ) => members.iter().any(|&(_, state)| self.holds(*of, state)),
            _ => false,
        }
    }

    /// The number of a state of a part.
    fn number(&mut self, part: usize, state: State) -> Result<u32, Rejection> {
        if let Some(&known) = self.list[part].numbers.get(&state) {
            return Ok(known);
        }
        self.remember(state.size())?;
        let followed = &mut self.list[part];
        let (state, number) = (Rc::new(state), followed.states.len() as u32);
        followed.states.push(Rc::clone(&state));
        followed.numbers.insert(state, number);
        followed.next.push(Vec::new());
        Ok(number)
    }
}

/// The state of a negation.
fn negated(state: u32) -> State {
    match state {
        FALSE => State::Decided(true),
        TRUE => State::Decided(false),
        _ => State::Members(vec![(0, state)]),
    }
}

/// The state of a conjunction or disjunction of these: what is decided is left out, or decides all.
fn joined(all: bool, mut members: Vec<(u32, u32)>) -> State {
    let (neutral, decisive) = if all { (TRUE, FALSE) } else { (FALSE, TRUE) };
    if members.iter().any(|&(_, state)| state == decisive) {
        return State::Decided(!all);
    }
    members.retain(|&(_, state)| state != neutral);
    members.sort_unstable();
    members.dedup();
    if members.is_empty() { State::Decided(all) } else { State::Members(members) }
}
