//! (II): every position lies in S or has a move into S.
//!
//! In other words the guessing automaton accepts every word. Following all its states at once
//! leads to far too many sets of states. But a set may be replaced by any part of it that still
//! accepts every word, and small parts repeat. What accepts every word is not known beforehand:
//! parts are chosen so that they accept a list of *test words*, as few states as a greedy choice
//! needs. When a part turns out to reject some word after all, this word joins the tests, and
//! whatever rejects it is chosen anew. At the end the parts lead to parts only, which
//! proves them all right.

use super::nfa::{Nfa, relabel};
use nimatron_game::{Stop, Watch};
use nimatron_table::hash::FastMap;
use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, VecDeque};

/// A part: a set of states of the guessing automaton that accepts every word.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The states, in increasing order.
    pub(super) states: Vec<u32>,
    /// By letter: a part, and the symmetry whose image of it is contained in what is reached.
    pub(super) next: Vec<(u32, u32)>,
}

/// Why there is no cover.
pub(super) enum NoCover {
    /// This word is not accepted.
    Rejected(Vec<u32>),
    Stopped(Stop),
}

impl From<Stop> for NoCover {
    fn from(stop: Stop) -> Self {
        NoCover::Stopped(stop)
    }
}

/// Parts that lead to each other, the first with the initial states.
pub(super) fn cover(nfa: &Nfa<'_>, watch: &dyn Watch) -> Result<Vec<Part>, NoCover> {
    let tests = Tests::new(nfa, watch)?;
    let mut search = Search {
        nfa,
        watch,
        tests,
        parts: Vec::new(),
        index: vec![Vec::new(); nfa.len()],
        queue: VecDeque::new(),
        reached: Marks::new(nfa.len()),
        spent: 0,
    };
    search.run()?;
    Ok(search.finish())
}

const NOWHERE: (u32, u32) = (u32::MAX, 0);
const ROOT: u32 = 0;

struct Search<'a> {
    nfa: &'a Nfa<'a>,
    watch: &'a dyn Watch,
    tests: Tests<'a>,
    parts: Vec<Listed>,
    /// By state: the parts and symmetries whose image is filed under this state.
    index: Vec<Vec<(u32, u32)>>,
    queue: VecDeque<u32>,
    reached: Marks,
    spent: u64,
}

struct Listed {
    part: Part,
    alive: bool,
    queued: bool,
    /// Where it has been used: parts and letters; some may have turned elsewhere since.
    used_by: Vec<(u32, u32)>,
}

impl Search<'_> {
    fn run(&mut self) -> Result<(), NoCover> {
        let root = self.nfa.initial();
        if let Some(test) = self.tests.rejected_by(&root) {
            return Err(NoCover::Rejected(self.tests.word(test)));
        }
        self.add(root);
        while let Some(number) = self.queue.pop_front() {
            self.parts[number as usize].queued = false;
            if self.parts[number as usize].alive && self.is_used(number) {
                self.follow(number)?;
            }
        }
        Ok(())
    }

    fn is_used(&self, number: u32) -> bool {
        let uses = |&(user, letter): &(u32, u32)| {
            let user = &self.parts[user as usize];
            user.alive && user.part.next[letter as usize].0 == number
        };
        number == ROOT || self.parts[number as usize].used_by.iter().any(uses)
    }

    /// Finds a part for every letter that has none.
    fn follow(&mut self, number: u32) -> Result<(), NoCover> {
        for letter in 0..self.nfa.moves.letters() {
            if self.parts[number as usize].part.next[letter as usize] != NOWHERE {
                continue;
            }
            self.spent += 1;
            if self.spent.is_multiple_of(64) {
                self.watch.check(self.memory())?;
            }
            self.reached.clear();
            for &state in &self.parts[number as usize].part.states {
                self.nfa.successors(state, letter, |to| self.reached.set(to));
            }
            let target = match self.find() {
                Some(found) => found,
                None => match self.tests.choose(&self.reached.list) {
                    Ok(chosen) => (self.add(chosen), 0),
                    Err(test) => {
                        self.tests.extend(letter, [test as u32].into_iter());
                        return self.refuse();
                    }
                },
            };
            self.parts[number as usize].part.next[letter as usize] = target;
            let used = &mut self.parts[target.0 as usize];
            used.used_by.push((number, letter));
            let unfinished = used.part.next.contains(&NOWHERE);
            if unfinished && !used.queued {
                used.queued = true;
                self.queue.push_back(target.0);
            }
        }
        Ok(())
    }

    /// A part and a symmetry whose image of it is reached.
    fn find(&self) -> Option<(u32, u32)> {
        let filed = self.reached.list.iter().flat_map(|&state| &self.index[state as usize]);
        let mut fits = filed.filter(|&&(number, by)| {
            let entry = &self.parts[number as usize];
            let images = &self.tests.states[by as usize];
            entry.alive
                && entry.part.states.iter().all(|&s| self.reached.contains(images[s as usize]))
        });
        fits.next().copied()
    }

    fn add(&mut self, mut states: Vec<u32>) -> u32 {
        states.sort_unstable();
        let number = self.parts.len() as u32;
        // File every image under the state that fewest others are filed under.
        for (by, images) in self.tests.states.iter().enumerate() {
            let states = states.iter().map(|&s| images[s as usize]);
            let rarest = states.min_by_key(|&s| self.index[s as usize].len());
            self.index[rarest.expect("a part is not empty") as usize].push((number, by as u32));
        }
        let next = vec![NOWHERE; self.nfa.moves.letters() as usize];
        let part = Part { states, next };
        self.parts.push(Listed { part, alive: true, queued: true, used_by: Vec::new() });
        self.queue.push_back(number);
        number
    }

    /// A part has turned out to reject a word, which is now a test, with its images.
    fn refuse(&mut self) -> Result<(), NoCover> {
        for number in 0..self.parts.len() {
            let entry = &self.parts[number];
            if !entry.alive || self.tests.accept_new(&entry.part.states) {
                continue;
            }
            if let (ROOT, Some(test)) = (number as u32, self.tests.rejected_by(&entry.part.states))
            {
                return Err(NoCover::Rejected(self.tests.word(test)));
            }
            self.parts[number].alive = false;
            for (user, letter) in std::mem::take(&mut self.parts[number].used_by) {
                let user_entry = &mut self.parts[user as usize];
                let next = &mut user_entry.part.next[letter as usize];
                if next.0 == number as u32 {
                    *next = NOWHERE;
                    if user_entry.alive && !user_entry.queued {
                        user_entry.queued = true;
                        self.queue.push_back(user);
                    }
                }
            }
        }
        Ok(())
    }

    fn memory(&self) -> u64 {
        let letters = self.nfa.moves.letters() as u64 * 16;
        let filed = self.nfa.symmetries.len() as u64 * 8;
        self.tests.memory() + self.parts.len() as u64 * (letters + filed + 200)
    }

    /// The parts that are used, renumbered in the order in which they are met.
    fn finish(self) -> Vec<Part> {
        let mut order = vec![ROOT];
        let mut numbers = FastMap::from_iter([(ROOT, 0u32)]);
        let mut parts = Vec::new();
        while let Some(&old) = order.get(parts.len()) {
            let part = &self.parts[old as usize].part;
            let next = part.next.iter().map(|&(target, by)| {
                let number = *numbers.entry(target).or_insert_with(|| {
                    order.push(target);
                    order.len() as u32 - 1
                });
                (number, by)
            });
            parts.push(Part { states: part.states.clone(), next: next.collect() });
        }
        parts
    }
}

/// Words that every part must accept, closed under the symmetries.
struct Tests<'a> {
    nfa: &'a Nfa<'a>,
    /// By word: its first letter and the word behind it; `None` for the empty word.
    words: Vec<Option<(u32, u32)>>,
    numbers: FastMap<(u32, u32), u32>,
    /// By word, then by symmetry: the image.
    images: Vec<Vec<u32>>,
    /// By symmetry, then by state: the image.
    states: Vec<Vec<u32>>,
    /// By state: the words it accepts, as bits.
    rows: Vec<Vec<u64>>,
    /// The first of the words that came last.
    newest: usize,
}

/// At most so many words to begin with, and so many bytes of rows.
const FIRST_TESTS: usize = 20_000;
const FIRST_BYTES: usize = 200 << 20;

impl<'a> Tests<'a> {
    /// All words up to a length that depends on the number of letters.
    fn new(nfa: &'a Nfa<'a>, watch: &dyn Watch) -> Result<Self, Stop> {
        let rows = (0..nfa.len() as u32).map(|s| vec![u64::from(nfa.accepts(s))]).collect();
        let images = |g| (0..nfa.len() as u32).map(|s| nfa.image(g, s)).collect();
        let mut tests = Tests {
            nfa,
            states: (0..nfa.symmetries.len()).map(images).collect(),
            words: vec![None],
            numbers: FastMap::default(),
            images: vec![vec![0; nfa.symmetries.len()]],
            rows,
            newest: 0,
        };
        let letters = nfa.moves.letters() as usize;
        loop {
            let last = tests.newest..tests.words.len();
            let more = tests.words.len() + last.len() * letters;
            if more > FIRST_TESTS || more / 8 * nfa.len() > FIRST_BYTES {
                return Ok(tests);
            }
            for letter in 0..letters as u32 {
                tests.extend(letter, last.clone().map(|rest| rest as u32));
                watch.check(tests.memory())?;
            }
            tests.newest = last.end;
        }
    }

    /// Adds a letter in front of tests, with all images of the new words.
    fn extend(&mut self, letter: u32, rests: impl Iterator<Item = u32>) {
        self.newest = self.words.len();
        let mut new = Vec::new();
        for rest in rests {
            if !self.numbers.contains_key(&(letter, rest)) {
                new.push((rest as usize, self.register(letter, rest)));
            }
        }
        let blocks = self.words.len().div_ceil(64);
        self.rows.iter_mut().for_each(|row| row.resize(blocks, 0));
        // Only the part of the rows with words that now stand behind the letter matters.
        let used = new.iter().map(|&(rest, _)| rest / 64);
        let first = used.clone().min().unwrap_or(0);
        let mut after = vec![0u64; used.max().map_or(0, |last| last + 1 - first)];
        for state in 0..self.rows.len() {
            after.fill(0);
            self.nfa.successors(state as u32, letter, |to| {
                let row = &self.rows[to as usize][first..];
                after.iter_mut().zip(row).for_each(|(all, bits)| *all |= bits);
            });
            let accepted = |rest: usize| bit(&after, rest - 64 * first);
            for (_, images) in new.iter().filter(|&&(rest, _)| accepted(rest)) {
                for (states, &word) in self.states.iter().zip(images) {
                    let row = &mut self.rows[states[state] as usize];
                    row[word as usize / 64] |= 1 << (word % 64);
                }
            }
        }
    }

    /// Numbers a new word and its images; returns the numbers of the images.
    fn register(&mut self, letter: u32, rest: u32) -> Vec<u32> {
        let image = |(g, &rest)| (relabel(g, letter), rest);
        let words = self.nfa.symmetries.iter().zip(&self.images[rest as usize]).map(image);
        let words: Vec<(u32, u32)> = words.collect();
        let first = self.words.len();
        for &word in &words {
            if let Entry::Vacant(free) = self.numbers.entry(word) {
                free.insert(self.words.len() as u32);
                self.words.push(Some(word));
            }
        }
        for at in first..self.words.len() {
            let (letter, rest) = self.words[at].unwrap_or_default();
            let images = self.nfa.symmetries.iter().zip(&self.images[rest as usize]);
            let images = images.map(|(g, &rest)| self.numbers[&(relabel(g, letter), rest)]);
            let images = images.collect();
            self.images.push(images);
        }
        words.iter().map(|word| self.numbers[word]).collect()
    }

    fn word(&self, mut test: usize) -> Vec<u32> {
        let mut word = Vec::new();
        while let Some((letter, rest)) = self.words[test] {
            word.push(letter);
            test = rest as usize;
        }
        word
    }

    /// A test that none of the states accepts, the shortest first.
    fn rejected_by(&self, states: &[u32]) -> Option<usize> {
        (0..self.words.len())
            .find(|&test| !states.iter().any(|&state| bit(&self.rows[state as usize], test)))
    }

    /// Whether the states accept the newest tests.
    fn accept_new(&self, states: &[u32]) -> bool {
        let accepts = |test| states.iter().any(|&s| bit(&self.rows[s as usize], test));
        (self.newest..self.words.len()).all(accepts)
    }

    /// Few states of a list that together accept all tests, or a test that all of them reject.
    fn choose(&self, states: &[u32]) -> Result<Vec<u32>, usize> {
        let mut missing = vec![u64::MAX; self.words.len().div_ceil(64)];
        if let Some(last) = missing.last_mut() {
            *last >>= (64 - self.words.len() % 64) % 64;
        }
        let gain = |state: u32, missing: &[u64]| -> u32 {
            let row = &self.rows[state as usize];
            row.iter().zip(missing).map(|(a, b)| (a & b).count_ones()).sum()
        };
        // What a state adds only falls as others are chosen: the heap holds upper bounds.
        let bounds = states.iter().map(|&s| (gain(s, &missing), Reverse(s)));
        let mut heap: BinaryHeap<_> = bounds.collect();
        let mut chosen: Vec<u32> = Vec::new();
        while missing.iter().any(|&block| block != 0) {
            let Some((_, Reverse(state))) = heap.pop() else { break };
            let now = gain(state, &missing);
            if heap.peek().is_some_and(|&(bound, _)| bound > now) {
                heap.push((now, Reverse(state)));
                continue;
            }
            if now == 0 {
                break;
            }
            chosen.push(state);
            let row = &self.rows[state as usize];
            missing.iter_mut().zip(row).for_each(|(missing, bits)| *missing &= !bits);
        }
        if let Some(block) = missing.iter().position(|&block| block != 0) {
            return Err(block * 64 + missing[block].trailing_zeros() as usize);
        }
        // Leave out what later choices have made superfluous.
        let mut place = 0;
        while place < chosen.len() {
            let mut others = vec![0u64; missing.len()];
            for (_, &s) in chosen.iter().enumerate().filter(|&(at, _)| at != place) {
                let row = &self.rows[s as usize];
                others.iter_mut().zip(row).for_each(|(all, bits)| *all |= bits);
            }
            let row = &self.rows[chosen[place] as usize];
            if row.iter().zip(&others).all(|(bits, others)| bits & !others == 0) {
                chosen.remove(place);
            } else {
                place += 1;
            }
        }
        Ok(chosen)
    }

    fn memory(&self) -> u64 {
        let blocks = self.words.len().div_ceil(64) * 8;
        let words = self.words.len() * (64 + 4 * self.nfa.symmetries.len());
        (self.rows.len() * blocks + words) as u64
    }
}

fn bit(row: &[u64], at: usize) -> bool {
    row[at / 64] >> (at % 64) & 1 == 1
}

/// A set of states that is quickly emptied.
struct Marks {
    marked: Vec<bool>,
    list: Vec<u32>,
}

impl Marks {
    fn new(size: usize) -> Self {
        Marks { marked: vec![false; size], list: Vec::new() }
    }

    fn clear(&mut self) {
        for state in self.list.drain(..) {
            self.marked[state as usize] = false;
        }
    }

    fn set(&mut self, state: u32) {
        if !std::mem::replace(&mut self.marked[state as usize], true) {
            self.list.push(state);
        }
    }

    fn contains(&self, state: u32) -> bool {
        self.marked[state as usize]
    }
}
