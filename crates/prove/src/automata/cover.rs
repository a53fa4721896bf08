//! (II): every position lies in S or has a move into S.
//!
//! In other words the guessing automaton accepts every word. Following all its states at once
//! leads to far too many sets of states. But a set may be replaced by any part of it that still
//! accepts every word, and small parts repeat. What accepts every word is not known beforehand:
//! parts are chosen so that they accept a list of *test words*, as few states as a greedy choice
//! needs. When a part turns out to reject some word after all, this word joins the tests, and
//! whatever rejects it is chosen anew. At the end the parts lead to parts only, which
//! proves them all right.

use super::nfa::Nfa;
use nimatron_game::{Stop, Watch};
use std::collections::{HashMap, VecDeque};

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
        images: (0..nfa.symmetries.len())
            .map(|g| (0..nfa.len() as u32).map(|s| nfa.image(g, s)).collect())
            .collect(),
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
    /// By symmetry, then by state: its image.
    images: Vec<Vec<u32>>,
    tests: Tests<'a>,
    parts: Vec<Entry>,
    /// By state: the parts and symmetries whose image is filed under this state.
    index: Vec<Vec<(u32, u32)>>,
    queue: VecDeque<u32>,
    reached: Marks,
    spent: u64,
}

struct Entry {
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
                        let word = self.tests.longer(letter, test)?;
                        return self.refuse(number, word);
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
            let images = &self.images[by as usize];
            entry.alive
                && entry.part.states.iter().all(|&s| self.reached.contains(images[s as usize]))
        });
        fits.next().copied()
    }

    fn add(&mut self, mut states: Vec<u32>) -> u32 {
        states.sort_unstable();
        let number = self.parts.len() as u32;
        // File every image under the state that fewest others are filed under.
        for (by, images) in self.images.iter().enumerate() {
            let states = states.iter().map(|&s| images[s as usize]);
            let rarest = states.min_by_key(|&s| self.index[s as usize].len());
            self.index[rarest.expect("a part is not empty") as usize].push((number, by as u32));
        }
        let next = vec![NOWHERE; self.nfa.moves.letters() as usize];
        let part = Part { states, next };
        self.parts.push(Entry { part, alive: true, queued: true, used_by: Vec::new() });
        self.queue.push_back(number);
        number
    }

    /// A part has turned out to reject a word, which is now a test, with its images.
    fn refuse(&mut self, number: u32, word: usize) -> Result<(), NoCover> {
        if number == ROOT {
            return Err(NoCover::Rejected(self.tests.word(word)));
        }
        for number in 0..self.parts.len() {
            let entry = &self.parts[number];
            if !entry.alive || self.tests.accept_new(&entry.part.states) {
                continue;
            }
            if number as u32 == ROOT {
                let test = self.tests.rejected_by(&entry.part.states).unwrap_or(word);
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
        let filed = self.images.len() as u64 * 8;
        self.tests.memory() + self.parts.len() as u64 * (letters + filed + 200)
    }

    /// The parts that are used, renumbered in the order in which they are met.
    fn finish(self) -> Vec<Part> {
        let mut order = vec![ROOT];
        let mut numbers = HashMap::from([(ROOT, 0u32)]);
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
    numbers: HashMap<(u32, u32), u32>,
    /// By word, then by symmetry: the image.
    images: Vec<Vec<u32>>,
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
        let mut tests = Tests {
            nfa,
            words: vec![None],
            numbers: HashMap::new(),
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
            let words = (0..letters as u32).flat_map(|x| last.clone().map(move |w| (x, w as u32)));
            tests.extend(words.collect());
            watch.check(tests.memory())?;
        }
    }

    /// Adds words; with each word all of its images must be among them.
    fn extend(&mut self, words: Vec<(u32, u32)>) {
        self.newest = self.words.len();
        for &word in &words {
            self.numbers.insert(word, self.words.len() as u32);
            self.words.push(Some(word));
        }
        for &(letter, rest) in &words {
            let images = self.nfa.symmetries.iter().enumerate().map(|(g, symmetry)| {
                let rest = self.images[rest as usize][g];
                self.numbers[&(super::nfa::relabel(symmetry, letter), rest)]
            });
            let images = images.collect();
            self.images.push(images);
        }
        let mut by_letter = vec![Vec::new(); self.nfa.moves.letters() as usize];
        for (place, &(letter, rest)) in words.iter().enumerate() {
            by_letter[letter as usize].push((self.newest + place, rest as usize));
        }
        let blocks = self.words.len().div_ceil(64);
        let old_blocks = self.newest.div_ceil(64);
        let mut after = vec![0u64; old_blocks];
        let mut new_bits: Vec<Vec<usize>> = Vec::with_capacity(self.rows.len());
        for state in 0..self.rows.len() {
            let mut bits = Vec::new();
            for (letter, words) in by_letter.iter().enumerate().filter(|(_, w)| !w.is_empty()) {
                after.fill(0);
                self.nfa.successors(state as u32, letter as u32, |to| {
                    let row = &self.rows[to as usize];
                    after.iter_mut().zip(row).for_each(|(all, bits)| *all |= bits);
                });
                let accepted = words.iter().filter(|&&(_, rest)| bit(&after, rest));
                bits.extend(accepted.map(|&(word, _)| word));
            }
            new_bits.push(bits);
        }
        for (row, bits) in self.rows.iter_mut().zip(new_bits) {
            row.resize(blocks, 0);
            bits.into_iter().for_each(|word| row[word / 64] |= 1 << (word % 64));
        }
    }

    /// Adds a letter in front of a test, and the images of the new word; returns its number.
    fn longer(&mut self, letter: u32, rest: usize) -> Result<usize, Stop> {
        let images = self.nfa.symmetries.iter().enumerate().map(|(g, symmetry)| {
            (super::nfa::relabel(symmetry, letter), self.images[rest][g])
        });
        let mut words: Vec<(u32, u32)> = images.collect();
        words.sort_unstable();
        words.dedup();
        self.extend(words);
        Ok(self.numbers[&(letter, rest as u32)] as usize)
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
        (0..self.words.len()).find(|&test| {
            !states.iter().any(|&state| bit(&self.rows[state as usize], test))
        })
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
        let bounds = states.iter().map(|&s| (gain(s, &missing), std::cmp::Reverse(s)));
        let mut heap: std::collections::BinaryHeap<_> = bounds.collect();
        let mut chosen: Vec<u32> = Vec::new();
        while missing.iter().any(|&block| block != 0) {
            let Some((_, std::cmp::Reverse(state))) = heap.pop() else { break };
            let now = gain(state, &missing);
            if heap.peek().is_some_and(|&(bound, _)| bound > now) {
                heap.push((now, std::cmp::Reverse(state)));
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
